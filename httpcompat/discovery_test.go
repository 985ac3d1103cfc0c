package httpcompat_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/webodar/webodar/httpcompat"
)

// encodeListed is how a client of the first version knows the encoder.
const encodeListed = `{"id":"encodePlantUML","name":"encodePlantUML",
	"description":"Encodes PlantUML diagram code into a shareable URL for viewing on plantuml.com","inputSchema":` + encodeSchema + `}`

func TestDiscover(t *testing.T) {
	h := httpcompat.New(newCatalog(t, encodePlantUML()), nil)
	for _, path := range []string{"/api/tools", "/api/tools/", "/api/v1/tools", "/api/v1/tools/", "/api/tools?x=1"} {
		for _, method := range []string{"GET", "HEAD"} {
			w := do(h, method, path, "", "Accept", "application/json")
			if w.Code != http.StatusOK || w.Header().Get("Content-Type") != "application/json" {
				t.Errorf("%s %s: %d %v", method, path, w.Code, w.Header())
			}
			wantJSON(t, w.Body.Bytes(), `{"tools":[`+encodeListed+`]}`)
		}
	}
}

func TestDiscoverNothing(t *testing.T) {
	c := newCatalog(t)
	if err := c.Replace(nil); err != nil {
		t.Fatal(err)
	}
	wantJSON(t, do(httpcompat.New(c, nil), "GET", "/api/tools", "").Body.Bytes(), `{"tools":[]}`)
}

func TestDiscoverMethods(t *testing.T) {
	h := newHandler(t, nil)
	for _, path := range []string{"/api/tools", "/api/v1/tools", "/api/openapi.json"} {
		for _, method := range []string{"POST", "PUT", "DELETE", "PATCH", "BREW"} {
			w := do(h, method, path, `{}`)
			if w.Code != http.StatusMethodNotAllowed || w.Header().Get("Allow") != "GET, HEAD, OPTIONS" {
				t.Errorf("%s %s: %d, Allow %q", method, path, w.Code, w.Header().Get("Allow"))
			}
			wantJSON(t, w.Body.Bytes(), plain("METHOD_NOT_ALLOWED", "Only GET method is allowed"))
		}
	}
	wantJSON(t, do(h, "PUT", "/api/tools/", `{}`).Body.Bytes(), plain("METHOD_NOT_ALLOWED", "Only GET method is allowed"))
}

func TestPreflight(t *testing.T) {
	h := newHandler(t, nil)
	tests := []struct{ path, methods string }{
		{"/api/tools", "GET, OPTIONS"},
		{"/api/tools/", "GET, OPTIONS"},
		{"/api/v1/tools", "GET, OPTIONS"},
		{"/api/openapi.json", "GET, OPTIONS"},
		{"/api/tools/encodePlantUML", "POST, OPTIONS"},
		{"/api/v1/tools/encodePlantUML", "POST, OPTIONS"},
		{"/api/tools/unknownTool", "POST, OPTIONS"},
	}
	for _, tt := range tests {
		w := do(h, "OPTIONS", tt.path, "", "Origin", "https://example.org", "Access-Control-Request-Method", "POST")
		if w.Code != http.StatusOK || w.Body.Len() != 0 {
			t.Errorf("%s: %d %q", tt.path, w.Code, w.Body)
		}
		want := []string{"*", "Content-Type", tt.methods, "0"}
		if diff := cmp.Diff(want, values(w.Header(), append(corsHeaders, "Content-Length")...)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", tt.path, diff)
		}
	}
}

var corsHeaders = []string{"Access-Control-Allow-Origin", "Access-Control-Allow-Headers", "Access-Control-Allow-Methods"}

// values returns the values of the named headers, "" for one that is not there.
func values(header http.Header, names ...string) []string {
	var got []string
	for _, name := range names {
		got = append(got, strings.Join(header[http.CanonicalHeaderKey(name)], "|"))
	}
	return got
}

func TestTokenConfigured(t *testing.T) {
	h := newHandler(t, &httpcompat.Options{TokenConfigured: true})
	for _, path := range []string{"/api/tools", "/api/tools/encodePlantUML"} {
		if got := do(h, "OPTIONS", path, "").Header().Get("Access-Control-Allow-Headers"); got != "Content-Type, Authorization" {
			t.Errorf("%s: Access-Control-Allow-Headers %q", path, got)
		}
	}
}

