package app_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
)

// circling makes every turn a hand-over to the next: a loop that no count of the head ends. It counts the rounds and what was
// alarmed.
type circling struct {
	on     atomic.Bool
	rounds atomic.Int64
	alarms atomic.Int64
}

func (c *circling) Begin(ctx context.Context, _ chat.Attempt) (context.Context, chat.Span) {
	return ctx, circlingSpan{c}
}

type circlingSpan struct{ *circling }

func (s circlingSpan) Stage(ctx context.Context, name string) (context.Context, chat.Span) {
	if name == chat.StageContext && s.on.Load() {
		s.rounds.Add(1)
		invocationOf(ctx).cancel(chat.ErrHandOver)
	}
	return ctx, s
}

func (s circlingSpan) Mark(_ context.Context, name string) {
	if name == chat.MarkHops {
		s.alarms.Add(1)
	}
}

func (s circlingSpan) Ahead(string) chat.Span           { return s }
func (circlingSpan) Called(chat.CallKind)               {}
func (circlingSpan) Detail(string)                      {}
func (circlingSpan) Planned([]string)                   {}
func (circlingSpan) Posted(chat.MessageID)              {}
func (circlingSpan) Outcome(chat.Row)                   {}
func (circlingSpan) Timed(string) func()                { return func() {} }
func (circlingSpan) Ended(context.Context, chat.Sample) {}
func (circlingSpan) End(string)                         {}

// A loop without an end is slowed to a chain a round of the sweeper, and each is alarmed. When its cause is gone the turn is
// spoken: nothing is lost.
func TestALoopIsSlowedAndAlarmed(t *testing.T) {
	log := logged(t)
	s := tale(t, `# a loop
-- settings.json --
{"channel":"100","cast":["mira"],"always":true}
-- events --
ana: hello
-- model --
mira> {pause 300ms}Good evening, Ana, and welcome to the quay tonight.
`)
	synctest.Test(t, func(t *testing.T) {
		loop := &circling{}
		loop.on.Store(true)
		w, err := newWorld(t.Context(), s, conditions{recorder: loop})
		if err != nil {
			t.Fatal(err)
		}
		w.start(t.Context())
		if err := w.happen(t.Context(), s.events[0]); err != nil {
			t.Error(err)
		}
		const minutes = 20
		pass(minutes * time.Minute)
		synctest.Wait()
		alarms := loop.alarms.Load()
		if most := int64(minutes+1) * chat.MaxHops; loop.rounds.Load() > most || loop.rounds.Load() < chat.MaxHops {
			t.Errorf("%d rounds in %d minutes, want at most %d a minute", loop.rounds.Load(), minutes, chat.MaxHops)
		}
		if lines := strings.Count(log.String(), "the chain of messages is too long"); alarms < minutes/3 || int64(lines) != alarms {
			t.Errorf("%d alarms and %d lines in %d minutes", alarms, lines, minutes)
		}
		loop.on.Store(false)
		err = w.settle(t.Context())
		posts := w.posts()
		w.stop()
		if err != nil || len(posts) != 1 || !strings.HasPrefix(posts[0].Content, "Good evening") {
			t.Errorf("posts %v, error %v", posts, err)
		}
	})
}

// A channel that is never free goes from event to event, and waits for nobody: its jobs are more than one chain may have, but
// each person's words begin a chain of their own.
func TestALongConversationLosesNothing(t *testing.T) {
	log := logged(t)
	const events = 1 + chat.MailboxCap + 20 // more than MaxHops jobs, of four an event
	var b strings.Builder
	b.WriteString("# long\n-- settings.json --\n{\"channel\":\"100\",\"cast\":[\"mira\",\"teo\",\"nilo\"],\"order\":\"round\"}\n-- events --\n")
	for n := range events {
		wait := "at once"
		if n > chat.MailboxCap {
			wait = "after 12s"
		}
		fmt.Fprintf(&b, "%s guest%d: line %d\n", wait, n, n+1) // each speaks once, so that nobody follows up
	}
	b.WriteString("-- model --\n")
	for n := range events {
		for _, who := range []string{"mira", "teo", "nilo"} {
			fmt.Fprintf(&b, "%s@%d> {pause 3s}%s answers to line %d, and nobody else does it.\n", who, n+1, who, n+1)
		}
	}
	s := tale(t, b.String())
	got, err := run(t, s, conditions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(got.wrong) > 0 || len(got.posts) != 3*events {
		t.Errorf("%d posts, want %d; %v", len(got.posts), 3*events, got.wrong)
	}
	for i, p := range got.posts {
		if want := fmt.Sprintf(" answers to line %d,", i/3+1); !strings.Contains(p, want) {
			t.Errorf("post %d is %q, want it to be to line %d", i, p, i/3+1)
		}
	}
	if strings.Contains(log.String(), "the chain of messages is too long") {
		t.Error("a busy channel was taken for a loop")
	}
}

// logged keeps the log of a test.
func logged(t *testing.T) *bytes.Buffer {
	t.Helper()
	var log bytes.Buffer
	old := slog.Default()
	slog.SetDefault(slog.New(chat.LogHandler(slog.NewJSONHandler(&log, nil))))
	t.Cleanup(func() { slog.SetDefault(old) })
	return &log
}
