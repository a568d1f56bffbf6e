package speech

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Person is somebody who can be mentioned. One who is known under several names is there several times.
type Person struct {
	Name string
	ID   string // Discord's, in decimal
}

// Lexicon is what a persona's words may stand for in the place where they are said.
type Lexicon struct {
	// People are those of the conversation, and nobody else: whoever is not here is never mentioned.
	People []Person
	// Emoji are the server's own by name, as the markup that shows them. Where it is nil they are not known, and what looks
	// like one stays as it is; otherwise one that is not here is dropped, for Discord would show its bare name.
	Emoji map[string]string
	// Recent are the names of the server's emoji in the last messages, which are not shown again so soon.
	Recent []string
}

// Lookback is in how many of the last messages an emoji of the server counts as Recent.
const Lookback = 5

// longestName bounds the names of people, in bytes; Discord's have at most 32 characters, webhooks' 80.
const longestName = 320

// known is a person whose name is nobody else's.
type known struct {
	name []rune // folded
	id   string
}

// words is a lexicon made ready for one text.
type words struct {
	names  []known        // the longest first
	first  map[rune]bool  // with which they begin
	ids    map[string]int // of everybody in People
	emoji  map[string]string
	recent map[string]bool
}

// fold makes upper and lower case one.
func fold(r rune) rune { return unicode.ToLower(unicode.ToUpper(r)) }

func folded(s string) []rune { return []rune(strings.Map(fold, s)) }

func (l Lexicon) words() *words {
	w := &words{first: map[rune]bool{}, ids: map[string]int{}, emoji: l.Emoji, recent: map[string]bool{}}
	whose := map[string]string{}
	for _, p := range l.People {
		name := strings.TrimSpace(strings.Map(fold, p.Name))
		if !digitsOnly(p.ID) || Blank(name) || len(name) > longestName || strings.ContainsAny(name, "\n\r") || slices.Contains(everybody, name) {
			continue
		}
		w.ids[p.ID]++
		if id, twice := whose[name]; twice && id != p.ID {
			whose[name] = "" // two people: nobody can tell who is meant
		} else if !twice {
			whose[name] = p.ID
		}
	}
	for name, id := range whose {
		runes := []rune(name)
		w.names = append(w.names, known{runes, id})
		w.first[runes[0]] = true
	}
	slices.SortFunc(w.names, func(a, b known) int {
		return cmp.Or(cmp.Compare(len(b.name), len(a.name)), slices.Compare(a.name, b.name))
	})
	for _, name := range l.Recent {
		w.recent[name] = true
	}
	return w
}

func digitsOnly(s string) bool { return s != "" && len(s) <= 20 && strings.Trim(s, "0123456789") == "" }

// verdict is what can be said about a text that may go on.
type verdict int

const (
	no verdict = iota
	yes
	maybe // more of the text must have come
)

// take compares what s begins with to a folded name, and gives the length in s.
func take(s string, name []rune) (int, verdict) {
	n := 0
	for _, w := range name {
		if n == len(s) {
			return n, maybe
		}
		r, size := utf8.DecodeRuneInString(s[n:])
		if fold(r) != w {
			return 0, no
		}
		n += size
	}
	return n, yes
}

// named gives the longest name that s begins with and that ends there; id is "" when several people have it.
func (w *words) named(s string, whole bool) (id string, n int, found verdict) {
	if first, _ := utf8.DecodeRuneInString(s); s != "" && !w.first[fold(first)] {
		return "", 0, no
	}
	for _, k := range w.names {
		n, is := take(s, k.name)
		switch {
		case !whole && (is == maybe || is == yes && unsettled(s[n:])):
			return "", 0, maybe
		case is == yes && ends(k.name[len(k.name)-1], s[n:]):
			return k.id, n, yes
		}
	}
	return "", 0, no
}

// honorifics follow a name without a blank.
var honorifics = []string{"さん", "さま", "ちゃん", "くん", "たん", "先生", "先輩", "様", "君", "님", "씨"}

// unsettled tells whether more than what follows a name must have come to know that it ends before that.
func unsettled(rest string) bool {
	return strings.Trim(rest, "_") == "" || slices.ContainsFunc(honorifics, func(h string) bool { return len(rest) < len(h) && strings.HasPrefix(h, rest) })
}

// ends tells whether a name whose last letter is last ends before rest. Where scripts have no blanks between words, it ends
// where another script goes on, or an honorific.
func ends(last rune, rest string) bool {
	rest = strings.TrimLeft(rest, "_") // it may end emphasis
	r, _ := utf8.DecodeRuneInString(rest)
	if rest == "" || !inWord(last) || !inWord(r) {
		return true
	}
	a, b := script(last), script(r)
	if a == 0 && b == 0 {
		return false
	}
	return a != b || slices.ContainsFunc(honorifics, func(h string) bool { return strings.HasPrefix(rest, h) })
}

func inWord(r rune) bool {
	return unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r)
}

// script tells the scripts apart whose words stand without blanks between them; 0 for all others.
func script(r rune) int {
	switch {
	case unicode.Is(unicode.Han, r):
		return 1
	case unicode.Is(unicode.Hiragana, r):
		return 2
	case unicode.Is(unicode.Katakana, r), r == 'ー':
		return 3
	case unicode.Is(unicode.Hangul, r):
		return 4
	}
	return 0
}

// Undress is the reverse of Dress for people, for a text that a model is to read: a mention becomes "@" and a name.
func (l Lexicon) Undress(text string) string {
	if !strings.Contains(text, "<@") {
		return text
	}
	var swap []string
	for _, p := range l.People {
		if digitsOnly(p.ID) {
			swap = append(swap, "<@"+p.ID+">", "@"+p.Name, "<@!"+p.ID+">", "@"+p.Name)
		}
	}
	return strings.NewReplacer(swap...).Replace(text)
}

// Mentioned are the people of the lexicon whom text mentions outside code, in the order of the text.
func (l Lexicon) Mentioned(text string) []string {
	w := l.words()
	var all []string
	d := dresser{words: w, whole: true, mention: func(id string) {
		if !slices.Contains(all, id) {
			all = append(all, id)
		}
	}}
	d.dress(text)
	return all
}
