package telemetry_test

import (
	"bytes"
	"testing"
	"time"

	"tsumugi/shared/telemetry"
)

func TestMetricsAreOneLine(t *testing.T) {
	var out bytes.Buffer
	err := telemetry.Measure(&out, telemetry.Namespace("house"), time.UnixMilli(1700000000123), telemetry.Metric{Name: "relay_silent_s", Unit: "Seconds", Value: 12},
		telemetry.Metric{Name: "relay_parked", Unit: "Count", Value: 0})
	const want = `{"_aws":{"Timestamp":1700000000123,"CloudWatchMetrics":[{"Namespace":"Tsumugi/house","Dimensions":[[]],"Metrics":[{"Name":"relay_silent_s","Unit":"Seconds"},` +
		`{"Name":"relay_parked","Unit":"Count"}]}]},"relay_parked":0,"relay_silent_s":12}` + "\n"
	if err != nil || out.String() != want {
		t.Errorf("wrote %q, %v; want %q", out.String(), err, want)
	}
}
