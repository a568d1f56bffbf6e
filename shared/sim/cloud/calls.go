package cloud

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Call is one thing that a role asked of AWS, in the granularity of permissions: a transaction is a call for each of its parts,
// a batch is one for each of its tables. It is written as a line of JSON.
type Call struct {
	Role      string `json:"role"`      // "admission"
	Service   string `json:"service"`   // "dynamodb", "sqs", "secretsmanager"
	Operation string `json:"operation"` // "GetItem"; a part of a transaction is "TransactWriteItems.Put"
	Resource  string `json:"resource"`  // ARN
}

// services is the first part of X-Amz-Target.
var services = map[string]string{
	"DynamoDB_20120810": "dynamodb",
	"AmazonSQS":         "sqs",
	"secretsmanager":    "secretsmanager",
}

// Recorded turns a request of a role, by its header X-Amz-Target and its body, into calls.
func Recorded(role, target string, body []byte, s Stack) ([]Call, error) {
	prefix, operation, _ := strings.Cut(target, ".")
	service := services[prefix]
	if service == "" {
		return nil, fmt.Errorf("record a call of %s: %q is not known here", role, target)
	}
	var in struct {
		TableName, IndexName, QueueURL, SecretID string
		RequestItems                             map[string]json.RawMessage
		TransactItems                            []map[string]struct{ TableName string }
	}
	if err := json.Unmarshal(body, &in); err != nil { // it takes QueueUrl and SecretId for their fields, whatever the case
		return nil, fmt.Errorf("record a call of %s to %s: %w", role, target, err)
	}
	call := func(operation, resource string) Call {
		return Call{Role: role, Service: service, Operation: operation, Resource: resource}
	}
	table := func(name string) string { return s.arn("dynamodb", "table/"+name) }
	var calls []Call
	switch {
	case service == "sqs":
		calls = append(calls, call(operation, s.arn("sqs", in.QueueURL[strings.LastIndex(in.QueueURL, "/")+1:])))
	case service == "secretsmanager":
		calls = append(calls, call(operation, s.arn(service, "secret:"+secretName(lastPart(in.SecretID)))))
	case len(in.TransactItems) > 0:
		for _, item := range in.TransactItems {
			for part, of := range item {
				calls = append(calls, call(operation+"."+part, table(of.TableName)))
			}
		}
	case len(in.RequestItems) > 0:
		for _, name := range slices.Sorted(maps.Keys(in.RequestItems)) {
			calls = append(calls, call(operation, table(name)))
		}
	case in.IndexName != "":
		calls = append(calls, call(operation, table(in.TableName)+"/index/"+in.IndexName))
	default:
		calls = append(calls, call(operation, table(in.TableName)))
	}
	return calls, nil
}

// actions is which permission each operation needs. An operation that is missing here is one that nobody has thought about.
var actions = map[string]string{
	"dynamodb.GetItem":                           "dynamodb:GetItem",
	"dynamodb.BatchGetItem":                      "dynamodb:BatchGetItem",
	"dynamodb.Query":                             "dynamodb:Query",
	"dynamodb.PutItem":                           "dynamodb:PutItem",
	"dynamodb.UpdateItem":                        "dynamodb:UpdateItem",
	"dynamodb.DeleteItem":                        "dynamodb:DeleteItem",
	"dynamodb.TransactWriteItems.Put":            "dynamodb:PutItem",
	"dynamodb.TransactWriteItems.Update":         "dynamodb:UpdateItem",
	"dynamodb.TransactWriteItems.Delete":         "dynamodb:DeleteItem",
	"dynamodb.TransactWriteItems.ConditionCheck": "dynamodb:ConditionCheckItem",
	"sqs.SendMessage":                            "sqs:SendMessage",
	"sqs.SendMessageBatch":                       "sqs:SendMessage",
	"sqs.ChangeMessageVisibility":                "sqs:ChangeMessageVisibility",
	"secretsmanager.GetSecretValue":              "secretsmanager:GetSecretValue",
}

// need is a permission that AWS itself uses in a function's name; none of our calls shows it.
type need struct{ action, resource string }

// serviceSide lists these for a function, with the reason for each.
func serviceSide(f Function, s Stack) []need {
	// Lambda's logs are written under the function's role.
	all := []need{
		{"logs:CreateLogStream", s.arn("logs", "log-group:"+f.LogGroup+":*")},
		{"logs:PutLogEvents", s.arn("logs", "log-group:"+f.LogGroup+":*")},
	}
	// Segments of a trace go to the daemon beside the function, which sends them under its role.
	all = append(all, need{"xray:PutTraceSegments", "*"}, need{"xray:PutTelemetryRecords", "*"})
	// The event source mapping polls and deletes under the function's role.
	for _, source := range f.Sources {
		for _, action := range []string{"sqs:ReceiveMessage", "sqs:DeleteMessage", "sqs:GetQueueAttributes"} {
			all = append(all, need{action, s.arn("sqs", source.Queue)})
		}
	}
	// Secrets Manager decrypts with the permission of whoever asks for the secret.
	for _, g := range f.Grants {
		if g.Action == "kms:Decrypt" && strings.Contains(g.Condition, "secretsmanager.") {
			all = append(all, need{g.Action, g.Resource})
		}
	}
	return all
}

// Differences compares what the roles called with what the template permits them, and gives a line for each call that is not
// permitted, each permission that neither a call nor AWS itself needs, and each that AWS needs and does not have. None is as
// it should be: recorded ⊆ granted ⊆ recorded + what AWS itself does.
func (t *Template) Differences(calls []Call) []string {
	var lines []string
	made := map[string]map[need]bool{}
	for _, c := range calls {
		action := actions[c.Service+"."+c.Operation]
		if action == "" {
			lines = append(lines, fmt.Sprintf("%s calls %s.%s, whose permission is in no table", c.Role, c.Service, c.Operation))
			continue
		}
		if made[c.Role] == nil {
			made[c.Role] = map[need]bool{}
		}
		made[c.Role][need{action, c.Resource}] = true
	}
	for _, f := range t.Functions {
		lines = append(lines, t.differences(f, made[f.Dir])...)
		delete(made, f.Dir)
	}
	for role := range made {
		lines = append(lines, fmt.Sprintf("%s calls AWS, and is no function of the template", role))
	}
	slices.Sort(lines)
	return slices.Compact(lines)
}

// differences are those of one function.
func (t *Template) differences(f Function, made map[need]bool) []string {
	var lines []string
	granted := map[need]bool{}
	for _, g := range f.Grants {
		granted[need{g.Action, plainARN(g.Resource)}] = true
	}
	itself := map[need]bool{}
	for _, n := range serviceSide(f, t.stack) {
		itself[n] = true
		if !granted[n] {
			lines = append(lines, fmt.Sprintf("%s may not %s on %s, which AWS does in its name", f.Dir, n.action, n.resource))
		}
	}
	for n := range made {
		if !granted[n] {
			lines = append(lines, fmt.Sprintf("%s calls %s on %s, and may not", f.Dir, n.action, n.resource))
		}
	}
	for n := range granted {
		if !made[n] && !itself[n] {
			lines = append(lines, fmt.Sprintf("%s may %s on %s, and never did", f.Dir, n.action, n.resource))
		}
	}
	return lines
}

// plainARN leaves out the letters that Secrets Manager puts behind a secret's name: they differ from account to account.
func plainARN(arn string) string {
	if strings.Contains(arn, ":secret:") {
		return secretName(arn)
	}
	return arn
}
