package mcpserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
)

// success maps a tool's result: the text first, then warnings, a line each.
func success(res *catalog.Result) (*mcp.CallToolResult, error) {
	structured, err := marshal(res.Structured)
	if err != nil {
		return nil, catalog.Unencodable(err)
	}
	text := res.Text
	if text == "" {
		text = string(structured)
	}
	if len(res.Warnings) > 0 {
		var b strings.Builder
		b.WriteString(text)
		for _, w := range res.Warnings {
			b.WriteString("\nWarning: ")
			b.WriteString(w)
		}
		text = b.String()
	}
	content := []mcp.Content{&mcp.TextContent{Text: text}}
	if p := res.Picture; p != nil && p.MIMEType == "image/png" { // what clients show
		content = append(content, &mcp.ImageContent{MIMEType: p.MIMEType, Data: p.Data})
	}
	for _, l := range res.Links {
		size := int64(l.Bytes)
		content = append(content, &mcp.ResourceLink{URI: l.URI, Name: l.Name, MIMEType: l.MIMEType, Size: &size})
	}
	return &mcp.CallToolResult{Content: content, StructuredContent: json.RawMessage(structured)}, nil
}

// failure maps an error that the tool itself reports.
func failure(e *catalog.Error) *mcp.CallToolResult {
	head := e.Code
	if head == "" || head == "INVALID_ARGUMENTS" {
		head = string(e.Type)
	}
	text := fmt.Sprintf("%s: %s", head, e.Message)
	if e.Hint != "" {
		text += ". " + e.Hint
	}
	if e.Envelope != nil {
		if doc, err := marshal(e.Envelope); err == nil {
			text = string(doc)
		}
	}
	res := &mcp.CallToolResult{IsError: true, Content: []mcp.Content{&mcp.TextContent{Text: text}}}
	if !e.TextOnly {
		res.StructuredContent = e.Structured()
	}
	return res
}

// marshal encodes v without escaping what only matters in HTML.
func marshal(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}
