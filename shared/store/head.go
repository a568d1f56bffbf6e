package store

import (
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
)

// headOf reads a head; the absent item is a free channel.
func headOf(i kv.Item) chat.Head {
	h := chat.Head{
		Phase: chat.Phase(i.String("phase")), Event: chat.EventID(i.String("event")), User: chat.UserID(i.String("user")),
		Kind: chat.Kind(i.String("kind")), Turn: int(i.Int("turn")), Turns: int(i.Int("turns")),
		Fence: i.Int("fence"), Owner: i.String("owner"), Next: i.Has("next"), N: i.Int("n"),
		Due: fromMillis(i.Int(kv.DueAt)), Sweeps: int(i.Int("sweeps")), Starts: int(i.Int("starts")),
		Begun: i.Int("begun") == 1, Retries: int(i.Int("retries")), Since: fromMillis(i.Int("since")),
		Box: i.Int("box"), Waiting: int(i.Int("waiting")), Tail: i.Int("tail"), FollowUps: int(i.Int("followUps")),
		LastPersona: i.String("lastPersona"), Guild: i.String("guild"), Rev: i.Int("rev"), Text: i.Int("text"),
		Boxed: i.Int("boxed") == 1, From: fromMillis(i.Int("from")), Asked: fromMillis(i.Int("asked")), Heard: fromMillis(i.Int("heard")),
	}
	if h.Phase == "" {
		h.Phase = chat.Free
	}
	return h
}

// changes writes the difference between two heads as one update. What a Write does to a head is thus read off the two
// values, and nothing else is touched.
func changes(c chat.ChannelID, was, is chat.Head, conds ...kv.Cond) kv.Op {
	op := kv.Op{Verb: kv.Update, Key: key(c, "head"), Set: kv.Attrs{}, If: conds}
	text := func(name, was, is string) {
		switch {
		case was == is:
		case is == "":
			op.Remove = append(op.Remove, name)
		default:
			op.Set[name] = is
		}
	}
	first := was.N == 0 // conditions name turn, fence and box, so the first write puts them there
	number := func(name string, was, is int64) {
		if was != is || first {
			op.Set[name] = is
		}
	}
	text("phase", string(was.Phase), string(is.Phase))
	text("event", string(was.Event), string(is.Event))
	text("user", string(was.User), string(is.User))
	text("kind", string(was.Kind), string(is.Kind))
	text("owner", was.Owner, is.Owner)
	text("lastPersona", was.LastPersona, is.LastPersona)
	text("guild", was.Guild, is.Guild)
	number("turn", int64(was.Turn), int64(is.Turn))
	number("turns", int64(was.Turns), int64(is.Turns))
	number("fence", was.Fence, is.Fence)
	number("n", was.N, is.N)
	number("sweeps", int64(was.Sweeps), int64(is.Sweeps))
	number("starts", int64(was.Starts), int64(is.Starts))
	number("begun", flag(was.Begun), flag(is.Begun))
	number("retries", int64(was.Retries), int64(is.Retries))
	number("since", millis(was.Since), millis(is.Since))
	number("box", was.Box, is.Box)
	number("waiting", int64(was.Waiting), int64(is.Waiting))
	number("tail", was.Tail, is.Tail)
	number("followUps", int64(was.FollowUps), int64(is.FollowUps))
	number("boxed", flag(was.Boxed), flag(is.Boxed))
	number("rev", was.Rev, is.Rev)
	unlessZero := func(name string, was, is int64) { // absent while it is 0
		switch {
		case was == is:
		case is == 0:
			op.Remove = append(op.Remove, name)
		default:
			op.Set[name] = is
		}
	}
	unlessZero("from", millis(was.From), millis(is.From))
	unlessZero("asked", millis(was.Asked), millis(is.Asked))
	unlessZero("heard", millis(was.Heard), millis(is.Heard))
	unlessZero("text", was.Text, is.Text)
	unlessZero("next", flag(was.Next), flag(is.Next))
	unlessZero(kv.DueAt, millis(was.Due), millis(is.Due))
	return op
}

