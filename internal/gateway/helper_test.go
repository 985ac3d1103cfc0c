package gateway_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/gateway"
	"github.com/webodar/webodar/internal/gateway/scripted"
)

func TestMain(m *testing.M) {
	scripted.MainIfAsked()
	goleak.VerifyTestMain(m)
}

// patience bounds every wait; nothing here takes a tenth of it.
const patience = 15 * time.Second

// rig is a gateway with what tests look at.
type rig struct {
	*gateway.Gateway
	catalog *catalog.Catalog
	record  string
	log     *logBuffer
}

type logBuffer struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *logBuffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *logBuffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// server is the configuration of a scripted server over stdio. more are further
// members.
func server(t *testing.T, record string, more string, args ...string) string {
	t.Helper()
	name, value := scripted.Environment()
	list, err := json.Marshal(append([]string{"-record", record}, args...))
	if err != nil {
		t.Fatal(err)
	}
	text := fmt.Sprintf(`"command": %q, "args": %s, "env": {%q: %q, "SCRIPTED_TOKEN": "s3cr3t-token"}`, os.Args[0], list, name, value)
	if more != "" {
		text += ", " + more
	}
	return "{" + text + "}"
}

// mount starts a gateway for servers given as members of mcpServers.
func mount(t *testing.T, builtin []catalog.Tool, servers ...string) *rig {
	t.Helper()
	cat, err := catalog.New(&catalog.Options{Tools: builtin})
	if err != nil {
		t.Fatal(err)
	}
	r := &rig{catalog: cat, log: &logBuffer{}}
	r.Gateway = gateway.New(cat, &gateway.Options{
		Version: "test", Logger: slog.New(slog.NewTextHandler(r.log, &slog.HandlerOptions{Level: slog.LevelDebug})),
	})
	t.Cleanup(func() {
		r.Close()
		if t.Failed() {
			t.Logf("log:\n%s", r.log)
		}
	})
	r.apply(t, servers...)
	cat.Settled(t.Context())
	return r
}

func (r *rig) apply(t *testing.T, servers ...string) {
	t.Helper()
	config, err := gateway.Parse([]byte(`{"mcpServers": {`+strings.Join(servers, ",")+`}}`), nil)
	if err != nil {
		t.Fatal(err)
	}
	r.Apply(config)
}

// one mounts a single scripted server called s.
func one(t *testing.T, more string, args ...string) *rig {
	t.Helper()
	record := filepath.Join(t.TempDir(), "record")
	r := mount(t, nil, `"s": `+server(t, record, more, args...))
	r.record = record
	return r
}

// recorded counts lines of what the server did.
func recorded(t *testing.T, record, line string) int {
	t.Helper()
	text, err := os.ReadFile(record)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Count("\n"+strings.ReplaceAll(string(text), "\n", "\n\n"), "\n"+line+"\n")
}

// call returns the result's text members, or the error.
func (r *rig) call(ctx context.Context, tool, args string) (string, *catalog.Error) {
	res, err := r.catalog.Call(catalog.WithRequest(ctx, &catalog.Request{ID: "req-1", Surface: catalog.CLI}), tool, json.RawMessage(args))
	if err != nil {
		return "", catalog.AsError(err)
	}
	return string(res.Wire), nil
}

// fails expects an error of a type.
func (r *rig) fails(t *testing.T, kind catalog.Type, tool, args string) *catalog.Error {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	res, err := r.call(ctx, tool, args)
	if err == nil || err.Type != kind {
		t.Fatalf("%s gave %.200s, %+v; want %s", tool, res, err, kind)
	}
	return err
}

// works expects a result that holds text.
func (r *rig) works(t *testing.T, tool, args, text string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	res, err := r.call(ctx, tool, args)
	if err != nil || !strings.Contains(res, text) {
		t.Fatalf("%s gave %.300s, %v; want %q", tool, res, err, text)
	}
}

// eventually waits until ok.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	for end := time.Now().Add(patience); !ok(); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatalf("not within %s: %s", patience, what)
		}
	}
}

func (r *rig) status(t *testing.T, name string) gateway.Status {
	t.Helper()
	for _, s := range r.Status() {
		if s.Name == name {
			return s
		}
	}
	t.Fatalf("no server %q", name)
	return gateway.Status{}
}

// overHTTP starts a scripted server that listens, and returns its address and
// what kills it.
func overHTTP(t *testing.T, addr, record string) (string, func()) {
	t.Helper()
	if addr == "" {
		l, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		addr = l.Addr().String()
		l.Close()
	}
	name, value := scripted.Environment()
	cmd := exec.Command(os.Args[0], "-http", addr, "-record", record)
	cmd.Env = append(os.Environ(), name+"="+value)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	kill := sync.OnceFunc(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	t.Cleanup(kill)
	eventually(t, "the server listens", func() bool {
		c, err := net.Dial("tcp", addr)
		if err == nil {
			c.Close()
		}
		return err == nil
	})
	return addr, kill
}
