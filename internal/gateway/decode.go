package gateway

import (
	"errors"
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"

	"github.com/webodar/webodar/internal/catalog"
)

// decoder turns nodes of the file into values, and knows where each stands.
type decoder struct {
	env    func(string) (string, bool)
	config *Config
}

// value is a node and the key that leads to it.
type value struct {
	node ast.Node
	key  string
}

type member struct {
	value
	name string
}

func (v value) errorf(format string, args ...any) *Error {
	e := &Error{Key: v.key, Message: fmt.Sprintf(format, args...)}
	if t := v.node.GetToken(); t != nil && t.Position != nil {
		e.Line = t.Position.Line
	}
	return e
}

// syntaxError is about a file that is no YAML, of which JSON is a part.
func syntaxError(err error) *Error {
	e := &Error{Message: err.Error()}
	var syntax *yaml.SyntaxError
	if errors.As(err, &syntax) {
		e.Message = syntax.Message
		if t := syntax.Token; t != nil && t.Position != nil {
			e.Line = t.Position.Line
		}
	}
	return e
}

func kindOf(n ast.Node) string {
	switch n.(type) {
	case *ast.MappingNode, *ast.MappingValueNode:
		return "an object"
	case *ast.SequenceNode:
		return "a list"
	case *ast.BoolNode:
		return "a boolean"
	case *ast.IntegerNode, *ast.FloatNode:
		return "a number"
	case *ast.NullNode:
		return "nothing"
	}
	return "a string"
}

// members returns the members of an object in their order.
func (d *decoder) members(v value) ([]member, *Error) {
	var pairs []*ast.MappingValueNode
	switch n := v.node.(type) {
	case *ast.MappingNode:
		pairs = n.Values
	case *ast.MappingValueNode:
		pairs = []*ast.MappingValueNode{n}
	case *ast.NullNode:
		return nil, nil
	default:
		return nil, v.errorf("want an object, got %s", kindOf(n))
	}
	list := make([]member, 0, len(pairs))
	seen := map[string]bool{}
	for _, p := range pairs {
		name := strings.TrimSuffix(p.Key.String(), ":")
		if s, ok := p.Key.(*ast.StringNode); ok {
			name = s.Value
		}
		key := name
		if v.key != "" {
			key = v.key + "." + name
		}
		m := member{value{node: p.Value, key: key}, name}
		if seen[name] {
			return nil, m.errorf("stands here twice")
		}
		seen[name] = true
		list = append(list, m)
	}
	return list, nil
}

// object decodes the members that fields knows. Those of ignored are reported
// and passed over; any other is a mistake.
func (d *decoder) object(v value, fields map[string]func(value) *Error, ignored []string) *Error {
	list, bad := d.members(v)
	if bad != nil {
		return bad
	}
	for _, m := range list {
		decode := fields[m.name]
		switch {
		case decode == nil && slices.Contains(ignored, m.name):
			d.config.Warnings = append(d.config.Warnings, m.key+" has no effect here")
			continue
		case decode == nil:
			text := "is not known"
			if near := catalog.Suggest(m.name, slices.Sorted(maps.Keys(fields))); len(near) > 0 {
				text += "; did you mean " + strings.Join(near, " or ") + "?"
			}
			return m.errorf("%s", text)
		}
		if _, null := m.node.(*ast.NullNode); null { // a key without a value leaves the default
			continue
		}
		if bad := decode(m.value); bad != nil {
			return bad
		}
	}
	return nil
}

func (d *decoder) nested(fields map[string]func(value) *Error) func(value) *Error {
	return func(v value) *Error { return d.object(v, fields, nil) }
}

func (d *decoder) text(out *string) func(value) *Error {
	return func(v value) (bad *Error) {
		*out, bad = d.string(v)
		return bad
	}
}

// string decodes a string, and a number or boolean as it is written: people
// forget the quotes.
func (d *decoder) string(v value) (string, *Error) {
	switch n := v.node.(type) {
	case *ast.StringNode:
		return d.expand(v, n.Value)
	case *ast.LiteralNode:
		return d.expand(v, n.Value.Value)
	case *ast.IntegerNode, *ast.FloatNode, *ast.BoolNode:
		return n.GetToken().Value, nil
	}
	return "", v.errorf("want a string, got %s", kindOf(v.node))
}

