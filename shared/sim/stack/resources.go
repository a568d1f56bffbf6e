package stack

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v4"
)

// resources reads every resource that a test asks for.
func (t *Template) resources(r *resolver, root *yaml.Node) error {
	var globals functionProperties
	if err := r.into(child(child(root, "Globals"), "Function"), &globals); err != nil {
		return fmt.Errorf("globals: %w", err)
	}
	grants := map[string][]Grant{} // by the ARN of a role
	for id, n := range children(child(root, "Resources")) {
		if r.absent[id] {
			continue
		}
		if err := t.resource(r, id, n, globals, grants); err != nil {
			return fmt.Errorf("%s: %w", id, err)
		}
	}
	for i, f := range t.Functions {
		t.Functions[i].Grants = grants[f.role]
	}
	return nil
}

func (t *Template) resource(r *resolver, id string, n *yaml.Node, globals functionProperties, grants map[string][]Grant) error {
	p := child(n, "Properties")
	switch r.resources[id] {
	case "AWS::Serverless::Function":
		f, err := function(r, id, n, globals)
		t.Functions = append(t.Functions, f)
		return err
	case "AWS::SQS::Queue":
		q, err := queue(r, p)
		t.Queues = append(t.Queues, q)
		return err
	case "AWS::DynamoDB::Table":
		table, err := table(r, p)
		if d := child(n, "DeletionPolicy"); d != nil {
			table.Deletion = d.Value
		}
		t.Tables = append(t.Tables, table)
		return err
	case "AWS::SecretsManager::Secret":
		arn, err := r.attribute(id, "")
		if err != nil {
			return err
		}
		value, err := r.property(id, "SecretString")
		t.Secrets = append(t.Secrets, Secret{ARN: arn, Name: secretName(lastPart(arn)), Value: value})
		return err
	case "AWS::CloudWatch::Alarm":
		a, err := alarm(r, id, p)
		t.Alarms = append(t.Alarms, a)
		return err
	case "AWS::Logs::LogGroup":
		name, err := r.attribute(id, "")
		t.LogGroups = append(t.LogGroups, name)
		return err
	case "AWS::Logs::MetricFilter":
		var f struct {
			LogGroupName, FilterPattern string
			MetricTransformations       []struct{ MetricNamespace, MetricName string }
		}
		if err := r.into(p, &f); err != nil {
			return err
		}
		for _, m := range f.MetricTransformations {
			t.Filters = append(t.Filters, Filter{f.LogGroupName, f.FilterPattern, m.MetricNamespace + "/" + m.MetricName})
		}
		return nil
	case "Custom::Registration":
		return r.into(p, &t.Registration)
	case "AWS::IAM::Role", "AWS::IAM::ManagedPolicy":
		return permissions(r, id, p, grants)
	}
	var anything any // what no test asks for must still be readable
	return r.into(n, &anything)
}

// functionProperties are those of AWS::Serverless::Function, and of Globals.
type functionProperties struct {
	Role                            string
	MemorySize, Timeout             int
	Runtime, Tracing, RecursiveLoop string
	Architectures                   []string
	LoggingConfig                   struct{ LogGroup string }
	Environment                     struct{ Variables map[string]any }
	ReservedConcurrentExecutions    *int
	EventInvokeConfig               *Retry
	Events                          map[string]struct {
		Type       string
		Properties json.RawMessage
	}
}

