package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"runtime"
	"strconv"
	"strings"
	"time"

	"github.com/webodar/webodar/bench/internal/peer"
	"github.com/webodar/webodar/bench/internal/proc"
)

// server is webodar as a server over HTTP, with its REST door.
type server struct {
	*peer.Process
	client *http.Client
}

// serve starts a server that draws in so many workers and remembers no picture.
func (b *bench) serve(ctx context.Context, workers int) (*server, error) {
	p, err := peer.Serve(ctx, b.dir, fmt.Sprintf("webodar-%d", workers),
		b.webodar, "serve", "--workers", strconv.Itoa(workers), "--remember-bytes", "0", "--http")
	if err != nil {
		return nil, err
	}
	return &server{Process: p, client: &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: 16}}}, nil
}

// stop ends the server.
func (s *server) stop() error {
	s.client.CloseIdleConnections()
	return s.Stop()
}

// refusal is an answer of webodar's that is no picture.
type refusal struct{ Code, Message string }

func (r *refusal) Error() string { return r.Code + ": " + r.Message }

// draw calls mermaid_to_svg with these arguments. took ends when the answer is there; the
// time to look into it is not in it.
func (s *server) draw(ctx context.Context, arguments map[string]any) (svg string, took time.Duration, err error) {
	body, err := json.Marshal(arguments)
	if err != nil {
		return "", 0, err
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+s.Addr+"/api/tools/mermaid_to_svg", bytes.NewReader(body))
	if err != nil {
		return "", 0, err
	}
	req.Header.Set("Content-Type", "application/json")
	start := time.Now()
	res, err := s.client.Do(req)
	if err != nil {
		return "", 0, err
	}
	answer, err := io.ReadAll(res.Body)
	took = time.Since(start)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return "", took, err
	}
	var envelope struct {
		Success bool
		Result  struct{ SVG string }
		Error   refusal
	}
	if err := json.Unmarshal(answer, &envelope); err != nil {
		return "", took, fmt.Errorf("%s: %.300s", res.Status, answer)
	}
	switch {
	case !envelope.Success:
		return "", took, &envelope.Error
	case !strings.HasPrefix(envelope.Result.SVG, "<svg"):
		return "", took, fmt.Errorf("an answer without a picture: %.300s", answer)
	}
	return envelope.Result.SVG, took, nil
}

// warmUp draws each diagram on each worker, waits until the workers have done what they
// do when they are idle, and does it once more.
func (b *bench) warmUp(ctx context.Context, s *server, workers int) error {
	for range 2 {
		for _, d := range b.diagrams {
			if _, err := b.atOnce(ctx, s, d, workers); err != nil {
				return err
			}
		}
		if err := s.settle(ctx); err != nil {
			return err
		}
	}
	return nil
}

// settle waits until the server and its workers rest.
func (s *server) settle(ctx context.Context) error {
	if runtime.GOOS != "linux" { // which does not tell
		return sleep(ctx, 10*time.Second)
	}
	const look = 300 * time.Millisecond
	calm, before := 0, proc.Sum(proc.Family(s.PID()), proc.CPU)
	for range 200 {
		if err := sleep(ctx, look); err != nil {
			return err
		}
		now := proc.Sum(proc.Family(s.PID()), proc.CPU)
		if calm++; now-before > 20*time.Millisecond {
			calm = 0
		}
		if calm == 2 {
			return nil
		}
		before = now
	}
	return errors.New("the workers do not come to rest within a minute")
}

// goroutines asks the server how many it has.
func (s *server) goroutines(ctx context.Context) (int, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+s.Addr+"/metrics", http.NoBody)
	if err != nil {
		return 0, err
	}
	res, err := s.client.Do(req)
	if err != nil {
		return 0, err
	}
	text, err := io.ReadAll(res.Body)
	if err = errors.Join(err, res.Body.Close()); err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		if n, ok := strings.CutPrefix(line, "go_goroutines "); ok {
			return strconv.Atoi(strings.TrimSpace(n))
		}
	}
	return 0, errors.New("/metrics has no go_goroutines")
}

func sleep(ctx context.Context, d time.Duration) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}
