package discord

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// Types of interactions.
const (
	interactionPing         = 1
	interactionCommand      = 2
	interactionComponent    = 3
	interactionAutocomplete = 4
	interactionModal        = 5
)

const (
	// tokenLife is how long an interaction's token is good (docs: Followup Messages).
	tokenLife = 15 * time.Minute
	// maxInteractions is how many interactions are remembered at once.
	maxInteractions = 10000
	// maxPrivate is how many ephemeral messages are remembered.
	maxPrivate = 1000
	// attachmentSizeLimit is how large a file may be that an application attaches.
	attachmentSizeLimit = 10 << 20
)

// Flags and types of the messages that interactions make.
const (
	flagEphemeral   = 1 << 6
	flagLoading     = 1 << 7
	typeChatCommand = 20
	typeContextMenu = 23
)

// interaction is one use of a command, a component or a modal, and what the application made of it.
type interaction struct {
	id, token string
	kind      int
	user      *User
	c         *channel
	command   *command
	path      []string // of the subcommand, behind the command's name
	data      any
	source    *Message // whose component was used, also where that led to a modal
	target    string   // the user or message of a context menu
	trigger   *interaction
	sent      time.Time
	acted     chan struct{} // closed when the first answer came or cannot come any more
	failure   string        // why there was no first answer
	answer    int           // type of the first answer; 0 while there is none
	original  *Message      // what @original names
	mine      map[string]*Message
	followUps int
	choices   []Choice
	focus     int // type of the option that completes itself
	modal     *Modal
	submitted bool // its modal was sent
}

// Modal is a form that an application opened.
type Modal struct {
	Channel     string            `json:"channel"`
	User        string            `json:"user"`
	Interaction string            `json:"interaction"`
	Title       string            `json:"title"`
	CustomID    string            `json:"custom_id"`
	Components  []json.RawMessage `json:"components"`
}

// metadata is what a message says about the interaction that made it.
type metadata struct {
	ID            string            `json:"id"`
	Type          int               `json:"type"`
	User          User              `json:"user"`
	Owners        map[string]string `json:"authorizing_integration_owners"`
	Original      string            `json:"original_response_message_id,omitempty"`
	TargetUser    *User             `json:"target_user,omitempty"`
	TargetMessage string            `json:"target_message_id,omitempty"`
	Interacted    string            `json:"interacted_message_id,omitempty"`
	Trigger       *metadata         `json:"triggering_interaction_metadata,omitempty"`
}

// invoked is the older form of metadata, of commands only.
type invoked struct {
	ID   string `json:"id"`
	Type int    `json:"type"`
	Name string `json:"name"`
	User User   `json:"user"`
}

// sentInteraction is an interaction as the application gets it.
type sentInteraction struct {
	ID             string            `json:"id"`
	ApplicationID  string            `json:"application_id"`
	Type           int               `json:"type"`
	Data           any               `json:"data"`
	Guild          any               `json:"guild,omitempty"`
	GuildID        string            `json:"guild_id,omitempty"`
	Channel        any               `json:"channel"`
	ChannelID      string            `json:"channel_id"`
	Member         any               `json:"member,omitempty"`
	User           *User             `json:"user,omitempty"`
	Token          string            `json:"token"`
	Version        int               `json:"version"`
	Message        *Message          `json:"message,omitempty"`
	AppPermissions permission        `json:"app_permissions"`
	Locale         string            `json:"locale"`
	GuildLocale    string            `json:"guild_locale,omitempty"`
	Entitlements   []any             `json:"entitlements"`
	Owners         map[string]string `json:"authorizing_integration_owners"`
	Context        int               `json:"context"`
	SizeLimit      int               `json:"attachment_size_limit"`
}

// named is the command as people write it: with its group and subcommand.
func (i *interaction) named() string {
	return strings.Join(append([]string{i.command.Name}, i.path...), " ")
}

// newToken is a secret of the form of Discord's.
func newToken() string {
	var secret [96]byte
	_, _ = rand.Read(secret[:]) // it does not fail
	return "aW50ZXJhY3Rpb24" + base64.RawURLEncoding.EncodeToString(secret[:])
}

// begin gives an interaction its id and token and remembers it. The lock is held.
func (s *Server) begin(i *interaction, now time.Time) error {
	if len(s.play.byID) >= 1024 {
		for id, old := range s.play.byID {
			if now.Sub(old.sent) >= tokenLife {
				delete(s.play.byID, id)
				delete(s.play.byToken, old.token)
			}
		}
	}
	if len(s.play.byID) >= maxInteractions {
		return fmt.Errorf("more than %d interactions within 15 minutes: %w", maxInteractions, ErrRefused)
	}
	i.id, i.token, i.sent = s.ids.next(now), newToken(), now
	i.acted, i.mine = make(chan struct{}), map[string]*Message{}
	s.play.byID[i.id], s.play.byToken[i.token] = i, i
	return nil
}

