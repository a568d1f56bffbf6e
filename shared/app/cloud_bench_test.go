package app_test

import (
	"archive/zip"
	"cmp"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"tsumugi/shared/sim/cloud"
	"tsumugi/shared/sim/stack"
)

// The promises of issue 4, in MiB.
const (
	largestGeneration = 16
	largestZip        = 8
)

// TestBenchDeployables weighs what is deployed, and times how long a process takes from its start to its first poll. Lambda's
// own part of a cold start, the sandbox and the download, is not in it.
func TestBenchDeployables(t *testing.T) {
	if os.Getenv("TSUMUGI_BENCH") != "1" {
		t.Skip("builds every function twice; make bench runs it")
	}
	text, err := os.ReadFile("../../template.yaml")
	if err != nil {
		t.Fatal(err)
	}
	house, err := stack.Read(text, stack.Stack{Name: "house", Region: cloud.Region, Account: cloud.Account, Parameters: map[string]string{
		"DiscordToken": botToken, "DiscordPublicKey": fmt.Sprintf("%064x", 1), "ModelUrl": "https://model.invalid/v1"}})
	if err != nil {
		t.Fatal(err)
	}
	slices.SortFunc(house.Functions, func(a, b stack.Function) int { return cmp.Compare(a.Dir, b.Dir) })
	for _, f := range house.Functions {
		limit := largestZip
		if f.Dir == "generation" {
			limit = largestGeneration
		}
		size := zipped(t, bootstrap(t, f.Dir, "arm64"))
		bench("zip_mib_"+f.Dir, size, "MiB")
		if size > float64(limit) {
			t.Errorf("%s is %.1f MiB zipped, more than %d: each cold start downloads it", f.Dir, size, limit)
		}
		bench("cold_init_ms_"+f.Dir, coldInit(t, f), "ms")
	}
}

// bootstrap builds a function as it is deployed, for a processor.
func bootstrap(t *testing.T, role, arch string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "bootstrap")
	cmd := exec.Command("go", "build", "-tags", "lambda.norpc", "-trimpath", "-ldflags=-s -w", "-o", path, "tsumugi/functions/"+role)
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOOS=linux", "GOARCH="+arch)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("go build: %v\n%s", err, out)
	}
	return path
}

// zipped is how large a file is in a package of Lambda, in MiB.
func zipped(t *testing.T, path string) float64 {
	t.Helper()
	in, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer in.Close()
	var size counter
	z := zip.NewWriter(&size)
	w, err := z.Create("bootstrap")
	if err == nil {
		_, err = io.Copy(w, in)
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	return float64(size) / (1 << 20)
}

type counter int64

// Write counts.
func (c *counter) Write(p []byte) (int, error) {
	*c += counter(len(p))
	return len(p), nil
}

// coldInit is the median of ten starts, in milliseconds.
func coldInit(t *testing.T, f stack.Function) float64 {
	t.Helper()
	env := map[string]string{"AWS_ACCESS_KEY_ID": f.Dir, "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": cloud.Region}
	for name, value := range f.Env {
		env[name] = value
	}
	fn := cloud.NewFunction(cloud.FunctionOptions{Name: f.Dir, Binary: bootstrap(t, f.Dir, runtime.GOARCH), Dir: t.TempDir(), Env: env, Timeout: time.Minute})
	defer fn.Close()
	for range 11 { // the first has not been read from the disk before, and is left out
		if err := fn.Provision(t.Context()); err != nil {
			t.Fatalf("%v\n%s", err, fn.Log())
		}
	}
	return float64(median(fn.Starts()[1:]).Microseconds()) / 1000
}

func median(all []time.Duration) time.Duration {
	slices.Sort(all)
	return all[len(all)/2]
}

// TestBenchOnAWS counts the calls that a turn makes, and a message that nobody answers, in an installation that is warm. Polls
// are not among them. The messages come one at a time; those that come at once share calls, which TestBenchCost measures.
func TestBenchOnAWS(t *testing.T) {
	if os.Getenv("TSUMUGI_BENCH") != "1" {
		t.Skip("measures; make bench runs it")
	}
	s := newSky(t, laying{})
	s.told(t, kettle, nil)
	const n = 20
	began := len(s.proxy.Records())
	s.told(t, questions(n, ""), nil)
	s.calls("turn", n, began)
	began = len(s.proxy.Records())
	var events, saved strings.Builder
	for i := range n {
		fmt.Fprintf(&events, "ana: nobody is asked %d\n", i)
		fmt.Fprintf(&saved, "event %d ignored · ", i+1)
	}
	s.told(t, "-- settings.json --\n"+`{"channel":"100","cast":["mira"]}`+"\n-- events --\n"+events.String()+"-- want.saved --\n"+saved.String()+
		"lease free · mailbox empty · dead letters 0\n", nil)
	s.calls("ignored", n, began)
}

// calls tells how many calls of the functions each of n things has made since a record: altogether, and by service.
func (s *sky) calls(what string, n, since int) {
	counts := map[string]float64{}
	for _, r := range s.proxy.Records()[since:] {
		if r.Part || r.Mapping || !slices.Contains([]string{"admission", "planning", "generation"}, r.Role) {
			continue
		}
		counts[""]++
		counts["_"+r.Service]++
	}
	for _, of := range []string{"", "_dynamodb", "_sqs"} {
		bench("aws_calls_per_"+what+of, counts[of]/float64(n), "calls")
	}
}
