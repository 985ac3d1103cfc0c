package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/diagram/mermaid"
	"github.com/webodar/webodar/internal/wirejson"
)

// Limits of timeout_ms.
const (
	minTimeout     = 1000
	maxTimeout     = 120_000
	defaultTimeout = 30_000
)

// drawArguments are the arguments of a drawing tool, as they are read one by one so
// that each mistake has its own code and all are told at once.
type drawArguments struct {
	known    []string
	members  map[string]json.RawMessage
	envelope *envelope
	fails    []drawFail
}

// readArguments reads args, an object. What the tool does not know is ignored with a
// warning.
func readArguments(args json.RawMessage, env *envelope, known ...string) *drawArguments {
	a := &drawArguments{known: known, members: map[string]json.RawMessage{}, envelope: env}
	for name, value := range wirejson.Members(args) {
		a.members[name] = value
		if !slices.Contains(known, name) {
			note := fmt.Sprintf("%s is no argument of this tool and was ignored", catalog.Clip(strconv.Quote(name), 60))
			if near := catalog.Suggest(name, known); len(near) > 0 {
				note += "; did you mean " + near[0] + "?"
			}
			a.warn(note)
		}
	}
	return a
}

func (a *drawArguments) warn(text string) { a.envelope.Warnings = append(a.envelope.Warnings, text) }

// value returns a member's JSON; null is as good as absent.
func (a *drawArguments) value(name string) (json.RawMessage, bool) {
	v := bytes.TrimSpace(a.members[name])
	return v, len(v) > 0 && string(v) != "null" && slices.Contains(a.known, name)
}

func (a *drawArguments) refuse(code, name, expected, message, hint string) {
	f := catalog.Field{Path: name, Expected: expected, Got: "nothing"}
	if v, ok := a.value(name); ok {
		f.Got = wirejson.TypeName(v)
		var shown any
		if json.Unmarshal(v, &shown) == nil {
			switch s := shown.(type) {
			case string:
				f.Value = catalog.Clip(s, 100)
			case float64, bool:
				f.Value = s
			}
		}
	}
	a.fails = append(a.fails, drawFail{
		Code: code, Message: message, hint: hint, kind: catalog.ValidationError,
		Details: map[string]any{"fields": []catalog.Field{f}},
	})
}

// text reads a string.
func (a *drawArguments) text(name string) string {
	v, ok := a.value(name)
	if !ok {
		return ""
	}
	if v[0] != '"' {
		a.refuse("INVALID_INPUT", name, "string", fmt.Sprintf("%s: expected string, got %s", name, wirejson.TypeName(v)), "Pass it as a string.")
		return ""
	}
	s, _, sound := wirejson.Unquote(v)
	if !sound {
		a.refuse("INVALID_INPUT", name, "Unicode text", name+" holds half of a surrogate pair, which is no character", "Send both halves of the pair, or the character itself.")
		return ""
	}
	return s
}

// yes reads a boolean, also one that is spelt as a string.
func (a *drawArguments) yes(name string) bool {
	v, ok := a.value(name)
	switch s := strings.Trim(string(v), `"`); {
	case !ok:
	case s != "true" && s != "false":
		a.refuse("INVALID_INPUT", name, "boolean", fmt.Sprintf("%s: expected boolean, got %s", name, wirejson.TypeName(v)), "Pass true or false.")
	default:
		if v[0] == '"' {
			a.warn(fmt.Sprintf("%s: took the string %q as boolean", name, s))
		}
		return s == "true"
	}
	return false
}

// timeout reads timeout_ms, also as a string.
func (a *drawArguments) timeout() time.Duration {
	const name = "timeout_ms"
	v, ok := a.value(name)
	if !ok {
		return defaultTimeout * time.Millisecond
	}
	n, err := strconv.ParseFloat(strings.Trim(string(v), `"`), 64)
	switch {
	case err != nil || n != float64(int64(n)):
		a.refuse("INVALID_TIMEOUT", name, "integer", name+" must be a whole number of milliseconds", fmt.Sprintf("Pass %d to %d, or leave it out for %d.", minTimeout, maxTimeout, defaultTimeout))
		return 0
	case n < minTimeout || n > maxTimeout:
		a.refuse("INVALID_TIMEOUT", name, fmt.Sprintf("integer from %d to %d", minTimeout, maxTimeout),
			fmt.Sprintf("%s is %d; it must be from %d to %d", name, int64(n), minTimeout, maxTimeout), fmt.Sprintf("Leave it out for %d.", defaultTimeout))
		return 0
	}
	if v[0] == '"' {
		a.warn(fmt.Sprintf("%s: took the string %s as integer", name, v))
	}
	return time.Duration(n) * time.Millisecond
}

// number reads a number, also as a string; 0 if there is none. what is number or integer.
func (a *drawArguments) number(name, what string, least, most float64) float64 {
	v, ok := a.value(name)
	if !ok {
		return 0
	}
	n, err := strconv.ParseFloat(strings.Trim(string(v), `"`), 64)
	if err != nil || !(n >= least && n <= most) || what == "integer" && n != math.Trunc(n) {
		expected := fmt.Sprintf("%s from %v to %v", what, least, most)
		a.refuse("INVALID_INPUT", name, expected, fmt.Sprintf("%s: expected %s", name, expected), "Leave it out for the picture's own size.")
		return 0
	}
	if v[0] == '"' {
		a.warn(fmt.Sprintf("%s: took the string %s as %s", name, v, what))
	}
	return n
}

// config reads config_json.
func (a *drawArguments) config() mermaid.Config {
	const name = "config_json"
	v, ok := a.value(name)
	if !ok {
		return mermaid.Config{}
	}
	if v[0] != '"' && v[0] != '{' {
		a.refuse("INVALID_CONFIG", name, "string or object", fmt.Sprintf("%s: expected string or object, got %s", name, wirejson.TypeName(v)), "Pass a JSON object, or the same as a string.")
		return mermaid.Config{}
	}
	if v[0] == '"' {
		text := a.text(name)
		if strings.TrimSpace(text) != "" {
			if err := catalog.CheckJSON([]byte(text)); err != nil {
				a.refuse("INVALID_CONFIG", name, "a JSON object", name+": "+err.Message, `Pass an object such as {"flowchart":{"curve":"linear"}}, or the same as a string.`)
				return mermaid.Config{}
			}
		}
	}
	c, warnings, problem := mermaid.ParseConfig(v)
	for _, w := range warnings {
		a.warn(w)
	}
	if problem != nil {
		a.problem(problem)
	}
	return c
}

// problem tells a problem that mermaid found in an argument.
func (a *drawArguments) problem(p *mermaid.Problem) {
	f := problemFail(p)
	f.kind = catalog.ValidationError
	f.Details["fields"] = []catalog.Field{{Path: p.Field, Expected: strings.TrimSuffix(p.Hint, "."), Got: p.Message}}
	a.fails = append(a.fails, f)
}

// problemFail is a problem in the envelope's words.
func problemFail(p *mermaid.Problem) drawFail {
	details := p.Details()
	delete(details, "hint") // told once, by the envelope
	return drawFail{Code: string(p.Code), Message: p.Message, Details: details, hint: p.Hint}
}
