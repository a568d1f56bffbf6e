package discord_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/bwmarrin/discordgo"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestDiscordgoRooms: the same client starts a thread, speaks in it through a webhook, edits and deletes what it said, and reacts.
func TestDiscordgoRooms(t *testing.T) {
	w := open(t, simdiscord.Options{MessageContentEnabled: true, NoLimits: true})
	st := w.State()
	to, err := url.Parse(w.url)
	if err != nil {
		t.Fatal(err)
	}
	s, err := discordgo.New("Bot simulated")
	if err != nil {
		t.Fatal(err)
	}
	s.LogLevel = -1
	s.Client = &http.Client{Transport: rewrite{to}}

	asked := w.Say("hall", "ana", "a place of our own?")
	thread, err := s.MessageThreadStartComplex(st.Hall, asked.ID, &discordgo.ThreadStart{Name: "aside", AutoArchiveDuration: 60})
	if err != nil || thread.ID != asked.ID || thread.ParentID != st.Hall || !thread.IsThread() {
		t.Fatalf("thread %+v, %v", thread, err)
	}
	hook, err := s.WebhookCreate(st.Hall, "Mira", "")
	if err != nil || hook.Token == "" {
		t.Fatalf("webhook %+v, %v", hook, err)
	}
	m, err := s.WebhookThreadExecute(hook.ID, hook.Token, true, thread.ID, &discordgo.WebhookParams{Content: "here", Username: "Mira the Teller"})
	if err != nil || m.ChannelID != thread.ID || m.WebhookID != hook.ID || m.Author.Username != "Mira the Teller" {
		t.Fatalf("in the thread %+v, %v", m, err)
	}
	m, err = s.WebhookExecute(hook.ID, hook.Token, true, &discordgo.WebhookParams{Content: "one", Username: "Mira"})
	if err != nil {
		t.Fatal(err)
	}
	text := "two"
	if m, err = s.WebhookMessageEdit(hook.ID, hook.Token, m.ID, &discordgo.WebhookEdit{Content: &text}); err != nil || m.Content != text {
		t.Fatalf("edited %+v, %v", m, err)
	}
	if err := s.MessageReactionAdd(st.Hall, m.ID, "👍"); err != nil {
		t.Fatal(err)
	}
	shown, err := s.ChannelMessage(st.Hall, m.ID)
	if err != nil || len(shown.Reactions) != 1 || shown.Reactions[0].Emoji.Name != "👍" || !shown.Reactions[0].Me {
		t.Errorf("reactions %+v, %v", shown, err)
	}
	if err := s.MessageReactionRemove(st.Hall, m.ID, "👍", "@me"); err != nil {
		t.Error(err)
	}
	if err := s.WebhookMessageDelete(hook.ID, hook.Token, m.ID); err != nil {
		t.Error(err)
	}
	if list, err := s.ChannelWebhooks(st.Hall); err != nil || len(list) != 1 {
		t.Errorf("webhooks %v, %v", list, err)
	}
	if err := s.WebhookDelete(hook.ID); err != nil {
		t.Error(err)
	}
}
