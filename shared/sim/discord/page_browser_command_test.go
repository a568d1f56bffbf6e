package discord_test

import (
	"bytes"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/browsertest"
)

const pageCommands = `[
	{"name":"help","description":"What there is"},
	{"name":"persona","description":"d","name_localizations":{"ja":"ペルソナ"},"options":[
		{"type":1,"name":"create","description":"Make a persona","name_localizations":{"ja":"作成"},"description_localizations":{"ja":"新しいペルソナを作ります"},"options":[
			{"type":3,"name":"name","description":"How it is called","required":true,"min_length":2,"max_length":32,"name_localizations":{"ja":"名前"}},
			{"type":3,"name":"kind","description":"Which","choices":[{"name":"Main","value":"main","name_localizations":{"ja":"主役"}},{"name":"Alter","value":"alter"}]},
			{"type":4,"name":"age","description":"How old","min_value":1,"max_value":99},{"type":10,"name":"warmth","description":"How warm"},
			{"type":5,"name":"shy","description":"Or bold"},{"type":6,"name":"owner","description":"Whose"},{"type":7,"name":"home","description":"Where","channel_types":[0]},
			{"type":8,"name":"crowd","description":"For whom"},{"type":9,"name":"friend","description":"With whom"},{"type":11,"name":"face","description":"A picture"}]},
		{"type":1,"name":"edit","description":"Change a persona","options":[{"type":3,"name":"who","description":"Which one","required":true,"autocomplete":true},{"type":4,"name":"age","description":"How old","max_value":99}]}]},
	{"type":3,"name":"Keep this"}]`

// list is what the open list of completions shows.
const list = `[...document.querySelectorAll(".complete:not([hidden]) li")].map(e => e.innerText.split("\n")[0]).join()`

// talking is a world with an application behind an endpoint, that answers everything so that only the person sees it.
func talking(t *testing.T, o simdiscord.Options) (*world, *app) {
	t.Helper()
	a := &app{status: http.StatusAccepted}
	o.NoLimits, o.MessageContentEnabled, o.EndpointTransport = true, true, a
	w := open(t, o)
	a.joins(t, w)
	w.register(pageCommands)
	a.answers(200, `{"type":4,"data":{"content":"done","flags":64}}`)
	return w, a
}

// options are the values of the newest interaction's subcommand, by name.
func (a *app) options(t *testing.T) map[string]string {
	t.Helper()
	var in struct {
		Data struct {
			Options []struct {
				Options []struct {
					Name  string
					Value any
				}
			}
		}
	}
	a.last(t).into(t, &in)
	all := map[string]string{}
	for _, o := range in.Data.Options[0].Options {
		all[o.Name] = strings.Trim(inJSON(t, o.Value), `"`)
	}
	return all
}

// commandsByKeyboard: the list filters as one types, a key takes, the form says what it lacks, options come and go, Escape leaves.
func commandsByKeyboard(t *testing.T, b *browsertest.Browser, _ *world) {
	w, a := talking(t, simdiscord.Options{})
	tab := w.ready(b, "lounge", "ana", desk)
	tab.Click(`document.getElementById("text")`)
	tab.Type("/")
	tab.Wait(list + ` === "/help,/persona create,/persona edit"`)
	tab.Type("persona ")
	tab.Wait(list + ` === "/persona create,/persona edit"`)
	tab.Key("ArrowDown")
	tab.Wait(`document.querySelector(".complete [aria-selected=true]").innerText.startsWith("/persona edit")`)
	tab.Key("ArrowUp")
	tab.Key("Tab")
	tab.Wait(`document.activeElement.id === "option-name" && document.querySelector(".about-option").innerText.includes("How it is called")`)
	tab.Key("Enter")
	tab.Wait(`document.querySelector(".complaint").innerText === "name is required." && document.activeElement.id === "option-name"`)
	tab.Type("M")
	tab.Key("Enter")
	tab.Wait(`document.querySelector(".complaint").innerText.startsWith("name wants 2 characters") && document.activeElement.hasAttribute("aria-invalid")`)
	tab.Type("ira")
	tab.Wait(`document.querySelector(".complaint").hidden`)
	tab.Key("Tab")
	tab.Wait(`document.activeElement.id === "option-adder" && ` + list + `.startsWith("kind,age,warmth")`)
	tab.Type("age:")
	tab.Wait(`document.activeElement.id === "option-age"`)
	tab.Type("100")
	tab.Key("Enter")
	tab.Wait(`document.querySelector(".complaint").innerText === "age wants a whole number, 1 to 99."`)
	for range 3 {
		tab.Key("Backspace")
	}
	tab.Key("Backspace") // an empty option goes
	tab.Wait(`!document.getElementById("option-age") && document.activeElement.id === "option-name"`)
	tab.Key("Tab")
	tab.Type("ki")
	tab.Key("Tab")
	tab.Wait(`document.activeElement.id === "option-kind" && ` + list + ` === "Main,Alter"`)
	tab.Type("al")
	tab.Wait(list + ` === "Alter"`)
	tab.Key("Enter")
	tab.Wait(`document.activeElement.value === "Alter"`)
	tab.Key("Enter")
	tab.Wait(said + `.includes("done") && document.activeElement.id === "text" && !document.querySelector("form.command")`)
	if got := a.options(t); len(got) != 2 || got["name"] != "Mira" || got["kind"] != "alter" {
		t.Errorf("sent %v", got)
	}
	// The whole line, typed or pasted, is the filled form.
	tab.Type("/persona create name: Fenn of the ferry age: 7 shy: true")
	tab.Wait(`document.getElementById("option-age").value === "7" && document.getElementById("option-name").value === "Fenn of the ferry" && document.getElementById("option-shy").value === "True"`)
	tab.Key("Enter")
	tab.Wait(said + `.filter(s => s === "done").length === 2`)
	if got := a.options(t); got["name"] != "Fenn of the ferry" || got["age"] != "7" || got["shy"] != "true" {
		t.Errorf("sent %v", got)
	}
	// One key after the other comes to the same.
	tab.Type("/persona create ")
	tab.Wait(`document.activeElement.id === "option-name"`)
	for _, key := range "name: Mira age:8" {
		tab.Type(string(key))
	}
	tab.Wait(`document.activeElement.id === "option-age" && document.activeElement.value === "8" && document.getElementById("option-name").value === "Mira"`)
	tab.Key("Escape")
	tab.Wait(`!document.querySelector("form.command") && document.activeElement.id === "text" && document.activeElement.value === ""`)
	tab.Type("/nothing like this")
	tab.Wait(list + ` === "No command of this name."`)
	sound(t, w, tab)
}

