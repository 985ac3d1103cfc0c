package gateway

import (
	"cmp"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"time"
)

// Config is what a configuration file says of servers to mount.
type Config struct {
	Servers []*Server // in the file's order
	// Warnings are about keys that have no effect here.
	Warnings []string
	// Secrets are values that came from the environment, and those of headers:
	// they are kept out of logs and messages.
	Secrets []string
}

// Server is one server to mount. Its members are named as in the file.
type Server struct {
	Name string

	// A child process that speaks MCP on stdin and stdout.
	Command string
	Args    []string
	Env     map[string]string
	Cwd     string

	// Or a streamable HTTP endpoint; with SSE, which is a type in the file, a
	// stream of server-sent events of protocol version 2024-11-05.
	URL     string
	SSE     bool
	Headers map[string]string

	// Prefix stands before the names of tools and prompts, with two underscores
	// between; empty leaves the names as they are.
	Prefix string
	Tools  ToolRules

	Timeout        time.Duration // of silence, for one request
	ConnectTimeout time.Duration // for connecting and listing
	CallsInFlight  int           // most requests at a time
	Retry          Retry
	Health         Health
	Restart        Restart
	Breaker        Breaker
}

// ToolRules say which of a server's tools are mounted, and how. Patterns are
// as in path.Match, on the server's own names.
type ToolRules struct {
	Allow, Deny []string
	Describe    map[string]string        // descriptions in place of the server's
	Timeout     map[string]time.Duration // limits on a call, by tool
}

// Retry bounds how often a request is sent that may be sent again.
type Retry struct{ Attempts int }

// Health is how a server is watched.
type Health struct{ Interval, Timeout time.Duration }

// Restart bounds how often a child process is started.
type Restart struct{ MaxPerMinute int }

// Breaker holds calls back from a server that fails too often.
type Breaker struct {
	Enabled     bool
	FailureRate float64 // over Window, above which calls are held back
	MinCalls    int     // before which the rate says nothing
	Window      time.Duration
	OpenFor     time.Duration // until a ping finds out whether the server is back
}

// defaults are the values of what a file leaves out.
func defaults(name string) *Server {
	return &Server{
		Name: name, Prefix: name,
		Timeout: 30 * time.Second, ConnectTimeout: 10 * time.Second, CallsInFlight: 32,
		Retry:   Retry{Attempts: 2},
		Health:  Health{Interval: 15 * time.Second, Timeout: 5 * time.Second},
		Restart: Restart{MaxPerMinute: 6},
		Breaker: Breaker{Enabled: true, FailureRate: 0.5, MinCalls: 5, Window: 30 * time.Second, OpenFor: 10 * time.Second},
	}
}

// equal reports whether a server needs no new connection under the new
// configuration.
func (s *Server) equal(o *Server) bool { return reflect.DeepEqual(s, o) }

// Target is what a person calls the place of a server: no arguments and no
// query, which may hold secrets.
func (s *Server) Target() string { return cmp.Or(s.Command, withoutQuery(s.URL)) }

var (
	secretName = regexp.MustCompile(`(?i)token|key|secret|passw|auth|credential|cookie`)
	plainName  = regexp.MustCompile(`^(HOME|USER|LOGNAME|PWD|PATH|SHELL|TMPDIR|TMP|TEMP|LANG|LC_.*|XDG_.*|HOSTNAME)$`)
)

// secretsOf returns texts of the file itself that must not be shown.
func (s *Server) secretsOf() []string {
	secrets := slices.Collect(maps.Values(s.Headers))
	for name, text := range s.Env {
		if secretName.MatchString(name) {
			secrets = append(secrets, text)
		}
	}
	return secrets
}
