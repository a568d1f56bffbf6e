package discord_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

const (
	aButton = `{"type":2,"style":1,"label":"b","custom_id":"%s"}`
	aSelect = `{"type":3,"custom_id":"%s","options":[{"label":"A","value":"a"},{"label":"B","value":"b"}]}`
)

func inRow(parts ...string) string {
	return `{"type":1,"components":[` + strings.Join(parts, ",") + `]}`
}

func aButtonOf(id string) string { return fmt.Sprintf(aButton, id) }
func aSelectOf(id string) string { return fmt.Sprintf(aSelect, id) }

// complaint is the path and code of the one error of a form.
func (a answer) complaint() string {
	var f struct {
		Code   int            `json:"code"`
		Errors map[string]any `json:"errors"`
	}
	if json.Unmarshal(a.text, &f) != nil || f.Code != 50035 {
		return a.field("code")
	}
	path := []string{}
	for at := f.Errors; ; {
		if list, is := at["_errors"].([]any); is && len(at) == 1 && len(list) == 1 {
			code, _ := list[0].(map[string]any)["code"].(string)
			return strings.Trim(strings.Join(path, ".")+" "+code, " ")
		}
		if len(at) != 1 {
			return "more than one"
		}
		for key, inner := range at {
			path = append(path, key)
			at, _ = inner.(map[string]any)
		}
	}
}

// TestComponentRules is what may stand in a message, each with Discord's complaint at its place.
func TestComponentRules(t *testing.T) {
	w := open(t, simdiscord.Options{NoLimits: true})
	long := strings.Repeat("é", 101)
	for name, c := range map[string]struct{ components, want string }{
		"a button":                {inRow(aButtonOf("a")), ""},
		"five buttons":            {inRow(aButtonOf("a"), aButtonOf("b"), aButtonOf("c"), aButtonOf("d"), aButtonOf("e")), ""},
		"six buttons":             {inRow(aButtonOf("a"), aButtonOf("b"), aButtonOf("c"), aButtonOf("d"), aButtonOf("e"), aButtonOf("f")), "components.0.components BASE_TYPE_BAD_LENGTH"},
		"a select and a button":   {inRow(aSelectOf("a"), aButtonOf("b")), "components.0.components.1 COMPONENT_LAYOUT_WIDTH_EXCEEDED"},
		"the same id twice":       {inRow(aButtonOf("a")) + "," + inRow(aButtonOf("a")), "components.1.components.0.custom_id COMPONENT_CUSTOM_ID_DUPLICATED"},
		"a button without row":    {aButtonOf("a"), "components.0.type BASE_TYPE_CHOICES"},
		"an empty row":            {inRow(), "components.0.components BASE_TYPE_BAD_LENGTH"},
		"a row in a row":          {inRow(inRow(aButtonOf("a"))), "components.0.components.0.type BASE_TYPE_CHOICES"},
		"no custom_id":            {inRow(`{"type":2,"style":1,"label":"b"}`), "components.0.components.0.custom_id BASE_TYPE_REQUIRED"},
		"an id of 101":            {inRow(aButtonOf(long)), "components.0.components.0.custom_id BASE_TYPE_MAX_LENGTH"},
		"a label of 81":           {inRow(`{"type":2,"style":1,"custom_id":"a","label":"` + long[:162] + `"}`), "components.0.components.0.label BASE_TYPE_MAX_LENGTH"},
		"style 9":                 {inRow(`{"type":2,"style":9,"custom_id":"a","label":"b"}`), "components.0.components.0.style BASE_TYPE_CHOICES"},
		"a link":                  {inRow(`{"type":2,"style":5,"url":"https://example.invalid/","label":"b"}`), ""},
		"a link without url":      {inRow(`{"type":2,"style":5,"label":"b"}`), "components.0.components.0.url BASE_TYPE_REQUIRED"},
		"a link that is none":     {inRow(`{"type":2,"style":5,"url":"javascript:x","label":"b"}`), "components.0.components.0.url URL_TYPE_INVALID_URL"},
		"link and custom_id":      {inRow(`{"type":2,"style":5,"url":"https://example.invalid/","custom_id":"a","label":"b"}`), "components.0.components.0 BUTTON_COMPONENT_CUSTOM_ID_URL_MUTUALLY_EXCLUSIVE"},
		"a button of nothing":     {inRow(`{"type":2,"style":1,"custom_id":"a"}`), "components.0.components.0 BUTTON_COMPONENT_LABEL_OR_EMOJI_REQUIRED"},
		"a text input":            {inRow(`{"type":4,"style":1,"custom_id":"a","label":"b"}`), "components.0.components.0.type BASE_TYPE_CHOICES"},
		"a select of users":       {inRow(`{"type":5,"custom_id":"a","min_values":0,"max_values":25}`), ""},
		"26 values":               {inRow(`{"type":5,"custom_id":"a","max_values":26}`), "components.0.components.0.max_values NUMBER_TYPE_RANGE"},
		"more least than most":    {inRow(`{"type":5,"custom_id":"a","min_values":3,"max_values":2}`), "components.0.components.0.min_values SELECT_COMPONENT_MIN_VALUES_EXCEEDS_MAX"},
		"no options":              {inRow(`{"type":3,"custom_id":"a","options":[]}`), "components.0.components.0.options BASE_TYPE_BAD_LENGTH"},
		"26 options":              {inRow(`{"type":3,"custom_id":"a","options":[` + someOptions(26) + `]}`), "components.0.components.0.options BASE_TYPE_BAD_LENGTH"},
		"the same value twice":    {inRow(`{"type":3,"custom_id":"a","options":[{"label":"A","value":"a"},{"label":"B","value":"a"}]}`), "components.0.components.0.options.1.value SELECT_COMPONENT_OPTION_VALUE_DUPLICATED"},
		"six rows":                {strings.Join([]string{inRow(aButtonOf("a")), inRow(aButtonOf("b")), inRow(aButtonOf("c")), inRow(aButtonOf("d")), inRow(aButtonOf("e")), inRow(aButtonOf("f"))}, ","), "components BASE_TYPE_BAD_LENGTH"},
		"new layout without flag": {`{"type":10,"content":"x"}`, "components.0 UNION_TYPE_CHOICES"},
	} {
		a := w.rest("POST", messages(w.State().Lounge), `{"content":"x","components":[`+c.components+`]}`)
		if got := a.complaint(); got != c.want || (a.status == 200) != (c.want == "") {
			t.Errorf("%s: %d %q, want %q", name, a.status, got, c.want)
		}
	}
	if v2 := w.rest("POST", messages(w.State().Lounge), `{"flags":32768,"components":[{"type":17,"components":[{"type":10,"content":"x"},`+inRow(aButtonOf("a"))+`]}]}`); v2.status != 200 {
		t.Errorf("new layout: %s", v2.text)
	}
}

