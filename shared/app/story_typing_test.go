package app_test

import (
	"strings"
	"testing"
	"testing/synctest"
)

// The typing sign stands before the first message of a reply, and with a humanizer that types before each: once for words that
// are there already, and again every eight seconds while they are awaited.
func TestTypingSign(t *testing.T) {
	hush(t)
	for _, c := range []struct {
		set, says string
		signs     int
	}{
		{`{"humanizer":"light"}`, `{pause 1s}One it is.\n\nTwo it is.\n\nThree it is.`, 1},
		{`{"humanizer":"medium"}`, `{pause 1s}One it is.\n\nTwo it is.\n\nThree it is.`, 3},
		{`{"humanizer":"heavy","whole":true}`, `{pause 1s}One it is. Two it is. |{pause 20s}Three it is.`, 3 + 2},
		{`{"humanizer":"custom","custom":{"by":"sentence","typing":true}}`, `{pause 1s}One it is. |{pause 1s}T|{pause 20s}wo it is. Three it is. |{pause 1s}`, 3 + 2},
		{`{"humanizer":"none","whole":true}`, `{pause 1s}One it is. |{pause 20s}Two it is.`, 3},
	} {
		s := tale(t, `# typing
-- settings.json --
{"channel":"100","cast":["mira"],"always":true,"set":`+c.set+`}
-- events --
ana: hello
-- model --
mira> `+c.says+`
`)
		var got *end
		var err error
		synctest.Test(t, func(t *testing.T) { got, err = played(t.Context(), s, conditions{}) })
		if err != nil {
			t.Fatal(err)
		}
		signs := 0
		for _, call := range got.calls {
			if strings.Contains(call, "show typing") {
				signs++
			}
		}
		if signs != c.signs || len(got.wrong) > 0 {
			t.Errorf("%s, %q: %d signs, want %d; %q, %q", c.set, c.says, signs, c.signs, got.posts, got.wrong)
		}
	}
}

// A message that has grown for half a minute is posted anew, once, and the grown one deleted; nothing else is.
func TestFreshMessages(t *testing.T) {
	hush(t)
	for _, c := range []struct {
		set, says         string
		posted, withdrawn int
	}{
		{`{"fresh":true}`, `One it is. |{pause 40s}Two it is.`, 2, 1},
		{`{"fresh":true}`, `One it is. |{pause 20s}Two it is.`, 1, 0},
		{`{}`, `One it is. |{pause 40s}Two it is.`, 1, 0},
		{`{"fresh":true,"humanizer":"light"}`, `One it is.\n\nTwo it is. |{pause 40s}Two it stays.`, 3, 1},
		{`{"fresh":true,"humanizer":"light"}`, `One it is. |{pause 40s}\n\nTwo it is. |{pause 20s}Two it stays.`, 2, 0},
		{`{"whole":true}`, `One it is. |{pause 40s}Two it is.`, 1, 0},
	} {
		s := tale(t, `# fresh
-- settings.json --
{"channel":"100","cast":["mira"],"always":true,"set":`+c.set+`}
-- events --
ana: hello
-- model --
mira> `+c.says+`
`)
		var got *end
		var err error
		synctest.Test(t, func(t *testing.T) { got, err = played(t.Context(), s, conditions{}) })
		if err != nil {
			t.Fatal(err)
		}
		posted, withdrawn := 0, 0
		for _, call := range got.calls {
			switch {
			case strings.Contains(call, "create message"):
				posted++
			case strings.Contains(call, "delete message"):
				withdrawn++
			}
		}
		if posted != c.posted || withdrawn != c.withdrawn || len(got.wrong) > 0 {
			t.Errorf("%s, %q: %d posted and %d withdrawn, want %d and %d; %q, %q", c.set, c.says, posted, withdrawn, c.posted, c.withdrawn, got.posts, got.wrong)
		}
	}
}
