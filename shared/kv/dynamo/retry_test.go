package dynamo_test

import (
	"context"
	"encoding/json"
	"errors"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/kv"
)

// What DynamoDB may answer. An answer without a status is a reply that was lost.
var (
	fine      = answer{200, `{}`}
	lost      = answer{}
	broken    = answer{500, `{"__type":"InternalServerError","message":"try again"}`}
	busy      = answer{400, `{"__type":"ThrottlingException","message":"Rate exceeded"}`}
	exceeded  = answer{400, `{"__type":"ProvisionedThroughputExceededException","message":"The level of configured throughput was exceeded"}`}
	underWay  = answer{400, `{"__type":"TransactionInProgressException","message":"in progress"}`}
	refused   = answer{400, `{"__type":"ConditionalCheckFailedException","message":"The conditional request failed"}`}
	cancelled = answer{400, `{"__type":"TransactionCanceledException","message":"cancelled","CancellationReasons":[{"Code":"None"},{"Code":"ConditionalCheckFailed"}]}`}
	conflict  = answer{400, `{"__type":"TransactionCanceledException","message":"cancelled","CancellationReasons":[{"Code":"TransactionConflict"},{"Code":"None"}]}`}
)

type answer struct {
	status int
	reply  string
}

// following answers with one after the other; the last one stays.
func following(answers ...answer) func(string, string) (int, string) {
	return func(string, string) (int, string) {
		a := answers[0]
		if len(answers) > 1 {
			answers = answers[1:]
		}
		return a.status, a.reply
	}
}

// B127: what a lost reply leaves behind is neither a failed condition nor a promise that nothing was written.
func TestWhoRepeatsAWrite(t *testing.T) {
	one := kv.Op{Verb: kv.Put, Key: kv.Key{Space: "a", Partition: "p", Sort: "1"}, If: []kv.Cond{kv.Missing("")}}
	two := kv.Op{Verb: kv.Put, Key: kv.Key{Space: "a", Partition: "p", Sort: "2"}, If: []kv.Cond{kv.Missing("")}}
	unknown := errors.New("unknown outcome")
	for name, c := range map[string]struct {
		ops     []kv.Op
		answers []answer
		calls   int
		want    error // nil, one of the contract's, or unknown
	}{
		"transaction is repeated":                      {[]kv.Op{one, two}, []answer{lost, fine}, 2, nil},
		"server fault is repeated":                     {[]kv.Op{one, two}, []answer{broken, lost, fine}, 3, nil},
		"the first is still under way":                 {[]kv.Op{one, two}, []answer{lost, underWay, fine}, 3, nil},
		"the first was not written, and cannot be":     {[]kv.Op{one, two}, []answer{lost, cancelled}, 2, kv.ErrCondition},
		"the first was not written, others were there": {[]kv.Op{one, two}, []answer{lost, conflict}, 2, kv.ErrContention},
		"lost, then throttled, then known":             {[]kv.Op{one, two}, []answer{lost, busy, exceeded, fine}, 4, nil},
		"lost, then throttled to the end":              {[]kv.Op{one, two}, []answer{lost, busy}, 4, unknown},
		"lost to the end":                              {[]kv.Op{one, two}, []answer{lost}, 4, unknown},
		"throttled transaction":                        {[]kv.Op{one, two}, []answer{busy}, 1, kv.ErrThrottled},
		"conflict":                                     {[]kv.Op{one, two}, []answer{conflict}, 1, kv.ErrContention},
		"plain write, lost":                            {[]kv.Op{one}, []answer{lost, refused}, 1, unknown},
		"plain write, server fault":                    {[]kv.Op{one}, []answer{broken, refused}, 1, unknown},
		"plain write, throttled":                       {[]kv.Op{one}, []answer{exceeded}, 1, kv.ErrThrottled},
		"plain write, refused":                         {[]kv.Op{one}, []answer{refused}, 1, kv.ErrCondition},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, w := over(t, following(c.answers...))
				begin := time.Now()
				err := d.Write(t.Context(), c.ops...)
				known := err == nil || kv.Retryable(err) || errors.Is(err, kv.ErrCondition)
				if known != (c.want != unknown) || c.want != unknown && !errors.Is(err, c.want) {
					t.Errorf("got %v, want %v", err, c.want)
				}
				if len(w.calls) != c.calls {
					t.Errorf("%d calls, want %d", len(w.calls), c.calls)
				}
				if waited := time.Since(begin); waited > 10*time.Second || c.calls == 1 && waited > 0 {
					t.Errorf("it took %s", waited)
				}
				if tokens := tokensOf(t, w); len(tokens) > 1 {
					t.Errorf("one transaction under the names %q", tokens)
				}
			})
		})
	}
}

