package discord_test

import (
	"strings"
	"testing"

	"tsumugi/shared/discord"
)

// discordgo reads what is nested n deep n times; a few kilobytes would hold up the relay for minutes.
func TestADeepMessageIsCut(t *testing.T) {
	const n = 20_000 // more than encoding/json itself allows
	for name, c := range map[string][2]string{
		"messages":   {`{"id":"1","channel_id":"1","content":"a \"}]","referenced_message":`, `}`},
		"components": {`{"id":"1","channel_id":"1","content":"a \"}]","components":[`, `]}`},
	} {
		t.Run(name, func(t *testing.T) {
			inner := "null"
			if name == "components" {
				inner = ""
			}
			m, err := discord.Decode([]byte(strings.Repeat(c[0], n) + inner + strings.Repeat(c[1], n)))
			if err != nil || m.Content != `a "}]` {
				t.Fatalf("decoded %v, error %v", m, err)
			}
			depth := 0
			for ; m != nil; m = m.ReferencedMessage {
				depth++
			}
			if depth > 32 {
				t.Errorf("%d messages deep", depth)
			}
		})
	}
}
