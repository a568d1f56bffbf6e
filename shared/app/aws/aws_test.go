package aws_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"hash/crc32"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
	"github.com/aws/aws-lambda-go/lambda"

	"tsumugi/shared/app/aws"
	"tsumugi/shared/chat"
	"tsumugi/shared/queue"
	"tsumugi/shared/telemetry/xray"
)

// cloud stands for DynamoDB and SQS at once. It answers each action with what replies says and writes down what it was asked.
type cloud struct {
	replies map[string]string // by action; a missing one is refused for want of permission, which the SDK does not repeat
	mu      sync.Mutex
	calls   []asked
}

type asked struct{ action, body, trace string }

func (c *cloud) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	_, action, _ := strings.Cut(r.Header.Get("X-Amz-Target"), ".")
	c.mu.Lock()
	c.calls = append(c.calls, asked{action, string(body), r.Header.Get("X-Amzn-Trace-Id")})
	c.mu.Unlock()
	w.Header().Set("Content-Type", "application/x-amz-json-1.0")
	reply, ok := c.replies[action]
	refused := err != nil || !ok
	if refused {
		reply = `{"__type":"AccessDeniedException","message":"not authorized"}`
	}
	w.Header().Set("X-Amz-Crc32", strconv.FormatUint(uint64(crc32.ChecksumIEEE([]byte(reply))), 10)) // the SDK wants one of DynamoDB
	if refused {
		w.WriteHeader(http.StatusBadRequest)
	}
	_, _ = io.WriteString(w, reply) // the one who asked may have left
}

// of lists what was asked by one action.
func (c *cloud) of(action string) []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	var all []string
	for _, a := range c.calls {
		if a.action == action {
			all = append(all, a.body)
		}
	}
	return all
}

// settings of an installation, without those of the AWS SDK.
func settings(more ...string) func(string) string {
	set := map[string]string{"TSUMUGI_TABLES": "house-", "TSUMUGI_QUEUES": "https://sqs.eu-west-1.amazonaws.com/123456789012/house-",
		"TSUMUGI_SEAL_KEY": "arn:aws:kms:eu-west-1:123456789012:key/1"}
	for i := 0; i < len(more); i += 2 {
		set[more[i]] = more[i+1]
	}
	return func(name string) string { return set[name] }
}

// machine sets what the SDK's chain finds, and keeps this machine's own settings out.
func machine(t *testing.T, c *cloud) {
	t.Helper()
	server := httptest.NewServer(c)
	t.Cleanup(server.Close)
	for name, value := range map[string]string{
		"AWS_REGION": "eu-west-1", "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test", "AWS_PROFILE": "",
		"AWS_CONFIG_FILE": os.DevNull, "AWS_SHARED_CREDENTIALS_FILE": os.DevNull,
		"AWS_ENDPOINT_URL_SQS": server.URL, "AWS_ENDPOINT_URL_DYNAMODB": server.URL,
		"AWS_ENDPOINT_URL_SECRETS_MANAGER": server.URL, "AWS_ENDPOINT_URL_KMS": server.URL,
	} {
		t.Setenv(name, value)
	}
}

