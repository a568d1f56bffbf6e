package shared_test

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// selector gives "os.Getenv" for such an expression, or "".
func selector(n ast.Node) string {
	if s, ok := n.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok {
			return x.Name + "." + s.Sel.Name
		}
	}
	return ""
}

func TestEnvironmentIsReadInOnePlace(t *testing.T) {
	reads := []string{"os.Getenv", "os.LookupEnv", "os.Environ", "os.ExpandEnv", "syscall.Getenv", "syscall.Environ"}
	for _, s := range code(t) {
		if s.path == "shared/app/config.go" {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if call, ok := n.(*ast.CallExpr); ok && s.main() {
				n = call.Fun // a main may hand os.Getenv on, not call it
			} else if s.main() {
				return true
			}
			if slices.Contains(reads, selector(n)) {
				t.Errorf("%s reads the environment: shared/app/config.go has the one table of settings, and a setting outside it is in no help text", at(n))
			}
			return true
		})
	}
}

// literal tells whether a package variable may start with this value: an error, or a table that is only read.
func literal(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.CompositeLit:
		return true
	case *ast.UnaryExpr:
		_, ok := e.X.(*ast.CompositeLit)
		return e.Op == token.AND && ok
	case *ast.CallExpr:
		switch selector(e.Fun) {
		case "errors.New", "fmt.Errorf", "regexp.MustCompile", "strings.NewReplacer", "template.Must":
			return true
		}
	}
	return false
}

// onceRead tells whether a value is read when it is first asked for and then kept. Suites may have such: they run in test
// processes, which read Discord's description once for all their tests. And package locale, whose texts are part of the program.
func onceRead(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	return ok && (selector(call.Fun) == "sync.OnceValue" || selector(call.Fun) == "sync.OnceValues")
}

func TestNoGlobalState(t *testing.T) {
	for dir, files := range packages(code(t)) {
		tables := map[string]bool{}
		for _, s := range files {
			for _, d := range s.file.Decls {
				if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil && f.Name.Name == "init" {
					t.Errorf("%s: init runs before anybody can say how; call it from a constructor", at(f))
				}
				g, ok := d.(*ast.GenDecl)
				if !ok || g.Tok != token.VAR {
					continue
				}
				for _, spec := range g.Specs {
					v := spec.(*ast.ValueSpec)
					embed := strings.Contains(docs(g.Doc)+docs(v.Doc), "//go:embed ")
					for i, name := range v.Names {
						if name.Name == "_" || embed {
							continue
						}
						if (suite(dir) || dir == "shared/locale") && len(v.Values) > i && onceRead(v.Values[i]) {
							continue
						}
						if len(v.Values) <= i || !literal(v.Values[i]) {
							t.Errorf("%s: package variable %s is neither an error nor a read-only table: two of us in one process would share it", at(name), name.Name)
						}
						tables[name.Name] = true
					}
				}
			}
		}
		for _, s := range files {
			noWrites(t, dir, s, tables)
		}
	}
}

// docs gives a comment with its directives.
func docs(c *ast.CommentGroup) string {
	var b strings.Builder
	if c != nil {
		for _, l := range c.List {
			b.WriteString(l.Text + "\n")
		}
	}
	return b.String()
}

// noWrites fails where a file assigns to a package variable or to an element of one.
func noWrites(t *testing.T, dir string, s source, tables map[string]bool) {
	written := func(e ast.Expr) {
		for {
			if x, ok := e.(*ast.IndexExpr); ok {
				e = x.X
			} else if x, ok := e.(*ast.SelectorExpr); ok {
				e = x.X
			} else {
				break
			}
		}
		id, ok := e.(*ast.Ident)
		if !ok || !tables[id.Name] {
			return
		}
		if id.Obj != nil {
			if _, global := id.Obj.Decl.(*ast.ValueSpec); !global || s.file.Scope.Lookup(id.Name) != id.Obj {
				return // a local of the same name
			}
		}
		t.Errorf("%s writes to %s, a table of package %s that everybody reads", at(id), id.Name, dir)
	}
	ast.Inspect(s.file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.AssignStmt:
			for _, l := range n.Lhs {
				if n.Tok != token.DEFINE {
					written(l)
				}
			}
		case *ast.IncDecStmt:
			written(n.X)
		case *ast.CallExpr:
			if f, ok := n.Fun.(*ast.Ident); ok && (f.Name == "delete" || f.Name == "clear") && len(n.Args) > 0 {
				written(n.Args[0])
			}
		}
		return true
	})
}

// aborts tells whether a simulator breaks off an answer, for which net/http has no other way than this value.
func aborts(s source, call *ast.CallExpr) bool {
	return strings.HasPrefix(s.dir, "shared/sim/") && len(call.Args) == 1 && selector(call.Args[0]) == "http.ErrAbortHandler"
}

