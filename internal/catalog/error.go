package catalog

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strings"
	"time"
)

// Type is the class of a failure, the name that clients see as data.type over
// JSON-RPC and in metrics. Together the constants are the error contract.
type Type string

// The types of failure, each with the moment it stands for.
const (
	ParseError          Type = "ParseError"           // not JSON, truncated, trailing junk
	EncodingError       Type = "EncodingError"        // not UTF-8
	InvalidRequestError Type = "InvalidRequestError"  // a broken JSON-RPC envelope or HTTP request
	RequestTooLarge     Type = "RequestTooLargeError" // over the message limit
	SerializationError  Type = "SerializationError"   // nested too deep, or a result that cannot be encoded
	MethodNotFound      Type = "MethodNotFound"       // a method this server does not have
	ToolNotFound        Type = "ToolNotFoundError"    // a tool this server does not have
	ResourceNotFound    Type = "ResourceNotFound"     // a resource this server does not have
	PromptNotFound      Type = "PromptNotFound"       // a prompt this server does not have
	ValidationError     Type = "ValidationError"      // arguments that break the schema or the tool's own rules
	TypeError           Type = "TypeError"            // arguments of types that cannot be coerced
	TimeoutError        Type = "TimeoutError"         // the server's limit on a call
	ConnectionTimeout   Type = "ConnectionTimeout"    // a client too slow to send
	ConnectionRefused   Type = "ConnectionRefusedError"
	RateLimited         Type = "RateLimited"         // over the rate, or over the calls in flight
	GatewayTimeout      Type = "GatewayTimeout"      // a mounted server is silent
	BackendDisconnected Type = "BackendDisconnected" // a mounted server is gone, before or during the call
	CircuitOpen         Type = "CircuitOpen"         // calls of a mounted server are held back for a while
	Unauthorized        Type = "Unauthorized"        // no or wrong bearer token
	Forbidden           Type = "Forbidden"           // a Host or Origin that is not allowed
	Cancelled           Type = "Cancelled"           // the client cancelled or left
	ToolError           Type = "ToolError"           // the tool's own failure, with the tool's own code
	InternalError       Type = "InternalError"
)

// Error is the one error type that crosses package borders. Doors map it to a
// REST status, a JSON-RPC error or a line on stderr; nothing else does.
type Error struct {
	Type    Type
	Code    string // machine-readable and upper case: EMPTY_CODE, INVALID_ARGUMENTS
	Message string // what was wrong and where; no final period
	Hint    string // what to do next, one or two sentences; may be empty

	// Details are further facts, encodable as JSON. They become members of
	// JSON-RPC's error.data and REST's error.details.
	Details map[string]any

	// Envelope is the answer to a failed call of a tool that has one shape for
	// success and failure. Doors show it instead of one of their own; over REST
	// its members other than ok become members of error.details.
	Envelope map[string]any

	// Exact asks doors to show Message and Code alone: their shape is fixed by
	// a published interface.
	Exact bool

	// Wire is the error that a mounted server answered with. Doors that speak
	// JSON-RPC show it as it came.
	Wire *WireError

	// TextOnly asks doors to leave structured content out of the result: the
	// tool's output schema, which is not ours, would reject it.
	TextOnly bool

	// RetryAfter is when trying again makes sense; 0 says nothing about it.
	RetryAfter time.Duration

	// Cause is for the log. It is never shown to clients.
	Cause error
}

// WireError is a JSON-RPC error object (section 5.1).
type WireError struct {
	Code    int64           `json:"code"`
	Message string          `json:"message"`
	Data    json.RawMessage `json:"data,omitempty"`
}

func (e *Error) Error() string {
	if e.Hint == "" {
		return e.Message
	}
	return e.Message + ". " + e.Hint
}

func (e *Error) Unwrap() error { return e.Cause }

// RetryAfterSeconds is RetryAfter as HTTP's header of that name has it, rounded
// up.
func (e *Error) RetryAfterSeconds() int { return int(math.Ceil(e.RetryAfter.Seconds())) }

// AsError returns err as an *Error. What is not one already is an internal
// error, whose text stays out of the answer.
func AsError(err error) *Error {
	if err == nil {
		return nil
	}
	var e *Error
	if errors.As(err, &e) {
		return e
	}
	return Internal(err)
}

// Internal wraps a bug or an unforeseen failure.
func Internal(cause error) *Error {
	return &Error{
		Type: InternalError, Code: "INTERNAL_ERROR",
		Message: "an unexpected error occurred in the server",
		Hint:    "The server goes on; its log has the details under this request id.",
		Cause:   cause,
	}
}

// Unencodable says that a tool's result is no JSON value. The cause names Go
// types and stays in the log.
func Unencodable(cause error) *Error {
	return &Error{
		Type: SerializationError, Code: "SERIALIZATION_ERROR", Message: "the tool's result cannot be encoded as JSON", Cause: cause,
		Details: map[string]any{"reason": "it holds a value that JSON has no form for"},
	}
}

// unknown says that there is no item of this name, and which known names are
// close. what is what a person calls the item; member is where details name it.
func unknown(kind Type, code, what, member, name string, known []string) *Error {
	name = Clip(name, 100)
	near := Suggest(name, known)
	msg := fmt.Sprintf("%s %q not found", what, name)
	if len(near) > 0 {
		msg += "; did you mean " + strings.Join(near, ", ") + "?"
	} else {
		msg += fmt.Sprintf("; list the %ss to see what there is", what)
	}
	return &Error{Type: kind, Code: code, Message: msg, Details: map[string]any{member: name, "suggestions": near}}
}

func toolNotFound(name string, known []string) *Error {
	return unknown(ToolNotFound, "TOOL_NOT_FOUND", "tool", "tool", name, known)
}

// Clip shortens s to at most n runes, the last an ellipsis, for use in messages.
func Clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	r := []rune(s)
	if len(r) <= n {
		return s
	}
	return string(r[:n-1]) + "…"
}
