package e2e

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// patience bounds every wait. It is far above what anything here takes, so
// that a busy machine fails no test.
const patience = 20 * time.Second

// process is one running webodar.
type process struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	outEnd *os.File
	log    *logTail
	exited chan struct{} // closed once the process is gone
}

// start runs the program with env added to the environment. It is killed when
// the test ends, if it still runs then.
func start(t *testing.T, env []string, args ...string) *process {
	t.Helper()
	cmd := exec.Command(binary, args...)
	cmd.Env = append(os.Environ(), env...)
	return launch(t, cmd)
}

// launch is start for a command that has been prepared.
func launch(t *testing.T, cmd *exec.Cmd) *process {
	t.Helper()
	p := &process{cmd: cmd, log: &logTail{}, exited: make(chan struct{})}
	p.cmd.Stderr = p.log
	var err error
	if p.in, err = p.cmd.StdinPipe(); err != nil {
		t.Fatal(err)
	}
	// A pipe of our own: the one of os/exec is closed when the process exits,
	// with what was not read yet.
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	p.outEnd, p.out, p.cmd.Stdout = r, bufio.NewReaderSize(r, 1<<20), w
	if err := p.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	w.Close()
	go func() {
		defer close(p.exited)
		_ = p.cmd.Wait() // the exit code is read from ProcessState
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill()
		<-p.exited
		r.Close()
		if t.Failed() {
			t.Logf("the log of webodar %s:\n%s", strings.Join(cmd.Args[1:], " "), p.log)
		}
	})
	return p
}

// exitCode waits until the process has ended by itself.
func (p *process) exitCode(t *testing.T) int {
	t.Helper()
	select {
	case <-p.exited:
		return p.cmd.ProcessState.ExitCode()
	case <-time.After(patience):
		t.Fatalf("the process was still running after %s", patience)
		return -1
	}
}

// gone reports whether the process has ended.
func (p *process) gone() bool {
	select {
	case <-p.exited:
		return true
	default:
		return false
	}
}

// write sends text to stdin as it is.
func (p *process) write(t *testing.T, text string) {
	t.Helper()
	if f, ok := p.in.(*os.File); ok {
		if err := f.SetWriteDeadline(time.Now().Add(patience)); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := io.WriteString(p.in, text); err != nil {
		t.Fatalf("writing to the server: %v", err)
	}
}

// line reads the next line of stdout, or io.EOF.
func (p *process) line(t *testing.T) (string, error) {
	t.Helper()
	if err := p.outEnd.SetReadDeadline(time.Now().Add(patience)); err != nil {
		t.Fatal(err)
	}
	text, err := p.out.ReadString('\n')
	if err != nil && err != io.EOF {
		t.Fatalf("waiting for a line from the server: %v", err)
	}
	return strings.TrimSuffix(text, "\n"), err
}

var listening = regexp.MustCompile(`msg=listening door=(\w+) url=(\S+)`)

// url waits until the named door ("HTTP" or "REST") says where it listens.
func (p *process) url(t *testing.T, door string) string {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), patience)
	defer cancel()
	for {
		text, changed := p.log.snapshot()
		for _, m := range listening.FindAllStringSubmatch(text, -1) {
			if m[1] == door {
				return m[2]
			}
		}
		select {
		case <-changed:
		case <-p.exited:
			t.Fatalf("the process ended with code %d before it listened:\n%s", p.cmd.ProcessState.ExitCode(), text)
		case <-ctx.Done():
			t.Fatalf("the %s door did not say that it listens:\n%s", door, text)
		}
	}
}

// logTail keeps what a process writes to stderr and tells who waits for more.
type logTail struct {
	mu      sync.Mutex
	text    bytes.Buffer
	changed chan struct{}
}

// Write implements [io.Writer].
func (l *logTail) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.changed != nil {
		close(l.changed)
		l.changed = nil
	}
	return l.text.Write(p)
}

// snapshot returns the text so far and a channel that closes on more.
func (l *logTail) snapshot() (string, <-chan struct{}) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.changed == nil {
		l.changed = make(chan struct{})
	}
	return l.text.String(), l.changed
}

// String implements [fmt.Stringer].
func (l *logTail) String() string {
	text, _ := l.snapshot()
	return text
}
