// Command gateway measures what webodar's gateway costs: calls of a server over
// streamable HTTP with the Go SDK's client, directly and through webodar, in
// turns; sessions that do nothing; and many servers that are slow to start.
//
//	cd bench && go run ./cmd/gateway           a table on stdout
//	cd bench && go run ./cmd/gateway -write    and in docs/GATEWAY-BENCHMARKS.md
//
// It builds webodar, serves the upstream from a process of its own, and opens no
// connection but to the loopback interface.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/bench/internal/peer"
	"github.com/webodar/webodar/internal/gateway/scripted"
)

const limit = 10 * time.Minute

// upstreamVariable makes this program the server that is called.
const upstreamVariable = "BENCH_UPSTREAM"

type settings struct {
	rounds, sessions, servers int
	turn                      time.Duration
	webodar, vmcp             string
	write                     bool
	besides                   string // what calls found of another gateway
}

func main() {
	scripted.MainIfAsked()
	if addr := os.Getenv(upstreamVariable); addr != "" {
		fmt.Fprintln(os.Stderr, serveUpstream(addr))
		os.Exit(1)
	}
	s := &settings{}
	flag.IntVar(&s.rounds, "rounds", 7, "how often each way gets a turn")
	flag.DurationVar(&s.turn, "time", time.Second, "how long a turn takes")
	flag.IntVar(&s.sessions, "sessions", 1000, "how many sessions do nothing")
	flag.IntVar(&s.servers, "servers", 64, "how many servers are slow to start")
	flag.StringVar(&s.webodar, "webodar", "", "use this `BINARY` instead of building webodar")
	flag.StringVar(&s.vmcp, "vmcp", "", "measure this `BINARY` of ToolHive's vmcp too: go install "+vmcpModule+"/cmd/vmcp@v0.47.0")
	flag.BoolVar(&s.write, "write", false, "write docs/GATEWAY-BENCHMARKS.md")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	ctx, cancel := context.WithTimeout(ctx, limit)
	err := run(ctx, s)
	cancel()
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "gateway:", err)
		os.Exit(1)
	}
}

type echoIn struct {
	Text string `json:"text"`
}

// serveUpstream is the SDK's server as it comes, with one tool.
func serveUpstream(addr string) error {
	server := mcp.NewServer(&mcp.Implementation{Name: "upstream", Version: "1"}, nil)
	mcp.AddTool(server, &mcp.Tool{Name: "echo"}, func(_ context.Context, _ *mcp.CallToolRequest, in echoIn) (*mcp.CallToolResult, any, error) {
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: in.Text}}}, nil, nil
	})
	return http.ListenAndServe(addr, mcp.NewStreamableHTTPHandler(func(*http.Request) *mcp.Server { return server }, nil))
}

func run(ctx context.Context, s *settings) error {
	dir, err := os.MkdirTemp("", "bench-gateway-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	root, err := filepath.Abs(".")
	if err != nil {
		return err
	}
	if s.webodar, err = peer.Binary(ctx, root, dir, s.webodar); err != nil {
		return err
	}
	var b strings.Builder
	for _, job := range []func(context.Context, *settings, string, *strings.Builder) error{calls, idle, slow} {
		if err := job(ctx, s, dir, &b); err != nil {
			return err
		}
	}
	fmt.Print(b.String(), s.besides)
	if !s.write {
		return nil
	}
	return os.WriteFile(filepath.Join("..", "docs", "GATEWAY-BENCHMARKS.md"), []byte(header()+b.String()+footer(s)), 0o644)
}

// process is a server that runs.
type process struct {
	*exec.Cmd
	addr string
}

func freeAddr() (string, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	defer l.Close()
	return l.Addr().String(), nil
}

// start runs a program until stop, and returns once it listens on addr.
func start(ctx context.Context, addr string, env []string, program string, args ...string) (*process, error) {
	p := &process{exec.CommandContext(ctx, program, args...), addr}
	p.Env = append(os.Environ(), env...)
	log := &strings.Builder{}
	p.Stderr = log
	if err := p.Start(); err != nil {
		return nil, err
	}
	for end := time.Now().Add(15 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
		if c, err := net.Dial("tcp", addr); err == nil {
			return p, c.Close()
		}
	}
	p.stop()
	return nil, errors.New(program + " does not listen: " + log.String())
}

func (p *process) stop() {
	_ = p.Process.Signal(os.Interrupt)
	timer := time.AfterFunc(5*time.Second, func() { _ = p.Process.Kill() })
	defer timer.Stop()
	_ = p.Wait() // interrupted
}

// webodarWith starts webodar for servers given as members of mcpServers.
func webodarWith(ctx context.Context, s *settings, dir, servers string) (*process, error) {
	config := filepath.Join(dir, "webodar.json")
	if err := os.WriteFile(config, []byte(`{"mcpServers": {`+servers+`}}`), 0o600); err != nil {
		return nil, err
	}
	addr, err := freeAddr()
	if err != nil {
		return nil, err
	}
	return start(ctx, addr, nil, s.webodar, "serve", "--http", addr, "--config", config, "--log-level", "error", "--sessions", fmt.Sprint(s.sessions+10))
}
