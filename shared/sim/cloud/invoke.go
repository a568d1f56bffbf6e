package cloud

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"net"
	"net/http"
	"strings"
	"time"
	"unicode/utf8"
)

// Fire invokes a function as a schedule does. There is no second attempt.
func Fire(ctx context.Context, f *Function, rule string) error {
	payload, err := json.Marshal(map[string]any{"version": "0", "id": uuid(), "detail-type": "Scheduled Event", "source": "aws.events",
		"account": Account, "time": time.Now().UTC().Format(time.RFC3339), "region": Region,
		"resources": []string{"arn:aws:events:" + Region + ":" + Account + ":rule/" + rule}, "detail": map[string]any{}})
	if err != nil {
		return err
	}
	_, err = f.Invoke(ctx, payload)
	return err
}

// HTTPAPI is API Gateway's HTTP API in front of a function, with payloads of version 2.0.
type HTTPAPI struct {
	Function *Function
	// Base64 encodes every body, as API Gateway does for what it does not take for text.
	Base64 bool
}

// apiAnswer is what a function answers.
type apiAnswer struct {
	StatusCode int               `json:"statusCode"`
	Headers    map[string]string `json:"headers"`
	Body       string            `json:"body"`
	Base64     bool              `json:"isBase64Encoded"`
	Cookies    []string          `json:"cookies"`
}

// ServeHTTP takes one request to the function. A function that fails is answered as 500, as API Gateway does.
func (a HTTPAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	payload, err := a.event(w, r)
	var text []byte
	if err == nil {
		text, err = a.Function.Invoke(r.Context(), payload)
	}
	var out apiAnswer
	if err == nil {
		err = json.Unmarshal(text, &out)
	}
	body := []byte(out.Body)
	if err == nil && out.Base64 {
		body, err = base64.StdEncoding.DecodeString(out.Body)
	}
	if err != nil || out.StatusCode == 0 {
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(http.StatusInternalServerError)
		_, _ = io.WriteString(w, `{"message":"Internal Server Error"}`) // who asked may have left
		return
	}
	for k, v := range out.Headers {
		w.Header().Set(k, v)
	}
	for _, c := range out.Cookies {
		w.Header().Add("Set-Cookie", c)
	}
	w.WriteHeader(out.StatusCode)
	_, _ = w.Write(body) // as above
}

func (a HTTPAPI) event(w http.ResponseWriter, r *http.Request) ([]byte, error) {
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 10<<20))
	if err != nil {
		return nil, err
	}
	headers := map[string]string{"host": r.Host}
	for k, v := range r.Header {
		headers[strings.ToLower(k)] = strings.Join(v, ",")
	}
	now := time.Now().UTC()
	text, encoded := string(body), a.Base64 || !utf8.Valid(body)
	if encoded {
		text = base64.StdEncoding.EncodeToString(body)
	}
	return json.Marshal(map[string]any{
		"version": "2.0", "routeKey": r.Method + " " + r.URL.Path, "rawPath": r.URL.Path, "rawQueryString": r.URL.RawQuery,
		"headers": headers, "body": text, "isBase64Encoded": encoded,
		"requestContext": map[string]any{
			"accountId": Account, "apiId": "api", "domainName": r.Host, "domainPrefix": "api", "requestId": uuid(), "stage": "$default",
			"routeKey": r.Method + " " + r.URL.Path, "time": now.Format("02/Jan/2006:15:04:05 -0700"), "timeEpoch": now.UnixMilli(),
			"http": map[string]any{"method": r.Method, "path": r.URL.Path, "protocol": "HTTP/1.1", "sourceIp": "127.0.0.1", "userAgent": r.UserAgent()},
		},
	})
}

// ResourceAnswer is what a custom resource tells CloudFormation.
type ResourceAnswer struct {
	Status             string
	Reason             string
	PhysicalResourceID string `json:"PhysicalResourceId"`
	Data               map[string]any
}

// Resource asks a function to create, update or delete a custom resource, as CloudFormation does. What the function answers
// CloudFormation does not look at, only at what it puts at the address that the request names.
func Resource(ctx context.Context, f *Function, request, physical string, properties map[string]any) (ResourceAnswer, error) {
	var got ResourceAnswer
	said := make(chan ResourceAnswer, 1)
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return got, err
	}
	server := &http.Server{ReadHeaderTimeout: time.Minute, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var a ResourceAnswer
		if r.Method != http.MethodPut || json.NewDecoder(r.Body).Decode(&a) != nil {
			w.WriteHeader(http.StatusForbidden)
			return
		}
		select {
		case said <- a:
		default: // only the first counts
		}
	})}
	go func() { _ = server.Serve(l) }() // until it is closed below
	defer server.Close()
	event := map[string]any{"RequestType": request, "ResponseURL": "http://" + l.Addr().String() + "/resource?signature=x", "RequestId": uuid(),
		"StackId": "arn:aws:cloudformation:" + Region + ":" + Account + ":stack/house/" + uuid(), "ResourceType": "Custom::Registration",
		"LogicalResourceId": "Registration", "ResourceProperties": properties, "ServiceToken": f.ARN()}
	if physical != "" {
		event["PhysicalResourceId"] = physical
	}
	payload, err := json.Marshal(event)
	if err != nil {
		return got, err
	}
	_, failed := f.Invoke(ctx, payload)
	select {
	case got = <-said:
		return got, nil
	default:
		return got, errors.Join(errors.New("the resource was never answered for, and its stack would wait an hour"), failed)
	}
}
