// Package limits refuses what is more than the server is to do at a time, and
// names the limit.
//
//	l := limits.New(&limits.Options{CallsInFlight: 128, RatePerSecond: 20})
//	cat, err := catalog.New(&catalog.Options{Admit: l.Admit})
//
// It knows calls and no connections: the listener counts those.
package limits

import (
	"context"
	"fmt"
	"math"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/webodar/webodar/internal/catalog"
)

// Options are the limits; 0 is none.
type Options struct {
	CallsInFlight int     // of all clients together
	RatePerSecond float64 // calls of one client: an address, or stdio
}

// patience is how long a call waits for others to end before it is refused: a
// burst is not yet an overload.
const patience = 250 * time.Millisecond

// Limits count calls.
type Limits struct {
	opts  Options
	slots chan struct{}

	mu    sync.Mutex
	rates map[string]*client
	swept time.Time
}

type client struct {
	*rate.Limiter
	seen time.Time
}

// New returns limits that nothing has used yet.
func New(opts *Options) *Limits {
	l := &Limits{rates: map[string]*client{}}
	if opts != nil {
		l.opts = *opts
	}
	if l.opts.CallsInFlight > 0 {
		l.slots = make(chan struct{}, l.opts.CallsInFlight)
	}
	return l
}

// Admit lets a call begin, or says which limit it would exceed. It is an
// Admit of [catalog.Options].
func (l *Limits) Admit(ctx context.Context) (release func(), refused *catalog.Error) {
	if l.opts.RatePerSecond > 0 {
		if wait := l.reserve(catalog.RequestOf(ctx).Peer); wait > 0 {
			return nil, exceeded("ratePerSecond", l.opts.RatePerSecond, wait,
				fmt.Sprintf("more than %v calls a second came from this client", l.opts.RatePerSecond))
		}
	}
	if l.slots == nil {
		return func() {}, nil
	}
	select {
	case l.slots <- struct{}{}:
		return l.release, nil
	default:
	}
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case l.slots <- struct{}{}:
		return l.release, nil
	case <-timer.C:
	case <-ctx.Done():
	}
	return nil, exceeded("callsInFlight", l.opts.CallsInFlight, time.Second,
		fmt.Sprintf("%d calls are in flight, which is the limit", l.opts.CallsInFlight))
}

func (l *Limits) release() { <-l.slots }

// reserve counts a call of a client, and returns how long it is too early.
func (l *Limits) reserve(name string) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	if now.Sub(l.swept) > time.Minute { // clients that left
		l.swept = now
		for name, c := range l.rates {
			if now.Sub(c.seen) > time.Minute {
				delete(l.rates, name)
			}
		}
	}
	c := l.rates[name]
	if c == nil {
		burst := max(1, int(math.Ceil(l.opts.RatePerSecond)))
		c = &client{Limiter: rate.NewLimiter(rate.Limit(l.opts.RatePerSecond), burst)}
		l.rates[name] = c
	}
	c.seen = now
	r := c.ReserveN(now, 1)
	wait := r.DelayFrom(now)
	if wait > 0 {
		r.CancelAt(now)
	}
	return wait
}

func exceeded(limit string, most any, wait time.Duration, text string) *catalog.Error {
	return &catalog.Error{
		Type: catalog.RateLimited, Code: "RATE_LIMITED", Message: text + fmt.Sprintf(" (limits.%s)", limit),
		Hint:    "Try again a little later, or have the limit raised.",
		Details: map[string]any{"limit": limit, "max": most}, RetryAfter: max(wait, time.Millisecond),
	}
}
