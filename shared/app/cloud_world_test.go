package app_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/credentials"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"

	"tsumugi/shared/kv"
	"tsumugi/shared/kv/dynamo"
	"tsumugi/shared/queue"
	"tsumugi/shared/sim/cloud"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
	"tsumugi/shared/store"
)

// emulators is what .ci/e2e-aws says in TSUMUGI_E2E, as JSON: where the servers listen and where the bootstraps are.
type emulators struct {
	DynamoDB string // address of a DynamoDB-compatible server
	AWS      string // of one for SQS and the rest
	Bin      string // directory with NAME/bootstrap for every function
	Records  string // file that gets the recorded calls; "": none does
}

// emulated gives them, or skips the test.
func emulated(t testing.TB) emulators {
	t.Helper()
	var e emulators
	text := os.Getenv("TSUMUGI_E2E")
	if text == "" {
		t.Skip("TSUMUGI_E2E names no emulators of AWS and no bootstraps; make e2e-aws starts and builds them")
	}
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// lambda is how one function is deployed.
type lambda struct {
	role        string
	timeout     time.Duration
	queues      []string // that an event source mapping takes to it
	batch       int
	concurrency int
}

var lambdas = []lambda{
	{role: "admission", timeout: 30 * time.Second, queues: []string{queue.Ingress}, batch: 10, concurrency: 8},
	{role: "planning", timeout: 30 * time.Second, queues: []string{queue.Turns}, batch: 1, concurrency: 8},
	{role: "generation", timeout: 15 * time.Minute, queues: []string{queue.Replies}, batch: 1, concurrency: 80},
	{role: "sweeper", timeout: time.Minute},
}

// sky is an installation on AWS: tables and queues of its own in the emulators, a Discord and a model, a relay, and functions.
type sky struct {
	t         testing.TB
	emulators emulators
	prefix    string
	proxy     *cloud.Proxy
	endpoint  string // of the proxy
	sim       *simdiscord.Server
	model     *stagehand
	functions map[string]*cloud.Function
	relayEnv  map[string]string
	relay     *cloud.Process
	relayLog  cloud.Log
	store     kv.Driver
	mapping   context.CancelFunc
	mapped    sync.WaitGroup
}

// newSky lays an installation and starts it.
func newSky(t testing.TB, o simdiscord.Options) *sky {
	t.Helper()
	s := &sky{t: t, emulators: emulated(t), prefix: "t" + strings.ToLower(fmt.Sprintf("%x", time.Now().UnixNano())) + "-",
		functions: map[string]*cloud.Function{}, model: newStagehand(t)}
	o.MessageContentEnabled, o.NoLimits = true, true
	s.sim = simdiscord.New(discordtest.Sample(t, o))
	t.Cleanup(s.sim.Close)
	s.connect()
	s.lay()
	for _, l := range lambdas {
		s.functions[l.role] = cloud.NewFunction(cloud.FunctionOptions{Name: s.prefix + l.role, Binary: s.binary(l.role), Dir: t.TempDir(),
			Env: s.env(l.role), Timeout: l.timeout, Concurrency: max(l.concurrency, 1)})
	}
	t.Cleanup(s.end)
	s.source()
	s.listen()
	return s
}

// connect starts the proxy, and a driver for the test's own eyes that goes around it.
func (s *sky) connect() {
	s.t.Helper()
	parse := func(address string) *url.URL {
		u, err := url.Parse(address)
		if err != nil {
			s.t.Fatal(err)
		}
		return u
	}
	lines, err := os.OpenFile(s.emulators.Records, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644)
	if s.emulators.Records == "" {
		lines, err = os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	}
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { lines.Close() })
	s.proxy = cloud.NewProxy(map[string]*url.URL{"dynamodb": parse(s.emulators.DynamoDB), "": parse(s.emulators.AWS)}, lines)
	s.endpoint = serve(s.t, s.proxy)
}

func (s *sky) dynamoDB() *dynamodb.Client {
	return dynamodb.New(dynamodb.Options{BaseEndpoint: &s.emulators.DynamoDB, Region: cloud.Region,
		Credentials: credentials.NewStaticCredentialsProvider("test", "test", "")})
}

// lay creates tables and queues.
func (s *sky) lay() {
	s.t.Helper()
	ctx, tables, client := s.t.Context(), map[string]string{}, s.dynamoDB()
	for _, space := range []string{store.SpaceChannels, store.SpaceMemory} {
		tables[space] = s.prefix + space
		if err := dynamo.CreateTable(ctx, client, tables[space]); err != nil {
			s.t.Fatal(err)
		}
	}
	s.store = dynamo.New(client, tables)
	consumer := map[string]time.Duration{}
	for _, l := range lambdas {
		for _, q := range l.queues {
			consumer[q] = l.timeout
		}
	}
	sqs := cloud.Client{Endpoint: s.emulators.AWS, Role: "test"}
	create := func(name string, attributes map[string]string) {
		attributes["FifoQueue"] = "true"
		s.must(sqs.Call(ctx, "sqs", "CreateQueue", map[string]any{"QueueName": s.queue(name), "Attributes": attributes}, nil))
	}
	for _, name := range queue.Names() {
		dead := queue.Dead(name)
		if dead == "" {
			continue
		}
		create(dead, map[string]string{})
		create(name, map[string]string{"VisibilityTimeout": fmt.Sprint(int(6 * max(consumer[name], time.Minute).Seconds())),
			"RedrivePolicy": fmt.Sprintf(`{"deadLetterTargetArn":"arn:aws:sqs:%s:%s:%s","maxReceiveCount":200}`, cloud.Region, cloud.Account, s.queue(dead))})
	}
}

