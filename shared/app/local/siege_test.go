//go:build unix

package local_test

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strings"
	"syscall"
	"testing"
)

// alone starts the program as make run does: with the simulated Discord.
func alone(t *testing.T) *instance {
	t.Helper()
	w := newWorld(t, open())
	i := launch(t, map[string]string{"TSUMUGI_DATA": w.data, "TSUMUGI_ADDR": "127.0.0.1:0"})
	i.until("ready", `"msg":"ready"`)
	return i
}

func TestOnlyThisMachineMayUseTheSimulatedDiscord(t *testing.T) {
	i := alone(t)
	for _, path := range []string{"/", "/sim/state", "/api/v10/users/@me", "/gateway"} {
		ctx, done := context.WithTimeout(t.Context(), soon)
		q, err := http.NewRequestWithContext(ctx, http.MethodGet, i.address()+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		q.Host = "evil.example" // a name that was made to point here
		resp, err := http.DefaultClient.Do(q)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		done()
		if resp.StatusCode != http.StatusForbidden {
			t.Errorf("%s as evil.example: status %d", path, resp.StatusCode)
		}
	}
	if status, _, _ := i.get("/api/v10/users/@me"); status != http.StatusUnauthorized {
		t.Errorf("without a token: status %d", status)
	}
}

func TestASlowBodyDoesNotHoldUpTheEnd(t *testing.T) {
	i := alone(t)
	host := strings.TrimPrefix(i.address(), "http://")
	for _, path := range []string{"/sim/typing", "/api/v10/users/@me/channels"} {
		c, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		fmt.Fprintf(c, "POST %s HTTP/1.1\r\nHost: %s\r\nContent-Type: application/json\r\nContent-Length: 1000\r\n\r\n{", path, host)
	}
	i.signal(syscall.SIGTERM)
	if code := i.exit(soon); code != 0 {
		t.Errorf("exit code %d", code)
	}
}
