package aws_test

import (
	"context"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/events"
)

// TestOutsideLambdaServer: the server of a library that nobody here wrote reads the samples as we do. It knows no clock, and
// takes no body in base64.
func TestOutsideLambdaServer(t *testing.T) {
	dir := os.Getenv("DISCORD_TEST_MODULES")
	if dir == "" {
		t.Skip("DISCORD_TEST_MODULES does not name a node_modules: .ci/conform installs one and runs this test")
	}
	cases := []struct {
		sample string
		tamper string // of the body, put in place of its first brace
		status int
		kind   int
		name   string // of the command
	}{
		{"interaction-ping.json", "", 200, 1, ""},
		{"interaction-stop.json", "", 200, 4, "stop"},
		{"interaction-ping.json", "{ ", 401, 0, ""},
		{"interaction-stop.json", "{ ", 401, 0, ""},
	}
	args := []string{filepath.Join("testdata", "slashcreate.cjs"), dir, sampleKey()}
	for _, c := range cases {
		args = append(args, string(tampered(t, c.sample, c.tamper)))
	}
	ctx, stop := context.WithTimeout(t.Context(), time.Minute)
	defer stop()
	out, err := exec.CommandContext(ctx, "node", args...).Output()
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(out)), "\n")
	if len(lines) != len(cases) {
		t.Fatalf("it said %s", out)
	}
	for n, c := range cases {
		var theirs struct {
			Status  int
			Type    int
			Command string
		}
		if err := json.Unmarshal([]byte(lines[n]), &theirs); err != nil || theirs.Status != c.status || theirs.Type != c.kind || theirs.Command != c.name {
			t.Errorf("%s, %q: they say %s", c.sample, c.tamper, lines[n])
		}
		then(t, func(t *testing.T) {
			machine(t, &cloud{replies: free()})
			var ours events.APIGatewayV2HTTPResponse
			if err := invoke(t, interactions(t), tampered(t, c.sample, c.tamper), &ours); err != nil {
				t.Fatal(err)
			}
			var body struct{ Type int }
			if ours.StatusCode == 200 {
				if err := json.Unmarshal([]byte(ours.Body), &body); err != nil {
					t.Fatal(err)
				}
			}
			if ours.StatusCode != c.status || body.Type != c.kind {
				t.Errorf("%s, %q: we say %d, type %d", c.sample, c.tamper, ours.StatusCode, body.Type)
			}
		})
	}
}

// tampered is a sample with its body changed after it was signed.
func tampered(t *testing.T, name, with string) []byte {
	t.Helper()
	var e events.APIGatewayV2HTTPRequest
	if err := json.Unmarshal(sample(t, name), &e); err != nil {
		t.Fatal(err)
	}
	if with != "" {
		e.Body = strings.Replace(e.Body, "{", with, 1)
	}
	text, err := json.Marshal(e)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
