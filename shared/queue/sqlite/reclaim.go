package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"tsumugi/shared/queue"
)

// Reclaim takes back what a process that is gone had received: its messages become visible after the time from now at the
// latest, not at the end of their time-outs. It is for a process that has the file to itself, before it receives anything:
// nobody is left who could work on them.
func (d *Driver) Reclaim(ctx context.Context, name string, within time.Duration) error {
	if err := queue.CheckName(name); err != nil {
		return fmt.Errorf("reclaim: %w", err)
	}
	err := d.transact(ctx, func(ctx context.Context, tx *sql.Tx) error {
		t := now() + int64(within)
		for _, change := range []string{
			`UPDATE queue_messages SET visible = ?2 WHERE visible > ?2 AND gid IN (SELECT id FROM queue_groups WHERE queue = ?1)`,
			`UPDATE queue_groups SET free = ?2 WHERE free > ?2 AND queue = ?1`,
		} {
			if _, err := tx.ExecContext(ctx, change, name, t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("reclaim %s: %w", name, explain(err))
	}
	d.bell.ring(name)
	return nil
}
