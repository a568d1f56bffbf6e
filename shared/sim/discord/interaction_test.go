package discord_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/bwmarrin/discordgo"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestSignatureIsDiscords: what is signed here is accepted by a verifier that nobody here wrote, and nothing else is.
func TestSignatureIsDiscords(t *testing.T) {
	w := open(t, simdiscord.Options{})
	var s simdiscord.SignedRequest
	w.sim("GET", "/signed", "").into(t, &s)
	key, err := hex.DecodeString(s.PublicKey)
	if err != nil || s.PublicKey != w.rest("GET", "/applications/@me", "").field("verify_key") {
		t.Fatalf("key %q, %v", s.PublicKey, err)
	}
	for name, c := range map[string]struct {
		body, timestamp string
		good            bool
	}{
		"as signed":         {s.Body, s.Timestamp, true},
		"another body":      {s.Body + " ", s.Timestamp, false},
		"another timestamp": {s.Body, s.Timestamp + "0", false},
	} {
		r, _ := http.NewRequest("POST", "http://127.0.0.1/", strings.NewReader(c.body))
		r.Header.Set("X-Signature-Ed25519", s.Signature)
		r.Header.Set("X-Signature-Timestamp", c.timestamp)
		if discordgo.VerifyInteraction(r, key) != c.good {
			t.Errorf("%s: verified %v", name, !c.good)
		}
	}
}

// TestInteractionOnTheEndpoint: the payload is whole, values are resolved, and the gateway hears nothing of it.
func TestInteractionOnTheEndpoint(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{})
	st := w.State()
	a.answers(200, `{"type":4,"data":{"content":"hello @everyone <@`+st.User("ben")+`>"}}`)
	out := w.does(simdiscord.Invocation{Kind: "command", Command: "greet", Options: map[string]any{
		"text": "hi", "whom": "ben", "where": "hall", "role": "crew", "times": 3.0, "loud": "true", "file": map[string]any{"filename": "a.png", "size": 3}}})
	if out.State != "answered" || out.Error != "" {
		t.Fatalf("outcome %+v", out)
	}
	in := a.last(t)
	for path, want := range map[string]string{
		"type": "2", "version": "1", "application_id": st.Application.ID, "guild_id": st.Guild.ID, "channel_id": st.Lounge, "channel.id": st.Lounge,
		"channel.type": "0", "member.user.id": st.User("ana"), "user": "", "locale": "en-US", "guild_locale": "en-US", "entitlements": "[]",
		"context": "0", "attachment_size_limit": "10485760", "authorizing_integration_owners.0": st.Guild.ID, "data.name": "greet", "data.type": "1",
		"data.options.0.value": "hi", "data.options.0.type": "3", "data.resolved.users." + st.User("ben") + ".username": "ben",
		"data.resolved.channels." + st.Hall + ".name": "hall", "id": out.ID,
	} {
		if got := in.field(path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	for _, path := range []string{"member.permissions", "app_permissions", "token", "data.resolved.members." + st.User("ben") + ".permissions", "data.resolved.attachments", "data.resolved.roles"} {
		if in.field(path) == "" {
			t.Errorf("%s is missing", path)
		}
	}
	if partial := in.field("data.resolved.members." + st.User("ben")); strings.Contains(partial, `"user"`) || strings.Contains(partial, `"deaf"`) {
		t.Errorf("a member of a value is whole: %s", partial)
	}
	m := w.Messages("lounge")[0]
	if m.Type != 20 || m.WebhookID != st.Application.ID || m.ApplicationID != st.Application.ID || m.Author.ID != st.Bot.ID || m.MentionEveryone || len(m.Mentions) != 1 {
		t.Errorf("message %+v", m)
	}
	seen := w.rest("GET", messages(st.Lounge)+"/"+m.ID, "")
	if seen.field("interaction_metadata.id") != out.ID || seen.field("interaction_metadata.user.id") != st.User("ana") || seen.field("interaction.name") != "greet" {
		t.Errorf("metadata %s", seen.text)
	}
}

// TestInteractionInDirectMessages: a user and no member, no guild, and the context of the bot's own channel.
func TestInteractionInDirectMessages(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{})
	a.answers(200, `{"type":4,"data":{"content":"hi"}}`)
	w.does(simdiscord.Invocation{Kind: "command", Channel: "dm:ana", Command: "greet", Options: map[string]any{"text": "x"}})
	in := a.last(t)
	if in.field("user.username") != "ana" || in.field("member") != "" || in.field("guild_id") != "" || in.field("context") != "1" ||
		in.field("authorizing_integration_owners.0") != "0" || in.field("channel.type") != "1" {
		t.Errorf("payload %s", in.text)
	}
}

