package discord

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"tsumugi/shared/chat"

	"github.com/bwmarrin/discordgo"
)

// User is the bot account.
type User struct {
	ID   chat.UserID
	Name string
}

// Me asks which account the token is of.
func (c *Client) Me(ctx context.Context) (User, error) {
	var u discordgo.User
	err := c.call(ctx, request{op: "read the bot account", method: http.MethodGet, route: "/users/@me", path: "/users/@me"}, &u)
	if err != nil {
		return User{}, err
	}
	me := User{ID: chat.UserID(cleanID(u.ID)), Name: displayName(&u, nil)}
	c.mu.Lock()
	c.self = me
	c.mu.Unlock()
	return me, nil
}

// Self is the bot's own id. It is asked for once.
func (c *Client) Self(ctx context.Context) (chat.UserID, error) {
	c.mu.Lock()
	known := c.self.ID
	c.mu.Unlock()
	if known != "" {
		return known, nil
	}
	me, err := c.Me(ctx)
	return me.ID, err
}

// Application is the application that the bot belongs to.
type Application struct {
	ID   string
	Name string
	// MessageContent tells that the message content intent is switched on in the developer portal.
	MessageContent bool
	// VerifyKey is the public key, in hexadecimal digits, that interactions are signed for.
	VerifyKey string
	// InteractionsURL is where Discord sends interactions; empty when they come over the gateway.
	InteractionsURL string
}

// Flags of an application that stand for the message content intent: granted by a review, or switched on for a bot that
// needs none.
const (
	flagMessageContent        = 1 << 18
	flagMessageContentLimited = 1 << 19
)

const pathApplication = "/applications/@me"

// Application reads the bot's application.
func (c *Client) Application(ctx context.Context) (Application, error) {
	var a struct {
		ID    string  `json:"id"`
		Name  string  `json:"name"`
		Flags int64   `json:"flags"`
		Key   string  `json:"verify_key"`
		URL   *string `json:"interactions_endpoint_url"`
	}
	err := c.call(ctx, request{op: "read the application", method: http.MethodGet, route: pathApplication, path: pathApplication}, &a)
	if err != nil {
		return Application{}, err
	}
	out := Application{ID: cleanID(a.ID), Name: oneLine(a.Name, maxName), VerifyKey: oneLine(a.Key, 100), MessageContent: a.Flags&(flagMessageContent|flagMessageContentLimited) != 0}
	if a.URL != nil {
		out.InteractionsURL = *a.URL
	}
	return out, nil
}

// GatewayInfo is where the gateway is and how often a session may still be started.
type GatewayInfo struct {
	URL            string
	Shards         int           // as Discord recommends
	Total          int           // sessions a day
	Remaining      int           // of them, left
	ResetAfter     time.Duration // until Remaining is Total again
	MaxConcurrency int           // sessions that may start within five seconds
}

// Gateway asks where the gateway is.
func (c *Client) Gateway(ctx context.Context) (GatewayInfo, error) {
	var g struct {
		URL    string `json:"url"`
		Shards int    `json:"shards"`
		Limit  struct {
			Total          int   `json:"total"`
			Remaining      int   `json:"remaining"`
			ResetAfter     int64 `json:"reset_after"`
			MaxConcurrency int   `json:"max_concurrency"`
		} `json:"session_start_limit"`
	}
	const path = "/gateway/bot"
	err := c.call(ctx, request{op: "find the gateway", method: http.MethodGet, route: path, path: path}, &g)
	if err != nil {
		return GatewayInfo{}, err
	}
	return GatewayInfo{
		URL: g.URL, Shards: max(g.Shards, 1), Total: g.Limit.Total, Remaining: g.Limit.Remaining,
		ResetAfter:     time.Duration(min(max(g.Limit.ResetAfter, 0), waitAtMost.Milliseconds())) * time.Millisecond,
		MaxConcurrency: max(g.Limit.MaxConcurrency, 1),
	}, nil
}

// Channel is a channel or thread.
type Channel struct {
	ID     chat.ChannelID
	Guild  string
	Parent chat.ChannelID // of a thread, the channel it is in; of a channel, its category
	Name   string         // empty for direct messages
	Topic  string
	Type   int // as Discord numbers them
	NSFW   bool
}

// Channel reads a channel.
func (c *Client) Channel(ctx context.Context, ch chat.ChannelID) (Channel, error) {
	const op = "read channel"
	if err := id(string(ch)); err != nil {
		return Channel{}, &chat.Failure{Op: op, Kind: chat.Rejected, Err: err}
	}
	var d struct {
		ID     string `json:"id"`
		Guild  string `json:"guild_id"`
		Parent string `json:"parent_id"`
		Name   string `json:"name"`
		Topic  string `json:"topic"`
		Type   int    `json:"type"`
		NSFW   bool   `json:"nsfw"`
	}
	err := c.call(ctx, request{
		op: op, method: http.MethodGet, route: "/channels/{channel}", major: string(ch), path: fmt.Sprintf("/channels/%s", ch),
	}, &d)
	if err != nil {
		return Channel{}, err
	}
	return Channel{
		ID: chat.ChannelID(cleanID(d.ID)), Guild: cleanID(d.Guild), Parent: chat.ChannelID(cleanID(d.Parent)),
		Name: oneLine(d.Name, 100), Topic: text(d.Topic, 1024), Type: d.Type, NSFW: d.NSFW,
	}, nil
}
