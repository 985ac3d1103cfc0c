package encoder_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/encoder"
)

var update = flag.Bool("update", false, "rewrite testdata/golden.tsv with what python3's zlib gives")

// Types of the first block, in RFC 1951's numbers.
const (
	stored = iota
	fixed
	dynamic
)

// goldenTexts names texts that between them reach every branch of the
// compressor, and the type of block each begins with.
var goldenTexts = []struct {
	name  string
	block byte
	text  func() string
}{
	{"empty", fixed, func() string { return "" }},
	{"newline", fixed, func() string { return "\n" }},
	{"two bytes", fixed, func() string { return "AB" }},
	{"shortest match", fixed, func() string { return "xabcabc" }},
	{"match at the very start", fixed, func() string { return "abcdefabcdef" }},
	{"run of 258", fixed, func() string { return strings.Repeat("a", 258) }},
	{"run of 261", fixed, func() string { return strings.Repeat("a", 261) }},
	{"run of 1000", fixed, func() string { return strings.Repeat("-", 1000) }},
	{"small diagram", fixed, func() string { return "@startuml\nclass A\nclass B\nA <|-- B\n@enduml\n" }},
	{"diagram", dynamic, func() string { return diagram(newRand(1), 1200) }},
	{"unicode", dynamic, func() string { return unicodeText(newRand(2), 900) }},
	{"emoji", fixed, func() string {
		return strings.Repeat("👩‍💻 → 🖥️\n", 3) + "Größe: ½ m², naïve Ω\n" + strings.Repeat("日本語", 9)
	}},
	{"incompressible short text", stored, func() string { return "ßéøÆþÐñçÿûŽşőłŦŋźŵķĦ¿¬¶Þ" }},
	{"incompressible bytes", stored, func() string { return randomBytes(newRand(3), 50_000, 256) }},
	{"long codes", dynamic, func() string { return fibonacci() }},
	{"block of 16383 symbols", dynamic, func() string { return randomBytes(newRand(4), 16_383, 64) }},
	{"block of 16384 symbols", dynamic, func() string { return randomBytes(newRand(4), 16_384, 64) }},
	{"several blocks", dynamic, func() string { return randomBytes(newRand(5), 70_000, 90) }},
	{"beyond the window, repetitive", dynamic, func() string { return strings.Repeat(diagram(newRand(6), 700), 200) }},
	{"beyond the window, far matches", dynamic, func() string { return copies(newRand(7), 250_000) }},
	{"beyond the window, similar lines", dynamic, func() string { return mutated(newRand(8), 120_000) }},
	{"beyond the window, mixed", dynamic, func() string { return "@startuml\n" + mixture(newRand(9), 300_000) }},
	{"beyond the window, diagram", dynamic, func() string { return diagram(newRand(10), 200_000) }},
}

// fibonacci has bytes as frequent as the Fibonacci numbers, in an order without
// repetition worth a match: the deepest tree there is, with codes beyond 15 bits.
func fibonacci() string {
	var b []byte
	for i, n, next := 0, 1, 1; i < 19; i, n, next = i+1, next, n+next {
		b = append(b, bytes.Repeat([]byte{byte('A' + i)}, n)...)
	}
	newRand(11).Shuffle(len(b), func(i, j int) { b[i], b[j] = b[j], b[i] })
	return string(b)
}

// TestGolden compares with codes made by CPython's zlib. Long ones are kept as
// hashes. The hash of the text tells a changed generator from a wrong code.
func TestGolden(t *testing.T) {
	file := filepath.Join("testdata", "golden.tsv")
	if *update {
		updateGolden(t, file)
	}
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	golden := map[string]string{}
	for line := range strings.Lines(string(data)) {
		if name, rest, found := strings.Cut(strings.TrimSuffix(line, "\n"), "\t"); found && !strings.HasPrefix(name, "#") {
			golden[name] = rest
		}
	}
	if len(golden) != len(goldenTexts) {
		t.Errorf("%d texts, but %d lines in %s; run with -update", len(goldenTexts), len(golden), file)
	}
	for _, test := range goldenTexts {
		t.Run(test.name, func(t *testing.T) {
			text := test.text()
			raw := encoder.Deflate(text)
			if diff := cmp.Diff(golden[test.name], goldenLine(text, raw)); diff != "" {
				t.Errorf("hash of the text and code (-want +got):\n%s", diff)
			}
			if block := raw[0] >> 1 & 3; block != test.block {
				t.Errorf("the first block is of type %d, want %d", block, test.block)
			}
			if utf8.ValidString(text) {
				if diff := cmp.Diff(plantumlBase64(string(raw)), mustEncode(t, text)); diff != "" {
					t.Errorf("characters (-want +got):\n%s", diff)
				}
			}
		})
	}
}

// goldenLine describes a text and its deflate stream.
func goldenLine(text string, raw []byte) string {
	code := plantumlBase64(string(raw))
	if len(code) > 400 {
		code = fmt.Sprintf("%d characters, sha256 %s", len(code), hash(code))
	}
	return hash(text) + "\t" + code
}

func hash(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:16])
}

func updateGolden(t *testing.T, file string) {
	zlib := startZlib(t)
	var b strings.Builder
	b.WriteString("# text<TAB>first half of its sha256<TAB>code, or its length and the like hash; from CPython's zlib, see golden_test.go\n")
	for _, test := range goldenTexts {
		text := test.text()
		fmt.Fprintf(&b, "%s\t%s\n", test.name, goldenLine(text, zlib.deflate(t, text)))
	}
	if err := os.WriteFile(file, []byte(b.String()), 0o644); err != nil {
		t.Fatal(err)
	}
}
