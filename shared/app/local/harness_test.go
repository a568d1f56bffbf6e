//go:build unix

package local_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
	simmodel "tsumugi/shared/sim/model"
)

// Deadlines are generous: they are for a machine that is busy with everything else, and nothing is measured by them.
const (
	soon     = 60 * time.Second
	recovery = 90 * time.Second // of a killed process's reply, counted from the new start
)

const token = "simulated-token"

func TestMain(m *testing.M) {
	flag.Parse()
	// The tests wait for processes; they do not use the processor. Two at a time would take ten times as long.
	if err := flag.Set("test.parallel", "32"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	if dir := binaryDir.Load(); dir != nil {
		os.RemoveAll(*dir)
	}
	os.Exit(code)
}

// world is what outlives a process of the product: Discord, a model server, and the data directory.
type world struct {
	t       testing.TB
	discord *simdiscord.Server
	model   *simmodel.Server
	data    string
	env     map[string]string
}

// newWorld makes one with a Discord that allows message content, and starts nothing.
func newWorld(t *testing.T, o simdiscord.Options) *world {
	t.Helper()
	if testing.Short() {
		t.Skip("starts real processes and waits for real time-outs")
	}
	t.Parallel()
	return makeWorld(t, o)
}

func makeWorld(t testing.TB, o simdiscord.Options) *world {
	t.Helper()
	o.Token = token
	w := &world{t: t, discord: simdiscord.New(discordtest.Watch(t, o)), model: simmodel.New(simmodel.Options{}), data: t.TempDir()}
	t.Cleanup(w.discord.Close)
	w.env = map[string]string{
		"DISCORD_TOKEN":       token,
		"TSUMUGI_DISCORD_URL": serve(t, w.discord) + "/api/v10",
		"TSUMUGI_MODEL_URL":   serve(t, w.model) + "/v1",
		"TSUMUGI_DATA":        w.data,
		"TSUMUGI_ADDR":        "127.0.0.1:0",
	}
	return w
}

// open is a Discord as most tests want it.
func open() simdiscord.Options { return simdiscord.Options{MessageContentEnabled: true} }

// serve listens on loopback until the test ends, and gives the address.
func serve(t testing.TB, h http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	s := &http.Server{Handler: h, ReadHeaderTimeout: soon}
	done := make(chan error, 1)
	go func() { done <- s.Serve(l) }()
	t.Cleanup(func() {
		_ = s.Close() // with clients that hang on the line
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}

// instance is one process of the product.
type instance struct {
	t        testing.TB
	cmd      *exec.Cmd
	out, err output
	ended    chan struct{}
	failure  error // of Wait; read after ended
}

// output collects what a process writes.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// start runs the program on the world's data.
func (w *world) start() *instance { return launch(w.t, w.env) }

// ready starts it and waits until it is ready.
func (w *world) ready() *instance {
	w.t.Helper()
	i := w.start()
	i.until("ready", `"msg":"ready"`)
	return i
}

// launch runs the program with nothing but these settings. What a failed test needs to be understood is logged.
func launch(t testing.TB, env map[string]string, prepare ...func(*exec.Cmd)) *instance {
	t.Helper()
	i := &instance{t: t, cmd: exec.Command(binary(t)), ended: make(chan struct{})}
	i.cmd.Dir = t.TempDir()
	i.cmd.Env = []string{"PATH=" + os.Getenv("PATH"), "TSUMUGI_MODEL_PROBE=http://127.0.0.1:1"}
	for k, v := range env {
		i.cmd.Env = append(i.cmd.Env, k+"="+v)
	}
	i.cmd.Stdout, i.cmd.Stderr = &i.out, &i.err
	for _, f := range prepare {
		f(i.cmd)
	}
	if err := i.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		i.failure = i.cmd.Wait()
		close(i.ended)
	}()
	t.Cleanup(func() {
		i.kill()
		if strings.Contains(i.err.String(), "DATA RACE") {
			t.Error("the race detector found something")
		}
		if t.Failed() {
			t.Logf("stdout:\n%s\nstderr:\n%s", i.out.String(), i.err.String())
		}
	})
	return i
}

// kill ends the process as a power cut does.
func (i *instance) kill() {
	_ = i.cmd.Process.Kill() // it may have ended by itself
	<-i.ended
}

// signal sends a signal.
func (i *instance) signal(s os.Signal) {
	i.t.Helper()
	if err := i.cmd.Process.Signal(s); err != nil {
		i.t.Fatal(err)
	}
}

// exit waits for the end and gives the exit code.
func (i *instance) exit(within time.Duration) int {
	i.t.Helper()
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-i.ended:
	case <-timer.C:
		i.t.Fatalf("the process still runs after %s", within)
	}
	return i.cmd.ProcessState.ExitCode()
}

// until waits for a text in the log.
func (i *instance) until(what, text string) {
	i.t.Helper()
	eventually(i.t, soon, what, func() bool {
		select {
		case <-i.ended:
			i.t.Fatalf("waiting for %s: the process ended: %v", what, i.failure)
		default:
		}
		return strings.Contains(i.err.String(), text)
	})
}

// address is where it listens.
func (i *instance) address() string {
	i.t.Helper()
	i.until("the listener", `"msg":"listening"`)
	for line := range strings.Lines(i.err.String()) {
		var record struct{ Msg, Address string }
		if json.Unmarshal([]byte(line), &record) == nil && record.Msg == "listening" {
			return "http://" + record.Address
		}
	}
	i.t.Fatal("the log does not say where it listens")
	return ""
}

// get reads a page.
func (i *instance) get(path string) (status int, header http.Header, body string) {
	i.t.Helper()
	ctx, done := context.WithTimeout(context.Background(), soon)
	defer done()
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, i.address()+path, nil)
	if err != nil {
		i.t.Fatal(err)
	}
	resp, err := http.DefaultClient.Do(q)
	if err != nil {
		i.t.Fatal(err)
	}
	defer resp.Body.Close()
	b, err := io.ReadAll(resp.Body)
	if err != nil {
		i.t.Fatal(err)
	}
	return resp.StatusCode, resp.Header, string(b)
}

