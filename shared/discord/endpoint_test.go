package discord_test

import (
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"reflect"
	"strconv"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
)

// signer signs as Discord does for the application of these tests.
func signer() ed25519.PrivateKey {
	return ed25519.NewKeyFromSeed([]byte("interactions of the tests, 32 B."))
}

func publicKey() string { return hex.EncodeToString(signer().Public().(ed25519.PublicKey)) }

// posted is a request to the endpoint.
type posted struct {
	Body      string `json:"body"`
	Signature string `json:"signature"`
	Timestamp string `json:"timestamp"`
}

func signedBy(key ed25519.PrivateKey, body string, at time.Time) posted {
	stamp := strconv.FormatInt(at.Unix(), 10)
	return posted{body, hex.EncodeToString(ed25519.Sign(key, []byte(stamp+body))), stamp}
}

// post gives the request to an endpoint that answers with what it was asked.
func post(t *testing.T, p posted, headers ...string) (*httptest.ResponseRecorder, []chat.Interaction) {
	t.Helper()
	var asked []chat.Interaction
	e, err := discord.NewEndpoint(publicKey(), func(_ context.Context, i chat.Interaction) chat.Answer {
		asked = append(asked, i)
		return chat.Answer{Text: "heard", Ephemeral: true}
	})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(p.Body))
	if p.Signature != "" {
		r.Header.Set("x-signature-ed25519", p.Signature)
	}
	if p.Timestamp != "" {
		r.Header.Set("X-SIGNATURE-TIMESTAMP", p.Timestamp)
	}
	for n := 0; n < len(headers); n += 2 {
		r.Header.Set(headers[n], headers[n+1])
	}
	w := httptest.NewRecorder()
	e.ServeHTTP(w, r)
	return w, asked
}

// signatures are requests with what becomes of them here and at Discord's own verifier (TestOutsideVerifier).
func signatures() map[string]struct {
	posted
	status int
	theirs bool
} {
	const ping = `{"type":1}`
	now := time.Now()
	good := signedBy(signer(), ping, now)
	with := func(change func(*posted)) posted { p := good; change(&p); return p }
	other := ed25519.NewKeyFromSeed([]byte("the key of another application.."))
	ten := now.Add(-10 * time.Minute)
	return map[string]struct {
		posted
		status int
		theirs bool
	}{
		"as Discord signs":    {good, 200, true},
		"unicode":             {signedBy(signer(), `{"type":1,"x":"紡ぎ 🍵 \ud83c\udf75"}`, now), 200, true},
		"blanks and order":    {signedBy(signer(), "{ \"x\" : 1.0,\n\"type\" :1 }\n", now), 200, true},
		"upper-case hex":      {with(func(p *posted) { p.Signature = strings.ToUpper(p.Signature) }), 200, true},
		"body changed":        {with(func(p *posted) { p.Body += " " }), 401, false},
		"time changed":        {with(func(p *posted) { p.Timestamp = strconv.FormatInt(now.Unix()+1, 10) }), 401, false},
		"another's key":       {signedBy(other, ping, now), 401, false},
		"no signature":        {with(func(p *posted) { p.Signature = "" }), 401, false},
		"no time":             {with(func(p *posted) { p.Timestamp = "" }), 401, false},
		"no hex":              {with(func(p *posted) { p.Signature = "zz" + p.Signature[2:] }), 401, false},
		"odd hex":             {with(func(p *posted) { p.Signature = p.Signature[1:] }), 401, false},
		"short":               {with(func(p *posted) { p.Signature = p.Signature[:126] }), 401, false},
		"long":                {with(func(p *posted) { p.Signature += "00" }), 401, false},
		"empty body, signed":  {signedBy(signer(), "", now), 400, true},
		"empty body":          {posted{"", good.Signature, good.Timestamp}, 401, false},
		"signed, and no JSON": {signedBy(signer(), "type=1", now), 400, true},

		// Freshness is a rule of ours; their verifier knows no clock.
		"ten minutes old":     {signedBy(signer(), ping, ten), 401, true},
		"ten minutes ahead":   {signedBy(signer(), ping, now.Add(10*time.Minute)), 401, true},
		"four minutes old":    {signedBy(signer(), ping, now.Add(-4*time.Minute)), 200, true},
		"a time that is none": {posted{ping, hex.EncodeToString(ed25519.Sign(signer(), []byte("soon"+ping))), "soon"}, 401, true},
	}
}

