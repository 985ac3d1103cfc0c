package mcpserver

import (
	"bytes"
	"encoding/json"
	"net/http"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// statusWriter remembers the status for the log.
type statusWriter struct {
	http.ResponseWriter
	status int
}

// Unwrap lets http.ResponseController through.
func (w *statusWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (w *statusWriter) WriteHeader(status int) {
	if w.status == 0 {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *statusWriter) Write(p []byte) (int, error) {
	if w.status == 0 {
		w.status = http.StatusOK
	}
	return w.ResponseWriter.Write(p)
}

// sdkWriter stands between the SDK's handler and the client. What the SDK
// refuses, in plain text or as an error without a type, leaves it as an error of
// the contract, and the call's record hears of it. The SDK writes such an answer
// in one piece.
type sdkWriter struct {
	http.ResponseWriter
	call    *call
	id      jsonrpc.ID
	refusal int // status of a refusal whose body is awaited; 0 for none
}

// Unwrap lets http.ResponseController through.
func (w *sdkWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader implements [http.ResponseWriter].
func (w *sdkWriter) WriteHeader(status int) {
	if status >= 400 {
		w.refusal = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write implements [http.ResponseWriter].
func (w *sdkWriter) Write(p []byte) (int, error) {
	contentType := w.Header().Get("Content-Type")
	switch {
	case w.refusal != 0 && !strings.HasPrefix(contentType, "application/json"):
		e := refusal(w.refusal, strings.TrimSpace(string(p)))
		w.call.fail(e)
		writeRPCError(w.ResponseWriter, w.refusal, w.id, e)
	case w.refusal != 0 || strings.HasPrefix(contentType, "application/json"):
		text := w.typed(p)
		w.Header().Set("Content-Length", strconv.Itoa(len(text)))
		if w.refusal != 0 {
			w.ResponseWriter.WriteHeader(w.refusal)
		}
		if _, err := w.ResponseWriter.Write(text); err != nil {
			return 0, err
		}
	default:
		return w.ResponseWriter.Write(p)
	}
	w.refusal = 0
	return len(p), nil
}

// typed returns a JSON answer with the type of its error, if it has one.
func (w *sdkWriter) typed(text []byte) []byte {
	for key, value := range wirejson.Members(text) {
		switch key {
		case "result":
			return text
		case "error":
			wire := &jsonrpc.Error{}
			if json.Unmarshal(value, wire) != nil {
				return text
			}
			own, mapped := asError(wire, w.call)
			w.call.fail(own)
			if bytes.Equal(mapped.Data, wire.Data) {
				return text
			}
			return encodeError(w.id, mapped)
		}
	}
	return text
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
