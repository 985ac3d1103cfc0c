package mcpserver

import (
	"net/http"
	"strconv"

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
		w.Header().Set("Retry-After", strconv.Itoa(e.RetryAfterSeconds()))
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
	if e == nil {
		return http.StatusOK
	}
	switch e.Type {
	case catalog.ConnectionRefused:
		return http.StatusServiceUnavailable
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
