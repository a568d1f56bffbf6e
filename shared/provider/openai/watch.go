package openai

import (
	"context"
	"errors"
	"io"
	"time"
)

// errSilent is the cause of a context that a watchdog ended.
var errSilent = errors.New("watchdog ran out")

// watch ends a request that waits too long. Two clocks run, and only while something is awaited from the other side, so a
// slow consumer never counts: progress (until the next text; before the first text nothing else runs, because a server may
// well load a model in silence) and, after the first text, silence (until the next byte, comments included).
//
// The timer only cancels the request's context; the transport then fails the read that is blocked. No goroutine waits.
type watch struct {
	stop     context.CancelCauseFunc
	progress time.Duration // allowed without text
	silence  time.Duration // allowed without a byte, once text has come
	left     time.Duration // of progress
	text     bool
}

func newWatch(stop context.CancelCauseFunc, progress, silence time.Duration) *watch {
	return &watch{stop: stop, progress: progress, silence: silence, left: progress}
}

// advance notes that text has come.
func (w *watch) advance() { w.text, w.left = true, w.progress }

// during runs f, which waits for the other side, under the clocks.
func (w *watch) during(f func()) {
	limit := w.left
	if w.text {
		limit = min(limit, w.silence)
	}
	start := time.Now()
	timer := time.AfterFunc(limit, func() { w.stop(errSilent) })
	f()
	timer.Stop()
	w.left -= time.Since(start)
}

// reader gives r under the watch.
func (w *watch) reader(r io.Reader) io.Reader { return watchedReader{w, r} }

type watchedReader struct {
	w *watch
	r io.Reader
}

func (r watchedReader) Read(p []byte) (n int, err error) {
	r.w.during(func() { n, err = r.r.Read(p) })
	return n, err
}
