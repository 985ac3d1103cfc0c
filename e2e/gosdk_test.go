package e2e

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/encoder"
)

// TestGoSDK runs the Go SDK's client with every protocol version that the SDK
// knows, over both transports.
func TestGoSDK(t *testing.T) {
	url := start(t, nil, "serve", "--http", "127.0.0.1:0").url(t, "HTTP")
	for _, version := range mcp.SupportedProtocolVersions() {
		t.Run("stdio "+version, func(t *testing.T) {
			cmd := exec.Command(binary, "serve", "--log-level", "error")
			goSteps(t, version, &mcp.CommandTransport{Command: cmd})
			if code := cmd.ProcessState.ExitCode(); code != 0 {
				t.Errorf("the server's exit code is %d, want 0", code)
			}
		})
		t.Run("HTTP "+version, func(t *testing.T) {
			goSteps(t, version, &mcp.StreamableClientTransport{Endpoint: url + "/mcp"})
		})
	}
}

// connect returns a session of the Go SDK's client.
func connect(ctx context.Context, version string, transport mcp.Transport) (*mcp.ClientSession, error) {
	client := mcp.NewClient(&mcp.Implementation{Name: "e2e-go", Version: "1"}, nil)
	return client.Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: version})
}

func goSteps(t *testing.T, version string, transport mcp.Transport) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	session, err := connect(ctx, version, transport)
	if err != nil {
		t.Fatalf("connecting: %v", err)
	}
	if got := session.InitializeResult().ProtocolVersion; got != version {
		t.Errorf("negotiated %s, want %s", got, version)
	}

	tools := 0
	for tool, err := range session.Tools(ctx, nil) {
		if err != nil {
			t.Fatalf("listing tools: %v", err)
		}
		if tool.OutputSchema == nil || tool.Title == "" {
			t.Errorf("%s has no output schema or no title", tool.Name)
		}
		tools++
	}
	if tools < 2 {
		t.Errorf("%d tools, want at least 2", tools)
	}

	var wg sync.WaitGroup
	for i := range 20 {
		wg.Go(func() {
			if err := encodes(ctx, session, fmt.Sprintf("@startuml\nA -> B : call %d\n@enduml", i)); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()

	failed, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "encodePlantUML", Arguments: map[string]any{"plantumlCode": ""}})
	if err != nil || !failed.IsError {
		t.Errorf("an empty diagram: %+v, %v; want a result with isError", failed, err)
	}
	_, err = session.CallTool(ctx, &mcp.CallToolParams{Name: "encodePlantUm"})
	var wire *jsonrpc.Error
	if !errors.As(err, &wire) || wire.Code != jsonrpc.CodeInvalidParams || !strings.Contains(string(wire.Data), "ToolNotFoundError") {
		t.Errorf("an unknown tool: %v; want a ToolNotFoundError", err)
	}

	resource, err := session.ReadResource(ctx, &mcp.ReadResourceParams{URI: "webodar://guide/plantuml"})
	if err != nil || len(resource.Contents) != 1 {
		t.Errorf("reading the guide: %+v, %v", resource, err)
	}
	prompt, err := session.GetPrompt(ctx, &mcp.GetPromptParams{Name: "explain_with_diagram", Arguments: map[string]string{"subject": "TCP"}})
	if err != nil || len(prompt.Messages) == 0 {
		t.Errorf("getting the prompt: %+v, %v", prompt, err)
	}
	if version < latest { // later versions have no ping
		if err := session.Ping(ctx, nil); err != nil {
			t.Errorf("ping: %v", err)
		}
	}
	if err := session.Close(); err != nil {
		t.Errorf("closing: %v", err)
	}
}

// encodes calls encodePlantUML and compares the link with the library's.
func encodes(ctx context.Context, session *mcp.ClientSession, source string) error {
	want, _, err := encoder.URL(source, nil)
	if err != nil {
		return err
	}
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: "encodePlantUML", Arguments: map[string]any{"plantumlCode": source}})
	if err != nil {
		return fmt.Errorf("calling encodePlantUML: %w", err)
	}
	if result, ok := res.StructuredContent.(map[string]any); res.IsError || !ok || result["url"] != want {
		return fmt.Errorf("encodePlantUML gave %v, want the link %s", res.StructuredContent, want)
	}
	return nil
}
