package chat

import "sync"

// Early is a read that a worker begins beside acquiring, because it depends on the job alone: it saves a round trip, and a
// job that turns out to be stale has only read in vain.
type Early[T any] struct {
	done sync.WaitGroup
	v    T
	err  error
}

// Begin starts the read. Its owner waits for it.
func Begin[T any](read func() (T, error)) *Early[T] {
	e := &Early[T]{}
	e.done.Go(func() { e.v, e.err = read() })
	return e
}

// Wait gives what was read; it may be called again.
func (e *Early[T]) Wait() (T, error) {
	e.done.Wait()
	return e.v, e.err
}
