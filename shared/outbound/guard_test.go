package outbound_test

import (
	"context"
	"encoding/binary"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"testing"
	"time"

	"tsumugi/shared/outbound"
)

// names is a name server for these tests: what a name resolves to, one list after the other, the last for ever.
type names struct {
	mu    sync.Mutex
	lists map[string][]string // "10.0.0.1 1.1.1.1"
	asked map[string]int
}

// resolver asks nobody but these names.
func (n *names) resolver() *net.Resolver {
	n.asked = map[string]int{}
	return &net.Resolver{PreferGo: true, Dial: func(context.Context, string, string) (net.Conn, error) {
		near, far := net.Pipe()
		go n.answer(far)
		return near, nil
	}}
}

// answer speaks DNS over TCP (RFC 1035, 4.2.2).
func (n *names) answer(conn net.Conn) {
	defer conn.Close()
	for {
		var size [2]byte
		if _, err := io.ReadFull(conn, size[:]); err != nil {
			return
		}
		query := make([]byte, binary.BigEndian.Uint16(size[:]))
		if _, err := io.ReadFull(conn, query); err != nil {
			return
		}
		end, name := 12, ""
		for query[end] != 0 {
			name += string(query[end+1:end+1+int(query[end])]) + "."
			end += 1 + int(query[end])
		}
		kind := binary.BigEndian.Uint16(query[end+1:])
		end += 5
		reply := append([]byte{}, query[:end]...)
		binary.BigEndian.PutUint16(reply[2:], 0x8180)
		ips, known := n.resolve(strings.ToLower(strings.TrimSuffix(name, ".")), kind)
		if !known {
			reply[3] |= 3 // no such name
		}
		binary.BigEndian.PutUint16(reply[6:], uint16(len(ips)))
		clear(reply[8:12])
		for _, ip := range ips {
			reply = append(reply, 0xc0, 12)
			reply = binary.BigEndian.AppendUint16(reply, kind)
			reply = append(reply, 0, 1, 0, 0, 0, 0)
			reply = binary.BigEndian.AppendUint16(reply, uint16(len(ip)))
			reply = append(reply, ip...)
		}
		if _, err := conn.Write(append(binary.BigEndian.AppendUint16(nil, uint16(len(reply))), reply...)); err != nil {
			return
		}
	}
}

func (n *names) resolve(name string, kind uint16) (ips [][]byte, known bool) {
	n.mu.Lock()
	defer n.mu.Unlock()
	lists := n.lists[name]
	if len(lists) == 0 {
		return nil, false
	}
	const a, aaaa = 1, 28
	list := lists[min(n.asked[name]/2, len(lists)-1)] // each look-up asks for both kinds
	n.asked[name]++
	for _, text := range strings.Fields(list) {
		ip := netip.MustParseAddr(text)
		if ip.Is4() == (kind == a) && (kind == a || kind == aaaa) {
			ips = append(ips, ip.AsSlice())
		}
	}
	return ips, true
}

// world is a guard whose public addresses lead nowhere, and a list of those that it would have connected to.
func world(t *testing.T, lists map[string][]string, allow ...string) (*http.Client, func() string) {
	g := guard(t, outbound.Options{Allow: allow, Resolver: (&names{lists: lists}).resolver()})
	var mu sync.Mutex
	var reached []string
	outbound.Unplug(g, func(address string) {
		mu.Lock()
		defer mu.Unlock()
		reached = append(reached, address)
	})
	return g.Client(), func() string {
		mu.Lock()
		defer mu.Unlock()
		out := strings.Join(reached, " ")
		reached = nil
		return out
	}
}

func get(t *testing.T, c *http.Client, address string) error {
	t.Helper()
	ctx, done := context.WithTimeout(t.Context(), time.Minute)
	defer done()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := c.Do(r)
	if err == nil {
		err = resp.Body.Close()
	}
	return err
}

