// Package browsertest drives a headless Chromium over its DevTools protocol, so that tests of the page do what a person does and
// see what a person sees. It knows nothing of the page. Where there is no Chromium, the test that asks for it is skipped and says so.
package browsertest

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"regexp"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
)

// patience is how long anything may take on a machine that is busy with other things.
const patience = 60 * time.Second

// flags start a browser that shows no window, keeps to itself and asks nobody on the network for anything.
var flags = []string{
	"--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
	"--disable-component-update", "--disable-sync", "--disable-extensions", "--disable-default-apps", "--mute-audio", "--hide-scrollbars",
	"--disable-dev-shm-usage", "--force-color-profile=srgb", "--lang=en-US", "--remote-debugging-port=0", "about:blank",
}

// Browser is one running Chromium.
type Browser struct {
	t    testing.TB
	conn *websocket.Conn
	gone chan struct{} // closed when the connection is over

	mu      sync.Mutex
	next    int
	waiting map[int]chan reply
	tabs    map[string]*Tab
}

// reply is the answer to one command.
type reply struct {
	Result json.RawMessage `json:"result"`
	Error  *struct {
		Message string `json:"message"`
	} `json:"error"`
}

// find is the browser of this machine: the one that was named, else one that is in the path.
func find(named string) string {
	for _, name := range []string{named, "chromium", "chromium-browser", "google-chrome", "google-chrome-stable"} {
		if path, err := exec.LookPath(name); err == nil {
			return path
		}
	}
	return ""
}

// Start runs a browser until the test is over: the program that is named, or the Chromium of this machine. Without one it skips the
// test.
func Start(t testing.TB, named string) *Browser {
	t.Helper()
	path := find(named)
	if path == "" {
		t.Skip("SKIPPED: the page was not looked at, for there is no Chromium here; install one, or name it in $CHROMIUM")
	}
	home, err := os.MkdirTemp("", "browsertest")
	if err != nil {
		t.Fatal(err)
	}
	ctx := context.WithoutCancel(t.Context())                                                       // the end of the test asks it to close, and waits
	cmd := exec.CommandContext(ctx, path, append([]string{"--user-data-dir=" + home}, flags...)...) //nolint:gosec // the browser of whoever runs the test
	errs, err := cmd.StderrPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatalf("start Chromium: %v", err)
	}
	b := &Browser{t: t, gone: make(chan struct{}), waiting: map[int]chan reply{}, tabs: map[string]*Tab{}}
	var drained sync.WaitGroup
	t.Cleanup(func() {
		if b.conn != nil {
			_, _ = b.ask("", "Browser.close", nil)
			<-b.gone
		} else {
			_ = cmd.Process.Kill()
		}
		drained.Wait()
		_ = cmd.Wait()
		_ = os.RemoveAll(home) // a helper process of it may still write there; it is a temporary directory
	})
	lines, address := bufio.NewReader(errs), ""
	late := time.AfterFunc(patience, func() { _ = errs.Close() }) // it ends the reading
	defer late.Stop()
	for address == "" {
		line, err := lines.ReadString('\n')
		if errors.Is(err, os.ErrClosed) {
			t.Fatalf("Chromium does not start: it names no address within %v", patience)
		}
		if err != nil {
			t.Fatalf("Chromium does not start: %v", err)
		}
		if m := regexp.MustCompile(`DevTools listening on (ws://\S+)`).FindStringSubmatch(line); m != nil {
			address = m[1]
		}
	}
	late.Stop()
	drained.Go(func() { _, _ = io.Copy(io.Discard, lines) })
	b.conn, _, err = websocket.DefaultDialer.Dial(address, nil)
	if err != nil {
		t.Fatalf("talk to Chromium: %v", err)
	}
	go b.read()
	return b
}

// read hands every answer to who waits for it, and every event to its tab.
func (b *Browser) read() {
	defer close(b.gone)
	for {
		var in struct {
			ID      int             `json:"id"`
			Session string          `json:"sessionId"`
			Method  string          `json:"method"`
			Params  json.RawMessage `json:"params"`
			reply
		}
		if err := b.conn.ReadJSON(&in); err != nil {
			return
		}
		b.mu.Lock()
		waiter, tab := b.waiting[in.ID], b.tabs[in.Session]
		delete(b.waiting, in.ID)
		b.mu.Unlock()
		if waiter != nil {
			waiter <- in.reply
		} else if tab != nil {
			tab.hear(in.Method, in.Params)
		}
	}
}

// ask sends one command and waits for its answer.
func (b *Browser) ask(session, method string, params any) (json.RawMessage, error) {
	answer := make(chan reply, 1)
	b.mu.Lock()
	b.next++
	b.waiting[b.next] = answer
	out := map[string]any{"id": b.next, "method": method}
	if params != nil {
		out["params"] = params
	}
	if session != "" {
		out["sessionId"] = session
	}
	err := b.conn.WriteJSON(out)
	b.mu.Unlock()
	if err != nil {
		return nil, err
	}
	select {
	case got := <-answer:
		if got.Error != nil {
			return nil, errors.New(method + ": " + got.Error.Message)
		}
		return got.Result, nil
	case <-b.gone:
		return nil, errors.New(method + ": the browser is gone")
	case <-time.After(patience):
		return nil, errors.New(method + ": no answer from the browser")
	}
}
