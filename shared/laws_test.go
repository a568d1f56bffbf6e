// The laws of the house, as tests. A law says in its message why it stands; one that is in the way is changed here, in
// the open, and not worked around.
package shared_test

import (
	"bytes"
	"errors"
	"go/ast"
	"go/format"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// root is the top of the repository, seen from this package's directory.
const root = ".."

// source is one Go file of functions/ or shared/.
type source struct {
	path string // from the root, with slashes
	dir  string
	text []byte
	file *ast.File
	test bool
}

// imports are the paths that the file imports.
func (s source) imports() []string {
	var list []string
	for _, i := range s.file.Imports {
		list = append(list, strings.Trim(i.Path.Value, `"`))
	}
	return list
}

// main tells whether the file belongs to a program.
func (s source) main() bool { return s.file.Name.Name == "main" }

// fset has the positions of every parsed file.
var fset = token.NewFileSet()

// tree parses the whole repository once.
var tree = sync.OnceValues(func() ([]source, error) {
	var all []source
	for _, top := range []string{"functions", "shared"} {
		err := filepath.WalkDir(filepath.Join(root, top), func(name string, d fs.DirEntry, err error) error {
			if errors.Is(err, fs.ErrNotExist) && d == nil {
				return nil // no functions/ at all: TestFunctionsHoldNoLogic says it once
			}
			if err != nil {
				return err
			}
			if d.IsDir() && d.Name() == "testdata" {
				return fs.SkipDir
			}
			if d.IsDir() || filepath.Ext(name) != ".go" {
				return nil
			}
			text, err := os.ReadFile(name)
			if err != nil {
				return err
			}
			rel, err := filepath.Rel(root, name)
			if err != nil {
				return err
			}
			rel = filepath.ToSlash(rel)
			file, err := parser.ParseFile(fset, rel, text, parser.ParseComments)
			if err != nil {
				return err
			}
			all = append(all, source{rel, path.Dir(rel), text, file, strings.HasSuffix(rel, "_test.go")})
			return nil
		})
		if err != nil {
			return nil, err
		}
	}
	return all, nil
})

// sources gives every Go file of the repository.
func sources(t *testing.T) []source {
	t.Helper()
	all, err := tree()
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("found %d Go files; the laws look at the wrong tree", len(all))
	}
	return all
}

// code gives the files that are not tests.
func code(t *testing.T) []source {
	return slices.DeleteFunc(slices.Clone(sources(t)), func(s source) bool { return s.test })
}

// suite tells whether a room is a suite of a contract (kvtest and its like), which only tests link.
func suite(dir string) bool { return strings.HasSuffix(dir, "test") }

// product gives the files that end up in a program: neither tests nor suites.
func product(t *testing.T) []source {
	return slices.DeleteFunc(code(t), func(s source) bool { return suite(s.dir) })
}

// packages groups files by directory.
func packages(files []source) map[string][]source {
	dirs := map[string][]source{}
	for _, s := range files {
		dirs[s.dir] = append(dirs[s.dir], s)
	}
	return dirs
}

// at names the place of a node.
func at(n ast.Node) string {
	p := fset.Position(n.Pos())
	return p.Filename + ":" + strconv.Itoa(p.Line)
}

func lines(text []byte) int { return bytes.Count(text, []byte("\n")) }

func TestEveryFileIsFormatted(t *testing.T) {
	for _, s := range sources(t) {
		want, err := format.Source(s.text)
		if err != nil || !bytes.Equal(s.text, want) {
			t.Errorf("%s is not gofmt's: one way to write it keeps diffs about meaning (%v)", s.path, err)
		}
	}
}

func TestEveryPackageSaysWhatItIs(t *testing.T) {
	for dir, files := range packages(code(t)) {
		var said []string
		for _, s := range files {
			if s.file.Doc != nil {
				said = append(said, s.file.Doc.Text())
			}
		}
		if len(said) != 1 {
			t.Errorf("%s has %d package comments, not one: readers look for the one that is right", dir, len(said))
			continue
		}
		want, start := 100, "Package "+files[0].file.Name.Name+" "
		if files[0].main() {
			want, start = 40, "Command "+path.Base(dir)+" "
		}
		if !strings.HasPrefix(said[0], start) {
			t.Errorf("the package comment of %s does not begin with %q", dir, start)
		}
		if len(said[0]) < want {
			t.Errorf("the package comment of %s says too little: what lives there, and what must not", dir)
		}
	}
}

func TestNoGiants(t *testing.T) {
	const most = 500
	for _, s := range sources(t) {
		if n := lines(s.text); n > most {
			t.Errorf("%s has %d lines, more than %d: nobody splits it later", s.path, n, most)
		}
	}
}

// small lists packages that may stay under the least size, with the reason.
var small = map[string]string{
	"shared": "it is the map, and these laws",
}

func TestNoCrumbs(t *testing.T) {
	const least = 150
	dirs := packages(sources(t))
	for dir, files := range dirs {
		n := 0
		for _, s := range files {
			n += lines(s.text)
		}
		if strings.HasPrefix(dir, "shared/") && n < least && small[dir] == "" {
			t.Errorf("%s has %d lines with its tests, fewer than %d: a package earns its place by a contract, a technology or a Lambda of its own", dir, n, least)
		}
	}
	for dir := range small {
		if dirs[dir] == nil {
			t.Errorf("the list of small packages names %s, which does not exist", dir)
		}
	}
}

func TestNoDrawers(t *testing.T) {
	refused := []string{"common", "util", "utils", "helper", "helpers", "types", "models", "core", "base", "service", "manager"}
	for dir, files := range packages(sources(t)) {
		for _, part := range append(strings.Split(dir, "/"), files[0].file.Name.Name) {
			if slices.Contains(refused, strings.TrimSuffix(part, "_test")) {
				t.Errorf("%s: %q names a drawer, not a thing", dir, part)
			}
		}
	}
}

func TestFunctionsHoldNoLogic(t *testing.T) {
	found := 0
	for _, s := range sources(t) {
		if !strings.HasPrefix(s.path, "functions/") {
			continue
		}
		found++
		if parts := strings.Split(s.path, "/"); len(parts) != 3 || parts[2] != "main.go" {
			t.Errorf("%s: a deployable is one main.go; what it does belongs to the assembly, where tests reach it", s.path)
		}
		if n := lines(s.text); n > 40 {
			t.Errorf("%s has %d lines, more than 40: logic in a main is logic without tests", s.path, n)
		}
	}
	if found == 0 {
		t.Error("there is no deployable under functions/")
	}
}