func someOptions(n int) string {
	all := make([]string, n)
	for i := range all {
		all[i] = fmt.Sprintf(`{"label":"o","value":"%d"}`, i)
	}
	return strings.Join(all, ",")
}

// posted makes the application post components, ephemeral to ana or for all, and returns the message's id.
func posted(w *world, a *app, flags int, components ...string) string {
	w.t.Helper()
	a.answers(200, fmt.Sprintf(`{"type":4,"data":{"content":"press","flags":%d,"components":[%s]}}`, flags, strings.Join(components, ",")))
	if out := w.greet(); out.State != "answered" {
		w.t.Fatalf("outcome %+v", out)
	}
	return w.withToken("GET", a.last(w.t), "/messages/@original", "").id()
}

// TestComponentUse: press and choose, and each way of answering.
func TestComponentUse(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{NoLimits: true})
	st := w.State()
	id := posted(w, a, 0, inRow(aButtonOf("go")), inRow(aSelectOf("pick")), inRow(`{"type":5,"custom_id":"who"}`))
	a.answers(200, `{"type":7,"data":{"content":"pressed","components":[]}}`)
	other := w.rest("POST", messages(st.Lounge), `{"content":"x","components":[`+inRow(aButtonOf("other"))+`]}`).id()
	w.does(simdiscord.Invocation{Kind: "component", User: "ben", Message: other, CustomID: "other"})
	if got := w.rest("GET", messages(st.Lounge)+"/"+other, ""); got.field("content") != "pressed" || got.field("components") != "[]" || got.field("edited_timestamp") == "null" {
		t.Errorf("updated %s", got.text)
	}
	a.answers(200, `{"type":6}`)
	out := w.does(simdiscord.Invocation{Kind: "component", User: "ben", Message: id, CustomID: "pick", Values: []string{"b"}})
	in := a.last(t)
	if out.State != "deferred" || in.field("type") != "3" || in.field("data.component_type") != "3" || in.field("data.values") != `["b"]` ||
		in.field("message.id") != id || in.field("member.user.username") != "ben" {
		t.Errorf("chosen %+v %s", out, in.text)
	}
	if e := w.withToken("PATCH", in, "/messages/@original", `{"content":"later"}`); e.id() != id || e.field("content") != "later" {
		t.Errorf("later update %s", e.text)
	}
	a.answers(200, `{"type":4,"data":{"content":"for you","flags":64}}`)
	w.does(simdiscord.Invocation{Kind: "component", User: "ben", Message: id, CustomID: "who", Values: []string{"chiyo"}})
	if in := a.last(t); in.field("data.resolved.users."+st.User("chiyo")+".username") != "chiyo" {
		t.Errorf("user select %s", in.text)
	}
	answer := w.withToken("GET", a.last(t), "/messages/@original", "")
	if answer.field("message_reference.message_id") != id || answer.field("interaction_metadata.interacted_message_id") != id || answer.field("type") != "19" {
		t.Errorf("answer %s", answer.text)
	}
}

