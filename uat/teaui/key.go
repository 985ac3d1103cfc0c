package teaui

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
)

// special are the keys that have a name, with the names that tea.Key.String gives
// first and other usual ones after.
var special = map[string]rune{
	"up": tea.KeyUp, "down": tea.KeyDown, "left": tea.KeyLeft, "right": tea.KeyRight,
	"home": tea.KeyHome, "end": tea.KeyEnd, "pgup": tea.KeyPgUp, "pgdown": tea.KeyPgDown,
	"pageup": tea.KeyPgUp, "pagedown": tea.KeyPgDown, "pgdn": tea.KeyPgDown,
	"enter": tea.KeyEnter, "return": tea.KeyEnter, "tab": tea.KeyTab, "esc": tea.KeyEscape, "escape": tea.KeyEscape,
	"space": tea.KeySpace, "backspace": tea.KeyBackspace, "delete": tea.KeyDelete, "del": tea.KeyDelete,
	"insert": tea.KeyInsert,
	"f1":     tea.KeyF1, "f2": tea.KeyF2, "f3": tea.KeyF3, "f4": tea.KeyF4, "f5": tea.KeyF5, "f6": tea.KeyF6,
	"f7": tea.KeyF7, "f8": tea.KeyF8, "f9": tea.KeyF9, "f10": tea.KeyF10, "f11": tea.KeyF11, "f12": tea.KeyF12,
}

var modifiers = map[string]tea.KeyMod{
	"ctrl": tea.ModCtrl, "alt": tea.ModAlt, "shift": tea.ModShift, "meta": tea.ModMeta, "super": tea.ModSuper,
}

// parseKey reads a key as tea.Key.String writes it: "a", "A", "ctrl+s", "shift+tab",
// "space", "?", "+", "ctrl++". Case does not count in names and modifiers.
func parseKey(name string) (tea.KeyPressMsg, error) {
	var mod tea.KeyMod
	rest := name
	for {
		i := strings.IndexByte(rest, '+')
		if i <= 0 || i == len(rest)-1 {
			break
		}
		m, ok := modifiers[strings.ToLower(rest[:i])]
		if !ok {
			return tea.KeyPressMsg{}, fmt.Errorf("key %q: %q is no modifier; there are alt, ctrl, meta, shift, super", name, rest[:i])
		}
		mod |= m
		rest = rest[i+1:]
	}
	if code, ok := special[strings.ToLower(rest)]; ok {
		key := tea.Key{Code: code, Mod: mod}
		if code == tea.KeySpace && mod == 0 {
			key.Text = " "
		}
		return tea.KeyPressMsg(key), nil
	}
	if ansi.StringWidth(rest) == 0 || graphemes(rest) != 1 {
		return tea.KeyPressMsg{}, fmt.Errorf("there is no key %q; a key is one character, or one of up, down, left, right, home, end, pgup, pgdown, enter, tab, esc, space, "+
			"backspace, delete, insert, f1 to f12, with ctrl+, alt+ or shift+ before it. Several keys have blanks between them; text is for type", name)
	}
	key := typed(rest)
	switch {
	case mod == tea.ModShift:
		if upper := unicode.ToUpper(key.Code); upper != key.Code {
			return tea.KeyPressMsg(typed(string(upper))), nil
		}
		key.Mod |= mod
	case mod != 0:
		if mod.Contains(tea.ModCtrl) && !mod.Contains(tea.ModShift) {
			key.Mod, key.ShiftedCode = 0, 0 // Ctrl+S is ctrl+s
		}
		key.Mod |= mod
		key.Text = "" // a key with ctrl or alt enters nothing
	}
	return tea.KeyPressMsg(key), nil
}

// typed is the key that enters one character, as terminals without the Kitty protocol
// report it.
func typed(text string) tea.Key {
	r, size := utf8.DecodeRuneInString(text)
	switch {
	case size < len(text):
		return tea.Key{Code: tea.KeyExtended, Text: text}
	case r == ' ':
		return tea.Key{Code: tea.KeySpace, Text: " "}
	case r < utf8.RuneSelf && unicode.IsUpper(r):
		return tea.Key{Code: unicode.ToLower(r), ShiftedCode: r, Mod: tea.ModShift, Text: text}
	}
	return tea.Key{Code: r, Text: text}
}

// lineBreaks makes one character of each line break, before clusters are looked for:
// CR LF is a cluster by itself, and CR CR LF would become one.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// keysOf are the keys that enter a text: a key for each character a user sees,
// combining marks with what they combine with; enter for a line break.
func keysOf(text string) []tea.KeyPressMsg {
	text = lineBreaks.Replace(text)
	var keys []tea.KeyPressMsg
	for text != "" {
		cluster, _ := ansi.FirstGraphemeCluster(text, ansi.GraphemeWidth)
		if cluster == "" {
			_, size := utf8.DecodeRuneInString(text)
			cluster = text[:size]
		}
		text = text[len(cluster):]
		switch cluster {
		case "\n":
			keys = append(keys, tea.KeyPressMsg{Code: tea.KeyEnter})
		case "\t":
			keys = append(keys, tea.KeyPressMsg{Code: tea.KeyTab})
		default:
			keys = append(keys, tea.KeyPressMsg(typed(cluster)))
		}
	}
	return keys
}

func graphemes(s string) (n int) {
	for ; s != ""; n++ {
		cluster, _ := ansi.FirstGraphemeCluster(s, ansi.GraphemeWidth)
		if cluster == "" {
			return n + 1
		}
		s = s[len(cluster):]
	}
	return n
}
