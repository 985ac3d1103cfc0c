package tools

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/webodar/webodar/internal/artifact"
	"github.com/webodar/webodar/internal/catalog"
)

// Where a drawing tool puts its picture.
const (
	inline     = "inline"   // into the result
	asResource = "resource" // into the artifact store, with a link in the result
	asFile     = "file"     // below the output directory
)

// Outputs are the places, beside the result, that drawing tools can put a picture into.
type Outputs struct {
	Store *artifact.Store // nil: no resources
	Dir   *artifact.Dir   // nil: no files
	// LinkBase returns what precedes an artifact's path over HTTP, such as
	// http://127.0.0.1:8080; nil where there is no such listener.
	LinkBase func() string
}

func (o *Outputs) names() []string {
	names := []string{inline}
	if o.Store != nil {
		names = append(names, asResource)
	}
	if o.Dir != nil {
		names = append(names, asFile)
	}
	return names
}

// arguments are those of the tool that say where the picture goes.
func (o *Outputs) arguments() []string {
	if o.Dir == nil {
		return []string{"output"}
	}
	return []string{"output", "path", "overwrite"}
}

// destination is where one call wants its picture.
type destination struct {
	output    string
	path      string
	overwrite bool
}

// destination reads the arguments. extension is the one that files must have.
func (o *Outputs) destination(a *drawArguments, caller *catalog.Request, extension string) destination {
	d := destination{output: a.text("output"), path: a.text("path"), overwrite: a.yes("overwrite")}
	if d.output == "" {
		d.output = inline
	}
	switch {
	case !slices.Contains(o.names(), d.output):
		hint := "Leave it out to have the picture in the result."
		if d.output == asFile {
			hint = "The server writes files only when it is started with --output-dir."
		}
		a.refuse("INVALID_INPUT", "output", "one of "+strings.Join(o.names(), ", "), fmt.Sprintf("output %q is not one that this server has", catalog.Clip(d.output, 60)), hint)
	case d.output != asFile:
		if d.path != "" {
			a.warn(`path was ignored: it is for output "file"`)
		}
	case !caller.MayReach():
		a.fails = append(a.fails, drawFail{
			Code: "FORBIDDEN", Message: "this caller may not have the server write files", kind: catalog.Forbidden,
			hint: "Send the server's token, or call from this machine and no browser; and with Content-Type: application/json.",
		})
	case d.path == "":
		a.refuse("INVALID_INPUT", "path", "string", "path is required for output \"file\"", "Pass a relative path such as docs/picture"+extension+".")
	case path.Ext(d.path) != extension:
		a.refuse("INVALID_INPUT", "path", "a path that ends with "+extension, fmt.Sprintf("path %q does not end with %s", catalog.Clip(d.path, 100), extension), "Give the file the extension of what is in it.")
	default:
		if err := artifact.CheckPath(d.path); err != nil {
			a.fails = append(a.fails, *badPath(err, d.path))
		}
	}
	return d
}

// resourceLink tells of a picture that is in the store.
type resourceLink struct {
	URI      string `json:"uri"`
	URL      string `json:"url,omitempty"`
	MIMEType string `json:"mime_type"`
	Bytes    int    `json:"bytes"`
}

// writtenFile tells of a picture that is in a file.
type writtenFile struct {
	Path  string `json:"path"`
	Bytes int    `json:"bytes"`
}

// keep puts data into the store.
func (o *Outputs) keep(data []byte, f *format) (*resourceLink, *catalog.Link, *drawFail) {
	a, err := o.Store.Put(data, f.mimeType, f.extension)
	if err != nil {
		return nil, nil, &drawFail{Code: "RENDER_FAILED", Message: "the picture is too large to be kept: " + err.Error(), hint: "Ask for output inline, or split the diagram.", cause: err}
	}
	link := &resourceLink{URI: a.URI(), MIMEType: f.mimeType, Bytes: a.Bytes}
	if o.LinkBase != nil {
		link.URL = o.LinkBase() + a.Path()
	}
	return link, &catalog.Link{URI: a.URI(), Name: a.Name, MIMEType: a.MIMEType, Bytes: a.Bytes}, nil
}

// write writes data into a file.
func (o *Outputs) write(data []byte, d destination) (*writtenFile, *drawFail) {
	err := o.Dir.Write(d.path, data, d.overwrite)
	if err == nil {
		return &writtenFile{Path: d.path, Bytes: len(data)}, nil
	}
	return nil, badPath(err, d.path)
}

// badPath is the failure to write to a path.
func badPath(err error, path string) *drawFail {
	f := &drawFail{
		Code: "INVALID_INPUT", Message: err.Error(), kind: catalog.ValidationError, cause: err,
		hint: "Pass a relative path with slashes, without .., links, or elements that begin with a point.",
	}
	var bad *artifact.PathError
	if errors.As(err, &bad) {
		f.Message = bad.Error() // without what the system said
		switch bad.Reason {
		case artifact.Exists:
			f.hint = "Pass overwrite true to replace it, or another path."
		case artifact.System:
			f.Code, f.kind = "RENDER_FAILED", catalog.ToolError
			f.hint = "Try another path; the server's log has the reason."
		}
	}
	f.Details = map[string]any{"fields": []catalog.Field{{Path: "path", Expected: "a path below the output directory", Got: "string", Value: catalog.Clip(path, 100)}}}
	return f
}

// schemas are the arguments' schemas.
func (o *Outputs) schemas() map[string]*jsonschema.Schema {
	words := map[string]string{
		inline:     "inline (default) puts the picture into the result",
		asResource: "resource keeps it on the server for a while and returns a URI to read it (resources/read), which saves the tokens of a large picture",
		asFile:     "file writes it to path, below the directory that the server was given",
	}
	var parts []string
	for _, name := range o.names() {
		parts = append(parts, words[name])
	}
	return map[string]*jsonschema.Schema{
		"output":    {Type: "string", Enum: anySlice(o.names()), Default: []byte(`"inline"`), Description: strings.Join(parts, "; ")},
		"path":      {Type: "string", Description: "for output file: a relative path with slashes, ending with the format's extension"},
		"overwrite": {Type: "boolean", Description: "for output file: whether a file that is there already is replaced"},
	}
}

var linkSchemas = map[string]*jsonschema.Schema{
	"resource": {
		Type: "object", Required: []string{"uri", "mime_type", "bytes"}, Description: "for output resource: where the picture is",
		PropertyOrder: []string{"uri", "url", "mime_type", "bytes"},
		Properties: map[string]*jsonschema.Schema{
			"uri":       {Type: "string", Description: "for resources/read; the server forgets the oldest pictures when it has many"},
			"url":       {Type: "string", Description: "the same over HTTP; relative to the server where its address is not known"},
			"mime_type": {Type: "string"},
			"bytes":     {Type: "integer"},
		},
	},
	"file": {
		Type: "object", Required: []string{"path", "bytes"}, Description: "for output file: what was written",
		PropertyOrder: []string{"path", "bytes"},
		Properties: map[string]*jsonschema.Schema{
			"path":  {Type: "string", Description: "below the server's output directory"},
			"bytes": {Type: "integer"},
		},
	},
}
