package mermaid

import (
	"context"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"strings"
	"sync"

	"github.com/webodar/webodar/internal/dom"
	"github.com/webodar/webodar/internal/jsengine"
)

//go:embed js/*.js
var scripts embed.FS

// parts are the scripts, in order. They share one function scope.
var parts = []string{"config", "trace", "errors", "model", "remarks", "html", "journey", "entry"}

// programs are compiled once in a process.
var programs = sync.OnceValues(func() ([]*jsengine.Program, error) {
	var sources []jsengine.Source
	for _, s := range dom.Sources() {
		sources = append(sources, jsengine.Source{Name: s.Name, Code: s.Code})
	}
	var b strings.Builder
	b.WriteString("(function () {\n\"use strict\";\n")
	for _, name := range parts {
		code, err := scripts.ReadFile("js/" + name + ".js")
		if err != nil {
			return nil, err
		}
		b.Write(code)
	}
	b.WriteString("})();\n")
	sources = append(sources, jsengine.Source{Name: "webodar-mermaid.js", Code: b.String()})
	var compiled []*jsengine.Program
	for _, s := range sources {
		p, err := jsengine.Compile(s)
		if err != nil {
			return nil, err
		}
		compiled = append(compiled, p)
	}
	return compiled, nil
})

// Realm is a realm with a document and mermaid in it, for one job, or one after each
// Reset.
type Realm struct {
	js     *jsengine.Realm
	warmed int // how many of warmers have run
}

// Prepare returns a realm that no job has used.
func Prepare(bundle *jsengine.Bundle) (*Realm, error) {
	compiled, err := programs()
	if err != nil {
		return nil, fmt.Errorf("mermaid: %w", err)
	}
	host := dom.Host()
	host["__mermaid_refusals"] = hostRefusals
	host["__mermaid_roles"] = func([]any) (any, error) {
		roles := maps.Clone(bundle.Info().Roles)
		roles["entry"] = bundle.Info().Entry
		text, err := json.Marshal(roles)
		return string(text), err
	}
	js, err := jsengine.New(&jsengine.Options{Bundle: bundle, Host: host, Programs: compiled})
	if err != nil {
		return nil, fmt.Errorf("mermaid: %w", err)
	}
	r := &Realm{js: js}
	if err := r.initialize(); err != nil {
		_ = r.Close()
		return nil, err
	}
	return r, nil
}

// initialize gives mermaid the settings of a request that has none of its own.
func (r *Realm) initialize() error {
	settings, err := (&Request{}).settings()
	if err != nil {
		return err
	}
	if _, err := r.js.Call(context.Background(), "webodar.prepare", settings); err != nil {
		return fmt.Errorf("mermaid: %w", err)
	}
	return nil
}

// Engine is the realm below, for profiling.
func (r *Realm) Engine() *jsengine.Realm { return r.js }

// Keep remembers the realm as it is, for Reset.
func (r *Realm) Keep() error { return r.js.Freeze() }

// Reset makes the realm what it was when it was kept, whatever has run since.
func (r *Realm) Reset() error { return r.js.Reset() }

// Close frees the realm.
func (r *Realm) Close() error { return r.js.Close() }

// Run is [Render] for a request and an answer in JSON: an [Outcome]. It fails only
// where Render fails with something that is no [*Problem].
func (r *Realm) Run(ctx context.Context, input json.RawMessage) (json.RawMessage, error) {
	var req Request
	if err := json.Unmarshal(input, &req); err != nil {
		return nil, fmt.Errorf("mermaid: request: %w", err)
	}
	drawing, err := Render(ctx, r, &req)
	out := Outcome{Drawing: drawing}
	if err != nil && !errors.As(err, &out.Problem) {
		return nil, err
	}
	return json.Marshal(out)
}

// Outcome is a drawing or the problem that prevented it.
type Outcome struct {
	Drawing *Drawing `json:"drawing,omitempty"`
	Problem *Problem `json:"problem,omitempty"`
}
