package queue_test

import (
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
)

func size(t *testing.T, path string) int64 {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return info.Size()
}

// left gives the lines of a file that a spool left, a1 to a4.
func left(t *testing.T, path string) []string {
	t.Helper()
	queues := gone()
	s := spool(t, queuetest.Memory(5), queue.SpoolOptions{Path: path}, queues.decide)
	s.put("a1", "a2", "a3", "a4")
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return strings.SplitAfter(string(text), "\n")[:4]
}

func TestSpoolFileThatIsNotWhole(t *testing.T) {
	for name, c := range map[string]struct {
		change func(lines []string) []string
		want   string // what is sent
		aside  bool
	}{
		"whole":                           {func(l []string) []string { return l }, "a1 a2 a3 a4", false},
		"empty":                           {func([]string) []string { return nil }, "", false},
		"a torn end":                      {func(l []string) []string { l[3] = l[3][:len(l[3])-5]; return l }, "a1 a2 a3", false},
		"only a torn end":                 {func(l []string) []string { return []string{l[0][:3]} }, "", false},
		"a line is changed":               {func(l []string) []string { l[1] = strings.Replace(l[1], "words", "wards", 1); return l }, "a1 a3 a4", true},
		"a line is something else":        {func(l []string) []string { l[1] = "garbage\n"; return l }, "a1 a3 a4", true},
		"a line is empty":                 {func(l []string) []string { l[1] = "\n"; return l }, "a1 a3 a4", true},
		"zeroes after a loss of power":    {func(l []string) []string { l[3] = strings.Repeat("\x00", 80) + "\n"; return l }, "a1 a2 a3", true},
		"a newer program's line":          {func(l []string) []string { l[3] = "2 zstd whatever\n"; return l }, "a1 a2 a3", true},
		"a newer program's file":          {func(l []string) []string { return []string{"12 a\n", "12 b\n"} }, "", true},
		"a file of something else":        {func([]string) []string { return []string{"SQLite format 3\n"} }, "", true},
		"a line as long as no event":      {func(l []string) []string { l[1] = strings.Repeat("x", 5<<20) + "\n"; return l }, "a1 a3 a4", true},
		"5 MB without an end":             {func(l []string) []string { l[3] = strings.Repeat("x", 5<<20); return l }, "a1 a2 a3", true},
		"a line of a body without an end": {func(l []string) []string { l[0] = l[0][:20] + "\n"; return l }, "a2 a3 a4", true},
	} {
		dir := t.TempDir()
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				path := filepath.Join(dir, "spool")
				text := strings.Join(c.change(left(t, path)), "")
				if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
					t.Fatal(err)
				}
				s := spool(t, queuetest.Memory(5), queue.SpoolOptions{Path: path}, nil)
				s.put("a9")
				time.Sleep(time.Minute)
				if got := strings.Join(on(t, s.inner), " "); got != strings.TrimSpace(c.want+" a9") {
					t.Errorf("sent %s, want %s and a9", got, c.want)
				}
				aside, err := filepath.Glob(path + ".aside-*")
				if err != nil || (len(aside) == 1) != c.aside {
					t.Fatalf("set aside: %v, %v", aside, err)
				}
				if c.aside {
					if kept, err := os.ReadFile(aside[0]); err != nil || string(kept) != text {
						t.Errorf("the file set aside is not the one that was there: %v", err)
					}
				}
				if err := s.close(); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// What the disk does to the file while it is in use costs the events that it hits, and nothing else: the counts fit, and each
// of the others is reported as itself.
func TestSpoolFileThatChangesInUse(t *testing.T) {
	for name, c := range map[string]struct {
		change func(lines []string) // those of a5 to a9 are not in memory
		want   string
	}{
		"a word is changed": {func(l []string) { l[5] = strings.Replace(l[5], "words", "wards", 1) }, "a1 a2 a3 a4 a5 a7 a8 a9"},
		"another version":   {func(l []string) { l[5] = "2" + l[5][1:] }, "a1 a2 a3 a4 a5 a7 a8 a9"},
		"no event":          {func(l []string) { l[5] = other(len(l[5])) }, "a1 a2 a3 a4 a5 a7 a8 a9"},
		"the first":         {func(l []string) { l[4] = other(len(l[4])) }, "a1 a2 a3 a4 a6 a7 a8 a9"},
		"the last":          {func(l []string) { l[8] = "2" + l[8][1:] }, "a1 a2 a3 a4 a5 a6 a7 a8"},
		"an end is gone":    {func(l []string) { l[5] = strings.TrimSpace(l[5]) + " " }, "a1 a2 a3 a4 a5 a7 a8 a9"},
		"one end more":      {func(l []string) { l[5] = l[5][:30] + "\n" + l[5][31:] }, "a1 a2 a3 a4 a5 a7 a8 a9"},
		"the rest is gone":  {func(l []string) { l[7], l[8] = l[7][:10], "" }, "a1 a2 a3 a4 a5 a6 a7"},
		"all of it is gone": {func(l []string) { clear(l) }, "a1 a2 a3 a4"},
		"all of it is zeros": {func(l []string) {
			for i := 4; i < 9; i++ {
				l[i] = strings.Repeat("\x00", len(l[i]))
			}
		}, "a1 a2 a3 a4"},
	} {
		dir := t.TempDir()
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				path, queues := filepath.Join(dir, "spool"), gone()
				s := spool(t, queuetest.Memory(5), queue.SpoolOptions{Path: path, Events: 4}, queues.decide)
				s.put(numbered("a", 1, 9)...)
				text, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				lines := strings.SplitAfter(string(text), "\n")[:9]
				c.change(lines)
				if err := os.WriteFile(path, []byte(strings.Join(lines, "")), 0o600); err != nil {
					t.Fatal(err)
				}
				queues.away.Store(false)
				time.Sleep(time.Minute)
				s.put("a10")
				time.Sleep(time.Minute)
				equal(t, "done", s.finished(), strings.Fields(c.want+" a10"))
				equal(t, "on the queue", on(t, s.inner), s.finished())
				if n := size(t, path); n != 0 {
					t.Errorf("the file has %d bytes after all was sent", n)
				}
				if err := s.close(); err != nil {
					t.Fatal(err)
				}
			})
		})
	}
}

// other is a line of so many bytes whose checksum is right and whose body is no event.
func other(size int) string {
	body := strings.Repeat("x", size-len("1 00000000 \n"))
	return fmt.Sprintf("1 %08x %s\n", crc32.ChecksumIEEE([]byte(body)), body)
}

// A device or a directory is no file: reading it might never end.
func TestSpoolFileThatIsNoFile(t *testing.T) {
	for _, path := range []string{os.DevNull, t.TempDir()} {
		if _, err := queue.NewSpool(queuetest.Memory(5), queue.SpoolOptions{Path: path}); err == nil || !strings.Contains(err.Error(), path) {
			t.Errorf("%s: error %v", path, err)
		}
	}
}

// A file that cannot be made is an error with its path, at the start and not at the first outage.
func TestSpoolFileThatCannotBe(t *testing.T) {
	path := filepath.Join(t.TempDir(), "missing", "spool")
	if _, err := queue.NewSpool(queuetest.Memory(5), queue.SpoolOptions{Path: path}); err == nil || !strings.Contains(err.Error(), path) {
		t.Errorf("error %v", err)
	}
}
