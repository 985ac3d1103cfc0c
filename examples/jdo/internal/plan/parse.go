package plan

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Draft is an item that was understood and not saved yet.
type Draft struct {
	Kind        Kind
	Title       string
	Stakeholder string
	Due         Date
	Under       string // what it belongs to, as far as the text says: the title of the item above
}

var (
	// "goal: run a marathon", "new vision to be healthy", "my goal is to …"
	kindFirst = regexp.MustCompile(`(?i)^(?:please )?(?:(?:i want to |let's |let me )?(?:create|add|make|set|define) )?(?:an? |my |the |new )*(vision|goal|milestone|commitment)\s*(?:called |named |:|-|–|is to |is that |is |to |of )\s*(.+)$`)

	// "I will call Anna", "I commit to …", "remind me to …"
	promise = regexp.MustCompile(`(?i)^(?:ok(?:ay)?,? |please )?(?:i will|i'll|i’ll|i shall|i am going to|i'm going to|i’m going to|i commit to|i promise to|i need to|i have to|i must|i want to|we will|we'll|remind me to|todo:?)\s+(.+)$`)

	// "under Run a marathon", "for the goal Run a marathon"
	under = regexp.MustCompile(`(?i)[,;]?\s+(?:under|(?:for|of|in) (?:the |my )?(?:vision|goal|milestone)|towards?)\s*:?\s+(.+)$`)

	// "to Anna", "for Dr Who": a name is written large
	person = regexp.MustCompile(`\b(?:to|for|with)\s+((?:\p{Lu}[\p{L}'’.-]*)(?:\s+\p{Lu}[\p{L}'’.-]*)*)`)
)

// Parse reads what someone says as the draft of an item. It reports false where the
// text has neither a kind, nor a promise, nor a date.
func Parse(text string, today Date) (Draft, bool) {
	text = tidy(text)
	var d Draft
	switch {
	case kindFirst.MatchString(text):
		m := kindFirst.FindStringSubmatch(text)
		d.Kind, d.Title = Kind(strings.ToLower(m[1])), m[2]
	case promise.MatchString(text):
		d.Kind, d.Title = Commitment, promise.FindStringSubmatch(text)[1]
	default:
		if _, _, dated := FindDate(text, today); !dated {
			return Draft{}, false
		}
		d.Kind, d.Title = Commitment, text
	}
	d = d.refine(today)
	return d, d.Title != ""
}

// As reads a text as an item of a kind, whatever it says.
func As(kind Kind, text string, today Date) Draft {
	d, ok := Parse(text, today)
	if !ok {
		d = Draft{Title: tidy(text)}.refine(today)
	}
	d.Kind = kind
	return d
}

// refine takes the date, the item above and the person out of the title.
func (d Draft) refine(today Date) Draft {
	if m := under.FindStringSubmatchIndex(d.Title); m != nil {
		d.Under, d.Title = strings.Trim(d.Title[m[2]:m[3]], ` "'.`), d.Title[:m[0]]
		if due, rest, ok := FindDate(d.Under, today); ok {
			d.Due, d.Under = due, rest
		}
	}
	if due, rest, ok := FindDate(d.Title, today); ok {
		d.Due, d.Title = due, rest
	}
	if d.Kind == Commitment || d.Kind == "" {
		if m := person.FindStringSubmatch(d.Title); m != nil {
			d.Stakeholder = m[1]
		}
	}
	d.Title = upperFirst(strings.Trim(tidy(d.Title), ` .,;!"`))
	return d
}

// Amend changes a draft by what is said after it: "by friday", "for Anna", "under Run
// a marathon", "title: …". It reports whether that said anything.
func (d Draft) Amend(text string, today Date) (Draft, bool) {
	text = tidy(text)
	lower := strings.ToLower(text)
	if title, ok := strings.CutPrefix(lower, "title:"); ok && strings.TrimSpace(title) != "" {
		d.Title = upperFirst(strings.TrimSpace(text[len("title:"):]))
		return d, true
	}
	if m := under.FindStringSubmatch(" " + text); m != nil && strings.HasPrefix(" "+text, m[0]) {
		d.Under = strings.Trim(m[1], ` "'.`)
		return d, true
	}
	for _, start := range []string{"for ", "to "} {
		if m := person.FindStringSubmatch(text); m != nil && strings.HasPrefix(lower, start) && len(m[0]) == len(text) {
			d.Stakeholder = m[1]
			return d, true
		}
	}
	if due, rest, ok := FindDate(text, today); ok && (rest == "" || strings.EqualFold(rest, "due") || strings.EqualFold(rest, "make it")) {
		d.Due = due
		return d, true
	}
	return d, false
}

func tidy(s string) string { return strings.Join(strings.Fields(s), " ") }

func upperFirst(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}
