package gateway_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/gateway"
)

// oldServer is a server of the transport of 2024, as the SDK serves it. Its tool wait
// answers when its client gives up.
func oldServer(t *testing.T) (far *httptest.Server, cancelled chan struct{}, server *mcp.Server) {
	t.Helper()
	server = mcp.NewServer(&mcp.Implementation{Name: "old", Version: "1"}, &mcp.ServerOptions{SupportedProtocolVersions: []string{"2024-11-05"}})
	cancelled = make(chan struct{})
	mcp.AddTool(server, &mcp.Tool{Name: "tell"}, func(_ context.Context, _ *mcp.CallToolRequest, in struct {
		Text string `json:"text"`
	},
	) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "told " + in.Text}}}, nil, nil
	})
	mcp.AddTool(server, &mcp.Tool{Name: "wait"}, func(ctx context.Context, _ *mcp.CallToolRequest, _ any) (*mcp.CallToolResult, any, error) {
		<-ctx.Done()
		close(cancelled)
		return nil, nil, ctx.Err()
	})
	handler := mcp.NewSSEHandler(func(*http.Request) *mcp.Server { return server }, nil)
	far = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") != "Bearer t" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		handler.ServeHTTP(w, r)
	}))
	t.Cleanup(func() {
		far.CloseClientConnections()
		far.Close()
	})
	return far, cancelled, server
}

func TestSSE(t *testing.T) {
	t.Parallel()
	far, cancelled, server := oldServer(t)
	r := mount(t, nil, fmt.Sprintf(`"s": {"type": "sse", "url": %q, "headers": {"Authorization": "Bearer t"}}`, far.URL))
	r.works(t, "s__tell", `{"text": "this"}`, "told this")
	if s := r.status(t, "s"); s.Protocol != "2024-11-05" || s.State != gateway.Up {
		t.Errorf("%+v", s)
	}

	t.Run("many at a time", func(t *testing.T) {
		done := make(chan error)
		for i := range 20 {
			go func() {
				res, err := r.catalog.Call(t.Context(), "s__tell", json.RawMessage(fmt.Sprintf(`{"text":"<%d>"}`, i)))
				if err == nil && !strings.Contains(string(res.Wire), fmt.Sprintf("u003c%d", i)) && !strings.Contains(string(res.Wire), fmt.Sprintf("<%d>", i)) {
					err = fmt.Errorf("call %d got %s", i, res.Wire)
				}
				done <- err
			}()
		}
		for range 20 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
	})
	t.Run("cancel", func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(50*time.Millisecond, cancel)
		if _, err := r.catalog.Call(ctx, "s__wait", nil); err == nil {
			t.Error("no error")
		}
		select {
		case <-cancelled:
		case <-time.After(patience):
			t.Error("the server was not told")
		}
	})
	t.Run("list changed", func(t *testing.T) {
		server.AddTool(&mcp.Tool{Name: "later", InputSchema: json.RawMessage(`{"type":"object"}`)}, nil)
		eventually(t, "the new tool is mounted", func() bool { _, err := r.catalog.Tool("s__later"); return err == nil })
	})
	t.Run("broken stream", func(t *testing.T) {
		far.CloseClientConnections()
		eventually(t, "it is connected anew", func() bool {
			_, err := r.catalog.Call(t.Context(), "s__tell", json.RawMessage(`{"text":"again"}`))
			return err == nil
		})
	})
	r.Close()
}

// A server that closes the door on a message, or is no server of this kind, says why
// it cannot be used.
func TestSSERefusals(t *testing.T) {
	t.Parallel()
	far, _, _ := oldServer(t)
	var posts atomic.Int32
	stream := func(first string) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				posts.Add(1)
				w.WriteHeader(http.StatusNotFound)
				return
			}
			w.Header().Set("Content-Type", "text/event-stream")
			fmt.Fprint(w, first)
			_ = http.NewResponseController(w).Flush()
			<-r.Context().Done()
		}
	}
	for name, c := range map[string]struct {
		handler http.HandlerFunc
		url     string
		want    string
	}{
		"no token":      {url: far.URL, want: "401 Unauthorized: check its headers"},
		"streamable":    {handler: func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusMethodNotAllowed) }, want: "405 Method Not Allowed: is its type http?"},
		"not a stream":  {handler: func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "hello") }, want: "is its type http?"},
		"another event": {handler: stream("data: {}\n\n"), want: "not with the endpoint to post to"},
		"ends":          {handler: func(w http.ResponseWriter, _ *http.Request) { w.Header().Set("Content-Type", "text/event-stream") }, want: "stream ended before"},
		"other host":    {handler: stream("event: endpoint\ndata: http://evil.example/post?secret=1\n\n"), want: "it gives http://evil.example/post to post to, another host"},
		"post refused":  {handler: stream("event: endpoint\ndata: /post\n\n"), want: "404 Not Found"},
		"mute":          {handler: stream(""), want: "did not answer initialize within"},
		"nobody":        {url: "http://127.0.0.1:1/x", want: "connection refused"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			url := c.url
			if c.handler != nil {
				server := httptest.NewServer(c.handler)
				t.Cleanup(func() {
					server.CloseClientConnections()
					server.Close()
				})
				url = server.URL
			}
			r := mount(t, nil, fmt.Sprintf(`"s": {"type": "sse", "url": %q, "connectTimeout": "500ms"}`, url))
			_, err := r.catalog.Call(t.Context(), "s__tell", nil)
			var e *catalog.Error
			if !errors.As(err, &e) || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v", err)
			}
			r.Close()
		})
	}
	t.Cleanup(func() {
		if posts.Load() == 0 {
			t.Error("nothing was posted")
		}
	})
}
