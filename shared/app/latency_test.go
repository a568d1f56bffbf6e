package app_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/persona"
	"tsumugi/shared/queue"
	"tsumugi/shared/telemetry"
)

// The fields of the metric, as the seed has them.
var (
	latencyNumbers = strings.Fields(`gateway_ms admission_ms plan_ms context_ms dispatch_ms provider_ttfb_ms first_message_ms history_fetch_ms
		assets_ms history_build_ms participant_ms naming_ms reunion_ms native_ms reaction_fetches reply_fetches image_fetches image_ms`)
	latencyWords = map[string]string{
		"provider":  "anthropic bedrock custom deepseek google novelai nvidia openrouter vertex vertexexpress zai zaicoding unknown",
		"humanizer": "none light medium heavy custom unknown",
		"source":    "message queue persona_job retry manual stop",
		"rag":       "yes no",
		"history":   "reused rest",
		"drafting":  "yes no",
	}
	latencyDeclared = strings.Fields("dispatch_ms provider_ttfb_ms first_message_ms context_ms")
	latencyBesides  = strings.Fields("time level msg event channel plan turn fence _aws")
)

// turnLine is a line of the metric.
type turnLine struct {
	fields  map[string]any
	numbers map[string]int64
}

func (l turnLine) word(name string) string { s, _ := l.fields[name].(string); return s }

// measuredIn reads the lines of the metric out of a log, and checks what every one of them has to be like.
func measuredIn(t *testing.T, log *bytes.Buffer) []turnLine {
	t.Helper()
	var all []turnLine
	for line := range strings.Lines(log.String()) {
		l := turnLine{numbers: map[string]int64{}}
		if err := json.Unmarshal([]byte(line), &l.fields); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		if l.fields["msg"] != "chat_turn_latency" {
			continue
		}
		all = append(all, l)
		for _, name := range latencyNumbers {
			n, ok := l.fields[name].(float64)
			if !ok || n != float64(int64(n)) {
				t.Errorf("%s is %v in %s", name, l.fields[name], line)
			}
			l.numbers[name] = int64(n)
			if n < -1 && name != "gateway_ms" {
				t.Errorf("%s is below its least in %s", name, line)
			}
		}
		for name, set := range latencyWords {
			if !slices.Contains(strings.Fields(set), l.word(name)) {
				t.Errorf("%s is %v in %s", name, l.fields[name], line)
			}
		}
		for name := range l.fields {
			if _, word := latencyWords[name]; !word && !slices.Contains(latencyNumbers, name) && !slices.Contains(latencyBesides, name) {
				t.Errorf("%s is nothing that the metric has, in %s", name, line)
			}
		}
		if got := declaredIn(t, l); !slices.Equal(got, reachedOf(l)) {
			t.Errorf("declared are %v, reached were %v, in %s", got, reachedOf(l), line)
		}
	}
	return all
}

// declaredIn are the metrics that a line declares, in the embedded metric format.
func declaredIn(t *testing.T, l turnLine) (names []string) {
	t.Helper()
	text, _ := json.Marshal(l.fields["_aws"])
	var d struct {
		Timestamp         int64
		CloudWatchMetrics []struct {
			Namespace  string
			Dimensions [][]string
			Metrics    []struct{ Name, Unit string }
		}
	}
	if l.fields["_aws"] == nil {
		return nil
	}
	if err := json.Unmarshal(text, &d); err != nil || d.Timestamp <= 0 || len(d.CloudWatchMetrics) != 1 || d.CloudWatchMetrics[0].Namespace != "Tsumugi/house" ||
		fmt.Sprint(d.CloudWatchMetrics[0].Dimensions) != "[[provider]]" {
		t.Errorf("%v in %s", err, text)
		return nil
	}
	for _, m := range d.CloudWatchMetrics[0].Metrics {
		if m.Unit != "Milliseconds" {
			t.Errorf("the unit of %s is %s", m.Name, m.Unit)
		}
		names = append(names, m.Name)
	}
	slices.Sort(names)
	return names
}

