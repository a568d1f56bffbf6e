package discord_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

// answered is what the endpoint says to an interaction of the type when its answer is this one. It is held to Discord's description.
func answered(t *testing.T, kind int, a chat.Answer) string {
	t.Helper()
	e, err := discord.NewEndpoint(publicKey(), func(context.Context, chat.Interaction) chat.Answer { return a })
	if err != nil {
		t.Fatal(err)
	}
	p := signedBy(signer(), strings.Replace(used, `"type":2`, fmt.Sprintf(`"type":%d`, kind), 1), time.Now())
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(p.Body))
	r.Header.Set("X-Signature-Ed25519", p.Signature)
	r.Header.Set("X-Signature-Timestamp", p.Timestamp)
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	if w.Code != http.StatusOK {
		t.Fatalf("status %d", w.Code)
	}
	x := simdiscord.Exchange{Call: simdiscord.Call{Method: http.MethodPost, Route: "/interactions/{interaction_id}/{interaction_token}/callback", Status: http.StatusNoContent}, Target: "/api/v10/interactions/1/t/callback",
		Asked: http.Header{"Content-Type": {"application/json"}}, Sent: w.Body.Bytes()}
	if err := discordtest.Check(x); err != nil {
		t.Errorf("%s: %v", w.Body, err)
	}
	return strings.TrimSpace(w.Body.String())
}