func TestNobodyEndsTheProcess(t *testing.T) {
	for _, s := range product(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := selector(call.Fun)
			if f, ok := call.Fun.(*ast.Ident); ok && f.Name == "panic" && !aborts(s, call) {
				t.Errorf("%s panics: in a Lambda that takes the whole batch along; return an error", at(n))
			}
			ends := name == "os.Exit" || name == "runtime.Goexit" || strings.HasPrefix(name, "log.Fatal") || strings.HasPrefix(name, "log.Panic")
			if ends && !strings.HasPrefix(s.dir, "functions/") {
				t.Errorf("%s calls %s: only a main of functions/ knows what ending the process means", at(n), name)
			}
			return true
		})
	}
}

// goroutines is every file of the product that may start one, and who waits for it. Packages named here are tested under the race
// detector (RACE in the Makefile), unless raceless says why not.
var goroutines = map[string]string{
	"shared/chat/keep.go":             "Keep waits for its beat before it returns",
	"shared/chat/early.go":            "the worker that begins a read waits for it",
	"shared/turn/stream.go":           "a stream waits for its pump",
	"shared/turn/draft.go":            "a review waits for its pump",
	"shared/turn/sign.go":             "a stream ends its typing sign, and waits for it",
	"shared/command/doctor.go":        "the doctor waits for all that he looks at",
	"shared/discord/gateway.go":       "Run waits for its shards",
	"shared/discord/shard.go":         "a shard waits for its keeper and for what reads what was missed",
	"shared/discord/link.go":          "a connection waits for its beat, and for what ends it with the context, before it returns",
	"shared/discord/respond.go":       "Run waits for the answers to interactions, which Discord bounds to three seconds",
	"functions/local/main.go":         "it lives as long as the process, to end it",
	"shared/app/local/local.go":       "serve waits for its server and for who shuts it",
	"shared/app/local/run.go":         "the process waits for gateway, event sources and sweeper",
	"shared/queue/source.go":          "Run waits for every handler it has called",
	"shared/queue/spool.go":           "Run waits for its lanes",
	"shared/app/listen.go":            "Listen waits for its spool, and for who says how it is",
	"shared/app/chain.go":             "a run waits for who looks for its heir",
	"shared/sim/discord/gateway.go":   "the reader of a connection waits for its writer",
	"shared/sim/discord/invoke.go":    "Close ends and waits for what is on its way to an endpoint",
	"shared/sim/discord/accident.go":  "Close stops what was to be sent later, or waits for it",
	"shared/sim/cloud/process.go":     "who waits for a process ends with it, and Kill waits for both",
	"shared/sim/cloud/runtime.go":     "Close ends the Runtime API of every instance",
	"shared/sim/cloud/mapping.go":     "Run waits for the invocations that it has made",
	"shared/sim/cloud/invoke.go":      "Resource ends the server at which it waits for an answer",
	"shared/seal/cache.go":            "its timers only forget what is too old",
	"shared/provider/openai/watch.go": "its timers only cancel the request, and stop with the read they watch",
}

// raceless is every package with goroutines that is left out of the race detector's run.
var raceless = map[string]string{
	"shared/app":       "its stories and the hand-over of its relay run under the detector, by a line of their own in the Makefile",
	"functions/local":  "it has no tests of its own: those of shared/app/local start it",
	"shared/app/local": "its tests start the program itself and wait a minute for it; go test -race ./shared/app/local builds that program with the detector",
	"shared/turn":      "it has no tests of its own: the stories of shared/app are its tests, and run under the detector",
}

// starts tells whether a node starts a goroutine: go itself, WaitGroup.Go and its like, and AfterFunc.
func starts(n ast.Node) bool {
	switch n := n.(type) {
	case *ast.GoStmt:
		return true
	case *ast.CallExpr:
		s, ok := n.Fun.(*ast.SelectorExpr)
		return ok && (s.Sel.Name == "Go" || s.Sel.Name == "AfterFunc")
	}
	return false
}

func TestGoroutinesHaveHomes(t *testing.T) {
	used := map[string]bool{}
	for _, s := range product(t) {
		ast.Inspect(s.file, func(n ast.Node) bool {
			if starts(n) {
				used[s.path] = true
				if goroutines[s.path] == "" {
					t.Errorf("%s starts a goroutine: work that outlives its call is frozen or lost in a Lambda; name its owner in the table, or do without", at(n))
				}
			}
			return true
		})
	}
	for file := range goroutines {
		if !used[file] {
			t.Errorf("the table of goroutines names %s, which starts none", file)
		}
	}
}

func TestGoroutinesMeetTheRaceDetector(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "Makefile"))
	if err != nil {
		t.Fatal(err)
	}
	line := regexp.MustCompile(`(?m)^RACE := (.*)$`).FindStringSubmatch(strings.ReplaceAll(string(text), "\\\n", ""))
	if line == nil {
		t.Fatal("the Makefile has no line RACE :=")
	}
	raced := strings.Fields(line[1])
	for file := range goroutines {
		dir := filepath.ToSlash(filepath.Dir(file))
		if !slices.Contains(raced, "./"+dir) && raceless[dir] == "" {
			t.Errorf("%s starts goroutines, and RACE in the Makefile leaves ./%s out", file, dir)
		}
	}
	dirs := packages(sources(t))
	for _, p := range raced {
		if dirs[strings.TrimPrefix(p, "./")] == nil {
			t.Errorf("RACE in the Makefile names %s, which does not exist", p)
		}
	}
}

