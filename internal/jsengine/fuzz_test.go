package jsengine_test

import (
	"encoding/json"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/jsengine"
)

// FuzzCrossing sends JSON through a realm and a host function and wants it back.
func FuzzCrossing(f *testing.F) {
	for _, seed := range []string{
		`null`, `[1,-0.5,1e300,"é\u0000😀",{"a":{"b":[]}}]`, `{"__proto__":{"x":1},"constructor":2,"":3}`, `"\u2028</script>"`, `[[[[]]]]`,
	} {
		f.Add(seed)
	}
	var crossed any
	r := realm(f, `globalThis.f = (v) => { keep([v]); return v }`, &jsengine.Options{Host: map[string]jsengine.HostFunc{
		"keep": func(args []any) (any, error) {
			crossed = args[0]
			return nil, nil
		},
	}})
	f.Fuzz(func(t *testing.T, text string) {
		var want any
		if !utf8.ValidString(text) || len(text) > 1000 || json.Unmarshal([]byte(text), &want) != nil {
			t.Skip()
		}
		answer, err := r.Call(t.Context(), "f", want)
		if err != nil {
			t.Fatal(err)
		}
		var got, host any
		if err := json.Unmarshal(answer, &got); err != nil {
			t.Fatal(err)
		}
		if err := json.Unmarshal(crossed.(json.RawMessage), &host); err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Error(diff)
		}
		if diff := cmp.Diff([]any{want}, host); diff != "" {
			t.Error(diff)
		}
	})
}
