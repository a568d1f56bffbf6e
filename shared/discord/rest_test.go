package discord_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
)

// answering is a client of a server that always answers the same.
func answering(t *testing.T, status int, header http.Header, body string) *discord.Client {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		for k, v := range header {
			w.Header()[k] = v
		}
		w.WriteHeader(status)
		fmt.Fprint(w, body)
	}))
	t.Cleanup(server.Close)
	return discord.New(discord.Options{Token: "secret", BaseURL: server.URL, Self: "9"})
}

func TestFailureKinds(t *testing.T) {
	code := func(n int) string { return fmt.Sprintf(`{"code":%d,"message":"words of Discord"}`, n) }
	for _, c := range []struct {
		name   string
		status int
		body   string
		kind   chat.FailureKind
		code   int
	}{
		{"missing access", 403, code(50001), chat.Rejected, 50001},
		{"missing permission", 403, code(50013), chat.Rejected, 50013},
		{"invalid form", 400, code(50035), chat.Rejected, 50035},
		{"empty message", 400, code(50006), chat.Rejected, 50006},
		{"closed direct messages", 403, code(50007), chat.Rejected, 50007},
		{"AutoMod", 400, code(200000), chat.Rejected, 200000},
		{"too many edits of an old message", 400, code(30046), chat.Rejected, 30046},
		{"too many edits of an old message, as a limit", 429, code(30046), chat.Throttled, 30046},
		{"thread is locked", 400, code(160005), chat.Rejected, 160005},
		{"thread is archived", 400, code(50083), chat.Rejected, 50083},
		{"unknown channel", 404, code(10003), chat.Vanished, 10003},
		{"unknown message", 404, code(10008), chat.Vanished, 10008},
		{"unknown route", 404, `{"code":0,"message":"404: Not Found"}`, chat.Rejected, 0},
		{"bad token", 401, `{"code":0,"message":"401: Unauthorized"}`, chat.Throttled, 0},
		{"old interaction", 401, code(50027), chat.Rejected, 50027},
		{"a page instead of JSON", 403, `<html>no</html>`, chat.Rejected, 0},
		{"a code of the wrong type", 400, `{"code":"x"}`, chat.Rejected, 0},
		{"errors of another shape", 400, `{"errors":[],"code":50035}`, chat.Rejected, 50035},
		{"redirect", 302, ``, chat.Rejected, 0},
		{"server error", 500, `{"code":0,"message":"500"}`, chat.Unknown, 0},
		{"bad gateway", 502, `<html>`, chat.Unknown, 0},
		{"gateway time-out", 504, ``, chat.Unknown, 0},
		{"success that is no JSON", 200, `<html>`, chat.Unknown, 0},
		{"success without an id", 200, `{}`, chat.Unknown, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := answering(t, c.status, nil, c.body).Create(t.Context(), chat.Post{Channel: "1", Content: "private words"})
			var f *chat.Failure
			if !errors.As(err, &f) || f.Kind != c.kind || f.Code != c.code || f.Status != c.status {
				t.Fatalf("got %v", err)
			}
			if f.Kind == chat.Throttled && f.After <= 0 {
				t.Error("throttled without a time")
			}
			for _, secret := range []string{"private", "secret", "127.0.0.1"} {
				if strings.Contains(err.Error(), secret) {
					t.Errorf("the error tells %q: %v", secret, err)
				}
			}
		})
	}
}

