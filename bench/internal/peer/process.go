package peer

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/webodar/webodar/bench/internal/proc"
)

// startLimit is how long a server may take until it listens.
const startLimit = 15 * time.Second

// Process is a server that runs.
type Process struct {
	Addr string // where it listens, of a server over HTTP
	In   io.WriteCloser
	Out  io.Reader

	cmd  *exec.Cmd
	end  context.CancelFunc
	log  *os.File
	once sync.Once     // guards the closing of log
	done chan struct{} // closed when the process is gone
}

// HTTP starts a server over HTTP on a free port of the loopback interface.
func (s *Set) HTTP(ctx context.Context, name string) (*Process, error) {
	command, err := s.command(name)
	if err != nil {
		return nil, err
	}
	flag := "-http"
	if name == Webodar {
		flag = "--http"
	}
	return Serve(ctx, s.dir, name, append(command, flag)...)
}

// Serve starts a server over HTTP: a command whose last argument, which is added to it,
// is a free address of the loopback interface. Its log goes into the folder dir.
func Serve(ctx context.Context, dir, name string, command ...string) (*Process, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("finding a free port: %w", err)
	}
	addr := l.Addr().String()
	if err := l.Close(); err != nil {
		return nil, fmt.Errorf("freeing a port: %w", err)
	}
	p, err := start(ctx, dir, name, false, append(command[:len(command):len(command)], addr))
	if err != nil {
		return nil, err
	}
	p.Addr = addr
	for limit := time.Now().Add(startLimit); ; time.Sleep(5 * time.Millisecond) {
		conn, err := net.DialTimeout("tcp", addr, time.Second)
		if err == nil {
			return p, conn.Close()
		}
		if p.gone() || time.Now().After(limit) {
			return nil, errors.Join(fmt.Errorf("%s does not listen: %w", name, err), p.complaint(), p.Stop())
		}
	}
}

// Stdio starts a server over stdio.
func (s *Set) Stdio(ctx context.Context, name string) (*Process, error) {
	command, err := s.command(name)
	if err != nil {
		return nil, err
	}
	return start(ctx, s.dir, name, true, command)
}

// command is what starts a server, but for the flags that say where it listens.
func (s *Set) command(name string) ([]string, error) {
	command := s.commands[name]
	if len(command) == 0 {
		return nil, s.NodeErr
	}
	if name == Webodar {
		return []string{command[0], "serve"}, nil
	}
	return command[:len(command):len(command)], nil
}

func start(ctx context.Context, dir, name string, stdio bool, command []string) (*Process, error) {
	// Servers log to a file, as services do.
	log, err := os.Create(filepath.Join(dir, strings.ReplaceAll(strings.ReplaceAll(name, " ", "-"), "/", "-")+".log"))
	if err != nil {
		return nil, fmt.Errorf("making a log file: %w", err)
	}
	ctx, cancel := context.WithCancel(ctx)
	p := &Process{end: cancel, log: log, done: make(chan struct{})}
	p.cmd = exec.CommandContext(ctx, command[0], command[1:]...)
	p.cmd.Cancel = func() error { return p.cmd.Process.Signal(os.Interrupt) }
	p.cmd.WaitDelay = 3 * time.Second // then it is killed
	p.cmd.Stderr = log
	if stdio {
		if p.In, err = p.cmd.StdinPipe(); err == nil {
			p.Out, err = p.cmd.StdoutPipe()
		}
	}
	if err == nil {
		err = p.cmd.Start()
	}
	if err != nil {
		cancel()
		return nil, errors.Join(fmt.Errorf("starting %s: %w", name, err), log.Close())
	}
	go func() {
		// How a server ends after an interrupt is not of interest.
		_ = p.cmd.Wait()
		close(p.done)
	}()
	return p, nil
}

// Stop ends the process. It may be called again.
func (p *Process) Stop() (err error) {
	if p.In != nil {
		_ = p.In.Close() // a server that is gone has closed it
	}
	p.end()
	<-p.done
	p.once.Do(func() { err = p.log.Close() })
	return err
}

// PID is the process's number.
func (p *Process) PID() int { return p.cmd.Process.Pid }

func (p *Process) gone() bool {
	select {
	case <-p.done:
		return true
	default:
		return false
	}
}

// complaint is the end of what the process said.
func (p *Process) complaint() error {
	text, err := os.ReadFile(p.log.Name())
	if err != nil || len(text) == 0 {
		return err
	}
	return fmt.Errorf("it said: %s", lastLines(string(text)))
}

// CPU is the processor time that the process has used; 0 where the system does
// not tell.
func (p *Process) CPU() time.Duration { return proc.CPU(p.PID()) }

// Memory is the most memory that the process has held, in MB; 0 where the
// system does not tell.
func (p *Process) Memory() int {
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(status), "VmHWM:")
	kb, _, _ := strings.Cut(strings.TrimSpace(rest), " ")
	n, err := strconv.Atoi(kb)
	if err != nil {
		return 0
	}
	return n / 1024
}
