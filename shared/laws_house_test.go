package shared_test

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// read gives a file of the repository.
func read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// exists tells whether the repository has the path.
func exists(name string) bool {
	_, err := os.Stat(filepath.Join(root, filepath.FromSlash(name)))
	return err == nil
}

// targets gives the Makefile's targets and their comments.
func targets(t *testing.T) map[string]string {
	t.Helper()
	all := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^([a-z][a-z0-9-]*):(?:[^=\n#]*)(?:## (.+))?$`).FindAllStringSubmatch(read(t, "Makefile"), -1) {
		all[m[1]] = m[2]
	}
	return all
}

func TestMakefileHasItsTargets(t *testing.T) {
	all := targets(t)
	for _, want := range []string{"help", "run", "test", "check", "bench", "conform", "vectors", "golden", "build", "deploy", "ci"} {
		if all[want] == "" {
			t.Errorf("the Makefile has no target %s with a ## comment: make help is the one list of what one can do", want)
		}
	}
	for name, says := range all {
		if says == "" {
			t.Errorf("make %s has no ## comment, so make help does not know it", name)
		}
	}
}

func TestMakefileRuns(t *testing.T) {
	tool, err := exec.LookPath("make")
	if err != nil {
		t.Skip("make is not installed, so its file cannot be read by it")
	}
	for name := range targets(t) {
		cmd := exec.Command(tool, "--no-print-directory", "-n", name)
		cmd.Dir = root
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("make -n %s: %v\n%s", name, err, out)
		}
	}
}

// named finds what a document says exists: make targets, paths of this repository, and packages.
func named(text string) (makes, paths []string) {
	for _, m := range regexp.MustCompile("(?m)(?:^ *|`|\\$ )make ([a-z][a-z0-9-]*)").FindAllStringSubmatch(text, -1) {
		makes = append(makes, m[1])
	}
	paths = append(paths, regexp.MustCompile(`(?:shared|functions|events|infra|\.ci)/[\w./-]*\w`).FindAllString(text, -1)...)
	for _, m := range regexp.MustCompile("`([A-Za-z_.-]+\\.(?:go|md|yml|yaml|txtar))`").FindAllStringSubmatch(text, -1) {
		paths = append(paths, m[1])
	}
	for _, m := range regexp.MustCompile(`[Pp]ackage ([a-z]+(?:/[a-z]+)*)`).FindAllStringSubmatch(text, -1) {
		if m[1] != "shared" {
			paths = append(paths, "shared/"+m[1])
		}
	}
	return makes, paths
}

func TestDocumentsNameWhatExists(t *testing.T) {
	all := targets(t)
	for _, doc := range []string{"README.md", "shared/doc.go"} {
		text := read(t, doc)
		makes, paths := named(text)
		if doc == "README.md" && (len(makes) < 2 || len(paths) < 3) {
			t.Errorf("%s names %d targets and %d paths; this law reads it wrongly", doc, len(makes), len(paths))
		}
		for _, m := range makes {
			if _, ok := all[m]; !ok {
				t.Errorf("%s says make %s, which the Makefile does not have", doc, m)
			}
		}
		for _, p := range paths {
			if !exists(p) {
				t.Errorf("%s names %s, which does not exist: a document that drifts is worse than none", doc, p)
			}
		}
	}
}

// rooms gives the rooms that shared/doc.go lists, "chat" for shared/chat.
func rooms(t *testing.T) []string {
	t.Helper()
	_, list, ok := strings.Cut(read(t, "shared/doc.go"), "// # Rooms\n")
	if !ok {
		t.Fatal("shared/doc.go has no list of rooms")
	}
	list, _, _ = strings.Cut(list, "// # Direction of imports")
	var names []string
	for _, m := range regexp.MustCompile(`(?m)^//\t([a-z]+(?:/[a-z]+)*)  `).FindAllStringSubmatch(list, -1) {
		names = append(names, m[1])
	}
	return names
}

