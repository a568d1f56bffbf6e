package discord

import "slices"

// Events of guilds, their channels, roles and members. Channels go to everybody who asked for guilds, also those that the bot
// cannot see, as Discord does with bots; threads and what happens in them only where the bot sees them.

// guildsOf is the guilds a session hears of: the bot is in them, and they are of its shard.
func (s *Server) guildsOf(n *session) []*guild {
	var mine []*guild
	for _, g := range s.guilds {
		if g.members[s.bot.ID] != nil && s.owns(n, g.id) {
			mine = append(mine, g)
		}
	}
	return mine
}

// announce sends an event of a guild to the sessions that asked for one of the intents, and lets the page read the state again.
func (s *Server) announce(name string, g *guild, intents int, data any) {
	s.watch("state", watched{})
	if g.outage || g.members[s.bot.ID] == nil {
		return
	}
	s.deliver(name, func(n *session) bool { return n.intents&intents != 0 && s.owns(n, g.id) }, func(*session) any { return data })
}

// changedChannel keeps a channel or thread that is not as it was, and tells those who see it.
func (s *Server) changedChannel(c *channel) { s.tellChannel(c, "UPDATE") }

// tellChannel sends CHANNEL_… or THREAD_… after keeping the change.
func (s *Server) tellChannel(c *channel, what string) {
	c.changed = true
	s.keepChannel(c, what == "DELETE")
	switch {
	case c.thread == nil:
		s.announce("CHANNEL_"+what, c.guild, intentGuilds, s.view(c))
	case !s.sees(c, s.bot.ID):
	case what == "DELETE":
		s.announce("THREAD_DELETE", c.guild, intentGuilds, map[string]any{
			"id": c.id, "guild_id": c.guild.id, "parent_id": c.parent.id, "type": c.kind,
		})
	default:
		v := s.threadView(c)
		if what == "CREATE" {
			v["newly_created"] = true
		}
		s.announce("THREAD_"+what, c.guild, intentGuilds, v)
	}
}

// changeAccess makes a change that may open channels to the bot, and tells it of the threads it then sees.
func (s *Server) changeAccess(g *guild, change func()) {
	seen := map[*channel]bool{}
	for _, c := range s.channels {
		seen[c] = c.guild == g && s.sees(c, s.bot.ID)
	}
	change()
	gained, threads := []string{}, []*channel{}
	for _, c := range s.channels {
		if c.guild == g && c.thread == nil && !seen[c] && s.sees(c, s.bot.ID) {
			gained = append(gained, c.id)
		}
	}
	if len(gained) == 0 {
		return
	}
	for _, c := range s.activeThreads(g) {
		if slices.Contains(gained, c.parent.id) {
			threads = append(threads, c)
		}
	}
	s.announce("THREAD_LIST_SYNC", g, intentGuilds, map[string]any{
		"guild_id": g.id, "channel_ids": gained, "threads": s.threadViews(threads), "members": s.followed(threads),
	})
}
