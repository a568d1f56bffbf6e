package dynamo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"tsumugi/shared/kv"
	"tsumugi/shared/kv/dynamo"
	"tsumugi/shared/kv/kvtest"
)

// endpoint is the DynamoDB-compatible server that .ci/conform starts.
func endpoint(t *testing.T) string {
	t.Helper()
	url := os.Getenv("AWS_TEST_ENDPOINT")
	if url == "" {
		t.Skip("AWS_TEST_ENDPOINT names no DynamoDB-compatible server; .ci/conform starts one")
	}
	return url
}

func newClient(url string, change ...func(*dynamodb.Options)) *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{
		BaseEndpoint: &url,
		Region:       "eu-west-1",
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "test", SecretAccessKey: "test"}, nil
		}),
	}, change...)
}

// halves is a server that processes half of the keys of each BatchGetItem, as DynamoDB may when it is short of capacity.
type halves struct{ calls atomic.Int64 }

func (h *halves) Do(r *http.Request) (*http.Response, error) {
	if !strings.HasSuffix(r.Header.Get("X-Amz-Target"), ".BatchGetItem") {
		return http.DefaultClient.Do(r)
	}
	h.calls.Add(1)
	type part struct {
		ConsistentRead bool
		Keys           []json.RawMessage
	}
	var in struct{ RequestItems map[string]part }
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, err
	}
	left := map[string]part{}
	for table, p := range in.RequestItems {
		if n := (len(p.Keys) + 1) / 2; n < len(p.Keys) {
			left[table] = part{p.ConsistentRead, p.Keys[n:]}
			in.RequestItems[table] = part{p.ConsistentRead, p.Keys[:n]}
		}
	}
	body, err := json.Marshal(in)
	if err != nil {
		return nil, err
	}
	r = r.Clone(r.Context())
	r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	reply, err := http.DefaultClient.Do(r)
	if err != nil {
		return nil, err
	}
	defer reply.Body.Close()
	out := map[string]any{}
	if err := json.NewDecoder(reply.Body).Decode(&out); err != nil {
		return nil, err
	}
	out["UnprocessedKeys"] = left
	if body, err = json.Marshal(out); err != nil {
		return nil, err
	}
	reply.Body, reply.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	reply.Header.Del("X-Amz-Crc32")
	reply.Header.Del("Content-Length")
	return reply, nil
}

func TestBatchGetAsksForUnprocessedKeysAgain(t *testing.T) {
	server := &halves{}
	client := newClient(endpoint(t), func(o *dynamodb.Options) { o.HTTPClient = server })
	table := fmt.Sprintf("halves-%d", time.Now().UnixNano())
	if err := dynamo.CreateTable(t.Context(), client, table); err != nil {
		t.Fatal(err)
	}
	d := dynamo.New(client, map[string]string{"a": table})
	var keys []kv.Key
	var ops []kv.Op
	for i := range 20 {
		k := kv.Key{Space: "a", Partition: "p", Sort: fmt.Sprint(i)}
		keys, ops = append(keys, k), append(ops, kv.Op{Verb: kv.Put, Key: k})
	}
	if err := d.Write(t.Context(), ops...); err != nil {
		t.Fatal(err)
	}
	items, err := d.BatchGet(t.Context(), keys...)
	if err != nil || len(items) != len(keys) {
		t.Fatalf("got %d items, %v, want %d", len(items), err, len(keys))
	}
	for i, item := range items {
		if item.Key != keys[i] {
			t.Errorf("item %d is %s, want %s", i, item.Key, keys[i])
		}
	}
	if server.calls.Load() < 3 {
		t.Errorf("%d calls, want some for the keys left over", server.calls.Load())
	}
}

// deaf is a network that loses every reply.
type deaf struct{ calls atomic.Int64 }

func (d *deaf) Do(*http.Request) (*http.Response, error) {
	d.calls.Add(1)
	return nil, io.ErrUnexpectedEOF
}

