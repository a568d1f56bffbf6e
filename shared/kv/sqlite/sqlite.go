// Package sqlite is the embedded driver of the store: one table in one SQLite file, pure Go. What lives here: the driver,
// the way a database file is opened (OpenFile, which other rooms with tables in the same file use too), the lock on the
// data directory, and the sweep of expired items. What must not live here: the meaning of any item, and other rooms'
// tables.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"tsumugi/shared/kv"
)

// Keys are blobs because they order by bytes. ttl and due repeat two attributes so that they can be indexed; attrs is the
// whole item (encode).
const schema = `
CREATE TABLE IF NOT EXISTS kv (
	space TEXT NOT NULL, pk BLOB NOT NULL, sk BLOB NOT NULL,
	ttl INTEGER, due INTEGER, attrs BLOB NOT NULL,
	PRIMARY KEY (space, pk, sk)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS kv_ttl ON kv (ttl) WHERE ttl IS NOT NULL;
CREATE INDEX IF NOT EXISTS kv_due ON kv (space, due) WHERE due IS NOT NULL;`

// The statements. Every read takes the present in Unix seconds and does not see what has expired.
const (
	getSQL     = `SELECT attrs FROM kv WHERE space = ? AND pk = ? AND sk = ? AND (ttl IS NULL OR ttl > ?)`
	rangeSQL   = `SELECT pk, sk, attrs FROM kv WHERE space = ? AND pk = ? AND sk >= ? AND sk < ? AND (ttl IS NULL OR ttl > ?) ORDER BY sk`
	forwardSQL = rangeSQL + ` LIMIT ?`
	reverseSQL = rangeSQL + ` DESC LIMIT ?`
	dueSQL     = `SELECT pk, sk, attrs FROM kv WHERE space = ? AND due <= ? AND (ttl IS NULL OR ttl > ?) ORDER BY due, pk, sk LIMIT ?`
	putSQL     = `INSERT OR REPLACE INTO kv (space, pk, sk, ttl, due, attrs) VALUES (?, ?, ?, ?, ?, ?)`
	deleteSQL  = `DELETE FROM kv WHERE space = ? AND pk = ? AND sk = ?`
	sweepSQL   = `DELETE FROM kv WHERE (space, pk, sk) IN (SELECT space, pk, sk FROM kv WHERE ttl <= ? LIMIT ?)`
)

// A page of a query ends after so many items or bytes, whichever comes first, when the caller's limit does not end it.
const (
	pageItems = 1000
	pageBytes = 1 << 20
)

// DB is the driver. Close it.
type DB struct {
	path           string
	writer, reader *sql.DB

	get, forward, reverse, due *sql.Stmt // of the reader
	look, put, del, sweep      *sql.Stmt // of the writer
}

var _ kv.Driver = (*DB)(nil)

// Open opens the driver on the file at path, or on a database in memory if path is Memory. The directory must exist.
// Nothing else than the file and its -wal and -shm neighbours is touched; that one process alone uses a data directory is
// for Lock to see to.
func Open(ctx context.Context, path string) (*DB, error) {
	writer, err := OpenFile(path)
	if err != nil {
		return nil, err
	}
	d := &DB{path: path, writer: writer, reader: writer}
	if err := d.prepare(ctx); err != nil {
		return nil, errors.Join(Explain("open", path, err), d.Close())
	}
	return d, nil
}

func (d *DB) prepare(ctx context.Context) error {
	if _, err := d.writer.ExecContext(ctx, schema); err != nil {
		return err
	}
	if d.path != Memory {
		reader, err := open(d.path, readers, true)
		if err != nil {
			return err
		}
		d.reader = reader
	}
	for _, s := range []struct {
		to  **sql.Stmt
		db  *sql.DB
		sql string
	}{
		{&d.get, d.reader, getSQL}, {&d.forward, d.reader, forwardSQL}, {&d.reverse, d.reader, reverseSQL},
		{&d.due, d.reader, dueSQL}, {&d.look, d.writer, getSQL}, {&d.put, d.writer, putSQL},
		{&d.del, d.writer, deleteSQL}, {&d.sweep, d.writer, sweepSQL},
	} {
		var err error
		if *s.to, err = s.db.PrepareContext(ctx, s.sql); err != nil {
			return err
		}
	}
	return nil
}

// Close waits for nothing: calls that still run fail. It leaves no goroutine behind.
func (d *DB) Close() error {
	err := d.writer.Close()
	if d.reader != d.writer {
		err = errors.Join(d.reader.Close(), err)
	}
	return Explain("close", d.path, err)
}

