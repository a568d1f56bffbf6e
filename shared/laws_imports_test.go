package shared_test

import (
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "tsumugi/"

// Groups of rooms for the table of directions.
var (
	words    = []string{"shared/chat", "shared/persona", "shared/llm", "shared/guild", "shared/locale"}
	verbs    = []string{"shared/admit", "shared/plan", "shared/turn", "shared/prompt", "shared/speech", "shared/tools", "shared/recall", "shared/command"}
	adapters = []string{"shared/discord", "shared/provider/...", "shared/outbound", "shared/telemetry"}
)

func of(groups ...[]string) []string { return slices.Concat(groups...) }

// direction is what each room may import of this module, tests apart. A room that is missing here is a failure: whoever
// opens one says where it stands. The longest matching entry counts; "/..." stands for everything below.
var direction = map[string][]string{
	"shared": nil,

	"shared/chat":    nil, // words import the standard library,
	"shared/llm":     nil, // and one another downwards:
	"shared/persona": {"shared/chat"},
	"shared/remedy":  nil,
	"shared/guild":   {"shared/chat", "shared/persona"},
	"shared/locale":  nil,

	"shared/kv":              nil,
	"shared/kv/kvtest":       {"shared/kv"},
	"shared/kv/sqlite":       {"shared/kv"},
	"shared/kv/dynamo":       {"shared/kv", "shared/remedy"},
	"shared/queue":           {"shared/chat"}, // the error is the verdict, and queue carries it out
	"shared/queue/queuetest": {"shared/queue"},
	"shared/queue/sqlite":    {"shared/queue"},
	"shared/queue/sqs":       {"shared/queue", "shared/remedy"},
	"shared/llm/llmtest":     {"shared/llm"},
	"shared/store":           of(words, []string{"shared/kv"}),

	"shared/seal":          {"shared/guild"},
	"shared/seal/sealtest": {"shared/guild", "shared/seal"},
	"shared/seal/file":     {"shared/guild", "shared/seal"},
	"shared/seal/kms":      {"shared/guild", "shared/seal", "shared/remedy"},

	"shared/admit":   words,
	"shared/command": words,
	"shared/plan":    words,
	"shared/prompt":  words,
	"shared/speech":  words,
	"shared/tools":   words,
	"shared/recall":  words,
	"shared/turn":    of(words, []string{"shared/prompt", "shared/speech", "shared/tools", "shared/recall"}),

	"shared/discord":                 words,
	"shared/provider/...":            {"shared/llm"},
	"shared/outbound":                nil,
	"shared/telemetry":               words,
	"shared/telemetry/xray":          words,
	"shared/sim/discord":             nil,
	"shared/sim/discord/discordtest": {"shared/sim/discord"},
	"shared/sim/discord/browsertest": nil,
	"shared/sim/stack":               nil,
	"shared/sim/cloud":               nil,
	"shared/sim/model":               {"shared/llm"}, // the demo voice is a Model

	// The assembly of all modes links no engine of one mode: Lambda functions link it too.
	"shared/app":       of(words, verbs, adapters, []string{"shared/kv", "shared/queue", "shared/store"}),
	"shared/app/local": {"shared/..."},
	"shared/app/aws":   {"shared/..."},
	"functions/...":    {"shared/app", "shared/app/local", "shared/app/aws", "shared/telemetry/xray"}, // which weighs, and not all functions are traced
}

// matches tells whether dir is the pattern, or below it.
func matches(pattern, dir string) bool {
	below, tree := strings.CutSuffix(pattern, "/...")
	return pattern == dir || tree && (dir == below || strings.HasPrefix(dir, below+"/"))
}

// rule finds the entry of direction that counts for dir.
func rule(dir string) (may []string, ok bool) {
	best := ""
	for pattern := range direction {
		if matches(pattern, dir) && len(pattern) > len(best) {
			best = pattern
		}
	}
	return direction[best], best != ""
}

func TestImportsGoDown(t *testing.T) {
	for _, s := range code(t) {
		may, ok := rule(s.dir)
		if !ok {
			t.Errorf("%s has no entry in the table of directions: say there which rooms it may know", s.dir)
			continue
		}
		for _, i := range s.imports() {
			to, ours := strings.CutPrefix(i, module)
			if ours && !slices.ContainsFunc(may, func(p string) bool { return matches(p, to) }) {
				t.Errorf("%s imports %s: imports go down only (functions → app → verbs and adapters → words), or a change in one room moves the others", s.path, to)
			}
		}
	}
}

func TestTestsStayInTheirStorey(t *testing.T) {
	for _, s := range sources(t) {
		for _, i := range s.imports() {
			to, ours := strings.CutPrefix(i, module)
			if !ours || !s.test || s.dir == "shared" {
				continue
			}
			if matches("shared/app/...", to) && !matches("shared/app/...", s.dir) {
				t.Errorf("%s imports %s: a room that needs the whole house for its test is not a room; write a story", s.path, to)
			}
		}
	}
}

func TestSuitesAreForTests(t *testing.T) {
	for _, s := range product(t) {
		for _, i := range s.imports() {
			if to, ours := strings.CutPrefix(i, module); ours && suite(to) {
				t.Errorf("%s imports %s: suites and twins are linked by tests only", s.path, to)
			}
		}
	}
}

// outside is where each module from outside may be imported, tests apart, and why only there.
var outside = map[string][]string{
	"github.com/bwmarrin/discordgo":              {"shared/discord"},                          // its types stop there
	"modernc.org/sqlite":                         {"shared/kv/sqlite", "shared/queue/sqlite"}, // Lambda must not link it
	"github.com/aws/aws-xray-sdk-go":             {"shared/telemetry/xray"},                   // what replaces it changes one room
	"github.com/aws/aws-sdk-go-v2":               {"shared/kv/dynamo", "shared/queue/sqs", "shared/seal/kms", "shared/telemetry/xray", "shared/app/aws"},
	"github.com/aws/smithy-go":                   {"shared/kv/dynamo", "shared/queue/sqs", "shared/seal/kms", "shared/telemetry/xray", "shared/app/aws"},
	"github.com/aws/aws-lambda-go/events":        {"shared/queue", "shared/app/...", "functions/..."}, // both modes call one kind of handler
	"github.com/aws/aws-lambda-go/cfn":           {"shared/app/aws"},
	"github.com/aws/aws-lambda-go/lambda":        {"shared/app/aws", "functions/..."},
	"github.com/gorilla/websocket":               {"shared/discord", "shared/sim/discord", "shared/sim/discord/browsertest"},
	"github.com/rivo/uniseg":                     {"shared/prompt", "shared/speech", "shared/command"}, // a cut must not split what people see as one character
	"pgregory.net/rapid":                         {"shared/kv/kvtest", "shared/queue/queuetest"},
	"golang.org/x/tools/txtar":                   {},
	"github.com/getkin/kin-openapi":              {"shared/sim/discord/discordtest"},
	"github.com/santhosh-tekuri/jsonschema/v6":   {"shared/sim/discord/discordtest"}, // it is inside kin-openapi, which compiles a schema for every value again
	"go.yaml.in/yaml/v4":                         {"shared/sim/stack"},               // with its nodes, for CloudFormation's tags are not YAML's
	"github.com/aws/aws-lambda-go/lambdacontext": {"shared/app/aws"},
}

func TestModulesFromOutsideHaveOneHome(t *testing.T) {
	for _, s := range sources(t) {
		for _, i := range s.imports() {
			if first, _, _ := strings.Cut(i, "/"); !strings.Contains(first, ".") {
				continue // the standard library, or ours
			}
			home, known := []string(nil), false
			for mod, dirs := range outside {
				if i == mod || strings.HasPrefix(i, mod+"/") {
					home, known = dirs, true
				}
			}
			if !known {
				t.Errorf("%s imports %s, which the table of outside modules does not have: a new dependency is a decision", s.path, i)
			}
			if !s.test && !slices.ContainsFunc(home, func(p string) bool { return matches(p, s.dir) }) {
				t.Errorf("%s imports %s: each technology has one home, so that replacing it changes one room", s.path, i)
			}
		}
	}
}

// mains lists the deployables.
func mains(t *testing.T) []string {
	t.Helper()
	list, err := os.ReadDir(filepath.Join(root, "functions"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, d := range list {
		names = append(names, d.Name())
	}
	return names
}

// untraced are the functions that hand on what comes from outside any trace. X-Ray's SDK would be half of their binaries; it prepares
// itself wherever it is imported. What else a role does not use the linker leaves out, see TestArtifacts of app/aws.
var untraced = []string{"relay", "registrar"}

func TestLambdaBinariesLinkTheirRole(t *testing.T) {
	args := []string{"list", "-deps", "-json=ImportPath,Deps,Standard"}
	for _, name := range mains(t) {
		args = append(args, "./functions/"+name)
	}
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64", "CGO_ENABLED=0")
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list: %v", err)
	}
	seen := 0
	dec := json.NewDecoder(strings.NewReader(string(out)))
	for {
		var p struct {
			ImportPath string
			Deps       []string
		}
		if err := dec.Decode(&p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		name, ok := strings.CutPrefix(p.ImportPath, module+"functions/")
		if !ok {
			continue
		}
		seen++
		if name == "local" {
			if !slices.Contains(p.Deps, "modernc.org/sqlite") {
				t.Error("functions/local does not link SQLite, so this law looks for the wrong names")
			}
			continue
		}
		for _, d := range p.Deps {
			heavy := matches("modernc.org/...", d) || matches(module+"shared/sim/...", d) || d == module+"shared/app/local" ||
				matches("github.com/aws/aws-xray-sdk-go/...", d) && slices.Contains(untraced, name)
			if heavy {
				t.Errorf("functions/%s links %s: a Lambda binary pays for every megabyte at each cold start", name, d)
			}
		}
	}
	if seen != len(mains(t)) {
		t.Errorf("go list named %d deployables, functions/ has %d", seen, len(mains(t)))
	}
}
