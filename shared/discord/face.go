package discord

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/bwmarrin/discordgo"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

// faceBody is a message with a face. It cannot reply, and has no nonce.
type faceBody struct {
	Content  string    `json:"content"`
	Name     string    `json:"username"`
	Avatar   string    `json:"avatar_url,omitempty"`
	Mentions mentions  `json:"allowed_mentions"`
	Rows     []rowBody `json:"components,omitempty"`
}

var errMoved = errors.New("the webhook was moved to another channel")

// speak posts a message with a face. A webhook that is gone is made again, once. What Discord refuses of the face is left out: the
// refusal says that nothing happened.
func (c *Client) speak(ctx context.Context, p chat.Post) (chat.Ref, error) {
	const op = "create message"
	if err := errors.Join(id(string(p.Channel)), optionalID(string(p.Ping))); err != nil {
		return chat.Ref{}, &chat.Failure{Op: op, Kind: chat.Rejected, Err: err}
	}
	body := faceBody{Content: p.Content, Name: FaceName(p.As.Name), Avatar: publicURL(p.As.Avatar), Mentions: nobody(), Rows: rowsOf(p.Rows)}
	if p.Ping != "" {
		body.Mentions.Users = []string{string(p.Ping)}
	}
	ctx, done := context.WithTimeout(ctx, chat.Call) // for all of it
	defer done()
	for gone := chat.HookID(""); ; {
		k, err := c.hook(ctx, p.Channel, gone)
		if err != nil {
			return chat.Ref{}, err
		}
		ref, err := c.execute(ctx, op, p.Channel, k, body)
		switch {
		case !hookGone(err) && !errors.Is(err, errMoved):
			return ref, err
		case gone != "":
			return chat.Ref{}, noHook(op, codeUnknownHook, err)
		}
		gone = k.ID
	}
}

// execute posts through a webhook.
func (c *Client) execute(ctx context.Context, op string, ch chat.ChannelID, k knownHook, body faceBody) (chat.Ref, error) {
	token, err := c.open(ctx, k)
	if err != nil {
		return chat.Ref{}, before(op, err)
	}
	r := request{op: op, method: http.MethodPost, route: routeHookSay, major: string(k.ID),
		path: fmt.Sprintf("/webhooks/%s/%s?wait=true%s", k.ID, token, threadOf(ch, k.Parent, "&"))}
	var m struct {
		ID      string `json:"id"`
		Channel string `json:"channel_id"`
	}
	for {
		if err := c.crowded(ctx, op, k.Parent); err != nil {
			return chat.Ref{}, err
		}
		r.body = body
		err = c.once(ctx, r, "", &m)
		if !c.plainer(&body, err) {
			break
		}
	}
	switch {
	case err != nil:
		return chat.Ref{}, err
	case !snowflake(m.ID):
		return chat.Ref{}, &chat.Failure{Op: op, Kind: chat.Unknown, Status: http.StatusOK, Err: errors.New("the reply names no message")}
	case m.Channel != "" && m.Channel != string(ch):
		r.method, r.route, r.body = http.MethodDelete, routeHookMessage, nil
		r.path = fmt.Sprintf("/webhooks/%s/%s/messages/%s", k.ID, token, m.ID)
		_ = c.once(ctx, r, "", nil) // it was not for those who are there
		return chat.Ref{}, errMoved
	}
	return chat.Ref{Channel: ch, Message: chat.MessageID(m.ID), Hook: k.ID}, nil
}

// plainer makes the face one that Discord takes, if it was refused for that; false when there is nothing to change.
func (c *Client) plainer(body *faceBody, err error) bool {
	var f *chat.Failure
	var bad *refusal
	if !errors.As(err, &f) || f.Code != codeInvalidForm || !errors.As(err, &bad) {
		return false
	}
	switch {
	case slices.Contains(bad.fields, "username") && body.Name != plainName:
		body.Name = plainName
	case slices.Contains(bad.fields, "avatar_url") && body.Avatar != "":
		body.Avatar = ""
	default:
		return false
	}
	return true
}

