package discord_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"net/http"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestLocales: a person and a guild each have a language; interactions carry both, and a restart forgets neither.
func TestLocales(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{})
	if st := w.State(); st.Locale != "en-US" || len(st.Locales) != 0 {
		t.Errorf("at first %q, %v", st.Locale, st.Locales)
	}
	for _, change := range [][2]string{{"/users/ana", `{"locale":"ja"}`}, {"/guilds/" + w.State().Guild.ID, `{"locale":"de"}`}} {
		if got := w.sim("PATCH", change[0], change[1]); got.status != 204 {
			t.Fatalf("%s: %d %s", change[0], got.status, got.text)
		}
	}
	w.greet()
	in := a.last(t)
	if in.field("locale") != "ja" || in.field("guild_locale") != "de" || in.field("guild.locale") != "de" {
		t.Errorf("payload %s", in.text)
	}
	w.does(simdiscord.Invocation{Kind: "command", User: "ben", Channel: "dm:ben", Command: "greet", Options: map[string]any{"text": "x"}})
	if in := a.last(t); in.field("locale") != "en-US" || in.field("guild_locale") != "" {
		t.Errorf("ben's payload %s", in.text)
	}
	if g := w.rest("GET", "/guilds/"+w.State().Guild.ID, ""); g.field("preferred_locale") != "de" {
		t.Errorf("guild %s", g.text)
	}
	for path, body := range map[string]string{"/users/ana": `{"locale":"tlh"}`, "/users/clockwork": `{"locale":"ja"}`, "/guilds/" + w.State().Guild.ID: `{"locale":"en"}`} {
		if got := w.sim("PATCH", path, body); got.status != 404 {
			t.Errorf("%s %s: %d %s", path, body, got.status, got.text)
		}
	}
	if got := w.sim("PATCH", "/users/ana", `{"dms_closed":true}`); got.status != 204 || w.State().Locales[w.State().User("ana")] != "ja" {
		t.Errorf("another choice took the language away: %d %v", got.status, w.State().Locales)
	}
}

// TestKeepKeepsLocales over a restart, and over the one after it, which reads a journal that was shortened.
func TestKeepKeepsLocales(t *testing.T) {
	path := filepath.Join(t.TempDir(), "discord.jsonl")
	a := &world{Server: kept(t, path), t: t}
	a.must(a.SetLocale("ben", "ja"))
	a.must(a.ChangeGuild("", simdiscord.GuildChange{Locale: text("fr")}))
	for range 2 {
		b := kept(t, path)
		if st := b.State(); st.Locale != "fr" || st.Locales[st.User("ben")] != "ja" {
			t.Errorf("%q, %v", st.Locale, st.Locales)
		}
	}
}

