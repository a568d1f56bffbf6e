package discord

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

// Invocation is what a person does with the application: uses a command, a component of a message, or sends a form.
type Invocation struct {
	// Kind is command, user, message (the context menus), component, autocomplete or modal.
	Kind string `json:"kind"`
	// User and Channel are names or ids, as everywhere on the control side.
	User    string `json:"user"`
	Channel string `json:"channel"`
	// Command is a command's name or id; behind a chat command's name may stand its group and subcommand ("persona add").
	Command string `json:"command"`
	// Options are the values by option: text, numbers, booleans; names or ids of users, channels and roles; for an attachment
	// {"filename", "content"} with the bytes in base64, of which the application may fetch what it is told of; or only the
	// description {"filename", "size", "content_type", "url"}. Focused names the option that is being typed; where it is empty the last one given
	// that completes itself.
	Options map[string]any `json:"options"`
	Focused string         `json:"focused"`
	// Target is the user (name or id) or message (id) of a context menu.
	Target string `json:"target"`
	// Message and CustomID name a component; Values are what was chosen in a select: values, names or ids.
	Message  string   `json:"message"`
	CustomID string   `json:"custom_id"`
	Values   []string `json:"values"`
	// Interaction is the one that was answered with the form; Fields are the form's entries by custom_id: a text, a list of
	// texts, true or false, or a list of files as Options has them.
	Interaction string         `json:"interaction"`
	Fields      map[string]any `json:"fields"`

	base string // where this server was asked, for the addresses of files
}

// Outcome is what became of an interaction within three seconds.
type Outcome struct {
	ID string `json:"id"`
	// State is sent (the caller did not wait), answered, deferred or failed.
	State   string   `json:"state"`
	Choices []Choice `json:"choices,omitempty"`
	Modal   *Modal   `json:"modal,omitempty"`
	// Error says why it failed.
	Error string `json:"error,omitempty"`
}

const noAnswer = "the application did not respond"

// Interact does what a person does and returns when the application has given its first answer, after three seconds at the latest,
// or earlier when ctx ends; what was sent goes on then. What Discord's own client would not let the person do is refused, and
// nothing is sent.
func (s *Server) Interact(ctx context.Context, in Invocation) (Outcome, error) {
	s.mu.Lock()
	i, err := s.invoke(in)
	if err == nil {
		err = s.begin(i, time.Now())
	}
	if err != nil {
		s.mu.Unlock()
		return Outcome{}, err
	}
	endpoint := s.play.app.endpoint
	s.watch("interaction", watched{Channel: i.c.id, User: i.user.ID, ID: i.id, State: i.state()})
	if endpoint == "" {
		s.emitInteraction(i)
	} else if body, err := json.Marshal(s.payload(i)); err != nil {
		s.giveUp(i, "the interaction could not be written")
	} else if !s.closed {
		s.busy.Go(func() { s.handOver(i, endpoint, body) })
	}
	s.mu.Unlock()
	s.await(ctx, i)
	s.mu.Lock()
	defer s.mu.Unlock()
	return Outcome{ID: i.id, State: i.state(), Choices: i.choices, Modal: i.modal, Error: i.failure}, nil
}

// handOver posts an interaction to the endpoint and takes an answer that comes with the reply. It ends within three seconds of the
// sending, and with the server; the person who waits cannot end it, for what was sent was sent.
func (s *Server) handOver(i *interaction, endpoint string, body []byte) {
	ctx, cancel := context.WithDeadline(s.life, i.sent.Add(firstAnswer))
	defer cancel()
	status, answer, err := s.callEndpoint(ctx, endpoint, body, false)
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err != nil:
		s.giveUp(i, noAnswer+": "+err.Error())
	case status == http.StatusOK && i.answer == 0:
		if bad := s.acknowledge(i, &request{ctx: ctx, body: answer, now: time.Now(), interaction: true}); bad != nil {
			s.giveUp(i, noAnswer+" validly: "+bad.summary())
		}
	case status < 200 || status > 299:
		s.giveUp(i, noAnswer+": the endpoint answered "+strconv.Itoa(status))
	}
}

