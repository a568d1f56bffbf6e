package app

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strings"
	"time"

	"tsumugi/shared/chat"
	"tsumugi/shared/discord"
	"tsumugi/shared/kv"
	"tsumugi/shared/store"
)

// RegistrationFailed is the message of every failure of the registrar, one line at ERROR with a fix. The template's metric
// filter looks for exactly it: { $.msg = "registration failed" }.
const RegistrationFailed = "registration failed"

// Patience of the registrar with Discord, which may need seconds to reach an endpoint that is new.
const (
	registrarTries = 5
	registrarPause = 2 * time.Second  // the first, then twice as long each time
	registrarWait  = 30 * time.Second // the longest that it waits because Discord says so
	registrarKeep  = 3 * time.Second  // to store what was told, beyond the end of its time
	registrarDay   = 24 * time.Hour   // after which Discord is told again all the same: somebody may have changed it by hand
)

// Installation is what Discord is told of: slash commands, and where to send interactions. A new one is given its personas too,
// so that it answers as soon as it is deployed.
type Installation struct {
	Discord   *discord.Client
	KV        kv.Driver
	Commands  []chat.CommandSpec
	PublicKey string // that the installation checks interactions with
	Endpoint  string // at which it receives them
	TokenAt   string // where the operator has put the bot token, for people
	Again     string // when what fails is tried again, for people; "" for each hour
}

// Registered is what came of it, in sentences for the operator. They hold no secret.
type Registered struct{ Status, Interactions, Commands string }

// Register tells what is not told yet. When all was told within a day it asks nobody but the store; force looks again.
// Whatever fails is logged with what mends it, and is tried again by the next call.
func (r *Installation) Register(ctx context.Context, force bool) Registered {
	run := registration{Installation: r, store: store.NewRegistrations(r.KV), done: hash(r.Commands, r.PublicKey, r.Endpoint)}
	stored := run.recall(ctx) // without the store it goes on: to tell Discord twice does no harm
	if run.kept.Done == run.done && run.recent() && !force {
		return Registered{"Nothing has changed.", "Nothing has changed.", "Nothing has changed."}
	}
	if stored {
		run.seed(ctx)
	}
	out := Registered{Interactions: "Not looked at.", Commands: "Not looked at."}
	if app, ok := run.application(ctx); ok {
		out.Commands = run.commands(ctx, app)
		out.Interactions = run.endpoint(ctx, app)
		out.Status = "Everything is registered." + intentNote(app)
	}
	if stored {
		run.keep(ctx)
	}
	if run.failed != "" {
		out.Status = run.failed
	}
	return out
}

// RegisterCommands tells Discord of the commands alone, for an installation that has no endpoint, unless it was told of these within
// a day; force tells it in any case. It says what came of it, as Register does.
func (r *Installation) RegisterCommands(ctx context.Context, force bool) string {
	run := registration{Installation: r, store: store.NewRegistrations(r.KV)}
	stored := run.recall(ctx)
	if force {
		run.kept = store.Registration{}
	}
	app, err := r.read(ctx)
	if err != nil {
		return run.fail(ctx, "read the application", r.fix(err), err)
	}
	told := run.commands(ctx, app)
	if stored {
		run.keep(ctx)
	}
	return told
}

// Withdraw takes the endpoint away, unless it is another installation's by now.
func (r *Installation) Withdraw(ctx context.Context) Registered {
	run := registration{Installation: r}
	out := Registered{"The installation is withdrawn.", "Discord sends no interactions here any more.", "They stay registered."}
	app, err := r.read(ctx)
	if err == nil && app.InteractionsURL == r.Endpoint {
		err = repeat(ctx, passing, func() error { return r.Discord.SetInteractionsURL(ctx, "") })
	}
	if err != nil {
		run.fail(ctx, "take the endpoint away", "take the interactions endpoint URL away in the developer portal (your application, General Information)", err)
		out.Status, out.Interactions = run.failed, "Discord may still send interactions here."
	}
	return out
}

// registration is one run.
type registration struct {
	*Installation
	store  *store.Registrations
	done   string // that kept has when all is told
	kept   store.Registration
	failed string // what mends the first failure; "" when there was none
}

// recall reads what was told.
func (r *registration) recall(ctx context.Context) bool {
	var err error
	if r.kept, err = r.store.Registration(ctx); err != nil {
		r.fail(ctx, "read the store", r.fix(err), err)
	}
	return err == nil
}

// recent tells whether it was looked at within a day.
func (r *registration) recent() bool { return time.Since(r.kept.Checked) < registrarDay }

func (r *registration) seed(ctx context.Context) {
	if err := Seed(ctx, store.NewBook(r.KV)); err != nil {
		r.fail(ctx, "seed the personas", r.fix(err), err)
	}
}

// fail notes a failure. Its line is what the alarm counts.
func (r *registration) fail(ctx context.Context, step, fix string, err error) string {
	if errors.Is(ctx.Err(), context.Canceled) { // a process is told to stop; a function's time would have passed
		return "Interrupted."
	}
	slog.ErrorContext(ctx, RegistrationFailed, "step", step, "fix", fix, "error", err)
	if r.failed == "" {
		r.failed = sentence("To repair: " + fix)
	}
	return sentence("Failed: " + fix)
}

// application reads the application of the token, which must be the one that the installation's public key is of.
func (r *registration) application(ctx context.Context) (discord.Application, bool) {
	app, err := r.read(ctx)
	if err != nil {
		r.fail(ctx, "read the application", r.fix(err), err)
		return app, false
	}
	if !strings.EqualFold(app.VerifyKey, r.PublicKey) {
		r.fail(ctx, "compare the public key", "the public key is of another application: set parameter DiscordPublicKey to the one shown in the developer portal",
			errors.New("the bot token and the public key are of two applications"))
		return app, false
	}
	return app, true
}

