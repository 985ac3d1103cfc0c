// Command gosdk is the official Go SDK as it comes: a typed tool and default
// options. /mcp has sessions; /stateless is the same without, which the SDK
// asks for to speak protocol 2026-07-28.
package main

import (
	"context"
	"net/http"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/bench/peers/link"
)

func main() {
	server := mcp.NewServer(&mcp.Implementation{Name: "gosdk", Version: "1.0.0"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: link.Name, Description: link.Description}, encode)
	link.Serve(
		func() error { return server.Run(context.Background(), &mcp.StdioTransport{}) },
		func(addr string) error {
			get := func(*http.Request) *mcp.Server { return server }
			http.Handle("/mcp", mcp.NewStreamableHTTPHandler(get, nil))
			http.Handle("/stateless", mcp.NewStreamableHTTPHandler(get, &mcp.StreamableHTTPOptions{Stateless: true}))
			return http.ListenAndServe(addr, nil)
		})
}

func encode(_ context.Context, _ *mcp.CallToolRequest, in link.Input) (*mcp.CallToolResult, link.Output, error) {
	out, err := link.Make(in)
	if err != nil {
		return nil, out, err
	}
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: out.URL}}}, out, nil
}
