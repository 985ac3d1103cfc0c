package mcpserver_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/mcpserver"
)

// mountFar mounts what a far server has, whose answers are what was asked.
func mountFar(t *testing.T, c *catalog.Catalog) {
	t.Helper()
	far := func(definition string) *catalog.Mounted {
		return &catalog.Mounted{
			Server: "far", Definition: json.RawMessage(definition),
			Forward: func(_ context.Context, method string, params json.RawMessage) (json.RawMessage, error) {
				return json.RawMessage(`{"contents":[],"messages":[],"completion":{"values":["v"]},"asked":"` + method + `","x-params":` + string(params) + `}`), nil
			},
		}
	}
	tool := func(name string, h catalog.Handler) catalog.Tool {
		return catalog.Tool{
			Name: name, Input: catalog.InputSchema[struct{}](), Handler: h,
			Mounted: far(`{"name":"` + name + `","inputSchema":{"type":"object"},"x-extra":{"kept":[1e3]},"_meta":{"v/k":1}}`),
		}
	}
	m := &catalog.Mount{
		Tools: []catalog.Tool{
			tool("far__echo", func(ctx context.Context, args json.RawMessage) (*catalog.Result, error) {
				return &catalog.Result{Wire: json.RawMessage(`{"content":[],"structuredContent":` + string(args) + `,"x-extra":12345678901234567890}`)}, nil
			}),
			tool("far__refuse", func(context.Context, json.RawMessage) (*catalog.Result, error) {
				return nil, &catalog.Error{
					Type: catalog.ToolError, Code: "TOOL_FAILED", Message: "own words",
					Wire: &catalog.WireError{Code: -32050, Message: "own words", Data: json.RawMessage(`{"a":[1]}`)},
				}
			}),
			tool("far__talk", func(ctx context.Context, _ json.RawMessage) (*catalog.Result, error) {
				r := catalog.RequestOf(ctx)
				r.Client.Notify(ctx, "notifications/progress", json.RawMessage(`{"progressToken":"p","progress":1,"message":"half"}`))
				r.Client.Notify(ctx, "notifications/message", json.RawMessage(`{"level":"error","data":"said"}`))
				_, err := r.Client.Ask(ctx, "elicitation/create", json.RawMessage(`{"message":"sure?"}`))
				return &catalog.Result{Wire: json.RawMessage(`{"content":[{"type":"text","text":"` + strings.ReplaceAll(err.Error(), `"`, "'") + `"}]}`)}, nil
			}),
		},
		Resources: []catalog.Resource{{URI: "far://a", Name: "a", Mounted: far(`{"uri":"far://a","name":"a","x-extra":1}`)}},
		Templates: []catalog.Template{{
			URITemplate: "far://t/{id}", Match: func(uri string) bool { return strings.HasPrefix(uri, "far://t/") },
			Mounted: far(`{"uriTemplate":"far://t/{id}","name":"t","x-extra":2}`),
		}},
		Prompts: []catalog.Prompt{{Name: "far__p", Mounted: far(`{"name":"far__p","x-extra":3}`)}},
		Missing: func(_ catalog.Kind, name string) *catalog.Error {
			if name != "gone__x" {
				return nil
			}
			return &catalog.Error{Type: catalog.BackendDisconnected, Code: "BACKEND_DISCONNECTED", Message: "gone", RetryAfter: 1500e6}
		},
	}
	if err := c.SetMount(m); err != nil {
		t.Fatal(err)
	}
}

// What a mounted server says passes as it stands, on every door and in every
// version of the protocol.
func TestMountedPassesAsItStands(t *testing.T) {
	f := newFixture(t, nil)
	o := &observer{}
	s := f.serve(t, &mcpserver.Options{Mounts: true, Observer: o})
	mountFar(t, f.catalog)
	stdio := startStdio(t, s)
	stdio.initialize()
	for _, tt := range []struct{ method, params, want string }{
		{"tools/call", `{"name":"far__echo","arguments":{"n":1e400}}`, `"result":{"content":[],"structuredContent":{"n":1e400},"x-extra":12345678901234567890}`},
		{"tools/call", `{"name":"far__refuse"}`, `"error":{"code":-32050,"message":"own words","data":{"a":[1]}}`},
		{"tools/call", `{"name":"gone__x"}`, `"error":{"code":-32000,"message":"gone","data":{"retryAfterMs":1500,"type":"BackendDisconnected"}}`},
		{"tools/list", `{}`, `{"name":"far__echo","inputSchema":{"type":"object"},"x-extra":{"kept":[1e3]},"_meta":{"v/k":1}}`},
		{"resources/list", `{}`, `{"uri":"far://a","name":"a","x-extra":1}`},
		{"resources/templates/list", `{}`, `{"uriTemplate":"far://t/{id}","name":"t","x-extra":2}`},
		{"prompts/list", `{}`, `{"name":"far__p","x-extra":3}`},
		{"resources/read", `{"uri":"far://a","x":1}`, `"asked":"resources/read","x-params":{"uri":"far://a","x":1}}`},
		{"resources/read", `{"uri":"far://t/7"}`, `"asked":"resources/read","x-params":{"uri":"far://t/7"}}`},
		{"prompts/get", `{"name":"far__p","arguments":{"a":"b"}}`, `"asked":"prompts/get","x-params":{"name":"far__p","arguments":{"a":"b"}}}`},
		{"completion/complete", `{"ref":{"type":"ref/prompt","name":"far__p"},"argument":{"name":"a","value":""}}`, `"asked":"completion/complete"`},
		{"completion/complete", `{"ref":{"type":"ref/resource","uri":"far://t/{id}"},"argument":{"name":"id","value":""}}`, `"asked":"completion/complete"`},
		{"resources/subscribe", `{"uri":"far://a"}`, `"result":{}`},
		{"resources/unsubscribe", `{"uri":"far://a"}`, `"result":{}`},
	} {
		stdio.send(`{"jsonrpc":"2.0","id":1,"method":"` + tt.method + `","params":` + tt.params + "}\n")
		var raw json.RawMessage
		if err := stdio.out.Decode(&raw); err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(raw), tt.want) {
			t.Errorf("%s %s gave\n%s\nwant %s", tt.method, tt.params, raw, tt.want)
		}
	}
	stdio.in.Close()
	if err := <-stdio.done; err != nil {
		t.Error(err)
	}
	_, events := o.all()
	var recorded []string
	for _, ev := range events {
		if ev.Upstream != "" && ev.Err != nil {
			recorded = append(recorded, ev.Tool+" "+ev.Upstream+" "+ev.Err.Code)
		}
	}
	if diff := cmp.Diff([]string{"far__refuse far TOOL_FAILED"}, recorded); diff != "" {
		t.Error(diff)
	}
}

