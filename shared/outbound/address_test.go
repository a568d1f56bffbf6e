package outbound_test

import (
	"errors"
	"net/netip"
	"net/url"
	"strings"
	"testing"

	"tsumugi/shared/outbound"
)

func guard(t testing.TB, o outbound.Options) *outbound.Guard {
	t.Helper()
	g, err := outbound.New(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.CloseIdleConnections)
	return g
}

// hostile are addresses that are refused before anybody is asked.
var hostile = map[string]outbound.Reason{
	"":                                                     outbound.Malformed,
	"https://":                                             outbound.Malformed,
	"https:///v1":                                          outbound.Malformed,
	"https:api.example.com":                                outbound.Malformed,
	"https://:443/":                                        outbound.Malformed,
	"https://./":                                           outbound.Malformed,
	"https://api.example.com:/":                            outbound.Malformed,
	"https://api.example.com../":                           outbound.Malformed,
	"https://.example.com/":                                outbound.Malformed,
	"https://api..example.com/":                            outbound.Malformed,
	"https://api.example.com\\@127.0.0.1/":                 outbound.Malformed,
	"https://api.example.com%00.evil/":                     outbound.Malformed,
	"https://api.example.com%2f@evil.com/":                 outbound.User,
	"https://%31%32%37.0.0.1/":                             outbound.Malformed,
	"https://api.example .com/":                            outbound.Malformed,
	"https://api.example.com\n/":                           outbound.Malformed,
	"https://\u200bapi.example.com/":                       outbound.Malformed,
	"https://bücher.example.com/":                          outbound.Malformed,
	"https://１２７.０.０.１/":                                   outbound.Malformed,
	"https://127。0。0。1/":                                   outbound.Malformed,
	"https://①②⑦.0.0.1/":                                   outbound.Malformed,
	"https://api.ex*mple.com/":                             outbound.Malformed,
	"https://" + strings.Repeat("a.", 130) + "com/":        outbound.Malformed,
	"https://" + strings.Repeat("a", 64) + ".com/":         outbound.Malformed,
	"https://api.example.com/" + strings.Repeat("a", 2048): outbound.Malformed,

	"api.example.com":                  outbound.Malformed,
	"//api.example.com":                outbound.Scheme,
	"http://api.example.com/":          outbound.Scheme,
	"http://1.1.1.1/":                  outbound.Scheme,
	"http://api.example.com:443/":      outbound.Scheme,
	"ftp://api.example.com/":           outbound.Scheme,
	"file:///etc/passwd":               outbound.Malformed,
	"file://host/etc/passwd":           outbound.Scheme,
	"gopher://api.example.com/":        outbound.Scheme,
	"unix://var/run/docker.sock":       outbound.Scheme,
	"ws://api.example.com/":            outbound.Scheme,
	"javascript:alert(1)":              outbound.Malformed,
	"data:text/plain,hello":            outbound.Malformed,
	"https://u:p@api.example.com/":     outbound.User,
	"https://u@api.example.com/":       outbound.User,
	"https://@api.example.com/":        outbound.User,
	"https://api.example.com@evil.com": outbound.User,

	"https://api.example.com:0/":                    outbound.Port,
	"https://api.example.com:22/":                   outbound.Port,
	"https://api.example.com:25/":                   outbound.Port,
	"https://api.example.com:80/":                   outbound.Port,
	"https://api.example.com:1023/":                 outbound.Port,
	"https://api.example.com:65536/":                outbound.Port,
	"https://api.example.com:00022/":                outbound.Port,
	"https://api.example.com:99999999999999999999/": outbound.Port,
	"https://api.example.com:-1/":                   outbound.Malformed,
	"https://api.example.com:https/":                outbound.Malformed,

	"https://localhost/":                        outbound.Address,
	"https://LOCALHOST./":                       outbound.Address,
	"https://a.localhost/":                      outbound.Address,
	"https://printer.local/":                    outbound.Address,
	"https://metadata.google.internal/":         outbound.Address,
	"https://nas.lan/":                          outbound.Address,
	"https://nas.home.arpa/":                    outbound.Address,
	"https://intranet/":                         outbound.Address,
	"https://com./":                             outbound.Address,
	"https://127.0.0.1/":                        outbound.Address,
	"https://127.0.0.1:8443/":                   outbound.Address,
	"https://127.0.0.1./":                       outbound.Malformed,
	"https://127.255.255.254/":                  outbound.Address,
	"https://0.0.0.0/":                          outbound.Address,
	"https://10.0.0.1/":                         outbound.Address,
	"https://169.254.169.254/latest/meta-data/": outbound.Address,
	"https://100.100.100.200/":                  outbound.Address,
	"https://255.255.255.255/":                  outbound.Address,
	"https://[::1]/":                            outbound.Address,
	"https://[::]/":                             outbound.Address,
	"https://[fd00:ec2::254]/":                  outbound.Address,
	"https://[fe80::1]/":                        outbound.Address,
	"https://[fe80::1%25eth0]/":                 outbound.Address,
	"https://[2606:4700::1%25eth0]/":            outbound.Address,
	"https://[::ffff:127.0.0.1]/":               outbound.Address,
	"https://[::ffff:7f00:1]/":                  outbound.Address,
	"https://[::127.0.0.1]/":                    outbound.Address,
	"https://[64:ff9b::127.0.0.1]/":             outbound.Address,
	"https://[64:ff9b::a9fe:a9fe]/":             outbound.Address,
	"https://[64:ff9b:1::1.1.1.1]/":             outbound.Address,
	"https://[2002:7f00:1::]/":                  outbound.Address,
	"https://[2001::1]/":                        outbound.Address,
	"https://[0:0:0:0:0:0:0:1]/":                outbound.Address,
	"https://[::1]:8443/":                       outbound.Address,

	"https://2130706433/":          outbound.Address, // a name of one label
	"https://0x7f000001/":          outbound.Address,
	"https://017700000001/":        outbound.Address,
	"https://127.1/":               outbound.Malformed,
	"https://127.0.1/":             outbound.Malformed,
	"https://0177.0.0.1/":          outbound.Malformed,
	"https://0x7f.0.0.1/":          outbound.Malformed,
	"https://0x7f.0.0.0x1/":        outbound.Malformed,
	"https://127.0.0.0x/":          outbound.Malformed,
	"https://1.1.1.1.1/":           outbound.Malformed,
	"https://256.1.1.1/":           outbound.Malformed,
	"https://evil.com.2130706433/": outbound.Malformed,
	"https://[127.0.0.1]/":         outbound.Malformed,
	"https://[::1/":                outbound.Malformed,
}