func function(r *resolver, id string, n *yaml.Node, globals functionProperties) (Function, error) {
	p := globals
	p.Environment.Variables = maps.Clone(globals.Environment.Variables)
	if err := r.into(child(n, "Properties"), &p); err != nil {
		return Function{}, err
	}
	f := Function{Name: id, Dir: strings.ToLower(id), Memory: p.MemorySize, Timeout: p.Timeout, Runtime: p.Runtime,
		Arch: strings.Join(p.Architectures, " "), Tracing: p.Tracing, Recursion: p.RecursiveLoop, LogGroup: p.LoggingConfig.LogGroup,
		Env: map[string]string{}, Reserved: p.ReservedConcurrentExecutions, Async: p.EventInvokeConfig}
	_, f.role, _ = strings.Cut(p.Role, ":role/")
	if m := child(child(n, "Metadata"), "BuildMethod"); m != nil {
		f.Build = m.Value
	}
	if d := child(n, "DependsOn"); d != nil {
		f.After = d.Value
	}
	for name, v := range p.Environment.Variables {
		f.Env[name] = fmt.Sprint(v)
	}
	for _, name := range slices.Sorted(maps.Keys(p.Events)) {
		if err := f.event(p.Events[name].Type, p.Events[name].Properties); err != nil {
			return f, fmt.Errorf("event %s: %w", name, err)
		}
	}
	return f, nil
}

// event adds a trigger.
func (f *Function) event(kind string, text []byte) error {
	var p struct {
		Queue                 string
		BatchSize             int
		FunctionResponseTypes []string
		ScalingConfig         struct{ MaximumConcurrency int }
		Schedule, State       string
		RetryPolicy           *Retry
		Method, Path          string
	}
	if err := json.Unmarshal(text, &p); err != nil {
		return err
	}
	switch kind {
	case "SQS":
		f.Sources = append(f.Sources, Source{Queue: lastPart(p.Queue), Batch: p.BatchSize, Concurrency: p.ScalingConfig.MaximumConcurrency,
			Report: slices.Contains(p.FunctionResponseTypes, "ReportBatchItemFailures")})
	case "Schedule":
		f.Schedules = append(f.Schedules, Schedule{Expression: p.Schedule, Enabled: p.State != "DISABLED", Retry: p.RetryPolicy})
	case "HttpApi":
		f.Routes = append(f.Routes, Route{Method: p.Method, Path: p.Path})
	default:
		return fmt.Errorf("%s is not known here", kind)
	}
	return nil
}

// queue keeps every property as SQS's API has it.
func queue(r *resolver, n *yaml.Node) (Queue, error) {
	var p map[string]any
	if err := r.into(n, &p); err != nil {
		return Queue{}, err
	}
	q := Queue{Attributes: map[string]string{}}
	for name, v := range p {
		switch name {
		case "QueueName":
			q.Name = fmt.Sprint(v)
		case "RedrivePolicy":
			text, err := json.Marshal(v)
			if err != nil {
				return q, err
			}
			q.Attributes[name] = string(text)
		default:
			q.Attributes[name] = fmt.Sprint(v)
			if n, ok := v.(float64); ok { // as JSON has every number; the queue's are whole
				q.Attributes[name] = strconv.FormatFloat(n, 'f', -1, 64)
			}
		}
	}
	var rest struct {
		VisibilityTimeout int
		RedrivePolicy     struct {
			DeadLetterTargetArn string
			MaxReceiveCount     int
		}
	}
	if err := r.into(n, &rest); err != nil {
		return q, err
	}
	q.Visibility, q.Receives, q.Dead = rest.VisibilityTimeout, rest.RedrivePolicy.MaxReceiveCount, lastPart(rest.RedrivePolicy.DeadLetterTargetArn)
	return q, nil
}

// keySchema is how DynamoDB writes the keys of a table or an index.
type keySchema []struct{ AttributeName, KeyType string }

func (s keySchema) keys() (k Keys) {
	for _, e := range s {
		if e.KeyType == "HASH" {
			k.Partition = e.AttributeName
		} else {
			k.Sort = e.AttributeName
		}
	}
	return k
}

