package jsengine

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// ErrSpent is what a realm answers after a limit ended it, or after Close.
var ErrSpent = errors.New("jsengine: the realm is spent")

// ErrStalled means that the promise cannot settle any more: nothing is queued.
var ErrStalled = errors.New("jsengine: the promise never settles: no job, timer or animation frame is left")

// Limit names what a realm ran out of.
type Limit string

// What a realm can run out of.
const (
	Memory Limit = "memory"
	Stack  Limit = "stack"
	Time   Limit = "time"
)

// LimitError says that a script hit a limit. Err is the context's cause where
// Limit is [Time].
type LimitError struct {
	Limit Limit
	Err   error
}

func (e *LimitError) Error() string {
	if e.Err != nil {
		return fmt.Sprintf("jsengine: out of %s: %v", e.Limit, e.Err)
	}
	return fmt.Sprintf("jsengine: out of %s", e.Limit)
}

func (e *LimitError) Unwrap() error { return e.Err }

// ScriptError is an exception that script threw and did not catch.
type ScriptError struct {
	Name    string `json:"name"`    // as in TypeError; empty if what was thrown is no Error
	Message string `json:"message"` // or the thrown value as a string
	Stack   string `json:"stack"`   // function names; bytecode carries no lines
	// Props are the exception's own properties as JSON, cut to a few levels
	// and without functions and cycles. Parsers keep positions there.
	Props json.RawMessage `json:"props"`
}

func (e *ScriptError) Error() string {
	if e.Name == "" || strings.HasPrefix(e.Message, e.Name) {
		return e.Message
	}
	return e.Name + ": " + e.Message
}

var (
	_ error = (*LimitError)(nil)
	_ error = (*ScriptError)(nil)
)

// classifyScript recognises the limits among exceptions. QuickJS throws them as
// InternalError, which scripts do not throw themselves, and null where there was
// no memory left for the exception.
func classifyScript(e *ScriptError) error {
	switch {
	case e.Name == "InternalError" && strings.Contains(e.Message, "out of memory"),
		e.Name == "" && e.Message == "null":
		return &LimitError{Limit: Memory}
	case e.Name == "InternalError" && strings.Contains(e.Message, "stack overflow"):
		return &LimitError{Limit: Stack}
	}
	return e
}
