package stack_test

import (
	"os"
	"strings"
	"testing"

	"tsumugi/shared/sim/stack"
)

// house is where the tests deploy to.
func house(more ...string) stack.Stack {
	s := stack.Stack{Name: "house", Region: "eu-west-1", Account: "123456789012", Parameters: map[string]string{
		"DiscordToken": "a.b.c", "DiscordPublicKey": strings.Repeat("0f", 32), "ModelUrl": "https://model.invalid/v1",
	}}
	for i := 0; i < len(more); i += 2 {
		s.Parameters[more[i]] = more[i+1]
	}
	return s
}

// text is the template.
func text(t *testing.T) []byte {
	t.Helper()
	b, err := os.ReadFile("../../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func read(t *testing.T, s stack.Stack) *stack.Template {
	t.Helper()
	out, err := stack.Read(text(t), s)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// named finds a function.
func named(t *testing.T, out *stack.Template, dir string) stack.Function {
	t.Helper()
	for _, f := range out.Functions {
		if f.Dir == dir {
			return f
		}
	}
	t.Fatalf("there is no function %s", dir)
	return stack.Function{}
}

func TestParametersChangeWhatIsDeployed(t *testing.T) {
	plain := read(t, house())
	other := read(t, house("RelayMode", "process", "ModelKey", "key", "RelayReservedConcurrency", "3", "GenerationConcurrency", "7",
		"RelayMemory", "512", "DeletionProtection", "true"))
	for _, c := range []struct {
		what       string
		from, to   any
		want, then any
	}{
		{"the relay's schedule", named(t, plain, "relay").Schedules[0].Enabled, named(t, other, "relay").Schedules[0].Enabled, true, false},
		{"the relay's reservation", named(t, plain, "relay").Reserved == nil, *named(t, other, "relay").Reserved, true, 3},
		{"the relay's memory", named(t, plain, "relay").Memory, named(t, other, "relay").Memory, 128, 512},
		{"replies at a time", named(t, plain, "generation").Sources[0].Concurrency, named(t, other, "generation").Sources[0].Concurrency, 20, 7},
		{"the key's secret", named(t, plain, "generation").Env["TSUMUGI_MODEL_KEY_SECRET"], named(t, other, "generation").Env["TSUMUGI_MODEL_KEY_SECRET"],
			"", "arn:aws:secretsmanager:eu-west-1:123456789012:secret:house-ModelKeySecret-a1B2c3"},
		{"secrets", len(plain.Secrets), len(other.Secrets), 1, 2},
		{"protection", plain.Tables[0].Protected, other.Tables[0].Protected, false, true},
		{"permissions of generation", len(named(t, other, "generation").Grants) - len(named(t, plain, "generation").Grants), 0, 2, 0},
	} {
		if c.from != c.want || c.to != c.then {
			t.Errorf("%s: %v and %v, not %v and %v", c.what, c.from, c.to, c.want, c.then)
		}
	}
}

func TestSettingsAreWorkedOut(t *testing.T) {
	out := read(t, house())
	env := named(t, out, "generation").Env
	for name, want := range map[string]string{
		"TSUMUGI_TABLES":       "house-",
		"TSUMUGI_QUEUES":       "https://sqs.eu-west-1.amazonaws.com/123456789012/house-",
		"DISCORD_TOKEN_SECRET": "arn:aws:secretsmanager:eu-west-1:123456789012:secret:house-DiscordTokenSecret-a1B2c3",
		"TSUMUGI_MODEL_URL":    "https://model.invalid/v1",
	} {
		if env[name] != want {
			t.Errorf("%s is %q", name, env[name])
		}
	}
	if s := out.Secrets[0]; s.Value != "a.b.c" || s.Name != "house-DiscordTokenSecret" {
		t.Errorf("secret %+v", s)
	}
}

func TestParametersAreChecked(t *testing.T) {
	for name, value := range map[string]string{
		"DiscordToken": "Bot a.b.c", "DiscordPublicKey": "0f", "ModelUrl": "model.invalid", "RelayMode": "both", "RelayMemory": "64",
		"LogRetentionDays": "2", "AlarmEmail": "nobody", "Nothing": "there",
	} {
		if _, err := stack.Read(text(t), house(name, value)); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s = %q is taken: %v", name, value, err)
		}
	}
	if _, err := stack.Read(text(t), stack.Stack{Name: "house"}); err == nil {
		t.Error("what has no default must be given")
	}
}

func TestUnknownThingsAreRefused(t *testing.T) {
	for what, lines := range map[string]string{
		"an intrinsic":          "Resources: {Q: {Type: AWS::SQS::Queue, Properties: {QueueName: !Join ['-', [a, b]]}}}",
		"a reference":           "Resources: {Q: {Type: AWS::SQS::Queue, Properties: {QueueName: !Ref Nobody}}}",
		"a reference in text":   "Resources: {Q: {Type: AWS::SQS::Queue, Properties: {QueueName: !Sub 'a-${Nobody}'}}}",
		"an attribute":          "Resources: {Q: {Type: AWS::SQS::Queue, Properties: {QueueName: a}}, R: {Type: AWS::SQS::Queue, Properties: {QueueName: !GetAtt Q.Colour}}}",
		"a condition":           "Resources: {Q: {Type: AWS::SQS::Queue, Condition: Never, Properties: {QueueName: a}}}",
		"a queue without name":  "Resources: {Q: {Type: AWS::SQS::Queue, Properties: {}}, T: {Type: AWS::SNS::Topic, Properties: {A: !GetAtt Q.Arn}}}",
		"a resource not there":  "Conditions: {No: !Equals [a, b]}\nResources: {T: {Type: AWS::SNS::Topic, Condition: No}, U: {Type: AWS::SNS::Topic, Properties: {A: !Ref T}}}",
		"a trigger":             "Resources: {F: {Type: AWS::Serverless::Function, Properties: {Events: {E: {Type: S3, Properties: {}}}}}}",
		"a denial":              "Resources: {R: {Type: AWS::IAM::Role, Properties: {Policies: [{PolicyDocument: {Statement: [{Effect: Deny, Action: a, Resource: b}]}}]}}}",
		"a policy of AWS":       "Resources: {R: {Type: AWS::IAM::Role, Properties: {ManagedPolicyArns: [all]}}}",
		"what is no YAML":       "Resources: [",
		"what has no documents": "",
	} {
		if out, err := stack.Read([]byte(lines), stack.Stack{}); err == nil {
			t.Errorf("%s is taken: %+v", what, out)
		}
	}
}
