package gateway

import (
	"errors"
	"fmt"
	"time"

	"github.com/webodar/webodar/internal/catalog"
)

// Reasons why a request ends before its answer.
var (
	errSilent  = errors.New("the server was silent for too long")
	errStopped = errors.New("the server is not mounted any more")
)

func (u *upstream) details(more map[string]any) map[string]any {
	d := map[string]any{"upstream": u.name}
	for k, v := range more {
		d[k] = v
	}
	return d
}

// silentError is for a server that let the time for an answer pass.
func (u *upstream) silentError(what string, limit time.Duration) *catalog.Error {
	return &catalog.Error{
		Type: catalog.GatewayTimeout, Code: "GATEWAY_TIMEOUT",
		Message: fmt.Sprintf("server %s gave no sign of life for %s; %s was cancelled", u.name, limit, what),
		Hint:    "Try again later, or give the server a higher timeout in the configuration.",
		Details: u.details(map[string]any{
			"timeoutMs": limit.Milliseconds(), "retryable": true, "cancelled": []string{what},
		}),
	}
}

// lost is for a server that went away during a request.
func (u *upstream) lost(cause error, retryable bool, attempts int) *catalog.Error {
	hint := "The request may have been executed: find out before you send it again."
	if retryable {
		hint = "The request was not executed, or may be executed twice: send it again."
	}
	return &catalog.Error{
		Type: catalog.BackendDisconnected, Code: "BACKEND_DISCONNECTED",
		Message: fmt.Sprintf("the connection to server %s was lost: %s", u.name, u.gateway.redact.clean(cause.Error())),
		Hint:    hint, Cause: cause,
		Details: u.details(map[string]any{"retryable": retryable, "attempts": attempts}),
	}
}

// gone is for a server that is not there.
func (u *upstream) gone(what string) *catalog.Error {
	why, next, met := u.trouble()
	text := fmt.Sprintf("%s left with server %s, which is down", what, u.name)
	if !met {
		text = fmt.Sprintf("%s is not there: server %s has not been connected yet", what, u.name)
	}
	if why != "" {
		text += ": " + why
	}
	return &catalog.Error{
		Type: catalog.BackendDisconnected, Code: "BACKEND_DISCONNECTED", Message: text,
		Hint:    fmt.Sprintf("It is tried again in %s.", max(next, 100*time.Millisecond).Round(100*time.Millisecond)),
		Details: u.details(map[string]any{"retryable": true, "retryAfterMs": next.Milliseconds()}), RetryAfter: max(next, time.Millisecond),
	}
}

// open is for a server whose calls are held back.
func (u *upstream) open(next time.Duration) *catalog.Error {
	next = max(next, time.Millisecond)
	return &catalog.Error{
		Type: catalog.CircuitOpen, Code: "CIRCUIT_OPEN",
		Message: fmt.Sprintf("server %s fails too often; calls are held back", u.name),
		Hint:    fmt.Sprintf("Whether it is back is found out in %s.", next.Round(100*time.Millisecond)),
		Details: u.details(map[string]any{"retryAfterMs": next.Milliseconds()}), RetryAfter: next,
	}
}

// busy is for one request too many.
func (u *upstream) busy(limit int) *catalog.Error {
	return &catalog.Error{
		Type: catalog.RateLimited, Code: "RATE_LIMITED",
		Message: fmt.Sprintf("server %s has %d requests in flight, which is the limit (mcpServers.%s.callsInFlight)", u.name, limit, u.name),
		Hint:    "Try again when some have ended.",
		Details: u.details(map[string]any{"limit": "callsInFlight", "max": limit, "retryAfterMs": 1000}), RetryAfter: time.Second,
	}
}

// broken is for an answer that is none.
func (u *upstream) broken(bad *badAnswer) *catalog.Error {
	return &catalog.Error{
		Type: catalog.SerializationError, Code: "SERIALIZATION_ERROR",
		Message: fmt.Sprintf("server %s answered with what is no valid result: %s", u.name, bad.reason),
		Hint:    "This is a fault of that server; its other tools may work.",
		Details: u.details(map[string]any{"reason": bad.reason}), Cause: bad,
	}
}

// refused is an error that the server itself answered with.
func (u *upstream) refused(e *rpcError) *catalog.Error {
	details := u.details(map[string]any{"code": e.Code})
	if len(e.Data) > 0 {
		details["data"] = e.Data
	}
	return &catalog.Error{Type: catalog.ToolError, Code: "TOOL_FAILED", Message: e.Message, Details: details, Wire: e.WireError}
}
