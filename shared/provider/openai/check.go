package openai

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"tsumugi/shared/llm"
)

const (
	checkTime  = 15 * time.Second
	checkMost  = 128 // tokens, for models that think first and refuse to be cut off while they do
	checkTries = 3   // of models that nobody named
)

// Checked is what a check found.
type Checked struct {
	Model string        // that answered
	First time.Duration // until it began to
}

// Check proves that the key and the model work: it asks the server for a word and leaves as soon as the first of the answer is
// there, or the end. It takes at most 15 seconds in all, whatever the options say, and does not wait for a rate limit to pass.
// An empty model means that of the options, and without one the first of the list that looks as if it chats (ForChat); of these up to three are tried, for names may
// mislead. Its errors are those of New and of Stream, and NotFound where there is no model to choose.
func Check(parent context.Context, o Options, model string) (Checked, error) {
	c, err := New(o)
	if err != nil {
		return Checked{}, err
	}
	defer c.Close()
	ctx, done := context.WithTimeout(parent, checkTime)
	defer done()
	candidates := []string{cmp.Or(model, o.Model)}
	if candidates[0] == "" {
		if candidates, err = c.candidates(ctx); err != nil {
			return Checked{}, late(parent, ctx, err)
		}
	}
	for _, name := range candidates {
		var out Checked
		if out, err = c.check(ctx, name); err == nil {
			return out, nil
		}
		if kind := llm.KindOf(err); kind != llm.NotFound && kind != llm.Invalid {
			break // another model would not do better
		}
	}
	return Checked{}, fmt.Errorf("check model: %w", late(parent, ctx, err))
}

// candidates are the models to try when nobody named one.
func (c *Client) candidates(ctx context.Context) ([]string, error) {
	all, err := c.models(ctx)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", err)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("check model: %w", &llm.Error{Kind: llm.NotFound, Err: errors.New("the server lists no models: name one")})
	}
	chat := ForChat(all)
	return chat[:min(len(chat), checkTries)], nil
}

// check asks one model.
func (c *Client) check(ctx context.Context, model string) (Checked, error) {
	begun := time.Now()
	r := llm.Request{Model: model, MaxTokens: checkMost, Messages: []llm.Message{{Role: llm.User, Text: "Reply with the word ok."}}}
	for d, err := range c.Stream(ctx, r) {
		if err != nil {
			return Checked{}, err
		}
		// A delta without either is a sign of life, and an error may still follow it.
		if d.Text != "" || d.Thinking != "" || d.Done != nil {
			break
		}
	}
	return Checked{Model: model, First: time.Since(begun)}, nil
}

// withoutKey takes what a server repeated of the key out of an error: in a code, or in an answer that is no HTTP, which the
// transport quotes.
func withoutKey(err error, key string) error {
	var e *llm.Error
	if !errors.As(err, &e) || !repeats(err.Error(), key) {
		return err
	}
	return &llm.Error{Kind: e.Kind, Status: e.Status, RetryAfter: e.RetryAfter}
}

// repeats tells whether the text has a piece of the key. A code is cut short and in lower case, so a piece is enough.
func repeats(text, key string) bool {
	const piece = 8
	text, key = strings.ToLower(text), strings.ToLower(key)
	if len(key) < piece {
		return len(key) > piece/2 && strings.Contains(text, key) // shorter ones are none that anybody would keep secret
	}
	for i := range len(key) - piece + 1 {
		if strings.Contains(text, key[i:i+piece]) {
			return true
		}
	}
	return false
}
