package main

import (
	"time"

	"github.com/spf13/cobra"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/httpd"
	"github.com/webodar/webodar/internal/obs"
	"github.com/webodar/webodar/mcpserver"
)

// serveFlags are the settings of the serve command.
type serveFlags struct {
	http, compat                            string
	token                                   string
	insecure                                bool
	allowOrigin, allowHost                  []string
	logFile, logFormat, logLevel            string
	links                                   *linkBase
	drawing                                 drawing
	messageBytes                            int64
	sessions, connections, callsInFlight    int
	ratePerSecond                           float64
	alert                                   obs.AlertOptions
	requestTimeout, toolTimeout, sessionTTL time.Duration
}

func newServe() *cobra.Command {
	f := &serveFlags{}
	cmd := &cobra.Command{
		Use:   "serve",
		Short: "Serve MCP over stdio, or MCP, REST and metrics over HTTP",
		Long: `Serve MCP over stdin and stdout, as MCP clients start it; or, with --http,
over HTTP:

  /mcp                MCP, streamable HTTP, every protocol version
  /api/tools          REST: discovery, and POST /api/tools/NAME
  /api/openapi.json   the REST API's description
  /healthz, /readyz   for probes
  /metrics            for Prometheus

An address without a host is on the loopback interface. Any other interface
needs a bearer token (--token or WEBODAR_TOKEN), or --insecure.`,
		Example: `  webodar serve
  webodar serve --compat 127.0.0.1:8081
  webodar serve --http 127.0.0.1:8080
  webodar serve --config webodar.json          # with the MCP servers that it names
  WEBODAR_TOKEN=… webodar serve --http 0.0.0.0:8080 --allow-host diagrams.example.org`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return serve(cmd, f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.http, "http", "", "serve HTTP on this `ADDRESS` instead of stdio")
	flags.StringVar(&f.compat, "compat", "", "serve REST on an `ADDRESS` of its own, also beside stdio")
	flags.StringVar(&f.token, "token", "", "bearer `TOKEN` that HTTP callers must send (better: WEBODAR_TOKEN)")
	flags.BoolVar(&f.insecure, "insecure", false, "allow other interfaces than loopback without a token")
	flags.StringSliceVar(&f.allowOrigin, "allow-origin", nil, "trust pages of this `ORIGIN`, as in https://example.org (repeatable)")
	flags.StringSliceVar(&f.allowHost, "allow-host", nil, "answer to this `HOST` name too (repeatable)")
	flags.StringVar(&f.logFile, "log-file", "", "append the log to this `FILE` instead of stderr, which MCP clients hide")
	flags.StringVar(&f.logFormat, "log-format", "text", "text or json")
	flags.StringVar(&f.logLevel, "log-level", "info", "debug, info, warn or error")
	flags.Int64Var(&f.messageBytes, "message-bytes", catalog.DefaultMessageBytes, "most `BYTES` of one message or body")
	flags.IntVar(&f.sessions, "sessions", mcpserver.DefaultSessions, "most HTTP sessions at a time")
	flags.IntVar(&f.connections, "connections", httpd.DefaultConnections, "most HTTP connections at a time")
	flags.IntVar(&f.callsInFlight, "calls-in-flight", 128, "most tool calls at a time")
	flags.Float64Var(&f.ratePerSecond, "rate-per-second", 0, "most tool calls a `SECOND` from one address; 0 for no limit")
	flags.IntVar(&f.alert.ErrorsPerMinute, "alert-errors-per-minute", 30, "alert when this many requests `FAIL` within a minute; 0 for never")
	flags.StringArrayVar(&f.alert.Command, "alert-command", nil, "run this on an alert, which it gets as JSON on stdin; the first is the `PROGRAM`, further ones its arguments")
	flags.StringVar(&f.alert.URL, "alert-url", "", "POST alerts as JSON to this `URL`")
	f.drawing.addFlags(flags)
	fontDirFlag(flags)
	outputDirFlag(flags)
	f.links = keptFlags(flags)
	flags.DurationVar(&f.requestTimeout, "request-timeout", mcpserver.DefaultRequestTimeout, "`TIME` for a client to send one request")
	flags.DurationVar(&f.toolTimeout, "tool-timeout", catalog.DefaultToolTimeout, "`TIME` for one tool call")
	flags.DurationVar(&f.sessionTTL, "session-timeout", mcpserver.DefaultSessionTimeout, "`TIME` after which an idle HTTP session ends")
	return cmd
}
