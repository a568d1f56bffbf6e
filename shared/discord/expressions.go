package discord

import (
	"context"
	"fmt"
	"net/http"
	"regexp"
	"sync"
	"time"

	"tsumugi/shared/chat"
)

// Bounds of what is remembered of servers' emoji and stickers.
const (
	maxServers  = 500
	maxEmoji    = 500 // as many as a server can have of both kinds
	maxStickers = 60
	failedFor   = time.Minute // until a server that may not be read is asked again
)

// stickerLottie is the one format that has no picture: it is drawn by the client (Discord, Sticker Format Types).
const (
	stickerLottie = 3
	stickerGIF    = 4
)

var emojiName = regexp.MustCompile(`^\w{2,32}$`)

// expressions remembers what servers have made.
type expressions struct {
	mu sync.Mutex
	of map[string]remembered
}

type remembered struct {
	chat.Expressions
	err   error
	until time.Time
}

// serverData is what a server says of them (Discord, Get Guild).
type serverData struct {
	Emoji []struct {
		ID        string   `json:"id"`
		Name      string   `json:"name"`
		Roles     []string `json:"roles"`
		Animated  bool     `json:"animated"`
		Available *bool    `json:"available"`
	} `json:"emojis"`
	Stickers []struct {
		ID        string `json:"id"`
		Name      string `json:"name"`
		Format    int    `json:"format_type"`
		Available *bool  `json:"available"`
	} `json:"stickers"`
}

// Expressions reads what a server has made, or remembers it. Emoji that only some roles may use are left out: nothing tells
// whether the bot is one of them.
func (c *Client) Expressions(ctx context.Context, guild string) (chat.Expressions, error) {
	const op = "read the server"
	if err := id(guild); err != nil {
		return chat.Expressions{}, &chat.Failure{Op: op, Kind: chat.Rejected, Err: err}
	}
	if known, ok := c.expressions.get(guild); ok {
		return known.Expressions, known.err
	}
	ctx, done := context.WithTimeout(ctx, chat.Call)
	defer done()
	var d serverData
	err := c.call(ctx, request{op: op, method: http.MethodGet, route: "/guilds/{guild}", major: guild, path: fmt.Sprintf("/guilds/%s", guild)}, &d)
	e := d.expressions()
	if kind := chat.FailureOf(err); kind != chat.Unknown && kind != chat.Throttled {
		c.expressions.put(guild, e, err)
	}
	return e, err
}

func (d serverData) expressions() chat.Expressions {
	var e chat.Expressions
	for _, m := range d.Emoji {
		if len(e.Emoji) == maxEmoji {
			break
		}
		if !snowflake(m.ID) || !emojiName.MatchString(m.Name) || len(m.Roles) > 0 || m.Available != nil && !*m.Available {
			continue
		}
		kind := ""
		if m.Animated {
			kind = "a"
		}
		e.Emoji = append(e.Emoji, chat.Emoji{Name: m.Name, Markup: fmt.Sprintf("<%s:%s:%s>", kind, m.Name, m.ID)})
	}
	for _, s := range d.Stickers {
		if len(e.Stickers) == maxStickers {
			break
		}
		if name := label(s.Name, maxFileName); snowflake(s.ID) && name != "" && (s.Available == nil || *s.Available) {
			e.Stickers = append(e.Stickers, chat.Sticker{ID: s.ID, Name: name, URL: pictureOf(s.ID, s.Format)})
		}
	}
	return e
}

// pictureOf is the address of a sticker's picture (Discord, CDN Endpoints); messages show it as a sticker's size.
func pictureOf(id string, format int) string {
	switch format {
	case stickerLottie:
		return ""
	case stickerGIF:
		return "https://media.discordapp.net/stickers/" + id + ".gif?size=160"
	}
	return "https://media.discordapp.net/stickers/" + id + ".png?size=160"
}

func (e *expressions) get(guild string) (remembered, bool) {
	e.mu.Lock()
	defer e.mu.Unlock()
	r, ok := e.of[guild]
	return r, ok && time.Now().Before(r.until)
}

func (e *expressions) put(guild string, x chat.Expressions, err error) {
	life := chat.ExpressionsLife
	if err != nil {
		life = failedFor
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.of == nil || len(e.of) >= maxServers {
		e.of = map[string]remembered{} // who is asked again is read again
	}
	e.of[guild] = remembered{x, err, time.Now().Add(life)}
}
