package gateway

import (
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

// streamWire exchanges messages with a peer that sends all it has to say in one
// stream. Unlike the SDK's transports it survives what is no message, is not held
// up by a peer that reads nothing, and knows what of a request has left.
type streamWire struct {
	peer     peer
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
	_ wire          = (*streamWire)(nil)
	_ mcp.Transport = (*streamWire)(nil)
)

// peer is who is at the other end.
type peer interface {
	// send hands a message over, and notes in it when it may have left. It may
	// block until stop.
	send(r *request) error
	// parallel reports whether each request may be sent for itself: where one
	// fails the others do not, and neither does the connection.
	parallel() bool
	// next reads a message; tooLong tells that there was one beyond the limit.
	next() (text []byte, tooLong bool, err error)
	// gone is closed when the peer has ended; nil where next tells.
	gone() <-chan struct{}
	// reason says how the peer has ended if that is why something else failed.
	reason(err error) error
	// stop ends the peer, and what send and next wait for.
	stop()
}

// errSessionEnd is a session that the SDK has closed.
var errSessionEnd = errors.New("the session was closed")

// queued is how many messages may wait for a peer to read them.
const queued = 256

func newStreamWire(p peer, log *slog.Logger, receive receiver) *streamWire {
	w := &streamWire{
		peer: p, log: log, receive: receive,
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
		case <-p.gone():
			w.end(p.reason(errors.New("it is gone")))
		case <-w.done:
		}
	})
	return w
}

func (w *streamWire) ended() <-chan struct{} { return w.done }

func (w *streamWire) cause() error {
	<-w.done
	return w.why
}

// close implements wire. It returns when the peer is gone.
func (w *streamWire) close(cause error) {
	w.end(cause)
	w.peer.stop()
	w.tasks.Wait()
}

// write hands messages over, one after the other where they must keep their order.
// A peer that reads nothing blocks it until the peer is stopped.
func (w *streamWire) write() {
	for {
		select {
		case r := <-w.outgoing:
			switch {
			case r.dropped.Load():
			case r.serial != 0 && w.peer.parallel():
				w.tasks.Go(func() {
					if err := w.peer.send(r); err != nil && w.waiting.remove(r.serial) != nil {
						r.finish(reply{err: err})
					}
				})
			default:
				if err := w.peer.send(r); err != nil {
					w.end(w.peer.reason(err))
					return
				}
			}
		case <-w.done:
			return
		}
	}
}

func (w *streamWire) read() {
	for {
		text, tooLong, err := w.peer.next()
		switch text = bytes.TrimSpace(text); {
		case tooLong:
			w.log.Warn("a message of a server is too large and is dropped", "limit", maxAnswer)
		case len(text) > 0:
			w.accept(text)
		}
		if err != nil {
			w.end(w.peer.reason(err))
			return
		}
	}
}

// accept takes one message. Servers print all sorts of things where only messages
// belong; that is their fault and not their end.
func (w *streamWire) accept(line []byte) {
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
func (w *streamWire) roundTrip(ctx context.Context, r *request) (*message, error) {
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
func (w *streamWire) post(_ context.Context, text []byte) error {
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
func (w *streamWire) Connect(context.Context) (mcp.Connection, error) { return (*streamConn)(w), nil }

// streamConn is the part of a streamWire that the SDK's session uses.
type streamConn streamWire

// SessionID implements [mcp.Connection].
func (c *streamConn) SessionID() string { return "" }

// Read implements [mcp.Connection].
func (c *streamConn) Read(ctx context.Context) (jsonrpc.Message, error) {
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
func (c *streamConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	text, err := jsonrpc.EncodeMessage(msg)
	if err != nil {
		return fmt.Errorf("encoding a message: %w", err)
	}
	return (*streamWire)(c).post(ctx, text)
}

// Close implements [mcp.Connection]. The wire is closed by its owner.
func (c *streamConn) Close() error {
	c.end(errSessionEnd)
	return nil
}
