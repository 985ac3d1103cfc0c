package encoder

import "slices"

// alphabet is PlantUML's: Base64 has the same 64 places, in another order and
// with other characters for the last two.
const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_"

// appendSextets appends data to dst, three bytes as four characters. The last
// group is filled with zero bytes, as the official encoder does; some decoders
// fail on anything else.
func appendSextets(dst, data []byte) []byte {
	groups := (len(data) + 2) / 3
	dst = slices.Grow(dst, 4*groups)
	at := len(dst)
	dst = dst[:at+4*groups]
	for out := dst[at:]; len(out) >= 4; out = out[4:] {
		var v uint32
		if len(data) >= 3 {
			v = uint32(data[0])<<16 | uint32(data[1])<<8 | uint32(data[2])
			data = data[3:]
		} else {
			for i, b := range data {
				v |= uint32(b) << (16 - 8*i)
			}
		}
		out[0] = alphabet[v>>18]
		out[1] = alphabet[v>>12&63]
		out[2] = alphabet[v>>6&63]
		out[3] = alphabet[v&63]
	}
	return dst
}

// sextet gives the place of c in the alphabet.
func sextet(c byte) (value byte, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'A' <= c && c <= 'Z':
		return c - 'A' + 10, true
	case 'a' <= c && c <= 'z':
		return c - 'a' + 36, true
	case c == '-':
		return 62, true
	case c == '_':
		return 63, true
	}
	return 0, false
}
