// Package kv is the contract for the store's driver: a dumb, conditional key-value store with a space, a partition and a
// sort key. What lives here is the smallest thing that both DynamoDB and an embedded engine do in the same way. What must
// not live here: the meaning of any item (that is package store), retries (package store decides what to do after a
// refusal), and any engine (one subdirectory each).
//
// A driver is held to package kvtest. Drivers are safe for concurrent use, do not retain arguments, never retry a
// refused condition, and honour the context.
package kv

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// Key names one item: a space (a table), a partition in it, and a sort key in the partition. None may be empty; sort keys
// order by bytes.
type Key struct{ Space, Partition, Sort string }

// String gives the key as it is written in errors.
func (k Key) String() string { return k.Space + "/" + k.Partition + "/" + k.Sort }

// Attrs are the attributes of an item. A value is a string, an int64 or a []byte, nothing else; empty strings and empty
// slices are kept as such. Two names have a meaning to the driver: TTL and Due.
type Attrs map[string]any

// Names of the attributes that a driver acts on.
const (
	// TTL is an int64 of Unix seconds. From that second on the item is absent for every read and every condition,
	// whether or not the engine has swept it.
	TTL = "ttl"
	// DueAt is an int64 of Unix milliseconds. Items that have it are found by Due; removing it removes them from there.
	DueAt = "due"
)

// MaxItem is the largest item in bytes: key, attribute names and values together (DynamoDB, service quotas).
const MaxItem = 400 << 10

// MaxOps is the largest number of operations of one Write (DynamoDB, TransactWriteItems).
const MaxOps = 100

// Item is a stored item. The reader owns Attrs.
type Item struct {
	Key   Key
	Attrs Attrs
}

// String reads a string attribute; "" when it is absent.
func (i Item) String(name string) string { s, _ := i.Attrs[name].(string); return s }

// Int reads an integer attribute; 0 when it is absent.
func (i Item) Int(name string) int64 { n, _ := i.Attrs[name].(int64); return n }

// Bytes reads a byte attribute; nil when it is absent.
func (i Item) Bytes(name string) []byte { b, _ := i.Attrs[name].([]byte); return b }

// Has tells whether the attribute is there.
func (i Item) Has(name string) bool { _, ok := i.Attrs[name]; return ok }

// Verb is what an Op does.
type Verb int

// The four verbs of a Write.
const (
	Put    Verb = iota // replace the item by Attrs
	Update             // change attributes; an absent item is created from the key and Set and Add
	Delete             // remove the item; absent is fine
	Check              // change nothing, only hold the conditions
)

// Op is one operation of a Write. Every condition in If must hold on the item as it is before the Write.
type Op struct {
	Verb   Verb
	Key    Key
	Attrs  Attrs            // Put
	Set    Attrs            // Update: attributes to set
	Remove []string         // Update: attributes to remove; absent ones are fine
	Add    map[string]int64 // Update: added to an integer attribute, which counts from 0 when absent; ErrInvalid on another type
	If     []Cond
}

// Test is what a Cond demands of an attribute.
type Test int

// The tests of a condition. An absent item has no attributes.
const (
	Absent Test = iota // the attribute is not there (of an absent item, none is)
	Equals             // the attribute is there with this value and type
	Less               // the attribute is there, has the type of Value, and is smaller (integers by value, text by bytes)
)

// Cond is a condition on one attribute. Attr "" with Absent demands that the item itself be absent; it goes with no other
// test.
type Cond struct {
	Attr  string
	Test  Test
	Value any
}

// Missing is the condition that the attribute is absent; Missing("") that the item is.
func Missing(attr string) Cond { return Cond{Attr: attr, Test: Absent} }

// Is is the condition that the attribute equals the value.
func Is(attr string, value any) Cond { return Cond{Attr: attr, Test: Equals, Value: value} }

// Under is the condition that the attribute is smaller than the value.
func Under(attr string, value any) Cond { return Cond{Attr: attr, Test: Less, Value: value} }

// Query asks for the items of one partition whose sort key starts with Prefix, in order of the sort key.
type Query struct {
	Space, Partition, Prefix string
	Reverse                  bool   // from the largest sort key down
	Limit                    int    // at most so many items in one page; 0 lets the driver choose
	After                    string // continue after this sort key; a Page's Next
}

// Page is one page of a Query. Next is "" on the last page; a page may be shorter than the limit, even empty, before it.
type Page struct {
	Items []Item
	Next  string
}

// Driver is a store. Get, BatchGet and Query are consistent: they see every Write that returned before they began. Due
// may lag behind.
type Driver interface {
	// Get reads one item; ErrNotFound when it is absent.
	Get(ctx context.Context, key Key) (Item, error)
	// BatchGet reads up to MaxKeys items in one round trip; absent ones are left out, the order is that of the keys asked
	// for, and a key asked for twice is ErrInvalid. It is not a snapshot across items.
	BatchGet(ctx context.Context, keys ...Key) ([]Item, error)
	// Query reads one page of a partition.
	Query(ctx context.Context, q Query) (Page, error)
	// Write performs 1 to MaxOps operations, each on an item of its own, all or nothing. When a condition fails nothing
	// is written and the error is a *ConditionError that names the first such op in order. ErrContention and
	// ErrThrottled say that nothing was written and that the same Write may be tried again. ErrTooLarge and ErrInvalid can
	// never succeed; Validate says what is malformed. After any other error the outcome is unknown: it may have been
	// written. A sum of Add that leaves the range of an int64 is the caller's mistake, and not every driver can see it.
	Write(ctx context.Context, ops ...Op) error
	// Due lists up to limit items of the space whose DueAt is not after before, the earliest first. It may lag behind
	// writes (a sparse index) and must be taken as a hint: whoever acts on it acts under conditions.
	Due(ctx context.Context, space string, before time.Time, limit int) ([]Item, error)
}

// Errors of a driver. Drivers wrap them with the operation and the key.
var (
	ErrNotFound   = errors.New("item not found")
	ErrCondition  = errors.New("condition not met")
	ErrContention = errors.New("item is being written by another transaction")
	ErrThrottled  = errors.New("store is throttling")
	ErrTooLarge   = errors.New("item is larger than 400 KB")
	ErrInvalid    = errors.New("operation is malformed")
)

// ConditionError is the refusal of a Write: Op is the index of the first operation whose conditions did not hold.
type ConditionError struct {
	Op  int
	Key Key
}

// Error names the operation and its key.
func (e *ConditionError) Error() string {
	return fmt.Sprintf("write op %d of %s: %v", e.Op, e.Key, ErrCondition)
}

// Is makes errors.Is(err, ErrCondition) true.
func (e *ConditionError) Is(target error) bool { return target == ErrCondition }

// Retryable tells whether the same call may be repeated because nothing was written.
func Retryable(err error) bool {
	return errors.Is(err, ErrContention) || errors.Is(err, ErrThrottled)
}
