package cloud_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	ddb "github.com/aws/aws-sdk-go-v2/service/dynamodb/types"
	"github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go"
	smithyhttp "github.com/aws/smithy-go/transport/http"

	"tsumugi/shared/sim/cloud"
)

// behind is a service that answers each operation with what it is given, and notes what it was asked.
type behind struct {
	answers map[string]string
	mu      sync.Mutex
	asked   []string
}

func (b *behind) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body) // what could not be read is not JSON, and fails the test
	_, operation, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	b.mu.Lock()
	b.asked = append(b.asked, operation+" "+string(body))
	b.mu.Unlock()
	answer, ok := b.answers[operation]
	if !ok {
		answer = "{}"
	}
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	w.Header().Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(answer))), 10))
	_, _ = io.WriteString(w, answer)
}

func (b *behind) count(operation string) int {
	b.mu.Lock()
	defer b.mu.Unlock()
	n := 0
	for _, a := range b.asked {
		if strings.HasPrefix(a, operation+" ") {
			n++
		}
	}
	return n
}

// world is a proxy before such a service, and the address of the proxy.
func world(t *testing.T, answers map[string]string) (*cloud.Proxy, *behind, *bytes.Buffer, string) {
	t.Helper()
	b := &behind{answers: answers}
	back := httptest.NewServer(b)
	t.Cleanup(back.Close)
	to, err := url.Parse(back.URL)
	if err != nil {
		t.Fatal(err)
	}
	var lines bytes.Buffer
	p := cloud.NewProxy(map[string]*url.URL{"": to}, &lines)
	front := httptest.NewServer(p)
	t.Cleanup(front.Close)
	return p, b, &lines, front.URL
}

func queues(endpoint, role string, attempts int) *sqs.Client {
	return sqs.New(sqs.Options{BaseEndpoint: &endpoint, Region: cloud.Region, Credentials: known(role),
		RetryMaxAttempts: attempts})
}

func tables(endpoint, role string) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{BaseEndpoint: &endpoint, Region: cloud.Region, Credentials: known(role),
		RetryMaxAttempts: 1})
}

const queueURL = "https://sqs.eu-west-1.amazonaws.com/123456789012/house-turns.fifo"

func TestCallsAreRecorded(t *testing.T) {
	p, _, lines, endpoint := world(t, map[string]string{"Query": `{"Items":[{"pk":{"S":"a"}}],"Count":1,"ScannedCount":1}`})
	ctx, d, q := t.Context(), tables(endpoint, "planning"), queues(endpoint, "generation", 1)
	key := map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: "secret words"}}
	channels, memory := aws.String("house-channels"), aws.String("house-memory")
	for _, do := range []func() error{
		func() error {
			_, err := d.TransactWriteItems(ctx, &dynamodb.TransactWriteItemsInput{TransactItems: []ddb.TransactWriteItem{
				{Put: &ddb.Put{TableName: channels, Item: key}}, {Update: &ddb.Update{TableName: channels, Key: key, UpdateExpression: aws.String("SET a=b")}},
				{ConditionCheck: &ddb.ConditionCheck{TableName: memory, Key: key, ConditionExpression: aws.String("a=b")}}}})
			return err
		},
		func() error {
			_, err := d.Query(ctx, &dynamodb.QueryInput{TableName: channels, IndexName: aws.String("due"), KeyConditionExpression: aws.String("a=b")})
			return err
		},
		func() error {
			_, err := d.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: map[string]ddb.KeysAndAttributes{"house-memory": {Keys: []map[string]ddb.AttributeValue{key, key}}}})
			return err
		},
		func() error {
			_, err := q.ChangeMessageVisibility(ctx, &sqs.ChangeMessageVisibilityInput{QueueUrl: aws.String(queueURL), ReceiptHandle: aws.String("secret words")})
			return err
		},
		func() error {
			return cloud.Client{Endpoint: endpoint, Role: "mapping.generation"}.Call(ctx, "sqs", "ReceiveMessage", map[string]any{"QueueUrl": queueURL}, nil)
		},
	} {
		if err := do(); err != nil {
			t.Fatal(err)
		}
	}
	var got []string
	for _, r := range p.Records() {
		got = append(got, fmt.Sprint(r.Role, " ", r.Mapping, " ", r.Service, ".", r.Operation, " ", r.Resources, " ", r.Kinds, " ", r.Items, " ", r.Status))
	}
	want := []string{
		"planning false dynamodb.TransactWriteItems [house-channels] [Put Update] 2 200",
		"planning false dynamodb.TransactWriteItems [house-memory] [ConditionCheck] 1 200",
		"planning false dynamodb.Query [house-channels/index/due] [] 1 200",
		"planning false dynamodb.BatchGetItem [house-memory] [] 2 200",
		"generation false sqs.ChangeMessageVisibility [house-turns.fifo] [] 0 200",
		"generation true sqs.ReceiveMessage [house-turns.fifo] [] 0 200",
	}
	if !slices.Equal(got, want) {
		t.Errorf("recorded\n%s\nnot\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := strings.Count(lines.String(), "\n"); n != len(want) || strings.Contains(lines.String(), "secret words") {
		t.Errorf("%d lines: %s", n, lines)
	}
}