// payload is the interaction as it is sent.
func (s *Server) payload(i *interaction) sentInteraction {
	v := sentInteraction{
		ID: i.id, ApplicationID: s.appID, Type: i.kind, Data: i.data, Channel: s.viewFor(i.c, i.user), ChannelID: i.c.id, Token: i.token, Version: 1,
		AppPermissions: s.standing(i.c, s.bot.ID), Locale: s.localeOf(i.user.ID), Entitlements: []any{},
		Owners: s.owners(i), SizeLimit: attachmentSizeLimit,
	}
	if i.source != nil {
		m := s.shown(i.c, i.source)
		v.Message = &m
	}
	if guild := s.guildOf(i.c); guild != "" {
		v.GuildID, v.GuildLocale, v.Context = guild, i.c.guild.preferred(), contextGuild
		v.Guild = map[string]any{"id": guild, "locale": i.c.guild.preferred(), "features": []string{}}
		v.Member = s.actor(i.c, i.user)
		return v
	}
	v.User, v.Context = i.user, contextBotDM
	return v
}

// owners says by whose installation of the application an interaction came about.
func (s *Server) owners(i *interaction) map[string]string {
	guild := s.guildOf(i.c)
	switch {
	case s.opt.UserInstalled:
		return map[string]string{"1": i.user.ID}
	case guild == "":
		return map[string]string{"0": "0"}
	}
	return map[string]string{"0": guild}
}

// metadata is what a message tells of this interaction. A follow-up names the first answer.
func (s *Server) metadata(i *interaction, followUp bool) *metadata {
	v := &metadata{ID: i.id, Type: i.kind, User: *i.user, Owners: s.owners(i)}
	if i.command != nil {
		switch i.command.Type {
		case commandUser:
			v.TargetUser = s.userByID(i.target)
		case commandMessage:
			v.TargetMessage = i.target
		}
	}
	if i.kind == interactionComponent {
		v.Interacted = i.source.ID
	}
	if i.trigger != nil {
		v.Trigger = s.metadata(i.trigger, false)
	}
	if followUp && i.original != nil {
		v.Original = i.original.ID
	}
	return v
}

// emitInteraction sends INTERACTION_CREATE to the sessions of the guild's shard, or to shard 0. No intent is needed.
func (s *Server) emitInteraction(i *interaction) {
	v := s.payload(i)
	s.deliver("INTERACTION_CREATE", func(n *session) bool {
		if i.c.guild == nil {
			return n.shard[0] == 0
		}
		return s.owns(n, i.c.guild.id)
	}, func(*session) any { return v })
}

// act notes the first answer of an application and wakes whoever waits for it.
func (s *Server) act(i *interaction, kind int) {
	i.answer = kind
	close(i.acted)
	state := i.state()
	s.watch("interaction", watched{Channel: i.c.id, User: i.user.ID, ID: i.id, State: state})
}

// giveUp ends an interaction that nobody answered; later answers find it unknown.
func (s *Server) giveUp(i *interaction, why string) {
	if i.answer != 0 || i.failure != "" {
		return
	}
	i.failure = why
	if i.kind == interactionModal {
		i.trigger.submitted = false // the form is still open, and may be sent again
	}
	close(i.acted)
	s.watch("interaction", watched{Channel: i.c.id, User: i.user.ID, ID: i.id, State: i.state()})
}

// state is how an interaction stands, in the words of the control API.
func (i *interaction) state() string {
	switch {
	case i.failure != "":
		return "failed"
	case i.answer == 0:
		return "sent"
	case i.answer == callbackDeferred || i.answer == callbackDeferredUpdate:
		return "deferred"
	}
	return "answered"
}

// private finds an ephemeral message.
func (s *Server) private(channel, id string) *Message {
	for _, m := range s.play.private {
		if m.ID == id && m.ChannelID == channel && !m.Deleted {
			return m
		}
	}
	return nil
}

// bring brings a message of an interaction into the world: to everybody, or to one user alone.
func (s *Server) bring(c *channel, m *Message) {
	if m.EphemeralTo == "" {
		s.publish(c, m, nil)
		return
	}
	s.play.private = append(s.play.private, m)
	if len(s.play.private) >= 2*maxPrivate {
		s.play.private = append([]*Message(nil), s.play.private[maxPrivate:]...)
	}
	s.watch("create", watched{Channel: c.id, Message: s.control(m), EphemeralTo: m.EphemeralTo})
}

// amend replaces a message of an interaction by its changed form. A message that was thinking is written now, not edited.
func (s *Server) amend(c *channel, m *Message, changed Message, allow *allowedMentions) {
	thinking := m.Flags&flagLoading != 0
	changed.Flags &^= flagLoading
	if m.EphemeralTo == "" && !thinking {
		s.revise(c, m, changed, allow)
		return
	}
	if !thinking {
		now := Time{time.Now()}
		written := m.Timestamp
		if m.EditedTimestamp != nil {
			written = *m.EditedTimestamp
		}
		if changed.Content != m.Content {
			changed.Edits = append(m.Edits, Edit{Content: m.Content, At: written})
		}
		changed.EditedTimestamp = &now
	}
	s.mention(c, &changed, allow)
	*m = changed
	if m.EphemeralTo == "" {
		s.keep(c, m)
		s.dispatchMessage("MESSAGE_UPDATE", c, m, nil)
	}
	s.watch("update", watched{Channel: c.id, Message: s.control(m), EphemeralTo: m.EphemeralTo})
}

// drop takes a message of an interaction out of Discord.
func (s *Server) drop(c *channel, m *Message) {
	if m.EphemeralTo == "" {
		s.remove(c, m)
		return
	}
	m.Deleted = true
	s.watch("delete", watched{Channel: c.id, ID: m.ID, EphemeralTo: m.EphemeralTo})
}
