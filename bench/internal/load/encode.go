package load

import (
	"bufio"
	"bytes"
	"compress/flate"
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"os/exec"
	"path/filepath"
	"runtime"
	"time"

	"github.com/webodar/webodar/bench/internal/measure"
	"github.com/webodar/webodar/encoder"
)

// Encode returns turns of a function that encodes one text, over and over for
// all texts; an operation is one pass over them.
func Encode(texts []string, encode func(string) (string, error)) func(context.Context, time.Duration) (measure.Sample, error) {
	return func(ctx context.Context, d time.Duration) (measure.Sample, error) {
		runtime.GC()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s := measure.Sample{}
		start := time.Now()
		for s.Time < d && ctx.Err() == nil {
			for range 20 {
				for _, text := range texts {
					if _, err := encode(text); err != nil {
						return s, err
					}
				}
			}
			s.Ops += 20
			s.Time = time.Since(start)
		}
		runtime.ReadMemStats(&after)
		s.Allocs = float64(after.Mallocs-before.Mallocs) / float64(s.Ops)
		s.Bytes = float64(after.TotalAlloc-before.TotalAlloc) / float64(s.Ops)
		return s, nil
	}
}

// Codes encodes each text once and proves that the codes stand for them.
func Codes(texts []string, encode func(string) (string, error)) ([]string, error) {
	codes := make([]string, len(texts))
	for i, text := range texts {
		code, err := encode(text)
		if err != nil {
			return nil, err
		}
		codes[i] = code
	}
	return codes, prove(texts, codes)
}

func prove(texts, codes []string) error {
	if len(texts) != len(codes) {
		return fmt.Errorf("%d codes for %d texts", len(codes), len(texts))
	}
	for i, code := range codes {
		text, err := encoder.Decode(code)
		if err != nil {
			return fmt.Errorf("the code of text %d: %w", i, err)
		}
		if text != texts[i] {
			return fmt.Errorf("the code of text %d stands for another text", i)
		}
	}
	return nil
}

// Flate is what an encoder looks like that uses the standard library: level 9
// and PlantUML's alphabet, with all buffers kept.
func Flate() func(string) (string, error) {
	var compressed bytes.Buffer
	w, err := flate.NewWriter(&compressed, flate.BestCompression)
	if err != nil {
		panic(err) // the level is one that exists
	}
	alphabet := base64.NewEncoding("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_").WithPadding(base64.NoPadding)
	return func(text string) (string, error) {
		compressed.Reset()
		w.Reset(&compressed)
		if _, err := io.WriteString(w, text); err != nil {
			return "", err
		}
		if err := w.Close(); err != nil {
			return "", err
		}
		for compressed.Len()%3 != 0 {
			compressed.WriteByte(0)
		}
		return alphabet.EncodeToString(compressed.Bytes()), nil
	}
}

// NodeEncoder is plantuml-encoder in a process of Node.
type NodeEncoder struct {
	Codes []string

	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// NewNodeEncoder starts Node, has all texts encoded once and proves the codes.
// dir is the folder of the Node peer. The process ends with ctx.
func NewNodeEncoder(ctx context.Context, dir string, texts []string) (*NodeEncoder, error) {
	n := &NodeEncoder{cmd: exec.CommandContext(ctx, "node", filepath.Join(dir, "encode.mjs"))}
	var err error
	if n.in, err = n.cmd.StdinPipe(); err != nil {
		return nil, fmt.Errorf("starting node: %w", err)
	}
	out, err := n.cmd.StdoutPipe()
	if err != nil {
		return nil, fmt.Errorf("starting node: %w", err)
	}
	n.out = bufio.NewReader(out)
	if err := n.cmd.Start(); err != nil {
		return nil, fmt.Errorf("starting node: %w", err)
	}
	var answer struct{ Codes []string }
	if err := n.ask(map[string]any{"texts": texts}, &answer); err != nil {
		return nil, err
	}
	n.Codes = answer.Codes
	return n, prove(texts, n.Codes)
}

// Run is a turn.
func (n *NodeEncoder) Run(_ context.Context, d time.Duration) (measure.Sample, error) {
	var answer struct{ Ops, Ns int }
	if err := n.ask(map[string]any{"ms": d.Milliseconds()}, &answer); err != nil {
		return measure.Sample{}, err
	}
	return measure.Sample{Ops: answer.Ops, Time: time.Duration(answer.Ns)}, nil
}

func (n *NodeEncoder) ask(request, answer any) error {
	if err := json.NewEncoder(n.in).Encode(request); err != nil {
		return fmt.Errorf("asking node: %w", err)
	}
	line, err := n.out.ReadBytes('\n')
	if err != nil {
		return fmt.Errorf("reading node's answer: %w", err)
	}
	if err := json.Unmarshal(line, answer); err != nil {
		return fmt.Errorf("reading node's answer: %w", err)
	}
	return nil
}

// Close ends the process.
func (n *NodeEncoder) Close() error {
	if err := n.in.Close(); err != nil {
		return fmt.Errorf("ending node: %w", err)
	}
	if err := n.cmd.Wait(); err != nil {
		return fmt.Errorf("ending node: %w", err)
	}
	return nil
}
