package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tsumugi/shared/queue"
)

// Delete removes a message by the receipt of its current delivery.
func (d *Driver) Delete(ctx context.Context, name, handle string) error {
	return d.DeleteBatch(ctx, name, []string{handle})
}

// DeleteBatch removes several in one transaction. A receipt that is not good any more keeps none of the others.
func (d *Driver) DeleteBatch(ctx context.Context, name string, handles []string) error {
	err := d.settle(ctx, name, handles, func(ctx context.Context, tx *sql.Tx, r receipt, t int64) *sql.Row {
		return tx.StmtContext(ctx, d.stmt.remove).QueryRowContext(ctx, r.seq, r.delivery, t, name)
	}, true)
	if err != nil {
		return fmt.Errorf("delete from %s: %w", name, err)
	}
	return nil
}

// Hide changes the end of the time-out of the current delivery.
func (d *Driver) Hide(ctx context.Context, name, handle string, hide time.Duration) error {
	if err := queue.CheckHide(hide); err != nil {
		return fmt.Errorf("hide in %s: %w", name, err)
	}
	err := d.settle(ctx, name, []string{handle}, func(ctx context.Context, tx *sql.Tx, r receipt, t int64) *sql.Row {
		return tx.StmtContext(ctx, d.stmt.hide).QueryRowContext(ctx, r.seq, r.delivery, t, name, t+int64(hide))
	}, false)
	if err != nil {
		return fmt.Errorf("hide in %s: %w", name, err)
	}
	return nil
}

// settle changes the messages that the handles are good for, and then their groups. goneIsFine says that a message which
// does not exist any more is no error.
func (d *Driver) settle(ctx context.Context, name string, handles []string,
	change func(context.Context, *sql.Tx, receipt, int64) *sql.Row, goneIsFine bool,
) error {
	if err := queue.CheckName(name); err != nil {
		return err
	}
	var bad error // handles that are not good; the first is told
	err := d.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		for _, handle := range handles {
			r, err := parseReceipt(handle)
			if err == nil {
				err = d.settleOne(ctx, tx, r, change, goneIsFine)
			}
			if errors.Is(err, queue.ErrReceipt) || errors.Is(err, queue.ErrInvalid) {
				bad, err = cmp.Or(bad, err), nil
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	d.bell.ring(name)
	return bad
}

func (d *Driver) settleOne(ctx context.Context, tx *sql.Tx, r receipt,
	change func(context.Context, *sql.Tx, receipt, int64) *sql.Row, goneIsFine bool,
) error {
	t := now()
	var gid int64
	err := change(ctx, tx, r, t).Scan(&gid)
	if errors.Is(err, sql.ErrNoRows) {
		return d.judge(ctx, tx, r, goneIsFine)
	}
	if err != nil {
		return err
	}
	return d.refresh(ctx, tx, gid, t)
}

// judge says why a handle is not good: the message is gone, which a second Delete may meet, or the time has run out.
func (d *Driver) judge(ctx context.Context, tx *sql.Tx, r receipt, goneIsFine bool) error {
	var known bool
	if err := tx.StmtContext(ctx, d.stmt.known).QueryRowContext(ctx, r.seq).Scan(&known); err != nil {
		return err
	}
	if !known && goneIsFine {
		return nil
	}
	return queue.ErrReceipt
}

// refresh sets from when a group may be received, after one of its messages changed: at the end of its last time-out,
// or, when none is in flight, from now on.
func (d *Driver) refresh(ctx context.Context, tx *sql.Tx, gid, t int64) error {
	var count, last int64
	if err := tx.StmtContext(ctx, d.stmt.state).QueryRowContext(ctx, gid).Scan(&count, &last); err != nil {
		return err
	}
	if count == 0 {
		_, err := tx.StmtContext(ctx, d.stmt.drop).ExecContext(ctx, gid)
		return err
	}
	_, err := tx.StmtContext(ctx, d.stmt.free).ExecContext(ctx, gid, max(t, last))
	return err
}
