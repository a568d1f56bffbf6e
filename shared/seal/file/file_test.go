package file_test

import (
	"bytes"
	"errors"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"

	"tsumugi/shared/guild"
	"tsumugi/shared/seal/file"
	"tsumugi/shared/seal/sealtest"
)

func TestConforms(t *testing.T) {
	sealtest.Run(t, sealtest.Harness{New: func(t testing.TB) func(string) guild.Sealer {
		dir := t.TempDir()
		return func(key string) guild.Sealer { return file.New(filepath.Join(dir, key)) }
	}})
}

func FuzzOpen(f *testing.F) { sealtest.Fuzz(f, file.New(filepath.Join(f.TempDir(), file.Name))) }

var in = guild.Context{"guild": "1"}

// seal seals with the key file of a directory.
func seal(t *testing.T, path string) (guild.Sealed, error) {
	t.Helper()
	return file.New(path).Seal(t.Context(), in, "sk-Canary")
}

func TestKeyIsMadeByTheFirstSecret(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, file.Name)
	s := file.New(path)
	if _, err := s.Open(t.Context(), in, guild.Sealed("\x01 sealed by a key that is gone")); !errors.Is(err, guild.ErrUnsealable) || !strings.Contains(err.Error(), "put it back") {
		t.Errorf("without a key: %v", err)
	}
	if _, err := s.Seal(t.Context(), in, ""); err == nil {
		t.Error("an empty secret is sealed")
	}
	if list, _ := os.ReadDir(dir); len(list) != 0 {
		t.Errorf("there is %v before anything was sealed", list)
	}
	box, err := s.Seal(t.Context(), in, "sk-Canary")
	if err != nil {
		t.Fatal(err)
	}
	is, err := os.Lstat(path)
	if err != nil || is.Size() != 32 || !is.Mode().IsRegular() || runtime.GOOS != "windows" && is.Mode().Perm() != 0o600 {
		t.Errorf("the key file is %v, %v", is, err)
	}
	if list, _ := os.ReadDir(dir); len(list) != 1 {
		t.Errorf("there is %v", list)
	}
	if text, err := file.New(path).Open(t.Context(), in, box); err != nil || text != "sk-Canary" {
		t.Errorf("a new process opens %q, %v", text, err)
	}
	key, err := os.ReadFile(path)
	if err != nil || bytes.Equal(key, make([]byte, 32)) {
		t.Errorf("the key is %x, %v", key, err)
	}
}

// What is wrong with a key file is named with its fix, nothing is made in its place, and it counts at once when it is mended.
func TestBadKeyFileIsRefused(t *testing.T) {
	key := bytes.Repeat([]byte("k"), 32)
	put := func(t *testing.T, path string, text []byte, mode os.FileMode) {
		if err := errors.Join(os.WriteFile(path, text, 0o600), os.Chmod(path, mode)); err != nil {
			t.Fatal(err)
		}
	}
	for name, c := range map[string]struct {
		make func(t *testing.T, path string)
		says string
	}{
		"others may read it":    {func(t *testing.T, p string) { put(t, p, key, 0o644) }, "chmod 600 "},
		"the group may":         {func(t *testing.T, p string) { put(t, p, key, 0o640) }, "chmod 600 "},
		"others may write":      {func(t *testing.T, p string) { put(t, p, key, 0o602) }, "chmod 600 "},
		"others may run it":     {func(t *testing.T, p string) { put(t, p, key, 0o601) }, "chmod 600 "},
		"it is empty":           {func(t *testing.T, p string) { put(t, p, nil, 0o600) }, "32 bytes"},
		"it is short":           {func(t *testing.T, p string) { put(t, p, key[:31], 0o600) }, "32 bytes"},
		"it is long":            {func(t *testing.T, p string) { put(t, p, append(key, '\n'), 0o600) }, "32 bytes"},
		"it is very long":       {func(t *testing.T, p string) { put(t, p, bytes.Repeat(key, 1<<15), 0o600) }, "32 bytes"},
		"it is a directory":     {func(t *testing.T, p string) { must(t, os.Mkdir(p, 0o700)) }, "no file"},
		"it is a link":          {func(t *testing.T, p string) { put(t, p+".real", key, 0o600); must(t, os.Symlink(p+".real", p)) }, "link"},
		"it is a link nowhere":  {func(t *testing.T, p string) { must(t, os.Symlink(p+".gone", p)) }, "link"},
		"it is a socket":        {func(t *testing.T, p string) { listen(t, p) }, "no file"},
		"there is no directory": {func(t *testing.T, p string) { must(t, os.Remove(filepath.Dir(p))) }, "make the key file"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "data")
			must(t, os.Mkdir(dir, 0o700))
			path := filepath.Join(dir, file.Name)
			c.make(t, path)
			s := file.New(path)
			_, sealed := s.Seal(t.Context(), in, "sk-Canary")
			_, opened := s.Open(t.Context(), in, append(guild.Sealed{1}, make([]byte, 40)...))
			for _, err := range []error{sealed, opened} {
				if err == nil || !strings.Contains(err.Error(), path) {
					t.Errorf("it says %v", err)
				}
			}
			if !strings.Contains(sealed.Error(), c.says) {
				t.Errorf("%v does not say %q", sealed, c.says)
			}
			if gone := name == "there is no directory"; errors.Is(opened, guild.ErrUnsealable) != gone {
				t.Errorf("what can be mended is a verdict on the secret: %v", opened)
			}
			must(t, os.RemoveAll(path))
			must(t, os.MkdirAll(dir, 0o700))
			put(t, path, key, 0o600)
			if _, err := s.Seal(t.Context(), in, "sk-Canary"); err != nil {
				t.Errorf("mended, it says %v", err)
			}
		})
	}
}

