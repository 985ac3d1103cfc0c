package mcpserver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/mcpserver"
)

func call(id any, name, args string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":"%v","method":"tools/call","params":{"name":%q,"arguments":%s}}`+"\n", id, name, args)
}

// Fixed bug of the bare SDK: the end of stdin drops calls that were accepted.
func TestStdioAnswersBeforeItEnds(t *testing.T) {
	f := newFixture(t, nil)
	c := startStdio(t, f.serve(t, nil))
	c.send(initialize + call("a", "echo", `{"text":"hi"}`) + call("b", "block", `{}`) + `{"jsonrpc":"2.0","id":"c","method":"ping"}`)
	c.in.Close()
	go func() {
		<-f.started
		close(f.release)
	}()
	var ids []string
	for msg := c.recv(); msg != nil; msg = c.recv() {
		if msg["result"] == nil {
			t.Errorf("no result: %v", msg)
		}
		ids = append(ids, msg["id"].(string))
	}
	slices.Sort(ids)
	if diff := cmp.Diff([]string{"a", "b", "c", "init"}, ids); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if err := <-c.done; err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
}

func TestStdioDrainIsBounded(t *testing.T) {
	f := newFixture(t, nil)
	c := startStdio(t, f.serve(t, &mcpserver.Options{DrainTimeout: time.Millisecond}))
	c.send(initialize + call("b", "block", `{}`))
	c.recv()
	<-f.started
	c.in.Close()
	if err := <-f.ended; err == nil {
		t.Error("the call was not cancelled")
	}
	for msg := c.recv(); msg != nil; msg = c.recv() {
		if msg["result"] != nil {
			t.Errorf("got %v", msg)
		}
	}
	if err := <-c.done; err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
}

func TestStdioTooLarge(t *testing.T) {
	c := startStdio(t, newFixture(t, nil).serve(t, &mcpserver.Options{MessageBytes: 2000}))
	c.initialize()
	c.send(call("fits", "echo", `{"text":"`+strings.Repeat("x", 1800)+`"}`))
	if got := c.recv(); got["result"] == nil {
		t.Errorf("a message within the limit: %v", got)
	}
	go func() {
		// The server reads on for a while; the pipe ends when it has answered.
		_, _ = io.WriteString(c.in, call("large", "echo", `{"text":"`+strings.Repeat("x", 100_000)+`"}`))
		c.in.Close()
	}()
	got := c.recv()
	want := []any{nil, -32600.0, "RequestTooLargeError", 2000.0}
	if diff := cmp.Diff(want, []any{
		got["id"], dig(got, "error", "code"), dig(got, "error", "data", "type"), dig(got, "error", "data", "limitBytes"),
	}); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
	if got := c.recv(); got != nil {
		t.Errorf("the connection goes on: %v", got)
	}
	if err := <-c.done; err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
}

// A client that begins a message and does not end it is told so, even when it
// sends a byte now and then.
func TestStdioSlowSender(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startStdio(t, newFixture(t, nil).serve(t, &mcpserver.Options{RequestTimeout: 30 * time.Second}))
		c.initialize()
		time.Sleep(time.Hour) // silence between messages is no fault
		var sender sync.WaitGroup
		sender.Go(func() {
			for _, part := range []string{`{"jsonrpc"`, `:"2.0"`, `,"id":1`} {
				if _, err := io.WriteString(c.in, part); err != nil {
					return
				}
				time.Sleep(12 * time.Second)
			}
		})
		start := time.Now()
		got := c.recv()
		if kind := dig(got, "error", "data", "type"); kind != "ConnectionTimeout" || got["id"] != nil {
			t.Errorf("got %v", got)
		}
		if waited := time.Since(start); waited != 30*time.Second {
			t.Errorf("after %s", waited)
		}
		if got := c.recv(); got != nil {
			t.Errorf("the connection goes on: %v", got)
		}
		c.in.Close()
		sender.Wait()
		if err := <-c.done; err != nil {
			t.Errorf("ServeStdio: %v", err)
		}
	})
}

func TestStdioDuplicateID(t *testing.T) {
	f := newFixture(t, nil)
	c := startStdio(t, f.serve(t, nil))
	c.initialize()
	c.send(call("x", "block", `{}`))
	<-f.started
	c.send(call("x", "echo", `{"text":"second"}`))
	got := c.recv()
	if got["id"] != nil || dig(got, "error", "data", "type") != "InvalidRequestError" || dig(got, "error", "data", "id") != "x" {
		t.Errorf("the duplicate: %v", got)
	}
	close(f.release)
	if got := c.recv(); got["id"] != "x" || dig(got, "result", "structuredContent", "text") != "released" {
		t.Errorf("the first: %v", got)
	}
	c.send(call("x", "echo", `{"text":"third"}`))
	if got := c.recv(); dig(got, "result", "structuredContent", "text") != "third" {
		t.Errorf("the id is free again: %v", got)
	}
}

