package command

import (
	"context"
	"errors"
	"net/http"
	"time"

	"tsumugi/shared/llm"
)

// Prober tries a provider with a real call.
type Prober interface {
	// Probe asks the server at the address what models it offers to the key, and lets one of them say a word: the model, or for
	// "" one that chats. It takes half a minute at most. It fails with a Refusal, or with an *llm.Error, which says what the server
	// made of it; Models then still has what is known. Nothing that it gives holds the key or the address.
	Probe(ctx context.Context, address, key, model string) (Probed, error)
}

// Probed is what a probe found.
type Probed struct {
	Models []string      // that are offered, those that chat first; nil where the server keeps no list
	Model  string        // that answered
	Took   time.Duration // until it began to
}

// Refusal is why nothing is sent to an address. It is the end of the key of a text.
type Refusal string

// The refusals. Whoever runs the installation can allow all but the first.
const (
	NoAddress Refusal = "address"  // it is none
	Insecure  Refusal = "insecure" // without encryption
	OddPort   Refusal = "port"     // to a service that is none of the web's
	NotPublic Refusal = "refused"  // to a machine that is not on the public internet
)

// Error names the reason.
func (r Refusal) Error() string { return "nothing is sent to this address: " + string(r) }

// slowAfter is how long a first word may take before people are told that it took long.
const slowAfter = 8 * time.Second

// trouble is the key of what people are told about a probe that failed: what it was, and what mends it.
func trouble(err error, found Probed) string {
	if r, ok := errors.AsType[Refusal](err); ok {
		return "provider.failed." + string(r)
	}
	e, ok := errors.AsType[*llm.Error](err)
	if !ok {
		return "provider.failed.other"
	}
	switch e.Kind {
	case llm.Unauthorized:
		if e.Status == http.StatusPaymentRequired || e.Code == "insufficient_quota" || e.Code == "billing_error" {
			return "provider.failed.credit"
		}
		return "provider.failed.key"
	case llm.RateLimited:
		return "provider.failed.limited"
	case llm.NotFound:
		if len(found.Models) > 0 {
			return "provider.failed.model"
		}
		return "provider.failed.nowhere"
	case llm.Invalid:
		return "provider.failed.invalid"
	case llm.Unreachable:
		return "provider.failed.unreachable"
	case llm.TimedOut:
		return "provider.failed.slow"
	case llm.Malformed:
		return "provider.failed.page"
	case llm.Overloaded, llm.Cut:
		return "provider.failed.busy"
	}
	return "provider.failed.other"
}
