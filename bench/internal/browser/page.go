package browser

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"syscall"
	"time"
)

// WarmPage is a page of Chromium with mermaid in it.
type WarmPage struct {
	// Mermaid is the version of mermaid in the page.
	Mermaid string

	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// Open starts Chromium and loads mermaid. The process ends with ctx.
func (p *Peers) Open(ctx context.Context) (*WarmPage, error) {
	w := &WarmPage{cmd: exec.CommandContext(ctx, p.node, filepath.Join(p.root, "peers", "chromium", "page.mjs"), p.chromium, p.packages())}
	// Puppeteer takes the browser along when it is asked to end; killed, it cannot.
	w.cmd.Cancel = func() error { return w.cmd.Process.Signal(syscall.SIGTERM) }
	w.cmd.WaitDelay = 5 * time.Second
	var complaint tail
	w.cmd.Stderr = &complaint
	var err error
	if w.in, err = w.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", Page, err)
	}
	out, err := w.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting %s: %w", Page, err)
	}
	w.out = bufio.NewReaderSize(out, 1<<20)
	if err := w.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting %s: %w", Page, err)
	}
	var versions struct{ Mermaid string }
	if err := w.read(&versions); err != nil {
		return nil, errors.Join(err, w.Close(), errors.New(string(complaint)))
	}
	w.Mermaid = versions.Mermaid
	return w, nil
}

// Drawn is a picture and how long it took.
type Drawn struct {
	SVG     string
	Inside  time.Duration // in the page: mermaid.render alone
	Outside time.Duration // as the program sees it that asked the browser
}

// Draw draws one diagram.
func (w *WarmPage) Draw(code string) (Drawn, error) {
	start := time.Now()
	if err := json.NewEncoder(w.in).Encode(map[string]string{"code": code}); err != nil {
		return Drawn{}, fmt.Errorf("asking %s: %w", Page, err)
	}
	var answer struct {
		MS         float64
		SVG, Error string
	}
	if err := w.read(&answer); err != nil {
		return Drawn{}, err
	}
	outside := time.Since(start)
	if answer.Error != "" {
		return Drawn{}, fmt.Errorf("%s: %s", Page, answer.Error)
	}
	return Drawn{SVG: answer.SVG, Inside: time.Duration(answer.MS * float64(time.Millisecond)), Outside: outside}, nil
}

// PID is the number of the process that has the browser's below it.
func (w *WarmPage) PID() int { return w.cmd.Process.Pid }

func (w *WarmPage) read(answer any) error {
	line, err := w.out.ReadBytes('\n')
	if err == nil {
		err = json.Unmarshal(line, answer)
	}
	if err != nil {
		return fmt.Errorf("reading the answer of %s: %w", Page, err)
	}
	return nil
}

// Close ends the browser.
func (w *WarmPage) Close() error {
	if err := errors.Join(w.in.Close(), w.cmd.Wait()); err != nil {
		return fmt.Errorf("ending %s: %w", Page, err)
	}
	return nil
}

// tail keeps the last thing that was written to it.
type tail []byte

func (t *tail) Write(b []byte) (int, error) {
	*t = append((*t)[:0], b...)
	return len(b), nil
}
