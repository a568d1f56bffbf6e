package sqs_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"tsumugi/shared/queue"
	"tsumugi/shared/queue/sqs"
)

func message(body string) queue.Message {
	return queue.Message{Group: "g", Dedup: "d" + body, Body: body}
}

// calls are those that a worker or a relay makes, by the action that a policy must allow.
var calls = map[string]func(context.Context, *sqs.Driver) error{
	"SendMessage": func(ctx context.Context, d *sqs.Driver) error { return d.Send(ctx, queue.Turns, message("b")) },
	"SendMessageBatch": func(ctx context.Context, d *sqs.Driver) error {
		return d.SendBatch(ctx, queue.Turns, []queue.Message{message("b"), message("c")})
	},
	"ChangeMessageVisibility": func(ctx context.Context, d *sqs.Driver) error { return d.Hide(ctx, queue.Turns, "h", time.Second) },
	"ReceiveMessage": func(ctx context.Context, d *sqs.Driver) error {
		_, err := d.Receive(ctx, queue.Turns, 1, time.Second)
		return err
	},
	"DeleteMessage": func(ctx context.Context, d *sqs.Driver) error { return d.Delete(ctx, queue.Turns, "h") },
}

// Every call says what mends its refusal, none takes it for a fault of the message, and none asks SQS where a queue is.
func TestRefusalsNameTheFix(t *testing.T) {
	const on = "queue tsumugi-turns.fifo"
	for _, c := range []struct{ code, message, want string }{
		{"com.amazonaws.sqs#QueueDoesNotExist", "The specified queue does not exist.", on + " does not exist: deploy the stack again"},
		{"AccessDenied", "User: arn:aws:sts::1:assumed-role/r/f is not authorized to perform: sqs:sendmessage on resource: arn:aws:sqs:eu-west-1:1:tsumugi-turns.fifo because no identity-based policy allows the action",
			"the role may not sqs:sendmessage on arn:aws:sqs:eu-west-1:1:tsumugi-turns.fifo: allow it"},
		{"AccessDenied", "Access to the resource is denied.", "on " + on + ": allow it"},
		{"com.amazonaws.sqs#KmsAccessDenied", "The ciphertext refers to a customer master key that does not exist", "the key that encrypts " + on + " cannot be used"},
		{"com.amazonaws.sqs#KmsDisabled", "", "enable it"},
		{"InvalidClientTokenId", "The security token included in the request is invalid.", "renew them"},
		{"ExpiredToken", "The security token included in the request is expired", "run out"},
		{"InvalidSignatureException", "Signature expired: 20261130T1Z is now earlier than 20261130T2Z", "clock"},
		{"com.amazonaws.sqs#RequestThrottled", "slow down", on + " is throttled"},
		{"ThrottlingException", "Rate exceeded", on + " is throttled"},
	} {
		for action, call := range calls {
			t.Run(c.code+" "+action, func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					d, w := over(reply{400, fmt.Sprintf(`{"__type":%q,"message":%q}`, c.code, c.message)})
					begin := time.Now()
					err := call(t.Context(), d)
					if err == nil || !strings.Contains(err.Error(), c.want) {
						t.Errorf("%v does not say %q", err, c.want)
					}
					if queue.Refused(err) || errors.Is(err, queue.ErrReceipt) {
						t.Errorf("%v is a verdict on the message", err)
					}
					if len(w.calls) > 3 || time.Since(begin) > 5*time.Second {
						t.Errorf("%d calls and %s: what is above would repeat that too", len(w.calls), time.Since(begin))
					}
					for _, sent := range w.calls {
						if sent.action != "AmazonSQS."+action {
							t.Errorf("asked for %s", sent.action)
						}
					}
				})
			})
		}
	}
}

// A message of a batch that is refused for a key or a permission is not given up.
func TestRefusedEntriesNameTheFix(t *testing.T) {
	for code, want := range map[string]string{"KmsAccessDenied*": "cannot be used", "AccessDenied*": "may not sqs:SendMessage on queue tsumugi-turns.fifo",
		"InvalidClientTokenId*": "renew them", "RequestThrottled": "is throttled"} {
		d, _ := over(took([]int{1}, map[int]string{0: code}))
		ms := []queue.Message{message("a"), {Group: "h", Dedup: "2", Body: "b"}}
		b, ok := errors.AsType[*queue.BatchError](d.SendBatch(t.Context(), queue.Turns, ms))
		if !ok || b.Each[1] != nil || b.Each[0] == nil || queue.Refused(b.Each[0]) || !strings.Contains(b.Each[0].Error(), want) {
			t.Errorf("%s: got %v", code, b)
		}
	}
}

// A send whose reply was lost is the same send again, which SQS drops if it had the first.
func TestLostSendIsRepeatedAsItWas(t *testing.T) {
	for _, action := range []string{"SendMessage", "SendMessageBatch"} {
		synctest.Test(t, func(t *testing.T) {
			ok := fine()
			if action == "SendMessageBatch" {
				ok = took([]int{0}, nil)
			}
			d, w := over(reply{}, reply{503, ``}, ok)
			one := calls[action]
			if action == "SendMessageBatch" {
				one = func(ctx context.Context, d *sqs.Driver) error {
					return d.SendBatch(ctx, queue.Turns, []queue.Message{message("b")})
				}
			}
			if err := one(t.Context(), d); err != nil || len(w.calls) != 3 {
				t.Fatalf("%v after %d calls", err, len(w.calls))
			}
			var bodies []string
			for _, c := range w.calls {
				bodies = append(bodies, fmt.Sprint(c.body))
			}
			if slices.Sort(bodies); len(slices.Compact(bodies)) != 1 || !strings.Contains(bodies[0], "MessageDeduplicationId:db") {
				t.Errorf("sent %q", bodies)
			}
		})
	}
}

// The attributes weigh too: two messages that fit by their bodies alone are two requests.
func TestBatchIsSplitByTheSizeOfAttributes(t *testing.T) {
	big := strings.Repeat("x", queue.MaxBody/2-100)
	attrs := map[string]string{"k": strings.Repeat("v", 101)}
	ms := []queue.Message{{Group: "a", Dedup: "1", Body: big, Attrs: attrs}, {Group: "b", Dedup: "2", Body: big, Attrs: attrs}}
	d, w := over(took([]int{0}, nil), took([]int{1}, nil))
	if err := d.SendBatch(t.Context(), queue.Turns, ms); err != nil || len(w.calls) != 2 {
		t.Errorf("%v after %d calls", err, len(w.calls))
	}
}
