package discord_test

import (
	"net/http"
	"net/url"
	"runtime"
	"testing"

	"github.com/bwmarrin/discordgo"

	simdiscord "tsumugi/shared/sim/discord"
)

// rewrite sends a library's calls to the simulator.
type rewrite struct{ to *url.URL }

func (r rewrite) RoundTrip(q *http.Request) (*http.Response, error) {
	q = q.Clone(q.Context())
	q.URL.Scheme, q.URL.Host, q.Host = r.to.Scheme, r.to.Host, r.to.Host
	return http.DefaultTransport.RoundTrip(q)
}

// TestDiscordgo: a client that nobody here wrote logs in, receives, answers, edits and deletes, and resumes after a drop.
func TestDiscordgo(t *testing.T) {
	w := open(t, simdiscord.Options{MessageContentEnabled: true})
	st := w.State()
	to, err := url.Parse(w.url)
	if err != nil {
		t.Fatal(err)
	}
	s, err := discordgo.New("Bot simulated")
	if err != nil {
		t.Fatal(err)
	}
	s.SyncEvents, s.StateEnabled, s.LogLevel = true, false, -1
	s.Client = &http.Client{Transport: rewrite{to}}
	s.Identify.Intents = withContent
	events := make(chan any, 100)
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.Ready) { events <- e })
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.Resumed) { events <- e })
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.GuildCreate) { events <- e })
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.MessageCreate) { events <- e })
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.MessageUpdate) { events <- e })
	s.AddHandler(func(_ *discordgo.Session, e *discordgo.MessageDelete) { events <- e })
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if e, is := (<-events).(*discordgo.Ready); !is || e.User.ID != st.Bot.ID || len(e.Guilds) != 1 {
		t.Fatalf("ready %+v", e)
	}
	if e, is := (<-events).(*discordgo.GuildCreate); !is || e.Name != st.Guild.Name || len(e.Channels) != 2 || e.Channels[0].ID != st.Lounge {
		t.Fatalf("guild %+v", e)
	}
	asked := w.Say("hall", "ana", "@Tsumugi hello")
	e, is := (<-events).(*discordgo.MessageCreate)
	if !is || e.Content != asked.Content || e.Author.Username != "ana" || e.GuildID != st.Guild.ID || len(e.Mentions) != 1 || e.Member == nil {
		t.Fatalf("message %+v", e)
	}
	answered, err := s.ChannelMessageSendReply(st.Hall, "hi", e.Reference())
	if err != nil || answered.ReferencedMessage == nil || answered.ReferencedMessage.ID != asked.ID {
		t.Fatalf("answer %+v, %v", answered, err)
	}
	if e, is := (<-events).(*discordgo.MessageCreate); !is || e.ID != answered.ID || !e.Author.Bot {
		t.Fatalf("echo %+v", e)
	}
	if _, err := s.ChannelMessageEdit(st.Hall, answered.ID, "hi there"); err != nil {
		t.Fatal(err)
	}
	if e, is := (<-events).(*discordgo.MessageUpdate); !is || e.Content != "hi there" || e.EditedTimestamp == nil {
		t.Fatalf("update %+v", e)
	}
	if err := s.ChannelTyping(st.Hall); err != nil {
		t.Fatal(err)
	}
	if list, err := s.ChannelMessages(st.Hall, 100, "", asked.ID, ""); err != nil || len(list) != 1 || list[0].Content != "hi there" {
		t.Fatalf("history %v, %v", list, err)
	}
	if err := s.ChannelMessageDelete(st.Hall, answered.ID); err != nil {
		t.Fatal(err)
	}
	if e, is := (<-events).(*discordgo.MessageDelete); !is || e.ID != answered.ID {
		t.Fatalf("delete %+v", e)
	}
	// A drop before discordgo's first heartbeat makes it reconnect twice at once, and the second hangs up on the first.
	for ready := false; !ready; runtime.Gosched() {
		s.RLock()
		ready = s.DataReady
		s.RUnlock()
	}
	if err := w.Fault(simdiscord.Fault{Kind: simdiscord.FaultDrop}); err != nil {
		t.Fatal(err)
	}
	missed := w.Say("hall", "ben", "missed")
	for {
		switch e := (<-events).(type) {
		case *discordgo.MessageCreate:
			if e.ID != missed.ID {
				t.Fatalf("after the drop %+v", e)
			}
			continue
		case *discordgo.Resumed:
			if got := w.State().Gateway; got.Identifies != 1 || got.Resumes != 1 {
				t.Errorf("counts %+v", got)
			}
			return
		}
		t.Fatal("an unexpected event after the drop")
	}
}
