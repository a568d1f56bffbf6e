package discord

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"tsumugi/shared/chat"
)

const opFetch = "read a file"

// hosts are where Discord keeps files that people have sent.
var hosts = []string{"cdn.discordapp.com", "media.discordapp.net"}

// shelves are where a Discord that is not the real one keeps them: on the server of its API, which has several names on one machine.
var shelves = []string{"/attachments/", "/ephemeral-attachments/"}

var (
	errElsewhere = errors.New("the address is not Discord's")
	errTooLarge  = errors.New("the file is larger than is taken")
)

var _ chat.Attachments = (*Client)(nil)

// Fetch reads a file that somebody gave, from Discord's own addresses only, without the bot's token. What Discord says of its size
// is believed only where that is too much.
func (c *Client) Fetch(ctx context.Context, a chat.Attachment, most int) ([]byte, error) {
	ctx, done := context.WithTimeout(ctx, chat.Call)
	defer done()
	q, err := c.fetching(ctx, a.URL)
	if err == nil && a.Size > most {
		err = errTooLarge
	}
	if err != nil {
		return nil, &chat.Failure{Op: opFetch, Kind: chat.Rejected, Err: err}
	}
	resp, err := c.http.Do(q) // it follows no redirect
	if err != nil {
		return nil, lostCall(ctx, opFetch, err)
	}
	defer resp.Body.Close()
	if f := unfetched(resp); f != nil {
		return nil, f
	}
	body, err := io.ReadAll(io.LimitReader(resp.Body, int64(most)+1))
	switch {
	case len(body) > most:
		return nil, &chat.Failure{Op: opFetch, Kind: chat.Rejected, Status: resp.StatusCode, Err: errTooLarge}
	case err != nil:
		return nil, &chat.Failure{Op: opFetch, Kind: chat.Unknown, Status: resp.StatusCode, Err: safeCause(ctx, err)}
	}
	return body, nil
}

// fetching is the request for a file. Its address is checked by its parts, so that no name in it stands for another host.
func (c *Client) fetching(ctx context.Context, address string) (*http.Request, error) {
	q, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil || q.URL.User != nil || q.URL.Opaque != "" {
		return nil, errElsewhere
	}
	q.Header.Set("User-Agent", c.agent)
	if q.URL.Scheme == "https" && slices.Contains(hosts, strings.ToLower(q.URL.Host)) {
		return q, nil
	}
	base, err := url.Parse(c.base)
	if err != nil || c.base == DefaultBaseURL || !slices.ContainsFunc(shelves, func(p string) bool { return strings.HasPrefix(q.URL.Path, p) }) {
		return nil, errElsewhere
	}
	q.URL.Scheme, q.URL.Host, q.Host = base.Scheme, base.Host, base.Host
	return q, nil
}

// unfetched is why an answer is no file; nil when it is one.
func unfetched(resp *http.Response) error {
	f := &chat.Failure{Op: opFetch, Kind: chat.Unknown, Status: resp.StatusCode}
	switch s := resp.StatusCode; {
	case s == http.StatusOK:
		return nil
	case s == http.StatusNotFound || s == http.StatusGone || s == http.StatusForbidden: // its address worked for some hours
		f.Kind = chat.Vanished
	case s == http.StatusTooManyRequests:
		after, said := seconds(resp.Header.Get("Retry-After"))
		if !said {
			after = waitUnspoken
		}
		f.Kind, f.After = chat.Throttled, max(after, waitAtLeast)
	case s < 500 && s != http.StatusRequestTimeout:
		f.Kind = chat.Rejected
	}
	return f
}
