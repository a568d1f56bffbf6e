package discord

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"net/http"
)

//go:embed page.html
var page []byte

// servePage is the page, which may load nothing but itself and talk to nobody but this server.
func (s *Server) servePage(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		refuse(w, http.StatusMethodNotAllowed, "GET only")
		return
	}
	h := w.Header()
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Security-Policy", "default-src 'none'; script-src "+digest("script")+"; style-src "+digest("style")+
		"; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	w.Write(page)
}

// digest names the page's one script or style element by its hash, as a Content-Security-Policy allows it.
func digest(element string) string {
	_, rest, _ := bytes.Cut(page, []byte("<"+element+">"))
	text, _, _ := bytes.Cut(rest, []byte("</"+element+">"))
	sum := sha256.Sum256(text)
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
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
