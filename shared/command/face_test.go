package command

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"math/rand/v2"
	"testing"

	"tsumugi/shared/guild"
)

// painted is a picture with a colour at each place.
func painted(w, h int, at func(x, y int) color.Color) image.Image {
	p := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			p.Set(x, y, at(x, y))
		}
	}
	return p
}

func encoded(t testing.TB, encode func(*bytes.Buffer) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asPNG(t testing.TB, p image.Image) []byte {
	return encoded(t, func(b *bytes.Buffer) error { return png.Encode(b, p) })
}

// thirds is red, green and blue from the left to the right, or from above.
func thirds(side int, wide bool) func(x, y int) color.Color {
	return func(x, y int) color.Color {
		n := y
		if wide {
			n = x
		}
		return []color.Color{color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}, color.NRGBA{0, 0, 255, 255}}[min(n/side, 2)]
	}
}

func TestAFaceIsTheMiddleOfAPicture(t *testing.T) {
	square := func(p image.Image) []byte { return asPNG(t, p) }
	noise := rand.New(rand.NewPCG(1, 2))
	for name, c := range map[string]struct {
		picture []byte
		middle  color.NRGBA
		format  string
	}{
		"wide":  {square(painted(900, 300, thirds(300, true))), color.NRGBA{0, 255, 0, 255}, "png"},
		"high":  {square(painted(300, 900, thirds(300, false))), color.NRGBA{0, 255, 0, 255}, "png"},
		"small": {square(painted(3, 1, thirds(1, true))), color.NRGBA{0, 255, 0, 255}, "png"},
		"clear": {square(painted(400, 400, func(x, y int) color.Color { return color.NRGBA{255, 0, 0, uint8((x + y) % 2 * 254)} })), color.NRGBA{255, 0, 0, 127}, "png"},
		"JPEG":  {encoded(t, func(b *bytes.Buffer) error { return jpeg.Encode(b, painted(300, 300, thirds(999, true)), nil) }), color.NRGBA{254, 0, 0, 255}, "png"},
		"GIF": {encoded(t, func(b *bytes.Buffer) error {
			red, blue := image.NewPaletted(image.Rect(0, 0, 9, 9), color.Palette{color.NRGBA{255, 0, 0, 255}}), image.NewPaletted(image.Rect(0, 0, 9, 9), color.Palette{color.NRGBA{0, 0, 255, 255}})
			return gif.EncodeAll(b, &gif.GIF{Image: []*image.Paletted{red, blue}, Delay: []int{1, 1}})
		}), color.NRGBA{255, 0, 0, 255}, "png"},
		"noise": {square(painted(256, 256, func(x, y int) color.Color {
			return color.NRGBA64{uint16(noise.Uint32()), uint16(noise.Uint32()), uint16(noise.Uint32()), uint16(noise.Uint32()) | 0x8000}
		})), color.NRGBA{}, "jpeg"},
	} {
		t.Run(name, func(t *testing.T) {
			face, err := portrait(c.picture)
			if err != nil || len(face) > guild.MaxFace {
				t.Fatalf("%d bytes, %v", len(face), err)
			}
			p, format, err := image.Decode(bytes.NewReader(face))
			if err != nil || format != c.format || p.Bounds() != image.Rect(0, 0, 256, 256) {
				t.Fatalf("a %s of %v, %v", format, p.Bounds(), err)
			}
			if got := color.NRGBAModel.Convert(p.At(128, 128)).(color.NRGBA); c.middle != (color.NRGBA{}) && (abs(got.R, c.middle.R) > 2 || abs(got.G, c.middle.G) > 2 || abs(got.B, c.middle.B) > 2 || abs(got.A, c.middle.A) > 20) {
				t.Errorf("its middle is %v, want %v", got, c.middle)
			}
		})
	}
}

func abs(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

// claiming is a PNG that says it were so large.
func claiming(t testing.TB, w, h uint32) []byte {
	p := asPNG(t, painted(1, 1, thirds(1, true)))
	binary.BigEndian.PutUint32(p[16:], w)
	binary.BigEndian.PutUint32(p[20:], h)
	binary.BigEndian.PutUint32(p[29:], crc32.ChecksumIEEE(p[12:29]))
	return p
}

func TestWhatIsNoFace(t *testing.T) {
	whole := asPNG(t, painted(64, 64, thirds(20, true)))
	for name, c := range map[string]struct {
		picture []byte
		want    error
	}{
		"nothing": {nil, errNoPicture}, "words": {[]byte("GIF89a"), errNoPicture}, "half": {whole[:len(whole)/2], errNoPicture},
		"WebP": {[]byte("RIFF\x24\x00\x00\x00WEBPVP8 "), errNoPicture},
		"wide": {claiming(t, 4097, 1), errPictureLarge}, "huge": {claiming(t, 20_000, 20_000), errPictureLarge}, "claims": {claiming(t, 4096, 4096), errNoPicture},
	} {
		if face, err := portrait(c.picture); face != nil || !errors.Is(err, c.want) {
			t.Errorf("%s: %d bytes, %v", name, len(face), err)
		}
	}
}

func FuzzPortrait(f *testing.F) {
	f.Add(asPNG(f, painted(8, 4, thirds(2, true))))
	f.Add(claiming(f, 300, 300))
	f.Add(encoded(f, func(b *bytes.Buffer) error { return gif.Encode(b, painted(5, 5, thirds(2, true)), nil) }))
	f.Add(encoded(f, func(b *bytes.Buffer) error { return jpeg.Encode(b, painted(9, 5, thirds(2, true)), nil) }))
	f.Fuzz(func(t *testing.T, picture []byte) {
		if face, err := portrait(picture); err == nil && (len(face) == 0 || len(face) > guild.MaxFace) {
			t.Errorf("a face of %d bytes", len(face))
		}
	})
}
