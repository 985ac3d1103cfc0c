package tools

import (
	"context"
	"encoding/json"
	"errors"
	"strings"

	"github.com/webodar/webodar/encoder"
	"github.com/webodar/webodar/internal/catalog"
)

type decodeInput struct {
	Encoded string `json:"encoded" jsonschema:"a PlantUML URL code, or a link to any PlantUML server such as https://www.plantuml.com/plantuml/svg/CODE"`
}

type decodeOutput struct {
	PlantUMLCode string `json:"plantumlCode" jsonschema:"the diagram's source as it was encoded"`
	catalog.Warned
}

// DecodePlantUML is the tool decodePlantUML: a code or link back to its text.
func DecodePlantUML() catalog.Tool {
	return catalog.Tool{
		Name:  "decodePlantUML",
		Title: "Source of a PlantUML link",
		Description: "Recovers the PlantUML source from a PlantUML link or its code, to read or change a diagram that " +
			"exists only as a link. Works offline.",
		Input:  catalog.InputSchema[decodeInput](),
		Output: catalog.OutputSchema[decodeOutput](),
		Hints:  catalog.Hints{ReadOnly: true, Idempotent: true},
		Inline: true,
		Handler: func(_ context.Context, args json.RawMessage) (*catalog.Result, error) {
			var in decodeInput
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, err
			}
			code, err := encoder.Decode(in.Encoded)
			if err != nil {
				return nil, decodeFailed(err)
			}
			out := &decodeOutput{PlantUMLCode: code}
			if !strings.Contains(code, "@start") {
				out.Warn("the text has no @start line; PlantUML reads it as if it stood between @startuml and @enduml")
			}
			return &catalog.Result{Structured: out, Text: code, Warnings: out.Warnings}, nil
		},
	}
}

// sentence makes one of a hint as the encoder writes it.
func sentence(hint string) string {
	if hint == "" {
		return ""
	}
	return strings.ToUpper(hint[:1]) + hint[1:] + "."
}

func decodeFailed(err error) *catalog.Error {
	e := &catalog.Error{Type: catalog.ToolError, Code: "DECODE_FAILED", Message: err.Error(), Cause: err}
	var bad *encoder.Error
	if errors.As(err, &bad) {
		e.Message, e.Hint = bad.Message, sentence(bad.Hint)
		e.Details = map[string]any{"reason": string(bad.Reason)}
		if bad.Offset >= 0 {
			e.Details["offset"] = bad.Offset
		}
	}
	return e
}
