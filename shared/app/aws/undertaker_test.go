package aws_test

import (
	"log/slog"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/app"
	"tsumugi/shared/app/aws"
	"tsumugi/shared/queue"
	"tsumugi/shared/telemetry/xray"
)

// logged gives what the function logs, as it logs it in the cloud.
func logged(t *testing.T, do func()) string {
	t.Helper()
	var log strings.Builder
	before := slog.Default()
	slog.SetDefault(app.Logger(&log))
	defer slog.SetDefault(before)
	do()
	return log.String()
}

// house is an installation whose queues have no prefix, as in the samples.
func house() func(string) string {
	return settings("TSUMUGI_QUEUES", "https://sqs.eu-central-1.amazonaws.com/123456789012/")
}

func TestUndertakerBuriesFromEveryQueue(t *testing.T) {
	for name, says := range map[string]string{
		queue.Ingress:  `"buried a dead letter","queue":"ingress","event":"1477636523032576000","channel":"1420000000000000007"`,
		queue.Turns:    `"dead letter handled","queue":"turns"`,
		queue.Replies:  `"dead letter handled","queue":"replies"`,
		queue.Commands: `"dropped a dead letter","what":"command","command":"doctor","queue":"commands","event":"1477636540212019200"`,
	} {
		t.Run(name, func(t *testing.T) {
			sky := &cloud{replies: map[string]string{"BatchGetItem": `{"Responses":{},"UnprocessedKeys":{}}`, "TransactWriteItems": `{}`, "PutItem": `{}`}}
			machine(t, sky)
			bury, err := aws.Undertaker(t.Context(), house(), xray.Tracer{})
			if err != nil {
				t.Fatal(err)
			}
			var response events.SQSEventResponse
			log := logged(t, func() {
				if err := invoke(t, bury, sample(t, "dead-"+name+".json"), &response); err != nil {
					t.Fatal(err)
				}
			})
			if len(response.BatchItemFailures) != 0 || !strings.Contains(log, says) {
				t.Errorf("%d are left; logged %s", len(response.BatchItemFailures), log)
			}
			for _, private := range []string{"sample-token", "1420000000000000021", "Good morning"} {
				if strings.Contains(log, private) {
					t.Errorf("the log tells %q: %s", private, log)
				}
			}
		})
	}
}

func TestUndertakerLeavesWhatItCannotBury(t *testing.T) {
	for name, c := range map[string]struct {
		from, to string // a change of the sample
		says     string
	}{
		"no store":                {"sample-receipt-5", "sample-receipt-9", `"message failed"`},
		"another stack's queue":   {":replies-dead.fifo", ":other-replies-dead.fifo", `"source":"arn:aws:sqs:eu-central-1:123456789012:other-replies-dead.fifo","fix":`},
		"a queue that is alive":   {":replies-dead.fifo", ":replies.fifo", `"fix":`},
		"no queue at all":         {"arn:aws:sqs:eu-central-1:123456789012:replies-dead.fifo", "", `"fix":`},
		"what is to come is kept": {`{\"v\":1`, `{\"v\":2`, `"message waits for a newer program"`},
	} {
		t.Run(name, func(t *testing.T) {
			sky := &cloud{replies: map[string]string{"ChangeMessageVisibility": `{}`}}
			machine(t, sky)
			bury, err := aws.Undertaker(t.Context(), house(), xray.Tracer{})
			if err != nil {
				t.Fatal(err)
			}
			event := string(sample(t, "dead-replies.json"))
			if !strings.Contains(event, c.from) {
				t.Fatalf("the sample has no %s", c.from)
			}
			var response events.SQSEventResponse
			log := logged(t, func() {
				if err := invoke(t, bury, []byte(strings.ReplaceAll(event, c.from, c.to)), &response); err != nil {
					t.Fatal(err)
				}
			})
			if len(response.BatchItemFailures) != 1 || !strings.Contains(log, c.says) {
				t.Errorf("%d are left; logged %s", len(response.BatchItemFailures), log)
			}
		})
	}
}

func TestUndertakerNeedsOneStore(t *testing.T) {
	machine(t, &cloud{})
	if _, err := aws.Undertaker(t.Context(), settings("TSUMUGI_TABLES", ""), xray.Tracer{}); err == nil || !strings.Contains(err.Error(), "TSUMUGI_TABLES") {
		t.Errorf("got %v", err)
	}
}
