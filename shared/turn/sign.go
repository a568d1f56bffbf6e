package turn

import (
	"context"
	"sync"
	"time"
)

const (
	typingEvery = 8 * time.Second // Discord shows it for ten
	typingWait  = time.Second     // the longest that a message waits for the sign before it
)

// sign is the typing sign. It is an ornament: its failures are nobody's concern.
type sign struct {
	end   func() // of the one that is shown now; nil when none is
	shown bool   // since the last message
}

// typing shows the typing sign, beside the stream so that it holds nothing up, until hush is called: before something is there to
// read, or the sign would stand under it. Where very many stream, their words come first.
func (r *run) typing(ctx context.Context) {
	if r.sign.end != nil || r.pace.Crowded() {
		return
	}
	ctx, cancel := context.WithCancel(ctx)
	var calls sync.WaitGroup
	calls.Go(func() {
		for r.k.Ready(ctx) == nil {
			r.pace.Sent(time.Now())
			_ = r.discord.Typing(ctx, r.k.Hold.Channel)
			if sleep(ctx, typingEvery) != nil {
				return
			}
		}
	})
	r.sign = sign{shown: true, end: func() {
		cancel()
		calls.Wait()
	}}
}

// hush ends the sign.
func (r *run) hush() {
	if r.sign.end != nil {
		r.sign.end()
		r.sign.end = nil
	}
}

// announce shows that another message is being written, while its first words are awaited.
func (r *run) announce(ctx context.Context) {
	if r.typed {
		r.typing(ctx)
	}
}

// lead is called before part k is made. Where each message is announced, one whose words are there already is not held up for
// longer than it takes to say so.
func (r *run) lead(ctx context.Context, k int) {
	if k > 0 && r.typed && !r.sign.shown && !r.pace.Crowded() && r.k.Ready(ctx) == nil {
		brief, done := context.WithTimeout(ctx, typingWait)
		r.pace.Sent(time.Now())
		_ = r.discord.Typing(brief, r.k.Hold.Channel)
		done()
	}
	r.hush()
	r.sign.shown = false
}
