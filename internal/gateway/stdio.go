package gateway

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
)

// stdioWire speaks newline-delimited JSON-RPC with a child process. Unlike the
// SDK's transport it survives what is no message, is not held up by a child
// that reads nothing, and knows what of a request has left.
type stdioWire struct {
	child    *child
	log      *slog.Logger
	receive  receiver
	waiting  waiting
	outgoing chan *request        // to the writer; requests without a serial are notes
	sdk      chan jsonrpc.Message // to the SDK's session
	done     chan struct{}
	end      func(error)
	why      error
	tasks    sync.WaitGroup
}

var (
	_ wire          = (*stdioWire)(nil)
	_ mcp.Transport = (*stdioWire)(nil)
)

// errSessionEnd is a session that the SDK has closed.
var errSessionEnd = errors.New("the session was closed")

// queued is how many messages may wait for a child to read them.
const queued = 256

func newStdioWire(c *child, log *slog.Logger, receive receiver) *stdioWire {
	w := &stdioWire{
		child: c, log: log, receive: receive,
		outgoing: make(chan *request, queued), sdk: make(chan jsonrpc.Message, queued), done: make(chan struct{}),
	}
	var once sync.Once
	w.end = func(cause error) {
		once.Do(func() {
			w.why = cause
			w.waiting.fail(cause)
			close(w.done)
		})
	}
	w.tasks.Go(w.write)
	w.tasks.Go(w.read)
	w.tasks.Go(func() {
		select {
		case <-c.exited:
			w.end(c.exitReason())
		case <-w.done:
		}
	})
	return w
}

func (w *stdioWire) ended() <-chan struct{} { return w.done }

func (w *stdioWire) cause() error {
	<-w.done
	return w.why
}

// close implements wire. It returns when the process is gone.
func (w *stdioWire) close(cause error) {
	w.end(cause)
	w.child.stop()
	w.tasks.Wait()
}

// write hands messages to the child, one after the other. A child that reads
// nothing blocks it until the child is stopped.
func (w *stdioWire) write() {
	for {
		select {
		case r := <-w.outgoing:
			if r.dropped.Load() {
				continue
			}
			r.sent.Store(true)
			if _, err := w.child.in.Write(append(r.text, '\n')); err != nil {
				w.end(w.child.reason(fmt.Errorf("writing to it: %w", err)))
				return
			}
		case <-w.done:
			return
		}
	}
}

func (w *stdioWire) read() {
	in := bufio.NewReaderSize(w.child.out, 64<<10)
	for {
		line, tooLong, err := readLine(in, maxAnswer)
		switch line = bytes.TrimSpace(line); {
		case tooLong:
			w.log.Warn("a message of a server is too large and is dropped", "limit", maxAnswer)
		case len(line) > 0:
			w.accept(line)
		}
		if err != nil {
			if errors.Is(err, io.EOF) {
				err = errors.New("it closed its output")
			}
			w.end(w.child.reason(err))
			return
		}
	}
}

// readLine reads one line, of which it keeps at most limit bytes.
func readLine(in *bufio.Reader, limit int) (line []byte, tooLong bool, err error) {
	for {
		part, err := in.ReadSlice('\n')
		if len(line)+len(part) > limit {
			line, tooLong = nil, true
		}
		if !tooLong {
			line = append(line, part...)
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line, tooLong, err
		}
	}
}

// accept takes one line. Servers print all sorts of things where only messages
// belong; that is their fault and not their end.
func (w *stdioWire) accept(line []byte) {
	m, err := readMessage(line)
	switch {
	case err != nil:
		if serial := guessSerial(line); serial != 0 {
			if r := w.waiting.remove(serial); r != nil {
				r.finish(reply{err: &badAnswer{err.Error()}})
				return
			}
		}
		w.log.Warn("a server wrote a line that is no message", "reason", err.Error(), "line", catalog.Clip(string(line), 200))
	case m.method == "" && m.serial() != 0:
		if r := w.waiting.remove(m.serial()); r != nil {
			r.finish(reply{msg: m})
		} else {
			w.log.Debug("an answer came that nobody waits for", "id", string(m.id))
		}
	case forSDK(m):
		msg, err := m.sdk()
		if err != nil {
			w.log.Warn("a server wrote a message that cannot be used", "reason", err.Error())
			return
		}
		select {
		case w.sdk <- msg:
		default:
			w.log.Warn("a server asks more than can be answered; a message is dropped", "method", m.method)
		}
	default:
		w.receive(m, nil)
	}
}

// roundTrip implements wire.
func (w *stdioWire) roundTrip(ctx context.Context, r *request) (*message, error) {
	if err := w.waiting.add(r); err != nil {
		return nil, err
	}
	select {
	case w.outgoing <- r:
	default:
		w.waiting.remove(r.serial)
		return nil, &lostError{cause: errors.New("it does not read what it is sent"), unsent: true}
	}
	select {
	case rep := <-r.reply:
		return rep.msg, rep.err
	case <-ctx.Done():
		r.dropped.Store(true)
		w.waiting.remove(r.serial)
		if r.sent.Load() {
			_ = w.post(ctx, cancelNote(r, context.Cause(ctx))) // when it reads nothing there is nobody to tell
		}
		return nil, context.Cause(ctx)
	}
}

func cancelNote(r *request, why error) []byte {
	return notification("notifications/cancelled", map[string]any{"requestId": r.serial, "reason": why.Error()})
}

// post implements wire.
func (w *stdioWire) post(_ context.Context, text []byte) error {
	select {
	case <-w.done:
		return w.why
	default:
	}
	select {
	case w.outgoing <- &request{text: text}:
		return nil
	default:
		return errors.New("it does not read what it is sent")
	}
}

// Connect implements [mcp.Transport] for the SDK's session.
func (w *stdioWire) Connect(context.Context) (mcp.Connection, error) { return (*stdioConn)(w), nil }

// stdioConn is the part of a stdioWire that the SDK's session uses.
type stdioConn stdioWire

// SessionID implements [mcp.Connection].
func (c *stdioConn) SessionID() string { return "" }

// Read implements [mcp.Connection].
func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	select {
	case msg := <-c.sdk:
		return msg, nil
	case <-c.done:
		return nil, io.EOF
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// Write implements [mcp.Connection].
func (c *stdioConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	return (*stdioWire)(c).post(ctx, text)
}

// Close implements [mcp.Connection]. The wire is closed by its owner.
func (c *stdioConn) Close() error {
	c.end(errSessionEnd)
	return nil
}
