package app_test

import (
	"context"
	"errors"
	"math"
	"net/http"
	"strconv"
	"sync"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/kv"
	"tsumugi/shared/queue"
)

// bill counts what AWS would charge for.
type bill struct {
	mu                                         sync.Mutex
	writes, reads                              float64 // request units of DynamoDB
	requests                                   float64 // to SQS
	invocations, gbSeconds, logBytes, recorded float64 // of Lambda, of CloudWatch, of X-Ray
	head                                       int     // bytes of the largest head: above 1,024 each write of it costs twice
	notes                                      []string
}

func (b *bill) add(to *float64, n float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	*to += n
}

// dollars is the sum.
func (b *bill) dollars() float64 {
	return b.writes*priceWriteUnit + b.reads*priceReadUnit + b.requests*priceQueue + b.invocations*priceInvocation +
		b.gbSeconds*priceGBSecond + b.logBytes*priceLogByte + b.recorded*priceTrace
}

// Write counts what is logged, as it is written.
func (b *bill) Write(line []byte) (int, error) {
	b.add(&b.logBytes, float64(len(line)))
	return len(line), nil
}

// invoked makes each call of a handler an invocation of a function of so many MB.
func (b *bill) invoked(mb int, h queue.BatchHandler) queue.BatchHandler {
	return func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		begin := time.Now()
		pass(takesInvocation)
		response, err := h(ctx, e)
		took := math.Ceil(time.Since(begin).Seconds()*1000) / 1000 // billed by the started millisecond
		b.add(&b.gbSeconds, float64(mb)/1024*took)
		b.add(&b.invocations, 1)
		b.add(&b.recorded, sampled)
		b.add(&b.logBytes, platformLog)
		return response, err
	}
}

// billedStore counts request units of a table with the due index, which holds keys alone.
type billedStore struct {
	kv.Driver
	*bill
	writing *sync.Mutex // one write at a time, so that the items before and after it are its own
}

func (s billedStore) Get(ctx context.Context, key kv.Key) (kv.Item, error) {
	pass(takesRead)
	item, err := s.Driver.Get(ctx, key)
	s.read(key.Sort, started(itemSize(item), 4<<10))
	return item, err
}

// BatchGet costs as if each item were read alone.
func (s billedStore) BatchGet(ctx context.Context, keys ...kv.Key) ([]kv.Item, error) {
	pass(takesRead)
	items, err := s.Driver.BatchGet(ctx, keys...)
	units := float64(len(keys) - len(items)) // what is not there is read too
	names := ""
	for _, item := range items {
		units += started(itemSize(item), 4<<10)
	}
	for _, key := range keys {
		names += " " + key.Sort
	}
	s.read(names, units)
	return items, err
}

func (s billedStore) Query(ctx context.Context, q kv.Query) (kv.Page, error) {
	pass(takesRead)
	page, err := s.Driver.Query(ctx, q)
	size := 0
	for _, item := range page.Items {
		size += itemSize(item)
	}
	s.read(q.Prefix, started(size, 4<<10))
	return page, err
}

func (s billedStore) read(what string, units float64) {
	s.add(&s.reads, units)
	s.note("read", what, units)
}

// Write is a plain request for a single operation, and otherwise a transaction, which is written twice: once to prepare it
// and once to commit. A refused condition costs as much; it is judged on an item that had to be found.
func (s billedStore) Write(ctx context.Context, ops ...kv.Op) error {
	transaction := len(ops) > 1 || ops[0].Verb == kv.Check
	if pass(takesWrite); transaction {
		pass(takesTransaction - takesWrite)
	}
	s.writing.Lock()
	defer s.writing.Unlock()
	was := s.items(ops)
	err := s.Driver.Write(ctx, ops...)
	if err != nil && !errors.Is(err, kv.ErrCondition) {
		return err
	}
	is, names := s.items(ops), ""
	units, indexed := 0.0, 0.0
	for i, op := range ops {
		units += started(max(itemSize(was[i]), itemSize(is[i])), 1<<10)
		indexed += indexUnits(was[i], is[i])
		if op.Key.Sort == "head" {
			s.head = max(s.head, itemSize(is[i]))
		}
		names += " " + op.Key.Sort
	}
	if transaction {
		units *= 2
	}
	s.add(&s.writes, units+indexed)
	s.note("write", names, units+indexed)
	return err
}

