// Package dom is the document that mermaid and PlantUML draw on: as much of
// DOM, SVG geometry, CSS and HTML layout as they use, with the numbers a
// browser would give (Chromium with the Liberation fonts is the measure).
//
// Most of it is JavaScript, for the engines to run against in their own
// realm; what is heavy or needs tables (text metrics, path geometry, the HTML
// parser) is Go, called through [Host]. An engine is prepared like this:
//
//	for name, fn := range dom.Host() { vm.RegisterHostFunc(name, fn) }
//	for _, s := range dom.Sources() { vm.Eval(s.Code, quickjs.EvalGlobal) }
//
// The script side takes the host functions off the global object, so that a
// diagram cannot reach them. There is no network, no storage, no clock and no
// timer here: those a page would have are absent, or the realm's.
package dom

import (
	"embed"
	"fmt"
	"strings"
)

// Source is one script to evaluate in a fresh realm.
type Source struct{ Name, Code string }

//go:embed js/*.js
var scripts embed.FS

// files are the parts of the script, in order: a later one uses the earlier.
var files = []string{
	"core", "node", "collections", "element", "query", "selectors", "style", "css", "cascade",
	"serialize", "parse", "traversal", "transform", "shapes", "text", "geometry", "layout",
	"elements", "document", "window",
}

// Sources gives the scripts in the order they must run. They share one
// function scope, which keeps their names off the global object and their
// variables fast.
func Sources() []Source {
	var b strings.Builder
	b.WriteString("(function () {\n'use strict';\n")
	for _, name := range files {
		code, err := scripts.ReadFile("js/" + name + ".js")
		if err != nil {
			panic(fmt.Sprintf("dom: %v", err)) // the list above and the folder disagree
		}
		b.Write(code)
	}
	b.WriteString("})();\n")
	return []Source{{Name: "dom.js", Code: b.String()}}
}