// everyOption: each type has a field that fits it, and a file goes with its bytes.
func everyOption(t *testing.T, b *browsertest.Browser, _ *world) {
	w, a := talking(t, simdiscord.Options{Channels: []string{"workshop"}})
	_, err := w.CreateGuild("Annex")
	w.must(err)
	tab := w.ready(b, "lounge", "ana", desk)
	tab.Click(`document.getElementById("text")`)
	tab.Type("/persona create name: Mira warmth: 0.5")
	tab.Wait(`document.getElementById("option-warmth")`)
	add := func(name, typed, want string) {
		t.Helper()
		tab.Eval(`document.getElementById("option-adder").focus()`)
		tab.Type(name + ":")
		tab.Wait(`document.activeElement.id === "option-` + name + `"`)
		tab.Type(typed)
		tab.Wait(list + ` === "` + want + `"`)
		tab.Key("Enter")
		tab.Wait(`document.activeElement.value === "` + want + `"`)
	}
	add("owner", "be", "ben")
	add("home", "work", "#workshop")
	add("crowd", "crew", "@crew")
	add("friend", "chi", "chiyo")
	tab.Eval(`document.getElementById("option-adder").focus()`)
	tab.Type("face:")
	tab.Wait(`document.querySelector(".filepick")`)
	picture := append([]byte("\x89PNG\r\n\x1a\n"), bytes.Repeat([]byte{1, 2, 3}, 5000)...)
	path, large := filepath.Join(t.TempDir(), "my face.png"), filepath.Join(t.TempDir(), "large.png")
	w.must(os.WriteFile(path, picture, 0o600))
	w.must(os.WriteFile(large, make([]byte, 10<<20+1), 0o600))
	tab.Choose(`document.querySelector(".filepick input")`, large)
	tab.Wait(`document.querySelector(".complaint").innerText.includes("large.png is larger than 10.0 MB") && !document.querySelector(".chosen li")`)
	tab.Choose(`document.querySelector(".filepick input")`, path)
	tab.Wait(`document.querySelector(".chosen li").innerText.includes("my face.png") && document.querySelector(".complaint").hidden`)
	tab.Eval(`document.getElementById("option-name").focus()`)
	tab.Key("Enter")
	tab.Wait(said + `.includes("done")`)
	got, st := a.options(t), w.State()
	for name, want := range map[string]string{"name": "Mira", "warmth": "0.5", "owner": st.User("ben"), "home": st.Channel("workshop"), "crowd": st.Role("crew"), "friend": st.User("chiyo")} {
		if got[name] != want {
			t.Errorf("%s is %q, want %q", name, got[name], want)
		}
	}
	file := "data.resolved.attachments." + got["face"]
	r, err := http.NewRequest("GET", a.last(t).field(file+".url"), nil)
	w.must(err)
	if held := w.do(r); held.status != 200 || !bytes.Equal(held.text, picture) || a.last(t).field(file+".filename") != "my_face.png" {
		t.Errorf("the file: %d, %d bytes, %s", held.status, len(held.text), a.last(t).field(file))
	}
	sound(t, w, tab)
}