// read asks for the application of the token.
func (r *Installation) read(ctx context.Context) (app discord.Application, err error) {
	err = repeat(ctx, passing, func() (err error) { app, err = r.Discord.Application(ctx); return err })
	return app, err
}

// commands registers the commands unless these are registered.
func (r *registration) commands(ctx context.Context, app discord.Application) string {
	which := hash(r.Commands)
	if r.recent() && r.kept.Application == app.ID && r.kept.Commands == which {
		return r.listed()
	}
	err := repeat(ctx, passing, func() error { return r.Discord.SetCommands(ctx, app.ID, r.Commands) })
	if err != nil {
		return r.fail(ctx, "register the commands", r.fix(err), err)
	}
	r.kept.Application, r.kept.Commands = app.ID, which
	return r.listed()
}

func (r *Installation) listed() string {
	names := make([]string, len(r.Commands))
	for i, c := range r.Commands {
		if names[i] = "/" + c.Name; c.OfMessages {
			names[i] = c.Name
		}
	}
	return "Registered: " + strings.Join(names, ", ") + "."
}

// endpoint sets where Discord sends interactions, which Discord tries out first.
func (r *registration) endpoint(ctx context.Context, app discord.Application) string {
	told := "Discord sends them to " + r.Endpoint + "."
	if app.InteractionsURL == r.Endpoint {
		return told
	}
	early := func(err error) bool { return passing(err) || discord.Unproven(err) } // it may be too new to be reached
	err := repeat(ctx, early, func() error { return r.Discord.SetInteractionsURL(ctx, r.Endpoint) })
	if err != nil {
		return r.fail(ctx, "set the endpoint", r.fix(err), err)
	}
	if app.InteractionsURL == "" {
		return told
	}
	was := Redacted(app.InteractionsURL)
	slog.WarnContext(ctx, "the interactions endpoint was another one", "was", was, "fix", "if another installation runs on this bot token, take one of them down: both answer, and each takes the endpoint back")
	return sentence(told + " It was set in place of " + was + ", which must not run on the same bot token any more")
}

// keep stores what was told, also when the time is over. After a failure the next run must not find it complete.
func (r *registration) keep(ctx context.Context) {
	ctx, done := context.WithTimeout(context.WithoutCancel(ctx), registrarKeep)
	defer done()
	r.kept.Done, r.kept.Checked = r.done, time.Now()
	if r.failed != "" {
		r.kept.Done = ""
	}
	if err := r.store.Save(ctx, r.kept); err != nil {
		r.fail(ctx, "write the store", r.fix(err), err)
	}
}

// fix says what mends an error, as far as it can be known.
func (r *Installation) fix(err error) string {
	again := ". It is tried again " + cmp.Or(r.Again, "each hour")
	f, ok := errors.AsType[*chat.Failure](err)
	switch {
	case !ok:
		return "the table of the memory could not be used: look at the error" + again
	case f.Status == http.StatusUnauthorized:
		return "Discord does not know the bot token: put the one that the developer portal shows (your application, Bot, Reset Token) into " + r.TokenAt
	case discord.Unproven(err):
		return "Discord could not verify the interactions endpoint " + r.Endpoint + ": look at the log of the function interactions" + again
	case f.Kind == chat.Throttled && f.Status == 0:
		return "Discord was not asked: " + f.Error() + again
	case passing(err), f.Status == http.StatusForbidden && f.Code == 0: // a refusal without a code is not the API's, but of the edge before it
		return "Discord does not answer as it should: " + f.Error() + again
	}
	return "Discord refuses it: " + f.Error() + ". A newer version may be needed"
}

// repeat does something until it is done, cannot be done, or there is no time.
func repeat(ctx context.Context, worth func(error) bool, do func() error) error {
	for n := 1; ; n++ {
		err := do()
		if err == nil || n == registrarTries || !worth(err) {
			return err
		}
		wait := registrarPause << (n - 1)
		if f, ok := errors.AsType[*chat.Failure](err); ok {
			wait = max(wait, f.After)
		}
		end, bounded := ctx.Deadline()
		if wait > registrarWait || bounded && time.Until(end) < wait {
			return err
		}
		if pause(ctx, wait) != nil {
			return err
		}
	}
}

// passing tells whether a failure of Discord may be over in a moment. A token that is refused is not.
func passing(err error) bool {
	f, ok := errors.AsType[*chat.Failure](err)
	return ok && f.Status != http.StatusUnauthorized && (f.Kind == chat.Throttled || f.Kind == chat.Unknown)
}

// intentNote tells what is missing without message content, and how to have it.
func intentNote(app discord.Application) string {
	if app.MessageContent {
		return ""
	}
	return " Mentions, replies and direct messages are answered. To let personas hear everything, switch on \"Message Content Intent\" in the developer portal " +
		"(your application, Bot, Privileged Gateway Intents)."
}

// sentence bounds what is told to the operator: CloudFormation takes 4 KB in all.
func sentence(s string) string {
	const most = 500
	if len(s) > most {
		s = strings.ToValidUTF8(s[:most], "") + "…"
	}
	return strings.TrimRight(s, ".") + "."
}

// hash is a name for values that changes when they do.
func hash(values ...any) string {
	text, _ := json.Marshal(values) // texts and numbers: it cannot fail
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:16])
}
