package app_test

import (
	"time"

	"tsumugi/shared/queue"
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
	priceHTTP       = 1.00 / 1e6       // one request to an HTTP API

	monthlyKey    = 1.00 // of KMS
	monthlySecret = 0.40
	monthlyAlarm  = 0.10
	monthlyMetric = 0.30
)

// What the template says; TestCostsAreThoseOfTheTemplate holds the two together.
const (
	sampled        = 0.05 // of the traces beyond the first each second; see monthlyTraces
	platformLog    = 400  // bytes of START, END and REPORT around an invocation
	secrets        = 2    // the bot's token and the model's key
	keys           = 1
	alarms         = 33      // metrics that alarms watch
	metrics        = 4*2 + 2 // those declared, by provider (most installations have one or two), and the two of the relay
	eventSources   = 8       // mappings of FIFO queues: four queues and their dead letters
	pollers        = 5       // long polls of 20 s that Lambda keeps open for a mapping with nothing to do
	relayMemory    = 128
	sweeperMemory  = 128
	sweeperTakes   = 150 * time.Millisecond
	sweeperUnits   = 16 * 0.5 // a look at each shard of the due index
	month          = 730 * time.Hour
	relayOverlap   = 1.1 // a relay's successor is up before it leaves
	relayStarts    = 60  // runs of the minute's schedule in an hour
	relayStartTime = 200 * time.Millisecond
)

// memory is what each function has, in MB.
var memory = map[string]int{queue.Ingress: 256, queue.Turns: 256, queue.Replies: 512}

// What a call takes, seen from a warm function of 512 MB in the same region; the model's time is the bench's own. On this
// machine the calls' own work was measured at 0.26 ms of a processor (aws.md, section 4) and a whole turn's at about 2 ms
// (turn_cpu_us), of which a function of 512 MB has 29 %.
const (
	takesRead        = 5 * time.Millisecond
	takesWrite       = 7 * time.Millisecond
	takesTransaction = 12 * time.Millisecond
	takesQueue       = 10 * time.Millisecond
	takesDiscord     = 120 * time.Millisecond
	takesInvocation  = 8 * time.Millisecond // beside its calls
)

// monthly is what an installation costs where nobody says a word.
func monthly() (total float64, parts map[string]float64) {
	minutes := month.Minutes()
	parts = map[string]float64{
		"relay": priceGBSecond*relayMemory/1024*month.Seconds()*relayOverlap +
			month.Hours()*relayStarts*(priceInvocation+priceGBSecond*relayMemory/1024*relayStartTime.Seconds()+platformLog*priceLogByte),
		"sweeper": minutes * (priceInvocation + priceGBSecond*sweeperMemory/1024*sweeperTakes.Seconds() + sweeperUnits*priceReadUnit + platformLog*priceLogByte),
		"polls":   eventSources * pollers * month.Seconds() / 20 * priceQueue,
		"key":     keys * monthlyKey, "secrets": secrets * monthlySecret,
		"alarms": alarms * monthlyAlarm, "metrics": metrics * monthlyMetric,
	}
	for _, p := range parts {
		total += p
	}
	return total, parts
}