// TestComponentsClientsRefuse: a person presses only what is there for that person.
func TestComponentsClientsRefuse(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{NoLimits: true})
	id := posted(w, a, 0, inRow(aButtonOf("go"), `{"type":2,"style":1,"label":"b","custom_id":"off","disabled":true}`), inRow(aSelectOf("pick")))
	private := posted(w, a, 64, inRow(aButtonOf("mine")))
	said := w.Say("lounge", "ben", "words").ID
	sent := len(a.got)
	for name, c := range map[string]struct {
		user, message, id string
		values            []string
		kind              error
	}{
		"disabled":                  {"ana", id, "off", nil, simdiscord.ErrRefused},
		"not there":                 {"ana", id, "none", nil, simdiscord.ErrUnknown},
		"somebody else's message":   {"ana", said, "go", nil, simdiscord.ErrRefused},
		"another's ephemeral":       {"ben", private, "mine", nil, simdiscord.ErrUnknown},
		"a button with a value":     {"ana", id, "go", []string{"a"}, simdiscord.ErrRefused},
		"no value chosen":           {"ana", id, "pick", nil, simdiscord.ErrRefused},
		"too many values chosen":    {"ana", id, "pick", []string{"a", "b"}, simdiscord.ErrRefused},
		"a value that is not there": {"ana", id, "pick", []string{"z"}, simdiscord.ErrUnknown},
	} {
		_, err := w.Interact(context.Background(), simdiscord.Invocation{Kind: "component", User: c.user, Channel: "lounge", Message: c.message, CustomID: c.id, Values: c.values})
		if !errors.Is(err, c.kind) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(a.got) != sent {
		t.Errorf("sent %d", len(a.got)-sent)
	}
	a.answers(200, `{"type":7,"data":{"content":"pressed"}}`)
	w.does(simdiscord.Invocation{Kind: "component", Message: private, CustomID: "mine"})
	if in := a.last(t); in.field("message.flags") != "64" {
		t.Errorf("ephemeral source %s", in.text)
	}
	if mine := w.MessagesAs("lounge", "ana"); len(mine) != 3 || mine[1].Content != "pressed" || mine[1].EphemeralTo == "" {
		t.Errorf("ephemeral update %+v", mine)
	}
	if len(w.Messages("lounge")) != 2 {
		t.Error("an ephemeral update became public")
	}
}

const aModal = `{"type":9,"data":{"custom_id":"form","title":"T","components":[%s]}}`

