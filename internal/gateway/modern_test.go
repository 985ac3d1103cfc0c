package gateway_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/gateway"
)

// Servers of every protocol version are mounted; those of the version without
// sessions get what it prescribes with each request.
func TestProtocolVersions(t *testing.T) {
	t.Parallel()
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			server := mcp.NewServer(&mcp.Implementation{Name: "versioned", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{version}})
			mcp.AddTool(server, &mcp.Tool{Name: "tell"}, func(_ context.Context, req *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: req.ProtocolVersion()}}}, nil, nil
			})
			handler := mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: version >= "2026"})
			far := httptest.NewServer(handler)
			t.Cleanup(far.Close)
			r := mount(t, nil, fmt.Sprintf(`"s": {"url": %q}`, far.URL))
			r.works(t, "s__tell", "{}", "20")
			if s := r.status(t, "s"); s.Protocol != version || s.State != gateway.Up {
				t.Errorf("%+v", s)
			}
			server.AddTool(&mcp.Tool{Name: "later", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
			eventually(t, "the new tool is mounted", func() bool { _, err := r.catalog.Tool("s__later"); return err == nil })
			r.Close()
			far.CloseClientConnections()
		})
	}
}

// A server of the protocol without sessions asks by its answer; a client of an
// earlier one is asked by a request.
func TestInputRequired(t *testing.T) {
	t.Parallel()
	server := mcp.NewServer(&mcp.Implementation{Name: "asking", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{"2026-07-28"}})
	server.AddTool(&mcp.Tool{Name: "ask", InputSchema: json.RawMessage(`{"type":"object"}`)}, func(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if answer, ok := req.Params.InputResponses["q"].(*mcp.ElicitResult); ok && req.Params.RequestState == "s1" {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprint(answer.Action, answer.Content["asked"])}}}, nil
		}
		return &mcp.CallToolResult{RequestState: "s1", InputRequests: mcp.InputRequestMap{"q": &mcp.ElicitParams{Message: "sure?"}}}, nil
	})
	far := httptest.NewServer(mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, &mcp.StreamableHTTPOptions{Stateless: true}))
	t.Cleanup(far.Close)
	r := mount(t, nil, fmt.Sprintf(`"s": {"url": %q}`, far.URL))
	ctx := catalog.WithRequest(t.Context(), &catalog.Request{Client: &client{}})
	res, err := r.catalog.Call(ctx, "s__ask", nil)
	if err != nil || !strings.Contains(string(res.Wire), "acceptelicitation/create") {
		t.Errorf("%v, %v", res, err)
	}
	if _, err := r.catalog.Call(t.Context(), "s__ask", nil); err == nil || !strings.Contains(err.Error(), "cannot be asked") {
		t.Errorf("a caller that cannot be asked: %v", err)
	}
	r.Close()
	far.CloseClientConnections()
}

// A redirect to another host would take the headers, which are secrets, there.
func TestRedirect(t *testing.T) {
	t.Parallel()
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("the other host got %v", r.Header)
	}))
	t.Cleanup(other.Close)
	far := httptest.NewServer(http.RedirectHandler(other.URL, http.StatusTemporaryRedirect))
	t.Cleanup(far.Close)
	r := mount(t, nil, fmt.Sprintf(`"s": {"url": %q, "headers": {"X-Key": "s3cret-key"}}`, far.URL))
	if e := r.fails(t, catalog.BackendDisconnected, "s__x", "{}"); !strings.Contains(e.Message, "it redirects to "+other.URL) {
		t.Errorf("%q", e.Message)
	}
}

// What a server that is not let in says is worth more than its silence.
func TestUnauthorized(t *testing.T) {
	t.Parallel()
	far := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer right-token" {
			w.WriteHeader(http.StatusUnauthorized)
		}
	}))
	t.Cleanup(far.Close)
	r := mount(t, nil, fmt.Sprintf(`"s": {"url": %q, "headers": {"Authorization": "Bearer wrong-token"}}`, far.URL))
	if e := r.fails(t, catalog.BackendDisconnected, "s__x", "{}"); !strings.Contains(e.Message, "Unauthorized") || strings.Contains(e.Message, "wrong-token") {
		t.Errorf("%q", e.Message)
	}
}
