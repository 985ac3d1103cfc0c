package httpcompat

import (
	"net/http"

	"github.com/webodar/webodar/internal/catalog"
)

// statusClientClosed is nginx's, for the log: nobody is there to read it.
const statusClientClosed = 499

// statusOfCode is the published status of each code.
var statusOfCode = map[string]int{
	"EMPTY_CODE":             http.StatusBadRequest,
	"INVALID_JSON":           http.StatusBadRequest,
	"INVALID_REQUEST":        http.StatusBadRequest,
	"INVALID_UTF8":           http.StatusBadRequest,
	"INVALID_INPUT":          http.StatusBadRequest,
	"INVALID_CONFIG":         http.StatusBadRequest,
	"INVALID_TIMEOUT":        http.StatusBadRequest,
	"TOOL_NAME_REQUIRED":     http.StatusBadRequest,
	"UNAUTHORIZED":           http.StatusUnauthorized,
	"FORBIDDEN":              http.StatusForbidden,
	"NOT_FOUND":              http.StatusNotFound,
	"RESOURCE_NOT_FOUND":     http.StatusNotFound,
	"TOOL_NOT_FOUND":         http.StatusNotFound,
	"METHOD_NOT_ALLOWED":     http.StatusMethodNotAllowed,
	"CONNECTION_TIMEOUT":     http.StatusRequestTimeout,
	"CODE_TOO_LARGE":         http.StatusRequestEntityTooLarge,
	"REQUEST_TOO_LARGE":      http.StatusRequestEntityTooLarge,
	"INPUT_TOO_LARGE":        http.StatusRequestEntityTooLarge,
	"UNSUPPORTED_MEDIA_TYPE": http.StatusUnsupportedMediaType,
	"INVALID_ARGUMENTS":      http.StatusUnprocessableEntity,
	"DECODE_FAILED":          http.StatusUnprocessableEntity,
	"PARSE_ERROR":            http.StatusUnprocessableEntity,
	"UNSUPPORTED_DIAGRAM":    http.StatusUnprocessableEntity,
	"RATE_LIMITED":           http.StatusTooManyRequests,
	"CANCELLED":              statusClientClosed,
	"ENCODING_FAILED":        http.StatusInternalServerError,
	"SERIALIZATION_ERROR":    http.StatusInternalServerError, // 400 inbound, see Status
	"RENDER_FAILED":          http.StatusInternalServerError,
	"PDF_GENERATION_FAILED":  http.StatusInternalServerError,
	"INTERNAL_ERROR":         http.StatusInternalServerError,
	"TOOL_FAILED":            http.StatusBadGateway,
	"BACKEND_DISCONNECTED":   http.StatusBadGateway, // 503 with a time to retry, see Status
	"CONNECTION_REFUSED":     http.StatusServiceUnavailable,
	"CIRCUIT_OPEN":           http.StatusServiceUnavailable,
	"TIMEOUT":                http.StatusGatewayTimeout,
	"GATEWAY_TIMEOUT":        http.StatusGatewayTimeout,
	"RENDER_TIMEOUT":         http.StatusGatewayTimeout,
}

// statusOfType is for codes that a tool has made up.
var statusOfType = map[catalog.Type]int{
	catalog.ParseError:          http.StatusBadRequest,
	catalog.EncodingError:       http.StatusBadRequest,
	catalog.InvalidRequestError: http.StatusBadRequest,
	catalog.Unauthorized:        http.StatusUnauthorized,
	catalog.Forbidden:           http.StatusForbidden,
	catalog.MethodNotFound:      http.StatusNotFound,
	catalog.ToolNotFound:        http.StatusNotFound,
	catalog.ResourceNotFound:    http.StatusNotFound,
	catalog.PromptNotFound:      http.StatusNotFound,
	catalog.ConnectionTimeout:   http.StatusRequestTimeout,
	catalog.RequestTooLarge:     http.StatusRequestEntityTooLarge,
	catalog.ValidationError:     http.StatusUnprocessableEntity,
	catalog.TypeError:           http.StatusUnprocessableEntity,
	catalog.ToolError:           http.StatusUnprocessableEntity,
	catalog.Cancelled:           statusClientClosed,
	catalog.ConnectionRefused:   http.StatusServiceUnavailable,
	catalog.TimeoutError:        http.StatusGatewayTimeout,
	catalog.GatewayTimeout:      http.StatusGatewayTimeout,
	catalog.BackendDisconnected: http.StatusBadGateway,
	catalog.CircuitOpen:         http.StatusServiceUnavailable,
	catalog.RateLimited:         http.StatusTooManyRequests,
}

// Status is the HTTP status of e: its code's, else its type's, else 500.
func Status(e *catalog.Error) int {
	switch {
	case e.Code == "SERIALIZATION_ERROR" && e.Details["limitDepth"] != nil:
		return http.StatusBadRequest // what the client sent is nested too deep
	case e.Code == "BACKEND_DISCONNECTED" && e.RetryAfter > 0:
		return http.StatusServiceUnavailable
	}
	if status, ok := statusOfCode[e.Code]; ok {
		return status
	}
	if status, ok := statusOfType[e.Type]; ok {
		return status
	}
	return http.StatusInternalServerError
}
