package uat

var (
	matchKeys   = []string{"equals", "contains", "lacks", "matches", "at_least", "at_most"}
	widgetKeys  = append([]string{"id", "type", "absent"}, matchKeys...)
	bindingKeys = append([]string{"key", "absent"}, matchKeys...)
	extraKeys   = append([]string{"name", "absent"}, matchKeys...)
	probeKeys   = append([]string{"sql", "name"}, matchKeys...)
)

func (n node) criterion() *Criterion {
	c := &Criterion{Line: n.position().Line}
	before := len(n.reader.problems)
	for _, e := range n.entries("a criterion") {
		switch e.name {
		case "screen":
			c.Screen = e.value.text("screen")
		case "visited":
			c.Visited = e.value.texts("visited")
		case "path":
			c.Path = e.value.texts("path")
		case "title":
			c.Title = e.value.match("title")
		case "focused":
			c.Focused = e.value.text("focused")
		case "text":
			c.Text = e.value.match("text")
		case "widget":
			c.Widget = e.value.widget()
		case "binding":
			c.Binding = e.value.binding()
		case "extra":
			c.Extra = e.value.extra()
		case "no_errors":
			c.NoErrors = e.value.isTrue("no_errors")
		case "exited":
			c.Exited = e.value.isTrue("exited")
		case "probe":
			c.Probe = e.value.probe()
		case "seen":
			c.Seen = e.value.criterion()
		default:
			e.key.problem("unknown criterion %q%s", e.name, suggest(e.name, kinds))
		}
	}
	if err := c.Validate(); err != nil && len(n.reader.problems) == before {
		n.problem("%s", err)
	}
	return c
}

// match reads a mapping of matchers, or a text that must be contained.
func (n node) match(what string) *Match {
	m := &Match{}
	if text, ok := n.scalar(); ok {
		m.Contains = Texts{text}
		return m
	}
	for _, e := range n.entries(what) {
		if !m.read(e) {
			e.key.problem("unknown key %q in %s%s", e.name, what, suggest(e.name, matchKeys))
		}
	}
	return m
}

func (m *Match) read(e entry) bool {
	switch e.name {
	case "equals":
		text, ok := e.value.scalar()
		if !ok {
			e.value.problem("equals is a text, a number, true, false or null, not %s", e.value.describe())
		}
		m.Equals = (*Scalar)(&text)
	case "contains":
		m.Contains = e.value.texts("contains")
	case "lacks":
		m.Lacks = e.value.texts("lacks")
	case "matches":
		m.Matches = e.value.text("matches")
	case "at_least":
		v := e.value.number("at_least")
		m.AtLeast = &v
	case "at_most":
		v := e.value.number("at_most")
		m.AtMost = &v
	default:
		return false
	}
	return true
}

func (n node) widget() *WidgetCriterion {
	w := &WidgetCriterion{}
	n.fields("widget", widgetKeys, map[string]*string{"id": &w.ID, "type": &w.Type}, &w.Absent, &w.Match)
	return w
}

func (n node) binding() *BindingCriterion {
	b := &BindingCriterion{}
	n.fields("binding", bindingKeys, map[string]*string{"key": &b.Key}, &b.Absent, &b.Match)
	return b
}

func (n node) extra() *ExtraCriterion {
	x := &ExtraCriterion{}
	n.fields("extra", extraKeys, map[string]*string{"name": &x.Name}, &x.Absent, &x.Match)
	return x
}

func (n node) probe() *Probe {
	p := &Probe{}
	n.fields("probe", probeKeys, map[string]*string{"sql": &p.SQL, "name": &p.Name}, nil, &p.Match)
	return p
}

// fields reads a mapping of texts, matchers and, where there is a place for it,
// absent.
func (n node) fields(kind string, known []string, texts map[string]*string, absent *bool, m *Match) {
	for _, e := range n.entries(kind) {
		text, isText := texts[e.name]
		switch {
		case isText:
			*text = e.value.text(e.name)
		case e.name == "absent" && absent != nil:
			*absent = e.value.isTrue("absent")
		case !m.read(e):
			e.key.problem("unknown key %q in %s%s", e.name, kind, suggest(e.name, known))
		}
	}
}
