package outbound

import (
	"crypto/x509"
	"errors"
	"net/netip"
	"syscall"
)

// Public is what control decides by.
func Public(ip netip.Addr) bool { return public(ip) }

// ErrReached ends a connection that the guard lets through, where Unplug was called.
var ErrReached = errors.New("it would be connected")

// Unplug makes the guard tell which public addresses it would connect to, instead of connecting.
func Unplug(g *Guard, reached func(address string)) {
	g.guarded.Control = func(network, address string, c syscall.RawConn) error {
		if err := control(network, address, c); err != nil {
			return err
		}
		reached(address)
		return ErrReached
	}
}

// Trust makes the guard take the certificate of a test's server.
func Trust(g *Guard, c *x509.Certificate) {
	g.transport.TLSClientConfig.RootCAs = x509.NewCertPool()
	g.transport.TLSClientConfig.RootCAs.AddCert(c)
}
