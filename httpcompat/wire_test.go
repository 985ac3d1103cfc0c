package httpcompat_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/webodar/webodar/httpcompat"
	"github.com/webodar/webodar/internal/catalog"
)

// wait bounds what would otherwise hang the test.
const wait = 10 * time.Second

// peer is one connection to a real server, spoken to in bytes.
type peer struct {
	t testing.TB
	net.Conn
	in *bufio.Reader
}

func dial(t testing.TB, server *httptest.Server) *peer {
	t.Helper()
	conn, err := net.Dial("tcp", server.Listener.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	if err := conn.SetDeadline(time.Now().Add(wait)); err != nil {
		t.Fatal(err)
	}
	return &peer{t, conn, bufio.NewReader(conn)}
}

// post sends a POST with these header lines and this much of a body.
func (p *peer) post(path, header, body string) {
	p.t.Helper()
	if _, err := fmt.Fprintf(p, "POST %s HTTP/1.1\r\nHost: test\r\n%s\r\n\r\n%s", path, header, body); err != nil {
		p.t.Fatal(err)
	}
}

// answer reads one response.
func (p *peer) answer() (*http.Response, []byte) {
	p.t.Helper()
	res, err := http.ReadResponse(p.in, nil)
	if err != nil {
		p.t.Fatal(err)
	}
	body, err := io.ReadAll(res.Body)
	if err != nil {
		p.t.Fatal(err)
	}
	return res, body
}

// wantClosed fails unless the server has closed the connection.
func (p *peer) wantClosed() {
	p.t.Helper()
	if b, err := p.in.ReadByte(); err == nil {
		p.t.Errorf("the connection is open and sends %q", b)
	} else if netErr, ok := err.(net.Error); ok && netErr.Timeout() {
		p.t.Error("the connection is still open")
	}
}

func serve(t testing.TB, h http.Handler) *httptest.Server {
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server
}

func TestSlowBody(t *testing.T) {
	p := dial(t, serve(t, newHandler(t, &httpcompat.Options{BodyTimeout: 30 * time.Millisecond})))
	p.post("/api/tools/echo", "Content-Length: 100", `{"text":`)
	res, body := p.answer()
	if res.StatusCode != http.StatusRequestTimeout || !res.Close {
		t.Errorf("status %d, close %t", res.StatusCode, res.Close)
	}
	wantJSON(t, body, `{"success":false,"error":{"code":"CONNECTION_TIMEOUT","message":"the body did not arrive within 30ms",
		"details":{"timeoutMs":30,"hint":"Send the whole body at once."}}}`)
	p.wantClosed()
}

// The server watches the connection while a tool runs. A body deadline that
// is left behind looks to it like a client that has gone.
func TestSlowToolOutlivesBodyTimeout(t *testing.T) {
	const bodyTimeout = 20 * time.Millisecond
	slow := catalog.Tool{
		Name: "slow", Input: schema(`{"type":"object"}`),
		Handler: func(ctx context.Context, _ json.RawMessage) (*catalog.Result, error) {
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-time.After(5 * bodyTimeout):
				return &catalog.Result{Structured: map[string]any{}}, nil
			}
		},
	}
	p := dial(t, serve(t, httpcompat.New(newCatalog(t, slow), &httpcompat.Options{BodyTimeout: bodyTimeout})))
	p.post("/api/tools/slow", "Content-Length: 2", `{}`)
	if res, body := p.answer(); res.StatusCode != http.StatusOK {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

func TestDisconnect(t *testing.T) {
	seen := newRecorder()
	server := serve(t, newHandler(t, &httpcompat.Options{Observer: seen}))

	p := dial(t, server)
	p.post("/api/tools/fail", "Content-Length: 14", `{"how":"hang"}`)
	seen.wantBegun(t)
	p.Close()
	if ev := seen.next(t); ev.Status != 499 || ev.Err == nil || ev.Err.Type != catalog.Cancelled || ev.Tool != "fail" {
		t.Errorf("during the call: %+v", ev)
	}

	p = dial(t, server)
	p.post("/api/tools/fail", "Content-Length: 14", `{"how":`)
	seen.wantBegun(t)
	p.Close()
	if ev := seen.next(t); ev.Status != 499 || ev.Err == nil || ev.Err.Type != catalog.Cancelled {
		t.Errorf("during the body: %+v", ev)
	}
}

// A client that sends all before it reads must get to read why it was refused.
func TestRefusedBodyIsDrained(t *testing.T) {
	server := serve(t, newHandler(t, nil))
	large := bytes.Repeat([]byte(" "), 9<<20)
	for _, tool := range []string{"encodePlantUML", "echo"} {
		for _, chunked := range []bool{false, true} {
			var body io.Reader = bytes.NewReader(large)
			if chunked {
				body = io.MultiReader(body) // hides the length
			}
			res, err := server.Client().Post(server.URL+"/api/tools/"+tool, "application/json", body)
			if err != nil {
				t.Fatalf("%s, chunked %t: %v", tool, chunked, err)
			}
			text, err := io.ReadAll(res.Body)
			res.Body.Close()
			if err != nil || res.StatusCode != http.StatusRequestEntityTooLarge || !res.Close {
				t.Errorf("%s, chunked %t: %d %s, close %t, %v", tool, chunked, res.StatusCode, text, res.Close, err)
			}
		}
	}
}

func TestConnectionStaysOpen(t *testing.T) {
	p := dial(t, serve(t, newHandler(t, nil)))
	padding := strings.Repeat(" ", 300<<10) // more than net/http would discard
	for range 2 {
		for path, want := range map[string]int{"/api/tools/echo": 200, "/api/tools/none": 404, "/api/tools": 405, "/api/x": 404} {
			body := `{"text":"a"}` + padding
			p.post(path, fmt.Sprintf("Content-Length: %d", len(body)), body)
			if res, text := p.answer(); res.StatusCode != want || res.Close {
				t.Errorf("%s: %d %s, close %t", path, res.StatusCode, text, res.Close)
			}
		}
	}
}

// A client that asks before it sends is not made to send what is refused.
func TestExpectContinue(t *testing.T) {
	server := serve(t, newHandler(t, nil))
	p := dial(t, server)
	p.post("/api/tools/encodePlantUML", "Expect: 100-continue\r\nContent-Length: 100000", "")
	if res, _ := p.answer(); res.StatusCode != http.StatusRequestEntityTooLarge {
		t.Errorf("status %d", res.StatusCode)
	}
	p.wantClosed()

	p = dial(t, server)
	p.post("/api/tools/echo", "Expect: 100-continue\r\nContent-Length: 12", "")
	if res, _ := p.answer(); res.StatusCode != http.StatusContinue {
		t.Errorf("status %d", res.StatusCode)
	}
	if _, err := io.WriteString(p, `{"text":"a"}`); err != nil {
		t.Fatal(err)
	}
	if res, _ := p.answer(); res.StatusCode != http.StatusOK {
		t.Errorf("status %d", res.StatusCode)
	}
}

func TestBrokenChunks(t *testing.T) {
	p := dial(t, serve(t, newHandler(t, nil)))
	p.post("/api/tools/echo", "Transfer-Encoding: chunked", "zz\r\n{}\r\n0\r\n\r\n")
	res, body := p.answer()
	if code := errorCode(t, body); res.StatusCode != http.StatusBadRequest || code != "INVALID_REQUEST" {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

// The listener may put a limit of its own on bodies.
func TestListenersLimit(t *testing.T) {
	h := newHandler(t, nil)
	server := serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 10)
		h.ServeHTTP(w, r)
	}))
	p := dial(t, server)
	p.post("/api/tools/echo", "Content-Length: 12", `{"text":"a"}`)
	res, body := p.answer()
	if code := errorCode(t, body); res.StatusCode != http.StatusRequestEntityTooLarge || code != "REQUEST_TOO_LARGE" {
		t.Errorf("%d %s", res.StatusCode, body)
	}
}

func TestHead(t *testing.T) {
	server := serve(t, newHandler(t, nil))
	for _, path := range []string{"/api/tools", "/api/openapi.json", "/api/none"} {
		res, err := server.Client().Get(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		body, _ := io.ReadAll(res.Body)
		res.Body.Close()
		head, err := server.Client().Head(server.URL + path)
		if err != nil {
			t.Fatal(err)
		}
		head.Body.Close()
		if head.StatusCode != res.StatusCode || head.ContentLength != int64(len(body)) || head.Header.Get("Content-Type") != "application/json" {
			t.Errorf("%s: %d %v, GET %d with %d bytes", path, head.StatusCode, head.Header, res.StatusCode, len(body))
		}
	}
}
