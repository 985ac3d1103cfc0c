package teaui

import (
	"strings"
	"testing"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
)

func TestKeys(t *testing.T) {
	for name, want := range map[string]struct{ name, text string }{
		"a": {"a", "a"}, "A": {"A", "A"}, "shift+a": {"A", "A"}, "é": {"é", "é"}, "?": {"?", "?"}, "+": {"+", "+"},
		"space": {"space", " "}, "enter": {"enter", ""}, "Enter": {"enter", ""}, "return": {"enter", ""}, "escape": {"esc", ""},
		"ctrl+s": {"ctrl+s", ""}, "Ctrl+S": {"ctrl+s", ""}, "ctrl+shift+s": {"ctrl+shift+s", ""}, "alt+A": {"alt+shift+a", ""}, "ctrl++": {"ctrl++", ""}, "shift+tab": {"shift+tab", ""}, "alt+enter": {"alt+enter", ""},
		"ctrl+alt+x": {"ctrl+alt+x", ""}, "f5": {"f5", ""}, "pagedown": {"pgdown", ""}, "日": {"日", "日"}, "👩‍👩‍👧": {"👩‍👩‍👧", "👩‍👩‍👧"},
	} {
		key, err := parseKey(name)
		if err != nil || key.String() != want.name || key.Text != want.text {
			t.Errorf("%s: %q with text %q, %v", name, key.String(), key.Text, err)
		}
	}
	for _, name := range []string{"", "ab", "entr", "hyper+x", "ctrl+", "f99", "\x00\x00"} {
		if key, err := parseKey(name); err == nil {
			t.Errorf("%q is %s", name, key)
		}
	}
}

// FuzzKeysOf holds that a text that is typed arrives.
func FuzzKeysOf(f *testing.F) {
	for _, seed := range []string{"hello", "e\u0301", "日本", "a\r\nb\tc", "\r\r\n00", "👩‍👩‍👧x", "\xff", "\u0301", "A b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var got strings.Builder
		for _, key := range keysOf(text) {
			switch key.Code {
			case tea.KeyEnter:
				got.WriteString("\n")
			case tea.KeyTab:
				got.WriteString("\t")
			default:
				got.WriteString(key.Text)
			}
		}
		want := strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(text)
		if utf8.ValidString(text) && got.String() != want {
			t.Errorf("%q arrives as %q", want, got.String())
		}
	})
}

func FuzzParseKey(f *testing.F) {
	for _, seed := range []string{"a", "ctrl+s", "shift+A", "+", "++", "ctrl++", "", "space", "é", "ctrl+é"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, name string) {
		key, err := parseKey(name)
		if err == nil && key.Code == 0 {
			t.Errorf("%q is the key of nothing", name)
		}
	})
}
