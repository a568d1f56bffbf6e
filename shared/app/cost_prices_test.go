package app_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/app"
	"tsumugi/shared/queue"
	"tsumugi/shared/sim/stack"
)

// The price table: what AWS asks in us-east-1 on demand, in US dollars, without free tiers, as of November 2026.
//
// To update it: look each line up on the page named beside it, change the figure, change the month above, and run
// "make bench". A region other than us-east-1 asks up to a quarter more. Whoever changes a figure changes the README's table
// of costs too. The sources, all read in November 2026:
//
//   - DynamoDB on demand: aws.amazon.com/dynamodb/pricing/on-demand (halved in November 2024; airbyte.com/data-engineering-resources/dynamodb-pricing
//     and bytebase.com/blog/understanding-dynamodb-pricing agree)
//   - SQS: aws.amazon.com/sqs/pricing (cloudburn.io/blog/amazon-sqs-pricing, March 2026)
//   - Lambda: aws.amazon.com/lambda/pricing (cloudchipr.com/blog/aws-lambda-pricing)
//   - CloudWatch: aws.amazon.com/cloudwatch/pricing (cloudburn.io/blog/amazon-cloudwatch-pricing, February 2026)
//   - X-Ray: aws.amazon.com/xray/pricing
//   - API Gateway: aws.amazon.com/api-gateway/pricing (go-cloud.io/aws-api-gateway-pricing, 2026)
//   - Secrets Manager, KMS: their pricing pages (hivebook.wiki; cloudburn.io/blog/aws-kms-pricing, March 2026)
const (
	priceWriteUnit  = 0.625 / 1e6 // of DynamoDB, for each started KB; twice in a transaction
	priceReadUnit   = 0.125 / 1e6 // of DynamoDB, for each started 4 KB read consistently
	priceQueue      = 0.50 / 1e6  // one request to a FIFO queue, for each started 64 KB
	priceGBSecond   = 0.0000133334
	priceInvocation = 0.20 / 1e6
	priceLogByte    = 0.50 / (1 << 30) // taken in
	priceTrace      = 5.00 / 1e6       // recorded
	priceHTTP       = 1.00 / 1e6       // one request to an HTTP API: a slash command or a click

	monthlyKey    = 1.00 // of KMS
	monthlySecret = 0.40
	monthlyAlarm  = 0.10
	monthlyMetric = 0.30
)

// What the template leaves to AWS, and what an installation does when nobody says a word.
const (
	sampled     = 0.05 // of the invocations, by Lambda, beyond the first in each second; it cannot be told otherwise
	platformLog = 400  // bytes of Lambda's own lines around an invocation
	keys        = 1    // of KMS, for the secrets
	providers   = 1    // of models, by which the metrics of a turn are kept apart
	turnMetrics = 4    // telemetry's declared ones
	pollers     = 5    // long polls of 20 s that Lambda keeps open for an event source with nothing to do
	month       = 730 * time.Hour

	relayOverlap = 1.02                   // a relay's successor is up before it leaves
	relayLooks   = 150 * time.Millisecond // what a run takes that finds a healthy relay
	sweeperTakes = 60 * time.Millisecond
	sweeperReads = 16*0.5 + 1 // units: a look at each shard of the due index, and at the relay's sign of life
	sweeperLog   = 250        // bytes of the metrics that it measures
)

// What a call takes, seen from a warm function of 512 MB in the same region; the model's time is the bench's own. On this
// machine the calls' own work was measured at 0.26 ms of a processor (a Runtime API of ours, November 2026) and a whole turn's
// at about 2 ms (turn_cpu_us), of which a function of 512 MB has 29 %.
const (
	takesRead        = 5 * time.Millisecond
	takesWrite       = 7 * time.Millisecond
	takesTransaction = 12 * time.Millisecond
	takesQueue       = 10 * time.Millisecond
	takesDiscord     = 120 * time.Millisecond
	takesInvocation  = 8 * time.Millisecond // beside its calls
)

// template is an installation with the defaults of the template.
func template(t *testing.T) *stack.Template {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("..", "..", "template.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	out, err := stack.Read(text, stack.Stack{Name: "house", Region: "us-east-1", Account: "123456789012", Parameters: map[string]string{
		"DiscordToken": "a.b.c", "DiscordPublicKey": strings.Repeat("0f", 32), "ModelUrl": "https://model.invalid/v1", "ModelKey": "key"}})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

// functionOf is the role that serves a queue.
var functionOf = map[string]app.Role{queue.Ingress: app.Admission, queue.Turns: app.Planning, queue.Replies: app.Generation}

// memories are those of the functions in MB, by role.
func memories(out *stack.Template) map[app.Role]int {
	all := map[app.Role]int{}
	for _, f := range out.Functions {
		all[app.Role(f.Dir)] = f.Memory
	}
	return all
}

// monthly is what an installation costs where nobody says a word, by what it is for.
func monthly(out *stack.Template) map[string]float64 {
	sources, watched, ours := 0, 0, map[string]bool{}
	for _, f := range out.Functions {
		sources += len(f.Sources)
	}
	for _, a := range out.Alarms {
		watched += len(a.Metrics) // each metric that an alarm looks at is paid for
		for _, m := range a.Metrics {
			ours[m] = strings.HasPrefix(m, "Tsumugi/")
		}
	}
	metrics := turnMetrics * providers
	for _, is := range ours {
		if is {
			metrics++
		}
	}
	mb := memories(out)
	run := func(role app.Role, took time.Duration) float64 { // by the minute's schedule, which is rare enough for all to be traced
		return priceInvocation + priceTrace + priceGBSecond*float64(mb[role])/1024*took.Seconds() + platformLog*priceLogByte
	}
	return map[string]float64{
		"relay":   month.Minutes()*run(app.Relaying, relayLooks) + priceGBSecond*float64(mb[app.Relaying])/1024*month.Seconds()*relayOverlap,
		"sweeper": month.Minutes() * (run(app.Sweeper, sweeperTakes) + sweeperReads*priceReadUnit + sweeperLog*priceLogByte),
		"polls":   float64(sources) * pollers * month.Seconds() / 20 * priceQueue,
		"key":     keys * monthlyKey,
		"secrets": float64(len(out.Secrets)) * monthlySecret,
		"alarms":  float64(watched) * monthlyAlarm,
		"metrics": float64(metrics) * monthlyMetric,
	}
}
