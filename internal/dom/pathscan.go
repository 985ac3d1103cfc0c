package dom

import "strconv"

// scanner reads the numbers of path data and point lists.
type scanner struct {
	text string
	pos  int
}

func (s *scanner) done() bool { return s.pos >= len(s.text) }
func (s *scanner) peek() byte { return s.text[s.pos] }

func (s *scanner) space() {
	for !s.done() && (isSpace(s.peek()) || s.peek() == ',') {
		s.pos++
	}
}

func isSpace(c byte) bool { return c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' }

func isCommand(c byte) bool {
	switch c | 0x20 {
	case 'm', 'l', 'h', 'v', 'c', 's', 'q', 't', 'a', 'z':
		return true
	}
	return false
}

// args reads one set of a command's parameters.
func (s *scanner) args(cmd byte) (n [7]float64, ok bool) {
	count := map[byte]int{'m': 2, 'l': 2, 'h': 1, 'v': 1, 'c': 6, 's': 4, 'q': 4, 't': 2, 'a': 7}[cmd|0x20]
	for i := range count {
		s.space()
		if cmd|0x20 == 'a' && (i == 3 || i == 4) { // flags may stand together: "a1 1 0 01.5.5"
			if s.done() || s.peek() != '0' && s.peek() != '1' {
				return n, false
			}
			n[i] = float64(s.peek() - '0')
			s.pos++
			continue
		}
		if n[i], ok = s.number(); !ok {
			return n, false
		}
	}
	return n, true
}

func (s *scanner) number() (float64, bool) {
	start := s.pos
	digits := func() bool {
		from := s.pos
		for !s.done() && s.peek() >= '0' && s.peek() <= '9' {
			s.pos++
		}
		return s.pos > from
	}
	if !s.done() && (s.peek() == '+' || s.peek() == '-') {
		s.pos++
	}
	ok := digits()
	if !s.done() && s.peek() == '.' {
		s.pos++
		ok = digits() || ok
	}
	if !ok {
		s.pos = start
		return 0, false
	}
	if mark := s.pos; !s.done() && s.peek()|0x20 == 'e' {
		s.pos++
		if !s.done() && (s.peek() == '+' || s.peek() == '-') {
			s.pos++
		}
		if !digits() {
			s.pos = mark
		}
	}
	v, err := strconv.ParseFloat(s.text[start:s.pos], 64)
	return v, err == nil
}
