package gateway

import (
	"bytes"
	"context"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"mime"
	"net/http"
	"net/http/httptrace"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// httpWire speaks streamable HTTP with a server. The SDK's transport shakes
// hands; requests go out here, one exchange each, so that an answer that is
// broken, or a status of 500, is the failure of one request and not of the
// connection, and so that what a server sends during a request is known to
// belong to it.
type httpWire struct {
	server  *Server
	client  *http.Client
	log     *slog.Logger
	receive receiver

	mu      sync.Mutex
	session string // of the protocol; empty when the server has none
	version string // of the protocol, agreed on

	alive context.Context // ends with the connection
	end   context.CancelCauseFunc
	tasks sync.WaitGroup
}

var _ wire = (*httpWire)(nil)

func newHTTPWire(s *Server, log *slog.Logger, receive receiver) *httpWire {
	w := &httpWire{server: s, client: newHTTPClient(s), log: log, receive: receive}
	w.alive, w.end = context.WithCancelCause(context.Background())
	return w
}

// newHTTPClient returns a client for one server.
func newHTTPClient(s *Server) *http.Client {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = s.CallsInFlight
	transport.DialContext = dialer.DialContext
	return &http.Client{
		Transport: transport,
		// Headers hold secrets, which are for this host alone.
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if req.URL.Host != via[0].URL.Host || len(via) > 5 {
				return fmt.Errorf("it redirects to %s, which is not followed: give that as the url if it is right", withoutQuery(req.URL.String()))
			}
			return nil
		},
	}
}

// sdkTransport is the transport for the handshake.
func (w *httpWire) sdkTransport() mcp.Transport {
	client := *w.client
	client.Transport = withHeaders{w.client.Transport, w}
	return &mcp.StreamableClientTransport{Endpoint: w.server.URL, HTTPClient: &client, DisableStandaloneSSE: true, MaxRetries: -1}
}

// withHeaders adds the configured headers to each request.
type withHeaders struct {
	http.RoundTripper
	wire *httpWire
}

// RoundTrip implements [http.RoundTripper].
func (t withHeaders) RoundTrip(r *http.Request) (*http.Response, error) {
	if t.wire.alive.Err() != nil { // no farewell to a server that is gone
		return nil, t.wire.cause()
	}
	r = r.Clone(r.Context())
	for name, value := range t.wire.server.Headers {
		r.Header.Set(name, value)
	}
	return t.RoundTripper.RoundTrip(r)
}

// begin takes over what the handshake has agreed on.
func (w *httpWire) begin(session, version string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.session, w.version = session, version
}

func (w *httpWire) agreed() (session, version string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.session, w.version
}

func (w *httpWire) ended() <-chan struct{} { return w.alive.Done() }
func (w *httpWire) cause() error           { return context.Cause(w.alive) }

func (w *httpWire) close(cause error) {
	w.end(cause)
	w.tasks.Wait()
	w.client.CloseIdleConnections()
}

// roundTrip implements wire.
func (w *httpWire) roundTrip(ctx context.Context, r *request) (*message, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	stop := context.AfterFunc(w.alive, func() { cancel(&lostError{cause: w.cause(), unsent: !r.sent.Load()}) })
	defer stop()
	m, err := w.exchange(ctx, r)
	if err == nil || ctx.Err() == nil {
		return m, err
	}
	cause := context.Cause(ctx)
	var lost *lostError
	if errors.As(cause, &lost) {
		return nil, lost
	}
	if r.sent.Load() && w.alive.Err() == nil {
		// A server hears of it by the end of the exchange, or not at all.
		w.tasks.Go(func() {
			noted, done := context.WithTimeout(w.alive, 5*time.Second)
			defer done()
			if err := w.post(noted, cancelNote(r, cause)); err != nil {
				w.log.Debug("a server did not take a cancellation", "err", err)
			}
		})
	}
	return nil, cause
}

// exchange is one POST and its answer.
func (w *httpWire) exchange(ctx context.Context, r *request) (*message, error) {
	ctx = httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { r.sent.Store(true) },
	})
	res, err := w.do(ctx, http.MethodPost, r.text, func(h http.Header) {
		for name, value := range r.header {
			h.Set(name, value)
		}
		if _, version := w.agreed(); version >= modern {
			h.Set("Mcp-Method", r.method)
			if r.name != "" {
				h.Set("Mcp-Name", headerText(r.name))
			}
		}
	})
	if err != nil {
		return nil, &lostError{cause: plainNetError(err), unsent: !r.sent.Load()}
	}
	defer drain(res.Body)
	if err := w.checkStatus(res, r); err != nil {
		return nil, err
	}
	kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type"))
	switch kind {
	case "application/json":
		body, err := io.ReadAll(io.LimitReader(res.Body, maxAnswer+1))
		if err != nil {
			return nil, &lostError{cause: plainNetError(err)}
		}
		if len(body) > maxAnswer {
			return nil, &badAnswer{fmt.Sprintf("it is larger than %d bytes", maxAnswer)}
		}
		return answerTo(r, body)
	case "text/event-stream":
		return w.follow(ctx, res.Body, r)
	}
	return nil, &badAnswer{fmt.Sprintf("its Content-Type is %q", kind)}
}

// answerTo reads the answer to r.
func answerTo(r *request, body []byte) (*message, error) {
	m, err := readMessage(body)
	if err != nil {
		return nil, &badAnswer{err.Error()}
	}
	if m.method != "" || m.serial() != r.serial {
		return nil, &badAnswer{fmt.Sprintf("it has the id %.40s, not that of the request", m.id)}
	}
	return m, nil
}