func TestNamesAreWhatTheyResolveTo(t *testing.T) {
	c, reached := world(t, map[string][]string{
		"public.example.com":   {"1.1.1.1"},
		"public6.example.com":  {"2606:4700::1"},
		"private.example.com":  {"10.0.0.1"},
		"loop.example.com":     {"127.0.0.1"},
		"loop6.example.com":    {"::1"},
		"metadata.example.com": {"169.254.169.254"},
		"meta6.example.com":    {"fd00:ec2::254"},
		"mapped.example.com":   {"64:ff9b::7f00:1"},
		"mixed.example.com":    {"192.168.0.1 9.9.9.9"},
		"two.example.com":      {"10.0.0.1 ::1 127.0.0.1"},
		"rebind.example.com":   {"1.1.1.1", "127.0.0.1"},
	})
	for _, step := range []struct{ host, want string }{
		{"public.example.com", "1.1.1.1:443"}, {"public6.example.com", "[2606:4700::1]:443"}, {"public.example.com:8443", "1.1.1.1:8443"}, {"public.example.com.", "1.1.1.1:443"},
		{"private.example.com", ""}, {"loop.example.com", ""}, {"loop6.example.com", ""}, {"metadata.example.com", ""}, {"meta6.example.com", ""}, {"mapped.example.com", ""},
		{"two.example.com", ""}, {"mixed.example.com", "9.9.9.9:443"},
		{"rebind.example.com", "1.1.1.1:443"}, {"rebind.example.com", ""}, {"rebind.example.com", ""},
	} {
		err := get(t, c, "https://"+step.host+"/")
		if got := reached(); got != step.want {
			t.Errorf("%s leads to %q, want %q (%v)", step.host, got, step.want, err)
		}
		if step.want == "" {
			if r := outbound.AsRefused(err); r == nil || r.Reason != outbound.Address || strings.Contains(err.Error(), "10.0.0.1") {
				t.Errorf("%s: %v", step.host, err)
			}
		} else if !errors.Is(err, outbound.ErrReached) && !strings.HasPrefix(step.host, "mixed") {
			t.Errorf("%s: %v", step.host, err)
		}
	}
	if err := get(t, c, "https://unknown.example.com"); err == nil || outbound.AsRefused(err) != nil {
		t.Errorf("a name that is none: %v", err)
	}
}

// Nothing hostile is dialled either, should somebody forget to check first.
func TestHostileAddressesAreNotDialled(t *testing.T) {
	c, reached := world(t, map[string][]string{"localhost": {"1.1.1.1"}, "intranet": {"1.1.1.1"}, "127.1": {"1.1.1.1"}, "2130706433": {"1.1.1.1"}})
	for address := range hostile {
		if strings.HasPrefix(address, "https://api.example.com/aaa") {
			continue // nobody but Check minds its length
		}
		if err := get(t, c, address); err == nil {
			t.Errorf("%q was asked", address)
		}
		if at := reached(); at != "" {
			t.Errorf("%q leads to %s", address, at)
		}
	}
}

// serve is a server on this machine, which is private, so that the guard must be told to allow it.
func serve(t *testing.T, h http.HandlerFunc) (address, hostPort string) {
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	u, err := url.Parse(s.URL)
	if err != nil {
		t.Fatal(err)
	}
	return s.URL, u.Host
}

func TestAllowedHostIsAsked(t *testing.T) {
	address, host := serve(t, func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusNoContent) })
	_, port, _ := net.SplitHostPort(host)
	lists := map[string][]string{"ollama.lan": {"127.0.0.1"}, "other.lan": {"127.0.0.1"}}
	c, _ := world(t, lists, host, "ollama.lan:"+port)
	for _, a := range []string{address, "http://ollama.lan:" + port, "http://OLLAMA.lan.:" + port + "/v1"} {
		if err := get(t, c, a); err != nil {
			t.Errorf("%s: %v", a, err)
		}
	}
	for _, a := range []string{"http://other.lan:" + port, "https://other.example.com:" + port, "http://ollama.lan"} {
		if err := get(t, c, a); err == nil {
			t.Errorf("%s was asked", a)
		}
	}
	closed, _ := world(t, lists)
	if r := outbound.AsRefused(get(t, closed, address)); r == nil || r.Reason != outbound.Scheme {
		t.Errorf("without being allowed: %+v", r)
	}
}

