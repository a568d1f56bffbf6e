package discord

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
)

// hookName is what our webhooks are called in the settings of a channel. What we made is told by it and by the application.
const hookName = "Tsumugi"

// The routes of webhooks, with their parameters left out.
const (
	routeHooks       = "/channels/{channel}/webhooks"
	routeHook        = "/webhooks/{webhook}"
	routeHookSay     = "/webhooks/{webhook}/{token}"
	routeHookMessage = "/webhooks/{webhook}/{token}/messages/{message}"
)

// Codes of webhooks.
const (
	codeUnknownHook = 10015
	codeDirect      = 50003 // the channel is of direct messages, which have no webhooks
)

const (
	hookRest  = 10 * time.Minute // until a channel that would have no webhook is asked again
	hookTries = 3                // decisions that others overtake
	maxHooks  = 10_000           // channels remembered
	soonAgain = time.Second      // after something before the message went wrong
)

// hooks remembers what is kept of webhooks. There is one to a channel for all personas.
type hooks struct {
	keep   guild.Hooks
	sealer guild.Sealer

	mu     sync.Mutex
	known  map[chat.ChannelID]knownHook
	spoken map[chat.ChannelID][]time.Time // by channel: when its webhook lately spoke; see crowded
}

// knownHook is a webhook as it was last read. Its token is opened each time: the sealer remembers for as long as it should.
type knownHook struct{ guild.Hook }

func (h *hooks) get(c chat.ChannelID) (knownHook, bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	k, ok := h.known[c]
	return k, ok
}

// note remembers what is known, or forgets what is not.
func (h *hooks) note(c chat.ChannelID, k guild.Hook) knownHook {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.known) >= maxHooks {
		clear(h.known)
	}
	h.known[c] = knownHook{k}
	return knownHook{k}
}

// rests tells whether the trouble is too young to ask again.
func (k knownHook) rests() bool {
	return k.ID == "" && k.Trouble != 0 && time.Since(k.Since) < hookRest
}

func noHook(op string, code int, err error) *chat.Failure {
	return &chat.Failure{Op: op, Kind: chat.NoHook, Code: code, Err: err}
}

// hookGone tells whether a call failed for its webhook: that is deleted, or has another token.
func hookGone(err error) bool {
	var f *chat.Failure
	return errors.As(err, &f) && (f.Code == codeUnknownHook || f.Code == codeWebhookToken)
}

// Mask finds or makes the webhook of the channel, which takes no call where it is known.
func (c *Client) Mask(ctx context.Context, ch chat.ChannelID) error {
	ctx, done := context.WithTimeout(ctx, chat.Call)
	defer done()
	_, err := c.hook(ctx, ch, "")
	return err
}

// hook is the webhook of a channel or of its parent: as it is remembered, kept, found in Discord, or made. One that is gone is not
// taken again. Its errors are failures of which no message has come.
func (c *Client) hook(ctx context.Context, ch chat.ChannelID, gone chat.HookID) (knownHook, error) {
	const op = "find webhook"
	if err := id(string(ch)); err != nil {
		return knownHook{}, &chat.Failure{Op: op, Kind: chat.Rejected, Err: err}
	}
	if c.hooks.keep == nil {
		return knownHook{}, noHook(op, 0, nil)
	}
	if k, ok := c.hooks.get(ch); ok && gone == "" && (k.ID != "" || k.rests()) {
		return k.orTrouble(op)
	}
	made := ""
	for range hookTries {
		k, mine, err := c.settle(ctx, ch, gone)
		made = cmp.Or(mine, made)
		switch {
		case errors.Is(err, chat.ErrRaced):
			continue // somebody else knows more by now
		case err != nil:
			return k, before(op, err)
		}
		if made != "" && made != string(k.ID) {
			c.removeHook(ctx, made)
		}
		c.hooks.note(ch, k.Hook)
		return k.orTrouble(op)
	}
	return knownHook{}, &chat.Failure{Op: op, Kind: chat.Throttled, After: soonAgain, Err: chat.ErrRaced}
}

