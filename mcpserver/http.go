package mcpserver

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/httpbody"
	"github.com/webodar/webodar/internal/wirejson"
)

// Headers of the streamable HTTP transport.
const (
	headerSession = "Mcp-Session-Id"
	headerVersion = "Mcp-Protocol-Version"
)

// endpoint is the guard in front of the HTTP transports. One endpoint serves
// every protocol version: those up to 2025-11-25 may have sessions, which are
// this package's; the later ones, and clients that never open a session, are
// served by the SDK's handler, which knows their rules for headers and statuses.
type endpoint struct {
	server   *Server
	sessions *sessions
	// The SDK's two differ in how they answer: at once with one JSON text, or as
	// a stream that can carry progress and log messages.
	plain, stream http.Handler
}

// Handler returns the streamable HTTP endpoint. The listener in front of it
// checks Host, Origin and token.
func (s *Server) Handler() http.Handler {
	get := func(*http.Request) *mcp.Server { return s.sdk }
	sdk := func(opts mcp.StreamableHTTPOptions) http.Handler {
		opts.Stateless = true
		opts.PropagateRequestCancellation = true
		opts.MaxRequestBodyBytes = -1          // limited in read
		opts.DisableLocalhostProtection = true // done by the listener
		return mcp.NewStreamableHTTPHandler(get, &opts)
	}
	return &endpoint{
		server:   s,
		sessions: s.sessions,
		plain:    sdk(mcp.StreamableHTTPOptions{JSONResponse: true}),
		stream:   sdk(mcp.StreamableHTTPOptions{}),
	}
}

// ServeHTTP implements [http.Handler].
func (h *endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	answer := &statusWriter{ResponseWriter: w}
	if r.Method == http.MethodPost {
		h.post(answer, r)
		return
	}
	c := h.server.beginHTTP(r, nil)
	c.event.Method = r.Method
	defer func() { h.server.endHTTP(r, c, answer) }()
	allow := []string{"POST", "GET", "DELETE"}
	if r.Header.Get(headerVersion) >= version20260728 { // which has neither sessions nor their streams
		allow = allow[:1]
	}
	var bad *catalog.Error
	status := http.StatusMethodNotAllowed
	switch {
	case !slices.Contains(allow, r.Method):
		w.Header().Set("Allow", strings.Join(allow, ", "))
		bad = invalidRequest(fmt.Sprintf("%s is not allowed here", r.Method), fieldDetails("method", "must be "+strings.Join(allow, " or ")))
	case r.Method == http.MethodGet:
		c.event.Stream = true
		bad = h.sessions.get(answer, r)
		status = refusalStatus(bad, false)
	default:
		bad = h.sessions.remove(answer, r)
		status = refusalStatus(bad, false)
	}
	if bad != nil {
		c.fail(bad)
		httpbody.Drain(w, r, bad)
		writeRPCError(answer, status, jsonrpc.ID{}, bad)
	}
}

func (h *endpoint) post(w *statusWriter, r *http.Request) {
	msgs, isBatch, bad := h.read(w, r)
	var first *message // nil for a batch, and for what is no message
	if len(msgs) > 0 && !isBatch {
		first = msgs[0]
	}
	c := h.server.beginHTTP(r, first)
	defer func() { h.server.endHTTP(r, c, w) }()
	modern := isModern(r, msgs)
	var id jsonrpc.ID
	switch {
	case bad != nil:
	case isBatch:
		c.event.Method = "batch"
		bad = h.checkBatch(r, modern)
	default:
		id, bad = first.id, first.bad
	}
	if bad == nil {
		bad = h.serve(w, r, c, msgs, modern)
	}
	if bad != nil {
		c.fail(bad)
		httpbody.Drain(w, r, bad)
		writeRPCError(w, refusalStatus(bad, modern), id, bad)
	}
}

