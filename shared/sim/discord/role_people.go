package discord

import (
	"fmt"
	"slices"
	"time"
)

// RoleSpec is a role as a moderator makes it.
type RoleSpec struct {
	Name string `json:"name"`
	// Permissions have Discord's names.
	Permissions []string `json:"permissions"`
	Color       int      `json:"color"`
	Mentionable bool     `json:"mentionable"`
	Hoist       bool     `json:"hoist"`
}

// RoleChange is what becomes otherwise in a role; nil leaves a thing as it is.
type RoleChange struct {
	Name        *string   `json:"name"`
	Permissions *[]string `json:"permissions"`
	Color       *int      `json:"color"`
	Mentionable *bool     `json:"mentionable"`
	Hoist       *bool     `json:"hoist"`
	Position    *int      `json:"position"`
}

// CreateRole makes a role above the others, and tells the gateway.
func (s *Server) CreateRole(guildRef string, spec RoleSpec) (Named, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, err := s.guild(guildRef)
	if err != nil {
		return Named{}, err
	}
	may, err := permissionsNamed(spec.Permissions)
	if err != nil {
		return Named{}, err
	}
	if spec.Name == "" {
		return Named{}, fmt.Errorf("make a role without a name: %w", ErrRefused)
	}
	r := role{
		ID: s.ids.next(time.Now()), Name: spec.Name, Permissions: may, Position: len(g.roles), Color: spec.Color,
		Colors: roleColors{Primary: spec.Color}, Mentionable: spec.Mentionable, Hoist: spec.Hoist,
	}
	g.roles = append(g.roles, r)
	s.keepGuild(g)
	s.announce("GUILD_ROLE_CREATE", g, intentGuilds, map[string]any{"guild_id": g.id, "role": r})
	return Named{r.ID, r.Name}, nil
}

// ChangeRole changes a role, and tells the gateway. "@everyone" is the role of everybody.
func (s *Server) ChangeRole(guildRef, ref string, change RoleChange) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, err := s.guild(guildRef)
	if err != nil {
		return err
	}
	r, err := g.roleNamed(ref)
	if err != nil {
		return err
	}
	next := *r
	if change.Permissions != nil {
		if next.Permissions, err = permissionsNamed(*change.Permissions); err != nil {
			return err
		}
	}
	assign(&next.Name, change.Name)
	assign(&next.Mentionable, change.Mentionable)
	assign(&next.Hoist, change.Hoist)
	assign(&next.Position, change.Position)
	assign(&next.Color, change.Color)
	next.Colors.Primary = next.Color
	s.changeAccess(g, func() {
		*r = next
		s.keepGuild(g)
		s.announce("GUILD_ROLE_UPDATE", g, intentGuilds, map[string]any{"guild_id": g.id, "role": next})
	})
	return nil
}

// DeleteRole takes a role away from everybody who has it. That of everyone and a bot's own stay.
func (s *Server) DeleteRole(guildRef, ref string) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	g, err := s.guild(guildRef)
	if err != nil {
		return err
	}
	r, err := g.roleNamed(ref)
	if err != nil {
		return err
	}
	id := r.ID
	if id == g.id || r.Managed {
		return fmt.Errorf("delete role %s: %w", r.Name, ErrRefused)
	}
	s.changeAccess(g, func() { s.dropRole(g, id) })
	return nil
}

func (s *Server) dropRole(g *guild, id string) {
	g.roles = slices.DeleteFunc(slices.Clone(g.roles), func(r role) bool { return r.ID == id })
	for userID, m := range g.members {
		if !slices.Contains(m.Roles, id) {
			continue
		}
		m.Roles = slices.DeleteFunc(slices.Clone(m.Roles), func(r string) bool { return r == id })
		if u := s.userByID(userID); u != nil {
			s.tellMember("GUILD_MEMBER_UPDATE", g, u)
		}
	}
	for _, c := range s.channels {
		of := func(o overwrite) bool { return o.ID == id }
		if c.guild == g && slices.ContainsFunc(c.overwrites, of) {
			c.overwrites = slices.DeleteFunc(slices.Clone(c.overwrites), of)
			s.changedChannel(c)
		}
	}
	s.keepGuild(g)
	s.announce("GUILD_ROLE_DELETE", g, intentGuilds, map[string]any{"guild_id": g.id, "role_id": id})
}

// assign changes a field where there is something to change it to.
func assign[T any](field *T, to *T) {
	if to != nil {
		*field = *to
	}
}
