package dynamo

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tsumugi/shared/kv"
)

// expression collects the placeholders of one request: every name and value goes through one, since attribute names may be
// DynamoDB's reserved words.
type expression struct {
	names  map[string]string // placeholder to name
	values map[string]types.AttributeValue
	known  map[string]string // name to placeholder
}

func (e *expression) name(name string) string {
	if placeholder, ok := e.known[name]; ok {
		return placeholder
	}
	if e.names == nil {
		e.names, e.known = map[string]string{}, map[string]string{}
	}
	placeholder := "#n" + strconv.Itoa(len(e.names))
	e.names[placeholder], e.known[name] = name, placeholder
	return placeholder
}

func (e *expression) value(v types.AttributeValue) string {
	if e.values == nil {
		e.values = map[string]types.AttributeValue{}
	}
	placeholder := ":v" + strconv.Itoa(len(e.values))
	e.values[placeholder] = v
	return placeholder
}

func (e *expression) text(s string) string { return e.value(text(s)) }

// live holds for an item that has not expired, and for an absent one.
func (e *expression) live(now time.Time) string {
	return "(attribute_not_exists(" + e.name(kv.TTL) + ") OR " + e.name(kv.TTL) + " > " + e.value(attribute(now.Unix())) + ")"
}

// dead holds for an item that has expired; a comparison with an absent attribute does not hold.
func (e *expression) dead(now time.Time) string {
	return e.name(kv.TTL) + " <= " + e.value(attribute(now.Unix()))
}

// conditions words the conditions so that an expired item counts as absent: one that demands presence also demands life,
// one that demands absence is content with death. It is "" for none.
func (e *expression) conditions(conds []kv.Cond, now time.Time) string {
	var all []string
	alive := false
	for _, c := range conds {
		switch c.Test {
		case kv.Absent:
			name := cmp.Or(c.Attr, partitionKey) // every item has its key
			all = append(all, "(attribute_not_exists("+e.name(name)+") OR "+e.dead(now)+")")
		case kv.Equals:
			all, alive = append(all, e.name(c.Attr)+" = "+e.value(attribute(c.Value))), true
		case kv.Less:
			all, alive = append(all, e.name(c.Attr)+" < "+e.value(attribute(c.Value))), true
		}
	}
	if alive {
		all = append(all, e.live(now))
	}
	return strings.Join(all, " AND ")
}

// change words an Update, names in order so that equal updates are equal requests. The shard of the due index
// comes and goes with due.
func (e *expression) change(op kv.Op) string {
	var set, remove, add []string
	for _, name := range slices.Sorted(maps.Keys(op.Set)) {
		set = append(set, e.name(name)+" = "+e.value(attribute(op.Set[name])))
	}
	for _, name := range op.Remove {
		remove = append(remove, e.name(name))
	}
	for _, name := range slices.Sorted(maps.Keys(op.Add)) {
		add = append(add, e.name(name)+" "+e.value(attribute(op.Add[name])))
	}
	_, isSet := op.Set[kv.DueAt]
	_, isAdded := op.Add[kv.DueAt]
	switch {
	case isSet || isAdded:
		set = append(set, e.name(dueShard)+" = "+e.text(shardOf(op.Key.Partition)))
	case slices.Contains(op.Remove, kv.DueAt):
		remove = append(remove, e.name(dueShard))
	}
	var words []string
	for _, clause := range []struct {
		word  string
		parts []string
	}{{"SET ", set}, {"REMOVE ", remove}, {"ADD ", add}} {
		if len(clause.parts) > 0 {
			words = append(words, clause.word+strings.Join(clause.parts, ", "))
		}
	}
	return strings.Join(words, " ")
}
