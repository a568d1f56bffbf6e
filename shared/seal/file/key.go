package file

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
)

const keySize = 32 // bytes, AES-256

// obtain reads the key, and makes one where there is none.
func obtain(path string) ([]byte, error) {
	key, err := read(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := create(path); err != nil && !errors.Is(err, fs.ErrExist) { // somebody was faster: theirs is the key
		return nil, fmt.Errorf("make the key file %s: %w", path, err)
	}
	return read(path)
}

// read reads the key. It refuses a file that others may read or that is none, and says what mends it.
func read(path string) ([]byte, error) {
	before, err := os.Lstat(path) // before it is opened: a pipe would wait for its writer
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	if err := proper(path, before); err != nil {
		return nil, err
	}
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	defer f.Close()
	now, err := f.Stat()
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	if !os.SameFile(before, now) {
		return nil, fmt.Errorf("key file %s: it was replaced while it was read", path)
	}
	key, err := io.ReadAll(io.LimitReader(f, keySize+1))
	if err != nil {
		return nil, fmt.Errorf("key file: %w", err)
	}
	if len(key) != keySize {
		return nil, fmt.Errorf("key file %s: it must have %d bytes; put it back as it was, or remove it and enter the secrets again", path, keySize)
	}
	return key, nil
}

func proper(path string, is fs.FileInfo) error {
	const others = 0o077
	switch {
	case is.Mode().Type() == fs.ModeSymlink:
		return fmt.Errorf("key file %s: it is a link, and must be the file itself: put the file there in its place", path)
	case !is.Mode().IsRegular():
		return fmt.Errorf("key file %s: it is no file: remove it", path)
	case runtime.GOOS != "windows" && is.Mode().Perm()&others != 0: // where the mode says nothing
		return fmt.Errorf("key file %s: others may use it: chmod 600 %s", path, path)
	}
	return nil
}

// create makes a key, whole or not at all: it is written to the disk under another name and then linked, which fails when
// there is one. A crash in between leaves that other file, whose key was never used.
func create(path string) error {
	f, err := os.CreateTemp(filepath.Dir(path), filepath.Base(path)+".new-*") // with mode 0600
	if err != nil {
		return err
	}
	key := make([]byte, keySize)
	_, _ = rand.Read(key) // it never fails
	_, err = f.Write(key)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = os.Link(f.Name(), path)
	}
	err = errors.Join(err, os.Remove(f.Name()))
	if err != nil {
		return err
	}
	return syncDir(filepath.Dir(path))
}

// syncDir makes the name of a file last, on systems that can say so.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	defer d.Close()
	if err := d.Sync(); err != nil && !errors.Is(err, errors.ErrUnsupported) && runtime.GOOS != "windows" {
		return err
	}
	return nil
}
