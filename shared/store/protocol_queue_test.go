package store_test

import (
	"fmt"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
)

const ingress = "ingress"

// message is one message of a queue: an event of ingress, or a job.
type message struct {
	dedup    string
	event    chat.Event
	job      chat.Job
	receives int
}

// fifo is one queue with the one group of the world's channel, as the model has it: one message in flight blocks the rest.
type fifo struct {
	list    []*message
	known   map[string]time.Time // deduplication ids and when they are forgotten
	receipt int                  // of the delivery in flight; 0 when none is
	handles int
	visible time.Time
}

// letter is a message in a dead-letter queue.
type letter struct {
	queue string
	msg   *message
}

// send appends, unless the id is known.
func (q *fifo) send(m message) bool {
	if until, ok := q.known[m.dedup]; ok && time.Now().Before(until) {
		return false
	}
	q.known[m.dedup] = time.Now().Add(queue.Window)
	q.list = append(q.list, &m)
	return true
}

// ready tells whether a receive would give the first message.
func (q *fifo) ready() bool {
	return len(q.list) > 0 && (q.receipt == 0 || !time.Now().Before(q.visible))
}

// receive hands out the first message.
func (q *fifo) receive() (*message, int) {
	q.handles++
	q.receipt, q.visible = q.handles, time.Now().Add(chat.Visibility)
	q.list[0].receives++
	return q.list[0], q.receipt
}

// valid tells whether a delivery is the one in flight.
func (q *fifo) valid(receipt int) bool {
	return receipt != 0 && q.receipt == receipt && time.Now().Before(q.visible)
}

func (q *fifo) hide(receipt int, d time.Duration) error {
	if !q.valid(receipt) {
		return queue.ErrReceipt
	}
	q.visible = time.Now().Add(d)
	return nil
}

func (q *fifo) remove(receipt int) error {
	if !q.valid(receipt) {
		return queue.ErrReceipt
	}
	q.list, q.receipt = q.list[1:], 0
	return nil
}

// expire makes the message in flight visible at once; its receipt is void.
func (q *fifo) expire() { q.receipt = 0 }

// moveToDead moves the first message to the dead letters.
func (w *world) moveToDead(name string) {
	q := w.queues[name]
	w.letters = append(w.letters, letter{name, q.list[0]})
	w.note("%s moves %s to the dead letters", name, w.text(name, q.list[0]))
	q.list, q.receipt = q.list[1:], 0
}

func (w *world) text(name string, m *message) string {
	if name == ingress {
		return fmt.Sprintf("%s(%s)", w.name(m.event.ID), m.event.What)
	}
	return fmt.Sprintf("%s.%d#%d", w.name(m.job.Event), m.job.Turn, m.job.N)
}