// refusedCommand: what the simulator does not take comes back with the reason, and the form as it was.
func refusedCommand(t *testing.T, b *browsertest.Browser, _ *world) {
	w, _ := talking(t, simdiscord.Options{})
	tab := w.ready(b, "lounge", "ana", desk)
	tab.Click(`document.getElementById("text")`)
	tab.Type("/persona create name: Mira age: 7")
	tab.Wait(`document.getElementById("option-age")`)
	w.register(`[{"name":"help","description":"What there is"}]`)
	tab.Key("Enter")
	tab.Wait(`document.querySelector(".complaint").innerText.includes("unknown") && document.getElementById("option-name").value === "Mira" && document.getElementById("option-age").value === "7"`)
	tab.Wait(said + `.length === 0`)
	tab.Key("Escape")
	tab.Wait(`document.activeElement.id === "text"`)
	tab.Type("/")
	tab.Wait(list + ` === "/help"`)
}

// autocompleted: an application proposes values. Late answers to older words are dropped; none, slow and failed are said.
func autocompleted(t *testing.T, b *browsertest.Browser, _ *world) {
	w, a := talking(t, simdiscord.Options{})
	tab := w.ready(b, "lounge", "ana", desk)
	release, arrived := make(chan struct{}), make(chan string, 10)
	a.mu.Lock()
	a.during = func(in answer) {
		word := in.field("data.options.0.options.0.value")
		if arrived <- word; word == "m" {
			<-release
		}
		a.answer = `{"type":8,"data":{"choices":[{"name":"for ` + word + `.","value":"v-` + word + `"}]}}`
	}
	a.mu.Unlock()
	tab.Click(`document.getElementById("text")`)
	tab.Type("/persona edit ")
	tab.Wait(list + ` === "for ."`)
	tab.Eval(`window.seen = []; new MutationObserver(() => seen.push(` + list + `)).observe(document.querySelector("form.command"), { subtree: true, childList: true, attributes: true }); 1`)
	tab.Type("m")
	for word := ""; word != "m"; {
		word = <-arrived
	}
	tab.Wait(list + ` === "Loading options…"`)
	tab.Type("i")
	close(release)
	tab.Wait(list + ` === "for mi."`)
	if old := tab.Eval(`seen.includes("for m.")`); old != "false" {
		t.Error("the answer to an older word was shown")
	}
	tab.Key("Enter")
	tab.Wait(`document.activeElement.value === "for mi."`)
	a.mu.Lock()
	a.during = nil
	a.mu.Unlock()
	a.answers(200, `{"type":4,"data":{"content":"edited","flags":64}}`)
	tab.Key("Enter")
	tab.Wait(said + `.includes("edited")`)
	if got := a.options(t); got["who"] != "v-mi" {
		t.Errorf("sent %v", got)
	}
	a.answers(200, `{"type":8,"data":{"choices":[]}}`)
	tab.Type("/persona edit ")
	tab.Wait(list + ` === "No options match your search."`)
	a.answers(500, ``)
	tab.Type("x")
	tab.Wait(list + ` === "Loading options failed"`)
	sound(t, w, tab)
}

// languages: each person chooses one, and so does the guild. Commands are shown in the person's, and the application hears of both.
func languages(t *testing.T, b *browsertest.Browser, _ *world) {
	w, a := talking(t, simdiscord.Options{})
	ana, ben := w.ready(b, "lounge", "ana", desk), w.ready(b, "lounge", "ben", desk)
	ana.Click(`document.getElementById("language")`)
	choose := func(at, locale string) {
		ana.Eval(`(() => { const s = document.querySelectorAll(".language select")[` + at + `]; s.value = "` + locale + `"; s.dispatchEvent(new Event("change")); })()`)
	}
	ana.Wait(`document.querySelectorAll(".language select").length === 2`)
	choose("0", "ja")
	choose("1", "ja")
	ana.Key("Escape")
	ana.Wait(`!document.querySelector(".language") && document.activeElement.id === "language"`)
	ana.Click(`document.getElementById("text")`)
	ana.Wait(`(() => { text.value = "/"; text.dispatchEvent(new Event("input")); return ` + list + `.includes("/ペルソナ 作成"); })()`)
	ana.Type("ペルソナ 作成 名前: ミラ kind: 主役")
	ana.Wait(`document.getElementById("option-name").value === "ミラ" && document.querySelector("[data-option=name]").innerText.startsWith("名前") && document.getElementById("option-kind").value === "主役"`)
	ana.Key("Enter")
	ana.Wait(said + `.includes("done")`)
	in, got := a.last(t), a.options(t)
	if in.field("locale") != "ja" || in.field("guild_locale") != "ja" || in.field("data.name") != "persona" || got["name"] != "ミラ" || got["kind"] != "main" {
		t.Errorf("sent %s", in.text)
	}
	ben.Click(`document.getElementById("text")`)
	ben.Type("/pe")
	ben.Wait(list + ` === "/persona create,/persona edit,/help"` + ` || ` + list + ` === "/persona create,/persona edit"`)
	sound(t, w, ana, ben)
}
