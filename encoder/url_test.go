package encoder_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/encoder"
)

func TestURL(t *testing.T) {
	for _, test := range []struct {
		name   string
		opts   *encoder.Options
		prefix string
	}{
		{"nil", nil, "https://www.plantuml.com/plantuml/svg/"},
		{"zero", &encoder.Options{}, "https://www.plantuml.com/plantuml/svg/"},
		{"format", &encoder.Options{Format: "png"}, "https://www.plantuml.com/plantuml/png/"},
		{"base", &encoder.Options{BaseURL: "http://localhost:8080"}, "http://localhost:8080/svg/"},
		{"slashes", &encoder.Options{BaseURL: "http://[::1]:8080/a/b//", Format: "uml"}, "http://[::1]:8080/a/b/uml/"},
	} {
		t.Run(test.name, func(t *testing.T) {
			url, code, err := encoder.URL(helloText, test.opts)
			if err != nil {
				t.Fatal(err)
			}
			got := map[string]string{"url": url, "code": code}
			want := map[string]string{"url": test.prefix + helloCode, "code": helloCode}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			text, err := encoder.Decode(url)
			if err != nil || text != helloText {
				t.Errorf("decoded: %q, %v", text, err)
			}
		})
	}
}

func TestURLErrors(t *testing.T) {
	for _, test := range []struct {
		name   string
		opts   encoder.Options
		reason encoder.Reason
		offset int
	}{
		{"relative", encoder.Options{BaseURL: "/plantuml"}, encoder.ReasonBaseURL, 0},
		{"no scheme", encoder.Options{BaseURL: "www.plantuml.com/plantuml"}, encoder.ReasonBaseURL, 0},
		{"other scheme", encoder.Options{BaseURL: "ftp://www.plantuml.com"}, encoder.ReasonBaseURL, 0},
		{"script", encoder.Options{BaseURL: "javascript:alert(1)//"}, encoder.ReasonBaseURL, 0},
		{"no host", encoder.Options{BaseURL: "https:///plantuml"}, encoder.ReasonBaseURL, -1},
		{"port without host", encoder.Options{BaseURL: "https://:80"}, encoder.ReasonBaseURL, -1},
		{"query", encoder.Options{BaseURL: "https://host/p?a=b"}, encoder.ReasonBaseURL, 14},
		{"empty query", encoder.Options{BaseURL: "https://host/p?"}, encoder.ReasonBaseURL, 14},
		{"fragment", encoder.Options{BaseURL: "https://host/#x"}, encoder.ReasonBaseURL, 13},
		{"user", encoder.Options{BaseURL: "https://me:secret@host"}, encoder.ReasonBaseURL, -1},
		{"white space", encoder.Options{BaseURL: "https://host/a b"}, encoder.ReasonBaseURL, 14},
		{"newline", encoder.Options{BaseURL: "https://host\n"}, encoder.ReasonBaseURL, 12},
		{"bad escape", encoder.Options{BaseURL: "https://ho%zzst"}, encoder.ReasonBaseURL, -1},
		{"unknown format", encoder.Options{Format: "sgv"}, encoder.ReasonFormat, -1},
		{"upper case", encoder.Options{Format: "SVG"}, encoder.ReasonFormat, -1},
		{"path", encoder.Options{Format: "svg/../png"}, encoder.ReasonFormat, -1},
	} {
		t.Run(test.name, func(t *testing.T) {
			checkError(t, test.opts.Validate(), "encode", test.reason, test.offset)
			url, code, err := encoder.URL(helloText, &test.opts)
			checkError(t, err, "encode", test.reason, test.offset)
			if url != "" || code != "" {
				t.Errorf("besides the error: %q, %q", url, code)
			}
		})
	}
	if err := (*encoder.Options)(nil).Validate(); err != nil {
		t.Errorf("nil options: %v", err)
	}
	_, _, err := encoder.URL("\xff", nil)
	checkError(t, err, "encode", encoder.ReasonUTF8, 0)
}

// Every format makes a URL that Decode reads.
func TestFormats(t *testing.T) {
	formats := encoder.Formats()
	for _, want := range strings.Fields("svg png txt utxt uml img eps pdf latex map") {
		if !slices.Contains(formats, want) {
			t.Errorf("%q is missing from %q", want, formats)
		}
	}
	for _, format := range formats {
		url, _, err := encoder.URL(actorsText, &encoder.Options{Format: format})
		if err != nil {
			t.Errorf("%s: %v", format, err)
			continue
		}
		if text, err := encoder.Decode(url); err != nil || text != actorsText {
			t.Errorf("%s: decoded %q, %v", format, text, err)
		}
	}
	formats[0] = "changed"
	if encoder.Formats()[0] != encoder.DefaultFormat {
		t.Error("Formats hands out its own memory")
	}
}
