package discord

import (
	"fmt"
	"math"
	"strings"

	"github.com/bwmarrin/discordgo"
)

// Bounds of the extras of a message, in characters and items.
const (
	maxExtras      = 1500
	maxItems       = 10
	maxFileName    = 80
	maxQuestion    = 300
	maxAnswer      = 60
	maxQuote       = 1000
	maxSnapshots   = 3
	maxVoiceLength = 24 * 3600
)

// extrasOf says in brackets what a message has besides its text.
func extrasOf(m *discordgo.Message) []string {
	var out []string
	for i, s := range m.StickerItems {
		if s != nil && i < maxItems {
			out = append(out, bracket("sticker", label(s.Name, maxFileName)))
		}
	}
	voice := m.Flags&discordgo.MessageFlagsIsVoiceMessage != 0
	for i, a := range m.Attachments {
		switch {
		case a == nil:
		case i >= maxItems:
			return append(out, fmt.Sprintf("[%d more attachments]", len(m.Attachments)-maxItems))
		case voice:
			out = append(out, voiceMessage(a.DurationSecs))
		default:
			out = append(out, bracket("attachment", label(a.Filename, maxFileName)))
		}
	}
	if voice && len(m.Attachments) == 0 {
		out = append(out, "[voice message]")
	}
	if m.Poll != nil {
		out = append(out, poll(m.Poll))
	}
	if m.Content == "" {
		for i, e := range m.Embeds {
			if e != nil && i < maxItems && e.Title != "" {
				out = append(out, bracket("embed", label(e.Title, maxQuestion)))
			}
		}
	}
	return out
}

func voiceMessage(seconds float64) string {
	if math.IsNaN(seconds) || seconds <= 0 {
		return "[voice message]"
	}
	return fmt.Sprintf("[voice message, %.0f s]", math.Ceil(min(seconds, maxVoiceLength)))
}

func poll(p *discordgo.Poll) string {
	var answers []string
	for i, a := range p.Answers {
		if a.Media != nil && i < maxItems {
			answers = append(answers, label(a.Media.Text, maxAnswer))
		}
	}
	s := label(p.Question.Text, maxQuestion)
	if len(answers) > 0 {
		s += " — " + strings.Join(answers, " / ")
	}
	return bracket("poll", s)
}

func bracket(kind, what string) string {
	if what == "" {
		return "[" + kind + "]"
	}
	return "[" + kind + ": " + what + "]"
}

// bare tells whether a message carries nothing at all besides its text.
func bare(m *discordgo.Message) bool {
	for _, s := range m.MessageSnapshots {
		if s.Message != nil && (contentOf(s.Message) != "" || !bare(s.Message)) {
			return false
		}
	}
	return len(m.Embeds) == 0 && len(m.Attachments) == 0 && len(m.StickerItems) == 0 && len(m.Components) == 0 && m.Poll == nil
}