// Results of servers that know no sessions or caches get what protocol
// 2026-07-28 wants of them.
func TestMountedForModernClients(t *testing.T) {
	f := newFixture(t, nil)
	mountFar(t, f.catalog)
	c := startHTTP(t, f.serve(t, &mcpserver.Options{Mounts: true}))
	c.version = "2026-07-28"
	meta := `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientInfo":{"name":"t","version":"1"},"io.modelcontextprotocol/clientCapabilities":{}}`
	for _, tt := range []struct {
		method, name, params string
		members              []string
	}{
		{"tools/call", "far__echo", `"name":"far__echo","arguments":{"a":1}`, []string{"content", "structuredContent", "x-extra", "resultType", "_meta"}},
		{"resources/read", "far://a", `"uri":"far://a"`, []string{"contents", "asked", "resultType", "ttlMs", "cacheScope", "_meta"}},
	} {
		req := c.request("POST", `{"jsonrpc":"2.0","id":1,"method":"`+tt.method+`","params":{`+tt.params+`,`+meta+`}}`)
		req.Header.Set("Mcp-Method", tt.method)
		req.Header.Set("Mcp-Name", tt.name)
		req.Header.Set("Mcp-Protocol-Version", "2026-07-28")
		res, err := c.client.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		var answer struct {
			Result map[string]any
			Error  any
		}
		err = json.NewDecoder(res.Body).Decode(&answer)
		res.Body.Close()
		if err != nil || answer.Error != nil {
			t.Fatalf("%s: %v, %v", tt.method, err, answer.Error)
		}
		for _, name := range tt.members {
			if _, ok := answer.Result[name]; !ok {
				t.Errorf("%s: no %s in %v", tt.method, name, answer.Result)
			}
		}
	}
}

// A mounted server's progress and log messages reach the client that it works
// for, ahead of the answer; a client that cannot be asked is not.
func TestMountedTalks(t *testing.T) {
	f := newFixture(t, nil)
	mountFar(t, f.catalog)
	var level string
	s := f.serve(t, &mcpserver.Options{Mounts: true, SetLevel: func(l string) { level = l }})
	stdio := startStdio(t, s)
	stdio.initialize()
	stdio.send(`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"warning"}}` + "\n")
	stdio.recv()
	if level != "warning" {
		t.Errorf("level %q", level)
	}
	stdio.send(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"far__talk","_meta":{"progressToken":"p"}}}` + "\n")
	if got := stdio.recv(); dig(got, "params", "message") != "half" || dig(got, "params", "progressToken") != "p" {
		t.Errorf("%v", got)
	}
	if got := stdio.recv(); dig(got, "params", "data") != "said" {
		t.Errorf("%v", got)
	}
	if got := stdio.recv(); !strings.Contains(string(marshalled(t, got)), "client does not support elicitation") {
		t.Errorf("%v", got)
	}
	go s.Announce("notifications/message", json.RawMessage(`{"level":"error","data":"to all"}`))
	if got := stdio.recv(); dig(got, "params", "data") != "to all" {
		t.Errorf("%v", got)
	}
	stdio.send(`{"jsonrpc":"2.0","id":3,"method":"resources/subscribe","params":{"uri":"far://a"}}` + "\n")
	stdio.recv()
	go s.Announce("notifications/resources/updated", json.RawMessage(`{"uri":"far://a"}`))
	if got := stdio.recv(); dig(got, "params", "uri") != "far://a" {
		t.Errorf("%v", got)
	}
}

func marshalled(t *testing.T, v any) []byte {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
