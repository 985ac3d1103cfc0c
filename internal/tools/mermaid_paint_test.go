package tools_test

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"strings"
	"testing"

	"github.com/webodar/webodar/internal/catalog"
	"github.com/webodar/webodar/internal/render"
)

const pets = `{"code":"pie title Pets\n \"Dogs\" : 3\n \"Cats\" : 2"`

func TestMermaidToPDF(t *testing.T) {
	c := mermaidCatalog(t, engine(t))
	a, failed := call(t, c, "mermaid_to_pdf", pets+`,"include_ast":true}`)
	if failed != nil || !strings.HasPrefix(string(a.PDF), "%PDF-") || !strings.HasSuffix(strings.TrimSpace(string(a.PDF)), "%%EOF") || a.SVG != "" || a.AST == nil {
		t.Fatalf("%v %.200q", failed, a.PDF)
	}
	again, _ := call(t, c, "mermaid_to_pdf", pets+`}`)
	if !bytes.Equal(a.PDF, again.PDF) {
		t.Error("the same arguments gave other bytes")
	}
	other, _ := call(t, c, "mermaid_to_pdf", pets+`,"lang":"de-CH","background":"#112233"}`)
	if bytes.Equal(a.PDF, other.PDF) || !bytes.Contains(other.PDF, []byte("de-CH")) {
		t.Error("lang or background made no difference")
	}
}

func TestMermaidToPNG(t *testing.T) {
	c := mermaidCatalog(t, engine(t))
	sizes := map[string][2]int{}
	for name, args := range map[string]string{
		"as it is": `}`, "twice": `,"scale":2}`, "wide": `,"width":900}`, "clear": `,"background":"transparent"}`,
	} {
		a, failed := call(t, c, "mermaid_to_png", pets+args)
		if failed != nil {
			t.Fatal(name, failed)
		}
		img, err := png.Decode(bytes.NewReader(a.PNG))
		if err != nil || img.Bounds().Dx() != a.Width || img.Bounds().Dy() != a.Height {
			t.Fatalf("%s: %v, %d × %d", name, err, a.Width, a.Height)
		}
		sizes[name] = [2]int{a.Width, a.Height}
		if _, _, _, alpha := img.At(0, 0).RGBA(); (alpha == 0) != (name == "clear") {
			t.Errorf("%s: alpha of the corner %d", name, alpha)
		}
	}
	one, two := sizes["as it is"], sizes["twice"]
	if two[0] != 2*one[0] || two[1] != 2*one[1] || sizes["wide"][0] != 900 || one[0] == 0 {
		t.Errorf("%v", sizes)
	}
}

// A model gets the envelope without base64, and clients the picture.
func TestMermaidPaintedResult(t *testing.T) {
	c := mermaidCatalog(t, drawFunc(func(_ context.Context, job render.Job) (json.RawMessage, error) {
		return json.Marshal(map[string]any{"drawing": map[string]string{"type": "pie"}, "painted": []byte("picture of " + string(job.Input))})
	}))
	for tool, mimeType := range map[string]string{"mermaid_to_pdf": "application/pdf", "mermaid_to_png": "image/png"} {
		res, err := c.Call(t.Context(), tool, json.RawMessage(`{"code":"pie","background":"red"}`))
		if err != nil {
			t.Fatal(err)
		}
		encoded := base64.StdEncoding.EncodeToString(res.Picture.Data)
		structured, _ := json.Marshal(res.Structured)
		if res.Picture.MIMEType != mimeType || strings.Contains(res.Text, encoded) || !strings.Contains(res.Text, `"ok":true`) || !strings.Contains(string(structured), encoded) {
			t.Errorf("%s: %s\n%s", tool, res.Text, structured)
		}
		if !strings.Contains(string(res.Picture.Data), `"background":"red"`) {
			t.Errorf("the job does not say how to paint: %s", res.Picture.Data)
		}
	}
}

func TestMermaidPaintArguments(t *testing.T) {
	c := mermaidCatalog(t, engine(t))
	for _, tt := range []struct{ tool, args, code string }{
		{"mermaid_to_png", `,"scale":0}`, "INVALID_INPUT"},
		{"mermaid_to_png", `,"scale":1e6}`, "INVALID_INPUT"},
		{"mermaid_to_png", `,"scale":"big"}`, "INVALID_INPUT"},
		{"mermaid_to_png", `,"width":-1}`, "INVALID_INPUT"},
		{"mermaid_to_png", `,"width":10.5}`, "INVALID_INPUT"},
		{"mermaid_to_png", `,"width":1000000}`, "INVALID_INPUT"},
		{"mermaid_to_png", `,"width":20000}`, "RENDER_FAILED"},
		{"mermaid_to_png", `,"background":"url(x)"}`, "INVALID_INPUT"},
		{"mermaid_to_pdf", `,"lang":"de DE"}`, "INVALID_INPUT"},
		{"mermaid_to_pdf", `,"lang":7}`, "INVALID_INPUT"},
		{"mermaid_to_pdf", `,"theme":"none"}`, "INVALID_INPUT"},
	} {
		a, failed := call(t, c, tt.tool, pets+tt.args)
		if failed == nil || failed.Code != tt.code || failed.Hint == "" || a.PDF != nil || a.PNG != nil {
			t.Errorf("%s %s: %+v", tt.tool, tt.args, failed)
		}
	}
	a, _ := call(t, c, "mermaid_to_png", pets+`,"scale":"2","widht":3}`)
	if len(a.Warnings) != 2 || !strings.Contains(strings.Join(a.Warnings, " "), "did you mean width") {
		t.Errorf("%q", a.Warnings)
	}
}

func TestMermaidUnpainted(t *testing.T) {
	for tool, code := range map[string]string{"mermaid_to_pdf": "PDF_GENERATION_FAILED", "mermaid_to_png": "RENDER_FAILED"} {
		c := mermaidCatalog(t, drawFunc(func(context.Context, render.Job) (json.RawMessage, error) {
			return json.RawMessage(`{"drawing":{"type":"pie"},"unpainted":{"message":"/secret/path"}}`), nil
		}))
		a, failed := call(t, c, tool, pets+`}`)
		if failed == nil || failed.Code != code || failed.Type != catalog.ToolError || strings.Contains(a.Errors[0].Message, "secret") || failed.Cause == nil {
			t.Errorf("%s: %+v", tool, failed)
		}
	}
}
