package httpcompat

import (
	"net/http"
	"slices"

	"github.com/webodar/webodar/internal/catalog"
)

// methods are what a route answers to, as headers name them.
type methods struct {
	cors  []string // Access-Control-Allow-Methods
	allow []string // Allow
}

var (
	getOnly   = &methods{[]string{"GET, OPTIONS"}, []string{"GET, HEAD, OPTIONS"}}
	postOnly  = &methods{[]string{"POST, OPTIONS"}, []string{"POST, OPTIONS"}}
	anyMethod = &methods{[]string{"GET, POST, OPTIONS"}, nil}
)

// Header values that every answer shares. Nobody may change their elements;
// http.Header's own methods do not.
var (
	anyOrigin   = []string{"*"}
	jsonType    = []string{"application/json"}
	noStore     = []string{"no-store"}
	noSniff     = []string{"nosniff"}
	closingConn = []string{"close"}
)

// allowOrigins sets the CORS headers. Every origin may read what is about open
// tools. What guarded tools answer may be read only by an origin that
// [Options.MayUseGuarded] has let through.
func (h *handler) allowOrigins(w http.ResponseWriter, r *http.Request, m *methods, guarded bool) {
	header := w.Header()
	header["Access-Control-Allow-Headers"] = h.allowHeaders
	header["Access-Control-Allow-Methods"] = m.cors
	if !guarded {
		header["Access-Control-Allow-Origin"] = anyOrigin
		return
	}
	header.Add("Vary", "Origin")
	if origin := r.Header.Get("Origin"); origin != "" {
		header.Set("Access-Control-Allow-Origin", origin)
	}
}

// reads reports whether a request to a route that only reads is to be answered
// with its document. If not, it is a preflight, or err says what is wrong.
func reads(w http.ResponseWriter, r *http.Request) (ok bool, err *catalog.Error) {
	switch r.Method {
	case http.MethodGet, http.MethodHead:
		return true, nil
	case http.MethodOptions:
		w.Header()["Allow"] = getOnly.allow
		return false, nil
	}
	return false, wrongMethod(w, getOnly, http.MethodGet)
}

// visible returns the tools that exist for r, and whether guarded ones are
// among them.
func (h *handler) visible(r *http.Request) (tools []*catalog.Tool, guarded bool) {
	h.catalog.Settled(r.Context())
	tools = h.catalog.Tools()
	isGuarded := func(t *catalog.Tool) bool { return t.Exposure != catalog.Open }
	if guarded = slices.ContainsFunc(tools, isGuarded); guarded && !h.opts.MayUseGuarded(r) {
		return slices.DeleteFunc(tools, isGuarded), false
	}
	return tools, guarded
}