// TestGuarded is about callers who may use guarded tools. For all others
// TestInvoke shows that there are none.
func TestGuarded(t *testing.T) {
	const origin = "http://localhost:3000"
	trusted := newHandler(t, &httpcompat.Options{MayUseGuarded: trusting})
	const tool = "/api/tools/fs_read"
	post := []string{"POST", tool, `{"text":"a"}`}
	tests := []struct {
		name        string
		request     []string
		contentType string
		status      int
		code        string
		origin      string // of the request and, by name, of the answer
		allowed     string
	}{
		{"call", post, "application/json", 200, "", "", ""},
		{"call with charset", post, "Application/JSON; charset=utf-8", 200, "", "", ""},
		{"call from a page", post, "application/json", 200, "", origin, origin},
		{"no media type", post, "", 415, "UNSUPPORTED_MEDIA_TYPE", origin, origin},
		{"form", post, "application/x-www-form-urlencoded", 415, "UNSUPPORTED_MEDIA_TYPE", "", ""},
		{"text", post, "text/plain", 415, "UNSUPPORTED_MEDIA_TYPE", "", ""},
		{"broken arguments", []string{"POST", tool, `{}`}, "application/json", 422, "INVALID_ARGUMENTS", "", ""},
		{"wrong method", []string{"GET", tool, ""}, "", 405, "METHOD_NOT_ALLOWED", origin, origin},
		{"preflight", []string{"OPTIONS", tool, ""}, "", 200, "", origin, origin},
		{"discovery", []string{"GET", "/api/tools", ""}, "", 200, "", origin, origin},
		{"description", []string{"GET", "/api/openapi.json", ""}, "", 200, "", "", ""},
		{"open tool", []string{"POST", "/api/tools/echo", `{"text":"a"}`}, "", 200, "", origin, "*"},
		{"unknown tool", []string{"POST", "/api/tools/fs_rea", `{}`}, "", 404, "TOOL_NOT_FOUND", origin, "*"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := do(trusted, tt.request[0], tt.request[1], tt.request[2], "Content-Type", tt.contentType, "Origin", tt.origin)
			if w.Code != tt.status {
				t.Errorf("status %d, want %d: %s", w.Code, tt.status, w.Body)
			}
			if tt.code != "" {
				if code := errorCode(t, w.Body.Bytes()); code != tt.code {
					t.Errorf("code %s, want %s", code, tt.code)
				}
			}
			vary := "Origin"
			if tt.allowed == "*" {
				vary = ""
			}
			want := []string{tt.allowed, vary}
			if diff := cmp.Diff(want, values(w.Header(), "Access-Control-Allow-Origin", "Vary")); diff != "" {
				t.Errorf("-want +got:\n%s", diff)
			}
		})
	}
}

func TestGuardedAreListedForThoseWhoMay(t *testing.T) {
	mayIf := func(r *http.Request) bool { return r.Header.Get("Authorization") == "Bearer t" }
	h := newHandler(t, &httpcompat.Options{MayUseGuarded: mayIf})
	for _, path := range []string{"/api/tools", "/api/openapi.json"} {
		for authorization, want := range map[string]bool{"": false, "Bearer t": true} {
			w := do(h, "GET", path, "", "Authorization", authorization)
			if got := strings.Contains(w.Body.String(), "fs_read"); got != want {
				t.Errorf("%s with %q: listed %t, want %t", path, authorization, got, want)
			}
			if got := w.Header().Get("Access-Control-Allow-Origin") == "*"; got == want {
				t.Errorf("%s with %q: any origin %t, want %t", path, authorization, got, !want)
			}
		}
	}
	w := do(h, "POST", "/api/tools/fs_rea", `{}`, "Authorization", "Bearer t")
	wantJSON(t, w.Body.Bytes(), `{"success":false,"error":{"code":"TOOL_NOT_FOUND","message":"Tool 'fs_rea' not found","details":{"suggestions":["fs_read"]}}}`)
}

// TestGuardedLookUnknown holds that a caller without leave cannot tell a
// guarded tool from one that does not exist.
func TestGuardedLookUnknown(t *testing.T) {
	h := newHandler(t, nil)
	for _, method := range []string{"POST", "GET", "OPTIONS", "HEAD"} {
		guarded, unknown := do(h, method, "/api/tools/fs_read", `{}`), do(h, method, "/api/tools/xx_none", `{}`)
		got, want := guarded.Header(), unknown.Header()
		got.Del("X-Request-Id")
		want.Del("X-Request-Id")
		body := strings.ReplaceAll(guarded.Body.String(), "fs_read", "xx_none")
		if diff := cmp.Diff(unknown.Body.String(), body); diff != "" || guarded.Code != unknown.Code {
			t.Errorf("%s: %d for the guarded one, %d for the unknown one, bodies -unknown +guarded:\n%s", method, guarded.Code, unknown.Code, diff)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("%s: headers: -unknown +guarded:\n%s", method, diff)
		}
	}
}