// TestInteractionOnTheGateway: without an endpoint every session of the shard gets it, whatever its intents, and it is answered by a call.
func TestInteractionOnTheGateway(t *testing.T) {
	w := open(t, simdiscord.Options{})
	w.register(`[{"name":"greet","description":"d"}]`)
	c := w.gateway()
	c.login(0)
	done := make(chan simdiscord.Outcome)
	go func() {
		out, err := w.Interact(context.Background(), simdiscord.Invocation{Kind: "command", User: "ana", Channel: "lounge", Command: "greet"})
		if err != nil {
			t.Error(err)
		}
		done <- out
	}()
	in := answer{text: c.until("INTERACTION_CREATE").D}
	if in.field("data.name") != "greet" || in.field("member.user.username") != "ana" {
		t.Errorf("payload %s", in.text)
	}
	a := w.callback(in, `{"type":4,"data":{"content":"hi","flags":64}}`)
	if a.status != 200 || a.field("resource.message.content") != "hi" || a.field("interaction.response_message_ephemeral") != "true" {
		t.Errorf("callback %d %s", a.status, a.text)
	}
	if out := <-done; out.State != "answered" {
		t.Errorf("outcome %+v", out)
	}
}

// TestFirstAnswerInThreeSeconds is when an answer counts, by a clock that only the test moves.
func TestFirstAnswerInThreeSeconds(t *testing.T) {
	message := `{"type":4,"data":{"content":"hi"}}`
	for name, c := range map[string]struct {
		after  time.Duration
		bodies []string
		codes  []string // of the answers, "" for success
		state  string
	}{
		"at once":                   {0, []string{message}, []string{""}, "answered"},
		"after 2.9 s":               {2900 * time.Millisecond, []string{message}, []string{""}, "answered"},
		"after 3.1 s":               {3100 * time.Millisecond, []string{message}, []string{"10062"}, "failed"},
		"twice":                     {0, []string{message, message}, []string{"", "40060"}, "answered"},
		"a bad one, then a good":    {0, []string{`{"type":4,"data":{"content":""}}`, message}, []string{"50006", ""}, "answered"},
		"PONG":                      {0, []string{`{"type":1}`}, []string{"50035"}, "failed"},
		"choices to a command":      {0, []string{`{"type":8,"data":{"choices":[]}}`}, []string{"50035"}, "failed"},
		"an update without message": {0, []string{`{"type":7,"data":{"content":"x"}}`}, []string{"50035"}, "failed"},
		"no JSON":                   {0, []string{`{`}, []string{"50109"}, "failed"},
		"deferred":                  {0, []string{`{"type":5}`}, []string{""}, "deferred"},
		"deferred with a flag":      {0, []string{`{"type":5,"data":{"flags":4}}`}, []string{"50035"}, "failed"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, a := interactive(t, simdiscord.Options{})
				var codes []string
				answers := make(chan struct{})
				a.during = func(in answer) {
					go func() { // as a bot that answers 202 at once and calls back later
						defer close(answers)
						time.Sleep(c.after)
						for _, body := range c.bodies {
							codes = append(codes, w.callback(in, body).field("code"))
						}
					}()
				}
				began := time.Now()
				out := w.greet()
				if took := time.Since(began); took > 3*time.Second {
					t.Errorf("waited %v", took)
				}
				<-answers
				if out.State != c.state || (out.Error == "") != (c.state != "failed") {
					t.Errorf("outcome %+v", out)
				}
				if strings.Join(codes, ",") != strings.Join(c.codes, ",") {
					t.Errorf("codes %v, want %v", codes, c.codes)
				}
			})
		})
	}
}

