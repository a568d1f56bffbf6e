package discord

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// emoji is a custom emoji of the guild as Discord shows it.
type emoji struct {
	ID            string   `json:"id"`
	Name          string   `json:"name"`
	Roles         []string `json:"roles"`
	RequireColons bool     `json:"require_colons"`
	Managed       bool     `json:"managed"`
	Animated      bool     `json:"animated"`
	Available     bool     `json:"available"`
}

// guildSticker is a sticker of the guild as Discord shows it.
type guildSticker struct {
	ID          string `json:"id"`
	Name        string `json:"name"`
	Tags        string `json:"tags"`
	Type        int    `json:"type"` // 2: of a guild
	Format      int    `json:"format_type"`
	Description string `json:"description"`
	Available   bool   `json:"available"`
	GuildID     string `json:"guild_id"`
}

// decorate gives the guild its fixtures: one custom emoji and one sticker.
func (s *Server) decorate() {
	s.emojis = []emoji{{ID: fixture(40), Name: "kettle", Roles: []string{}, RequireColons: true, Available: true}}
	s.stickers = []guildSticker{{
		ID: fixture(50), Name: "steam", Tags: "tea", Type: 2, Format: 1, Description: "A cup that steams", Available: true, GuildID: s.guildID,
	}}
}

// ReactionEmoji is what a reaction is made of: a unicode emoji by name, or a custom one by id and name.
type ReactionEmoji struct {
	ID       *string `json:"id"`
	Name     string  `json:"name"`
	Animated bool    `json:"animated,omitempty"`
}

// same compares custom emoji by id, and unicode ones without the selector that only says how they are drawn.
func (e ReactionEmoji) same(other ReactionEmoji) bool {
	if e.ID != nil || other.ID != nil {
		return e.ID != nil && other.ID != nil && *e.ID == *other.ID
	}
	return plain(e.Name) == plain(other.Name)
}

func plain(name string) string { return strings.ReplaceAll(name, "\ufe0f", "") }

// emoji finds what a path or a person names: "name:id" of the guild, or one unicode emoji.
func (s *Server) emoji(text string) (ReactionEmoji, bool) {
	if name, id, custom := strings.Cut(text, ":"); custom && name != "" {
		i := slices.IndexFunc(s.emojis, func(e emoji) bool { return e.ID == id })
		if i < 0 {
			return ReactionEmoji{}, false
		}
		e := s.emojis[i]
		return ReactionEmoji{ID: &e.ID, Name: e.Name, Animated: e.Animated}, true
	}
	return ReactionEmoji{Name: text}, isEmoji(text)
}

// Blocks in which emoji begin. Not every code point of them is an emoji; that much is not told apart here.
var emojiBlocks = []struct{ from, to rune }{
	{0x00a9, 0x00a9}, {0x00ae, 0x00ae}, {0x203c, 0x203c}, {0x2049, 0x2049}, {0x2122, 0x2122}, {0x2139, 0x2139},
	{0x2194, 0x21aa}, {0x231a, 0x23ff}, {0x24c2, 0x24c2}, {0x25aa, 0x25fe}, {0x2600, 0x27bf}, {0x2934, 0x2935},
	{0x2b05, 0x2b55}, {0x3030, 0x303d}, {0x3297, 0x3299}, {0x1f004, 0x1f0cf}, {0x1f170, 0x1f1e5}, {0x1f200, 0x1f251},
	{0x1f300, 0x1faff},
}

const (
	joiner     = 0x200d
	drawn      = 0xfe0f
	keycap     = 0x20e3
	skinFrom   = 0x1f3fb
	skinTo     = 0x1f3ff
	flagFrom   = 0x1f1e6
	flagTo     = 0x1f1ff
	tagFrom    = 0xe0020
	tagTo      = 0xe007f
	emojiBytes = 64
)

// isEmoji says whether a text is one unicode emoji: a flag of two letters, a keycap, or pictures joined to one, each with its
// modifiers.
func isEmoji(text string) bool {
	if text == "" || len(text) > emojiBytes || !utf8.ValidString(text) {
		return false
	}
	rs := []rune(text)
	in := func(r, from, to rune) bool { return r >= from && r <= to }
	if len(rs) == 2 && in(rs[0], flagFrom, flagTo) && in(rs[1], flagFrom, flagTo) {
		return true
	}
	if rest := []rune(plain(text)); len(rest) == 2 && rest[1] == keycap {
		return strings.ContainsRune("0123456789#*", rest[0])
	}
	picture := true // whether a picture must come next
	for _, r := range rs {
		switch {
		case picture:
			if !slices.ContainsFunc(emojiBlocks, func(b struct{ from, to rune }) bool { return in(r, b.from, b.to) }) {
				return false
			}
			picture = false
		case r == joiner:
			picture = true
		case r == drawn, in(r, skinFrom, skinTo), in(r, tagFrom, tagTo):
		default:
			return false
		}
	}
	return !picture
}
