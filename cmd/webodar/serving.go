package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
	"golang.org/x/term"

	"github.com/webodar/webodar/httpcompat"
	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/gateway"
	"github.com/webodar/webodar/internal/httpd"
	"github.com/webodar/webodar/internal/limits"
	"github.com/webodar/webodar/internal/obs"
	"github.com/webodar/webodar/internal/tools"
	"github.com/webodar/webodar/mcpserver"
)

// serving is a running serve command: what its doors share.
type serving struct {
	flags    *serveFlags
	catalog  *catalog.Catalog
	mcp      *mcpserver.Server
	recorder *obs.Recorder
	health   *obs.Health
	logger   *slog.Logger
	observer catalog.Observer
	gateway  *gateway.Gateway // nil without a configuration file
	reloader *reloader        // likewise
}

// serve runs until the client leaves (stdio), or ctx ends.
func serve(cmd *cobra.Command, f *serveFlags) error {
	if err := f.check(); err != nil {
		return usageError{err}
	}
	log, closeLog, err := openLog(f, cmd.ErrOrStderr())
	if err != nil {
		return usageError{err}
	}
	defer closeLog()
	tuneGC()
	tracer, stopTracing := newTracer(log, cmd.ErrOrStderr())
	defer stopTracing() // after the last span has ended
	dirs, err := checkedFontDirs(cmd)
	if err != nil {
		return err
	}
	drawer, stopDrawing, err := pooledDrawer(dirs, f.drawing)
	if err != nil {
		return err
	}
	defer func() {
		if err := stopDrawing(); err != nil {
			log.Warn("stopping the workers", "err", err)
		}
	}()
	bounds := limits.New(&limits.Options{CallsInFlight: f.callsInFlight, RatePerSecond: f.ratePerSecond})
	cat, err := newCatalog(cmd, &catalog.Options{ToolTimeout: f.toolTimeout, Admit: bounds.Admit, Tracer: tracer}, tracedDrawer{drawer, tracer})
	if err != nil {
		return err
	}
	s := &serving{flags: f, catalog: cat, recorder: obs.NewRecorder(log, buildVersion()), health: &obs.Health{}, logger: log}
	f.alert.Logger = log
	alert := obs.NewAlert(s.recorder, &f.alert)
	defer alert.Close()
	s.observer = alert
	unmount, err := s.mount(cmd)
	if err != nil {
		return err
	}
	defer unmount() // children end after the clients' last answers
	s.mcp = mcpserver.New(cat, &mcpserver.Options{
		Version: buildVersion(), Instructions: tools.Instructions, Logger: log, Observer: s.observer,
		Mounts: s.gateway != nil, SetLevel: s.setLevel,
		MessageBytes: f.messageBytes, Sessions: f.sessions, RequestTimeout: f.requestTimeout, SessionTimeout: f.sessionTTL, DrainTimeout: f.toolTimeout,
	})
	defer s.mcp.Close()
	err = s.run(cmd.Context(), cmd.InOrStdin(), cmd.OutOrStdout(), cmd.ErrOrStderr())
	// Handlers that a timeout left behind have seen their context end.
	grace, cancel := context.WithTimeout(context.WithoutCancel(cmd.Context()), httpd.DefaultGrace)
	defer cancel()
	if cat.Wait(grace) != nil {
		log.Warn("a tool ignores that its call was cancelled; the program ends without it")
	}
	return err
}

// run serves on every door that the flags ask for. The end of one ends all.
func (s *serving) run(ctx context.Context, in io.Reader, out, errOut io.Writer) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	group, ctx := errgroup.WithContext(ctx)
	door := func(f func() error) {
		group.Go(func() error {
			defer cancel()
			return f()
		})
	}
	context.AfterFunc(ctx, s.health.Stop)
	if s.reloader != nil {
		group.Go(func() error { return s.reloader.watch(ctx) })
	}
	if s.flags.compat != "" {
		door(func() error { return s.listen(ctx, "REST", s.flags.compat, s.restRoutes) })
	}
	if s.flags.http != "" {
		door(func() error { return s.listen(ctx, "HTTP", s.flags.http, s.allRoutes) })
	} else {
		if isTerminal(in) {
			fmt.Fprintln(errOut, stdioHint)
		}
		door(func() error { return s.mcp.ServeStdio(ctx, in, out) })
	}
	return group.Wait()
}

const stdioHint = `webodar speaks MCP (JSON-RPC) on stdin and stdout; an MCP client starts it, not a person.
  webodar config claude-desktop            how to add it to a client
  webodar serve --http 127.0.0.1:8080      a server for HTTP
  webodar encode diagram.puml              one diagram, now
Ctrl-C or Ctrl-D ends it.`

// listen opens one HTTP listener with the routes that suit it.
func (s *serving) listen(ctx context.Context, name, addr string, routes func(*httpcompat.Options) []httpd.Route) error {
	var server *httpd.Server
	rest := &httpcompat.Options{
		Observer: s.observer, MessageBytes: s.flags.messageBytes, BodyTimeout: s.flags.requestTimeout,
		TokenConfigured: s.flags.token != "", Version: buildVersion(),
		MayUseGuarded: func(r *http.Request) bool { return server.MayUseGuarded(r) },
	}
	server = httpd.New(&httpd.Options{
		Token: s.flags.token, AllowOrigins: s.flags.allowOrigin, AllowHosts: s.flags.allowHost,
		Logger: s.logger, Observer: s.observer, Connections: s.flags.connections,
	}, routes(rest)...)
	server.OnStop(s.mcp.Close)
	l, err := net.Listen("tcp", withHost(addr))
	if err != nil {
		return &catalog.Error{
			Code: "LISTEN_FAILED", Message: fmt.Sprintf("cannot listen on %s: %v", addr, errors.Unwrap(err)),
			Hint: "Choose another address or stop what is using this one.", Cause: err,
		}
	}
	s.flags.links.learn(l.Addr())
	s.logger.Info("listening", "door", name, "url", "http://"+l.Addr().String())
	return server.Serve(ctx, l)
}

