package queue

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"log/slog"
	"sync"
	"time"

	"tsumugi/shared/chat"
)

// The bounds of a spool and its pace.
const (
	spoolLanes   = 8
	spoolEvents  = 10_000
	spoolBytes   = 64 << 20 // of the events in memory
	spoolFileMax = 256 << 20
	spoolLinger  = 20 * time.Millisecond // an event waits so long for others to share its batch
	spoolDrain   = 10 * time.Second

	complainEvery = time.Minute
	fileAgain     = time.Second      // after a file could not be written or read
	sendLimit     = 30 * time.Second // of one call
	spoolFirst    = 100 * time.Millisecond
	spoolLast     = 10 * time.Second
)

// Errors of a spool.
var (
	ErrClosed = errors.New("the spool is closed")
	// ErrLeft says that events were in memory only when the time was over.
	ErrLeft = errors.New("events were not put on the queue and there is no file to keep them in")
)

// SpoolOptions are the optional settings of a spool. The zero value keeps events in memory only.
type SpoolOptions struct {
	// Path is the file that keeps what memory does not hold, and what is left at the end. Empty for none. No two spools may
	// have the same.
	Path    string
	MaxFile int64         // bytes of the file
	Events  int           // in memory
	Lanes   int           // batches in flight at once
	Drain   time.Duration // how long Run still sends after its context has ended
}

// Spool puts events on the ingress queue: it implements chat.Spool.
//
// Every group is of one lane, by its hash, and a lane has one batch in flight: a channel keeps its order, and is held up by
// the few that share its lane at most. A message that fails holds up the later ones of its group only; when a whole batch
// fails the queue is taken to be away, and the lane pauses, longer each time.
//
// Events are kept in memory first. When that is full they go to the file, after all that memory holds, and from then on
// memory is filled from the front of the file until that is used up. So the file never lacks an event that is older than
// another in it: a process that starts after a kill sends the file, and what was in memory only is told to it again by
// Discord, or by a catch-up. When the file is full too, Put waits.
type Spool struct {
	sender Sender
	o      SpoolOptions
	lanes  []*lane

	mu      sync.Mutex
	closed  bool
	serial  uint64               // of the last entry: their order
	count   int                  // entries in memory
	bytes   int                  // of them
	unfiled int                  // those that are not in the file
	room    chan struct{}        // closed and replaced when there may be room
	file    *spoolFile           // nil without
	tail    []unread             // the events of the file that are not in memory
	said    map[string]time.Time // complaints, and when they were last made
	away    bool                 // it complained that the queue is away
}

// entry is an event in memory.
type entry struct {
	Message
	serial uint64
	event  chat.EventID
	came   time.Time
	filed  bool
	done   func()
}

// unread is an event that is in the file only.
type unread struct {
	size int    // bytes of its line
	done func() // nil for one of an earlier process
}

// size is what an entry weighs in memory, about.
func (e *entry) size() int { return len(e.Body) + 256 }

var _ chat.Spool = (*Spool)(nil)

// NewSpool makes a spool in front of the ingress queue of a sender, and opens its file. Events that the file holds are sent
// first. What it cannot read it sets aside beside the file, and says so.
func NewSpool(s Sender, o SpoolOptions) (*Spool, error) {
	def := func(n *int, d int) {
		if *n <= 0 {
			*n = d
		}
	}
	def(&o.Lanes, spoolLanes)
	def(&o.Events, spoolEvents)
	if o.MaxFile <= 0 {
		o.MaxFile = spoolFileMax
	}
	if o.Drain <= 0 {
		o.Drain = spoolDrain
	}
	spool := &Spool{sender: s, o: o, room: make(chan struct{}), said: map[string]time.Time{}}
	for range o.Lanes {
		spool.lanes = append(spool.lanes, &lane{s: spool, wake: make(chan struct{}, 1), again: map[string]retry{}})
	}
	if o.Path == "" {
		return spool, nil
	}
	file, sizes, err := openSpoolFile(o.Path)
	if err != nil {
		return nil, fmt.Errorf("open the spool: %w", err)
	}
	spool.file = file
	for _, n := range sizes {
		spool.tail = append(spool.tail, unread{size: n})
	}
	if len(sizes) > 0 {
		slog.Info("events of the last process are sent first", "events", len(sizes))
	}
	return spool, nil
}

// Put takes an event, as chat.Spool says. It gives up at once what no queue takes.
func (s *Spool) Put(ctx context.Context, e chat.Event, done func()) error {
	m, err := OfEvent(e)
	if err == nil {
		err = CheckMessage(m)
	}
	if err != nil {
		giveUp(e, err)
		done()
		return nil
	}
	one := &entry{Message: m, event: e.ID, done: done}
	for {
		took, room, err := s.offer(one)
		if took || err != nil {
			return err
		}
		if err := s.await(ctx, room); err != nil {
			return err
		}
	}
}

// await waits until there may be room, or until the file may be written again.
func (s *Spool) await(ctx context.Context, room chan struct{}) error {
	t := time.NewTimer(fileAgain)
	defer t.Stop()
	select {
	case <-room:
	case <-t.C:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	return nil
}

// offer takes an entry if there is room; else it gives what is closed when there may be.
func (s *Spool) offer(e *entry) (bool, chan struct{}, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return false, nil, ErrClosed
	}
	switch {
	case len(s.tail) == 0 && (s.count == 0 || s.count < s.o.Events && s.bytes+e.size() <= spoolBytes):
		s.accept(e)
		return true, nil, nil
	case s.file != nil && s.toFile(e):
		return true, nil, nil
	}
	s.complain("there is no room for more: the gateway is not read until there is", nil)
	return false, s.room, nil
}

