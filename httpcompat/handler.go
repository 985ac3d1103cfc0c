package httpcompat

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"runtime/debug"
	"time"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/httpbody"
)

// DefaultBodyTimeout is how long a body may take to arrive when
// [Options.BodyTimeout] says nothing.
const DefaultBodyTimeout = 30 * time.Second

// Options configure the handler. Nil and the zero value are the defaults.
type Options struct {
	// Observer hears of every request; nil means nobody does.
	Observer catalog.Observer
	// MessageBytes is the most bytes a body may have, where the tool does not
	// say otherwise. 0 means [catalog.DefaultMessageBytes].
	MessageBytes int64
	// BodyTimeout is how long a body may take to arrive. 0 means
	// [DefaultBodyTimeout].
	BodyTimeout time.Duration
	// MayUseGuarded says whether a request may use guarded tools; nil means
	// none may. To whom it says no, those tools do not exist. It judges the
	// request's Origin too: one that it lets through is named in
	// Access-Control-Allow-Origin.
	MayUseGuarded func(*http.Request) bool
	// TokenConfigured says that the listener asks for a bearer token, so that
	// browsers are told they may send one.
	TokenConfigured bool
	// Version is the product's, for the OpenAPI document.
	Version string
	// ServerURL is where clients reach the listener, for the OpenAPI document;
	// empty means where the document came from.
	ServerURL string
}

// handler serves everything below /api/.
type handler struct {
	catalog      *catalog.Catalog
	opts         Options
	allowHeaders []string // the value of Access-Control-Allow-Headers
}

var _ http.Handler = (*handler)(nil)

// New returns the handler of everything below /api/.
func New(c *catalog.Catalog, opts *Options) http.Handler {
	h := &handler{catalog: c, allowHeaders: []string{"Content-Type"}}
	if opts != nil {
		h.opts = *opts
	}
	if h.opts.Observer == nil {
		h.opts.Observer = catalog.Unobserved{}
	}
	if h.opts.MessageBytes <= 0 {
		h.opts.MessageBytes = catalog.DefaultMessageBytes
	}
	if h.opts.BodyTimeout <= 0 {
		h.opts.BodyTimeout = DefaultBodyTimeout
	}
	if h.opts.MayUseGuarded == nil {
		h.opts.MayUseGuarded = func(*http.Request) bool { return false }
	}
	if h.opts.TokenConfigured {
		h.allowHeaders = []string{"Content-Type, Authorization"}
	}
	return h
}

// ServeHTTP answers one request and tells the observer.
func (h *handler) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := time.Now()
	h.opts.Observer.Begin(catalog.REST)
	r = identify(w, r)
	to := match(r)
	ev := catalog.Event{
		RequestID: catalog.RequestOf(r.Context()).ID, Surface: catalog.REST, Method: methodLabel(r.Method) + " " + to.pattern,
		Peer: r.RemoteAddr, UserAgent: r.UserAgent(),
	}
	defer func() {
		ev.Duration = time.Since(start)
		h.opts.Observer.End(r.Context(), ev)
	}()
	doc, err := h.answer(w, r, to, &ev)
	if err != nil {
		ev.Status, ev.Err = Status(err), err
		httpbody.Drain(w, r, err)
		WriteError(w, err)
		return
	}
	ev.Status = http.StatusOK
	send(w, http.StatusOK, doc)
}

// answer makes the body of a 200, nil for an empty one, or the error to show.
// Headers that depend on the route are set on w; nothing is written yet, so
// that a panic can still become an answer.
func (h *handler) answer(w http.ResponseWriter, r *http.Request, to route, ev *catalog.Event) (doc *document, err *catalog.Error) {
	defer func() {
		if p := recover(); p != nil {
			doc, err = nil, catalog.Internal(fmt.Errorf("%s panicked: %v\n%s", ev.Method, p, debug.Stack()))
		}
	}()
	switch to.endpoint {
	case discovery:
		return h.discover(w, r)
	case invocation:
		return h.trace(w, r, to.name, ev)
	case description:
		return h.describe(w, r)
	}
	h.allowOrigins(w, r, anyMethod, false)
	return nil, notFound(r.URL.Path)
}

// identify gives a request a name for the logs, unless the listener has.
func identify(w http.ResponseWriter, r *http.Request) *http.Request {
	known := catalog.RequestOf(r.Context())
	if known.ID != "" {
		return r
	}
	req := *known
	req.ID, req.Surface = rand.Text(), catalog.REST
	w.Header().Set("X-Request-Id", req.ID)
	return r.WithContext(catalog.WithRequest(r.Context(), &req))
}

// methodLabel keeps what clients make up out of the names of metrics.
func methodLabel(method string) string {
	switch method {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch,
		http.MethodDelete, http.MethodConnect, http.MethodOptions, http.MethodTrace:
		return method
	}
	return "OTHER"
}
