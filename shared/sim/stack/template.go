// Package stack reads template.yaml as CloudFormation would, so that tests can hold the template to what the code expects,
// and can put a whole installation up from the template itself. What lives here: the reader (Read), what its parts are, and the
// comparison of permissions with recorded calls (Template.Differences). What must not live here: what runs such an
// installation (sim/cloud), and any name of the product's own: those are the template's.
//
// A recorder writes each request of a function to AWS as a Call, a line of JSON; Differences says which of all these calls
// the template does not permit, and which permissions nobody needed.
package stack

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Template is an installation as the template describes it. Lists are sorted by logical name.
type Template struct {
	Parameters []Parameter
	Asked      []string // parameters with a label, in the order in which the console asks for them
	Functions  []Function
	Queues     []Queue
	Tables     []Table
	Secrets    []Secret
	Alarms     []Alarm
	LogGroups  []string // names
	Filters    []Filter
	Wildcards  []Wildcard
	Outputs    map[string]string

	Registration Registration

	stack Stack
}

// Parameter is what an operator is asked for.
type Parameter struct {
	Name                  string `json:"-"`
	Type                  string
	Description           string
	ConstraintDescription string
	AllowedPattern        string
	AllowedValues         []any
	Default               any
	MinValue, MaxValue    *int
	NoEcho                bool
}

// Function is one Lambda function with its triggers and what its role may do.
type Function struct {
	Name      string // logical, "Admission"
	Dir       string // below functions/, and its role: "admission"
	Memory    int    // MB
	Timeout   int    // seconds
	Runtime   string
	Arch      string
	Build     string // method of sam build
	Tracing   string
	Recursion string // "Allow", or "" for Lambda's default
	LogGroup  string
	After     string // a resource that must be there before; "": none but those that it names
	Env       map[string]string
	Reserved  *int // reserved concurrency; nil: none
	Sources   []Source
	Schedules []Schedule
	Routes    []Route
	Async     *Retry // of asynchronous calls; nil: Lambda's default
	Grants    []Grant

	role string // name of its IAM role
}

// Source is an event source mapping of a queue.
type Source struct {
	Queue       string // name
	Batch       int
	Concurrency int
	Report      bool // of the items that failed
}

// Schedule starts a function again and again.
type Schedule struct {
	Expression string
	Enabled    bool
	Retry      *Retry
}

// Retry is what happens to an event whose function could not be started or failed.
type Retry struct {
	MaximumRetryAttempts     *int
	MaximumEventAgeInSeconds int
}

// Registration is the custom resource that the registrar answers. CloudFormation calls again when one of the last three changes.
type Registration struct {
	ServiceToken                  string // ARN of the registrar
	ServiceTimeout                int    // seconds that CloudFormation waits for the answer
	Endpoint, PublicKey, Commands string
}

// Route is one of the HTTP API.
type Route struct{ Method, Path string }

// Grant permits one action on one resource.
type Grant struct {
	Action    string // "sqs:SendMessage"
	Resource  string // an ARN, or "*"
	Condition string // as JSON; "": none
}

// Queue is an SQS queue. Attributes are as SQS's CreateQueue wants them.
type Queue struct {
	Name       string
	Attributes map[string]string
	Visibility int    // seconds
	Dead       string // name of its dead-letter queue; "" when it has none
	Receives   int    // deliveries before a message is dead
}

// Table is a DynamoDB table.
type Table struct {
	Name      string
	Keys      Keys
	Indexes   []Index
	Types     map[string]string // of key attributes: S, N
	TTL       string            // attribute; "" when none
	OnDemand  bool
	Recovery  bool // point in time
	Protected bool // from deletion
	KMS       bool // encrypted under a key of KMS, not of DynamoDB
	Deletion  string
}

// Keys are the names of a table's or an index's keys.
type Keys struct{ Partition, Sort string }

// Index is a global secondary index.
type Index struct {
	Name       string
	Keys       Keys
	Projection string
}

// Secret is one of Secrets Manager.
type Secret struct{ ARN, Name, Value string }

// Alarm is one of CloudWatch.
type Alarm struct {
	Name        string
	Description string
	Actions     []string
	Missing     string   // how missing data is treated
	Expression  string   // over the metrics; "": there is one metric, and it is compared
	Metrics     []string // "namespace/name"
}

// Filter makes a metric of lines of a log.
type Filter struct{ Group, Pattern, Metric string }

// Wildcard is a permission on every resource, with the comment on its line.
type Wildcard struct {
	Line    int
	Comment string
}

