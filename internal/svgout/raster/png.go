package raster

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"image"

	"github.com/klauspost/compress/zlib"
)

// EncodePNG writes a picture of at most 2³¹ bytes a row. It chooses the smallest of
// palette, RGB and RGBA that loses nothing, which diagrams mostly allow, and for each
// row the filter that leaves the smaller numbers of two. That is several times as fast as
// image/png, which tries all five.
func EncodePNG(img *image.RGBA) ([]byte, error) {
	w, h := img.Rect.Dx(), img.Rect.Dy()
	palette, index := paletteOf(img)
	opaque := img.Opaque()
	colourType, size := byte(6), 4
	switch {
	case palette != nil:
		colourType, size = 3, 1
	case opaque:
		colourType, size = 2, 3
	}
	var out bytes.Buffer
	out.WriteString("\x89PNG\r\n\x1a\n")
	head := binary.BigEndian.AppendUint32(nil, uint32(w))
	head = binary.BigEndian.AppendUint32(head, uint32(h))
	chunk(&out, "IHDR", append(head, 8, colourType, 0, 0, 0))
	if palette != nil {
		var rgb, alpha []byte
		for _, c := range palette {
			rgb, alpha = append(rgb, c[:3]...), append(alpha, c[3])
		}
		chunk(&out, "PLTE", rgb)
		if !opaque {
			chunk(&out, "tRNS", alpha)
		}
	}
	var data bytes.Buffer
	z, err := zlib.NewWriterLevel(&data, level)
	if err != nil {
		return nil, err
	}
	row, last, filtered := make([]byte, w*size), make([]byte, w*size), make([]byte, w*size+1)
	for y := range h {
		pix := img.Pix[y*img.Stride : y*img.Stride+4*w]
		switch size {
		case 1:
			for x := range w {
				row[x] = index[[4]byte(pix[4*x:4*x+4])]
			}
		case 3:
			for x := range w {
				copy(row[3*x:3*x+3], pix[4*x:4*x+3])
			}
		default:
			for x := range w {
				c := straight([4]byte(pix[4*x : 4*x+4]))
				copy(row[4*x:4*x+4], c[:])
			}
		}
		filter(filtered, row, last, size, palette != nil)
		if _, err := z.Write(filtered); err != nil {
			return nil, err
		}
		row, last = last, row
	}
	if err := z.Close(); err != nil {
		return nil, err
	}
	chunk(&out, "IDAT", data.Bytes())
	chunk(&out, "IEND", nil)
	return out.Bytes(), nil
}

const level = 5

func chunk(out *bytes.Buffer, name string, data []byte) {
	out.Write(binary.BigEndian.AppendUint32(nil, uint32(len(data))))
	out.WriteString(name)
	out.Write(data)
	sum := crc32.Update(crc32.ChecksumIEEE([]byte(name)), crc32.IEEETable, data)
	out.Write(binary.BigEndian.AppendUint32(nil, sum))
}

// filter writes a row as itself, or as its difference from the row above.
func filter(out, row, above []byte, size int, palette bool) {
	if bytes.Equal(row, above) || !palette && differs(row, above) < differs(row[size:], row[:len(row)-size]) {
		out[0] = 2 // Up
		for i, v := range row {
			out[i+1] = v - above[i]
		}
		return
	}
	if palette {
		out[0] = 0
		copy(out[1:], row)
		return
	}
	out[0] = 1 // Sub
	copy(out[1:], row[:size])
	for i := size; i < len(row); i++ {
		out[i+1] = row[i] - row[i-size]
	}
}

// differs counts how many bytes do.
func differs(a, b []byte) int {
	n := 0
	for i := range a {
		if a[i] != b[i] {
			n++
		}
	}
	return n
}

// paletteOf gives all colours, straight, if there are no more than a palette has.
func paletteOf(img *image.RGBA) ([][4]byte, map[[4]byte]byte) {
	const most = 256
	index := map[[4]byte]byte{}
	var list [][4]byte
	var last [4]byte
	for y := range img.Rect.Dy() {
		row := img.Pix[y*img.Stride : y*img.Stride+4*img.Rect.Dx()]
		for x := 0; x < len(row); x += 4 {
			c := [4]byte(row[x : x+4])
			if c == last && len(list) > 0 {
				continue
			}
			last = c
			if _, ok := index[c]; ok {
				continue
			}
			if len(list) == most {
				return nil, nil
			}
			index[c] = byte(len(list))
			list = append(list, straight(c))
		}
	}
	return list, index
}

// straight undoes the premultiplication.
func straight(c [4]byte) [4]byte {
	a := int(c[3])
	if a == 0 || a == 255 {
		return c
	}
	v := func(x byte) byte { return byte(min(255, (int(x)*255+a/2)/a)) }
	return [4]byte{v(c[0]), v(c[1]), v(c[2]), c[3]}
}
