package mcpserver

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/webodar/webodar/internal/catalog"
)

// Refuse answers an HTTP request that the listener turns away before a message
// is read: a JSON-RPC error without an id.
func Refuse(w http.ResponseWriter, _ *http.Request, status int, e *catalog.Error) {
	writeRPCError(w, status, jsonrpc.ID{}, e)
}

// CORS returns the headers that let a page of an allowed origin use the
// endpoint.
func CORS() http.Header {
	return http.Header{
		"Access-Control-Allow-Methods":  {"GET, POST, DELETE, OPTIONS"},
		"Access-Control-Allow-Headers":  {"Accept, Authorization, Content-Type, Last-Event-ID, Mcp-Method, Mcp-Name, Mcp-Protocol-Version, Mcp-Session-Id"},
		"Access-Control-Expose-Headers": {"Mcp-Session-Id"},
	}
}

func writeRPCError(w http.ResponseWriter, status int, id jsonrpc.ID, e *catalog.Error) {
	if e.RetryAfter > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.RetryAfter.Seconds()+0.999)))
	}
	body := encodeError(id, rpcError(e))
	w.Header().Set("Content-Type", "application/json")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that is gone has no use for it
}

// statusClientClosed is nginx's status for a client that left; only the log
// gets to see it.
const statusClientClosed = 499

// refusalStatus is the HTTP status for a message that the guard refuses: a
// request that was understood gets its error with 200, but for what protocol
// 2026-07-28 prescribes.
func refusalStatus(e *catalog.Error, modern bool) int {
	switch e.Type {
	case catalog.RequestTooLarge:
		return http.StatusRequestEntityTooLarge
	case catalog.ConnectionTimeout:
		return http.StatusRequestTimeout
	case catalog.Cancelled:
		return statusClientClosed
	case catalog.MethodNotFound:
		if modern {
			return http.StatusNotFound
		}
		return http.StatusOK
	case invalidParamsType:
		if modern {
			return http.StatusBadRequest
		}
		return http.StatusOK
	}
	switch e.Code {
	case "UNSUPPORTED_MEDIA_TYPE":
		return http.StatusUnsupportedMediaType
	case "SESSION_NOT_FOUND":
		return http.StatusNotFound
	case "INTERNAL_ERROR":
		return http.StatusInternalServerError
	}
	return http.StatusBadRequest
}

// contractWriter turns the SDK's refusals, which are plain text, into JSON-RPC
// errors, and remembers the status.
type contractWriter struct {
	http.ResponseWriter
	id      jsonrpc.ID // of the request, once it is read
	status  int
	plain   bool           // a plain refusal was begun and its text is awaited
	refusal *catalog.Error // the refusal, once written
}

// Unwrap lets http.ResponseController through.
func (w *contractWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (w *contractWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	if status >= 400 && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.plain = true
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *contractWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	if !w.plain {
		return w.ResponseWriter.Write(p)
	}
	w.plain = false
	w.refusal = refusal(w.status, strings.TrimSpace(string(p)))
	writeRPCError(w.ResponseWriter, w.status, w.id, w.refusal)
	return len(p), nil
}

// refusal puts the SDK's reason for an HTTP status into the contract.
func refusal(status int, text string) *catalog.Error {
	text = strings.TrimPrefix(text, "Bad Request: ")
	e := invalidRequest(text, map[string]any{"reason": text})
	switch {
	case status >= 500:
		return catalog.Internal(nil)
	case strings.HasPrefix(text, "Accept"):
		e.Hint = "Send the header Accept: application/json, text/event-stream."
	}
	return e
}
