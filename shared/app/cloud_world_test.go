package app_test

import (
	"cmp"
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"net"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb/types"

	"tsumugi/shared/kv"
	"tsumugi/shared/kv/dynamo"
	"tsumugi/shared/sim/cloud"
	simdiscord "tsumugi/shared/sim/discord"
	"tsumugi/shared/sim/discord/discordtest"
	"tsumugi/shared/sim/stack"
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

// sky is an installation on AWS, as the template describes it: tables, queues and secrets of its own in the emulators, functions
// with their triggers, a Discord and a model.
type sky struct {
	t         testing.TB
	laying    laying
	emulators emulators
	name      string // of the stack
	template  *stack.Template
	proxy     *cloud.Proxy
	endpoint  string // of the proxy
	sim       *simdiscord.Server
	discord   string // its address
	model     *stagehand
	scenes    sync.Map          // *open, by the channel of its story
	secrets   map[string]string // ARN in the template → in the emulator, of the key too
	functions map[string]*cloud.Function
	store     kv.Driver   // for the test's own eyes: it goes around the proxy
	encoded   atomic.Bool // the HTTP API sends bodies in base64
	unmap     context.CancelFunc
	mapped    sync.WaitGroup
}

// botToken has the form of a token.
const botToken = "simulated.bot.token"

// laying is what one installation has otherwise than the template says.
type laying struct {
	people  []string
	queue   func(attributes map[string]string) // changes those of each queue
	process bool                               // the relay is a process, and its schedule is off
	run     time.Duration                      // of the relay's chain; 0: the time-out of its function
	tick    time.Duration                      // of its schedule; 0: a minute
	turn    time.Duration                      // what generation has for one; 0: the time-out of its function
}

// newSky lays an installation and starts it.
func newSky(t testing.TB, o laying) *sky {
	t.Helper()
	s := &sky{t: t, emulators: emulated(t), laying: o, name: "t" + strings.ToLower(rand.Text()[:10]), secrets: map[string]string{},
		functions: map[string]*cloud.Function{}, model: newStagehand(t)}
	s.sim = simdiscord.New(discordtest.Sample(t, simdiscord.Options{Users: o.people, MessageContentEnabled: true, NoLimits: true, Token: botToken}))
	t.Cleanup(s.sim.Close)
	s.discord = serve(t, http.HandlerFunc(s.deliverToDiscord))
	s.connect()
	s.deploy()
	t.Cleanup(s.end)
	s.source()
	s.listen()
	s.register()
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
		Credentials: known("test")})
}

// deploy puts up what the template describes.
func (s *sky) deploy() {
	s.t.Helper()
	text, err := os.ReadFile("../../template.yaml")
	s.must(err)
	s.template, err = stack.Read(text, stack.Stack{Name: s.name, Region: cloud.Region, Account: cloud.Account, Parameters: map[string]string{
		"DiscordToken": botToken, "DiscordPublicKey": s.sim.PublicKey(), "ModelUrl": s.model.url + "/v1", "Model": "scripted", "GenerationConcurrency": "60"}})
	s.must(err)
	s.tables()
	s.queues()
	for _, secret := range s.template.Secrets {
		var made struct{ ARN string }
		s.must(s.emulator().Call(s.t.Context(), "secretsmanager", "CreateSecret", map[string]string{"Name": secret.Name, "SecretString": secret.Value}, &made))
		s.secrets[secret.ARN] = made.ARN
	}
	var key struct{ KeyMetadata struct{ Arn string } }
	s.must(s.emulator().Call(s.t.Context(), "kms", "CreateKey", map[string]string{}, &key))
	for _, f := range s.template.Functions {
		if arn := f.Env["TSUMUGI_SEAL_KEY"]; arn != "" {
			s.secrets[arn] = key.KeyMetadata.Arn
		}
		concurrency, timeout := 3, time.Duration(f.Timeout)*time.Second
		switch f.Dir {
		case "relay":
			timeout = cmp.Or(s.laying.run, timeout)
		case "generation":
			timeout = cmp.Or(s.laying.turn, timeout)
		}
		for _, source := range f.Sources {
			concurrency += source.Concurrency
		}
		s.functions[f.Dir] = cloud.NewFunction(cloud.FunctionOptions{Name: s.name + "-" + f.Name, Binary: s.binary(f.Dir), Dir: s.t.TempDir(),
			Env: s.env(f), Timeout: timeout, Concurrency: concurrency})
	}
}

// tables creates them, with keys and indexes as they are in the template.
func (s *sky) tables() {
	s.t.Helper()
	client, names := s.dynamoDB(), map[string]string{}
	for _, table := range s.template.Tables {
		in := &dynamodb.CreateTableInput{TableName: &table.Name, BillingMode: types.BillingModePayPerRequest, KeySchema: schema(table.Keys)}
		for name, kind := range table.Types {
			in.AttributeDefinitions = append(in.AttributeDefinitions, types.AttributeDefinition{AttributeName: &name, AttributeType: types.ScalarAttributeType(kind)})
		}
		for _, i := range table.Indexes {
			in.GlobalSecondaryIndexes = append(in.GlobalSecondaryIndexes, types.GlobalSecondaryIndex{IndexName: &i.Name, KeySchema: schema(i.Keys),
				Projection: &types.Projection{ProjectionType: types.ProjectionType(i.Projection)}})
		}
		_, err := client.CreateTable(s.t.Context(), in)
		s.must(err)
		names[strings.TrimPrefix(table.Name, s.name+"-")] = table.Name
	}
	s.store = dynamo.New(client, names)
}

