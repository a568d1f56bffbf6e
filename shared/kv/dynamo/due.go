package dynamo

import (
	"cmp"
	"context"
	"fmt"
	"hash/fnv"
	"slices"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"tsumugi/shared/kv"
)

// The due index is sparse: an item has the attribute duep exactly while it has due, and DynamoDB keeps no others in it.
//
// duep is a hash of the partition, so that the index spreads over shards. With a single one every change of a due time in
// the whole table would go through one partition of DynamoDB, which takes a thousand writes a second and does not split
// along a sort key that only grows; a throttled index throttles the writes of its table. The index holds keys alone: what
// else an item says is written once, and a write that leaves due as it is does not touch the index.
//
// The price is paid by the one reader, a sweep each minute: it asks every shard, one after the other since a few
// milliseconds each are no reason for goroutines, and then reads the items themselves.

// shards is how many values duep has: one hexadecimal digit (kv.Size counts on a single byte).
const shards = 16

// shardOf is the value of duep for the items of a partition.
func shardOf(partition string) string {
	h := fnv.New32a()
	_, _ = h.Write([]byte(partition)) // never fails
	return strconv.FormatUint(uint64(h.Sum32()%shards), shards)
}

// Due reads the index, which follows the table within moments, and then the items consistently: an entry whose item is
// gone, expired or no longer due is left out.
func (d *DB) Due(ctx context.Context, space string, before time.Time, limit int) ([]kv.Item, error) {
	if err := kv.ValidateDue(space, limit); err != nil {
		return nil, err
	}
	table, err := d.table(space)
	if err != nil {
		return nil, err
	}
	m := d.merge(space, table, before, limit)
	var found []kv.Item
	for len(found) < limit {
		keys, err := m.next(ctx, min(limit-len(found), kv.MaxKeys))
		if err != nil {
			return nil, fmt.Errorf("due %s: %w", space, err)
		}
		if len(keys) == 0 {
			break
		}
		items, err := d.BatchGet(ctx, keys...)
		if err != nil {
			return nil, fmt.Errorf("due %s: %w", space, err)
		}
		for _, item := range items {
			if item.Has(kv.DueAt) && item.Int(kv.DueAt) <= before.UnixMilli() {
				found = append(found, item)
			}
		}
	}
	slices.SortStableFunc(found, earlier) // an item may have moved since the index saw it
	return found, nil
}

// earlier orders by due, then by key, so that the order is the same at each call.
func earlier(a, b kv.Item) int {
	return cmp.Or(cmp.Compare(a.Int(kv.DueAt), b.Int(kv.DueAt)), cmp.Compare(a.Key.Partition, b.Key.Partition),
		cmp.Compare(a.Key.Sort, b.Key.Sort))
}

// merge reads all shards of the index as one list in order.
type merge struct {
	client *dynamodb.Client
	space  string
	shards []shard
	seen   map[kv.Key]bool // an item that moved between two pages is in both
}

// shard is what was read of a shard and not yet taken, and the request for what follows.
type shard struct {
	entries []kv.Item // keys and due
	request *dynamodb.QueryInput
	done    bool // nothing follows
}

func (d *DB) merge(space string, table *string, before time.Time, limit int) *merge {
	m := &merge{client: d.client, space: space, shards: make([]shard, shards), seen: map[kv.Key]bool{}}
	for i := range m.shards {
		e := &expression{}
		condition := e.name(dueShard) + " = " + e.text(strconv.FormatInt(int64(i), shards)) + " AND " +
			e.name(kv.DueAt) + " <= " + e.value(attribute(before.UnixMilli()))
		m.shards[i].request = &dynamodb.QueryInput{TableName: table, IndexName: aws.String(dueIndex),
			KeyConditionExpression: &condition, ExpressionAttributeNames: e.names, ExpressionAttributeValues: e.values,
			Limit: aws.Int32(int32(min(limit, 1000)))}
	}
	return m
}

// next takes up to limit keys, those of the earliest entries; none at the end.
func (m *merge) next(ctx context.Context, limit int) ([]kv.Key, error) {
	var keys []kv.Key
	for len(keys) < limit {
		first := -1
		for i := range m.shards {
			s := &m.shards[i]
			if err := m.fill(ctx, s); err != nil {
				return nil, err
			}
			if len(s.entries) > 0 && (first < 0 || earlier(s.entries[0], m.shards[first].entries[0]) < 0) {
				first = i
			}
		}
		if first < 0 {
			break
		}
		key := m.shards[first].entries[0].Key
		m.shards[first].entries = m.shards[first].entries[1:]
		if !m.seen[key] {
			m.seen[key] = true
			keys = append(keys, key)
		}
	}
	return keys, nil
}

// fill reads the next page of a shard of which nothing is left.
func (m *merge) fill(ctx context.Context, s *shard) error {
	for len(s.entries) == 0 && !s.done {
		out, err := m.client.Query(ctx, s.request, reading)
		if err != nil {
			return explain(err, asking("dynamodb:Query (of its index)", *s.request.TableName))
		}
		if s.entries, err = decodeAll(m.space, out.Items); err != nil {
			return err
		}
		s.request.ExclusiveStartKey = out.LastEvaluatedKey
		s.done = len(out.LastEvaluatedKey) == 0
	}
	return nil
}
