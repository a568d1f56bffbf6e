package chat_test

import (
	"testing"
	"time"

	"tsumugi/shared/chat"
)

// The rows of the chat pipeline's appendix B that the channel's state decides, and the edges of the busy policy.

func TestDecide(t *testing.T) {
	const ann, ben = chat.UserID("ann"), chat.UserID("ben")
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	speaking := chat.Head{Phase: chat.Speaking, Event: "e1", User: ann, Kind: chat.Ordinary, Turns: 1}
	with := func(change func(*chat.Head)) chat.Head {
		h := speaking
		change(&h)
		return h
	}
	signalled := func(kind chat.SignalKind, hold chat.EventID) chat.Beat {
		return chat.Beat{Signal: chat.Signal{Hold: hold, Kind: kind}}
	}
	var (
		calls  = chat.Wish{Reply: true, FollowUp: true, Reason: "non_trigger"} // names a persona
		talks  = chat.Wish{FollowUp: true, Reason: "non_trigger"}              // words of a person, to nobody
		stops  = chat.Wish{Stop: true, FollowUp: true, Reason: "non_trigger"}
		other  = chat.Wish{Reason: "command_prefix"}
		refuse = chat.Wish{Reason: "rejected", Refuse: true}
		shut   = chat.Wish{Closed: true}
		asks   = chat.Wish{Reply: true, Reason: "non_trigger"} // a command
		none   chat.Beat
	)
	for _, c := range []struct {
		name   string
		head   chat.Head
		beat   chat.Beat
		waits  bool // the answer to a stop is in the mailbox
		author chat.UserID
		age    time.Duration
		wish   chat.Wish
		move   chat.Move
		reason string
	}{
		{"B1 idle, no trigger", chat.Head{Phase: chat.Free}, none, false, ann, 0, talks, chat.MoveNone, "non_trigger"},
		{"idle, trigger", chat.Head{Phase: chat.Free}, none, false, ann, 0, calls, chat.MoveGrant, "run"},
		{"idle, a refusal keeps its reason", chat.Head{Phase: chat.Free}, none, false, ann, 0, refuse, chat.MoveNone, "rejected"},
		{"idle, a follow-up is nobody's", chat.Head{Phase: chat.Free, User: ann, Turns: 1}, none, false, ann, 0, talks, chat.MoveNone, "non_trigger"},
		{"B2 idle, not on the whitelist", chat.Head{Phase: chat.Free}, none, false, ann, 0, shut, chat.MoveNone, "rejected_by_whitelist_pre_lock"},
		{"busy, not on the whitelist", speaking, none, false, ann, 0, shut, chat.MoveNone, "locked_rejected_by_whitelist"},
		{"idle, a command", chat.Head{Phase: chat.Free}, none, false, ann, 0, asks, chat.MoveGrant, "run"},
		{"a command waits, also its user's own", speaking, none, false, ann, 0, asks, chat.MoveMail, "locked_busy_queued"},
		{"B4 the asker goes on", speaking, none, false, ann, 0, talks, chat.MoveFollowUp, "locked_follow_up_queued"},
		{"B4 the asker goes on and names a persona", speaking, none, false, ann, 0, calls, chat.MoveFollowUp, "locked_follow_up_queued"},
		{"B4 while the turn waits for a worker", with(func(h *chat.Head) { h.Phase = chat.WaitsTurn }), none, false, ann, 0, talks, chat.MoveFollowUp, "locked_follow_up_queued"},
		{"B6 a follow-up after a follow-up", with(func(h *chat.Head) { h.FollowUps = 1 }), signalled(chat.SignalFollowUp, "e1"), false, ann, 0, talks, chat.MoveFollowUp, "locked_follow_up_queued"},
		{"B7 the third in a chain", with(func(h *chat.Head) { h.FollowUps = 2 }), none, false, ann, 0, talks, chat.MoveFollowUp, "locked_follow_up_queued"},
		{"B7 the fourth in a chain, calling", with(func(h *chat.Head) { h.FollowUps = 3 }), none, false, ann, 0, calls, chat.MoveMail, "locked_busy_queued"},
		{"B7 the fourth in a chain, to nobody", with(func(h *chat.Head) { h.FollowUps = 3 }), none, false, ann, 0, talks, chat.MoveNone, "non_trigger"},
		{"B8 somebody else calls", speaking, none, false, ben, 0, calls, chat.MoveMail, "locked_busy_queued"},
		{"B9 somebody else talks", speaking, none, false, ben, 0, talks, chat.MoveNone, "non_trigger"},
		{"B10 the asker says stop", speaking, none, false, ann, 0, stops, chat.MoveStop, "locked_natural_stop_requested"},
		{"B10 while the turn waits for a worker", with(func(h *chat.Head) { h.Phase = chat.WaitsTurn }), none, false, ann, 0, stops, chat.MoveStop, "locked_natural_stop_requested"},
		{"B10 before anybody is planned", with(func(h *chat.Head) { h.Phase, h.Turns = chat.WaitsPlan, 0 }), none, false, ann, 0, stops, chat.MoveStop, "locked_natural_stop_requested"},
		{"B10 a stop outranks a follow-up", speaking, signalled(chat.SignalFollowUp, "e1"), false, ann, 0, stops, chat.MoveStop, "locked_natural_stop_requested"},
		{"B11 somebody else says stop", speaking, none, false, ben, 0, stops, chat.MoveNone, "locked_stop_by_another"},
		{"stop on a free channel", chat.Head{Phase: chat.Free}, none, false, ann, 0, stops, chat.MoveNone, "stop_nothing_to_stop"},
		{"stop on a channel that was never used", chat.Head{Phase: chat.Free}, none, false, ann, 0, stops, chat.MoveNone, "stop_nothing_to_stop"},
		{"stop against the answer to a stop", with(func(h *chat.Head) { h.Kind = chat.StopAsk }), none, false, ann, 0, stops, chat.MoveNone, "locked_stop_by_another"},
		{"a second stop for the same hold", speaking, signalled(chat.SignalStop, "e1"), false, ann, 0, stops, chat.MoveNone, "locked_stop_requested"},
		{"a stop after a kill", speaking, signalled(chat.SignalKill, "e1"), false, ann, 0, stops, chat.MoveNone, "locked_stop_requested"},
		{"a stop whose place in front is taken", speaking, none, true, ann, 0, stops, chat.MoveNone, "locked_stop_requested"},
		{"a signal for an earlier hold is none", speaking, signalled(chat.SignalStop, "e0"), false, ann, 0, stops, chat.MoveStop, "locked_natural_stop_requested"},
		{"B13 the asker talks on after a stop", speaking, signalled(chat.SignalStop, "e1"), true, ann, 0, talks, chat.MoveFollowUp, "locked_follow_up_queued"},
		{"B14 no words of a person", speaking, none, false, ann, 0, chat.Wish{Reply: true, Reason: "non_trigger"}, chat.MoveMail, "locked_busy_queued"},
		{"another bot's command", speaking, none, false, ann, 0, other, chat.MoveNone, "command_prefix"},
		{"B15 a turn of a command, calling", with(func(h *chat.Head) { h.Kind = chat.Command }), none, false, ann, 0, calls, chat.MoveMail, "locked_busy_queued"},
		{"B15 a turn of a command, to nobody", with(func(h *chat.Head) { h.Kind = chat.Command }), none, false, ann, 0, talks, chat.MoveNone, "non_trigger"},
		{"B16 nobody is planned yet", with(func(h *chat.Head) { h.Turns = 0 }), none, false, ann, 0, talks, chat.MoveNone, "non_trigger"},
		{"B16 nobody is planned yet, calling", with(func(h *chat.Head) { h.Turns = 0 }), none, false, ann, 0, calls, chat.MoveMail, "locked_busy_queued"},
		{"a follow-up to the answer to a stop waits", with(func(h *chat.Head) { h.Kind = chat.StopAsk }), none, false, ann, 0, calls, chat.MoveMail, "locked_busy_queued"},
		{"the mailbox has one place left", with(func(h *chat.Head) { h.Waiting = chat.MailboxCap - 1 }), none, false, ben, 0, calls, chat.MoveMail, "locked_busy_queued"},
		{"the mailbox is full", with(func(h *chat.Head) { h.Waiting = chat.MailboxCap }), none, false, ben, 0, calls, chat.MoveNone, "mailbox_full"},
		{"a stop needs no place among the rest", with(func(h *chat.Head) { h.Waiting = chat.MailboxCap }), none, false, ann, 0, stops, chat.MoveStop, "locked_natural_stop_requested"},
		{"as old as may be", chat.Head{Phase: chat.Free}, none, false, ann, chat.TooOld, calls, chat.MoveGrant, "run"},
		{"too old on a free channel", chat.Head{Phase: chat.Free}, none, false, ann, chat.TooOld + time.Second, calls, chat.MoveNone, "too_old"},
		{"too old to stop", speaking, none, false, ann, chat.TooOld + time.Second, stops, chat.MoveNone, "too_old"},
	} {
		e := chat.Event{ID: "e2", Author: chat.Author{ID: c.author}, At: now.Add(-c.age)}
		move, reason := chat.Decide(c.head, c.beat, c.waits, e, c.wish, now)
		if move != c.move || reason != c.reason {
			t.Errorf("%s: move %d, %q; want %d, %q", c.name, move, reason, c.move, c.reason)
		}
	}
}

