package turn

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"sync"
	"time"

	"tsumugi/shared/chat"
)

const (
	joining = 3 * time.Second // over which streams that go on join a new span, so that they do it one after the other
	joinFor = 2 * time.Second // the longest that a join is waited for
	recent  = 2 * chat.CrowdSpan
	renewal = 40 // spans, in the first of which all streams take new ranks
	settles = 4  // spans, in the first of which those of a process do that has not done so yet
	fewer   = 12 // streams
)

// streams are those of this process, and what it knows of all the others.
type streams struct {
	mu    sync.Mutex
	ended int   // that had joined the span
	span  int64 // of ended
	free  []rank

	settled bool
	many    int // all streams, as last heard
	heard   time.Time
}

// rank is the place of a stream that is over, for the next one of the process: as long as streams only follow one another,
// no two have the same.
type rank struct {
	n  int
	at time.Time
}

func spanOf(t time.Time) int64 { return t.UnixNano() / int64(chat.CrowdSpan) }

// gone gives and forgets how many have ended in the present span.
func (s *streams) gone() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := s.ended
	if s.span != spanOf(time.Now()) {
		n = 0
	}
	s.ended = 0
	return n
}

// end notes the end of a stream that had joined the span last.
func (s *streams) end(span int64, n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if s.span != spanOf(now) {
		s.ended, s.span = 0, spanOf(now)
	}
	if span == s.span {
		s.ended++
	}
	if n >= 0 {
		s.free = append(s.free, rank{n, now})
	}
}

// place gives a stream that begins its rank: that of one which is over, else that of the last in line.
func (s *streams) place(is chat.Standing) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	for len(s.free) > 0 {
		r := s.free[0]
		if s.free = s.free[1:]; time.Since(r.at) < recent && r.n < is.Streams+is.Streams/8 {
			return r.n
		}
	}
	if time.Now().Before(gathered(spanOf(time.Now()))) {
		return rand.N(is.Streams) // not everybody has joined the span yet: many come as the last in the same line
	}
	return is.Streams - 1
}

// renews tells whether a stream takes a new rank in the span.
func (s *streams) renews(span int64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return span%renewal == 0 || span%settles == 0 && !s.settled
}

func (s *streams) settle() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.settled = true
}

// gathered is when all who go on have joined a span.
func gathered(span int64) time.Time {
	return time.Unix(0, span*int64(chat.CrowdSpan)).Add(joining + time.Second)
}

// known is how many streams there are, as last heard.
func (s *streams) known() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.heard) > recent {
		return 1
	}
	return s.many
}

// hear takes a number and gives the one to go by: a few less are no reason to take other turns.
func (s *streams) hear(many int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	now := time.Now()
	if many < s.many-fewer || many > s.many || now.Sub(s.heard) > recent {
		s.many = many
	}
	s.heard = now
	return s.many
}

// present says that the stream goes on, in each span that it sees until the context ends, and hears among how many it is. It
// runs beside the stream: when nobody can be asked, the pace is as it was known last.
//
// A stream keeps its rank, so that its turns come regularly, and leaves it to the next one of its process. Those that came while
// the crowd grew may have the same, or leave gaps: now and then all take the ranks in which they joined the span, at one moment.
func (r *run) present(ctx context.Context) {
	var span int64
	place := -1
	defer func() { r.streams.end(span, place) }()
	for r.opt.Crowd != nil {
		span = spanOf(time.Now())
		brief, done := context.WithTimeout(ctx, joinFor)
		is, err := r.opt.Crowd.Join(brief, r.streams.gone())
		done()
		switch {
		case err == nil:
			is.Streams = r.streams.hear(is.Streams)
			if r.streams.renews(span) && time.Now().Before(gathered(span)) {
				if place >= 0 && sleep(ctx, time.Until(gathered(span))) != nil {
					return
				}
				place = is.Rank
				r.streams.settle()
			} else if place < 0 || place >= is.Streams+is.Streams/8 {
				place = r.streams.place(is)
			}
			r.pace.Among(is.Streams, place)
		case ctx.Err() == nil:
			slog.WarnContext(ctx, "the streams could not be counted", "error", err)
		}
		next := time.Unix(0, (span+1)*int64(chat.CrowdSpan)).Add(rand.N(joining))
		if sleep(ctx, time.Until(next)) != nil {
			return
		}
	}
}

// queueUp waits for this stream's turn where there are many.
func (r *run) queueUp(ctx context.Context) error {
	if !r.pace.Crowded() {
		return nil
	}
	return sleep(ctx, time.Until(r.pace.Next(time.Now())))
}
