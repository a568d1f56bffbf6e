package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"tsumugi/shared/queue"
)

// row is a message as it is stored, with its group.
type row struct {
	seq, gid           int64
	group              string
	origin             sql.NullInt64 // seq in the first queue, when this is a dead letter
	sent, receives     int64
	dedup, attrs, body string
}

// Receive takes messages of the groups that have waited longest.
func (d *Driver) Receive(ctx context.Context, name string, max int, hide time.Duration) ([]queue.Received, error) {
	out, buried, err := d.receive(ctx, name, max, hide)
	if err != nil {
		return nil, fmt.Errorf("receive from %s: %w", name, err)
	}
	if buried {
		d.bell.ring(queue.Dead(name))
	}
	return out, nil
}

func (d *Driver) receive(ctx context.Context, name string, max int, hide time.Duration) (out []queue.Received, buried bool, err error) {
	if err := queue.CheckName(name); err != nil {
		return nil, false, err
	}
	if err := queue.CheckReceive(max, hide); err != nil {
		return nil, false, err
	}
	err = d.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		t := now()
		for {
			rows, err := d.ready(ctx, tx, name, t, max)
			if err != nil {
				return err
			}
			moved, err := d.bury(ctx, tx, name, rows, t)
			if err != nil {
				return err
			}
			if moved == 0 {
				out, err = d.take(ctx, tx, rows, t+int64(hide))
				return err
			}
			buried = true // what stood behind the dead letters may be taken now: look again
		}
	})
	return out, buried, err
}

// ready lists up to max messages that may be received, group by group.
func (d *Driver) ready(ctx context.Context, tx *sql.Tx, name string, t int64, max int) (list []row, err error) {
	rows, err := tx.StmtContext(ctx, d.stmt.ready).QueryContext(ctx, name, t, max)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var r row
		if err := rows.Scan(&r.seq, &r.gid, &r.group, &r.origin, &r.sent, &r.receives, &r.dedup, &r.attrs, &r.body); err != nil {
			return nil, err
		}
		list = append(list, r)
	}
	return list, rows.Err()
}

// bury moves the messages that have been delivered often enough to the dead-letter queue, in their order.
func (d *Driver) bury(ctx context.Context, tx *sql.Tx, name string, rows []row, t int64) (moved int, err error) {
	dead := queue.Dead(name)
	if dead == "" {
		return 0, nil
	}
	for _, r := range rows {
		if r.receives < int64(d.max) {
			continue
		}
		moved++
		letter := r
		letter.sent = t
		letter.origin = sql.NullInt64{Int64: r.seq, Valid: true}
		if err := d.insert(ctx, tx, dead, letter); err != nil {
			return moved, err
		}
		if _, err := tx.StmtContext(ctx, d.stmt.purge).ExecContext(ctx, r.seq); err != nil {
			return moved, err
		}
		if err := d.refresh(ctx, tx, r.gid, t); err != nil {
			return moved, err
		}
	}
	return moved, nil
}

// take hides the messages and blocks their groups until then.
func (d *Driver) take(ctx context.Context, tx *sql.Tx, rows []row, until int64) ([]queue.Received, error) {
	if len(rows) == 0 {
		return nil, nil
	}
	seqs, gids := make([]int64, 0, len(rows)), make([]int64, 0, len(rows))
	out := make([]queue.Received, 0, len(rows))
	for _, r := range rows {
		got, err := r.received()
		if err != nil {
			return nil, err
		}
		out = append(out, got)
		seqs, gids = append(seqs, r.seq), append(gids, r.gid)
	}
	if err := d.mark(ctx, tx, d.stmt.take, until, seqs); err != nil {
		return nil, err
	}
	return out, d.mark(ctx, tx, d.stmt.block, until, gids)
}

// mark runs a statement that sets a time on many rows.
func (d *Driver) mark(ctx context.Context, tx *sql.Tx, stmt *sql.Stmt, until int64, ids []int64) error {
	list, err := json.Marshal(ids)
	if err != nil {
		return err
	}
	_, err = tx.StmtContext(ctx, stmt).ExecContext(ctx, until, string(list))
	return err
}

// received is the row as it is handed out by the delivery that is being made.
func (r row) received() (queue.Received, error) {
	attrs, err := decodeAttrs(r.attrs)
	if err != nil {
		return queue.Received{}, fmt.Errorf("attributes of message %d: %w", r.seq, err)
	}
	id := r.seq
	if r.origin.Valid {
		id = r.origin.Int64
	}
	return queue.Received{
		Message:  queue.Message{Group: r.group, Dedup: r.dedup, Body: r.body, Attrs: attrs},
		ID:       strconv.FormatInt(id, 10),
		Receipt:  receipt{r.seq, r.receives + 1}.String(),
		Receives: int(r.receives) + 1,
		Sent:     time.Unix(0, r.sent),
	}, nil
}

// receipt names one delivery of one message.
type receipt struct{ seq, delivery int64 }

func (r receipt) String() string {
	return strconv.FormatInt(r.seq, 10) + "." + strconv.FormatInt(r.delivery, 10)
}

// parseReceipt reads a receipt; one that was never given out is malformed.
func parseReceipt(s string) (r receipt, err error) {
	seq, delivery, ok := strings.Cut(s, ".")
	if ok {
		r.seq, err = strconv.ParseInt(seq, 10, 64)
	}
	if ok && err == nil {
		r.delivery, err = strconv.ParseInt(delivery, 10, 64)
	}
	if !ok || err != nil {
		return r, fmt.Errorf("%w: receipt handle", queue.ErrInvalid)
	}
	return r, nil
}

// Waiting counts the messages that are not in flight.
func (d *Driver) Waiting(ctx context.Context, name string) (n int, err error) {
	if err = queue.CheckName(name); err == nil {
		err = explain(d.stmt.count.QueryRowContext(ctx, name, now()).Scan(&n))
	}
	if err != nil {
		return 0, fmt.Errorf("look at %s: %w", name, err)
	}
	return n, nil
}
