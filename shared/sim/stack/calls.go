package stack

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Call is one request of a role to AWS, as a recorder writes it, a line of JSON each.
type Call struct {
	Role      string   `json:"role"`      // "admission"
	Service   string   `json:"service"`   // "dynamodb", "sqs", "secretsmanager", "kms"
	Operation string   `json:"operation"` // "GetItem"
	Resources []string `json:"resources"` // names of tables, "table/index/name", queues, secrets (or their ARNs)
	Kinds     []string `json:"kinds"`     // of the parts of a transaction: Put, Update, Delete, ConditionCheck
}

// needs are the permissions that the call needs: a transaction is authorised as its parts. ok is false when the operation is in
// no table.
func (c Call) needs(s Stack) (all []need, ok bool) {
	operations := []string{c.Service + "." + c.Operation}
	if len(c.Kinds) > 0 {
		operations = nil
		for _, kind := range c.Kinds {
			operations = append(operations, c.Service+"."+c.Operation+"."+kind)
		}
	}
	for _, operation := range operations {
		action := actions[operation]
		if action == "" {
			return nil, false
		}
		for _, name := range c.Resources {
			all = append(all, need{action, s.resource(c.Service, name)})
		}
	}
	return all, len(all) > 0
}

// resource is the ARN of what a call names. What is before the first dash of a name is the name of a stack, which may be another
// one in each test: all are taken for this one.
func (s Stack) resource(service, name string) string {
	if service == "kms" {
		return s.arn(service, "key/"+s.Name+"-Key") // the installation has one, whose name AWS draws
	}
	if _, own, ok := strings.Cut(lastPart(name), "-"); ok {
		name = s.Name + "-" + own
	}
	switch service {
	case "dynamodb":
		return s.arn(service, "table/"+name)
	case "secretsmanager":
		return s.arn(service, "secret:"+secretName(name))
	}
	return s.arn(service, name)
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
	"sqs.ChangeMessageVisibilityBatch":           "sqs:ChangeMessageVisibility",
	"sqs.GetQueueAttributes":                     "sqs:GetQueueAttributes",
	"secretsmanager.GetSecretValue":              "secretsmanager:GetSecretValue",
	"kms.Encrypt":                                "kms:Encrypt",
	"kms.Decrypt":                                "kms:Decrypt",
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

// rare is what a role calls in circumstances that a run does not always meet, by the ends of its resources' names.
var rare = []struct{ role, action, end, when string }{
	{"admission", "dynamodb:ConditionCheckItem", "-channels", "the mailbox is full"},
	{"admission", "dynamodb:Query", "-channels", "a message comes while others wait"},
	{"admission", "dynamodb:DeleteItem", "-channels", "a message that waits is deleted, or another takes its place"},
	{"admission", "sqs:SendMessage", "-replies.fifo", "a repeated event meets a head that waits for a turn"},
	{"planning", "dynamodb:Query", "-channels", "nobody answers, and messages wait"},
	{"planning", "dynamodb:DeleteItem", "-channels", "as above"},
	{"planning", "dynamodb:PutItem", "-memory", "a cap of turns counts, or is reached"},
	{"planning", "dynamodb:UpdateItem", "-memory", "a cap of turns counts"},
	{"planning", "sqs:SendMessage", "-turns.fifo", "as above, and when a plan is tried again"},
	{"generation", "dynamodb:PutItem", "-memory", "a channel for which nothing is set refuses to be written to"},
	{"generation", "dynamodb:Query", "-channels", "messages wait when a turn ends"},
	{"generation", "dynamodb:DeleteItem", "-channels", "as above"},
	{"generation", "dynamodb:ConditionCheckItem", "-channels", "a write that leaves the head as it is"},
	{"generation", "sqs:SendMessage", "-turns.fifo", "messages wait when a turn ends"},
	{"generation", "sqs:SendMessage", "-replies.fifo", "several personas answer, and when a turn is tried again or handed over"},
	{"interactions", "dynamodb:Query", "-channels", "/kill where messages wait"},
	{"interactions", "dynamodb:DeleteItem", "-channels", "as above"},
	{"interactions", "sqs:SendMessage", "-ingress.fifo", "/respond"},
	{"generation", "kms:Decrypt", "-Key", "a server has a provider of its own"},
	{"generation", "kms:Encrypt", "-Key", "a channel gets its webhook"},
	{"interactions", "kms:Encrypt", "-Key", "somebody gives a provider's key in a form"},
	{"commands", "kms:Encrypt", "-Key", "as above"},
	{"commands", "kms:Decrypt", "-Key", "a provider is tried again"},
	{"interactions", "dynamodb:GetItem", "-memory", "a command looks at what is set"},
	{"interactions", "dynamodb:BatchGetItem", "-memory", "a command changes what is set"},
	{"interactions", "dynamodb:Query", "-memory", "a command lists what is set"},
	{"interactions", "dynamodb:PutItem", "-memory", "a command changes what is set"},
	{"interactions", "dynamodb:DeleteItem", "-memory", "a command removes a persona or a provider"},
	{"interactions", "dynamodb:ConditionCheckItem", "-memory", "a command changes a part of what is set"},
	{"commands", "dynamodb:BatchGetItem", "-memory", "a command changes what is set"},
	{"commands", "dynamodb:Query", "-memory", "a command lists what is set"},
	{"commands", "dynamodb:PutItem", "-memory", "a command changes what is set"},
	{"commands", "dynamodb:DeleteItem", "-memory", "a command removes a persona or a provider"},
	{"commands", "dynamodb:ConditionCheckItem", "-memory", "a command changes a part of what is set"},
	{"sweeper", "dynamodb:Query", "-channels", "a hold is older than its age limit, and messages wait"},
	{"sweeper", "dynamodb:PutItem", "-channels", "a hold is older than its age limit"},
	{"sweeper", "dynamodb:DeleteItem", "-channels", "a hold is older than its age limit, and messages wait"},
	{"sweeper", "sqs:SendMessage", "-turns.fifo", "a channel waits for its plan, and the message was lost"},
	{"sweeper", "sqs:SendMessage", "-replies.fifo", "a channel waits for a turn, and the message was lost"},
	{"undertaker", "dynamodb:Query", "-channels", "messages wait in the channel that is freed"},
	{"undertaker", "dynamodb:DeleteItem", "-channels", "as above"},
	{"undertaker", "sqs:SendMessage", "-turns.fifo", "as above"},
	{"undertaker", "sqs:ChangeMessageVisibility", "-dead.fifo", "a dead letter cannot be handled yet"},
	{"undertaker", "sqs:SendMessage", "-replies.fifo", "a dead letter of an earlier turn meets a head that waits for the next one"},
}

// isRare tells whether the list above has it.
func isRare(role string, n need) bool {
	for _, r := range rare {
		if r.role == role && r.action == n.action && strings.HasSuffix(n.resource, r.end) {
			return true
		}
	}
	return false
}

// Differences compares what the roles called with what the template permits them, and gives a line for each call that is not
// permitted, each permission that neither a call nor AWS itself needs, and each that AWS needs and does not have. None is as
// it should be: recorded ⊆ granted ⊆ recorded + what AWS itself does + what is rare.
func (t *Template) Differences(calls []Call) []string {
	var lines []string
	made := map[string]map[need]bool{}
	for _, c := range calls {
		needed, ok := c.needs(t.stack)
		if !ok {
			lines = append(lines, fmt.Sprintf("%s calls %s.%s %s, whose permission is in no table", c.Role, c.Service, c.Operation, c.Kinds))
			continue
		}
		if made[c.Role] == nil {
			made[c.Role] = map[need]bool{}
		}
		for _, n := range needed {
			made[c.Role][n] = true
		}
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
	for _, r := range rare {
		permitted := func(n need) bool { return n.action == r.action && strings.HasSuffix(n.resource, r.end) }
		if r.role == f.Dir && !slices.ContainsFunc(slices.Collect(maps.Keys(granted)), permitted) {
			lines = append(lines, fmt.Sprintf("%s may not %s on any %s, when %s", f.Dir, r.action, r.end, r.when))
		}
	}
	for n := range made {
		if !granted[n] {
			lines = append(lines, fmt.Sprintf("%s calls %s on %s, and may not", f.Dir, n.action, n.resource))
		}
	}
	for n := range granted {
		if !made[n] && !itself[n] && !isRare(f.Dir, n) {
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
