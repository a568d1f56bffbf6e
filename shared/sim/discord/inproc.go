package discord

import (
	"context"
	"net"
	"net/http"
	"sync"
)

// Inproc is a listener without a network: its connections are pipes, so a server and its clients may live in one
// testing/synctest bubble. Give Dial to an http.Transport (DialContext) or a websocket.Dialer (NetDialContext).
type Inproc struct {
	conns chan net.Conn
	done  chan struct{}
	once  sync.Once
}

// NewInproc returns an open listener.
func NewInproc() *Inproc {
	return &Inproc{conns: make(chan net.Conn), done: make(chan struct{})}
}

// Dial connects; network and address are not looked at.
func (l *Inproc) Dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.conns <- far:
		return near, nil
	case <-l.done:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept returns the next connection that was dialled.
func (l *Inproc) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.done:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and Dial. Connections live on.
func (l *Inproc) Close() error {
	l.once.Do(func() { close(l.done) })
	return nil
}

// Addr is a loopback address that nobody listens on.
func (l *Inproc) Addr() net.Addr { return &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 80} }

// Transport returns a RoundTripper that reaches the listener whatever the host is.
func (l *Inproc) Transport() *http.Transport { return &http.Transport{DialContext: l.Dial} }