func reachedOf(l turnLine) (names []string) {
	for _, name := range latencyDeclared {
		if l.numbers[name] != -1 {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// timed plays a story and gives the lines of the metric.
func timed(t *testing.T, s *story, with conditions) []turnLine {
	t.Helper()
	log := logged(t)
	synctest.Test(t, func(t *testing.T) {
		with.recorder = telemetry.All{telemetry.New(), telemetry.Latency{Namespace: telemetry.Namespace("house")}}
		w, err := newWorld(t.Context(), s, with)
		if err != nil {
			t.Fatal(err)
		}
		w.start(t.Context())
		err = w.play(t.Context())
		w.stop()
		if err != nil || len(w.faults) > 0 {
			t.Fatal(err, w.faults)
		}
	})
	return measuredIn(t, log)
}

// TestLatency compares lines whole. The clock is the bubble's: only what a story lets take time does.
func TestLatency(t *testing.T) {
	const lounge = "-- settings.json --\n{\"channel\":\"100\",\"cast\":[\"mira\"],\"always\":true}\n-- events --\n"
	const round = "-- settings.json --\n{\"channel\":\"100\",\"cast\":[\"mira\",\"teo\"],\"order\":\"round\"}\n-- events --\n"
	for _, c := range []struct {
		name, story string
		want        []string // of each line: its source and what is neither 0 nor of every line, see spelledOut
	}{
		{"a message", "# a\n" + lounge + `ana: hello
-- model --
mira> {pause 2300ms}Good evening, Ana, and welcome to the quay tonight.|{pause 1s} Sit.
`, []string{"message ttfb=2300 first=2300"}},
		{"two personas", "# a\n" + round + `ana: hello you two
-- model --
mira> {pause 2300ms}Good evening, Ana, and welcome to the quay tonight.
teo> {pause 700ms}*waves at the two of you from his ferry*
`, []string{"message ttfb=2300 first=2300", "persona_job gateway=2300 ttfb=700 first=700"}},
		{"one that waited", "# a\n" + lounge + `ana: hello
while speaking ben: and hello from me
-- model --
mira@1> {pause 2300ms}Good evening, Ana, and welcome to the quay tonight.|{pause 4s} Sit.
mira@2> {pause 1s}Good evening, Ben, and welcome to the quay tonight.
`, []string{"message ttfb=2300 first=2300", "queue gateway=4000 ttfb=1000 first=1000"}},
		{"a stop, and its answer", "# a\n" + lounge + `ana: hello
while speaking ana: stop it please
-- model --
mira@1> {pause 2300ms}Good evening, Ana, and good evening to the fog. |{pause 20s}And
mira@2> {pause 1s}Quiet, then, and I shall say no more of it.
`, []string{"message ttfb=2300 first=2300", "stop gateway=700 ttfb=1000 first=1000"}},
		{"a model that fails once", "# a\n" + lounge + `ana: hello
-- model --
mira> {error overloaded}
mira> {pause 2300ms}Good evening, Ana, and welcome to the quay tonight.
`, []string{"retry ttfb=-1 first=3300"}},
		{"a model that has no key", "# a\n" + lounge + `ana: hello
-- model --
mira> {error unauthorized}
`, []string{"message ttfb=-1"}},
		{"a worker that leaves in the middle", "# a\n" + lounge + `ana: hello
while speaking handover
-- model --
mira> {pause 2300ms}Everything begins with the tide, and the tide with the moon. |{pause 20s}The moon is another story.
`, []string{"message ttfb=2300 first=2300"}},
		{"nobody is to answer", "# a\n-- settings.json --\n{\"channel\":\"hall\",\"cast\":[\"mira\"]}\n-- events --\n" + `ana: did you see the boat?
-- model --
`, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, l := range timed(t, tale(t, c.story), conditions{}) {
				got = append(got, spelledOut(t, l))
			}
			if !slices.Equal(got, c.want) {
				t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(got, "\n\t"), strings.Join(c.want, "\n\t"))
			}
		})
	}
}

// spelledOut is what makes a line different from the others. What is the same in all of them is checked here.
func spelledOut(t *testing.T, l turnLine) string {
	t.Helper()
	out := []string{l.word("source")}
	for _, name := range []string{"gateway", "dispatch", "ttfb", "first"} {
		full := map[string]string{"ttfb": "provider_ttfb_ms", "first": "first_message_ms"}[name]
		if full == "" {
			full = name + "_ms"
		}
		if n := rounded(l.numbers[full]); n != 0 {
			out = append(out, fmt.Sprintf("%s=%d", name, n))
		}
	}
	same := map[string]int64{"admission_ms": 0, "plan_ms": 0, "context_ms": 0, "history_fetch_ms": 0, "history_build_ms": 0, "native_ms": 0,
		"assets_ms": -1, "participant_ms": -1, "naming_ms": -1, "reunion_ms": -1,
		"reaction_fetches": 0, "reply_fetches": 0, "image_fetches": 0, "image_ms": 0}
	for _, name := range slices.Sorted(maps.Keys(same)) {
		if rounded(l.numbers[name]) != same[name] {
			out = append(out, fmt.Sprintf("%s=%d", name, l.numbers[name]))
		}
	}
	for name, want := range map[string]string{"provider": "custom", "humanizer": "none", "rag": "no", "history": "rest", "drafting": "no"} {
		if l.word(name) != want {
			out = append(out, name+"="+l.word(name))
		}
	}
	return strings.Join(out, " ")
}

// rounded leaves out the few milliseconds that rivals for a head wait.
func rounded(ms int64) int64 {
	if ms < 0 {
		return ms
	}
	return (ms + 25) / 50 * 50
}

// once plays a story, compares the lines with the turns that the store has ended, and gives how many calls accidents could
// have happened to.
func once(t *testing.T, s *story, with conditions) (calls int) {
	t.Helper()
	log := logged(t)
	ended := map[string]int{}
	synctest.Test(t, func(t *testing.T) {
		with.recorder = telemetry.Latency{Namespace: telemetry.Namespace("house")}
		w, err := newWorld(t.Context(), s, with)
		if err != nil {
			t.Fatal(err)
		}
		w.start(t.Context())
		err = w.play(t.Context())
		for _, c := range w.channels() {
			for _, key := range w.turnsOf(t, c) {
				ended[key]++
			}
		}
		w.stop()
		if err != nil {
			t.Fatal(err)
		}
		calls = w.counted
	})
	lines := map[string]int{}
	for _, l := range measuredIn(t, log) {
		lines[fmt.Sprintf("turn#%v#%02.0f", l.fields["event"], l.fields["turn"])]++
	}
	if !maps.Equal(lines, ended) {
		t.Errorf("lines %v, ended turns %v", lines, ended)
	}
	return calls
}

func TestLatencyOnceATurn(t *testing.T) {
	for _, s := range corpus(t) {
		t.Run(s.name, func(t *testing.T) { once(t, s, conditions{}) })
	}
}

// Whatever reply of the store is lost, every turn is measured, and once: also by a worker that is not told that it has ended it.
func TestLatencyOnceATurnWhenAReplyIsLost(t *testing.T) {
	s := load(t, "called_in_order")
	writes := func(call string) bool { return strings.HasPrefix(call, "replies: kv write ") }
	calls := once(t, s, conditions{happens: writes})
	if calls < 10 {
		t.Fatalf("only %d writes are counted", calls)
	}
	for at := 1; at <= calls; at++ {
		t.Run(fmt.Sprint(at), func(t *testing.T) {
			once(t, s, conditions{happens: writes, accidents: []accident{{at: at, after: true, fail: true}}})
		})
	}
}

// turnsOf are the keys of the turns of a channel that have ended.
func (w *world) turnsOf(t *testing.T, channel string) (keys []string) {
	t.Helper()
	items, err := w.items(t.Context(), channel)
	if err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		event, is := strings.CutPrefix(item.Key.Sort, "event#")
		for name := range item.Attrs {
			if n, ended := strings.CutPrefix(name, "turn#"); is && ended {
				keys = append(keys, "turn#"+event+"#"+n)
			}
		}
	}
	return keys
}

