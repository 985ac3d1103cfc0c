// Command mcpgo is mark3labs/mcp-go with its default options.
package main

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"

	"github.com/webodar/webodar/bench/peers/link"
)

func main() {
	s := server.NewMCPServer("mcpgo", "1.0.0", server.WithToolCapabilities(true))
	s.AddTool(mcp.NewTool(link.Name,
		mcp.WithDescription(link.Description),
		mcp.WithString("plantumlCode", mcp.Required(), mcp.Description("Valid PlantUML diagram code")),
		mcp.WithOutputSchema[link.Output](),
	), mcp.NewTypedToolHandler(encode))
	link.Serve(
		func() error { return server.ServeStdio(s) },
		func(addr string) error { return server.NewStreamableHTTPServer(s).Start(addr) })
}

func encode(_ context.Context, _ mcp.CallToolRequest, in link.Input) (*mcp.CallToolResult, error) {
	out, err := link.Make(in)
	if err != nil {
		return nil, err
	}
	return mcp.NewToolResultStructured(out, out.URL), nil
}