func (s *sky) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *sky) binary(role string) string { return filepath.Join(s.emulators.Bin, role, "bootstrap") }

// queue is the name of a queue in the emulator, address its URL.
func (s *sky) queue(name string) string { return s.prefix + name + ".fifo" }

func (s *sky) address(name string) string {
	return s.endpoint + "/" + cloud.Account + "/" + s.queue(name)
}

// env is what a role has in its environment. It is known to the proxy by the id of its key.
func (s *sky) env(role string) map[string]string {
	return map[string]string{
		"AWS_REGION": cloud.Region, "AWS_ACCESS_KEY_ID": role, "AWS_SECRET_ACCESS_KEY": "secret",
		"AWS_ENDPOINT_URL_DYNAMODB": s.endpoint, "AWS_ENDPOINT_URL_SQS": s.endpoint, "AWS_ENDPOINT_URL_SECRETS_MANAGER": s.endpoint,
		"AWS_ENDPOINT_URL_KMS": s.endpoint, "AWS_ENDPOINT_URL_S3": s.endpoint,
		"TSUMUGI_TABLES": s.prefix, "TSUMUGI_QUEUES": s.endpoint + "/" + cloud.Account + "/" + s.prefix,
		"DISCORD_TOKEN": "simulated", "TSUMUGI_DISCORD_URL": serve(s.t, s.sim) + "/api/v10",
		"TSUMUGI_MODEL_URL": s.model.url + "/v1", "TSUMUGI_MODEL": "scripted",
	}
}

// source runs the event source mappings.
func (s *sky) source() {
	ctx, cancel := context.WithCancel(context.Background())
	s.mapping = cancel
	for _, l := range lambdas {
		for _, q := range l.queues {
			m := cloud.Mapping{Function: s.functions[l.role], Endpoint: s.endpoint, Role: l.role, Queue: s.address(q), Batch: l.batch,
				Concurrency: l.concurrency, Partial: true, Changed: s.proxy.Changed(s.queue(q))}
			s.mapped.Go(func() { m.Run(ctx) })
		}
	}
}

// listen starts the relay and waits until it is ready.
func (s *sky) listen() {
	s.t.Helper()
	var err error
	if s.relayEnv == nil {
		s.relayEnv = s.env("relay")
	}
	s.relay, err = cloud.Start(s.binary("relay"), s.t.TempDir(), s.relayEnv, &s.relayLog)
	s.must(err)
	n := s.relayLog.Count(`"msg":"ready"`)
	s.eventually(time.Minute, "the relay is ready", func() bool { return s.relayLog.Count(`"msg":"ready"`) > n })
}

func (s *sky) end() {
	if s.relay != nil {
		s.relay.Kill()
	}
	s.mapping()
	for _, f := range s.functions {
		f.Close()
	}
	s.mapped.Wait()
	if err := s.proxy.Err(); err != nil {
		s.t.Error(err)
	}
	if !s.t.Failed() {
		return
	}
	for role, f := range s.functions {
		s.t.Logf("%s:\n%s", role, lastOf(f.Log().String(), 6000))
	}
	s.t.Logf("relay:\n%s", lastOf(s.relayLog.String(), 3000))
}

func lastOf(text string, n int) string { return text[max(0, len(text)-n):] }

// eventually asks again and again: nothing tells a test across processes that a thing has happened.
func (s *sky) eventually(limit time.Duration, what string, ok func() bool) {
	s.t.Helper()
	if !within(20*time.Millisecond, limit, ok) {
		s.t.Fatalf("not within %s: %s", limit, what)
	}
}

// within asks again and again until the limit.
func within(step, limit time.Duration, ok func() bool) bool {
	tick := time.NewTicker(step)
	defer tick.Stop()
	end := time.NewTimer(limit)
	defer end.Stop()
	for !ok() {
		select {
		case <-tick.C:
		case <-end.C:
			return false
		}
	}
	return true
}

// serve listens on loopback until the test ends, and gives the address.
func serve(t testing.TB, h http.Handler) string {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: h, ReadHeaderTimeout: time.Minute}
	done := make(chan error, 1)
	go func() { done <- server.Serve(l) }()
	t.Cleanup(func() {
		_ = server.Close() // with clients that hang on the line
		if err := <-done; !errors.Is(err, http.ErrServerClosed) {
			t.Error(err)
		}
	})
	return "http://" + l.Addr().String()
}