func TestFault10OnlyWhatDiscordSignedIsHeard(t *testing.T) {
	for name, c := range signatures() {
		t.Run(name, func(t *testing.T) {
			w, asked := post(t, c.posted)
			if w.Code != c.status || len(asked) > 0 {
				t.Errorf("status %d, want %d; %d were heard", w.Code, c.status, len(asked))
			}
			if w.Code == 200 && (strings.TrimSpace(w.Body.String()) != `{"type":1}` || w.Header().Get("Content-Type") != "application/json") {
				t.Errorf("a ping was answered %s (%v)", w.Body, w.Header())
			}
		})
	}
	t.Run("too large", func(t *testing.T) {
		if w, _ := post(t, signedBy(signer(), `{"type":1}`+strings.Repeat(" ", 1<<20), time.Now())); w.Code != http.StatusRequestEntityTooLarge {
			t.Errorf("status %d", w.Code)
		}
	})
}

func TestFault10AKeyThatIsNoneIsRefusedAtStart(t *testing.T) {
	for name, key := range map[string]string{"none": "", "short": publicKey()[:62], "long": publicKey() + "00", "odd": publicKey()[:63], "no hex": "zz" + publicKey()[2:]} {
		if _, err := discord.NewEndpoint(key, nil); err == nil {
			t.Errorf("%s: discordgo would panic at the first interaction", name)
		}
	}
}

// An interaction as Discord sends it, with a hole for what differs.
const used = `{"app_permissions":"2147483647","application_id":"9","channel":{"id":"7","type":0},"channel_id":"7","data":{"id":"5","name":"stop","type":1},` +
	`"entitlements":[],"guild":{"id":"1"},"guild_id":"1","id":"1477636523032576000","locale":"ja","member":{"permissions":"8192","roles":[],"user":{"id":"21","username":"ana"}},` +
	`"token":"aW50ZXJhY3Rpb24-_","type":2,"version":1}`

