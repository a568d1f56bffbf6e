// Package aws is the product on AWS: for each role, what its main hands to Lambda or runs. What lives here: opening the
// clients that a role needs, and Lambda's end of time as our hand-over. What must not live here: any rule of the product,
// and the embedded engines and simulators (app/local), which would weigh on every cold start.
//
// Region, credentials and AWS_ENDPOINT_URL_* come from the SDK's default chain, everything else from the table of settings.
package aws

import (
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"os"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/dynamodb"
	"github.com/aws/aws-sdk-go-v2/service/kms"
	"github.com/aws/aws-sdk-go-v2/service/secretsmanager"
	awssqs "github.com/aws/aws-sdk-go-v2/service/sqs"
	"github.com/aws/smithy-go/middleware"

	"tsumugi/shared/app"
	"tsumugi/shared/chat"
	"tsumugi/shared/command"
	"tsumugi/shared/discord"
	"tsumugi/shared/guild"
	"tsumugi/shared/kv"
	"tsumugi/shared/kv/dynamo"
	"tsumugi/shared/llm"
	"tsumugi/shared/outbound"
	"tsumugi/shared/persona"
	"tsumugi/shared/provider/openai"
	"tsumugi/shared/queue"
	"tsumugi/shared/queue/sqs"
	"tsumugi/shared/seal"
	sealkms "tsumugi/shared/seal/kms"
	"tsumugi/shared/store"
	"tsumugi/shared/telemetry"
	"tsumugi/shared/turn"
)

// attempt bounds one request to DynamoDB or SQS, which answer in milliseconds. The SDK has no bound of its own, and a
// connection that died while the function was frozen would hold a turn until its beat is taken for dead.
const attempt = 5 * time.Second

// Tracer traces what a function does. Its main brings it, and a function that only hands on what comes from outside any trace
// has none: the SDK of X-Ray weighs as much as all the rest of a binary.
type Tracer interface {
	chat.Recorder
	// Instrument makes the clients of the configuration trace their calls.
	Instrument(*aws.Config) error
	// Transport makes a transport trace its requests, to others than AWS.
	Transport(http.RoundTripper) http.RoundTripper
}

// Admission gives the handler of the ingress queue.
func Admission(ctx context.Context, getenv func(string) string, trace Tracer) (queue.BatchHandler, error) {
	o, err := open(ctx, app.Admission, getenv, trace)
	if err != nil {
		return nil, err
	}
	return handOver(hideFirst(o.queues(), queue.Ingress, app.NewAdmission(o.ports()))), nil
}

// Planning gives the handler of the turns queue.
func Planning(ctx context.Context, getenv func(string) string, trace Tracer) (queue.BatchHandler, error) {
	o, err := open(ctx, app.Planning, getenv, trace)
	if err != nil {
		return nil, err
	}
	p := o.ports()
	p.Plan = o.cfg.Allows()
	return handOver(app.NewPlanning(p)), nil
}

// Generation gives the handler of the replies queue.
func Generation(ctx context.Context, getenv func(string) string, trace Tracer) (queue.BatchHandler, error) {
	o, err := open(ctx, app.Generation, getenv, trace)
	if err != nil {
		return nil, err
	}
	token, key := o.token(ctx), o.secret(ctx, "TSUMUGI_MODEL_KEY", o.cfg.KeySecret, o.cfg.ModelKey)
	model, err := openai.New(openai.Options{BaseURL: o.cfg.ModelURL, Current: key, Model: o.cfg.Model, Through: o.through})
	if err != nil {
		return nil, fmt.Errorf("settings of %s: %w", app.Generation, err)
	}
	p, err := o.reaching()
	if err != nil {
		return nil, err
	}
	p.Discord, p.Voice = o.discord(token, p, counted(p.KV)), turn.Voice{Model: model, Name: o.cfg.Model, Provider: openai.Provider(o.cfg.ModelURL)}
	p.Reach = app.Guarded(p.Outbound, o.through)
	p.Turn.Avatar = func(guild string, who persona.Persona) string { return app.Avatar(o.cfg.PublicURL, guild, who) }
	return handOver(app.NewGeneration(p)), nil
}