// TestEndpointThatFails: an interaction ends with the endpoint's failure, and not before.
func TestEndpointThatFails(t *testing.T) {
	for name, c := range map[string]struct {
		status       int
		answer, says string
	}{
		"an error":           {500, ``, "the endpoint answered 500"},
		"an invalid message": {200, `{"type":4,"data":{"content":"` + strings.Repeat("x", 2001) + `"}}`, "data.content BASE_TYPE_MAX_LENGTH"},
		"no JSON":            {200, `hello`, "50109"},
		"never":              {202, ``, "did not respond"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, a := interactive(t, simdiscord.Options{})
				a.answers(c.status, c.answer)
				if out := w.greet(); out.State != "failed" || !strings.Contains(out.Error, c.says) {
					t.Errorf("outcome %+v", out)
				}
				if late := w.callback(a.last(t), `{"type":5}`); late.field("code") != "10062" {
					t.Errorf("late answer %s", late.text)
				}
			})
		})
	}
}

// TestDeferredAnswer: the thinking message is edited by the first follow-up, stays as ephemeral as it was, and ends with the token.
func TestDeferredAnswer(t *testing.T) {
	for name, ephemeral := range map[string]bool{"public": false, "ephemeral": true} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w, a := interactive(t, simdiscord.Options{})
				st := w.State()
				a.answers(200, map[bool]string{false: `{"type":5}`, true: `{"type":5,"data":{"flags":64}}`}[ephemeral])
				if out := w.greet(); out.State != "deferred" {
					t.Fatalf("outcome %+v", out)
				}
				in := a.last(t)
				original := w.withToken("GET", in, "/messages/@original", "")
				if original.field("flags") != map[bool]string{false: "128", true: "192"}[ephemeral] || original.field("content") != "" {
					t.Errorf("thinking %s", original.text)
				}
				first := w.withToken("POST", in, "", `{"content":"one","flags":64,"username":"Mira","avatar_url":"https://x.invalid/a.png"}`)
				if first.status != 200 || first.id() != original.id() || first.field("edited_timestamp") != "null" || first.field("author.id") != st.Bot.ID ||
					first.field("flags") != map[bool]string{false: "0", true: "64"}[ephemeral] {
					t.Errorf("first follow-up %d %s", first.status, first.text)
				}
				second := w.withToken("POST", in, "", `{"content":"two"}`)
				if second.status != 200 || second.id() == original.id() || second.field("message_reference.message_id") != original.id() {
					t.Errorf("second follow-up %d %s", second.status, second.text)
				}
				if ephemeral && second.field("referenced_message") != "" {
					t.Errorf("a public message shows an ephemeral one: %s", second.text)
				}
				edited := w.withToken("PATCH", in, "/messages/@original", `{"content":"three"}`)
				if edited.field("content") != "three" || edited.field("edited_timestamp") == "null" {
					t.Errorf("edit %s", edited.text)
				}
				if d := w.withToken("DELETE", in, "/messages/"+second.id(), ""); d.status != 204 {
					t.Errorf("delete %d", d.status)
				}
				time.Sleep(15 * time.Minute)
				if late := w.withToken("PATCH", in, "/messages/@original", `{"content":"four"}`); late.field("code") != "50027" || late.status != 401 {
					t.Errorf("after 15 minutes %d %s", late.status, late.text)
				}
			})
		})
	}
}

