package discord_test

import (
	"fmt"
	"net/http"
	"reflect"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
)

// heard is what the endpoint makes of a signed interaction, with parts of it replaced.
func heard(t *testing.T, swap ...string) chat.Interaction {
	t.Helper()
	w, asked := post(t, signedBy(signer(), strings.NewReplacer(swap...).Replace(used), time.Now()))
	if w.Code != http.StatusOK || len(asked) != 1 {
		t.Fatalf("status %d, %d heard", w.Code, len(asked))
	}
	return asked[0]
}

// The data of the interaction of these tests.
const stopData = `"data":{"id":"5","name":"stop","type":1}`

func TestWhoUsesIt(t *testing.T) {
	const member = `"roles":[],"user":{"id":"21","username":"ana"}`
	for name, c := range map[string]struct {
		swap  []string
		name  string
		roles []string
		home  string
	}{
		"a name for here":  {[]string{member, `"nick":"  Ana of\n Rain ","roles":["5","x",6,"7"],"user":{"id":"21","global_name":"Ana","username":"ana"}`}, "Ana of Rain", []string{"5", "7"}, ""},
		"one for all":      {[]string{member, `"nick":null,"roles":null,"user":{"id":"21","global_name":"Ana","username":"ana"}`}, "Ana", nil, ""},
		"nothing to show":  {[]string{member, `"nick":"\u202e","roles":{},"user":{"id":"21","global_name":"","username":"ana"}`}, "ana", nil, ""},
		"too long":         {[]string{`"ana"`, `"` + strings.Repeat("ü", 90) + `"`}, strings.Repeat("ü", 80), nil, ""},
		"a server's words": {[]string{`"locale":"ja"`, `"locale":"ja","guild_locale":"de"`}, "ana", nil, "de"},
	} {
		t.Run(name, func(t *testing.T) {
			i := heard(t, c.swap...)
			if i.Name != c.name || !reflect.DeepEqual(i.Roles, c.roles) || i.GuildLocale != c.home {
				t.Errorf("%q %v %q", i.Name, i.Roles, i.GuildLocale)
			}
		})
	}
	var roles []string
	for n := range 300 {
		roles = append(roles, fmt.Sprintf(`"%d"`, n+1))
	}
	if i := heard(t, `"roles":[]`, `"roles":[`+strings.Join(roles, ",")+`]`); len(i.Roles) != 250 {
		t.Errorf("%d roles", len(i.Roles))
	}
}

func TestWhatIsTyped(t *testing.T) {
	i := heard(t, `"type":2`, `"type":4`, stopData,
		`"data":{"name":"persona","type":1,"options":[{"type":1,"name":"edit","options":[{"type":3,"name":"about","value":"x"},{"type":3,"name":"name","value":"Mi","focused":true}]}]}`)
	if i.Kind != chat.AskedChoices || i.Command != "persona edit" || i.Focused != "name" || i.Option("name") != "Mi" || i.Option("about") != "x" {
		t.Errorf("%+v", i)
	}
}

func TestWhatIsGiven(t *testing.T) {
	const cdn = "https://cdn.discordapp.com/attachments/7/31/face.png?ex=1"
	i := heard(t, stopData, `"data":{"name":"x","type":1,"options":[{"type":7,"name":"where","value":"7"},{"type":8,"name":"who","value":"8"},{"type":11,"name":"face","value":"31"}],
		"resolved":{"channels":{"7":{}},"attachments":{"31":{"id":"31","filename":"fa\nce.png","content_type":"image/png","size":120,"url":"`+cdn+`"},
		"x":{"url":"https://x"},"32":{"url":""},"33":{"url":"https://`+strings.Repeat("x", 2048)+`"},"34":{"url":"https://y","size":1e300},"35":{"url":"https://z","size":-5}}}}`)
	want := map[string]chat.Attachment{"31": {URL: cdn, Name: "fa ce.png", Type: "image/png", Size: 120}, "34": {URL: "https://y"}, "35": {URL: "https://z"}}
	if i.Option("where") != "7" || i.Option("who") != "8" || !reflect.DeepEqual(i.Files, want) || i.Files[i.Option("face")].URL != cdn {
		t.Errorf("%+v", i)
	}
}

