package aws

import (
	"context"
	"log/slog"
	"path"
	"strings"

	"github.com/aws/aws-lambda-go/events"

	"tsumugi/shared/app"
	"tsumugi/shared/queue"
)

// Undertaker gives the handler of the dead-letter queues, all of them: a record says which it came from.
func Undertaker(ctx context.Context, getenv func(string) string, trace Tracer) (queue.BatchHandler, error) {
	o, err := open(ctx, app.Undertaker, getenv, trace)
	if err != nil {
		return nil, err
	}
	ports, handlers := o.ports(), map[string]queue.BatchHandler{}
	for _, name := range queue.Names() {
		if dead := queue.Dead(name); dead != "" {
			handlers[dead] = app.NewUndertaker(ports, name)
		}
	}
	_, prefix := path.Split(o.cfg.Queues)
	return handOver(bySource(prefix, handlers)), nil
}

// bySource gives each record to the handler of the queue that it came from, by name without prefix. A record of a queue that
// has none is reported as failed: it stays where it is until somebody reads the log.
func bySource(prefix string, handlers map[string]queue.BatchHandler) queue.BatchHandler {
	return func(ctx context.Context, e events.SQSEvent) (events.SQSEventResponse, error) {
		response := events.SQSEventResponse{BatchItemFailures: []events.SQSBatchItemFailure{}}
		var sources []string // in the order of the event, which has one if Lambda made it
		records := map[string][]events.SQSMessage{}
		for _, m := range e.Records {
			if records[m.EventSourceARN] == nil {
				sources = append(sources, m.EventSourceARN)
			}
			records[m.EventSourceARN] = append(records[m.EventSourceARN], m)
		}
		for _, source := range sources {
			full := source[strings.LastIndexByte(source, ':')+1:]
			name, ours := strings.CutPrefix(strings.TrimSuffix(full, ".fifo"), prefix)
			handle := handlers[name]
			if !ours || handle == nil {
				slog.ErrorContext(ctx, "dead letters of a queue that is not known", "source", source, "fix", "connect the undertaker to the dead-letter queues of the template alone")
				for _, m := range records[source] {
					response.BatchItemFailures = append(response.BatchItemFailures, events.SQSBatchItemFailure{ItemIdentifier: m.MessageId})
				}
				continue
			}
			part, err := handle(ctx, events.SQSEvent{Records: records[source]})
			if err != nil {
				return response, err
			}
			response.BatchItemFailures = append(response.BatchItemFailures, part.BatchItemFailures...)
		}
		return response, nil
	}
}
