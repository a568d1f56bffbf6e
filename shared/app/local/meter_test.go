//go:build unix

package local_test

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"sync"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/llm"
	"tsumugi/shared/queue"
)

// meter counts the calls that the workers make of the outside. What the event source does, receive and delete, is not
// theirs.
type meter struct {
	latency time.Duration // of every call; so that what may happen at once does

	mu    sync.Mutex
	spans []span
	ended chan string // gets the name of its queue for each message that is deleted
}

// span is one call.
type span struct {
	name       string
	begin, end time.Time
}

func newMeter(latency time.Duration) *meter {
	return &meter{latency: latency, ended: make(chan string, 1<<16)}
}

func (m *meter) call(name string) func() {
	begin := time.Now()
	if m.latency > 0 {
		<-time.After(m.latency) // before the effect, or somebody would see it earlier than the caller does
	}
	return func() {
		m.mu.Lock()
		defer m.mu.Unlock()
		m.spans = append(m.spans, span{name, begin, time.Now()})
	}
}

// taken gives the calls so far and forgets them.
func (m *meter) taken() []span {
	m.mu.Lock()
	defer m.mu.Unlock()
	all := m.spans
	m.spans = nil
	return all
}

// sequential is the longest chain of calls of which each began after the one before it had ended.
func sequential(all []span) []string {
	all = slices.Clone(all)
	slices.SortFunc(all, func(a, b span) int { return cmp.Or(a.end.Compare(b.end), a.begin.Compare(b.begin)) })
	var chain []string
	var last time.Time
	for _, s := range all {
		if !s.begin.Before(last) {
			chain, last = append(chain, s.name), s.end
		}
	}
	return chain
}

type meteredStore struct {
	kv.Driver
	m *meter
}

func (s meteredStore) Get(ctx context.Context, k kv.Key) (kv.Item, error) {
	defer s.m.call("kv get")()
	return s.Driver.Get(ctx, k)
}

func (s meteredStore) BatchGet(ctx context.Context, keys ...kv.Key) ([]kv.Item, error) {
	defer s.m.call("kv batch get")()
	return s.Driver.BatchGet(ctx, keys...)
}

func (s meteredStore) Query(ctx context.Context, q kv.Query) (kv.Page, error) {
	defer s.m.call("kv query")()
	return s.Driver.Query(ctx, q)
}

func (s meteredStore) Write(ctx context.Context, ops ...kv.Op) error {
	defer s.m.call("kv write")()
	return s.Driver.Write(ctx, ops...)
}

type meteredQueue struct {
	queue.Driver
	m *meter
}

func (q meteredQueue) Send(ctx context.Context, name string, msg queue.Message) error {
	defer q.m.call("send to " + name)()
	return q.Driver.Send(ctx, name, msg)
}

func (q meteredQueue) Hide(ctx context.Context, name, receipt string, d time.Duration) error {
	defer q.m.call("hide in " + name)()
	return q.Driver.Hide(ctx, name, receipt, d)
}

func (q meteredQueue) DeleteBatch(ctx context.Context, name string, receipts []string) error {
	err := queue.DeleteAll(ctx, q.Driver, name, receipts)
	if err == nil {
		for range receipts {
			q.m.ended <- name
		}
	}
	return err
}

// wait returns when n more messages of the queue have been done.
func (m *meter) wait(ctx context.Context, name string, n int) error {
	for n > 0 {
		select {
		case ended := <-m.ended:
			if ended == name {
				n--
			}
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

type meteredDiscord struct {
	chat.Discord
	m *meter
}

func (d meteredDiscord) Create(ctx context.Context, p chat.Post) (chat.Ref, error) {
	defer d.m.call("discord create")()
	return d.Discord.Create(ctx, p)
}

func (d meteredDiscord) Edit(ctx context.Context, m chat.Ref, s chat.Shown) error {
	defer d.m.call("discord edit")()
	return d.Discord.Edit(ctx, m, s)
}

func (d meteredDiscord) Typing(ctx context.Context, c chat.ChannelID) error {
	defer d.m.call("discord typing")()
	return d.Discord.Typing(ctx, c)
}

func (d meteredDiscord) Before(ctx context.Context, c chat.ChannelID, id chat.MessageID, limit int) ([]chat.Message, error) {
	defer d.m.call("discord read")()
	return d.Discord.Before(ctx, c, id, limit)
}

// meteredModel notes when the model is asked.
type meteredModel struct {
	llm.Model
	asked func()
}

func (m meteredModel) Stream(ctx context.Context, r llm.Request) iter.Seq2[llm.Delta, error] {
	m.asked()
	return m.Model.Stream(ctx, r)
}
