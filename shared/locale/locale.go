// Package locale holds every text that a person reads from us, in every language: a file of texts a language, beside this one. What
// lives here: the texts, how one is chosen and filled in. What must not live here: what models read, which is English
// (packages persona and prompt), and log lines, which are for operators.
//
// A text has a key. The keys of a file form a tree, and are written with dots: "persona.created". Places to fill in are names
// in braces: "{name} was created." A text about a number has two forms below its key, one and other, as English needs them; a
// language that does not tell them apart has other alone.
package locale

import (
	"embed"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Language is one that texts exist in, by the name of its file.
type Language string

// Default is the language of whoever speaks none of ours. It has every key; the others are held to it by a test.
const Default Language = "en"

//go:embed *.json
var files embed.FS

var texts = sync.OnceValue(read)

// read flattens the files. They are part of the program: one that cannot be read is its builder's mistake, and a test finds it.
func read() map[Language]map[string]string {
	all := map[Language]map[string]string{}
	entries, _ := files.ReadDir(".")
	for _, e := range entries {
		var tree map[string]any
		flat := map[string]string{}
		if body, err := files.ReadFile(e.Name()); err == nil && json.Unmarshal(body, &tree) == nil {
			flatten(flat, "", tree)
		}
		all[Language(strings.TrimSuffix(e.Name(), ".json"))] = flat
	}
	return all
}

func flatten(into map[string]string, prefix string, tree map[string]any) {
	for k, v := range tree {
		switch v := v.(type) {
		case string:
			into[prefix+k] = v
		case map[string]any:
			flatten(into, prefix+k+".", v)
		}
	}
}

// Languages are all of them, the default first.
func Languages() []Language {
	all := []Language{Default}
	for l := range texts() {
		if l != Default {
			all = append(all, l)
		}
	}
	slices.Sort(all[1:])
	return all
}

// discord are the names that Discord has for our languages, where they are not the same (Discord, Locales).
var discord = map[Language][]string{"en": {"en-US", "en-GB"}, "es": {"es-ES", "es-419"}, "pt": {"pt-BR"}, "sv": {"sv-SE"}}

// Discord gives Discord's names of the language.
func (l Language) Discord() []string {
	if names := discord[l]; names != nil {
		return names
	}
	return []string{string(l)}
}

// Pick is the first of the languages named that there are texts in; names are ours or Discord's, "" is none. Default when there
// is none.
func Pick(names ...string) Language {
	for _, name := range names {
		for l := range texts() {
			if name == string(l) || slices.Contains(l.Discord(), name) {
				return l
			}
		}
	}
	return Default
}

// Name is what the language calls itself.
func (l Language) Name() string { return l.Say("language") }

// Say is the text of the key, with the places filled in: fill alternates names and values. A text that a language lacks is the
// default's, and one that nobody has its key, so that something can be reported.
func (l Language) Say(key string, fill ...any) string {
	text, ok := texts()[l][key]
	if !ok {
		if text, ok = texts()[Default][key]; !ok {
			return key
		}
	}
	if len(fill) == 0 {
		return text
	}
	pairs := make([]string, 0, len(fill))
	for i := 0; i+1 < len(fill); i += 2 {
		pairs = append(pairs, fmt.Sprintf("{%v}", fill[i]), fmt.Sprint(fill[i+1]))
	}
	return strings.NewReplacer(pairs...).Replace(text)
}

// Has tells whether the default language has a text for the key.
func Has(key string) bool { _, ok := texts()[Default][key]; return ok }

// Count is Say for a text about a number, which fills the place {n}.
func (l Language) Count(key string, n int, fill ...any) string {
	form := key + ".other"
	if _, ok := texts()[l][key+".one"]; ok && n == 1 {
		form = key + ".one"
	}
	return l.Say(form, append([]any{"n", n}, fill...)...)
}
