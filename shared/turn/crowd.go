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
func (s *streams) end(span int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.going--
	now := spanOf(time.Now())
	if s.span != now {
		s.ended, s.span = 0, now
	}
	if span == now {
		s.ended++
	}
}

func (s *streams) begin() (going int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.going++
	return s.going
}

// present says that the stream goes on, in each span that it sees until the context ends, and hears among how many it is. It
// runs beside the stream: when nobody can be asked, the pace is as it was known last.
func (r *run) present(ctx context.Context) {
	r.pace.Among(r.streams.begin(), 0)
	var span int64
	defer func() { r.streams.end(span) }()
	for r.opt.Crowd != nil {
		span = spanOf(time.Now())
		brief, done := context.WithTimeout(ctx, joinFor)
		is, err := r.opt.Crowd.Join(brief, r.streams.gone())
		done()
		switch {
		case err == nil:
			r.pace.Among(is.Streams, is.Rank)
		case ctx.Err() == nil:
			slog.WarnContext(ctx, "the streams could not be counted", "error", err)
		}
		next := time.Unix(0, (span+1)*int64(chat.CrowdSpan)).Add(rand.N(joining))
		if sleep(ctx, time.Until(next)) != nil {
			return
		}
	}
}
