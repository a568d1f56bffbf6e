package aws_test

import (
	"context"
	"net"
	"strings"
	"testing"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/app/aws"
	"tsumugi/shared/queue"
	"tsumugi/shared/telemetry/xray"
)

// daemon plays X-Ray's on Lambda, from now on.
func daemon(t *testing.T) (got func() string) {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	if err := xray.Open(conn.LocalAddr().String()); err != nil {
		t.Fatal(err)
	}
	return func() string {
		end, err := net.Dial("udp", conn.LocalAddr().String())
		if err != nil {
			t.Fatal(err)
		}
		defer end.Close()
		_, _ = end.Write([]byte("end")) // on one machine packets come in order
		var all strings.Builder
		packet := make([]byte, 64<<10)
		for {
			n, _, err := conn.ReadFrom(packet)
			if err != nil {
				t.Fatal(err)
			}
			if string(packet[:n]) == "end" {
				return all.String()
			}
			all.Write(packet[:n])
		}
	}
}

// traced is the context of an invocation that Lambda traces so.
func traced(t *testing.T, header string) context.Context {
	return context.WithValue(t.Context(), "x-amzn-trace-id", header) //nolint:staticcheck // the key is Lambda's
}

// What a function does on a message lies under Lambda's segment, with its calls; nothing of the message is told.
func TestFunctionsAreTraced(t *testing.T) {
	const root, parent = "1-5759e988-bd862e3fe1be46a994272793", "53995c3f42cd8ad8"
	commands := func(ctx context.Context, _ func(string) string, trace aws.Tracer) (queue.BatchHandler, error) {
		return aws.Commands(ctx, settings("DISCORD_TOKEN", "token", "TSUMUGI_MODEL_URL", "http://model.invalid"), trace)
	}
	speak := func(ctx context.Context, _ func(string) string, trace aws.Tracer) (queue.BatchHandler, error) {
		return aws.Generation(ctx, settings("DISCORD_TOKEN", "token", "TSUMUGI_MODEL_URL", "http://model.invalid", "TSUMUGI_DISCORD_URL", "http://discord.invalid"), trace)
	}
	undertaker := func(ctx context.Context, _ func(string) string, trace aws.Tracer) (queue.BatchHandler, error) {
		return aws.Undertaker(ctx, house(), trace)
	}
	for name, c := range map[string]struct {
		open   opener
		sample string
		spans  []string
	}{
		"admission":  {aws.Admission, "ingress.json", []string{`"name":"ingress"`, `"name":"admission"`, `"name":"DynamoDB"`}},
		"planning":   {aws.Planning, "turns.json", []string{`"name":"turns"`, `"name":"channel lock"`, `"name":"DynamoDB"`, `"name":"SQS"`}},
		"generation": {speak, "replies.json", []string{`"name":"replies"`, `"name":"channel lock"`, `"name":"DynamoDB"`, `"name":"SQS"`, `"name":"discord.invalid"`}},
		"undertaker": {undertaker, "dead-replies.json", []string{`"name":"replies"`, `"name":"DynamoDB"`}},
		"commands":   {commands, "commands.json", []string{`"name":"commands"`, `"name":"SQS"`}},
	} {
		for decision, sampled := range map[string]bool{"Sampled=1": true, "Sampled=0": false} {
			t.Run(name+" "+decision, func(t *testing.T) {
				machine(t, &cloud{replies: map[string]string{"ChangeMessageVisibility": `{}`}})
				handler, err := c.open(t.Context(), settings(), xray.Tracer{})
				if err != nil {
					t.Fatal(err)
				}
				got := daemon(t)
				var response events.SQSEventResponse
				if err := invokeIn(t, traced(t, "Root="+root+";Parent="+parent+";"+decision), handler, sample(t, c.sample), &response); err != nil {
					t.Fatal(err)
				}
				told := got()
				if !sampled {
					if told != "" {
						t.Errorf("what is not sampled is told: %s", told)
					}
					return
				}
				for _, span := range append(c.spans, `"trace_id":"`+root+`"`, `"parent_id":"`+parent+`"`) {
					if !strings.Contains(told, span) {
						t.Errorf("no %s in %s", span, told)
					}
				}
				for _, private := range []string{"sample-token", "Good morning", "not authorized", "/api/v10/channels/1"} {
					if strings.Contains(told, private) {
						t.Errorf("%q is told in %s", private, told)
					}
				}
			})
		}
	}
}

func TestInteractionsAreTraced(t *testing.T) {
	then(t, func(t *testing.T) {
		machine(t, &cloud{replies: free()})
		h := interactions(t)
		got := daemon(t)
		var answer events.APIGatewayV2HTTPResponse
		ctx := traced(t, "Root=1-5759e988-bd862e3fe1be46a994272793;Parent=53995c3f42cd8ad8;Sampled=1")
		if err := invokeIn(t, ctx, h, sample(t, "interaction-stop.json"), &answer); err != nil || answer.StatusCode != 200 {
			t.Fatal(err, answer)
		}
		told := got()
		for _, part := range []string{`"name":"interactions"`, `"name":"DynamoDB"`, `"parent_id":"53995c3f42cd8ad8"`} {
			if !strings.Contains(told, part) {
				t.Errorf("no %s in %s", part, told)
			}
		}
		if strings.Contains(told, "sample-token") {
			t.Errorf("the token is told in %s", told)
		}
	})
}
