package discord

import (
	"bytes"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"image"
	_ "image/gif"  // sizes of pictures
	_ "image/jpeg" // sizes of pictures
	_ "image/png"  // sizes of pictures
	"mime"
	"net/http"
	"net/url"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// fileLife is how long a link to a file holds, as on Discord.
const fileLife = 24 * time.Hour

// files holds what was uploaded, in memory and within a bound. The journal keeps descriptions only, so that after a restart a
// link leads nowhere, as one does on Discord that has expired.
type files struct {
	secret []byte // signs links
	byID   map[string]file
	order  []string // ids, oldest first
	size   int
}

type file struct {
	name, kind string
	data       []byte
}

func newFiles() files {
	secret := make([]byte, 32)
	rand.Read(secret) // never fails
	return files{secret: secret, byID: map[string]file{}}
}

// add keeps a file and forgets the oldest beyond the bound.
func (f *files) add(id string, one file, bound int) {
	f.byID[id] = one
	f.order = append(f.order, id)
	for f.size += len(one.data); f.size > bound && len(f.order) > 1; {
		f.size -= len(f.byID[f.order[0]].data)
		delete(f.byID, f.order[0])
		f.order = slices.Clone(f.order[1:])
	}
}

// store keeps an uploaded file of a message and returns its description.
func (s *Server) store(c *channel, up upload, said attachmentForm, q *request) Attachment {
	return s.hold(heldFiles+c.id, q.base(), up, said, q.now)
}

// hold keeps a file under a folder of this server's address and returns its description.
func (s *Server) hold(folder, base string, up upload, said attachmentForm, now time.Time) Attachment {
	a := Attachment{ID: s.ids.next(now), Size: len(up.data), Duration: said.Duration, Waveform: said.Waveform}
	name := up.name
	if said.Filename != nil {
		name = *said.Filename
	}
	if said.Description != nil {
		a.Description = *said.Description
	}
	if a.Filename = safeName(name); a.Filename != name {
		a.Title = strings.TrimSuffix(name, path.Ext(name))
	}
	a.ContentType = sniffed(a.Filename, up.data)
	if shape, _, err := image.DecodeConfig(bytes.NewReader(up.data)); err == nil {
		a.Width, a.Height = shape.Width, shape.Height
	}
	a.URL = base + folder + "/" + a.ID + "/" + a.Filename
	a.ProxyURL = a.URL
	s.files.add(a.ID, file{a.Filename, a.ContentType, up.data}, s.opt.FileBytes)
	return a
}

// textual are the types by name that bytes alone do not tell from plain text.
var textual = map[string]string{
	".json": "application/json; charset=utf-8", ".md": "text/markdown; charset=utf-8", ".csv": "text/csv; charset=utf-8",
	".svg": "image/svg+xml", ".ogg": "audio/ogg", ".mp3": "audio/mpeg",
}

// sniffed is a file's type by its first bytes, and by its name where these say too little.
func sniffed(name string, data []byte) string {
	kind := http.DetectContentType(data)
	if named, known := textual[strings.ToLower(path.Ext(name))]; known &&
		(strings.HasPrefix(kind, "text/") || kind == "application/octet-stream" || kind == "application/ogg") {
		return named
	}
	return kind
}

// signed returns attachments with links that hold from now on for fileLife. Those that people only described keep
// their own links.
func (s *Server) signed(all []Attachment) []Attachment {
	out := slices.Clone(list(all))
	for i, a := range all {
		if _, held := s.files.byID[a.ID]; !held {
			continue
		}
		at, err := url.Parse(a.URL)
		if err != nil {
			continue
		}
		where := at.Path
		from := time.Now().Truncate(time.Second)
		query := s.files.sign(where, from.Unix(), from.Add(fileLife).Unix())
		out[i].URL, out[i].ProxyURL = a.URL+query, a.ProxyURL+query
	}
	return out
}

// sign is the query of a link: when it expires, when it was made, and the proof that this server made it.
func (f *files) sign(where string, from, to int64) string {
	ex, is := strconv.FormatInt(to, 16), strconv.FormatInt(from, 16)
	return "?ex=" + ex + "&is=" + is + "&hm=" + f.proof(where, ex, is) + "&"
}

func (f *files) proof(where, ex, is string) string {
	mac := hmac.New(sha256.New, f.secret)
	mac.Write([]byte(where + "?" + ex + "&" + is))
	return hex.EncodeToString(mac.Sum(nil))
}

// serveFile answers /attachments/{channel}/{id}/{name} and /ephemeral-attachments/{application}/{id}/{name}. A link without proof, with a wrong one or past its time is not found,
// which is all that Discord's own servers say.
func (s *Server) serveFile(w http.ResponseWriter, r *http.Request) {
	query := r.URL.Query()
	ex, is, proof := query.Get("ex"), query.Get("is"), query.Get("hm")
	until, err := strconv.ParseInt(ex, 16, 64)
	parts := strings.Split(strings.TrimPrefix(strings.TrimPrefix(r.URL.Path, heldFiles), passingFiles), "/")
	readable := r.Method == http.MethodGet || r.Method == http.MethodHead
	if err != nil || len(parts) != 3 || !readable || time.Now().Unix() >= until {
		gone(w)
		return
	}
	s.mu.Lock()
	genuine := hmac.Equal([]byte(proof), []byte(s.files.proof(r.URL.Path, ex, is)))
	f, held := s.files.byID[parts[1]]
	s.mu.Unlock()
	if !genuine || !held {
		gone(w)
		return
	}
	w.Header().Set("Content-Disposition", disposition(f))
	serveBytes(w, r, f.kind, f.data)
}

// disposition lets a browser show what cannot run, and keeps everything else out of this origin, from which the control API
// could be called.
func disposition(f file) string {
	kind, _, _ := strings.Cut(f.kind, ";")
	how := "attachment"
	if kind != "image/svg+xml" && (kind == "text/plain" || strings.HasPrefix(kind, "image/") || strings.HasPrefix(kind, "audio/") || strings.HasPrefix(kind, "video/")) {
		how = "inline"
	}
	return mime.FormatMediaType(how, map[string]string{"filename": f.name})
}

// serveBytes answers with a file that may do nothing.
func serveBytes(w http.ResponseWriter, r *http.Request, kind string, data []byte) {
	h := w.Header()
	h.Set("Content-Type", kind)
	h.Set("Content-Length", strconv.Itoa(len(data)))
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cache-Control", "private, max-age=3600")
	if r.Method != http.MethodHead {
		w.Write(data)
	}
}

func gone(w http.ResponseWriter) {
	w.Header().Set("Content-Type", "text/plain;charset=UTF-8")
	w.WriteHeader(http.StatusNotFound)
	w.Write([]byte("This content is no longer available."))
}