// TestPayloadSaysWhoMayWhat: the channel and what stands around it, a channel that is a value, and who presses; permissions are those
// of the person, for the application's own stand apart.
func TestPayloadSaysWhoMayWhat(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{})
	w.lay(simdiscord.ChannelSpec{Name: "rooms", Type: 4}, simdiscord.ChannelSpec{Name: "attic", Parent: "rooms"}, simdiscord.ChannelSpec{Name: "cellar", Parent: "rooms"},
		simdiscord.ChannelSpec{Name: "secret"})
	st := w.State()
	w.must(w.ChangeMember("", "ben", simdiscord.MemberChange{Roles: &[]string{"crew"}}))
	w.must(w.SetOverwrite("cellar", simdiscord.Overwrite{For: "ben", Allow: []string{"MANAGE_MESSAGES"}}))
	w.must(w.SetOverwrite("secret", simdiscord.Overwrite{For: "ben", Deny: []string{"VIEW_CHANNEL"}}))
	a.answers(200, `{"type":4,"data":{"content":"x"}}`)
	call := simdiscord.Invocation{Kind: "command", User: "ben", Channel: "attic", Command: "greet", Options: map[string]any{"text": "x", "where": "cellar"}}
	w.does(call)
	in := a.last(t)
	cellar := "data.resolved.channels." + st.Channel("cellar")
	for path, want := range map[string]string{
		"channel.type": "0", "channel.parent_id": st.Channel("rooms"), "channel.permissions": in.field("member.permissions"),
		"member.roles": `["` + st.Role("crew") + `"]`, cellar + ".parent_id": st.Channel("rooms"), cellar + ".type": "0", cellar + ".name": "cellar",
	} {
		if got := in.field(path); got != want || want == "" {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	here, there, app := in.field("member.permissions"), in.field(cellar+".permissions"), in.field("app_permissions")
	if here == there || there == app || app == "" {
		t.Errorf("ben may %s here and %s there, the application %s", here, there, app)
	}
	_, err := w.CreateGuild("Annex")
	w.must(err)
	for what, where := range map[string]string{"a channel that ben does not see": "secret", "another guild's": w.State().Channel("general")} {
		call.Options["where"] = where
		if _, err := w.Interact(context.Background(), call); !errors.Is(err, simdiscord.ErrUnknown) {
			t.Errorf("%s is a value: %v", what, err)
		}
	}
	w.does(simdiscord.Invocation{Kind: "command", Command: "persona card add", Options: map[string]any{"name": "x"}})
	if ms := w.Messages("lounge"); ms[0].Interaction.Name != "persona card add" {
		t.Errorf("the message names %q", ms[0].Interaction.Name)
	}
}

// TestAttachmentHasItsBytes: a file that a person hands over can be fetched by the application, from this server and by that link
// alone; one that is too large is not sent.
func TestAttachmentHasItsBytes(t *testing.T) {
	a := &app{status: http.StatusAccepted}
	w := open(t, simdiscord.Options{EndpointTransport: a})
	a.joins(t, w)
	a.answers(200, `{"type":4,"data":{"content":"x"}}`)
	picture := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x02\x00\x00\x00\x03\x08\x06\x00\x00\x00\xb9\xea\xde\x81"), bytes.Repeat([]byte{7}, 3<<20)...)
	send := func(data []byte) answer {
		return w.sim("POST", "/interactions", `{"kind":"command","user":"ana","channel":"lounge","command":"greet","options":{"text":"x","file":{"filename":"my face.png","content":"`+
			base64.StdEncoding.EncodeToString(data)+`"}}}`)
	}
	if got := send(picture); got.field("state") != "answered" {
		t.Fatalf("%d %s", got.status, got.text)
	}
	in := a.last(t)
	id := in.field("data.options.1.value")
	if id == "" {
		id = strings.Trim(in.field("data.resolved.attachments"), `{"`)
		id, _, _ = strings.Cut(id, `"`)
	}
	file := "data.resolved.attachments." + id
	for path, want := range map[string]string{
		".id": id, ".filename": "my_face.png", ".title": "my face", ".content_type": "image/png", ".size": fmt.Sprint(len(picture)), ".width": "2", ".height": "3", ".ephemeral": "true",
	} {
		if got := in.field(file + path); got != want {
			t.Errorf("%s is %q, want %q", path, got, want)
		}
	}
	link := in.field(file + ".url")
	fetch := func(link string) answer {
		r, err := http.NewRequest("GET", link, nil)
		w.must(err)
		return w.do(r)
	}
	if !strings.HasPrefix(link, w.url+"/ephemeral-attachments/") {
		t.Errorf("link %s", link)
	}
	if got := fetch(link); got.status != 200 || !bytes.Equal(got.text, picture) || got.header.Get("Content-Type") != "image/png" {
		t.Errorf("fetched %d, %d bytes", got.status, len(got.text))
	}
	bare, _, _ := strings.Cut(link, "?")
	if got := fetch(bare); got.status != 404 {
		t.Errorf("without its proof: %d", got.status)
	}
	before := len(a.got)
	if got := send(make([]byte, 10<<20+1)); got.status != 400 || !strings.Contains(got.field("error"), "larger than 10 MiB") || len(a.got) != before {
		t.Errorf("too large: %d %s", got.status, got.text)
	}
}

// TestModalParts: what a form may hold besides text, and how its entries go out.
func TestModalParts(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{NoLimits: true})
	label := func(inner string) string { return `{"type":18,"label":"l","component":` + inner + `}` }
	const options = `"options":[{"label":"A","value":"a"},{"label":"B","value":"b"}]`
	whole := strings.Join([]string{
		label(`{"type":19,"custom_id":"file","max_values":2}`), label(`{"type":21,"custom_id":"one",` + options + `}`),
		label(`{"type":22,"custom_id":"some","required":false,` + options + `}`), label(`{"type":23,"custom_id":"yes"}`), label(`{"type":8,"custom_id":"where","channel_types":[0]}`),
	}, ",")
	for name, c := range map[string]struct{ body, says string }{
		"all of them":          {whole, ""},
		"a disabled select":    {label(`{"type":3,"custom_id":"a","disabled":true,` + options + `}`), "components.0.component.disabled COMPONENT_DISABLED_INVALID"},
		"required, yet none":   {label(`{"type":5,"custom_id":"a","min_values":0}`), "components.0.component.min_values NUMBER_TYPE_MIN"},
		"none, not required":   {label(`{"type":5,"custom_id":"a","min_values":0,"required":false}`), ""},
		"eleven files":         {label(`{"type":19,"custom_id":"a","max_values":11}`), "components.0.component.max_values NUMBER_TYPE_RANGE"},
		"one radio button":     {label(`{"type":21,"custom_id":"a","options":[{"label":"A","value":"a"}]}`), "components.0.component.options BASE_TYPE_BAD_LENGTH"},
		"two chosen of one":    {label(`{"type":21,"custom_id":"a","options":[{"label":"A","value":"a","default":true},{"label":"B","value":"b","default":true}]}`), "SELECT_COMPONENT_TOO_MANY_DEFAULTS"},
		"too few defaults":     {label(`{"type":5,"custom_id":"a","min_values":2,"max_values":3,"default_values":[{"id":"1","type":"user"}]}`), "SELECT_COMPONENT_INVALID_DEFAULT_VALUES"},
		"files without a name": {label(`{"type":19}`), "components.0.component.custom_id BASE_TYPE_REQUIRED"},
	} {
		a.answers(200, fmt.Sprintf(aModal, c.body))
		if out := w.greet(); (c.says == "") != (out.Modal != nil) || !strings.HasSuffix(out.Error, c.says) {
			t.Errorf("%s: %+v", name, out)
		}
	}
	a.answers(200, fmt.Sprintf(aModal, whole))
	opened := w.greet()
	file := map[string]any{"filename": "a.txt", "content": "aGVsbG8="}
	send := func(change map[string]any) error {
		fields := map[string]any{"file": []any{file}, "one": "b", "some": []any{}, "yes": true, "where": "hall"}
		for name, value := range change {
			fields[name] = value
		}
		_, err := w.Interact(context.Background(), simdiscord.Invocation{Kind: "modal", User: "ana", Channel: "lounge", Interaction: opened.ID, Fields: fields})
		return err
	}
	for what, change := range map[string]map[string]any{
		"no file": {"file": nil}, "three files": {"file": []any{file, file, file}}, "no radio button": {"one": nil}, "a radio button that is not there": {"one": "z"},
		"a box that is not there": {"some": []any{"z"}}, "a box twice": {"some": []any{"a", "a"}}, "a channel of another type": {"where": "rooms"},
	} {
		if send(change) == nil {
			t.Errorf("%s: sent", what)
		}
	}
	a.answers(200, `{"type":4,"data":{"content":"thanks"}}`)
	w.must(send(nil))
	in := a.last(t)
	text := string(in.text)
	for _, part := range []string{`"type":21,"value":"b"`, `"type":22,"values":[]`, `"type":23,"value":true`, `"values":["` + w.State().Hall + `"]`, `"filename":"a.txt"`, `"content_type":"text/plain; charset=utf-8"`} {
		if !strings.Contains(text, part) {
			t.Errorf("%s is missing in %s", part, text)
		}
	}
}

// TestFormThatFailedIsStillOpen: where the application does not answer, the person may send the same form again.
func TestFormThatFailedIsStillOpen(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w, a := interactive(t, simdiscord.Options{})
		a.answers(200, fmt.Sprintf(aModal, inRow(`{"type":4,"style":1,"label":"l","custom_id":"name"}`)))
		opened := w.greet()
		send := simdiscord.Invocation{Kind: "modal", User: "ana", Channel: "lounge", Interaction: opened.ID, Fields: map[string]any{"name": "Mira"}}
		a.answers(500, "")
		if out := w.does(send); out.State != "failed" {
			t.Errorf("outcome %+v", out)
		}
		a.answers(200, `{"type":4,"data":{"content":"x"}}`)
		if out := w.does(send); out.State != "answered" {
			t.Errorf("again: %+v", out)
		}
		if _, err := w.Interact(context.Background(), send); !errors.Is(err, simdiscord.ErrUnknown) {
			t.Errorf("a third time: %v", err)
		}
	})
}
