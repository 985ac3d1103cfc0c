package catalog

import (
	"fmt"

	"github.com/webodar/webodar/internal/wirejson"
)

// MaxDepth is how deep JSON from a client may nest.
const MaxDepth = 200

// DefaultMessageBytes is the most bytes a message or body from a client may
// have, unless configured otherwise.
const DefaultMessageBytes = 8 << 20

// CheckJSON reports what stops data from being one JSON text that the doors
// accept, as an error of the contract; nil means nothing does.
func CheckJSON(data []byte) *Error {
	bad := wirejson.Check(data, MaxDepth)
	if bad == nil {
		return nil
	}
	at := map[string]any{"offset": bad.Offset, "line": bad.Line, "column": bad.Column, "near": bad.Near}
	switch bad.Reason {
	case wirejson.UTF8:
		return &Error{
			Type: EncodingError, Code: "INVALID_UTF8",
			Message: fmt.Sprintf("offset %d: %s", bad.Offset, bad.Message),
			Hint:    "Send the message as UTF-8.",
			Details: map[string]any{"offset": bad.Offset},
		}
	case wirejson.Depth:
		return &Error{
			Type: SerializationError, Code: "SERIALIZATION_ERROR",
			Message: fmt.Sprintf("arrays and objects are nested deeper than %d levels", MaxDepth),
			Hint:    "Flatten the value; JSON has no way to write a circular one.",
			Details: map[string]any{"limitDepth": MaxDepth, "offset": bad.Offset},
		}
	}
	return &Error{
		Type: ParseError, Code: "INVALID_JSON",
		Message: "not valid JSON: " + bad.Error(),
		Details: at,
	}
}

// TooLarge is the error for a message or body over limit bytes.
func TooLarge(limit int64) *Error {
	return &Error{
		Type: RequestTooLarge, Code: "REQUEST_TOO_LARGE",
		Message: fmt.Sprintf("the message is larger than %d bytes", limit),
		Hint:    "Send less, or start the server with a higher limits.messageBytes.",
		Details: map[string]any{"limitBytes": limit},
	}
}
