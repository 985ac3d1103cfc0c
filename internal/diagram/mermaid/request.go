package mermaid

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode"
)

// MaxCode is the most bytes a diagram's source may have.
const MaxCode = 1 << 20

// Themes are the names that mermaid registers. Without one, mermaid chooses by the
// type of diagram.
var Themes = []string{
	"default", "base", "dark", "forest", "neutral", "neo", "neo-dark",
	"redux", "redux-dark", "redux-color", "redux-dark-color",
}

// Request is what to draw. It travels between processes as JSON.
type Request struct {
	Code       string `json:"code"`
	Theme      string `json:"theme,omitempty"`      // one of Themes; empty is mermaid's choice
	Background string `json:"background,omitempty"` // a CSS colour, or transparent; empty is none
	Config     Config `json:"config"`               // of [ParseConfig]
	Model      bool   `json:"model,omitempty"`      // wanted in the drawing
	CheckOnly  bool   `json:"checkOnly,omitempty"`  // parse, do not draw
}

// Check says what stops the request from being tried, without an engine.
func (r *Request) Check() *Problem {
	switch {
	case len(r.Code) > MaxCode:
		return &Problem{
			Code: InputTooLarge, Field: "code",
			Message: fmt.Sprintf("code has %d bytes; the limit is %d (1 MiB)", len(r.Code), MaxCode),
			Hint:    "Split the diagram into several.",
		}
	case isBlank(r.Code):
		return &Problem{
			Code: InvalidInput, Field: "code", Message: "code is empty",
			Hint: "Pass Mermaid source that begins with the type of diagram, such as: flowchart TD",
		}
	case r.Theme != "" && !slices.Contains(Themes, r.Theme):
		return &Problem{
			Code: InvalidInput, Field: "theme", Near: near(r.Theme, Themes),
			Message: fmt.Sprintf("theme %q is not one that mermaid has", clip(r.Theme, 60)),
			Hint:    "Use one of " + strings.Join(Themes, ", ") + ", or leave theme out.",
		}
	case r.Background != "" && !isColour(r.Background):
		return &Problem{
			Code: InvalidInput, Field: "background",
			Message: fmt.Sprintf("background %q is not a CSS colour", clip(r.Background, 60)),
			Hint:    `Use a name (white), a hexadecimal colour (#ffffff), rgb(…) or hsl(…), or "transparent".`,
		}
	}
	return nil
}

// isBlank reports whether s has nothing but white space in Unicode's sense, a byte
// order mark included.
func isBlank(s string) bool {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\ufeff' }) == ""
}

// id names the picture: equal requests give equal ids, others do not clash on a page.
func (r *Request) id() string {
	drawn := *r
	drawn.Model, drawn.CheckOnly = false, false
	text, err := json.Marshal(drawn)
	if err != nil {
		text = []byte(r.Code) // a config that does not encode was refused before
	}
	sum := sha256.Sum256(text)
	return "mermaid-" + hex.EncodeToString(sum[:6])
}

// clip shortens s for a message.
func clip(s string, n int) string {
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
