package command_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"tsumugi/shared/chat"
	"tsumugi/shared/guild"
	"tsumugi/shared/persona"
)

// files are those that people gave, by address.
type files struct {
	bodies map[string][]byte
	fails  error
	asked  int
}

func (f *files) Fetch(_ context.Context, a chat.Attachment, most int) ([]byte, error) {
	f.asked++
	if f.fails != nil {
		return nil, f.fails
	}
	body, ok := f.bodies[a.URL]
	switch {
	case !ok:
		return nil, &chat.Failure{Op: "fetch file", Kind: chat.Vanished}
	case len(body) > most:
		return nil, &chat.Failure{Op: "fetch file", Kind: chat.Rejected}
	}
	return body, nil
}

// plainPNG is a picture of one colour.
func plainPNG(t *testing.T, w, h int, c color.Color) []byte {
	t.Helper()
	p := image.NewNRGBA(image.Rect(0, 0, w, h))
	for n := range w * h {
		p.Set(n%w, n/w, c)
	}
	var b bytes.Buffer
	if err := png.Encode(&b, p); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// gives is the command for a picture with a file.
func (p *person) gives(who, address string, options ...string) chat.Interaction {
	i := p.command("persona avatar", append([]string{"persona", who, "picture", "31"}, options...)...)
	i.Files = map[string]chat.Attachment{"31": {URL: address, Name: "me.png", Size: 100}}
	return i
}

func withFiles(t *testing.T) (*person, *files) {
	p := newHouse(t).admin()
	f := &files{bodies: map[string][]byte{"red": plainPNG(t, 600, 400, color.NRGBA{255, 0, 0, 255}), "blue": plainPNG(t, 10, 10, color.NRGBA{0, 0, 255, 255}), "words": []byte("not a picture"),
		"wide": plainPNG(t, 5000, 1, color.White)}}
	p.back.Files = f
	return p, f
}

func TestAPersonaGetsAPicture(t *testing.T) {
	p, f := withFiles(t)
	p.does(p.gives("fenn", "red"))
	p.reads("**Fenn** has a picture now. It had none before.", "beside what the persona says")
	if len(p.sees.Files) != 1 || p.sees.Files[0].Type != "image/png" || p.sees.Files[0].Name != "face.png" {
		t.Fatalf("it shows %+v", p.sees.Files)
	}
	face, err := p.book.Face(t.Context(), "1", "fenn")
	if err != nil || !bytes.Equal(face, p.sees.Files[0].Body) || !p.book.is("1").Own {
		t.Errorf("%d bytes are kept, %v", len(face), err)
	}
	if size, err := png.DecodeConfig(bytes.NewReader(face)); err != nil || size.Width != 256 || size.Height != 256 {
		t.Errorf("it is %v, %v", size, err)
	}
	first := p.sees.Text
	p.did.ID = chat.EventID(strings.TrimPrefix(string(p.did.ID), "x"))
	if p.again(); p.sees.Text != first || len(p.book.noted("1")) != 1 {
		t.Errorf("once more it says %q", p.sees.Text)
	}
	if c := p.book.noted("1")[0]; c.What != "persona avatar" || c.On != "Fenn" || c.Was != "no picture" || c.Is != "a picture" {
		t.Errorf("noted %+v", c)
	}
	p.presses("Back")
	p.presses("Picture")
	if p.reads("The picture of **Fenn**:"); len(p.sees.Files) != 1 {
		t.Error("its page does not show it")
	}
	p.does(p.gives("fenn", "blue"))
	p.reads("a new picture, in place of the one before")
	p.uses("persona avatar", "persona", "fenn")
	if p.reads("The picture of **Fenn**:"); len(p.sees.Files) != 1 || bytes.Equal(p.sees.Files[0].Body, face) {
		t.Error("it shows the one before")
	}
	p.uses("persona avatar", "persona", "fenn", "remove", "true")
	p.reads("The picture of **Fenn** is removed.")
	p.uses("persona avatar", "persona", "fenn", "remove", "true")
	p.reads("set like this already")
	p.uses("persona avatar", "persona", "fenn")
	p.reads("**Fenn** has no picture")
	p.uses("persona avatar", "persona", "fenn", "link", "http://e.example/a.png")
	p.reads("not a link")
	p.uses("persona avatar", "persona", "fenn", "link", "https://e.example/a.png", "remove", "true")
	p.reads("only one of these")
	p.uses("persona avatar", "persona", "fenn", "link", "https://e.example/a.png")
	p.reads("**Fenn** has the picture at <https://e.example/a.png> now")
	p.uses("persona avatar", "persona", "fenn")
	p.reads("The picture of **Fenn** is at <https://e.example/a.png>")
	if fenn, _ := p.book.is("1").PersonaNamed("fenn"); fenn.Avatar != "https://e.example/a.png" {
		t.Errorf("the avatar is %q", fenn.Avatar)
	}
	p.does(p.gives("mira", "red"))
	p.reads("the main persona speaks with the picture of the bot's own account")
	if f.asked != 4 {
		t.Errorf("asked for %d files", f.asked)
	}
}

func TestPicturesThatAreRefused(t *testing.T) {
	p, f := withFiles(t)
	large := p.gives("fenn", "red")
	large.Files["31"] = chat.Attachment{URL: "red", Size: 10<<20 + 1}
	for what, c := range map[string]struct {
		i    chat.Interaction
		says string
	}{
		"too large":      {large, "at most 10 MB"},
		"words":          {p.gives("fenn", "words"), "use a PNG, JPEG or GIF"},
		"too wide":       {p.gives("fenn", "wide"), "at most 4096 pixels"},
		"gone":           {p.gives("fenn", "elsewhere"), "could not fetch"},
		"both":           {p.gives("fenn", "red", "remove", "true"), "only one of these"},
		"of nobody":      {p.gives("nobody", "red"), "Nobody called **nobody**"},
		"not to be read": {p.gives("fenn", "none"), "could not fetch"},
	} {
		if a := p.does(c.i); !strings.Contains(a.Text, c.says) || len(a.Files) != 0 {
			t.Errorf("%s: it says %q", what, a.Text)
		}
	}
	if f.asked != 4 || len(p.book.noted("1")) != 0 || p.book.is("1").Own {
		t.Errorf("asked for %d files, noted %v", f.asked, p.book.noted("1"))
	}
	f.fails = &chat.Failure{Op: "fetch file", Kind: chat.Unknown}
	if err := p.back.Handle(t.Context(), p.gives("fenn", "red")); err == nil || chat.Dropped(err) {
		t.Errorf("Discord is away: %v, and it is not tried again", err)
	}
	f.fails = errors.New("odd")
	if err := p.back.Handle(t.Context(), p.gives("fenn", "red")); err == nil || chat.Dropped(err) {
		t.Errorf("something odd: %v, and it is not tried again", err)
	}
}

// deleting is a book in which a persona is deleted while its picture is kept.
type deleting struct{ *book }

func (d deleting) SaveFace(ctx context.Context, g, id string, picture []byte) error {
	if picture != nil {
		d.set(g, "", func(s *guild.Settings, _ *guild.Channel) {
			s.Personas = []persona.Persona{s.Personas[0], s.Personas[2]}
		})
	}
	return d.book.SaveFace(ctx, g, id, picture)
}

func TestNobodysPictureIsKept(t *testing.T) {
	p, _ := withFiles(t)
	p.back.Book = deleting{p.book}
	p.does(p.gives("fenn", "red"))
	p.reads("does not live here any more")
	if face, err := p.book.Face(t.Context(), "1", "fenn"); err != nil || face != nil {
		t.Errorf("kept %d bytes, %v", len(face), err)
	}
}
