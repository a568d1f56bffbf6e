package discord

import (
	"net/http"
)

// guildRoutes lists the calls about a guild's people and roles.
func guildRoutes() []route {
	return []route{
		{method: "PATCH", pattern: "/channels/{channel_id}", budget: generous, do: (*Server).patchChannel},
		{method: "GET", pattern: "/guilds/{guild_id}/members", budget: generous, do: (*Server).getMembers},
		{method: "GET", pattern: "/guilds/{guild_id}/members/{user_id}", budget: generous, do: (*Server).getMember},
		{method: "GET", pattern: "/guilds/{guild_id}/roles", budget: generous, do: (*Server).getRoles},
	}
}

// getMembers is GET /guilds/{guild_id}/members, by user id. It needs the guild members intent to be switched on.
func (s *Server) getMembers(q *request) reply {
	g, miss := s.visited(q)
	switch {
	case miss != nil:
		return *miss
	case !s.opt.GuildMembersEnabled:
		return missingAccess()
	}
	limit, bad := q.limit(1, 1000)
	if bad != nil {
		return *bad
	}
	after := int64(0)
	if text := q.query.Get("after"); text != "" {
		n, numeric := number(text)
		if !numeric {
			return invalidForm(notSnowflake("after", text))
		}
		after = n
	}
	page := []fullMember{}
	for _, m := range s.roster(g) {
		if id, _ := number(m.User.ID); id > after && len(page) < limit {
			page = append(page, m)
		}
	}
	return ok(page)
}

// getMember is GET /guilds/{guild_id}/members/{user_id}.
func (s *Server) getMember(q *request) reply {
	g, miss := s.visited(q)
	if miss != nil {
		return *miss
	}
	u := s.userByID(q.vars["user_id"])
	switch {
	case u == nil:
		return unknownUser()
	case g.members[u.ID] == nil:
		return fail(http.StatusNotFound, 10007, "Unknown Member")
	}
	return ok(s.memberOf(g, u))
}

// getRoles is GET /guilds/{guild_id}/roles.
func (s *Server) getRoles(q *request) reply {
	g, miss := s.visited(q)
	if miss != nil {
		return *miss
	}
	return ok(g.roles)
}