// Interactions gives the handler of what Discord posts. It fetches no secret and makes no call before one is posted: Discord
// waits three seconds, a cold start included.
func Interactions(ctx context.Context, getenv func(string) string, trace Tracer) (HTTPHandler, error) {
	o, err := open(ctx, app.Interactions, getenv, trace)
	if err != nil {
		return nil, err
	}
	p := o.ports()
	p.Sealer, p.Plan = o.sealer(), o.cfg.Allows()
	h, err := app.NewInteractions(p, o.cfg.PublicKey)
	if err != nil {
		return nil, err
	}
	return overHTTP(h), nil
}

// terms are the parameters of the template.
var terms = command.Terms{ModelURL: "`ModelUrl`", Token: "`DiscordToken`"}

// Commands gives the handler of the commands queue.
func Commands(ctx context.Context, getenv func(string) string, trace Tracer) (queue.BatchHandler, error) {
	o, err := open(ctx, app.Commands, getenv, trace)
	if err != nil {
		return nil, err
	}
	p, err := o.reaching()
	if err != nil {
		return nil, err
	}
	p.Plan, p.Prober = o.cfg.Allows(), app.Probing(p.Outbound)
	p.Terms.Pictures = o.cfg.PublicURL != ""
	return handOver(hideFirst(o.queues(), queue.Commands, app.NewCommands(p, o.discord(o.token(ctx), app.Ports{}), func(ctx context.Context) error {
		// Whatever the server answers, it is there; the key is not this function's, so a refusal is to be expected.
		if _, err := openai.Probe(ctx, o.cfg.ModelURL); llm.KindOf(err) == llm.Unreachable {
			return err
		}
		return nil
	}))), nil
}

// Sweeper gives the handler of the minute's schedule. It takes no event, so that no event can be wrong.
func Sweeper(ctx context.Context, getenv func(string) string, trace Tracer) (func(context.Context) error, error) {
	o, err := open(ctx, app.Sweeper, getenv, trace)
	if err != nil {
		return nil, err
	}
	p := o.ports()
	p.Metrics, p.Namespace = os.Stdout, telemetry.Namespace(o.cfg.Installation())
	sweep := app.NewSweeper(p)
	return func(ctx context.Context) error {
		ctx, done := before(ctx)
		defer done()
		return sweep(ctx)
	}, nil
}

// Relay gives the relay in both its forms: a call of the schedule is a run of the chain, which takes no event, so that no event
// can be wrong; a process runs until its context ends.
func Relay(ctx context.Context, getenv func(string) string) (*app.Relay, error) {
	o, err := open(ctx, app.Relaying, getenv, nil)
	if err != nil {
		return nil, err
	}
	token := o.token(ctx)
	rest := o.discord(token, app.Ports{})
	return &app.Relay{Ports: o.ports(), Token: token, Gateway: func() *discord.Gateway {
		return &discord.Gateway{REST: rest, OnReady: func(discord.User) { slog.Info("ready") }}
	}}, nil
}

// opened is what every role begins with.
type opened struct {
	cfg      app.Config
	aws      aws.Config
	recorder chat.Recorder
	through  func(http.RoundTripper) http.RoundTripper // what requests to others than AWS go through
}

// watch makes the function measure its work, and trace it where there is a tracer.
func (o *opened) watch(trace Tracer) error {
	latency := telemetry.Latency{Namespace: telemetry.Namespace(o.cfg.Installation())}
	if trace == nil {
		o.recorder, o.through = latency, func(t http.RoundTripper) http.RoundTripper { return t }
		o.aws.APIOptions = append(o.aws.APIOptions, untraced)
		return nil
	}
	o.recorder, o.through = telemetry.All{latency, trace}, trace.Transport
	if err := trace.Instrument(&o.aws); err != nil {
		return fmt.Errorf("settings of %s: %w", o.cfg.Role, err)
	}
	return nil
}

