package kvtest

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
	"sort"
	"strings"
	"sync"
	"time"

	"tsumugi/shared/kv"
)

// pageBytes ends a page as DynamoDB does, so that callers meet short pages.
const pageBytes = 1 << 20

// Memory is the in-memory twin of the contract: one lock around sorted partitions. It is as fast as a map and forgets
// everything.
func Memory() kv.Driver { return &memory{partitions: map[partition]*shelf{}} }

type partition struct{ space, name string }

// shelf is one partition: its items and their sort keys in order.
type shelf struct {
	items map[string]kv.Attrs
	order []string
}

type memory struct {
	mu         sync.RWMutex
	partitions map[partition]*shelf
}

func (m *memory) Get(ctx context.Context, key kv.Key) (kv.Item, error) {
	items, err := m.BatchGet(ctx, key)
	if err != nil {
		return kv.Item{}, err
	}
	if len(items) == 0 {
		return kv.Item{}, fmt.Errorf("get %s: %w", key, kv.ErrNotFound)
	}
	return items[0], nil
}

func (m *memory) BatchGet(ctx context.Context, keys ...kv.Key) ([]kv.Item, error) {
	if err := cmp.Or(kv.ValidateKeys(keys), ctx.Err()); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	var items []kv.Item
	for _, key := range keys {
		if attrs, ok := m.live(key, time.Now()); ok {
			items = append(items, kv.Item{Key: key, Attrs: clone(attrs)})
		}
	}
	return items, nil
}