// restRoutes are what every listener has.
func (s *serving) restRoutes(o *httpcompat.Options) []httpd.Route {
	reads := []string{http.MethodGet, http.MethodHead}
	routes := []httpd.Route{
		{Path: "/", Handler: httpcompat.New(s.catalog, o), Guard: httpd.GuardOpen},
		{Path: "/healthz", Methods: reads, Handler: http.HandlerFunc(s.health.Live)},
		{Path: "/readyz", Methods: reads, Handler: s.health.ReadyFor(o.MayUseGuarded)},
		{Path: httpcompat.ArtifactsPath, Methods: reads, Handler: httpcompat.Artifacts(s.catalog, s.recorder), Guard: httpd.GuardLink},
		{Path: "/metrics", Methods: reads, Handler: s.recorder.Handler(), Guard: httpd.GuardBrowser},
	}
	for i := range routes {
		routes[i].Surface, routes[i].Refuse = catalog.REST, httpcompat.Refuse(o)
	}
	return routes
}

// allRoutes are restRoutes and MCP.
func (s *serving) allRoutes(o *httpcompat.Options) []httpd.Route {
	return append(s.restRoutes(o), httpd.Route{
		Path: "/mcp", Handler: s.mcp.Handler(), Guard: httpd.GuardBrowser, Surface: catalog.HTTP,
		Refuse: mcpserver.Refuse, CORS: mcpserver.CORS(),
	})
}

// check refuses settings that make no sense together.
func (f *serveFlags) check() error {
	for flag, addr := range map[string]string{"--http": f.http, "--compat": f.compat} {
		if addr == "" {
			continue
		}
		host, port, err := net.SplitHostPort(withHost(addr))
		if err != nil {
			return fmt.Errorf("%s %q: want an address such as 127.0.0.1:8080", flag, addr)
		}
		if n, err := strconv.Atoi(port); err != nil || n < 0 || n > 65535 {
			return fmt.Errorf("%s %q: want a port from 0 to 65535", flag, addr)
		}
		if !httpd.IsLoopback(withHost(addr)) && f.token == "" && !f.insecure {
			return fmt.Errorf("%s %s can be reached from other machines: set WEBODAR_TOKEN (or --token), "+
				"use a loopback address, or say --insecure", flag, net.JoinHostPort(host, port))
		}
	}
	if f.token = strings.TrimSpace(f.token); strings.ContainsFunc(f.token, func(r rune) bool { return r <= ' ' || r > '~' }) {
		return errors.New("--token holds white space or characters beyond ASCII, which a header cannot")
	}
	for i, origin := range f.allowOrigin {
		f.allowOrigin[i] = strings.ToLower(strings.TrimSuffix(origin, "/")) // as browsers send it
		if u, err := url.Parse(f.allowOrigin[i]); err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" {
			return fmt.Errorf("--allow-origin %q: want scheme and host, as in https://example.org", origin)
		}
	}
	if err := f.drawing.check(); err != nil {
		return err
	}
	if f.sessions < 1 {
		return fmt.Errorf("--sessions %d: want at least 1", f.sessions)
	}
	if f.connections < 1 || f.callsInFlight < 1 || f.ratePerSecond < 0 {
		return errors.New("--connections and --calls-in-flight must be at least 1, --rate-per-second not below 0")
	}
	if f.messageBytes < 1024 {
		return fmt.Errorf("--message-bytes %d: want at least 1024", f.messageBytes)
	}
	if f.requestTimeout <= 0 || f.toolTimeout <= 0 || f.sessionTTL <= 0 {
		return errors.New("--request-timeout, --tool-timeout and --session-timeout must be above zero")
	}
	return nil
}

// withHost puts an address without a host, or a port alone, on loopback.
func withHost(addr string) string {
	if _, err := strconv.Atoi(addr); err == nil {
		addr = ":" + addr
	}
	if strings.HasPrefix(addr, ":") {
		return "127.0.0.1" + addr
	}
	return addr
}

func openLog(f *serveFlags, errOut io.Writer) (*slog.Logger, func(), error) {
	w, closeLog := errOut, func() {}
	if f.logFile != "" {
		file, err := os.OpenFile(f.logFile, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o600)
		if err != nil {
			return nil, nil, fmt.Errorf("--log-file: %w", err)
		}
		// Nothing is left to tell of a failure to close the log.
		w, closeLog = file, func() { _ = file.Close() }
	}
	logger, err := obs.NewLogger(w, f.logFormat, f.logLevel)
	if err != nil {
		closeLog()
		return nil, nil, err
	}
	return logger, closeLog, nil
}

// tuneGC lets the heap of a small server grow further between collections: the
// SDK allocates much per message and keeps little. The memory limit makes the
// collector careful again before that could matter. Both yield to GOGC and
// GOMEMLIMIT.
func tuneGC() {
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(500)
	}
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(1 << 30)
	}
}

func isTerminal(v any) bool {
	f, ok := v.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}