func schema(k stack.Keys) (out []types.KeySchemaElement) {
	out = []types.KeySchemaElement{{AttributeName: &k.Partition, KeyType: types.KeyTypeHash}}
	if k.Sort != "" {
		out = append(out, types.KeySchemaElement{AttributeName: &k.Sort, KeyType: types.KeyTypeRange})
	}
	return out
}

// queues creates those that are not there, dead-letter queues first: the others name them.
func (s *sky) queues() {
	s.t.Helper()
	for _, first := range []bool{true, false} {
		for _, q := range s.template.Queues {
			if (q.Dead == "") == first {
				if s.laying.queue != nil {
					s.laying.queue(q.Attributes)
				}
				s.must(s.emulator().Call(s.t.Context(), "sqs", "CreateQueue", map[string]any{"QueueName": q.Name, "Attributes": q.Attributes}, nil))
			}
		}
	}
}

func (s *sky) must(err error) {
	s.t.Helper()
	if err != nil {
		s.t.Fatal(err)
	}
}

func (s *sky) binary(role string) string { return filepath.Join(s.emulators.Bin, role, "bootstrap") }

// emulator is the server of everything but DynamoDB, without the proxy.
func (s *sky) emulator() cloud.Client { return cloud.Client{Endpoint: s.emulators.AWS, Role: "test"} }

// queue is the name of a queue in the emulator, address its URL there.
func (s *sky) queue(name string) string { return s.name + "-" + name + ".fifo" }

func (s *sky) address(full string) string { return s.emulators.AWS + "/" + cloud.Account + "/" + full }

// env is what a function has in its environment: what the template says, where AWS is, and where Discord is. The proxy knows the
// role by the id of its key.
func (s *sky) env(f stack.Function) map[string]string {
	set := map[string]string{"AWS_ACCESS_KEY_ID": f.Dir, "AWS_SECRET_ACCESS_KEY": "secret", "AWS_REGION": cloud.Region,
		"TSUMUGI_DISCORD_URL": s.discord + "/api/v10"}
	for _, service := range []string{"DYNAMODB", "SQS", "SECRETS_MANAGER", "KMS", "S3"} {
		set["AWS_ENDPOINT_URL_"+service] = s.endpoint
	}
	for name, value := range f.Env {
		if arn := s.secrets[value]; arn != "" {
			value = arn
		}
		set[name] = value
	}
	return set
}

// source runs the event source mappings.
func (s *sky) source() {
	ctx, cancel := context.WithCancel(context.Background())
	s.unmap = cancel
	for _, f := range s.template.Functions {
		for _, source := range f.Sources {
			m := cloud.Mapping{Function: s.functions[f.Dir], Endpoint: s.endpoint, Role: f.Dir, Queue: s.address(source.Queue), Batch: source.Batch,
				Concurrency: source.Concurrency, Partial: source.Report, Changed: s.proxy.Changed(source.Queue)}
			s.mapped.Go(func() { m.Run(ctx) })
		}
	}
}

// function finds one in the template.
func (s *sky) function(role string) stack.Function {
	s.t.Helper()
	i := slices.IndexFunc(s.template.Functions, func(f stack.Function) bool { return f.Dir == role })
	if i < 0 {
		s.t.Fatalf("the template has no function %s", role)
	}
	return s.template.Functions[i]
}

// register puts the HTTP API in front of the interactions function, and lets the registrar tell Discord of it.
func (s *sky) register() {
	s.t.Helper()
	address := serve(s.t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		cloud.HTTPAPI{Function: s.functions["interactions"], Base64: s.encoded.Load()}.ServeHTTP(w, r)
	})) + "/interactions"
	s.functions["registrar"].Recycle(map[string]string{"TSUMUGI_ENDPOINT": address})
	told, err := cloud.Resource(s.t.Context(), s.functions["registrar"], "Create", "", map[string]any{"Endpoint": address})
	s.must(err)
	if told.Status != "SUCCESS" {
		s.t.Fatalf("the registrar told CloudFormation %+v", told)
	}
}

// listen starts the relay, in one of its two forms, and waits until it is ready.
func (s *sky) listen() {
	s.t.Helper()
	if s.laying.process {
		relay, err := cloud.Start(s.binary("relay"), s.t.TempDir(), s.env(s.function("relay")), s.functions["relay"].Log())
		s.must(err)
		s.t.Cleanup(relay.Kill)
	} else {
		s.every(cmp.Or(s.laying.tick, time.Minute), "relay")
	}
	s.eventually(time.Minute, "the relay is ready", func() bool { return s.functions["relay"].Log().Count(`"msg":"ready"`) > 0 })
}

// every fires a function's schedule, now and then again and again, also while earlier runs go on. What fails has its log.
func (s *sky) every(tick time.Duration, role string) {
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	fire := func() {
		running.Go(func() { _ = cloud.Fire(ctx, s.functions[role], role) })
	}
	fire()
	running.Go(func() {
		for ticks := time.NewTicker(tick); ; {
			select {
			case <-ticks.C:
				fire()
			case <-ctx.Done():
				ticks.Stop()
				return
			}
		}
	})
	s.t.Cleanup(func() { cancel(); running.Wait() })
}

func (s *sky) end() {
	s.unmap()
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

// known is who a client is.
func known(role string) aws.CredentialsProvider {
	return aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
		return aws.Credentials{AccessKeyID: role, SecretAccessKey: "secret"}, nil
	})
}
