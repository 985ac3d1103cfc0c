package limits_test

import (
	"context"
	"testing"
	"testing/synctest"
	"time"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/limits"
)

func as(peer string) context.Context {
	return catalog.WithRequest(context.Background(), &catalog.Request{Peer: peer})
}

func TestCallsInFlight(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limits.New(&limits.Options{CallsInFlight: 2})
		first, err := l.Admit(as("a"))
		if err != nil {
			t.Fatal(err)
		}
		if _, err := l.Admit(as("b")); err != nil {
			t.Fatal(err)
		}
		_, err = l.Admit(as("c"))
		if err == nil || err.Type != catalog.RateLimited || err.Details["limit"] != "callsInFlight" || err.Details["max"] != 2 {
			t.Fatalf("third call: %v", err)
		}
		// One that waits gets the place that becomes free.
		time.AfterFunc(100*time.Millisecond, first)
		if _, err := l.Admit(as("d")); err != nil {
			t.Error(err)
		}
	})
}

func TestRate(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := limits.New(&limits.Options{RatePerSecond: 2})
		for range 2 {
			if _, err := l.Admit(as("a")); err != nil {
				t.Fatal(err)
			}
		}
		_, err := l.Admit(as("a"))
		if err == nil || err.Details["limit"] != "ratePerSecond" || err.RetryAfter <= 0 || err.RetryAfter > 500*time.Millisecond {
			t.Fatalf("third call: %v", err)
		}
		if _, err := l.Admit(as("b")); err != nil {
			t.Errorf("another client: %v", err)
		}
		time.Sleep(err.RetryAfter)
		if _, err := l.Admit(as("a")); err != nil {
			t.Errorf("after the time to wait: %v", err)
		}
		time.Sleep(2 * time.Minute) // forgotten, and no worse for it
		if _, err := l.Admit(as("a")); err != nil {
			t.Error(err)
		}
	})
}
