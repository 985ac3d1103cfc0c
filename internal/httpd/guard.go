package httpd

import (
	"crypto/sha256"
	"crypto/subtle"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/webodar/webodar/internal/catalog"
)

// Guard says which checks stand before a route.
type Guard int

const (
	// GuardNone lets everyone in: probes have no token and any Host.
	GuardNone Guard = iota
	// GuardOpen checks Host and token; any Origin may call.
	GuardOpen
	// GuardLink checks Host alone: for paths that cannot be guessed, which a
	// person opens without a token.
	GuardLink
	// GuardBrowser checks Host, token and Origin: a page of another site may
	// not use the browser of the person in front of it to get in.
	GuardBrowser
)

// check returns why the request may not pass, with its status; nil when it may.
func (s *Server) check(r *http.Request, guard Guard) (int, *catalog.Error) {
	if guard == GuardNone {
		return 0, nil
	}
	if !s.hostAllowed(r.Host) {
		return http.StatusForbidden, forbidden(fmt.Sprintf("the Host %q is not allowed", catalog.Clip(r.Host, 100)),
			"Use a loopback name, or start the server with --allow-host and the name that it is reached under.")
	}
	if origin := r.Header.Get("Origin"); guard == GuardBrowser && !s.originAllowed(origin, r.Host) {
		return http.StatusForbidden, forbidden(fmt.Sprintf("the Origin %q is not allowed", catalog.Clip(origin, 100)),
			"Start the server with --allow-origin and this origin if the page is to be trusted.")
	}
	if guard == GuardLink || r.Method == http.MethodOptions { // a preflight carries no token
		return 0, nil
	}
	if !s.authorized(r) {
		return http.StatusUnauthorized, &catalog.Error{
			Type: catalog.Unauthorized, Code: "UNAUTHORIZED", Message: "a valid bearer token is required",
			Hint: "Send the header Authorization: Bearer TOKEN with the server's token.",
		}
	}
	return 0, nil
}

func forbidden(message, hint string) *catalog.Error {
	return &catalog.Error{Type: catalog.Forbidden, Code: "FORBIDDEN", Message: message, Hint: hint}
}

// authorized compares in constant time; the hashes make lengths equal.
func (s *Server) authorized(r *http.Request) bool {
	if s.opts.Token == "" {
		return true
	}
	scheme, token, _ := strings.Cut(r.Header.Get("Authorization"), " ")
	if !strings.EqualFold(scheme, "Bearer") {
		return false
	}
	got, want := sha256.Sum256([]byte(strings.TrimSpace(token))), sha256.Sum256([]byte(s.opts.Token))
	return subtle.ConstantTimeCompare(got[:], want[:]) == 1
}

// hostAllowed guards against DNS rebinding: a page can make its own name
// resolve to this machine, but not send another name in Host.
func (s *Server) hostAllowed(host string) bool {
	name := hostOnly(host)
	return isLoopbackName(name) || slices.Contains(s.hosts, strings.ToLower(name))
}

func (s *Server) originAllowed(origin, host string) bool {
	if origin == "" || slices.Contains(s.opts.AllowOrigins, origin) {
		return true
	}
	u, err := url.Parse(origin)
	return err == nil && (u.Scheme == "http" || u.Scheme == "https") && host != "" && strings.EqualFold(u.Host, host)
}

// MayUseGuarded reports whether the caller may use tools that reach beyond
// their input: with the token, or, on a loopback listener without one, when no
// browser sent the request or its origin is allowed by name.
func (s *Server) MayUseGuarded(r *http.Request) bool {
	if s.opts.Token != "" {
		return s.authorized(r)
	}
	origin := r.Header.Get("Origin")
	addr, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	return addr != nil && isLoopbackName(hostOnly(addr.String())) &&
		(origin == "" || slices.Contains(s.opts.AllowOrigins, origin))
}

// hostOnly takes port and brackets off.
func hostOnly(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

// isLoopbackName reports whether name is this machine talking to itself.
func isLoopbackName(name string) bool {
	if strings.EqualFold(name, "localhost") || strings.HasSuffix(strings.ToLower(name), ".localhost") {
		return true
	}
	ip := net.ParseIP(name)
	return ip != nil && ip.IsLoopback()
}

// IsLoopback reports whether addr, as in host:port, can be reached from this
// machine only.
func IsLoopback(addr string) bool {
	host, _, err := net.SplitHostPort(addr)
	return err == nil && isLoopbackName(host)
}
