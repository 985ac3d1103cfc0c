package wirejson

import "bytes"

// scanner walks over one JSON text. Strings are taken to be UTF-8 already.
type scanner struct {
	data     []byte
	i        int
	depth    int
	maxDepth int
	err      *Error
}

func (s *scanner) peek() byte {
	if s.i < len(s.data) {
		return s.data[s.i]
	}
	return 0
}

func (s *scanner) space() {
	for s.i < len(s.data) {
		switch s.data[s.i] {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return
		}
	}
}

func (s *scanner) fail(reason Reason, message string) bool {
	s.err = newError(s.data, reason, s.i, message)
	return false
}

// unexpected fails because want is not what stands here.
func (s *scanner) unexpected(want string) bool {
	if s.i >= len(s.data) {
		return s.fail(Truncated, "the text ends where "+want+" is expected")
	}
	return s.fail(Syntax, "expected "+want+", found "+describe(s.data, s.i))
}

// value checks one value. Its recursion is bounded by maxDepth.
func (s *scanner) value() bool {
	s.space()
	switch c := s.peek(); {
	case c == '{':
		return s.nest((*scanner).object)
	case c == '[':
		return s.nest((*scanner).array)
	case c == '"':
		return s.string()
	case c == '-' || '0' <= c && c <= '9':
		return s.number()
	case c == 't':
		return s.literal("true")
	case c == 'f':
		return s.literal("false")
	case c == 'n':
		return s.literal("null")
	}
	return s.unexpected("a value")
}

func (s *scanner) nest(container func(*scanner) bool) bool {
	if s.depth == s.maxDepth {
		return s.fail(Depth, "arrays and objects are nested too deep")
	}
	s.depth++
	s.i++
	ok := container(s)
	s.depth--
	return ok
}

func (s *scanner) object() bool {
	if s.space(); s.peek() == '}' {
		s.i++
		return true
	}
	for {
		if s.space(); s.peek() != '"' {
			return s.unexpected("a member name in double quotes")
		}
		if !s.string() {
			return false
		}
		if s.space(); s.peek() != ':' {
			return s.unexpected("':' after a member name")
		}
		s.i++
		if !s.value() {
			return false
		}
		switch s.space(); s.peek() {
		case ',':
			s.i++
		case '}':
			s.i++
			return true
		default:
			return s.unexpected("',' or '}' after a member")
		}
	}
}

func (s *scanner) array() bool {
	if s.space(); s.peek() == ']' {
		s.i++
		return true
	}
	for {
		if !s.value() {
			return false
		}
		switch s.space(); s.peek() {
		case ',':
			s.i++
		case ']':
			s.i++
			return true
		default:
			return s.unexpected("',' or ']' after an element")
		}
	}
}

func (s *scanner) literal(word string) bool {
	rest := s.data[s.i:]
	if bytes.HasPrefix(rest, []byte(word)) {
		s.i += len(word)
		return true
	}
	if bytes.HasPrefix([]byte(word), rest) {
		s.i = len(s.data)
		return s.fail(Truncated, "the text ends within "+word)
	}
	return s.unexpected("a value")
}

// string checks a string from its opening quote on.
func (s *scanner) string() bool {
	open := s.i
	for i := s.i + 1; i < len(s.data); i++ {
		switch c := s.data[i]; {
		case c == '"':
			s.i = i + 1
			return true
		case c < ' ':
			s.i = i
			return s.fail(Syntax, "a control character within a string must be escaped, as in \\n")
		case c == '\\':
			n := escape(s.data[i:])
			if n == 0 {
				s.i = i
				if len(s.data)-i < 6 && !bytes.ContainsRune(s.data[i:], '"') {
					break
				}
				return s.fail(Syntax, "not an escape sequence that JSON has")
			}
			i += n - 1
		}
	}
	s.i = open
	return s.fail(Truncated, "the string that starts here has no closing quote")
}

// escape returns the length of the escape sequence that b starts with, 0 if it
// is none.
func escape(b []byte) int {
	if len(b) < 2 {
		return 0
	}
	switch b[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(b[2:]); ok {
			return 6
		}
	}
	return 0
}

func (s *scanner) digits() bool {
	start := s.i
	for c := s.peek(); '0' <= c && c <= '9'; c = s.peek() {
		s.i++
	}
	return s.i > start || s.unexpected("a digit")
}

func (s *scanner) number() bool {
	if s.peek() == '-' {
		s.i++
	}
	if s.peek() == '0' {
		s.i++
	} else if !s.digits() {
		return false
	}
	if s.peek() == '.' {
		if s.i++; !s.digits() {
			return false
		}
	}
	if c := s.peek(); c == 'e' || c == 'E' {
		s.i++
		if c := s.peek(); c == '+' || c == '-' {
			s.i++
		}
		return s.digits()
	}
	return true
}

// skip passes over one value of a text that is known to be sound.
func (s *scanner) skip() {
	depth := 0
	for s.i < len(s.data) {
		switch c := s.data[s.i]; c {
		case '"':
			s.skipString()
		case '{', '[':
			depth++
			s.i++
		case '}', ']':
			if depth == 0 {
				return
			}
			depth--
			s.i++
		case ',', ' ', '\t', '\r', '\n', ':':
			if depth == 0 {
				return
			}
			s.i++
			continue
		default:
			s.i++
			if depth == 0 && s.atDelimiter() {
				return
			}
			continue
		}
		if depth == 0 {
			return
		}
	}
}

func (s *scanner) atDelimiter() bool {
	switch s.peek() {
	case 0, ',', '}', ']', ' ', '\t', '\r', '\n', ':':
		return true
	}
	return false
}

func (s *scanner) skipString() {
	for s.i++; s.i < len(s.data); s.i++ {
		switch s.data[s.i] {
		case '"':
			s.i++
			return
		case '\\':
			s.i++
		}
	}
}