// Get reads one item.
func (d *DB) Get(ctx context.Context, key kv.Key) (kv.Item, error) {
	items, err := d.BatchGet(ctx, key)
	if err != nil {
		return kv.Item{}, err
	}
	if len(items) == 0 {
		return kv.Item{}, fmt.Errorf("get %s: %w", key, kv.ErrNotFound)
	}
	return items[0], nil
}

// BatchGet reads the items one after the other; a key asked for twice is ErrInvalid.
func (d *DB) BatchGet(ctx context.Context, keys ...kv.Key) ([]kv.Item, error) {
	if err := cmp.Or(kv.ValidateKeys(keys), ctx.Err()); err != nil {
		return nil, err
	}
	var items []kv.Item
	now := time.Now().Unix()
	ctx = context.WithoutCancel(ctx) // a look takes microseconds, and to watch the context in each would cost more
	for _, key := range keys {
		attrs, err := lookup(ctx, d.get, key, now)
		if errors.Is(err, sql.ErrNoRows) {
			continue
		}
		if err != nil {
			return nil, Explain("get "+key.String()+" from", d.path, err)
		}
		items = append(items, kv.Item{Key: key, Attrs: attrs})
	}
	return items, nil
}

// lookup reads a live item; sql.ErrNoRows when there is none.
func lookup(ctx context.Context, get *sql.Stmt, key kv.Key, now int64) (kv.Attrs, error) {
	var b sql.RawBytes
	rows, err := get.QueryContext(ctx, key.Space, []byte(key.Partition), []byte(key.Sort), now)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	if !rows.Next() {
		return nil, cmp.Or(rows.Err(), sql.ErrNoRows)
	}
	if err := rows.Scan(&b); err != nil {
		return nil, err
	}
	return decode(b)
}

// Query reads one page. Sort keys are UTF-8, in which the byte 0xff does not occur: the prefix followed by it is an upper
// bound of everything that starts with the prefix.
func (d *DB) Query(ctx context.Context, q kv.Query) (kv.Page, error) {
	if err := cmp.Or(q.Validate(), ctx.Err()); err != nil {
		return kv.Page{}, err
	}
	low, high, stmt := q.Prefix, q.Prefix+"\xff", d.forward
	if q.Reverse {
		stmt = d.reverse
	}
	switch {
	case q.After == "":
	case q.Reverse:
		high = min(high, q.After)
	default:
		low = max(low, q.After+"\x00")
	}
	limit := cmp.Or(q.Limit, pageItems)
	items, more, err := d.list(ctx, stmt, q.Space, limit, pageBytes,
		q.Space, []byte(q.Partition), []byte(low), []byte(high), time.Now().Unix(), limit+1)
	if err != nil {
		return kv.Page{}, Explain(fmt.Sprintf("query %s/%s in", q.Space, q.Partition), d.path, err)
	}
	page := kv.Page{Items: items}
	if more {
		page.Next = items[len(items)-1].Key.Sort
	}
	return page, nil
}

// Due reads the index; it does not lag.
func (d *DB) Due(ctx context.Context, space string, before time.Time, limit int) ([]kv.Item, error) {
	if err := cmp.Or(kv.ValidateDue(space, limit), ctx.Err()); err != nil {
		return nil, err
	}
	items, _, err := d.list(ctx, d.due, space, limit, pageBytes, space, before.UnixMilli(), time.Now().Unix(), limit)
	return items, Explain("due "+space+" in", d.path, err)
}

// list reads rows of (pk, sk, attrs) until there are limit items or more than size bytes; more tells that rows were left.
func (d *DB) list(ctx context.Context, s *sql.Stmt, space string, limit, size int, args ...any) ([]kv.Item, bool, error) {
	rows, err := s.QueryContext(ctx, args...)
	if err != nil {
		return nil, false, err
	}
	defer rows.Close()
	var items []kv.Item
	for rows.Next() {
		if len(items) == limit || size < 0 {
			return items, true, nil
		}
		var pk, sk, b sql.RawBytes
		if err := rows.Scan(&pk, &sk, &b); err != nil {
			return nil, false, err
		}
		attrs, err := decode(b)
		if err != nil {
			return nil, false, err
		}
		items = append(items, kv.Item{Key: kv.Key{Space: space, Partition: string(pk), Sort: string(sk)}, Attrs: attrs})
		size -= len(b)
	}
	return items, false, rows.Err()
}
