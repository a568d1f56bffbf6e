package dynamo_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/kv"
	"tsumugi/shared/kv/dynamo"
)

// Every call says what mends its refusal, and none of them says that it can never succeed: the messages wait.
func TestRefusalsNameTheFix(t *testing.T) {
	k := kv.Key{Space: "a", Partition: "p", Sort: "s"}
	calls := map[string]func(d kv.Driver) error{
		"get":   func(d kv.Driver) error { _, err := d.Get(t.Context(), k); return err },
		"batch": func(d kv.Driver) error { _, err := d.BatchGet(t.Context(), k); return err },
		"query": func(d kv.Driver) error {
			_, err := d.Query(t.Context(), kv.Query{Space: "a", Partition: "p"})
			return err
		},
		"due": func(d kv.Driver) error { _, err := d.Due(t.Context(), "a", time.Now(), 1); return err },
		"put": func(d kv.Driver) error { return d.Write(t.Context(), kv.Op{Verb: kv.Put, Key: k}) },
		"transaction": func(d kv.Driver) error {
			return d.Write(t.Context(), kv.Op{Verb: kv.Check, Key: k, If: []kv.Cond{kv.Missing("")}})
		},
	}
	for _, c := range []struct {
		code, message string
		want          string
		also          error // of the contract
	}{
		{"ResourceNotFoundException", "Requested resource not found", "table table does not exist: deploy the stack again", nil},
		{"ValidationException", "The table does not have the specified index: due", "table table lacks the index", nil},
		{"AccessDeniedException", "User: arn:aws:sts::1:assumed-role/r/f is not authorized to perform: dynamodb:Query on resource: arn:aws:dynamodb:eu-west-1:1:table/table/index/due because no identity-based policy allows it",
			"the role may not dynamodb:Query on arn:aws:dynamodb:eu-west-1:1:table/table/index/due: allow it", nil},
		{"AccessDeniedException", "KMS key access denied error", "the key that encrypts table table cannot be used", nil},
		{"ValidationException", "KMS key is disabled", "the key that encrypts table table cannot be used", nil},
		{"UnrecognizedClientException", "The security token included in the request is invalid.", "renew them", nil},
		{"ExpiredTokenException", "The security token included in the request is expired", "run out", nil},
		{"InvalidSignatureException", "Signature expired: 20261130T1Z is now earlier than 20261130T2Z", "clock", nil},
		{"ThrottlingException", "Rate exceeded", "table table is throttled", kv.ErrThrottled},
		{"RequestLimitExceeded", "Throughput exceeds the current limit for your account", "table table is throttled", kv.ErrThrottled},
	} {
		for name, call := range calls {
			t.Run(c.code+" "+name, func(t *testing.T) {
				d, _ := over(t, following(answer{400, fmt.Sprintf(`{"__type":"com.amazonaws.dynamodb.v20120810#%s","message":%q}`, c.code, c.message)}))
				err := call(d)
				if err == nil || !strings.Contains(err.Error(), c.want) {
					t.Errorf("%v does not say %q", err, c.want)
				}
				if errors.Is(err, kv.ErrInvalid) || errors.Is(err, kv.ErrTooLarge) || errors.Is(err, kv.ErrNotFound) || errors.Is(err, kv.ErrCondition) {
					t.Errorf("%v is a verdict on the operation", err)
				}
				if c.also != nil && !errors.Is(err, c.also) || kv.Retryable(err) != (c.also != nil) {
					t.Errorf("%v, want %v", err, c.also)
				}
			})
		}
	}
}

// A cancelled transaction says of each op why; throttling there is told like any other.
func TestThrottledOpOfATransactionNamesTheTable(t *testing.T) {
	d, _ := over(t, following(answer{400, `{"__type":"TransactionCanceledException","message":"cancelled","CancellationReasons":[{"Code":"None"},{"Code":"ThrottlingError","Message":"Throughput exceeds the current capacity of your table or index"}]}`}))
	put := func(sort string) kv.Op {
		return kv.Op{Verb: kv.Put, Key: kv.Key{Space: "a", Partition: "p", Sort: sort}}
	}
	if err := d.Write(t.Context(), put("1"), put("2")); !errors.Is(err, kv.ErrThrottled) || !strings.Contains(err.Error(), "table table is throttled") {
		t.Errorf("got %v", err)
	}
}

// The SDK learns the time from a refusal and signs again by it, so that a clock that is wrong costs one round trip.
func TestWrongClockIsCorrectedByARead(t *testing.T) {
	synctest.Test(t, func(t *testing.T) { // whose clock begins in the year 2000
		d, w := over(t, following(answer{400, `{"__type":"InvalidSignatureException","message":"Signature expired: it is now later"}`}, answer{200, `{}`}))
		w.date = time.Now().Add(20 * time.Minute)
		k := kv.Key{Space: "a", Partition: "p", Sort: "s"}
		if _, err := d.Get(t.Context(), k); !errors.Is(err, kv.ErrNotFound) || len(w.calls) != 2 {
			t.Errorf("%v after %d calls", err, len(w.calls))
		}
		if err := d.Write(t.Context(), kv.Op{Verb: kv.Put, Key: k}); err != nil || !strings.HasPrefix(w.signed, w.date.UTC().Format("20060102T1504")) {
			t.Errorf("%v, signed at %s", err, w.signed)
		}
	})
}

// The words of a server that we did not write.
func TestServersRefusalsNameTheFix(t *testing.T) {
	client := newClient(endpoint(t))
	k := kv.Key{Space: "a", Partition: "p", Sort: "s"}
	d := dynamo.New(client, map[string]string{"a": "no-such-table"})
	_, get := d.Get(t.Context(), k)
	_, batch := d.BatchGet(t.Context(), k)
	for name, err := range map[string]error{"get": get, "batch": batch, "put": d.Write(t.Context(), kv.Op{Verb: kv.Put, Key: k}),
		"transaction": d.Write(t.Context(), kv.Op{Verb: kv.Check, Key: k, If: []kv.Cond{kv.Missing("")}})} {
		if err == nil || !strings.Contains(err.Error(), "table no-such-table does not exist: deploy the stack again") {
			t.Errorf("%s: %v", name, err)
		}
	}
	in := dynamo.Table(fmt.Sprintf("old-%d", time.Now().UnixNano()))
	in.GlobalSecondaryIndexes, in.AttributeDefinitions = nil, in.AttributeDefinitions[:2]
	if _, err := client.CreateTable(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	d = dynamo.New(client, map[string]string{"a": *in.TableName})
	if _, err := d.Due(t.Context(), "a", time.Now(), 1); err == nil || !strings.Contains(err.Error(), "lacks the index") || errors.Is(err, kv.ErrInvalid) {
		t.Errorf("due: %v", err)
	}
}
