package httpcompat

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"mime"
	"net/http"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/httpbody"
	"github.com/webodar/webodar/internal/wirejson"
)

// trace is invoke, with a span around what is a call.
func (h *handler) trace(w http.ResponseWriter, r *http.Request, name string, ev *catalog.Event) (*document, *catalog.Error) {
	if r.Method != http.MethodPost || name == "" || !h.catalog.Traced() {
		return h.invoke(w, r, name, ev)
	}
	ctx, end := h.catalog.Trace(r.Context(), name)
	failure := catalog.Internal(errors.New("a panic"))
	defer func() { end(failure) }()
	var doc *document
	doc, failure = h.invoke(w, r.WithContext(ctx), name, ev)
	return doc, failure
}

// invoke answers POST /api/tools/{name}. The order of its checks is part of
// the interface: preflight, method, name present, tool known, body, arguments.
func (h *handler) invoke(w http.ResponseWriter, r *http.Request, name string, ev *catalog.Event) (*document, *catalog.Error) {
	tool := h.lookUp(r, name)
	if tool == nil {
		h.catalog.Settled(r.Context()) // it may be on its way
		tool = h.lookUp(r, name)
	}
	var left *catalog.Error // why a mounted tool is not there
	if tool == nil {
		left = h.departed(r, name)
	}
	guarded := left != nil || tool != nil && tool.Exposure != catalog.Open
	h.allowOrigins(w, r, postOnly, guarded)
	switch {
	case r.Method == http.MethodOptions:
		w.Header()["Allow"] = postOnly.allow
		return nil, nil
	case r.Method != http.MethodPost:
		return nil, wrongMethod(w, postOnly, http.MethodPost)
	case name == "":
		return nil, nameRequired()
	case left != nil:
		return nil, left
	case tool == nil:
		return nil, h.unknownTool(r, name)
	}
	ev.Tool = tool.Name
	if tool.Mounted != nil {
		ev.Upstream = tool.Mounted.Server
	}
	// A form on any page can post text/plain to this machine without asking
	// first; application/json makes a browser ask.
	if guarded && !isJSON(r) {
		return nil, wrongMediaType()
	}
	body, err := httpbody.Read(w, r, h.limits(tool))
	if err != nil {
		return nil, err
	}
	args, err := arguments(tool, body)
	if err != nil {
		return nil, err
	}
	res, failure := h.catalog.Call(h.reaching(r), tool.Name, args)
	if failure != nil {
		if err = catalog.AsError(failure); err.Type == catalog.ToolNotFound && tool.Mounted == nil {
			err = h.unknownTool(r, name) // it left while its body arrived
		}
		return nil, err
	}
	if failed := res.Failed(); failed != nil {
		return nil, failed
	}
	if tool.Picture != "" {
		w.Header().Add("Vary", "Accept")
		if res.Picture != nil && wantsPicture(r, res.Picture.MIMEType) {
			return encodePicture(w, res.Picture), nil
		}
	}
	return encodeResult(res.Document())
}

// reaching is r's context, which says whether the caller may have an open tool do what
// guarded ones do.
func (h *handler) reaching(r *http.Request) context.Context {
	req := *catalog.RequestOf(r.Context())
	req.Surface, req.Guarded = catalog.REST, isJSON(r) && h.opts.MayUseGuarded(r)
	return catalog.WithRequest(r.Context(), &req)
}

func (h *handler) limits(tool *catalog.Tool) *httpbody.Limits {
	l := &httpbody.Limits{Bytes: h.opts.MessageBytes, Time: h.opts.BodyTimeout, TooLarge: tool.TooLarge}
	if tool.MaxBody > 0 {
		l.Bytes = tool.MaxBody
	}
	return l
}

// lookUp returns the tool of that name if it exists for r, else nil.
func (h *handler) lookUp(r *http.Request, name string) *catalog.Tool {
	tool, err := h.catalog.Tool(name)
	if err != nil || tool.Exposure != catalog.Open && !h.opts.MayUseGuarded(r) {
		return nil
	}
	return tool
}

// departed explains a tool that would be there if its server were, to who may
// know; else nil.
func (h *handler) departed(r *http.Request, name string) *catalog.Error {
	_, err := h.catalog.Tool(name)
	if err == nil || !h.opts.MayUseGuarded(r) {
		return nil
	}
	if own := catalog.AsError(err); own.Type != catalog.ToolNotFound {
		return own
	}
	return nil
}

// unknownTool suggests only what exists for r.
func (h *handler) unknownTool(r *http.Request, name string) *catalog.Error {
	tools, _ := h.visible(r)
	names := make([]string, len(tools))
	for i, t := range tools {
		names[i] = t.Name
	}
	return toolNotFound(name, catalog.Suggest(name, names))
}

func isJSON(r *http.Request) bool {
	mediaType, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	return err == nil && mediaType == "application/json"
}

var noArguments = json.RawMessage("{}")

// arguments returns the object to call tool with. A tool with codes of its own
// is asked even when the body holds no object: it then says, in its own words,
// that its arguments are missing.
func arguments(tool *catalog.Tool, body []byte) (json.RawMessage, *catalog.Error) {
	if isBlank(body) {
		if tool.OwnCodes {
			return noArguments, nil
		}
		return nil, notAnObject("the body is empty")
	}
	if err := catalog.CheckJSON(body); err != nil {
		if err.Type == catalog.EncodingError {
			return nil, badText(tool, err)
		}
		return nil, err
	}
	if wirejson.Kind(body) != '{' {
		if tool.OwnCodes {
			return noArguments, nil
		}
		return nil, notAnObject("the body holds a JSON value of type " + wirejson.TypeName(body))
	}
	if !tool.OwnCodes {
		if at := wirejson.LoneSurrogate(body); at >= 0 {
			return nil, badText(tool, loneSurrogate(at))
		}
	}
	return body, nil
}

// badText is the tool's own answer to text that is no Unicode, or else err.
func badText(tool *catalog.Tool, err *catalog.Error) *catalog.Error {
	if tool.BadText == nil {
		return err
	}
	own := *tool.BadText
	own.Cause = fmt.Errorf("the body: %w", err)
	return &own
}

// isBlank reports whether body has nothing but what JSON calls white space.
func isBlank(body []byte) bool {
	for _, c := range body {
		switch c {
		case ' ', '\t', '\r', '\n':
		default:
			return false
		}
	}
	return true
}
