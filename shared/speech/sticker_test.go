package speech_test

import (
	"strings"
	"testing"

	"tsumugi/shared/speech"
)

func TestStickerIsTakenOutOfTheText(t *testing.T) {
	for text, want := range map[string][2]string{
		"no tag":                                     {"no tag", ""},
		"Hello!\n[sticker: steam]":                   {"Hello!", "steam"},
		"[sticker: steam] Hello!":                    {"Hello!", "steam"},
		"One [Sticker:steam] two [sticker: b]":       {"One two", "steam"},
		"[sticker:  a cup that steams ]":             {"", "a cup that steams"},
		"`[sticker: steam]`":                         {"`[sticker: steam]`", ""},
		"```\n[sticker: steam]\n```":                 {"```\n[sticker: steam]\n```", ""},
		"[sticker: ]":                                {"[sticker: ]", ""},
		"[sticker: a\nb]":                            {"[sticker: a\nb]", ""},
		"[sticker: " + strings.Repeat("x", 90) + "]": {"[sticker: " + strings.Repeat("x", 90) + "]", ""},
		"[a link](https://e.x)":                      {"[a link](https://e.x)", ""},
	} {
		if words, name := speech.Sticker(text, true); words != want[0] || name != want[1] {
			t.Errorf("%q: %q, %q", text, words, name)
		}
	}
}

// What is shown of a text that grows is the beginning of what it becomes.
func TestStickerIsHeldWhileItMayBeOne(t *testing.T) {
	const text = "Tea? [sticker: steam]\nIt is `[sticker: not]` [s] [sticky] ready."
	last, _ := speech.Sticker(text, true)
	for i := range text {
		shown, _ := speech.Sticker(text[:i], false)
		if !strings.HasPrefix(last, strings.TrimSpace(shown)) {
			t.Errorf("%q shows %q", text[:i], shown)
		}
	}
}