// orTrouble is the webhook, or why there is none.
func (k knownHook) orTrouble(op string) (knownHook, error) {
	if k.ID == "" {
		return k, noHook(op, k.Trouble, nil)
	}
	return k, nil
}

// before is the failure of what comes before a message: whatever became of that, no message has come.
func before(op string, err error) error {
	var f *chat.Failure
	if !errors.As(err, &f) {
		return &chat.Failure{Op: op, Kind: chat.Throttled, After: soonAgain, Err: err}
	}
	if f.Kind == chat.Unknown {
		again := *f
		again.Kind, again.After = chat.Throttled, soonAgain
		return &again
	}
	return err
}

// settle reads what is kept and brings it to what Discord has. ErrRaced when somebody else did so meanwhile. It tells which webhook it
// made for that.
func (c *Client) settle(ctx context.Context, ch chat.ChannelID, gone chat.HookID) (k knownHook, mine string, err error) {
	parent, k, err := c.known(ctx, ch)
	if err != nil {
		return k, "", err
	}
	k.Parent = parent
	if k.ID != "" && k.ID != gone || gone == "" && k.rests() {
		return k, "", nil
	}
	found, made, err := c.findHook(ctx, parent)
	if made {
		mine = found.ID
	}
	var f *chat.Failure
	if errors.As(err, &f) && f.Kind == chat.Rejected {
		slog.WarnContext(ctx, "a channel has no webhook for personas", "code", f.Code)
		k, err = c.save(ctx, guild.Hook{Parent: parent, Trouble: max(f.Code, 1), Since: time.Now(), Rev: k.Rev})
		return k, "", err
	}
	if err != nil {
		return k, mine, err
	}
	is := guild.Hook{Parent: parent, ID: chat.HookID(found.ID), Rev: k.Rev}
	if is.Token, err = c.hooks.sealer.Seal(ctx, guild.HookContext(parent), found.Token); err == nil {
		k, err = c.save(ctx, is)
	}
	return k, mine, err
}

// known is what is kept of the channel or its parent, which is asked for and kept when nobody knows it yet.
func (c *Client) known(ctx context.Context, ch chat.ChannelID) (parent chat.ChannelID, k knownHook, err error) {
	if parent, k, err = c.kept(ctx, ch); err != nil || parent != "" {
		return parent, k, err
	}
	if parent, err = c.parent(ctx, ch); err != nil || parent == ch {
		return parent, k, err
	}
	if err = c.hooks.keep.SaveHook(ctx, ch, guild.Hook{Parent: parent}); err != nil && !errors.Is(err, chat.ErrRaced) {
		return parent, k, err
	}
	_, k, err = c.kept(ctx, parent)
	return parent, k, err
}

func (c *Client) save(ctx context.Context, h guild.Hook) (knownHook, error) {
	err := c.hooks.keep.SaveHook(ctx, h.Parent, h)
	h.Rev++
	return knownHook{h}, err
}

// kept reads what is kept of a channel; of a thread, of its parent. parent is "" when nothing is.
func (c *Client) kept(ctx context.Context, ch chat.ChannelID) (parent chat.ChannelID, k knownHook, err error) {
	got, err := c.hooks.keep.Hooks(ctx, ch)
	if err != nil {
		return "", k, err
	}
	parent = got[ch].Parent
	if parent == "" || parent == ch {
		return parent, knownHook{got[ch]}, nil
	}
	if got, err = c.hooks.keep.Hooks(ctx, parent); err != nil {
		return "", k, err
	}
	return parent, knownHook{got[parent]}, nil
}

// parent is the channel whose webhooks speak in this one.
func (c *Client) parent(ctx context.Context, ch chat.ChannelID) (chat.ChannelID, error) {
	got, err := c.Channel(ctx, ch)
	switch {
	case err != nil:
		return "", err
	case got.Guild == "":
		return "", noHook("find webhook", codeDirect, nil)
	case got.Type >= 10 && got.Type <= 12 && got.Parent != "": // the kinds of thread
		return got.Parent, nil
	}
	return ch, nil
}

