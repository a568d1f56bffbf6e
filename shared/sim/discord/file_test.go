package discord_test

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	simdiscord "tsumugi/shared/sim/discord"
)

// part is one part of a form: a field where it has no file name.
type part struct{ field, file, text string }

// form makes a call with a multipart body.
func (w *world) form(method, path string, parts ...part) answer {
	w.t.Helper()
	var body bytes.Buffer
	form := multipart.NewWriter(&body)
	for _, p := range parts {
		h := textproto.MIMEHeader{}
		about := map[bool]string{true: `form-data; name="%s"; filename="%s"`, false: `form-data; name="%s"%s`}[p.file != ""]
		h.Set("Content-Disposition", fmt.Sprintf(about, p.field, p.file))
		out, err := form.CreatePart(h)
		if err != nil {
			w.t.Fatal(err)
		}
		if _, err := out.Write([]byte(p.text)); err != nil {
			w.t.Fatal(err)
		}
	}
	if err := form.Close(); err != nil {
		w.t.Fatal(err)
	}
	r, err := http.NewRequest(method, w.url+"/api/v10"+path, &body)
	if err != nil {
		w.t.Fatal(err)
	}
	r.Header.Set("Content-Type", form.FormDataContentType())
	r.Header.Set("Authorization", "Bot simulated")
	return w.do(r)
}

func (w *world) fetch(link string) answer {
	w.t.Helper()
	r, err := http.NewRequest("GET", link, nil)
	if err != nil {
		w.t.Fatal(err)
	}
	return w.do(r)
}

func payload(text string) part { return part{"payload_json", "", text} }

func picture(t *testing.T) string {
	t.Helper()
	_, text, _ := strings.Cut(pixel, ",")
	data, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestFiles posts files, edits what is kept, and reads them back.
func TestFiles(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true, MessageContentEnabled: true})
	lounge := messages(w.State().Lounge)
	a := w.form("POST", lounge,
		payload(`{"content":"two","attachments":[{"id":"1","description":"a dot"},{"id":"0"}]}`),
		part{"files[0]", "my notes ü.txt", "hello"}, part{"files[1]", "dot.png", picture(t)})
	var m struct{ Attachments []simdiscord.Attachment }
	a.into(t, &m)
	if a.status != 200 || len(m.Attachments) != 2 {
		t.Fatalf("%d %s", a.status, a.text)
	}
	notes, dot := m.Attachments[0], m.Attachments[1]
	if notes.Filename != "my_notes_.txt" || notes.Title != "my notes ü" || notes.ContentType != "text/plain; charset=utf-8" || notes.Size != 5 {
		t.Errorf("notes %+v", notes)
	}
	if dot.Description != "a dot" || dot.Width != 1 || dot.Height != 1 || dot.ContentType != "image/png" {
		t.Errorf("dot %+v", dot)
	}
	if f := w.fetch(dot.URL); f.status != 200 || string(f.text) != picture(t) || f.header.Get("X-Content-Type-Options") != "nosniff" ||
		!strings.Contains(f.header.Get("Content-Security-Policy"), "sandbox") || !strings.HasPrefix(f.header.Get("Content-Disposition"), "inline") {
		t.Errorf("fetched %d %v", f.status, f.header)
	}
	one := lounge + "/" + a.id()
	if e := w.rest("PATCH", one, `{"content":"still two"}`); !strings.Contains(string(e.text), notes.ID) || !strings.Contains(string(e.text), dot.ID) {
		t.Errorf("an edit without the list keeps all: %s", e.text)
	}
	e := w.form("PATCH", one, payload(`{"attachments":[{"id":"`+dot.ID+`"},{"id":"0","filename":"page.html"}]}`), part{"files[0]", "x", "<html><script>1</script>"})
	var after struct{ Attachments []simdiscord.Attachment }
	e.into(t, &after)
	if len(after.Attachments) != 2 || after.Attachments[0].ID != dot.ID || after.Attachments[1].Filename != "page.html" {
		t.Fatalf("edited %s", e.text)
	}
	if f := w.fetch(after.Attachments[1].URL); !strings.HasPrefix(f.header.Get("Content-Disposition"), "attachment") {
		t.Errorf("a page is shown in this origin: %v", f.header)
	}
	if e := w.rest("PATCH", one, `{"attachments":[]}`); e.field("attachments") != "[]" || e.field("content") != "still two" {
		t.Errorf("emptied %s", e.text)
	}
	w.rest("PATCH", one, `{"content":"","attachments":[]}`).refused(t, 400, 50006, "", "")
	if only := w.form("POST", lounge, payload(`{}`), part{"files[3]", "a.json", `{"a":1}`}); only.field("attachments.0.content_type") != "application/json; charset=utf-8" {
		t.Errorf("a file alone is a message: %d %s", only.status, only.text)
	}
	h := w.hook(w.State().Hall, "Aki")
	said := w.form("POST", "/webhooks/"+h.id+"/"+h.token+"?wait=true", payload(`{"content":"x","username":"Beni"}`), part{"files[0]", "a.txt", "a"})
	if said.field("attachments.0.filename") != "a.txt" || said.field("author.username") != "Beni" {
		t.Errorf("by webhook: %d %s", said.status, said.text)
	}
	if e := w.form("PATCH", "/webhooks/"+h.id+"/"+h.token+"/messages/"+said.id(), payload(`{"attachments":[{"id":"0"}]}`), part{"files[0]", "b.txt", "b"}); e.field("attachments.0.filename") != "b.txt" {
		t.Errorf("edited by webhook: %d %s", e.status, e.text)
	}
	var bodies []string
	for _, c := range w.Calls() {
		bodies = append(bodies, string(c.Body))
	}
	if all := strings.Join(bodies, "\n"); !strings.Contains(all, `"two"`) || strings.Contains(all, "form-data") {
		t.Errorf("what is remembered of an upload is its payload: %q", bodies)
	}
}

