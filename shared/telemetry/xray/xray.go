// Package xray tells AWS X-Ray what the Lambda functions do: a chat.Recorder that makes subsegments under Lambda's own segment,
// one for each delivery and each stage of it, and what makes one for each call of AWS, Discord and the model. What lives here:
// everything that knows X-Ray's SDK, so that one package changes when it is replaced. What must not live here: stages and
// chains (package chat), other records of them (package telemetry), message text, prompts, user ids, addresses, and the text
// of errors.
//
// Lambda decides for each invocation whether it is sampled, and puts that into its context. What is not sampled costs a look
// at the context. Subsegments go to Lambda's daemon by UDP: where there is none they are lost in silence.
package xray

import (
	"context"
	"fmt"
	"sync/atomic"

	"github.com/aws/aws-xray-sdk-go/header"
	"github.com/aws/aws-xray-sdk-go/strategy/ctxmissing"
	"github.com/aws/aws-xray-sdk-go/xray"
	"github.com/aws/aws-xray-sdk-go/xraylog"

	"tsumugi/shared/chat"
)

// most is how many subsegments one delivery may have: X-Ray takes 500 kB of a trace, and a long stream makes calls for
// minutes. What comes later is not traced.
const most = 100

// Tracer is a chat.Recorder, and traces calls.
type Tracer struct{}

var _ chat.Recorder = Tracer{}

// Open sets the SDK up, which is one for the process: it is told before anything is traced. daemon is where it sends to; ""
// for the address that Lambda gives.
func Open(daemon string) error {
	xray.SetLogger(xraylog.NullLogger) // it would say so at every subsegment that is lost
	err := xray.Configure(xray.Config{DaemonAddr: daemon, ContextMissingStrategy: ctxmissing.NewDefaultIgnoreErrorStrategy(),
		ExceptionFormattingStrategy: wordless{}})
	if err != nil {
		return fmt.Errorf("set up x-ray: %w", err)
	}
	return nil
}

// lambdas is Lambda's trace header, and whether what belongs to it is to be traced.
func lambdas(ctx context.Context) (text string, sampled bool) {
	text, _ = ctx.Value(xray.LambdaTraceHeaderKey).(string)
	h := header.FromString(text)
	if h.TraceID == "" || h.ParentID == "" {
		return "", false
	}
	return text, h.SamplingDecision == header.Sampled
}

type leftKey struct{}

// traced tells whether there is to be a subsegment under the context, and counts it.
func traced(ctx context.Context) bool {
	if left, ok := ctx.Value(leftKey{}).(*atomic.Int64); ok {
		return left.Add(-1) >= 0
	}
	_, sampled := lambdas(ctx) // outside of deliveries
	return sampled
}

// Begin begins the subsegment of a delivery; Lambda's segment may have ten of them. Messages that are sent on carry Lambda's
// trace from here on, also where it is not sampled. Where there is none they carry that of the message that was delivered.
func (Tracer) Begin(ctx context.Context, a chat.Attempt) (context.Context, chat.Span) {
	text, sampled := lambdas(ctx)
	if text == "" {
		return ctx, nothing{}
	}
	if !sampled {
		return continued(ctx, text), nothing{}
	}
	came := header.FromString(chat.ChainOf(ctx).Trace).TraceID
	left := &atomic.Int64{}
	left.Store(most)
	ctx, s, ok := begin(context.WithValue(ctx, leftKey{}, left), a.Queue)
	if !ok {
		return ctx, nothing{}
	}
	s.annotate("event", string(a.Event))
	s.annotate("channel", string(a.Channel))
	s.annotate("turn", a.Turn)
	s.annotate("sent_by", came) // the trace of whoever sent the message
	return ctx, s
}

// continued is the context of work whose messages carry the header.
func continued(ctx context.Context, text string) context.Context {
	c := chat.ChainOf(ctx)
	c.Trace = text
	return chat.InChain(ctx, c)
}

// begin begins a subsegment, unless the SDK has none to begin it in.
func begin(ctx context.Context, name string) (context.Context, span, bool) {
	inner, seg := xray.BeginSubsegment(ctx, name)
	if seg == nil {
		return ctx, span{}, false
	}
	return continued(inner, seg.DownstreamHeader().String()), span{Segment: seg}, true
}