func TestPlainWriteIsNotSentAgainWhenTheReplyIsLost(t *testing.T) {
	k := kv.Key{Space: "a", Partition: "p", Sort: "s"}
	for name, op := range map[string]kv.Op{
		"put":    {Verb: kv.Put, Key: k, If: []kv.Cond{kv.Missing("")}},
		"update": {Verb: kv.Update, Key: k, Add: map[string]int64{"n": 1}},
		"delete": {Verb: kv.Delete, Key: k, If: []kv.Cond{kv.Is("n", int64(1))}},
	} {
		t.Run(name, func(t *testing.T) {
			network := &deaf{}
			d := dynamo.New(newClient("http://dynamo.invalid", func(o *dynamodb.Options) { o.HTTPClient = network }),
				map[string]string{"a": "table"})
			err := d.Write(t.Context(), op)
			if err == nil || kv.Retryable(err) || errors.Is(err, kv.ErrCondition) {
				t.Errorf("got %v, want an error that leaves the outcome unknown", err)
			}
			if network.calls.Load() != 1 {
				t.Errorf("sent %d times", network.calls.Load())
			}
		})
	}
}

func TestSpaceWithoutTable(t *testing.T) {
	network := &deaf{}
	d := dynamo.New(newClient("http://dynamo.invalid", func(o *dynamodb.Options) { o.HTTPClient = network }), nil)
	k := kv.Key{Space: "a", Partition: "p", Sort: "s"}
	_, get := d.Get(t.Context(), k)
	_, batch := d.BatchGet(t.Context(), k)
	_, query := d.Query(t.Context(), kv.Query{Space: "a", Partition: "p"})
	_, due := d.Due(t.Context(), "a", time.Now(), 1)
	for _, err := range []error{get, batch, query, due, d.Write(t.Context(), kv.Op{Verb: kv.Put, Key: k})} {
		if !errors.Is(err, kv.ErrInvalid) {
			t.Errorf("got %v, want ErrInvalid", err)
		}
	}
	if network.calls.Load() != 0 {
		t.Errorf("%d calls were made", network.calls.Load())
	}
}

// gaps are dynoxide's, by the cases that meet them.
var gaps = map[string]string{
	"query by a prefix with a zero byte": "dynoxide 1.2.1 cuts the operand of begins_with at a zero byte; DynamoDB does not",
}

// withoutGaps, when it is in the environment, makes TestConforms run the cases that gaps name, too.
const withoutGaps = "AWS_TEST_WITHOUT_GAPS"

func TestConforms(t *testing.T) {
	url, declared := endpoint(t), gaps
	if os.Getenv(withoutGaps) != "" {
		declared = nil
	}
	kvtest.Run(t, kvtest.Harness{
		Lag:  5 * time.Second,
		Gaps: declared,
		Open: func(t *testing.T) kv.Driver { return fresh(t, newClient(url)) },
	})
}

// A gap that the server does not have any more is to be taken out, or it would hide a fault of ours.
func TestGapsAreStillThere(t *testing.T) {
	endpoint(t)
	for name, reason := range gaps {
		again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestConforms$/^"+regexp.QuoteMeta(name)+"$", "-test.count=1")
		again.Env = append(os.Environ(), withoutGaps+"=1")
		if out, err := again.CombinedOutput(); err == nil {
			t.Errorf("%q passes, take it out of the gaps (%s)", name, reason)
		} else if !strings.Contains(string(out), "--- FAIL: TestConforms/") {
			t.Errorf("%q was not tried: %v: %s", name, err, out)
		}
	}
}

func TestAgreesWithTheTwin(t *testing.T) {
	client := newClient(endpoint(t))
	kvtest.Agree(t, func(t *testing.T) kv.Driver { return fresh(t, client) })
}

// fresh is a driver on new tables.
func fresh(t *testing.T, client *dynamodb.Client) kv.Driver {
	t.Helper()
	tables := map[string]string{}
	for _, space := range kvtest.Spaces {
		tables[space] = fmt.Sprintf("test-%d-%s", time.Now().UnixNano(), space)
		if err := dynamo.CreateTable(t.Context(), client, tables[space]); err != nil {
			t.Fatal(err)
		}
	}
	return dynamo.New(client, tables)
}
