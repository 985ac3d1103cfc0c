package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/gateway/scripted"
)

const clients = 8

// way is one way to the tool.
type way struct {
	name, tool string
	sessions   []*mcp.ClientSession
	medians    []float64 // of one call, in µs
	rates      []float64 // calls a second
}

func (w *way) connect(ctx context.Context, url string) error {
	for range clients {
		// A connection pool of its own, as clients on several machines have.
		transport := &mcp.StreamableClientTransport{Endpoint: url, HTTPClient: &http.Client{Transport: http.DefaultTransport.(*http.Transport).Clone()}}
		session, err := mcp.NewClient(&mcp.Implementation{Name: "bench", Version: "1"}, nil).
			Connect(ctx, transport, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		if err != nil {
			return fmt.Errorf("%s: %w", w.name, err)
		}
		w.sessions = append(w.sessions, session)
	}
	return nil
}

func (w *way) call(ctx context.Context, session *mcp.ClientSession) error {
	res, err := session.CallTool(ctx, &mcp.CallToolParams{Name: w.tool, Arguments: map[string]any{"text": "hello"}})
	if err != nil {
		return fmt.Errorf("%s: %w", w.name, err)
	}
	if text, ok := res.Content[0].(*mcp.TextContent); !ok || text.Text != "hello" {
		return errors.New(w.name + ": the answer is not what was sent")
	}
	return nil
}

// single calls one after the other.
func (w *way) single(ctx context.Context, d time.Duration) error {
	var took []time.Duration
	for end := time.Now().Add(d); time.Now().Before(end); {
		begun := time.Now()
		if err := w.call(ctx, w.sessions[0]); err != nil {
			return err
		}
		took = append(took, time.Since(begun))
	}
	slices.Sort(took)
	w.medians = append(w.medians, float64(took[len(took)/2].Nanoseconds())/1e3)
	return nil
}

// many calls from all sessions at a time.
func (w *way) many(ctx context.Context, d time.Duration) error {
	var group sync.WaitGroup
	counts, errs := make([]int, clients), make([]error, clients)
	begun := time.Now()
	for i, session := range w.sessions {
		group.Go(func() {
			for time.Since(begun) < d && errs[i] == nil {
				errs[i] = w.call(ctx, session)
				counts[i]++
			}
		})
	}
	group.Wait()
	total := 0
	for _, n := range counts {
		total += n
	}
	w.rates = append(w.rates, float64(total)/time.Since(begun).Seconds())
	return errors.Join(errs...)
}

// calls measures calls of a server over HTTP.
func calls(ctx context.Context, s *settings, dir string, b *strings.Builder) error {
	addr, err := freeAddr()
	if err != nil {
		return err
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	upstream, err := start(ctx, addr, []string{upstreamVariable + "=" + addr}, self)
	if err != nil {
		return err
	}
	defer upstream.stop()
	gateway, err := webodarWith(ctx, s, dir, fmt.Sprintf(`"up": {"type": "http", "url": "http://%s"}`, addr))
	if err != nil {
		return err
	}
	defer gateway.stop()
	direct, through := &way{name: "directly", tool: "echo"}, &way{name: "through webodar", tool: "up__echo"}
	ways, urls := []*way{direct, through}, []string{"http://" + addr, "http://" + gateway.addr + "/mcp"}
	other := &way{name: "through vmcp", tool: "up__echo"}
	if s.vmcp != "" {
		p, err := vmcpWith(ctx, s, dir, addr)
		if err != nil {
			return err
		}
		defer p.stop()
		ways, urls = append(ways, other), append(urls, "http://"+p.addr+"/mcp")
	}
	for i, url := range urls {
		if err := ways[i].connect(ctx, url); err != nil {
			return err
		}
		for _, session := range ways[i].sessions {
			defer session.Close()
		}
		if err := ways[i].many(ctx, s.turn/2); err != nil { // to warm up
			return err
		}
		ways[i].rates = nil
	}
	for round := range s.rounds {
		for n := range ways {
			w := ways[(n+round)%len(ways)]
			if err := errors.Join(w.single(ctx, s.turn), w.many(ctx, s.turn)); err != nil {
				return err
			}
		}
	}
	var added, share []float64
	for i := range direct.medians {
		added = append(added, (through.medians[i]-direct.medians[i])/1e3)
		share = append(share, through.rates[i]/direct.rates[i])
	}
	fmt.Fprintf(b, "| job | directly | through webodar | difference | target |\n|---|---|---|---|---|\n")
	fmt.Fprintf(b, "| one call, one client: median | %.0f µs | %.0f µs | +%.2f ms | at most +0.6 ms |\n", median(direct.medians), median(through.medians), median(added))
	fmt.Fprintf(b, "| calls a second, %d clients | %.0f | %.0f | %.2f of direct | at least 0.6 |\n", clients, median(direct.rates), median(through.rates), median(share))
	if s.vmcp != "" {
		s.besides = besides(s, through, other)
	}
	return nil
}

// idle measures what sessions cost that do nothing.
func idle(ctx context.Context, s *settings, dir string, b *strings.Builder) error {
	p, err := webodarWith(ctx, s, dir, "")
	if err != nil {
		return err
	}
	defer p.stop()
	open := func() error {
		req, err := http.NewRequestWithContext(ctx, http.MethodPost, "http://"+p.addr+"/mcp", strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}}`))
		if err != nil {
			return err
		}
		req.Header.Set("Content-Type", "application/json")
		req.Header.Set("Accept", "application/json, text/event-stream")
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			return err
		}
		defer res.Body.Close()
		_, _ = io.Copy(io.Discard, res.Body) // so that the connection is kept
		if res.Header.Get("Mcp-Session-Id") == "" {
			return fmt.Errorf("no session: %s", res.Status)
		}
		return nil
	}
	if err := open(); err != nil {
		return err
	}
	before, err := resident(p.Process.Pid)
	if err != nil {
		return err
	}
	for range s.sessions {
		if err := open(); err != nil {
			return err
		}
	}
	after, err := resident(p.Process.Pid)
	if err != nil {
		return err
	}
	fmt.Fprintf(b, "| memory of %d idle sessions | | %.0f MB (%.0f → %.0f) | | less than 100 MB |\n", s.sessions, after-before, before, after)
	return nil
}

// slow measures how long it takes until many servers are mounted that take two
// seconds to answer.
func slow(ctx context.Context, s *settings, dir string, b *strings.Builder) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	name, value := scripted.Environment()
	var servers []string
	for i := range s.servers {
		servers = append(servers, fmt.Sprintf(`"s%d": {"command": %q, "args": ["-delay", "2s"], "env": {%q: %q}}`, i, self, name, value))
	}
	begun := time.Now()
	p, err := webodarWith(ctx, s, dir, strings.Join(servers, ","))
	if err != nil {
		return err
	}
	defer p.stop()
	var ready struct {
		Status    string           `json:"status"`
		Upstreams []map[string]any `json:"upstreams"`
	}
	for ready.Status != "ready" {
		if time.Since(begun) > 30*time.Second {
			return fmt.Errorf("not ready after 30 s: %v", ready)
		}
		time.Sleep(10 * time.Millisecond)
		res, err := http.Get("http://" + p.addr + "/readyz")
		if err != nil {
			return err
		}
		err = json.NewDecoder(res.Body).Decode(&ready)
		res.Body.Close()
		if err != nil {
			return err
		}
	}
	fmt.Fprintf(b, "| %d servers that take 2 s to answer initialize | | all mounted after %.1f s | | 4 s |\n", len(ready.Upstreams), time.Since(begun).Seconds())
	return nil
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// resident is a process's resident memory in MB.
func resident(pid int) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0, err
	}
	for line := range strings.Lines(string(text)) {
		var kb float64
		if n, _ := fmt.Sscanf(line, "VmRSS: %f kB", &kb); n == 1 {
			return kb / 1024, nil
		}
	}
	return 0, errors.New("no VmRSS")
}

func header() string {
	return fmt.Sprintf(`# What the gateway costs

Written by `+"`make bench-gateway`"+` on a machine with %d cores (%s/%s, %s) that was busy with
other things too; directly and through webodar took turns in one run, with the Go
SDK's client in both, and its server as it comes at the other end over HTTP.

`, runtime.NumCPU(), runtime.GOOS, runtime.GOARCH, runtime.Version())
}

// footer says what else there is, and what was measured of it.
func footer(s *settings) string {
	const missing = `
github.com/TBXark/mcp-proxy and github.com/docker/mcp-gateway were to stand beside it too;
neither could be had from the module proxy.
`
	if s.besides != "" {
		return s.besides + missing
	}
	return missing
}
