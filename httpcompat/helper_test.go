package httpcompat_test

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"io"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/jsonschema-go/jsonschema"
	"go.uber.org/goleak"

	"github.com/webodar/webodar/httpcompat"
	"github.com/webodar/webodar/internal/catalog"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// encodeLimit is the body limit of the test's encoder.
const encodeLimit = 4096

const encodeSchema = `{"type":"object","properties":{"plantumlCode":{"type":"string",
	"description":"Valid PlantUML diagram code (must start with @startuml and end with @enduml)"}},"required":["plantumlCode"]}`

type encoded struct {
	URL     string `json:"url"`
	Encoded string `json:"encoded"`
	Format  string `json:"format"`
}

// encodePlantUML stands in for the encoder: the same codes, no compression.
func encodePlantUML() catalog.Tool {
	empty := &catalog.Error{
		Type: catalog.ValidationError, Code: "EMPTY_CODE", Message: "plantumlCode is required and cannot be empty", Hint: "Pass it.", Exact: true,
	}
	failed := &catalog.Error{Type: catalog.ToolError, Code: "ENCODING_FAILED", Message: "Failed to encode PlantUML code", Exact: true}
	large := &catalog.Error{
		Type: catalog.ValidationError, Code: "CODE_TOO_LARGE", Message: "PlantUML code exceeds maximum size of 50KB", Exact: true,
	}
	return catalog.Tool{
		Name: "encodePlantUML", Description: "Encodes PlantUML diagram code into a shareable URL for viewing on plantuml.com",
		Input: schema(encodeSchema), Output: catalog.OutputSchema[encoded](),
		OwnCodes: true, Inline: true, MaxBody: encodeLimit, TooLarge: large, BadText: failed,
		Handler: func(_ context.Context, args json.RawMessage) (*catalog.Result, error) {
			var in struct {
				Code json.RawMessage `json:"plantumlCode"`
			}
			var code string
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, err
			}
			if json.Unmarshal(in.Code, &code) != nil || strings.TrimSpace(code) == "" {
				return nil, empty
			}
			if strings.Contains(string(in.Code), `\ud800`) {
				return nil, failed
			}
			text := base64.RawURLEncoding.EncodeToString([]byte(code))
			return &catalog.Result{Structured: encoded{"https://www.plantuml.com/plantuml/svg/" + text, text, "svg"}}, nil
		},
	}
}

type echoed struct {
	Text  string `json:"text" jsonschema:"what to say"`
	Times int    `json:"times,omitempty" jsonschema:"how often"`
}

// echo has no codes of its own: the catalogue checks its arguments.
func echo() catalog.Tool {
	return catalog.Tool{
		Name: "echo", Title: "Echo", Description: "Says <it> & again", Input: catalog.InputSchema[echoed](), Output: catalog.OutputSchema[echoed](),
		Handler: func(_ context.Context, args json.RawMessage) (*catalog.Result, error) {
			var in echoed
			err := json.Unmarshal(args, &in)
			return &catalog.Result{Structured: in}, err
		},
	}
}

// fail fails in the way that "how" names.
func fail() catalog.Tool {
	drawn := &catalog.Error{
		Type: catalog.ToolError, Code: "PARSE_ERROR", Message: "line 2, column 4: the link from A ends without a target node",
		Hint: "Add a node.", Details: map[string]any{"line": 2, "column": 4},
	}
	return catalog.Tool{
		Name: "fail", Description: "Fails", Input: schema(`{"type":"object"}`), OwnCodes: true,
		Handler: func(ctx context.Context, args json.RawMessage) (*catalog.Result, error) {
			var in struct{ How string }
			if err := json.Unmarshal(args, &in); err != nil {
				return nil, err
			}
			switch in.How {
			case "draw":
				return nil, drawn
			case "panic":
				panic("at the disco")
			case "NaN":
				return &catalog.Result{Structured: map[string]any{"n": math.NaN()}}, nil
			case "marshal panic":
				return &catalog.Result{Structured: panicky{}}, nil
			case "hang":
				<-ctx.Done()
				return nil, ctx.Err()
			case "backend":
				return nil, &catalog.Error{Type: "BackendDisconnected", Code: "BACKEND_DISCONNECTED", Message: "gone", RetryAfter: 1500 * time.Millisecond}
			case "details":
				return nil, &catalog.Error{Type: catalog.ToolError, Code: "ODD", Message: "odd", Details: map[string]any{"f": func() {}}}
			}
			return nil, errors.New("a secret of the implementation")
		},
	}
}

type panicky struct{}

func (panicky) MarshalJSON() ([]byte, error) { panic("while encoding") }

// mounted is guarded, as tools of other servers are.
func mounted() catalog.Tool {
	t := echo()
	t.Name, t.Title, t.Exposure = "fs_read", "", catalog.Guarded
	t.Output = nil
	return t
}

func schema(text string) *jsonschema.Schema {
	s := &jsonschema.Schema{}
	if err := json.Unmarshal([]byte(text), s); err != nil {
		panic(err)
	}
	return s
}

func newCatalog(t testing.TB, tools ...catalog.Tool) *catalog.Catalog {
	t.Helper()
	if tools == nil {
		tools = []catalog.Tool{encodePlantUML(), echo(), fail(), mounted()}
	}
	c, err := catalog.New(&catalog.Options{Tools: tools})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newHandler(t testing.TB, opts *httpcompat.Options) http.Handler {
	t.Helper()
	return httpcompat.New(newCatalog(t), opts)
}

// trusting lets every request use guarded tools.
func trusting(*http.Request) bool { return true }

// do sends one request; header is name, value, name, value ….
func do(h http.Handler, method, path, body string, header ...string) *httptest.ResponseRecorder {
	var r io.Reader
	if body != "" {
		r = strings.NewReader(body)
	}
	req := httptest.NewRequest(method, path, r)
	for i := 0; i < len(header); i += 2 {
		req.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, req)
	return w
}

// wantJSON compares JSON texts by what they mean.
func wantJSON(t testing.TB, got []byte, want string) {
	t.Helper()
	if diff := cmp.Diff(decode(t, []byte(want)), decode(t, got)); diff != "" {
		t.Errorf("body: -want +got:\n%s", diff)
	}
}

func decode(t testing.TB, text []byte) any {
	t.Helper()
	var v any
	if err := json.Unmarshal(text, &v); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, text)
	}
	return v
}

// errorCode returns error.code of a failed answer.
func errorCode(t testing.TB, text []byte) string {
	t.Helper()
	var f struct {
		Success *bool
		Error   struct{ Code, Message string }
	}
	if err := json.Unmarshal(text, &f); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, text)
	}
	if f.Success == nil || *f.Success || f.Error.Message == "" {
		t.Errorf("not the shape of an error: %s", text)
	}
	return f.Error.Code
}
