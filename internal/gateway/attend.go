package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/cenkalti/backoff/v5"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
)

// attend keeps the stream open on which an HTTP server says what belongs to no
// request, for as long as the connection lives.
func (w *httpWire) attend(c *connection) {
	delays := newBackOff(500*time.Millisecond, 30*time.Second)
	for w.alive.Err() == nil {
		var err error
		if c.version >= modern {
			err = c.subscribe(w.alive)
		} else {
			err = w.hear(func() {
				delays.Reset()
				notice(c.up.stale) // what changed before there was a stream was told to nobody
			})
		}
		var none *noStream
		if errors.As(err, &none) {
			w.log.Debug("a server offers no stream of its own", "status", none.status)
			return
		}
		if sleep(w.alive, delays.NextBackOff()) != nil {
			return
		}
		c.up.suspicious()
	}
}

// hear reads one stream to its end.
func (w *httpWire) hear(begun func()) error {
	res, err := w.listen(w.alive, "", 0)
	if err != nil {
		return err
	}
	defer drain(res.Body)
	begun()
	events := newEventReader(res.Body)
	defer events.release()
	for {
		e, err := events.next()
		if err != nil {
			return err
		}
		if m, bad := readMessage(e.data); bad == nil && m.method != "" {
			w.receive(m, nil)
		}
	}
}

// subscribe asks a server of the protocol without sessions for its changes; the
// answer comes when it ends.
func (c *connection) subscribe(ctx context.Context) error {
	_, err := c.request(ctx, "subscriptions/listen", map[string]any{"notifications": map[string]any{
		"toolsListChanged": true, "promptsListChanged": true, "resourcesListChanged": true,
	}})
	var refused *rpcError
	var broken *badAnswer
	if errors.As(err, &refused) || errors.As(err, &broken) {
		return &noStream{}
	}
	return err
}

// newBackOff doubles delays from first to most, each up to a half longer or
// shorter, so that many gateways do not come back at the same moment.
func newBackOff(first, most time.Duration) *backoff.ExponentialBackOff {
	b := backoff.NewExponentialBackOff()
	b.InitialInterval, b.MaxInterval, b.Multiplier, b.RandomizationFactor = first, most, 2, 0.5
	b.Reset()
	return b
}

// receive takes what a server sends of its own accord. It implements receiver.
func (c *connection) receive(m *message, hint *call) {
	u := c.up
	switch m.method {
	case methodProgress:
		if call := c.callOf(memberOf(m.params, "progressToken")); call != nil {
			call.progress(m.params)
		}
	case methodLog:
		c.log(m.params, hint)
	case methodToolsChanged, methodPromptsChanged, methodResourcesChange,
		// What changed between the first list and the subscription is told
		// to nobody, so the list is asked for once more.
		methodAcknowledged:
		notice(u.stale)
	case methodUpdated:
		u.gateway.announce(m.method, m.params)
	case methodSampling, methodElicit:
		u.tasks.Go(func() { c.ask(m, hint) })
	case "ping":
		c.respond(m, json.RawMessage("{}"), nil)
	default:
		if m.id != nil {
			c.respond(m, nil, map[string]any{"code": -32601, "message": "this client does not have the method " + m.method})
		}
	}
}

// log passes a log message to the client that it is probably about: the one
// whose call it came with, or the only one with calls there; else to all.
func (c *connection) log(params []byte, hint *call) {
	if hint == nil {
		hint = c.only()
	}
	if hint != nil {
		hint.note(methodLog, params)
		return
	}
	c.up.gateway.announce(methodLog, params)
}

// only returns a call if all calls in flight are of one client session.
func (c *connection) only() *call {
	c.mu.Lock()
	defer c.mu.Unlock()
	var found *call
	for _, call := range c.calls {
		if call.client == nil || found != nil && found.client.Session() != call.client.Session() {
			return nil
		}
		found = call
	}
	return found
}

func (c *connection) callOf(token []byte) *call {
	m := message{id: token}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.calls[m.serial()]
}

// ask passes a server's question to the client on whose behalf it works.
func (c *connection) ask(m *message, call *call) {
	if call == nil {
		call = c.only()
	}
	if call == nil || call.client == nil {
		c.respond(m, nil, map[string]any{"code": -32603, "message": "there is no one client whose call this request belongs to"})
		return
	}
	call.pause()
	defer call.resume()
	res, err := call.client.Ask(call.ctx, m.method, m.params)
	if err == nil {
		c.respond(m, res, nil)
		return
	}
	if call.ctx.Err() != nil {
		<-call.over // the server hears first that the call is given up
	}
	failure := map[string]any{"code": -32603, "message": err.Error()}
	var refused *jsonrpc.Error
	if errors.As(err, &refused) {
		failure = map[string]any{"code": refused.Code, "message": refused.Message}
		if len(refused.Data) > 0 {
			failure["data"] = refused.Data
		}
	}
	c.respond(m, nil, failure)
}

func (c *connection) respond(m *message, result json.RawMessage, failure map[string]any) {
	text := mustJSON(struct {
		Version string          `json:"jsonrpc"`
		ID      json.RawMessage `json:"id"`
		Result  json.RawMessage `json:"result,omitempty"`
		Error   map[string]any  `json:"error,omitempty"`
	}{"2.0", m.id, result, failure})
	c.up.tasks.Go(func() {
		ctx, cancel := context.WithTimeout(context.Background(), c.up.config.Timeout)
		defer cancel()
		if err := c.wire.post(ctx, text); err != nil {
			c.up.log.Debug("a server did not take an answer", "err", err)
		}
	})
}

// notice marks a channel of one place.
func notice(ch chan struct{}) {
	select {
	case ch <- struct{}{}:
	default:
	}
}
