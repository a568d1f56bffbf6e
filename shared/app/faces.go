package app

import (
	"context"
	"crypto/subtle"
	"log/slog"
	"net/http"
	"strings"

	"tsumugi/shared/persona"
)

// FacesPath is where the pictures of personas are served: below it a guild, a persona, and the name of the picture, which is made of
// its bytes. Discord fetches a picture when it is worn, and keeps a copy.
//
// They are served by who answers interactions, out of the store where they are kept, and not out of a bucket: a bucket that anybody
// may read is refused in accounts that block such buckets, would need a copy of each picture and somebody who deletes it, and would
// bring another SDK into a function for which people wait.
const FacesPath = "/faces/"

// Avatar is the public address of a persona's picture: a link of its own, or below the address at which the installation is reached;
// "" where Discord could not reach it.
func Avatar(base, guild string, p persona.Persona) string {
	switch {
	case strings.HasPrefix(p.Avatar, "https://"):
		return p.Avatar
	case p.Avatar == "" || base == "":
		return ""
	}
	return strings.TrimRight(base, "/") + FacesPath + guild + "/" + p.ID + "/" + p.Avatar
}

// NewFaces serves them. Whoever does not know the name of a picture gets none.
func NewFaces(p Ports) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		face, err := FaceAt(r.Context(), p, r.URL.Path)
		switch {
		case err != nil:
			slog.WarnContext(r.Context(), "a picture was not read", "error", err)
			w.WriteHeader(http.StatusServiceUnavailable)
			return
		case face == nil:
			w.WriteHeader(http.StatusNotFound)
			return
		}
		w.Header().Set("Content-Type", http.DetectContentType(face))
		w.Header().Set("Cache-Control", "public, max-age=31536000, immutable")
		w.Header().Set("X-Content-Type-Options", "nosniff")
		_, _ = w.Write(face) //nolint:gosec // it is a picture, which its name was made of, and is never taken for anything else
	})
}

// FaceAt is the picture at a path; nil when there is none of that name.
func FaceAt(ctx context.Context, p Ports, path string) ([]byte, error) {
	parts := strings.Split(strings.TrimPrefix(path, FacesPath), "/")
	if len(parts) != 3 || parts[0] == "" || len(parts[0]) > 20 || len(parts[1]) > 64 || !persona.PictureName(parts[2]) {
		return nil, nil
	}
	face, err := p.book().Face(ctx, parts[0], parts[1])
	if err != nil || face == nil || subtle.ConstantTimeCompare([]byte(persona.NameOfPicture(face)), []byte(parts[2])) == 0 {
		return nil, err
	}
	return face, nil
}
