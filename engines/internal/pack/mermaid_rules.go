package pack

import "slices"

// MermaidRules are the patches to mermaid's build, by name. "go run ./cmd/assets
// -without NAME" builds without one, to compare.
var MermaidRules = slices.Concat(drawRules, textRules, elkRules, typeRules)

// MermaidForbidden must not be left in any file after the rules.
var MermaidForbidden = []string{"RegExp.$"}

// MermaidSettled are exports that are assigned twice, but only while their module
// runs; importers may copy them.
var MermaidSettled = []string{
	"format", "timeFormat", // set by d3's defaultLocale, which nothing calls again
}

// MermaidRoles are the modules that internal/diagram/mermaid reaches into, by what it
// takes from each.
var MermaidRoles = map[string][]string{
	"core":  {"addDirective", "detectors", "directiveRegex", "getDiagram", "matchFrontMatter", "setDiagramConfigScope", "themes_default", "updateSiteConfig"},
	"utils": {"encodeEntities"},
	"yaml":  {"load", "JSON_SCHEMA"},
}
