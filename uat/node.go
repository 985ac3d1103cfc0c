package uat

import (
	"fmt"
	"strings"

	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/token"
)

// node is a YAML node on the way into a scenario. What is wrong is noted with its
// place, and reading goes on, so that a file's faults show at once.
type node struct {
	ast.Node
	reader *reader
}

type reader struct {
	file     string
	problems []Problem
}

func (n node) problem(format string, args ...any) {
	at := n.position()
	n.reader.problems = append(n.reader.problems, Problem{n.reader.file, at.Line, at.Column, fmt.Sprintf(format, args...)})
}

// position is where a node begins; the token of a mapping is its first colon.
func (n node) position() *token.Position {
	switch m := n.Node.(type) {
	case *ast.MappingValueNode:
		return m.Key.GetToken().Position
	case *ast.MappingNode:
		if len(m.Values) > 0 && !m.IsFlowStyle {
			return m.Values[0].Key.GetToken().Position
		}
	}
	return n.GetToken().Position
}

// entry is a key of a mapping and its value.
type entry struct {
	key   node
	name  string
	value node
}

// entries returns a mapping's, or notes that it is none.
func (n node) entries(what string) []entry {
	var values []*ast.MappingValueNode
	switch m := n.Node.(type) {
	case *ast.MappingNode:
		values = m.Values
	case *ast.MappingValueNode:
		values = []*ast.MappingValueNode{m}
	default:
		n.problem("%s is a mapping of keys to values, not %s", what, n.describe())
		return nil
	}
	list := make([]entry, 0, len(values))
	for _, v := range values {
		key := node{v.Key, n.reader}
		if v.Key.IsMergeKey() {
			key.problem("merge keys are not read in scenarios; write the keys out")
			continue
		}
		name, ok := key.scalar()
		if !ok {
			key.problem("a key is a plain word")
			continue
		}
		list = append(list, entry{key, name, node{v.Value, n.reader}})
	}
	return list
}

// items returns a sequence's nodes, or notes that it is none.
func (n node) items(what string) []node {
	seq, ok := n.Node.(*ast.SequenceNode)
	if !ok {
		n.problem("%s is a list, not %s", what, n.describe())
		return nil
	}
	list := make([]node, len(seq.Values))
	for i, v := range seq.Values {
		list[i] = node{v, n.reader}
	}
	return list
}

// scalar returns a scalar's text as it was written.
func (n node) scalar() (string, bool) {
	switch s := n.Node.(type) {
	case *ast.StringNode:
		return s.Value, true
	case *ast.LiteralNode:
		return s.Value.Value, true
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, true
	case *ast.NullNode:
		return "null", true
	}
	return "", false
}

// text returns a text, or notes that there is none. A number or a boolean is taken
// as it was written: a key to press may be 1, and y is a name.
func (n node) text(what string) string {
	if _, isNull := n.Node.(*ast.NullNode); isNull {
		n.problem("%s is empty", what)
		return ""
	}
	s, ok := n.scalar()
	if !ok {
		n.problem("%s is a text, not %s", what, n.describe())
	} else if strings.TrimSpace(s) == "" {
		n.problem("%s is empty", what)
	}
	return s
}

// texts returns a list of texts; one alone is a list of one.
func (n node) texts(what string) []string {
	if _, isList := n.Node.(*ast.SequenceNode); !isList {
		return []string{n.text(what)}
	}
	list := []string{}
	for _, item := range n.items(what) {
		list = append(list, item.text(what))
	}
	return list
}

// isTrue reads a key that can only be true; leaving it out is how to say no.
func (n node) isTrue(what string) bool {
	if b, ok := n.Node.(*ast.BoolNode); ok && b.Value {
		return true
	}
	n.problem("%s can only be true; leave it out otherwise", what)
	return true // so that nothing follows from its being absent
}

// number returns a finite number.
func (n node) number(what string) float64 {
	switch v := n.Node.(type) {
	case *ast.IntegerNode:
		switch i := v.Value.(type) {
		case int64:
			return float64(i)
		case uint64:
			return float64(i)
		}
	case *ast.FloatNode:
		return v.Value
	}
	n.problem("%s is a number, not %s", what, n.describe())
	return 0
}

// whole returns a whole number from 1 to limit.
func (n node) whole(what string, limit int) int {
	v := n.number(what)
	if v != float64(int(v)) || v < 1 || v > float64(limit) {
		if _, isInteger := n.Node.(*ast.IntegerNode); isInteger || v != 0 {
			n.problem("%s is a whole number from 1 to %d", what, limit)
		}
		return 1
	}
	return int(v)
}

func (n node) describe() string {
	switch n.Node.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "a mapping"
	case *ast.SequenceNode:
		return "a list"
	case *ast.NullNode:
		return "nothing"
	case *ast.AliasNode, *ast.AnchorNode:
		return "an anchor or alias, which scenarios do not have; write the value out"
	case *ast.TagNode:
		return "a tag, which scenarios do not have"
	}
	s, _ := n.scalar()
	return fmt.Sprintf("%q", cut(s, 40))
}