// tokensOf lists the different tokens of transactions.
func tokensOf(t *testing.T, w *wire) []string {
	t.Helper()
	var all []string
	for _, body := range w.of("TransactWriteItems") {
		var in struct{ ClientRequestToken string }
		if err := json.Unmarshal([]byte(body), &in); err != nil || len(in.ClientRequestToken) < 20 {
			t.Errorf("token %q, %v", in.ClientRequestToken, err)
		}
		all = append(all, in.ClientRequestToken)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

func TestEveryTransactionHasItsOwnToken(t *testing.T) {
	d, w := over(t, following(fine))
	check := kv.Op{Verb: kv.Check, Key: kv.Key{Space: "a", Partition: "p", Sort: "s"}, If: []kv.Cond{kv.Missing("")}}
	for range 3 {
		if err := d.Write(t.Context(), check); err != nil {
			t.Fatal(err)
		}
	}
	if n := len(tokensOf(t, w)); n != 3 {
		t.Errorf("%d tokens for three writes: the second would not be performed", n)
	}
}

func TestWhoRepeatsARead(t *testing.T) {
	k := kv.Key{Space: "a", Partition: "p", Sort: "s"}
	reads := map[string]struct {
		found string
		read  func(ctx context.Context, d kv.Driver) error
	}{
		"get": {`{"Item":{"pk":{"S":"p"},"sk":{"S":"s"}}}`, func(ctx context.Context, d kv.Driver) error { _, err := d.Get(ctx, k); return err }},
		"batch": {`{"Responses":{"table":[{"pk":{"S":"p"},"sk":{"S":"s"}}]}}`,
			func(ctx context.Context, d kv.Driver) error { _, err := d.BatchGet(ctx, k); return err }},
		"query": {`{"Items":[],"Count":0}`, func(ctx context.Context, d kv.Driver) error {
			_, err := d.Query(ctx, kv.Query{Space: "a", Partition: "p"})
			return err
		}},
	}
	for name, r := range reads {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				found := answer{200, r.found}
				d, w := over(t, following(lost, broken, found))
				if err := r.read(t.Context(), d); err != nil || len(w.calls) != 3 {
					t.Errorf("%v after %d calls", err, len(w.calls))
				}
				for _, no := range []answer{busy, exceeded} { // repeated by the caller, whose tries would multiply with the SDK's
					d, w = over(t, following(no, found))
					begin := time.Now()
					if err := r.read(t.Context(), d); !errors.Is(err, kv.ErrThrottled) || len(w.calls) != 1 || time.Since(begin) > 0 {
						t.Errorf("%v after %d calls and %s", err, len(w.calls), time.Since(begin))
					}
				}
			})
		})
	}
}

// Keys that DynamoDB does not come to are asked for again, for some hundred milliseconds and no longer.
func TestUnprocessedKeysEndAsThrottling(t *testing.T) {
	left := answer{200, `{"Responses":{},"UnprocessedKeys":{"table":{"ConsistentRead":true,"Keys":[{"pk":{"S":"p"},"sk":{"S":"s"}}]}}}`}
	k := kv.Key{Space: "a", Partition: "p", Sort: "s"}
	synctest.Test(t, func(t *testing.T) {
		d, w := over(t, following(left))
		begin := time.Now()
		_, err := d.BatchGet(t.Context(), k)
		if !errors.Is(err, kv.ErrThrottled) || len(w.calls) < 3 || time.Since(begin) > time.Second {
			t.Errorf("%v after %d calls and %s", err, len(w.calls), time.Since(begin))
		}
		for _, body := range w.of("BatchGetItem") {
			if !strings.Contains(body, `"ConsistentRead":true`) {
				t.Errorf("asked again otherwise than before: %s", body)
			}
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Nanosecond)
		defer cancel()
		d, _ = over(t, following(left))
		if _, err := d.BatchGet(ctx, k); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("an ended context gives %v", err)
		}
	})
}
