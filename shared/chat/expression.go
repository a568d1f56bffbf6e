package chat

import "strings"

// Expressions are what a server has made for its messages (Discord, Emoji and Sticker Resource). Only those are listed that the bot
// may use.
type Expressions struct {
	Emoji    []Emoji
	Stickers []Sticker
}

// Emoji is an emoji of a server.
type Emoji struct {
	Name   string // letters, digits and "_"
	Markup string // what shows it in a message
}

// Sticker is a sticker of a server.
type Sticker struct {
	ID   string
	Name string // at most 30 characters, unique only by its ID
	URL  string // of its picture; empty where there is none that a message can show
}

// Sticker finds a sticker by its name, whatever the case; the first of several.
func (e Expressions) Sticker(name string) (Sticker, bool) {
	for _, s := range e.Stickers {
		if strings.EqualFold(s.Name, name) {
			return s, true
		}
	}
	return Sticker{}, false
}
