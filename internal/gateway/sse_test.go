package gateway

import (
	"strings"
	"testing"
)

func FuzzEvents(f *testing.F) {
	for _, seed := range []string{"data: a\n\n", "id: 1\nevent: message\nretry: 5\ndata: a\ndata: b\r\n\r\n", ": hi\n\n\n\ndata\n\n", "data: cut"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := newEventReader(strings.NewReader(text))
		for n := 0; ; n++ {
			if _, err := r.next(); err != nil {
				return
			}
			if n > len(text) {
				t.Fatal("more events than bytes")
			}
		}
	})
}

func FuzzMessage(f *testing.F) {
	for _, seed := range []string{`{"jsonrpc":"2.0","id":1073741825,"result":{}}`, `{"method":"x"}`, `{"id":"a","error":{"code":1}}`, `[]`, `{"id":1e9,"error":7}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := readMessage(text)
		if err != nil {
			guessSerial(text)
			return
		}
		m.serial()
		if m.method == "" {
			if res, err := m.answer(); res == nil && err == nil {
				t.Error("an answer without a word")
			}
		}
	})
}