// TestEphemeralIsForOne: nobody but the user sees the message, in no way there is.
func TestEphemeralIsForOne(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{MessageContentEnabled: true})
	st := w.State()
	a.answers(200, `{"type":4,"data":{"content":"secret","flags":64}}`)
	w.greet()
	in := a.last(t)
	id := w.withToken("GET", in, "/messages/@original", "").id()
	if one := w.rest("GET", messages(st.Lounge)+"/"+id, ""); one.field("code") != "10008" {
		t.Errorf("read by id: %s", one.text)
	}
	if all := w.rest("GET", messages(st.Lounge), ""); strings.Contains(string(all.text), "secret") {
		t.Errorf("in the history: %s", all.text)
	}
	for user, n := range map[string]int{"": 0, "ben": 0, "ana": 1} {
		if got := w.sim("GET", "/channels/lounge/messages?as="+user, ""); strings.Count(string(got.text), "secret") != n || n == 1 && got.field("0.ephemeral_to") != st.User("ana") {
			t.Errorf("as %q: %s", user, got.text)
		}
	}
	if del := w.rest("DELETE", messages(st.Lounge)+"/"+id, ""); del.status != 404 {
		t.Errorf("deleted by the bot's token: %d", del.status)
	}
	if del := w.withToken("DELETE", in, "/messages/@original", ""); del.status != 204 || len(w.MessagesAs("lounge", "ana")) != 0 {
		t.Errorf("deleted by its token: %d", del.status)
	}
}

// TestTokenRules: what the webhook of an interaction allows before, without and beside an answer.
func TestTokenRules(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, a := interactive(t, simdiscord.Options{})
		a.during = func(in answer) {
			if early := w.withToken("POST", in, "", `{"content":"early"}`); early.field("code") != "10015" {
				t.Errorf("before the first answer: %s", early.text)
			}
		}
		w.greet()
		a.during = nil
		if never := w.withToken("POST", a.last(t), "", `{"content":"x"}`); never.field("code") != "50027" {
			t.Errorf("never answered: %s", never.text)
		}
		a.answers(200, `{"type":4,"data":{"content":"x"}}`)
		w.greet()
		in := a.last(t)
		if wrong := w.anonymous("POST", "/webhooks/"+in.field("application_id")+"/wrong", `{"content":"x"}`); wrong.field("code") != "50027" {
			t.Errorf("wrong token: %s", wrong.text)
		}
		if wrong := w.anonymous("POST", "/interactions/"+in.id()+"/wrong/callback", `{"type":5}`); wrong.field("code") != "10062" {
			t.Errorf("wrong token: %s", wrong.text)
		}
		other := w.Say("lounge", "ana", "mine")
		if strange := w.withToken("PATCH", in, "/messages/"+other.ID, `{"content":"x"}`); strange.field("code") != "10008" {
			t.Errorf("a message that is not the interaction's: %s", strange.text)
		}
	})
}

// TestFollowUpsOfUserInstalled: where the guild has not installed the application there are five.
func TestFollowUpsOfUserInstalled(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{UserInstalled: true, NoLimits: true})
	a.answers(200, `{"type":4,"data":{"content":"x"}}`)
	w.greet()
	in := a.last(t)
	if in.field("authorizing_integration_owners.1") != w.State().User("ana") || in.field("authorizing_integration_owners.0") != "" {
		t.Errorf("owners %s", in.text)
	}
	for n := range 6 {
		if f := w.withToken("POST", in, "", `{"content":"x"}`); (f.status == 200) != (n < 5) || n == 5 && f.field("code") != "40094" {
			t.Errorf("follow-up %d: %d %s", n, f.status, f.text)
		}
	}
}

// TestInteractionsAreOutsideTheGlobalLimit: 60 answers within a second pass, while the bot's own calls would not.
func TestInteractionsAreOutsideTheGlobalLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, a := interactive(t, simdiscord.Options{})
		a.answers(200, `{"type":4,"data":{"content":"x"}}`)
		for n := range 60 {
			w.greet()
			if got := w.withToken("GET", a.last(t), "/messages/@original", ""); got.status != 200 {
				t.Fatalf("call %d: %d %s", n, got.status, got.text)
			}
		}
	})
}

