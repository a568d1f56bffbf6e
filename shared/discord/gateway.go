package discord

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	"tsumugi/shared/chat"

	"github.com/bwmarrin/discordgo"
)

// Pace of the supervisor.
const (
	backoffFirst = time.Second
	backoffLast  = time.Minute
	askLimit     = 5 * time.Second  // one call of the store
	leaveLimit   = 10 * time.Second // for what was taken to get on the queue at the end
	maxShards    = 1024             // sessions in one process; more is a mistake or malice
	shardTries   = 3                // numbers of shards in a row that Discord itself named and then refused
)

// Gateway holds the sessions with Discord's gateway, one a shard, and hands on what happens. Its fields are set before Run
// and not changed while it runs.
type Gateway struct {
	REST *Client // finds the gateway, reads what was missed, and has the token
	// MessageContent asks for the content of all messages. Without it Discord shows those that mention the bot or reply to
	// it, and direct messages.
	MessageContent bool
	// Shards fixes the number of shards; 0 leaves it to Discord.
	Shards int
	// MaxShards is how many sessions are held at most; where Discord asks for more Run fails before it starts one. 0 for 1,024.
	MaxShards int
	// Before is called when the number of shards is known, and what else can be known without a session. It waits until they
	// may be taken; its error ends Run. May be nil.
	Before func(ctx context.Context, shards int) error
	// Relays keeps sessions and watermarks for the next process, and counts the sessions. It is required.
	Relays chat.Relays
	// Owner is the name of this process in Relays, different in each; "" draws one.
	Owner string
	// OnReady is called when all sessions are ready, and again after each time one was lost. It must not block. May be nil.
	OnReady func(User)
	// OnLost is called when a connection that was ready has ended; the supervisor is about to make another. It must not
	// block. May be nil.
	OnLost func(error)
	// OnShards is called with how many shards are ready, of how many, when that changes. It must not block. May be nil.
	OnShards func(ready, of int)
	// OnInteraction answers the interactions that come over the gateway, several at once, for an application without an
	// endpoint. Its context ends when Discord does not wait any longer. Nil leaves them to an endpoint.
	OnInteraction func(context.Context, chat.Interaction) chat.Answer
	// Dial makes connections to the gateway; nil for the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	starts starts
}

// Run holds the sessions until the context ends, and gives every event to the spool, those of one channel in order. It
// waits where the spool has no room. What the spool did not report done is given again to whoever resumes the session, and
// what no session repeats is read from the channels. When the context ends Run waits ten seconds for the spool to finish
// what it has, so the spool must outlive it, and leaves the sessions to be resumed.
//
// Run returns nil when the context ended. It returns a *Fatal when Discord will not have this bot until somebody changes its
// settings; running it again unchanged would cost the token. With Fatal.Intent it may be run again without MessageContent.
func (g *Gateway) Run(ctx context.Context, spool chat.Spool) error {
	r := &relay{g: g, spool: spool, relays: g.Relays, owner: g.Owner, responder: newResponder(g)}
	defer r.responder.tasks.Wait() // each within three seconds
	if r.relays == nil {
		return errNoRelays
	}
	if r.owner == "" {
		r.owner = rand.Text()
	}
	least, refused := 1, 0
	for {
		began := time.Now()
		n, err := r.number(ctx, least)
		if err == nil {
			err = r.before(ctx, n)
		}
		if err == nil {
			err = r.hold(ctx, n)
		}
		fatal := (*Fatal)(nil)
		switch {
		case errors.As(err, &fatal) && fatal.Code == closeSharding && g.Shards == 0 && n > 0:
			if time.Since(began) >= matureAfter {
				refused = 0 // the bot has grown since
			}
			if refused++; refused > shardTries {
				return newFatal(closeSharding, false)
			}
			slog.WarnContext(ctx, "the bot needs more shards", "shards", n)
			least = n + 1
			if pause(ctx, backoff(refused, backoffYoung)) != nil {
				return nil
			}
		case fatal != nil:
			return fatal
		case ctx.Err() != nil:
			return nil
		default:
			return err
		}
	}
}

var errNoRelays = errors.New("run the gateway: Relays is not set, and sessions that nobody counts may cost the token")

// relay is one run of the gateway.
type relay struct {
	g      *Gateway
	spool  chat.Spool
	relays chat.Relays
	owner  string
	me     User // zero when it was not asked for

	responder *responder
}

// before lets whoever runs the gateway wait for its turn, with everything at hand for a quick beginning.
func (r *relay) before(ctx context.Context, n int) error {
	if r.g.Before == nil {
		return nil
	}
	if me, err := r.g.REST.Me(ctx); err == nil { // else each shard asks for itself
		r.me = me
	}
	return r.g.Before(ctx, n)
}

// number is how many shards there are to be. Discord has refused fewer than least.
func (r *relay) number(ctx context.Context, least int) (int, error) {
	most := cmp.Or(r.g.MaxShards, maxShards)
	if n := r.g.Shards; n > most {
		return 0, tooMany(n, most)
	} else if n > 0 {
		return n, nil
	}
	for fails := 0; ; fails++ {
		info, err := r.g.gateway(ctx)
		var fatal *Fatal
		switch {
		case errors.As(err, &fatal):
			return 0, err
		case err == nil && info.Shards < least: // it would be refused again
			return 0, newFatal(closeSharding, false)
		case err == nil && info.Shards > most:
			return 0, tooMany(info.Shards, most)
		case err == nil:
			return info.Shards, nil
		}
		slog.WarnContext(ctx, "the gateway was not found", "error", err)
		if err := pause(ctx, max(backoff(fails, backoffLast), after(err))); err != nil {
			return 0, err
		}
	}
}

