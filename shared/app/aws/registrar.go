package aws

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"runtime/debug"
	"time"

	"github.com/aws/aws-lambda-go/cfn"

	"tsumugi/shared/app"
	"tsumugi/shared/command"
)

const (
	physicalID   = "registration" // one a stack; another one would make CloudFormation delete the first
	maxAnswer    = 4096           // bytes that CloudFormation takes
	answerWithin = 5 * time.Second
	answerPause  = time.Second // before the second try, then twice as long each time
	answerTries  = 4
)

// Registrar gives the handler of two triggers: a custom resource of CloudFormation, at each deployment, and a schedule, for what
// did not succeed then. Whatever goes wrong, wrong settings included, it answers CloudFormation with success: a bot without its
// slash commands is worth more than a stack that rolls back, or hangs for want of an answer.
func Registrar(ctx context.Context, getenv func(string) string) func(context.Context, json.RawMessage) error {
	r := &registrar{http: answering()}
	o, err := open(ctx, app.Registrar, getenv, nil)
	if err != nil {
		r.broken = err
		return r.handle
	}
	r.installation = &app.Installation{
		Discord: o.discord(o.token(ctx), app.Ports{}), KV: o.store(), Commands: command.Specs(), PublicKey: o.cfg.PublicKey, Endpoint: o.cfg.Endpoint,
		TokenAt: "DISCORD_TOKEN",
	}
	if o.cfg.TokenSecret != "" {
		r.installation.TokenAt = "the secret " + o.cfg.TokenSecret
	}
	return r.handle
}

type registrar struct {
	installation *app.Installation
	broken       error // why there is none
	http         *http.Client
}

// answering is the way to CloudFormation. A redirect is a failure: another address has no stack behind it, and a PUT that became a
// GET would pass for an answer.
func answering() *http.Client {
	return &http.Client{Timeout: answerWithin, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
}

// handle does what is asked. Whatever is no request of CloudFormation is the schedule's tick: no event can be wrong. The error is
// that CloudFormation could not be answered; Lambda then calls again.
func (r *registrar) handle(ctx context.Context, event json.RawMessage) error {
	var q cfn.Event
	if err := json.Unmarshal(event, &q); err != nil {
		slog.WarnContext(ctx, "the event is taken as well as it can be read", "error", err)
	}
	work, done := before(ctx)
	told := r.register(work, q)
	done()
	slog.InfoContext(ctx, "registered", "request", string(q.RequestType), "status", told.Status, "interactions", told.Interactions, "commands", told.Commands)
	if q.ResponseURL == "" {
		return nil
	}
	return r.answer(ctx, q, told)
}

func (r *registrar) register(ctx context.Context, q cfn.Event) (told app.Registered) {
	defer func() {
		if p := recover(); p != nil { // its value may hold anything
			slog.ErrorContext(ctx, app.RegistrationFailed, "step", "panic", "fix", "report the stack as a defect of this version", "error", fmt.Sprintf("%T", p), "stack", string(debug.Stack())) //nolint:sloglint // it is a constant
			told = unknown("The registrar failed by a defect of its own; its log has the place.")
		}
	}()
	switch {
	case r.broken != nil:
		slog.ErrorContext(ctx, app.RegistrationFailed, "step", "settings", "fix", "correct the settings that the error names", "error", r.broken) //nolint:sloglint // it is a constant
		return unknown("Nothing is registered: " + r.broken.Error() + ".")
	case q.RequestType == cfn.RequestDelete:
		return r.installation.Withdraw(ctx)
	}
	return r.installation.Register(ctx, q.RequestType != "")
}

// unknown is what is told when nothing else is known. All of it has words: outputs of the template show it.
func unknown(status string) app.Registered {
	return app.Registered{Status: status, Interactions: "Not looked at.", Commands: "Not looked at."}
}

// answer tells CloudFormation, which otherwise waits for an hour.
func (r *registrar) answer(ctx context.Context, q cfn.Event, told app.Registered) error {
	body, err := encoded(q, told)
	if err != nil {
		return err
	}
	for n := range answerTries {
		if n > 0 {
			timer := time.NewTimer(answerPause << (n - 1))
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
			}
		}
		if err = r.put(ctx, q.ResponseURL, body); err == nil || ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		slog.ErrorContext(ctx, app.RegistrationFailed, "step", "answer cloudformation", "error", err, //nolint:sloglint // it is a constant
			"fix", "the stack waits for an answer: if it does not go on, cancel its update and deploy again")
	}
	return err
}

// encoded is the answer, without its details where these would be too long.
func encoded(q cfn.Event, told app.Registered) ([]byte, error) {
	a := cfn.Response{
		Status: cfn.StatusSuccess, PhysicalResourceID: cmp.Or(q.PhysicalResourceID, physicalID),
		StackID: q.StackID, RequestID: q.RequestID, LogicalResourceID: q.LogicalResourceID, Data: data(told),
	}
	body, err := json.Marshal(a)
	if err == nil && len(body) > maxAnswer {
		a.Data = data(unknown("See the log of the registrar."))
		body, err = json.Marshal(a)
	}
	return body, err
}

// data are the attributes of the resource, which the template's outputs show.
func data(told app.Registered) map[string]any {
	return map[string]any{"Status": told.Status, "Interactions": told.Interactions, "Commands": told.Commands}
}

// put stores the answer where CloudFormation looks for it. The address has a signature in it, so errors leave it out.
func (r *registrar) put(ctx context.Context, address string, body []byte) error {
	q, err := http.NewRequestWithContext(ctx, http.MethodPut, address, bytes.NewReader(body)) // without a content type: it is part of the signature
	if err != nil {
		return errors.New("the address for the answer is not a valid URL")
	}
	resp, err := r.http.Do(q)
	if err != nil {
		if u, ok := errors.AsType[*url.Error](err); ok {
			err = u.Err
		}
		return fmt.Errorf("answer cloudformation: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode >= 300 {
		return fmt.Errorf("answer cloudformation: status %d", resp.StatusCode)
	}
	return nil
}