// Nothing of what people and models say, of people's ids and of the model's address and name gets into a line.
func TestLatencyTellsNothing(t *testing.T) {
	const marker = "xyzzymarker"
	s := tale(t, `# markers
-- settings.json --
{"channel":"100","cast":["mira"],"always":true}
-- events --
ana: hello xyzzymarker https://xyzzymarker.example/xyzzymarker
-- model --
mira> {pause 1s}Good evening to xyzzymarker, Ana, and welcome to the quay tonight.
`)
	log := logged(t)
	synctest.Test(t, func(t *testing.T) {
		w, err := newWorld(t.Context(), s, conditions{recorder: telemetry.Latency{Namespace: telemetry.Namespace("house")}})
		if err != nil {
			t.Fatal(err)
		}
		w.ready.Voice.Provider, w.ready.Voice.Name = "https://"+marker+".example", marker
		w.start(t.Context())
		err = w.play(t.Context())
		users := w.sim.State().Users
		w.stop()
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range users {
			if strings.Contains(log.String(), u.ID) {
				t.Errorf("the id of %s is in the log", u.Name)
			}
		}
	})
	if lines := measuredIn(t, log); len(lines) != 1 || lines[0].word("provider") != "unknown" {
		t.Errorf("%v", lines)
	}
	if strings.Contains(log.String(), marker) {
		t.Errorf("the marker is in the log:\n%s", log)
	}
}

