package command

import (
	"bytes"
	"errors"
	"image"
	"image/color"
	"image/draw"
	_ "image/gif" // of which the first picture counts
	"image/jpeg"
	"image/png"

	"tsumugi/shared/guild"
)

// Bounds of a picture that somebody gives, and of what is made of it.
const (
	maxPicture = 10 << 20 // bytes, as many as Discord takes without a fee
	maxSide    = 4096     // pixels; what claims more is not decoded
	faceSide   = 256      // pixels of a face: twice as many as Discord shows beside a message
)

// Why a picture is refused.
var (
	errNoPicture    = errors.New("it is no PNG, JPEG or GIF")
	errPictureLarge = errors.New("it has too many pixels")
)

// portrait makes a persona's face of a picture: the middle of it, a square of faceSide pixels, with nothing of what else was in
// the file. It is a PNG, or a JPEG where that would be larger than guild.MaxFace.
func portrait(picture []byte) ([]byte, error) {
	claims, _, err := image.DecodeConfig(bytes.NewReader(picture))
	switch {
	case err != nil || claims.Width < 1 || claims.Height < 1:
		return nil, errNoPicture
	case claims.Width > maxSide || claims.Height > maxSide: // a small file can claim to be a picture that no memory holds
		return nil, errPictureLarge
	}
	full, _, err := image.Decode(bytes.NewReader(picture))
	if err != nil || full.Bounds().Empty() || full.Bounds().Dx() > maxSide || full.Bounds().Dy() > maxSide {
		return nil, errNoPicture
	}
	small := shrink(full)
	var b bytes.Buffer
	if err := png.Encode(&b, small); err != nil {
		return nil, err
	}
	if b.Len() <= guild.MaxFace {
		return b.Bytes(), nil
	}
	for quality := 90; quality >= 50; quality -= 20 {
		b.Reset()
		if err := jpeg.Encode(&b, onWhite(small), &jpeg.Options{Quality: quality}); err != nil {
			return nil, err
		}
		if b.Len() <= guild.MaxFace {
			return b.Bytes(), nil
		}
	}
	return nil, errPictureLarge
}

// shrink gives the square in the middle of a picture at the size of a face. Each pixel is the mean of what it covers, also where it
// covers parts of pixels.
func shrink(full image.Image) *image.NRGBA {
	b := full.Bounds()
	side := min(b.Dx(), b.Dy())
	corner := image.Pt(b.Min.X+(b.Dx()-side)/2, b.Min.Y+(b.Dy()-side)/2)
	small := image.NewNRGBA(image.Rect(0, 0, faceSide, faceSide))
	// A row of the face at a time, or a large picture would be twice in memory. Its colours are times their opacity: a mean of
	// others would let what is invisible shine through.
	strip := image.NewRGBA(image.Rect(0, 0, side, side/faceSide+2))
	for y := range faceSide {
		top := y * side / faceSide
		draw.Draw(strip, strip.Bounds(), full, corner.Add(image.Pt(0, top)), draw.Src)
		for x := range faceSide {
			small.Set(x, y, mean(strip, top, x, y, side))
		}
	}
	return small
}

// mean is the mean colour of what the pixel of a face covers of a square, of which the strip begins at the row top. Lengths are
// counted in parts of which a pixel of the square has faceSide, and one of the face as many as the side of the square has pixels:
// so all is exact.
func mean(strip *image.RGBA, top, x, y, side int) color.Color {
	var sum [4]int
	for v := top; v*faceSide < (y+1)*side; v++ {
		high := min((y+1)*side, (v+1)*faceSide) - max(y*side, v*faceSide)
		for h := x * side / faceSide; h*faceSide < (x+1)*side; h++ {
			weight := high * (min((x+1)*side, (h+1)*faceSide) - max(x*side, h*faceSide))
			at := strip.PixOffset(h, v-top)
			for n, part := range strip.Pix[at : at+4] {
				sum[n] += weight * int(part)
			}
		}
	}
	all := side * side
	part := func(n int) uint8 { return uint8((sum[n] + all/2) / all) }
	return color.RGBA{part(0), part(1), part(2), part(3)}
}

// onWhite lays a picture on white, for a format that knows nothing transparent.
func onWhite(p image.Image) image.Image {
	all := image.NewRGBA(p.Bounds())
	draw.Draw(all, all.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(all, all.Bounds(), p, p.Bounds().Min, draw.Over)
	return all
}
