package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// endless takes minutes to draw: its layout does not get done with so many edges.
func endless(timeout time.Duration) drawing {
	var b strings.Builder
	b.WriteString("flowchart TD\n")
	for i := range 400 {
		for j := 1; j <= 5; j++ {
			fmt.Fprintf(&b, "  n%d --> n%d\n", i, (i*7+j*31)%400)
		}
	}
	return drawing{Name: "layout", Code: b.String(), Config: `{"maxEdges":2000}`, Timeout: int(timeout.Milliseconds())}
}

// after checks that the server draws what it drew before.
func (d *drawer) after(t *testing.T, what string) {
	t.Helper()
	got, err := d.draw(drawing{Code: "flowchart TD\n  A --> B"})
	if err != nil || got.Result.SVG == "" {
		t.Errorf("after %s: %v %+v", what, err, got)
	}
}

// TestMermaidAtOnce asks two workers for ten diagrams at once.
func TestMermaidAtOnce(t *testing.T) {
	d := newDrawer(t, start(t, nil, "serve", "--http", "127.0.0.1:0", "--remember-bytes", "0", "--workers", "2"))
	all := diagrams(t, ours[0])[:10]
	begin := make(chan struct{})
	var wg sync.WaitGroup
	for _, ask := range all {
		wg.Go(func() {
			<-begin
			if got, err := d.draw(ask); err != nil || got.Result.SVG == "" {
				t.Errorf("%s: %v %+v", ask.Name, err, got)
			}
		})
	}
	close(begin)
	wg.Wait()
}

// TestMermaidTimeout: a drawing that would take minutes ends when timeout_ms says so,
// and others are not held up by it.
func TestMermaidTimeout(t *testing.T) {
	d := newDrawer(t, start(t, nil, "serve", "--http", "127.0.0.1:0", "--remember-bytes", "0", "--workers", "1"))
	d.after(t, "the start")
	const limit = time.Second
	for _, ask := range []drawing{
		endless(limit),
		{Name: "parsing", Code: "flowchart TD\n" + strings.Repeat("[", 1<<20-20), Timeout: int(limit.Milliseconds())},
	} {
		t.Run(ask.Name, func(t *testing.T) {
			// The best of three, as the machine may have other things to do.
			best := time.Hour
			for range 3 {
				begun := time.Now()
				got, err := d.draw(ask)
				late := time.Since(begun) - limit
				if err != nil || got.Status != 504 || got.Error.Code != "RENDER_TIMEOUT" {
					t.Fatalf("after %s: %v %+v", limit+late, err, got)
				}
				best = min(best, late)
				d.after(t, "a timeout")
				if best <= 500*time.Millisecond {
					break
				}
			}
			t.Logf("answered %s after the limit", best)
			if best > 500*time.Millisecond {
				t.Errorf("answered %s after the limit at best", best)
			}
		})
	}
}

// TestMermaidKilled: what happens to a worker from outside costs at most the drawing
// that it was at, which says so.
func TestMermaidKilled(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("workers are found in /proc")
	}
	p := start(t, nil, "serve", "--http", "127.0.0.1:0", "--remember-bytes", "0", "--workers", "1")
	d := newDrawer(t, p)
	d.after(t, "the start")

	// An idle worker.
	kill(t, p)
	d.after(t, "the death of an idle worker")

	// One that is drawing.
	answer := make(chan *picture, 1)
	go func() {
		got, err := d.draw(endless(patience))
		if err != nil {
			t.Errorf("while the worker was killed: %v", err)
		}
		answer <- got
	}()
	before := spent(t, p)
	deadline := time.Now().Add(patience)
	// In ticks of 10 ms, and so many that warming up, which a worker may be at when
	// the request comes, is over: a drawing that was not begun goes to another worker.
	for spent(t, p) < before+150 && time.Now().Before(deadline) {
		time.Sleep(10 * time.Millisecond)
	}
	kill(t, p)
	got := <-answer
	if got == nil || got.Result.SVG != "" || got.Error.Code != "RENDER_FAILED" || !strings.Contains(got.Text, "request_id") {
		t.Errorf("the worker was killed in the middle: %+v", got)
	} else {
		t.Logf("%s", got.Text)
	}
	d.after(t, "the death of a worker at work")
}

// workers are the processes that p has started.
func workers(t *testing.T, p *process) map[int][]string {
	t.Helper()
	stats, err := filepath.Glob("/proc/[0-9]*/stat")
	if err != nil {
		t.Fatal(err)
	}
	found := map[int][]string{}
	for _, path := range stats {
		text, err := os.ReadFile(path)
		if err != nil {
			continue // it has ended
		}
		// pid (name) state ppid …
		pid, rest, _ := strings.Cut(string(text), " ")
		fields := strings.Fields(rest[strings.LastIndexByte(rest, ')')+1:])
		if n, err := strconv.Atoi(pid); err == nil && len(fields) > 12 && fields[1] == strconv.Itoa(p.cmd.Process.Pid) && fields[0] != "Z" {
			found[n] = fields
		}
	}
	return found
}

// kill kills all workers of p. There must be one.
func kill(t *testing.T, p *process) {
	t.Helper()
	all := workers(t, p)
	if len(all) == 0 {
		t.Fatal("there is no worker")
	}
	for pid := range all {
		worker, err := os.FindProcess(pid)
		if err == nil {
			err = worker.Kill()
		}
		if err != nil {
			t.Errorf("killing a worker: %v", err)
		}
	}
}

// spent is the time that the workers of p computed, in clock ticks.
func spent(t *testing.T, p *process) (ticks int) {
	t.Helper()
	for _, fields := range workers(t, p) {
		n, err := strconv.Atoi(fields[11]) // utime
		if err != nil {
			t.Fatal(err)
		}
		ticks += n
	}
	return ticks
}
