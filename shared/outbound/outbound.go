// Package outbound is the one way to addresses that people of Discord name: a provider's own server, an avatar. What lives
// here: which addresses may be asked (address.go, public.go), and a transport that asks no others. What must not live here:
// what is fetched and how much of it, and addresses that the operator has set, which are trusted and go other ways.
//
// The promise is kept where it cannot be talked around: the very address that is about to be dialled is looked at, after names
// were resolved, for every connection. So a name that resolves to something else the next time changes nothing, nor does any
// spelling of a number.
package outbound

import (
	"context"
	"crypto/tls"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"syscall"
	"time"
)

const (
	connectTime  = 10 * time.Second
	tlsTime      = 10 * time.Second
	idleTime     = 90 * time.Second
	maxHeader    = 64 << 10 // of an answer
	maxRedirects = 3
)

// Options says what is different from everywhere.
type Options struct {
	// Allow are hosts that the operator trusts, each with a port or for all ports: "ollama.lan", "127.0.0.1:11434", "[::1]:8080".
	// They may be anywhere, and be asked without TLS.
	Allow []string
	// Resolver finds the addresses of names; nil for the system's.
	Resolver *net.Resolver
}

// Guard is the transport. It is safe for many goroutines.
type Guard struct {
	allow     map[string]bool // "host:port", or "host" for every port
	free      net.Dialer      // to hosts that are allowed
	guarded   net.Dialer
	transport *http.Transport
}

var _ http.RoundTripper = (*Guard)(nil)

// New refuses an entry of Allow that names no host.
func New(o Options) (*Guard, error) {
	g := &Guard{allow: map[string]bool{}}
	for _, entry := range o.Allow {
		host, err := allowed(entry)
		if err != nil {
			return nil, err
		}
		g.allow[host] = true
	}
	g.free = net.Dialer{Timeout: connectTime, Resolver: o.Resolver}
	g.guarded = net.Dialer{Timeout: connectTime, Resolver: o.Resolver, Control: control}
	g.transport = &http.Transport{
		Proxy:                  nil, // one from the environment would connect in our place, and nobody would look where to
		DialContext:            g.dial,
		TLSClientConfig:        &tls.Config{MinVersion: tls.VersionTLS12},
		TLSHandshakeTimeout:    tlsTime,
		IdleConnTimeout:        idleTime,
		MaxIdleConnsPerHost:    8,
		MaxResponseHeaderBytes: maxHeader,
		ForceAttemptHTTP2:      true,
		DisableCompression:     true, // a compressed stream arrives late, and a small answer may become a huge one
	}
	return g, nil
}

// RoundTrip makes the request if its address may be asked. A Refused is in the error otherwise.
func (g *Guard) RoundTrip(r *http.Request) (*http.Response, error) {
	if err := g.check(r.URL); err != nil {
		if r.Body != nil {
			_ = r.Body.Close() // what the contract of RoundTripper wants also then
		}
		return nil, err
	}
	return g.transport.RoundTrip(r)
}

// Client makes requests through the guard. It follows three redirects, each checked like the first address, and none from https
// to http. It has no time limit of its own but for connecting: the context of a request has.
func (g *Guard) Client() *http.Client { return &http.Client{Transport: g, CheckRedirect: redirect} }

// CloseIdleConnections closes what is not in use.
func (g *Guard) CloseIdleConnections() { g.transport.CloseIdleConnections() }

func redirect(next *http.Request, via []*http.Request) error {
	switch {
	case len(via) > maxRedirects:
		return refuse(Redirects, "the server sends us on more than three times")
	case via[len(via)-1].URL.Scheme == "https" && next.URL.Scheme != "https":
		return refuse(Redirects, "the server sends us from https to an address without encryption")
	}
	return nil
}

// dial connects. Hosts that are allowed are known by their name, everything else by the address that it turns out to be.
func (g *Guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, refuse(Address, "it is no address")
	}
	if g.allows(canonical(host), port) {
		return g.free.DialContext(ctx, network, address)
	}
	conn, err := g.guarded.DialContext(ctx, network, address)
	if r := AsRefused(err); r != nil {
		return nil, r // without the dialler's words, which have what the name resolves to
	}
	return conn, err
}

// control is asked between a socket and its connection, about the address that it will have.
func control(network, address string, _ syscall.RawConn) error {
	at, err := netip.ParseAddrPort(address)
	if err != nil || !strings.HasPrefix(network, "tcp") || !public(at.Addr()) {
		return refuse(Address, notPublic)
	}
	return nil
}
