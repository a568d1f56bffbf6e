package telemetry_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/llm"
	"tsumugi/shared/telemetry"
)

// stage works for so long in a stage, as a worker does.
func stage(ctx context.Context, name string, d time.Duration, do func(context.Context) error) (err error) {
	ctx, end := chat.Stage(ctx, name)
	defer end(&err)
	time.Sleep(d)
	if do == nil {
		return nil
	}
	return do(ctx)
}

func attempt(ctx context.Context, queue string, event chat.EventID, turn int, do func(context.Context) error) error {
	return chat.Trace(ctx, chat.Attempt{Queue: queue, Event: event, Channel: "10", Turn: turn}, do)
}

// quick is an attempt of one stage.
func quick(ctx context.Context, event chat.EventID, do func(context.Context) error) {
	_ = attempt(ctx, "ingress", event, 0, func(ctx context.Context) error { return stage(ctx, chat.StageAdmission, 0, do) })
}

// answer is how an event is answered by one turn, with a worker that leaves in the middle.
func answer(ctx context.Context, event chat.EventID) {
	quick(ctx, event, func(ctx context.Context) error {
		chat.Detail(ctx, "run", "run")
		chat.Outcome(ctx, chat.Granted)
		return nil
	})
	_ = attempt(ctx, chat.QueueTurns, event, 0, func(ctx context.Context) error {
		chat.Called(chat.Ahead(ctx, chat.StagePlan), chat.CallStore)
		if err := stage(ctx, chat.StageLock, 3*time.Millisecond, nil); err != nil {
			return err
		}
		return stage(ctx, chat.StagePlan, 2*time.Millisecond, func(ctx context.Context) error {
			chat.Called(ctx, chat.CallStore)
			chat.Planned(ctx, []chat.Turn{{Persona: "mira", Name: "Mira"}})
			return nil
		})
	})
	speak := func(ctx context.Context) error {
		early := chat.Ahead(ctx, chat.StageContext)
		chat.Called(early, chat.CallDiscord)
		_ = stage(ctx, chat.StageLock, 3*time.Millisecond, nil)
		chat.Called(ctx, chat.CallStore) // a beat
		_ = stage(ctx, chat.StageContext, time.Millisecond, func(ctx context.Context) error {
			chat.Detail(ctx, "mira")
			return nil
		})
		return stage(ctx, chat.StageGeneration, 500*time.Millisecond, func(ctx context.Context) error {
			chat.Called(ctx, chat.CallModel)
			chat.Mark(ctx, "first token")
			time.Sleep(20 * time.Millisecond)
			return stage(ctx, chat.StageSink, 40*time.Millisecond, func(ctx context.Context) error {
				chat.Called(ctx, chat.CallDiscord)
				chat.Posted(ctx, "77")
				chat.Posted(ctx, "77")
				return nil
			})
		})
	}
	_ = attempt(ctx, chat.QueueReplies, event, 0, func(ctx context.Context) error {
		_ = speak(ctx)
		return stage(ctx, chat.StageRelease, 0, func(ctx context.Context) error {
			chat.Called(ctx, chat.CallQueue)
			return chat.Defer(chat.ErrHandOver, 0)
		})
	})
	_ = attempt(ctx, chat.QueueReplies, event, 0, func(ctx context.Context) error {
		if err := speak(ctx); err != nil {
			return err
		}
		return stage(ctx, chat.StageRelease, time.Millisecond, func(ctx context.Context) error {
			chat.Outcome(ctx, chat.Answered)
			return nil
		})
	})
}

