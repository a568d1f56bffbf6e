package discord

import (
	"fmt"
	"net/http"
	"slices"
)

// maxReactions is how many kinds of reactions one message may have.
const maxReactions = 20

// CountDetails splits a reaction's count; bots cannot make burst reactions.
type CountDetails struct {
	Burst  int `json:"burst"`
	Normal int `json:"normal"`
}

// Reaction is one kind of reaction of a message, as the bot is shown it.
type Reaction struct {
	Emoji        ReactionEmoji `json:"emoji"`
	Count        int           `json:"count"`
	CountDetails CountDetails  `json:"count_details"`
	BurstColors  []string      `json:"burst_colors"`
	MeBurst      bool          `json:"me_burst"`
	Me           bool          `json:"me"`

	// Users holds who reacted, by id; only the control side shows it.
	Users []string `json:"-"`
}

// reactors is a kind of reaction and who made it, for the control side.
type reactors struct {
	Emoji ReactionEmoji `json:"emoji"`
	Users []string      `json:"users"`
}

func (m *Message) reactors() []reactors {
	all := []reactors{}
	for _, r := range m.Reactions {
		all = append(all, reactors{r.Emoji, r.Users})
	}
	return all
}

func reactionRoutes() []route {
	const all = "/channels/{channel_id}/messages/{message_id}/reactions"
	const mine = all + "/{emoji_name}/@me"
	return []route{
		{method: "PUT", pattern: mine, budget: reactions, do: (*Server).putReaction},
		{method: "DELETE", pattern: mine, budget: reactions, do: (*Server).deleteReaction},
		{method: "DELETE", pattern: all, budget: reactions, do: (*Server).deleteReactions},
	}
}

func unknownEmoji() reply { return fail(http.StatusNotFound, 10014, "Unknown Emoji") }

// putReaction is PUT on the bot's own reaction. Joining a reaction that is there takes no right to add new ones.
func (s *Server) putReaction(q *request) reply {
	c, m, miss := s.locate(q)
	if miss != nil {
		return *miss
	}
	e, known := s.emoji(q.vars["emoji_name"])
	if !known {
		return unknownEmoji()
	}
	need := readHistory
	if m.reaction(e) < 0 {
		need |= addReactions
	}
	if bad := s.may(c, s.bot.ID, need); bad != nil {
		return *bad
	}
	if m.reaction(e) < 0 && len(m.Reactions) >= maxReactions {
		return fail(http.StatusForbidden, 30010, fmt.Sprintf("Maximum number of reactions reached (%d)", maxReactions))
	}
	s.react(c, m, s.bot, e)
	return reply{status: http.StatusNoContent}
}

// deleteReaction is DELETE on the bot's own reaction. An emoji that nobody reacted with is unknown; one that only others reacted
// with is left as it is.
func (s *Server) deleteReaction(q *request) reply {
	c, m, miss := s.locate(q)
	if miss != nil {
		return *miss
	}
	e, known := s.emoji(q.vars["emoji_name"])
	if !known || m.reaction(e) < 0 {
		return unknownEmoji()
	}
	s.unreact(c, m, s.bot.ID, e)
	return reply{status: http.StatusNoContent}
}

// deleteReactions is DELETE on all reactions of a message, which takes the right to manage messages.
func (s *Server) deleteReactions(q *request) reply {
	c, m, miss := s.locate(q)
	if miss != nil {
		return *miss
	}
	if bad := s.may(c, s.bot.ID, manageMessages); bad != nil {
		return *bad
	}
	s.unreactAll(c, m)
	return reply{status: http.StatusNoContent}
}

// reaction is the position of an emoji among a message's reactions, or -1.
func (m *Message) reaction(e ReactionEmoji) int {
	return slices.IndexFunc(m.Reactions, func(r Reaction) bool { return r.Emoji.same(e) })
}

// recount gives a message its reactions with counts that fit who made them. Messages share their lists with copies of
// themselves, so lists are replaced and never changed.
func (s *Server) recount(m *Message, all []Reaction) {
	m.Reactions = nil
	for _, r := range all {
		if len(r.Users) == 0 {
			continue
		}
		r.Count = len(r.Users)
		r.CountDetails, r.BurstColors = CountDetails{Normal: r.Count}, []string{}
		r.Me = slices.Contains(r.Users, s.bot.ID)
		m.Reactions = append(m.Reactions, r)
	}
}

// react adds somebody's reaction; a second one of the same kind changes nothing. The lock is held.
func (s *Server) react(c *channel, m *Message, u *User, e ReactionEmoji) {
	all := slices.Clone(m.Reactions)
	i := m.reaction(e)
	if i < 0 {
		i, all = len(all), append(all, Reaction{Emoji: e})
	}
	if slices.Contains(all[i].Users, u.ID) {
		return
	}
	all[i].Users = append(slices.Clone(all[i].Users), u.ID)
	s.recount(m, all)
	d := s.reactionEvent(c, m)
	d["user_id"], d["emoji"], d["burst"], d["type"], d["message_author_id"] = u.ID, all[i].Emoji, false, 0, m.Author.ID
	if s.guildOf(c) != "" {
		d["member"] = s.memberOf(c.guild, u)
	}
	s.reacted("MESSAGE_REACTION_ADD", c, m, d)
}

// unreact takes somebody's reaction back, if there is one. The lock is held.
func (s *Server) unreact(c *channel, m *Message, user string, e ReactionEmoji) bool {
	i := m.reaction(e)
	if i < 0 || !slices.Contains(m.Reactions[i].Users, user) {
		return false
	}
	all := slices.Clone(m.Reactions)
	all[i].Users = slices.DeleteFunc(slices.Clone(all[i].Users), func(id string) bool { return id == user })
	s.recount(m, all)
	d := s.reactionEvent(c, m)
	d["user_id"], d["emoji"], d["burst"], d["type"] = user, all[i].Emoji, false, 0
	s.reacted("MESSAGE_REACTION_REMOVE", c, m, d)
	return true
}

// unreactAll takes every reaction away. The lock is held.
func (s *Server) unreactAll(c *channel, m *Message) {
	m.Reactions = nil
	s.reacted("MESSAGE_REACTION_REMOVE_ALL", c, m, s.reactionEvent(c, m))
}

func (s *Server) reactionEvent(c *channel, m *Message) map[string]any {
	d := map[string]any{"channel_id": c.id, "message_id": m.ID}
	if guild := s.guildOf(c); guild != "" {
		d["guild_id"] = guild
	}
	return d
}

// reacted keeps a message with its new reactions and tells the gateway and the page.
func (s *Server) reacted(event string, c *channel, m *Message, d map[string]any) {
	s.keep(c, m)
	s.dispatch(event, c, intentGuildReactions, intentDirectReactions, func(*session) any { return d })
	s.watch("update", watched{Channel: c.id, Message: s.control(m)})
}
