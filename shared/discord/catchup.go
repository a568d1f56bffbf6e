package discord

import (
	"context"
	"slices"
	"sync"
	"time"

	"tsumugi/shared/chat"
)

// Bounds and pace of reading what was missed.
const (
	missedSlack  = time.Minute            // Discord's events are not ordered across channels
	missedAge    = 24 * time.Hour         // what is older is not answered any more
	missedPace   = 200 * time.Millisecond // between two calls
	missedPages  = 20                     // of a hundred messages, in one channel
	missedSettle = 30 * time.Second       // without a guild being described, the rest has an outage
	maxHeld      = 10_000                 // events that wait behind what is read from their channels
)

// catchUp reads what was missed before a session from the channels, and holds the events of a channel back while that is
// read. It begins when it is known from where; until then it collects where to look.
type catchUp struct {
	s      *shard
	gate   *step
	cancel context.CancelFunc // of run
	ended  chan struct{}
	wake   chan struct{} // there is something to do; holds one
	room   chan struct{} // fewer events are held; holds one

	mu     sync.Mutex
	begun  bool
	base   chat.MessageID
	guilds map[string]bool // that Discord will describe
	heard  time.Time       // it described one
	found  []missedRoom    // before it began
	lists  []*missedList   // guilds whose threads are to be asked for
	order  []*missedRoom
	rooms  map[chat.ChannelID]*missedRoom
	held   int
	got    map[chat.EventID]struct{} // messages that were read and may come from the gateway as well
	fails  int                       // times in a row that Discord did not answer at all
	quiet  time.Time                 // no call before
	opened bool                      // the gate
}

// missedRoom is a channel in which something may have been missed.
type missedRoom struct {
	room
	guild string
	after chat.MessageID // read from here; "" when there is nothing to read
	pages int
	held  []heldEvent
	trouble
}

// missedList is a guild whose threads are to be asked for.
type missedList struct {
	guild string
	trouble
}

type heldEvent struct {
	e  chat.Event
	st *step
}

// newCatchUp makes the one of a new session. It takes over what the one before, which has ended, still holds.
func newCatchUp(s *shard, gate *step, cancel context.CancelFunc, guilds []string, old *catchUp) *catchUp {
	c := &catchUp{s: s, gate: gate, cancel: cancel, ended: make(chan struct{}), wake: make(chan struct{}, 1), room: make(chan struct{}, 1),
		guilds: map[string]bool{}, heard: time.Now(), rooms: map[chat.ChannelID]*missedRoom{}, got: map[chat.EventID]struct{}{}}
	for _, id := range guilds {
		if id != "" {
			c.guilds[id] = true
		}
	}
	if old == nil {
		return c
	}
	for _, r := range old.order {
		if len(r.held) > 0 {
			c.push(&missedRoom{room: room{channel: r.channel}, guild: r.guild, held: r.held})
			c.held += len(r.held)
		}
	}
	return c
}

func (c *catchUp) push(r *missedRoom) {
	c.order = append(c.order, r)
	c.rooms[r.channel] = r
}

// begin reads everything after base. Without one nothing was missed: it is the first session of all.
func (c *catchUp) begin(base chat.MessageID) {
	c.mu.Lock()
	first := !c.begun && base == ""
	if !c.begun {
		c.plan(base)
	}
	c.mu.Unlock()
	if first { // at once: who leaves now must leave a watermark
		c.open()
	}
	signal(c.wake)
}

// plan is the part of begin under the lock.
func (c *catchUp) plan(base chat.MessageID) {
	c.begun, c.base = true, c.from(base)
	for _, r := range c.order { // taken over: what is held comes after what was missed
		r.after = c.base
	}
	for _, r := range c.found {
		c.add(r)
	}
	c.found = nil
	if c.base == "" {
		c.lists = nil
	} else if c.s.n == 0 { // where direct messages arrive
		for _, ch := range c.s.p.channels() {
			c.add(missedRoom{room: room{channel: ch}})
		}
	}
}

