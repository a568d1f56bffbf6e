package app_test

import (
	"os"
	"strings"
	"testing"

	"tsumugi/shared/sim/stack"
)

func TestCostsAreThoseOfTheTemplate(t *testing.T) {
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	out, err := stack.Read(text, stack.Stack{Name: "house", Parameters: map[string]string{"DiscordToken": "a.b.c",
		"DiscordPublicKey": strings.Repeat("0f", 32), "ModelUrl": "https://model.invalid/v1", "ModelKey": "key"}})
	if err != nil {
		t.Fatal(err)
	}
	watched, mappings, megabytes := 0, 0, map[string]int{}
	for _, a := range out.Alarms {
		watched += len(a.Metrics)
	}
	for _, f := range out.Functions {
		mappings += len(f.Sources)
		megabytes[f.Dir] = f.Memory
		for _, s := range f.Sources {
			megabytes[strings.TrimSuffix(strings.TrimPrefix(s.Queue, "house-"), ".fifo")] = f.Memory
		}
	}
	for what, c := range map[string][2]int{"secrets": {secrets, len(out.Secrets)}, "metrics of alarms": {alarms, watched},
		"event sources": {eventSources, mappings}, "memory of relay": {relayMemory, megabytes["relay"]}, "memory of sweeper": {sweeperMemory, megabytes["sweeper"]}} {
		if c[0] != c[1] {
			t.Errorf("%s: %d are counted in the costs, the template has %d", what, c[0], c[1])
		}
	}
	for name, mb := range memory {
		if megabytes[name] != mb {
			t.Errorf("the function behind %s has %d MB in the costs, %d in the template", name, mb, megabytes[name])
		}
	}
}
