package telemetry

import (
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"time"
)

// Namespace is where CloudWatch files the metrics of an installation. Two of one account have two: the metrics of one would
// otherwise ring the alarms of the other, or keep them silent.
func Namespace(installation string) string { return "Tsumugi/" + installation }

// Metric is one number for CloudWatch.
type Metric struct {
	Name  string
	Unit  string // one of CloudWatch's: Milliseconds, Seconds, Count, None
	Value float64
}

// directive is what CloudWatch wants to read in a line, in the embedded metric format: which of its numbers are metrics, and
// by which of its words they are kept apart.
type directive struct {
	Timestamp         int64
	CloudWatchMetrics [1]declaration
}

type declaration struct {
	Namespace  string
	Dimensions [1][]string
	Metrics    []named
}

type named struct{ Name, Unit string }

// directiveKey is where it is in the line.
const directiveKey = "_aws"

// direct declares numbers of a line; dimensions are the names of its words. The line has the values, so those of the metrics
// do not count.
func direct(namespace string, at time.Time, dimensions []string, metrics []Metric) directive {
	d := declaration{Namespace: namespace, Dimensions: [1][]string{append([]string{}, dimensions...)}}
	for _, m := range metrics {
		d.Metrics = append(d.Metrics, named{m.Name, m.Unit})
	}
	return directive{at.UnixMilli(), [1]declaration{d}}
}

// declare makes metrics of numbers that a line of the log has.
func declare(namespace string, at time.Time, dimensions []string, metrics []Metric) slog.Attr {
	return slog.Any(directiveKey, direct(namespace, at, dimensions, metrics))
}

// Measure writes metrics without dimensions as one line of the embedded metric format, which CloudWatch takes from a
// function's log.
func Measure(w io.Writer, namespace string, at time.Time, metrics ...Metric) error {
	line := map[string]any{directiveKey: direct(namespace, at, nil, metrics)}
	for _, m := range metrics {
		line[m.Name] = m.Value
	}
	b, err := json.Marshal(line)
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write a metric line: %w", err)
	}
	return nil
}
