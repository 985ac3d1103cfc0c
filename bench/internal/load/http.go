package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/webodar/webodar/bench/internal/measure"
)

// patience is how much longer than planned a turn may take.
const patience = 15 * time.Second

// HTTP is a number of clients of one server, each with a connection of its own
// that is kept alive.
type HTTP struct{ clients []*client }

// client sends one request after the other.
type client struct {
	transport *http.Transport
	url       *url.URL
	header    http.Header
	message   message
	checker   checker

	id        int
	body      []byte
	answer    bytes.Buffer
	latencies []time.Duration
}

// NewREST returns clients of POST /api/tools/encodePlantUML.
func NewREST(addr string, clients int) *HTTP {
	return newHTTP(addr, "/api/tools/"+tool, clients, restCall(), http.Header{"Content-Type": {"application/json"}})
}

// NewSessionless returns clients of MCP 2026-07-28 over streamable HTTP.
func NewSessionless(addr, path string, clients int) *HTTP {
	header := mcpHeader(withoutSessions)
	header.Set("Mcp-Method", "tools/call")
	header.Set("Mcp-Name", tool)
	return newHTTP(addr, path, clients, mcpCall(modernMeta), header)
}

// NewSessions returns clients of MCP 2025-11-25 over streamable HTTP, each with
// a session of its own.
func NewSessions(ctx context.Context, addr string, clients int) (*HTTP, error) {
	h := newHTTP(addr, "/mcp", clients, mcpCall(""), nil)
	for _, c := range h.clients {
		c.header = mcpHeader(withSessions)
		answer, err := c.send(ctx, []byte(initialize))
		if err != nil {
			return nil, fmt.Errorf("initialize: %w", err)
		}
		id := answer.Get("Mcp-Session-Id")
		if id == "" {
			return nil, fmt.Errorf("no session: %.300s", c.answer.Bytes())
		}
		c.header.Set("Mcp-Session-Id", id)
		if _, err := c.send(ctx, []byte(initialized)); err != nil {
			return nil, fmt.Errorf("notifications/initialized: %w", err)
		}
	}
	return h, nil
}

func mcpHeader(version string) http.Header {
	h := http.Header{}
	h.Set("Content-Type", "application/json")
	h.Set("Accept", "application/json, text/event-stream")
	h.Set("Mcp-Protocol-Version", version)
	return h
}

func newHTTP(addr, path string, clients int, m message, header http.Header) *HTTP {
	h := &HTTP{}
	for range clients {
		h.clients = append(h.clients, &client{
			transport: &http.Transport{DisableCompression: true},
			url:       &url.URL{Scheme: "http", Host: addr, Path: path},
			header:    header,
			message:   m,
		})
	}
	return h
}

// Run lets all clients call for d.
func (h *HTTP) Run(ctx context.Context, d time.Duration) (measure.Sample, error) {
	ctx, cancel := context.WithTimeout(ctx, d+patience)
	defer cancel()
	var wg sync.WaitGroup
	errs := make([]error, len(h.clients))
	start := time.Now()
	for i, c := range h.clients {
		wg.Go(func() {
			if errs[i] = c.run(ctx, start.Add(d)); errs[i] != nil {
				cancel()
			}
		})
	}
	wg.Wait()
	s := measure.Sample{Time: time.Since(start)}
	var all []time.Duration
	for _, c := range h.clients {
		all = append(all, c.latencies...)
	}
	s.Ops = len(all)
	s.P50, s.P99 = measure.Percentile(all, .5), measure.Percentile(all, .99)
	return s, errors.Join(errs...)
}

// Close closes the connections.
func (h *HTTP) Close() {
	for _, c := range h.clients {
		c.transport.CloseIdleConnections()
	}
}

func (c *client) run(ctx context.Context, end time.Time) error {
	c.latencies = c.latencies[:0]
	for now := time.Now(); now.Before(end); now = time.Now() {
		c.id++
		c.body = c.message.append(c.body[:0], c.id)
		if _, err := c.send(ctx, c.body); err != nil {
			return err
		}
		c.latencies = append(c.latencies, time.Since(now))
		if err := c.checker.check(c.answer.Bytes()); err != nil {
			return err
		}
		if id, ok := answerID(c.answer.Bytes()); c.message.after != nil && (!ok || id != c.id) {
			return fmt.Errorf("request %d was answered as %d", c.id, id)
		}
	}
	return nil
}

// send posts a body and leaves the answer in c.answer.
func (c *client) send(ctx context.Context, body []byte) (http.Header, error) {
	req := (&http.Request{
		Method: http.MethodPost, URL: c.url, Host: c.url.Host, Header: c.header,
		Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)),
	}).WithContext(ctx)
	res, err := c.transport.RoundTrip(req)
	if err != nil {
		return nil, fmt.Errorf("calling: %w", err)
	}
	c.answer.Reset()
	_, err = c.answer.ReadFrom(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return nil, fmt.Errorf("reading the answer: %w", err)
	}
	if res.StatusCode/100 != 2 {
		return nil, fmt.Errorf("%s: %s", res.Status, strings.TrimSpace(fmt.Sprintf("%.300s", c.answer.Bytes())))
	}
	return res.Header, nil
}
