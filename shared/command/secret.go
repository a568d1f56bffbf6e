package command

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"tsumugi/shared/guild"
)

const (
	maxKey   = 2000 // characters of a key; the longest that are in use are tokens of a thousand
	shortKey = 12   // a shorter key would not be secret any more with four of its characters shown
	anyKey   = 8    // a shorter one may stand in a name by chance
	longRun  = 24   // letters and digits without a break, as keys have them and names of models do not
)

// copied is what is often copied along with a key: the header that it is sent in, or the variable that it is kept in.
var copied = regexp.MustCompile(`^(?i:authorization\s*:\s*)?(?i:bearer\s+)?(?:(?:export\s+)?[A-Z][A-Z0-9_]*_(?:KEY|TOKEN)\s*=\s*)?`)

// cleanKey is the key in what somebody pasted; false when that cannot be one.
func cleanKey(pasted string) (string, bool) {
	around := func(r rune) bool {
		return unicode.IsSpace(r) || unicode.Is(unicode.Cf, r) || strings.ContainsRune("\"'`", r)
	}
	key := strings.TrimFunc(pasted, around)
	key = strings.TrimFunc(key[len(copied.FindString(key)):], around)
	odd := func(r rune) bool { return r <= ' ' || r >= 0x7f }
	return key, key != "" && len(key) <= maxKey && !strings.ContainsFunc(key, odd)
}

// last4 is as much of a key as anybody is shown.
func last4(key string) string {
	if len(key) < shortKey {
		return ""
	}
	return key[len(key)-4:]
}

// keyStarts are what keys begin with, in lower case.
var keyStarts = []string{"sk-", "sk_", "pk-", "gsk_", "xai-", "nvapi-", "aiza", "hf_", "r8_", "eyj", "ghp_", "github_pat_", "akia", "pplx-", "pst-", "csk-", "tgp_", "fw_"}

// keyLike tells whether a text that is no secret looks as if somebody had pasted a key into it. It would be kept and shown.
func keyLike(text string) bool {
	return len(copied.FindString(strings.TrimSpace(text))) > 0 || startsAsKey(text) || slices.ContainsFunc(strings.FieldsFunc(text, notAlnum), func(run string) bool {
		return len(run) >= longRun && strings.ContainsFunc(run, unicode.IsDigit) && strings.ContainsFunc(run, unicode.IsLetter)
	})
}

func notAlnum(r rune) bool {
	return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

// startsAsKey tells whether a word of the text begins as keys do.
func startsAsKey(text string) bool {
	words := strings.FieldsFunc(strings.ToLower(text), func(r rune) bool { return notAlnum(r) && r != '-' && r != '_' })
	return slices.ContainsFunc(words, func(word string) bool {
		return slices.ContainsFunc(keyStarts, func(start string) bool { return strings.HasPrefix(word, start) && len(word) >= shortKey })
	})
}

// cleanAddress is the base address in what somebody typed. The key, where there is one, is of the text that says what is wrong.
func cleanAddress(typed string) (address, wrong string) {
	typed = strings.TrimSpace(typed)
	if typed != "" && !strings.Contains(typed, "://") {
		typed = "https://" + typed
	}
	u, err := url.Parse(typed)
	switch {
	case err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Hostname() == "" || u.Opaque != "":
		return "", "provider.failed.address"
	case u.User != nil:
		return "", "provider.form.user"
	case startsAsKey(u.Host+u.Path) || secretQuery(u.Query()):
		return "", "provider.form.key_elsewhere"
	}
	u.Fragment, u.RawFragment = "", ""
	u.Path, u.RawPath = strings.TrimRight(u.Path, "/"), ""
	for strings.HasSuffix(u.Path, chatCall) {
		u.Path = strings.TrimRight(strings.TrimSuffix(u.Path, chatCall), "/")
	}
	if address = u.String(); len(address) > guild.MaxURL { // as it is written now: escapes are longer than what they stand for
		return "", "provider.failed.address"
	}
	return address, ""
}

// chatCall ends the address of the call in place of the base, which documentation shows too.
const chatCall = "/chat/completions"

// secretQuery tells whether a query carries what looks like a key.
func secretQuery(q url.Values) bool {
	for name, values := range q {
		name = strings.ToLower(name)
		if strings.Contains(name, "key") || strings.Contains(name, "token") || strings.Contains(name, "secret") || slices.ContainsFunc(values, keyLike) {
			return true
		}
	}
	return false
}

// hostOf is as much of an address as people are shown: its query may hold what only its server should know.
func hostOf(address string) string {
	u, err := url.Parse(address)
	if err != nil {
		return ""
	}
	return u.Host
}
