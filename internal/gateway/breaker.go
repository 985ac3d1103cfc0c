package gateway

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
)

// breaker holds calls back from a server that fails too often. Only closed it
// lets calls through; once it has been open for its time a ping finds out
// whether the server is back, so that no client's call is the test.
type breaker struct {
	config Breaker
	cb     *gobreaker.CircuitBreaker[json.RawMessage]
	until  atomic.Int64 // when the probe is due, in Unix nanoseconds
	due    chan struct{}
}

// heldBack is a call that was not let through.
type heldBack struct{ next time.Duration }

func (e *heldBack) Error() string { return "calls are held back" }

// buckets is how finely the window slides.
const buckets = 10

func newBreaker(config Breaker, changed func(from, to string)) *breaker {
	b := &breaker{config: config, due: make(chan struct{}, 1)}
	if !config.Enabled {
		return b
	}
	b.cb = gobreaker.NewCircuitBreaker[json.RawMessage](gobreaker.Settings{
		MaxRequests: 1, Interval: config.Window, BucketPeriod: config.Window / buckets, Timeout: config.OpenFor,
		ReadyToTrip: func(n gobreaker.Counts) bool {
			total := n.TotalSuccesses + n.TotalFailures
			return int(total) >= config.MinCalls && float64(n.TotalFailures) >= config.FailureRate*float64(total)
		},
		OnStateChange: func(_ string, from, to gobreaker.State) {
			if to == gobreaker.StateOpen {
				b.until.Store(time.Now().Add(config.OpenFor).UnixNano())
				notice(b.due)
			}
			changed(from.String(), to.String())
		},
		IsSuccessful: func(err error) bool { return err == nil || isRefusal(err) },
		IsExcluded:   func(err error) bool { return err != nil && !isRefusal(err) && !isFailure(err) },
	})
	return b
}

// isRefusal reports whether a server that works has said no.
func isRefusal(err error) bool {
	var refused *rpcError
	return errors.As(err, &refused)
}

// isFailure reports whether an error is one of the connection, or a time-out.
// Others say nothing about the server: the client left, or one tool of it
// answers rubbish.
func isFailure(err error) bool {
	var lost *lostError
	return errors.As(err, &lost) || errors.Is(err, errSilent) || errors.Is(err, context.DeadlineExceeded)
}

// run lets a call through, or not.
func (b *breaker) run(f func() (json.RawMessage, error)) (json.RawMessage, error) {
	if b.cb == nil {
		return f()
	}
	if b.cb.State() != gobreaker.StateClosed {
		return nil, &heldBack{b.wait()}
	}
	res, err := b.cb.Execute(f)
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return nil, &heldBack{b.wait()}
	}
	return res, err
}

// wait is how long until the server is tried.
func (b *breaker) wait() time.Duration { return max(time.Until(time.Unix(0, b.until.Load())), 0) }

// probe tries the server if it is time to.
func (b *breaker) probe(ping func() error) {
	if b.cb == nil || b.cb.State() != gobreaker.StateHalfOpen {
		return
	}
	_, err := b.cb.Execute(func() (json.RawMessage, error) {
		if err := ping(); err != nil {
			return nil, &lostError{cause: fmt.Errorf("probing: %w", err)}
		}
		return nil, nil
	})
	if err != nil && b.cb.State() == gobreaker.StateHalfOpen { // the probe was cut short
		b.until.Store(time.Now().Add(b.config.OpenFor).UnixNano())
		notice(b.due)
	}
}

// state is off, closed, half-open or open.
func (b *breaker) state() string {
	if b.cb == nil {
		return "off"
	}
	return b.cb.State().String()
}
