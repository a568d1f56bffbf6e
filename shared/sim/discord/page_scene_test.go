package discord_test

import (
	"encoding/json"
	"fmt"

	"tsumugi/shared/sim/discord/browsertest"
)

// trace is made-up explain data of n stages in two replies, the shape that doc.go gives.
func trace(n int, outcome string) []byte {
	type object = map[string]any
	stages := []object{
		{"name": "admission", "detail": "run", "at_ms": 0, "took_ms": 14, "calls": object{"store": 3, "queue": 1}},
		{"name": "disposition", "detail": "", "at_ms": 14, "took_ms": 9, "calls": object{"queue": 1}},
		{"name": "plan", "detail": "mira", "at_ms": 23, "took_ms": 31, "calls": object{"store": 4, "queue": 1}},
		{"name": "channel lock", "detail": "", "at_ms": 54, "took_ms": 88, "calls": object{"store": 6, "discord": 1}},
		{"name": "context", "detail": "mira", "at_ms": 142, "took_ms": 7, "calls": object{}},
		{"name": "generation", "detail": "stop", "at_ms": 149, "took_ms": 2310, "calls": object{"model": 1}, "marks": []object{{"name": "first token", "at_ms": 548}}},
		{"name": "sink", "detail": "", "at_ms": 560, "took_ms": 1960, "calls": object{"store": 5, "discord": 8}, "marks": []object{{"name": "first visible", "at_ms": 655}}},
		{"name": "release", "detail": "answered stop", "at_ms": 2520, "took_ms": 26, "calls": object{"store": 2, "queue": 1}},
	}
	for i := len(stages); i < n; i++ {
		s := object{"name": fmt.Sprintf("stage %d", i), "detail": "something that was done", "at_ms": 60 * i, "took_ms": 40 + 11*(i%7), "turn": i/12 + 1, "calls": object{"store": i % 3}}
		if i == n-2 {
			s["error"] = "the model stalled; asked again"
		}
		stages = append(stages, s)
	}
	text, err := json.Marshal(object{"event": "1", "channel": "1", "plan": "mira", "replies": []string{"2"}, "began": "2026-11-30T09:00:00Z", "total_ms": 2546, "outcome": outcome, "stages": stages[:min(n, len(stages))]})
	if err != nil {
		panic("a map of plain values is JSON")
	}
	return text
}

// ready opens the page, somebody speaking in a channel, and waits until it follows the events.
func (w *world) ready(b *browsertest.Browser, channel, user string, v browsertest.View) *browsertest.Tab {
	w.t.Helper()
	tab := b.Open(w.t, w.url+"/#channel="+channel+"&as="+user, v)
	tab.Wait(`document.body.dataset.ready === "" && document.querySelector("#title").textContent !== ""`)
	return tab
}
