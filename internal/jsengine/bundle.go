package jsengine

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/klauspost/compress/zstd"
)

// magic starts a bundle, with the format's version as its last byte.
const magic = "webodar\x02"

// ErrNoBundle means that there is no bundle to open.
var ErrNoBundle = errors.New("jsengine: no bundle")

// Info says what is in a bundle.
type Info struct {
	Engine  string `json:"engine"`  // the npm package
	Version string `json:"version"` // its version
	QuickJS string `json:"quickjs"` // the release that the bytecode is tied to
	Entry   string `json:"entry"`   // the chunk to require first
	// Roles name chunks by what they are there for: their own names change
	// with every version.
	Roles map[string]string `json:"roles,omitempty"`
}

// VersionError says that a bundle's bytecode is of another QuickJS release than
// the one in this binary.
type VersionError struct {
	Bundle, Binary string
}

func (e *VersionError) Error() string {
	return fmt.Sprintf("jsengine: the bundle is compiled for QuickJS %s, this binary has %s", e.Bundle, e.Binary)
}

// Bundle is an opened asset: chunks of bytecode by name. It is safe for concurrent
// use, and keeps each chunk it has decompressed.
type Bundle struct {
	info   Info
	chunks map[string]*chunk
}

type chunk struct {
	once   sync.Once
	packed []byte
	size   int
	code   []byte
	err    error
}

// header is what stands after magic and its own length, as JSON.
type header struct {
	Info
	Chunks []chunkHeader `json:"chunks"`
}

type chunkHeader struct {
	Name   string `json:"name"`
	Packed int    `json:"packed"` // bytes in the asset
	Size   int    `json:"size"`   // bytes of bytecode
}

// Open reads an asset's directory; chunks are decompressed when they are asked
// for. It keeps asset.
func Open(asset []byte) (*Bundle, error) {
	if len(asset) == 0 {
		return nil, ErrNoBundle
	}
	rest, ok := bytes.CutPrefix(asset, []byte(magic))
	if !ok || len(rest) < 4 {
		return nil, errors.New("jsengine: this is no bundle")
	}
	n := binary.LittleEndian.Uint32(rest)
	rest = rest[4:]
	if uint64(n) > uint64(len(rest)) {
		return nil, errors.New("jsengine: the bundle is cut short")
	}
	var h header
	if err := json.Unmarshal(rest[:n], &h); err != nil {
		return nil, fmt.Errorf("jsengine: the bundle's directory: %w", err)
	}
	rest = rest[n:]
	if h.QuickJS != EngineVersion() {
		return nil, &VersionError{Bundle: h.QuickJS, Binary: EngineVersion()}
	}
	b := &Bundle{info: h.Info, chunks: make(map[string]*chunk, len(h.Chunks))}
	for _, c := range h.Chunks {
		if c.Packed < 0 || c.Size < 0 || c.Packed > len(rest) {
			return nil, errors.New("jsengine: the bundle is cut short")
		}
		b.chunks[c.Name] = &chunk{packed: rest[:c.Packed:c.Packed], size: c.Size}
		rest = rest[c.Packed:]
	}
	if len(rest) != 0 {
		return nil, errors.New("jsengine: the bundle has bytes after its last chunk")
	}
	return b, nil
}

// Info says what is in the bundle.
func (b *Bundle) Info() Info { return b.info }

// Names returns the names of the chunks, sorted.
func (b *Bundle) Names() []string { return slices.Sorted(maps.Keys(b.chunks)) }

// Chunk returns a chunk's bytecode. The caller must not change it.
func (b *Bundle) Chunk(name string) ([]byte, error) {
	if b == nil {
		return nil, ErrNoBundle
	}
	c := b.chunks[name]
	if c == nil {
		return nil, fmt.Errorf("jsengine: %s %s has no chunk %q", b.info.Engine, b.info.Version, name)
	}
	c.once.Do(func() {
		c.code, c.err = unpack(c.packed, c.size)
		if c.err != nil {
			c.err = fmt.Errorf("jsengine: chunk %s: %w", name, c.err)
		}
	})
	return c.code, c.err
}

// decoder is shared: DecodeAll is safe for concurrent use.
var decoder = sync.OnceValues(func() (*zstd.Decoder, error) {
	return zstd.NewReader(nil, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxMemory(256<<20))
})

func unpack(packed []byte, size int) ([]byte, error) {
	d, err := decoder()
	if err != nil {
		return nil, err
	}
	code, err := d.DecodeAll(packed, nil)
	if err == nil && len(code) != size {
		err = fmt.Errorf("%d bytes instead of %d", len(code), size)
	}
	return code, err
}

// NamedChunk is a chunk for [Write].
type NamedChunk struct {
	Name string
	Code []byte // of [CompileBytecode]
}

// Write returns an asset of chunks in their order, each compressed by itself so
// that a job pays for those it uses. Equal chunks give equal bytes. It sets
// info.QuickJS.
func Write(info Info, chunks []NamedChunk) ([]byte, error) {
	enc, err := zstd.NewWriter(nil, zstd.WithEncoderLevel(zstd.SpeedBestCompression), zstd.WithEncoderConcurrency(1))
	if err != nil {
		return nil, err
	}
	defer enc.Close()
	info.QuickJS = EngineVersion()
	h := header{Info: info}
	var body []byte
	for _, c := range chunks {
		before := len(body)
		body = enc.EncodeAll(c.Code, body)
		h.Chunks = append(h.Chunks, chunkHeader{Name: c.Name, Packed: len(body) - before, Size: len(c.Code)})
	}
	dir, err := json.Marshal(h)
	if err != nil {
		return nil, err
	}
	asset := binary.LittleEndian.AppendUint32([]byte(magic), uint32(len(dir)))
	return append(append(asset, dir...), body...), nil
}
