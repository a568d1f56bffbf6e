package discordtest_test

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"mime/multipart"
	"net/http"
	"net/textproto"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
)

const (
	create  = "/channels/{channel_id}/messages"
	channel = "132271575138304000"
)

// call is a valid exchange: the bot says something, and Discord shows what it said.
func call(t *testing.T) simdiscord.Exchange {
	t.Helper()
	if err := discordtest.Available(); errors.Is(err, fs.ErrNotExist) {
		t.Skip("Discord's description is not beside the repository")
	}
	var last simdiscord.Exchange
	sim := simdiscord.New(simdiscord.Options{Observe: func(x simdiscord.Exchange) { last = x }})
	defer sim.Close()
	r, err := http.NewRequest("POST", "http://localhost/api/v9/channels/"+sim.State().Lounge+"/messages", strings.NewReader(`{"content":"hello"}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header.Set("Authorization", "Bot simulated")
	r.Header.Set("Content-Type", "application/json")
	resp, err := sim.Direct().RoundTrip(r)
	if err != nil {
		t.Fatal(err)
	}
	resp.Body.Close()
	if last.Route != create || last.Status != 200 || string(last.Sent) != `{"content":"hello"}` || len(last.Answer) == 0 {
		t.Fatalf("observed %+v", last)
	}
	return last
}

func replace(old, new string) func(*simdiscord.Exchange) {
	return func(x *simdiscord.Exchange) { x.Answer = bytes.ReplaceAll(x.Answer, []byte(old), []byte(new)) }
}

func sent(body string) func(*simdiscord.Exchange) {
	return func(x *simdiscord.Exchange) { x.Sent = []byte(body) }
}

func refused(body string) func(*simdiscord.Exchange) {
	return func(x *simdiscord.Exchange) {
		x.Status, x.Sent, x.Answer = 400, []byte(body), []byte(`{"code":50035,"message":"Invalid Form Body"}`)
	}
}

func TestCheckFindsWhatIsWrong(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*simdiscord.Exchange)
		wrong  string // part of what is said; "" for a good call
	}{
		"a good call": {func(*simdiscord.Exchange) {}, ""},

		"2001 characters were taken":     {sent(`{"content":"` + strings.Repeat("x", 2001) + `"}`), "request is invalid"},
		"2001 characters were refused":   {refused(`{"content":"` + strings.Repeat("x", 2001) + `"}`), ""},
		"2000 emoji are 2000":            {sent(`{"content":"` + strings.Repeat("\U0001F375", 2000) + `"}`), ""},
		"a misspelt key":                 {sent(`{"content":"x","embed":{}}`), "request is invalid"},
		"nothing in it":                  {sent(`{}`), "request is invalid"},
		"no body":                        {sent(``), "needs a body"},
		"no JSON":                        {sent(`{`), "request is invalid"},
		"an embed field without a value": {sent(`{"embeds":[{"fields":[{"name":"n"}]}]}`), "request is invalid"},
		"no content type":                {func(x *simdiscord.Exchange) { x.Asked.Del("Content-Type") }, "content type"},
		"an id that is none":             {func(x *simdiscord.Exchange) { x.Target = "/api/v10/channels/lounge/messages" }, "request is invalid"},
		"an answer without author":       {replace(`"author"`, `"writer"`), "answer 200 is invalid"},
		"an id as a number":              {replace(`"channel_id":"`+channel+`"`, `"channel_id":`+channel), "answer 200 is invalid"},
		"null where a list belongs":      {replace(`"embeds":[]`, `"embeds":null`), "answer 200 is invalid"},
		"a status that is not described": {func(x *simdiscord.Exchange) { x.Status = 201 }, "no such status"},
		"a refusal without code":         {func(x *simdiscord.Exchange) { x.Status, x.Answer = 404, []byte(`{"message":"Unknown Channel"}`) }, "answer 404 is invalid"},
		"an answer that is HTML":         {func(x *simdiscord.Exchange) { x.Header.Set("Content-Type", "text/html") }, "content type"},
		"a made-up 502":                  {func(x *simdiscord.Exchange) { x.Status, x.Fault, x.Answer = 502, simdiscord.FaultStatus, nil }, ""},
		"a 502 that nobody made up":      {func(x *simdiscord.Exchange) { x.Status, x.Answer = 502, nil }, "no such status"},
		"a wrong request under a fault":  {func(x *simdiscord.Exchange) { x.Status, x.Fault, x.Sent = 502, simdiscord.FaultStatus, []byte(`{}`) }, "request is invalid"},
		"nothing was done": {func(x *simdiscord.Exchange) {
			x.Status, x.Fault, x.Sent, x.Answer = 0, simdiscord.FaultRefused, nil, nil
		}, ""},
		"a call that nobody has described": {func(x *simdiscord.Exchange) { x.Route = "/channels/{channel_id}/sing" }, "does not know"},
		"a path that does not exist": {func(x *simdiscord.Exchange) {
			x.Route, x.Status, x.Answer = "", 404, []byte(`{"code":0,"message":"404: Not Found"}`)
		}, ""},
		"a path that does not exist, taken": {func(x *simdiscord.Exchange) { x.Route, x.Answer = "", []byte(`{}`) }, "missing"},
	} {
		t.Run(name, func(t *testing.T) {
			x := call(t)
			c.change(&x)
			err := discordtest.Check(x)
			if (err == nil) != (c.wrong == "") || err != nil && !strings.Contains(err.Error(), c.wrong) {
				t.Errorf("found %v, want %q", err, c.wrong)
			}
		})
	}
}

// TestCheckLooksAgain: what was judged for one call is not taken for another that has bounds of its own.
func TestCheckLooksAgain(t *testing.T) {
	x := call(t)
	x.Method, x.Sent, x.Answer = "GET", nil, []byte(`[]`)
	for limit, good := range map[int]bool{1: true, 100: true, 0: false, 101: false} {
		x.Target = fmt.Sprintf("/api/v10/channels/%s/messages?limit=%d", channel, limit)
		for range 2 {
			if err := discordtest.Check(x); (err == nil) != good {
				t.Errorf("limit %d: %v", limit, err)
			}
		}
	}
}

func TestFormsCarryTheirJSON(t *testing.T) {
	for name, c := range map[string]struct {
		parts map[string]string // "file:" marks one
		good  bool
	}{
		"content and a file":  {map[string]string{"payload_json": `{"content":"look"}`, "file:files[0]": "png"}, true},
		"a file alone":        {map[string]string{"file:files[0]": "png"}, true},
		"plain fields":        {map[string]string{"content": "look"}, true},
		"a misspelt key":      {map[string]string{"payload_json": `{"content":"look","embed":1}`, "file:files[0]": "png"}, false},
		"nothing":             {map[string]string{"payload_json": `{}`}, false},
		"a part that is none": {map[string]string{"payload_json": `{`}, false},
	} {
		t.Run(name, func(t *testing.T) {
			x := call(t)
			var body bytes.Buffer
			w := multipart.NewWriter(&body)
			for part, text := range c.parts {
				header := textproto.MIMEHeader{"Content-Disposition": {`form-data; name="` + part + `"`}}
				if name, file := strings.CutPrefix(part, "file:"); file {
					header.Set("Content-Disposition", `form-data; name="`+name+`"; filename="a.png"`)
				}
				p, err := w.CreatePart(header)
				if err != nil {
					t.Fatal(err)
				}
				fmt.Fprint(p, text)
			}
			w.Close()
			x.Sent = body.Bytes()
			x.Asked.Set("Content-Type", w.FormDataContentType())
			if err := discordtest.Check(x); (err == nil) != c.good {
				t.Errorf("found %v", err)
			}
		})
	}
}

// complaints counts what a watch reports.
type complaints int

func (c *complaints) Errorf(string, ...any) { *c++ }

// TestWatchReports: the observer tells of a wrong call, and the observer that was there before still sees it.
func TestWatchReports(t *testing.T) {
	x := call(t)
	var told complaints
	seen := 0
	o := discordtest.Watch(&told, simdiscord.Options{Observe: func(simdiscord.Exchange) { seen++ }})
	o.Observe(x)
	x.Sent = []byte(`{}`)
	o.Observe(x)
	if told != 1 || seen != 2 {
		t.Errorf("told %d times, seen %d", told, seen)
	}
	o = discordtest.Watch(&told, simdiscord.Options{}, "surplus")
	x.Sent = []byte(`{"content":"x","surplus":true}`)
	o.Observe(x)
	if told != 1 {
		t.Error("a key that may be ignored was told of")
	}
	x.Sent = []byte(`{"content":"x","surplus":true,"embed":{}}`)
	o.Observe(x)
	if told != 2 {
		t.Error("what was wrong beside an ignored key was not told of")
	}
}

// TestSampleLetsNoBoundSlip: a value that breaks a bound is found after any number of calls like it that break none, while those
// are judged now and then only.
func TestSampleLetsNoBoundSlip(t *testing.T) {
	x := call(t)
	var told complaints
	o := discordtest.Sample(&told, simdiscord.Options{})
	say := func(nonce string) {
		x.Sent = []byte(`{"content":"x","nonce":"` + nonce + `"}`)
		o.Observe(x)
	}
	for range 100 {
		say(strings.Repeat("n", 25))
	}
	if told != 0 {
		t.Fatalf("told %d times of a nonce of 25", told)
	}
	if say(strings.Repeat("n", 26)); told != 1 {
		t.Errorf("told %d times of a nonce of 26", told)
	}
	x = call(t)
	for range 100 {
		o.Observe(x)
	}
	x.Answer = bytes.Replace(x.Answer, []byte(`"mentions":[]`), []byte(`"mentions":[{"id":"x"}]`), 1)
	if o.Observe(x); told != 2 {
		t.Errorf("told %d times in all", told)
	}
}

// TestWatchJudgesAll: the hundredth call is judged as the first was.
func TestWatchJudgesAll(t *testing.T) {
	x := call(t)
	x.Sent = []byte(`{}`)
	var told complaints
	o := discordtest.Watch(&told, simdiscord.Options{})
	for range 100 {
		o.Observe(x)
	}
	if told != 100 {
		t.Errorf("told %d times", told)
	}
}
