package sqlite

import (
	"errors"
	"fmt"
	"path/filepath"

	engine "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"tsumugi/shared/kv"
)

// Explain words an error of the engine for whoever runs the program: the operation, the file's base name (never its path)
// and what to do. A database that stayed locked is kv.ErrContention. It is exported for the other rooms that keep tables in
// the file; nil stays nil.
func Explain(operation, path string, err error) error {
	if err == nil {
		return nil
	}
	name := filepath.Base(path)
	var e *engine.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("%s %s: %w", operation, name, err)
	}
	advice := ""
	switch e.Code() & 0xff {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return fmt.Errorf("%s %s: database stayed locked: %w", operation, name, kv.ErrContention)
	case lib.SQLITE_FULL:
		advice = "the disk is full: free some space, then start again; nothing was lost"
	case lib.SQLITE_CORRUPT:
		advice = "the file is damaged: stop the program and restore the file from a backup"
	case lib.SQLITE_NOTADB:
		advice = "the file is not a database: move it away or choose another data directory"
	case lib.SQLITE_READONLY, lib.SQLITE_PERM, lib.SQLITE_CANTOPEN:
		advice = "the file or its directory cannot be written: create the directory and give this user the right to write there"
	case lib.SQLITE_IOERR:
		advice = "the disk failed to read or write: check the disk and its file system"
	default:
		return fmt.Errorf("%s %s: %w", operation, name, err)
	}
	return fmt.Errorf("%s %s: %s: %w", operation, name, advice, err)
}