func TestInteractionsInOurWords(t *testing.T) {
	stop := chat.Interaction{ID: "1477636523032576000", Application: "9", Token: "aW50ZXJhY3Rpb24-_", Kind: chat.UsedCommand, Command: "stop",
		Channel: "7", Guild: "1", User: "21", Name: "ana", May: chat.ManageMessages, BotMay: 2147483647, Locale: "ja"}
	with := func(change func(*chat.Interaction)) chat.Interaction { i := stop; change(&i); return i }
	for name, c := range map[string]struct {
		swap []string
		want chat.Interaction
	}{
		"in a server": {nil, stop},
		"in a thread": {[]string{`"type":0`, `"type":11`}, with(func(i *chat.Interaction) { i.Thread = true })},
		"in a direct message": {[]string{`"guild":{"id":"1"},"guild_id":"1",`, "", `"member":{"permissions":"8192","roles":[],"user":{"id":"21","username":"ana"}}`, `"user":{"id":"22"}`},
			with(func(i *chat.Interaction) { i.Guild, i.May, i.User, i.Name = "", 0, "22", "" })},
		"permissions that are none": {[]string{`"8192"`, `"-1"`, `"2147483647"`, `"1e9"`}, with(func(i *chat.Interaction) { i.May, i.BotMay = 0, 0 })},
		"permissions of tomorrow":   {[]string{`"8192"`, `"18446744073709551615"`}, with(func(i *chat.Interaction) { i.May = 1<<64 - 1 })},
		"options": {[]string{`"type":1}`, `"type":1,"options":[{"name":"a","type":3,"value":"x\ny"},{"name":"b","type":4,"value":9007199254740993},{"name":"c","type":5,"value":true},{"name":"d","type":3,"value":{}},{"name":"e","type":3}]}`},
			with(func(i *chat.Interaction) {
				i.Options = []chat.Option{{Name: "a", Value: "x\ny"}, {Name: "b", Value: "9007199254740993"}, {Name: "c", Value: "true"}}
			})},
		"a subcommand": {[]string{`"type":1}`, `"type":1,"options":[{"name":"card","type":2,"options":[{"name":"add","type":1,"options":[{"name":"a","type":3,"value":"x"}]}]}]}`},
			with(func(i *chat.Interaction) {
				i.Command, i.Options = "stop card add", []chat.Option{{Name: "a", Value: "x"}}
			})},
		"a button":             {[]string{`"type":2`, `"type":3`}, with(func(i *chat.Interaction) { i.Kind, i.Command = chat.UsedComponent, "" })},
		"choices":              {[]string{`"type":2`, `"type":4`}, with(func(i *chat.Interaction) { i.Kind = chat.AskedChoices })},
		"a modal":              {[]string{`"type":2`, `"type":5`}, with(func(i *chat.Interaction) { i.Kind, i.Command = chat.SentModal, "" })},
		"a kind to come":       {[]string{`"type":2`, `"type":77`, `"channel_id":"7",`, ""}, with(func(i *chat.Interaction) { i.Kind, i.Command, i.Channel = chat.UsedUnknown, "", "" })},
		"in a message's menu":  {[]string{`"type":1}`, `"type":3,"target_id":"5"}`}, with(func(i *chat.Interaction) { i.Target = "5" })},
		"in its menu, of none": {[]string{`"type":1}`, `"type":3,"target_id":"x"}`}, with(func(i *chat.Interaction) { i.Kind, i.Command = chat.UsedUnknown, "" })},
		"in a user's menu":     {[]string{`"type":1}`, `"type":2,"target_id":"5"}`}, with(func(i *chat.Interaction) { i.Kind, i.Command = chat.UsedUnknown, "" })},
	} {
		t.Run(name, func(t *testing.T) {
			w, asked := post(t, signedBy(signer(), strings.NewReplacer(c.swap...).Replace(used), time.Now()))
			if w.Code != 200 || len(asked) != 1 || !reflect.DeepEqual(asked[0], c.want) {
				t.Fatalf("status %d, got %+v\nwant %+v", w.Code, asked, c.want)
			}
		})
	}
}

func TestMalformedInteractionsAreRefused(t *testing.T) {
	for _, swap := range [][]string{
		{`"type":2`, `"type":0`}, {`"type":2`, `"type":"2"`}, {`"type":2,`, ``}, {`"id":"1477636523032576000"`, `"id":"x"`}, {`"application_id":"9"`, `"application_id":"../9"`},
		{`"aW50ZXJhY3Rpb24-_"`, `""`}, {`"aW50ZXJhY3Rpb24-_"`, `"a/../b"`}, {`"aW50ZXJhY3Rpb24-_"`, `"` + strings.Repeat("a", 1001) + `"`},
		{`"channel_id":"7"`, `"channel_id":null`}, {`"user":{"id":"21"`, `"user":{"id":""`}, {`"data":{`, `"data":[{`},
	} {
		w, asked := post(t, signedBy(signer(), strings.NewReplacer(swap...).Replace(used), time.Now()))
		if w.Code != http.StatusBadRequest || len(asked) > 0 || strings.Contains(w.Body.String(), "aW50") {
			t.Errorf("%v: status %d, %s", swap, w.Code, w.Body)
		}
	}
}

