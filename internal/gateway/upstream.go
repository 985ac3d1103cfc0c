package gateway

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/cenkalti/backoff/v5"

	"github.com/webodar/webodar/internal/catalog"
)

// State is where an upstream stands.
type State string

// The states of an upstream.
const (
	Connecting   State = "connecting" // for the first time, or anew
	Up           State = "up"
	Unresponsive State = "unresponsive" // connected, and a ping was not answered
	Down         State = "down"         // waits until it is tried again
)

// upstream is one mounted server. One goroutine runs its life; requests come
// from any.
type upstream struct {
	gateway *Gateway
	config  *Server
	name    string
	log     *slog.Logger
	breaker *breaker

	stop  context.CancelFunc
	done  chan struct{} // closed when the goroutine has ended
	first chan struct{} // closed when it is known whether the first attempt worked
	tasks group
	slots chan struct{} // holds one for each request in flight
	queue chan struct{} // and for each that waits for a place

	stale   chan struct{} // the server says that its lists have changed
	suspect chan struct{} // something says that the server may be gone
	idle    chan struct{} // the last request in flight has ended

	mu       sync.Mutex
	state    State
	conn     *connection // nil unless connected
	changed  chan struct{}
	features *features // as last listed; nil before that
	offered  bool      // whether features are in the catalogue
	why      string    // it is not up
	next     time.Time // when it is tried again
	inFlight int
	answered time.Time   // when a request last ended, or the first began
	starts   []time.Time // of the last minute
	restarts int
	since    time.Time
}

func newUpstream(g *Gateway, s *Server) *upstream {
	u := &upstream{
		gateway: g, config: s, name: s.Name, log: g.opts.Logger.With("server", s.Name),
		slots: make(chan struct{}, s.CallsInFlight), queue: make(chan struct{}, 4*s.CallsInFlight),
		done: make(chan struct{}), first: make(chan struct{}), changed: make(chan struct{}),
		stale: make(chan struct{}, 1), suspect: make(chan struct{}, 1), idle: make(chan struct{}, 1), state: Connecting, since: time.Now(),
	}
	u.breaker = newBreaker(s.Breaker, func(from, to string) {
		u.log.Warn("circuit breaker", "from", from, "to", to)
	})
	var ctx context.Context
	ctx, u.stop = context.WithCancel(context.Background())
	go u.run(ctx)
	return u
}

// end stops the upstream and waits until nothing of it is left.
func (u *upstream) end() {
	u.stop()
	<-u.done
}

// steady is how long a connection that has served nothing must have lived for
// the next attempt to come at once.
const steady = 5 * time.Second

// run connects, watches and reconnects until ctx ends.
func (u *upstream) run(ctx context.Context) {
	defer close(u.done)
	defer u.tasks.Close()
	delays := newBackOff(250*time.Millisecond, 30*time.Second)
	firstDone := sync.OnceFunc(func() { close(u.first) })
	defer firstDone()
	for ctx.Err() == nil {
		if !u.waitForStart(ctx) {
			return
		}
		c, err := u.connect(ctx)
		var f *features
		if err == nil {
			if f, err = c.list(ctx); err != nil {
				c.close(err)
			}
		}
		if err != nil {
			u.failed(err, delays)
			firstDone()
			u.pause(ctx)
			continue
		}
		u.established(c, f)
		firstDone()
		begun := time.Now()
		cause := u.supervise(ctx, c)
		u.disconnected(cause)
		c.close(cause)
		if ctx.Err() == nil {
			u.log.Warn("connection lost", "reason", u.gateway.redact.clean(cause.Error()))
		}
		if time.Since(begun) > steady || c.served.Load() {
			delays.Reset()
		} else {
			u.shortLived(delays)
			u.pause(ctx)
		}
	}
}

// waitForStart keeps within the number of starts a minute that a child has.
func (u *upstream) waitForStart(ctx context.Context) bool {
	if u.config.Command == "" {
		return true
	}
	for {
		u.mu.Lock()
		now := time.Now()
		for len(u.starts) > 0 && now.Sub(u.starts[0]) > time.Minute {
			u.starts = u.starts[1:]
		}
		// The first start is none anew.
		if len(u.starts) <= u.config.Restart.MaxPerMinute {
			u.starts = append(u.starts, now)
			u.restarts++
			u.mu.Unlock()
			return true
		}
		u.next, u.offered = u.starts[0].Add(time.Minute), false
		u.why = fmt.Sprintf("it was started %d times within a minute, more than restart.maxPerMinute allows; the last time: %s", len(u.starts), cmp.Or(u.why, "no reason is known"))
		u.setState(Down)
		wait := time.Until(u.next)
		u.mu.Unlock()
		u.gateway.publish()
		u.log.Error("started too often; waiting", "maxPerMinute", u.config.Restart.MaxPerMinute, "wait", wait.Round(time.Second))
		if sleep(ctx, wait) != nil {
			return false
		}
	}
}

// setState is called with the lock held.
func (u *upstream) setState(s State) {
	if u.state != s {
		u.state, u.since = s, time.Now()
	}
	close(u.changed)
	u.changed = make(chan struct{})
}

