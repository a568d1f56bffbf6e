package aws

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/discord"
	"tsumugi/shared/kv/kvtest"
)

// network answers what is sent to CloudFormation, and to Discord.
type network struct {
	formation func(n int) (int, error) // status of the n-th answer
	discord   func(*http.Request) (*http.Response, error)
	bodies    []string
}

func (n *network) RoundTrip(r *http.Request) (*http.Response, error) {
	if strings.HasPrefix(r.URL.Path, "/api/") {
		return n.discord(r)
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	n.bodies = append(n.bodies, string(body))
	status, err := n.formation(len(n.bodies))
	if err != nil {
		return nil, err
	}
	return &http.Response{StatusCode: status, Body: http.NoBody, Request: r}, nil
}

// asked runs a request in a Lambda function of two minutes on a fake clock.
func asked(t *testing.T, n *network, test func(r *registrar, ask func() error)) string {
	t.Helper()
	var log strings.Builder
	before := slog.Default()
	slog.SetDefault(app.Logger(&log))
	defer slog.SetDefault(before)
	synctest.Test(t, func(t *testing.T) {
		client := &http.Client{Transport: n}
		r := &registrar{http: client, installation: &app.Installation{KV: kvtest.Memory(), PublicKey: strings.Repeat("0a", 32), Endpoint: "https://endpoint.invalid",
			Discord: discord.New(discord.Options{Token: "t0ken", BaseURL: "https://discord.invalid/api/v10", HTTPClient: client})}}
		test(r, func() error {
			ctx, done := context.WithTimeout(t.Context(), 2*time.Minute)
			defer done()
			err := r.handle(ctx, json.RawMessage(`{"RequestType":"Create","ResponseURL":"https://formation.invalid/s1gned","StackId":"stack","RequestId":"1","LogicalResourceId":"Registration"}`))
			if ctx.Err() != nil {
				t.Error("Lambda would have killed it")
			}
			return err
		})
	})
	if strings.Contains(log.String(), "s1gned") || strings.Contains(log.String(), "t0ken") {
		t.Errorf("a secret is in the log: %s", log.String())
	}
	return log.String()
}

func answered(int) (int, error) { return http.StatusOK, nil }

func away(*http.Request) (*http.Response, error) { return nil, errors.New("no route to discord") }

func TestAnswerIsRepeated(t *testing.T) {
	for name, c := range map[string]struct {
		formation func(n int) (int, error)
		answers   int
		fails     bool
	}{
		"at once":         {answered, 1, false},
		"later":           {func(n int) (int, error) { return map[bool]int{true: 200, false: 503}[n == 3], nil }, 3, false},
		"refused for now": {func(n int) (int, error) { return 0, map[bool]error{false: errors.New("refused")}[n == 2] }, 2, false},
		"never":           {func(int) (int, error) { return 403, nil }, answerTries, true},
		"no connection":   {func(int) (int, error) { return 0, errors.New("no route") }, answerTries, true},
	} {
		t.Run(name, func(t *testing.T) {
			n := &network{formation: c.formation, discord: away}
			log := asked(t, n, func(_ *registrar, ask func() error) {
				if err := ask(); (err != nil) != c.fails || len(n.bodies) != c.answers {
					t.Errorf("%v after %d answers", err, len(n.bodies))
				}
			})
			if strings.Contains(log, `"step":"answer cloudformation"`) != c.fails {
				t.Errorf("logged %s", log)
			}
		})
	}
}

// What CloudFormation gives is an address, not a way: elsewhere nobody takes the answer for the stack, and it is none of theirs.
func TestAnswerIsNotLedElsewhere(t *testing.T) {
	for _, status := range []int{http.StatusFound, http.StatusTemporaryRedirect} {
		elsewhere := 0
		other := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { elsewhere++ }))
		defer other.Close()
		formation := httptest.NewServer(http.RedirectHandler(other.URL, status))
		defer formation.Close()
		r := &registrar{http: answering()}
		if err := r.put(t.Context(), formation.URL, []byte("{}")); err == nil || elsewhere > 0 {
			t.Errorf("status %d: %v, and %d went elsewhere", status, err, elsewhere)
		}
	}
}

func TestStackIsAnsweredInTimeWhateverHappens(t *testing.T) {
	for name, c := range map[string]struct {
		spoil func(n *network, r *registrar)
		says  string
	}{
		"Discord never answers": {func(n *network, _ *registrar) {
			n.discord = func(r *http.Request) (*http.Response, error) { <-r.Context().Done(); return nil, r.Context().Err() }
		}, "Discord does not answer"},
		"a panic":             {func(_ *network, r *registrar) { r.installation = nil }, "a defect of its own"},
		"too much to be told": {func(_ *network, r *registrar) { r.broken = errors.New(strings.Repeat("long ", 2000)) }, "See the log"},
	} {
		t.Run(name, func(t *testing.T) {
			n := &network{formation: answered, discord: away}
			log := asked(t, n, func(r *registrar, ask func() error) {
				c.spoil(n, r)
				if err := ask(); err != nil || len(n.bodies) != 1 || len(n.bodies[0]) > maxAnswer {
					t.Fatalf("%v after %q", err, n.bodies)
				}
				if b := n.bodies[0]; !strings.Contains(b, `"Status":"SUCCESS"`) || !strings.Contains(b, c.says) {
					t.Errorf("answered %s", b)
				}
			})
			if !strings.Contains(log, `"msg":"registration failed"`) {
				t.Errorf("logged %s", log)
			}
		})
	}
}