func TestTheMapHasEveryRoom(t *testing.T) {
	listed := rooms(t)
	dirs := packages(code(t))
	for _, r := range listed {
		if dirs["shared/"+r] == nil {
			t.Errorf("shared/doc.go lists the room %s, which has no code", r)
		}
	}
	for dir := range dirs {
		if r, ok := strings.CutPrefix(dir, "shared/"); ok && !slices.Contains(listed, r) {
			t.Errorf("shared/doc.go does not list the room %s: a newcomer reads the map first", r)
		}
	}
	for _, m := range regexp.MustCompile(`(?m)^//  \d+\. ([\w/., ]+?)(?:,? (?:from|beside)|:| \()`).FindAllStringSubmatch(read(t, "shared/doc.go"), -1) {
		for _, p := range regexp.MustCompile(`[a-z]+(?:/[a-z.]+)*`).FindAllString(m[1], -1) {
			if p != "then" && p != "and" && p != "an" && !exists("shared/"+p) {
				t.Errorf("shared/doc.go says to read %s, which does not exist", p)
			}
		}
	}
}

// contracts maps each contract to its suite, and to the rooms that hold one engine each.
var contracts = []struct {
	suite   string
	engines []string // patterns of path.Match
}{
	{"kvtest", []string{"shared/kv/*"}},
	{"queuetest", []string{"shared/queue/*"}},
	{"llmtest", []string{"shared/provider/*", "shared/sim/model"}},
	{"sealtest", []string{"shared/seal", "shared/seal/*"}},
}

func TestEveryEngineCallsItsSuite(t *testing.T) {
	dirs := packages(sources(t))
	for _, c := range contracts {
		found := 0
		for dir, files := range dirs {
			is := slices.ContainsFunc(c.engines, func(p string) bool { ok, _ := path.Match(p, dir); return ok })
			if !is || path.Base(dir) == c.suite {
				continue
			}
			found++
			calls := regexp.MustCompile(`\b` + c.suite + `\.[A-Z]\w*\(`)
			if !slices.ContainsFunc(files, func(s source) bool { return s.test && calls.Match(s.text) }) {
				t.Errorf("no test of %s calls %s: an engine that is not held to the contract is another contract", dir, c.suite)
			}
		}
		if found == 0 {
			t.Errorf("%s has no engine", c.suite)
		}
	}
}

// tracked gives the files of the repository: git's, or every file when this is not a clone.
func tracked(t *testing.T) []string {
	t.Helper()
	cmd := exec.Command("git", "ls-files", "-z")
	cmd.Dir = root
	if out, err := cmd.Output(); err == nil && len(out) > 0 {
		return strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00")
	}
	var all []string
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() && (strings.HasPrefix(d.Name(), ".") && d.Name() != ".ci" && name != root || d.Name() == "bin") {
			return fs.SkipDir
		}
		if err == nil && !d.IsDir() {
			rel, _ := filepath.Rel(root, name)
			all = append(all, filepath.ToSlash(rel))
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func TestNothingNamesAMachine(t *testing.T) {
	// The patterns are written in two pieces, so that this file does not name what it looks for.
	machine := regexp.MustCompile(`(?:^|[\s"'=(:` + "`" + `])/(?:wo` + `rk|fa` + `rm|ho` + `me|ro` + `ot|Us` + `ers)/`)
	registry := regexp.MustCompile(`proxy\.go` + `lang|sum\.go` + `lang|registry\.n` + `pmjs|deb\.deb` + `ian|pypi\.o` + `rg|GOPR` + `OXY=`)
	for _, name := range tracked(t) {
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if errors.Is(err, fs.ErrNotExist) {
			continue // deleted, not yet committed
		}
		if err != nil {
			t.Fatal(err)
		}
		if m := machine.Find(text); m != nil {
			t.Errorf("%s names the path %q: it exists on one machine", name, m)
		}
		if m := registry.Find(text); m != nil {
			t.Errorf("%s names %q: which registry is used is a matter of the machine's configuration", name, m)
		}
	}
}

func TestNoSecrets(t *testing.T) {
	key := regexp.MustCompile(`AKI` + `A[0-9A-Z]{16}|sk-[A-Za-z0-9]{32,}|[MNO][A-Za-z\d]{23,27}\.[\w-]{6}\.[\w-]{27,}`)
	for _, name := range tracked(t) {
		if text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name))); err == nil && key.Match(text) {
			t.Errorf("%s has something of the shape of a real key or token", name)
		}
	}
}
