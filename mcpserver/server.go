package mcpserver

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"runtime/debug"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/webodar/webodar/internal/catalog"
)

// Defaults of [Options].
const (
	DefaultRequestTimeout = 30 * time.Second
	DefaultSessionTimeout = 30 * time.Minute
	DefaultDrainTimeout   = 60 * time.Second
	DefaultGrace          = 10 * time.Second
	DefaultSessions       = 1000
)

// Options configure a server. The zero value suits.
type Options struct {
	Name    string // what clients are told the server is called; empty means webodar
	Version string
	// Instructions tell a model when to use what.
	Instructions string

	Logger   *slog.Logger     // nil: nothing is logged
	Observer catalog.Observer // nil: nothing is counted

	MessageBytes   int64         // 0: catalog.DefaultMessageBytes
	RequestTimeout time.Duration // for a client to send one message; 0: DefaultRequestTimeout
	SessionTimeout time.Duration // for an idle HTTP session; 0: DefaultSessionTimeout
	Sessions       int           // most HTTP sessions at a time; 0: DefaultSessions
	// DrainTimeout is how long calls in flight may run on after stdin ended;
	// 0: DefaultDrainTimeout.
	DrainTimeout time.Duration
	// Mounts says that the catalogue has features of other servers, which may
	// change and log; SetLevel, if not nil, hears what clients want of the log.
	Mounts   bool
	SetLevel func(level string)
	// Grace is how long they may run on after the context of ServeStdio ended;
	// 0: DefaultGrace.
	Grace time.Duration
}

// Server offers a catalogue to MCP clients. One server may serve stdio and
// HTTP at the same time.
type Server struct {
	catalog *catalog.Catalog
	opts    Options
	sdk     *mcp.Server
	cancel  func() // ends the subscription to the catalogue

	closing context.Context // ends with Close
	stop    func()

	sessions *sessions

	mu         sync.Mutex
	registered registered // what the SDK knows

	calls  sync.Map // call key (string) → *call
	serial atomic.Uint64
}

// New returns a server for what c offers, now and later.
func New(c *catalog.Catalog, opts *Options) *Server {
	s := &Server{catalog: c}
	s.closing, s.stop = context.WithCancel(context.Background())
	s.sessions = &sessions{server: s, byID: map[string]*session{}}
	if opts != nil {
		s.opts = *opts
	}
	s.opts.Name = cmp.Or(s.opts.Name, "webodar")
	s.opts.Version = cmp.Or(s.opts.Version, "dev")
	s.opts.MessageBytes = cmp.Or(s.opts.MessageBytes, catalog.DefaultMessageBytes)
	s.opts.RequestTimeout = cmp.Or(s.opts.RequestTimeout, DefaultRequestTimeout)
	s.opts.SessionTimeout = cmp.Or(s.opts.SessionTimeout, DefaultSessionTimeout)
	s.opts.Sessions = cmp.Or(s.opts.Sessions, DefaultSessions)
	s.opts.DrainTimeout = cmp.Or(s.opts.DrainTimeout, DefaultDrainTimeout)
	s.opts.Grace = cmp.Or(s.opts.Grace, DefaultGrace)
	if s.opts.Logger == nil {
		s.opts.Logger = slog.New(slog.DiscardHandler)
	}
	if s.opts.Observer == nil {
		s.opts.Observer = catalog.Unobserved{}
	}
	options := &mcp.ServerOptions{
		Instructions:      s.opts.Instructions,
		CompletionHandler: s.complete,
		Capabilities: &mcp.ServerCapabilities{
			//lint:ignore SA1019 deprecated by the protocol, and in use until it is removed
			Logging:   &mcp.LoggingCapabilities{},
			Tools:     &mcp.ToolCapabilities{ListChanged: true},
			Resources: &mcp.ResourceCapabilities{ListChanged: true},
			Prompts:   &mcp.PromptCapabilities{ListChanged: true},
		},
	}
	if s.opts.Mounts {
		options.SubscribeHandler = func(ctx context.Context, r *mcp.SubscribeRequest) error {
			return s.subscription(ctx, "resources/subscribe", r, r.Params.URI)
		}
		options.UnsubscribeHandler = func(ctx context.Context, r *mcp.UnsubscribeRequest) error {
			return s.subscription(ctx, "resources/unsubscribe", r, r.Params.URI)
		}
	}
	s.sdk = mcp.NewServer(&mcp.Implementation{Name: s.opts.Name, Title: "webodar", Version: s.opts.Version}, options)
	s.sdk.AddReceivingMiddleware(s.guard)
	s.register()
	s.cancel = c.OnChange(s.register)
	return s
}

// Close ends subscriptions, and all HTTP sessions once their calls are done. The handler must not
// be used any more.
func (s *Server) Close() {
	s.cancel()
	s.stop()
	s.sessions.closeAll()
}

