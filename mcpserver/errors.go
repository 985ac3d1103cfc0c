package mcpserver

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"

	"github.com/webodar/webodar/internal/catalog"
)

// JSON-RPC codes beyond those of its section 5.1. -32000 and -32001 are what
// other MCP SDKs use for a closed connection and a timeout.
const (
	codeClosed  = -32000
	codeTimeout = -32001
)

// rpcCodes maps the types that are protocol-level failures. The others are the
// tools' own and are reported as results with isError.
var rpcCodes = map[catalog.Type]int64{
	catalog.ParseError:          jsonrpc.CodeParseError,
	catalog.EncodingError:       jsonrpc.CodeParseError,
	catalog.InvalidRequestError: jsonrpc.CodeInvalidRequest,
	invalidParamsType:           jsonrpc.CodeInvalidParams,
	catalog.RequestTooLarge:     jsonrpc.CodeInvalidRequest,
	catalog.SerializationError:  jsonrpc.CodeInvalidRequest,
	catalog.MethodNotFound:      jsonrpc.CodeMethodNotFound,
	catalog.ToolNotFound:        jsonrpc.CodeInvalidParams,
	catalog.ResourceNotFound:    codeResourceNotFound,
	catalog.PromptNotFound:      jsonrpc.CodeInvalidParams,
	catalog.TimeoutError:        codeTimeout,
	catalog.ConnectionTimeout:   codeClosed,
	catalog.ConnectionRefused:   codeClosed,
	catalog.Unauthorized:        codeClosed,
	catalog.Forbidden:           codeClosed,
	catalog.Cancelled:           codeClosed,
	catalog.RateLimited:         codeClosed,
	catalog.BackendDisconnected: codeClosed,
	catalog.CircuitOpen:         codeClosed,
	catalog.GatewayTimeout:      codeTimeout,
	catalog.InternalError:       jsonrpc.CodeInternalError,
}

// codeResourceNotFound is what MCP names for a resource that is not there.
const codeResourceNotFound = -32002

// isToolFailure reports whether e is the tool's own, so that the model should
// see it as a result.
func isToolFailure(e *catalog.Error) bool {
	switch e.Type {
	case catalog.ValidationError, catalog.TypeError, catalog.ToolError:
		return e.Wire == nil
	}
	return e.Exact
}

// rpcError maps e to JSON-RPC.
func rpcError(e *catalog.Error) *jsonrpc.Error {
	if e.Wire != nil {
		return &jsonrpc.Error{Code: e.Wire.Code, Message: e.Wire.Message, Data: e.Wire.Data}
	}
	code, ok := rpcCodes[e.Type]
	switch {
	case !ok:
		// The tool's own failures have no code of JSON-RPC's; outside of
		// tools/call they are about parameters.
		code = jsonrpc.CodeInvalidParams
	case e.Type == catalog.SerializationError && e.Cause != nil:
		code = jsonrpc.CodeInternalError // a result that cannot be encoded
	}
	data := maps.Clone(e.Details)
	if data == nil {
		data = map[string]any{}
	}
	data["type"] = string(publicType(e.Type))
	if e.Hint != "" {
		data["hint"] = e.Hint
	}
	if e.RetryAfter > 0 {
		data["retryAfterMs"] = e.RetryAfter.Milliseconds()
	}
	raw, err := json.Marshal(data)
	if err != nil {
		raw = json.RawMessage(`{"type":"InternalError"}`)
	}
	return &jsonrpc.Error{Code: code, Message: e.Message, Data: raw}
}

// publicType takes back what invalidParamsType marks.
func publicType(t catalog.Type) catalog.Type {
	if t == invalidParamsType {
		return catalog.InvalidRequestError
	}
	return t
}

// recorded is e as logs and metrics name it.
func recorded(e *catalog.Error) *catalog.Error {
	if e == nil || publicType(e.Type) == e.Type {
		return e
	}
	public := *e
	public.Type = publicType(e.Type)
	return &public
}

