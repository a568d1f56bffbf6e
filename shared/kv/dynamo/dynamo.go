// Package dynamo is the DynamoDB driver of the store: a table for each space. What lives here: the translation of the
// contract into requests, and of DynamoDB's refusals into the contract's errors. What must not live here: the meaning of
// any item, the choice of region and credentials (the caller brings the client), and retries of a refused Write.
//
// A table has the string keys pk and sk, a time of life on the attribute ttl, and an index named due with the partition
// key duep, a string, and the number due as its sort key, which projects the keys alone. Table is that definition, for
// CreateTable and for whoever declares a table elsewhere. due.go tells why the index is as it is.
package dynamo

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tsumugi/shared/kv"
	"tsumugi/shared/remedy"
)

// Names in a table.
const (
	partitionKey = "pk"
	sortKey      = "sk"
	dueShard     = "duep" // partition key of the due index
	dueIndex     = "due"
)

// rounds bounds how often BatchGet asks for keys that DynamoDB left unprocessed. A caller repeats what counts as throttling.
const rounds = 6

// DB is the driver.
type DB struct {
	client *dynamodb.Client
	tables map[string]string
}

var _ kv.Driver = (*DB)(nil)

// New gives a driver whose spaces are the keys of tables and whose tables are the values. It makes no call. A space that is
// not in tables is ErrInvalid.
func New(client *dynamodb.Client, tables map[string]string) *DB {
	return &DB{client: client, tables: tables}
}

// table names the table of a space.
func (d *DB) table(space string) (*string, error) {
	name, ok := d.tables[space]
	if !ok {
		return nil, fmt.Errorf("space %q has no table: %w", space, kv.ErrInvalid)
	}
	return &name, nil
}

// asking tells for a refusal what was asked of which tables.
func asking(action string, tables ...string) remedy.Asked {
	return remedy.Asked{Action: action, On: "table " + strings.Join(tables, " or ")}
}

// Get reads one item, consistently.
func (d *DB) Get(ctx context.Context, key kv.Key) (kv.Item, error) {
	if err := kv.ValidateKeys([]kv.Key{key}); err != nil {
		return kv.Item{}, err
	}
	table, err := d.table(key.Space)
	if err != nil {
		return kv.Item{}, err
	}
	out, err := d.client.GetItem(ctx, &dynamodb.GetItemInput{TableName: table, Key: keyOf(key), ConsistentRead: aws.Bool(true)}, reading)
	if err != nil {
		return kv.Item{}, fmt.Errorf("get %s: %w", key, explain(err, asking("dynamodb:GetItem", *table)))
	}
	if len(out.Item) == 0 || expired(out.Item, time.Now()) {
		return kv.Item{}, fmt.Errorf("get %s: %w", key, kv.ErrNotFound)
	}
	return decode(key.Space, out.Item)
}

// BatchGet reads the items consistently; a key asked for twice is ErrInvalid. Keys that DynamoDB leaves unprocessed are
// asked for again; ErrThrottled if it leaves some of them to the end.
func (d *DB) BatchGet(ctx context.Context, keys ...kv.Key) ([]kv.Item, error) {
	if err := cmp.Or(kv.ValidateKeys(keys), ctx.Err()); err != nil || len(keys) == 0 {
		return nil, err
	}
	request := map[string]types.KeysAndAttributes{}
	spaces := map[string]string{} // by table
	for _, key := range keys {
		table, err := d.table(key.Space)
		if err != nil {
			return nil, err
		}
		spaces[*table] = key.Space
		part := request[*table]
		part.ConsistentRead = aws.Bool(true)
		part.Keys = append(part.Keys, keyOf(key))
		request[*table] = part
	}
	found := map[kv.Key]kv.Item{}
	for round := 0; len(request) > 0; round++ {
		if err := pause(ctx, round); err != nil {
			return nil, fmt.Errorf("get %d keys: %w", len(keys), err)
		}
		out, err := d.client.BatchGetItem(ctx, &dynamodb.BatchGetItemInput{RequestItems: request}, reading)
		if err != nil {
			return nil, fmt.Errorf("get %d keys: %w", len(keys), explain(err, asking("dynamodb:BatchGetItem", slices.Sorted(maps.Keys(request))...)))
		}
		for table, raws := range out.Responses {
			if err := collect(found, spaces[table], raws); err != nil {
				return nil, err
			}
		}
		request = out.UnprocessedKeys
	}
	var items []kv.Item
	for _, key := range keys {
		if item, ok := found[key]; ok {
			items = append(items, item)
		}
	}
	return items, nil
}

// collect adds the items that have not expired.
func collect(found map[kv.Key]kv.Item, space string, raws []map[string]types.AttributeValue) error {
	now := time.Now()
	for _, raw := range raws {
		if expired(raw, now) {
			continue
		}
		item, err := decode(space, raw)
		if err != nil {
			return err
		}
		found[item.Key] = item
	}
	return nil
}

// pause waits before the next round of a BatchGet: not before the first, then up to 20 ms, doubling.
func pause(ctx context.Context, round int) error {
	if round == 0 {
		return nil
	}
	if round == rounds {
		return fmt.Errorf("keys left unprocessed: %w", kv.ErrThrottled)
	}
	t := time.NewTimer(rand.N(10 * time.Millisecond << round))
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Query reads one page, consistently. DynamoDB counts expired items in the limit and ends a page at one megabyte.
func (d *DB) Query(ctx context.Context, q kv.Query) (kv.Page, error) {
	if err := q.Validate(); err != nil {
		return kv.Page{}, err
	}
	table, err := d.table(q.Space)
	if err != nil {
		return kv.Page{}, err
	}
	if q.After != "" && !strings.HasPrefix(q.After, q.Prefix) {
		// DynamoDB refuses a start outside of the range: it is either before all of it or behind.
		if (q.After < q.Prefix) == q.Reverse {
			return kv.Page{}, ctx.Err()
		}
		q.After = ""
	}
	e := &expression{}
	condition := e.name(partitionKey) + " = " + e.text(q.Partition)
	if q.Prefix != "" {
		condition += " AND begins_with(" + e.name(sortKey) + ", " + e.text(q.Prefix) + ")"
	}
	in := &dynamodb.QueryInput{TableName: table, ConsistentRead: aws.Bool(true), ScanIndexForward: aws.Bool(!q.Reverse),
		KeyConditionExpression: &condition, FilterExpression: aws.String(e.live(time.Now()))}
	in.ExpressionAttributeNames, in.ExpressionAttributeValues = e.names, e.values
	if q.Limit > 0 {
		in.Limit = aws.Int32(int32(min(q.Limit, 1<<30)))
	}
	if q.After != "" {
		in.ExclusiveStartKey = keyOf(kv.Key{Partition: q.Partition, Sort: q.After})
	}
	out, err := d.client.Query(ctx, in, reading)
	if err != nil {
		return kv.Page{}, fmt.Errorf("query %s/%s: %w", q.Space, q.Partition, explain(err, asking("dynamodb:Query", *table)))
	}
	page := kv.Page{}
	if page.Items, err = decodeAll(q.Space, out.Items); err != nil {
		return kv.Page{}, err
	}
	if last, ok := out.LastEvaluatedKey[sortKey].(*types.AttributeValueMemberS); ok {
		page.Next = last.Value
	}
	return page, nil
}
