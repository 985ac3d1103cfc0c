package e2e

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"sync"
	"syscall"
	"time"
)

// connectionScenarios are about who goes away, and what goes on.
var connectionScenarios = []scenario{
	{
		requirement: connections, name: "Client disconnect during request",
		promise: "The call of a client that leaves, or gives it up, is cancelled, and its server is told.",
		run: func(s *story) {
			request := `{"jsonrpc":"2.0","id":9,"method":"tools/call","params":{"name":"s__slow","arguments":{"for":"30s"}}}`
			if s.stdio != nil {
				s.stdio.tell(s.T, request)
				eventually(s.T, "it runs", func() bool { return s.recorded("call slow") == 1 })
				s.stdio.tell(s.T, `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":9}}`)
			} else {
				ctx, leave := context.WithCancel(s.Context())
				req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.http.url+"/mcp", strings.NewReader(request))
				if err != nil {
					s.Fatal(err)
				}
				req.Header = s.http.header.Clone()
				go func() {
					if res, err := s.http.Do(req); err == nil {
						res.Body.Close()
					}
				}()
				eventually(s.T, "it runs", func() bool { return s.recorded("call slow") == 1 })
				leave()
			}
			eventually(s.T, "the server is told", func() bool { return s.recorded("cancelled told") == 1 })
			s.logs(`code=CANCELLED`)
			s.tells(request+", then the connection ends", "(nobody is there) the server gets notifications/cancelled")
		},
	},
	{
		requirement: connections, name: "Backend disconnect during request",
		promise: "The error says whether the request may be sent again; the server is started again. A request that only reads is sent again without a word.",
		run: func(s *story) {
			if data := s.fails(s.call("s__die", "{}"), -32000, "BackendDisconnected", "upstream", "attempts"); data["retryable"] != false {
				s.Errorf("%v", data)
			}
			s.call("s__read_die_once", fmt.Sprintf(`{"once":%q}`, s.record+".once"))
			if die, read := s.recorded("call die"), s.recorded("call read_die_once"); die != 1 || read != 2 {
				s.Errorf("executed %d and %d times, want 1 and 2", die, read)
			}
		},
	},
	{
		requirement: connections, name: "Network partition recovery", only: "HTTP",
		promise: "Requests that wait fail, it is seen that the server is cut off, and when the network is back so are its tools.",
		run: func(s *story) {
			addr, _ := startListening(s.T, "", s.record+".far")
			net := newNetwork(s.T, addr)
			s.config = configFile(s.T, fmt.Sprintf(`{"mcpServers": {"far": {"type": "http", "url": "http://%s", "timeout": "1s",
				"connectTimeout": "1s", "health": {"interval": "200ms", "timeout": "200ms"}, "breaker": {"enabled": false}}}}`, net.Listen))
			s.serve("HTTP")
			s.works("far__read", "{}", "read")
			net.cut(s.T)
			a := s.call("far__echo", `{"text":"lost"}`)
			if kind := a.Error.Data["type"]; kind != "BackendDisconnected" && kind != "GatewayTimeout" {
				s.Errorf("%+v", a.Error)
			}
			eventually(s.T, "it is seen", func() bool { return strings.Contains(s.get("/readyz"), `"degraded"`) })
			net.mend(s.T)
			eventually(s.T, "it is back", func() bool { return strings.Contains(s.get("/readyz"), `"ready"`) })
			s.call("far__echo", `{"text":"back"}`)
			s.steps[0].came = "(BackendDisconnected or GatewayTimeout, whichever is known first)"
		},
	},
	{
		requirement: connections, name: "Zombie connection detection", settings: `"timeouts": {"session": "300ms"}`, only: "HTTP",
		promise: "A session whose client is silent is ended and logged; its client learns so by the protocol's 404 and can begin anew.",
		run: func(s *story) {
			s.logs(`session ends: its client is silent`)
			res, text := s.http.rpc(s.T, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
			if res.StatusCode != http.StatusNotFound {
				s.Errorf("%s", res.Status)
			}
			s.tells(`{"jsonrpc":"2.0","id":1,"method":"ping"}`, "HTTP 404 "+text)
			s.connect()
			s.works("s__read", "{}", "read")
		},
	},
	{
		requirement: connections, name: "Too many connections", settings: `"limits": {"connections": 2}`, only: "HTTP",
		promise: "The one too many is told the limit; the others go on.",
		run: func(s *story) {
			second := s.dial()
			request := "GET /api/tools HTTP/1.1\r\nHost: localhost\r\n\r\n"
			fmt.Fprint(second, request)
			if head := make([]byte, 12); true {
				if _, err := io.ReadFull(second, head); err != nil || string(head) != "HTTP/1.1 200" {
					s.Errorf("the second: %q, %v", head, err)
				}
			}
			third := s.dial()
			fmt.Fprint(third, "POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}")
			text := readAll(s.T, third)
			if !strings.HasPrefix(text, "HTTP/1.1 503") || !strings.Contains(text, "ConnectionRefusedError") || !strings.Contains(text, "limits.connections") {
				s.Errorf("the third: %s", text)
			}
			_, body, _ := strings.Cut(text, "\r\n\r\n")
			s.tells("POST /mcp on a third connection, with limits.connections 2", "HTTP 503 "+body)
			s.pings()
		},
	},
	{
		requirement: resilience, name: "Error in one request doesn't affect others",
		promise: "Forty calls run while others fail in every way; none of the forty notices.",
		run: func(s *story) {
			bad := []string{"garbage", "fail", "reject", "scalar", "badutf8", "deep"}
			if s.stdio != nil {
				for i := range 40 {
					s.stdio.tell(s.T, fmt.Sprintf(`{"jsonrpc":"2.0","id":"good %d","method":"tools/call","params":{"name":"s__echo","arguments":{"text":"n%d"}}}`, i, i))
					s.stdio.tell(s.T, fmt.Sprintf(`{"jsonrpc":"2.0","id":"bad %d","method":"tools/call","params":{"name":"s__%s","arguments":{}}}`, i, bad[i%len(bad)]))
				}
				for i := range 40 {
					if text := s.stdio.answer(s.T, fmt.Sprintf(`"good %d"`, i)); !strings.Contains(text, fmt.Sprintf(`"n%d"`, i)) {
						s.Errorf("call %d: %s", i, text)
					}
					s.stdio.answer(s.T, fmt.Sprintf(`"bad %d"`, i))
				}
				return
			}
			var group sync.WaitGroup
			for i := range 40 {
				group.Go(func() {
					c := *s.http
					c.Client = &http.Client{Timeout: patience}
					_, text := c.rpc(s.T, fmt.Sprintf(`{"jsonrpc":"2.0","id":"good %d","method":"tools/call","params":{"name":"s__echo","arguments":{"text":"n%d"}}}`, i, i))
					if !strings.Contains(text, fmt.Sprintf(`"n%d"`, i)) {
						s.Errorf("call %d: %s", i, text)
					}
					c.rpc(s.T, fmt.Sprintf(`{"jsonrpc":"2.0","id":"bad %d","method":"tools/call","params":{"name":"s__%s","arguments":{}}}`, i, bad[i%len(bad)]))
				})
			}
			group.Wait()
			s.fails(s.call("s__garbage", "{}"), -32603, "SerializationError", "upstream", "reason")
		},
	},
	{
		requirement: resilience, name: "Error logging and monitoring",
		settings: `"alert": {"errorsPerMinute": 3, "command": ["tee", "DIR/alert"]}`,
		promise:  "Each failure is one log line and one count; too many within a minute call the alert's command or URL.",
		run: func(s *story) {
			for range 4 {
				s.works("s__fail", "{}", "no luck")
			}
			s.logs(`tool=s__fail .*type=ToolError code=TOOL_FAILED`)
			s.logs(`level=ERROR msg="alert: too many requests fail" errors=3`)
			path := strings.TrimSuffix(s.record, "record") + "alert"
			var alert map[string]any
			eventually(s.T, "the alert's command has run", func() bool {
				text, err := os.ReadFile(path)
				return err == nil && json.Unmarshal(text, &alert) == nil
			})
			if alert["errors"] != 3.0 || alert["threshold"] != 3.0 {
				s.Errorf("%v", alert)
			}
			if s.http != nil {
				sample := `webodar_requests_total{code="TOOL_FAILED",surface="http",tool="s__fail",type="ToolError"} 4`
				eventually(s.T, "the metrics have "+sample, func() bool { return strings.Contains(s.get("/metrics"), sample) })
				s.tells("tools/call s__fail, four times, with alert.errorsPerMinute 3", sample+" in /metrics; the alert's command gets {\"alert\":\"errors\",\"errors\":3,…}")
			}
		},
	},
	{
		requirement: resilience, name: "Graceful degradation", server: `"restart": {"maxPerMinute": 1}, "breaker": {"enabled": false}`, servers: `"other": SCRIPTED`,
		promise: "When a server is gone its tools leave the list, clients are told, /readyz says so and why, and all the rest works. A call that comes too late learns when the server is tried again.",
		run: func(s *story) {
			s.fails(s.call("s__die", "{}"), -32000, "BackendDisconnected")
			eventually(s.T, "it is back", func() bool { return s.recorded("start") == 2 })
			eventually(s.T, "it is gone", func() bool {
				_, came := s.request("tools/call", `{"name":"s__die","arguments":{}}`)
				return strings.Contains(came, "retryAfterMs")
			})
			s.fails(s.call("s__echo", "{}"), -32000, "BackendDisconnected", "retryAfterMs", "upstream")
			eventually(s.T, "its tools, and no others, have left the list", func() bool {
				_, came := s.request("tools/list", "")
				return !strings.Contains(came, `"s__echo"`) && strings.Contains(came, `"other__echo"`) && strings.Contains(came, `"encodePlantUML"`)
			})
			s.works("other__echo", "{}", "content")
			if s.stdio != nil {
				s.stdio.await(s.T, "change of the list", func(line string) bool { return strings.Contains(line, "notifications/tools/list_changed") })
				return
			}
			ready := s.get("/readyz")
			if !strings.Contains(ready, `"status":"degraded"`) || !strings.Contains(ready, `"degraded":["s"]`) || !strings.Contains(ready, "exit status 7") {
				s.Errorf("/readyz: %s", ready)
			}
			if !strings.Contains(s.get("/api/tools"), "other__echo") || strings.Contains(s.get("/api/tools"), `"s__echo"`) {
				s.Error("REST lists something else")
			}
		},
	},
	{
		requirement: resilience, name: "Error recovery after restart",
		promise: "Killed with kill -9, webodar leaves no process behind; started again, it has its servers back. A session of before gets the protocol's 404.",
		run: func(s *story) {
			_, came := s.request("tools/call", `{"name":"s__pid","arguments":{}}`)
			var a struct {
				Result struct{ Content []struct{ Text string } }
			}
			unmarshal(s.T, came, &a)
			var child int
			if _, err := fmt.Sscan(a.Result.Content[0].Text, &child); err != nil {
				s.Fatal(err)
			}
			if err := s.p.cmd.Process.Kill(); err != nil {
				s.Fatal(err)
			}
			<-s.p.exited
			eventually(s.T, "its server is gone", func() bool { return syscall.Kill(child, 0) != nil })
			before := s.http
			if s.stdio != nil {
				s.serve("stdio")
			} else {
				s.serve("HTTP")
				before.url = s.http.url
				res, text := before.rpc(s.T, `{"jsonrpc":"2.0","id":1,"method":"ping"}`)
				if res.StatusCode != http.StatusNotFound {
					s.Errorf("%s", res.Status)
				}
				s.tells(`{"jsonrpc":"2.0","id":1,"method":"ping"} in a session of before`, "HTTP 404 "+text)
			}
			s.works("s__read", "{}", "read")
		},
	},
	{
		requirement: resilience, name: "Circuit breaker activation",
		server:  `"timeout": "100ms", "breaker": {"minCalls": 3, "openFor": "1s"}`,
		promise: "When too many requests to a server fail, further ones fail at once with the time to wait; a ping finds out whether the server is back.",
		run: func(s *story) {
			for range 3 {
				s.works1("s__mute")
			}
			begun := time.Now()
			s.fails(s.call("s__read", "{}"), -32000, "CircuitOpen", "upstream", "retryAfterMs")
			if took := time.Since(begun); took > time.Second {
				s.Errorf("it took %s", took)
			}
			if s.recorded("call read") != 0 {
				s.Error("the server was asked")
			}
			s.logs(`circuit breaker.* to=closed`)
			s.works("s__read", "{}", "read")
		},
	},
}

// works1 sends a call and does not look at its answer.
func (s *story) works1(tool string) {
	s.Helper()
	s.request("tools/call", fmt.Sprintf(`{"name":%q,"arguments":{}}`, tool))
}