// gateway asks where the gateway is. A token that is not valid is found out here, where it costs no session.
func (g *Gateway) gateway(ctx context.Context) (GatewayInfo, error) {
	info, err := g.REST.Gateway(ctx)
	if unauthorized(err) {
		err = newFatal(closeAuthentication, false)
	}
	return info, err
}

// hold keeps n shards until the context ends or one of them is refused for good.
func (r *relay) hold(ctx context.Context, n int) error {
	states, err := r.inherit(ctx, n)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	b := &board{g: r.g, ready: make([]bool, n)}
	b.begin()
	var shards sync.WaitGroup
	for i := range n {
		s := r.shard(i, n, states[i], b, &r.g.starts)
		shards.Go(func() {
			if err := s.run(ctx); err != nil {
				stop(err)
			}
		})
	}
	shards.Wait()
	if fatal := (*Fatal)(nil); errors.As(context.Cause(ctx), &fatal) {
		return fatal
	}
	return nil
}

// inherit reads what is kept of each of n shards. It waits for a store that is away: without it no session may be started
// either. What was kept under another number of shards fits none of the new ones; its oldest watermark fits all.
func (r *relay) inherit(ctx context.Context, n int) ([]chat.Shard, error) {
	for fails := 0; ; fails++ {
		states, err := r.read(ctx, n)
		if err == nil {
			return states, nil
		}
		slog.WarnContext(ctx, "what relays keep could not be read", "error", err)
		if err := pause(ctx, backoff(fails, backoffLast)); err != nil {
			return nil, err
		}
	}
}

func (r *relay) read(ctx context.Context, n int) ([]chat.Shard, error) {
	var all []chat.Shard
	most := n
	for i := 0; i < min(most, maxShards) || i < n; i++ {
		s, err := r.lookup(ctx, i)
		if err != nil {
			return nil, err
		}
		all, most = append(all, s), max(most, among(s))
	}
	return fit(all, n), nil
}

// among is the number of shards that s was kept among; 0 when nobody knows.
func among(s chat.Shard) int { return max(s.Of, s.Session.Shards) }

// fit makes states for n shards of all that are kept. A process may have ended after it wrote only some of them under a new
// number: one that fits proves nothing for the others.
func fit(all []chat.Shard, n int) []chat.Shard {
	changed := slices.ContainsFunc(all[:n], func(s chat.Shard) bool { return among(s) != 0 && among(s) != n })
	var mark chat.MessageID
	for _, s := range all {
		if s.Watermark != "" && (mark == "" || compareIDs(string(s.Watermark), string(mark)) < 0) {
			mark = s.Watermark
		}
	}
	for i := range all[:n] {
		if changed {
			all[i].Session = chat.Session{}
		}
		if changed || all[i].Watermark == "" {
			all[i].Watermark = mark
		}
	}
	return all[:n]
}

// lookup reads one shard, within bounds.
func (r *relay) lookup(ctx context.Context, n int) (chat.Shard, error) {
	ctx, done := context.WithTimeout(ctx, askLimit)
	defer done()
	return r.relays.Shard(ctx, n)
}

// board knows which shards are ready, and tells when all are.
type board struct {
	g     *Gateway
	mu    sync.Mutex
	ready []bool
}

// begin tells that none is.
func (b *board) begin() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.tell()
}

func (b *board) up(n int, u User) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready[n] = true
	if all := b.tell(); all && b.g.OnReady != nil {
		b.g.OnReady(u)
	}
}

func (b *board) down(n int, err error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.ready[n] = false
	b.tell()
	if b.g.OnLost != nil {
		b.g.OnLost(err)
	}
}

// tell tells how many are ready, and gives whether all are. The lock is held.
func (b *board) tell() bool {
	n := 0
	for _, r := range b.ready {
		if r {
			n++
		}
	}
	if b.g.OnShards != nil {
		b.g.OnShards(n, len(b.ready))
	}
	return n == len(b.ready)
}

// gatewayURL adds version and encoding to an address of the gateway. secure refuses an address without encryption.
func gatewayURL(raw string, secure bool) (string, bool) {
	u, err := url.Parse(raw)
	if err != nil || u.Host == "" || u.Scheme != "wss" && (secure || u.Scheme != "ws") {
		return "", false
	}
	if u.Path == "" {
		u.Path = "/"
	}
	u.RawQuery = url.Values{"v": {"10"}, "encoding": {"json"}}.Encode()
	return u.String(), true
}

// intents are what the sessions ask to hear.
func (g *Gateway) intents() discordgo.Intent {
	i := discordgo.IntentsGuilds | discordgo.IntentsGuildMessages | discordgo.IntentsDirectMessages
	if g.MessageContent {
		i |= discordgo.IntentsMessageContent
	}
	return i
}

// backoff is the pause after n failures in a row, with jitter so that many processes do not come back together.
func backoff(n int, last time.Duration) time.Duration {
	d := min(backoffFirst<<min(n, 10), last)
	return d/2 + mathrand.N(d/2)
}

// after is how long a failed call of Discord asks to wait.
func after(err error) time.Duration {
	var f *chat.Failure
	if errors.As(err, &f) {
		return f.After
	}
	return 0
}

// unauthorized tells whether Discord does not know the token.
func unauthorized(err error) bool {
	var f *chat.Failure
	return errors.As(err, &f) && f.Status == http.StatusUnauthorized && f.Code != codeWebhookToken
}