func (m *memory) Query(ctx context.Context, q kv.Query) (kv.Page, error) {
	if err := cmp.Or(q.Validate(), ctx.Err()); err != nil {
		return kv.Page{}, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	s := m.partitions[partition{q.Space, q.Partition}]
	if s == nil {
		return kv.Page{}, nil
	}
	order := slices.Clone(s.order)
	if q.Reverse {
		slices.Reverse(order)
	}
	var page kv.Page
	size, now := 0, time.Now()
	for _, sk := range order {
		passed := q.After == "" || (sk > q.After) != q.Reverse && sk != q.After
		key := kv.Key{Space: q.Space, Partition: q.Partition, Sort: sk}
		attrs, ok := m.live(key, now)
		if !passed || !ok || !strings.HasPrefix(sk, q.Prefix) {
			continue
		}
		if n := len(page.Items); n > 0 && (n == q.Limit || size > pageBytes) {
			page.Next = page.Items[n-1].Key.Sort
			break
		}
		item := kv.Item{Key: key, Attrs: clone(attrs)}
		page.Items = append(page.Items, item)
		size += kv.Size(item)
	}
	return page, nil
}

func (m *memory) Due(ctx context.Context, space string, before time.Time, limit int) ([]kv.Item, error) {
	if err := cmp.Or(kv.ValidateDue(space, limit), ctx.Err()); err != nil {
		return nil, err
	}
	m.mu.RLock()
	defer m.mu.RUnlock()
	var items []kv.Item
	now := time.Now()
	for p, s := range m.partitions {
		if p.space != space {
			continue
		}
		for sk := range s.items {
			key := kv.Key{Space: space, Partition: p.name, Sort: sk}
			attrs, ok := m.live(key, now)
			if due, has := attrs[kv.DueAt].(int64); ok && has && due <= before.UnixMilli() {
				items = append(items, kv.Item{Key: key, Attrs: attrs})
			}
		}
	}
	slices.SortFunc(items, func(a, b kv.Item) int {
		return cmp.Or(cmp.Compare(a.Int(kv.DueAt), b.Int(kv.DueAt)), cmp.Compare(a.Key.Partition, b.Key.Partition),
			cmp.Compare(a.Key.Sort, b.Key.Sort))
	})
	items = items[:min(limit, len(items))]
	for i := range items {
		items[i].Attrs = clone(items[i].Attrs)
	}
	return items, nil
}

func (m *memory) Write(ctx context.Context, ops ...kv.Op) error {
	if err := kv.Validate(ops); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err := ctx.Err(); err != nil {
		return fmt.Errorf("write %s: %w", ops[0].Key, err)
	}
	now := time.Now()
	for i, op := range ops {
		attrs, ok := m.live(op.Key, now)
		for _, c := range op.If {
			if !holds(c, attrs, ok) {
				return &kv.ConditionError{Op: i, Key: op.Key}
			}
		}
	}
	next := make([]kv.Attrs, len(ops))
	for i, op := range ops {
		var fault error
		switch op.Verb {
		case kv.Put:
			next[i] = clone(op.Attrs)
		case kv.Update:
			attrs, _ := m.live(op.Key, now)
			next[i], fault = updated(attrs, op)
		}
		if fault == nil && kv.Size(kv.Item{Key: op.Key, Attrs: next[i]}) > kv.MaxItem {
			fault = kv.ErrTooLarge
		}
		if fault != nil {
			return fmt.Errorf("write op %d of %s: %w", i, op.Key, fault)
		}
	}
	for i, op := range ops {
		switch op.Verb {
		case kv.Put, kv.Update:
			m.set(op.Key, next[i])
		case kv.Delete:
			m.drop(op.Key)
		}
	}
	return nil
}

// live finds the stored attributes of an item that has not expired.
func (m *memory) live(key kv.Key, now time.Time) (kv.Attrs, bool) {
	s := m.partitions[partition{key.Space, key.Partition}]
	if s == nil {
		return nil, false
	}
	attrs, ok := s.items[key.Sort]
	if ttl, has := attrs[kv.TTL].(int64); has && ttl <= now.Unix() {
		return nil, false
	}
	return attrs, ok
}

func (m *memory) set(key kv.Key, attrs kv.Attrs) {
	p := partition{key.Space, key.Partition}
	s := m.partitions[p]
	if s == nil {
		s = &shelf{items: map[string]kv.Attrs{}}
		m.partitions[p] = s
	}
	if _, ok := s.items[key.Sort]; !ok {
		s.order = slices.Insert(s.order, sort.SearchStrings(s.order, key.Sort), key.Sort)
	}
	s.items[key.Sort] = attrs
}

func (m *memory) drop(key kv.Key) {
	s := m.partitions[partition{key.Space, key.Partition}]
	if s == nil {
		return
	}
	if _, ok := s.items[key.Sort]; ok {
		delete(s.items, key.Sort)
		i := sort.SearchStrings(s.order, key.Sort)
		s.order = slices.Delete(s.order, i, i+1)
	}
}

// holds tells whether the condition holds on an item; exists is false for an absent one.
func holds(c kv.Cond, attrs kv.Attrs, exists bool) bool {
	if c.Attr == "" {
		return !exists
	}
	have, ok := attrs[c.Attr]
	if c.Test == kv.Absent {
		return !ok
	}
	switch want := c.Value.(type) {
	case int64:
		n, same := have.(int64)
		return same && (c.Test == kv.Equals && n == want || c.Test == kv.Less && n < want)
	case string:
		s, same := have.(string)
		return same && (c.Test == kv.Equals && s == want || c.Test == kv.Less && s < want)
	case []byte:
		b, same := have.([]byte)
		return same && bytes.Equal(b, want)
	}
	return false
}

// updated is the item after an Update.
func updated(attrs kv.Attrs, op kv.Op) (kv.Attrs, error) {
	out := clone(attrs)
	maps.Copy(out, clone(op.Set))
	for _, name := range op.Remove {
		delete(out, name)
	}
	for name, delta := range op.Add {
		have, ok := out[name]
		n, integer := have.(int64)
		if ok && !integer {
			return nil, fmt.Errorf("add to %q, which is no integer: %w", name, kv.ErrInvalid)
		}
		if delta > 0 && n > math.MaxInt64-delta || delta < 0 && n < math.MinInt64-delta {
			return nil, fmt.Errorf("add to %q overflows: %w", name, kv.ErrInvalid)
		}
		out[name] = n + delta
	}
	return out, nil
}

func clone(attrs kv.Attrs) kv.Attrs {
	out := make(kv.Attrs, len(attrs))
	for name, value := range attrs {
		if b, ok := value.([]byte); ok {
			value = append([]byte{}, b...)
		}
		out[name] = value
	}
	return out
}
