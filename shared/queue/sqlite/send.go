package sqlite

import (
	"context"
	"database/sql"
	"fmt"

	"tsumugi/shared/queue"
)

// The ids whose window has ended are swept a few at a time by the senders, more than come in, so that no call is slow.
const (
	sweepEvery = 64
	sweepLimit = 256
)

// Send appends one message.
func (d *Driver) Send(ctx context.Context, name string, m queue.Message) error {
	return d.SendBatch(ctx, name, []queue.Message{m})
}

// SendBatch appends the messages in one transaction: all or none.
func (d *Driver) SendBatch(ctx context.Context, name string, ms []queue.Message) error {
	if err := queue.CheckBatch(name, ms); err != nil {
		return fmt.Errorf("send to %s: %w", name, err)
	}
	if len(ms) == 0 {
		return nil
	}
	err := d.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, m := range ms {
			if err := d.send(ctx, tx, name, m); err != nil {
				return err
			}
		}
		return d.sweep(ctx, tx, len(ms))
	})
	if err != nil {
		return fmt.Errorf("send to %s: %w", name, err)
	}
	d.bell.ring(name)
	return nil
}

// send appends one message unless its deduplication id is remembered. A dropped message does not prolong the window.
func (d *Driver) send(ctx context.Context, tx *sql.Tx, name string, m queue.Message) error {
	t := now()
	res, err := tx.StmtContext(ctx, d.stmt.remember).ExecContext(ctx, name, m.Dedup, t+int64(queue.Window), t)
	if err != nil {
		return err
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return err
	}
	attrs, err := encodeAttrs(m.Attrs)
	if err != nil {
		return err
	}
	return d.insert(ctx, tx, name, row{group: m.Group, sent: t, dedup: m.Dedup, attrs: attrs, body: m.Body})
}

// insert appends a row to its group, which it makes if the row is the first.
func (d *Driver) insert(ctx context.Context, tx *sql.Tx, name string, r row) error {
	if _, err := tx.StmtContext(ctx, d.stmt.group).ExecContext(ctx, name, r.group, now()); err != nil {
		return err
	}
	_, err := tx.StmtContext(ctx, d.stmt.message).ExecContext(ctx, name, r.group, r.origin, r.sent, r.dedup, r.attrs, r.body)
	return err
}

// sweep forgets deduplication ids whose window has ended.
func (d *Driver) sweep(ctx context.Context, tx *sql.Tx, sent int) error {
	if d.sends += sent; d.sends < sweepEvery {
		return nil
	}
	limit := sweepLimit + 2*d.sends
	d.sends = 0
	_, err := tx.StmtContext(ctx, d.stmt.forget).ExecContext(ctx, now(), limit)
	return err
}