func TestThrottled(t *testing.T) {
	h := func(kv ...string) http.Header {
		out := http.Header{}
		for i := 0; i < len(kv); i += 2 {
			out.Set(kv[i], kv[i+1])
		}
		return out
	}
	for _, c := range []struct {
		name     string
		header   http.Header
		body     string
		min, max time.Duration
		all      bool // other channels are blocked as well
	}{
		{"body is finer than the header", h("Retry-After", "2"), `{"retry_after":1.25}`, 1250 * time.Millisecond, 1250 * time.Millisecond, false},
		{"header alone", h("Retry-After", "2"), `{}`, 2 * time.Second, 2 * time.Second, false},
		{"zero", h("Retry-After", "0"), `{"retry_after":0.0}`, time.Millisecond, time.Second, false},
		{"an hour", h("Retry-After", "3600"), `{"retry_after":3600}`, time.Hour, time.Hour, false},
		{"for ever", nil, `{"retry_after":1e300}`, time.Hour, 24 * time.Hour, false},
		{"negative", nil, `{"retry_after":-1}`, time.Minute, 10 * time.Minute, true},
		{"global", h("Retry-After", "3", "X-RateLimit-Global", "true"), `{"retry_after":3,"global":true}`, 3 * time.Second, 3 * time.Second, true},
		{"no time at all", nil, `{"message":"slow down"}`, time.Minute, 10 * time.Minute, true},
		{"the edge blocks us", h("Content-Type", "text/html"), `error code: 1015`, time.Minute, 10 * time.Minute, true},
		{"the edge says how long", h("Content-Type", "text/html", "Retry-After", "900"), `error code: 1015`, 15 * time.Minute, 15 * time.Minute, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			client := answering(t, 429, c.header, c.body)
			after := func(ch chat.ChannelID) time.Duration {
				var f *chat.Failure
				if err := client.Typing(t.Context(), ch); !errors.As(err, &f) || f.Kind != chat.Throttled {
					t.Fatalf("got %v", err)
				}
				return f.After
			}
			if d := after("1"); d < c.min || d > c.max {
				t.Errorf("after %v", d)
			}
			if blocked := client.EditWait(chat.Ref{Channel: "2"}) > 0; blocked != c.all {
				t.Errorf("another channel is blocked: %v", blocked)
			}
		})
	}
}

func TestNobodyAnswersTheDoor(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l.Close()
	c := discord.New(discord.Options{BaseURL: "http://" + l.Addr().String()})
	var f *chat.Failure
	if err := c.Typing(t.Context(), "1"); !errors.As(err, &f) || f.Kind != chat.Throttled || f.After <= 0 {
		t.Errorf("got %v", err)
	}
}

func TestUnusableArguments(t *testing.T) {
	c := answering(t, 204, nil, "")
	for name, err := range map[string]error{
		"channel leads elsewhere": c.Typing(t.Context(), "1/../../users/@me"),
		"no channel":              c.Edit(t.Context(), chat.Ref{Message: "1"}, chat.Shown{Content: "x"}),
		"message with a query":    c.Delete(t.Context(), chat.Ref{Channel: "1", Message: "2?x=1"}),
		"nobody's id":             func() error { _, err := c.Create(t.Context(), chat.Post{Channel: "1", Ping: "everyone"}); return err }(),
		"after a word":            func() error { _, err := c.After(t.Context(), "1", "x", 1); return err }(),
	} {
		if chat.FailureOf(err) != chat.Rejected {
			t.Errorf("%s: got %v", name, err)
		}
	}
}

func TestContextIsOver(t *testing.T) {
	ctx, stop := context.WithCancelCause(t.Context())
	stop(chat.ErrLost)
	err := answering(t, 204, nil, "").Typing(ctx, "1")
	if chat.FailureOf(err) != chat.Throttled || !errors.Is(err, chat.ErrLost) {
		t.Errorf("got %v", err)
	}
}

// What goes over the wire, byte for byte: who may be notified is said on every create and every edit.
func TestBodies(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		ana := chat.UserID(w.State().User("ana"))
		target := chat.MessageID(w.Say("lounge", "ana", "hi").ID)
		ctx := t.Context()
		must := func(_ any, err error) {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
		}
		id, err := w.client.Create(ctx, chat.Post{Channel: w.lounge, Content: "a", Nonce: "n1"})
		must(id, err)
		must(w.client.Create(ctx, chat.Post{Channel: w.lounge, Content: "b", Nonce: "n2", ReplyTo: target}))
		must(w.client.Create(ctx, chat.Post{Channel: w.lounge, Content: "c", Nonce: "n3", ReplyTo: target, Ping: ana}))
		must(nil, w.client.Edit(ctx, id, chat.Shown{Content: "@everyone"}))
		ref := fmt.Sprintf(`{"channel_id":"%s","message_id":"%s","fail_if_not_exists":false}`, w.lounge, target)
		want := []string{
			`{"content":"a","nonce":"n1","enforce_nonce":true,"allowed_mentions":{"parse":[],"replied_user":false}}`,
			`{"content":"b","nonce":"n2","enforce_nonce":true,"allowed_mentions":{"parse":[],"replied_user":false},"message_reference":` + ref + `}`,
			`{"content":"c","nonce":"n3","enforce_nonce":true,"allowed_mentions":{"parse":[],"users":["` + string(ana) + `"],"replied_user":true},"message_reference":` + ref + `}`,
			`{"content":"@everyone","allowed_mentions":{"parse":[],"replied_user":false}}`,
		}
		for i, c := range w.Calls() {
			if string(c.Body) != want[i] {
				t.Errorf("call %d:\n got %s\nwant %s", i, c.Body, want[i])
			}
		}
		for i, m := range w.Messages("lounge")[1:] {
			if pinged := fmt.Sprint(m.Pinged); (i == 2) != strings.Contains(pinged, string(ana)) || strings.Contains(pinged, "everyone") {
				t.Errorf("message %d pinged %s", i, pinged)
			}
		}
	})
}