func (d *decoder) texts(out *[]string) func(value) *Error {
	return func(v value) *Error {
		seq, ok := v.node.(*ast.SequenceNode)
		if !ok {
			return v.errorf("want a list of strings, got %s", kindOf(v.node))
		}
		*out = nil
		for i, n := range seq.Values {
			s, bad := d.string(value{n, fmt.Sprintf("%s[%d]", v.key, i)})
			if bad != nil {
				return bad
			}
			*out = append(*out, s)
		}
		return nil
	}
}

func (d *decoder) patterns(out *[]string) func(value) *Error {
	return func(v value) *Error {
		if bad := d.texts(out)(v); bad != nil {
			return bad
		}
		for _, p := range *out {
			if _, err := path.Match(p, ""); err != nil {
				return v.errorf("%q is no pattern: want a tool's name, in which * stands for anything", p)
			}
		}
		return nil
	}
}

func (d *decoder) textMap(out *map[string]string) func(value) *Error {
	return func(v value) *Error {
		list, bad := d.members(v)
		if bad != nil {
			return bad
		}
		*out = make(map[string]string, len(list))
		for _, m := range list {
			if (*out)[m.name], bad = d.string(m.value); bad != nil {
				return bad
			}
		}
		return nil
	}
}

func (d *decoder) duration(out *time.Duration) func(value) *Error {
	return func(v value) *Error {
		s, bad := d.string(v)
		if bad != nil {
			return bad
		}
		t, err := time.ParseDuration(s)
		if err != nil || t <= 0 {
			return v.errorf("want a duration such as 30s or 5m, got %q", s)
		}
		*out = t
		return nil
	}
}

func (d *decoder) durations(out *map[string]time.Duration) func(value) *Error {
	return func(v value) *Error {
		list, bad := d.members(v)
		if bad != nil {
			return bad
		}
		*out = make(map[string]time.Duration, len(list))
		for _, m := range list {
			var t time.Duration
			if bad := d.duration(&t)(m.value); bad != nil {
				return bad
			}
			(*out)[m.name] = t
		}
		return nil
	}
}

func (d *decoder) flag(out *bool) func(value) *Error {
	return func(v value) *Error {
		n, ok := v.node.(*ast.BoolNode)
		if !ok {
			return v.errorf("want true or false, got %s", kindOf(v.node))
		}
		*out = n.Value
		return nil
	}
}

func (d *decoder) count(out *int, least int) func(value) *Error {
	return func(v value) *Error {
		n, err := strconv.Atoi(v.node.GetToken().Value)
		if _, ok := v.node.(*ast.IntegerNode); !ok || err != nil || n < least {
			return v.errorf("want a whole number from %d, got %s", least, v.node)
		}
		*out = n
		return nil
	}
}

func (d *decoder) share(out *float64) func(value) *Error {
	return func(v value) *Error {
		f, err := strconv.ParseFloat(v.node.GetToken().Value, 64)
		if kindOf(v.node) != "a number" || err != nil || f <= 0 || f > 1 {
			return v.errorf("want a number above 0 and up to 1, got %s", v.node)
		}
		*out = f
		return nil
	}
}

var reference = regexp.MustCompile(`\$\{(?:env:)?([A-Za-z_][A-Za-z0-9_]*)(:-[^}]*)?\}`)

// expand puts variables in place of ${NAME} and ${NAME:-default}. What a
// variable holds is a secret until proven otherwise.
func (d *decoder) expand(v value, text string) (string, *Error) {
	var bad *Error
	if strings.Contains(text, "${input:") {
		return "", v.errorf("${input:…} asks a person, whom nobody can ask here: use ${NAME} and set the environment variable")
	}
	out := reference.ReplaceAllStringFunc(text, func(ref string) string {
		m := reference.FindStringSubmatch(ref)
		if s, ok := d.env(m[1]); ok && (s != "" || m[2] == "") {
			if !plainName.MatchString(m[1]) {
				d.config.Secrets = append(d.config.Secrets, s)
			}
			return s
		}
		if m[2] != "" {
			return m[2][len(":-"):]
		}
		if bad == nil {
			bad = v.errorf("the environment variable %s is not set: set it, or write ${%s:-default}", m[1], m[1])
		}
		return ref
	})
	return out, bad
}
