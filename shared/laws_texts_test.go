package shared_test

import (
	"encoding/json"
	"go/ast"
	"go/token"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/command"
)

// catalogue is every text that people read, by its key: one for each language.
func catalogue(t *testing.T) map[string]map[string]string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(root, "shared", "locale", "*.json"))
	if err != nil || len(files) < 2 {
		t.Fatalf("%d languages: %v", len(files), err)
	}
	all := map[string]map[string]string{}
	for _, f := range files {
		body, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		var tree map[string]any
		if err := json.Unmarshal(body, &tree); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		flat := map[string]string{}
		flattenInto(flat, "", tree)
		all[strings.TrimSuffix(filepath.Base(f), ".json")] = flat
	}
	return all
}

func flattenInto(flat map[string]string, prefix string, tree map[string]any) {
	for k, v := range tree {
		switch v := v.(type) {
		case string:
			flat[prefix+k] = v
		case map[string]any:
			flattenInto(flat, prefix+k+".", v)
		}
	}
}

// endings are what code adds to a key that it names: numbers have two forms, and what the doctor finds has a fix.
var endings = []string{"", ".one", ".other", ".what", ".fix"}

// below are the keys that a name of one stands for.
func below(texts map[string]string, name string) (keys []string) {
	for _, e := range endings {
		if _, ok := texts[name+e]; ok {
			keys = append(keys, name+e)
		}
	}
	return keys
}

var (
	keyShaped  = regexp.MustCompile(`^[a-z_]+\.([a-z0-9_]+\.)*[a-z0-9_]*$`)
	textPlaces = regexp.MustCompile(`\{([a-z_]+)\}`)
)

// speakers gives the files of the product whose words people read: those of packages that know package locale.
func speakers(t *testing.T) (files []source) {
	for _, of := range packages(product(t)) {
		knows := slices.ContainsFunc(of, func(s source) bool { return slices.Contains(s.imports(), module+"shared/locale") })
		if knows && of[0].dir != "shared/locale" {
			files = append(files, of...)
		}
	}
	if len(files) < 5 {
		t.Fatalf("%d files say something to people; the law looks at the wrong ones", len(files))
	}
	return files
}

// quoted is the value of a literal text; false for anything else.
func quoted(e ast.Node) (string, bool) {
	l, ok := e.(*ast.BasicLit)
	if !ok || l.Kind != token.STRING {
		return "", false
	}
	s, err := strconv.Unquote(l.Value)
	return s, err == nil
}

func TestEveryTextThatIsNamedExists(t *testing.T) {
	texts := catalogue(t)["en"]
	groups := map[string]bool{}
	for key := range texts {
		first, _, _ := strings.Cut(key, ".")
		groups[first] = true
	}
	for _, s := range speakers(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok {
				if f, ok := call.Fun.(*ast.SelectorExpr); ok && (f.Sel.Name == "Say" || f.Sel.Name == "Count") && len(call.Args) > 0 {
					if key, ok := quoted(call.Args[0]); ok && len(below(texts, key)) == 0 {
						t.Errorf("%s says %q, which package locale does not have", at(n), key)
					}
				}
			}
			key, ok := quoted(n)
			if first, _, _ := strings.Cut(key, "."); ok && keyShaped.MatchString(key) && groups[first] && !strings.HasSuffix(key, ".") && len(below(texts, key)) == 0 {
				t.Errorf("%s names the text %q, which package locale does not have", at(n), key)
			}
			return true
		})
	}
}

// registered are the keys of the texts that registration and help make out of the table of commands.
func registered(texts map[string]string) map[string]bool {
	keys := map[string]bool{}
	var options func(prefix string, all []chat.OptionSpec)
	options = func(prefix string, all []chat.OptionSpec) {
		for _, o := range all {
			if o.Kind == chat.SubCommand {
				keys[prefix+o.Name+".about"] = true
				options(prefix+o.Name+".", o.Options)
				continue
			}
			keys[prefix+"options."+o.Name] = true
			for _, c := range o.Choices {
				keys[prefix+"choices."+o.Name+"."+c.Value] = true
			}
		}
	}
	for _, s := range command.Specs() {
		if s.OfMessages {
			for key, text := range texts {
				if strings.HasPrefix(key, "commands.reply.") && strings.HasSuffix(key, ".name") && text == s.Name {
					keys[key] = true
				}
			}
			continue
		}
		keys["commands."+s.Name+".about"] = true
		options("commands."+s.Name+".", s.Options)
	}
	return keys
}