func TestAnswersFitWhatTheyAnswer(t *testing.T) {
	const nobody = `"allowed_mentions":{"parse":[],"replied_user":false}`
	apology := `{"type":4,"data":{"content":"うまくいきませんでした。少し待ってから、もう一度お試しください。","flags":64,` + nobody + `}}`
	long := strings.Repeat("ü", 2001)
	stop := chat.Button{ID: "1|stop|sure|l", Label: "Stop", Style: chat.Danger}
	rows := []chat.ActionRow{{Buttons: []chat.Button{stop}}}
	const below = `"components":[{"type":1,"components":[{"type":2,"style":4,"label":"Stop","custom_id":"1|stop|sure|l"}]}]`
	form := &chat.Modal{ID: "1|x", Title: "Form", Fields: []chat.Field{{ID: "key", Label: "Key", Hint: "From the portal", Required: true}, {ID: "about", Label: "About", Long: true, Max: 10, Value: "x"}}}
	const opened = `{"type":9,"data":{"custom_id":"1|x","title":"Form","components":[{"type":18,"label":"Key","description":"From the portal","component":{"type":4,"custom_id":"key","style":1,"required":true,"max_length":4000}},` +
		`{"type":18,"label":"About","component":{"type":4,"custom_id":"about","style":2,"value":"x","required":false,"max_length":10}}]}}`
	for name, c := range map[string]struct {
		kind   int
		answer chat.Answer
		want   string
	}{
		"words":                      {2, chat.Answer{Text: "x"}, `{"type":4,"data":{"content":"x",` + nobody + `}}`},
		"words for one":              {3, chat.Answer{Text: "@everyone", Ephemeral: true}, `{"type":4,"data":{"content":"@everyone","flags":64,` + nobody + `}}`},
		"too many words":             {5, chat.Answer{Text: long}, `{"type":4,"data":{"content":"` + long[:4000] + `",` + nobody + `}}`},
		"later":                      {2, chat.Answer{Text: "x", Deferred: true}, `{"type":5,"data":{}}`},
		"later, for one":             {2, chat.Answer{Ephemeral: true, Deferred: true}, `{"type":5,"data":{"flags":64}}`},
		"no choices":                 {4, chat.Answer{Ephemeral: true}, `{"type":8,"data":{"choices":[]}}`},
		"choices":                    {4, chat.Answer{Text: "x", Choices: []chat.Choice{{Name: "Mira", Value: "m"}, {Name: "none"}, {Value: "v"}}}, `{"type":8,"data":{"choices":[{"name":"Mira","value":"m"},{"name":"v","value":"v"}]}}`},
		"a kind to come":             {9, chat.Answer{Text: "x", Ephemeral: true}, `{"type":4,"data":{"content":"x","flags":64,` + nobody + `}}`},
		"a button":                   {2, chat.Answer{Text: "x", Rows: rows}, `{"type":4,"data":{"content":"x",` + nobody + `,` + below + `}}`},
		"a button alone":             {2, chat.Answer{Rows: rows}, `{"type":4,"data":{"content":"",` + nobody + `,` + below + `}}`},
		"in place of the message":    {3, chat.Answer{Text: "x", Update: true, Ephemeral: true}, `{"type":7,"data":{"content":"x",` + nobody + `,"components":[],"attachments":[]}}`},
		"in its place, later":        {3, chat.Answer{Update: true, Deferred: true, Ephemeral: true}, `{"type":6}`},
		"a command has no message":   {2, chat.Answer{Text: "x", Update: true}, `{"type":4,"data":{"content":"x",` + nobody + `}}`},
		"nor has its form":           {5, chat.Answer{Update: true, Deferred: true}, `{"type":5,"data":{}}`},
		"a form":                     {2, chat.Answer{Text: "x", Modal: form, Ephemeral: true}, opened},
		"a form for a button":        {3, chat.Answer{Modal: form}, opened},
		"no form answers a form":     {5, chat.Answer{Text: "x", Modal: form}, `{"type":4,"data":{"content":"x",` + nobody + `}}`},
		"nothing":                    {2, chat.Answer{Ephemeral: true}, apology},
		"blanks":                     {2, chat.Answer{Text: " \n", Ephemeral: true, Rows: []chat.ActionRow{{}}}, apology},
		"a form without fields":      {2, chat.Answer{Modal: &chat.Modal{ID: "x", Title: "x"}, Ephemeral: true}, apology},
		"a form with an id too long": {2, chat.Answer{Modal: &chat.Modal{ID: long, Fields: form.Fields}, Ephemeral: true}, apology},
		"a file cannot come at once": {2, chat.Answer{Ephemeral: true, Text: "x", Files: []chat.File{{Name: "a", Body: []byte("b")}}}, `{"type":4,"data":{"content":"x","flags":64,` + nobody + `}}`},
		"nor alone":                  {2, chat.Answer{Ephemeral: true, Files: []chat.File{{Name: "a", Body: []byte("b")}}}, apology},
		"buttons that lead nowhere":  {2, chat.Answer{Text: "x", Rows: []chat.ActionRow{{Buttons: []chat.Button{{Label: "x"}, {ID: long}, {URL: "javascript:x"}, {URL: "https://" + long}}}}}, `{"type":4,"data":{"content":"x",` + nobody + `}}`},
		"an id that is used":         {2, chat.Answer{Text: "x", Rows: []chat.ActionRow{{Buttons: []chat.Button{stop, stop}}, {Buttons: []chat.Button{stop}}}}, `{"type":4,"data":{"content":"x",` + nobody + `,` + below + `}}`},
		"a menu with nothing in it":  {2, chat.Answer{Text: "x", Rows: []chat.ActionRow{{Menu: &chat.Menu{ID: "m", Of: chat.OfTexts}}}}, `{"type":4,"data":{"content":"x",` + nobody + `}}`},
		"a button that leads away":   {2, chat.Answer{Text: "x", Rows: []chat.ActionRow{{Buttons: []chat.Button{{URL: "https://x.invalid/", ID: "1", Off: true}}}}}, `{"type":4,"data":{"content":"x",` + nobody + `,"components":[{"type":1,"components":[{"type":2,"style":5,"label":"…","url":"https://x.invalid/","disabled":true}]}]}}`},
	} {
		t.Run(name, func(t *testing.T) {
			if got := answered(t, c.kind, c.answer); got != c.want {
				t.Errorf("\n got %s\nwant %s", got, c.want)
			}
		})
	}
}

