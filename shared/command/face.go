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

// shrink gives the square in the middle of a picture at the size of a face. Each pixel is the mean of those that it covers; of a
// smaller picture pixels are repeated.
func shrink(full image.Image) *image.NRGBA {
	b := full.Bounds()
	side := min(b.Dx(), b.Dy())
	square := image.Rect(0, 0, side, side).Add(image.Pt(b.Min.X+(b.Dx()-side)/2, b.Min.Y+(b.Dy()-side)/2))
	flat := image.NewRGBA(image.Rect(0, 0, side, side)) // colours times their opacity: a mean of others would let what is invisible shine through
	draw.Draw(flat, flat.Bounds(), full, square.Min, draw.Src)
	small := image.NewNRGBA(image.Rect(0, 0, faceSide, faceSide))
	for y := range faceSide {
		for x := range faceSide {
			small.Set(x, y, mean(flat, image.Rect(x*side/faceSide, y*side/faceSide, covered(x, side), covered(y, side))))
		}
	}
	return small
}

// covered is where the pixels end that pixel n of a face covers.
func covered(n, side int) int { return max((n+1)*side/faceSide, n*side/faceSide+1) }

// mean is the mean colour of a part of a picture.
func mean(of *image.RGBA, part image.Rectangle) color.Color {
	var sum [4]int
	for y := part.Min.Y; y < part.Max.Y; y++ {
		row := of.Pix[of.PixOffset(part.Min.X, y) : of.PixOffset(part.Max.X-1, y)+4]
		for n, v := range row {
			sum[n%4] += int(v)
		}
	}
	n := part.Dx() * part.Dy()
	return color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), uint8(sum[3] / n)}
}

// onWhite lays a picture on white, for a format that knows nothing transparent.
func onWhite(p image.Image) image.Image {
	all := image.NewRGBA(p.Bounds())
	draw.Draw(all, all.Bounds(), image.White, image.Point{}, draw.Src)
	draw.Draw(all, all.Bounds(), p, p.Bounds().Min, draw.Over)
	return all
}
