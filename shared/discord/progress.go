package discord

import (
	"slices"
	"strings"
	"sync"
	"time"

	"tsumugi/shared/chat"
)

// Sizes of what is remembered of a shard's events.
const (
	compactFrom = 4096           // steps in a row before finished ones are merged
	directFor   = 24 * time.Hour // a channel of direct messages without news is forgotten
)

// progress follows which of a shard's events are on the queue. Session.Seq and the watermark that it gives out are those
// of the last event before the first one that is not: whoever goes on from there misses nothing.
type progress struct {
	mu     sync.Mutex
	front  chat.Session // as of the last step that was passed
	mark   chat.MessageID
	newest chat.MessageID // of all messages taken, on the queue or not
	steps  []*step        // those not passed, in the order of the gateway
	merge  int            // compact when there are so many steps
	gates  []*step        // of sessions before which something was missed, not yet recovered
	direct []direct       // the newest last
	change chan struct{}  // something that is kept has changed; holds one
	moved  chan struct{}  // an event was done; holds one
	clock  *clock
}

// step is one payload of the gateway with its place in the order.
type step struct {
	session chat.Session
	mark    chat.MessageID // of the message it brought, if any
	open    int            // what still has to be done before it is passed
}

type direct struct {
	channel chat.ChannelID
	at      time.Time
}

// newProgress goes on from what was kept.
func newProgress(s chat.Shard, c *clock) *progress {
	p := &progress{front: s.Session, mark: s.Watermark, newest: s.Watermark, merge: compactFrom, clock: c,
		change: make(chan struct{}, 1), moved: make(chan struct{}, 1)}
	p.remember(s.Direct)
	return p
}

// remember adds channels of direct messages that were kept; when they had news is not known any more.
func (p *progress) remember(chs []chat.ChannelID) {
	for _, ch := range chs[max(0, len(chs)-chat.MaxDirect):] {
		p.touch(ch)
	}
}

// touch notes news of a channel of direct messages. The lock is held, or nobody else has p yet.
func (p *progress) touch(ch chat.ChannelID) {
	p.direct = slices.DeleteFunc(p.direct, func(d direct) bool { return d.channel == ch })
	p.direct = append(p.direct, direct{ch, time.Now()})
	p.direct = p.direct[max(0, len(p.direct)-chat.MaxDirect):]
}

// add takes the next payload. Its step is open once, for the caller to close with done, and once more for each event that
// expect adds.
func (p *progress) add(s chat.Session, message chat.MessageID, dm chat.ChannelID) *step {
	p.mu.Lock()
	defer p.mu.Unlock()
	st := &step{session: s, mark: message, open: 1}
	if !p.clock.plausible(message) {
		st.mark = ""
	}
	p.newest = p.advance(p.newest, st.mark)
	if dm != "" {
		p.touch(dm)
	}
	if p.steps = append(p.steps, st); len(p.steps) >= p.merge {
		p.compact()
	}
	return st
}

// gate takes a new session's first payload and holds everything after it back until missed closes it, which is when what
// was lost before the session is on the queue: a relay that ends before that leaves its successor the old place. The other
// result is where to begin with what was missed: everything up to it was taken over.
func (p *progress) gate(s chat.Session) (*step, chat.MessageID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	base := p.newest
	if len(p.gates) > 0 {
		base = p.mark
	}
	st := &step{session: s, open: 1}
	p.steps, p.gates = append(p.steps, st), append(p.gates, st)
	return st, base
}

// gated tells whether something is still missed.
func (p *progress) gated() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return len(p.gates) > 0
}

// missed says that everything before the newest session was recovered. mark, if any, is a watermark to begin with.
func (p *progress) missed(mark chat.MessageID) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, st := range p.gates {
		st.open--
		st.mark = newer(st.mark, mark)
	}
	p.gates = nil
	p.pass()
}

// expect opens a step once more.
func (p *progress) expect(st *step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	st.open++
}

// done closes a step once, and passes what can be passed.
func (p *progress) done(st *step) {
	p.mu.Lock()
	defer p.mu.Unlock()
	st.open--
	p.pass()
}

// advance is the watermark after a step's. One from the future, which a clock of ours that was ahead has left, gives way to
// any: until its time comes it would hide what is missed.
func (p *progress) advance(mark, step chat.MessageID) chat.MessageID {
	if step != "" && !p.clock.plausible(mark) {
		return step
	}
	return newer(mark, step)
}

func (p *progress) pass() {
	n := 0
	for ; n < len(p.steps) && p.steps[n].open <= 0; n++ {
		p.front, p.mark = p.steps[n].session, p.advance(p.mark, p.steps[n].mark)
		p.steps[n] = nil
	}
	if p.steps = p.steps[n:]; n > 0 {
		signal(p.change)
	}
	signal(p.moved)
}

// compact merges finished steps that follow each other, so that one stubborn event does not cost memory for all after it.
func (p *progress) compact() {
	out := make([]*step, 0, len(p.steps)/2)
	for _, st := range p.steps {
		if last := len(out) - 1; last >= 0 && out[last].open <= 0 && st.open <= 0 {
			st.mark = newer(st.mark, out[last].mark)
			out[last] = st
			continue
		}
		out = append(out, st)
	}
	p.steps, p.merge = out, max(compactFrom, 2*len(out))
}

// rebase goes on from what another relay kept that is gone now. It returns the watermark to read from what was missed before
// our session.
func (p *progress) rebase(s chat.Shard) chat.MessageID {
	p.mu.Lock()
	defer p.mu.Unlock()
	mine := p.direct
	p.direct = nil
	p.remember(s.Direct)
	for _, d := range mine {
		p.touch(d.channel)
	}
	if len(p.gates) > 0 {
		p.front, p.mark = s.Session, s.Watermark
	}
	return p.mark
}

// channels are the direct ones that are remembered.
func (p *progress) channels() []chat.ChannelID {
	return p.state().Direct
}

// state is what is to be kept now.
func (p *progress) state() chat.Shard {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.direct = slices.DeleteFunc(p.direct, func(d direct) bool { return time.Since(d.at) >= directFor })
	s := chat.Shard{Session: p.front, Watermark: p.mark}
	for _, d := range p.direct {
		s.Direct = append(s.Direct, d.channel)
	}
	return s
}

// waiting tells whether events were taken that are not on the queue, apart from what a gate holds back.
func (p *progress) waiting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.ContainsFunc(p.steps, func(st *step) bool { return st.open > 0 && !slices.Contains(p.gates, st) })
}

// markAhead is how far an id may be ahead of Discord's clock as we know it.
const markAhead = 5 * time.Minute

// plausible tells whether an id can be a watermark: one from the future would hide what is lost until then.
func (c *clock) plausible(id chat.MessageID) bool {
	at, ok := chat.SnowflakeTime(string(id))
	return ok && snowflake(string(id)) && at.Sub(c.now()) <= markAhead
}

// newer is the greater of two snowflakes.
func newer(a, b chat.MessageID) chat.MessageID {
	if compareIDs(string(a), string(b)) < 0 {
		return b
	}
	return a
}

// compareIDs compares snowflakes as numbers.
func compareIDs(a, b string) int {
	if len(a) != len(b) {
		return len(a) - len(b)
	}
	return strings.Compare(a, b)
}

// signal leaves a note in a channel that holds one.
func signal(c chan struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}
