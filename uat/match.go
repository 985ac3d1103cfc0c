package uat

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode"
)

// Match is what is asked of a value; all that is given must hold. A match without
// anything asks only that the value is there.
//
// What is read off the screen (titles, widgets, text) is compared with runs of white
// space, box drawing and block elements taken as one blank, so that a sentence that a
// panel wraps is still that sentence.
type Match struct {
	Equals   *Scalar  `json:"equals,omitempty"`
	Contains Texts    `json:"contains,omitempty"`
	Lacks    Texts    `json:"lacks,omitempty"`
	Matches  string   `json:"matches,omitempty"`  // a regular expression in RE2's syntax
	AtLeast  *float64 `json:"at_least,omitempty"` // of a number
	AtMost   *float64 `json:"at_most,omitempty"`
}

// Scalar is the text of a string, number, boolean or null.
type Scalar string

// Texts is one text or a list of them.
type Texts []string

// IsZero reports whether the match asks for nothing.
func (m Match) IsZero() bool {
	return m.Equals == nil && m.Contains == nil && m.Lacks == nil && m.Matches == "" && m.AtLeast == nil && m.AtMost == nil
}

// Validate reports what no value can be held against.
func (m Match) Validate() error {
	for name, texts := range map[string]Texts{"contains": m.Contains, "lacks": m.Lacks} {
		if texts != nil && len(texts) == 0 {
			return fmt.Errorf("%s lists nothing", name)
		}
		for _, t := range texts {
			if strings.TrimSpace(t) == "" {
				return fmt.Errorf("%s has an empty text, which says nothing", name)
			}
		}
	}
	for _, bound := range []*float64{m.AtLeast, m.AtMost} {
		if bound != nil && (math.IsNaN(*bound) || math.IsInf(*bound, 0)) {
			return errors.New("a bound is not a number")
		}
	}
	if m.AtLeast != nil && m.AtMost != nil && *m.AtLeast > *m.AtMost {
		return fmt.Errorf("at_least %v is over at_most %v", *m.AtLeast, *m.AtMost)
	}
	if m.Matches != "" {
		if _, err := regexp.Compile(m.Matches); err != nil {
			return fmt.Errorf("matches is no regular expression: %w", err)
		}
	}
	return nil
}

// onScreen holds for text that was read off the screen.
func (m Match) onScreen(text string) bool {
	m.Contains, m.Lacks = flattenAll(m.Contains), flattenAll(m.Lacks)
	if m.Equals != nil {
		flat := Scalar(flatten(string(*m.Equals)))
		m.Equals = &flat
	}
	return m.holds(flatten(text))
}

// holds for a value as encoding/json or database/sql have it.
func (m Match) holds(value any) bool {
	text, number, isNumber := render(value)
	if m.Equals != nil && string(*m.Equals) != text {
		want, err := strconv.ParseFloat(string(*m.Equals), 64)
		if _, isText := value.(string); isText || err != nil || !isNumber || want != number {
			return false
		}
	}
	for _, t := range m.Contains {
		if !strings.Contains(text, t) {
			return false
		}
	}
	for _, t := range m.Lacks {
		if strings.Contains(text, t) {
			return false
		}
	}
	if m.Matches != "" {
		pattern, err := regexp.Compile(m.Matches)
		if err != nil || !pattern.MatchString(text) {
			return false
		}
	}
	if m.AtLeast != nil && (!isNumber || number < *m.AtLeast) {
		return false
	}
	return m.AtMost == nil || isNumber && number <= *m.AtMost
}

// render returns a value's text, and its number where it is one or a text of one.
func render(value any) (text string, number float64, isNumber bool) {
	switch v := value.(type) {
	case nil:
		return "null", 0, false
	case string:
		text = v
	case []byte:
		text = string(v)
	case fmt.Stringer:
		text = v.String()
	default:
		encoded, err := json.Marshal(v)
		if err != nil {
			return fmt.Sprint(v), 0, false
		}
		text = string(encoded)
	}
	number, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
	return text, number, err == nil && !math.IsNaN(number)
}

// flatten takes runs of white space and of the characters that borders, scroll bars
// and gauges are drawn with (U+2500 to U+259F) as one blank.
func flatten(text string) string {
	return strings.Join(strings.FieldsFunc(text, func(r rune) bool {
		return unicode.IsSpace(r) || r >= 0x2500 && r <= 0x259F
	}), " ")
}

func flattenAll(texts Texts) Texts {
	flat := make(Texts, len(texts))
	for i, t := range texts {
		flat[i] = flatten(t)
	}
	return flat
}

// String is the match as it follows the name of what it is asked of.
func (m Match) String() string {
	var parts []string
	add := func(word, value string) { parts = append(parts, word+" "+value) }
	if m.Equals != nil {
		add("equals", strconv.Quote(string(*m.Equals)))
	}
	for _, t := range m.Contains {
		add("contains", strconv.Quote(t))
	}
	for _, t := range m.Lacks {
		add("lacks", strconv.Quote(t))
	}
	if m.Matches != "" {
		add("matches", m.Matches)
	}
	if m.AtLeast != nil {
		add("is at least", strconv.FormatFloat(*m.AtLeast, 'g', -1, 64))
	}
	if m.AtMost != nil {
		add("is at most", strconv.FormatFloat(*m.AtMost, 'g', -1, 64))
	}
	return strings.Join(parts, " and ")
}

// UnmarshalJSON takes any scalar.
func (s *Scalar) UnmarshalJSON(data []byte) error {
	var value any
	if err := json.Unmarshal(data, &value); err != nil {
		return err
	}
	switch v := value.(type) {
	case string:
		*s = Scalar(v)
	case map[string]any, []any:
		return errors.New("equals is a text, a number, true, false or null")
	default:
		*s = Scalar(data)
	}
	return nil
}

// UnmarshalJSON takes a text or a list of texts.
func (t *Texts) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*t = Texts{one}
		return nil
	}
	return json.Unmarshal(data, (*[]string)(t))
}
