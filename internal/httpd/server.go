package httpd

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"path"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/httpbody"
)

// Defaults of [Options].
const (
	DefaultHeaderTimeout = 15 * time.Second
	DefaultIdleTimeout   = 2 * time.Minute
	DefaultWriteTimeout  = 30 * time.Second
	DefaultGrace         = 10 * time.Second
	DefaultConnections   = 512
)

// Options configure a listener. The zero value serves loopback names without a
// token.
type Options struct {
	Token        string   // bearer token that guarded routes ask for; empty asks for none
	AllowOrigins []string // further origins of pages that may use guarded routes
	AllowHosts   []string // further names that this server is reached under

	HeaderTimeout time.Duration // for a client to send a request's header; 0: DefaultHeaderTimeout
	IdleTimeout   time.Duration // for a connection between requests; 0: DefaultIdleTimeout
	WriteTimeout  time.Duration // for a client to take what is written at a time; 0: DefaultWriteTimeout
	Grace         time.Duration // for requests in flight when stopping; 0: DefaultGrace
	Connections   int           // most at a time; those above are told so. 0: DefaultConnections

	Logger *slog.Logger // nil: nothing is logged
	// Observer hears of requests that are refused here; nil: nobody does.
	Observer catalog.Observer
}

// Route is one door of the listener.
type Route struct {
	Path    string   // the exact path; all below it where it ends with /
	Methods []string // nil for all; the handler sees no others
	Handler http.Handler
	Guard   Guard
	Surface catalog.Surface
	// Refuse answers a request that does not pass the guard.
	Refuse func(w http.ResponseWriter, r *http.Request, status int, e *catalog.Error)
	// CORS are the headers of the answer to a preflight of an allowed origin,
	// for a route that does not answer preflights itself; nil for one that does.
	CORS http.Header
}

// Server is an HTTP server behind the guard.
type Server struct {
	opts   Options
	hosts  []string
	http   *http.Server
	prefix string
	serial atomic.Uint64
}

// New returns a server. It serves once [Server.Serve] is called.
func New(opts *Options, routes ...Route) *Server {
	s := &Server{}
	if opts != nil {
		s.opts = *opts
	}
	s.opts.HeaderTimeout = cmp.Or(s.opts.HeaderTimeout, DefaultHeaderTimeout)
	s.opts.IdleTimeout = cmp.Or(s.opts.IdleTimeout, DefaultIdleTimeout)
	s.opts.WriteTimeout = cmp.Or(s.opts.WriteTimeout, DefaultWriteTimeout)
	s.opts.Grace = cmp.Or(s.opts.Grace, DefaultGrace)
	s.opts.Connections = cmp.Or(s.opts.Connections, DefaultConnections)
	if s.opts.Logger == nil {
		s.opts.Logger = slog.New(slog.DiscardHandler)
	}
	if s.opts.Observer == nil {
		s.opts.Observer = catalog.Unobserved{}
	}
	for _, h := range s.opts.AllowHosts {
		s.hosts = append(s.hosts, strings.ToLower(hostOnly(h)))
	}
	s.prefix = strings.ToLower(rand.Text()[:6]) + "-"
	mux := router{}
	for _, route := range routes {
		mux[route.Path] = s.wrap(route)
	}
	s.http = &http.Server{
		Handler:           s.track(mux),
		ReadHeaderTimeout: s.opts.HeaderTimeout,
		IdleTimeout:       s.opts.IdleTimeout,
		MaxHeaderBytes:    64 << 10,
		ConnContext:       func(ctx context.Context, c net.Conn) context.Context { return context.WithValue(ctx, connKey{}, c) },
		ErrorLog:          slog.NewLogLogger(s.opts.Logger.Handler(), slog.LevelDebug),
	}
	return s
}

// router finds a route by its exact path. Unlike http.ServeMux it redirects
// nothing: clients that post do not follow.
type router map[string]http.Handler

func (rt router) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	h := rt[r.URL.Path]
	if h == nil { // all paths below are one level deep
		h = rt[path.Dir(r.URL.Path)+"/"]
	}
	if h == nil {
		h = rt["/"]
	}
	h.ServeHTTP(w, r)
}

