package gateway

import (
	"context"
	"fmt"
	"math/rand/v2"
	"time"
)

// settleDown is how long a server that says its lists have changed is given to
// say so again: most do, many times.
const settleDown = 100 * time.Millisecond

// maxMissed is how many pings in a row a server may leave unanswered.
const maxMissed = 2

// supervise watches a connection until it ends, and returns why it did.
func (u *upstream) supervise(ctx context.Context, c *connection) error {
	// Not all servers of a gateway at the same moment.
	first := time.Duration((0.5 + rand.Float64()/2) * float64(u.config.Health.Interval))
	health := time.NewTimer(first)
	defer health.Stop()
	probe := time.NewTimer(time.Hour)
	probe.Stop()
	defer probe.Stop()
	notice(u.breaker.due) // it may have been open before
	for missed := 0; ; {
		select {
		case <-ctx.Done():
			return errStopped
		case <-c.wire.ended():
			return c.wire.cause()
		case <-u.stale:
			if sleep(ctx, settleDown) == nil {
				u.refresh(ctx, c)
			}
			continue
		case <-u.breaker.due:
			if u.breaker.state() != "closed" {
				probe.Reset(u.breaker.wait() + time.Millisecond)
			}
			continue
		case <-probe.C:
			u.breaker.probe(func() error { return c.ping(ctx) })
			continue
		case <-u.suspect:
		case <-health.C:
		}
		err := c.ping(ctx)
		switch {
		case ctx.Err() != nil:
			return errStopped
		case err == nil:
			missed = 0
			u.answers(c, true, "")
		default:
			missed++
			u.answers(c, false, err.Error())
			u.log.Warn("a ping was not answered", "missed", missed, "reason", u.gateway.redact.clean(err.Error()))
			if missed >= maxMissed && !u.mayBeBusy() {
				return fmt.Errorf("%d pings were not answered: %w", missed, err)
			}
		}
		wait := u.config.Health.Interval
		if missed > 0 {
			wait = min(wait, time.Second)
		}
		health.Reset(wait)
	}
}

// mayBeBusy reports whether a server that answers no ping may be doing what it
// was asked to: many do one thing at a time over stdio. Its requests have time
// limits of their own.
func (u *upstream) mayBeBusy() bool {
	u.mu.Lock()
	defer u.mu.Unlock()
	return u.config.Command != "" && u.inFlight > 0
}

// answers records whether a connected server answers pings.
func (u *upstream) answers(c *connection, yes bool, why string) {
	u.mu.Lock()
	defer u.mu.Unlock()
	if u.conn != c {
		return
	}
	u.why = u.gateway.redact.clean(why)
	switch state := u.state; {
	case yes && state == Unresponsive:
		u.setState(Up)
	case !yes && state == Up:
		u.setState(Unresponsive)
	}
}

// refresh lists again what the server has.
func (u *upstream) refresh(ctx context.Context, c *connection) {
	f, err := c.list(ctx)
	if err != nil {
		u.log.Warn("listing what a server has, again", "reason", u.gateway.redact.clean(err.Error()))
		notice(u.suspect)
		return
	}
	u.mu.Lock()
	u.features = f
	u.mu.Unlock()
	u.gateway.publish()
}
