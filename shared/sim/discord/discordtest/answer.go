package discordtest

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"mime"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	simdiscord "tsumugi/shared/sim/discord"
)

var (
	digits = regexp.MustCompile(`[0-9]+`)
	ids    = regexp.MustCompile(`[0-9]{15,}`) // smaller numbers have bounds
)

// answer checks status, content type and body of a reply to the operation at a place of the file.
func (d *description) answer(op *openapi3.Operation, at []string, x simdiscord.Exchange) error {
	key, ref := response(op, x.Status)
	if ref == nil {
		return errors.New("the description has no such status")
	}
	if err := d.headers(x); err != nil {
		return err
	}
	at = append(at, "responses", key)
	if name, shared := strings.CutPrefix(ref.Ref, "#/"); shared {
		at = strings.Split(name, "/")
	}
	if len(ref.Value.Content) == 0 {
		if len(x.Answer) > 0 {
			return fmt.Errorf("there is a body: %s", head(x.Answer))
		}
		return nil
	}
	if kind, _, err := mime.ParseMediaType(x.Header.Get("Content-Type")); err != nil || kind != jsonType {
		return fmt.Errorf("content type %q", x.Header.Get("Content-Type"))
	}
	return d.satisfies(pointer(append(at, "content", jsonType, "schema")...), x.Answer)
}

// headers lets kin-openapi judge the status and the headers of an answer. Answers that differ in numbers alone are judged once.
func (d *description) headers(x simdiscord.Exchange) error {
	var shape strings.Builder
	fmt.Fprint(&shape, x.Method, " ", x.Route, " ", x.Status)
	for _, name := range slices.Sorted(maps.Keys(x.Header)) {
		fmt.Fprint(&shape, "\n", name, digits.ReplaceAllString(x.Header.Get(name), "0"))
	}
	return d.once(shape.String(), func() error {
		in, err := d.input(x)
		if err != nil || in.Route.Path != x.Route { // refused for its address
			return nil
		}
		return openapi3filter.ValidateResponse(context.Background(), &openapi3filter.ResponseValidationInput{
			RequestValidationInput: in, Status: x.Status, Header: x.Header,
			Options: &openapi3filter.Options{ExcludeResponseBody: true, IncludeResponseStatus: true},
		})
	})
}

// response finds the entry for a status: the number itself, then its class.
func response(op *openapi3.Operation, status int) (string, *openapi3.ResponseRef) {
	number := strconv.Itoa(status)
	for _, key := range []string{number, number[:1] + "XX", "default"} {
		if ref := op.Responses.Value(key); ref != nil {
			return key, ref
		}
	}
	return "", nil
}

// outside is a call that the shortened description leaves out.
type outside struct {
	why  string
	like string // a call of the description with the same answer, "" where there is none
}

// beyond is every call of the simulator that the description does not know.
var beyond = map[string]outside{
	"DELETE /channels/{channel_id}/messages/{message_id}/reactions": {"left out of the shortened file: only moderators need it", ""},
	"PATCH /webhooks/{webhook_id}/{webhook_token}":                  {"left out of the shortened file", "GET /webhooks/{webhook_id}/{webhook_token}"},
	"GET /oauth2/applications/@me":                                  {"left out of the shortened file; the older name of the same call, which discordgo uses", "GET /applications/@me"},
	"PATCH /applications/@me":                                       {"left out of the shortened file", "GET /applications/@me"},
}

// unknown checks what can be checked of a call that the description leaves out.
func (d *description) unknown(b outside, x simdiscord.Exchange) error {
	if made(x) {
		return nil
	}
	if refusal(x.Status) {
		return d.satisfies("/components/schemas/ErrorResponse", x.Answer)
	}
	if b.like == "" {
		return nil
	}
	method, path, _ := strings.Cut(b.like, " ")
	item := d.paths.Value(path)
	if item == nil || item.GetOperation(method) == nil {
		return fmt.Errorf("the table compares it to %s, which the description does not know", b.like)
	}
	if err := d.answer(item.GetOperation(method), []string{"paths", path, strings.ToLower(method)}, x); err != nil {
		return fmt.Errorf("answer %d is not one of %s: %w", x.Status, b.like, err)
	}
	return nil
}