// Discord adds to what it sends. A part that is not as it was costs that part: a ping that is not answered costs the endpoint.
func TestPartsToComeSpoilNoInteraction(t *testing.T) {
	for name, c := range map[string]struct {
		swap   []string
		status int
		kind   chat.InteractionKind // heard
	}{
		"a ping":                  {[]string{`"type":2`, `"type":1`, `"channel_id":"7"`, `"channel_id":7`}, 200, ""},
		"a button":                {[]string{`"type":2`, `"type":3`, `"data":{"id":"5","name":"stop","type":1}`, `"data":[]`}, 200, chat.UsedComponent},
		"a modal":                 {[]string{`"type":2`, `"type":5`, `"name":"stop"`, `"name":{}`}, 200, chat.SentModal},
		"a kind to come":          {[]string{`"type":2`, `"type":77`, `"member":{`, `"member":[],"x":{`}, 200, chat.UsedUnknown},
		"a command":               {[]string{`"locale":"ja"`, `"locale":["ja"]`}, 200, chat.UsedCommand},
		"rights that are unknown": {[]string{`"permissions":"8192"`, `"permissions":8192`}, 200, chat.UsedCommand},
		"who is not told":         {[]string{`"user":{"id":"21"`, `"user":{"id":21`}, 400, ""},
		"where is not told":       {[]string{`"channel_id":"7"`, `"channel_id":7`}, 400, ""},
	} {
		t.Run(name, func(t *testing.T) {
			w, asked := post(t, signedBy(signer(), strings.NewReplacer(c.swap...).Replace(used), time.Now()))
			if w.Code != c.status || (len(asked) == 1) != (c.kind != "") || c.kind != "" && asked[0].Kind != c.kind {
				t.Fatalf("status %d, heard %+v", w.Code, asked)
			}
			if name == "rights that are unknown" && asked[0].May != 0 {
				t.Errorf("it may %d", asked[0].May)
			}
		})
	}
}

// FuzzInteraction gives the endpoint whatever could be signed: it refuses it, or hands on what is within bounds and answers
// with a type that Discord takes.
func FuzzInteraction(f *testing.F) {
	for _, s := range []string{used, `{"type":1}`, `{"type":3,"data":{"custom_id":"x","component_type":2}}`, `null`, `[]`, `{"type":2,"data":null,"id":"1"}`,
		`{"type":-1}`, `{"type":1e3}`, `{"type":2,"data":{"options":[{"type":1,"options":[{"type":2}]}]}}`, `{"member":{"user":null},"guild_id":"1","type":4}`,
		strings.Replace(used, stopData, `"data":{"name":"x","options":[{"type":11,"name":"f","value":"31","focused":true}],"resolved":{"attachments":{"31":{"url":"https://x","size":1}}}}`, 1),
		strings.NewReplacer(`"type":2`, `"type":3`, stopData, `"data":{"custom_id":"m","values":["a",7]},"message":{"id":"5"}`).Replace(used),
		strings.NewReplacer(`"type":2`, `"type":5`, stopData, `"data":{"custom_id":"f","components":[{"type":1,"components":[{"custom_id":"a","value":1}]},{"type":18,"component":{"custom_id":"b","values":["x"]}}]}`).Replace(used)} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, body string) {
		w, asked := post(t, signedBy(signer(), body, time.Now()))
		var reply struct {
			Type int `json:"type"`
		}
		switch {
		case w.Code == http.StatusBadRequest && len(asked) == 0:
			return
		case w.Code != 200 || json.Unmarshal(w.Body.Bytes(), &reply) != nil:
			t.Fatalf("status %d, %s", w.Code, w.Body)
		case reply.Type == 1 && len(asked) == 0:
			return
		case len(asked) != 1 || (reply.Type == 8) != (asked[0].Kind == chat.AskedChoices) || reply.Type != 4 && reply.Type != 8:
			t.Fatalf("%d heard, answered %s", len(asked), w.Body)
		}
		i := asked[0]
		known := i.Kind != chat.UsedUnknown
		if known && (i.ID == "" || i.Channel == "" || i.User == "" || i.Application == "" || i.Token == "") {
			t.Errorf("incomplete: %+v", i)
		}
		if text, err := json.Marshal(i); err != nil || len(text) > 1<<20 || len(i.Options) > 25 || len([]rune(i.Command)) > 100 ||
			len([]rune(i.CustomID)) > 100 || len(i.Values) > 25 || len(i.Fields) > 5*26 || len(i.Roles) > 250 || len(i.Files) > 25 || len([]rune(i.Name)) > 80 {
			t.Errorf("out of bounds: %d bytes, %v", len(text), err)
		}
	})
}
