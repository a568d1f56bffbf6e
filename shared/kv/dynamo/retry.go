package dynamo

import (
	"errors"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/smithy-go"

	"tsumugi/shared/kv"
)

// Who repeats what. Each failure has one place that repeats it, or the tries of two would multiply, and what waits some
// seconds would wait for minutes.
//
//	condition       nobody: what the caller decided on is no longer so
//	contention      package store, which reads and decides again
//	throttling      package store, with jitter and some seconds at most; then the queue, up to a minute apart
//	unprocessed     BatchGet, a few times; what is left then counts as throttling
//	lost reply      the SDK for reads, and for transactions, whose token lets DynamoDB know the second as the first;
//	                nobody for a plain write, whose second try would fail on what the first one did
//
// A transaction that is throttled after its reply was lost may have been written. It is tried on until DynamoDB says what
// became of the token, and never reported as throttled, which would say that nothing was written.

// repeats decides about the attempts of one call. It is the client's own retryer but for throttling.
type repeats struct {
	aws.Retryer
	token bool // the call carries one
	lost  bool // an attempt ended without an answer that says what it did
}

// IsErrorRetryable is asked after each attempt that failed.
func (r *repeats) IsErrorRetryable(err error) bool {
	if throttled(err) {
		return r.token && r.lost
	}
	again := r.Retryer.IsErrorRetryable(err)
	r.lost = r.lost || again
	return again
}

// reading is for calls that change nothing.
func reading(o *dynamodb.Options) { o.Retryer = &repeats{Retryer: o.Retryer} }

// once keeps the SDK from sending a plain write again.
func once(o *dynamodb.Options) { o.Retryer = aws.NopRetryer{} }

// transacting is for one call that carries a token. lost tells afterwards whether an attempt of it is unaccounted for.
func transacting() (option func(*dynamodb.Options), lost func() bool) {
	r := &repeats{token: true}
	return func(o *dynamodb.Options) { r.Retryer = o.Retryer; o.Retryer = r }, func() bool { return r.lost }
}

// throttled tells whether DynamoDB turned the request away unread.
func throttled(err error) bool {
	var api smithy.APIError
	return errors.As(err, &api) && errors.Is(verdicts[api.ErrorCode()], kv.ErrThrottled)
}
