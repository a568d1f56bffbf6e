package discord

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"hash/fnv"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/url"
	"path"
	"strconv"
	"strings"
)

// maxPicture is the largest avatar Discord takes, in bytes; maxPictures is how much of them is held here.
const (
	maxPicture  = 10 << 20
	maxPictures = 64 << 20
)

// picture reads an avatar's data URI and returns the hash it goes by; null is none.
func (s *Server) picture(raw json.RawMessage) (*string, *fieldError) {
	var uri *string
	if json.Unmarshal(raw, &uri) != nil {
		return nil, &fieldError{"avatar", "BASE_TYPE_CONVERT", "Could not interpret avatar."}
	}
	if uri == nil || *uri == "" {
		return nil, nil
	}
	head, text, comma := strings.Cut(*uri, ",")
	kind, base64ed := strings.CutSuffix(strings.TrimPrefix(head, "data:"), ";base64")
	data, err := base64.StdEncoding.DecodeString(text)
	if !comma || !base64ed || !strings.HasPrefix(head, "data:image/") || err != nil || !pictured(kind, data) {
		return nil, &fieldError{"avatar", "IMAGE_INVALID", "Invalid image"}
	}
	if len(data) > maxPicture {
		return nil, &fieldError{"avatar", "BINARY_TYPE_MAX_SIZE", "File cannot be larger than 10240.0 kb."}
	}
	return s.keepPicture(data), nil
}

// pictured says whether bytes are an image of the kind they claim, of those that Discord takes.
func pictured(kind string, data []byte) bool {
	switch kind {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
	default:
		return false
	}
	return http.DetectContentType(data) == kind
}

// keepPicture holds a picture under the hash of its bytes; beyond the bound for all of them it has a hash and no bytes.
func (s *Server) keepPicture(data []byte) *string {
	sum := sha256.Sum256(data)
	hash := hex.EncodeToString(sum[:16]) // as long as those of Discord
	if _, held := s.pictures[hash]; !held && s.pictured+len(data) <= maxPictures {
		s.pictures[hash] = data
		s.pictured += len(data)
	}
	return &hash
}

// fetched is the hash of a picture that Discord would fetch from elsewhere. The simulator fetches nothing: a link to one of its
// own pictures stands for that, any other gets a picture drawn from the link.
func (s *Server) fetched(q *request, link string) *string {
	if u, err := url.Parse(link); err == nil && (u.Host == q.host || loopback(u.Host)) && strings.HasPrefix(u.Path, "/avatars/") {
		if data := s.avatar(u.Path); data != nil {
			return s.keepPicture(data)
		}
	} else if err == nil && s.opt.Picture != nil && (u.Host == q.host || loopback(u.Host)) && strings.HasPrefix(u.Path, "/faces/") {
		if data := s.opt.Picture(u.Path); pictured(http.DetectContentType(data), data) {
			return s.keepPicture(data)
		}
	}
	sum := fnv.New32a()
	sum.Write([]byte(link))
	return s.keepPicture(drawn128(int(sum.Sum32() % uint32(len(palette)))))
}

// dressUp gives the users of Options.Avatars their pictures. The others are held too: messages that webhooks posted before a restart
// may have them.
func (s *Server) dressUp() {
	for _, data := range s.opt.Avatars {
		s.keepPicture(data)
	}
	for _, u := range s.users {
		if data := s.opt.Avatars[*u.GlobalName]; data != nil {
			u.Avatar = s.keepPicture(data)
		}
	}
}

// avatar finds the picture of a path: /avatars/{id}/{hash}.png, or /avatars/{name}.png of Options.Avatars. The lock is held.
func (s *Server) avatar(where string) []byte {
	parts := strings.Split(strings.TrimPrefix(where, "/avatars/"), "/")
	name := strings.TrimSuffix(parts[len(parts)-1], path.Ext(where))
	switch len(parts) {
	case 1:
		return s.opt.Avatars[name]
	case 2:
		return s.pictures[name]
	}
	return nil
}

// serveAvatar answers the paths of pictures: /avatars/… and /embed/avatars/{n}.png, the picture of an account that has none.
// Which n is an account's is (id >> 22) % 6.
func (s *Server) serveAvatar(w http.ResponseWriter, r *http.Request) {
	var data []byte
	switch name, embedded := strings.CutPrefix(r.URL.Path, "/embed/avatars/"); {
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
	case embedded:
		if n, err := strconv.Atoi(strings.TrimSuffix(name, ".png")); err == nil && n >= 0 && n < len(palette) {
			data = drawn128(n)
		}
	default:
		s.mu.Lock()
		data = s.avatar(r.URL.Path)
		s.mu.Unlock()
	}
	if data == nil {
		gone(w)
		return
	}
	serveBytes(w, r, http.DetectContentType(data), data)
}

// palette is the grounds of the default pictures.
var palette = [6]color.RGBA{
	{0x5b, 0x6e, 0xe1, 0xff}, {0x6d, 0x75, 0x7e, 0xff}, {0x3a, 0x9d, 0x6e, 0xff},
	{0xd9, 0x8e, 0x2b, 0xff}, {0xc9, 0x4f, 0x4f, 0xff}, {0xb8, 0x5c, 0xa6, 0xff},
}

// drawn128 draws a default picture, 128 pixels wide: a head and shoulders on one of the grounds.
func drawn128(n int) []byte {
	const size = 128
	picture := image.NewPaletted(image.Rect(0, 0, size, size), color.Palette{palette[n], color.RGBA{0xff, 0xff, 0xff, 0xff}})
	inside := func(x, y, cx, cy, rx, ry int) bool {
		dx, dy := (x-cx)*ry, (y-cy)*rx
		return dx*dx+dy*dy <= rx*rx*ry*ry
	}
	for y := range size {
		for x := range size {
			if inside(x, y, 64, 50, 22, 22) || inside(x, y, 64, 118, 42, 38) {
				picture.SetColorIndex(x, y, 1)
			}
		}
	}
	var out bytes.Buffer
	if png.Encode(&out, picture) != nil { // a buffer takes everything
		return nil
	}
	return out.Bytes()
}