func TestEveryExportedNameIsExplained(t *testing.T) {
	for _, s := range code(t) {
		if s.main() {
			continue
		}
		for _, d := range s.file.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && d.Doc == nil && exportedReceiver(d) {
					t.Errorf("%s: %s has no comment: say what it promises", at(d), d.Name.Name)
				}
			case *ast.GenDecl:
				for _, spec := range d.Specs {
					explained(t, d, spec)
				}
			}
		}
	}
}

// exportedReceiver tells whether others can call the function: it has no receiver, or one of an exported type.
func exportedReceiver(f *ast.FuncDecl) bool {
	if f.Recv == nil {
		return true
	}
	seen := false
	ast.Inspect(f.Recv.List[0].Type, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && !seen {
			seen = true
			if !id.IsExported() {
				seen = false
				return false
			}
		}
		return true
	})
	return seen
}

// explained fails for an exported type, method of an interface, constant or variable without a comment. A comment of the
// whole group, or one behind the line, will do for constants and variables.
func explained(t *testing.T, g *ast.GenDecl, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.TypeSpec:
		if !spec.Name.IsExported() {
			return
		}
		if g.Doc == nil && spec.Doc == nil && spec.Comment == nil {
			t.Errorf("%s: type %s has no comment", at(spec), spec.Name.Name)
		}
		if i, ok := spec.Type.(*ast.InterfaceType); ok {
			for _, m := range i.Methods.List {
				if len(m.Names) > 0 && m.Doc == nil && m.Comment == nil {
					t.Errorf("%s: method %s.%s has no comment: a contract states obligations", at(m), spec.Name.Name, m.Names[0].Name)
				}
			}
		}
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			if name.IsExported() && g.Doc == nil && spec.Doc == nil && spec.Comment == nil {
				t.Errorf("%s: %s has no comment", at(name), name.Name)
			}
		}
	}
}

func TestTestsNeitherSleepNorHide(t *testing.T) {
	for _, s := range sources(t) {
		if !s.test {
			continue
		}
		for _, line := range strings.SplitN(string(s.text), "\npackage ", 2)[:1] {
			if strings.Contains("\n"+line, "\n//go:"+"build") && !strings.Contains(line, "unix") && !strings.Contains(line, "windows") {
				t.Errorf("%s has a build tag: a test that needs a flag is a test that does not run", s.path)
			}
		}
		fake := slices.Contains(s.imports(), "testing/synctest")
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok {
				return true
			}
			name := selector(call.Fun)
			if name == "time.Sleep" && !fake {
				t.Errorf("%s sleeps on the real clock: too short on a busy machine, too long on every other; use testing/synctest or wait for the thing itself", at(n))
			}
			if strings.HasSuffix(name, ".SkipNow") || strings.HasSuffix(name, ".Skip") && len(call.Args) == 0 {
				t.Errorf("%s skips without a reason: nobody will know when it may run again", at(n))
			}
			return true
		})
	}
}

// unwatched is every test file whose simulated Discord is not held to Discord's description, with the reason.
var unwatched = map[string]string{
	"shared/sim/discord/beyond_test.go":                  "its calls are what the documentation allows and the description leaves out",
	"shared/app/local/bench_test.go":                     "it measures: a judge would be measured too",
	"shared/sim/discord/route_fault_test.go":             "its calls are empty, for what it tests happens before they are read",
	"shared/sim/discord/discordtest/discordtest_test.go": "it looks at what the judge sees",
}

// TestEverySimulatedDiscordIsWatched: a call that Discord would not understand is found by whichever test makes it.
func TestEverySimulatedDiscordIsWatched(t *testing.T) {
	found := 0
	for _, s := range sources(t) {
		if !s.test {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			call, ok := n.(*ast.CallExpr)
			if !ok || selector(call.Fun) != "simdiscord.New" || len(call.Args) != 1 {
				return true
			}
			found++
			watch, ok := call.Args[0].(*ast.CallExpr)
			watches := []string{"discordtest.Watch", "discordtest.Sample"}
			if (!ok || !slices.Contains(watches, selector(watch.Fun))) && unwatched[s.path] == "" {
				t.Errorf("%s makes a simulated Discord that nobody watches: write simdiscord.New(discordtest.Watch(t, …))", at(n))
			}
			return true
		})
	}
	if found < 5 {
		t.Errorf("found %d simulated Discords; the law looks for the wrong name", found)
	}
}

func TestNothingIsLeftForLater(t *testing.T) {
	left := regexp.MustCompile(`\b(TO` + `DO|FIX` + `ME|XX` + `X|HA` + `CK)\b`)
	for _, s := range sources(t) {
		for _, c := range s.file.Comments {
			if m := left.FindString(docs(c)); m != "" {
				t.Errorf("%s: %s: an intention in a comment is an issue that nobody filed", at(c), m)
			}
		}
	}
}
