// Package sqlite keeps FIFO queues in SQLite. What lives here: the tables, and the rules of SQS FIFO as statements on
// them. What must not live here: how a database file is opened (the caller brings the handle), the pump that calls
// handlers (package queue), and any transaction that also touches items of package kv: the two are separate systems even
// when they share a file.
package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"time"

	sqlite3 "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"tsumugi/shared/queue"
)

// DefaultMaxReceives is how often a message is delivered before it goes to the dead-letter queue.
const DefaultMaxReceives = 5

// Errors of the file, so that an operator reads what to do.
var (
	ErrFull   = errors.New("the disk or the database file is full")
	ErrLocked = errors.New("the database file is locked by another process")
)

// Options are the optional settings of Open. The zero value works.
type Options struct {
	MaxReceives int // deliveries before a message is dead-lettered; 0 means DefaultMaxReceives
}

// Driver is a queue.Driver, a queue.BatchSender, a queue.BatchDeleter and a queue.Gauge over one database. It starts no goroutine. Each call is a transaction
// of its own that, once begun, is not broken off by its context: it takes far less than a millisecond, and a half-known
// outcome would cost more.
type Driver struct {
	db    *sql.DB
	stmt  statements
	max   int
	mu    sync.Mutex // one writer at a time, so that callers wait here in turn and not in SQLite's busy handler
	sends int        // since the last sweep of the deduplication ids; under mu
	bell  bell
}

var (
	_ queue.Driver       = (*Driver)(nil)
	_ queue.BatchSender  = (*Driver)(nil)
	_ queue.BatchDeleter = (*Driver)(nil)
	_ queue.Gauge        = (*Driver)(nil)
)

// Open makes the queues' tables where they are missing. The caller keeps the database and closes it after the driver.
// Pollers are woken by senders of the same Driver only, so one process opens one.
func Open(ctx context.Context, db *sql.DB, o Options) (*Driver, error) {
	if o.MaxReceives < 0 {
		return nil, fmt.Errorf("open queues: %d receives", o.MaxReceives)
	}
	if o.MaxReceives == 0 {
		o.MaxReceives = DefaultMaxReceives
	}
	stmt, err := prepare(ctx, db)
	if err != nil {
		return nil, explain(err)
	}
	return &Driver{db: db, stmt: stmt, max: o.MaxReceives}, nil
}

// Close releases what Open prepared. The database stays open.
func (d *Driver) Close() error { return d.stmt.close() }

// transact runs f in a transaction, alone among the writers of this driver.
func (d *Driver) transact(ctx context.Context, f func(context.Context, *sql.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	ctx = context.WithoutCancel(ctx)
	d.mu.Lock()
	defer d.mu.Unlock()
	tx, err := d.db.BeginTx(ctx, nil)
	if err != nil {
		return explain(err)
	}
	if err := f(ctx, tx); err != nil {
		return errors.Join(explain(err), ignoreDone(tx.Rollback()))
	}
	return explain(tx.Commit())
}

// ignoreDone drops the error of rolling back what SQLite has rolled back already.
func ignoreDone(err error) error {
	if errors.Is(err, sql.ErrTxDone) {
		return nil
	}
	return err
}

// explain puts a name to the two failures that an operator can repair.
func explain(err error) error {
	var e *sqlite3.Error
	if !errors.As(err, &e) {
		return err
	}
	switch e.Code() & 0xff { // extended codes carry the primary one in the low byte
	case lib.SQLITE_FULL:
		return fmt.Errorf("%w: %w", ErrFull, err)
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return fmt.Errorf("%w: %w", ErrLocked, err)
	}
	return err
}

// now is the time in the unit of the tables.
func now() int64 { return time.Now().UnixNano() }

// encodeAttrs writes attributes as a column, "" for none.
func encodeAttrs(attrs map[string]string) (string, error) {
	if len(attrs) == 0 {
		return "", nil
	}
	b, err := json.Marshal(attrs)
	return string(b), err
}

// decodeAttrs reads what encodeAttrs wrote.
func decodeAttrs(column string) (attrs map[string]string, err error) {
	if column == "" {
		return nil, nil
	}
	err = json.Unmarshal([]byte(column), &attrs)
	return attrs, err
}
