package aws_test

import (
	"context"
	"crypto/ed25519"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/app"
	"tsumugi/shared/app/aws"
	"tsumugi/shared/telemetry/xray"
)

// samplesMade is when the samples of events/ were signed and sent, give or take a minute.
func samplesMade() time.Time { return time.Date(2026, time.March, 1, 12, 1, 0, 0, time.UTC) }

// then plays a test at the time of the samples.
func then(t *testing.T, test func(*testing.T)) {
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Until(samplesMade()))
		test(t)
	})
}

// sampleKey is the public half of the key by which the samples are signed.
func sampleKey() string {
	key := ed25519.NewKeyFromSeed([]byte("the key of the samples in events"))
	return hex.EncodeToString(key.Public().(ed25519.PublicKey))
}

func interactions(t *testing.T) aws.HTTPHandler {
	t.Helper()
	h, err := aws.Interactions(t.Context(), settings("DISCORD_PUBLIC_KEY", sampleKey()), xray.Tracer{})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// free is a channel of which nothing is known.
func free() map[string]string {
	return map[string]string{"BatchGetItem": `{"Responses":{"house-channels":[]},"UnprocessedKeys":{}}`}
}

func TestInteractionsAnswer(t *testing.T) {
	for name, c := range map[string]struct {
		sample  string
		replies map[string]string
		want    []string // parts of the answer
		asks    bool     // the store
	}{
		"ping asks nobody":  {"interaction-ping.json", nil, []string{`{"type":1}`}, false},
		"stop":              {"interaction-stop.json", free(), []string{`"type":4`, `"flags":64`, "いまあなたへの返答はありません"}, true},
		"kill, in base64":   {"interaction-kill-base64.json", free(), []string{`"type":4`, `"flags":64`, "待っているメッセージはありませんでした"}, true},
		"the store refuses": {"interaction-stop.json", nil, []string{`"type":4`, `"flags":64`, "もう一度お試しください"}, true},
	} {
		t.Run(name, func(t *testing.T) {
			then(t, func(t *testing.T) {
				sky := &cloud{replies: c.replies}
				machine(t, sky)
				h := interactions(t)
				if len(sky.calls) > 0 {
					t.Fatalf("the start asked for %v: a cold start has no time for it", sky.calls)
				}
				var out events.APIGatewayV2HTTPResponse
				if err := invoke(t, h, sample(t, c.sample), &out); err != nil {
					t.Fatal(err)
				}
				if out.StatusCode != 200 || out.Headers["Content-Type"] != "application/json" || out.IsBase64Encoded {
					t.Errorf("answered %+v", out)
				}
				for _, part := range c.want {
					if !strings.Contains(out.Body, part) {
						t.Errorf("%s is not in %s", part, out.Body)
					}
				}
				if reads := sky.of("BatchGetItem"); (len(reads) > 0) != c.asks || c.asks && !strings.Contains(reads[0], "house-channels") {
					t.Errorf("the store was asked %s", reads)
				}
			})
		})
	}
}

func TestInteractionsRefuse(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*events.APIGatewayV2HTTPRequest)
		status int
	}{
		"another method":    {func(e *events.APIGatewayV2HTTPRequest) { e.RequestContext.HTTP.Method = "GET" }, 405},
		"no method":         {func(e *events.APIGatewayV2HTTPRequest) { e.RequestContext.HTTP.Method = "" }, 405},
		"another path":      {func(e *events.APIGatewayV2HTTPRequest) { e.RawPath = "/" }, 404},
		"no base64":         {func(e *events.APIGatewayV2HTTPRequest) { e.IsBase64Encoded, e.Body = true, "%" }, 400},
		"base64 not told":   {func(e *events.APIGatewayV2HTTPRequest) { e.Body = base64.StdEncoding.EncodeToString([]byte(e.Body)) }, 401},
		"body written anew": {func(e *events.APIGatewayV2HTTPRequest) { e.Body = strings.Replace(e.Body, `,"`, `, "`, 1) }, 401},
		"no headers":        {func(e *events.APIGatewayV2HTTPRequest) { e.Headers = nil }, 401},
		"half a signature": {func(e *events.APIGatewayV2HTTPRequest) {
			e.Headers["x-signature-ed25519"] = e.Headers["x-signature-ed25519"][:63]
		}, 401},
	} {
		t.Run(name, func(t *testing.T) {
			then(t, func(t *testing.T) {
				sky := &cloud{replies: free()}
				machine(t, sky)
				var e events.APIGatewayV2HTTPRequest
				if err := json.Unmarshal(sample(t, "interaction-stop.json"), &e); err != nil {
					t.Fatal(err)
				}
				c.change(&e)
				out, err := interactions(t)(t.Context(), e)
				if err != nil || out.StatusCode != c.status || len(sky.calls) > 0 {
					t.Errorf("%v, status %d, %d calls", err, out.StatusCode, len(sky.calls))
				}
			})
		})
	}
	t.Run("a replay of ten minutes later", func(t *testing.T) {
		then(t, func(t *testing.T) {
			time.Sleep(10 * time.Minute)
			machine(t, &cloud{replies: free()})
			var out events.APIGatewayV2HTTPResponse
			if err := invoke(t, interactions(t), sample(t, "interaction-stop.json"), &out); err != nil || out.StatusCode != 401 {
				t.Errorf("%v, status %d", err, out.StatusCode)
			}
		})
	})
}