// A subscription has no end of its own and must not keep the server from its.
func TestStdioEndsDespiteSubscription(t *testing.T) {
	c := startStdio(t, newFixture(t, nil).serve(t, nil))
	c.send(`{"jsonrpc":"2.0","id":"s","method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}` + "\n")
	if got := c.recv(); got["method"] != "notifications/subscriptions/acknowledged" {
		t.Errorf("got %v", got)
	}
	c.in.Close()
	for msg := c.recv(); msg != nil; msg = c.recv() {
		t.Logf("at the end: %v", msg)
	}
	if err := <-c.done; err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
}

func TestStdioCancel(t *testing.T) {
	f := newFixture(t, nil)
	c := startStdio(t, f.serve(t, nil))
	c.initialize()
	c.send(call("x", "block", `{}`))
	<-f.started
	c.send(`{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"x"}}` + "\n")
	if err := <-f.ended; !errors.Is(err, context.Canceled) {
		t.Errorf("the tool ended with %v", err)
	}
	c.send(`{"jsonrpc":"2.0","id":"after","method":"ping"}` + "\n")
	if got := c.recv(); got["id"] != "after" {
		t.Errorf("a cancelled call is owed no answer: %v", got)
	}
}

func TestStdioBatch(t *testing.T) {
	c := startStdio(t, newFixture(t, nil).serve(t, nil))
	c.send(strings.Replace(initialize, "2025-11-25", "2025-03-26", 1))
	c.recv()
	c.send(`[{"jsonrpc":"2.0","id":"1","method":"ping"},{"jsonrpc":"2.0","method":"notifications/initialized"},{"jsonrpc":"2.0","id":"2"},` +
		strings.TrimSpace(call("3", "echo", `{"text":"hi"}`)) + "]\n")
	var answers []map[string]any
	if err := c.out.Decode(&answers); err != nil {
		t.Fatal(err)
	}
	got := map[any]bool{}
	for _, a := range answers {
		got[a["id"]] = a["error"] == nil
	}
	if diff := cmp.Diff(map[any]bool{"1": true, "2": false, "3": true}, got); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}

// A response to nothing is logged and counted and changes nothing.
func TestStdioStrayResponse(t *testing.T) {
	seen := &observer{}
	c := startStdio(t, newFixture(t, nil).serve(t, &mcpserver.Options{Observer: seen}))
	c.initialize()
	c.send(`{"jsonrpc":"2.0","id":77,"result":{}}` + "\n" + `{"jsonrpc":"2.0","id":"after","method":"ping"}` + "\n")
	if got := c.recv(); got["id"] != "after" {
		t.Errorf("got %v", got)
	}
	_, events := seen.all()
	if !slices.ContainsFunc(events, func(e catalog.Event) bool { return e.Method == "response" && e.Err != nil }) {
		t.Errorf("no event: %+v", events)
	}
}

func TestStdioInitializeComesFirstAndOnce(t *testing.T) {
	c := startStdio(t, newFixture(t, nil).serve(t, nil))
	refused := func(msg, text string) {
		t.Helper()
		c.send(msg)
		got := c.recv()
		if message, _ := dig(got, "error", "message").(string); dig(got, "error", "data", "type") != "InvalidRequestError" || !strings.Contains(message, text) {
			t.Errorf("got %v, want %q", got, text)
		}
	}
	refused(call("early", "echo", `{"text":"hi"}`), "before initialize")
	c.send(`{"jsonrpc":"2.0","id":"p","method":"ping"}` + "\n")
	if got := c.recv(); got["result"] == nil {
		t.Errorf("ping needs no session: %v", got)
	}
	c.initialize()
	refused(strings.Split(initialize, "\n")[0]+"\n", "initialized already")
}

func TestStdioEndsWithItsContext(t *testing.T) {
	s := newFixture(t, nil).serve(t, nil)
	inR, inW := io.Pipe()
	defer inW.Close()
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() { done <- s.ServeStdio(ctx, inR, io.Discard) }()
	cancel()
	if err := <-done; err != nil {
		t.Errorf("ServeStdio: %v", err)
	}
}

func TestStdioWriteFails(t *testing.T) {
	s := newFixture(t, nil).serve(t, nil)
	inR, inW := io.Pipe()
	defer inW.Close()
	outR, outW := io.Pipe()
	outR.Close()
	done := make(chan error, 1)
	go func() { done <- s.ServeStdio(t.Context(), inR, outW) }()
	if _, err := io.WriteString(inW, initialize); err != nil && !errors.Is(err, io.ErrClosedPipe) {
		t.Fatal(err)
	}
	inW.Close()
	if err := <-done; err == nil {
		t.Error("no error though nothing could be written")
	}
}