// wrap puts the guard, the request id and a net for panics around a route.
func (s *Server) wrap(route Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w = s.newPatientWriter(w, r)
		id := s.requestID(r)
		w.Header().Set("X-Request-Id", id)
		r = r.WithContext(catalog.WithRequest(r.Context(), &catalog.Request{
			ID: id, Surface: route.Surface, Peer: hostOnly(r.RemoteAddr), Trace: catalog.TraceOf(r.Header.Get),
		}))
		refuse := func(status int, e *catalog.Error) {
			start := time.Now()
			s.opts.Observer.Begin(route.Surface)
			httpbody.Drain(w, r, e)
			route.Refuse(w, r, status, e)
			s.opts.Observer.End(context.WithoutCancel(r.Context()), catalog.Event{
				RequestID: id, Surface: route.Surface, Method: r.Method + " " + label(route, r), Duration: time.Since(start),
				Peer: r.RemoteAddr, UserAgent: r.UserAgent(), Status: status, Err: e,
			})
		}
		defer func() {
			if p := recover(); p != nil && p != http.ErrAbortHandler {
				refuse(http.StatusInternalServerError, catalog.Internal(fmt.Errorf("%s panicked: %v\n%s", route.Path, p, debug.Stack())))
			}
		}()
		if c, ok := r.Context().Value(connKey{}).(*conn); ok && c.above && route.Guard != GuardNone {
			w.Header().Set("Connection", "close")
			refuse(http.StatusServiceUnavailable, tooManyConnections(s.opts.Connections))
			return
		}
		if route.Methods != nil && !slices.Contains(route.Methods, r.Method) {
			w.Header().Set("Allow", strings.Join(route.Methods, ", "))
			refuse(http.StatusMethodNotAllowed, &catalog.Error{
				Type: catalog.InvalidRequestError, Code: "METHOD_NOT_ALLOWED",
				Message: "Only " + route.Methods[0] + " method is allowed",
			})
			return
		}
		// Before the check, so that a page of an allowed origin can read why it
		// is refused.
		preflight := s.allowOrigin(w, r, route.CORS)
		if status, bad := s.check(r, route.Guard); bad != nil {
			if status == http.StatusUnauthorized {
				w.Header().Set("WWW-Authenticate", `Bearer realm="webodar"`)
			}
			refuse(status, bad)
			return
		}
		if preflight {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		route.Handler.ServeHTTP(w, r)
	})
}

// label names a request in logs. What a [GuardLink] lets in is in the path.
func label(route Route, r *http.Request) string {
	if route.Guard == GuardLink {
		return route.Path
	}
	return catalog.Clip(r.URL.Path, 100)
}

// allowOrigin sets the CORS headers for a page of an allowed origin, and reports
// whether the request is a preflight of such a page.
func (s *Server) allowOrigin(w http.ResponseWriter, r *http.Request, cors http.Header) (preflight bool) {
	origin := r.Header.Get("Origin")
	if cors == nil || origin == "" || !s.originAllowed(origin, r.Host) {
		return false
	}
	w.Header().Set("Access-Control-Allow-Origin", origin)
	w.Header().Add("Vary", "Origin")
	for name, values := range cors {
		w.Header()[name] = values
	}
	return r.Method == http.MethodOptions
}

var plainID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// requestID takes the caller's id over, so that logs of several servers can be
// joined, or makes one.
func (s *Server) requestID(r *http.Request) string {
	if id := r.Header.Get("X-Request-Id"); plainID.MatchString(id) {
		return id
	}
	return s.prefix + strconv.FormatUint(s.serial.Add(1), 36)
}

// Serve serves on l until ctx ends. Then it takes no new requests, calls each
// of the functions given to [Server.OnStop], and waits for requests in flight,
// for the grace at most.
func (s *Server) Serve(ctx context.Context, l net.Listener) error {
	if host := hostOnly(l.Addr().String()); net.ParseIP(host) != nil && !net.ParseIP(host).IsUnspecified() {
		s.hosts = append(s.hosts, strings.ToLower(host))
	}
	stopped := make(chan error, 1)
	serveCtx, cancel := context.WithCancel(ctx)
	go func() {
		<-serveCtx.Done()
		grace, done := context.WithTimeout(context.WithoutCancel(ctx), s.opts.Grace)
		defer done()
		err := s.http.Shutdown(grace)
		if errors.Is(err, context.DeadlineExceeded) {
			s.opts.Logger.Warn("requests were still running when the grace ended; they are cut off", "grace", s.opts.Grace)
			err = s.http.Close()
		}
		stopped <- err
	}()
	err := s.http.Serve(&listener{Listener: l, most: int64(s.opts.Connections)})
	cancel()
	if stopErr := <-stopped; errors.Is(err, http.ErrServerClosed) {
		err = stopErr
	}
	if err != nil {
		return fmt.Errorf("serving HTTP: %w", err)
	}
	return nil
}

// OnStop has f called when the server stops, to end streams that would run on.
func (s *Server) OnStop(f func()) { s.http.RegisterOnShutdown(f) }