// eventually asks again and again: nothing tells a test across processes that a thing has happened.
func eventually(t testing.TB, limit time.Duration, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	end := time.NewTimer(limit)
	defer end.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-end.C:
			t.Fatalf("not within %s: %s", limit, what)
		}
	}
}

// binary builds the program, once for all tests.
func binary(t testing.TB) string {
	t.Helper()
	path, err := build()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// binaryDir is where build put the program.
var binaryDir atomic.Pointer[string]

var build = sync.OnceValues(func() (string, error) {
	dir, err := os.MkdirTemp("", "tsumugi-test-")
	if err != nil {
		return "", err
	}
	binaryDir.Store(&dir)
	if err := os.Chmod(dir, 0o755); err != nil { // a test runs it as somebody else
		return "", err
	}
	path := filepath.Join(dir, "tsumugi")
	args := []string{"build", "-o", path}
	if info, ok := debug.ReadBuildInfo(); ok && slices.Contains(info.Settings, debug.BuildSetting{Key: "-race", Value: "true"}) {
		args = append(args, "-race") // a test under the race detector is about the program
	}
	cmd := exec.Command("go", append(args, "tsumugi/functions/local")...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("go build: %w\n%s", err, out)
	}
	return path, nil
})

// say lets somebody speak in the process's own simulated Discord.
func (i *instance) say(channel, author, text string) {
	i.t.Helper()
	body, err := json.Marshal(map[string]string{"author": author, "content": text})
	if err != nil {
		i.t.Fatal(err)
	}
	resp, err := http.Post(i.address()+"/sim/channels/"+channel+"/messages", "application/json", bytes.NewReader(body))
	if err != nil {
		i.t.Fatal(err)
	}
	defer resp.Body.Close()
	if answer, err := io.ReadAll(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
		i.t.Fatalf("say: %d %s %v", resp.StatusCode, answer, err)
	}
}

// ends counts the turns that the process has ended as answered.
func (i *instance) ends() int {
	return strings.Count(i.err.String(), `"msg":"turn ended","row":"answered"`)
}

// read gives a channel of it, as JSON.
func (i *instance) read(channel string) string {
	i.t.Helper()
	_, _, body := i.get("/sim/channels/" + channel + "/messages")
	return body
}
