package sqlite

import (
	"bytes"
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"time"

	"tsumugi/shared/kv"
)

// sweepBatch is how many expired items one transaction of Sweep deletes: few, so that no write waits long behind it.
const sweepBatch = 200

// Write performs the operations in one transaction. The context may end it until the commit begins.
func (d *DB) Write(ctx context.Context, ops ...kv.Op) error {
	if err := kv.Validate(ops); err != nil {
		return err
	}
	tx, err := d.writer.BeginTx(ctx, nil)
	if err != nil {
		return Explain("write "+ops[0].Key.String()+" to", d.path, err)
	}
	// The statements themselves take microseconds; watching the context in each would cost more than they do.
	w := &write{ctx: context.WithoutCancel(ctx), db: d, tx: tx, now: time.Now().Unix()}
	if err := w.run(ops); err != nil {
		if e := tx.Rollback(); e != nil && !errors.Is(e, sql.ErrTxDone) {
			err = errors.Join(err, e)
		}
		var refusal *kv.ConditionError
		if errors.As(err, &refusal) || errors.Is(err, kv.ErrInvalid) || errors.Is(err, kv.ErrTooLarge) {
			return err
		}
		return Explain("write "+ops[0].Key.String()+" to", d.path, err)
	}
	return Explain("write "+ops[0].Key.String()+" to", d.path, tx.Commit())
}

// write is one transaction.
type write struct {
	ctx context.Context
	db  *DB
	tx  *sql.Tx
	now int64
}

// run holds all conditions before it changes anything, so that the first refusal in order is the one reported.
func (w *write) run(ops []kv.Op) error {
	found := make([]kv.Attrs, len(ops)) // nil: absent, or not looked for
	for i, op := range ops {
		if len(op.If) == 0 && op.Verb != kv.Update {
			continue
		}
		attrs, err := lookup(w.ctx, w.tx.StmtContext(w.ctx, w.db.look), op.Key, w.now)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		for _, c := range op.If {
			if !satisfied(attrs, c) {
				return &kv.ConditionError{Op: i, Key: op.Key}
			}
		}
		found[i] = attrs
	}
	for i, op := range ops {
		if err := w.apply(op, found[i]); err != nil {
			return fmt.Errorf("write op %d of %s: %w", i, op.Key, err)
		}
	}
	return nil
}

func (w *write) apply(op kv.Op, attrs kv.Attrs) error {
	space, pk, sk := op.Key.Space, []byte(op.Key.Partition), []byte(op.Key.Sort)
	switch op.Verb {
	case kv.Check:
		return nil
	case kv.Delete:
		_, err := w.tx.StmtContext(w.ctx, w.db.del).ExecContext(w.ctx, space, pk, sk)
		return err
	case kv.Put:
		attrs = op.Attrs
	case kv.Update:
		if attrs == nil {
			attrs = kv.Attrs{}
		}
		if err := change(attrs, op); err != nil {
			return err
		}
		if kv.Size(kv.Item{Key: op.Key, Attrs: attrs}) > kv.MaxItem {
			return kv.ErrTooLarge
		}
	}
	_, err := w.tx.StmtContext(w.ctx, w.db.put).ExecContext(w.ctx, space, pk, sk, attrs[kv.TTL], attrs[kv.DueAt], encode(attrs))
	return err
}

// change performs an Update on attributes that this transaction owns.
func change(attrs kv.Attrs, op kv.Op) error {
	for name, value := range op.Set {
		attrs[name] = value
	}
	for _, name := range op.Remove {
		delete(attrs, name)
	}
	for name, delta := range op.Add {
		old, present := attrs[name]
		if !present {
			old = int64(0)
		}
		n, ok := old.(int64)
		if !ok {
			return fmt.Errorf("add to %q, which is no integer: %w", name, kv.ErrInvalid)
		}
		sum := n + delta
		if (sum < n) != (delta < 0) {
			return fmt.Errorf("add to %q leaves the range of %d: %w", name, int64(math.MaxInt64), kv.ErrInvalid)
		}
		attrs[name] = sum
	}
	return nil
}

// satisfied tells whether the condition holds on the item; nil is an absent one.
func satisfied(attrs kv.Attrs, c kv.Cond) bool {
	if c.Test == kv.Absent && c.Attr == "" {
		return attrs == nil
	}
	value, present := attrs[c.Attr]
	if c.Test == kv.Absent || !present {
		return c.Test == kv.Absent && !present
	}
	order, alike := compare(value, c.Value)
	return alike && (order == 0 && c.Test == kv.Equals || order < 0 && c.Test == kv.Less)
}

// compare orders two values of one type; values of two types are not comparable.
func compare(a, b any) (order int, alike bool) {
	switch a := a.(type) {
	case int64:
		if b, ok := b.(int64); ok {
			return cmp.Compare(a, b), true
		}
	case string:
		if b, ok := b.(string); ok {
			return cmp.Compare(a, b), true
		}
	case []byte:
		if b, ok := b.([]byte); ok {
			return bytes.Compare(a, b), true
		}
	}
	return 0, false
}

// Sweep deletes the items that have expired, a small transaction at a time, and tells how many it deleted. Nothing depends
// on it but the size of the file.
func (d *DB) Sweep(ctx context.Context) (int, error) {
	now, total := time.Now().Unix(), 0
	for {
		result, err := d.sweep.ExecContext(ctx, now, sweepBatch)
		if err != nil {
			return total, Explain("sweep", d.path, err)
		}
		n, err := result.RowsAffected()
		total += int(n)
		if err != nil || n < sweepBatch {
			return total, Explain("sweep", d.path, err)
		}
	}
}

// Writer is the handle that Write uses. A room that keeps its own tables in the file and writes through this handle instead
// of its own queues up with Write in turn, where two handles would poll for the file's lock. It belongs to DB.
func (d *DB) Writer() *sql.DB { return d.writer }