// TestTokensAreSecrets: they are in no list of calls and in no log.
func TestTokensAreSecrets(t *testing.T) {
	var log bytes.Buffer
	w, a := interactive(t, simdiscord.Options{Log: slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))})
	a.answers(200, `{"type":5}`)
	w.greet()
	in := a.last(t)
	w.callback(in, `{"type":5}`)
	w.withToken("PATCH", in, "/messages/@original", `{"content":"x"}`)
	w.anonymous("POST", "/interactions/"+in.id()+"/"+in.field("token")+"/nothing", `{}`)
	calls, err := json.Marshal(w.Calls())
	if err != nil || strings.Contains(string(calls), in.field("token")) || strings.Contains(log.String(), in.field("token")) {
		t.Errorf("a token is shown: %s %s %v", calls, log.String(), err)
	}
}

// TestContextMenus: the target comes resolved, a message with its content.
func TestContextMenus(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{})
	st := w.State()
	a.answers(200, `{"type":4,"data":{"content":"x"}}`)
	w.does(simdiscord.Invocation{Kind: "user", Command: "Look at", Target: "ben"})
	if in := a.last(t); in.field("data.target_id") != st.User("ben") || in.field("data.resolved.users."+st.User("ben")+".username") != "ben" || in.field("data.type") != "2" {
		t.Errorf("user %s", in.text)
	}
	said := w.Say("lounge", "ben", "words")
	w.does(simdiscord.Invocation{Kind: "message", Command: "Quote it", Target: said.ID})
	if in := a.last(t); in.field("data.target_id") != said.ID || in.field("data.resolved.messages."+said.ID+".content") != "words" {
		t.Errorf("message %s", in.text)
	}
	if all := w.Messages("lounge"); all[0].Type != 23 || all[2].Type != 23 {
		t.Errorf("types %d %d", all[0].Type, all[2].Type)
	}
}

// TestAutocomplete: the value goes out as typed, marked; the choices are checked; nothing is posted.
func TestAutocomplete(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{})
	type_ := simdiscord.Invocation{Kind: "autocomplete", Command: "persona card add", Options: map[string]any{"name": "Mi"}}
	a.answers(200, `{"type":8,"data":{"choices":[{"name":"Mira","value":"mira"}]}}`)
	out := w.does(type_)
	if out.State != "answered" || len(out.Choices) != 1 || out.Choices[0].Name != "Mira" || out.Choices[0].Value != "mira" {
		t.Fatalf("outcome %+v", out)
	}
	in := a.last(t)
	if in.field("type") != "4" || in.field("data.options.0.options.0.options.0.focused") != "true" || in.field("data.options.0.options.0.options.0.value") != "Mi" {
		t.Errorf("payload %s", in.text)
	}
	if f := w.withToken("POST", in, "", `{"content":"x"}`); f.field("code") != "10015" {
		t.Errorf("follow-up %s", f.text)
	}
	a.answers(200, `{"type":8,"data":{"choices":[`+strings.TrimSuffix(strings.Repeat(`{"name":"a","value":"a"},`, 26), ",")+`]}}`)
	if out := w.does(type_); out.State != "failed" || !strings.Contains(out.Error, "data.choices BASE_TYPE_MAX_LENGTH") {
		t.Errorf("26 choices %+v", out)
	}
	if len(w.Messages("lounge")) != 0 {
		t.Error("an autocomplete posted")
	}
}