// A proxy of the environment would connect in our place.
func TestNoProxyIsUsed(t *testing.T) {
	asked := false
	proxy, _ := serve(t, func(http.ResponseWriter, *http.Request) { asked = true })
	for _, name := range []string{"HTTP_PROXY", "HTTPS_PROXY", "http_proxy", "https_proxy", "ALL_PROXY"} {
		t.Setenv(name, proxy)
	}
	c, reached := world(t, map[string][]string{"public.example.com": {"1.1.1.1"}})
	if err := get(t, c, "https://public.example.com"); !errors.Is(err, outbound.ErrReached) || reached() != "1.1.1.1:443" || asked {
		t.Errorf("the proxy was asked: %t, %v", asked, err)
	}
}

func TestRedirectsAreChecked(t *testing.T) {
	var to string
	address, host := serve(t, func(w http.ResponseWriter, r *http.Request) {
		switch {
		case r.URL.Path == "/end":
			w.WriteHeader(http.StatusNoContent)
		case strings.HasSuffix(r.URL.Path, "/more"):
			http.Redirect(w, r, strings.TrimSuffix(r.URL.Path, "/more"), http.StatusTemporaryRedirect)
		default:
			http.Redirect(w, r, to, http.StatusFound)
		}
	})
	other, _ := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("a server was asked that is not allowed") })
	c, reached := world(t, map[string][]string{"public.example.com": {"1.1.1.1"}, "rebind.example.com": {"127.0.0.1"}}, host)
	for target, want := range map[string]outbound.Reason{
		"/end":                       "",
		"https://public.example.com": "",
		"http://public.example.com":  outbound.Scheme,
		other:                        outbound.Scheme,
		strings.Replace(other, "http:", "https:", 1): outbound.Address,
		"https://rebind.example.com":                 outbound.Address,
		"https://169.254.169.254/":                   outbound.Address,
		"https://u:p@public.example.com":             outbound.User,
		"https://public.example.com:22":              outbound.Port,
		"file:///etc/passwd":                         outbound.Malformed,
		"/loop":                                      outbound.Redirects,
	} {
		to = target
		err := get(t, c, address+"/")
		r := outbound.AsRefused(err)
		if want == "" && r != nil || want != "" && (r == nil || r.Reason != want) {
			t.Errorf("sent on to %s: %v", target, err)
		}
		if at := reached(); (at != "") != (target == "https://public.example.com") {
			t.Errorf("sent on to %s it leads to %s", target, at)
		}
	}
	to = "/end"
	for path, want := range map[string]bool{"/one": true, "/two/more": true, "/three/more/more": true, "/four/more/more/more": false} {
		if err := get(t, c, address+path); (err == nil) != want {
			t.Errorf("%s: %v", path, err)
		}
	}
}

// From https nobody is sent on to http, not even to a host that is allowed.
func TestNoWayDownToPlainText(t *testing.T) {
	plain, plainHost := serve(t, func(http.ResponseWriter, *http.Request) { t.Error("asked in plain text") })
	s := httptest.NewTLSServer(http.RedirectHandler(plain, http.StatusTemporaryRedirect))
	defer s.Close()
	g := guard(t, outbound.Options{Allow: []string{plainHost, s.Listener.Addr().String()}})
	outbound.Trust(g, s.Certificate())
	if r := outbound.AsRefused(get(t, g.Client(), s.URL)); r == nil || r.Reason != outbound.Redirects {
		t.Errorf("%+v", r)
	}
}

// The body of a request that is not made is closed, as the contract of a transport wants.
func TestRefusedRequestIsClosed(t *testing.T) {
	body := &closing{Reader: strings.NewReader("x")}
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, "https://127.0.0.1", body)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := guard(t, outbound.Options{}).RoundTrip(r)
	if resp != nil || outbound.AsRefused(err) == nil || !body.closed {
		t.Errorf("%v, closed: %t", err, body.closed)
	}
}

type closing struct {
	io.Reader
	closed bool
}

func (c *closing) Close() error { c.closed = true; return nil }
