package encoder_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/webodar/webodar/encoder"
)

// TestDifferentialZlib compares the compressor with CPython's zlib, byte by
// byte, over generated texts of all kinds and sizes, each run the same ones.
// WEBODAR_DIFFERENTIAL sets how many there are.
func TestDifferentialZlib(t *testing.T) {
	count := 3000
	if testing.Short() || raceEnabled {
		count = 500
	}
	if v := os.Getenv("WEBODAR_DIFFERENTIAL"); v != "" {
		n, err := strconv.Atoi(v)
		if err != nil {
			t.Fatalf("WEBODAR_DIFFERENTIAL: %v", err)
		}
		count = n
	}
	zlib := startZlib(t)
	bytesCompared := 0
	for seed := range uint64(count) {
		r := newRand(seed)
		k := kinds[seed%uint64(len(kinds))]
		// Every length up to 3000 has its turn in a long run; one text in
		// eight is larger, up to 300 KB.
		size := int(seed/uint64(len(kinds))) % 3001
		switch r.IntN(64) {
		case 0:
			size = 65000 + r.IntN(235000)
		case 1, 2, 3, 4, 5, 6, 7:
			size = r.IntN(1 << (10 + r.IntN(7)))
		}
		text := k.make(r, size)
		bytesCompared += len(text)
		zlib.compare(t, fmt.Sprintf("%s, seed %d", k.name, seed), text)
		if t.Failed() {
			return
		}
	}
	t.Logf("%d texts, %d bytes", count, bytesCompared)
}

// TestDifferentialFiles compares over Go's own sources, whole and cut at random.
func TestDifferentialFiles(t *testing.T) {
	if testing.Short() {
		t.Skip("-short")
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	if err != nil {
		t.Skipf("SKIPPED: no go command to find sources by: %v", err)
	}
	files, err := filepath.Glob(filepath.Join(strings.TrimSpace(string(root)), "src", "net", "*.go"))
	if err != nil || len(files) == 0 {
		t.Skipf("SKIPPED: no Go sources in %s (%v)", root, err)
	}
	zlib := startZlib(t)
	r := newRand(1)
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil || len(data) == 0 {
			continue
		}
		zlib.compare(t, file, string(data))
		for range 4 {
			from := r.IntN(len(data))
			to := from + r.IntN(len(data)-from)
			zlib.compare(t, fmt.Sprintf("%s[%d:%d]", file, from, to), string(data[from:to]))
		}
	}
}

// zlibProgram answers each text with its raw deflate bytes, both preceded by
// their length in four bytes.
const zlibProgram = `
import struct, sys, zlib
source, sink = sys.stdin.buffer, sys.stdout.buffer
while head := source.read(4):
    z = zlib.compressobj(9, zlib.DEFLATED, -15, 8, zlib.Z_DEFAULT_STRATEGY)
    out = z.compress(source.read(struct.unpack("<I", head)[0])) + z.flush()
    sink.write(struct.pack("<I", len(out)) + out)
    sink.flush()
`

// A zlibProcess is one Python process that compresses for the whole test.
type zlibProcess struct {
	in  io.Writer
	out io.Reader
}

func startZlib(t *testing.T) *zlibProcess {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		t.Skip("SKIPPED: no python3 on PATH, nothing was compared with zlib")
	}
	if err := exec.Command(python, "-c", "import zlib").Run(); err != nil {
		t.Skipf("SKIPPED: python3 has no zlib (%v), nothing was compared", err)
	}
	cmd := exec.Command(python, "-c", zlibProgram)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	var stderr strings.Builder
	cmd.Stderr = &stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		in.Close()
		if err := cmd.Wait(); err != nil {
			t.Errorf("python3: %v\n%s", err, &stderr)
		}
	})
	return &zlibProcess{in, out}
}

// deflate returns what zlib makes of text.
func (z *zlibProcess) deflate(t *testing.T, text string) []byte {
	t.Helper()
	request := binary.LittleEndian.AppendUint32(nil, uint32(len(text)))
	if _, err := z.in.Write(append(request, text...)); err != nil {
		t.Fatal(err)
	}
	var head [4]byte
	if _, err := io.ReadFull(z.out, head[:]); err != nil {
		t.Fatal(err)
	}
	data := make([]byte, binary.LittleEndian.Uint32(head[:]))
	if _, err := io.ReadFull(z.out, data); err != nil {
		t.Fatal(err)
	}
	return data
}

// compare reports where the compressor and zlib part.
func (z *zlibProcess) compare(t *testing.T, name, text string) {
	t.Helper()
	want, got := z.deflate(t, text), encoder.Deflate(text)
	if bytes.Equal(got, want) {
		return
	}
	at := 0
	for at < min(len(got), len(want)) && got[at] == want[at] {
		at++
	}
	t.Errorf("%s (%d bytes): got %d bytes, zlib %d, different from %d on", name, len(text), len(got), len(want), at)
}
