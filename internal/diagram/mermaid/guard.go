package mermaid

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"
)

// refused are configuration keys that neither a caller nor a diagram may set, at any
// depth, with the reason. They would let a picture carry HTML, scripts or styles of
// its own, or make two runs differ.
var refused = map[string]string{
	"secure":                 "it guards the other settings",
	"securityLevel":          "pictures are always drawn with the strict level",
	"startOnLoad":            "there is no page to load",
	"htmlLabels":             "labels are always SVG text",
	"dompurifyConfig":        "sanitising is not up to the diagram",
	"themeCSS":               "style sheets of one's own are not admitted; use themeVariables or classDef",
	"deterministicIds":       "ids are always deterministic",
	"deterministicIDSeed":    "ids are always deterministic",
	"suppressErrorRendering": "errors are always reported, never drawn",
	"logLevel":               "there is no console to log to",
	"arrowMarkerAbsolute":    "references never leave the picture",
	"__proto__":              "it is no setting",
	"constructor":            "it is no setting",
	"prototype":              "it is no setting",
}

// maxEdges is the highest limit on a flowchart's edges that may be asked for.
const maxEdges = 100_000

// maxConfigDepth is how deep a configuration may nest.
const maxConfigDepth = 20

// refusal is one member of a configuration that may not be set so.
type refusal struct {
	Path   []string `json:"path"`
	Reason string   `json:"reason"`
	// Mild refusals of what a caller sets are warnings: people copy such
	// settings along, and the picture does not suffer without.
	mild bool
}

// name is the member as people write it.
func (r refusal) name() string { return strings.Join(r.Path, ".") }

// refusals are what of a configuration may not be set, in order.
func refusals(config map[string]any) []refusal {
	g := &guard{}
	g.object(config, nil, false)
	return g.found
}

type guard struct{ found []refusal }

func (g *guard) refuse(path []string, reason string, mild bool) {
	g.found = append(g.found, refusal{Path: slices.Clone(path), Reason: reason, mild: mild})
}

func (g *guard) object(config map[string]any, path []string, theme bool) {
	for _, key := range slices.Sorted(maps.Keys(config)) {
		g.member(key, config[key], append(slices.Clone(path), key), theme)
	}
}

func (g *guard) member(key string, value any, path []string, theme bool) {
	reason, isRefused := refused[key]
	switch {
	case isRefused:
		g.refuse(path, reason, false)
		return
	case len(path) > maxConfigDepth:
		g.refuse(path, "it is nested too deep", false)
		return
	case key == "maxTextSize":
		g.refuse(path, fmt.Sprintf("the limit is %d bytes here", MaxCode), true)
		return
	case key == "maxEdges":
		if n, ok := value.(float64); !ok || n != math.Trunc(n) || n < 0 || n > maxEdges {
			g.refuse(path, fmt.Sprintf("it must be a whole number up to %d", maxEdges), false)
		}
		return
	}
	theme = theme || key == "themeVariables"
	switch v := value.(type) {
	case map[string]any:
		g.object(v, path, theme)
	case []any:
		for i, e := range v {
			g.member(fmt.Sprint(i), e, append(slices.Clone(path), fmt.Sprint(i)), theme)
		}
	case string:
		switch {
		case strings.HasSuffix(strings.ToLower(key), "fontfamily") && !isFamilies(v):
			g.refuse(path, "it must be a plain list of font family names", false)
		case theme && !isThemeValue(v):
			g.refuse(path, "a theme variable must be a colour, a number, a length or a list of font families", false)
		}
	}
}

// hostRefusals is [refusals] for the script side: JSON in, JSON out.
func hostRefusals(args []any) (any, error) {
	text, _ := args[0].(string)
	var config map[string]any
	if err := json.Unmarshal([]byte(text), &config); err != nil {
		return "[]", nil // a directive that is no object sets nothing
	}
	found := refusals(config)
	if found == nil {
		return "[]", nil
	}
	out, err := json.Marshal(found)
	return string(out), err
}
