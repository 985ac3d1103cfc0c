package e2e

import (
	"reflect"
	"testing"
)

// TestContractExamples sends the requests that the error contract is explained
// with and compares the whole answer.
func TestContractExamples(t *testing.T) {
	stdio := start(t, nil, "serve")
	stdio.handshake(t, latestSession)
	http := newHTTPClient(t, start(t, nil, "serve", "--http", "127.0.0.1:0").url(t, "HTTP"))
	http.handshake(t, latestSession)
	for _, c := range []struct{ name, request, answer string }{
		{
			"a failed call",
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"encodePlantUML","arguments":{"plantumlCode":" "}}}`,
			`{"jsonrpc":"2.0","id":1,"result":{"isError":true,
			  "content":[{"type":"text","text":"EMPTY_CODE: plantumlCode is required and cannot be empty. Pass the diagram's source, from @startuml to @enduml."}],
			  "structuredContent":{"error":{"type":"ValidationError","code":"EMPTY_CODE","message":"plantumlCode is required and cannot be empty","hint":"Pass the diagram's source, from @startuml to @enduml."}}}}`,
		},
		{
			"an unknown tool",
			`{"jsonrpc":"2.0","id":4,"method":"tools/call","params":{"name":"encodePlantUm","arguments":{}}}`,
			`{"jsonrpc":"2.0","id":4,"error":{"code":-32602,"message":"tool \"encodePlantUm\" not found; did you mean encodePlantUML?","data":{"type":"ToolNotFoundError","tool":"encodePlantUm","suggestions":["encodePlantUML"]}}}`,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			var want any
			unmarshal(t, c.answer, &want)
			stdio.write(t, c.request+"\n")
			overStdio, err := stdio.line(t)
			if err != nil {
				t.Fatal(err)
			}
			_, overHTTP := http.rpc(t, c.request)
			for door, text := range map[string]string{"stdio": overStdio, "HTTP": overHTTP} {
				var got any
				unmarshal(t, text, &got)
				if !reflect.DeepEqual(got, want) {
					t.Errorf("%s answered\n%s\nwant\n%s", door, text, c.answer)
				}
			}
		})
	}
}
