package discord

import (
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"tsumugi/shared/chat"
)

// maxBulk is how many deletions one payload may bring. Discord deletes at most a hundred messages at once.
const maxBulk = 1000

var errNoEvent = errors.New("the payload is not what its name says")

// told is what one payload of the gateway says.
type told struct {
	events  []chat.Event
	message chat.MessageID // the new message it is about, ours or not
	dm      chat.ChannelID // the channel of direct messages that has news
}

// translate puts an event of the gateway in our words; what is no news for us gives nothing. Our own messages are none: there
// is one for each edit of a reply that grows. An error holds nothing of the payload.
func translate(name string, d json.RawMessage, us chat.UserID, application string) (told, error) {
	switch name {
	case "MESSAGE_CREATE", "MESSAGE_UPDATE":
		return tellMessage(name, d, us, application)
	case "MESSAGE_DELETE", "MESSAGE_DELETE_BULK":
		return tellDeleted(d)
	case "CHANNEL_UPDATE", "THREAD_UPDATE":
		return tellChannel(chat.ChannelUpdated, d)
	case "CHANNEL_DELETE", "THREAD_DELETE":
		return tellChannel(chat.ChannelDeleted, d)
	case "GUILD_UPDATE":
		return tellGuild(chat.GuildUpdated, d)
	case "GUILD_DELETE":
		return tellGuild(chat.GuildDeleted, d)
	}
	return told{}, nil
}

func tellMessage(name string, d json.RawMessage, us chat.UserID, application string) (told, error) {
	m, err := Decode(d)
	if err != nil {
		return told{}, err
	}
	Claim(m, d, us, application)
	e, ok := FromMessage(m, us), true
	out := told{message: chat.MessageID(cleanID(m.ID))}
	if name == "MESSAGE_UPDATE" {
		e, ok = FromUpdate(m, us)
		out.message = ""
	}
	if e.DM {
		out.dm = e.Channel
	}
	if ok && !e.Author.Us {
		out.events = []chat.Event{e}
	}
	return out, nil
}

func tellDeleted(d json.RawMessage) (told, error) {
	var del struct {
		ID      string   `json:"id"`
		IDs     []string `json:"ids"`
		Channel string   `json:"channel_id"`
		Guild   string   `json:"guild_id"`
	}
	if json.Unmarshal(d, &del) != nil {
		return told{}, errNoEvent
	}
	if len(del.IDs) > maxBulk {
		return told{}, fmt.Errorf("more than %d deletions at once: %w", maxBulk, errNoEvent)
	}
	var out told
	for _, one := range append(del.IDs, del.ID) {
		if e, ok := FromDelete(one, del.Channel, del.Guild); ok {
			out.events = append(out.events, e)
		}
	}
	return out, nil
}

// tellChannel is about a channel or thread. Discord does not say when it happened.
func tellChannel(what chat.What, d json.RawMessage) (told, error) {
	var c struct {
		ID    string `json:"id"`
		Guild string `json:"guild_id"`
	}
	if json.Unmarshal(d, &c) != nil || !snowflake(c.ID) {
		return told{}, errNoEvent
	}
	return told{events: []chat.Event{{
		What: what, ID: chat.EventID(cleanID(c.ID)), Channel: chat.ChannelID(cleanID(c.ID)), Guild: cleanID(c.Guild),
		DM: c.Guild == "", At: time.Now().UTC(),
	}}}, nil
}

// tellGuild is about a guild. One that is unavailable is still there: Discord has an outage.
func tellGuild(what chat.What, d json.RawMessage) (told, error) {
	var g struct {
		ID          string `json:"id"`
		Unavailable bool   `json:"unavailable"`
	}
	if json.Unmarshal(d, &g) != nil || !snowflake(g.ID) {
		return told{}, errNoEvent
	}
	if g.Unavailable {
		return told{}, nil
	}
	id := cleanID(g.ID)
	return told{events: []chat.Event{{What: what, ID: chat.EventID(id), Guild: id, At: time.Now().UTC()}}}, nil
}

// newGuild is what a GUILD_CREATE says of where messages may have been missed.
type newGuild struct {
	id        string
	away      bool // an outage: it comes when that is over
	rooms     []room
	threadsOf bool // its active threads are among the rooms
}

// room is a channel or thread and the newest message in it.
type room struct {
	channel chat.ChannelID
	last    chat.MessageID
}

// Channel types without messages of their own: categories and those whose posts are threads.
const (
	typeCategory = 4
	typeForum    = 15
	typeMedia    = 16
)

// maxRooms bounds what is taken of one guild: Discord allows 500 channels and 1,000 active threads.
const maxRooms = 5000

type roomData struct {
	ID   string `json:"id"`
	Type int    `json:"type"`
	Last string `json:"last_message_id"`
}

// readGuild reads a GUILD_CREATE.
func readGuild(d json.RawMessage) (newGuild, error) {
	var g struct {
		ID          string      `json:"id"`
		Unavailable bool        `json:"unavailable"`
		Channels    []roomData  `json:"channels"`
		Threads     *[]roomData `json:"threads"`
	}
	var odd *json.UnmarshalTypeError // one part is not as documented; the others count
	if err := json.Unmarshal(d, &g); err != nil && !errors.As(err, &odd) || !snowflake(g.ID) {
		return newGuild{}, errNoEvent
	}
	out := newGuild{id: cleanID(g.ID), away: g.Unavailable, rooms: roomsOf(g.Channels), threadsOf: g.Threads != nil}
	if g.Threads != nil {
		out.rooms = append(out.rooms, roomsOf(*g.Threads)...)
	}
	return out, nil
}

// roomsOf gives those that can have messages.
func roomsOf(cs []roomData) []room {
	var out []room
	for _, c := range cs {
		if len(out) == maxRooms {
			break
		}
		if c.Type == typeCategory || c.Type == typeForum || c.Type == typeMedia || !snowflake(c.ID) || !snowflake(c.Last) {
			continue
		}
		out = append(out, room{chat.ChannelID(cleanID(c.ID)), chat.MessageID(cleanID(c.Last))})
	}
	return out
}