func TestCreateIsRepeatedUnderItsNonce(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		w.arm(simdiscord.Fault{Kind: simdiscord.FaultLost})
		p := chat.Post{Channel: w.lounge, Content: "once", Nonce: "nonce"}
		if _, err := w.client.Create(t.Context(), p); chat.FailureOf(err) != chat.Unknown {
			t.Fatalf("a lost answer is %v", err)
		}
		if n := w.count("POST"); n != 1 {
			t.Fatalf("%d calls: the client repeated by itself", n)
		}
		id, err := w.client.Create(t.Context(), p)
		if ms := w.Messages("lounge"); err != nil || len(ms) != 1 || ms[0].ID != string(id.Message) {
			t.Errorf("%d messages, %v", len(ms), err)
		}
	})
}

func TestReplyToWhatIsGone(t *testing.T) {
	refusal := map[string]string{
		"invalid form":  `{"code":50035,"message":"Invalid Form Body","errors":{"message_reference":{"_errors":[{"code":"REPLIES_UNKNOWN_MESSAGE"}]}}}`,
		"unknown":       `{"code":10008,"message":"Unknown Message"}`,
		"no history":    `{"code":160002,"message":"Cannot reply without permission to read message history"}`,
		"other content": `{"code":50035,"message":"Invalid Form Body","errors":{"content":{"_errors":[{"code":"BASE_TYPE_MAX_LENGTH"}]}}}`,
	}
	for name, body := range refusal {
		t.Run(name, func(t *testing.T) {
			var bodies []map[string]any
			server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				var b map[string]any
				_ = json.NewDecoder(r.Body).Decode(&b)
				bodies = append(bodies, b)
				if b["message_reference"] != nil {
					w.WriteHeader(400)
					fmt.Fprint(w, body)
					return
				}
				fmt.Fprint(w, `{"id":"77"}`)
			}))
			defer server.Close()
			c := discord.New(discord.Options{BaseURL: server.URL})
			id, err := c.Create(t.Context(), chat.Post{Channel: "1", Content: "x", Nonce: "n", ReplyTo: "5", Ping: "6"})
			if name == "other content" {
				if len(bodies) != 1 || chat.FailureOf(err) != chat.Rejected {
					t.Errorf("%d calls, %v", len(bodies), err)
				}
				return
			}
			if err != nil || id.Message != "77" || len(bodies) != 2 || bodies[1]["nonce"] != "n" {
				t.Errorf("%d calls, %q, %v", len(bodies), id, err)
			}
		})
	}
	t.Run("deleted in the simulator", func(t *testing.T) {
		bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
			m := w.Say("lounge", "ana", "hi")
			if err := w.Server.Delete("lounge", m.ID); err != nil {
				t.Fatal(err)
			}
			id, err := w.client.Create(t.Context(), chat.Post{Channel: w.lounge, Content: "x", Nonce: "n", ReplyTo: chat.MessageID(m.ID)})
			if ms := w.Messages("lounge"); err != nil || len(ms) != 1 || ms[0].ID != string(id.Message) {
				t.Errorf("%v, %v", ms, err)
			}
		})
	})
}

func TestDeleteWhatIsGone(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		id, err := w.client.Create(t.Context(), chat.Post{Channel: w.lounge, Content: "x", Nonce: "n"})
		if err != nil {
			t.Fatal(err)
		}
		for range 2 {
			if err := w.client.Delete(t.Context(), id); err != nil {
				t.Error(err)
			}
		}
		if err := w.client.Edit(t.Context(), id, chat.Shown{Content: "y"}); chat.FailureOf(err) != chat.Vanished {
			t.Errorf("edit of a deleted message: %v", err)
		}
		if err := w.client.Delete(t.Context(), chat.Ref{Channel: "1", Message: id.Message}); err != nil {
			t.Errorf("delete in a channel that is gone: %v", err)
		}
	})
}

