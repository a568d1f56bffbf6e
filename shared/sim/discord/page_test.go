package discord_test

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// TestExplain passes on what is known of a message, and says so where nothing is.
func TestExplain(t *testing.T) {
	w := open(t, simdiscord.Options{Explain: func(id string) ([]byte, bool) { return []byte(`{"event":"` + id + `"}`), id == "7" }})
	if a := w.sim("GET", "/explain?message=7", ""); a.status != 200 || a.field("event") != "7" || a.header.Get("Content-Type") != "application/json" {
		t.Errorf("known: %d %s", a.status, a.text)
	}
	if a := w.sim("GET", "/explain?message=8", ""); a.status != 404 || a.field("error") == "" {
		t.Errorf("unknown: %d %s", a.status, a.text)
	}
	if a := w.sim("GET", "/state", ""); a.field("explains") != "true" {
		t.Errorf("state %s", a.text)
	}
	w = open(t, simdiscord.Options{})
	if a := w.sim("GET", "/explain?message=7", ""); a.status != 404 || w.State().Explains {
		t.Errorf("nobody explains: %d %s", a.status, a.text)
	}
}

// TestWelcome is part of the state.
func TestWelcome(t *testing.T) {
	w := open(t, simdiscord.Options{Welcome: []simdiscord.Welcome{{Channel: "lounge", Title: "Hello", Text: "Speak.", Try: []string{"hi"}}}})
	if a := w.sim("GET", "/state", ""); a.field("welcome.0.channel") != "lounge" || a.field("welcome.0.try.0") != "hi" {
		t.Errorf("state %s", a.text)
	}
}

// TestPage: every file comes with its type and with a policy that lets the page load and ask nothing else, and to no strange host.
func TestPage(t *testing.T) {
	w := open(t, simdiscord.Options{})
	ask := func(method, path, host string) answer {
		r, err := http.NewRequest(method, w.url+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			r.Host = host
		}
		return w.do(r)
	}
	for path, kind := range map[string]string{
		"/": "text/html; charset=utf-8", "/page/main.js": "text/javascript; charset=utf-8", "/page/base.css": "text/css; charset=utf-8",
		"/page/icon.svg": "image/svg+xml", "/page/components.js": "text/javascript; charset=utf-8", "/page/components.LICENSE.txt": "text/plain; charset=utf-8",
	} {
		a := ask("GET", path, "")
		if a.status != 200 || a.header.Get("Content-Type") != kind || len(a.text) < 100 {
			t.Errorf("%s: %d %s, %d bytes", path, a.status, a.header.Get("Content-Type"), len(a.text))
		}
		policy := a.header.Get("Content-Security-Policy")
		for _, wanted := range []string{"default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'", "require-trusted-types-for 'script'"} {
			if !strings.Contains(policy, wanted) {
				t.Errorf("%s: the policy %q lacks %s", path, policy, wanted)
			}
		}
		if strings.Contains(policy, "unsafe") || strings.Contains(policy, "http") || a.header.Get("X-Content-Type-Options") != "nosniff" {
			t.Errorf("%s: policy %q, header %v", path, policy, a.header)
		}
		if a := ask("GET", path, "evil.example"); a.status != 403 {
			t.Errorf("a rebound name gets %s: %d", path, a.status)
		}
	}
	for _, path := range []string{"/page/", "/page", "/page/nothing.js", "/page/bundle/make.sh", "/page/../server.go", "/page/%2e%2e/server.go"} {
		if a := ask("GET", path, ""); a.status == 200 {
			t.Errorf("%s is served", path)
		}
	}
	if a := ask("POST", "/page/main.js", ""); a.status != 405 {
		t.Errorf("POST of a file: %d", a.status)
	}
}

// TestPageSource: our own files never make markup of text, name no other host, and stay small enough to read.
func TestPageSource(t *testing.T) {
	files, err := filepath.Glob("page/*.*")
	if err != nil || len(files) < 20 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.HasPrefix(filepath.Base(name), "components.") {
			continue
		}
		for _, banned := range []string{"innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval(", "new Function", "DOMParser", "//cdn", "https://"} {
			if strings.Contains(string(text), banned) {
				t.Errorf("%s holds %s", name, banned)
			}
		}
		if n := strings.Count(string(text), "\n"); n > 300 {
			t.Errorf("%s has %d lines, more than 300", name, n)
		}
	}
}
