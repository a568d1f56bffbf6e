package discord

import (
	"fmt"
	"math"
	"net/http"
	"time"
)

// Who may speak where: the bot, by Discord's answers, and people.

// compose makes the bot's new message m what the draft says, under what the bot may do in the channel.
func (s *Server) compose(q *request, c *channel, m *Message, d *draft) *reply {
	may := s.permissions(c, s.bot.ID)
	m.TTS = d.TTS && may&sendTTS != 0
	if d.Flags != nil {
		m.Flags = *d.Flags & flagsOnCreate
	}
	d.apply(m)
	if d.Reference != nil && d.Reference.Type != referenceForward && may&readHistory == 0 { // a forward reads elsewhere
		no := fail(http.StatusForbidden, 160002, "You cannot reply without permission to read message history")
		return &no
	}
	if bad := s.refer(c, m, d); bad != nil {
		return bad
	}
	if bad := s.furnish(c, m, d, q); bad != nil {
		return bad
	}
	if m.empty() {
		no := emptyMessage()
		return &no
	}
	if no := barred(m, may); no != nil {
		return no
	}
	s.mention(c, m, d.AllowedMentions)
	return nil
}

// barred is the refusal of a message that holds what its author may not send.
func barred(m *Message, may permission) *reply {
	if len(m.Embeds) > 0 && may&embedLinks == 0 || len(m.Attachments) > 0 && may&attachFiles == 0 {
		no := noPermission()
		return &no
	}
	if m.Poll != nil && may&sendPolls == 0 {
		no := noPermission()
		return &no
	}
	if m.Flags&flagVoiceMessage != 0 && may&sendVoiceMessages == 0 {
		no := fail(http.StatusForbidden, 50173, "Cannot send voice messages in this channel")
		return &no
	}
	return nil
}

// speakable finds the channel in which the bot is about to speak, and says what is in the way. A thread is then open and the bot
// in it.
func (s *Server) speakable(q *request) (*channel, *reply) {
	c, no := s.reach(q, sendMessages)
	if no != nil {
		return nil, no
	}
	for _, bar := range []*reply{c.silent(), s.unreachable(c)} {
		if bar != nil {
			return nil, bar
		}
	}
	return c, nil
}

// What Discord allows in edits of messages older than an hour is a number it does not publish; people have seen about three in
// twenty seconds a channel.
const (
	oldMessage     = time.Hour
	oldEditsWindow = 20 * time.Second
)

// oldEdit counts an edit of a message that is older than an hour and says no to one too many.
func (s *Server) oldEdit(c *channel, m *Message, now time.Time) *reply {
	if s.opt.NoLimits || now.Sub(m.Timestamp.Time) < oldMessage {
		return nil
	}
	for len(c.oldEdits) > 0 && now.Sub(c.oldEdits[0]) >= oldEditsWindow {
		c.oldEdits = c.oldEdits[1:]
	}
	if len(c.oldEdits) < s.opt.OldEdits {
		c.oldEdits = append(c.oldEdits, now)
		return nil
	}
	wait := c.oldEdits[0].Add(oldEditsWindow).Sub(now)
	return &reply{http.StatusTooManyRequests, map[string]any{
		"message": "Maximum number of edits to messages older than 1 hour reached. Try again later", "code": 30046,
		"retry_after": math.Ceil(wait.Seconds()*1000) / 1000, "global": false,
	}}
}

// undeletable says whether Discord keeps a system message where it is.
func (m *Message) undeletable() bool {
	switch m.Type {
	case 1, 2, 3, 4, 5, 14, 15, 16, 17, 21:
		return true
	}
	return false
}

// hears says why a person may not say this here.
func (s *Server) hears(c *channel, u *User, say Saying, now time.Time) error {
	if say.Type != typeDefault { // not the person's own words
		return nil
	}
	need := sendMessages
	if len(say.Attachments) > 0 {
		need |= attachFiles
	}
	if say.ReplyTo != "" {
		need |= readHistory
	}
	if no := s.may(c, u.ID, need); no != nil {
		return worded("speak in "+c.name, no)
	}
	if no := c.silent(); no != nil {
		return worded("speak in "+c.name, no)
	}
	free := s.permissions(c, u.ID)&(manageMessages|manageChannels|bypassSlowmode) != 0 || u.Bot
	if wait := c.spoke[u.ID].Add(time.Duration(c.slowmode) * time.Second).Sub(now); wait > 0 && c.slowmode > 0 && !free {
		return fmt.Errorf("speak in %s within its slowmode (20016), %s too early: %w", c.name, wait, ErrRefused)
	}
	return nil
}

// enterAs lets a person who is about to speak into a thread, and begins the slowmode's wait.
func (s *Server) enterAs(c *channel, u *User, now time.Time) error {
	if no := s.enterThread(c, u, now); no != nil {
		return worded("speak in "+c.name, no)
	}
	if c.slowmode > 0 {
		c.spoke[u.ID] = now
	}
	return nil
}