func table(r *resolver, n *yaml.Node) (Table, error) {
	var p struct {
		TableName, BillingMode           string
		DeletionProtectionEnabled        string
		SSESpecification                 struct{ SSEEnabled bool }
		PointInTimeRecoverySpecification struct{ PointInTimeRecoveryEnabled bool }
		AttributeDefinitions             []struct{ AttributeName, AttributeType string }
		KeySchema                        keySchema
		TimeToLiveSpecification          struct {
			AttributeName string
			Enabled       bool
		}
		GlobalSecondaryIndexes []struct {
			IndexName  string
			KeySchema  keySchema
			Projection struct{ ProjectionType string }
		}
	}
	if err := r.into(n, &p); err != nil {
		return Table{}, err
	}
	t := Table{Name: p.TableName, Keys: p.KeySchema.keys(), Types: map[string]string{}, OnDemand: p.BillingMode == "PAY_PER_REQUEST",
		Recovery: p.PointInTimeRecoverySpecification.PointInTimeRecoveryEnabled, Protected: p.DeletionProtectionEnabled == "true",
		KMS: p.SSESpecification.SSEEnabled}
	if p.TimeToLiveSpecification.Enabled {
		t.TTL = p.TimeToLiveSpecification.AttributeName
	}
	for _, a := range p.AttributeDefinitions {
		t.Types[a.AttributeName] = a.AttributeType
	}
	for _, i := range p.GlobalSecondaryIndexes {
		t.Indexes = append(t.Indexes, Index{Name: i.IndexName, Keys: i.KeySchema.keys(), Projection: i.Projection.ProjectionType})
	}
	return t, nil
}

func alarm(r *resolver, id string, n *yaml.Node) (Alarm, error) {
	type metric struct{ Namespace, MetricName string }
	var p struct {
		AlarmDescription, TreatMissingData string
		AlarmActions                       []string
		metric
		Metrics []struct {
			Expression string
			MetricStat *struct{ Metric metric }
		}
	}
	if err := r.into(n, &p); err != nil {
		return Alarm{}, err
	}
	a := Alarm{Name: id, Description: p.AlarmDescription, Actions: p.AlarmActions, Missing: p.TreatMissingData}
	if p.MetricName != "" {
		a.Metrics = append(a.Metrics, p.Namespace+"/"+p.MetricName)
	}
	for _, m := range p.Metrics {
		a.Expression += m.Expression
		if m.MetricStat != nil {
			a.Metrics = append(a.Metrics, m.MetricStat.Metric.Namespace+"/"+m.MetricStat.Metric.MetricName)
		}
	}
	return a, nil
}

// oneOrMore is a string, or a list of strings.
type oneOrMore []string

// UnmarshalJSON takes both.
func (o *oneOrMore) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*o = oneOrMore{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(o))
}

// policyDocument is IAM's.
type policyDocument struct {
	Statement []struct {
		Effect           string
		Action, Resource oneOrMore
		Condition        json.RawMessage
	}
}

// permissions adds what a role's policies, or a managed policy, permit to the roles they belong to.
func permissions(r *resolver, id string, n *yaml.Node, grants map[string][]Grant) error {
	var p struct {
		ManagedPolicyArns []string
		Policies          []struct{ PolicyDocument policyDocument }
		Roles             []string
		PolicyDocument    policyDocument
	}
	if err := r.into(n, &p); err != nil {
		return err
	}
	if len(p.ManagedPolicyArns) > 0 {
		return fmt.Errorf("policies of AWS permit more than a function needs: %s", p.ManagedPolicyArns)
	}
	roles, docs := p.Roles, []policyDocument{p.PolicyDocument}
	if r.resources[id] == "AWS::IAM::Role" {
		name, err := r.attribute(id, "")
		if err != nil {
			return err
		}
		roles = []string{name}
	}
	for _, policy := range p.Policies {
		docs = append(docs, policy.PolicyDocument)
	}
	for _, doc := range docs {
		for _, s := range doc.Statement {
			if s.Effect != "Allow" {
				return fmt.Errorf("a statement of effect %s is not known here", s.Effect)
			}
			for _, role := range roles {
				for _, a := range s.Action {
					for _, res := range s.Resource {
						grants[role] = append(grants[role], Grant{Action: a, Resource: res, Condition: string(s.Condition)})
					}
				}
			}
		}
	}
	return nil
}

// secretName is a secret's name without the six letters that Secrets Manager puts behind it.
func secretName(s string) string {
	if i := strings.LastIndex(s, "-"); i > 0 && len(s)-i == 7 {
		return s[:i]
	}
	return s
}
