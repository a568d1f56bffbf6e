package discord

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"errors"
	"math"
	"mime"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"tsumugi/shared/chat"
)

// Discord's JSON error codes that this package decides on.
const (
	codeUnknownChannel = 10003
	codeUnknownMessage = 10008
	codeNoHistory      = 160002 // a reply needs the permission to read the history
	codeInvalidForm    = 50035
	codeWebhookToken   = 50027 // of an interaction that is too old; the bot's own token is right
)

// Waits for refusals that do not say how long.
const (
	waitDial      = 2 * time.Second  // nobody answered the door
	waitUnspoken  = 30 * time.Second // a limit of Discord's own that names no time
	waitToken     = time.Minute      // somebody must change the token
	waitBlocked   = 5 * time.Minute  // the edge blocks our address; an answer of JSON would have said how long
	waitAtLeast   = 100 * time.Millisecond
	waitAtMost    = 24 * time.Hour
	rateLimitCode = http.StatusTooManyRequests
)

// rebuff is what a reply that is not a success says.
type rebuff struct {
	status  int
	code    int
	message string   // Discord's fixed words for the code
	fields  []string // keys of the body that were refused
	after   time.Duration
	global  bool // the limit is for all routes
	shared  bool // the limit is shared with others and is not our fault
	blocked bool // not Discord's API but the edge before it refuses us
}

// readRebuff reads status, headers and body of a reply.
func readRebuff(resp *http.Response, body []byte) rebuff {
	r := rebuff{status: resp.StatusCode}
	if r.status < 300 {
		return r
	}
	var b struct {
		Code    int                        `json:"code"`
		Message string                     `json:"message"`
		After   *float64                   `json:"retry_after"`
		Global  bool                       `json:"global"`
		Errors  map[string]json.RawMessage `json:"errors"`
	}
	kind, _, _ := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	err := json.Unmarshal(body, &b)
	var odd *json.UnmarshalTypeError // one part is not as documented; the others count
	isJSON := (err == nil || errors.As(err, &odd)) && kind != "text/html"
	if isJSON {
		r.code, r.message, r.global = b.Code, oneLine(b.Message, 100), b.Global
		for k := range b.Errors {
			r.fields = append(r.fields, oneLine(k, 40))
		}
		slices.Sort(r.fields)
	}
	if r.status != rateLimitCode {
		return r
	}
	scope := resp.Header.Get("X-RateLimit-Scope")
	r.shared = scope == "shared"
	r.global = r.global || scope == "global" || resp.Header.Get("X-RateLimit-Global") == "true"
	after, said := seconds(resp.Header.Get("Retry-After"))
	if isJSON && b.After != nil {
		after, said = asDuration(*b.After) // finer than the header
	}
	if !said {
		after, said = seconds(resp.Header.Get("X-RateLimit-Reset-After"))
	}
	r.blocked = !isJSON || !said && r.code == 0
	switch {
	case !said && r.blocked:
		after = waitBlocked
	case !said:
		after = waitUnspoken
	}
	r.after = min(max(after, waitAtLeast), waitAtMost)
	return r
}

// failure gives the rebuff the words of package chat.
func (r rebuff) failure(op string) *chat.Failure {
	f := &chat.Failure{Op: op, Kind: chat.Rejected, Status: r.status, Code: r.code}
	switch {
	case r.status == rateLimitCode:
		f.Kind, f.After, f.Global = chat.Throttled, r.after, r.global
	case r.status >= 500 || r.status == http.StatusRequestTimeout:
		f.Kind = chat.Unknown
	case r.code == codeUnknownChannel || r.code == codeUnknownMessage:
		f.Kind = chat.Vanished
	case r.status == http.StatusUnauthorized && r.code != codeWebhookToken: // it is done when the token is right
		f.Kind, f.After, f.Code = chat.Throttled, waitToken, 0
	}
	if r.message != "" || len(r.fields) > 0 {
		f.Err = &refusal{words: r.message, fields: r.fields}
	}
	return f
}

// refusal is the safe part of Discord's explanation: the fixed words of its code, and which keys of the body it is about.
type refusal struct {
	words  string
	fields []string
}

// Error gives words and keys.
func (r *refusal) Error() string {
	if len(r.fields) == 0 {
		return r.words
	}
	return r.words + " (" + strings.Join(r.fields[:min(len(r.fields), 5)], ", ") + ")"
}

// lostCall is the failure of a call that got no reply. Only what is known to have failed before the request could leave
// counts as nothing happened.
func lostCall(ctx context.Context, op string, err error) *chat.Failure {
	f := &chat.Failure{Op: op, Kind: chat.Unknown, Err: safeCause(ctx, err)}
	var o *net.OpError
	var cert *tls.CertificateVerificationError
	if errors.As(err, &o) && (o.Op == "dial" || o.Op == "proxyconnect") || errors.As(err, &cert) {
		f.Kind, f.After = chat.Throttled, waitDial
	}
	return f
}

// safeCause takes the address, which may hold secrets, out of an error of net/http, and prefers the reason why the context
// ended.
func safeCause(ctx context.Context, err error) error {
	if cause := context.Cause(ctx); cause != nil {
		return cause
	}
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}

// seconds reads a header in seconds; false when it says nothing usable.
func seconds(s string) (time.Duration, bool) {
	f, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return 0, false
	}
	return asDuration(f)
}

// asDuration takes seconds; false for what is no length of time.
func asDuration(f float64) (time.Duration, bool) {
	if math.IsNaN(f) || f < 0 {
		return 0, false
	}
	return time.Duration(min(f, waitAtMost.Seconds()) * float64(time.Second)), true
}