// from is the place to read from for a watermark; "" for none. What is no watermark says at least that this is not the
// first session.
func (c *catchUp) from(mark chat.MessageID) chat.MessageID {
	if mark == "" {
		return ""
	}
	at, ok := chat.SnowflakeTime(string(mark))
	if !ok || !c.clock().plausible(mark) {
		return c.dayAgo()
	}
	return newer(c.dayAgo(), chat.MessageID(chat.Snowflake(at.Add(-missedSlack))))
}

// clock is the one that ids are made by.
func (c *catchUp) clock() *clock { return &c.s.r.g.REST.clock }

func (c *catchUp) dayAgo() chat.MessageID {
	return chat.MessageID(chat.Snowflake(c.clock().now().Add(-missedAge)))
}

// add plans a room if there is something to read in it. Of one that is being read already it only notes what is told of it:
// how far that has come is the reader's. The lock is held.
func (c *catchUp) add(r missedRoom) {
	if c.base == "" || r.last != "" && compareIDs(string(r.last), string(c.base)) <= 0 {
		return
	}
	if known := c.rooms[r.channel]; known != nil {
		known.last, known.guild = newer(known.last, r.last), r.guild
		return
	}
	if c.s.r.g.REST.forbidden.has(r.channel) {
		return
	}
	r.after = c.base
	c.push(&r)
}

// describe takes note of a guild of the session's beginning.
func (c *catchUp) describe(g newGuild) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if g.away || !c.guilds[g.id] {
		return // joined since, or known
	}
	delete(c.guilds, g.id)
	c.heard = time.Now()
	for _, r := range g.rooms {
		switch one := (missedRoom{room: r, guild: g.id}); {
		case c.begun:
			c.add(one)
		case compareIDs(string(r.last), string(c.dayAgo())) > 0:
			c.found = append(c.found, one)
		}
	}
	if !g.threadsOf && (!c.begun || c.base != "") {
		c.lists = append(c.lists, &missedList{guild: g.id})
	}
	signal(c.wake)
}

// narrow forgets rooms without news since another relay's watermark, as long as that relay lives.
func (c *catchUp) narrow(mark chat.MessageID) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if base := c.from(mark); base != "" {
		c.found = slices.DeleteFunc(c.found, func(r missedRoom) bool { return compareIDs(string(r.last), string(base)) <= 0 })
	}
}

// hold keeps an event back if its channel is being read; true when it did, or when it was read already. It waits when too
// many are held, and fails only when the context ends.
func (c *catchUp) hold(ctx context.Context, e chat.Event, st *step) (bool, error) {
	c.s.r.g.REST.forbidden.forget(e.Channel) // what happens there is told us: it may be read now
	for {
		c.mu.Lock()
		if _, ok := c.got[e.ID]; ok && e.What == chat.Said {
			c.mu.Unlock()
			c.s.p.done(st)
			return true, nil
		}
		r := c.rooms[e.Channel]
		if r == nil && c.begun && e.Channel != "" && c.listing(e.Guild) { // it may be a thread that is not listed yet
			c.add(missedRoom{room: room{channel: e.Channel}, guild: e.Guild})
			r = c.rooms[e.Channel]
		}
		if r == nil {
			c.mu.Unlock()
			return false, nil
		}
		if c.held < maxHeld {
			r.held = append(r.held, heldEvent{e, st})
			c.held++
			c.mu.Unlock()
			signal(c.wake)
			return true, nil
		}
		c.mu.Unlock()
		select {
		case <-c.room:
		case <-ctx.Done():
			return false, context.Cause(ctx)
		}
	}
}

// listing tells whether a guild's threads are still to be asked for. The lock is held.
func (c *catchUp) listing(guild string) bool {
	return slices.ContainsFunc(c.lists, func(l *missedList) bool { return l.guild == guild })
}

// end stops reading, and waits until nothing is handed on any more.
func (c *catchUp) end() {
	c.cancel()
	<-c.ended
}