// waits gives the head to a phase that waits for a worker: with something to send, under a new send number.
func waits(h chat.Head, p chat.Phase, now time.Time) chat.Head {
	h.Phase, h.Owner, h.Next, h.N = p, "", true, h.N+1
	h.Due, h.Sweeps = soon(h.Due, now), 0
	return h
}

// soon is when the sweeper looks at a channel that has just moved: within SweepAfter. A time that is about right is left as
// it is, for each change of it is two more writes, in the index.
func soon(due, now time.Time) time.Time {
	if in := due.Sub(now); in < chat.SweepAfter/2 || in > chat.SweepAfter {
		return now.Add(chat.SweepAfter)
	}
	return due
}

// granted gives the channel to an event.
func granted(h chat.Head, e chat.EventID, user chat.UserID, kind chat.Kind, now time.Time) chat.Head {
	h = waits(h, chat.WaitsPlan, now)
	h.Event, h.User, h.Kind, h.Since = e, user, kind, now
	h.Turns, h.Boxed, h.Rev = 0, false, max(h.Rev, 1) // conditions name rev, which the heads of earlier versions lack
	h = turned(h, 0, now)
	if kind != chat.FollowUp {
		h.FollowUps = 0
	}
	return h
}

// turned is the head at another turn, which nobody has begun.
func turned(h chat.Head, turn int, from time.Time) chat.Head {
	h.Turn, h.Starts, h.Retries, h.Begun = turn, 0, 0, false
	h.From, h.Asked, h.Heard, h.Text = from, time.Time{}, time.Time{}, 0
	return h
}

// freed is the head with nobody on it. Fence, send number and the other counters stay: they only grow.
func freed(h chat.Head) chat.Head {
	return chat.Head{Phase: chat.Free, Fence: h.Fence, N: h.N, Box: h.Box, Tail: h.Tail, Waiting: h.Waiting,
		Guild: h.Guild, LastPersona: h.LastPersona, Rev: h.Rev}
}

// holding is condition F: the fence is mine, and the phase, event and turn are the held ones.
func holding(h chat.Head) []kv.Cond {
	return []kv.Cond{kv.Is("fence", h.Fence), kv.Is("phase", string(h.Phase)), kv.Is("event", string(h.Event)),
		kv.Is("turn", int64(h.Turn))}
}

// sending is the condition of a write that takes a new send number: nobody else took it.
func sending(h chat.Head) kv.Cond { return kv.Is("n", h.N) }

// sameHold tells whether condition F holds between a head and a hold.
func sameHold(h, mine chat.Head) bool {
	return h.Fence == mine.Fence && h.Phase == mine.Phase && h.Event == mine.Event && h.Turn == mine.Turn
}

// beatOf reads the beat of a head.
func beatOf(i kv.Item) chat.Beat {
	return chat.Beat{
		Fence: i.Int("fence"), AliveAt: fromMillis(i.Int("aliveAt")), ProgressAt: fromMillis(i.Int("progressAt")),
		Signal: chat.Signal{Hold: chat.EventID(i.String("sigHold")), Kind: chat.SignalKind(i.String("sigKind")),
			By: chat.EventID(i.String("sigBy")), At: fromMillis(i.Int("sigAt"))},
	}
}

// signalAs demands that the signal is as it was read.
func signalAs(head kv.Item) []kv.Cond { return []kv.Cond{as(head, "sigHold"), as(head, "sigKind")} }

// signal addresses a signal to the hold, in an operation on the head that demands the hold to be as it was read.
func signal(op *kv.Op, s chat.Signal, head kv.Item) {
	op.If = append(op.If, signalAs(head)...)
	op.Set["sigHold"], op.Set["sigKind"], op.Set["sigAt"] = string(s.Hold), string(s.Kind), s.At.UnixMilli()
	if s.By != "" {
		op.Set["sigBy"] = string(s.By)
	} else {
		op.Remove = append(op.Remove, "sigBy")
	}
}

// What a head has of its hold alone, besides what chat.Head names.
var (
	ofTheTurn = []string{"parts"}
	ofTheHold = []string{"parts", "plan", "aliveAt", "progressAt", "sigHold", "sigKind", "sigBy", "sigAt"}
)
