package httpcompat

import (
	"net/http"
	"net/url"
	"strings"
)

// endpoint is what a path leads to.
type endpoint int

const (
	nowhere endpoint = iota
	discovery
	invocation
	description
)

// route is a request's path, understood.
type route struct {
	endpoint endpoint
	pattern  string // for logs and metrics: never what the client made up
	name     string // of the tool, decoded; empty when the path has none
}

var toolRoutes = []struct{ base, invoke string }{
	{"/api/tools", "/api/tools/{name}"},
	{"/api/v1/tools", "/api/v1/tools/{name}"},
}

// match finds the route by the path as it was sent: %2F is part of a name, and
// a slash is not. http.ServeMux would redirect what it cleans, and a client
// that posts does not follow.
func match(r *http.Request) route {
	path := r.URL.EscapedPath()
	if path == "/api/openapi.json" {
		return route{endpoint: description, pattern: path}
	}
	for _, t := range toolRoutes {
		rest, ok := strings.CutPrefix(path, t.base)
		if !ok {
			continue
		}
		// A POST without a name wants to call a tool; whatever else has none
		// is about the list.
		if rest == "" || rest == "/" && r.Method != http.MethodPost {
			return route{endpoint: discovery, pattern: t.base}
		}
		name, ok := strings.CutPrefix(rest, "/")
		if !ok || strings.Contains(name, "/") {
			break
		}
		decoded, err := url.PathUnescape(name)
		if err != nil {
			break
		}
		return route{endpoint: invocation, pattern: t.invoke, name: decoded}
	}
	return route{pattern: "/api/"}
}
