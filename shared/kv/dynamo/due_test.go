package dynamo_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tsumugi/shared/kv"
	"tsumugi/shared/kv/dynamo"
)

// late is a table whose index has not heard of the latest writes. Each shard gives its entries a page at a time.
type late struct {
	index map[string][]string // sort keys by shard; an entry's due is its number
	table map[string]string   // by sort key, what the item says of due now; one that is missing is gone
}

func (l *late) answer(action, body string) (int, string) {
	if action == "Query" {
		return l.page(body)
	}
	var in struct {
		RequestItems map[string]struct {
			Keys []map[string]struct{ S string }
		}
	}
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		return 400, `{"__type":"SerializationException"}`
	}
	var items []string
	for _, k := range in.RequestItems["table"].Keys {
		if due, ok := l.table[k["sk"].S]; ok {
			items = append(items, fmt.Sprintf(`{"pk":{"S":"p"},"sk":{"S":"%s"}%s}`, k["sk"].S, due))
		}
	}
	return 200, `{"Responses":{"table":[` + strings.Join(items, ",") + `]},"UnprocessedKeys":{}}`
}

// page gives the first entry behind the start key, and says that there may be more, until the page behind the last.
func (l *late) page(body string) (int, string) {
	var in struct {
		ExpressionAttributeValues map[string]struct{ S string }
		ExclusiveStartKey         map[string]struct{ S string }
	}
	if err := json.Unmarshal([]byte(body), &in); err != nil {
		return 400, `{"__type":"SerializationException"}`
	}
	entries := l.index[in.ExpressionAttributeValues[":v0"].S]
	next, _ := strconv.Atoi(in.ExclusiveStartKey["position"].S) // an opaque key, as far as the driver is concerned
	if next >= len(entries) {
		return 200, `{"Items":[],"Count":0,"ScannedCount":0}`
	}
	sort := entries[next]
	key := fmt.Sprintf(`{"pk":{"S":"p"},"sk":{"S":"%s"},"duep":{"S":"x"},"due":{"N":"%s"}}`, sort, strings.TrimLeft(sort, "abc"))
	return 200, fmt.Sprintf(`{"Items":[%s],"Count":1,"ScannedCount":1,"LastEvaluatedKey":{"position":{"S":"%d"}}}`, key, next+1)
}

func TestDueBelievesTheItemsAndNotTheIndex(t *testing.T) {
	l := &late{
		index: map[string][]string{
			"0": {"a1", "a4", "a4", "a6"}, // it moved while the pages were read
			"7": {"b2", "b5"},
			"f": {"c3", "c9"},
		},
		table: map[string]string{ // a1 was deleted
			"a4": `,"due":{"N":"4"}`, "a6": `,"due":{"N":"6"}`,
			"b2": ``,                  // its due was removed
			"b5": `,"due":{"N":"99"}`, // put off
			"c3": `,"due":{"N":"8"}`,  // put off, but still due
			"c9": `,"due":{"N":"9"},"ttl":{"N":"1"}`,
		},
	}
	d, w := over(t, l.answer)
	for limit, want := range map[int][]string{1: {"c3"}, 2: {"a4", "c3"}, 3: {"a4", "a6", "c3"}, 10: {"a4", "a6", "c3"}} {
		items, err := d.Due(t.Context(), "a", time.UnixMilli(10), limit)
		var got []string
		for _, item := range items {
			got = append(got, item.Key.Sort)
		}
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("limit %d: %q, %v, want %q", limit, got, err, want)
		}
	}
	for _, body := range w.of("BatchGetItem") {
		if !strings.Contains(body, `"ConsistentRead":true`) {
			t.Errorf("items are read as they once were: %s", body)
		}
	}
}

func TestDueOfAnEmptyIndexAsksEachShardOnce(t *testing.T) {
	d, w := over(t, (&late{}).answer)
	if items, err := d.Due(t.Context(), "a", time.Now(), 10); err != nil || len(items) != 0 {
		t.Errorf("due: %v, %v", items, err)
	}
	asked := w.of("Query")
	slices.Sort(asked)
	if n := len(asked); n != 16 || len(slices.Compact(asked)) != n || len(w.of("BatchGetItem")) != 0 {
		t.Errorf("%d questions, %d of them different: %s", n, len(slices.Compact(asked)), asked)
	}
}

// What is written under a shard is found under it: a channel is a snowflake, and snowflakes spread.
func TestShardsAreAllWrittenTo(t *testing.T) {
	d, w := over(t, func(string, string) (int, string) { return 200, `{}` })
	shards := map[string]int{}
	for i := range 1600 {
		k := kv.Key{Space: "a", Partition: fmt.Sprint(1100000000000000000 + i*4194304000), Sort: "head"}
		for _, op := range []kv.Op{{Verb: kv.Put, Key: k, Attrs: kv.Attrs{kv.DueAt: int64(1)}}, {Verb: kv.Update, Key: k, Set: kv.Attrs{kv.DueAt: int64(1)}}} {
			if err := d.Write(t.Context(), op); err != nil {
				t.Fatal(err)
			}
		}
		put, update := w.of("PutItem"), w.of("UpdateItem")
		var item struct{ Item map[string]struct{ S string } }
		if err := json.Unmarshal([]byte(put[len(put)-1]), &item); err != nil {
			t.Fatal(err)
		}
		shard := item.Item["duep"].S
		if shards[shard]++; !strings.Contains(update[len(update)-1], `{"S":"`+shard+`"}`) {
			t.Fatalf("put under %q, updated as %s", shard, update[len(update)-1])
		}
		w.calls = nil
	}
	for shard, n := range shards {
		if n < 50 || n > 200 || !strings.Contains("0123456789abcdef", shard) {
			t.Errorf("shard %q has %d of 1600", shard, n)
		}
	}
	if len(shards) != 16 {
		t.Errorf("%d shards", len(shards))
	}
}

// An index that held more than keys would be written again with each write of a head.
func TestIndexHoldsKeysAlone(t *testing.T) {
	in := dynamo.Table("t")
	if n := len(in.GlobalSecondaryIndexes); n != 1 || in.GlobalSecondaryIndexes[0].Projection.ProjectionType != types.ProjectionTypeKeysOnly {
		t.Errorf("%d indexes: %+v", n, in.GlobalSecondaryIndexes)
	}
}