// checkStatus says what a status other than success means for the request.
func (w *httpWire) checkStatus(res *http.Response, r *request) error {
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return nil
	}
	body, _ := io.ReadAll(io.LimitReader(res.Body, 64<<10)) // what came is enough to look at
	m, err := readMessage(bytes.TrimSpace(body))
	session, _ := w.agreed()
	if session != "" && (res.StatusCode == http.StatusNotFound ||
		res.StatusCode == http.StatusBadRequest && bytes.Contains(bytes.ToLower(body), []byte("session"))) {
		return &lostError{cause: errors.New("it does not know the session any more"), unsent: true, session: true}
	}
	if err == nil && m.failed != nil && m.serial() == r.serial {
		_, failed := m.answer()
		return failed
	}
	cause := fmt.Errorf("it answered with status %s", res.Status)
	switch {
	case res.StatusCode == http.StatusUnauthorized, res.StatusCode == http.StatusForbidden:
		return &lostError{cause: fmt.Errorf("%w: check its headers in the configuration", cause), unsent: true}
	case res.StatusCode == http.StatusTooManyRequests, res.StatusCode == http.StatusServiceUnavailable:
		return &lostError{cause: cause, unsent: true}
	case res.StatusCode >= 500:
		return &lostError{cause: cause}
	}
	return &badAnswer{"its status is " + res.Status}
}

// maxResumes is how often a stream is resumed that brings nothing.
const maxResumes = 5

// follow reads a stream until the answer to r; a stream that breaks off is
// resumed where the server has given its events ids.
func (w *httpWire) follow(ctx context.Context, body io.Reader, r *request) (*message, error) {
	last, delay := "", time.Second
	for resumes := 0; ; resumes++ {
		events := newEventReader(body)
		defer events.release()
		for {
			e, err := events.next()
			if errors.Is(err, errLargeEvent) {
				return nil, &badAnswer{err.Error()}
			}
			if err != nil {
				break
			}
			if e.id != "" {
				last, resumes = e.id, 0
			}
			if e.retry > 0 {
				delay = e.retry
			}
			if len(e.data) == 0 || e.name != "" && e.name != "message" {
				continue
			}
			m, err := readMessage(e.data)
			switch {
			case err != nil && guessSerial(e.data) == r.serial, err == nil && m.method == "" && m.serial() == r.serial:
				return answerTo(r, e.data)
			case err != nil:
				w.log.Warn("a server sent an event that is no message", "reason", err.Error())
			case m.method != "":
				w.receive(m, r.call)
			}
		}
		if last == "" || resumes >= maxResumes {
			return nil, &lostError{cause: errors.New("its answer broke off")}
		}
		res, err := w.listen(ctx, last, delay)
		if err != nil {
			return nil, &lostError{cause: plainNetError(err)}
		}
		defer drain(res.Body) // at most maxResumes of them without an event between
		body = res.Body
	}
}

// listen opens the stream that GET gives, after a delay.
func (w *httpWire) listen(ctx context.Context, last string, delay time.Duration) (*http.Response, error) {
	if err := sleep(ctx, delay); err != nil {
		return nil, err
	}
	res, err := w.do(ctx, http.MethodGet, nil, func(h http.Header) {
		h.Set("Accept", "text/event-stream")
		if last != "" {
			h.Set("Last-Event-ID", last)
		}
	})
	if err != nil {
		return nil, err
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); res.StatusCode != http.StatusOK || kind != "text/event-stream" {
		drain(res.Body)
		return nil, &noStream{res.StatusCode}
	}
	return res, nil
}

// noStream is a server that offers no stream.
type noStream struct{ status int }

func (e *noStream) Error() string { return fmt.Sprintf("it offers no stream (status %d)", e.status) }

// post implements wire.
func (w *httpWire) post(ctx context.Context, text []byte) error {
	res, err := w.do(ctx, http.MethodPost, text, nil)
	if err != nil {
		return plainNetError(err)
	}
	drain(res.Body)
	if res.StatusCode >= 300 {
		return fmt.Errorf("it answered with status %s", res.Status)
	}
	return nil
}

func (w *httpWire) do(ctx context.Context, method string, body []byte, set func(http.Header)) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, w.server.URL, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	h := req.Header
	h.Set("Accept", "application/json, text/event-stream")
	if body != nil {
		h.Set("Content-Type", "application/json")
	}
	session, version := w.agreed()
	if version != "" {
		h.Set("Mcp-Protocol-Version", version)
	}
	if session != "" {
		h.Set("Mcp-Session-Id", session)
	}
	if set != nil {
		set(h)
	}
	for name, value := range w.server.Headers {
		h.Set(name, value)
	}
	return w.client.Do(req)
}

// headerText encodes what a header cannot hold (MCP 2026-07-28, SEP-2243).
func headerText(s string) string {
	plain := strings.TrimSpace(s) == s && !strings.HasPrefix(s, "=?base64?")
	for _, r := range s {
		plain = plain && r >= ' ' && r <= '~'
	}
	if plain {
		return s
	}
	return "=?base64?" + base64.StdEncoding.EncodeToString([]byte(s)) + "?="
}

// drain lets the connection be used again.
func drain(body io.ReadCloser) {
	_, _ = io.Copy(io.Discard, io.LimitReader(body, 64<<10)) // best effort
	_ = body.Close()
}
