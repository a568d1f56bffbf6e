//go:build unix

package local_test

import (
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	kvsqlite "tsumugi/shared/kv/sqlite"
	simmodel "tsumugi/shared/sim/model"
)

// refuses waits for the end of a process that cannot start, and holds its last words to what whoever runs it needs: one
// line, on which all of these texts stand.
func (i *instance) refuses(texts ...string) {
	i.t.Helper()
	if code := i.exit(soon); code != 1 {
		i.t.Errorf("exit code %d, want 1", code)
	}
	lines := strings.Split(strings.TrimSpace(i.err.String()), "\n")
	last := lines[len(lines)-1]
	if !strings.HasPrefix(last, "tsumugi: ") {
		i.t.Errorf("the last line is %q; the error must be on one line, after the name of the program", last)
	}
	for _, text := range texts {
		if !strings.Contains(last, text) {
			i.t.Errorf("the error is %q; it does not say %q", last, text)
		}
	}
	if out := i.out.String(); out != "" {
		i.t.Errorf("it told people %q and did not start", out)
	}
}

func TestSecondProcessOnTheSameData(t *testing.T) {
	w := newWorld(t, open())
	w.ready()
	w.start().refuses(w.data, "TSUMUGI_DATA", "another process is using", "stop it")
	w.goesOn()
}

func TestBotThatIsInstalledElsewhere(t *testing.T) {
	w := newWorld(t, open())
	elsewhere := httptest.NewServer(http.HandlerFunc(func(rw http.ResponseWriter, r *http.Request) {
		if !strings.HasSuffix(r.URL.Path, "/applications/@me") {
			http.NotFound(rw, r)
			return
		}
		rw.Header().Set("Content-Type", "application/json")
		_, _ = rw.Write([]byte(`{"id":"1","name":"Mira","flags":0,"interactions_endpoint_url":"https://bot.invalid/interactions"}`))
	}))
	t.Cleanup(elsewhere.Close)
	w.env["TSUMUGI_DISCORD_URL"] = elsewhere.URL + "/api/v10"
	w.start().refuses("installed elsewhere", "DISCORD_TOKEN", "TSUMUGI_FORCE")
}

func TestUnusableData(t *testing.T) {
	cases := []struct {
		name string
		make func(t *testing.T, w *world, file string) func(*exec.Cmd)
		want []string
	}{
		{"a file is in the place of the directory", func(t *testing.T, w *world, file string) func(*exec.Cmd) {
			w.env["TSUMUGI_DATA"] = file
			write(t, file, "a file")
			return nil
		}, []string{"TSUMUGI_DATA", "not a directory"}},
		{"not ours to write", func(t *testing.T, w *world, file string) func(*exec.Cmd) {
			if err := os.Chmod(w.data, 0o500); err != nil {
				t.Fatal(err)
			}
			return asNobody(t, w)
		}, []string{"TSUMUGI_DATA", "permission denied"}},
		{"locked by somebody's tool", func(t *testing.T, w *world, file string) func(*exec.Cmd) {
			db, err := kvsqlite.OpenFile(file)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { db.Close() })
			conn, err := db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { conn.Close() })
			if _, err := conn.ExecContext(t.Context(), "BEGIN EXCLUSIVE"); err != nil {
				t.Fatal(err)
			}
			return nil
		}, []string{"TSUMUGI_DATA", "tsumugi.db", "stayed locked"}},
		{"not a database", func(t *testing.T, w *world, file string) func(*exec.Cmd) {
			write(t, file, strings.Repeat("these are not the pages of a database\n", 1000))
			return nil
		}, []string{"TSUMUGI_DATA", "tsumugi.db", "not a database", "move it away"}},
		{"a damaged database", func(t *testing.T, w *world, file string) func(*exec.Cmd) {
			i := w.ready()
			i.signal(syscall.SIGTERM)
			if code := i.exit(soon); code != 0 {
				t.Fatalf("exit code %d", code)
			}
			page, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for at := 100; at < len(page); at++ { // after the head, which says that this is a database
				page[at] = 0xa5
			}
			write(t, file, string(page))
			return nil
		}, []string{"TSUMUGI_DATA", "tsumugi.db", "damaged", "backup"}},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			w := newWorld(t, open())
			prepare := c.make(t, w, filepath.Join(w.data, "tsumugi.db"))
			if prepare == nil {
				prepare = func(*exec.Cmd) {}
			}
			launch(t, w.env, prepare).refuses(c.want...)
		})
	}
}