// summary is a refusal in a few words, without what was refused.
func (r *reply) summary() string {
	f, is := r.body.(failure)
	if !is {
		return strconv.Itoa(r.status)
	}
	text := fmt.Sprintf("%d %s", f.Code, f.Message)
	at, path := f.Errors, []string{}
	for len(at) == 1 {
		for key, value := range at {
			inner, nested := value.(map[string]any)
			if complaints, last := value.([]map[string]string); last && len(complaints) > 0 {
				return text + ": " + strings.Join(path, ".") + " " + complaints[0]["code"]
			}
			if !nested {
				return text
			}
			path, at = append(path, key), inner
		}
	}
	return text
}

// await returns when the interaction has its first answer or cannot get one any more.
func (s *Server) await(ctx context.Context, i *interaction) {
	timer := time.NewTimer(time.Until(i.sent.Add(firstAnswer)))
	defer timer.Stop()
	why := noAnswer
	select {
	case <-i.acted:
		return
	case <-ctx.Done():
		return
	case <-timer.C:
	case <-s.done:
		why = "the simulated Discord is closed"
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.giveUp(i, why)
}

// invoke checks an invocation as Discord's client does and makes it an interaction. The lock is held.
func (s *Server) invoke(in Invocation) (*interaction, error) {
	c, err := s.channel(in.Channel)
	if err != nil {
		return nil, err
	}
	u := s.user(in.User)
	switch {
	case u == nil:
		return nil, fmt.Errorf("interact as %q: user %w", in.User, ErrUnknown)
	case u.Bot:
		return nil, fmt.Errorf("interact as a bot: %w", ErrRefused)
	case !s.sees(c, u.ID):
		return nil, fmt.Errorf("interact in a channel that the user cannot see: %w", ErrRefused)
	}
	i := &interaction{user: u, c: c}
	switch in.Kind {
	case "command", "user", "message", "autocomplete":
		return i, s.useCommand(i, in)
	case "component":
		return i, s.useComponent(i, in)
	case "modal":
		return i, s.sendModal(i, in)
	}
	return nil, fmt.Errorf("interact by %q: kind %w", in.Kind, ErrUnknown)
}

// usable are the commands that a person sees in a channel: the guild's own before the global ones. Without a person: that anybody sees.
func (s *Server) usable(c *channel, u *User) []*command {
	var all []*command
	if guild := s.guildOf(c); guild != "" && s.play.shelves[guild] != nil {
		all = append(all, s.play.shelves[guild].commands...)
	}
	where := contextBotDM
	if s.guildOf(c) != "" {
		where = contextGuild
	}
	if global := s.play.shelves[""]; global != nil {
		for _, k := range global.commands {
			barred := where == contextBotDM && k.DMPermission != nil && !*k.DMPermission
			if k.Contexts == nil && !barred || slices.Contains(k.Contexts, where) {
				all = append(all, k)
			}
		}
	}
	if u == nil || where == contextBotDM {
		return all
	}
	may := s.permissions(c, u.ID)
	return slices.DeleteFunc(all, func(k *command) bool { return may&useCommands == 0 || !k.permitted(may) })
}

// permitted says whether a member with these permissions may use the command. An empty set demanded means administrators only.
func (c *command) permitted(may permission) bool {
	if c.DefaultMemberPermissions == nil || may&administrator != 0 {
		return true
	}
	need, err := strconv.ParseUint(*c.DefaultMemberPermissions, 10, 64)
	return err == nil && need != 0 && may&permission(need) == permission(need)
}

// useCommand finds the command and fills in what it is used with.
func (s *Server) useCommand(i *interaction, in Invocation) error {
	kinds := map[string]int{"command": commandChat, "autocomplete": commandChat, "user": commandUser, "message": commandMessage}
	kind := kinds[in.Kind]
	known := false
	for _, k := range s.usable(i.c, nil) {
		words := []string{in.Command}
		if kind == commandChat {
			words = strings.Fields(in.Command)
		}
		if k.Type == kind && len(words) > 0 && (k.ID == words[0] || k.Name == words[0]) {
			known, i.command, i.path = true, k, words[1:]
			if slices.Contains(s.usable(i.c, i.user), k) {
				break
			}
		}
	}
	switch {
	case !known:
		return fmt.Errorf("use the command %q: command %w", in.Command, ErrUnknown)
	case !slices.Contains(s.usable(i.c, i.user), i.command):
		return fmt.Errorf("use the command %q without the permission: %w", in.Command, ErrRefused)
	}
	i.kind = interactionCommand
	if in.Kind == "autocomplete" {
		i.kind = interactionAutocomplete
	}
	f := filling{s: s, i: i, c: i.c, base: in.base, typing: i.kind == interactionAutocomplete, focused: in.Focused}
	data := map[string]any{"id": i.command.ID, "name": i.command.Name, "type": i.command.Type}
	if i.command.GuildID != "" {
		data["guild_id"] = i.command.GuildID
	}
	switch kind {
	case commandChat:
		values, err := f.descend(i.command.Options, i.path, in.Options)
		if err != nil {
			return fmt.Errorf("use the command %q: %w", in.Command, err)
		}
		if values != nil {
			data["options"] = values
		}
		i.focus = f.focus
	case commandUser:
		u := s.user(in.Target)
		if u == nil {
			return fmt.Errorf("use the command %q on a user: user %w", in.Command, ErrUnknown)
		}
		i.target = u.ID
		f.addUser(u)
	case commandMessage:
		m := i.c.byID[in.Target]
		if m == nil || m.Deleted {
			return fmt.Errorf("use the command %q on a message: message %w", in.Command, ErrUnknown)
		}
		i.target = m.ID
		f.found.message(m.ID, s.shown(i.c, m))
	}
	if i.target != "" {
		data["target_id"] = i.target
	}
	if !f.found.empty() {
		data["resolved"] = f.found
	}
	i.data = data
	return nil
}

// useComponent finds the component on a message that the person sees.
func (s *Server) useComponent(i *interaction, in Invocation) error {
	m := i.c.byID[in.Message]
	if own := s.private(i.c.id, in.Message); own != nil && own.EphemeralTo == i.user.ID {
		m = own
	}
	switch {
	case m == nil || m.Deleted:
		return fmt.Errorf("use a component of message %q: message %w", in.Message, ErrUnknown)
	case m.Author.ID != s.bot.ID && m.ApplicationID != s.appID:
		return fmt.Errorf("use a component of somebody else's message: %w", ErrRefused)
	}
	var hit *component
	walk(decoded(m.Components), func(c *component) {
		if c.CustomID != nil && *c.CustomID == in.CustomID {
			hit = c
		}
	})
	switch {
	case hit == nil:
		return fmt.Errorf("use the component %q: component %w", in.CustomID, ErrUnknown)
	case hit.Disabled:
		return fmt.Errorf("use the component %q, which is disabled: %w", in.CustomID, ErrRefused)
	case hit.Type == componentButton && len(in.Values) > 0:
		return fmt.Errorf("use the button %q with values: %w", in.CustomID, ErrRefused)
	}
	i.kind, i.source = interactionComponent, m
	data := map[string]any{"custom_id": in.CustomID, "component_type": hit.Type}
	if hit.ID != nil {
		data["id"] = *hit.ID
	}
	if hit.selects() {
		f := filling{s: s, i: i, c: i.c}
		values, err := f.choose(hit, in.Values)
		if err != nil {
			return fmt.Errorf("choose in %q: %w", in.CustomID, err)
		}
		data["values"] = values
		if !f.found.empty() {
			data["resolved"] = f.found
		}
	}
	i.data = data
	return nil
}

// sendModal sends a form that the application opened for this person, once.
func (s *Server) sendModal(i *interaction, in Invocation) error {
	opener := s.play.byID[in.Interaction]
	if opener == nil || opener.modal == nil || opener.submitted || opener.user != i.user || opener.c != i.c {
		return fmt.Errorf("send the form of interaction %q: form %w", in.Interaction, ErrUnknown)
	}
	f := filling{s: s, i: i, c: i.c, base: in.base}
	components, err := f.entries(opener.modal, in.Fields)
	if err != nil {
		return fmt.Errorf("send the form of interaction %q: %w", in.Interaction, err)
	}
	data := map[string]any{"custom_id": opener.modal.CustomID, "components": components}
	if !f.found.empty() {
		data["resolved"] = f.found
	}
	i.kind, i.data, i.source, i.trigger = interactionModal, data, opener.source, opener
	opener.submitted = true
	return nil
}
