package discord

import (
	"net/http"
	"slices"
)

// GuildState is a guild as the control side shows it.
type GuildState struct {
	Named
	Owner   string `json:"owner"`
	Locale  string `json:"locale"`
	Outage  bool   `json:"outage"`
	Roles   []role `json:"roles"`
	Members []any  `json:"members"`
}

// controlGuild answers for guilds, channels, roles and members; false where the path is none of theirs.
func (s *Server) controlGuild(w http.ResponseWriter, r *http.Request, parts []string) bool {
	switch {
	case len(parts) == 1:
		return s.controlMake(w, r, parts[0])
	case len(parts) == 2 && parts[0] == "guilds":
		s.controlOneGuild(w, r, parts[1])
	case len(parts) >= 3 && parts[0] == "guilds":
		return s.controlIn(w, r, parts[1], parts[2], parts[3:])
	case len(parts) == 2 && parts[0] == "channels":
		s.controlChannel(w, r, parts[1])
	case len(parts) == 3 && parts[0] == "channels":
		return s.controlUnder(w, r, parts[1], r.Method+" "+parts[2])
	case len(parts) == 2 && parts[0] == "users" && r.Method == http.MethodPatch:
		s.controlPerson(w, r, parts[1])
	default:
		return false
	}
	return true
}

// controlPerson changes what a person has chosen.
func (s *Server) controlPerson(w http.ResponseWriter, r *http.Request, user string) {
	var body struct {
		Closed *bool   `json:"dms_closed"`
		Locale *string `json:"locale"`
	}
	if !understand(w, r, &body) {
		return
	}
	var err error
	if body.Closed != nil {
		err = s.CloseDMs(user, *body.Closed)
	}
	if err == nil && body.Locale != nil {
		err = s.SetLocale(user, *body.Locale)
	}
	settle(w, nil, err)
}

func (s *Server) controlMake(w http.ResponseWriter, r *http.Request, what string) bool {
	switch r.Method + " " + what {
	case "POST guilds":
		var body struct{ Name string }
		if understand(w, r, &body) {
			made, err := s.CreateGuild(body.Name)
			settle(w, made, err)
		}
	case "POST channels":
		var spec ChannelSpec
		if understand(w, r, &spec) {
			made, err := s.CreateChannel(spec)
			settle(w, made, err)
		}
	default:
		return false
	}
	return true
}

// controlOneGuild shows or changes a guild.
func (s *Server) controlOneGuild(w http.ResponseWriter, r *http.Request, ref string) {
	switch r.Method {
	case http.MethodGet:
		v, err := s.Guild(ref)
		settle(w, v, err)
	case http.MethodPatch:
		var change GuildChange
		if understand(w, r, &change) {
			settle(w, nil, s.ChangeGuild(ref, change))
		}
	default:
		refuse(w, http.StatusMethodNotAllowed, "GET and PATCH only")
	}
}

// Guild returns what there is of a guild, by id or name; of the first for "". It is a copy, for roles are changed in place.
func (s *Server) Guild(ref string) (GuildState, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, err := s.guild(ref)
	if err != nil {
		return GuildState{}, err
	}
	v := GuildState{Named: Named{g.id, g.name}, Owner: g.owner, Locale: g.preferred(), Outage: g.outage, Roles: slices.Clone(g.roles), Members: []any{}}
	for _, m := range s.roster(g) {
		v.Members = append(v.Members, m)
	}
	return v, nil
}

// controlIn answers for the bot, the roles and the members of a guild.
func (s *Server) controlIn(w http.ResponseWriter, r *http.Request, ref, what string, rest []string) bool {
	one := ""
	if len(rest) == 1 {
		one = rest[0]
	} else if len(rest) > 1 {
		return false
	}
	switch {
	case what == "bot" && one == "":
		s.controlBot(w, r, ref)
	case what == "roles":
		s.controlRole(w, r, ref, one)
	case what == "members" && one != "":
		s.controlMember(w, r, ref, one)
	default:
		return false
	}
	return true
}

func (s *Server) controlBot(w http.ResponseWriter, r *http.Request, ref string) {
	switch r.Method {
	case http.MethodPut:
		var body struct{ Permissions []string }
		if understand(w, r, &body) {
			settle(w, nil, s.InviteBot(ref, body.Permissions))
		}
	case http.MethodDelete:
		settle(w, nil, s.RemoveBot(ref))
	default:
		refuse(w, http.StatusMethodNotAllowed, "PUT and DELETE only")
	}
}

func (s *Server) controlRole(w http.ResponseWriter, r *http.Request, ref, one string) {
	switch {
	case r.Method == http.MethodPost && one == "":
		var spec RoleSpec
		if understand(w, r, &spec) {
			made, err := s.CreateRole(ref, spec)
			settle(w, made, err)
		}
	case r.Method == http.MethodPatch && one != "":
		var change RoleChange
		if understand(w, r, &change) {
			settle(w, nil, s.ChangeRole(ref, one, change))
		}
	case r.Method == http.MethodDelete && one != "":
		settle(w, nil, s.DeleteRole(ref, one))
	default:
		refuse(w, http.StatusMethodNotAllowed, "POST roles, PATCH and DELETE roles/{role} only")
	}
}

func (s *Server) controlMember(w http.ResponseWriter, r *http.Request, ref, user string) {
	switch r.Method {
	case http.MethodPut:
		settle(w, nil, s.Join(ref, user))
	case http.MethodPatch:
		var change MemberChange
		if understand(w, r, &change) {
			settle(w, nil, s.ChangeMember(ref, user, change))
		}
	case http.MethodDelete:
		settle(w, nil, s.Leave(ref, user))
	default:
		refuse(w, http.StatusMethodNotAllowed, "PUT, PATCH and DELETE only")
	}
}

// controlChannel shows, changes or deletes a channel or thread.
func (s *Server) controlChannel(w http.ResponseWriter, r *http.Request, ref string) {
	switch r.Method {
	case http.MethodPatch:
		var change ChannelChange
		if understand(w, r, &change) {
			v, err := s.ChangeChannel(ref, change)
			settle(w, v, err)
		}
	case http.MethodDelete:
		settle(w, nil, s.DeleteChannel(ref))
	default:
		refuse(w, http.StatusNotFound, "no such control")
	}
}

// controlUnder answers for what hangs on a channel.
func (s *Server) controlUnder(w http.ResponseWriter, r *http.Request, ref, where string) bool {
	switch where {
	case "PUT overwrites":
		var o Overwrite
		if understand(w, r, &o) {
			settle(w, nil, s.SetOverwrite(ref, o))
		}
	case "POST threads":
		var spec ThreadSpec
		if understand(w, r, &spec) {
			made, err := s.StartThread(ref, spec)
			settle(w, made, err)
		}
	case "POST bulk-delete":
		var body struct{ Messages []string }
		if understand(w, r, &body) {
			settle(w, nil, s.BulkDelete(ref, body.Messages))
		}
	default:
		return false
	}
	return true
}
