package gateway_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/gateway"
)

// A request that may have been executed is not sent again; one that may be
// executed twice is.
func TestDeathDuringCall(t *testing.T) {
	t.Parallel()
	r := one(t, "")
	flag := filepath.Join(t.TempDir(), "once")
	e := r.fails(t, catalog.BackendDisconnected, "s__die_once", fmt.Sprintf(`{"once":%q}`, flag))
	if e.Details["retryable"] != false || e.Details["attempts"] != 1 {
		t.Errorf("%+v", e)
	}
	if n := recorded(t, r.record, "call die_once"); n != 1 {
		t.Errorf("executed %d times", n)
	}
	r.works(t, "s__read", "{}", "read")
	flag += "2"
	r.works(t, "s__read_die_once", fmt.Sprintf(`{"once":%q}`, flag), "alive")
	if n := recorded(t, r.record, "call read_die_once"); n != 2 {
		t.Errorf("executed %d times, want once and once again", n)
	}
}

func TestRestartLimit(t *testing.T) {
	t.Parallel()
	r := one(t, `"restart": {"maxPerMinute": 2}, "breaker": {"enabled": false}`)
	for range 3 {
		eventually(t, "it is up", func() bool { return r.status(t, "s").State == gateway.Up })
		r.fails(t, catalog.BackendDisconnected, "s__die", "{}")
	}
	eventually(t, "it is left alone", func() bool { s := r.status(t, "s"); return s.State == gateway.Down && s.NextTryMs > 30_000 })
	e := r.fails(t, catalog.BackendDisconnected, "s__read", "{}")
	if e.RetryAfter < 30*time.Second || !strings.Contains(e.Message, "tool s__read left with server s") {
		t.Errorf("%+v", e)
	}
	if s := r.status(t, "s"); s.Starts != 3 || !strings.Contains(s.Why, "exit status 7") {
		t.Errorf("%+v", s)
	}
	eventually(t, "its tools leave", func() bool { return len(r.catalog.Tools()) == 0 })
}

// What fails at first, and why, is known; when it works, it is there.
func TestLateStart(t *testing.T) {
	t.Parallel()
	flag := filepath.Join(t.TempDir(), "fail")
	if err := os.WriteFile(flag, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	r := one(t, `"restart": {"maxPerMinute": 60}`, "-failing", flag)
	e := r.fails(t, catalog.BackendDisconnected, "s__read", "{}")
	if !strings.Contains(e.Message, "told to fail") || strings.Contains(e.Message+r.log.String(), "s3cr3t-token") {
		t.Errorf("%q should have the last words, without the secret", e.Message)
	}
	if err := os.Remove(flag); err != nil {
		t.Fatal(err)
	}
	eventually(t, "it is up", func() bool { return r.status(t, "s").State == gateway.Up })
	r.works(t, "s__read", "{}", "read")
}

func TestNoServer(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "record")
	r := mount(t, nil,
		`"missing": {"command": "no-such-command-at-all"}`,
		`"nobody": {"type": "http", "url": "http://127.0.0.1:1/mcp?key=s3cr3t"}`,
		`"refusing": `+server(t, record, "", "-refuse"),
		`"mute": `+server(t, record, `"connectTimeout": "300ms"`, "-mute"),
		`"fine": `+server(t, record, ""),
	)
	r.works(t, "fine__read", "{}", "read")
	for name, why := range map[string]string{
		"missing": `command "no-such-command-at-all" is not found`, "nobody": "nothing listens there",
		"refusing": "it refuses initialize: not today", "mute": "it did not answer initialize within 300ms",
	} {
		if e := r.fails(t, catalog.BackendDisconnected, name+"__x", "{}"); !strings.Contains(e.Message, why) || strings.Contains(e.Message, "s3cr3t") {
			t.Errorf("%s: %q, want %q", name, e.Message, why)
		}
	}
}

