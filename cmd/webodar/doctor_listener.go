package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// answerLimit bounds each request to the listener.
const answerLimit = 2 * time.Second

// prober asks a listener for its pages.
type prober struct {
	client *http.Client
	base   *url.URL
	// asked says that the user named the listener, so that silence or a token
	// that is not known is a failure.
	asked bool
}

// bearer adds the token to every request.
type bearer struct{ token string }

func (b bearer) RoundTrip(r *http.Request) (*http.Response, error) {
	if b.token != "" {
		r = r.Clone(r.Context())
		r.Header.Set("Authorization", "Bearer "+b.token)
	}
	return http.DefaultTransport.RoundTrip(r)
}

// checkListener asks the listener at endpoint what probes and clients would.
func checkListener(ctx context.Context, r *report, endpoint *url.URL, token string, asked bool) {
	r.begin("Listener " + endpoint.Scheme + "://" + endpoint.Host)
	p := &prober{base: endpoint, asked: asked, client: &http.Client{
		Transport: bearer{token}, Timeout: answerLimit,
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}}
	if _, err := p.get(ctx, "/healthz"); err != nil {
		p.silent(r, err)
		return
	}
	r.add(passed, "/healthz", "alive", "")
	if _, err := p.get(ctx, "/readyz"); err != nil {
		r.add(failed, "/readyz", err.Error(), "It is starting, stopping or overloaded; try again, and see its log.")
	} else {
		r.add(passed, "/readyz", "ready", "")
	}
	p.rest(ctx, r)
	p.mcp(ctx, r)
}

// silent reports a listener that does not answer as webodar does.
func (p *prober) silent(r *report, err error) {
	var answered *statusError
	switch {
	case errors.As(err, &answered) && !p.asked:
		r.add(warned, "/healthz", err.Error(), "Something else seems to listen there; name the server with --http.")
	case errors.As(err, &answered):
		r.add(failed, "/healthz", err.Error(), "Check that the address is that of webodar serve --http.")
	case p.asked:
		r.add(failed, "/healthz", err.Error(), "Start it: webodar serve --http ADDRESS")
	default:
		r.add(absent, "/healthz", "not running", "")
	}
}

func (p *prober) rest(ctx context.Context, r *report) {
	body, err := p.get(ctx, "/api/tools")
	var list struct{ Tools []json.RawMessage }
	if err == nil {
		err = json.Unmarshal(body, &list)
	}
	if err != nil {
		p.refused(r, "/api/tools", err)
		return
	}
	r.add(passed, "/api/tools", "REST: "+plural(len(list.Tools), "tool"), "")
}

func (p *prober) mcp(ctx context.Context, r *report) {
	ctx, cancel := context.WithTimeout(ctx, answerLimit)
	defer cancel()
	start := time.Now()
	n, err := listTools(ctx, &mcp.StreamableClientTransport{
		Endpoint: p.base.String(), HTTPClient: &http.Client{Transport: p.client.Transport},
		MaxRetries: -1, DisableStandaloneSSE: true,
	})
	if err != nil {
		// The SDK's error hides the status; ask once more for that alone.
		if _, plain := p.get(ctx, p.base.Path); hasStatus(plain, http.StatusUnauthorized) || hasStatus(plain, http.StatusForbidden) {
			err = plain
		}
		p.refused(r, p.base.Path, err)
		return
	}
	r.add(passed, p.base.Path, fmt.Sprintf("MCP: %s in %d ms", plural(n, "tool"), time.Since(start).Milliseconds()), "")
}

// statusError is an answer with a status that is no success.
type statusError struct{ code int }

func (e *statusError) Error() string {
	return fmt.Sprintf("answers with status %d %s", e.code, http.StatusText(e.code))
}

func hasStatus(err error, code int) bool {
	var e *statusError
	return errors.As(err, &e) && e.code == code
}

// refused reports a page that does not give what it should.
func (p *prober) refused(r *report, name string, err error) {
	switch {
	case hasStatus(err, http.StatusForbidden):
		r.add(failed, name, err.Error(), "The server refuses this host name: start it with --allow-host "+p.base.Hostname()+".")
	case !hasStatus(err, http.StatusUnauthorized):
		r.add(failed, name, err.Error(), "See the server's log.")
	case p.asked:
		r.add(failed, name, err.Error(), "Pass the server's token: WEBODAR_TOKEN or --token.")
	default:
		r.add(warned, name, err.Error(), "To check this too, pass the server's token: WEBODAR_TOKEN or --token.")
	}
}

// unanswered says why there was no answer, without the address, which is in
// the heading, and the system call.
func unanswered(err error) error {
	if wrapped := (*url.Error)(nil); errors.As(err, &wrapped) {
		if wrapped.Timeout() {
			return fmt.Errorf("does not answer within %s", answerLimit)
		}
		err = wrapped.Err
	}
	if call := (*os.SyscallError)(nil); errors.As(err, &call) {
		err = call.Err
	}
	return fmt.Errorf("does not answer: %w", err)
}

// get returns the body of a page of the listener.
func (p *prober) get(ctx context.Context, path string) ([]byte, error) {
	u := *p.base
	u.Path, u.RawQuery = path, ""
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, u.String(), nil)
	if err != nil {
		return nil, err
	}
	res, err := p.client.Do(req)
	if err != nil {
		return nil, unanswered(err)
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return nil, &statusError{res.StatusCode}
	}
	return io.ReadAll(io.LimitReader(res.Body, 8<<20))
}
