package cloud_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/aws/aws-lambda-go/lambda"
	"github.com/aws/aws-lambda-go/lambdacontext"

	"tsumugi/shared/sim/cloud"
)

// The test's own binary is the bootstrap, as aws-lambda-go makes one.
func TestMain(m *testing.M) {
	if os.Getenv("AWS_LAMBDA_RUNTIME_API") != "" {
		lambda.Start(serve)
		return
	}
	os.Exit(m.Run())
}

// ask is what the tests ask of the function.
type ask struct{ Do, Say string }

type said struct {
	Say, Setting, Request, ARN string
	PID                        int
	Left                       time.Duration
}

func handle(ctx context.Context, a ask) (said, error) {
	switch a.Do {
	case "fail":
		return said{}, errors.New(a.Say)
	case "panic":
		panic(a.Say)
	case "exit":
		os.Exit(3)
	case "hang":
		fmt.Println("hanging", a.Say)
		select {}
	}
	end, _ := ctx.Deadline()
	lc, _ := lambdacontext.FromContext(ctx)
	return said{Say: a.Say, Setting: os.Getenv("SETTING"), Request: lc.AwsRequestID, ARN: lc.InvokedFunctionArn, PID: os.Getpid(), Left: time.Until(end)}, nil
}

func function(t *testing.T, change func(*cloud.FunctionOptions)) *cloud.Function {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := cloud.FunctionOptions{Name: "echo", Binary: self, Dir: t.TempDir(), Env: map[string]string{"SETTING": "set"}, Timeout: time.Minute}
	if change != nil {
		change(&o)
	}
	f := cloud.NewFunction(o)
	t.Cleanup(f.Close)
	return f
}

func call(t *testing.T, f *cloud.Function, a ask) (said, error) {
	t.Helper()
	payload, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	var out said
	answer, err := f.Invoke(t.Context(), payload)
	if err == nil {
		err = json.Unmarshal(answer, &out)
	}
	return out, err
}

func TestOneProcessServesOneInvocationAfterTheOther(t *testing.T) {
	f := function(t, nil)
	first, err := call(t, f, ask{Say: "a"})
	if err != nil {
		t.Fatal(err)
	}
	if first.Say != "a" || first.Setting != "set" || first.Request == "" || !strings.HasSuffix(first.ARN, ":function:echo") {
		t.Errorf("got %+v", first)
	}
	if first.Left < 50*time.Second || first.Left > time.Minute {
		t.Errorf("%s are left of a minute", first.Left)
	}
	second, err := call(t, f, ask{Say: "b"})
	if err != nil || second.PID != first.PID || second.Request == first.Request {
		t.Errorf("got %+v after %+v: %v", second, first, err)
	}
	if n := len(f.Starts()); n != 1 {
		t.Errorf("%d cold starts", n)
	}
}

func TestFailuresAreToldApart(t *testing.T) {
	f := function(t, nil)
	first, err := call(t, f, ask{})
	if err != nil {
		t.Fatal(err)
	}
	var reported *cloud.FunctionError
	if _, err := call(t, f, ask{Do: "fail", Say: "no luck"}); !errors.As(err, &reported) || reported.Message != "no luck" {
		t.Errorf("an error: %v", err)
	}
	if same, err := call(t, f, ask{}); err != nil || same.PID != first.PID {
		t.Errorf("an error is no reason for a new process: %v", err)
	}
	if _, err := call(t, f, ask{Do: "panic", Say: "oh"}); !errors.As(err, &reported) || reported.Message != "oh" {
		t.Errorf("a panic: %v", err)
	}
	if _, err := call(t, f, ask{Do: "exit"}); !errors.Is(err, cloud.ErrExited) {
		t.Errorf("an exit: %v", err)
	}
	fresh, err := call(t, f, ask{})
	if err != nil || fresh.PID == first.PID {
		t.Errorf("after a crash comes a fresh process: %+v %v", fresh, err)
	}
}

func TestWhoOverrunsIsKilled(t *testing.T) {
	f := function(t, func(o *cloud.FunctionOptions) { o.Timeout = 300 * time.Millisecond })
	if _, err := call(t, f, ask{Do: "hang"}); !errors.Is(err, cloud.ErrTimedOut) {
		t.Errorf("got %v", err)
	}
	if _, err := call(t, f, ask{}); err != nil {
		t.Error(err)
	}
}

func TestKillAndConcurrency(t *testing.T) {
	f := function(t, func(o *cloud.FunctionOptions) { o.Concurrency = 2 })
	ended := make(chan error, 2)
	for _, name := range []string{"one", "two"} {
		go func() {
			_, err := f.Invoke(context.Background(), []byte(`{"Do":"hang","Say":"`+name+`"}`))
			ended <- err
		}()
	}
	waitFor(t, func() bool { return f.Log().Count("hanging") == 2 })
	if _, err := call(t, f, ask{}); !errors.Is(err, cloud.ErrThrottled) {
		t.Errorf("a third: %v", err)
	}
	if n := f.Kill(func(payload []byte) bool { return strings.Contains(string(payload), "one") }); n != 1 {
		t.Errorf("%d were killed", n)
	}
	if err := <-ended; !errors.Is(err, cloud.ErrExited) {
		t.Errorf("the killed one: %v", err)
	}
	if _, err := call(t, f, ask{}); err != nil {
		t.Errorf("its place is free: %v", err)
	}
	f.Close()
	if err := <-ended; !errors.Is(err, cloud.ErrExited) {
		t.Errorf("the other, at the end: %v", err)
	}
	if _, err := call(t, f, ask{}); err == nil {
		t.Error("a closed function is invoked")
	}
}

func TestIdleProcessesAreFrozenAndRecycled(t *testing.T) {
	f := function(t, nil)
	first, err := call(t, f, ask{})
	if err != nil {
		t.Fatal(err)
	}
	stat := fmt.Sprintf("/proc/%d/stat", first.PID)
	if _, err := os.Stat(stat); err == nil {
		waitFor(t, func() bool {
			text, err := os.ReadFile(stat)
			_, state, _ := strings.Cut(string(text), ") ")
			return err == nil && strings.HasPrefix(state, "T")
		})
	}
	f.Recycle(map[string]string{"SETTING": "other"})
	fresh, err := call(t, f, ask{})
	if err != nil || fresh.PID == first.PID || fresh.Setting != "other" {
		t.Errorf("got %+v: %v", fresh, err)
	}
}

func TestProvisionedProcessesAreStartedBefore(t *testing.T) {
	f := function(t, nil)
	if err := f.Provision(t.Context()); err != nil {
		t.Fatal(err)
	}
	if _, err := call(t, f, ask{}); err != nil || len(f.Starts()) != 1 {
		t.Errorf("%d starts: %v", len(f.Starts()), err)
	}
	broken := function(t, func(o *cloud.FunctionOptions) { o.Binary = "/bin/true" })
	if err := broken.Provision(t.Context()); !errors.Is(err, cloud.ErrExited) {
		t.Errorf("a program that ends: %v", err)
	}
}

func waitFor(t *testing.T, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(5 * time.Millisecond)
	defer tick.Stop()
	end := time.NewTimer(30 * time.Second)
	defer end.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-end.C:
			t.Fatal("it does not come to that")
		}
	}
}
