package discordtest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"

	simdiscord "tsumugi/shared/sim/discord"
)

const jsonType = "application/json"

// check holds one call to the description.
func (d *description) check(x simdiscord.Exchange) error {
	if x.Status == http.StatusTooManyRequests && x.Header.Get("Via") == "" { // not Discord: what stands before it
		return nil
	}
	if x.Route == "" { // no such path or method: there is nothing but the refusal to look at
		return d.satisfies("/components/schemas/ErrorResponse", x.Answer)
	}
	if x.Status == 0 { // nobody read it
		return nil
	}
	name := x.Method + " " + x.Route
	b, left := beyond[name]
	item := d.paths.Value(x.Route)
	var op *openapi3.Operation
	if item != nil {
		op = item.GetOperation(x.Method)
	}
	switch {
	case op == nil && !left:
		return errors.New("the description does not know this call, and the table of what it leaves out does not either")
	case op == nil:
		return d.unknown(b, x)
	case left:
		return errors.New("the description knows this call, though the table says that it is left out")
	}
	if err := d.request(op, x); err != nil && !refusal(x.Status) {
		return fmt.Errorf("answered %d, but the request is invalid: %w", x.Status, err)
	}
	if made(x) {
		return nil
	}
	if err := d.answer(op, []string{"paths", x.Route, strings.ToLower(x.Method)}, x); err != nil {
		return fmt.Errorf("answer %d is invalid: %w", x.Status, err)
	}
	return nil
}

// refusal says whether Discord refused a call.
func refusal(status int) bool { return status >= 400 && status < 500 }

// made says whether an accident made the answer up: what stands between Discord and us follows no description.
func made(x simdiscord.Exchange) bool {
	switch x.Fault {
	case simdiscord.FaultStatus, simdiscord.FaultRateLimit:
		return true
	}
	return false
}

// request checks address, parameters and body of what was sent.
func (d *description) request(op *openapi3.Operation, x simdiscord.Exchange) error {
	if err := d.parameters(x); err != nil {
		return err
	}
	if op.RequestBody == nil {
		return nil
	}
	text, err := payload(x)
	if err != nil {
		return err
	}
	if len(text) == 0 {
		if op.RequestBody.Value.Required {
			return errors.New("it needs a body")
		}
		return nil
	}
	return d.satisfies(pointer("paths", x.Route, strings.ToLower(x.Method), "requestBody", "content", jsonType, "schema"), text)
}

// parameters lets kin-openapi judge host, path and query. Calls that differ in ids alone are judged once.
func (d *description) parameters(x simdiscord.Exchange) error {
	return d.once(x.Method+" "+ids.ReplaceAllString(x.Target, "0"), func() error {
		in, err := d.input(x)
		if err != nil {
			return fmt.Errorf("no address of the description: %w", err)
		}
		if in.Route.Path != x.Route {
			return fmt.Errorf("the description takes it for %s, the simulator for %s", in.Route.Path, x.Route)
		}
		return openapi3filter.ValidateRequest(context.Background(), in)
	})
}

// input is a call as kin-openapi takes it: on the server that the description names, without its body.
func (d *description) input(x simdiscord.Exchange) (*openapi3filter.RequestValidationInput, error) {
	_, rest, _ := strings.Cut(strings.TrimPrefix(x.Target, "/api/"), "/")
	rest = strings.ReplaceAll(rest, "%40", "@") // discord.js escapes what need not be: @me, @original
	r, err := http.NewRequestWithContext(context.Background(), x.Method, d.base+"/"+rest, nil)
	if err != nil {
		return nil, err
	}
	r.Header = x.Asked.Clone()
	route, vars, err := d.router.FindRoute(r)
	if err != nil {
		return nil, err
	}
	return &openapi3filter.RequestValidationInput{
		Request: r, PathParams: vars, Route: route,
		Options: &openapi3filter.Options{AuthenticationFunc: openapi3filter.NoopAuthenticationFunc, ExcludeRequestBody: true, SkipSettingDefaults: true},
	}, nil
}

// once judges each shape of a call once.
func (d *description) once(shape string, judge func() error) error {
	d.mu.Lock()
	err, known := d.judged[shape]
	d.mu.Unlock()
	if known {
		return err
	}
	err = judge()
	d.mu.Lock()
	d.judged[shape] = err
	d.mu.Unlock()
	return err
}

// payload takes the JSON out of a request. A form carries it in the part payload_json; the files beside it count as attachments.
func payload(x simdiscord.Exchange) ([]byte, error) {
	if len(x.Sent) == 0 {
		return nil, nil
	}
	kind, values, err := mime.ParseMediaType(x.Asked.Get("Content-Type"))
	if err != nil {
		return nil, fmt.Errorf("content type: %w", err)
	}
	switch kind {
	case jsonType:
		return x.Sent, nil
	case "multipart/form-data":
		return form(multipart.NewReader(bytes.NewReader(x.Sent), values["boundary"]))
	}
	return nil, fmt.Errorf("content type %s", kind)
}

func form(r *multipart.Reader) ([]byte, error) {
	body := map[string]json.RawMessage{}
	var files []map[string]string
	for {
		part, err := r.NextPart()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return nil, err
		}
		text, err := drained(part)
		if err != nil {
			return nil, err
		}
		switch {
		case part.FormName() == "payload_json":
			if err := json.Unmarshal(text, &body); err != nil {
				return nil, fmt.Errorf("payload_json: %w", err)
			}
		case part.FileName() != "":
			files = append(files, map[string]string{"id": strconv.Itoa(len(files)), "filename": part.FileName()})
		default: // Discord takes plain fields too
			if body[part.FormName()], err = json.Marshal(string(text)); err != nil {
				return nil, err
			}
		}
	}
	if _, listed := body["attachments"]; !listed && len(files) > 0 {
		text, err := json.Marshal(files)
		if err != nil {
			return nil, err
		}
		body["attachments"] = text
	}
	return json.Marshal(body)
}
