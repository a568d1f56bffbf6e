package discord

import (
	"embed"
	"net/http"
	"path"
	"strings"
)

// pageFiles are the page and all it loads.
//
//go:embed page/*.html page/*.css page/*.js page/*.txt page/*.svg
var pageFiles embed.FS

// pagePolicy lets the page load nothing but these files and pictures of this server, and talk to nobody else. Data becomes markup
// only through Lit's own templates: the trusted types forbid every innerHTML of ours.
const pagePolicy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types lit-html"

// pageTypes are the kinds of files there are, said here because a machine's own table of types may say otherwise.
var pageTypes = map[string]string{
	".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
	".txt": "text/plain; charset=utf-8", ".svg": "image/svg+xml",
}

// servePage is GET / and GET /page/….
func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		refuse(w, http.StatusMethodNotAllowed, "GET only")
		return
	}
	name := strings.TrimPrefix(r.URL.Path, "/")
	if name == "" {
		name = "page/index.html"
	}
	text, err := pageFiles.ReadFile(name)
	if err != nil {
		http.NotFound(w, r)
		return
	}
	h := w.Header()
	h.Set("Content-Type", pageTypes[path.Ext(name)])
	h.Set("Content-Security-Policy", pagePolicy)
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "no-cache") // another version may listen here in a minute
	w.Write(text)                      //nolint:gosec // one of the embedded files, under a policy that runs nothing else
}

// serveExplain is GET /sim/explain.
func (s *Server) serveExplain(w http.ResponseWriter, message string) {
	if s.opt.Explain != nil {
		if text, known := s.opt.Explain(message); known {
			w.Header().Set("Content-Type", "application/json")
			w.Header().Set("Cache-Control", "no-store")
			w.Write(text)
			return
		}
	}
	refuse(w, http.StatusNotFound, "nothing is known of how this message came to be")
}