// asError takes an error that came out of the SDK or of a handler behind it
// into the contract. Codes that MCP itself defines keep their shape.
func asError(err error, c *call) (*catalog.Error, *jsonrpc.Error) {
	var own *catalog.Error
	if errors.As(err, &own) {
		if own.Type == catalog.InternalError {
			e := *own
			e.Details = map[string]any{"requestId": c.event.RequestID}
			own = &e
		}
		return own, rpcError(own)
	}
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) {
		own = catalog.Internal(err)
		own.Details = map[string]any{"requestId": c.event.RequestID}
		return own, rpcError(own)
	}
	if known := c.err.Load(); known != nil && known.Wire != nil && known.Wire.Code == wire.Code {
		return known, rpcError(known) // a mounted server's own words
	}
	own = &catalog.Error{Type: catalog.InvalidRequestError, Code: "INVALID_REQUEST", Message: wire.Message, Cause: err}
	switch wire.Code {
	case jsonrpc.CodeInvalidParams:
		own.Type = invalidParamsType
		if wire.Message == "invalid params" { // all that the SDK says of a bad cursor
			own.Message = c.event.Method + ": the parameters are not valid"
			own.Hint = "A cursor must be one that the list before gave as nextCursor."
		}
	case codeResourceNotFound:
		own.Type, own.Code = catalog.ResourceNotFound, "RESOURCE_NOT_FOUND"
	case jsonrpc.CodeMethodNotFound:
		own.Type, own.Code = catalog.MethodNotFound, "METHOD_NOT_FOUND"
		own.Message = fmt.Sprintf("method %q is not served here", c.event.Method)
		own.Details = map[string]any{"method": c.event.Method}
	case jsonrpc.CodeInternalError:
		own.Type, own.Code = catalog.InternalError, "INTERNAL_ERROR"
	}
	if len(wire.Data) > 0 {
		if isMCP(wire.Code) || json.Unmarshal(wire.Data, &own.Details) != nil || own.Details["type"] != nil {
			return own, wire
		}
	}
	mapped := rpcError(own)
	mapped.Code = wire.Code
	if wire.Code == 0 { // the SDK's plain errors come without a code
		mapped.Code = jsonrpc.CodeInvalidRequest
	}
	return own, mapped
}

// isMCP reports whether MCP itself defines what an error of this code looks like
// (2026-07-28: header mismatch, capabilities, versions; 2025-11-25: elicitation).
func isMCP(code int64) bool { return -32022 <= code && code <= -32020 || code == -32042 }

// responseError decodes the error member of a client's response.
func responseError(raw []byte) error {
	e := &jsonrpc.Error{}
	if err := json.Unmarshal(raw, e); err != nil {
		e.Code, e.Message = jsonrpc.CodeInternalError, "the client sent an error that is no JSON-RPC error object"
	}
	return e
}

// encodeError returns a JSON-RPC error response.
func encodeError(id jsonrpc.ID, e *jsonrpc.Error) []byte {
	text, err := json.Marshal(struct {
		Version string         `json:"jsonrpc"`
		ID      any            `json:"id"`
		Error   *jsonrpc.Error `json:"error"`
	}{"2.0", id.Raw(), e})
	if err != nil {
		// All parts of the value were encoded before; only raw data could fail.
		return []byte(`{"jsonrpc":"2.0","id":null,"error":{"code":-32603,"message":"internal error"}}`)
	}
	return text
}

// encodeResponse returns the SDK's response to c as the contract has it. The
// SDK's own encoder would compact the result, which is compact, once more.
func encodeResponse(c *call, res *jsonrpc.Response) []byte {
	if res.Error != nil {
		own, wire := asError(res.Error, c)
		c.fail(own) // of meaning where it failed before it reached a handler
		return encodeError(res.ID, wire)
	}
	id, err := json.Marshal(res.ID.Raw())
	if err != nil {
		id = []byte("null") // cannot be: ids are strings and whole numbers
	}
	text := make([]byte, 0, len(res.Result)+len(id)+40)
	text = append(append(text, `{"jsonrpc":"2.0","id":`...), id...)
	text = append(append(text, `,"result":`...), res.Result...)
	return append(text, '}')
}