func TestBreaker(t *testing.T) {
	t.Parallel()
	r := one(t, `"timeout": "100ms", "breaker": {"minCalls": 3, "openFor": "300ms"}`)
	for range 5 { // its own failures do not count
		r.works(t, "s__fail", "{}", "no luck")
	}
	for range 5 {
		r.fails(t, catalog.GatewayTimeout, "s__mute", "{}")
	}
	before := recorded(t, r.record, "call read")
	e := r.fails(t, catalog.CircuitOpen, "s__read", "{}")
	if e.RetryAfter <= 0 || e.RetryAfter > 300*time.Millisecond || recorded(t, r.record, "call read") != before {
		t.Errorf("%+v", e)
	}
	if s := r.status(t, "s"); s.Breaker != "open" || s.Well() {
		t.Errorf("%+v", s)
	}
	eventually(t, "a ping has closed it", func() bool { return r.status(t, "s").Breaker == "closed" })
	r.works(t, "s__read", "{}", "read")
}

// A server that stands still is found by pings, and ended with its process.
func TestStandstill(t *testing.T) {
	t.Parallel()
	r := one(t, `"timeout": "200ms", "health": {"interval": "100ms", "timeout": "100ms"}`)
	r.fails(t, catalog.GatewayTimeout, "s__pause", "{}")
	eventually(t, "it is started again", func() bool { s := r.status(t, "s"); return s.Starts == 2 && s.State == gateway.Up })
	r.works(t, "s__read", "{}", "read")
}

func TestHTTPServerRestarts(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "record")
	addr, kill := overHTTP(t, "", record)
	r := mount(t, nil, `"s": {"type": "http", "url": "http://`+addr+`"}`)
	r.works(t, "s__read", "{}", "read")
	// One bad status is one failed call.
	e := r.fails(t, catalog.BackendDisconnected, "s__status500", "{}")
	if e.Details["retryable"] != false || !strings.Contains(e.Message, "500") {
		t.Errorf("%+v", e)
	}
	r.works(t, "s__read", "{}", "read")
	kill()
	r.fails(t, catalog.BackendDisconnected, "s__echo", "{}")
	eventually(t, "its tools leave", func() bool { return len(r.catalog.Tools()) == 0 })
	overHTTP(t, addr, record)
	eventually(t, "its tools are back", func() bool { return len(r.catalog.Tools()) > 0 })
	r.works(t, "s__echo", "{}", "content")
	if n := recorded(t, record, "call echo"); n != 1 {
		t.Errorf("executed %d times", n)
	}
}

// A session that is gone is opened anew without the client hearing of it.
func TestHTTPSessionGone(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "record")
	addr, kill := overHTTP(t, "", record)
	r := mount(t, nil, `"s": {"type": "http", "url": "http://`+addr+`"}`)
	r.works(t, "s__read", "{}", "read")
	kill()
	overHTTP(t, addr, record) // at once, so that nobody has missed it
	r.works(t, "s__echo", "{}", "content")
	if n := recorded(t, record, "call echo"); n != 1 {
		t.Errorf("executed %d times", n)
	}
}

func TestClose(t *testing.T) {
	t.Parallel()
	r := one(t, "")
	r.works(t, "s__pid", "{}", "text")
	r.Close()
	r.fails(t, catalog.BackendDisconnected, "s__read", "{}")
}

// A server that is still being connected is not unknown.
func TestNotThereYet(t *testing.T) {
	t.Parallel()
	record := filepath.Join(t.TempDir(), "record")
	cat, err := catalog.New(nil)
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{catalog: cat, log: &logBuffer{}}
	r.Gateway = gateway.New(cat, nil)
	t.Cleanup(r.Close)
	r.apply(t, `"s": `+server(t, record, "", "-delay", "300ms"))
	if e := r.fails(t, catalog.BackendDisconnected, "s__read", "{}"); !strings.Contains(e.Message, "has not been connected yet") {
		t.Errorf("%q", e.Message)
	}
	cat.Settled(t.Context())
	r.works(t, "s__read", "{}", "read")
}
