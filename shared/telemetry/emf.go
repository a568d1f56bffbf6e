package telemetry

import (
	"encoding/json"
	"fmt"
	"io"
	"time"
)

// namespace is where CloudWatch files our metrics.
const namespace = "Tsumugi"

// Metric is one number for CloudWatch.
type Metric struct {
	Name  string
	Unit  string // one of CloudWatch's: Milliseconds, Seconds, Count, None
	Value float64
}

// Measure writes metrics without dimensions as one line of the embedded metric format, which CloudWatch takes from a
// function's log.
func Measure(w io.Writer, at time.Time, metrics ...Metric) error {
	type named struct{ Name, Unit string }
	type directive struct {
		Namespace  string
		Dimensions [][]string
		Metrics    []named
	}
	line, d := map[string]any{}, directive{Namespace: namespace, Dimensions: [][]string{{}}}
	for _, m := range metrics {
		line[m.Name] = m.Value
		d.Metrics = append(d.Metrics, named{m.Name, m.Unit})
	}
	line["_aws"] = map[string]any{"Timestamp": at.UnixMilli(), "CloudWatchMetrics": []directive{d}}
	b, err := json.Marshal(line)
	if err == nil {
		_, err = w.Write(append(b, '\n'))
	}
	if err != nil {
		return fmt.Errorf("write a metric line: %w", err)
	}
	return nil
}
