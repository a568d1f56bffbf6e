package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"

	engine "modernc.org/sqlite"
)

// Memory is the path of a database that lives as long as its one handle. It is for tests.
const Memory = ":memory:"

// busyMillis is how long a writer waits for the file's other writers before it gives up with kv.ErrContention.
const busyMillis = 5000

// readers bounds the connections that read. Each has a page cache of its own, and reads are short.
const readers = 4

// OpenFile opens the database file at path, creating it when there is none, for writing: a pool of one connection whose
// transactions begin immediate, so that a transaction never fails half way because another one wrote in between.
//
// Several handles, also of several processes, may be open on one file: a writer waits up to five seconds for the others.
// The log is a write-ahead log with synchronous NORMAL: a transaction that was committed survives the death of the process
// at any moment (SIGKILL), because the kernel has its pages; a power cut may lose the last transactions but never tears
// the file. That is the right trade here: it saves a disk sync a transaction, and the local mode is one machine's bot. The
// log is copied into the file (and synced) each 4000 pages, 16 MB.
//
// path may be Memory; then the database is the handle's own.
func OpenFile(path string) (*sql.DB, error) {
	return open(path, 1, false)
}

func open(path string, connections int, readOnly bool) (*sql.DB, error) {
	q := url.Values{}
	for _, pragma := range []string{"journal_mode(wal)", "synchronous(normal)", "cache_size(-16000)",
		"temp_store(memory)", "wal_autocheckpoint(4000)", "journal_size_limit(67108864)"} {
		q.Add("_pragma", pragma)
	}
	q.Set("_busy_timeout", fmt.Sprint(busyMillis))
	if readOnly {
		q.Set("_query_only", "1")
	} else {
		q.Set("_txlock", "immediate")
	}
	file := filepath.ToSlash(path)
	if filepath.VolumeName(path) != "" {
		file = "/" + file // SQLite reads a drive letter only after a slash
	}
	name := "file:" + (&url.URL{Path: file}).EscapedPath() + "?" + q.Encode()
	connector, err := engine.NewConnector(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", filepath.Base(path), err)
	}
	db := sql.OpenDB(patient{connector})
	db.SetMaxOpenConns(connections)
	db.SetMaxIdleConns(connections)
	if err := db.PingContext(context.Background()); err != nil {
		db.Close()
		return nil, Explain("open", path, err)
	}
	return db, nil
}

// patient is a connector whose connections wait for a locked file under the context of the call and by Go's clock. The
// engine installs that wait with the first call whose context can end; before, it sleeps in the kernel, deaf to both.
type patient struct{ driver.Connector }

func (p patient) Connect(ctx context.Context) (driver.Conn, error) {
	conn, err := p.Connector.Connect(ctx)
	if err != nil {
		return nil, err
	}
	if pinger, ok := conn.(driver.Pinger); ok {
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		if err := pinger.Ping(ctx); err != nil {
			return nil, errors.Join(err, conn.Close())
		}
	}
	return conn, nil
}
