package aws_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"maps"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tsumugi/shared/app"
	"tsumugi/shared/command"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/dynamo"
	"tsumugi/shared/queue"
	"tsumugi/shared/sim/stack"
	"tsumugi/shared/store"
	"tsumugi/shared/telemetry"
)

// deployed reads the template for a stack named house.
func deployed(t *testing.T, more ...string) *stack.Template {
	t.Helper()
	text, err := os.ReadFile("../../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	s := stack.Stack{Name: "house", Region: "eu-west-1", Account: "123456789012", Parameters: map[string]string{
		"DiscordToken": "a.b.c", "DiscordPublicKey": strings.Repeat("0f", 32), "ModelUrl": "https://model.invalid/v1"}}
	for i := 0; i < len(more); i += 2 {
		s.Parameters[more[i]] = more[i+1]
	}
	out, err := stack.Read(text, s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// inHouse is the full name of a queue.
func inHouse(name string) string { return "house-" + name + ".fifo" }

func TestTemplateHasTheQueues(t *testing.T) {
	out := deployed(t)
	timeouts := map[string]int{} // of the function behind a queue
	for _, f := range out.Functions {
		for _, s := range f.Sources {
			timeouts[s.Queue] = f.Timeout
		}
	}
	var names []string
	for _, q := range out.Queues {
		names = append(names, q.Name)
		for name, want := range map[string]string{"FifoQueue": "true", "DeduplicationScope": "messageGroup", "FifoThroughputLimit": "perMessageGroupId", "SqsManagedSseEnabled": "true"} {
			if q.Attributes[name] != want {
				t.Errorf("%s: %s is %q", q.Name, name, q.Attributes[name])
			}
		}
		if timeouts[q.Name] == 0 {
			t.Errorf("%s has no function that reads it", q.Name)
		}
		if q.Visibility < 6*timeouts[q.Name] || q.Visibility > int(queue.MaxHide.Seconds()) {
			t.Errorf("%s hides for %d s; its function runs for up to %d s, and AWS wants six times that", q.Name, q.Visibility, timeouts[q.Name])
		}
		if name := strings.TrimSuffix(strings.TrimPrefix(q.Name, "house-"), ".fifo"); queue.Dead(name) == "" {
			if q.Dead != "" || q.Attributes["MessageRetentionPeriod"] != "1209600" {
				t.Errorf("dead letters of %s: %+v", name, q)
			}
		} else if q.Dead != inHouse(queue.Dead(name)) || q.Receives != 200 {
			t.Errorf("%s gives messages up to %q after %d deliveries", q.Name, q.Dead, q.Receives)
		}
	}
	var want []string
	for _, name := range queue.Names() {
		want = append(want, inHouse(name))
	}
	if slices.Sort(names); !slices.Equal(names, slices.Sorted(slices.Values(want))) {
		t.Errorf("queues %q, want %q", names, want)
	}
}

func TestTemplateConnectsQueuesAndFunctions(t *testing.T) {
	batches := map[string]int{queue.Ingress: 10, queue.Turns: 1, queue.Replies: 1, queue.Commands: 1}
	for _, f := range deployed(t).Functions {
		for _, s := range f.Sources {
			name := strings.TrimSuffix(strings.TrimPrefix(s.Queue, "house-"), ".fifo")
			want, live := batches[name]
			if live && s.Batch != want || !s.Report || s.Concurrency < 2 {
				t.Errorf("%s takes %+v", f.Dir, s)
			}
			if live == (f.Dir == "undertaker") {
				t.Errorf("%s reads %s", f.Dir, name)
			}
		}
	}
}

func TestTemplateHasTheTables(t *testing.T) {
	wanted := dynamo.Table("house-" + store.SpaceChannels)
	schema := func(s []types.KeySchemaElement) stack.Keys {
		return stack.Keys{Partition: *s[0].AttributeName, Sort: *s[1].AttributeName}
	}
	kinds := map[string]string{}
	for _, a := range wanted.AttributeDefinitions {
		kinds[*a.AttributeName] = string(a.AttributeType)
	}
	var names []string
	for _, table := range deployed(t, "DeletionProtection", "true").Tables {
		names = append(names, table.Name)
		if table.TTL != kv.TTL || !table.OnDemand || !table.Protected || table.Keys != schema(wanted.KeySchema) {
			t.Errorf("table %+v", table)
		}
		if table.KMS {
			t.Errorf("%s is encrypted under a key of KMS, whose calls cost; DynamoDB's own does the same for nothing", table.Name)
		}
		if table.Recovery != (table.Name == "house-"+store.SpaceMemory) {
			t.Errorf("%s: point in time recovery is %t", table.Name, table.Recovery)
		}
		if kept := table.Deletion == "RetainExceptOnCreate"; kept == (table.Name == "house-traces") {
			t.Errorf("%s: deleted with the stack: %s", table.Name, table.Deletion)
		}
		if table.Name != *wanted.TableName { // nothing is due elsewhere
			if len(table.Indexes) > 0 {
				t.Errorf("%s has indexes, which cost each write: %+v", table.Name, table.Indexes)
			}
			continue
		}
		if !maps.Equal(table.Types, kinds) {
			t.Errorf("attributes of keys: %v, the driver has %v", table.Types, kinds)
		}
		var indexes []stack.Index
		for _, i := range wanted.GlobalSecondaryIndexes {
			indexes = append(indexes, stack.Index{Name: *i.IndexName, Keys: schema(i.KeySchema), Projection: string(i.Projection.ProjectionType)})
		}
		if !reflect.DeepEqual(table.Indexes, indexes) {
			t.Errorf("indexes %+v, the driver wants %+v", table.Indexes, indexes)
		}
	}
	if want := []string{"house-" + store.SpaceChannels, "house-" + store.SpaceMemory, "house-traces"}; !slices.Equal(names, want) {
		t.Errorf("tables %q, want %q", names, want)
	}
}

func TestTemplateSetsWhatEachRoleReads(t *testing.T) {
	left := []string{"DISCORD_TOKEN", "TSUMUGI_MODEL_KEY", // their secrets are set instead
		"TSUMUGI_DISCORD_URL"} // is for tests
	for _, f := range deployed(t, "ModelKey", "key").Functions {
		var asked []string
		cfg, err := app.Load(app.Role(f.Dir), func(name string) string {
			if !slices.Contains(left, name) && !slices.Contains(asked, name) {
				asked = append(asked, name)
			}
			return f.Env[name]
		})
		if err != nil {
			t.Errorf("%s does not start: %v", f.Dir, err)
		}
		slices.Sort(asked)
		if set := slices.Sorted(maps.Keys(f.Env)); !slices.Equal(set, asked) {
			t.Errorf("%s is given %q and reads %q", f.Dir, set, asked)
		}
		if n := telemetry.Namespace(cfg.Installation()); n != "Tsumugi/house" {
			t.Errorf("%s measures in %q, where no alarm looks", f.Dir, n)
		}
		if cfg.Tables != "house-" || cfg.Queues != "" && cfg.Queues != "https://sqs.eu-west-1.amazonaws.com/123456789012/house-" {
			t.Errorf("%s: names are made from %q and %q", f.Dir, cfg.Tables, cfg.Queues)
		}
	}
}

// uses is which queues each role sends to and receives from, after the protocol: whoever meets a stale message sends the next one
// of its head again, whichever queue that is for.
var uses = map[string]struct{ receive, send []string }{
	"relay":        {nil, []string{queue.Ingress}},
	"admission":    {[]string{queue.Ingress}, []string{queue.Turns, queue.Replies}},
	"planning":     {[]string{queue.Turns}, []string{queue.Turns, queue.Replies}},
	"generation":   {[]string{queue.Replies}, []string{queue.Turns, queue.Replies}},
	"interactions": {nil, []string{queue.Commands, queue.Ingress}},
	"commands":     {[]string{queue.Commands}, nil},
	"sweeper":      {nil, []string{queue.Turns, queue.Replies}},
	"undertaker":   {[]string{queue.Dead(queue.Ingress), queue.Dead(queue.Turns), queue.Dead(queue.Replies), queue.Dead(queue.Commands)}, []string{queue.Turns, queue.Replies}},
	"registrar":    {nil, nil},
}

// gauged are the queues that a function asks for their length: event source mappings do for theirs, and the doctor for all.
func gauged(dir string) []string {
	if dir == "commands" {
		return queue.Names()
	}
	return uses[dir].receive
}

func TestTemplatePermitsTheQueuesOfEachRole(t *testing.T) {
	sorted := func(names []string) []string {
		var full []string
		for _, n := range names {
			full = append(full, inHouse(n))
		}
		slices.Sort(full)
		return full
	}
	out := deployed(t)
	if len(out.Functions) != len(uses) {
		t.Errorf("%d functions, %d roles", len(out.Functions), len(uses))
	}
	for _, f := range out.Functions {
		may := map[string][]string{}
		for _, g := range f.Grants {
			if strings.HasPrefix(g.Action, "sqs:") {
				may[g.Action] = append(may[g.Action], g.Resource[strings.LastIndex(g.Resource, ":")+1:])
			}
		}
		var sources []string
		for _, s := range f.Sources {
			sources = append(sources, s.Queue)
		}
		may["sources"] = sources
		for action, want := range map[string][]string{"sqs:SendMessage": uses[f.Dir].send, "sqs:ReceiveMessage": uses[f.Dir].receive,
			"sqs:DeleteMessage": uses[f.Dir].receive, "sqs:GetQueueAttributes": gauged(f.Dir),
			"sqs:ChangeMessageVisibility": uses[f.Dir].receive, "sources": uses[f.Dir].receive} {
			got := slices.Sorted(slices.Values(may[action]))
			if !slices.Equal(got, sorted(want)) {
				t.Errorf("%s: %s on %q, want %q", f.Dir, action, got, sorted(want))
			}
			delete(may, action)
		}
		if len(may) > 0 {
			t.Errorf("%s may also %v", f.Dir, may)
		}
	}
}

func TestTemplateHasEachFunction(t *testing.T) {
	dirs, err := os.ReadDir("../../../functions")
	if err != nil {
		t.Fatal(err)
	}
	var want, got []string
	for _, d := range dirs {
		if d.Name() != string(app.Local) {
			want = append(want, d.Name())
		}
	}
	loop := []string{"admission", "planning", "generation", "undertaker"}
	out := deployed(t)
	for _, f := range out.Functions {
		got = append(got, f.Dir)
		if f.Runtime != "provided.al2023" || f.Arch != "arm64" || f.Build != "makefile" || f.Tracing != "Active" || f.Memory < 128 {
			t.Errorf("%s: %+v", f.Dir, f)
		}
		if slices.Contains(loop, f.Dir) != (f.Recursion == "Allow") {
			t.Errorf("%s: recursion %q", f.Dir, f.Recursion)
		}
		if f.Reserved != nil {
			t.Errorf("%s reserves %d executions, and nobody asked for it", f.Dir, *f.Reserved)
		}
		if f.LogGroup != "/tsumugi/house/"+f.Dir || !slices.Contains(out.LogGroups, f.LogGroup) {
			t.Errorf("%s logs to %q, which the template does not make", f.Dir, f.LogGroup)
		}
	}
	if !slices.Equal(got, want) {
		t.Errorf("the template has functions %q, functions/ has %q", got, want)
	}
}

// A role is there before the policies that are attached to it from outside, and a first run would be refused.
func TestTemplateWaitsForPolicies(t *testing.T) {
	for _, f := range deployed(t).Functions {
		if want := map[string]string{"relay": "RelayPolicy"}[f.Dir]; f.After != want {
			t.Errorf("%s is made after %q, want %q", f.Dir, f.After, want)
		}
	}
}

func TestTemplateDoesNotRepeatWhatTheNextRunDoes(t *testing.T) {
	want := map[string]string{"relay": "rate(1 minute)", "sweeper": "rate(1 minute)", "registrar": "rate(1 hour)"}
	for _, f := range deployed(t).Functions {
		for _, s := range f.Schedules {
			if s.Expression != want[f.Dir] || !s.Enabled || s.Retry == nil || *s.Retry.MaximumRetryAttempts != 0 || s.Retry.MaximumEventAgeInSeconds != 60 {
				t.Errorf("%s: %+v", f.Dir, s)
			}
			if f.Async == nil || f.Dir != "registrar" && (*f.Async.MaximumRetryAttempts != 0 || f.Async.MaximumEventAgeInSeconds != 60) {
				t.Errorf("%s: asynchronous calls are retried: %+v", f.Dir, f.Async)
			}
			delete(want, f.Dir)
		}
	}
	if len(want) > 0 {
		t.Errorf("no schedule for %v", want)
	}
}

func TestTemplateSaysWhyWhereItPermitsEverything(t *testing.T) {
	out := deployed(t, "ModelKey", "key")
	if len(out.Wildcards) == 0 {
		t.Error("the template permits X-Ray nowhere, or this test looks for the wrong thing")
	}
	for _, w := range out.Wildcards {
		if len(w.Comment) < 10 {
			t.Errorf("line %d permits something on every resource and does not say why", w.Line)
		}
	}
	for _, f := range out.Functions {
		for _, g := range f.Grants {
			if strings.Contains(g.Action, "*") || strings.Contains(strings.TrimSuffix(g.Resource, ":*"), "*") && !strings.HasPrefix(g.Action, "xray:") {
				t.Errorf("%s may %s on %s", f.Dir, g.Action, g.Resource)
			}
			if g.Action == "kms:Decrypt" && !strings.Contains(g.Condition, sealing) && (!strings.Contains(g.Condition, "kms:EncryptionContext:SecretARN") || !strings.Contains(g.Condition, "kms:ViaService")) {
				t.Errorf("%s may decrypt whatever the key encrypted: %s", f.Dir, g.Condition)
			}
		}
	}
}

// sealing is the condition on what functions encrypt and decrypt themselves: whatever else they know of a context, it has the name
// of their stack, which no context of Secrets Manager has.
const sealing = `{"StringEquals":{"kms:EncryptionContext:installation":"house"}}`

func TestTemplatePermitsSealing(t *testing.T) {
	want := map[string][]string{"generation": {"kms:Encrypt", "kms:Decrypt"}, "interactions": {"kms:Encrypt"}, "commands": {"kms:Encrypt", "kms:Decrypt"}}
	for _, f := range deployed(t, "ModelKey", "key").Functions {
		var may []string
		for _, g := range f.Grants {
			if strings.HasPrefix(g.Action, "kms:") && !strings.Contains(g.Condition, "kms:ViaService") {
				may = append(may, g.Action)
				if g.Condition != sealing || g.Resource != f.Env["TSUMUGI_SEAL_KEY"] {
					t.Errorf("%s may %s on %s when %s; its key is %s", f.Dir, g.Action, g.Resource, g.Condition, f.Env["TSUMUGI_SEAL_KEY"])
				}
			}
		}
		if !slices.Equal(may, want[f.Dir]) {
			t.Errorf("%s may %q, want %q", f.Dir, may, want[f.Dir])
		}
	}
}

func TestTemplateExplainsItsParameters(t *testing.T) {
	out := deployed(t)
	var names []string
	for _, p := range out.Parameters {
		names = append(names, p.Name)
		if p.Description == "" || p.ConstraintDescription == "" {
			t.Errorf("%s is not explained", p.Name)
		}
		if p.NoEcho && p.Default == "" {
			t.Errorf("%s may be left empty, but sam asks for hidden parameters until something is typed", p.Name)
		}
		bounded := p.AllowedPattern != "" || len(p.AllowedValues) > 0 || p.MinValue != nil && p.MaxValue != nil
		if !bounded {
			t.Errorf("%s takes anything", p.Name)
		}
		if secret := strings.HasSuffix(p.Name, "Token") || p.Name == "ModelKey"; secret != p.NoEcho {
			t.Errorf("%s: NoEcho is %t", p.Name, p.NoEcho)
		}
	}
	if asked := slices.Sorted(slices.Values(out.Asked)); !slices.Equal(asked, names) {
		t.Errorf("the console shows %q in groups and with labels, parameters are %q", asked, names)
	}
}

func TestTemplateAlarmsSayWhatToDo(t *testing.T) {
	out := deployed(t)
	watched := map[string]int{}
	for _, a := range out.Alarms {
		if len(a.Description) < 80 || len(a.Actions) == 0 || a.Missing == "" {
			t.Errorf("alarm %+v", a)
		}
		for _, m := range a.Metrics {
			watched[m]++
			if strings.HasPrefix(m, "AWS/DynamoDB/") && !strings.Contains(a.Expression, "FILL(") {
				t.Errorf("%s would stay as it is when DynamoDB says no more: CloudWatch ignores there how missing data is treated", a.Name)
			}
			if m == "Tsumugi/house/relay_silent_s" && a.Missing != "breaching" {
				t.Errorf("%s: a sweeper that does not run says nothing of the relay", a.Name)
			}
		}
	}
	for m, want := range map[string]int{"AWS/Lambda/Errors": len(out.Functions), "AWS/Lambda/Throttles": 4, "AWS/Lambda/RecursiveInvocationsDropped": 4,
		"AWS/Lambda/Invocations": 1, "AWS/SQS/ApproximateAgeOfOldestMessage": len(out.Queues) / 2, "AWS/SQS/ApproximateNumberOfMessagesVisible": len(out.Queues) / 2,
		"AWS/DynamoDB/ReadThrottleEvents": 1, "AWS/DynamoDB/WriteThrottleEvents": 2,
		"Tsumugi/house/relay_silent_s": 1, "Tsumugi/house/relay_parked": 1, "Tsumugi/house/hops_exhausted": 1, "Tsumugi/house/registration_failed": 1} {
		if watched[m] != want {
			t.Errorf("%d alarms on %s, want %d", watched[m], m, want)
		}
		delete(watched, m)
	}
	if len(watched) > 0 {
		t.Errorf("nobody knows the metrics %v", watched)
	}
}

func TestTemplateCountsFailedRegistrations(t *testing.T) {
	want := []stack.Filter{{Group: "/tsumugi/house/registrar", Pattern: `{ $.msg = "` + app.RegistrationFailed + `" }`, Metric: "Tsumugi/house/registration_failed"}}
	if got := deployed(t).Filters; !slices.Equal(got, want) {
		t.Errorf("filters %+v, want %+v", got, want)
	}
}

// The registrar must be called again by whatever Discord is told of, and be able to answer in time whenever it is started.
func TestTemplateRegistersAgainWhatChanges(t *testing.T) {
	specs, err := json.Marshal(command.Specs())
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(specs)
	key := strings.Repeat("ab", 32)
	out := deployed(t, "DiscordPublicKey", key)
	want := stack.Registration{ServiceToken: "arn:aws:lambda:eu-west-1:123456789012:function:house-Registrar", ServiceTimeout: out.Registration.ServiceTimeout,
		Endpoint: out.Outputs["InteractionsEndpoint"], PublicKey: key, Commands: hex.EncodeToString(sum[:8])}
	if out.Registration != want {
		t.Errorf("Registration is %+v, want %+v", out.Registration, want)
	}
	for _, f := range out.Functions {
		if f.Dir != "registrar" {
			continue
		}
		const between = 60 // seconds, before Lambda's second try
		if last := f.Async.MaximumEventAgeInSeconds + (*f.Async.MaximumRetryAttempts+1)*f.Timeout + between; want.ServiceTimeout <= last || want.ServiceTimeout > 3600 {
			t.Errorf("CloudFormation waits for %d s, the answer may come after %d", want.ServiceTimeout, last)
		}
		if f.Env["DISCORD_PUBLIC_KEY"] != want.PublicKey || f.Env["TSUMUGI_ENDPOINT"] != want.Endpoint {
			t.Errorf("the function is given other settings than what calls it again: %v", f.Env)
		}
	}
}

func TestTemplateLeavesNothingToDo(t *testing.T) {
	out := deployed(t).Outputs
	for name, want := range map[string]string{"LeftToDo": "Nothing", "Registration": "Status of Registration",
		"Commands": "Commands of Registration", "Interactions": "Interactions of Registration", "Logs": "/tsumugi/house/",
		"InteractionsEndpoint": "https://httpapi.execute-api.eu-west-1.amazonaws.com/interactions"} {
		if !strings.HasPrefix(out[name], want) {
			t.Errorf("output %s is %q", name, out[name])
		}
	}
}
