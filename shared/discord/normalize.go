package discord

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"tsumugi/shared/chat"

	"github.com/bwmarrin/discordgo"
)

// Message references that are forwards, not replies.
const referenceForward = 1

// FromMessage puts a new message in our words. It is pure, takes whatever Discord may send, and bounds all of it. us is
// the bot's own id.
func FromMessage(m *discordgo.Message, us chat.UserID) chat.Event {
	if m == nil {
		return chat.Event{What: chat.Said}
	}
	e := chat.Event{
		What:    chat.Said,
		ID:      chat.EventID(cleanID(m.ID)),
		Channel: chat.ChannelID(cleanID(m.ChannelID)),
		Guild:   cleanID(m.GuildID),
		DM:      m.GuildID == "" && m.WebhookID == "",
		Author:  author(m, us),
		System:  system(m.Type),
		At:      madeAt(m),
	}
	e.Text, e.Extras = words(m)
	for _, u := range m.Mentions {
		if u != nil && us != "" && u.ID == string(us) {
			e.MentionsUs = true
		}
	}
	if ref := m.MessageReference; ref != nil && m.Type == discordgo.MessageTypeReply && ref.Type != referenceForward {
		e.ReplyTo = chat.MessageID(cleanID(ref.MessageID))
		to := m.ReferencedMessage
		e.ReplyToUs = us != "" && to != nil && to.Author != nil && to.Author.ID == string(us)
	}
	person := !e.Author.Bot && !e.Author.Webhook && !e.Author.Us
	e.Withheld = e.Guild != "" && person && !e.System && !e.MentionsUs && e.Text == "" && bare(m)
	return e
}

// FromUpdate puts a changed message in our words; false when its words did not change: Discord also sends updates for link
// previews, pins and threads.
func FromUpdate(m *discordgo.Message, us chat.UserID) (chat.Event, bool) {
	if m == nil || m.EditedTimestamp == nil {
		return chat.Event{}, false
	}
	e := FromMessage(m, us)
	e.What, e.At = chat.Edited, m.EditedTimestamp.UTC() // each edit is an event of its own
	return e, e.ID != "" && e.Channel != "" && (e.Text != "" || e.Extras != "")
}

// FromDelete puts the deletion of a message in our words; false when it names none.
func FromDelete(message, channel, guild string) (chat.Event, bool) {
	e := chat.Event{
		What: chat.Deleted, ID: chat.EventID(cleanID(message)), Channel: chat.ChannelID(cleanID(channel)), Guild: cleanID(guild),
		DM: guild == "",
	}
	if t, ok := chat.SnowflakeTime(string(e.ID)); ok {
		e.At = t.UTC()
	}
	return e, e.ID != "" && e.Channel != ""
}

// ToMessages puts messages read from a channel in our words, the newest last.
func ToMessages(ms []*discordgo.Message, us chat.UserID) []chat.Message {
	out := make([]chat.Message, 0, len(ms))
	for _, m := range ms {
		if m == nil || !snowflake(m.ID) {
			continue
		}
		c := chat.Message{
			ID: chat.MessageID(cleanID(m.ID)), Author: author(m, us), System: system(m.Type), At: madeAt(m), Edited: m.EditedTimestamp != nil,
		}
		if c.Author.Us {
			c.Hook = chat.HookID(cleanID(m.WebhookID))
		}
		c.Text, c.Extras = words(m)
		out = append(out, c)
	}
	slices.SortStableFunc(out, func(a, b chat.Message) int {
		return cmp.Or(cmp.Compare(len(a.ID), len(b.ID)), cmp.Compare(a.ID, b.ID)) // as numbers
	})
	return out
}

// system tells whether a message of this type is a notice of Discord or the output of an app, not speech.
func system(t discordgo.MessageType) bool {
	return t != discordgo.MessageTypeDefault && t != discordgo.MessageTypeReply
}

// madeAt is when Discord made the message. The id says it as well and is always there.
func madeAt(m *discordgo.Message) time.Time {
	if t, ok := chat.SnowflakeTime(m.ID); ok {
		return t.UTC()
	}
	if t := m.Timestamp.UTC(); t.Year() >= 2015 && t.Year() < 9999 {
		return t
	}
	return time.Time{}
}

func author(m *discordgo.Message, us chat.UserID) chat.Author {
	if m.Author == nil {
		return authorOf("", m.WebhookID, displayName(nil, m.Member), false, us)
	}
	return authorOf(m.Author.ID, m.WebhookID, displayName(m.Author, m.Member), m.Author.Bot, us)
}

// displayName is the name that the channel shows.
func displayName(u *discordgo.User, member *discordgo.Member) string {
	var names []string
	if member != nil {
		names = append(names, member.Nick)
	}
	if u != nil {
		names = append(names, u.GlobalName, u.Username)
	}
	for _, n := range names {
		if n = oneLine(n, maxName); n != "" {
			return n
		}
	}
	return "someone"
}

// words are the text of a message and, in brackets, what it has besides. A forward has no text of its own: the text of the
// forwarded message takes its place.
func words(m *discordgo.Message) (string, string) {
	var extras []string
	own := strings.TrimSpace(m.Content) != ""
	content := contentOf(m)
	for i, s := range m.MessageSnapshots {
		if s.Message == nil || i >= maxSnapshots {
			continue
		}
		if said := contentOf(s.Message); said != "" && !own && i == 0 {
			content = said
			extras = append(extras, "[forwarded message]")
		} else {
			extras = append(extras, strings.TrimSpace("[forwarded message] "+label(said, maxQuote)))
		}
		extras = append(extras, extrasOf(s.Message)...)
	}
	extras = append(extras, extrasOf(m)...)
	return content, first(strings.Join(extras, " "), maxExtras)
}

// contentOf is the cleaned content with the mentions of people by name.
func contentOf(m *discordgo.Message) string {
	names := make(map[string]string, len(m.Mentions))
	for _, u := range m.Mentions {
		if u != nil {
			names[u.ID] = displayName(u, nil)
		}
	}
	return first(named(text(m.Content, maxText), names), maxText)
}
