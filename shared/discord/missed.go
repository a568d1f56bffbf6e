package discord

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"tsumugi/shared/chat"

	"github.com/bwmarrin/discordgo"
)

// maxPage is how many messages Discord gives at once.
const maxPage = 100

// run does one thing after the other until the session is over or the context ends. It is of low priority: one call at a
// time, with pauses, and none while Discord asks for patience.
func (c *catchUp) run(ctx context.Context) {
	defer close(c.ended)
	for ctx.Err() == nil {
		do, wait := c.next()
		if do == nil {
			timer := time.NewTimer(wait)
			select {
			case <-ctx.Done():
			case <-c.wake:
			case <-timer.C:
			}
			timer.Stop()
			continue
		}
		if do(ctx) && pause(ctx, missedPace) != nil {
			return
		}
	}
}

// next is what to do now, which tells whether it made a call; or how long to wait for something to do.
func (c *catchUp) next() (func(context.Context) bool, time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, r := range c.order {
		if r.after == "" {
			return func(ctx context.Context) bool { c.release(ctx, r); return false }, 0
		}
	}
	now := time.Now()
	if wait := c.quiet.Sub(now); wait > 0 {
		return nil, wait
	}
	if do, wait := c.choose(now); do != nil || wait > 0 {
		return do, wait
	}
	if !c.begun || c.opened {
		return nil, time.Hour
	}
	if wait := time.Until(c.heard.Add(missedSettle)); c.base != "" && len(c.guilds) > 0 && wait > 0 {
		return nil, wait
	}
	return func(context.Context) bool { c.open(); return false }, 0
}

// choose is the call to make now: first lists of threads, then rooms in which somebody waits, then the others, and after all
// of them what has failed before. Without one, it is how long until there is one; 0 when nothing is left. The lock is held.
func (c *catchUp) choose(now time.Time) (func(context.Context) bool, time.Duration) {
	if !c.begun {
		return nil, 0
	}
	const first, awaited, other, failed = 0, 1, 2, 3
	strained := c.s.r.g.REST.limits.strained()
	var do func(context.Context) bool
	best, soonest := 2*failed, time.Time{}
	better := func(rank int, t *trouble) bool {
		at := t.quiet
		if strained && rank != awaited { // where somebody speaks the bot may read
			at = later(at, now.Add(invalidPause))
		}
		if at.After(now) {
			if soonest.IsZero() || at.Before(soonest) {
				soonest = at
			}
			return false
		}
		if t.failed() {
			rank += failed
		}
		if rank >= best {
			return false
		}
		best = rank
		return true
	}
	for _, l := range c.lists {
		if better(first, &l.trouble) {
			do = func(ctx context.Context) bool { c.list(ctx, l); return true }
		}
	}
	for _, r := range c.order {
		rank := other
		if len(r.held) > 0 {
			rank = awaited
		}
		if better(rank, &r.trouble) {
			do = func(ctx context.Context) bool { c.read(ctx, r); return true }
		}
	}
	if do != nil || soonest.IsZero() {
		return do, 0
	}
	return nil, soonest.Sub(now)
}

// open lets the session's events count as handed on. Without a base the watermark begins here.
func (c *catchUp) open() {
	c.mu.Lock()
	again := c.opened
	c.opened = true
	first := c.base == ""
	c.mu.Unlock()
	if again {
		return
	}
	mark := chat.MessageID("")
	if first {
		mark = chat.MessageID(chat.Snowflake(c.clock().now().Add(-missedSlack)))
	}
	c.s.p.missed(mark)
}

// list asks for a guild's threads.
func (c *catchUp) list(ctx context.Context, l *missedList) {
	rooms, err := c.s.r.g.REST.activeThreads(ctx, l.guild)
	if err != nil && c.again(ctx, err, &l.trouble) {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.lists = slices.DeleteFunc(c.lists, func(o *missedList) bool { return o == l })
	for _, r := range rooms {
		c.add(missedRoom{room: r, guild: l.guild})
	}
}

// read hands on one page of a room, and what is held behind it after the last.
func (c *catchUp) read(ctx context.Context, r *missedRoom) {
	c.mu.Lock()
	from := *r // what is told of the room may change meanwhile
	c.mu.Unlock()
	ms, n, err := c.s.r.g.REST.page(ctx, from.channel, "after", from.after, maxPage, c.s.us())
	if err != nil {
		again := c.again(ctx, err, &r.trouble)
		if !again {
			c.s.r.g.REST.forbidden.note(from.channel, err)
		}
		c.mu.Lock()
		defer c.mu.Unlock()
		if !again {
			r.after = ""
		} else if i := slices.Index(c.order, r); i >= 0 { // the others first
			c.order = append(slices.Delete(c.order, i, i+1), r)
		}
		return
	}
	slices.SortStableFunc(ms, func(a, b *discordgo.Message) int { return compareIDs(a.ID, b.ID) })
	last := from.after
	for _, m := range ms {
		if m.ChannelID != string(from.channel) || compareIDs(m.ID, string(last)) <= 0 {
			continue
		}
		last = chat.MessageID(cleanID(m.ID))
		if c.pass(ctx, from, m) != nil {
			return // the next session reads the page again
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.fails, r.trouble = 0, trouble{}
	r.pages++
	switch {
	case n < maxPage || last == from.after || r.last != "" && compareIDs(string(last), string(r.last)) >= 0:
		r.after = ""
	case r.pages >= missedPages:
		slog.ErrorContext(ctx, "more was missed in a channel than is read", "channel", string(r.channel), "read", r.pages*maxPage)
		r.after = ""
	default:
		r.after = last
	}
}

// pass hands on a message that was read. Messages of a channel's history name no guild.
func (c *catchUp) pass(ctx context.Context, r missedRoom, m *discordgo.Message) error {
	m.GuildID = r.guild
	e := FromMessage(m, c.s.us())
	if e.Author.Us {
		return nil
	}
	if r.last == "" || compareIDs(m.ID, string(r.last)) >= 0 {
		c.mu.Lock()
		c.got[e.ID] = struct{}{}
		c.mu.Unlock()
	}
	c.s.p.expect(c.gate)
	return c.s.put(ctx, e, c.gate)
}

// release hands on what is held behind a room that was read, and then lets its events pass by.
func (c *catchUp) release(ctx context.Context, r *missedRoom) {
	for {
		c.mu.Lock()
		held := r.held
		r.held = nil
		if len(held) == 0 {
			delete(c.rooms, r.channel)
			c.order = slices.DeleteFunc(c.order, func(o *missedRoom) bool { return o == r })
			c.mu.Unlock()
			return
		}
		c.mu.Unlock()
		for i, h := range held {
			if c.known(h.e) {
				c.s.p.done(h.st)
			} else if c.s.put(ctx, h.e, h.st) != nil {
				c.keepHeld(r, held[i:])
				return
			}
		}
		c.mu.Lock()
		c.held -= len(held)
		c.mu.Unlock()
		signal(c.room)
	}
}

func (c *catchUp) known(e chat.Event) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	_, ok := c.got[e.ID]
	return ok && e.What == chat.Said
}

// keepHeld gives back what could not be handed on before the end, for the catch-up that takes over.
func (c *catchUp) keepHeld(r *missedRoom, left []heldEvent) {
	c.mu.Lock()
	defer c.mu.Unlock()
	r.held = append(slices.Clone(left), r.held...)
}
