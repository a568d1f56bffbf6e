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
)

// streams are those of this process.
type streams struct {
	mu    sync.Mutex
	going int
	ended int   // that had joined the span
	span  int64 // of ended
	rank  int   // of the last that ended

	stood chat.Standing // as last heard
	heard time.Time
}

// known is where the next stream of this process will stand, as far as the last one heard.
func (s *streams) known() (streams, rank int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if time.Since(s.heard) > 2*chat.CrowdSpan {
		return s.going + 1, 0
	}
	return s.stood.Streams, s.stood.Rank
}

func (s *streams) hear(is chat.Standing) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stood, s.heard = is, time.Now()
}

func spanOf(t time.Time) int64 { return t.UnixNano() / int64(chat.CrowdSpan) }

// gone gives and forgets how many have ended in the present span, and the rank that is free by that.
func (s *streams) gone() (n, rank int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	n = s.ended
	if s.span != spanOf(time.Now()) {
		n = 0
	}
	s.ended = 0
	return n, s.rank
}

// end notes the end of a stream that had joined the span last, and its rank there.
func (s *streams) end(span int64, rank int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.going--
	now := spanOf(time.Now())
	if s.span != now {
		s.ended, s.span = 0, now
	}
	if span == now {
		s.ended++
		s.rank = rank
	}
}

func (s *streams) begin() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.going++
}

// present says that the stream goes on, in each span that it sees until the context ends, and hears among how many it is. It
// runs beside the stream: when nobody can be asked, the pace is as it was known last.
func (r *run) present(ctx context.Context) {
	r.streams.begin()
	var span int64
	rank := 0
	defer func() { r.streams.end(span, rank) }()
	for r.opt.Crowd != nil {
		span = spanOf(time.Now())
		brief, done := context.WithTimeout(ctx, joinFor)
		ended, free := r.streams.gone()
		is, err := r.opt.Crowd.Join(brief, ended)
		done()
		switch {
		case err == nil:
			if rank = is.Rank; ended > 0 {
				rank = free // it takes the place of one that is over
			}
			r.streams.hear(chat.Standing{Streams: is.Streams, Rank: rank})
			r.pace.Among(is.Streams, rank)
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