func TestCallEndsInTime(t *testing.T) {
	bubble(t, simdiscord.Options{}, func(t *testing.T, w *world) {
		w.arm(simdiscord.Fault{Kind: simdiscord.FaultSlow, DelayMS: 60_000})
		began := time.Now()
		err := w.client.Typing(t.Context(), w.lounge)
		if chat.FailureOf(err) != chat.Unknown || time.Since(began) != chat.Call {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}

func TestReadsMessages(t *testing.T) {
	bubble(t, simdiscord.Options{MessageContentEnabled: true}, func(t *testing.T, w *world) {
		var ids []chat.MessageID
		for i := range 5 {
			ids = append(ids, chat.MessageID(w.Say("lounge", "ana", fmt.Sprint(i)).ID))
		}
		mine, err := w.client.Create(t.Context(), chat.Post{Channel: w.lounge, Content: "mine", Nonce: "n"})
		if err != nil {
			t.Fatal(err)
		}
		texts := func(ms []chat.Message, err error) string {
			t.Helper()
			if err != nil {
				t.Fatal(err)
			}
			var s []string
			for _, m := range ms {
				s = append(s, m.Text)
			}
			return strings.Join(s, " ")
		}
		ctx := t.Context()
		for name, got := range map[string][2]string{
			"newest":          {texts(w.client.Before(ctx, w.lounge, "", 3)), "3 4 mine"},
			"before":          {texts(w.client.Before(ctx, w.lounge, ids[3], 2)), "1 2"},
			"after":           {texts(w.client.After(ctx, w.lounge, ids[1], 2)), "2 3"},
			"from the first":  {texts(w.client.After(ctx, w.lounge, "", 1)), "0"},
			"too many":        {texts(w.client.Before(ctx, w.lounge, "", 1000)), "0 1 2 3 4 mine"},
			"none are beyond": {texts(w.client.After(ctx, w.lounge, mine.Message, 100)), ""},
		} {
			if got[0] != got[1] {
				t.Errorf("%s: got %q, want %q", name, got[0], got[1])
			}
		}
		ms, _ := w.client.Before(ctx, w.lounge, "", 2)
		if a := ms[0].Author; a.Us || a.Name != "ana" || a.Bot {
			t.Errorf("got %+v", a)
		}
		if a := ms[1].Author; !a.Us || a.Name != "Tsumugi" || a.Webhook || ms[1].ID != mine.Message || ms[1].At.IsZero() {
			t.Errorf("got %+v", ms[1])
		}
		asked := 0
		for _, c := range w.Calls() {
			if c.Route == "/users/@me" {
				asked++
			}
		}
		if asked != 1 {
			t.Errorf("asked %d times who we are", asked)
		}
	})
}

func TestAccount(t *testing.T) {
	for _, on := range []bool{true, false} {
		bubble(t, simdiscord.Options{MessageContentEnabled: on}, func(t *testing.T, w *world) {
			me, err := w.client.Me(t.Context())
			if err != nil || string(me.ID) != w.State().Bot.ID || me.Name != "Tsumugi" {
				t.Errorf("%+v, %v", me, err)
			}
			app, err := w.client.Application(t.Context())
			if err != nil || app.MessageContent != on || app.ID != w.State().Application.ID || app.InteractionsURL != "" {
				t.Errorf("%+v, %v", app, err)
			}
			gw, err := w.client.Gateway(t.Context())
			if err != nil || !strings.HasPrefix(gw.URL, "ws") || gw.Shards != 1 || gw.Remaining != 1000 {
				t.Errorf("%+v, %v", gw, err)
			}
			ch, err := w.client.Channel(t.Context(), w.lounge)
			if err != nil || ch.ID != w.lounge || ch.Name != "lounge" || ch.Guild != w.State().Guild.ID {
				t.Errorf("%+v, %v", ch, err)
			}
			if err := w.client.Typing(t.Context(), w.lounge); err != nil {
				t.Error(err)
			}
		})
	}
}

func TestReplyBeyondTheBound(t *testing.T) {
	body := `["` + strings.Repeat("x", 9<<20) + `"]`
	_, err := answering(t, 200, nil, body).Before(t.Context(), "1", "", 100)
	if chat.FailureOf(err) != chat.Unknown {
		t.Errorf("got %v", err)
	}
}
