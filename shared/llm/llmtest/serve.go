package llmtest

import (
	"context"
	"errors"
	"net"
	"net/http"
	"sync"
	"testing"
)

// Serve runs handler on a network of pipes and gives a client whose every connection leads to it, whatever the address. It
// works on the fake clock of a synctest bubble, where a real network does not. Everything ends with t.
func Serve(t testing.TB, handler http.Handler) *http.Client {
	l := &listener{conns: make(chan net.Conn), closed: make(chan struct{})}
	server := &http.Server{Handler: handler}
	served := make(chan struct{})
	go func() {
		defer close(served)
		_ = server.Serve(l) // always ends with an error: that it was closed
	}()
	transport := &http.Transport{DialContext: l.dial, DisableCompression: true}
	t.Cleanup(func() {
		transport.CloseIdleConnections()
		if err := server.Close(); err != nil {
			t.Errorf("close server: %v", err)
		}
		<-served
	})
	return &http.Client{Transport: transport}
}

// Refuse gives a client whose every connection is refused.
func Refuse() *http.Client {
	return &http.Client{Transport: &http.Transport{DialContext: func(context.Context, string, string) (net.Conn, error) {
		return nil, &net.OpError{Op: "dial", Net: "tcp", Err: errors.New("connection refused")}
	}}}
}

// listener accepts the far ends of pipes.
type listener struct {
	conns  chan net.Conn
	closed chan struct{}
	once   sync.Once
}

func (l *listener) dial(ctx context.Context, _, _ string) (net.Conn, error) {
	near, far := net.Pipe()
	select {
	case l.conns <- far:
		return near, nil
	case <-l.closed:
		return nil, net.ErrClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Accept gives the next connection.
func (l *listener) Accept() (net.Conn, error) {
	select {
	case c := <-l.conns:
		return c, nil
	case <-l.closed:
		return nil, net.ErrClosed
	}
}

// Close ends Accept and dial.
func (l *listener) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}

// Addr gives an address that says what this is.
func (l *listener) Addr() net.Addr { return &net.UnixAddr{Name: "pipe", Net: "pipe"} }
