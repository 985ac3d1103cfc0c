package gateway

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"time"
)

// ssePeer is a server that speaks HTTP with server-sent events, the transport of
// protocol version 2024-11-05: one stream from it, whose first event says where
// messages to it are posted.
type ssePeer struct {
	server   *Server
	client   *http.Client
	endpoint string
	body     io.ReadCloser
	events   *eventReader
	alive    context.Context // ends with the peer
	end      context.CancelFunc
}

var _ peer = (*ssePeer)(nil)

// dialSSE opens the stream and waits for the place to post to. ctx bounds that, and not
// the stream.
func dialSSE(ctx context.Context, s *Server) (*ssePeer, error) {
	p := &ssePeer{server: s, client: newHTTPClient(s)}
	p.alive, p.end = context.WithCancel(context.Background())
	stop := context.AfterFunc(ctx, p.end)
	defer stop()
	err := p.open()
	if err == nil {
		err = p.greet()
	}
	if err == nil {
		return p, nil
	}
	p.stop()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, err
}

func (p *ssePeer) open() error {
	res, err := p.do(p.alive, http.MethodGet, p.server.URL, nil)
	if err != nil {
		return plainNetError(err)
	}
	p.body = res.Body
	if err := p.refused(res); err != nil {
		switch res.StatusCode {
		case http.StatusBadRequest, http.StatusMethodNotAllowed, http.StatusNotAcceptable: // as streamable HTTP answers
			return fmt.Errorf("%w: is its type http?", err)
		}
		return err
	}
	if kind, _, _ := mime.ParseMediaType(res.Header.Get("Content-Type")); kind != "text/event-stream" {
		return fmt.Errorf("it answers with Content-Type %q and not with a stream: is its type http?", kind)
	}
	p.events = newEventReader(res.Body)
	return nil
}

// greet reads the first event. The place to post to must be the stream's own host: the
// configured headers, with their secrets, go there.
func (p *ssePeer) greet() error {
	e, err := p.events.next()
	if err != nil {
		return errors.New("its stream ended before it said where to post to")
	}
	if e.name != "endpoint" {
		return fmt.Errorf("its stream begins with an event %q and not with the endpoint to post to: is its type http?", e.name)
	}
	base, err := url.Parse(p.server.URL)
	if err != nil {
		return err
	}
	to, err := base.Parse(string(bytes.TrimSpace(e.data)))
	if err != nil {
		return errors.New("the endpoint it gives to post to is no URL")
	}
	if to.Scheme != base.Scheme || to.Host != base.Host {
		return fmt.Errorf("it gives %s to post to, another host than its own, which is not followed", withoutQuery(to.String()))
	}
	p.endpoint = to.String()
	return nil
}

func (p *ssePeer) parallel() bool         { return true }
func (p *ssePeer) gone() <-chan struct{}  { return nil }
func (p *ssePeer) reason(err error) error { return err }

func (p *ssePeer) stop() {
	p.end()
	if p.body != nil {
		_ = p.body.Close() // nothing of it is wanted any more
	}
	p.client.CloseIdleConnections()
}

func (p *ssePeer) next() (text []byte, tooLong bool, err error) {
	e, err := p.events.next()
	switch {
	case errors.Is(err, errLargeEvent):
		return nil, true, nil
	case err != nil:
		return nil, false, errors.New("it closed its stream")
	case e.name != "" && e.name != "message":
		return nil, false, nil
	}
	return e.data, false, nil
}

// ssePostLimit bounds how long a server takes to accept a message of which no answer
// is awaited.
const ssePostLimit = 10 * time.Second

func (p *ssePeer) send(r *request) error {
	ctx := httptrace.WithClientTrace(p.alive, &httptrace.ClientTrace{
		GotConn: func(httptrace.GotConnInfo) { r.sent.Store(true) },
	})
	if r.serial == 0 {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, ssePostLimit)
		defer cancel()
	}
	res, err := p.do(ctx, http.MethodPost, p.endpoint, r.text)
	if err != nil {
		return &lostError{cause: plainNetError(err), unsent: !r.sent.Load()}
	}
	defer drain(res.Body)
	return p.refused(res)
}

// refused says what a status other than success means: below 500 the message was not
// taken.
func (p *ssePeer) refused(res *http.Response) error {
	if res.StatusCode >= 200 && res.StatusCode < 300 {
		return nil
	}
	cause := fmt.Errorf("it answered with status %s", res.Status)
	if res.StatusCode == http.StatusUnauthorized || res.StatusCode == http.StatusForbidden {
		cause = fmt.Errorf("%w: check its headers in the configuration", cause)
	}
	return &lostError{cause: cause, unsent: res.StatusCode < 500 || res.StatusCode == http.StatusServiceUnavailable}
}

func (p *ssePeer) do(ctx context.Context, method, to string, body []byte) (*http.Response, error) {
	req, err := http.NewRequestWithContext(ctx, method, to, bytes.NewReader(body))
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "text/event-stream")
	if body != nil {
		req.Header.Set("Accept", "*/*")
		req.Header.Set("Content-Type", "application/json")
	}
	for name, value := range p.server.Headers {
		req.Header.Set(name, value)
	}
	return p.client.Do(req)
}