// The page reads this shape. The clock is the bubble's, so that times are exact.
func TestExplainIsAsThePageReadsIt(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := telemetry.New()
		answer(chat.Recording(t.Context(), lines), "42")
		got, ok := lines.Explain("42")
		if !ok {
			t.Fatal("nothing is kept")
		}
		var pretty bytes.Buffer
		if err := json.Indent(&pretty, got, "", "  "); err != nil {
			t.Fatal(err)
		}
		pretty.WriteByte('\n')
		want, err := os.ReadFile(filepath.Join("testdata", "explained.json"))
		if err != nil {
			t.Fatal(err)
		}
		if pretty.String() != string(want) {
			t.Errorf("got\n%s", &pretty)
		}
		if again, _ := lines.Explain("77"); !bytes.Equal(again, got) {
			t.Errorf("the reply explains itself as\n%s", again)
		}
		if _, ok := lines.Explain("78"); ok {
			t.Error("a message that nobody knows is explained")
		}
	})
}

func TestFailuresAreWords(t *testing.T) {
	for _, c := range []struct {
		err  error
		want string
	}{
		{nil, ""},
		{errors.New("ana said hello"), "error"},
		{fmt.Errorf("beat: %w", chat.ErrLost), "lost"},
		{chat.Defer(chat.ErrHandOver, 0), "handover"},
		{fmt.Errorf("post: %w", &chat.Failure{Kind: chat.Throttled, Err: errors.New("hello")}), "discord throttled"},
		{chat.Defer(&llm.Error{Kind: llm.Overloaded, Code: "hello"}, 0), "model overloaded"},
		{context.Canceled, "cancelled"},
		{fmt.Errorf("read: %w", context.DeadlineExceeded), "timed out"},
	} {
		lines := telemetry.New()
		quick(chat.Recording(t.Context(), lines), "42", func(context.Context) error { return c.err })
		line, _ := lines.Timeline("42")
		if len(line.Stages) != 1 || line.Stages[0].Error != c.want {
			t.Errorf("%v: %+v, want %q", c.err, line.Stages, c.want)
		}
	}
}

func TestAPanicEndsItsStage(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := telemetry.New()
		func() {
			defer func() { _ = recover() }()
			quick(chat.Recording(t.Context(), lines), "42", func(context.Context) error {
				var nobody []int
				_ = nobody[len(t.Name())]
				return nil
			})
		}()
		time.Sleep(time.Minute)
		line, _ := lines.Timeline("42")
		if len(line.Stages) != 1 || line.Stages[0].Error != "panic" || line.Total != 0 {
			t.Errorf("%+v", line)
		}
	})
}

func TestAStageThatRunsTakesTheTimeUntilNow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := telemetry.New()
		quick(chat.Recording(t.Context(), lines), "42", func(context.Context) error {
			time.Sleep(1500 * time.Millisecond)
			if line, _ := lines.Timeline("42"); line.Stages[0].Took != 1500 || line.Total != 1500 {
				t.Errorf("%+v", line)
			}
			return nil
		})
	})
}

func TestAFinalOutcomeStays(t *testing.T) {
	lines := telemetry.New()
	ctx := chat.Recording(t.Context(), lines)
	for _, r := range []chat.Row{chat.Granted, chat.Answered, chat.Granted} {
		quick(ctx, "42", func(ctx context.Context) error { chat.Outcome(ctx, r); return nil })
	}
	if line, _ := lines.Timeline("42"); line.Outcome != "answered" {
		t.Error(line.Outcome)
	}
}

// A stale job has read ahead for a stage that never comes.
func TestNoCallIsLost(t *testing.T) {
	lines := telemetry.New()
	_ = attempt(chat.Recording(t.Context(), lines), chat.QueueReplies, "42", 0, func(ctx context.Context) error {
		chat.Called(ctx, chat.CallQueue)
		chat.Called(chat.Ahead(ctx, chat.StageContext), chat.CallDiscord)
		return stage(ctx, chat.StageLock, 0, func(ctx context.Context) error { chat.Called(ctx, chat.CallStore); return nil })
	})
	line, _ := lines.Timeline("42")
	if len(line.Stages) != 1 || line.Stages[0].Calls != (telemetry.Calls{Store: 1, Queue: 1, Discord: 1}) {
		t.Errorf("%+v", line.Stages)
	}
}

