package discord

import "slices"

// keptHook is a webhook in the journal, which only its owner may read: the token is in it, for a bot that remembers one must
// find it as it was. The picture is not; it has its hash and no bytes after a restart.
type keptHook struct {
	ID          string  `json:"id"`
	Token       string  `json:"token,omitempty"`
	Name        string  `json:"name,omitempty"`
	Channel     string  `json:"channel,omitempty"`
	Guild       string  `json:"guild,omitempty"`
	Avatar      *string `json:"avatar,omitempty"`
	Creator     string  `json:"creator,omitempty"`
	Application string  `json:"application,omitempty"`
	Deleted     bool    `json:"deleted,omitempty"`
}

func (h *webhook) kept() *keptHook {
	return &keptHook{
		ID: h.id, Token: h.token, Name: h.name, Channel: h.channel, Guild: h.guild, Avatar: h.avatar, Creator: h.creator,
		Application: h.application,
	}
}

// keepHook writes a changed webhook to the journal. The lock is held.
func (s *Server) keepHook(h *webhook, deleted bool) {
	if s.journal == nil {
		return
	}
	if deleted {
		s.note(entry{Hook: &keptHook{ID: h.id, Deleted: true}})
		return
	}
	s.note(entry{Hook: h.kept()})
}

// restoreHook takes a webhook over. One whose channel is not there any more is left out.
func (s *Server) restoreHook(k *keptHook) {
	s.taken(k.ID)
	s.hooks = slices.DeleteFunc(s.hooks, func(h *webhook) bool { return h.id == k.ID })
	if k.Deleted || s.byID[k.Channel] == nil {
		return
	}
	s.hooks = append(s.hooks, &webhook{
		id: k.ID, token: k.Token, name: k.Name, channel: k.Channel, guild: k.Guild, avatar: k.Avatar, creator: k.Creator,
		application: k.Application,
	})
}