// What an attempt before did first is what counts, though it died: when the model was asked is with its first message, and that
// was shown when Discord made it.
func TestLatencyOfATurnWhoseWorkerDied(t *testing.T) {
	lines := timed(t, load(t, "crash_mid_stream"), conditions{})
	var got []string
	for _, l := range lines {
		got = append(got, spelledOut(t, l))
	}
	if want := []string{"retry", "message"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A turn that was begun and ended by the undertaker is measured by it.
func TestLatencyOfATurnThatIsBuried(t *testing.T) {
	s := tale(t, `# buried
-- settings.json --
{"channel":"100","cast":["mira"],"always":true}
-- events --
ana: tell me everything
while speaking crash
-- model --
mira> {pause 2300ms}Everything begins with the tide, and the tide begins with the moon. |{pause 20s}The moon is another story.
`)
	log := logged(t)
	synctest.Test(t, func(t *testing.T) {
		w, err := newWorld(t.Context(), s, conditions{recorder: telemetry.Latency{Namespace: telemetry.Namespace("house")}})
		if err != nil {
			t.Fatal(err)
		}
		w.start(t.Context())
		for _, st := range s.events {
			if err := cmp.Or(w.until(t.Context(), st), w.happen(t.Context(), st)); err != nil {
				t.Error(err)
			}
		}
		pass(chat.DeadLimit + 5*time.Second) // and before the message itself comes back
		m, err := w.words(1)
		if err != nil {
			t.Fatal(err)
		}
		body, err := queue.Encode(chat.Job{Channel: chat.ChannelID(m.ChannelID), Event: chat.EventID(m.ID)})
		if err == nil {
			err = w.queues.Driver.Send(t.Context(), queue.Dead(queue.Replies), queue.Message{Group: m.ChannelID, Dedup: "dead", Body: body})
		}
		err = errors.Join(err, w.settle(t.Context()))
		w.stop()
		if err != nil || len(w.faults) > 0 {
			t.Fatal(err, w.faults)
		}
	})
	var got []string
	for _, l := range measuredIn(t, log) {
		got = append(got, spelledOut(t, l))
	}
	if want := []string{"message ttfb=2300 first=2300 context_ms=-1 history_build_ms=-1 history_fetch_ms=-1 native_ms=-1 provider=unknown humanizer=unknown"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A turn tells who served its model, and how its words were divided: as its guild had it set then.
func TestLatencyKnowsWhatAGuildHasSet(t *testing.T) {
	s := tale(t, `# dimensions
-- settings.json --
{"channel":"100","cast":["mira"],"always":true,"set":{"humanizer":"heavy"},"provider":{"name":"Ours","url":"https://api.deepseek.com/v1","model":"m","key":"right"}}
-- events --
ana: one
set {"humanizer":"light","provider":""}
ana: two
set {"humanizer":"none","provider":"Ours"}
ana: three
-- model --
mira@1> One. It is.
mira@2> Two. It is.
mira@3> {error not_found}
`)
	var got []string
	for _, l := range timed(t, s, conditions{}) {
		got = append(got, l.word("provider")+" "+l.word("humanizer"))
	}
	if want := []string{"deepseek heavy", "custom light", "deepseek none"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

// A humanizer is named by what it comes to; a turn whose words were held back for a review says so, and none of them was seen
// before.
func TestLatencyKnowsTheManner(t *testing.T) {
	s := tale(t, `# dimensions
-- settings.json --
{"channel":"100","cast":["mira"],"always":true,"set":{"humanizer":"custom","custom":{"by":"paragraph"},"drafting":{"on":true}}}
-- events --
ana: one
set {"humanizer":"custom","custom":{"by":"","casual":true},"drafting":{"on":false}}
ana: two
set {"styles":{"`+persona.Demo().ID+`":{"humanizer":"medium"}}}
ana: three
-- model --
mira@1> One it is, and it says so at some length.
mira-review@1> {"verdict":"revise","findings":["it is long"]}{then}
mira-review@1> {"verdict":"pass"}
mira-revision@1> One.
mira@2> Two it is.
mira@3> Three it is.
`)
	var got []string
	for _, l := range timed(t, s, conditions{}) {
		got = append(got, l.word("humanizer")+" "+l.word("drafting"))
	}
	if want := []string{"light yes", "custom no", "medium no"}; !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	var end *end
	var err error
	synctest.Test(t, func(t *testing.T) { end, err = played(t.Context(), s, conditions{}) })
	if err != nil {
		t.Fatal(err)
	}
	creates, edits := 0, 0
	for _, call := range end.calls {
		switch {
		case strings.Contains(call, "create message"):
			creates++
		case strings.Contains(call, "edit message"):
			edits++
		}
	}
	if creates != 3 || edits != 0 {
		t.Errorf("three replies took %d creates and %d edits: %q", creates, edits, end.posts)
	}
}