// Read works the template out for a stack. It knows what this template uses, and refuses the rest.
func Read(text []byte, stack Stack) (*Template, error) {
	var doc yaml.Node
	if err := yaml.Unmarshal(text, &doc); err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	if len(doc.Content) != 1 {
		return nil, fmt.Errorf("read the template: %d documents", len(doc.Content))
	}
	root := doc.Content[0]
	t := &Template{Outputs: map[string]string{}, stack: stack}
	r, err := t.resolver(root, stack)
	if err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	if err := t.outputs(r, child(root, "Outputs")); err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	if err := t.resources(r, root); err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	if err := t.groups(r, child(child(root, "Metadata"), "AWS::CloudFormation::Interface")); err != nil {
		return nil, fmt.Errorf("read the template: %w", err)
	}
	t.wildcards(root)
	return t, nil
}

// resolver reads parameters and conditions, and what resources there are.
func (t *Template) resolver(root *yaml.Node, stack Stack) (*resolver, error) {
	r := &resolver{stack: stack, params: map[string]any{}, conditions: map[string]*yaml.Node{},
		resources: map[string]string{}, properties: map[string]*yaml.Node{}, absent: map[string]bool{}}
	for name, n := range children(child(root, "Parameters")) {
		p := Parameter{Name: name}
		if err := r.into(n, &p); err != nil {
			return nil, fmt.Errorf("parameter %s: %w", name, err)
		}
		given, ok := stack.Parameters[name]
		v, err := p.value(given, ok)
		if err != nil {
			return nil, err
		}
		r.params[name] = v
		t.Parameters = append(t.Parameters, p)
	}
	for name := range stack.Parameters {
		if _, ok := r.params[name]; !ok {
			return nil, fmt.Errorf("there is no parameter %s", name)
		}
	}
	for name, n := range children(child(root, "Conditions")) {
		r.conditions[name] = n
	}
	for id, n := range children(child(root, "Resources")) {
		kind := child(n, "Type")
		if kind == nil {
			return nil, fmt.Errorf("%s has no type", id)
		}
		r.resources[id], r.properties[id] = kind.Value, child(n, "Properties")
	}
	for id, n := range children(child(root, "Resources")) {
		if c := child(n, "Condition"); c != nil {
			yes, err := r.holds(c.Value)
			if err != nil {
				return nil, err
			}
			r.absent[id] = !yes
		}
	}
	return r, nil
}

// into decodes a node, worked out, into v by the names of CloudFormation.
func (r *resolver) into(n *yaml.Node, v any) error {
	if n == nil {
		return nil // it is not there, and v keeps what it has
	}
	out, err := r.value(n)
	if err != nil {
		return err
	}
	text, err := json.Marshal(out)
	if err != nil {
		return err
	}
	decode := json.NewDecoder(bytes.NewReader(text))
	decode.UseNumber() // 1209600 stays that, and is no 1.2096e+06
	return decode.Decode(v)
}

func (t *Template) outputs(r *resolver, n *yaml.Node) error {
	for name, o := range children(n) {
		var out struct{ Value string }
		if err := r.into(o, &out); err != nil {
			return fmt.Errorf("output %s: %w", name, err)
		}
		t.Outputs[name] = out.Value
	}
	return nil
}

// groups reads how the parameters are shown. One without a label is not counted.
func (t *Template) groups(r *resolver, n *yaml.Node) error {
	var p struct {
		ParameterGroups []struct{ Parameters []string }
		ParameterLabels map[string]any
	}
	err := r.into(n, &p)
	for _, g := range p.ParameterGroups {
		for _, name := range g.Parameters {
			if p.ParameterLabels[name] != nil {
				t.Asked = append(t.Asked, name)
			}
		}
	}
	return err
}

// wildcards finds "Resource: '*'".
func (t *Template) wildcards(n *yaml.Node) {
	if n.Kind == yaml.MappingNode {
		for i := 0; i < len(n.Content); i += 2 {
			if n.Content[i].Value != "Resource" {
				continue
			}
			for _, v := range append(slices.Clone(n.Content[i+1].Content), n.Content[i+1]) {
				if v.Value == "*" {
					t.Wildcards = append(t.Wildcards, Wildcard{v.Line, v.LineComment})
				}
			}
		}
	}
	for _, c := range n.Content {
		t.wildcards(c)
	}
}

// child gives the value of a key of a map, nil when it has none.
func child(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

// children goes through a map, sorted by key.
func children(n *yaml.Node) func(func(string, *yaml.Node) bool) {
	all := map[string]*yaml.Node{}
	for i := 0; n != nil && i < len(n.Content); i += 2 {
		all[n.Content[i].Value] = n.Content[i+1]
	}
	return func(yield func(string, *yaml.Node) bool) {
		for _, name := range slices.Sorted(maps.Keys(all)) {
			if !yield(name, all[name]) {
				return
			}
		}
	}
}

// lastPart is the name at the end of an ARN of a queue.
func lastPart(arn string) string { return arn[strings.LastIndex(arn, ":")+1:] }
