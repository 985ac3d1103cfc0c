package svgout

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/webodar/webodar/internal/svgout/markup"
)

const (
	svgNamespace   = "http://www.w3.org/2000/svg"
	xlinkNamespace = "http://www.w3.org/1999/xlink"
)

var attrName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_.-]*$`)

// startTag writes an element's start with the attributes that may stay.
func (s *scrubber) startTag(e element, t markup.Token) {
	root := len(s.stack) == 0
	s.out.WriteString("<" + e.written)
	if root {
		s.write("xmlns", svgNamespace)
		s.write("xmlns:xlink", xlinkNamespace)
		s.write("id", s.root)
	}
	seen := map[string]bool{"id": root}
	for _, a := range t.Attrs {
		name, value, ok := s.attribute(e, a)
		if !ok || seen[name] {
			continue
		}
		seen[name] = true
		s.write(name, value)
	}
	s.out.WriteByte('>')
}

func (s *scrubber) write(name, value string) {
	s.out.WriteString(" " + name + `="`)
	writeEscaped(&s.out, value, inAttribute)
	s.out.WriteByte('"')
}

// attribute gives an attribute as it may be written.
func (s *scrubber) attribute(e element, a markup.Attr) (name, value string, ok bool) {
	name = a.Name
	a.Value = strings.Trim(a.Value, " \t\n\f\r")
	lower := strings.ToLower(name)
	switch {
	case strings.HasPrefix(lower, "on"):
		s.note("attribute " + clipName(lower))
		return "", "", false
	case strings.Contains(name, ":"):
		if !namespaced[lower] {
			return "", "", false
		}
		name = lower
	case !attrName.MatchString(name) || refusedAttrs[lower]:
		return "", "", false
	}
	switch lower {
	case "id":
		return name, s.newID(a.Value), true
	case "style":
		value = s.declarations(a.Value)
		return name, value, value != ""
	case "href", "xlink:href":
		value, ok = s.reference(e, a.Value)
		return name, value, ok
	case "target":
		return name, "_blank", e.name == "a"
	}
	if idLists[lower] {
		ids := strings.Fields(a.Value)
		for i, id := range ids {
			ids[i] = s.newID(id)
		}
		return name, strings.Join(ids, " "), true
	}
	if strings.HasPrefix(lower, "data-") || strings.HasPrefix(lower, "aria-") || plainAttrs[lower] {
		return name, a.Value, true
	}
	if a.Value == "NaN" { // to browsers no attribute, and something to complain of
		return "", "", false
	}
	// Any other may be a presentation attribute, whose value is CSS.
	value, ok = s.value(a.Value)
	if !ok {
		s.note(fmt.Sprintf("attribute %s that refers to something outside", clipName(lower)))
	}
	return name, value, ok
}

// reference gives a link as it may be written: to the picture itself, and from a
// link that people click also to the web.
func (s *scrubber) reference(e element, value string) (string, bool) {
	value = strings.TrimSpace(value)
	if id, ok := strings.CutPrefix(value, "#"); ok {
		return "#" + s.newID(id), true
	}
	lower := strings.ToLower(value)
	if e.name == "a" {
		for _, scheme := range []string{"https://", "http://", "mailto:"} {
			if strings.HasPrefix(lower, scheme) && !strings.ContainsAny(value, "\x00\t\r\n") {
				return value, true
			}
		}
	}
	if value != "" {
		s.note("a link to something other than http, https or mailto")
	}
	return "", false
}

// newID gives an id as it is written: it begins with the root's.
func (s *scrubber) newID(id string) string {
	safe := safeID(id)
	if rest, ok := strings.CutPrefix(safe, s.root); ok && (rest == "" || rest[0] == '-' || rest[0] == '_') {
		return safe
	}
	return s.root + "-" + safe
}

// safeID writes what would need quotes in url() or escapes in a selector as _ and
// its code.
func safeID(id string) string {
	var b strings.Builder
	for _, r := range id {
		switch {
		case r >= 'a' && r <= 'z', r >= 'A' && r <= 'Z', r >= '0' && r <= '9', r == '-', r == '_':
			b.WriteRune(r)
		default:
			fmt.Fprintf(&b, "_%x_", r)
		}
	}
	return b.String()
}
