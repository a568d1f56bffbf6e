package app_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/kv"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
)

// errDead is what a dead invocation hears. Nobody acts on it: whatever it does next has no effect either.
var errDead = errors.New("this worker is dead")

// errServer is an accident of a port that its caller survives.
var errServer = errors.New("the connection was lost")

// invocation is one call of a handler or of the sweeper: what dies when a worker dies. Its calls carry it in their context,
// also those that outlive the context's end.
type invocation struct {
	name   string
	job    chat.Job // of the message, on turns and replies
	cancel context.CancelCauseFunc
	dead   atomic.Bool
	thaws  atomic.Int64 // when it goes on that stands still, in Unix milliseconds
}

type invocationKey struct{}

func invocationOf(ctx context.Context) *invocation {
	inv, _ := ctx.Value(invocationKey{}).(*invocation)
	if inv == nil {
		inv = &invocation{name: "event source", cancel: func(error) {}}
	}
	return inv
}

func (inv *invocation) die() {
	inv.dead.Store(true)
	inv.cancel(errDead)
}

// accident is what happens to one call of a run.
type accident struct {
	at    int  // the call that it happens to, from 1
	after bool // after the call's effect, not before it
	fail  bool // the caller lives on and hears an error
	stall bool // the caller stands still for so long that others take it for dead, and then goes on
}

// stalled is how long a worker stands still: its beat is dead by then, and its message has been delivered again.
const stalled = 100 * time.Second

// ports counts every call of a port and lets the accidents happen.
type ports struct {
	mu      sync.Mutex
	calls   []string
	what    []accident
	happens func(name string) bool // which calls are counted; nil: all
	hit     string                 // the calls they happened to
	counted int
	idle    func() bool // nothing waits in any queue
}

// call makes one call of a port on behalf of the context's invocation.
func (p *ports) call(ctx context.Context, name string, do func() error) error {
	inv := invocationOf(ctx)
	inv.stand(name)
	if inv.dead.Load() {
		return errDead
	}
	p.mu.Lock()
	full := inv.name + ": " + name
	p.calls = append(p.calls, full)
	var a accident
	if p.happens == nil || p.happens(full) {
		p.counted++
		if i := slices.IndexFunc(p.what, func(a accident) bool { return a.at == p.counted }); i >= 0 {
			a = p.what[i]
			p.hit = strings.TrimPrefix(p.hit+", "+full, ", ")
		}
	}
	p.mu.Unlock()
	if a.at > 0 && !a.after && (!a.stall || !strings.Contains(name, "message")) {
		if err := a.strike(inv); err != nil {
			return err
		}
		inv.stand(name)
		a = accident{}
	}
	if err := do(); err != nil || a.at == 0 {
		return err
	}
	err := a.strike(inv)
	inv.stand("")
	return err
}

// stand waits until a worker that stands still goes on. A call of Discord follows at once on the look at the own beat, as
// the protocol demands of it, so nothing comes between.
func (inv *invocation) stand(name string) {
	if d := time.Until(time.UnixMilli(inv.thaws.Load())); d > 0 && !strings.Contains(name, "message") {
		pass(d)
	}
}

func (a accident) strike(inv *invocation) error {
	switch {
	case a.stall:
		inv.thaws.Store(time.Now().Add(stalled).UnixMilli())
		return nil
	case a.fail:
		return errServer
	}
	inv.die()
	return errDead
}

// told makes a call that has a result.
func told[T any](ctx context.Context, p *ports, name string, do func() (T, error)) (T, error) {
	var got T
	err := p.call(ctx, name, func() (err error) {
		got, err = do()
		return err
	})
	if err != nil {
		var none T
		return none, err
	}
	return got, nil
}

// storePort is the kv driver as workers reach it.
type storePort struct {
	kv.Driver
	p *ports
}

func (s storePort) Get(ctx context.Context, k kv.Key) (kv.Item, error) {
	return told(ctx, s.p, "kv get", func() (kv.Item, error) { return s.Driver.Get(ctx, k) })
}

func (s storePort) BatchGet(ctx context.Context, keys ...kv.Key) ([]kv.Item, error) {
	return told(ctx, s.p, "kv batch get", func() ([]kv.Item, error) { return s.Driver.BatchGet(ctx, keys...) })
}

func (s storePort) Query(ctx context.Context, q kv.Query) (kv.Page, error) {
	return told(ctx, s.p, "kv query", func() (kv.Page, error) { return s.Driver.Query(ctx, q) })
}

