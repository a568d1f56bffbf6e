package openai

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"tsumugi/shared/llm"
)

const (
	probeTime   = 2 * time.Second
	listTime    = 10 * time.Second
	maxList     = 8 << 20 // a router's list with prices and descriptions is near 1 MB
	maxModels   = 1000
	maxModelLen = 256
)

// Probe lists the models of the server at baseURL, within two seconds. It is how an unconfigured installation finds a server
// on its own machine, so it sends no key, uses no proxy and follows no redirect.
func Probe(ctx context.Context, baseURL string) ([]string, error) {
	transport := &http.Transport{DialContext: (&net.Dialer{}).DialContext, DisableKeepAlives: true}
	c, err := New(Options{BaseURL: baseURL, HTTPClient: &http.Client{Transport: transport}})
	if err != nil {
		return nil, err
	}
	c.http.CheckRedirect = func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return c.list(ctx, probeTime)
}

// List gives the models that the server offers to the key, in the server's order: at most 1,000 names, of at most 256 bytes
// each and without characters that cannot be shown. It asks once, with the way that the options say, and takes at most ten
// seconds. Its errors are those of New, and those of Stream: what is no list is Malformed.
func List(ctx context.Context, o Options) ([]string, error) {
	c, err := New(o)
	if err != nil {
		return nil, err
	}
	defer c.Close()
	return c.list(ctx, listTime)
}

func (c *Client) list(parent context.Context, within time.Duration) ([]string, error) {
	ctx, done := context.WithTimeout(parent, within)
	defer done()
	models, err := c.models(ctx)
	if err != nil {
		return nil, fmt.Errorf("list models: %w", late(parent, ctx, err))
	}
	return models, nil
}

// late gives the error of a call that our own bound ended its kind. When the caller's context ended, the error is that one's.
func late(parent, ctx context.Context, err error) error {
	if llm.KindOf(err) == "" && parent.Err() == nil && ctx.Err() != nil {
		return &llm.Error{Kind: llm.TimedOut}
	}
	return err
}

func (c *Client) models(ctx context.Context) ([]string, error) {
	key, err := c.options.Current(ctx, "")
	if err != nil {
		return nil, &keyError{err}
	}
	resp, err := c.ask(ctx, &key, func() (*http.Response, error) {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, c.listing, nil)
		if err != nil {
			return nil, errors.New("not a URL")
		}
		req.Header.Set("Accept", "application/json")
		if key != "" {
			req.Header.Set("Authorization", "Bearer "+key)
		}
		return c.http.Do(req)
	})
	if err != nil {
		return nil, withoutKey(failed(ctx, ctx, llm.Unreachable, err), key)
	}
	defer resp.Body.Close()
	models, err := readModels(resp)
	if err != nil {
		return nil, withoutKey(failed(ctx, ctx, llm.Cut, err), key)
	}
	return models, nil
}

// readModels reads an answer: {"data":[…]}, as OpenAI gives it, or the bare array of some others.
func readModels(resp *http.Response) ([]string, error) {
	if resp.StatusCode != http.StatusOK {
		body, _ := io.ReadAll(io.LimitReader(resp.Body, maxErrorBody)) // the status says enough when the body breaks off
		return nil, readFailure(body).refusal(resp)
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, maxList+1))
	if err != nil {
		return nil, err
	}
	if len(body) > maxList {
		return nil, &llm.Error{Kind: llm.Malformed, Err: fmt.Errorf("the list is over %d bytes", maxList)}
	}
	type entry struct {
		ID string `json:"id"`
	}
	var in struct {
		Data  []entry         `json:"data"`
		Error json.RawMessage `json:"error"`
	}
	into := any(&in)
	if bytes.HasPrefix(bytes.TrimSpace(body), []byte("[")) {
		into = &in.Data
	}
	switch err := json.Unmarshal(body, into); {
	case err != nil && !oneField(err): // the decoder's own words may quote the body
		return nil, &llm.Error{Kind: llm.Malformed, Err: errors.New("the address serves no list of models")}
	case in.Data == nil && present(in.Error):
		return nil, readFailure(body).refusal(resp)
	case in.Data == nil:
		return nil, &llm.Error{Kind: llm.Malformed, Err: errors.New("the address serves no list of models")}
	}
	models, seen := []string{}, map[string]bool{}
	for _, m := range in.Data {
		if len(models) < maxModels && nameable(m.ID) && !seen[m.ID] {
			models, seen[m.ID] = append(models, m.ID), true
		}
	}
	return models, nil
}

// nameable tells whether a model's name can be shown to people and asked for.
func nameable(id string) bool {
	return id != "" && len(id) <= maxModelLen && utf8.ValidString(id) && !strings.ContainsFunc(id, func(c rune) bool { return !unicode.IsPrint(c) })
}

// otherwise are parts of the names of models that do not chat, or not over this wire.
var otherwise = []string{"embed", "bge-", "e5-", "gte-", "minilm", "rerank", "tts", "whisper", "transcribe", "audio", "speech", "realtime", "voice",
	"dall-e", "image", "imagen", "diffusion", "flux", "sora", "veo-", "video", "moderation", "guard", "ocr", "clip", "babbage", "davinci",
	"turbo-instruct", "o1-pro", "o3-pro", "gpt-5-pro", "-codex", "computer-use", "deep-research", "aqa"}

// ForChat gives those of the models that look as if they chat, in their order; all of them when none does. Servers do not say
// what a model is for, so its name has to.
func ForChat(models []string) []string {
	chat := slices.DeleteFunc(slices.Clone(models), func(id string) bool {
		low := strings.ToLower(id)
		return slices.ContainsFunc(otherwise, func(part string) bool { return strings.Contains(low, part) })
	})
	if len(chat) == 0 {
		return models
	}
	return chat
}
