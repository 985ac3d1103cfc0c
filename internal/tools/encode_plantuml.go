package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"unicode"

	"github.com/webodar/webodar/encoder"
	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// Limits of encodePlantUML.
const (
	maxCode    = 50 * 1024 // bytes of UTF-8 after JSON decoding (spec 001; 50 KB is 51,200)
	maxBody    = 1 << 20   // a body may be larger than the code through escapes
	wrappedURL = 2000      // characters from which on some clients wrap or cut a link
	refusedURL = 7500      // characters from which on plantuml.com refuses, with its headers about 8 KB
)

// The errors whose code and message are published in spec 001.
var (
	errEmptyCode = &catalog.Error{
		Type: catalog.ValidationError, Code: "EMPTY_CODE", Exact: true,
		Message: "plantumlCode is required and cannot be empty",
		Hint:    "Pass the diagram's source, from @startuml to @enduml.",
	}
	errCodeTooLarge = &catalog.Error{
		Type: catalog.ValidationError, Code: "CODE_TOO_LARGE", Exact: true,
		Message: "PlantUML code exceeds maximum size of 50KB",
		Hint:    "Split the diagram into smaller ones; the limit is 51,200 bytes of UTF-8.",
	}
	errBodyTooLarge = &catalog.Error{
		Type: catalog.RequestTooLarge, Code: errCodeTooLarge.Code, Exact: true,
		Message: errCodeTooLarge.Message, Hint: errCodeTooLarge.Hint,
	}
	errBadText = &catalog.Error{
		Type: catalog.EncodingError, Code: "ENCODING_FAILED", Exact: true,
		Message: "Failed to encode PlantUML code",
		Hint:    "The text is not valid Unicode: send UTF-8, and no half of a surrogate pair such as \\ud800.",
	}
)

// encodeInput is the argument of encodePlantUML. Its schema is published in
// spec 001, description included.
type encodeInput struct {
	PlantUMLCode string `json:"plantumlCode" jsonschema:"Valid PlantUML diagram code (must start with @startuml and end with @enduml)"`
}

// encodeOutput is the result of encodePlantUML.
type encodeOutput struct {
	URL     string `json:"url" jsonschema:"link that shows the diagram"`
	Encoded string `json:"encoded" jsonschema:"the diagram as PlantUML's URL code"`
	Format  string `json:"format" jsonschema:"what the link shows: svg"`
	catalog.Warned
}

// EncodePlantUML is the tool encodePlantUML (spec 001): PlantUML text to a link.
func EncodePlantUML(links *encoder.Options) catalog.Tool {
	return catalog.Tool{
		Name:        "encodePlantUML",
		Title:       "PlantUML link",
		Description: "Encodes PlantUML diagram code into a shareable URL for viewing on plantuml.com",
		Input:       catalog.InputSchema[encodeInput](),
		Output:      catalog.OutputSchema[encodeOutput](),
		Hints:       catalog.Hints{ReadOnly: true, Idempotent: true},
		OwnCodes:    true,
		Inline:      true,
		MaxBody:     maxBody,
		TooLarge:    errBodyTooLarge,
		BadText:     errBadText,
		Handler: func(_ context.Context, args json.RawMessage) (res *catalog.Result, err error) {
			// The contract has one answer to whatever goes wrong in here.
			defer func() {
				if p := recover(); p != nil {
					e := encodingFailed(fmt.Errorf("panic: %v", p))
					e.Hint = "Try again with a smaller or simpler diagram."
					res, err = nil, e
				}
			}()
			return encode(links, args)
		},
	}
}

func encode(links *encoder.Options, args json.RawMessage) (*catalog.Result, error) {
	var code string
	for key, value := range wirejson.Members(args) {
		if key != "plantumlCode" {
			continue
		}
		if wirejson.Kind(value) != '"' {
			return nil, errEmptyCode
		}
		text, offset, ok := wirejson.Unquote(value)
		if !ok {
			return nil, encodingFailed(fmt.Errorf("lone surrogate at byte %d of the string", offset))
		}
		code = text
	}
	if isBlank(code) {
		return nil, errEmptyCode
	}
	if len(code) > maxCode {
		return nil, errCodeTooLarge
	}
	url, encoded, err := encoder.URL(code, links)
	if err != nil {
		return nil, encodingFailed(err)
	}
	out := &encodeOutput{URL: url, Encoded: encoded, Format: encoder.DefaultFormat}
	if warning := linkWarning(len(url)); warning != "" {
		out.Warn(warning)
	}
	return &catalog.Result{Structured: out, Text: url, Warnings: out.Warnings}, nil
}

// linkWarning says what a link of this length may run into.
func linkWarning(length int) string {
	switch {
	case length > refusedURL:
		return fmt.Sprintf("the link has %d characters; plantuml.com refuses requests over about 8 KB (URL plus headers), "+
			"so split the diagram or point --plantuml-url at a server of your own with a higher limit", length)
	case length > wrappedURL:
		return fmt.Sprintf("the link has %d characters; some clients wrap or cut links over %d, "+
			"so pass it on as one unbroken line or split the diagram", length, wrappedURL)
	}
	return ""
}

// isBlank reports whether s is white space only, a byte order mark included.
func isBlank(s string) bool {
	return strings.TrimFunc(s, func(r rune) bool { return unicode.IsSpace(r) || r == '\uFEFF' }) == ""
}

// encodingFailed is errBadText with what happened, for the log.
func encodingFailed(cause error) *catalog.Error {
	e := *errBadText
	e.Cause = cause
	return &e
}
