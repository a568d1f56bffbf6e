package sqs_test

import (
	"crypto/rand"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/aws/aws-sdk-go-v2/aws"
	sdk "github.com/aws/aws-sdk-go-v2/service/sqs"

	"tsumugi/shared/queue"
	"tsumugi/shared/queue/queuetest"
	"tsumugi/shared/queue/sqs"
)

// queues creates every queue under a prefix of its own, each with its dead-letter queue behind it.
func queues(t testing.TB, client *sdk.Client, maxReceives int) queue.Driver {
	t.Helper()
	prefix, base := "t-"+rand.Text()+"-", ""
	create := func(name string, attrs map[string]string) {
		attrs["FifoQueue"] = "true"
		full := prefix + name + ".fifo"
		out, err := client.CreateQueue(t.Context(), &sdk.CreateQueueInput{QueueName: &full, Attributes: attrs})
		if err != nil {
			t.Fatal(err)
		}
		base = aws.ToString(out.QueueUrl)[:len(*out.QueueUrl)-len(name+".fifo")]
	}
	for _, name := range queue.Names() {
		dead := queue.Dead(name)
		if dead == "" {
			continue
		}
		create(dead, map[string]string{})
		create(name, map[string]string{"RedrivePolicy": fmt.Sprintf(
			`{"deadLetterTargetArn":"arn:aws:sqs:eu-west-1:123456789012:%s%s.fifo","maxReceiveCount":%d}`, prefix, dead, maxReceives)})
	}
	return sqs.New(client, base)
}

// What moto 5.2.1 does otherwise than SQS. TestRefusalsBecomeTheContractsErrors shows what becomes of SQS's own answers to
// handles whose time has run out.
const (
	forgets = "moto forgets a deduplication id when the message is deleted; SQS keeps it for five minutes"
	stale   = "moto takes a receipt handle whose time has run out; SQS refuses it"
	skips   = "moto may give the second message of a group in the moment when the time-outs of both end; SQS keeps the order"
)

// gaps are moto's, by the cases that meet them.
var gaps = map[string]string{
	"dedup after delete": forgets,
	"stale receipt of a visible message changes nothing": stale,
	"stale receipt after hide 0 changes nothing":         stale,
	"stale receipt leaves the message to its new holder": stale,
}

// sometimes are gaps of moto that no repetition shows for certain, so nobody looks whether they are still there: it asks each
// message by itself whether its time-out has ended, and in the moment when the time-outs of a group end the first may still be
// hidden when the second is not. .ci/moto_mended.py mends what is not of that moment.
var sometimes = map[string]string{
	"expiry redelivers in order":                          skips,
	"dead letters keep their order":                       skips,
	"consumers that fail lose nothing and keep the order": skips,
}

// withoutGaps, when it is in the environment, makes TestConforms run the cases that gaps name, too.
const withoutGaps = "AWS_TEST_WITHOUT_GAPS"

// server gives the SQS-compatible server that .ci/conform starts.
func server(t *testing.T) string {
	t.Helper()
	url := os.Getenv("AWS_TEST_SQS_ENDPOINT")
	if url == "" {
		t.Skip("AWS_TEST_SQS_ENDPOINT names no SQS-compatible server; .ci/conform starts one")
	}
	return url
}

func TestConforms(t *testing.T) {
	url := server(t)
	client := newClient(func(o *sdk.Options) { o.BaseEndpoint = &url })
	declared := maps.Clone(sometimes)
	if os.Getenv(withoutGaps) == "" {
		maps.Copy(declared, gaps)
	}
	queuetest.Run(t, queuetest.Harness{
		Open:      func(t testing.TB, maxReceives int) queue.Driver { return queues(t, client, maxReceives) },
		RealClock: true,
		Short:     true,
		Gaps:      declared,
	})
}

// A gap that the server does not have any more is to be taken out, or it would hide a fault of ours. Not every case meets a
// gap every time, so one that fails is enough for its reason.
func TestGapsAreStillThere(t *testing.T) {
	server(t)
	cases := map[string][]string{} // by reason
	for name, reason := range gaps {
		cases[reason] = append(cases[reason], regexp.QuoteMeta(name))
	}
	for reason, names := range cases {
		t.Run(reason, func(t *testing.T) {
			t.Parallel()
			again := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestConforms$/^("+strings.Join(names, "|")+")$", "-test.count=1")
			again.Env = append(os.Environ(), withoutGaps+"=1")
			if out, err := again.CombinedOutput(); err == nil {
				t.Errorf("%s: none of its cases fails any more, take it out of the gaps: %s", reason, out)
			} else if !strings.Contains(string(out), "--- FAIL: TestConforms/") {
				t.Errorf("no case was tried: %v: %s", err, out)
			}
		})
	}
}

// The words of a server that we did not write: a queue that somebody deleted is named, and its messages wait.
func TestServersRefusalsNameTheFix(t *testing.T) {
	url := server(t)
	client := newClient(func(o *sdk.Options) { o.BaseEndpoint = &url })
	d := sqs.New(client, url+"/123456789012/gone-")
	for action, call := range calls {
		err := call(t.Context(), d)
		if err == nil || !strings.Contains(err.Error(), "queue gone-turns.fifo does not exist: deploy the stack again") || queue.Refused(err) {
			t.Errorf("%s: %v", action, err)
		}
	}
}
