package sqlite_test

import (
	"bufio"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"

	"tsumugi/shared/kv"
	"tsumugi/shared/kv/sqlite"
)

// childDir tells the test binary that it is the child process of a test, and where the data directory is.
const childDir = "TSUMUGI_TEST_CHILD_DIR"

func TestMain(m *testing.M) {
	if dir := os.Getenv(childDir); dir != "" {
		fmt.Fprintln(os.Stderr, child(dir))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// child locks the directory and writes numbered items for ever, each as a transaction of two, and prints each number that
// was committed.
func child(dir string) error {
	release, err := sqlite.Lock(dir)
	if err != nil {
		return err
	}
	defer release() // without a holder the garbage collector would close the file, and let go of the lock
	d, err := sqlite.Open(ctx, filepath.Join(dir, "store.db"))
	if err != nil {
		return err
	}
	for i := 0; ; i++ {
		err := d.Write(ctx, kv.Op{Verb: kv.Put, Key: numbered("left", i)}, kv.Op{Verb: kv.Put, Key: numbered("right", i)})
		if err != nil {
			return err
		}
		fmt.Println(i)
	}
}

func numbered(partition string, i int) kv.Key {
	return kv.Key{Space: "a", Partition: partition, Sort: fmt.Sprintf("%09d", i)}
}

// A process that is killed while it writes loses nothing that it was told is committed, leaves no half transaction, and
// leaves no lock behind.
func TestKilledProcess(t *testing.T) {
	dir := t.TempDir()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), childDir+"="+dir)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	must(t, err)
	must(t, cmd.Start())
	last := -1
	lines := bufio.NewScanner(out)
	for lines.Scan() {
		if last, err = strconv.Atoi(lines.Text()); err != nil {
			t.Fatal(err)
		}
		if last != 300 {
			continue
		}
		if _, err := sqlite.Lock(dir); !errors.Is(err, sqlite.ErrLocked) {
			t.Errorf("lock beside a living process: %v, want ErrLocked", err)
		}
		must(t, cmd.Process.Kill())
	}
	if err := cmd.Wait(); err == nil || last < 300 {
		t.Fatalf("the child ended with %v after %d", err, last)
	}

	release, err := sqlite.Lock(dir)
	must(t, err)
	d := open(t, filepath.Join(dir, "store.db"))
	for i := 0; i <= last+1; i++ {
		items, err := d.BatchGet(ctx, numbered("left", i), numbered("right", i))
		must(t, err)
		if len(items) != 2 && (len(items) != 0 || i <= last) {
			t.Errorf("transaction %d of %d acknowledged ones has %d of its 2 items", i, last, len(items))
		}
	}
	must(t, release())
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	release, err := sqlite.Lock(dir)
	must(t, err)
	if _, err := sqlite.Lock(dir); !errors.Is(err, sqlite.ErrLocked) {
		t.Errorf("second lock: %v, want ErrLocked", err)
	}
	must(t, release())
	release, err = sqlite.Lock(dir)
	must(t, err)
	must(t, release())
	if _, err := sqlite.Lock(filepath.Join(dir, "nowhere")); err == nil || errors.Is(err, sqlite.ErrLocked) {
		t.Errorf("lock of no directory: %v", err)
	}
}