func write(t *testing.T, file, text string) {
	t.Helper()
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// asNobody makes the process run without root's right to write everywhere.
func asNobody(t *testing.T, w *world) func(*exec.Cmd) {
	t.Helper()
	if os.Getuid() != 0 {
		return nil
	}
	const nobody = 65534
	if err := os.Chown(w.data, nobody, nobody); err != nil {
		t.Skipf("root cannot become somebody else here: %v", err)
	}
	if err := os.Chmod(filepath.Dir(w.data), 0o755); err != nil { // the test's own directory above it
		t.Fatal(err)
	}
	return func(cmd *exec.Cmd) {
		cmd.Dir = string(filepath.Separator)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
}

func TestAddressInUse(t *testing.T) {
	w := newWorld(t, open())
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	w.env["TSUMUGI_ADDR"] = l.Addr().String()
	w.start().refuses("TSUMUGI_ADDR", l.Addr().String(), "address already in use")
}

func TestBadSetting(t *testing.T) {
	w := newWorld(t, open())
	w.env["DISCORD_TOKEN"] = "Bot very-secret"
	i := w.start()
	i.refuses("DISCORD_TOKEN", "without")
	if strings.Contains(i.err.String(), "very-secret") {
		t.Error("the error repeats the token")
	}
}

// The data directory's disk is full for a while. The process says so and lives, and what was said meanwhile is answered
// when there is room again.
func TestFullDisk(t *testing.T) {
	w := newWorld(t, open())
	w.data = tinyDisk(t)
	w.env["TSUMUGI_DATA"] = w.data
	w.model.Script(simmodel.Rule{Reply: simmodel.Say("There was no paper left.")})
	i := w.ready()
	filler := filepath.Join(w.data, "filler")
	if err := fill(filler); err != nil {
		t.Fatal(err)
	}
	// The file has some room inside: speak until it is used up. Nobody is addressed, so nothing else happens.
	eventually(t, soon, "a complaint", func() bool {
		if m := w.discord.Say("hall", "ben", strings.Repeat("nobody needs to answer this. ", 60)); m.ID == "" {
			t.Fatal("nothing was said")
		}
		return strings.Contains(i.err.String(), "is full")
	})
	w.say("are you writing?")
	if err := os.Remove(filler); err != nil {
		t.Fatal(err)
	}
	w.reply(recovery, 1, "There was no paper left.")
	w.goesOn("There was no paper left.")
	select {
	case <-i.ended:
		t.Error("the process ended")
	default:
	}
}

// tinyDisk is a file system of some megabytes.
func tinyDisk(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	if out, err := exec.Command("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", dir).CombinedOutput(); err != nil {
		t.Skipf("a disk that can be filled needs the right to mount one: %v %s", err, out)
	}
	t.Cleanup(func() {
		if out, err := exec.Command("umount", dir).CombinedOutput(); err != nil {
			t.Errorf("umount: %v %s", err, out)
		}
	})
	return dir
}

// fill writes until the disk is full.
func fill(file string) error {
	f, err := os.Create(file)
	if err != nil {
		return err
	}
	defer f.Close()
	for size := 64 << 10; size > 0; {
		if _, err := f.Write(make([]byte, size)); err != nil {
			size /= 2
		}
	}
	return nil
}
