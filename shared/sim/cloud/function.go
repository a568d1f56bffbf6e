package cloud

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/http"
	"slices"
	"sync"
	"time"
)

// initLimit is how long a function may take from its start to its first poll (Lambda's limit of the init phase).
const initLimit = 10 * time.Second

// Errors of an invocation, besides those that the function itself reports.
var (
	ErrTimedOut  = errors.New("task timed out")
	ErrExited    = errors.New("runtime exited without a response")
	ErrThrottled = errors.New("the function's concurrency is used up")
)

// FunctionError is an error that a function has reported.
type FunctionError struct {
	Type    string `json:"errorType"`
	Message string `json:"errorMessage"`
}

// Error gives type and message.
func (e *FunctionError) Error() string { return e.Type + ": " + e.Message }

// FunctionOptions say what a function is.
type FunctionOptions struct {
	Name    string
	Binary  string            // the bootstrap
	Dir     string            // where it is started
	Env     map[string]string // all that the process has in its environment, besides what Lambda sets
	Timeout time.Duration     // of one invocation
	// Concurrency is how many invocations run at once; 0 means 100.
	Concurrency int
}

// Function is one Lambda function.
type Function struct {
	o     FunctionOptions
	log   Log
	slots chan struct{}

	mu     sync.Mutex
	closed bool
	idle   []*instance
	all    map[*instance]bool
	starts []time.Duration
	serial int
}

// NewFunction makes a function. Nothing is started before it is invoked.
func NewFunction(o FunctionOptions) *Function {
	if o.Concurrency == 0 {
		o.Concurrency = 100
	}
	return &Function{o: o, slots: make(chan struct{}, o.Concurrency), all: map[*instance]bool{}}
}

// Log is what its processes have written.
func (f *Function) Log() *Log { return &f.log }

// Starts are the cold starts so far: from the start of the process to its first poll.
func (f *Function) Starts() []time.Duration {
	f.mu.Lock()
	defer f.mu.Unlock()
	return slices.Clone(f.starts)
}

// ARN is the function's name in the cloud.
func (f *Function) ARN() string {
	return "arn:aws:lambda:" + Region + ":" + Account + ":function:" + f.o.Name
}

// Invoke calls the function and waits for its answer. Where its concurrency is used up it fails with ErrThrottled.
func (f *Function) Invoke(ctx context.Context, payload []byte) ([]byte, error) {
	select {
	case f.slots <- struct{}{}:
		defer func() { <-f.slots }()
	default:
		return nil, fmt.Errorf("invoke %s: %w", f.o.Name, ErrThrottled)
	}
	i, err := f.take()
	if err != nil {
		return nil, fmt.Errorf("invoke %s: %w", f.o.Name, err)
	}
	answer, err := i.run(ctx, payload)
	f.giveBack(i)
	if err != nil {
		return nil, fmt.Errorf("invoke %s: %w", f.o.Name, err)
	}
	return answer, nil
}

// Provision starts an instance before anybody asks for one, and waits for its first poll.
func (f *Function) Provision(ctx context.Context) error {
	f.mu.Lock()
	f.serial++
	i, err := f.start(fmt.Sprintf("%s-%d", f.o.Name, f.serial))
	f.mu.Unlock()
	if err != nil {
		return fmt.Errorf("provision %s: %w", f.o.Name, err)
	}
	select {
	case <-i.polled:
		f.giveBack(i)
		return nil
	case <-i.process.ended:
		return fmt.Errorf("provision %s: %w", f.o.Name, ErrExited)
	case <-ctx.Done():
		return ctx.Err()
	}
}

// take gives an idle instance, or a new one.
func (f *Function) take() (*instance, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil, http.ErrServerClosed
	}
	for len(f.idle) > 0 {
		i := f.idle[len(f.idle)-1] // the one used last, as Lambda does
		f.idle = f.idle[:len(f.idle)-1]
		select {
		case <-i.process.ended:
		default:
			return i, nil
		}
	}
	f.serial++
	return f.start(fmt.Sprintf("%s-%d", f.o.Name, f.serial))
}

// start begins a new instance: its own Runtime API and its process. The lock is held.
func (f *Function) start(name string) (*instance, error) {
	l, err := (&net.ListenConfig{}).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	i := newInstance(f, name, l)
	env := maps.Clone(f.o.Env)
	maps.Copy(env, map[string]string{
		"AWS_LAMBDA_RUNTIME_API": l.Addr().String(), "AWS_LAMBDA_FUNCTION_NAME": f.o.Name, "AWS_LAMBDA_FUNCTION_VERSION": "$LATEST",
		"AWS_LAMBDA_FUNCTION_MEMORY_SIZE": "512", "AWS_LAMBDA_LOG_GROUP_NAME": "/aws/lambda/" + f.o.Name,
		"AWS_LAMBDA_LOG_STREAM_NAME": name, "AWS_REGION": Region, "_HANDLER": "bootstrap", "LAMBDA_TASK_ROOT": f.o.Dir,
		"AWS_EXECUTION_ENV": "AWS_Lambda_provided.al2023", "TZ": ":UTC", "LANG": "en_US.UTF-8",
	})
	i.began = time.Now()
	if i.process, err = Start(f.o.Binary, f.o.Dir, env, &f.log); err != nil {
		i.close()
		return nil, err
	}
	close(i.ready)
	f.all[i] = true
	return i, nil
}

// giveBack keeps an instance for the next invocation, unless its process has ended.
func (f *Function) giveBack(i *instance) {
	f.mu.Lock()
	defer f.mu.Unlock()
	select {
	case <-i.process.ended:
		delete(f.all, i)
		i.close()
	default:
		f.idle = append(f.idle, i)
	}
}

func (f *Function) started(d time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.starts = append(f.starts, d)
}

// Kill ends the processes whose invocation fits, as a failing machine does, and tells how many.
func (f *Function) Kill(fits func(payload []byte) bool) int {
	f.mu.Lock()
	var hit []*instance
	for i := range f.all {
		if inv := i.current(); inv != nil && fits(inv.payload) {
			hit = append(hit, i)
		}
	}
	f.mu.Unlock()
	for _, i := range hit {
		i.process.Kill()
	}
	return len(hit)
}

// Recycle ends every idle process: the next invocations begin cold, with the settings as they are then.
func (f *Function) Recycle(set map[string]string) {
	f.mu.Lock()
	old := f.idle
	f.idle = nil
	f.o.Env = maps.Clone(f.o.Env)
	maps.Copy(f.o.Env, set)
	for _, i := range old {
		delete(f.all, i)
	}
	f.mu.Unlock()
	for _, i := range old {
		i.process.Kill()
		i.close()
	}
}

// Close ends every process.
func (f *Function) Close() {
	f.mu.Lock()
	f.closed = true
	all := slices.Collect(maps.Keys(f.all))
	f.mu.Unlock()
	for _, i := range all {
		i.process.Kill()
		i.close()
	}
}

// reported reads an error that a function has reported.
func reported(body []byte) error {
	e := &FunctionError{}
	if json.Unmarshal(body, e) != nil || e.Type == "" {
		e.Type, e.Message = "Runtime.Unknown", "an error that is not Lambda's JSON"
	}
	return e
}
