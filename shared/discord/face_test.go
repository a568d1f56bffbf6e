package discord_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/guild"
	"tsumugi/shared/seal/sealtest"
	simdiscord "tsumugi/shared/sim/discord"
)

// names is what personas may be called, and what a face is called then (bugs.md B16, B17).
var names = map[string]string{
	"Mira":                "Mira",
	"Clyde from discord":  "Cl\u200ayde from dis\u200acord",
	"DISCORD":             "DIS\u200aCORD",
	"here":                "he\u200are",
	"groundsphere":        "groundsphe\u200are",
	"Everyone's friend":   "Every\u200aone's friend",
	"@a:b#1":              "\uff20a\uff1ab\uff031",
	"```x":                "\u2018\u2018\u2018x",
	"":                    "Persona",
	"  ":                  "Persona",
	"\u200b\u3164\u2800":  "Persona",
	"\u202eMira\u202c":    "Mira",
	"dis\u200bcord":       "dis\u200acord",
	"👩‍🚀":                 "👩‍🚀",
	"ミラ":                  "ミラ",
	"\u0301":              "Persona",
	"two\nlines":          "two lines",
	"discorddiscord here": "dis\u200acorddis\u200acord he\u200are",
}

func TestFaceName(t *testing.T) {
	for name, want := range names {
		if got := discord.FaceName(name); got != want {
			t.Errorf("%q becomes %q, want %q", name, got, want)
		}
	}
	if got := discord.FaceName(strings.Repeat("x", 81)); utf8.RuneCountInString(got) != 80 {
		t.Errorf("81 characters become %d", utf8.RuneCountInString(got))
	}
	// The rules are Discord's, as the simulator has them.
	masks(t, simdiscord.Options{NoLimits: true}, func(t *testing.T, m masked) {
		for name := range names {
			ref, err := m.client.Create(t.Context(), chat.Post{Channel: m.lounge, Content: "x", As: as(name)})
			if chat.FailureOf(err) == chat.Throttled { // thirty in a minute
				<-time.After(time.Minute)
				ref, err = m.client.Create(t.Context(), chat.Post{Channel: m.lounge, Content: "x", As: as(name)})
			}
			if err != nil {
				t.Fatalf("%q: %v", name, err)
			}
			if got := m.message(t, ref).Author.Username; got != discord.FaceName(name) {
				t.Errorf("%q is shown as %q", name, got)
			}
		}
		for _, c := range m.Calls() {
			if c.Status == http.StatusBadRequest {
				t.Error("a name was refused")
			}
		}
	})
}

func FuzzFaceName(f *testing.F) {
	for name := range names {
		f.Add(name)
	}
	f.Fuzz(func(t *testing.T, name string) {
		got := discord.FaceName(name)
		low := strings.ToLower(got)
		if n := utf8.RuneCountInString(got); n < 1 || n > 80 || !utf8.ValidString(got) || strings.TrimSpace(got) != got {
			t.Errorf("%q becomes %q", name, got)
		}
		for _, word := range []string{"discord", "clyde", "here", "everyone", "@", "#", ":", "```", "\u202e"} {
			if strings.Contains(low, word) {
				t.Errorf("%q becomes %q, with %q", name, got, word)
			}
		}
	})
}

// Whatever Discord may refuse of a face besides, the words are said.
func TestAFaceThatIsRefusedIsLeftOut(t *testing.T) {
	for field, want := range map[string]string{"username": `"username":"Persona","avatar_url"`, "avatar_url": `"username":"Mira","allowed`} {
		var bodies []string
		c := discord.New(discord.Options{Token: "x", BaseURL: "http://localhost", Self: "9", Hooks: &shelf{kept: map[chat.ChannelID]guild.Hook{}}, Sealer: sealtest.Memory(),
			HTTPClient: &http.Client{Transport: inside(func(w http.ResponseWriter, r *http.Request) {
				w.Header().Set("Content-Type", "application/json")
				switch {
				case strings.HasSuffix(r.URL.Path, "/webhooks") && r.Method == http.MethodGet:
					fmt.Fprint(w, `[]`)
				case strings.HasSuffix(r.URL.Path, "/webhooks"):
					fmt.Fprint(w, `{"id":"7","token":"t"}`)
				case r.Method == http.MethodGet:
					fmt.Fprint(w, `{"id":"1","guild_id":"2","type":0}`)
				default:
					body := make([]byte, r.ContentLength)
					_, _ = r.Body.Read(body)
					bodies = append(bodies, string(body))
					if r.Header.Get("Authorization") != "" {
						t.Error("the bot's token goes to a webhook")
					}
					if len(bodies) == 1 {
						w.WriteHeader(http.StatusBadRequest)
						fmt.Fprintf(w, `{"code":50035,"message":"Invalid Form Body","errors":{%q:{"_errors":[{"code":"X","message":"no"}]}}}`, field)
						return
					}
					fmt.Fprint(w, `{"id":"5","channel_id":"1"}`)
				}
			})}})
		ref, err := c.Create(t.Context(), chat.Post{Channel: "1", Content: "x", As: &chat.Face{Name: "Mira", Avatar: "https://example.com/a.png"}})
		if err != nil || ref.Hook != "7" || len(bodies) != 2 || !strings.Contains(bodies[1], want) {
			t.Errorf("%s: %v, %v", field, err, bodies)
		}
	}
}

// What our own webhooks say is no news, neither by the gateway nor when it was missed; who replies to it replies to us.
func TestTheEchoOfAFaceIsIgnored(t *testing.T) {
	masks(t, simdiscord.Options{MessageContentEnabled: true}, func(t *testing.T, m masked) {
		g := m.run(t, true, nil)
		defer g.end()
		<-g.ready
		ref := m.speak(t, m.client, m.lounge, "Mira", "An echo.")
		if err := m.client.Edit(t.Context(), ref, chat.Shown{Content: "An echo, edited."}); err != nil {
			t.Fatal(err)
		}
		if _, err := m.Post(string(m.lounge), simdiscord.Saying{Author: "ana", Content: "And?", ReplyTo: string(ref.Message)}); err != nil {
			t.Fatal(err)
		}
		if e := <-g.events; e.Text != "And?" || !e.ReplyToUs {
			t.Errorf("heard %+v", e)
		}
		foreign, err := m.CreateWebhook(string(m.lounge), "ana", "Feed")
		if err != nil {
			t.Fatal(err)
		}
		r, _ := http.NewRequestWithContext(context.Background(), http.MethodPost, "http://localhost/api/v10/webhooks/"+foreign.ID+"/"+foreign.Token, strings.NewReader(`{"content":"news"}`))
		r.Header.Set("Content-Type", "application/json")
		transport := m.pipe.Transport()
		defer transport.CloseIdleConnections()
		resp, err := transport.RoundTrip(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if e := <-g.events; e.Text != "news" || !e.Author.Webhook || e.Author.Us {
			t.Errorf("heard %+v", e)
		}
	})
}
