package main

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSnippets holds what each client is told for each way to reach the
// server: a change of these files is a change that users see.
func TestSnippets(t *testing.T) {
	stdio := &setup{name: "webodar", command: "/usr/local/bin/webodar", args: []string{"serve"}}
	windows := &setup{name: "webodar", command: `C:\Program Files\webodar\webodar.exe`, args: []string{"serve"}}
	local := &setup{name: "webodar", url: mustURL(t, "http://127.0.0.1:8080/mcp")}
	token := &setup{name: "webodar", url: mustURL(t, "https://diagrams.example.org/mcp"), token: true}
	for _, c := range clients {
		for name, s := range map[string]*setup{"stdio": stdio, "windows": windows, "http": local, "token": token} {
			t.Run(c.name+"/"+name, func(t *testing.T) {
				m := testMachine("linux")
				if s == windows {
					m = testMachine("windows")
				}
				var b bytes.Buffer
				if err := writeJSON(&b, c.snippet(s)); err != nil {
					t.Fatal(err)
				}
				b.WriteString("\n" + strings.Join(c.next(s, m), "\n") + "\n")
				golden(t, filepath.Join("testdata", "config", c.name+"-"+name+".golden"), b.String())
			})
		}
	}
}

func TestPlaces(t *testing.T) {
	var b strings.Builder
	for _, goos := range []string{"darwin", "linux", "windows"} {
		b.WriteString(goos + "\n")
		for _, c := range clients {
			for _, p := range c.places(testMachine(goos)) {
				b.WriteString("  " + c.name + ": " + p.path + " (" + p.scope + ")\n")
			}
		}
	}
	golden(t, filepath.Join("testdata", "config", "places.golden"), b.String())
}

func testMachine(goos string) *machine {
	if goos == "windows" {
		return &machine{
			os: goos, home: `C:\Users\ann`, appData: `C:\Users\ann\AppData\Roaming`, localAppData: `C:\Users\ann\AppData\Local`,
			claudeCode: `C:\Users\ann`, project: `C:\work`,
		}
	}
	return &machine{os: goos, home: "/home/ann", config: "/home/ann/.config", claudeCode: "/home/ann", project: "/work"}
}

func TestParseEndpoint(t *testing.T) {
	for in, want := range map[string]string{
		"8080":                          "http://127.0.0.1:8080/mcp",
		":8080":                         "http://127.0.0.1:8080/mcp",
		"localhost:8080":                "http://localhost:8080/mcp",
		"[::]:8080":                     "http://127.0.0.1:8080/mcp",
		"http://127.0.0.1:8080/":        "http://127.0.0.1:8080/mcp",
		"https://example.org/tools/mcp": "https://example.org/tools/mcp",
		"ftp://example.org":             "",
		"https://me:secret@example.org": "",
		"http://":                       "",
		"http://a b":                    "",
	} {
		got := ""
		if u, err := parseEndpoint(in); err == nil {
			got = u.String()
		}
		if got != want {
			t.Errorf("parseEndpoint(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestQuote(t *testing.T) {
	tests := []struct{ goos, in, want string }{
		{"linux", "/usr/bin/webodar", "/usr/bin/webodar"},
		{"linux", "", "''"},
		{"linux", "it's $HOME", `'it'\''s $HOME'`},
		{"windows", `C:\bin\webodar.exe`, `C:\bin\webodar.exe`},
		{"windows", `C:\Program Files\w.exe`, `"C:\Program Files\w.exe"`},
		{"windows", `{"a":1}`, `"{\"a\":1}"`},
	}
	for _, tt := range tests {
		if got := quote(tt.goos, tt.in); got != tt.want {
			t.Errorf("quote(%s, %s) = %s, want %s", tt.goos, tt.in, got, tt.want)
		}
	}
}

func mustURL(t *testing.T, s string) *url.URL {
	t.Helper()
	u, err := url.Parse(s)
	if err != nil {
		t.Fatal(err)
	}
	return u
}

// golden compares got with a file, or with -update writes it.
func golden(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	// Git may have checked the file out with the line ends of the system.
	if diff := cmp.Diff(strings.ReplaceAll(string(want), "\r\n", "\n"), got); diff != "" {
		t.Errorf("%s (-want +got), -update writes it:\n%s", file, diff)
	}
}