func TestCheckRefuses(t *testing.T) {
	g := guard(t, outbound.Options{})
	for address, want := range hostile {
		r := outbound.AsRefused(g.Check(address))
		if r == nil || r.Reason != want {
			t.Errorf("%q: %+v, want %s", address, r, want)
			continue
		}
		if r.Why == "" || strings.ContainsAny(r.Why, "\n") || strings.HasSuffix(r.Why, ".") {
			t.Errorf("%q: %q is no part of a sentence", address, r.Why)
		}
	}
}

func TestCheckAllows(t *testing.T) {
	g := guard(t, outbound.Options{})
	for _, address := range []string{
		"https://api.openai.com/v1", "https://api.openai.com./v1", "HTTPS://API.OPENAI.COM", "https://api.openai.com:443", "https://llm.example.com:8443/v1?version=1",
		"https://llm.example.com:1024", "https://llm.example.com:65535", "https://xn--bcher-kva.example.com", "https://my_host.example.com", "https://1.1.1.1/", "https://8.8.8.8:8443/",
		"https://[2606:4700:4700::1111]/", "https://[::ffff:1.1.1.1]/", "https://[64:ff9b::1.1.1.1]/", "https://0x.example.com", "https://127.0.0.1.example.com", "https://local.example.com", "https://a.0b",
	} {
		if err := g.Check(address); err != nil {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestOperatorAllows(t *testing.T) {
	g := guard(t, outbound.Options{Allow: []string{"127.0.0.1:11434", "Ollama.LAN.", "[::1]:8080", "fd12::7", "10.0.0.5", "intranet:80"}})
	for address, want := range map[string]bool{
		"http://127.0.0.1:11434/v1": true, "https://127.0.0.1:11434": true, "http://127.0.0.1:011434": true, "http://[::ffff:127.0.0.1]:11434": true, "http://127.0.0.1.:11434": true,
		"http://127.0.0.1:11435": false, "http://127.0.0.1": false, "http://localhost:11434": false, "http://127.1:11434": false, "ftp://127.0.0.1:11434": false,
		"http://u:p@127.0.0.1:11434": false, "http://u@ollama.lan": false,
		"http://ollama.lan": true, "http://ollama.lan:22": true, "https://OLLAMA.lan./v1": true, "http://x.ollama.lan": false, "http://ollama.lan.evil.com": false,
		"http://[::1]:8080": true, "http://[0:0::1]:8080": true, "http://[::1]": false, "http://[fd12::7]:99": true, "http://[fd12:0::0007]": true, "http://[fd12::8]": false,
		"http://10.0.0.5:1": true, "http://10.0.0.50": false, "http://intranet": true, "http://intranet:80": true, "https://intranet": false,
		"http://api.openai.com": false, "https://api.openai.com": true,
	} {
		if err := g.Check(address); (err == nil) != want {
			t.Errorf("%s: %v", address, err)
		}
	}
	for _, entry := range []string{"", " ", "http://ollama.lan", "ollama.lan/v1", "ollama.lan:", "ollama.lan:0", "ollama.lan:65536", "ollama.lan:http", ":11434", "*", "*.lan", "10.0.0.0/8", "u@ollama.lan", "a b", "fe80::1%eth0", "[::1", "[::1]:x", "a,b", "..", "bücher.lan"} {
		if _, err := outbound.New(outbound.Options{Allow: []string{"fine.lan", entry}}); err == nil {
			t.Errorf("allowed host %q is taken", entry)
		}
	}
}

func TestPublic(t *testing.T) {
	for prefix, want := range map[string]bool{
		"0.0.0.0/8": false, "10.0.0.0/8": false, "100.64.0.0/10": false, "127.0.0.0/8": false, "168.63.129.16/32": false, "169.254.0.0/16": false, "172.16.0.0/12": false,
		"192.0.0.0/24": false, "192.0.2.0/24": false, "192.88.99.0/24": false, "192.168.0.0/16": false, "198.18.0.0/15": false, "198.51.100.0/24": false, "203.0.113.0/24": false,
		"224.0.0.0/4": false, "240.0.0.0/4": false,
		"1.0.0.0/8": true, "9.0.0.0/8": true, "11.0.0.0/8": true, "100.0.0.0/10": true, "100.128.0.0/9": true, "126.0.0.0/8": true, "128.0.0.0/16": true, "169.253.0.0/16": true,
		"169.255.0.0/16": true, "172.0.0.0/12": true, "172.32.0.0/11": true, "192.0.1.0/24": true, "192.167.0.0/16": true, "192.169.0.0/16": true, "198.17.0.0/16": true,
		"198.20.0.0/14": true, "203.0.112.0/24": true, "203.0.114.0/24": true, "223.0.0.0/8": true,
		"::/3": false, "::1/128": false, "100::/64": false, "64:ff9b:1::/48": false, "4000::/2": false, "8000::/1": false, "fc00::/7": false, "fe80::/10": false, "fec0::/10": false, "ff00::/8": false, "5f00::/16": false,
		"2001::/23": false, "2001::/32": false, "2001:db8::/32": false, "2002::/16": false, "3fff::/20": false, "64:ff9b::a00:0/104": false,
		"64:ff9b::808:808/128": true, "2001:200::/23": true, "2001:4860::/32": true, "2003::/18": true, "2606:4700::/32": true, "2a00::/12": true, "3ffe::/16": true, "3fff:1000::/20": true,
	} {
		p := netip.MustParsePrefix(prefix)
		first := p.Masked().Addr()
		last := first.AsSlice()
		for i := p.Bits(); i < len(last)*8; i++ {
			last[i/8] |= 0x80 >> (i % 8)
		}
		end, _ := netip.AddrFromSlice(last)
		for _, ip := range []netip.Addr{first, end} {
			if outbound.Public(ip) != want {
				t.Errorf("%s of %s: public is %t", ip, prefix, !want)
			}
			if ip.Is4() && outbound.Public(netip.AddrFrom16(ip.As16())) != want {
				t.Errorf("::ffff:%s: public is %t", ip, !want)
			}
		}
	}
	if outbound.Public(netip.Addr{}) || outbound.Public(netip.MustParseAddr("2606:4700::1").WithZone("eth0")) {
		t.Error("no address, or one with a zone, is public")
	}
}

// What passes is https to a name or a public address, whatever it looks like.
func FuzzCheck(f *testing.F) {
	for address := range hostile {
		f.Add(address)
	}
	f.Add("https://api.openai.com/v1")
	g, err := outbound.New(outbound.Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, address string) {
		err := g.Check(address)
		if err != nil {
			var r *outbound.Refused
			if !errors.As(err, &r) || r.Why == "" {
				t.Errorf("%q: %v", address, err)
			}
			return
		}
		u, err := url.Parse(address)
		if err != nil || u.Scheme != "https" || u.User != nil || u.Host == "" || u.Opaque != "" {
			t.Fatalf("%q passes as %+v, %v", address, u, err)
		}
		host := strings.TrimSuffix(strings.ToLower(u.Hostname()), ".")
		if ip, err := netip.ParseAddr(host); err == nil && !outbound.Public(ip) {
			t.Errorf("%q passes", address)
		} else if err != nil {
			last := host[strings.LastIndex(host, ".")+1:]
			if !strings.Contains(host, ".") || strings.Trim(last, "0123456789") == "" || strings.ContainsAny(host, "%\\@:/[] ") {
				t.Errorf("%q passes", address)
			}
		}
	})
}
