package discord

import (
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"time"
)

// Kinds of commands.
const (
	commandChat    = 1
	commandUser    = 2
	commandMessage = 3
)

// Types of options.
const (
	optionSub         = 1
	optionGroup       = 2
	optionString      = 3
	optionInteger     = 4
	optionBoolean     = 5
	optionUser        = 6
	optionChannel     = 7
	optionRole        = 8
	optionMentionable = 9
	optionNumber      = 10
	optionAttachment  = 11
)

// Where a command may be used.
const (
	contextGuild   = 0
	contextBotDM   = 1
	contextPrivate = 2
)

// command is an application command as Discord shows it, localizations included.
type command struct {
	ID                       string            `json:"id"`
	ApplicationID            string            `json:"application_id"`
	Version                  string            `json:"version"`
	GuildID                  string            `json:"guild_id,omitempty"`
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Options                  []option          `json:"options,omitempty"`
	DefaultMemberPermissions *string           `json:"default_member_permissions"`
	DMPermission             *bool             `json:"dm_permission,omitempty"`
	Contexts                 []int             `json:"contexts"`
	IntegrationTypes         []int             `json:"integration_types"`
	NSFW                     bool              `json:"nsfw"`
}

// option is a parameter of a command, a subcommand or a group of such.
type option struct {
	Type                     int               `json:"type"`
	Name                     string            `json:"name"`
	NameLocalizations        map[string]string `json:"name_localizations,omitempty"`
	Description              string            `json:"description"`
	DescriptionLocalizations map[string]string `json:"description_localizations,omitempty"`
	Required                 bool              `json:"required,omitempty"`
	Autocomplete             bool              `json:"autocomplete,omitempty"`
	Choices                  []Choice          `json:"choices,omitempty"`
	Options                  []option          `json:"options,omitempty"`
	ChannelTypes             []int             `json:"channel_types,omitempty"`
	MinValue                 *json.Number      `json:"min_value,omitempty"`
	MaxValue                 *json.Number      `json:"max_value,omitempty"`
	MinLength                *int              `json:"min_length,omitempty"`
	MaxLength                *int              `json:"max_length,omitempty"`
}

// Choice is one of the values that an option offers.
type Choice struct {
	Name              string            `json:"name"`
	NameLocalizations map[string]string `json:"name_localizations,omitempty"`
	// Value is a string or a number, as the option's type wants it.
	Value any `json:"value"`
}

// proposal is a command as an application asks for it.
type proposal struct {
	command
	Description *string          `json:"description"`
	Permissions *json.RawMessage `json:"default_member_permissions"`
	Kind        *int             `json:"type"`
}

// shelf holds the commands of one scope.
type shelf struct {
	commands []*command
	created  []time.Time // of the creates within a day, oldest first
}

// createsPerDay is how many commands a scope may create within a day (docs: Registering a Command).
const createsPerDay = 200

// commandRoutes are the calls for the application, its commands and the first answers of interactions.
func commandRoutes() []route {
	const global, guild = "/applications/{application_id}/commands", "/applications/{application_id}/guilds/{guild_id}/commands"
	return []route{
		{method: "PATCH", pattern: "/applications/@me", budget: generous, ahead: (*Server).proveEndpoint, do: (*Server).editApplication},
		{method: "GET", pattern: global, budget: generous, do: (*Server).listCommands},
		{method: "PUT", pattern: global, budget: generous, do: (*Server).setCommands},
		{method: "GET", pattern: guild, budget: generous, do: (*Server).listCommands},
		{method: "PUT", pattern: guild, budget: generous, do: (*Server).setCommands},
		{method: "POST", pattern: "/interactions/{interaction_id}/{interaction_token}/callback", budget: generous, open: true, do: (*Server).createCallback},
	}
}

// shelf finds the commands that a path names.
func (s *Server) shelf(q *request) (*shelf, string, *reply) {
	var miss reply
	guild, scoped := q.vars["guild_id"]
	switch {
	case q.vars["application_id"] != s.appID:
		miss = fail(http.StatusForbidden, 20012, "You are not authorized to perform this action on this application")
	case scoped && (s.guildByID(guild) == nil || s.guildByID(guild).members[s.bot.ID] == nil):
		miss = fail(http.StatusForbidden, 50001, "Missing Access")
	default:
		if s.play.shelves[guild] == nil {
			s.play.shelves[guild] = &shelf{}
		}
		return s.play.shelves[guild], guild, nil
	}
	return nil, "", &miss
}

// listCommands is GET on the commands of a scope. Localizations come on demand only.
func (s *Server) listCommands(q *request) reply {
	shelf, _, miss := s.shelf(q)
	if miss != nil {
		return *miss
	}
	views := []command{}
	for _, c := range shelf.commands {
		v := *c
		if flag := q.query.Get("with_localizations"); flag != "true" && flag != "1" {
			v.NameLocalizations, v.DescriptionLocalizations = nil, nil
			v.Options = unlocalized(v.Options)
		}
		views = append(views, v)
	}
	return ok(views)
}

