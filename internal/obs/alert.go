package obs

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"os/exec"
	"sync"
	"time"

	"github.com/webodar/webodar/internal/catalog"
)

// AlertOptions say when somebody is to be told that requests fail, and how.
type AlertOptions struct {
	ErrorsPerMinute int      // from which on; 0 never
	Command         []string // gets the alert as JSON on its stdin; empty for none
	URL             string   // gets it by POST; empty for none
	Logger          *slog.Logger
}

// Alert is an observer that tells when too many requests fail within a minute,
// once a minute at most. Calls that a client gave up are no failures.
type Alert struct {
	catalog.Observer
	opts  AlertOptions
	tasks sync.WaitGroup

	mu     sync.Mutex
	times  []time.Time // of failures within the last minute
	kinds  map[string]int
	silent time.Time // until when
}

const (
	alertWindow  = time.Minute
	alertTimeout = 10 * time.Second // for command and URL
)

// NewAlert returns an observer in front of next.
func NewAlert(next catalog.Observer, opts *AlertOptions) *Alert {
	return &Alert{Observer: next, opts: *opts, kinds: map[string]int{}}
}

// End implements [catalog.Observer].
func (a *Alert) End(ctx context.Context, ev catalog.Event) {
	a.Observer.End(ctx, ev)
	if ev.Err == nil || ev.Err.Type == catalog.Cancelled || a.opts.ErrorsPerMinute <= 0 {
		return
	}
	now := time.Now()
	a.mu.Lock()
	defer a.mu.Unlock()
	for len(a.times) > 0 && now.Sub(a.times[0]) >= alertWindow {
		a.times = a.times[1:]
	}
	if len(a.times) == 0 {
		clear(a.kinds)
	}
	a.times = append(a.times, now)
	a.kinds[ev.Err.Code]++
	if len(a.times) < a.opts.ErrorsPerMinute || now.Before(a.silent) {
		return
	}
	a.silent = now.Add(alertWindow)
	alert := map[string]any{
		"alert": "errors", "errors": len(a.times), "threshold": a.opts.ErrorsPerMinute, "windowSeconds": int(alertWindow.Seconds()),
		"codes": maps.Clone(a.kinds), "last": ev.Err.Message, "upstream": ev.Upstream, "time": now.UTC().Format(time.RFC3339),
	}
	clear(a.kinds)
	a.opts.Logger.Error("alert: too many requests fail", "errors", alert["errors"], "threshold", a.opts.ErrorsPerMinute,
		"codes", alert["codes"], "last", ev.Err.Message)
	text, err := json.Marshal(alert)
	if err != nil { // plain values always encode
		return
	}
	a.tasks.Go(func() { a.tell(text) })
}

// tell runs the command and calls the URL.
func (a *Alert) tell(text []byte) {
	ctx, cancel := context.WithTimeout(context.Background(), alertTimeout)
	defer cancel()
	if len(a.opts.Command) > 0 {
		cmd := exec.CommandContext(ctx, a.opts.Command[0], a.opts.Command[1:]...)
		cmd.Stdin = bytes.NewReader(text)
		cmd.WaitDelay = time.Second // for what it leaves behind with the pipe
		if out, err := cmd.CombinedOutput(); err != nil {
			a.opts.Logger.Error("the alert's command failed", "err", err, "output", catalog.Clip(string(out), 500))
		}
	}
	if a.opts.URL != "" {
		if err := post(ctx, a.opts.URL, text); err != nil {
			a.opts.Logger.Error("the alert's URL was not reached", "err", err)
		}
	}
}

func post(ctx context.Context, url string, text []byte) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, url, bytes.NewReader(text))
	if err != nil {
		return err
	}
	req.Header.Set("Content-Type", "application/json")
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	_, _ = io.Copy(io.Discard, io.LimitReader(res.Body, 1<<20)) // so that the connection can be kept
	if res.StatusCode >= 300 {
		return fmt.Errorf("it answered with status %s", res.Status)
	}
	return nil
}

// Close waits for alerts on their way.
func (a *Alert) Close() { a.tasks.Wait() }
