package app_test

import (
	"bytes"
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"tsumugi/shared/queue"
	"tsumugi/shared/telemetry"
)

// traced plays a story with somebody who is told what the workers do, and lets the test look at the end.
func traced(t *testing.T, s *story, look func(*world, *telemetry.Timelines)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		lines := telemetry.New()
		w, err := newWorld(t.Context(), s, conditions{recorder: lines})
		if err != nil {
			t.Fatal(err)
		}
		w.start(t.Context())
		err = w.play(t.Context())
		if err == nil {
			look(w, lines)
		}
		w.stop()
		if err != nil {
			t.Fatal(err)
		}
		if len(w.faults) > 0 {
			t.Error(w.faults)
		}
	})
}

func tale(t *testing.T, text string) *story {
	t.Helper()
	s, err := parseStory(t.Name(), []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// explained is the timeline of words n, which every reply to them has too.
func explained(t *testing.T, w *world, lines *telemetry.Timelines, n int) telemetry.Timeline {
	t.Helper()
	m, err := w.words(n)
	if err != nil {
		t.Fatal(err)
	}
	line, ok := lines.Timeline(m.ID)
	if !ok || line.Event != m.ID || line.Channel != m.ChannelID {
		t.Fatalf("words %d: %v %+v", n, ok, line)
	}
	want, _ := lines.Explain(m.ID)
	for _, r := range line.Replies {
		if got, _ := lines.Explain(r); string(got) != string(want) {
			t.Errorf("reply %s explains itself as\n%s\nand what it replies to as\n%s", r, got, want)
		}
	}
	return line
}

// spelled writes a timeline down, a line a stage: turn, name, detail, marks, failure.
func spelled(line telemetry.Timeline) string {
	var b strings.Builder
	fmt.Fprintf(&b, "plan %s; %d replies; %s\n", line.Plan, len(line.Replies), line.Outcome)
	for _, s := range line.Stages {
		fmt.Fprintf(&b, "%d %s", s.Turn, s.Name)
		if s.Detail != "" {
			b.WriteString(": " + s.Detail)
		}
		for _, m := range s.Marks {
			fmt.Fprintf(&b, " [%s]", m.Name)
		}
		if s.Error != "" {
			fmt.Fprintf(&b, " !%s", s.Error)
		}
		b.WriteString("\n")
	}
	return b.String()
}

// TestTrace compares whole timelines but for their times and calls: which of two things of the same moment comes first is
// not the same each time.
func TestTrace(t *testing.T) {
	hush(t)
	for _, c := range []struct {
		name, story, want string
		words             int
	}{
		{name: "two personas are two turns", words: 1, story: `# two turns
-- settings.json --
{"channel":"100","cast":["mira","teo"],"order":"round"}
-- events --
ana: hello you two
-- model --
mira> {pause 2300ms}Good evening, Ana, and welcome to the quay tonight.|{pause 3400ms} The lamps are lit.
teo> {pause 2300ms}*waves*
`, want: `plan mira, teo; 2 replies; answered
0 admission: run
0 disposition
0 channel lock
0 plan
1 channel lock
1 context: mira
1 generation: stop [first token]
1 sink [first visible]
1 effects
1 release: answered stop
2 channel lock
2 context: teo
2 generation: stop [first token]
2 effects
2 sink [first visible]
2 release: answered stop
`},
		{name: "an ignored message says why", words: 1, story: `# ignored
-- settings.json --
{"channel":"hall","cast":["mira"]}
-- events --
ana: did you see the boat?
-- model --
`, want: `plan ; 0 replies; ignored
0 admission: ignore non_trigger
`},
		{name: "an event that comes again is an attempt", words: 1, story: `# again
-- settings.json --
{"channel":"100","cast":["mira"],"always":true}
-- events --
ana: hello
after 1s again 1
-- model --
mira> {pause 2300ms}Good evening, Ana, and welcome to the quay tonight.
`, want: `plan mira; 1 replies; answered
0 admission: run
0 disposition
0 channel lock
0 plan
1 channel lock
1 context: mira
1 generation: stop [first token]
0 admission: attempt 2 run
1 sink [first visible]
1 effects
1 release: answered stop
`},
		{name: "a turn that is stopped", words: 1, story: `# stopped
-- settings.json --
{"channel":"100","cast":["mira","teo"],"order":"round"}
-- events --
ana: hello you two
while speaking ana: stop it please
-- model --
mira@1> {pause 2300ms}Good evening, Ana, and good evening to the fog. |{pause 20s}And
mira@2> {pause 2300ms}Quiet, then.
`, want: `plan mira, teo; 1 replies; interrupted
0 admission: run
0 disposition
0 channel lock
0 plan
1 channel lock
1 context: mira
1 generation [first token] [stop] !stopped
1 sink [first visible]
1 effects
1 release: interrupted stop
`},
		{name: "a worker that leaves, and the next", words: 1, story: `# handover
-- settings.json --
{"channel":"100","cast":["mira"],"always":true}
-- events --
ana: tell me everything
while speaking handover
-- model --
mira> {pause 2300ms}Everything begins with the tide, and the tide with the moon. |{pause 20s}The moon is another story.
`, want: `plan mira; 1 replies; answered
0 admission: run
0 disposition
0 channel lock
0 plan
1 channel lock
1 context: mira
1 generation [first token] !handover
1 sink [first visible]
1 release: handover
1 channel lock: attempt 2
1 context: attempt 2 mira
1 generation: attempt 2 stop [first token]
1 effects: attempt 2
1 release: attempt 2 answered stop
`},
		{name: "a model that fails, and then does not", words: 1, story: `# overloaded
-- settings.json --
{"channel":"100","cast":["mira"],"always":true}
-- events --
ana: hello
-- model --
mira> {pause 2300ms}{error overloaded}
mira> {pause 2300ms}Good evening, Ana, and welcome to the quay tonight.
`, want: `plan mira; 1 replies; answered
0 admission: run
0 disposition
0 channel lock
0 plan
1 channel lock
1 context: mira
1 generation !model overloaded
1 release: retry
1 channel lock: attempt 2
1 context: attempt 2 mira
1 generation: attempt 2 stop [first token]
1 sink: attempt 2 [first visible]
1 effects: attempt 2
1 release: attempt 2 answered stop
`},
	} {
		t.Run(c.name, func(t *testing.T) {
			traced(t, tale(t, c.story), func(w *world, lines *telemetry.Timelines) {
				if got := spelled(explained(t, w, lines, c.words)); got != c.want {
					t.Errorf("got\n%s\nwant\n%s", got, c.want)
				}
			})
		})
	}
}

// TestTraceCountsEveryCall compares the counts with what the ports saw, in stories in which no delivery fails: what becomes of
// a failed one is the event source's.
func TestTraceCountsEveryCall(t *testing.T) {
	hush(t)
	for _, name := range []string{"redelivered_event", "called_in_order", "busy_channel_in_order", "long_reply_streams", "stop_by_the_asker",
		"follow_up_interrupts", "direct_message", "handover_mid_stream", "not_addressed_in_the_hall", "rate_limited_edits", "model_refuses"} {
		t.Run(name, func(t *testing.T) {
			traced(t, load(t, name), func(w *world, lines *telemetry.Timelines) {
				var told telemetry.Calls
				for n := range w.said {
					for _, s := range explained(t, w, lines, n+1).Stages {
						told.Store += s.Calls.Store
						told.Queue += s.Calls.Queue
						told.Discord += s.Calls.Discord
						told.Model += s.Calls.Model
					}
				}
				if saw := seen(w.names()); told != saw {
					t.Errorf("timelines have %+v, the ports saw %+v", told, saw)
				}
			})
		})
	}
}

// seen counts the calls that workers made of the ports.
func seen(names []string) (c telemetry.Calls) {
	for _, full := range names {
		role, name, _ := strings.Cut(full, ": ")
		if role != queue.Ingress && role != queue.Turns && role != queue.Replies {
			continue // event sources, and the sweeper
		}
		switch {
		case strings.HasPrefix(name, "kv "):
			c.Store++
		case strings.HasPrefix(name, "send to "), strings.HasPrefix(name, "hide in "):
			c.Queue++
		case strings.HasSuffix(name, " message"), name == "read messages", name == "show typing":
			c.Discord++
		case name == "model ask":
			c.Model++
		}
	}
	return c
}

// allowed are the words of timelines: of stages, rows, reason codes, failures, signals and finish reasons, and the stories'
// personas.
const allowed = `
admission disposition channel lock plan context sink generation effects release attempt
run queued ignore blocked mailed answered interrupted ignored failed deleted
non_trigger no_persona command_prefix other_bot_message system_message unknown_webhook stop_nothing_to_stop locked_busy_queued
locked_follow_up_queued locked_natural_stop_requested locked_stop_by_another locked_stop_requested
first token visible stop follow-up kill length review revision timed out refused stopped stale retry handover error
empty_response flush_limit model_refused model_unauthorized model_unreachable persona_missing poison prompt_too_long reply_deleted send_message_limit send_refused
edit_refused delete_refused words_refused automod thread_locked recent_send_refused
rejected_by_whitelist rejected_by_whitelist_pre_lock locked_rejected_by_whitelist
address_refused key_lost no_provider nothing_to_answer daily_limit spend_cap model_invalid model_not_found
discord model address unknown cut overloaded rate_limited throttled unauthorized unreachable invalid not_found
mira teo clyde
`

// TestTraceTellsNothingThatWasSaid plays every story, and looks for the words of people and models, and for the ids of
// people, in all that is kept.
func TestTraceTellsNothingThatWasSaid(t *testing.T) {
	hush(t)
	for _, s := range corpus(t) {
		t.Run(s.name, func(t *testing.T) {
			traced(t, s, func(w *world, lines *telemetry.Timelines) {
				var secret []string
				for _, u := range w.sim.State().Users {
					secret = append(secret, u.ID)
				}
				for _, m := range append(slices.Clone(w.said), w.posts()...) {
					secret = append(secret, strings.Fields(m.Content)...)
				}
				kept := 0
				for _, m := range w.said {
					line, ok := lines.Timeline(m.ID)
					if !ok {
						continue
					}
					kept++
					for _, word := range vocabulary(line) {
						if !slices.Contains(strings.Fields(allowed), word) {
							t.Errorf("%q is told in\n%s", word, spelled(line))
						}
					}
					text, _ := lines.Explain(m.ID)
					for _, word := range secret {
						word = strings.Trim(word, ".,;:!?")
						if len(word) >= 5 && !strings.Contains(allowed, word) && bytes.Contains(text, []byte(word)) {
							t.Errorf("%q is told in\n%s", word, spelled(line))
						}
					}
				}
				if kept == 0 && len(w.said) > 0 {
					t.Error("nothing is explained")
				}
			})
		})
	}
}

func load(t *testing.T, name string) *story {
	t.Helper()
	all, err := loadStories(filepath.Join("testdata", "stories"))
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(all, func(s *story) bool { return s.name == name })
	if i < 0 {
		t.Fatalf("there is no story %s", name)
	}
	return all[i]
}

// vocabulary is every word of a timeline that is not an id of Discord or a time.
func vocabulary(line telemetry.Timeline) []string {
	made := regexp.MustCompile(`\bp[0-9a-z]{8,19}\b`) // id of a persona that people have made: it says nothing of it
	all := []string{line.Plan, line.Outcome}
	for _, s := range line.Stages {
		all = append(all, s.Name, s.Detail, s.Error)
		for _, m := range s.Marks {
			all = append(all, m.Name)
		}
	}
	text := made.ReplaceAllStringFunc(strings.Join(all, " "), func(id string) string {
		if strings.ContainsAny(id, "0123456789") {
			return ""
		}
		return id
	})
	return strings.FieldsFunc(text, func(r rune) bool { return r == ' ' || r == ',' || '0' <= r && r <= '9' })
}
