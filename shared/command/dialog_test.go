package command

import (
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"tsumugi/shared/chat"
	"tsumugi/shared/locale"
)

func TestWhatPeopleTypedHasNoPower(t *testing.T) {
	for in, want := range map[string]string{
		"Mira":                            "Mira",
		"Dr. Who (2nd) - the end":         "Dr. Who (2nd) - the end",
		"**bold** _it_ ~~no~~ ||spoil||":  `\*\*bold\*\* \_it\_ \~\~no\~\~ \|\|spoil\|\|`,
		"`code`":                          "\\`code\\`",
		"@everyone <@1> <#2> </stop:3>":   "@\u200beveryone \\<@\u200b1\\> \\<#2\\> \\</stop:3\\>",
		"[a](https://x.example)":          `\[a\](https\://x.example)`,
		"# head":                          `\# head`,
		"-# small":                        `\-# small`,
		"12. item":                        `12\. item`,
		"> quote":                         `\> quote`,
		`back\slash`:                      `back\\slash`,
		"two\nlines\r\n\tand \u2028 more": "two lines and more",
		"zero\u200bwidth\ufeff\u00ad":     "zerowidth",
		"turned \u202eback":               "turned back",
		"שלום!":                           "\u2068שלום!\u2069",
		"👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿":    "👩‍👩‍👧 🏴󠁧󠁢󠁥󠁮󠁧󠁿",
		"می\u200cخواهم":    "\u2068می\u200cخواهم\u2069",
		"broken \xff byte": "broken byte",
		"ミラ":               "ミラ",
	} {
		if got := shown(in, 200); got != want {
			t.Errorf("shown(%q) is %q, want %q", in, got, want)
		}
	}
}

func TestCutsFallBetweenCharacters(t *testing.T) {
	for _, c := range []struct {
		in   string
		most int
		want string
	}{
		{"abc", 3, "abc"}, {"abcd", 3, "ab…"}, {"ab cd", 4, "ab…"}, {"a👩‍👩‍👧b", 9, "a…"}, {"a👩‍👩‍👧bc", 10, "a👩‍👩‍👧…"},
		{"e\u0301e\u0301", 3, "e\u0301…"}, {"👍🏽👍🏽", 4, "…"}, {"x", 0, ""}, {"", 5, ""}, {"日本語", 2, "日…"},
	} {
		if got := cut(c.in, c.most); got != c.want || units(got) > c.most {
			t.Errorf("cut(%q, %d) is %q, want %q", c.in, c.most, got, c.want)
		}
	}
	if got := fit(strings.Repeat("語", 5000), maxField); units(got) != maxField || strings.HasSuffix(got, "…") {
		t.Errorf("%d units", units(got))
	}
}

func FuzzShown(f *testing.F) {
	for _, s := range []string{"Mira", "@everyone", "[a](http://b)", "\u202ex", "12. x", "a\\", "שa", strings.Repeat("e\u0301", 40), "…"} {
		f.Add(s, 80)
	}
	f.Fuzz(func(t *testing.T, text string, most int) {
		most = most % 200
		p, s := plain(text, most), shown(text, most)
		if units(p) > max(most, 0) || units(s) > 2*max(most, 0)+2 || !utf8.ValidString(s) {
			t.Fatalf("%q became %q and %q", text, p, s)
		}
		for i, r := range s {
			if unicode.IsControl(r) || r == '\u202e' || r == '@' && !strings.HasPrefix(s[i:], "@\u200b") {
				t.Fatalf("%q has %q at %d", s, r, i)
			}
			before := len(s[:i]) - len(strings.TrimRight(s[:i], `\`))
			if strings.ContainsRune("*_~|`<>[]", r) && before%2 == 0 {
				t.Fatalf("%q has %q at %d", s, r, i)
			}
		}
	})
}

func TestLongListsSayWhatIsLeft(t *testing.T) {
	var list []string
	for n := range 300 {
		list = append(list, "line "+strconv.Itoa(n))
	}
	more := func(left int) string { return locale.Default.Count("dialog.more", left) }
	text := lines(list, 200, more)
	n := strings.Count(text, "line")
	if units(text) > 200 || n < 15 || !strings.HasSuffix(text, "… and "+strconv.Itoa(300-n)+" more") {
		t.Errorf("%d lines, %d units: %q", n, units(text), text)
	}
	if got := lines(list[:3], 200, more); got != "line 0\nline 1\nline 2" {
		t.Errorf("what fits is %q", got)
	}
}

func TestPagesOfLongMenus(t *testing.T) {
	u := &use{Interaction: chat.Interaction{User: "18446744073709551615"}, row: &row{path: "provider choose"}, say: locale.Default}
	menu := func(n int) chat.Menu {
		m := chat.Menu{ID: u.id("pick"), Of: chat.OfTexts}
		for i := range n {
			m.Items = append(m.Items, chat.MenuItem{Label: strconv.Itoa(i), Value: strconv.Itoa(i)})
		}
		return m
	}
	turn := func(page int) string { return u.id("list", strconv.Itoa(page)) }
	for _, c := range []struct {
		items, page        int
		first, last        string
		rows               int
		back, forward      bool
		leadsBack, leadsOn string
	}{
		{1, 0, "0", "0", 1, false, false, "", ""},
		{25, 7, "0", "24", 1, false, false, "", ""},
		{26, 0, "0", "24", 2, false, true, "", "1"},
		{26, 1, "25", "25", 2, true, false, "0", ""},
		{300, 5, "125", "149", 2, true, true, "4", "6"},
		{60, 9, "50", "59", 2, true, false, "1", ""}, // it became shorter
		{60, -3, "0", "24", 2, false, true, "", "1"},
	} {
		rows := u.paged(menu(c.items), c.page, turn)
		items := rows[0].Menu.Items
		if len(rows) != c.rows || items[0].Value != c.first || items[len(items)-1].Value != c.last {
			t.Errorf("page %d of %d: %d rows, %s to %s", c.page, c.items, len(rows), items[0].Value, items[len(items)-1].Value)
			continue
		}
		if len(rows) == 1 {
			continue
		}
		b := rows[1].Buttons
		if b[0].Off == c.back || b[2].Off == c.forward || !b[1].Off ||
			c.back && b[0].ID != turn(must(c.leadsBack)) || c.forward && b[2].ID != turn(must(c.leadsOn)) {
			t.Errorf("page %d of %d: %+v", c.page, c.items, b)
		}
	}
	if got := pageWith(menu(60).Items, "30"); got != 1 {
		t.Errorf("item 30 is on page %d", got)
	}
	if got := pageWith(menu(60).Items, "none"); got != 0 {
		t.Errorf("an item that is none is on page %d", got)
	}
}

func must(s string) int { n, _ := strconv.Atoi(s); return n }

func TestShortIds(t *testing.T) {
	for _, id := range []string{"1", "1234567890123456789", "18446744073709551615"} {
		if s := short(id); len(s) > 13 || long(s) != id {
			t.Errorf("%s is %s and %s", id, s, long(s))
		}
	}
	for _, odd := range []string{"", "mira", "007"} {
		if short(odd) != odd {
			t.Errorf("%q became %q", odd, short(odd))
		}
	}
}
