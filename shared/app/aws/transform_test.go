package aws_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"
)

// given is a path that .ci/template hands to a test.
func given(t *testing.T, name string) string {
	t.Helper()
	path := os.Getenv(name)
	if path == "" {
		t.Skip("make template runs it, which makes what it looks at")
	}
	return path
}

// TestTransformed compares what SAM makes of the template with what our reader reads.
func TestTransformed(t *testing.T) {
	text, err := os.ReadFile(given(t, "TSUMUGI_TRANSFORMED"))
	if err != nil {
		t.Fatal(err)
	}
	var made struct {
		Resources map[string]struct {
			Type       string
			Properties struct {
				Timeout           int
				MemorySize        any // the relay's is a parameter
				Runtime           string
				Architectures     []string
				TracingConfig     struct{ Mode string }
				RecursiveLoop     string
				Environment       struct{ Variables map[string]any }
				FunctionName      any
				BatchSize         int
				State             any
				ManagedPolicyArns any
			}
		}
	}
	if err := json.Unmarshal(text, &made); err != nil {
		t.Fatal(err)
	}
	counts := map[string]int{}
	for id, r := range made.Resources {
		counts[r.Type]++
		if r.Properties.ManagedPolicyArns != nil {
			t.Errorf("SAM gives %s policies of AWS, which permit more than is needed: %v", id, r.Properties.ManagedPolicyArns)
		}
	}
	want := map[string]int{"AWS::IAM::Role": 0, "AWS::ApiGatewayV2::Api": 1,
		"AWS::Lambda::Version": 0} // SAM makes a new one for new code, and none for a parameter's new value
	for _, f := range deployed(t, "ModelKey", "key").Functions {
		p := made.Resources[f.Name].Properties
		if p.Timeout != f.Timeout || f.Name != "Relay" && p.MemorySize != float64(f.Memory) || p.Runtime != f.Runtime || p.TracingConfig.Mode != f.Tracing ||
			p.RecursiveLoop != f.Recursion || !slices.Equal(p.Architectures, []string{f.Arch}) {
			t.Errorf("%s: SAM makes %+v of it, we read %+v", f.Name, p, f)
		}
		if a, b := slices.Sorted(maps.Keys(p.Environment.Variables)), slices.Sorted(maps.Keys(f.Env)); !slices.Equal(a, b) {
			t.Errorf("%s: SAM sets %q, we read %q", f.Name, a, b)
		}
		want["AWS::IAM::Role"]++ // each has its own, and SAM makes none
		want["AWS::Lambda::Function"]++
		want["AWS::Lambda::EventSourceMapping"] += len(f.Sources)
		want["AWS::Events::Rule"] += len(f.Schedules)
		want["AWS::Lambda::Permission"] += len(f.Schedules) + len(f.Routes)
		if f.Async != nil {
			want["AWS::Lambda::EventInvokeConfig"]++
		}
	}
	for kind, n := range want {
		if counts[kind] != n {
			t.Errorf("SAM makes %d of %s, we read %d", counts[kind], kind, n)
		}
	}
}