// threadOf names the thread of the webhook's channel that a call is for.
func threadOf(ch, parent chat.ChannelID, sep string) string {
	if parent == ch || parent == "" {
		return ""
	}
	return sep + "thread_id=" + string(ch)
}

// open gives the token of a webhook. One that cannot be opened any more is as good as gone.
func (c *Client) open(ctx context.Context, k knownHook) (string, error) {
	token, err := c.hooks.sealer.Open(ctx, guild.HookContext(k.Parent), k.Token)
	if errors.Is(err, guild.ErrUnsealable) || err == nil && !tokenShaped(token) {
		return "", noHook("open the webhook", codeWebhookToken, err)
	}
	return token, err
}

// byHook changes a message through the webhook that posted it. It makes none: another one could not.
func (c *Client) byHook(ctx context.Context, op, method string, m chat.Ref, body any) error {
	ctx, done := context.WithTimeout(ctx, chat.Call)
	defer done()
	if c.hooks.keep == nil {
		return noHook(op, 0, nil)
	}
	k, ok := c.hooks.get(m.Channel)
	if !ok || k.ID != m.Hook {
		parent, kept, err := c.kept(ctx, m.Channel)
		if err == nil && parent == "" {
			parent, err = c.parent(ctx, m.Channel)
		}
		if err != nil {
			return before(op, err)
		}
		if k = kept; k.ID != "" {
			c.hooks.note(m.Channel, k.Hook)
		}
		k.Parent = parent
	}
	if k.ID == m.Hook {
		token, err := c.open(ctx, k)
		if err == nil {
			err = c.change(ctx, op, method, m, k.Parent, token, body)
		} else {
			err = before(op, err)
		}
		if !hookGone(err) {
			return err
		}
	}
	token, err := c.hookToken(ctx, m.Hook)
	if err != nil {
		return before(op, err)
	}
	if err = c.change(ctx, op, method, m, k.Parent, token, body); hookGone(err) {
		return noHook(op, codeUnknownHook, err)
	}
	return err
}

// change makes one call about a message of a webhook.
func (c *Client) change(ctx context.Context, op, method string, m chat.Ref, parent chat.ChannelID, token string, body any) error {
	return c.once(ctx, request{op: op, method: method, route: routeHookMessage, major: string(m.Hook), body: body,
		path: fmt.Sprintf("/webhooks/%s/%s/messages/%s%s", m.Hook, token, m.Message, threadOf(m.Channel, parent, "?"))}, "", nil)
}

// hookToken asks for the token of a webhook that is another than the one that is kept. NoHook when it is gone, or not ours to use.
func (c *Client) hookToken(ctx context.Context, hook chat.HookID) (string, error) {
	const op = "read webhook"
	var h hookData
	err := c.call(ctx, request{op: op, method: http.MethodGet, route: routeHook, major: string(hook), path: "/webhooks/" + string(hook)}, &h)
	var f *chat.Failure
	switch {
	case errors.As(err, &f) && f.Kind == chat.Rejected:
		return "", noHook(op, f.Code, f.Err)
	case err != nil:
		return "", err
	case !usable(h):
		return "", noHook(op, codeUnknownHook, nil)
	}
	return h.Token, nil
}

// claim makes a message of a webhook of our application ours, and so the one that it replies to: they get our account as author.
// The application is asked for when somebody's webhook message is first met.
func (c *Client) claim(ctx context.Context, m *discordgo.Message, raw []byte, us chat.UserID) error {
	if m.WebhookID == "" && (m.ReferencedMessage == nil || m.ReferencedMessage.WebhookID == "") {
		return nil
	}
	app, err := c.applicationID(ctx)
	if err != nil {
		return err
	}
	Claim(m, raw, us, app)
	return nil
}

