package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"

	"tsumugi/shared/chat"

	"github.com/bwmarrin/discordgo"
)

// The routes of messages, with their parameters left out.
const (
	routeMessages = "/channels/{channel}/messages"
	routeMessage  = "/channels/{channel}/messages/{message}"
	routeTyping   = "/channels/{channel}/typing"
)

// Bodies of our own, because discordgo's write null for what is absent.
type (
	createBody struct {
		Content  string    `json:"content,omitempty"`
		Stickers []string  `json:"sticker_ids,omitempty"`
		Nonce    string    `json:"nonce,omitempty"`
		Enforce  bool      `json:"enforce_nonce,omitempty"`
		Mentions mentions  `json:"allowed_mentions"`
		Reply    *replyRef `json:"message_reference,omitempty"`
		Rows     []rowBody `json:"components,omitempty"`
	}
	editBody struct {
		Content  string     `json:"content"`
		Mentions mentions   `json:"allowed_mentions"`
		Rows     *[]rowBody `json:"components,omitempty"`
	}
	// mentions without users notifies nobody. It is part of every create and every edit: what is left out is taken as
	// "everybody".
	mentions struct {
		Parse   []string `json:"parse"`
		Users   []string `json:"users,omitempty"`
		Replied bool     `json:"replied_user"`
	}
	replyRef struct {
		Channel string `json:"channel_id"`
		Message string `json:"message_id"`
		Fail    bool   `json:"fail_if_not_exists"`
	}
)

func nobody() mentions { return mentions{Parse: []string{}} }

// Create posts a message, as chat.Discord says. A reply notifies the author of its target, so p.Ping must be that author
// or empty when p.ReplyTo is set. When Discord refuses the target, the message is sent once more without it: the refusal
// says that nothing happened.
func (c *Client) Create(ctx context.Context, p chat.Post) (chat.Ref, error) {
	const op = "create message"
	if p.As != nil {
		return c.speak(ctx, p)
	}
	body := createBody{Content: p.Content, Nonce: p.Nonce, Enforce: p.Nonce != "", Mentions: nobody(), Rows: rowsOf(p.Rows)}
	if err := errors.Join(id(string(p.Channel)), optionalID(string(p.ReplyTo)), optionalID(string(p.Ping)), optionalID(p.Sticker)); err != nil {
		return chat.Ref{}, &chat.Failure{Op: op, Kind: chat.Rejected, Err: err}
	}
	if p.Sticker != "" {
		body.Stickers = []string{p.Sticker}
	}
	if p.Ping != "" {
		body.Mentions.Users = []string{string(p.Ping)}
		body.Mentions.Replied = p.ReplyTo != ""
	}
	if p.ReplyTo != "" {
		body.Reply = &replyRef{Channel: string(p.Channel), Message: string(p.ReplyTo)}
	}
	if err := c.refused.before(op, p.Channel); err != nil {
		return chat.Ref{}, err
	}
	ctx, done := context.WithTimeout(ctx, chat.Call) // for both attempts
	defer done()
	got, err := c.create(ctx, op, p.Channel, body)
	if body.Reply != nil && refusedTarget(err) {
		body.Reply, body.Mentions.Replied = nil, false
		got, err = c.create(ctx, op, p.Channel, body)
	}
	c.refused.after(p.Channel, err)
	return got, err
}

func (c *Client) create(ctx context.Context, op string, ch chat.ChannelID, body createBody) (chat.Ref, error) {
	var m struct {
		ID string `json:"id"`
	}
	err := c.call(ctx, request{
		op: op, method: http.MethodPost, route: routeMessages, major: string(ch),
		path: fmt.Sprintf("/channels/%s/messages", ch), body: body,
	}, &m)
	if err == nil && !snowflake(m.ID) {
		err = &chat.Failure{Op: op, Kind: chat.Unknown, Status: http.StatusOK, Err: errors.New("the reply names no message")}
	}
	if err != nil {
		return chat.Ref{}, err
	}
	return chat.Ref{Channel: ch, Message: chat.MessageID(m.ID)}, nil
}

// refusedTarget tells whether a create failed for the message it replies to. Unknown message means the target too, or the
// message of an earlier create with this nonce; the second attempt tells them apart.
func refusedTarget(err error) bool {
	var f *chat.Failure
	if !errors.As(err, &f) {
		return false
	}
	var bad *refusal
	return f.Code == codeUnknownMessage || f.Code == codeNoHistory ||
		f.Code == codeInvalidForm && errors.As(err, &bad) && slices.Contains(bad.fields, "message_reference")
}

// Edit replaces what a message of ours shows, and notifies nobody.
func (c *Client) Edit(ctx context.Context, m chat.Ref, s chat.Shown) error {
	const op = "edit message"
	if err := errors.Join(id(string(m.Channel)), id(string(m.Message)), optionalID(string(m.Hook))); err != nil {
		return &chat.Failure{Op: op, Kind: chat.Rejected, Err: err}
	}
	body := editBody{Content: s.Content, Mentions: nobody()}
	if s.Rows != nil {
		rows := rowsOf(s.Rows)
		body.Rows = &rows
	}
	if m.Hook != "" {
		return c.byHook(ctx, op, http.MethodPatch, m, body)
	}
	return c.call(ctx, request{
		op: op, method: http.MethodPatch, route: routeMessage, major: string(m.Channel),
		path: fmt.Sprintf("/channels/%s/messages/%s", m.Channel, m.Message), body: body,
	}, nil)
}

