package mcpserver

import (
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
)

// ServeStdio serves one client that writes newline-delimited JSON-RPC to in
// and reads it from out, until in ends, the client breaks a limit, or ctx
// ends; calls in flight are answered first, within the drain timeout. It
// returns nil in all three cases, or what made writing fail.
//
// When ctx ends while a read of in blocks, the reader stays behind until that
// read returns: most systems have no way to interrupt one of standard input.
func (s *Server) ServeStdio(ctx context.Context, in io.Reader, out io.Writer) error {
	conn := newStdioConn(s, in, out)
	session, err := s.sdk.Connect(ctx, conn, nil)
	if err != nil {
		return fmt.Errorf("serving stdio: %w", err)
	}
	stop := context.AfterFunc(ctx, conn.finish)
	defer stop()
	err = session.Wait()
	conn.finish()
	if writeErr := conn.writeError(); writeErr != nil {
		return fmt.Errorf("serving stdio: %w", writeErr)
	}
	if err != nil && !errors.Is(err, io.EOF) && ctx.Err() == nil {
		return fmt.Errorf("serving stdio: %w", err)
	}
	return nil
}

// stdioConn is the SDK's connection to the client on stdio: it reads lines,
// answers the broken ones itself and hands the others on.
type stdioConn struct {
	server *Server
	lines  *lineReader

	queue    []jsonrpc.Message     // read and not yet handed on; Read's own, as is:
	proposal *mcp.InitializeParams // of initialize, once it was read

	writeMu sync.Mutex // guards out and failed
	out     io.Writer
	failed  error

	mu       sync.Mutex // guards the rest
	inFlight map[jsonrpc.ID]*stdioCall
	asked    map[jsonrpc.ID]bool // the server's own requests that wait for a response
	open     int                 // calls that are awaited before the end
	idle     chan struct{}       // closed whenever open is 0
	done     chan struct{}
	finished bool
}

// stdioCall is a request that was read and not yet answered.
type stdioCall struct {
	*call
	batch   *batch // nil when it came by itself
	awaited bool   // whether the end waits for its answer
}

var _ mcp.Connection = (*stdioConn)(nil)

func newStdioConn(s *Server, in io.Reader, out io.Writer) *stdioConn {
	c := &stdioConn{
		server: s, out: out,
		inFlight: map[jsonrpc.ID]*stdioCall{}, asked: map[jsonrpc.ID]bool{},
		idle: make(chan struct{}), done: make(chan struct{}),
	}
	close(c.idle)
	c.lines = readLines(in, int(s.opts.MessageBytes), s.opts.RequestTimeout, c.done)
	return c
}

// Connect implements [mcp.Transport].
func (c *stdioConn) Connect(context.Context) (mcp.Connection, error) { return c, nil }

// SessionID implements [mcp.Connection].
func (c *stdioConn) SessionID() string { return "" }

// Read implements [mcp.Connection]. It returns io.EOF once no call is in
// flight any more: the SDK drops what it has not answered by then.
func (c *stdioConn) Read(ctx context.Context) (jsonrpc.Message, error) {
	for len(c.queue) == 0 {
		select {
		case line := <-c.lines.lines:
			if line.text != nil {
				c.accept(line.text)
				continue
			}
			if line.err != nil {
				c.refuse(nil, line.err)
				c.lines.drain()
			}
			c.drain(c.server.opts.DrainTimeout)
			return nil, io.EOF
		case <-c.done:
			c.drain(c.server.opts.Grace)
			return nil, io.EOF
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	next := c.queue[0]
	c.queue = c.queue[1:]
	return next, nil
}

// drain waits until every call is answered, for the limit at most.
func (c *stdioConn) drain(limit time.Duration) {
	c.mu.Lock()
	idle := c.idle
	c.mu.Unlock()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-idle:
	case <-timer.C:
		c.server.opts.Logger.Warn("the connection ends and calls are still running; they are cancelled")
	}
}

// Write implements [mcp.Connection].
func (c *stdioConn) Write(ctx context.Context, msg jsonrpc.Message) error {
	res, ok := msg.(*jsonrpc.Response)
	if !ok {
		if req := msg.(*jsonrpc.Request); req.IsCall() {
			c.mu.Lock()
			c.asked[req.ID] = true
			c.mu.Unlock()
		}
		text, err := jsonrpc.EncodeMessage(msg)
		if err != nil {
			return fmt.Errorf("encoding a request: %w", err)
		}
		return c.writeLine(text)
	}
	// The client may use the id again as soon as it has the answer.
	c.mu.Lock()
	cl := c.inFlight[res.ID]
	delete(c.inFlight, res.ID)
	c.mu.Unlock()
	if cl == nil {
		return nil // answered already
	}
	defer c.answered(ctx, cl)
	text := encodeResponse(cl.call, res)
	if e := cl.err.Load(); e != nil && e.Type == catalog.Cancelled {
		text = nil // a cancelled call is owed no answer
	}
	if cl.batch != nil {
		text = cl.batch.add(text)
	}
	return c.writeLine(text)
}

// answered closes the record of a call.
func (c *stdioConn) answered(ctx context.Context, cl *stdioCall) {
	c.server.end(ctx, cl.call)
	if !cl.awaited {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.open--; c.open == 0 {
		close(c.idle)
	}
}

// writeLine writes one message; empty text writes nothing.
func (c *stdioConn) writeLine(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	if c.failed != nil {
		return c.failed
	}
	if _, err := c.out.Write(append(text, '\n')); err != nil {
		c.failed = fmt.Errorf("writing to the client: %w", err)
		return c.failed
	}
	return nil
}

func (c *stdioConn) writeError() error {
	c.writeMu.Lock()
	defer c.writeMu.Unlock()
	return c.failed
}

// finish makes Read drain and end.
func (c *stdioConn) finish() {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.finished {
		c.finished = true
		close(c.done)
	}
}

// Close implements [mcp.Connection].
func (c *stdioConn) Close() error {
	c.finish()
	return nil
}