// call is what the server keeps of one request between the transport that
// read it and the handler that the SDK runs for it.
type call struct {
	key    string
	start  time.Time
	event  catalog.Event
	ctx    context.Context               // ends when the client is gone; nil on stdio
	params json.RawMessage               // of the request; nil for a batch
	trace  map[string]string             // the client's trace context
	err    atomic.Pointer[catalog.Error] // what it failed with, as the log has it
	target atomic.Pointer[target]
	// exchange is where messages ahead of the answer go; nil where the SDK knows.
	exchange *exchange
}

// target is what a call is about, for the log. It is known when the tool is,
// which may be later than the call.
type target struct{ tool, upstream string }

func (c *call) about(tool string, m *catalog.Mounted) {
	t := &target{tool: tool}
	if m != nil {
		t.upstream = m.Server
	}
	c.target.Store(t)
}

// callKey is the key of a *call in a handler's context, which the SDK hands to
// the connection with whatever the handler sends.
type callKey struct{}

// fail records why the request failed. The first to know is right: what comes
// later only follows from it.
func (c *call) fail(e *catalog.Error) { c.err.CompareAndSwap(nil, e) }

// callHeader carries a call's key through the SDK, which hands a request's
// header on to its handlers. Values from clients are overwritten.
const callHeader = "Webodar-Call"

// begin opens the record of a request.
func (s *Server) begin(surface catalog.Surface, m *message) *call {
	c := &call{key: string(surface) + "-" + strconv.FormatUint(s.serial.Add(1), 10), start: time.Now()}
	c.event = catalog.Event{RequestID: c.key, Surface: surface}
	if m != nil {
		c.event.Method, c.params = catalog.Clip(m.method, 100), m.params
		c.trace = traceOf(m.meta)
		if m.tool != "" {
			if t, err := s.catalog.Tool(m.tool); err == nil {
				c.about(t.Name, t.Mounted)
			}
		}
	}
	s.opts.Observer.Begin(surface)
	s.calls.Store(c.key, c)
	return c
}

// end closes the record and reports it.
func (s *Server) end(ctx context.Context, c *call) {
	s.calls.Delete(c.key)
	c.event.Duration = time.Since(c.start)
	if t := c.target.Load(); t != nil {
		c.event.Tool, c.event.Upstream = t.tool, t.upstream
	}
	c.event.Err = recorded(c.err.Load())
	s.opts.Observer.End(ctx, c.event)
}

func extra(key string) *mcp.RequestExtra {
	return &mcp.RequestExtra{Header: http.Header{callHeader: {key}}}
}

// callOf returns the record of the request that the SDK is handling; never nil.
func (s *Server) callOf(req mcp.Request) *call {
	if x := req.GetExtra(); x != nil {
		if c, ok := s.calls.Load(x.Header.Get(callHeader)); ok {
			return c.(*call)
		}
	}
	return &call{}
}

// guard stands around every handler of the SDK: a panic is one failed request,
// and every error is one of the contract.
func (s *Server) guard(next mcp.MethodHandler) mcp.MethodHandler {
	return func(ctx context.Context, method string, req mcp.Request) (res mcp.Result, err error) {
		c := s.callOf(req)
		ctx, end := s.trace(ctx, c, req)
		defer end()
		defer func() {
			if p := recover(); p != nil {
				err = catalog.Internal(fmt.Errorf("%s panicked: %v\n%s", method, p, debug.Stack()))
			}
			if err != nil {
				res = nil
				own, wire := asError(err, c)
				c.fail(own)
				err = wire
			}
		}()
		if c.ctx != nil {
			linked, cancel := context.WithCancelCause(ctx)
			defer cancel(nil)
			stop := context.AfterFunc(c.ctx, func() { cancel(context.Cause(c.ctx)) })
			defer stop()
			ctx = linked
		}
		ctx = context.WithValue(ctx, callKey{}, c)
		if strings.HasSuffix(method, "/list") {
			s.catalog.Settled(ctx)
		}
		if err := s.lookUp(ctx, req); err != nil {
			return nil, err
		}
		if res, ok, err := s.forward(ctx, c, method, req); ok {
			return res, err
		}
		if res, err = next(ctx, method, req); err != nil {
			return nil, err
		}
		//lint:ignore SA1019 deprecated by the protocol, and in use until it is removed
		if level, ok := req.GetParams().(*mcp.SetLoggingLevelParams); ok && s.opts.SetLevel != nil {
			s.opts.SetLevel(string(level.Level))
		}
		return s.listed(res), nil
	}
}

// lookUp fails, with suggestions, if the request names what there is not.
func (s *Server) lookUp(ctx context.Context, req mcp.Request) error {
	err := s.find(req)
	if err != nil {
		s.catalog.Settled(ctx) // it may be on its way
		err = s.find(req)
	}
	return err
}

func (s *Server) find(req mcp.Request) (err error) {
	switch r := req.(type) {
	case *mcp.CallToolRequest:
		_, err = s.catalog.Tool(r.Params.Name)
	case *mcp.ReadResourceRequest:
		_, err = s.catalog.Reader(r.Params.URI)
	case *mcp.GetPromptRequest:
		_, err = s.catalog.Prompt(r.Params.Name)
	}
	return err
}
