// Package discordtest holds every REST call of every test to Discord's own description of its API, where that file is at hand: what
// our clients send, and what the simulated Discord answers. It is linked by tests only. What must not live here is an opinion of
// our own about Discord beyond the table of what the file leaves out.
package discordtest

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"sync"

	simdiscord "tsumugi/shared/sim/discord"
)

// Reporter is told what was wrong with a call, from any goroutine. A testing.T is one.
type Reporter interface {
	// Errorf reports one call.
	Errorf(format string, args ...any)
}

// atHand is the description as it lies beside the repository: it is read once a process, by whoever asks first.
var atHand = sync.OnceValues(func() (*description, error) {
	d, err := find()
	if errors.Is(err, fs.ErrNotExist) {
		fmt.Fprintln(os.Stderr, "discordtest: SKIPPED, "+file+" is not beside the repository: no request and no answer is checked against it")
	}
	return d, err
})

// Available says whether Discord's description is at hand; an error other than fs.ErrNotExist means that it cannot be read.
func Available() error {
	_, err := atHand()
	return err
}

// Watch returns the options with an observer that reports every call that breaks Discord's description. An observer that is
// there already sees every call first. The description refuses keys that it does not know, so that our typing errors are found, while
// Discord ignores them: ignored are such keys of a body that a client from outside is known to send.
func Watch(r Reporter, o simdiscord.Options, ignored ...string) simdiscord.Options {
	return watch(r, o, func(simdiscord.Exchange) bool { return true }, ignored)
}

// Sample is Watch for tests that make the same calls many thousand times: of the calls that the description cannot tell apart it
// judges the first and then some.
func Sample(r Reporter, o simdiscord.Options) simdiscord.Options {
	return watch(r, o, func(x simdiscord.Exchange) bool {
		d, err := atHand()
		return err != nil || d.due(x)
	}, nil)
}

func watch(r Reporter, o simdiscord.Options, due func(simdiscord.Exchange) bool, ignored []string) simdiscord.Options {
	earlier := o.Observe
	o.Observe = func(x simdiscord.Exchange) {
		if earlier != nil {
			earlier(x)
		}
		if !due(x) {
			return
		}
		err := Check(x)
		if err != nil && len(ignored) > 0 {
			x.Sent = without(x.Sent, ignored)
			err = Check(x)
		}
		if err != nil {
			r.Errorf("%s %s: %v", x.Method, x.Target, err)
		}
	}
	return o
}

// without takes keys off a JSON object; what is none stays as it is.
func without(body []byte, keys []string) []byte {
	var all map[string]json.RawMessage
	if json.Unmarshal(body, &all) != nil {
		return body
	}
	for _, k := range keys {
		delete(all, k)
	}
	less, err := json.Marshal(all)
	if err != nil {
		return body
	}
	return less
}

// Check says what is wrong with a call: an answer that the description does not allow, or a request that it does not allow and that
// was not refused. A refusal (4xx) may be what a test asked for. It is nil where the description is not at hand.
func Check(x simdiscord.Exchange) error {
	d, err := atHand()
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return d.check(x)
}

// Operations is every call that the description knows; none where it is not at hand.
func Operations() []simdiscord.RouteName {
	d, err := atHand()
	if err != nil {
		return nil
	}
	var all []simdiscord.RouteName
	for path, item := range d.paths.Map() {
		for method := range item.Operations() {
			all = append(all, simdiscord.RouteName{Method: method, Route: path})
		}
	}
	return all
}
