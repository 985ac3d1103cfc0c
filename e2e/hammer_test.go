package e2e

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	goodClients = 8
	goodCalls   = 100 // of each client
	badRounds   = 60
)

// TestMisbehavingClient has eight clients call as fast as they can while
// another sends garbage, hangs up in the middle of things and floods. The
// eight must not notice.
func TestMisbehavingClient(t *testing.T) {
	p := start(t, nil, "serve", "--http", "127.0.0.1:0")
	url := p.url(t, "HTTP")
	ctx, cancel := context.WithTimeout(t.Context(), 2*patience)
	defer cancel()

	var wg sync.WaitGroup
	for n := range goodClients {
		wg.Go(func() {
			session, err := connect(ctx, "", &mcp.StreamableClientTransport{Endpoint: url + "/mcp"})
			if err != nil {
				t.Errorf("client %d: %v", n, err)
				return
			}
			defer session.Close()
			for i := range goodCalls {
				if err := encodes(ctx, session, fmt.Sprintf("@startuml\nA%d -> B : call %d\n@enduml", n, i)); err != nil {
					t.Errorf("client %d, call %d: %v", n, i, err)
					return
				}
			}
		})
	}
	addr := strings.TrimPrefix(url, "http://")
	for i := range badRounds {
		if err := misbehave(addr, i); err != nil {
			t.Errorf("round %d of the misbehaving client: %v", i, err)
		}
	}
	wg.Wait()
	if text := p.log.String(); strings.Contains(text, "panic") || strings.Contains(text, "InternalError") {
		t.Errorf("the server had troubles of its own:\n%s", text)
	}
	p.terminate(t)
	p.stops(t, grace)
}

// misbehave does one of several bad things and hangs up. An error means that
// the server took no connection; that it closes this one early is its right.
func misbehave(addr string, round int) error {
	conn, err := net.DialTimeout("tcp", addr, patience)
	if err != nil {
		return err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(patience)); err != nil {
		return err
	}
	post := func(length int) string {
		return fmt.Sprintf("POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"+
			"Accept: application/json, text/event-stream\r\nContent-Length: %d\r\n\r\n", length)
	}
	switch round % 6 {
	case 0: // not HTTP
		_, err = io.WriteString(conn, "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n")
	case 1: // half a body
		_, err = io.WriteString(conn, post(1000)+`{"jsonrpc":"2.0"`)
	case 2: // a call whose answer nobody reads
		call := callOf(`{"plantumlCode":"` + strings.Repeat("A -> B ", 5000) + `"}`)
		_, err = io.WriteString(conn, strings.Repeat(post(len(call))+call, 5))
	case 3: // too large, and sent to the end whatever the server says
		_, err = io.WriteString(conn, post(9<<20)+strings.Repeat("[", 9<<20))
	case 4: // deep nesting
		deep := strings.Repeat(`{"a":`, 200_000)
		_, err = io.WriteString(conn, post(len(deep))+deep)
	case 5: // sessions that are opened and forgotten
		for range 5 {
			message := initialize(latestSession)
			if _, err = io.WriteString(conn, post(len(message))+message); err != nil {
				break
			}
		}
	}
	var closed *net.OpError
	if errors.As(err, &closed) && !closed.Timeout() {
		return nil
	}
	return err
}
