package local

import (
	"bytes"
	"encoding/base64"
	"image/png"
	"strings"
	"testing"

	"tsumugi/shared/persona"
)

// Every room of the demo has somebody of the cast in it, with a face, and its advice leads somewhere.
func TestRoomsAreLivedIn(t *testing.T) {
	all, err := welcomes()
	if err != nil {
		t.Fatal(err)
	}
	cast := persona.Cast{Personas: persona.Demos()}
	for i, r := range rooms() {
		p, ok := cast.ByID(r.persona)
		if !ok || !strings.Contains(r.title, p.Name) {
			t.Errorf("%s is the room of %q, titled %q", r.channel, r.persona, r.title)
		}
		code, found := strings.CutPrefix(all[i].Image, "data:image/png;base64,")
		face, err := base64.StdEncoding.DecodeString(code)
		if err != nil || !found {
			t.Fatalf("face of %s: %v", r.persona, err)
		}
		if drawn, err := png.DecodeConfig(bytes.NewReader(face)); err != nil || drawn.Width != 128 || drawn.Height != 128 {
			t.Errorf("face of %s: %+v, %v", r.persona, drawn, err)
		}
	}
	hall := all[len(all)-1]
	for _, try := range hall.Try {
		if len(persona.Order(cast.Personas, try)) == 0 {
			t.Errorf("%s: %q calls nobody", hall.Channel, try)
		}
	}
}