// TestFileRefusals is what Discord does not take.
func TestFileRefusals(t *testing.T) {
	w := direct(t, simdiscord.Options{NoLimits: true})
	lounge := messages(w.State().Lounge)
	many := []part{payload(`{"content":"x"}`)}
	for i := range 11 {
		many = append(many, part{fmt.Sprintf("files[%d]", i), "a.txt", "a"})
	}
	for _, c := range []struct {
		name         string
		parts        []part
		status, code int
		field, why   string
	}{
		{"eleven files", many, 400, 30015, "", ""},
		{"an attachment without its file", []part{payload(`{"content":"x","attachments":[{"id":0},{"id":7}]}`), {"files[0]", "a.txt", "a"}}, 400, 50035, "attachments.1.id", "ATTACHMENT_NOT_FOUND"},
		{"an attachment without id", []part{payload(`{"content":"x","attachments":[{"filename":"a"}]}`)}, 400, 50035, "attachments.0.id", "BASE_TYPE_REQUIRED"},
		{"a description of 1025", []part{payload(`{"attachments":[{"id":0,"description":"` + strings.Repeat("d", 1025) + `"}]}`), {"files[0]", "a.txt", "a"}}, 400, 50035, "attachments.0.description", "BASE_TYPE_MAX_LENGTH"},
		{"two files of one index", []part{{"files[0]", "a", "a"}, {"files[0]", "b", "b"}}, 400, 50035, "files", "BASE_TYPE_BAD_LENGTH"},
		{"a payload that is no JSON", []part{payload(`{"content":`), {"files[0]", "a", "a"}}, 400, 50109, "", ""},
		{"nothing at all", nil, 400, 50006, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &world{w.Server, t, w.url, w.http}
			w.form("POST", lounge, c.parts...).refused(t, c.status, c.code, c.field, c.why)
		})
	}
	r, _ := http.NewRequest("POST", w.url+"/api/v10"+lounge, strings.NewReader("no form"))
	r.Header.Set("Authorization", "Bot simulated")
	r.Header.Set("Content-Type", "multipart/form-data; boundary=x")
	w.do(r).refused(t, 400, 50035, "", "")
}

