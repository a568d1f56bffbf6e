package turn

import (
	"errors"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/llm"
	"tsumugi/shared/speech"
)

// Why a turn ends before its persona does: it may send no more messages.
const (
	sendLimit  = "send_message_limit" // of its server, and nobody is told
	flushLimit = "flush_limit"        // guild.MaxSends, in small print
)

// errFull means that the reply goes on for more messages than a turn may send.
var errFull = errors.New("the turn may send no more messages")

// bounded is what a turn says of a reply that has come to its end, or was stopped because no more of it can be shown: what fits
// into the messages that it may send.
func (r *run) bounded(words string, why llm.Reason) saying {
	label := r.head()
	fits, all := r.fit(words, r.most)
	switch {
	case all:
		return saying{label + words, chat.Ending{Row: chat.Answered, Reason: string(why)}}
	case r.place.Limits.Messages > 0:
		return saying{label + fits, chat.Ending{Row: chat.Answered, Reason: sendLimit}}
	}
	note := "\n-# " + r.say("notice.flush_limit", "most", guild.MaxSends)
	for n := r.most - 1; n > 0 && len(r.contents(label+fits+note)) > r.most; n-- { // the note needs room too
		fits, _ = r.fit(words, n)
	}
	return saying{label + fits + note, chat.Ending{Row: chat.Answered, Reason: flushLimit}}
}

// fit is as much of words as the turn's first most messages show, and whether that is all.
func (r *run) fit(words string, most int) (string, bool) {
	return speech.Fit(r.head(), words, r.grain, partLimit, most)
}