// accept puts an entry at the end of its lane. Under mu.
func (s *Spool) accept(e *entry) {
	s.serial++
	e.serial, e.came = s.serial, time.Now()
	s.count++
	s.bytes += e.size()
	if !e.filed {
		s.unfiled++
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(e.Group))              // of a hash: it never fails
	l := s.lanes[h.Sum32()%uint32(len(s.lanes))] //nolint:gosec // a handful of lanes
	l.entries = append(l.entries, e)
	l.ring()
}

// toFile appends an entry to the file, behind all that memory holds. Under mu; false when it does not fit or cannot be
// written now.
func (s *Spool) toFile(e *entry) bool {
	err := s.spill()
	before := s.file.size
	if err == nil {
		err = s.file.append([]*entry{e}, s.o.MaxFile)
	}
	if err != nil {
		if !errors.Is(err, errFileFull) {
			s.complain("the spool's file cannot be written", err)
		}
		return false
	}
	s.tail = append(s.tail, unread{int(s.file.size - before), e.done})
	return true
}

// spill writes into the file what is in memory only. There is no such entry while the file has events that are not in
// memory, so that what is written now needs not be read again. Under mu.
func (s *Spool) spill() error {
	if s.unfiled == 0 {
		return nil
	}
	var add []*entry
	for _, e := range s.all() {
		if !e.filed {
			add = append(add, e)
		}
	}
	if err := s.file.append(add, s.o.MaxFile); err != nil {
		return err
	}
	for _, e := range add {
		e.filed = true
	}
	s.unfiled = 0
	s.file.skip()
	slog.Warn("memory is full of events: they go to the spool's file", "events", len(add))
	return nil
}

// refill takes events from the front of the file into memory, when that is half empty. Under mu.
func (s *Spool) refill() {
	for len(s.tail) > 0 && s.count < max(s.o.Events/2, 1) && (s.count == 0 || s.bytes < spoolBytes/2) {
		first := s.tail[0]
		e, err := s.file.next(first.size)
		if err != nil && !errors.Is(err, errDamaged) {
			s.complain("the spool's file cannot be read", err)
			return
		}
		s.tail = s.tail[1:]
		if err != nil { // it was whole when it was counted: the disk has changed it
			slog.Error("an event of the spool's file was lost to the disk", "error", err)
			continue // its done is not called: a later process reads it from Discord again
		}
		e.done = first.done
		s.accept(e)
	}
	if len(s.tail) == 0 && s.file != nil && s.file.size > 0 && s.unfiled == s.count {
		if err := s.file.reset(); err != nil {
			s.complain("the spool's file cannot be emptied", err)
		}
	}
}

// left tells whether anything waits. Under mu.
func (s *Spool) left() bool { return s.count > 0 || len(s.tail) > 0 }

// changed is called after entries were settled: it fills memory up, and wakes whoever waits. Under mu.
func (s *Spool) changed() {
	s.refill()
	if s.away {
		s.back()
	}
	close(s.room)
	s.room = make(chan struct{})
	if s.closed && !s.left() {
		s.ringAll()
	}
}

func (s *Spool) ringAll() {
	for _, l := range s.lanes {
		l.ring()
	}
}

// complain logs each complaint at most once a minute, with what waits. Under mu.
func (s *Spool) complain(text string, err error) {
	now := time.Now()
	if last := s.said[text]; !last.IsZero() && now.Sub(last) < complainEvery {
		return
	}
	s.said[text] = now
	slog.Error("the relay's events wait", "why", text, "memory", s.count, "bytes", s.bytes, "file", len(s.tail), "error", err)
}

// Run sends until the context ends, and then for as long as Drain what has been put before. What is left is kept in the
// file for the next process, without a file it is lost to this one and the error is ErrLeft. Put fails when Run is ending.
func (s *Spool) Run(ctx context.Context) error {
	sending, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	s.mu.Lock()
	s.refill()
	s.mu.Unlock()
	var lanes sync.WaitGroup
	for _, l := range s.lanes {
		lanes.Go(func() { l.run(sending) })
	}
	s.tend(ctx)
	s.mu.Lock()
	s.closed = true
	close(s.room)
	s.room = make(chan struct{})
	for _, l := range s.lanes { // all is tried once more, at once
		l.pause, l.fails, l.again = time.Time{}, 0, map[string]retry{}
	}
	s.ringAll()
	s.mu.Unlock()
	defer time.AfterFunc(s.o.Drain, stop).Stop()
	lanes.Wait()
	return s.keep()
}

// tend looks after the file when nothing else does: a read that failed is tried again.
func (s *Spool) tend(ctx context.Context) {
	if s.file == nil {
		<-ctx.Done()
		return
	}
	for tick := time.NewTicker(spoolLast); ; {
		select {
		case <-ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
			s.mu.Lock()
			s.refill()
			s.mu.Unlock()
		}
	}
}

// keep leaves what was not sent to the next process.
func (s *Spool) keep() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.count + len(s.tail)
	if s.file == nil {
		if n > 0 {
			return fmt.Errorf("%d events: %w", n, ErrLeft)
		}
		return nil
	}
	err := s.file.leave(s.all(), len(s.tail) > 0)
	if err != nil {
		return fmt.Errorf("keep %d events in the spool's file: %w", n, err)
	}
	if n > 0 {
		slog.Warn("events are kept in the spool's file for the next start", "events", n)
	}
	return nil
}

func giveUp(e chat.Event, err error) {
	slog.Error("an event was given up: no queue takes it", "event", string(e.ID), "channel", string(e.Channel), "error", err)
}