// serve hands sound messages to the transport for them.
func (h *endpoint) serve(w http.ResponseWriter, r *http.Request, c *call, msgs []*message, modern bool) *catalog.Error {
	c.ctx = r.Context()
	first := msgs[0]
	if !modern && (r.Header.Get(headerSession) != "" || first.method == "initialize") {
		return h.sessions.post(w, r, c, msgs, c.event.Method == "batch")
	}
	for i, m := range msgs { // the SDK's handler takes a batch whole or not at all
		if m.bad != nil {
			e := *m.bad
			e.Message = fmt.Sprintf("message %d of the batch: %s", i, e.Message)
			return &e
		}
	}
	if first.method == "" {
		h.server.strayResponse(catalog.HTTP, first)
	}
	if dropped(msgs) {
		w.WriteHeader(http.StatusAccepted)
		return nil
	}
	r.Header.Set(callHeader, c.key)
	sdk := &sdkWriter{ResponseWriter: w, call: c, id: first.id}
	c.event.Stream = first.method == "subscriptions/listen"
	//lint:ignore SA1019 deprecated by the protocol, and in use until it is removed
	if first.method == "subscriptions/listen" || hasMeta(first, "progressToken", mcp.MetaKeyLogLevel) {
		h.serveStream(sdk, r, c.event.Stream)
	} else {
		h.plain.ServeHTTP(sdk, r)
	}
	return nil
}

// serveStream answers with an event stream. A subscription has no end of its
// own, so the end of the server is its end.
func (h *endpoint) serveStream(w http.ResponseWriter, r *http.Request, subscription bool) {
	if subscription {
		ctx, cancel := context.WithCancel(r.Context())
		defer cancel()
		stop := context.AfterFunc(h.server.closing, cancel)
		defer stop()
		r = r.WithContext(ctx)
	}
	h.stream.ServeHTTP(w, r)
}

// read takes the messages out of the request, whose body can then be read
// again.
func (h *endpoint) read(w http.ResponseWriter, r *http.Request) ([]*message, bool, *catalog.Error) {
	if kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err != nil || kind != "application/json" {
		e := invalidRequest("Content-Type must be application/json", fieldDetails("Content-Type", "must be application/json"))
		e.Code = "UNSUPPORTED_MEDIA_TYPE"
		return nil, false, e
	}
	body, bad := httpbody.Read(w, r, &httpbody.Limits{Bytes: h.server.opts.MessageBytes, Time: h.server.opts.RequestTimeout})
	if bad != nil {
		return nil, false, bad
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	r.ContentLength = int64(len(body))
	return parse(body)
}

// isModern reports whether the request follows protocol 2026-07-28 or later,
// as its header or the first message says.
func isModern(r *http.Request, msgs []*message) bool {
	if r.Header.Get(headerVersion) >= version20260728 {
		return true
	}
	return len(msgs) > 0 && metaVersion(msgs[0]) >= version20260728
}

// metaVersion is the protocol version that a message carries itself.
func metaVersion(m *message) string {
	for key, value := range wirejson.Members(m.meta) {
		if key == mcp.MetaKeyProtocolVersion {
			version, _, _ := unquote(value)
			return version
		}
	}
	return ""
}

// hasMeta reports whether a message's _meta has one of the keys.
func hasMeta(m *message, keys ...string) bool {
	for key := range wirejson.Members(m.meta) {
		if slices.Contains(keys, key) {
			return true
		}
	}
	return false
}

// checkBatch refuses batches of versions that have none.
func (h *endpoint) checkBatch(r *http.Request, modern bool) *catalog.Error {
	// The header may be missing, or lie; the session knows.
	version := max(r.Header.Get(headerVersion), h.sessions.version(r.Header.Get(headerSession)))
	if modern {
		version = max(version, version20260728)
	}
	if version >= version20250618 {
		return batchRefused(version)
	}
	return nil
}

// dropped reports whether nothing is left to do: all messages are
// notifications that nobody knows.
func dropped(msgs []*message) bool {
	for _, m := range msgs {
		if m.method == "" || m.id.IsValid() || methods[m.method].notification {
			return false
		}
	}
	return true
}

// beginHTTP opens the record of an HTTP request.
func (s *Server) beginHTTP(r *http.Request, m *message) *call {
	c := s.begin(catalog.HTTP, m)
	if own := catalog.RequestOf(r.Context()); own.ID != "" {
		c.event.RequestID = own.ID
	}
	c.event.Peer, c.event.UserAgent = r.RemoteAddr, r.UserAgent()
	if c.trace == nil { // _meta is closer to the call than the request that carries it
		c.trace = catalog.TraceOf(r.Header.Get)
	}
	return c
}

func (s *Server) endHTTP(r *http.Request, c *call, w *statusWriter) {
	c.event.Status = w.status
	ctx := context.WithoutCancel(r.Context())
	s.end(ctx, c)
}
