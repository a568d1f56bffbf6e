package discord

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"syscall"
	"time"
)

const (
	// firstAnswer is how long an application may take for its first answer (docs: Responding to an Interaction).
	firstAnswer = 3 * time.Second
	// maxInline is the largest answer that is read of an endpoint.
	maxInline = 1 << 20
)

// endpointClient posts interactions: to this machine, through no proxy, after no redirect.
func endpointClient(o Options) *http.Client {
	client := &http.Client{
		Transport:     o.EndpointTransport,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
	if client.Transport != nil {
		return client
	}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		d := net.Dialer{Timeout: firstAnswer, Control: onlyLoopback} // the name may have been bound to anything
		return d.DialContext(ctx, network, address)
	}
	client.Transport = &http.Transport{DialContext: dial, DisableKeepAlives: true, MaxResponseHeaderBytes: 64 << 10}
	return client
}

// onlyLoopback refuses to connect to another machine.
func onlyLoopback(_, address string, _ syscall.RawConn) error {
	host, _, err := net.SplitHostPort(address)
	if ip := net.ParseIP(host); err != nil || ip == nil || !ip.IsLoopback() {
		return errors.New("the endpoint is on no loopback address")
	}
	return nil
}

// PublicKey is the key, in hex, by which an application checks who sends it interactions.
func (s *Server) PublicKey() string {
	return hex.EncodeToString(s.play.key.Public().(ed25519.PublicKey))
}

// Sign returns the values of the headers X-Signature-Ed25519 and X-Signature-Timestamp that Discord would send with this body at this
// time: the signature covers the timestamp and the body, byte for byte.
func (s *Server) Sign(body []byte, at time.Time) (signature, timestamp string) {
	timestamp = strconv.FormatInt(at.Unix(), 10)
	return hex.EncodeToString(ed25519.Sign(s.play.key, append([]byte(timestamp), body...))), timestamp
}

// callEndpoint sends a signed body to the endpoint and reads what it answers. forge makes the signature a wrong one.
func (s *Server) callEndpoint(ctx context.Context, address string, body []byte, forge bool) (status int, answer []byte, err error) {
	u, err := url.Parse(address)
	if err != nil {
		return 0, nil, errors.New("post to the endpoint: no well formed URL")
	}
	if !loopback(u.Host) {
		return 0, nil, errors.New("post to the endpoint: only loopback hosts are allowed")
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, address, bytes.NewReader(body))
	if err != nil {
		return 0, nil, errors.New("post to the endpoint: no well formed request")
	}
	signature, timestamp := s.Sign(body, time.Now())
	if forge {
		signature, _ = s.Sign(append([]byte("forged"), body...), time.Now())
	}
	r.Header.Set("X-Signature-Ed25519", signature)
	r.Header.Set("X-Signature-Timestamp", timestamp)
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Discord-Interactions/1.0 (simulated)")
	resp, err := s.play.client.Do(r)
	if err != nil {
		var wrapped *url.Error
		if errors.As(err, &wrapped) {
			err = wrapped.Err // the address may hold a secret
		}
		return 0, nil, fmt.Errorf("post to the endpoint: %w", err)
	}
	defer resp.Body.Close()
	answer, err = io.ReadAll(io.LimitReader(resp.Body, maxInline+1))
	if err != nil {
		return 0, nil, fmt.Errorf("read the endpoint's answer: %w", err)
	}
	if len(answer) > maxInline {
		return 0, nil, errors.New("read the endpoint's answer: it is larger than 1 MiB")
	}
	kind, _, err := mime.ParseMediaType(resp.Header.Get("Content-Type"))
	if resp.StatusCode == http.StatusOK && (err != nil || kind != "application/json") {
		return 0, nil, errors.New("read the endpoint's answer: its Content-Type is not application/json")
	}
	return resp.StatusCode, answer, nil
}

// prove does what Discord does before it believes in an endpoint, and again now and then: a PING must be answered by a PONG, and the
// same with a wrong signature by 401 (docs: Setting Up an Endpoint).
func (s *Server) prove(ctx context.Context, address string) error {
	ping, err := json.Marshal(map[string]any{
		"id": s.fresh(), "application_id": s.appID, "type": interactionPing, "token": newToken(), "version": 1,
		"entitlements": []any{}, "authorizing_integration_owners": map[string]string{}, "attachment_size_limit": attachmentSizeLimit,
	})
	if err != nil {
		return fmt.Errorf("encode ping: %w", err)
	}
	for _, forge := range []bool{false, true} {
		status, answer, err := s.ping(ctx, address, ping, forge)
		if err != nil {
			return err
		}
		var pong struct{ Type int }
		switch {
		case forge && status != http.StatusUnauthorized:
			return fmt.Errorf("prove the endpoint: a wrong signature was answered %d, not 401", status)
		case !forge && status != http.StatusOK:
			return fmt.Errorf("prove the endpoint: a PING was answered %d, not 200", status)
		case !forge && (json.Unmarshal(answer, &pong) != nil || pong.Type != callbackPong):
			return errors.New("prove the endpoint: a PING was not answered with type 1")
		}
	}
	return nil
}

func (s *Server) ping(ctx context.Context, address string, body []byte, forge bool) (int, []byte, error) {
	ctx, cancel := context.WithTimeout(ctx, firstAnswer)
	defer cancel()
	return s.callEndpoint(ctx, address, body, forge)
}

// fresh gives out an id.
func (s *Server) fresh() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ids.next(time.Now())
}

// Recheck pings the endpoint and tries it with a wrong signature, as Discord does now and then. An endpoint that fails is removed, so
// that interactions go through the gateway again; the error says why.
func (s *Server) Recheck(ctx context.Context) error {
	s.mu.Lock()
	address := s.play.app.endpoint
	s.mu.Unlock()
	if address == "" {
		return nil
	}
	err := s.prove(ctx, address)
	if err != nil {
		s.mu.Lock()
		if s.play.app.endpoint == address {
			s.play.app.endpoint = ""
		}
		s.mu.Unlock()
		s.opt.Log.Info("the interactions endpoint was removed", "err", err)
	}
	return err
}

// SignedRequest is a request as an endpoint gets it, for checks of signatures by others.
type SignedRequest struct {
	PublicKey string `json:"public_key"`
	Signature string `json:"signature"`
	Timestamp string `json:"timestamp"`
	Body      string `json:"body"`
}

// signedPing returns a PING, signed now.
func (s *Server) signedPing() SignedRequest {
	body := `{"application_id":"` + s.appID + `","id":"` + s.fresh() + `","type":1,"version":1}`
	signature, timestamp := s.Sign([]byte(body), time.Now())
	return SignedRequest{PublicKey: s.PublicKey(), Signature: signature, Timestamp: timestamp, Body: body}
}
