package local

import (
	"bytes"
	"image/png"
	"strings"
	"testing"

	"tsumugi/shared/persona"
)

// Every room of the demo has somebody of the cast in it, with a face, and its advice leads somewhere.
func TestRoomsAreLivedIn(t *testing.T) {
	all := welcomes()
	pictures, err := faces()
	if err != nil {
		t.Fatal(err)
	}
	cast := persona.Cast{Personas: persona.Demos()}
	for i, r := range rooms() {
		p, ok := cast.ByID(r.persona)
		if !ok || !strings.Contains(r.title, p.Name) {
			t.Errorf("%s is the room of %q, titled %q", r.channel, r.persona, r.title)
		}
		name, found := strings.CutPrefix(all[i].Image, "/avatars/")
		face := pictures[strings.TrimSuffix(name, ".png")]
		if drawn, err := png.DecodeConfig(bytes.NewReader(face)); !found || err != nil || drawn.Width != 128 || drawn.Height != 128 {
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