// established puts what the server has into the catalogue.
func (u *upstream) established(c *connection, f *features) {
	u.mu.Lock()
	u.conn, u.features, u.offered, u.why = c, f, true, ""
	u.setState(Connecting) // for those who wait; up is what clients can see
	u.mu.Unlock()
	u.gateway.publish()
	u.mu.Lock()
	if u.conn == c {
		u.setState(Up)
	}
	u.mu.Unlock()
	u.log.Info("connected", "protocol", c.version, "tools", len(f.tools), "resources", len(f.resources), "prompts", len(f.prompts))
	u.tasks.Go(func() {
		level, _ := u.gateway.level.Load().(string)
		c.setLevel(level)
		u.gateway.resubscribe(u, c)
	})
}

// disconnected keeps what the server had in the catalogue until an attempt to
// get it back has failed: most come back at once.
func (u *upstream) disconnected(cause error) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.conn, u.why = nil, u.gateway.redact.clean(cause.Error())
	u.setState(Connecting)
}

// failed takes what the server had out of the catalogue.
func (u *upstream) failed(err error, delays *backoff.ExponentialBackOff) {
	text := u.gateway.redact.clean(err.Error())
	u.mu.Lock()
	u.why, u.offered = text, false
	u.next = time.Now().Add(delays.NextBackOff())
	wait := time.Until(u.next)
	u.setState(Down)
	u.mu.Unlock()
	u.log.Warn("not available", "reason", text, "next attempt in", wait.Round(time.Millisecond))
	u.gateway.publish()
}

// shortLived has the next attempt wait a little, and takes what the server had
// out of the catalogue if that is long.
func (u *upstream) shortLived(delays *backoff.ExponentialBackOff) {
	wait := delays.NextBackOff()
	u.mu.Lock()
	u.next = time.Now().Add(wait)
	long := wait > time.Second
	if long {
		u.offered = false
		u.setState(Down)
	}
	u.mu.Unlock()
	if long {
		u.gateway.publish()
	}
}

// pause waits until the next attempt.
func (u *upstream) pause(ctx context.Context) {
	u.mu.Lock()
	wait := time.Until(u.next)
	u.mu.Unlock()
	if sleep(ctx, wait) != nil {
		return
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	u.setState(Connecting)
}

// patience is how long a request waits for a server that is being reconnected.
const patience = 3 * time.Second

// connected returns the connection, for which it waits a little while the
// server is being reconnected.
func (u *upstream) connected(ctx context.Context, what string) (*connection, error) {
	timer := time.NewTimer(min(patience, u.config.Timeout))
	defer timer.Stop()
	for {
		u.mu.Lock()
		c, changed, wait := u.conn, u.changed, u.state == Connecting && u.offered
		u.mu.Unlock()
		switch {
		case c != nil:
			return c, nil
		case !wait:
			return nil, u.gone(what)
		}
		select {
		case <-changed:
		case <-timer.C:
			return nil, u.gone(what)
		case <-ctx.Done():
			return nil, context.Cause(ctx)
		}
	}
}

// lostConnection makes sure that a connection that failed a request is not
// given to the next one without a look at it.
func (u *upstream) lostConnection(c *connection, lost *lostError) {
	if lost.session || lost.unsent {
		if http, ok := c.wire.(*httpWire); ok && (lost.session || errors.Is(lost.cause, errNobody)) {
			http.end(lost.cause)
		}
	}
	select {
	case <-c.wire.ended():
		u.mu.Lock()
		if u.conn == c {
			u.conn = nil
			u.setState(Connecting)
		}
		u.mu.Unlock()
	default:
		notice(u.suspect)
	}
}

func (u *upstream) suspicious() { notice(u.suspect) }

// trouble says why the server is not there, when it is tried again, and whether
// it was ever there.
func (u *upstream) trouble() (why string, next time.Duration, met bool) {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.why, max(time.Until(u.next), 0), u.features != nil
}

// queueTime is how long a request waits for others to end before it is refused,
// and how long a server may have answered nothing for any to wait: behind one
// that stands still they would only take places that others need.
const queueTime = time.Second

// enter takes a place among the requests in flight, for which it waits a little
// in a bounded queue.
func (u *upstream) enter(ctx context.Context) bool {
	select {
	case u.slots <- struct{}{}:
	default:
		u.mu.Lock()
		still := time.Since(u.answered) > queueTime
		u.mu.Unlock()
		if still {
			return false
		}
		select {
		case u.queue <- struct{}{}:
			defer func() { <-u.queue }()
		default:
			return false
		}
		timer := time.NewTimer(queueTime)
		defer timer.Stop()
		select {
		case u.slots <- struct{}{}:
		case <-timer.C:
			return false
		case <-ctx.Done():
			return false
		}
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.inFlight++; u.inFlight == 1 {
		u.answered = time.Now()
	}
	return true
}

func (u *upstream) leave() {
	<-u.slots
	u.mu.Lock()
	defer u.mu.Unlock()
	u.answered = time.Now()
	if u.inFlight--; u.inFlight == 0 {
		notice(u.idle)
	}
}

// missing explains a feature that the server would have.
func (u *upstream) missing(kind catalog.Kind, name string) *catalog.Error {
	u.mu.Lock()
	// One that is offered and not in the catalogue is on its way there.
	known := u.features.has(kind, name, u.config) || !u.offered && u.config.claims(kind, name)
	u.mu.Unlock()
	if !known {
		return nil
	}
	return u.gone(string(kind) + " " + catalog.Clip(name, 100))
}
