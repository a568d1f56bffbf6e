package discord

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

// DefaultBaseURL is Discord's REST API in the version that this package speaks.
const DefaultBaseURL = "https://discord.com/api/v10"

// maxReply bounds the body of a reply in bytes. A hundred messages with embeds are far below.
const maxReply = 8 << 20

// Options of a Client.
type Options struct {
	Token string // the bot's token, without "Bot "
	// Current gives the token in place of Token, where it may change while the process runs: for "" the current one, and for
	// one that Discord refused another, or the same when there is no other. It must be quick but for the latter.
	Current    func(ctx context.Context, refused string) (string, error)
	BaseURL    string        // default DefaultBaseURL
	HTTPClient *http.Client  // default: one of its own; redirects are never followed, they would carry the token elsewhere
	Version    string        // of Tsumugi, for the User-Agent that Discord demands
	Site       string        // where Tsumugi lives, for the same header
	Invalids   chat.Invalids // counts refused requests with other processes; nil: there are none
	Self       chat.UserID   // the bot's own id when it is known; otherwise it is asked for when it is first needed

	Hooks  guild.Hooks  // keeps the webhooks that faces are worn with; nil: none are
	Sealer guild.Sealer // keeps their tokens
}

// Client speaks REST with Discord as the bot account. It implements chat.Discord and is safe for concurrent use.
//
// A call takes chat.Call at most, the wait for a rate limit included. It is sent once: there is no hidden repetition, but of
// what was refused for its token alone, and Amend's. A wait that would not end in time is not begun; the call fails with
// Throttled and says when it may be tried.
type Client struct {
	base    string
	current func(ctx context.Context, refused string) (string, error)
	agent   string
	http    *http.Client
	limits  *limits
	clock   clock

	refused     refused
	forbidden   forbidden
	hooks       hooks
	expressions expressions

	mu          sync.Mutex
	self        User
	application string // its id; "" until it was needed
}

var (
	_ chat.Discord = (*Client)(nil)
	_ chat.Pacer   = (*Client)(nil)
)

// New makes a client. It makes no call.
func New(o Options) *Client {
	h := &http.Client{}
	if o.HTTPClient != nil {
		*h = *o.HTTPClient
	}
	h.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	l := newLimits()
	l.all.count = o.Invalids
	if o.Current == nil {
		o.Current = constant(o.Token)
	}
	return &Client{
		base:    strings.TrimRight(cmp.Or(o.BaseURL, DefaultBaseURL), "/"),
		current: o.Current,
		agent:   fmt.Sprintf("DiscordBot (%s, %s)", cmp.Or(o.Site, "https://tsumugi.invalid"), cmp.Or(o.Version, "dev")),
		http:    h,
		limits:  l,
		self:    User{ID: o.Self},

		refused:   refused{until: map[chat.ChannelID]refusedChannel{}},
		forbidden: forbidden{channels: map[chat.ChannelID]struct{}{}},
		hooks:     hooks{keep: o.Hooks, sealer: o.Sealer, known: map[chat.ChannelID]knownHook{}, spoken: map[chat.ChannelID][]time.Time{}},
	}
}

// request is one call of the API.
type request struct {
	op     string // for errors
	method string
	route  string // the path with its parameters left out; rate limits go by it
	major  string // the parameter that Discord counts apart: the channel, or what stands for a token
	path   string // the path as called, query included
	body   any    // nil for none
	files  []chat.File
}

// once makes the request with the token, or without any where the path has a secret of its own. Its error is a *chat.Failure.
func (c *Client) once(ctx context.Context, r request, token string, out any) error {
	q, err := c.prepare(ctx, r, token)
	if err != nil {
		return &chat.Failure{Op: r.op, Kind: chat.Rejected, Err: err}
	}
	if ctx.Err() != nil {
		return &chat.Failure{Op: r.op, Kind: chat.Throttled, Err: context.Cause(ctx)}
	}
	c.limits.all.look(ctx)
	grant, after, err := c.limits.enter(ctx, r.method, r.route, r.major)
	if err != nil {
		return &chat.Failure{Op: r.op, Kind: chat.Throttled, After: after, Err: err}
	}
	resp, err := c.http.Do(q)
	if err != nil {
		grant.leave(0, nil, rebuff{})
		return lostCall(ctx, r.op, err)
	}
	defer resp.Body.Close()
	c.clock.hear(resp.Header)
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxReply+1))
	if err == nil && len(body) > maxReply {
		err = fmt.Errorf("the reply is longer than %d bytes", maxReply)
	}
	reb := readRebuff(resp, body)
	if grant.leave(resp.StatusCode, resp.Header, reb) {
		c.limits.all.note(ctx)
	}
	if resp.StatusCode >= 300 {
		return reb.failure(r.op)
	}
	if err != nil {
		return &chat.Failure{Op: r.op, Kind: chat.Unknown, Status: resp.StatusCode, Err: safeCause(ctx, err)}
	}
	if out == nil {
		return nil
	}
	if err := json.Unmarshal(body, out); err != nil {
		return &chat.Failure{Op: r.op, Kind: chat.Unknown, Status: resp.StatusCode, Err: errors.New("the reply is not what was expected")}
	}
	return nil
}

// prepare builds the HTTP request. Its errors are about the arguments, so they would come again.
func (c *Client) prepare(ctx context.Context, r request, token string) (*http.Request, error) {
	var body io.Reader
	kind := "application/json"
	if r.body != nil {
		b, err := json.Marshal(r.body)
		if err == nil && len(r.files) > 0 {
			b, kind, err = multipartBody(b, r.files)
		}
		if err != nil {
			return nil, err
		}
		body = bytes.NewReader(b)
	}
	q, err := http.NewRequestWithContext(ctx, r.method, c.base+r.path, body)
	if err != nil {
		return nil, errors.New("the address of the API is not a valid URL")
	}
	if token != "" {
		q.Header.Set("Authorization", "Bot "+token)
	}
	q.Header.Set("User-Agent", c.agent)
	if r.body != nil {
		q.Header.Set("Content-Type", kind)
	}
	return q, nil
}

// EditWait tells how long an edit of the message would have to wait now; 0 when it may go. It speaks for the edits that
// may be skipped, so it leaves the last place of the bucket to an edit that may not. It is a hint and makes no call.
func (c *Client) EditWait(m chat.Ref) time.Duration {
	if m.Hook != "" {
		return c.limits.hint(http.MethodPatch, routeHookMessage, string(m.Hook))
	}
	return c.limits.hint(http.MethodPatch, routeMessage, string(m.Channel))
}

// id checks a snowflake before it becomes part of a path.
func id(s string) error {
	if !snowflake(s) {
		return errors.New("an id is not a snowflake")
	}
	return nil
}
