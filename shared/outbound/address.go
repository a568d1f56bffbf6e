package outbound

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"
)

// Reason says in a word why an address is refused, for whoever has texts in several languages.
type Reason string

// The reasons.
const (
	Malformed Reason = "malformed" // it is no address, or one in a spelling that hides what it is
	Scheme    Reason = "scheme"    // not https
	User      Reason = "user"      // it holds a user or password
	Port      Reason = "port"      // one that is not for this
	Address   Reason = "address"   // it is not on the public internet
	Redirects Reason = "redirects" // the server sends us on too often, or to where we do not go
)

// Refused is why an address is not asked. It says nothing of what a name resolves to, which may be a network's own business.
type Refused struct {
	Reason Reason
	Why    string // a part of a sentence that anybody may read
}

// Error gives the reason.
func (r *Refused) Error() string { return "address refused: " + r.Why }

func refuse(reason Reason, why string) error { return &Refused{reason, why} }

const (
	notPublic = "it is not on the public internet; whoever runs this bot can allow it (TSUMUGI_ALLOW_HOSTS)"
	noAddress = "it is no address that begins with https:// and names a host"
	notSecure = "it must begin with https://"
	oddPort   = "its port must be 443, or 1024 and above"
	maxURL    = 2048
	maxName   = 253 // RFC 1035
)

// Check tells whether an address may be asked, as far as it says so itself: what its name resolves to is looked at when it is
// dialled. It makes no request. Its error is a *Refused.
func (g *Guard) Check(address string) error {
	u, err := url.Parse(address)
	if err != nil || len(address) > maxURL {
		return refuse(Malformed, noAddress)
	}
	return g.check(u)
}

func (g *Guard) check(u *url.URL) error {
	host := canonical(u.Hostname())
	if u.Opaque != "" || host == "" {
		return refuse(Malformed, noAddress)
	}
	if u.User != nil {
		return refuse(User, "it holds a user or password: give a key by itself")
	}
	port, err := portOf(u)
	if err != nil {
		return err
	}
	if g.allows(host, port) {
		return nil // its scheme is http or https, or it would have no port
	}
	if u.Scheme != "https" {
		return refuse(Scheme, notSecure)
	}
	if err := checkHost(u.Hostname()); err != nil {
		return err
	}
	// 443 is https. Below 1024 are the ports of other services, whose servers may take our words for something else.
	if n, err := strconv.Atoi(port); err != nil || n != 443 && n < 1024 {
		return refuse(Port, oddPort)
	}
	return nil
}

// allows tells whether the operator trusts a host.
func (g *Guard) allows(host, port string) bool {
	return g.allow[host] || g.allow[net.JoinHostPort(host, port)]
}

// portOf is the port that will be dialled.
func portOf(u *url.URL) (string, error) {
	switch port := u.Port(); {
	case u.Scheme != "http" && u.Scheme != "https":
		return "", refuse(Scheme, notSecure)
	case port != "":
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return "", refuse(Port, oddPort)
		}
		return strconv.FormatUint(n, 10), nil
	case strings.HasSuffix(u.Host, ":"):
		return "", refuse(Malformed, noAddress)
	case u.Scheme == "http":
		return "80", nil
	}
	return "443", nil
}

// canonical is a host in the one spelling that hosts are compared in.
func canonical(host string) string {
	host = strings.ToLower(strings.TrimSuffix(host, "."))
	if ip, err := netip.ParseAddr(host); err == nil {
		return ip.Unmap().String()
	}
	return host
}

// checkHost refuses what is no name of the public internet, and no address of it in the usual spelling.
func checkHost(host string) error {
	if ip, err := netip.ParseAddr(host); err == nil {
		if !public(ip) {
			return refuse(Address, notPublic)
		}
		return nil
	}
	name := strings.ToLower(strings.TrimSuffix(host, "."))
	labels := strings.Split(name, ".")
	last := labels[len(labels)-1]
	switch {
	case len(name) > maxName || !named(labels):
		return refuse(Malformed, "it must name a host in letters, digits and hyphens (other scripts as xn--)")
	case len(labels) == 1, last == "localhost", last == "local", last == "internal", last == "lan", strings.HasSuffix(name, ".home.arpa"):
		return refuse(Address, notPublic)
	case numeric(last):
		return refuse(Malformed, "it hides a number: write the address as four numbers with dots")
	}
	return nil
}

// named tells whether labels are those of a host's name.
func named(labels []string) bool {
	for _, l := range labels {
		odd := strings.ContainsFunc(l, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_'
		})
		if l == "" || len(l) > 63 || odd {
			return false
		}
	}
	return true
}

// numeric tells whether a last label makes resolvers take the whole for a number (WHATWG URL, "ends in a number").
func numeric(label string) bool {
	digits := strings.TrimLeft(label, "0123456789") == ""
	_, err := strconv.ParseUint(strings.TrimPrefix(label, "0x"), 16, 64)
	return digits || strings.HasPrefix(label, "0x") && (err == nil || label == "0x")
}

// allowed reads an entry of Options.Allow.
func allowed(entry string) (string, error) {
	wrong := fmt.Errorf("allowed host %q: must be host or host:port", entry)
	host, port := entry, ""
	bare := entry
	if strings.HasPrefix(bare, "[") && strings.HasSuffix(bare, "]") {
		bare = bare[1 : len(bare)-1]
	}
	if ip, err := netip.ParseAddr(bare); err == nil {
		host = ip.String()
	} else if strings.Contains(entry, ":") {
		if host, port, err = net.SplitHostPort(entry); err != nil {
			return "", wrong
		}
	}
	host = canonical(host)
	if ip, err := netip.ParseAddr(host); err == nil && ip.Zone() != "" {
		return "", wrong
	} else if err != nil && !named(strings.Split(host, ".")) {
		return "", wrong
	}
	if port == "" && !strings.HasSuffix(entry, ":") {
		return host, nil
	}
	n, err := strconv.ParseUint(port, 10, 16)
	if err != nil || n == 0 {
		return "", wrong
	}
	return net.JoinHostPort(host, strconv.FormatUint(n, 10)), nil
}

// AsRefused finds why an address was refused in an error of a request; nil when that was not its fault.
func AsRefused(err error) *Refused {
	r, _ := errors.AsType[*Refused](err)
	return r
}
