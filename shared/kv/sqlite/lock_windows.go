package sqlite

import (
	"errors"
	"os"
	"syscall"
)

// sharingViolation is ERROR_SHARING_VIOLATION: somebody else has the file open.
const sharingViolation = syscall.Errno(32)

// take opens the file without sharing it, which on Windows is a lock.
func take(name string) (*os.File, error) {
	path, err := syscall.UTF16PtrFromString(name)
	if err != nil {
		return nil, err
	}
	h, err := syscall.CreateFile(path, syscall.GENERIC_READ|syscall.GENERIC_WRITE, 0, nil, syscall.OPEN_ALWAYS,
		syscall.FILE_ATTRIBUTE_NORMAL, 0)
	if err != nil {
		if errors.Is(err, sharingViolation) {
			err = ErrLocked
		}
		return nil, err
	}
	return os.NewFile(uintptr(h), name), nil
}
