package discord

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// keptMessages is how many messages of a channel a journal is shortened to when it is read.
const keptMessages = 1000

// entry is a message as it was after one change, with what its JSON form does not carry, or a channel, a guild, a webhook or a person. The newest
// entry of a thing is what it is.
type entry struct {
	Channel *keptChannel `json:"channel,omitempty"`
	Guild   *keptGuild   `json:"guild,omitempty"`
	Hook    *keptHook    `json:"webhook,omitempty"`
	Person  *keptPerson  `json:"person,omitempty"`

	User    string   `json:"user,omitempty"` // the other side of direct messages
	Nonce   string   `json:"nonce,omitempty"`
	Message Message  `json:"message,omitzero"`
	Edits   []Edit   `json:"edits,omitempty"`
	Pinged  []string `json:"pinged,omitempty"`
	Deleted bool     `json:"deleted,omitempty"`
	// Reactors is who made each of the message's reactions, in their order.
	Reactors [][]string `json:"reactors,omitempty"`
}

// Keep makes this Discord outlive its process: what the file at path says is taken over, and every later change is
// written to it before anybody is told. A change is written whole or, by a process that dies, not at all. It is called once,
// before the server is used; Close closes the file.
func (s *Server) Keep(path string) error {
	entries, err := readJournal(path)
	if err != nil {
		return fmt.Errorf("keep the simulated discord: %w", err)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, e := range entries {
		s.restore(e)
	}
	s.categorize(entries)
	if s.journal, err = s.shorten(path); err != nil {
		return fmt.Errorf("keep the simulated discord: %w", err)
	}
	return nil
}

// readJournal reads the entries of a file; none where there is no file. The last line may be half a line.
func readJournal(path string) ([]entry, error) {
	f, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var entries []entry
	r := bufio.NewReader(f)
	for {
		line, err := r.ReadBytes('\n')
		if errors.Is(err, io.EOF) {
			return entries, nil
		}
		if err != nil {
			return nil, err
		}
		var e entry
		if json.Unmarshal(line, &e) == nil && (e.Message.ID != "" || e.Channel != nil || e.Guild != nil || e.Hook != nil || e.Person != nil) { // a damaged line says nothing
			entries = append(entries, e)
		}
	}
}

// restore takes one entry over. Entries of channels or people that are not there any more are left out.
func (s *Server) restore(e entry) {
	switch {
	case e.Guild != nil:
		s.restoreGuild(e.Guild)
		return
	case e.Channel != nil:
		s.restoreChannel(e.Channel)
		return
	case e.Person != nil:
		s.restorePerson(e.Person)
		return
	case e.Hook != nil:
		s.restoreHook(e.Hook)
		return
	}
	ref := e.Message.ChannelID
	if e.User != "" {
		ref = "dm:" + e.User
	}
	c, err := s.channel(ref)
	if err != nil {
		return
	}
	m := c.byID[e.Message.ID]
	if m == nil {
		m = &Message{}
		c.messages = append(c.messages, m)
		c.byID[e.Message.ID] = m
	}
	*m = e.Message
	m.Edits, m.Pinged, m.Deleted = e.Edits, e.Pinged, e.Deleted
	for i := range m.Reactions[:min(len(m.Reactions), len(e.Reactors))] {
		m.Reactions[i].Users = e.Reactors[i]
	}
	if m.ReferencedMessage != nil && m.MessageReference != nil {
		m.ReferencedMessage = &Referenced{}
		if from := s.byID[m.MessageReference.ChannelID]; from != nil { // a thread's first message refers to another channel
			m.ReferencedMessage.Message = from.byID[m.MessageReference.MessageID]
		}
	}
	if e.Nonce != "" {
		s.remember(c, e.Nonce, m)
	}
	s.taken(m.ID)
}

// shorten writes what there is to a new file in the place of the old one, and opens it for more.
func (s *Server) shorten(path string) (*os.File, error) {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".*")
	if err != nil {
		return nil, err
	}
	w := bufio.NewWriter(f)
	for _, e := range s.keptEntries() {
		line, err := json.Marshal(e)
		if err == nil {
			_, err = w.Write(append(line, '\n'))
		}
		if err != nil {
			return nil, errors.Join(err, f.Close(), os.Remove(f.Name()))
		}
	}
	if err := errors.Join(w.Flush(), os.Rename(f.Name(), path)); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

func entryOf(c *channel, m *Message) entry {
	e := entry{User: c.user, Message: *m, Edits: m.Edits, Pinged: m.Pinged, Deleted: m.Deleted}
	for _, r := range m.Reactions {
		e.Reactors = append(e.Reactors, r.Users)
	}
	for key, of := range c.nonces {
		if of == m {
			_, e.Nonce, _ = strings.Cut(key, " ")
		}
	}
	return e
}

// keep writes a changed message to the journal. The lock is held.
func (s *Server) keep(c *channel, m *Message) {
	if s.journal != nil {
		s.note(entryOf(c, m))
	}
}

// note writes one entry.
func (s *Server) note(e entry) {
	line, err := json.Marshal(e)
	if s.torn { // a full disk may have taken half of the last line
		line = append([]byte{'\n'}, line...)
	}
	if err == nil {
		_, err = s.journal.Write(append(line, '\n'))
	}
	s.torn = err != nil
	if err != nil {
		s.opt.Log.Error("the simulated discord was not kept", "err", err)
	}
}