// TestLinksExpire: a link holds a day, cannot be changed, and a new one comes with each reading; old files make room.
func TestLinksExpire(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := direct(t, simdiscord.Options{NoLimits: true, FileBytes: 10})
		lounge := messages(w.State().Lounge)
		a := w.form("POST", lounge, part{"files[0]", "a.txt", "six by"})
		link := func() string {
			return strings.ReplaceAll(w.rest("GET", lounge+"/"+a.id(), "").field("attachments.0.url"), `\u0026`, "&")
		}
		first := link()
		if f := w.fetch(first); f.status != 200 || string(f.text) != "six by" {
			t.Fatalf("%s: %d %s", first, f.status, f.text)
		}
		bare, query, _ := strings.Cut(first, "?")
		for name, forged := range map[string]string{
			"no signature": bare, "another name": strings.Replace(first, "a.txt", "b.txt", 1), "a later end": bare + "?" + strings.Replace(query, "ex=", "ex=f", 1),
			"no end": strings.Replace(first, "ex=", "xx=", 1),
		} {
			if f := w.fetch(forged); f.status != 404 {
				t.Errorf("%s: %d", name, f.status)
			}
		}
		time.Sleep(24 * time.Hour)
		if f := w.fetch(first); f.status != 404 {
			t.Errorf("after a day: %d", f.status)
		}
		if f := w.fetch(link()); f.status != 200 {
			t.Errorf("a new link: %d", f.status)
		}
		w.form("POST", lounge, part{"files[0]", "b.txt", "seven b"})
		if f := w.fetch(link()); f.status != 404 {
			t.Errorf("beyond the bound the oldest is forgotten: %d", f.status)
		}
	})
}

// TestFilesInTheJournal: the description outlives the process, the file does not.
func TestFilesInTheJournal(t *testing.T) {
	file := filepath.Join(t.TempDir(), "discord.jsonl")
	w := open(t, simdiscord.Options{})
	if err := w.Keep(file); err != nil {
		t.Fatal(err)
	}
	w.form("POST", messages(w.State().Lounge), part{"files[0]", "a.txt", "a secret text"})
	again := open(t, simdiscord.Options{})
	if err := again.Keep(file); err != nil {
		t.Fatal(err)
	}
	all := again.Messages("lounge")
	if len(all) != 1 || len(all[0].Attachments) != 1 || all[0].Attachments[0].Filename != "a.txt" {
		t.Fatalf("%+v", all)
	}
	_, path, _ := strings.Cut(strings.TrimPrefix(all[0].Attachments[0].URL, "http://"), "/")
	if f := again.fetch(again.url + "/" + path); f.status != 404 {
		t.Errorf("%d", f.status)
	}
}

// TestAvatars: pictures of users by name, of those who have none, and what a webhook's avatar_url comes to.
func TestAvatars(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true, Avatars: map[string][]byte{"Tsumugi": []byte(picture(t)), "aki": []byte(picture(t))}})
	me := w.rest("GET", "/users/@me", "")
	at := w.url + "/avatars/" + me.id() + "/" + me.field("avatar") + ".png"
	for _, link := range []string{at, w.url + "/avatars/aki.png"} {
		if a := w.fetch(link); a.status != 200 || string(a.text) != picture(t) {
			t.Errorf("%s: %d", link, a.status)
		}
	}
	for path, status := range map[string]int{"/embed/avatars/0.png": 200, "/embed/avatars/5.png": 200, "/embed/avatars/6.png": 404, "/avatars/1/2.png": 404, "/avatars/nobody.png": 404} {
		if a := w.fetch(w.url + path); a.status != status || status == 200 && a.header.Get("Content-Type") != "image/png" {
			t.Errorf("%s: %d %v", path, a.status, a.header)
		}
	}
	h := w.hook(w.State().Lounge, "Aki")
	hash := func(link string) string {
		return h.say("?wait=true", `{"content":"x","avatar_url":`+quoted(link)+`}`).field("author.avatar")
	}
	if got := hash(w.url + "/avatars/aki.png"); got != me.field("avatar") {
		t.Errorf("one of our own pictures has hash %s", got)
	}
	if a := w.fetch(w.url + "/avatars/" + h.id + "/" + hash("https://pictures.invalid/b.png") + ".png"); a.status != 200 {
		t.Errorf("a picture from elsewhere: %d", a.status)
	}
}
