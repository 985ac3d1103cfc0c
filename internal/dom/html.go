package dom

import (
	"strings"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// This file parses HTML by the standard's algorithm (golang.org/x/net/html):
// what a sanitiser sees must be what a browser would build from the same
// text, so no shortcut of our own stands here.

// A parsed node crosses into script as JSON:
//
//	"text"                                     a text node
//	["name", ns, [attr, value, …], child, …]   an element; ns 0 HTML, 1 SVG, 2 MathML
//	[0, "data"]                                a comment
//	[1, "name"]                                a document type
//
// A namespaced attribute's name is written with its prefix ("xlink:href").

var namespaces = map[string]int{"": 0, "svg": 1, "math": 2}

// parseDocument gives the document's top-level nodes.
func parseDocument(text string) (any, error) {
	doc, err := html.ParseWithOptions(strings.NewReader(text), html.ParseOptionEnableScripting(false))
	if err != nil {
		return nil, err
	}
	return children(doc, []any{}), nil
}

// parseFragment parses as innerHTML of an element does.
func parseFragment(text, context, ns string) (any, error) {
	ctx := &html.Node{Type: html.ElementNode, Data: context, DataAtom: atom.Lookup([]byte(context)), Namespace: ns}
	nodes, err := html.ParseFragment(strings.NewReader(text), ctx)
	if err != nil {
		return nil, err
	}
	out := []any{}
	for _, n := range nodes {
		if v := encode(n); v != nil {
			out = append(out, v)
		}
	}
	return out, nil
}

func children(n *html.Node, out []any) []any {
	for c := n.FirstChild; c != nil; c = c.NextSibling {
		if v := encode(c); v != nil {
			out = append(out, v)
		}
	}
	return out
}

func encode(n *html.Node) any {
	switch n.Type {
	case html.TextNode:
		return n.Data
	case html.CommentNode:
		return []any{0, n.Data}
	case html.DoctypeNode:
		return []any{1, n.Data}
	case html.ElementNode:
		attrs := make([]any, 0, 2*len(n.Attr))
		for _, a := range n.Attr {
			name := a.Key
			if a.Namespace != "" && a.Namespace != a.Key {
				name = a.Namespace + ":" + a.Key
			}
			attrs = append(attrs, name, a.Val)
		}
		name := n.Data
		if n.Namespace == "svg" && name == "fedropshadow" {
			name = "feDropShadow" // newer than the parser's table of mixed-case names
		}
		return children(n, []any{name, namespaces[n.Namespace], attrs})
	}
	return nil
}