// unlocalized leaves the localizations out.
func unlocalized(options []option) []option {
	out := slices.Clone(options)
	for i := range out {
		o := &out[i]
		o.NameLocalizations, o.DescriptionLocalizations = nil, nil
		o.Options = unlocalized(o.Options)
		o.Choices = slices.Clone(o.Choices)
		for j := range o.Choices {
			o.Choices[j].NameLocalizations = nil
		}
	}
	return out
}

// setCommands is PUT on the commands of a scope: what the body does not name is gone. A command that stays the same keeps its id and
// version, one that changes keeps its id, and only a new one counts as created.
func (s *Server) setCommands(q *request) reply {
	shelf, guild, miss := s.shelf(q)
	if miss != nil {
		return *miss
	}
	var proposals []json.RawMessage
	if err := json.Unmarshal(q.body, &proposals); err != nil {
		return badJSON()
	}
	if len(proposals) > 130 {
		return invalidForm(&fieldError{"", "BASE_TYPE_MAX_LENGTH", "Must be 130 or fewer in length."})
	}
	next := make([]*command, 0, len(proposals))
	for i, raw := range proposals {
		c, bad := s.propose(raw, guild)
		if bad == nil && slices.ContainsFunc(next, func(o *command) bool { return o.Type == c.Type && o.Name == c.Name }) {
			bad = &fieldError{"", "APPLICATION_COMMANDS_DUPLICATE_NAME", "Application command names must be unique"}
		}
		if bad != nil {
			bad.path = dotted(strconv.Itoa(i), bad.path)
			return invalidForm(bad)
		}
		next = append(next, c)
	}
	if bad := tooMany(next); bad != nil {
		return *bad
	}
	return s.shelve(shelf, next, q.now)
}

// tooMany counts the commands by kind.
func tooMany(all []*command) *reply {
	limits := map[int]int{commandChat: 100, commandUser: 15, commandMessage: 15}
	for kind, limit := range limits {
		n := 0
		for _, c := range all {
			if c.Type == kind {
				n++
			}
		}
		if n > limit {
			answer := fail(http.StatusBadRequest, 30032, fmt.Sprintf("Maximum number of application commands reached (%d).", limit))
			return &answer
		}
	}
	return nil
}

// shelve puts checked commands in the place of the old ones.
func (s *Server) shelve(shelf *shelf, next []*command, now time.Time) reply {
	fresh := 0
	for _, c := range next {
		at := slices.IndexFunc(shelf.commands, func(o *command) bool { return o.Type == c.Type && o.Name == c.Name })
		if at < 0 {
			fresh++
			continue
		}
		old := shelf.commands[at]
		c.ID, c.Version = old.ID, old.Version
		if !reflect.DeepEqual(*c, *old) {
			c.Version = ""
		}
	}
	shelf.created = slices.DeleteFunc(shelf.created, func(t time.Time) bool { return now.Sub(t) >= 24*time.Hour })
	if len(shelf.created)+fresh > createsPerDay {
		return fail(http.StatusBadRequest, 30034, fmt.Sprintf("Max number of daily application command creates has been reached (%d)", createsPerDay))
	}
	for _, c := range next {
		if c.ID == "" {
			c.ID = s.ids.next(now)
			shelf.created = append(shelf.created, now)
		}
		if c.Version == "" {
			c.Version = s.ids.next(now)
		}
	}
	shelf.commands = next
	s.watch("state", watched{})
	return ok(list(next))
}

// propose decodes and checks one command.
func (s *Server) propose(raw json.RawMessage, guild string) (*command, *fieldError) {
	var p proposal
	if err := decodeNumbers(raw, &p); err != nil {
		return nil, wrongType(err)
	}
	c := p.command
	c.ID, c.Version, c.ApplicationID, c.GuildID = "", "", s.appID, guild
	if c.Type = commandChat; p.Kind != nil {
		c.Type = *p.Kind
	}
	if p.Description != nil {
		c.Description = *p.Description
	}
	var bad *fieldError
	if c.DefaultMemberPermissions, bad = memberPermissions(p.Permissions); bad != nil {
		return nil, bad
	}
	if guild != "" { // where a guild's command may be used is settled
		c.Contexts, c.IntegrationTypes, c.DMPermission = nil, []int{0}, nil
	}
	if c.IntegrationTypes == nil {
		c.IntegrationTypes = []int{0}
		if s.opt.UserInstalled {
			c.IntegrationTypes = []int{1}
		}
	}
	return &c, c.check()
}

// memberPermissions reads a bit set, which comes as text or as a number.
func memberPermissions(raw *json.RawMessage) (*string, *fieldError) {
	if raw == nil {
		return nil, nil
	}
	var text string
	if json.Unmarshal(*raw, &text) != nil {
		text = string(*raw)
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		return nil, &fieldError{"default_member_permissions", "NUMBER_TYPE_COERCE", "Value is not a set of permissions."}
	}
	text = strconv.FormatUint(n, 10)
	return &text, nil
}
