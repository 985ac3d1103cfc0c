package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/wirejson"
)

// call is one request of a client's, while an upstream works on it.
type call struct {
	ctx    context.Context
	cancel context.CancelCauseFunc
	client catalog.Client
	tasks  *group
	over   chan struct{}   // closed by end
	token  json.RawMessage // of the client's, for progress; nil when it wants none

	mu      sync.Mutex
	limit   time.Duration
	silence *time.Timer
	asking  int // questions to the client that are open
	notes   []note
	pumping bool
	idle    chan struct{} // closed when no notes are being passed on
}

type note struct {
	method string
	params json.RawMessage
}

// maxNotes is how many notes of one call may wait for a slow client; older ones
// are dropped.
const maxNotes = 256

// newCall begins a call that ends when the server is silent for limit.
func newCall(ctx context.Context, rq *catalog.Request, limit time.Duration, tasks *group) *call {
	c := &call{client: rq.Client, limit: limit, tasks: tasks, over: make(chan struct{})}
	c.ctx, c.cancel = context.WithCancelCause(ctx)
	c.token = memberOf(memberOf(rq.Params, "_meta"), "progressToken")
	c.silence = time.AfterFunc(limit, func() { c.cancel(errSilent) })
	return c
}

// end waits until the client has what the server said before its answer.
func (c *call) end() {
	defer close(c.over)
	c.mu.Lock()
	c.silence.Stop()
	idle := c.idle
	c.mu.Unlock()
	if idle != nil {
		select {
		case <-idle:
		case <-c.ctx.Done():
		}
	}
	c.cancel(nil)
}

// pause stops the clock while a person is asked.
func (c *call) pause() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.asking++
	c.silence.Stop()
}

func (c *call) resume() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.asking--; c.asking == 0 {
		c.silence.Reset(c.limit)
	}
}

// progress is a sign of life, and news for a client that asked for it.
func (c *call) progress(params []byte) {
	c.mu.Lock()
	if c.asking == 0 {
		c.silence.Reset(c.limit)
	}
	c.mu.Unlock()
	if c.token != nil {
		c.note(methodProgress, withMembers(params, map[string]json.RawMessage{"progressToken": c.token}))
	}
}

// note passes a notification on, in order, without waiting for the client.
func (c *call) note(method string, params []byte) {
	if c.client == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.notes) >= maxNotes {
		c.notes = c.notes[1:]
	}
	c.notes = append(c.notes, note{method, params})
	if !c.pumping {
		c.pumping, c.idle = true, make(chan struct{})
		idle := c.idle
		c.tasks.Go(func() { c.pump(idle) })
	}
}

// pump ends when there is nothing to pass on; end waits for it.
func (c *call) pump(idle chan struct{}) {
	defer close(idle)
	for {
		c.mu.Lock()
		if len(c.notes) == 0 || c.ctx.Err() != nil {
			c.pumping = false
			c.mu.Unlock()
			return
		}
		next := c.notes[0]
		c.notes = c.notes[1:]
		c.mu.Unlock()
		c.client.Notify(c.ctx, next.method, next.params)
	}
}

// job is what an upstream is to do.
type job struct {
	method   string
	name     string // of what it is about, as the server knows it
	label    string // name, where there is a bounded set of them
	what     string // for messages
	params   []byte // of the client
	replaced map[string]json.RawMessage
	// safe is set when executing it twice is as good as once.
	safe bool
}

// do has the server do a job for the client behind ctx, within its limits. The
// error is an *[catalog.Error], or ctx's.
func (u *upstream) do(ctx context.Context, j *job) (json.RawMessage, error) {
	if !u.enter(ctx) {
		return nil, u.busy(u.config.CallsInFlight)
	}
	defer u.leave()
	begun := time.Now()
	ctx, end := u.gateway.catalog.Step(ctx, catalog.Step{Method: j.method, Name: j.label, Upstream: u.name})
	res, err := u.attempt(ctx, j)
	end(err)
	u.gateway.metrics.observe(u.name, err, time.Since(begun))
	return res, err
}

func (u *upstream) attempt(ctx context.Context, j *job) (json.RawMessage, error) {
	for attempts := 1; ; attempts++ {
		c, err := u.connected(ctx, j.what)
		if err != nil {
			return nil, err
		}
		res, err := u.breaker.run(func() (json.RawMessage, error) { return u.converse(ctx, c, j) })
		var lost *lostError
		var refused *rpcError
		var bad *badAnswer
		var held *heldBack
		switch {
		case err == nil:
			return res, nil
		case errors.As(err, &held):
			return nil, u.open(held.next)
		case errors.As(err, &refused):
			return nil, u.refused(refused)
		case errors.As(err, &bad):
			return nil, u.broken(bad)
		case errors.Is(err, errSilent):
			notice(u.suspect)
			return nil, u.silentError(j.what, u.config.Timeout)
		case errors.As(err, &lost):
			u.lostConnection(c, lost)
			again := lost.unsent || j.safe
			if !again || attempts >= u.config.Retry.Attempts || ctx.Err() != nil {
				return nil, u.lost(lost.cause, again, attempts)
			}
			u.gateway.metrics.retried(u.name)
			u.log.Info("a request is sent again", "what", j.what, "attempt", attempts+1, "reason", lost.Error())
			if !lost.session && sleep(ctx, 50*time.Millisecond) != nil {
				return nil, context.Cause(ctx)
			}
		default: // the client left, or the catalogue's limit has passed
			return nil, err
		}
	}
}

// send is one attempt.
func (u *upstream) send(ctx context.Context, c *connection, j *job) (json.RawMessage, error) {
	rq := catalog.RequestOf(ctx)
	call := newCall(ctx, rq, u.config.Timeout, &u.tasks)
	defer call.end()
	serial := c.serial.Add(1)
	r := newRequest(serial, j.method, c.params(serial, rq, j.params, j.replaced))
	r.name, r.call, r.header = j.name, call, headersOf(rq)
	c.mu.Lock()
	c.calls[serial] = call
	c.mu.Unlock()
	defer func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		delete(c.calls, serial)
	}()
	m, err := c.wire.roundTrip(call.ctx, r)
	if err != nil {
		return nil, err
	}
	c.served.Store(true)
	res, err := m.answer()
	if err == nil && wirejson.Kind(res) != '{' {
		return nil, &badAnswer{"the result is " + wirejson.TypeName(res) + ", not an object"}
	}
	return res, err
}

// headersOf are the HTTP headers by which logs and traces of both sides can be
// joined.
func headersOf(rq *catalog.Request) map[string]string {
	headers := map[string]string{}
	for name, value := range rq.Trace {
		headers[name] = value
	}
	if rq.ID != "" {
		headers["X-Request-Id"] = rq.ID
	}
	return headers
}
