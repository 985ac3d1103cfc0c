package wirejson_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/wirejson"
)

func TestCheckPosition(t *testing.T) {
	tests := []struct {
		name, text   string
		reason       wirejson.Reason
		offset       int
		line, column int
		message      string
	}{
		{"empty", "", wirejson.Truncated, 0, 1, 1, "the text ends where a value is expected"},
		{"word", "hello", wirejson.Syntax, 0, 1, 1, "expected a value, found 'h'"},
		{"trailing comma", `{"a":1,}`, wirejson.Syntax, 7, 1, 8, "expected a member name in double quotes, found '}'"},
		{"single quotes", `{'a':1}`, wirejson.Syntax, 1, 1, 2, "expected a member name in double quotes, found '\\''"},
		{"no colon", "{\n  \"é\" 1}", wirejson.Syntax, 9, 2, 7, "expected ':' after a member name, found '1'"},
		{"truncated object", `{"a":`, wirejson.Truncated, 5, 1, 6, "the text ends where a value is expected"},
		{"truncated string", `{"a":"b`, wirejson.Truncated, 5, 1, 6, "the string that starts here has no closing quote"},
		{"truncated escape", `"\u12`, wirejson.Truncated, 0, 1, 1, "the string that starts here has no closing quote"},
		{"truncated word", `tru`, wirejson.Truncated, 3, 1, 4, "the text ends within true"},
		{"second value", `{} {}`, wirejson.Syntax, 3, 1, 4, "text after the end of the JSON value, '{'"},
		{"raw newline", "\"a\nb\"", wirejson.Syntax, 2, 1, 3, "a control character within a string must be escaped, as in \\n"},
		{"bad escape", `"a\x41"`, wirejson.Syntax, 2, 1, 3, "not an escape sequence that JSON has"},
		{"leading zero", `01`, wirejson.Syntax, 1, 1, 2, "text after the end of the JSON value, '1'"},
		{"NaN", `NaN`, wirejson.Syntax, 0, 1, 1, "expected a value, found 'N'"},
		{"byte order mark", "\ufeff{}", wirejson.Syntax, 0, 1, 1, "expected a value, found a byte order mark"},
		{"not UTF-8", "{\"a\":\"\xff\"}", wirejson.UTF8, 6, 1, 7, "byte 0xff is not valid UTF-8"},
		{"too deep", "[[[[1]]]]", wirejson.Depth, 3, 1, 4, "arrays and objects are nested too deep"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := wirejson.Check([]byte(tt.text), 3)
			if err == nil {
				t.Fatal("passed")
			}
			got := []any{err.Reason, err.Offset, err.Line, err.Column, err.Message}
			want := []any{tt.reason, tt.offset, tt.line, tt.column, tt.message}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestMembers(t *testing.T) {
	text := ` { "a" : 1 , "b":"x,}\"" ,"c":{"d":[1,{"e":null}]}, "\u0064":[], "n":-1.5e3 , "t":true} `
	got := map[string]string{}
	for k, v := range wirejson.Members([]byte(text)) {
		got[k] = string(v)
	}
	want := map[string]string{
		"a": "1", "b": `"x,}\""`, "c": `{"d":[1,{"e":null}]}`, "d": "[]", "n": "-1.5e3", "t": "true",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	for _, other := range []string{`[1]`, `"a"`, `{}`, `null`} {
		for k := range wirejson.Members([]byte(other)) {
			t.Errorf("%s: yielded %q", other, k)
		}
	}
}

func TestElements(t *testing.T) {
	var got []string
	for v := range wirejson.Elements([]byte(` [ 1, "a]" ,{"b":[2]}, [] ] `)) {
		got = append(got, string(v))
	}
	if diff := cmp.Diff([]string{"1", `"a]"`, `{"b":[2]}`, "[]"}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

func TestUnquoteLoneSurrogate(t *testing.T) {
	for text, offset := range map[string]int{
		`"\ud800"`:       1,
		`"ab\ud800x"`:    3,
		`"\udc00\ud800"`: 1,
		`"\ud83d\ud83d"`: 1,
		`"\ud83d\n"`:     1,
	} {
		if s, at, ok := wirejson.Unquote([]byte(text)); ok || at != offset {
			t.Errorf("%s: got %q, offset %d, %v; want offset %d", text, s, at, ok, offset)
		}
		if at := wirejson.LoneSurrogate([]byte(text)); at != offset {
			t.Errorf("LoneSurrogate(%s) = %d, want %d", text, at, offset)
		}
	}
	if at := wirejson.LoneSurrogate([]byte(`{"a\\ud800":"\ud83d\ude00"}`)); at != -1 {
		t.Errorf("a sound text: offset %d", at)
	}
}

// FuzzCheck holds the package against encoding/json.
func FuzzCheck(f *testing.F) {
	for _, seed := range []string{
		`{}`, `[1,2,{"a":"b"}]`, `"\u00e9\ud83d\ude00"`, `-0.5e+10`, `{"a":{"b":[null,true,false]}}`,
		`{"a":1,}`, `"\ud800"`, `[`, `01`, "\"\xff\"", ` 1 `, `{"a" : 1 , "b":"x,}\""}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		err := wirejson.Check(data, 1000)
		want := json.Valid(data) && utf8.Valid(data)
		if strings.Count(string(data), "[")+strings.Count(string(data), "{") < 1000 && (err == nil) != want {
			t.Fatalf("Check = %v, encoding/json says %v", err, want)
		}
		if err != nil {
			if err.Offset < 0 || err.Offset > len(data) {
				t.Fatalf("offset %d of %d", err.Offset, len(data))
			}
			return
		}
		var members map[string]json.RawMessage
		if json.Unmarshal(data, &members) == nil && wirejson.Kind(data) == '{' {
			got := map[string]json.RawMessage{}
			for k, v := range wirejson.Members(data) {
				got[k] = v
			}
			if wirejson.LoneSurrogate(data) < 0 {
				if !maps.EqualFunc(members, got, func(a, b json.RawMessage) bool { return bytes.Equal(a, b) }) {
					t.Fatalf("members: want %s, got %s", members, got)
				}
			}
		}
		var s string
		if wirejson.Kind(data) == '"' && json.Unmarshal(data, &s) == nil {
			if got, _, ok := wirejson.Unquote(data); ok && got != s {
				t.Fatalf("Unquote = %q, want %q", got, s)
			}
		}
	})
}

func BenchmarkCheck(b *testing.B) {
	text := []byte(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"encodePlantUML","arguments":{"plantumlCode":"` +
		strings.Repeat(`Alice -> Bob : hello\n`, 48) + `"}}}`)
	b.Run("Check", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if err := wirejson.Check(text, 200); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("encoding_json.Valid", func(b *testing.B) {
		b.SetBytes(int64(len(text)))
		for b.Loop() {
			if !json.Valid(text) {
				b.Fatal("invalid")
			}
		}
	})
}