// hookData is a webhook as Discord gives it.
type hookData struct {
	ID          string `json:"id"`
	Type        int    `json:"type"`
	Name        string `json:"name"`
	Application string `json:"application_id"`
	Token       string `json:"token"`
	User        struct {
		ID string `json:"id"`
	} `json:"user"`
}

// hookIncoming is the type of webhooks that take messages.
const hookIncoming = 1

// findHook finds our webhook among those of the channel, or makes it. Those of others are left alone, and so is one of ours that
// somebody renamed: it may have been put to another use.
func (c *Client) findHook(ctx context.Context, ch chat.ChannelID) (found hookData, made bool, err error) {
	us, err := c.Self(ctx)
	if err != nil {
		return found, false, err
	}
	path := fmt.Sprintf("/channels/%s/webhooks", ch)
	var there []hookData
	err = c.call(ctx, request{op: "read webhooks", method: http.MethodGet, route: routeHooks, major: string(ch), path: path}, &there)
	if err != nil {
		return found, false, err
	}
	for _, h := range there {
		ours := h.Type == hookIncoming && h.User.ID == string(us) && h.Name == hookName && usable(h)
		if ours && (found.ID == "" || compareIDs(h.ID, found.ID) < 0) { // the oldest, so that all find the same
			found = h
		}
	}
	if found.ID != "" {
		return found, false, nil
	}
	body := struct {
		Name string `json:"name"`
	}{hookName}
	err = c.call(ctx, request{op: "create webhook", method: http.MethodPost, route: routeHooks, major: string(ch), path: path, body: body}, &found)
	if err == nil && !usable(found) {
		err = &chat.Failure{Op: "create webhook", Kind: chat.Unknown, Status: http.StatusOK, Err: errors.New("the reply names no webhook")}
	}
	return found, true, err
}

// usable tells whether a webhook can be named in a path.
func usable(h hookData) bool { return snowflake(h.ID) && tokenShaped(h.Token) }

// removeHook deletes a webhook that we made and that nobody needs. It may stay: whoever looks for one takes the oldest.
func (c *Client) removeHook(ctx context.Context, hook string) {
	err := c.call(ctx, request{op: "delete webhook", method: http.MethodDelete, route: routeHook, major: hook, path: "/webhooks/" + hook}, nil)
	if err != nil {
		slog.InfoContext(ctx, "a webhook too many stays", "error", err)
	}
}

// crowd is how often all webhooks of a channel may speak in a minute. Discord never tells (reference, Discord, section 3); whoever
// meets the limit waits for most of a minute, so we stay below it as far as this process can know.
const (
	crowd    = 30
	crowdFor = time.Minute
)

// crowded waits until the webhooks of the channel may speak once more, and counts that.
func (c *Client) crowded(ctx context.Context, op string, parent chat.ChannelID) error {
	for {
		now := time.Now()
		c.hooks.mu.Lock()
		list := slices.DeleteFunc(c.hooks.spoken[parent], func(at time.Time) bool { return now.Sub(at) > crowdFor })
		if len(list) < crowd {
			if len(c.hooks.spoken) >= maxHooks {
				clear(c.hooks.spoken)
			}
			c.hooks.spoken[parent] = append(list, now)
			c.hooks.mu.Unlock()
			return nil
		}
		c.hooks.spoken[parent] = list
		c.hooks.mu.Unlock()
		d := list[0].Add(crowdFor + resetSlack).Sub(now)
		if end, ok := ctx.Deadline(); ok && now.Add(d+callRoom).After(end) {
			return &chat.Failure{Op: op, Kind: chat.Throttled, After: d, Err: errWait}
		}
		if err := pause(ctx, d); err != nil {
			return &chat.Failure{Op: op, Kind: chat.Throttled, After: d, Err: err}
		}
	}
}
