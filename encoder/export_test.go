package encoder

// Deflate exposes the compressor, which takes any bytes: the tests against zlib
// reach more of it than valid UTF-8 does.
func Deflate(data string) []byte {
	s := sessions.Get().(*session)
	defer s.release()
	return append([]byte(nil), s.deflater.deflate(data)...)
}

// DeflateAt is Deflate with a compressor that has used up its epochs as far as
// the given one.
func DeflateAt(epoch uint32, data string) []byte {
	d := new(deflater)
	d.epoch = epoch
	d.deflate(data)
	return append([]byte(nil), d.deflate(data)...)
}
