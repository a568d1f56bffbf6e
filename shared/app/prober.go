package app

import (
	"context"
	"errors"
	"slices"

	"tsumugi/shared/command"
	"tsumugi/shared/llm"
	"tsumugi/shared/outbound"
	"tsumugi/shared/provider/openai"
)

// prober tries providers of guilds through the guard.
type prober struct{ guard *outbound.Guard }

// Probing tries providers through the guard, for nobody knows where an address leads.
func Probing(g *outbound.Guard) command.Prober { return prober{g} }

// Probe asks for the list of models and then for a word. A server need not keep a list, so that only what would end the call too
// ends it there.
func (p prober) Probe(ctx context.Context, address, key, model string) (command.Probed, error) {
	o := openai.Options{BaseURL: address, Key: key, HTTPClient: p.guard.Client()}
	if _, err := openai.New(o); err != nil {
		return command.Probed{}, command.NoAddress
	}
	models, err := openai.List(ctx, o)
	found := command.Probed{Models: chatFirst(models)}
	if unlisted := []llm.Kind{llm.NotFound, llm.Invalid, llm.Malformed}; err != nil && !slices.Contains(unlisted, llm.KindOf(err)) {
		return found, refusal(err)
	}
	checked, err := openai.Check(ctx, o, model)
	if err != nil {
		return found, refusal(err)
	}
	found.Model, found.Took = checked.Model, checked.First
	return found, nil
}

// refusal is the error of a call without its cause, in which the transport names addresses, or why it was not made.
func refusal(err error) error {
	r := outbound.AsRefused(err)
	if e, ok := errors.AsType[*llm.Error](err); r == nil && ok {
		return &llm.Error{Kind: e.Kind, Status: e.Status, Code: e.Code, RetryAfter: e.RetryAfter}
	}
	if r == nil {
		return err
	}
	switch r.Reason {
	case outbound.Malformed, outbound.User:
		return command.NoAddress
	case outbound.Scheme:
		return command.Insecure
	case outbound.Port:
		return command.OddPort
	}
	return command.NotPublic
}

// chatFirst are the models with those in front that look as if they chat.
func chatFirst(models []string) []string {
	chat := openai.ForChat(models)
	rest := slices.DeleteFunc(slices.Clone(models), func(m string) bool { return slices.Contains(chat, m) })
	return slices.Concat(chat, rest)
}