// rest stands for Discord's REST API and keeps what was asked of it.
type rest struct {
	mu    sync.Mutex
	calls []string
	last  string // body of the newest amendment
}

func (d *rest) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.calls = append(d.calls, r.Method+" "+r.URL.Path)
	w.Header().Set("Content-Type", "application/json")
	switch r.URL.Path {
	case "/users/@me":
		fmt.Fprint(w, `{"id":"1420000000000000009"}`)
	case "/applications/@me":
		fmt.Fprint(w, `{"id":"1420000000000000009","flags":524288}`)
	default:
		d.last = string(body)
		fmt.Fprint(w, `{}`)
	}
}

func TestCommandsAnswerTheirSample(t *testing.T) {
	then(t, func(t *testing.T) {
		sky := &cloud{replies: map[string]string{"ChangeMessageVisibility": `{}`, "GetItem": `{}`, "BatchGetItem": `{"Responses":{},"UnprocessedKeys":{}}`,
			"Query": `{"Items":[],"Count":0,"ScannedCount":0}`, "GetQueueAttributes": `{"Attributes":{"ApproximateNumberOfMessages":"0"}}`}}
		machine(t, sky)
		there := &rest{}
		server := httptest.NewServer(there)
		t.Cleanup(server.Close)
		h, err := aws.Commands(t.Context(), settings("DISCORD_TOKEN", "token", "TSUMUGI_DISCORD_URL", server.URL, "TSUMUGI_MODEL_URL", server.URL), xray.Tracer{})
		if err != nil {
			t.Fatal(err)
		}
		var out events.SQSEventResponse
		if err := invoke(t, h, sample(t, "commands.json"), &out); err != nil || len(out.BatchItemFailures) > 0 {
			t.Fatalf("%v, %+v", err, out)
		}
		for _, call := range []string{"GET /users/@me", "GET /applications/@me", "PATCH /webhooks/1420000000000000009/aW50ZXJhY3Rpb246ZG9jdG9y/messages/@original"} {
			if !slices.Contains(there.calls, call) {
				t.Errorf("%s is not among %s", call, there.calls)
			}
		}
		if n := strings.Count(there.last, "✅"); n != 7 || !strings.Contains(there.last, "リレーから 24 時間") {
			t.Errorf("answered %s", there.last)
		}
	})
}

func TestInteractionsNeedTheirKeyOnly(t *testing.T) {
	machine(t, &cloud{})
	if _, err := aws.Interactions(t.Context(), settings("DISCORD_PUBLIC_KEY", "f00"), xray.Tracer{}); err == nil || !strings.Contains(err.Error(), "DISCORD_PUBLIC_KEY") {
		t.Errorf("got %v", err)
	}
	if _, err := aws.Commands(context.Background(), settings(), xray.Tracer{}); err == nil || !strings.Contains(err.Error(), "DISCORD_TOKEN") {
		t.Errorf("got %v", err)
	}
	if app.InteractionsPath != "/interactions" {
		t.Error("the template and the samples say /interactions")
	}
}
