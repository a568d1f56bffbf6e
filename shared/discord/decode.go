package discord

import (
	"encoding/json"
	"errors"

	"github.com/bwmarrin/discordgo"
)

// What is kept of a message that discordgo does not understand as a whole.
var essentials = []string{
	"id", "channel_id", "guild_id", "content", "timestamp", "edited_timestamp", "type", "webhook_id", "flags",
	"author", "mentions", "message_reference", "attachments", "sticker_items", "member", "referenced_message",
	"message_snapshots", "poll",
}

var errNoMessage = errors.New("the payload is not a message")

// Decode reads a message as Discord sends it. discordgo refuses a whole message for one part that it does not know, such
// as a new type of component; then the parts that it knows are taken one by one, and the message is not lost. An error
// means that there is no id of message and channel; it holds nothing of the payload.
func Decode(raw []byte) (*discordgo.Message, error) {
	raw = flat(raw)
	m := &discordgo.Message{}
	if err := json.Unmarshal(raw, m); err != nil {
		*m = discordgo.Message{}
		var parts map[string]json.RawMessage
		if json.Unmarshal(raw, &parts) != nil {
			return nil, errNoMessage
		}
		for _, key := range essentials {
			if v, ok := parts[key]; ok {
				m = withPart(m, key, v)
			}
		}
		if _, ok := parts["components"]; ok && string(parts["components"]) != "[]" && string(parts["components"]) != "null" {
			m.Components = []discordgo.MessageComponent{discordgo.TextDisplay{}} // something is there
		}
	}
	if !snowflake(m.ID) || !snowflake(m.ChannelID) {
		return nil, errNoMessage
	}
	return m, nil
}

// withPart adds one part to the message, or leaves the message as it is when the part is not understood.
func withPart(m *discordgo.Message, key string, v json.RawMessage) *discordgo.Message {
	one, err := json.Marshal(map[string]json.RawMessage{key: v})
	if err != nil {
		return m
	}
	type plain discordgo.Message // without discordgo's own decoding, which knows all or nothing
	next := plain(*m)
	if json.Unmarshal(one, &next) != nil {
		return m
	}
	out := discordgo.Message(next)
	return &out
}
