package httpcompat_test

import (
	"net/http/httptest"
	"testing"
	"time"

	"github.com/webodar/webodar/httpcompat"
	"github.com/webodar/webodar/internal/catalog"
)

func TestStatus(t *testing.T) {
	byStatus := map[int][]string{
		400: {"EMPTY_CODE", "INVALID_JSON", "INVALID_REQUEST", "INVALID_UTF8", "INVALID_INPUT", "INVALID_CONFIG", "INVALID_TIMEOUT", "TOOL_NAME_REQUIRED"},
		401: {"UNAUTHORIZED"},
		403: {"FORBIDDEN"},
		404: {"NOT_FOUND", "TOOL_NOT_FOUND"},
		405: {"METHOD_NOT_ALLOWED"},
		408: {"CONNECTION_TIMEOUT"},
		413: {"CODE_TOO_LARGE", "REQUEST_TOO_LARGE", "INPUT_TOO_LARGE"},
		415: {"UNSUPPORTED_MEDIA_TYPE"},
		422: {"INVALID_ARGUMENTS", "DECODE_FAILED", "PARSE_ERROR", "UNSUPPORTED_DIAGRAM"},
		429: {"RATE_LIMITED"},
		500: {"ENCODING_FAILED", "RENDER_FAILED", "PDF_GENERATION_FAILED", "INTERNAL_ERROR", "SERIALIZATION_ERROR", "NOBODY_KNOWS"},
		502: {"TOOL_FAILED", "BACKEND_DISCONNECTED"},
		503: {"CONNECTION_REFUSED", "CIRCUIT_OPEN"},
		504: {"TIMEOUT", "GATEWAY_TIMEOUT", "RENDER_TIMEOUT"},
	}
	for status, codes := range byStatus {
		for _, code := range codes {
			if got := httpcompat.Status(&catalog.Error{Code: code}); got != status {
				t.Errorf("%s: %d, want %d", code, got, status)
			}
		}
	}
	other := []struct {
		err    catalog.Error
		status int
	}{
		{catalog.Error{Code: "SERIALIZATION_ERROR", Details: map[string]any{"limitDepth": 200}}, 400},
		{catalog.Error{Code: "SERIALIZATION_ERROR", Details: map[string]any{"reason": "NaN"}}, 500},
		{catalog.Error{Code: "BACKEND_DISCONNECTED", RetryAfter: time.Second}, 503},
		{catalog.Error{Code: "OWN", Type: catalog.ToolError}, 422},
		{catalog.Error{Code: "OWN", Type: catalog.ValidationError}, 422},
		{catalog.Error{Code: "OWN", Type: catalog.InvalidRequestError}, 400},
		{catalog.Error{Code: "EMPTY_CODE", Type: catalog.ValidationError}, 400},
		{catalog.Error{Type: catalog.Cancelled}, 499},
		{catalog.Error{Type: catalog.InternalError}, 500},
		{catalog.Error{}, 500},
	}
	for _, tt := range other {
		if got := httpcompat.Status(&tt.err); got != tt.status {
			t.Errorf("%+v: %d, want %d", tt.err, got, tt.status)
		}
	}
}

func TestWriteError(t *testing.T) {
	tests := []struct {
		name       string
		err        *catalog.Error
		status     int
		body       string
		retryAfter string
		connection string
	}{
		{
			"unauthorized", &catalog.Error{Type: catalog.Unauthorized, Code: "UNAUTHORIZED", Message: "no token", Hint: "Send one."},
			401, `{"success":false,"error":{"code":"UNAUTHORIZED","message":"no token","details":{"hint":"Send one."}}}`, "", "",
		},
		{
			"rate limited", &catalog.Error{Code: "RATE_LIMITED", Message: "slower", RetryAfter: 20 * time.Millisecond},
			429, plain("RATE_LIMITED", "slower"), "1", "",
		},
		{
			"refused", &catalog.Error{Type: catalog.ConnectionRefused, Code: "CONNECTION_REFUSED", Message: "full", Details: map[string]any{"limit": 5}, RetryAfter: 3 * time.Second},
			503, `{"success":false,"error":{"code":"CONNECTION_REFUSED","message":"full","details":{"limit":5}}}`, "3", "",
		},
		{
			"too slow", &catalog.Error{Type: catalog.ConnectionTimeout, Code: "CONNECTION_TIMEOUT", Message: "slow"},
			408, plain("CONNECTION_TIMEOUT", "slow"), "", "close",
		},
		{
			"exact", &catalog.Error{Code: "DECODE_FAILED", Message: "m", Hint: "h", Details: map[string]any{"a": 1}, Exact: true},
			422, plain("DECODE_FAILED", "m"), "", "",
		},
		{
			"of a published shape", &catalog.Error{Code: "INTERNAL_ERROR", Message: "m", Hint: "h", Details: map[string]any{"a": 1}},
			500, plain("INTERNAL_ERROR", "m"), "", "",
		},
		{
			"without details", &catalog.Error{Code: "FORBIDDEN", Message: "<m> & \"n\""},
			403, `{"success":false,"error":{"code":"FORBIDDEN","message":"<m> & \"n\""}}`, "", "",
		},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := httptest.NewRecorder()
			httpcompat.WriteError(w, tt.err)
			if w.Code != tt.status || w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("%d %v, want %d", w.Code, w.Header(), tt.status)
			}
			wantJSON(t, w.Body.Bytes(), tt.body)
			if got := w.Header().Get("Retry-After"); got != tt.retryAfter {
				t.Errorf("Retry-After %q, want %q", got, tt.retryAfter)
			}
			if got := w.Header().Get("Connection"); got != tt.connection {
				t.Errorf("Connection %q, want %q", got, tt.connection)
			}
		})
	}
}

// A hint in the details of one answer must not stay in the error, which tools
// share between calls.
func TestWriteErrorLeavesErrorAlone(t *testing.T) {
	e := &catalog.Error{Code: "PARSE_ERROR", Message: "m", Hint: "h", Details: map[string]any{"line": 1}}
	httpcompat.WriteError(httptest.NewRecorder(), e)
	if len(e.Details) != 1 {
		t.Errorf("details have become %v", e.Details)
	}
}
