package discord

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

var (
	userMention = regexp.MustCompile(`<@!?([0-9]+)>`)
	roleMention = regexp.MustCompile(`<@&([0-9]+)>`)
)

// allowedMentions is the field of a create or edit that says who may be notified.
type allowedMentions struct {
	Parse       []string `json:"parse"`
	Users       []string `json:"users"`
	Roles       []string `json:"roles"`
	RepliedUser bool     `json:"replied_user"`
}

// everything is what Discord assumes of a bot that sends no allowed_mentions.
func everything() *allowedMentions {
	return &allowedMentions{Parse: []string{"users", "roles", "everyone"}, RepliedUser: true}
}

// check finds what Discord would complain about.
func (a *allowedMentions) check() *fieldError {
	if a == nil {
		return nil
	}
	for _, p := range a.Parse {
		if p != "users" && p != "roles" && p != "everyone" {
			return &fieldError{"allowed_mentions.parse", "BASE_TYPE_CHOICES", "Value must be one of ('everyone', 'roles', 'users')."}
		}
	}
	exclusive := func(kind string, ids []string) *fieldError {
		if len(ids) > 100 {
			return &fieldError{"allowed_mentions." + kind, "BASE_TYPE_BAD_LENGTH", "Must be between 0 and 100 in length."}
		}
		if len(ids) > 0 && slices.Contains(a.Parse, kind) {
			return &fieldError{"allowed_mentions", "MESSAGE_ALLOWED_MENTIONS_PARSE_EXCLUSIVE",
				`parse:["` + kind + `"] and ` + kind + `: [ids...] are mutually exclusive.`}
		}
		return nil
	}
	if e := exclusive("users", a.Users); e != nil {
		return e
	}
	return exclusive("roles", a.Roles)
}

// mention works out whom a message mentions under what is allowed, and adds them to whom it ever notified. In direct messages
// neither everyone nor a role exists. One who may mention everyone may mention roles that are not mentionable, too.
func (s *Server) mention(c *channel, m *Message, allow *allowedMentions) {
	if allow == nil {
		allow = everything()
	}
	m.Mentions, m.MentionRoles, m.MentionEveryone = []User{}, []string{}, false
	text := uncoded(m.Content)
	for _, hit := range userMention.FindAllStringSubmatch(text, -1) {
		if slices.Contains(allow.Parse, "users") || slices.Contains(allow.Users, hit[1]) {
			s.mentionUser(m, hit[1])
		}
	}
	if r := m.ReferencedMessage; r != nil && r.Message != nil && m.Type == typeReply && allow.RepliedUser {
		s.mentionUser(m, r.Message.Author.ID)
	}
	if c.guild == nil {
		return
	}
	may := s.speaker(c, m)&mentionEveryone != 0
	for _, hit := range roleMention.FindAllStringSubmatch(text, -1) {
		known := c.guild.mentionable(hit[1], may)
		if known && !slices.Contains(m.MentionRoles, hit[1]) && (slices.Contains(allow.Parse, "roles") || slices.Contains(allow.Roles, hit[1])) {
			m.MentionRoles = append(m.MentionRoles, hit[1])
			ping(m, hit[1])
		}
	}
	for _, word := range []string{"everyone", "here"} {
		if may && slices.Contains(allow.Parse, "everyone") && strings.Contains(text, "@"+word) {
			m.MentionEveryone = true
			ping(m, word)
		}
	}
}

// speaker is what a message's author may do in its channel.
func (s *Server) speaker(c *channel, m *Message) permission {
	if m.WebhookID != "" {
		return s.ofWebhook(c)
	}
	return s.permissions(c, m.Author.ID)
}

// mentionable says whether a mention of the role counts. That of everyone's role never does.
func (g *guild) mentionable(id string, any bool) bool {
	r := g.role(id)
	return r != nil && id != g.id && (any || r.Mentionable)
}

func (s *Server) mentionUser(m *Message, id string) {
	u := s.userByID(id)
	if u == nil || slices.ContainsFunc(m.Mentions, func(v User) bool { return v.ID == id }) {
		return
	}
	m.Mentions = append(m.Mentions, *u)
	if id != m.Author.ID {
		ping(m, id)
	}
}

func ping(m *Message, whom string) {
	if !slices.Contains(m.Pinged, whom) {
		m.Pinged = append(m.Pinged, whom)
	}
}

// uncoded leaves out fenced blocks and code spans, in which Discord sees no mentions.
func uncoded(text string) string {
	for _, mark := range []string{"```", "`"} {
		parts := strings.Split(text, mark)
		var kept strings.Builder
		for i, p := range parts {
			// An even part is outside; so is the last one when its mark was never closed.
			if i%2 == 0 || i == len(parts)-1 {
				kept.WriteString(p)
			} else {
				kept.WriteByte(' ')
			}
		}
		text = kept.String()
	}
	return text
}

// addressed turns "@Name" into a mention, as Discord's client does while a person types: the longest name first, and only
// where the name ends. Name and username count, in any case.
func (s *Server) addressed(text string) string {
	var out strings.Builder
	for text != "" {
		at := strings.IndexByte(text, '@')
		if at < 0 {
			break
		}
		out.WriteString(text[:at])
		text = text[at:]
		u, length := s.named(text[1:])
		if u == nil || strings.HasSuffix(out.String(), "<") {
			out.WriteByte('@')
			text = text[1:]
			continue
		}
		out.WriteString("<@" + u.ID + ">")
		text = text[1+length:]
	}
	return out.String() + text
}

// named returns the user whose name the text begins with, and the length of the name in the text.
func (s *Server) named(text string) (who *User, length int) {
	for _, u := range s.users {
		for _, name := range []string{*u.GlobalName, u.Username} {
			if len(name) <= length || len(text) < len(name) || !strings.EqualFold(text[:len(name)], name) {
				continue
			}
			if next, _ := utf8.DecodeRuneInString(text[len(name):]); next == '_' || unicode.IsLetter(next) || unicode.IsDigit(next) {
				continue
			}
			who, length = u, len(name)
		}
	}
	return who, length
}