func TestFaultsAreTheServicesOwnWords(t *testing.T) {
	p, b, _, endpoint := world(t, nil)
	ctx := t.Context()
	get := func() error {
		_, err := tables(endpoint, "planning").GetItem(ctx, &dynamodb.GetItemInput{TableName: aws.String("house-channels"),
			Key: map[string]ddb.AttributeValue{"pk": &ddb.AttributeValueMemberS{Value: "a"}}})
		return err
	}
	send := func() error {
		_, err := queues(endpoint, "planning", 1).SendMessage(ctx, &sqs.SendMessageInput{QueueUrl: aws.String(queueURL), MessageBody: aws.String("text"),
			MessageGroupId: aws.String("g"), MessageDeduplicationId: aws.String("d")})
		return err
	}
	for _, c := range []struct {
		fault cloud.Fault
		do    func() error
		code  string // "": it succeeds; "-": the connection breaks
		done  int    // how many calls got through to the service
	}{
		{cloud.Fault{Kind: cloud.Throttled, Service: "dynamodb"}, get, "ProvisionedThroughputExceededException", 0},
		{cloud.Fault{Kind: cloud.Throttled, Service: "sqs"}, send, "RequestThrottled", 0},
		{cloud.Fault{Kind: cloud.Denied, Role: "planning"}, get, "AccessDeniedException", 0},
		{cloud.Fault{Kind: cloud.Denied, Resource: "house-turns.fifo"}, send, "AccessDenied", 0},
		{cloud.Fault{Kind: cloud.Denied, Role: "generation"}, get, "", 1},
		{cloud.Fault{Kind: cloud.ReplyLost, Operation: "GetItem"}, get, "-", 1},
		{cloud.Fault{Kind: cloud.Unheard, Holds: "house-channels"}, get, "-", 0},
		{cloud.Fault{Kind: cloud.Unheard, Holds: "house-memory"}, get, "", 1},
		{cloud.Fault{Kind: cloud.Unheard, After: 1}, get, "", 1},
		{cloud.Fault{Kind: cloud.Swallowed, Operation: "SendMessage"}, send, "", 0},
		{cloud.Fault{Kind: cloud.Slow, Delay: time.Millisecond}, send, "", 1},
	} {
		before := b.count("GetItem") + b.count("SendMessage")
		end := p.Fault(c.fault)
		err := c.do()
		end()
		var api smithy.APIError
		switch {
		case c.code == "" && err == nil:
		case c.code == "-" && err != nil && !errors.As(err, &api):
		case errors.As(err, &api) && api.ErrorCode() == c.code:
		default:
			// SQS's checksum of a swallowed message is looked at by the client.
			t.Errorf("%+v: %v", c.fault, err)
		}
		if n := b.count("GetItem") + b.count("SendMessage") - before; n != c.done {
			t.Errorf("%+v: %d calls got through, want %d", c.fault, n, c.done)
		}
	}
	p.Fault(cloud.Fault{Kind: cloud.Denied, Count: 1})
	if get() == nil || get() != nil {
		t.Error("one call is refused, and no more")
	}
}

// TestNoAnswerIsLost: the proxy gives every answer as a whole. The SDK itself loses one now and then when a server is very fast,
// because it closes the request while net/http still has it; so these clients, like ours, give net/http a body of its own.
func TestNoAnswerIsLost(t *testing.T) {
	const each, clients = 500, 6
	answer, err := json.Marshal(map[string]any{"Messages": []map[string]string{{"Body": strings.Repeat("x", 10_000), "MessageId": "1", "ReceiptHandle": "h"}}})
	if err != nil {
		t.Fatal(err)
	}
	_, b, _, endpoint := world(t, map[string]string{"ReceiveMessage": string(answer)})
	var running sync.WaitGroup
	lost := make([]error, clients)
	for i := range clients {
		running.Go(func() {
			c := queues(endpoint, "generation", 1)
			for range each {
				_, err := c.ReceiveMessage(context.Background(), &sqs.ReceiveMessageInput{QueueUrl: aws.String(queueURL), MaxNumberOfMessages: 10},
					func(o *sqs.Options) {
						o.DisableMessageChecksumValidation = true
						o.HTTPClient = smithyhttp.ClientDoFunc(ownBody)
					})
				lost[i] = errors.Join(lost[i], err)
			}
		})
	}
	running.Wait()
	if err := errors.Join(lost...); err != nil {
		t.Errorf("of %d answers were lost: %.2000s", each*clients, err)
	}
	if n := b.count("ReceiveMessage"); n != each*clients {
		t.Errorf("%d calls came through, want %d", n, each*clients)
	}
}

// ownBody sends a request whose body nobody else closes.
func ownBody(r *http.Request) (*http.Response, error) {
	text, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	own := r.Clone(r.Context())
	own.Body = io.NopCloser(bytes.NewReader(text))
	return http.DefaultClient.Do(own)
}

// known is who a client is.
func known(role string) aws.CredentialsProvider {
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: role, SecretAccessKey: "secret"}, nil
	})
}
