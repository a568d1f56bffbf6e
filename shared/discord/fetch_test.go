package discord_test

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
)

// files answers at Discord's addresses.
func files(t *testing.T, answer http.HandlerFunc) *discord.Client {
	return discord.New(discord.Options{Token: "bot", HTTPClient: &http.Client{Transport: tripper(func(r *http.Request) (*http.Response, error) {
		if r.Header.Get("Authorization") != "" {
			t.Error("the token went along")
		}
		rec := httptest.NewRecorder()
		answer(rec, r)
		return rec.Result(), nil
	})}})
}

func TestFilesAreReadFromDiscordOnly(t *testing.T) {
	const cdn = "https://cdn.discordapp.com/ephemeral-attachments/1/2/face.png?ex=1&hm=2"
	for name, c := range map[string]struct {
		file   chat.Attachment
		status int
		kind   chat.FailureKind
		asked  bool
	}{
		"as it is":             {chat.Attachment{URL: cdn, Size: 4}, 200, "", true},
		"of the proxy":         {chat.Attachment{URL: "https://MEDIA.discordapp.net/x"}, 200, "", true},
		"larger than it says":  {chat.Attachment{URL: cdn + "&large", Size: 1}, 200, chat.Rejected, true},
		"too large":            {chat.Attachment{URL: cdn, Size: 11}, 200, chat.Rejected, false},
		"gone":                 {chat.Attachment{URL: cdn}, 404, chat.Vanished, true},
		"its time is over":     {chat.Attachment{URL: cdn}, 403, chat.Vanished, true},
		"led elsewhere":        {chat.Attachment{URL: cdn}, 302, chat.Rejected, true},
		"ill":                  {chat.Attachment{URL: cdn}, 503, chat.Unknown, true},
		"limited":              {chat.Attachment{URL: cdn}, 429, chat.Throttled, true},
		"another host":         {chat.Attachment{URL: "https://cdn.discordapp.com.example.org/x"}, 200, chat.Rejected, false},
		"a name before it":     {chat.Attachment{URL: "https://cdn.discordapp.com@example.org/x"}, 200, chat.Rejected, false},
		"a name within it":     {chat.Attachment{URL: "https://u:p@cdn.discordapp.com/x"}, 200, chat.Rejected, false},
		"a port":               {chat.Attachment{URL: "https://cdn.discordapp.com:8443/x"}, 200, chat.Rejected, false},
		"in the open":          {chat.Attachment{URL: "http://cdn.discordapp.com/x"}, 200, chat.Rejected, false},
		"the API":              {chat.Attachment{URL: "https://discord.com/api/v10/users/@me"}, 200, chat.Rejected, false},
		"a file here":          {chat.Attachment{URL: "file:///etc/passwd"}, 200, chat.Rejected, false},
		"nothing":              {chat.Attachment{}, 200, chat.Rejected, false},
		"no address":           {chat.Attachment{URL: "https://cdn.discordapp.com/\x7f"}, 200, chat.Rejected, false},
		"the machine's own":    {chat.Attachment{URL: "http://169.254.169.254/latest/meta-data"}, 200, chat.Rejected, false},
		"without its two dots": {chat.Attachment{URL: "cdn.discordapp.com/x"}, 200, chat.Rejected, false},
	} {
		t.Run(name, func(t *testing.T) {
			asked := false
			client := files(t, func(w http.ResponseWriter, r *http.Request) {
				asked = true
				w.Header().Set("Location", "http://169.254.169.254/")
				w.WriteHeader(c.status)
				n := 4
				if strings.HasSuffix(r.URL.RawQuery, "large") {
					n = 1 << 20
				}
				w.Write(make([]byte, n))
			})
			body, err := client.Fetch(t.Context(), c.file, 10)
			if chat.FailureOf(err) != c.kind || asked != c.asked || err == nil && len(body) != 4 || err != nil && body != nil {
				t.Errorf("%d bytes, %v, asked: %t", len(body), err, asked)
			}
			if err != nil && strings.Contains(err.Error(), "hm=") {
				t.Errorf("the error tells the address: %v", err)
			}
		})
	}
}

func TestFilesOfTheSimulatedDiscord(t *testing.T) {
	bubble(t, contentOn(), func(t *testing.T, w *world) {
		if err := w.client.SetCommands(t.Context(), w.State().Application.ID, []chat.CommandSpec{{Name: "x", Description: "x", Options: []chat.OptionSpec{{Name: "face", Description: "x", Kind: chat.OptionFile}}}}); err != nil {
			t.Fatal(err)
		}
		heard := make(chan chat.Interaction, 1)
		g := start(t, &discord.Gateway{REST: w.client, MessageContent: true, Dial: w.pipe.Dial, OnInteraction: func(_ context.Context, i chat.Interaction) chat.Answer {
			heard <- i
			return chat.Answer{Text: "x", Ephemeral: true}
		}}, nil)
		<-g.ready
		synctest.Wait()
		_, err := w.Interact(t.Context(), simdiscord.Invocation{Kind: "command", Command: "x", User: "ana", Channel: "lounge",
			Options: map[string]any{"face": map[string]any{"filename": "face.png", "content_type": "image/png", "content": "aGVsbG8="}}})
		if err != nil {
			t.Fatal(err)
		}
		i := <-heard
		file, there := i.Files[i.Option("face")]
		if !there || file.Name != "face.png" || file.Type == "" || file.Size != 5 {
			t.Errorf("%+v", i)
		}
		if body, err := w.client.Fetch(t.Context(), file, 5); err != nil || string(body) != "hello" {
			t.Errorf("%q, %v", body, err)
		}
		file.URL = strings.Replace(file.URL, "http://localhost", "http://another.name.of.it:8420", 1)
		if body, err := w.client.Fetch(t.Context(), file, 5); err != nil || string(body) != "hello" {
			t.Errorf("%q, %v", body, err)
		}
		file.URL = "http://localhost/api/v10/gateway"
		if _, err := w.client.Fetch(t.Context(), file, 100); chat.FailureOf(err) != chat.Rejected {
			t.Errorf("the API is no file: %v", err)
		}
		g.end()
	})
}

func TestAFileThatDoesNotEnd(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		client := discord.New(discord.Options{HTTPClient: &http.Client{Transport: tripper(func(r *http.Request) (*http.Response, error) {
			<-r.Context().Done()
			return nil, r.Context().Err()
		})}})
		began := time.Now()
		_, err := client.Fetch(t.Context(), chat.Attachment{URL: "https://cdn.discordapp.com/x"}, 10)
		if chat.FailureOf(err) != chat.Unknown || !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != chat.Call {
			t.Errorf("%v after %v", err, time.Since(began))
		}
	})
}