func TestWhatIsKeptIsBounded(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		lines := telemetry.New()
		ctx := chat.Recording(t.Context(), lines)
		id := func(n int) string { return fmt.Sprint(1000 + n) }
		for n := range telemetry.Triggers + 50 {
			time.Sleep(time.Second)
			quick(ctx, chat.EventID(id(n)), func(ctx context.Context) error { chat.Posted(ctx, chat.MessageID("r"+id(n))); return nil })
		}
		for n := range telemetry.Triggers + 50 {
			_, trigger := lines.Explain(id(n))
			_, reply := lines.Explain("r" + id(n))
			if want := n >= 50; trigger != want || reply != want {
				t.Errorf("trigger %d is kept: %v, its reply: %v", n, trigger, reply)
			}
		}
		time.Sleep(telemetry.Life)
		if _, ok := lines.Explain(id(telemetry.Triggers)); ok {
			t.Error("a trigger is kept for longer than its life")
		}
	})
}

func TestATimelineIsBounded(t *testing.T) {
	lines := telemetry.New()
	ctx := chat.Recording(t.Context(), lines)
	const each = 3 * telemetry.Entries
	quick(ctx, "42", func(ctx context.Context) error {
		chat.Detail(ctx, strings.Repeat("あ", 10_000))
		for n := range each {
			chat.Mark(ctx, "mark")
			chat.Posted(ctx, chat.MessageID(fmt.Sprint("r", n)))
			_ = stage(ctx, chat.StageSink, 0, func(ctx context.Context) error { chat.Called(ctx, chat.CallDiscord); return nil })
		}
		return nil
	})
	line, _ := lines.Timeline("42")
	entries, calls := len(line.Stages), int64(0)
	for _, s := range line.Stages {
		entries += len(s.Marks)
		calls += s.Calls.Discord
	}
	if entries != telemetry.Entries || calls != each || len(line.Replies) != 100 || line.Replies[99] != fmt.Sprint("r", each-1) {
		t.Errorf("%d entries, %d calls, %d replies up to %s", entries, calls, len(line.Replies), line.Replies[len(line.Replies)-1])
	}
	if text, _ := lines.Explain("42"); len(text) > 64<<10 {
		t.Errorf("%d bytes", len(text))
	}
	if _, ok := lines.Explain("r0"); ok {
		t.Error("the first reply is still known")
	}
}

// A delivery that nothing is done about, such as an echo of our own words, has no timeline.
func TestNothingDoneIsNothingKept(t *testing.T) {
	lines := telemetry.New()
	_ = attempt(chat.Recording(t.Context(), lines), "ingress", "42", 0, func(ctx context.Context) error {
		chat.Called(ctx, chat.CallStore)
		chat.Outcome(ctx, chat.Ignored)
		return nil
	})
	if _, ok := lines.Explain("42"); ok {
		t.Error("it is kept")
	}
}

func TestNobodyListens(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		answer(t.Context(), "42") // would fail where it is told to nobody
		err := error(nil)
		ctx, end := chat.Stage(t.Context(), chat.StagePlan)
		end(&err)
		if ctx != t.Context() {
			t.Error("a stage that nobody is told of costs a context")
		}
	})
}

func TestManyAtOnce(t *testing.T) {
	lines := telemetry.New()
	ctx := chat.Recording(t.Context(), lines)
	var all sync.WaitGroup
	for n := range 8 {
		all.Go(func() {
			for range 50 {
				quick(ctx, chat.EventID(fmt.Sprint(n%4)), func(ctx context.Context) error {
					chat.Called(ctx, chat.CallStore)
					chat.Mark(ctx, "mark")
					chat.Detail(ctx, "mira")
					chat.Posted(ctx, "77")
					chat.Outcome(ctx, chat.Answered)
					return nil
				})
				lines.Explain("77")
			}
		})
	}
	all.Wait()
	for n := range 4 {
		if line, ok := lines.Timeline(fmt.Sprint(n)); !ok || line.Event != fmt.Sprint(n) {
			t.Errorf("%d: %v", n, ok)
		}
	}
}