func (s billedStore) items(ops []kv.Op) []kv.Item {
	items := make([]kv.Item, len(ops))
	for i, op := range ops {
		items[i], _ = s.Driver.Get(context.Background(), op.Key) // absent: the zero item
	}
	return items
}

func (b *bill) note(what, of string, units float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.notes = append(b.notes, what+" "+strconv.FormatFloat(units, 'f', -1, 64)+" "+of)
}

// indexUnits is what the due index takes part in: an entry that comes or goes is a write, one whose key changes is both.
func indexUnits(was, is kv.Item) float64 {
	switch {
	case was.Has(kv.DueAt) != is.Has(kv.DueAt):
		return 1
	case was.Int(kv.DueAt) != is.Int(kv.DueAt):
		return 2
	}
	return 0
}

// started is how many units of the size are begun; at least one.
func started(size, unit int) float64 { return float64(max(1, (size+unit-1)/unit)) }

// itemSize is the size of an item as DynamoDB counts it: names and values, a number as half its digits and one more.
func itemSize(item kv.Item) int {
	if item.Attrs == nil {
		return 0
	}
	size := len("pk") + len(item.Key.Partition) + len("sk") + len(item.Key.Sort)
	if item.Has(kv.DueAt) {
		size += len("duep") + 1 // one digit
	}
	for name, value := range item.Attrs {
		switch v := value.(type) {
		case string:
			size += len(name) + len(v)
		case []byte:
			size += len(name) + len(v)
		case int64:
			size += len(name) + (len(strconv.FormatInt(v, 10))+1)/2 + 1
		}
	}
	return size
}

// billedQueue counts requests. An empty receive is part of the month's.
type billedQueue struct {
	queue.Driver
	*bill
}

func (q billedQueue) request(size int) {
	q.add(&q.requests, started(size, 64<<10))
}

func (q billedQueue) Send(ctx context.Context, name string, m queue.Message) error {
	pass(takesQueue)
	q.request(len(m.Body))
	return q.Driver.Send(ctx, name, m)
}

// SendBatch is one request; the relay's batches are no larger than SQS takes.
func (q billedQueue) SendBatch(ctx context.Context, name string, ms []queue.Message) error {
	pass(takesQueue)
	size := 0
	for _, m := range ms {
		size += len(m.Body)
	}
	q.request(size)
	return queue.SendAll(ctx, q.Driver, name, ms)
}

func (q billedQueue) Receive(ctx context.Context, name string, n int, d time.Duration) ([]queue.Received, error) {
	got, err := q.Driver.Receive(ctx, name, n, d)
	if len(got) > 0 {
		size := 0
		for _, r := range got {
			size += len(r.Body)
		}
		q.request(size)
	}
	return got, err
}

func (q billedQueue) Hide(ctx context.Context, name, receipt string, d time.Duration) error {
	pass(takesQueue)
	q.request(0)
	return q.Driver.Hide(ctx, name, receipt, d)
}

// DeleteBatch is Lambda's own, when a batch is done.
func (q billedQueue) DeleteBatch(ctx context.Context, name string, receipts []string) error {
	q.request(0)
	return queue.DeleteAll(ctx, q.Driver, name, receipts)
}

// faraway is a Discord that takes its time.
type faraway struct{ http.RoundTripper }

// RoundTrip passes the request on.
func (f faraway) RoundTrip(r *http.Request) (*http.Response, error) {
	pass(takesDiscord)
	return f.RoundTripper.RoundTrip(r)
}