func TestEveryTextIsSaid(t *testing.T) {
	texts := catalogue(t)["en"]
	said := registered(texts)
	said["language"] = true // by package locale itself
	for key := range said {
		if _, ok := texts[key]; !ok {
			t.Errorf("the table of commands needs %s, which package locale does not have", key)
		}
	}
	for _, s := range speakers(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			key, ok := quoted(n)
			if !ok || !keyShaped.MatchString(key) {
				return true
			}
			for _, k := range below(texts, key) {
				said[k] = true
			}
			if strings.HasSuffix(key, ".") && key != "commands." { // what follows is made up from a list
				for k := range texts {
					said[k] = said[k] || strings.HasPrefix(k, key)
				}
			}
			return true
		})
	}
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		if !said[key] {
			t.Errorf("nobody ever says %s: %q", key, texts[key])
		}
	}
}

// TestTextsAreFilledIn looks at calls that name a text and what fills it in one after the other.
func TestTextsAreFilledIn(t *testing.T) {
	all := catalogue(t)
	looked := 0
	for _, s := range speakers(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || call.Ellipsis.IsValid() {
				return true
			}
			first := slices.IndexFunc(call.Args, func(a ast.Expr) bool {
				key, ok := quoted(a)
				return ok && keyShaped.MatchString(key) && len(below(all["en"], key)) > 0
			})
			if first < 0 {
				return true
			}
			key, _ := quoted(call.Args[first])
			rest, filled := call.Args[first+1:], []string{}
			f, _ := call.Fun.(*ast.SelectorExpr)
			switch counts := f != nil && f.Sel.Name == "Count"; {
			case counts && len(rest) > 0:
				rest, filled = rest[1:], append(filled, "n")
			case f != nil && !slices.Contains([]string{"Say", "say", "Count", "text", "ill", "mild", "well"}, f.Sel.Name):
				return true // it is handed on as a key, and filled in elsewhere
			}
			for i := 0; i < len(rest); i += 2 {
				name, ok := quoted(rest[i])
				if !ok {
					return true // what fills it in is made elsewhere
				}
				filled = append(filled, name)
			}
			looked++
			slices.Sort(filled)
			for language, texts := range all {
				var wanted []string
				for _, k := range below(texts, key) {
					for _, m := range textPlaces.FindAllStringSubmatch(texts[k], -1) {
						wanted = append(wanted, m[1])
					}
				}
				slices.Sort(wanted)
				if wanted = slices.Compact(wanted); !slices.Equal(wanted, slices.Compact(slices.Clone(filled))) {
					t.Errorf("%s fills %q into %s, which in %s has places for %q", at(n), filled, key, language, wanted)
				}
			}
			return true
		})
	}
	if looked < 20 {
		t.Errorf("looked at %d calls; the law looks for the wrong ones", looked)
	}
}

// sentence is what people could read: words, and the stop of a sentence.
var sentence = regexp.MustCompile(`(?s)^(-# )?\p{L}+[ ,].*[.!?。！？]$`)

// TestTurnsSayWhatLocaleHas keeps what workers tell people in the catalogues, where every language has it.
func TestTurnsSayWhatLocaleHas(t *testing.T) {
	looked := 0
	for _, s := range product(t) {
		if !slices.Contains([]string{"shared/admit", "shared/plan", "shared/turn"}, s.dir) {
			continue
		}
		looked++
		ast.Inspect(s.file, func(n ast.Node) bool {
			if text, ok := quoted(n); ok && sentence.MatchString(text) {
				t.Errorf("%s has a sentence, %q: what people read is in package locale, in every language", at(n), text)
			}
			return true
		})
	}
	if looked < 9 {
		t.Errorf("looked at %d files; the law looks at the wrong ones", looked)
	}
}