// Claim is that where both ids are known. raw is the message as Discord sent it. It is pure.
func Claim(m *discordgo.Message, raw []byte, us chat.UserID, application string) {
	var by struct {
		Application string `json:"application_id"`
		Referenced  *struct {
			Application string `json:"application_id"`
		} `json:"referenced_message"`
	}
	if us == "" || application == "" || json.Unmarshal(flat(raw), &by) != nil {
		return
	}
	own := func(m *discordgo.Message, by string) {
		if m.WebhookID != "" && by == application {
			if m.WebhookID == application { // an answer to an interaction: no webhook of a channel
				m.WebhookID = ""
			}
			m.Author = &discordgo.User{ID: string(us), Username: displayName(m.Author, nil), Bot: true}
		}
	}
	own(m, by.Application)
	if by.Referenced != nil && m.ReferencedMessage != nil {
		own(m.ReferencedMessage, by.Referenced.Application)
	}
}

// applicationID is the id of the bot's application. It is asked for once.
func (c *Client) applicationID(ctx context.Context) (string, error) {
	c.mu.Lock()
	known := c.application
	c.mu.Unlock()
	if known != "" {
		return known, nil
	}
	a, err := c.Application(ctx)
	if err != nil {
		return "", err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.application = a.ID
	return a.ID, nil
}

// plainName is the name of a face whose own Discord does not take.
const plainName = "Persona"

// refusedIn are words and signs that Discord refuses anywhere in a name (Discord, "Usernames and Webhooks"; of "here" and "everyone"
// people found it out), in any case, with what is put in their place: something that looks like them.
var refusedIn = []struct{ what, instead string }{
	{"discord", "dis\u200acord"}, {"clyde", "cl\u200ayde"}, {"everyone", "every\u200aone"}, {"here", "he\u200are"},
	{"@", "\uff20"}, {"#", "\uff03"}, {":", "\uff1a"}, {"```", "\u2018\u2018\u2018"},
}

// FaceName is a name as Discord takes it for a message of a webhook: 1 to 80 characters of which one can be seen, without words and
// signs that it refuses. A thin gap in a word, or a wide sign, shows that the name was changed.
func FaceName(name string) string {
	name = strings.Map(func(r rune) rune {
		switch r {
		case '\u00ad', '\u061c', '\u180e', '\u200b', '\u2060', '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800': // nothing is seen of them
			return -1
		}
		return r
	}, oneLine(name, 4*maxName))
	for _, w := range refusedIn {
		name = replaceFold(name, w.what, w.instead)
	}
	if name = strings.TrimSpace(first(name, maxName)); !strings.ContainsFunc(name, seen) {
		return plainName
	}
	return name
}

// seen tells whether something of a character is seen.
func seen(r rune) bool {
	return unicode.IsGraphic(r) && !unicode.IsSpace(r) && !unicode.Is(unicode.Mn, r)
}

// replaceFold puts a gap into a word however it is written, or another sign in the place of one.
func replaceFold(s, what, instead string) string {
	var b strings.Builder
	for {
		i := indexFold(s, what)
		if i < 0 {
			return b.String() + s
		}
		b.WriteString(s[:i])
		if head, _, word := strings.Cut(instead, "\u200a"); word { // as it was written, with the gap
			b.WriteString(s[i:i+len(head)] + "\u200a" + s[i+len(head):i+len(what)])
		} else {
			b.WriteString(instead)
		}
		s = s[i+len(what):]
	}
}

// indexFold finds ASCII in any case.
func indexFold(s, what string) int {
	for i := 0; i+len(what) <= len(s); i++ {
		if strings.EqualFold(s[i:i+len(what)], what) {
			return i
		}
	}
	return -1
}

// maxAvatar is the longest address of a picture that Discord takes.
const maxAvatar = 2048

// publicURL is an address that Discord could fetch, or "".
func publicURL(link string) string {
	u, err := url.Parse(link)
	if err != nil || u.Host == "" || u.Scheme != "https" && u.Scheme != "http" || utf8.RuneCountInString(link) > maxAvatar {
		return ""
	}
	return link
}