func TestRefusalOf(t *testing.T) {
	for _, c := range []struct {
		reason string
		wish   chat.Wish
		want   bool
	}{
		{"too_old", chat.Wish{Reply: true}, true},
		{"mailbox_full", chat.Wish{Reply: true}, true},
		{"rejected", chat.Wish{Refuse: true}, true},
		{"non_trigger", chat.Wish{}, false},
		{"locked_stop_by_another", chat.Wish{Stop: true}, false},
	} {
		if got := chat.RefusalOf(c.reason, c.wish); got != c.want {
			t.Errorf("%s: %v", c.reason, got)
		}
	}
}

func TestOnlyABeatOfTheFenceIsDead(t *testing.T) {
	now := time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		beat  chat.Beat
		fence int64
		want  bool
	}{
		{"at the limit", chat.Beat{Fence: 3, AliveAt: now.Add(-chat.DeadLimit)}, 3, false},
		{"past the limit", chat.Beat{Fence: 3, AliveAt: now.Add(-chat.DeadLimit - time.Millisecond)}, 3, true},
		{"an old beat of another fence says nothing", chat.Beat{Fence: 2, AliveAt: now.Add(-time.Hour)}, 3, false},
	} {
		if got := c.beat.Dead(c.fence, now); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
	}
}

func TestNamesIsExact(t *testing.T) {
	const c = chat.ChannelID("c")
	h := chat.Head{Phase: chat.Speaking, Event: "e1", Turn: 1, N: 7}
	job := func(queue string, e chat.EventID, turn int) chat.Job {
		return chat.Job{Queue: queue, Channel: c, Event: e, Turn: turn, N: 3}
	}
	for _, x := range []struct {
		name string
		head chat.Head
		job  chat.Job
		want bool
	}{
		{"the turn, whatever its send number", h, job(chat.QueueReplies, "e1", 1), true},
		{"another turn", h, job(chat.QueueReplies, "e1", 0), false},
		{"another event", h, job(chat.QueueReplies, "e2", 1), false},
		{"another queue", h, job(chat.QueueTurns, "e1", 1), false},
		{"a plan has no turn", chat.Head{Phase: chat.Planning, Event: "e1"}, job(chat.QueueTurns, "e1", 1), true},
		{"a free channel is named by nothing", chat.Head{Phase: chat.Free}, chat.Job{}, false},
	} {
		if got := x.head.Names(x.job); got != x.want {
			t.Errorf("%s: %v", x.name, got)
		}
	}
	if a, b := h.Job(c).Dedup(), (chat.Job{Event: "e1", N: 8}).Dedup(); a == b {
		t.Errorf("two sends share the deduplication id %s", a)
	}
}