func TestMenusAsDiscordTakesThem(t *testing.T) {
	items := []chat.MenuItem{{Label: "One", Value: "1", Hint: "first", Chosen: true}, {Value: "2", Chosen: true}, {Label: "again", Value: "2"}, {Label: "none"}}
	for name, c := range map[string]struct {
		menu chat.Menu
		want string
	}{
		"of texts": {chat.Menu{ID: "m", Items: items, Hint: "Which?"},
			`{"type":3,"custom_id":"m","placeholder":"Which?","options":[{"label":"One","value":"1","description":"first","default":true},{"label":"2","value":"2"}],"min_values":1,"max_values":1}`},
		"more than there are": {chat.Menu{ID: "m", Of: chat.OfTexts, Items: items, Min: -1, Max: 9},
			`{"type":3,"custom_id":"m","options":[{"label":"One","value":"1","description":"first","default":true},{"label":"2","value":"2","default":true}],"min_values":0,"max_values":2}`},
		"of roles": {chat.Menu{ID: "m", Of: chat.OfRoles, Chosen: []string{"5", "x", "6"}, Max: 30, Channels: []int{0}},
			`{"type":6,"custom_id":"m","default_values":[{"id":"5","type":"role"},{"id":"6","type":"role"}],"min_values":1,"max_values":25}`},
		"of channels": {chat.Menu{ID: "m", Of: chat.OfChannels, Channels: []int{0, 5}, Chosen: []string{"5", "6"}, Min: 1},
			`{"type":8,"custom_id":"m","channel_types":[0,5],"default_values":[{"id":"5","type":"channel"}],"min_values":1,"max_values":1}`},
	} {
		t.Run(name, func(t *testing.T) {
			var got struct {
				Data struct {
					Components []struct{ Components []json.RawMessage }
				}
			}
			text := answered(t, 2, chat.Answer{Text: "x", Rows: []chat.ActionRow{{}, {Menu: &c.menu, Buttons: []chat.Button{{ID: "b"}}}}})
			if err := json.Unmarshal([]byte(text), &got); err != nil || len(got.Data.Components) != 2 {
				t.Fatalf("%s, %v", text, err)
			}
			if menu := string(got.Data.Components[0].Components[0]); menu != c.want {
				t.Errorf("\n got %s\nwant %s", menu, c.want)
			}
		})
	}
}

// tooMuch are answers that have more of everything than Discord takes, by the type of the interaction that they answer.
func tooMuch() map[int]chat.Answer {
	long := strings.Repeat("紡", 5000)
	var rows []chat.ActionRow
	var items []chat.MenuItem
	var fields []chat.Field
	var choices []chat.Choice
	for n := range 30 {
		id := fmt.Sprint(n)
		var buttons []chat.Button
		for k := range 7 {
			buttons = append(buttons, chat.Button{ID: id + "|" + fmt.Sprint(k), Label: long, Style: 77})
		}
		items = append(items, chat.MenuItem{Label: long, Value: id, Hint: long})
		rows = append(rows, chat.ActionRow{Buttons: buttons}, chat.ActionRow{Menu: &chat.Menu{ID: id, Items: items, Hint: long}})
		fields = append(fields, chat.Field{ID: id, Label: long, Hint: long, Example: long, Value: long, Min: 9000, Max: 9000})
		choices = append(choices, chat.Choice{Name: long, Value: id})
	}
	return map[int]chat.Answer{
		2: {Text: long, Modal: &chat.Modal{ID: "x", Title: long, Fields: fields}}, 3: {Text: long, Rows: rows[1:], Update: true},
		4: {Choices: choices}, 5: {Text: long, Rows: rows},
	}
}

// What is longer than Discord takes is cut by characters, whatever it is written in, and what is more is left out.
func TestLongAnswersAreCut(t *testing.T) {
	for kind, a := range tooMuch() {
		var got struct {
			Data struct{ Components, Choices []json.RawMessage }
		}
		parts := 5
		if kind == 4 {
			parts = 25
		}
		// answered holds the lengths to Discord's description.
		if err := json.Unmarshal([]byte(answered(t, kind, a)), &got); err != nil || len(got.Data.Components)+len(got.Data.Choices) != parts {
			t.Errorf("of type %d: %d components, %d choices, %v", kind, len(got.Data.Components), len(got.Data.Choices), err)
		}
	}
}
