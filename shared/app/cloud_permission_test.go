package app_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/sim/cloud"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/stack"
)

// TestDoctorOnAWS lets the functions work that no story needs: commands, by the longest way that a command can take, and the
// registrar's schedule. Bodies come in base64, as API Gateway may send them.
func TestDoctorOnAWS(t *testing.T) {
	emulated(t)
	t.Parallel()
	s := newSky(t, laying{})
	guild, err := s.sim.Guild("")
	if err != nil {
		t.Fatal(err)
	}
	s.encoded.Store(true)
	got, err := s.sim.Interact(t.Context(), simdiscord.Invocation{Kind: "command", User: guild.Owner, Channel: "lounge", Command: "doctor"})
	if err != nil || got.State != "deferred" {
		t.Fatalf("/doctor is %+v: %v", got, err)
	}
	const thinking = 1 << 7
	var said string
	s.eventually(time.Minute, "the doctor has looked", func() bool {
		for _, m := range s.sim.MessagesAs("lounge", guild.Owner) {
			if m.Content != "" && m.Flags&thinking == 0 {
				said = m.Content
			}
		}
		return said != ""
	})
	if strings.Count(said, "✅") < 7 || strings.Contains(said, "❌") {
		t.Errorf("the doctor finds an installation ill that is well: %s", said)
	}
	if err := cloud.Fire(t.Context(), s.functions["registrar"], "hour"); err != nil {
		t.Error(err)
	}
}

// TestPermissionsAfterAWS holds what the tests above have called to what the template permits: recorded ⊆ granted ⊆ recorded +
// what AWS itself does and what is rare. .ci/e2e-aws runs it when they are done.
func TestPermissionsAfterAWS(t *testing.T) {
	text, err := os.ReadFile(emulated(t).Records)
	if err != nil {
		t.Skip("no calls were recorded; .ci/e2e-aws runs this when there are some")
	}
	var calls []stack.Call
	counts := map[string]int{}
	lines := bufio.NewScanner(bytes.NewReader(text))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r cloud.Record
		if err := json.Unmarshal(lines.Bytes(), &r); err != nil {
			t.Fatal(err)
		}
		if r.Mapping || r.Role == "test" {
			continue
		}
		calls = append(calls, stack.Call{Role: r.Role, Service: r.Service, Operation: r.Operation, Resources: r.Resources, Kinds: r.Kinds})
		if !r.Part {
			counts[fmt.Sprintf("%-13s%s.%s", r.Role, r.Service, r.Operation)]++
		}
	}
	for _, what := range slices.Sorted(maps.Keys(counts)) {
		fmt.Println("calls", what, counts[what])
	}
	template, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	house, err := stack.Read(template, stack.Stack{Name: "house", Region: cloud.Region, Account: cloud.Account, Parameters: map[string]string{
		"DiscordToken": botToken, "DiscordPublicKey": fmt.Sprintf("%064x", 1), "ModelUrl": "https://model.invalid/v1"}})
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range house.Differences(calls) {
		t.Error(line)
	}
}