// TestWhatClientsRefuse: nothing is sent of what a person could not do.
func TestWhatClientsRefuse(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{})
	text := map[string]any{"text": "x"}
	for name, c := range map[string]struct {
		in   simdiscord.Invocation
		kind error
	}{
		"no such command":          {simdiscord.Invocation{Kind: "command", Command: "cry"}, simdiscord.ErrUnknown},
		"no such kind":             {simdiscord.Invocation{Kind: "shout"}, simdiscord.ErrUnknown},
		"without the permission":   {simdiscord.Invocation{Kind: "command", Command: "ban", User: "ben"}, simdiscord.ErrRefused},
		"in another's messages":    {simdiscord.Invocation{Kind: "command", Command: "greet", Channel: "dm:ben", Options: text}, simdiscord.ErrRefused},
		"as a bot":                 {simdiscord.Invocation{Kind: "command", Command: "greet", User: "clockwork", Options: text}, simdiscord.ErrRefused},
		"a required option":        {simdiscord.Invocation{Kind: "command", Command: "greet"}, simdiscord.ErrRefused},
		"an unknown option":        {simdiscord.Invocation{Kind: "command", Command: "greet", Options: map[string]any{"text": "x", "y": 1}}, simdiscord.ErrUnknown},
		"a number too great":       {simdiscord.Invocation{Kind: "command", Command: "greet", Options: map[string]any{"text": "x", "times": 6}}, simdiscord.ErrRefused},
		"no integer":               {simdiscord.Invocation{Kind: "command", Command: "greet", Options: map[string]any{"text": "x", "times": 1.5}}, simdiscord.ErrRefused},
		"no subcommand":            {simdiscord.Invocation{Kind: "command", Command: "persona"}, simdiscord.ErrRefused},
		"nothing completes itself": {simdiscord.Invocation{Kind: "autocomplete", Command: "greet", Options: text}, simdiscord.ErrRefused},
		"a form nobody opened":     {simdiscord.Invocation{Kind: "modal", Interaction: "1"}, simdiscord.ErrUnknown},
		"a menu as a command":      {simdiscord.Invocation{Kind: "command", Command: "Look at"}, simdiscord.ErrUnknown},
	} {
		if c.in.User == "" {
			c.in.User = "ana"
		}
		if c.in.Channel == "" {
			c.in.Channel = "lounge"
		}
		if out, err := w.Interact(context.Background(), c.in); !errors.Is(err, c.kind) {
			t.Errorf("%s: %+v, %v", name, out, err)
		}
	}
	if len(a.got) != 0 {
		t.Errorf("sent %d", len(a.got))
	}
	if got := w.sim("POST", "/interactions", `{"kind":"command","user":"ben","channel":"lounge","command":"ban"}`); got.status != 400 {
		t.Errorf("over the control API: %d", got.status)
	}
	mine, all := w.sim("GET", "/commands?channel=lounge&user=ben", ""), w.sim("GET", "/commands?channel=lounge", "")
	if strings.Contains(string(mine.text), `"ban"`) || !strings.Contains(string(all.text), `"ban"`) || all.field("0.options.0.name") != "text" {
		t.Errorf("commands %s\n%s", mine.text, all.text)
	}
}

// TestWhoWaitsForAnInteractionMayLeave: the call returns with its context, and what was sent to the endpoint goes on.
func TestWhoWaitsForAnInteractionMayLeave(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, a := interactive(t, simdiscord.Options{})
		a.answers(200, `{"type":4,"data":{"content":"late"}}`)
		a.during = func(answer) { time.Sleep(2 * time.Second) }
		ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
		defer cancel()
		began := time.Now()
		out, err := w.Interact(ctx, simdiscord.Invocation{
			Kind: "command", User: "ana", Channel: "lounge", Command: "greet", Options: map[string]any{"text": "x"},
		})
		if took := time.Since(began); err != nil || out.State != "sent" || took != 100*time.Millisecond {
			t.Errorf("%+v after %v, %v", out, took, err)
		}
		time.Sleep(2 * time.Second)
		synctest.Wait()
		if ms := w.Messages("lounge"); len(ms) != 1 || ms[0].Content != "late" {
			t.Errorf("the answer made %+v", ms)
		}
	})
}