func listen(t *testing.T, path string) {
	l, err := (&net.ListenConfig{}).Listen(t.Context(), "unix", path)
	must(t, err)
	t.Cleanup(func() { _ = l.Close() }) // its file may be gone by then
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// asked makes this test binary a process that seals once and says what came out.
const asked = "SEAL_TEST_KEY_FILE"

// Many processes that start at once have one key.
func TestOneKeyForProcessesThatStartAtOnce(t *testing.T) {
	if path := os.Getenv(asked); path != "" {
		box, err := seal(t, path)
		must(t, err)
		must(t, os.WriteFile(os.Getenv(asked+"_OUT"), box, 0o600))
		return
	}
	path := filepath.Join(t.TempDir(), file.Name)
	outs := t.TempDir()
	var all sync.WaitGroup
	for i := range 8 {
		all.Go(func() {
			cmd := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestOneKeyForProcessesThatStartAtOnce$")
			cmd.Env = append(os.Environ(), asked+"="+path, asked+"_OUT="+filepath.Join(outs, string(rune('a'+i))))
			if out, err := cmd.CombinedOutput(); err != nil {
				t.Errorf("%v: %s", err, out)
			}
		})
	}
	for range 8 { // and in this process
		all.Go(func() {
			if _, err := seal(t, path); err != nil {
				t.Error(err)
			}
		})
	}
	all.Wait()
	s := file.New(path)
	list, err := os.ReadDir(outs)
	if err != nil || len(list) != 8 {
		t.Fatalf("%d processes have sealed, %v", len(list), err)
	}
	for _, of := range list {
		box, err := os.ReadFile(filepath.Join(outs, of.Name()))
		must(t, err)
		if text, err := s.Open(t.Context(), in, box); err != nil || text != "sk-Canary" {
			t.Errorf("what %s has sealed opens to %q, %v", of.Name(), text, err)
		}
	}
	if left, _ := os.ReadDir(filepath.Dir(path)); len(left) != 1 {
		t.Errorf("there is %v", left)
	}
}

// A process that died between the key's writing and its name leaves a file that is not taken for the key.
func TestCrashWhileTheKeyIsMadeLeavesNoHalfKey(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, file.Name)
	half := path + ".new-123"
	must(t, os.WriteFile(half, []byte("half"), 0o600))
	box, err := seal(t, path)
	must(t, err)
	if text, err := file.New(path).Open(t.Context(), in, box); err != nil || text != "sk-Canary" {
		t.Errorf("it opens %q, %v", text, err)
	}
	if text, err := os.ReadFile(half); err != nil || string(text) != "half" {
		t.Errorf("another's file was changed: %q, %v", text, err)
	}
}

// A directory that cannot be written to leaves no secret sealed under a key that is not on the disk.
func TestKeyThatCannotBeWrittenSealsNothing(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("the superuser may write everywhere, so no directory can refuse it")
	}
	dir := t.TempDir()
	must(t, os.Chmod(dir, 0o500))
	if box, err := seal(t, filepath.Join(dir, file.Name)); box != nil || !errors.Is(err, os.ErrPermission) {
		t.Errorf("sealed %d bytes, error %v", len(box), err)
	}
}