// sample reads a file of events/.
func sample(t *testing.T, name string) []byte {
	t.Helper()
	text, err := os.ReadFile("../../../events/" + name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// invoke calls a handler as Lambda's runtime does, and decodes its answer into out.
func invoke(t *testing.T, handler any, payload []byte, out any) error {
	t.Helper()
	return invokeIn(t, t.Context(), handler, payload, out)
}

// invokeIn does so in a context.
func invokeIn(t *testing.T, ctx context.Context, handler any, payload []byte, out any) error {
	t.Helper()
	answer, err := lambda.NewHandler(handler).Invoke(ctx, payload)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(answer, out); err != nil {
		t.Fatalf("%v in %s", err, answer)
	}
	return nil
}

type opener func(context.Context, func(string) string, aws.Tracer) (queue.BatchHandler, error)

// generation is opened with what only it needs.
func generation(ctx context.Context, getenv func(string) string, trace aws.Tracer) (queue.BatchHandler, error) {
	return aws.Generation(ctx, settings("DISCORD_TOKEN", "token", "TSUMUGI_MODEL_URL", "http://model.invalid", "TSUMUGI_TABLES", getenv("TSUMUGI_TABLES")), trace)
}

func TestRefusedStoreLeavesTheMessagesInTheirQueue(t *testing.T) {
	for name, c := range map[string]struct {
		open   opener
		sample string
		queue  string
		table  string // that it cannot do without
	}{
		"admission":  {aws.Admission, "ingress.json", queue.Ingress, "house-memory"},
		"planning":   {aws.Planning, "turns.json", queue.Turns, "house-channels"},
		"generation": {generation, "replies.json", queue.Replies, "house-channels"},
	} {
		t.Run(name, func(t *testing.T) {
			sky := &cloud{replies: map[string]string{"ChangeMessageVisibility": `{}`}}
			machine(t, sky)
			handler, err := c.open(t.Context(), settings(), xray.Tracer{})
			if err != nil {
				t.Fatal(err)
			}
			var e events.SQSEvent
			if err := json.Unmarshal(sample(t, c.sample), &e); err != nil {
				t.Fatal(err)
			}
			var response events.SQSEventResponse
			if err := invoke(t, handler, sample(t, c.sample), &response); err != nil {
				t.Fatal(err)
			}
			if len(response.BatchItemFailures) != len(e.Records) {
				t.Errorf("%d of %d messages are reported: the others would be deleted", len(response.BatchItemFailures), len(e.Records))
			}
			hides := sky.of("ChangeMessageVisibility")
			for _, m := range e.Records {
				if !slices.ContainsFunc(hides, func(body string) bool {
					return strings.Contains(body, `"`+m.ReceiptHandle+`"`) && strings.Contains(body, `/123456789012/house-`+c.queue+`.fifo"`)
				}) {
					t.Errorf("%s is not given back to %s: %s", m.ReceiptHandle, c.queue, hides)
				}
			}
			if reads := sky.of("BatchGetItem"); !strings.Contains(strings.Join(reads, " "), `"`+c.table+`"`) {
				t.Errorf("the store was asked %s", reads)
			}
		})
	}
}

func TestSweeperAsksForWhatIsDue(t *testing.T) {
	sky := &cloud{replies: map[string]string{"Query": `{"Items":[],"Count":0,"ScannedCount":0}`, "GetItem": `{}`}}
	machine(t, sky)
	sweep, err := aws.Sweeper(t.Context(), settings(), xray.Tracer{})
	if err != nil {
		t.Fatal(err)
	}
	var nothing any
	for i, payload := range [][]byte{sample(t, "schedule.json"), []byte(`"by hand"`), nil} {
		before := len(sky.of("Query"))
		if err := invoke(t, sweep, payload, &nothing); err != nil {
			t.Fatal(err)
		}
		if asked := sky.of("Query")[before:]; len(asked) == 0 || !strings.Contains(asked[0], "house-channels") {
			t.Errorf("payload %d asked %s", i, asked)
		}
	}
	if read := sky.of("GetItem"); len(read) != 3 || !strings.Contains(read[0], "house-memory") {
		t.Errorf("the relay's health was asked for as %s", read)
	}
	delete(sky.replies, "Query")
	if err := invoke(t, sweep, sample(t, "schedule.json"), &nothing); err == nil {
		t.Error("a refused sweep is no success: nobody would be alarmed")
	}
}

// A run of the chain that finds a relay at work ends after one read: it asks neither for the secret nor Discord.
func TestRunOfTheRelayThatIsNotNeeded(t *testing.T) {
	health, err := json.Marshal(chat.Health{Owner: "another", Alive: time.Now(), Ready: 1, Of: 1})
	if err != nil {
		t.Fatal(err)
	}
	item := fmt.Sprintf(`{"Item":{"health":{"B":%q}}}`, base64.StdEncoding.EncodeToString(health))
	sky := &cloud{replies: map[string]string{"GetItem": item}}
	machine(t, sky)
	relay, err := aws.Relay(t.Context(), settings("DISCORD_TOKEN_SECRET", "house/token", "TSUMUGI_DISCORD_URL", "http://discord.invalid"))
	if err != nil {
		t.Fatal(err)
	}
	var nothing any
	for _, payload := range [][]byte{sample(t, "relay.json"), []byte(`"by hand"`)} {
		if err := invoke(t, relay.Once, payload, &nothing); err != nil {
			t.Error(err)
		}
	}
	if all, read := sky.calls, sky.of("GetItem"); len(all) != 2 || len(read) != 2 || !strings.Contains(read[0], "house-memory") {
		t.Errorf("it asked %+v", all)
	}
	delete(sky.replies, "GetItem")
	if err := invoke(t, relay.Once, sample(t, "relay.json"), &nothing); err == nil {
		t.Error("a run that cannot know whether it is needed is no success: nobody would be alarmed")
	}
}

// What a run of the relay hears belongs to no trace: each message begins one of its own.
func TestEventsDoNotCarryTheTraceOfTheRelay(t *testing.T) {
	sky := &cloud{replies: map[string]string{"SendMessage": `{"MessageId":"1"}`, "Query": `{"Items":[],"Count":0,"ScannedCount":0}`, "GetItem": `{}`}}
	machine(t, sky)
	const trace = "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1"
	t.Setenv("AWS_LAMBDA_FUNCTION_NAME", "house-relay")
	t.Setenv("_X_AMZN_TRACE_ID", trace)
	relay, err := aws.Relay(t.Context(), settings("DISCORD_TOKEN", "token", "TSUMUGI_DISCORD_URL", "http://discord.invalid"))
	if err != nil {
		t.Fatal(err)
	}
	if err := relay.Ports.Queues.Send(t.Context(), queue.Ingress, queue.Message{Group: "c", Dedup: "1", Body: "{}"}); err != nil {
		t.Fatal(err)
	}
	if len(sky.calls) != 1 || sky.calls[0].trace != "" {
		t.Errorf("the relay sent %+v", sky.calls)
	}
	sweep, err := aws.Sweeper(t.Context(), settings(), xray.Tracer{})
	if err != nil {
		t.Fatal(err)
	}
	if err := sweep(t.Context()); err != nil {
		t.Fatal(err)
	}
	if last := sky.calls[len(sky.calls)-1]; last.trace != trace {
		t.Errorf("the sweeper carries %q, so this test looks for the wrong thing", last.trace)
	}
}

func TestRolesNeedTheirOwnSettingsOnly(t *testing.T) {
	machine(t, &cloud{})
	sweeper := func(ctx context.Context, getenv func(string) string, trace aws.Tracer) (queue.BatchHandler, error) {
		_, err := aws.Sweeper(ctx, getenv, trace)
		return nil, err
	}
	relay := func(ctx context.Context, getenv func(string) string, _ aws.Tracer) (queue.BatchHandler, error) {
		r, err := aws.Relay(ctx, getenv)
		if err == nil {
			_, err = r.Token(ctx, "") // which it reads when it is wanted only
		}
		return nil, err
	}
	for name, c := range map[string]struct {
		open opener
		set  func(string) string
		want []string // settings that the error names; none means that it opens
	}{
		"admission has neither token nor model": {aws.Admission, settings(), nil},
		"planning":                              {aws.Planning, settings(), nil},
		"sweeper":                               {sweeper, settings(), nil},
		"generation speaks":                     {aws.Generation, settings(), []string{"DISCORD_TOKEN", "TSUMUGI_MODEL_URL"}},
		"relay listens":                         {relay, settings(), []string{"DISCORD_TOKEN"}},
		"relay with a secret that it may not read": {relay, settings("DISCORD_TOKEN_SECRET", "tsumugi/token"), []string{"secret tsumugi/token", "secretsmanager:GetSecretValue"}},
		"generation with such secrets waits for them": {aws.Generation, settings("DISCORD_TOKEN_SECRET", "tsumugi/token", "TSUMUGI_MODEL_KEY_SECRET", "tsumugi/key",
			"TSUMUGI_MODEL_URL", "http://model.invalid"), nil},
		"no tables, and queues are no URL": {aws.Admission, settings("TSUMUGI_TABLES", "", "TSUMUGI_QUEUES", "house-"), []string{"TSUMUGI_TABLES", "TSUMUGI_QUEUES"}},
		"host that no host is":             {aws.Generation, settings("DISCORD_TOKEN", "t", "TSUMUGI_MODEL_URL", "http://model.invalid", "TSUMUGI_ALLOW_HOSTS", "llm.lan:x"), []string{"generation", "TSUMUGI_ALLOW_HOSTS", "host:port"}},
		"key that no key is":               {aws.Generation, settings("DISCORD_TOKEN", "t", "TSUMUGI_MODEL_URL", "http://model.invalid", "TSUMUGI_MODEL_KEY", "a b"), []string{"generation", "TSUMUGI_MODEL_KEY"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := c.open(t.Context(), c.set, xray.Tracer{})
			if (err == nil) != (len(c.want) == 0) {
				t.Fatalf("error %v, want %v named", err, c.want)
			}
			for _, s := range c.want {
				if !strings.Contains(err.Error(), s) {
					t.Errorf("%v does not name %s", err, s)
				}
			}
		})
	}
	t.Run("no region", func(t *testing.T) {
		t.Setenv("AWS_REGION", "")
		t.Setenv("AWS_DEFAULT_REGION", "")
		if _, err := aws.Admission(t.Context(), settings(), xray.Tracer{}); err == nil || !strings.Contains(err.Error(), "AWS_REGION") {
			t.Errorf("got %v", err)
		}
	})
}

// The values must not meet the other's server, so each secret is asked for by its own setting, and neither is logged.
func TestSecretsAreReadAtTheStart(t *testing.T) {
	sky := &cloud{replies: map[string]string{"GetSecretValue": `{"SecretString":"s3cret-value"}`}}
	machine(t, sky)
	log := logged(t, func() {
		if _, err := aws.Generation(t.Context(), settings("DISCORD_TOKEN_SECRET", "house/token", "TSUMUGI_MODEL_KEY_SECRET", "house/key", "TSUMUGI_MODEL_URL", "http://model.invalid"), xray.Tracer{}); err != nil {
			t.Fatal(err)
		}
	})
	if asked := sky.of("GetSecretValue"); len(asked) != 2 || !strings.Contains(asked[0], `"house/token"`) || !strings.Contains(asked[1], `"house/key"`) {
		t.Errorf("asked for %s", asked)
	}
	if strings.Contains(log, "s3cret") || strings.Contains(log, `"level":"ERROR"`) {
		t.Errorf("logged %s", log)
	}
}
