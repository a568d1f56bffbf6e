package app_test

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"net/http/httptest"
	"testing"

	"tsumugi/shared/app"
	"tsumugi/shared/kv/kvtest"
	"tsumugi/shared/persona"
	"tsumugi/shared/store"
)

func TestFacesAreServedByTheirNames(t *testing.T) {
	d := kvtest.Memory()
	var picture bytes.Buffer
	if err := png.Encode(&picture, image.NewGray(image.Rect(0, 0, 2, 2))); err != nil {
		t.Fatal(err)
	}
	if err := store.NewBook(d).SaveFace(t.Context(), "12", "teo", picture.Bytes()); err != nil {
		t.Fatal(err)
	}
	teo := persona.Persona{ID: "teo", Name: "Teo", Avatar: persona.NameOfPicture(picture.Bytes())}
	if err := teo.Validate(); err != nil {
		t.Error(err)
	}
	served := app.NewFaces(app.Ports{KV: d})
	get := func(path string) *httptest.ResponseRecorder {
		w := httptest.NewRecorder()
		served.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		return w
	}
	where := app.Avatar("", "12", teo)
	if where != "" {
		t.Errorf("without a public address it is at %q", where)
	}
	where = app.Avatar("https://example.com/", "12", teo)[len("https://example.com"):]
	if w := get(where); w.Code != http.StatusOK || !bytes.Equal(w.Body.Bytes(), picture.Bytes()) || w.Header().Get("Content-Type") != "image/png" {
		t.Errorf("%s is %d %v", where, w.Code, w.Header())
	}
	for _, path := range []string{"/faces/12/teo/00000000000000000000000000000000.png", "/faces/12/mira/" + teo.Avatar, "/faces/13/teo/" + teo.Avatar,
		"/faces/12/teo/", "/faces/12/teo", "/faces/", "/faces/12/teo/" + teo.Avatar + "/x", "/faces//teo/" + teo.Avatar} {
		if w := get(path); w.Code != http.StatusNotFound || w.Body.Len() > 0 {
			t.Errorf("%s is %d", path, w.Code)
		}
	}
	linked := persona.Persona{ID: "teo", Name: "Teo", Avatar: "https://example.org/a.png"}
	if got := app.Avatar("", "12", linked); got != linked.Avatar || linked.Validate() != nil {
		t.Errorf("a link becomes %q", got)
	}
	for _, bad := range []string{"http://example.org/a.png", "https://a:b@example.org", "x.png", "file:///etc", "https://example.org/\n"} {
		linked.Avatar = bad
		if linked.Validate() == nil {
			t.Errorf("%q is an avatar", bad)
		}
	}
}
