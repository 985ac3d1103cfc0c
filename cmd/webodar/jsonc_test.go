package main

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPlainJSON(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"plain", `{"a": [1, 2]}`, `{"a": [1, 2]}`},
		{"line comment", "{\"a\": 1 // one\n}", "{\"a\": 1       \n}"},
		{"block comment", "{/* a\nb */}", "{    \n    }"},
		{"open comment", `{} /* x`, `{}     `},
		{"trailing commas", `{"a": [1,], "b": 2, }`, `{"a": [1 ], "b": 2  }`},
		{"comma before comment", `[1, /* x */ ]`, `[1          ]`},
		{"strings", `["// \" /* ,]", ",}"]`, `["// \" /* ,]", ",}"]`},
		{"open string", `["a\`, `["a\`},
		{"byte order mark", "\ufeff{}", "   {}"},
		{"lone slash", `[1/2]`, `[1/2]`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, string(plainJSON([]byte(tt.in)))); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
		})
	}
}

// FuzzPlainJSON holds that JSON means the same afterwards and that no length
// changes.
func FuzzPlainJSON(f *testing.F) {
	f.Add(`{"a": "//", "b": [1, "/*", ",]"]}`)
	f.Add("[1, // x\n]")
	f.Fuzz(func(t *testing.T, in string) {
		out := plainJSON([]byte(in))
		if len(out) != len(in) {
			t.Fatalf("%d bytes became %d", len(in), len(out))
		}
		if json.Valid([]byte(in)) && in != string(out) {
			t.Fatalf("%q became %q", in, out)
		}
	})
}