// TestModalRules is what a form may hold.
func TestModalRules(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{NoLimits: true})
	input := func(id string) string { return inRow(`{"type":4,"style":1,"label":"l","custom_id":"` + id + `"}`) }
	label := func(inner string) string { return `{"type":18,"label":"l","component":` + inner + `}` }
	for name, c := range map[string]struct{ body, says string }{
		"one text":          {fmt.Sprintf(aModal, input("a")), ""},
		"five":              {fmt.Sprintf(aModal, strings.Join([]string{input("a"), input("b"), input("c"), input("d"), input("e")}, ",")), ""},
		"six":               {fmt.Sprintf(aModal, strings.Join([]string{input("a"), input("b"), input("c"), input("d"), input("e"), input("f")}, ",")), "data.components BASE_TYPE_BAD_LENGTH"},
		"none":              {fmt.Sprintf(aModal, ""), "data.components BASE_TYPE_BAD_LENGTH"},
		"the same id twice": {fmt.Sprintf(aModal, input("a")+","+input("a")), "data.components.1.components.0.custom_id COMPONENT_CUSTOM_ID_DUPLICATED"},
		"a title of 46":     {strings.Replace(fmt.Sprintf(aModal, input("a")), `"T"`, `"`+strings.Repeat("t", 46)+`"`, 1), "data.title BASE_TYPE_BAD_LENGTH"},
		"a button":          {fmt.Sprintf(aModal, inRow(aButtonOf("a"))), "data.components.0.components.0.type BASE_TYPE_CHOICES"},
		"labelled":          {fmt.Sprintf(aModal, label(`{"type":4,"style":2,"custom_id":"a"}`)+","+label(aSelectOf("b"))), ""},
		"style 3":           {fmt.Sprintf(aModal, inRow(`{"type":4,"style":3,"label":"l","custom_id":"a"}`)), "data.components.0.components.0.style BASE_TYPE_CHOICES"},
	} {
		a.answers(200, c.body)
		out := w.greet()
		if c.says == "" && (out.State != "answered" || out.Modal == nil || out.Modal.Interaction != out.ID) || !strings.HasSuffix(out.Error, c.says) {
			t.Errorf("%s: %+v", name, out)
		}
	}
}

// TestModalSubmit: entries go out in the form's shape, once; a modal is not answered by a modal.
func TestModalSubmit(t *testing.T) {
	w, a := interactive(t, simdiscord.Options{NoLimits: true})
	message := posted(w, a, 0, inRow(aButtonOf("open")))
	a.answers(200, fmt.Sprintf(aModal, inRow(`{"type":4,"style":1,"label":"l","custom_id":"name","min_length":2}`)+`,{"type":18,"label":"l","component":`+aSelectOf("pick")+`}`))
	opened := w.does(simdiscord.Invocation{Kind: "component", Message: message, CustomID: "open"})
	if opened.Modal == nil || opened.Modal.Title != "T" {
		t.Fatalf("outcome %+v", opened)
	}
	send := simdiscord.Invocation{Kind: "modal", User: "ana", Channel: "lounge", Interaction: opened.ID, Fields: map[string]any{"name": "Mira", "pick": []any{"a"}}}
	for name, change := range map[string]func(*simdiscord.Invocation){
		"too short":     func(in *simdiscord.Invocation) { in.Fields = map[string]any{"name": "M", "pick": "a"} },
		"left out":      func(in *simdiscord.Invocation) { in.Fields = map[string]any{"pick": "a"} },
		"another field": func(in *simdiscord.Invocation) { in.Fields = map[string]any{"name": "Mira", "pick": "a", "x": "y"} },
		"another user":  func(in *simdiscord.Invocation) { in.User = "ben" },
	} {
		in := send
		change(&in)
		if _, err := w.Interact(context.Background(), in); err == nil {
			t.Errorf("%s: sent", name)
		}
	}
	a.answers(200, fmt.Sprintf(aModal, inRow(`{"type":4,"style":1,"label":"l","custom_id":"name"}`)))
	again := w.does(simdiscord.Invocation{Kind: "component", Message: message, CustomID: "open"})
	nested := w.does(simdiscord.Invocation{Kind: "modal", Interaction: again.ID, Fields: map[string]any{"name": "x"}})
	if nested.State != "failed" || !strings.Contains(nested.Error, "type BASE_TYPE_CHOICES") {
		t.Errorf("a modal after a modal: %+v", nested)
	}
	a.answers(200, `{"type":7,"data":{"content":"sent"}}`)
	if out := w.does(send); out.State != "answered" {
		t.Fatalf("outcome %+v", out)
	}
	in := a.last(t)
	if in.field("type") != "5" || in.field("data.custom_id") != "form" || in.field("data.components.0.components.0.value") != "Mira" ||
		!strings.Contains(string(in.text), `"values":["a"]`) || in.field("message.id") != message {
		t.Errorf("payload %s", in.text)
	}
	got := w.withToken("GET", in, "/messages/@original", "")
	if got.id() != message || got.field("content") != "sent" {
		t.Errorf("updated %s", got.text)
	}
	if _, err := w.Interact(context.Background(), send); !errors.Is(err, simdiscord.ErrUnknown) {
		t.Errorf("sent twice: %v", err)
	}
}
