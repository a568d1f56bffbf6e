package dynamo_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"tsumugi/shared/kv"
)

// refusedWith is a transaction that was cancelled for these reasons. "expired" is a failed condition of an item whose time is
// over.
func refusedWith(reasons ...string) answer {
	var all []string
	for _, r := range reasons {
		if r == "expired" {
			all = append(all, `{"Code":"ConditionalCheckFailed","Item":{"pk":{"S":"p"},"sk":{"S":"s"},"ttl":{"N":"1"}}}`)
			continue
		}
		all = append(all, fmt.Sprintf(`{"Code":%q}`, r))
	}
	return answer{400, `{"__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[` + strings.Join(all, ",") + `]}`}
}

// A second item is found expired by the try that was to write the first: nothing was written, and nobody may be told else.
func TestExpiredItemsAreFoundOneAfterTheOther(t *testing.T) {
	key := func(sort string) kv.Key { return kv.Key{Space: "a", Partition: "p", Sort: sort} }
	one := kv.Op{Verb: kv.Update, Key: key("one"), Set: kv.Attrs{"n": int64(1)}}
	two := kv.Op{Verb: kv.Update, Key: key("two"), Set: kv.Attrs{"n": int64(1)}}
	d, w := over(t, following(refusedWith("expired", "None"), refusedWith("None", "expired"), fine))
	if err := d.Write(t.Context(), one, two); !errors.Is(err, kv.ErrContention) || len(w.calls) != 2 {
		t.Errorf("%v after %d calls", err, len(w.calls))
	}
}

// More reasons than were asked for, and none at all.
func TestReasonsOfOddNumber(t *testing.T) {
	k := kv.Key{Space: "a", Partition: "p", Sort: "s"}
	ops := []kv.Op{{Verb: kv.Put, Key: k}, {Verb: kv.Put, Key: kv.Key{Space: "a", Partition: "p", Sort: "t"}}}
	d, _ := over(t, following(refusedWith("None", "None", "ConditionalCheckFailed", "TransactionConflict")))
	if err := d.Write(t.Context(), ops...); err == nil || errors.Is(err, kv.ErrCondition) || kv.Retryable(err) {
		t.Errorf("reasons of nobody: %v", err)
	}
	d, _ = over(t, following(refusedWith()))
	if err := d.Write(t.Context(), ops...); err == nil || errors.Is(err, kv.ErrCondition) || kv.Retryable(err) {
		t.Errorf("no reasons: %v", err)
	}
}
