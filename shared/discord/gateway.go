package discord

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"time"

	"tsumugi/shared/chat"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"
)

// Pace of the supervisor.
const (
	dialLimit     = 15 * time.Second
	backoffFirst  = time.Second
	backoffLast   = time.Minute
	stableAfter   = time.Minute            // a session this old starts over with the backoff when it ends
	minBeat       = 100 * time.Millisecond // Discord asks for about 41 s; less than this is a mistake or malice
	identifyEvery = 5 * time.Second        // Discord's rule for one shard
	identifyDaily = 500                    // Discord resets the token after 1,000
	readLimit     = 64 << 20               // bytes of one payload
)

// Gateway keeps one session with Discord's gateway and hands on what happens. Its fields are set before Run and not
// changed while it runs.
type Gateway struct {
	REST *Client // finds the gateway, and has the token
	// MessageContent asks for the content of all messages. Without it Discord shows those that mention the bot or reply to
	// it, and direct messages.
	MessageContent bool
	// Shard of Shards; 0 of 0 means the only one.
	Shard, Shards int
	// OnReady is called when a session is ready, and again after each time it was lost. It must not block. May be nil.
	OnReady func(User)
	// OnLost is called when a connection that was ready has ended; the supervisor is about to make another. May be nil.
	OnLost func(error)
	// Dial makes connections to the gateway; nil for the network.
	Dial func(ctx context.Context, network, address string) (net.Conn, error)

	starts []time.Time // of sessions in the last day, the oldest first
}

// session is what a lost connection leaves for its successor.
type session struct {
	id   string
	url  string
	seq  int64
	self User
}

// Run holds a session until the context ends, and gives every event to sink, in order and one at a time. An event that
// sink refuses is offered again with a growing pause, and reading stops when ten thousand wait; only an error of
// chat.Drop gives one up. When the context ends, what was read is still handed on for ten seconds.
//
// Run returns nil when the context ended and all was handed on. It returns a *Fatal when Discord will not have this bot
// until somebody changes its settings; running it again unchanged would cost the token. With Fatal.Intent it may be run
// again without MessageContent.
func (g *Gateway) Run(ctx context.Context, sink func(context.Context, chat.Event) error) error {
	r := newRelay(sink)
	handing, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	left := make(chan error, 1)
	go func() { left <- r.deliver(handing) }()
	err := g.supervise(ctx, r)
	close(r.events)
	defer time.AfterFunc(drainLimit, stop).Stop()
	return errors.Join(err, <-left)
}

// supervise makes one connection after the other.
func (g *Gateway) supervise(ctx context.Context, r *relay) error {
	var s session
	fails := 0
	for {
		readyAt, err := g.connect(ctx, &s, r)
		if ctx.Err() != nil {
			return nil
		}
		var fatal *Fatal
		if errors.As(err, &fatal) {
			return fatal
		}
		if !readyAt.IsZero() {
			if time.Since(readyAt) >= stableAfter {
				fails = 0
			}
			if g.OnLost != nil {
				g.OnLost(err)
			}
		}
		wait := backoff(fails)
		fails++
		var f *chat.Failure
		if errors.As(err, &f) {
			wait = max(wait, f.After)
		}
		if errors.Is(err, errInvalid) {
			wait = max(wait, time.Second+rand.N(4*time.Second)) // as Discord demands
		}
		slog.WarnContext(ctx, "the gateway connection ended", "error", err, "resume", s.id != "", "again", wait.Round(time.Millisecond).String())
		if pause(ctx, wait) != nil {
			return nil
		}
	}
}

// connect holds one connection. It returns when the session on it was ready, and why it ended.
func (g *Gateway) connect(ctx context.Context, s *session, r *relay) (time.Time, error) {
	address, err := g.address(ctx, s)
	if err != nil {
		return time.Time{}, err
	}
	if s.id == "" {
		if err := g.mayIdentify(ctx); err != nil {
			return time.Time{}, err
		}
	}
	dialer := websocket.Dialer{Proxy: http.ProxyFromEnvironment, HandshakeTimeout: dialLimit, NetDialContext: g.Dial}
	ctxDial, done := context.WithTimeout(ctx, dialLimit)
	ws, resp, err := dialer.DialContext(ctxDial, address, http.Header{"User-Agent": {g.REST.agent}})
	done()
	if resp != nil && resp.Body != nil {
		resp.Body.Close()
	}
	if err != nil {
		s.url = "" // the way back may be closed; the front door leads to the session as well
		return time.Time{}, fmt.Errorf("dial the gateway: %w", safeCause(ctx, err))
	}
	ws.SetReadLimit(readLimit)
	ws.SetCloseHandler(func(int, string) error { // to echo 1000 or 1001 would end the session
		_ = ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(closeOurs, ""), time.Now().Add(closeLimit))
		return nil
	})
	l := &link{g: g, ws: ws, s: s, r: r}
	err = l.run(ctx)
	return l.readyAt, explain(err, s, g.MessageContent)
}

// address is where to connect to: back to the session if there is one, else where Discord says.
func (g *Gateway) address(ctx context.Context, s *session) (string, error) {
	if s.id != "" && s.url != "" {
		return s.url, nil
	}
	info, err := g.REST.Gateway(ctx)
	var f *chat.Failure
	if errors.As(err, &f) && f.Status == http.StatusUnauthorized {
		return "", newFatal(closeAuthentication, false)
	}
	if err != nil {
		return "", err
	}
	if s.id == "" && info.Total > 0 && info.Remaining <= 0 {
		slog.ErrorContext(ctx, "Discord allows no new session today", "until", time.Now().Add(info.ResetAfter).UTC().Format(time.RFC3339))
		if err := pause(ctx, info.ResetAfter); err != nil {
			return "", err
		}
	}
	address, ok := gatewayURL(info.URL, false)
	if !ok {
		return "", errors.New("the address of the gateway is not a valid URL")
	}
	return address, nil
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

// mayIdentify waits until a new session may be started.
func (g *Gateway) mayIdentify(ctx context.Context) error {
	now := time.Now()
	for len(g.starts) > 0 && now.Sub(g.starts[0]) >= 24*time.Hour {
		g.starts = g.starts[1:]
	}
	wait := time.Duration(0)
	if n := len(g.starts); n > 0 {
		wait = g.starts[n-1].Add(identifyEvery).Sub(now)
	}
	if len(g.starts) >= identifyDaily {
		wait = max(wait, g.starts[0].Add(24*time.Hour).Sub(now))
		slog.ErrorContext(ctx, "too many gateway sessions in a day; something ends them", "sessions", len(g.starts), "again", wait.String())
	}
	if wait <= 0 {
		return nil
	}
	return pause(ctx, wait)
}

// intents are what the session asks to hear.
func (g *Gateway) intents() discordgo.Intent {
	i := discordgo.IntentsGuilds | discordgo.IntentsGuildMessages | discordgo.IntentsDirectMessages
	if g.MessageContent {
		i |= discordgo.IntentsMessageContent
	}
	return i
}

// backoff is the pause after n failures in a row, with jitter so that many processes do not come back together.
func backoff(n int) time.Duration {
	d := min(backoffFirst<<min(n, 10), backoffLast)
	return d/2 + rand.N(d/2)
}