// Delete removes a message of ours. A message or channel that is gone already is fine.
func (c *Client) Delete(ctx context.Context, m chat.Ref) error {
	const op = "delete message"
	if err := errors.Join(id(string(m.Channel)), id(string(m.Message)), optionalID(string(m.Hook))); err != nil {
		return &chat.Failure{Op: op, Kind: chat.Rejected, Err: err}
	}
	if m.Hook != "" {
		err := c.byHook(ctx, op, http.MethodDelete, m, nil)
		switch chat.FailureOf(err) {
		case chat.Vanished:
			return nil
		case chat.NoHook: // the account itself can, where it may delete the messages of others
		default:
			return err
		}
	}
	err := c.call(ctx, request{
		op: op, method: http.MethodDelete, route: routeMessage, major: string(m.Channel),
		path: fmt.Sprintf("/channels/%s/messages/%s", m.Channel, m.Message),
	}, nil)
	if chat.FailureOf(err) == chat.Vanished {
		return nil
	}
	return err
}

// Typing shows the typing sign for ten seconds.
func (c *Client) Typing(ctx context.Context, ch chat.ChannelID) error {
	const op = "show typing"
	if err := id(string(ch)); err != nil {
		return &chat.Failure{Op: op, Kind: chat.Rejected, Err: err}
	}
	if err := c.refused.before(op, ch); err != nil {
		return err
	}
	if c.limits.all.known() >= someTogether { // an ornament can wait for ever
		return &chat.Failure{Op: op, Kind: chat.Throttled, After: strainWait, Err: errStrained}
	}
	return c.call(ctx, request{
		op: op, method: http.MethodPost, route: routeTyping, major: string(ch), path: fmt.Sprintf("/channels/%s/typing", ch),
	}, nil)
}

// Before reads up to limit messages older than the message, the newest last; the newest of all when it is "".
func (c *Client) Before(ctx context.Context, ch chat.ChannelID, m chat.MessageID, limit int) ([]chat.Message, error) {
	if m == "" {
		return c.read(ctx, ch, "", "", limit)
	}
	return c.read(ctx, ch, "before", m, limit)
}

// After reads up to limit messages newer than the message, the newest last; from the channel's beginning when it is "".
func (c *Client) After(ctx context.Context, ch chat.ChannelID, m chat.MessageID, limit int) ([]chat.Message, error) {
	if m == "" {
		m = "0"
	}
	return c.read(ctx, ch, "after", m, limit)
}

func (c *Client) read(ctx context.Context, ch chat.ChannelID, side string, m chat.MessageID, limit int) ([]chat.Message, error) {
	ctx, done := context.WithTimeout(ctx, chat.Call)
	defer done()
	if err := errors.Join(id(string(ch)), optionalID(string(m))); err != nil {
		return nil, &chat.Failure{Op: opRead, Kind: chat.Rejected, Err: err}
	}
	us, err := c.Self(ctx)
	if err != nil {
		return nil, err
	}
	ms, _, err := c.page(ctx, ch, side, m, limit, us)
	if err != nil {
		return nil, err
	}
	return ToMessages(ms, us), nil
}

const opRead = "read messages"

// page reads messages of a channel in Discord's words, in the order in which it gives them, and how many there were with
// those that were not understood.
func (c *Client) page(ctx context.Context, ch chat.ChannelID, side string, m chat.MessageID, limit int, us chat.UserID) ([]*discordgo.Message, int, error) {
	if err := errors.Join(id(string(ch)), optionalID(string(m))); err != nil {
		return nil, 0, &chat.Failure{Op: opRead, Kind: chat.Rejected, Err: err}
	}
	path := fmt.Sprintf("/channels/%s/messages?limit=%d", ch, min(max(limit, 1), 100))
	if side != "" {
		path += fmt.Sprintf("&%s=%s", side, m)
	}
	var raw []json.RawMessage
	err := c.call(ctx, request{op: opRead, method: http.MethodGet, route: routeMessages, major: string(ch), path: path}, &raw)
	if err != nil {
		return nil, 0, err
	}
	ms := make([]*discordgo.Message, 0, len(raw))
	for _, r := range raw {
		msg, err := Decode(r)
		if err != nil {
			slog.WarnContext(ctx, "a message of the history was not understood", "error", err)
			continue
		}
		if err := c.claim(ctx, msg, r, us); err != nil {
			return nil, 0, err
		}
		ms = append(ms, msg)
	}
	return ms, len(raw), nil
}

// activeThreads reads the threads of a guild that are not archived and have messages.
func (c *Client) activeThreads(ctx context.Context, guild string) ([]room, error) {
	const op = "read active threads"
	if err := id(guild); err != nil {
		return nil, &chat.Failure{Op: op, Kind: chat.Rejected, Err: err}
	}
	var d struct {
		Threads []roomData `json:"threads"`
	}
	err := c.call(ctx, request{
		op: op, method: http.MethodGet, route: "/guilds/{guild}/threads/active", major: guild, path: fmt.Sprintf("/guilds/%s/threads/active", guild),
	}, &d)
	return roomsOf(d.Threads), err
}

func optionalID(s string) error {
	if s == "" {
		return nil
	}
	return id(s)
}
