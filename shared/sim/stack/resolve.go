package stack

import (
	"fmt"
	"regexp"
	"strings"

	"go.yaml.in/yaml/v4"
)

// Stack is where a template is thought to be deployed, and with which parameters. A parameter that is not given has its default.
type Stack struct {
	Name       string
	Region     string
	Account    string
	Parameters map[string]string
}

// resolver works out the template's short intrinsic functions. Conditions and references are looked up when they are met.
type resolver struct {
	stack      Stack
	params     map[string]any
	conditions map[string]*yaml.Node
	resources  map[string]string     // type by logical id
	properties map[string]*yaml.Node // by logical id
	absent     map[string]bool       // resources whose condition does not hold
}

// nothing stands for AWS::NoValue: the property or item is left out.
type nothing struct{}

// value turns a node into maps, lists, strings, numbers and booleans.
func (r *resolver) value(n *yaml.Node) (any, error) {
	if strings.HasPrefix(n.Tag, "!") && !strings.HasPrefix(n.Tag, "!!") {
		return r.call(n)
	}
	switch n.Kind {
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i < len(n.Content); i += 2 {
			v, err := r.value(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			if _, left := v.(nothing); !left {
				out[n.Content[i].Value] = v
			}
		}
		return out, nil
	case yaml.SequenceNode:
		out := []any{}
		for _, item := range n.Content {
			v, err := r.value(item)
			if err != nil {
				return nil, err
			}
			if _, left := v.(nothing); !left {
				out = append(out, v)
			}
		}
		return out, nil
	case yaml.ScalarNode:
		var v any
		err := n.Decode(&v)
		return v, err
	}
	return nil, fmt.Errorf("line %d: neither a map nor a list nor a scalar", n.Line)
}

// call works out one intrinsic function.
func (r *resolver) call(n *yaml.Node) (any, error) {
	var v any
	var err error
	switch n.Tag {
	case "!Ref":
		v, err = r.ref(n.Value)
	case "!GetAtt":
		id, attribute, _ := strings.Cut(n.Value, ".")
		v, err = r.attribute(id, attribute)
	case "!Sub":
		v, err = r.sub(n.Value)
	case "!If":
		v, err = r.choose(n)
	case "!Equals", "!Not":
		v, err = r.test(n)
	default:
		err = fmt.Errorf("%s is not known here", n.Tag)
	}
	if err != nil {
		return nil, fmt.Errorf("line %d: %w", n.Line, err)
	}
	return v, nil
}

// choose is !If.
func (r *resolver) choose(n *yaml.Node) (any, error) {
	if len(n.Content) != 3 {
		return nil, fmt.Errorf("!If has %d arguments", len(n.Content))
	}
	yes, err := r.holds(n.Content[0].Value)
	if err != nil {
		return nil, err
	}
	if yes {
		return r.value(n.Content[1])
	}
	return r.value(n.Content[2])
}

// holds tells whether a named condition holds.
func (r *resolver) holds(name string) (bool, error) {
	n, ok := r.conditions[name]
	if !ok {
		return false, fmt.Errorf("there is no condition %s", name)
	}
	v, err := r.value(n)
	if err != nil {
		return false, err
	}
	yes, ok := v.(bool)
	if !ok {
		return false, fmt.Errorf("condition %s is neither true nor false", name)
	}
	return yes, nil
}

// test is !Equals or !Not.
func (r *resolver) test(n *yaml.Node) (any, error) {
	var args []any
	for _, c := range n.Content {
		v, err := r.value(c)
		if err != nil {
			return nil, err
		}
		args = append(args, v)
	}
	switch {
	case n.Tag == "!Equals" && len(args) == 2:
		return fmt.Sprint(args[0]) == fmt.Sprint(args[1]), nil
	case n.Tag == "!Not" && len(args) == 1:
		if yes, ok := args[0].(bool); ok {
			return !yes, nil
		}
	}
	return nil, fmt.Errorf("%s cannot be asked of %d arguments like these", n.Tag, len(args))
}

var placeholder = regexp.MustCompile(`\$\{[^}]+\}`)

// sub is !Sub.
func (r *resolver) sub(text string) (string, error) {
	var wrong error
	out := placeholder.ReplaceAllStringFunc(text, func(p string) string {
		name := strings.Trim(p, "${}")
		v, err := r.ref(name)
		if id, attribute, dotted := strings.Cut(name, "."); dotted && r.resources[name] == "" {
			v, err = r.attribute(id, attribute)
		}
		if err != nil {
			wrong = err
		}
		return fmt.Sprint(v)
	})
	return out, wrong
}

// ref is !Ref: a pseudo parameter, a parameter, or what a resource is known by.
func (r *resolver) ref(name string) (any, error) {
	switch name {
	case "AWS::NoValue":
		return nothing{}, nil
	case "AWS::StackName":
		return r.stack.Name, nil
	case "AWS::Region":
		return r.stack.Region, nil
	case "AWS::AccountId":
		return r.stack.Account, nil
	case "AWS::Partition":
		return "aws", nil
	case "AWS::URLSuffix":
		return "amazonaws.com", nil
	}
	if v, ok := r.params[name]; ok {
		return v, nil
	}
	return r.attribute(name, "")
}

// attribute is what AWS would answer to !Ref (attribute "") or !GetAtt of a resource, in the shape that it would have.
func (r *resolver) attribute(id, attribute string) (string, error) {
	kind, ok := r.resources[id]
	if !ok || r.absent[id] {
		return "", fmt.Errorf("there is no %s", id)
	}
	named := r.stack.Name + "-" + id // what CloudFormation names has letters of its own behind; nothing may depend on them
	if property := nameProperty[kind]; property != "" {
		given, err := r.property(id, property)
		if err != nil {
			return "", err
		}
		named = given
	}
	switch kind + "." + attribute {
	case "AWS::SQS::Queue.QueueName":
		return named, nil
	case "AWS::SQS::Queue.Arn":
		return r.stack.arn("sqs", named), nil
	case "AWS::DynamoDB::Table.":
		return named, nil
	case "AWS::DynamoDB::Table.Arn":
		return r.stack.arn("dynamodb", "table/"+named), nil
	case "AWS::SecretsManager::Secret.":
		return r.stack.arn("secretsmanager", "secret:"+named+"-a1B2c3"), nil
	case "AWS::KMS::Key.Arn":
		return r.stack.arn("kms", "key/"+named), nil
	case "AWS::Logs::LogGroup.":
		return named, nil
	case "AWS::Logs::LogGroup.Arn":
		return r.stack.arn("logs", "log-group:"+named+":*"), nil
	case "AWS::S3::Bucket.":
		return strings.ToLower(named), nil
	case "AWS::S3::Bucket.Arn":
		return "arn:aws:s3:::" + strings.ToLower(named), nil
	case "AWS::SNS::Topic.":
		return r.stack.arn("sns", named), nil
	case "AWS::IAM::Role.", "AWS::Serverless::Function.":
		return named, nil
	case "AWS::IAM::Role.Arn":
		return "arn:aws:iam::" + r.stack.Account + ":role/" + named, nil
	case "AWS::IAM::ManagedPolicy.":
		return "arn:aws:iam::" + r.stack.Account + ":policy/" + named, nil
	case "AWS::Serverless::Function.Arn":
		return r.stack.arn("lambda", "function:"+named), nil
	case "AWS::Serverless::HttpApi.":
		return strings.ToLower(id), nil
	case "Custom::Registration.Status", "Custom::Registration.Interactions", "Custom::Registration.Commands":
		return attribute + " of " + id, nil // what the function answered
	}
	return "", fmt.Errorf("a %s has no attribute %q here", kind, attribute)
}

// nameProperty is where the template names a resource; the others are named by CloudFormation.
var nameProperty = map[string]string{
	"AWS::SQS::Queue":      "QueueName",
	"AWS::DynamoDB::Table": "TableName",
	"AWS::Logs::LogGroup":  "LogGroupName",
}

// property gives a text property of a resource.
func (r *resolver) property(id, name string) (string, error) {
	n := child(r.properties[id], name)
	if n == nil {
		return "", fmt.Errorf("%s has no %s: what is named by CloudFormation cannot be known beforehand", id, name)
	}
	v, err := r.value(n)
	if err != nil {
		return "", err
	}
	text, ok := v.(string)
	if !ok {
		return "", fmt.Errorf("%s of %s is no text", name, id)
	}
	return text, nil
}

func (s Stack) arn(of, name string) string {
	return "arn:aws:" + of + ":" + s.Region + ":" + s.Account + ":" + name
}