func (s storePort) Due(ctx context.Context, space string, before time.Time, limit int) ([]kv.Item, error) {
	return told(ctx, s.p, "kv due", func() ([]kv.Item, error) { return s.Driver.Due(ctx, space, before, limit) })
}

func (s storePort) Write(ctx context.Context, ops ...kv.Op) error {
	return s.p.call(ctx, "kv write "+ops[0].Key.Sort, func() error { return s.Driver.Write(ctx, ops...) })
}

// queuePort is the queues as workers and event sources reach them.
type queuePort struct {
	queue.Driver
	p *ports
}

func (q queuePort) Send(ctx context.Context, name string, m queue.Message) error {
	return q.p.call(ctx, "send to "+name, func() error { return q.Driver.Send(ctx, name, m) })
}

func (q queuePort) Hide(ctx context.Context, name, receipt string, d time.Duration) error {
	return q.p.call(ctx, "hide in "+name, func() error { return q.Driver.Hide(ctx, name, receipt, d) })
}

func (q queuePort) Delete(ctx context.Context, name, receipt string) error {
	return q.p.call(ctx, "delete from "+name, func() error { return q.Driver.Delete(ctx, name, receipt) })
}

// Receive is a place for an accident only while there are messages: a poll of empty queues harms nothing.
func (q queuePort) Receive(ctx context.Context, name string, max int, d time.Duration) ([]queue.Received, error) {
	if q.p.idle() {
		return q.Driver.Receive(ctx, name, max, d)
	}
	return told(ctx, q.p, "receive from "+name, func() ([]queue.Received, error) { return q.Driver.Receive(ctx, name, max, d) })
}

// tracked is the queues beneath every accident. It knows what is outstanding.
type tracked struct {
	queue.Driver

	mu       sync.Mutex
	seen     map[string]time.Time // end of the window of each deduplication id
	waiting  map[string]int       // messages by queue and deduplication id that are not deleted
	receipts map[string]string    // receipt → message
	letters  map[string]bool      // messages that came out of a dead-letter queue
}

func track(d queue.Driver) *tracked {
	return &tracked{Driver: d, seen: map[string]time.Time{}, waiting: map[string]int{}, receipts: map[string]string{}, letters: map[string]bool{}}
}

func (q *tracked) Send(ctx context.Context, name string, m queue.Message) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if err := q.Driver.Send(ctx, name, m); err != nil {
		return err
	}
	key, now := name+" "+m.Dedup, time.Now()
	if now.Before(q.seen[key]) {
		return nil
	}
	q.seen[key] = now.Add(queue.Window)
	q.waiting[key]++
	return nil
}

func (q *tracked) Receive(ctx context.Context, name string, max int, d time.Duration) ([]queue.Received, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	got, err := q.Driver.Receive(ctx, name, max, d)
	for _, r := range got {
		live := strings.TrimSuffix(name, queue.DeadSuffix)
		q.receipts[name+" "+r.Receipt] = live + " " + r.Dedup
		if live != name {
			q.letters[r.Dedup] = true
		}
	}
	return got, err
}

func (q *tracked) Delete(ctx context.Context, name, receipt string) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	err := q.Driver.Delete(ctx, name, receipt)
	if key := q.receipts[name+" "+receipt]; err == nil && q.waiting[key] > 0 {
		if q.waiting[key]--; q.waiting[key] == 0 {
			delete(q.waiting, key)
		}
	}
	return err
}

// message names the message of a receipt.
func (q *tracked) message(name, receipt string) string {
	q.mu.Lock()
	defer q.mu.Unlock()
	return q.receipts[name+" "+receipt]
}

// empty tells whether every message that was sent has been deleted.
func (q *tracked) empty() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.waiting) == 0
}

// clumsy is queues whose first deletion or hiding of each message goes wrong, before it is done or after it.
type clumsy struct {
	queue.Driver
	message func(name, receipt string) string
	deletes queuetest.Accident
	hides   queuetest.Accident

	mu   sync.Mutex
	done map[string]bool
}

func (c *clumsy) first(what, name, receipt string) bool {
	key := what + " " + c.message(name, receipt)
	c.mu.Lock()
	defer c.mu.Unlock()
	again := c.done[key]
	c.done[key] = true
	return !again
}

func (c *clumsy) mishap(a queuetest.Accident, first bool, do func() error) error {
	if first && a == queuetest.Before {
		return errServer
	}
	if err := do(); err != nil || !first || a == queuetest.Fine {
		return err
	}
	return errServer
}

