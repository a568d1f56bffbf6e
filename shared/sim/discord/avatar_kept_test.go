package discord_test

import (
	"encoding/base64"
	"net/http"
	"strings"
	"testing"

	simdiscord "tsumugi/shared/sim/discord"
)

// The picture that a webhook wore is there also after a restart, where it is one that the simulator was given.
func TestAPictureOutlivesARestart(t *testing.T) {
	data, err := base64.StdEncoding.DecodeString(pixel[strings.IndexByte(pixel, ',')+1:])
	if err != nil {
		t.Fatal(err)
	}
	w := open(t, simdiscord.Options{Avatars: map[string][]byte{"fenn": data}})
	h := w.hook(w.State().Lounge, "x")
	a := h.say("?wait=true", `{"content":"hello","username":"Fenn","avatar_url":"`+w.url+`/avatars/fenn.png"}`)
	where := "/avatars/" + a.field("author.id") + "/" + a.field("author.avatar") + ".png"
	for _, server := range []string{w.url, open(t, simdiscord.Options{Avatars: map[string][]byte{"fenn": data}}).url} {
		resp, err := http.Get(server + where)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if resp.StatusCode != http.StatusOK {
			t.Errorf("%s is %d", where, resp.StatusCode)
		}
	}
}
