package encoder

import (
	"fmt"
	"strings"
)

// findCode returns where in s the code is: all of s, or the last element of its
// path if s is a URL, on whatever server and below whatever context path.
//
// It reads paths like PlantUML server, which takes anything as format
// (UrlDataExtractor): /FORMAT/CODE and /FORMAT/PAGE/CODE.
func findCode(s string) (at, length int, err *Error) {
	path, isURL := cutPath(s)
	if !isURL {
		return 0, len(s), nil
	}
	end := len(strings.TrimRight(path, "/"))
	at = strings.LastIndexByte(path[:end], '/') + 1
	last := path[at:end]
	if host := hostEnd(path); at <= host {
		end, last = host, "" // there is no path, so what comes last is the host
	}
	if last != "" && !isService(last) && !isPage(last) {
		return at, len(last), nil
	}

	hint := "the code is the last element of the path, as in " + DefaultBaseURL + "/" + DefaultFormat + "/CODE"
	if last == "proxy" {
		hint = "the diagram is at the address in the query; fetch it from there"
	}
	return 0, 0, &Error{
		Reason:  ReasonNoCode,
		Message: fmt.Sprintf("the URL has no code: its path ends at offset %d with %q", end, last),
		Offset:  end,
		Hint:    hint,
	}
}

// cutPath returns s without query, fragment and session id, and whether it is a
// URL at all. A code may be Base64 by mistake and so have slashes; what tells a
// URL from it without a scheme is the host or an element that names a format.
func cutPath(s string) (path string, isURL bool) {
	path = s
	if i := strings.IndexAny(path, "?#;"); i >= 0 {
		path = path[:i]
	}
	if hostEnd(s) > 0 {
		return path, true
	}
	first, _, found := strings.Cut(path, "/")
	if !found {
		return path, false
	}
	if strings.ContainsAny(first, ".:") {
		return path, true
	}
	for element := range strings.SplitSeq(path, "/") {
		if isService(element) {
			return path, true
		}
	}
	return path, false
}

// hostEnd returns the offset of the end of the host in a URL with a scheme, 0 in
// one without.
func hostEnd(s string) int {
	scheme, rest, found := strings.Cut(s, "://")
	if !found || scheme == "" || strings.ContainsFunc(scheme, func(r rune) bool {
		return !('a' <= r|0x20 && r|0x20 <= 'z' || '0' <= r && r <= '9' || r == '+' || r == '-' || r == '.')
	}) {
		return 0
	}
	host := strings.IndexAny(rest, "/?#")
	if host < 0 {
		host = len(rest)
	}
	return len(scheme) + len("://") + host
}

// isService reports whether a path element names something on a PlantUML server,
// and so is no code.
func isService(element string) bool {
	switch element {
	case "plantuml", "check", "metadata", "proxy", "coder", "language":
		return true
	}
	return isFormat(element)
}

// isPage reports whether a path element is the number of a page. No code is
// that short, and a page of four digits would be taken for one.
func isPage(element string) bool {
	return len(element) < 4 && strings.Trim(element, "0123456789") == ""
}