// untraced keeps Lambda's trace header out of requests, which the SDK puts there by itself. SQS would give it to every message:
// all that a run of the relay hears in a quarter of an hour would be one trace, and never sampled unless the run is.
func untraced(s *middleware.Stack) error {
	_, err := s.Build.Remove((&awsmiddleware.RecursionDetection{}).ID())
	return err
}

// open reads the settings of a role.
func open(ctx context.Context, role app.Role, getenv func(string) string, trace Tracer) (*opened, error) {
	cfg, err := app.Load(role, getenv)
	if err != nil {
		return nil, err
	}
	slog.InfoContext(ctx, "start", "settings", cfg.String())
	sdk, err := config.LoadDefaultConfig(ctx, config.WithHTTPClient(awshttp.NewBuildableClient().WithTimeout(attempt)))
	if err != nil {
		return nil, fmt.Errorf("settings of %s: %w", role, err)
	}
	if sdk.Region == "" {
		return nil, fmt.Errorf("settings of %s: AWS_REGION is needed", role)
	}
	sdk.HTTPClient = ownBody{sdk.HTTPClient}
	o := &opened{cfg: cfg, aws: sdk}
	return o, o.watch(trace)
}

// current gives a secret as it is now: for "" the one that is known, and for one that was refused another, or the same when there
// is none.
type current func(ctx context.Context, refused string) (string, error)

// token is the bot's.
func (o *opened) token(ctx context.Context) current {
	return o.secret(ctx, "DISCORD_TOKEN", o.cfg.TokenSecret, o.cfg.DiscordToken)
}

// secret gives the value of a setting that a secret may stand for. It reads the secret, and leaves it to the first use to fail.
// The relay reads it when it needs it: most of its runs find another at work.
func (o *opened) secret(ctx context.Context, setting, name, value string) current {
	if name == "" {
		return func(context.Context, string) (string, error) { return value, nil }
	}
	s := &secret{api: secretsmanager.NewFromConfig(o.aws), setting: setting, name: name}
	if o.cfg.Role != app.Relaying {
		_, _ = s.current(ctx, "") // it is logged
	}
	return s.current
}

func (o *opened) queues() *sqs.Driver { return sqs.New(awssqs.NewFromConfig(o.aws), o.cfg.Queues) }

func (o *opened) ports() app.Ports {
	return app.Ports{KV: o.store(), Queues: o.queues(), Terms: terms, Recorder: o.recorder}
}

// reaching are the ports of a role that asks servers which people named, with the keys that they gave.
func (o *opened) reaching() (app.Ports, error) {
	p := o.ports()
	p.Sealer = o.sealer()
	var err error
	if p.Outbound, err = outbound.New(outbound.Options{Allow: o.cfg.Allowed()}); err != nil {
		return p, fmt.Errorf("settings of %s: TSUMUGI_ALLOW_HOSTS: %w", o.cfg.Role, err)
	}
	return p, nil
}

// sealer keeps secrets under the installation's key of KMS. It makes no call before there is one to keep.
func (o *opened) sealer() guild.Sealer {
	return seal.Cached(sealkms.New(kms.NewFromConfig(o.aws), o.cfg.SealKey, o.cfg.Installation()))
}

func (o *opened) store() kv.Driver {
	tables := map[string]string{}
	for _, space := range []string{store.SpaceChannels, store.SpaceMemory} {
		tables[space] = o.cfg.Tables + space
	}
	return dynamo.New(dynamodb.NewFromConfig(o.aws), tables)
}

// discord speaks REST with Discord. With a store and a sealer it wears faces.
func (o *opened) discord(token current, p app.Ports, with ...func(*discord.Options)) *discord.Client {
	opt := discord.Options{Current: token, BaseURL: o.cfg.DiscordURL, Version: app.Version, Sealer: p.Sealer,
		HTTPClient: &http.Client{Transport: o.through(http.DefaultTransport)}}
	if p.Sealer != nil {
		opt.Hooks = p.Hooks()
	}
	for _, f := range with {
		f(&opt)
	}
	return discord.New(opt)
}

// counted lets many processes count together what Discord holds against them.
func counted(d kv.Driver) func(*discord.Options) {
	return func(o *discord.Options) { o.Invalids = store.NewInvalids(d) }
}
