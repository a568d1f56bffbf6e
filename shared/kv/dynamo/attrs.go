package dynamo

import (
	"fmt"
	"strconv"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tsumugi/shared/kv"
)

// keyOf is the key within its table.
func keyOf(key kv.Key) map[string]types.AttributeValue {
	return map[string]types.AttributeValue{partitionKey: text(key.Partition), sortKey: text(key.Sort)}
}

func text(s string) types.AttributeValue { return &types.AttributeValueMemberS{Value: s} }

// attribute translates a value that kv.Validate has let through.
func attribute(value any) types.AttributeValue {
	switch v := value.(type) {
	case int64:
		return &types.AttributeValueMemberN{Value: strconv.FormatInt(v, 10)}
	case []byte:
		return &types.AttributeValueMemberB{Value: append([]byte{}, v...)}
	default:
		s, _ := v.(string)
		return text(s)
	}
}

// record is the stored form of an item: its attributes, its key, and its shard of the due index.
func record(key kv.Key, attrs kv.Attrs) map[string]types.AttributeValue {
	raw := keyOf(key)
	for name, value := range attrs {
		raw[name] = attribute(value)
	}
	if _, ok := attrs[kv.DueAt]; ok {
		raw[dueShard] = text(shardOf(key.Partition))
	}
	return raw
}

// decode is the inverse of record.
func decode(space string, raw map[string]types.AttributeValue) (kv.Item, error) {
	it := kv.Item{Key: kv.Key{Space: space}, Attrs: make(kv.Attrs, len(raw))}
	for name, value := range raw {
		switch v := value.(type) {
		case *types.AttributeValueMemberS:
			it.Attrs[name] = v.Value
		case *types.AttributeValueMemberN:
			n, err := strconv.ParseInt(v.Value, 10, 64)
			if err != nil {
				return kv.Item{}, fmt.Errorf("read %s: attribute %q is no 64-bit integer", space, name)
			}
			it.Attrs[name] = n
		case *types.AttributeValueMemberB:
			it.Attrs[name] = append([]byte{}, v.Value...)
		default:
			return kv.Item{}, fmt.Errorf("read %s: attribute %q has a type that this program never writes", space, name)
		}
	}
	it.Key.Partition, it.Key.Sort = it.String(partitionKey), it.String(sortKey)
	delete(it.Attrs, partitionKey)
	delete(it.Attrs, sortKey)
	delete(it.Attrs, dueShard)
	return it, nil
}

func decodeAll(space string, raws []map[string]types.AttributeValue) ([]kv.Item, error) {
	out := make([]kv.Item, 0, len(raws))
	for _, raw := range raws {
		it, err := decode(space, raw)
		if err != nil {
			return nil, err
		}
		out = append(out, it)
	}
	return out, nil
}

// expired tells whether the time of life of a stored item is over.
func expired(raw map[string]types.AttributeValue, now time.Time) bool {
	n, ok := raw[kv.TTL].(*types.AttributeValueMemberN)
	if !ok {
		return false
	}
	end, err := strconv.ParseInt(n.Value, 10, 64)
	return err == nil && end <= now.Unix()
}