func (c *clumsy) Delete(ctx context.Context, name, receipt string) error {
	return c.mishap(c.deletes, c.first("delete", name, receipt), func() error { return c.Driver.Delete(ctx, name, receipt) })
}

func (c *clumsy) Hide(ctx context.Context, name, receipt string, d time.Duration) error {
	return c.mishap(c.hides, c.first("hide", name, receipt), func() error { return c.Driver.Hide(ctx, name, receipt, d) })
}

// discordPort is Discord as turns reach it.
type discordPort struct {
	chat.Discord
	p *ports
}

func (d discordPort) Create(ctx context.Context, post chat.Post) (chat.Ref, error) {
	return told(ctx, d.p, "create message", func() (chat.Ref, error) { return d.Discord.Create(ctx, post) })
}

func (d discordPort) Edit(ctx context.Context, m chat.Ref, s chat.Shown) error {
	return d.p.call(ctx, "edit message", func() error { return d.Discord.Edit(ctx, m, s) })
}

func (d discordPort) Delete(ctx context.Context, m chat.Ref) error {
	return d.p.call(ctx, "delete message", func() error { return d.Discord.Delete(ctx, m) })
}

func (d discordPort) Mask(ctx context.Context, c chat.ChannelID) error {
	return d.p.call(ctx, "wear a face", func() error { return d.Discord.Mask(ctx, c) })
}

func (d discordPort) Typing(ctx context.Context, c chat.ChannelID) error {
	return d.p.call(ctx, "show typing", func() error { return d.Discord.Typing(ctx, c) })
}

func (d discordPort) Before(ctx context.Context, c chat.ChannelID, m chat.MessageID, limit int) ([]chat.Message, error) {
	return told(ctx, d.p, "read messages", func() ([]chat.Message, error) { return d.Discord.Before(ctx, c, m, limit) })
}

func (d discordPort) After(ctx context.Context, c chat.ChannelID, m chat.MessageID, limit int) ([]chat.Message, error) {
	return told(ctx, d.p, "read messages", func() ([]chat.Message, error) { return d.Discord.After(ctx, c, m, limit) })
}

func (d discordPort) Expressions(ctx context.Context, guild string) (chat.Expressions, error) {
	return told(ctx, d.p, "read expressions", func() (chat.Expressions, error) { return d.Discord.Expressions(ctx, guild) })
}

// wire is the HTTP connection to Discord. Its n-th call is done and then answered with a 500, where n is not 0. The next
// create may be slow: it reaches Discord late, whether or not its caller still waits.
type wire struct {
	http.RoundTripper
	n        int64
	calls    atomic.Int64
	late     atomic.Int64 // nanoseconds
	lateEdit atomic.Int64 // of the next edit: its connection breaks at once, and it lands so late
	landing  sync.WaitGroup
}

// RoundTrip makes a call.
func (w *wire) RoundTrip(r *http.Request) (*http.Response, error) {
	resp, err := w.carry(r)
	if w.calls.Add(1) != w.n || err != nil {
		return resp, err
	}
	resp.Body.Close()
	resp.StatusCode, resp.Status = http.StatusInternalServerError, "500 Internal Server Error"
	resp.Body = io.NopCloser(bytes.NewReader([]byte(`{"message": "500: Internal Server Error", "code": 0}`)))
	return resp, nil
}

func (w *wire) carry(r *http.Request) (*http.Response, error) {
	if r.Method == http.MethodPatch && w.lateEdit.Load() != 0 {
		late := time.Duration(w.lateEdit.Swap(0))
		body, _ := io.ReadAll(r.Body)
		w.landing.Go(func() {
			pass(late)
			q := r.Clone(context.WithoutCancel(r.Context()))
			q.Body = io.NopCloser(bytes.NewReader(body))
			resp, err := w.RoundTripper.RoundTrip(q)
			if err == nil {
				resp.Body.Close()
			}
		})
		return nil, io.ErrUnexpectedEOF
	}
	create := r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "/messages")
	if !create || w.late.Load() == 0 {
		return w.RoundTripper.RoundTrip(r)
	}
	late := time.Duration(w.late.Swap(0))
	type answer struct {
		resp *http.Response
		err  error
	}
	landed := make(chan answer, 1)
	w.landing.Go(func() {
		pass(late)
		resp, err := w.RoundTripper.RoundTrip(r.WithContext(context.WithoutCancel(r.Context())))
		landed <- answer{resp, err}
	})
	select {
	case a := <-landed:
		return a.resp, a.err
	case <-r.Context().Done():
		return nil, r.Context().Err()
	}
}

// names lists the calls so far.
func (p *ports) names() []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.calls)
}
