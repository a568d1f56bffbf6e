package discordtest

import (
	"bytes"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/gorillamux"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

// file is Discord's description, shortened to what a bot like ours calls and tightened where Discord's own is too loose (its
// info["x-overlay"] lists the changes).
const file = "discord-openapi-min.json"

// description is the loaded file.
type description struct {
	base   string // of every call's address, from the file's servers
	router routers.Router
	paths  *openapi3.Paths

	// The schemas of bodies are compiled once each. The validator that is inside kin-openapi is the same, but compiles for every
	// value again, which takes a tenth of a second for a message.
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	schemas  map[string]*jsonschema.Schema
	rules    map[string]*rule // of the values, by their key; it does not change
	seed     maphash.Seed
	seen     map[uint64]int   // calls by shape
	judged   map[string]error // what was found about addresses and headers, by shape
}

// find loads the file from beside the repository that the test runs in.
func find() (*description, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			break
		}
		if dir == filepath.Dir(dir) {
			return nil, fmt.Errorf("find %s: no go.mod above the test: %w", file, os.ErrNotExist)
		}
		dir = filepath.Dir(dir)
	}
	text, err := os.ReadFile(filepath.Join(dir, "..", "shared", file))
	if err != nil {
		return nil, err
	}
	return load(text)
}

// load reads the description.
func load(text []byte) (*description, error) {
	doc, err := openapi3.NewLoader().LoadFromData(text)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", file, err)
	}
	router, err := gorillamux.NewRouter(doc)
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", file, err)
	}
	tree, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("load %s: %w", file, err)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	for name, bounds := range wholes {
		c.RegisterFormat(&jsonschema.Format{Name: name, Validate: whole(bounds[0], bounds[1])})
	}
	c.AssertFormat()
	if err := c.AddResource("/"+file, tree); err != nil {
		return nil, fmt.Errorf("load %s: %w", file, err)
	}
	if len(doc.Servers) == 0 {
		return nil, fmt.Errorf("load %s: it names no server", file)
	}
	return &description{
		base: doc.Servers[0].URL, router: router, paths: doc.Paths, compiler: c,
		schemas: map[string]*jsonschema.Schema{}, judged: map[string]error{},
		rules: rulesOf(tree), seed: maphash.MakeSeed(), seen: map[uint64]int{},
	}, nil
}

// wholes are the formats of integers.
var wholes = map[string][2]float64{"int32": {math.MinInt32, math.MaxInt32}, "int64": {math.MinInt64, math.MaxInt64}}

// whole is the format of integers in bounds; what is no number is another rule's business.
func whole(low, high float64) func(any) error {
	return func(v any) error {
		n, is := v.(interface{ Float64() (float64, error) })
		if !is {
			return nil
		}
		if f, err := n.Float64(); err != nil || f < low || f > high {
			return fmt.Errorf("%v is out of bounds", v)
		}
		return nil
	}
}

// schema compiles what stands at a JSON pointer of the file.
func (d *description) schema(pointer string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if s := d.schemas[pointer]; s != nil {
		return s, nil
	}
	s, err := d.compiler.Compile("/" + file + "#" + pointer)
	if err != nil {
		return nil, fmt.Errorf("compile %s: %w", pointer, err)
	}
	d.schemas[pointer] = s
	return s, nil
}

// satisfies holds a JSON text to the schema at a pointer.
func (d *description) satisfies(pointer string, text []byte) error {
	s, err := d.schema(pointer)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("no JSON: %w", err)
	}
	if err := s.Validate(value); err != nil {
		return fmt.Errorf("%w, in %s", err, head(text))
	}
	return nil
}

// head is the beginning of a text, for messages.
func head(text []byte) string {
	const most = 2000
	if len(text) > most {
		return string(text[:most]) + "…"
	}
	return string(text)
}

// pointer joins the steps to a place in the file.
func pointer(steps ...string) string {
	escape := strings.NewReplacer("~", "~0", "/", "~1")
	var b strings.Builder
	for _, s := range steps {
		b.WriteString("/" + escape.Replace(s))
	}
	// The pointer is a fragment of a URL.
	return strings.NewReplacer("%", "%25", "{", "%7B", "}", "%7D").Replace(b.String())
}

// drained reads what is left of a reader within the bound of a request.
func drained(r io.Reader) ([]byte, error) { return io.ReadAll(io.LimitReader(r, 32<<20)) }