func TestWhatIsChosen(t *testing.T) {
	many := `"v"` + strings.Repeat(`,"v"`, 40)
	for name, c := range map[string]struct {
		data   string
		id     string
		values int
	}{
		"a button":       {`"data":{"custom_id":"1|stop|sure|l","component_type":2},"message":{"id":"55"}`, "1|stop|sure|l", 0},
		"a menu":         {`"data":{"custom_id":"m","component_type":3,"values":["a","b"]},"message":{"id":"55","components":[]}`, "m", 2},
		"of other types": {`"data":{"custom_id":"m","component_type":3,"values":["a",7,null,{},"","b"]},"message":{"id":"55"}`, "m", 2},
		"too many":       {`"data":{"custom_id":"m","values":[` + many + `]},"message":{"id":"55"}`, "m", 25},
		"too long an id": {`"data":{"custom_id":"` + strings.Repeat("ü", 120) + `"},"message":{"id":"55"}`, strings.Repeat("ü", 100), 0},
		"no id":          {`"data":{"custom_id":7},"message":{"id":"55"}`, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			i := heard(t, `"type":2`, `"type":3`, stopData, c.data)
			if i.Kind != chat.UsedComponent || i.CustomID != c.id || len(i.Values) != c.values || i.Message != "55" || c.values == 2 && !reflect.DeepEqual(i.Values, []string{"a", "b"}) {
				t.Errorf("%+v", i)
			}
		})
	}
}

func TestWhatIsWrittenIntoForms(t *testing.T) {
	label := func(part string) string { return `{"type":18,"id":1,"component":` + part + `}` }
	deep := strings.Repeat(`{"type":18,"component":`, 200) + `{"custom_id":"d","value":"x"}` + strings.Repeat(`}`, 200)
	for name, c := range map[string]struct {
		parts string
		want  []chat.Option
	}{
		"in rows":         {`{"type":1,"components":[{"type":4,"custom_id":"a","value":"x\r\ny"}]},{"type":1,"components":[{"type":4,"custom_id":"b","value":""}]}`, []chat.Option{{Name: "a", Value: "x\ny"}, {Name: "b"}}},
		"in labels":       {label(`{"type":4,"custom_id":"a","value":"x"}`) + `,{"type":10,"id":3}`, []chat.Option{{Name: "a", Value: "x"}}},
		"a menu":          {label(`{"type":3,"custom_id":"m","values":["1","2"]}`) + "," + label(`{"type":8,"custom_id":"c","values":[]}`), []chat.Option{{Name: "m", Value: "1"}, {Name: "m", Value: "2"}}},
		"a box":           {label(`{"type":23,"custom_id":"sure","value":true}`), []chat.Option{{Name: "sure", Value: "true"}}},
		"kinds to come":   {label(`{"type":99,"custom_id":"a","value":{"x":1}}`) + `,{"type":99,"children":[]},7,null,` + label(`{"type":4,"custom_id":"b","value":"x"}`), []chat.Option{{Name: "b", Value: "x"}}},
		"too long":        {label(`{"type":4,"custom_id":"a","value":"` + strings.Repeat("紡", 5000) + `"}`), []chat.Option{{Name: "a", Value: strings.Repeat("紡", 4000)}}},
		"nothing":         {``, nil},
		"nested too deep": {deep, nil},
	} {
		t.Run(name, func(t *testing.T) {
			i := heard(t, `"type":2`, `"type":5`, stopData, `"data":{"custom_id":"1|f","components":[`+c.parts+`]},"message":{"id":"55"}`)
			if i.Kind != chat.SentModal || i.CustomID != "1|f" || i.Message != "55" || !reflect.DeepEqual(i.Fields, c.want) {
				t.Errorf("%+v", i)
			}
		})
	}
	var many []string
	for n := range 30 {
		many = append(many, label(fmt.Sprintf(`{"type":4,"custom_id":"f%d","value":"x"}`, n)))
	}
	if i := heard(t, `"type":2`, `"type":5`, stopData, `"data":{"custom_id":"1|f","components":[`+strings.Join(many, ",")+`]}`); len(i.Fields) != 5 {
		t.Errorf("%d fields", len(i.Fields))
	}
}

// What nobody would send who means well is refused, or read as far as it can be.
func TestHostileInteractions(t *testing.T) {
	for name, swap := range map[string][]string{
		"deep":           {stopData, `"data":` + strings.Repeat(`{"options":[`, 40000) + strings.Repeat(`]}`, 40000)},
		"twice":          {stopData, stopData + `,` + stopData + `,"data":{"name":7}`},
		"huge numbers":   {stopData, `"data":{"name":"x","type":1e999,"options":[{"type":4,"name":"n","value":1e999}]}`},
		"deep in a form": {`"type":2`, `"type":5`, stopData, `"data":{"components":` + strings.Repeat(`[{"components":`, 9000) + `null` + strings.Repeat(`}]`, 9000) + `}`},
		"not a text":     {`"ja"`, `"\ud800\u0000"`},
	} {
		t.Run(name, func(t *testing.T) {
			w, asked := post(t, signedBy(signer(), strings.NewReplacer(swap...).Replace(used), time.Now()))
			if w.Code != http.StatusOK && w.Code != http.StatusBadRequest || len(asked) > 1 {
				t.Errorf("status %d", w.Code)
			}
		})
	}
}
