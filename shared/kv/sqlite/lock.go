package sqlite

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

// lockName is the file in the data directory that Lock locks. It stays behind, unlocked; it is never read.
const lockName = "tsumugi.lock"

// ErrLocked says that another process uses the data directory.
var ErrLocked = errors.New("another process is using this data directory: stop it, or choose another directory")

// Lock takes the data directory for this process, or refuses with ErrLocked. The kernel lets go of it when the process
// dies, however it dies, so there is never a stale lock to remove by hand. Keep release and
// call it once: the lock is gone with the last reference to it.
func Lock(dir string) (release func() error, err error) {
	f, err := take(filepath.Join(dir, lockName))
	if err != nil {
		var path *os.PathError
		if errors.As(err, &path) {
			err = path.Err // the error names the directory; its path is nobody's business
		}
		return nil, fmt.Errorf("lock directory %s: %w", filepath.Base(dir), err)
	}
	return f.Close, nil
}
