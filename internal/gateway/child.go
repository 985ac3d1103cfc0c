package gateway

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/time/rate"

	"github.com/webodar/webodar/internal/catalog"
)

// How long a child may take to end after its input was closed, and after it was
// asked to.
const (
	endPatience  = 1500 * time.Millisecond
	termPatience = time.Second
)

// lastWords is how long the end of a child's stderr is waited for: a grandchild
// may hold it open.
const lastWords = 200 * time.Millisecond

// child is a server that runs as a process of ours. It ends with us, with its
// own children.
type child struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *os.File
	exited chan struct{}
	last   lastLine // of stderr
	err    error    // of Wait, once exited
	stop   func()
	stderr sync.WaitGroup
	silent chan struct{} // closed when stderr has ended
}

// inherited are the variables that a child gets from our environment: what
// programs need to run, and nobody's secrets. The file adds others by env.
var inherited = regexp.MustCompile(`^(?i:PATH|HOME|USER|LOGNAME|SHELL|TERM|LANG|LANGUAGE|LC_.*|TZ|TMPDIR|TMP|TEMP|` +
	`XDG_.*|HTTPS?_PROXY|ALL_PROXY|NO_PROXY|SSL_CERT_FILE|SSL_CERT_DIR|NODE_EXTRA_CA_CERTS|NODE_PATH|NPM_CONFIG_.*|` +
	`DOCKER_HOST|SYSTEMROOT|SYSTEMDRIVE|WINDIR|COMSPEC|PATHEXT|APPDATA|LOCALAPPDATA|PROGRAMDATA|PROGRAMFILES.*|USERPROFILE|HOMEDRIVE|HOMEPATH)$`)

func environment(own map[string]string) []string {
	env := []string{}
	for _, pair := range os.Environ() {
		if name, _, _ := strings.Cut(pair, "="); inherited.MatchString(name) {
			env = append(env, pair)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(own)) {
		env = append(env, name+"="+own[name])
	}
	return env
}

// startChild starts a server's command. What it says on stderr goes to the log.
func startChild(s *Server, spawn *spawner, log *slog.Logger, r *redactor) (*child, error) {
	c := &child{cmd: exec.Command(s.Command, s.Args...), exited: make(chan struct{}), silent: make(chan struct{})}
	c.cmd.Env, c.cmd.Dir = environment(s.Env), s.Cwd
	// Found in the PATH that the child gets, as a shell would.
	if path, ok := s.Env["PATH"]; ok && !strings.ContainsRune(s.Command, os.PathSeparator) {
		if found := findIn(path, s.Command); found != "" {
			c.cmd.Path, c.cmd.Err = found, nil
		}
	}
	isolate(c.cmd)
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, outEnd, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	errOut, errEnd, err := os.Pipe()
	if err != nil {
		return nil, errors.Join(err, out.Close(), outEnd.Close())
	}
	c.in, c.out, c.cmd.Stdout, c.cmd.Stderr = in, out, outEnd, errEnd
	err = spawn.start(c.cmd)
	// The child has its own copies.
	_, _ = outEnd.Close(), errEnd.Close()
	if err != nil {
		_, _, _ = out.Close(), errOut.Close(), in.Close()
		return nil, startError(s, err)
	}
	c.stderr.Go(func() {
		defer close(c.silent)
		c.logLines(errOut, log, r)
	})
	go func() {
		c.err = c.cmd.Wait()
		killGroup(c.cmd) // what it has left behind
		close(c.exited)
	}()
	c.stop = sync.OnceFunc(func() {
		_ = in.Close() // asks it to end; the pipe may be broken already
		if !c.exits(endPatience) {
			terminateGroup(c.cmd)
			if !c.exits(termPatience) {
				killGroup(c.cmd)
				<-c.exited
			}
		}
		// Grandchildren may hold the pipes open.
		_, _ = out.Close(), errOut.Close()
		c.stderr.Wait()
	})
	return c, nil
}

func findIn(path, command string) string {
	for _, dir := range strings.Split(path, string(os.PathListSeparator)) {
		if found, err := exec.LookPath(dir + string(os.PathSeparator) + command); err == nil {
			return found
		}
	}
	return ""
}

// startError says why a command does not start, without its path twice.
func startError(s *Server, err error) error {
	switch {
	case s.Cwd != "" && !isDir(s.Cwd):
		return fmt.Errorf("cwd %s is no directory", s.Cwd)
	case errors.Is(err, exec.ErrNotFound) || errors.Is(err, os.ErrNotExist):
		return fmt.Errorf("command %q is not found: install it, or give its full path", s.Command)
	case errors.Is(err, os.ErrPermission):
		return fmt.Errorf("command %q may not be executed", s.Command)
	}
	return fmt.Errorf("command %q does not start: %w", s.Command, err)
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func (c *child) exits(within time.Duration) bool {
	timer := time.NewTimer(within)
	defer timer.Stop()
	select {
	case <-c.exited:
		return true
	case <-timer.C:
		return false
	}
}

// exitReason says how the process ended, with its last words.
func (c *child) exitReason() error {
	<-c.exited
	select {
	case <-c.silent: // its last words are read
	case <-time.After(lastWords):
	}
	text := "it exited with status 0"
	if c.err != nil {
		text = "it ended: " + c.err.Error()
	}
	if line := c.last.get(); line != "" {
		text += " (last line of its stderr: " + catalog.Clip(line, 200) + ")"
	}
	return errors.New(text)
}

// reason is how the process ended if that is why something else failed.
func (c *child) reason(err error) error {
	if c.exits(100 * time.Millisecond) {
		return c.exitReason()
	}
	return err
}

// logLines puts a child's stderr into the log, a line each, within reason.
func (c *child) logLines(in io.Reader, log *slog.Logger, r *redactor) {
	limit, dropped := rate.NewLimiter(50, 200), 0
	lines := bufio.NewReaderSize(in, 16<<10)
	for {
		line, _, err := readLine(lines, 64<<10)
		if text := strings.TrimSpace(r.clean(string(line))); text != "" {
			c.last.set(text)
			switch {
			case !limit.Allow():
				dropped++
			case dropped > 0:
				log.Warn("lines of a server's stderr were left out", "lines", dropped)
				dropped = 0
				fallthrough
			default:
				log.Info("stderr", "line", catalog.Clip(text, 2000))
			}
		}
		if err != nil {
			return
		}
	}
}

type lastLine struct {
	mu   sync.Mutex
	text string
}

func (l *lastLine) set(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.text = text
}

func (l *lastLine) get() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text
}
