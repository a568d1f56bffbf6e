package turn

import (
	"slices"
	"strings"
	"unicode"

	"tsumugi/shared/chat"
	"tsumugi/shared/prompt"
	"tsumugi/shared/speech"
)

// know learns from the conversation what a persona's words may stand for: the people who spoke, and whom the persona answers. Others
// are mentioned by nobody.
func (r *run) know(messages []chat.Message) {
	var l speech.Lexicon
	add := func(a chat.Author) {
		if p := (speech.Person{Name: a.Name, ID: string(a.ID)}); !a.Us && !a.Bot && !a.Webhook && !slices.Contains(l.People, p) {
			l.People = append(l.People, p)
		}
	}
	add(r.k.Hold.Event.Author)
	own := 0
	for _, m := range slices.Backward(messages) {
		if !m.System {
			add(m.Author)
		}
		if m.Author.Us && !r.own(m.ID) && own < speech.Lookback {
			own++
			l.Recent = append(l.Recent, speech.Emoji(m.Text)...)
		}
	}
	r.lexicon = l
}

// asked is who wrote what is answered.
func (r *run) asked(messages []chat.Message, input prompt.Line) chat.UserID {
	for _, m := range messages {
		if string(m.ID) == input.ID {
			return m.Author.ID
		}
	}
	return r.k.Hold.Event.Author.ID
}

// written is what a persona says as it stands in the channel, in the manner in which the place has it written; whole tells that all
// of it is there.
func (r *run) written(text string, whole bool) string {
	text, _ = speech.Sticker(speech.Safe(text), whole)
	if text = speech.Dress(text, r.lexicon, whole); r.casual {
		text = speech.Casual(text, r.grain, whole)
	}
	if !whole { // what was left out may stand behind it
		text = strings.TrimRightFunc(text, unicode.IsSpace)
	}
	return text
}

// worded is the whole of a reply: not longer than the place wants it, and with what it left open closed.
func (r *run) worded(text string) string {
	return speech.Close(speech.Cap(r.written(text, true), r.longest))
}

// ping is whom a new message notifies: the person who is answered, if its words are as they will stay and mention them; nobody
// else, however the words call for it, and nobody by an edit.
func (r *run) ping(content string) chat.UserID {
	if r.open || r.asker == "" || !slices.Contains(r.lexicon.Mentioned(content), string(r.asker)) {
		return ""
	}
	return r.asker
}
