package plan

import (
	"strings"
	"testing"
)

// monday is 2 March 2026.
var monday = mustDate("2026-03-02")

func mustDate(s string) Date {
	d, err := ParseDate(s)
	if err != nil {
		panic(err)
	}
	return d
}

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"I will send the report to Anna by Friday":            "commitment|Send the report to Anna|Anna|2026-03-06|",
		"i'll call Dr Who tomorrow.":                          "commitment|Call Dr Who||2026-03-03|",
		"Send the invoice for Acme Corp by 2026-04-01":        "commitment|Send the invoice for Acme Corp|Acme Corp|2026-04-01|",
		"remind me to water the plants":                       "commitment|Water the plants|||",
		"I commit to finish the essay in two weeks":           "commitment|Finish the essay||2026-03-16|",
		"vision: a healthy life":                              "vision|A healthy life|||",
		"My vision is to live by the sea":                     "vision|Live by the sea|||",
		"Create a goal: run a marathon":                       "goal|Run a marathon|||",
		"add a new goal called Read more under A calm life":   "goal|Read more|||A calm life",
		"milestone: run 10 km by 1 June for the goal Running": "milestone|Run 10 km||2026-06-01|Running",
		"milestone: draft under Write a book by 5 May":        "milestone|Draft||2026-05-05|Write a book",
		"new commitment: tidy up next friday":                 "commitment|Tidy up||2026-03-13|",
		"buy milk today":                                      "commitment|Buy milk||2026-03-02|",
		"more time outdoors":                                  "",
		"tomorrow":                                            "",
		"":                                                    "",
		"hello":                                               "",
	} {
		d, ok := Parse(text, monday)
		got := ""
		if ok {
			got = strings.Join([]string{string(d.Kind), d.Title, d.Stakeholder, d.Due.String(), d.Under}, "|")
		}
		if got != want {
			t.Errorf("%q: got %q, not %q", text, got, want)
		}
	}
}

func TestFindDate(t *testing.T) {
	for text, want := range map[string]string{
		"today": "2026-03-02", "tomorrow": "2026-03-03", "the day after tomorrow": "2026-03-04", "in 3 days": "2026-03-05", "in a week": "2026-03-09",
		"monday": "2026-03-09", "on Sunday": "2026-03-08", "this friday": "2026-03-06", "next friday": "2026-03-13", "next monday": "2026-03-09",
		"next week": "2026-03-09", "end of week": "2026-03-06", "by the end of the month": "2026-03-31",
		"5 March": "2026-03-05", "march 1st": "2027-03-01", "by June 3, 2027": "2027-06-03", "31st of January": "2027-01-31", "31 April": "", "2026-02-30": "",
		"sometime": "", "fridays": "",
	} {
		got, _, _ := FindDate(text, monday)
		if got.String() != want {
			t.Errorf("%s: got %s, not %s", text, got, want)
		}
	}
}

func TestAmend(t *testing.T) {
	draft := Draft{Kind: Commitment, Title: "Call"}
	for text, want := range map[string]Draft{
		"by friday":             {Kind: Commitment, Title: "Call", Due: mustDate("2026-03-06")},
		"for Anna":              {Kind: Commitment, Title: "Call", Stakeholder: "Anna"},
		"under Run a marathon":  {Kind: Commitment, Title: "Call", Under: "Run a marathon"},
		"title: write a letter": {Kind: Commitment, Title: "Write a letter"},
	} {
		if got, ok := draft.Amend(text, monday); !ok || got != want {
			t.Errorf("%s: got %+v", text, got)
		}
	}
	for _, text := range []string{"", "I will run tomorrow", "for example", "title:"} {
		if got, ok := draft.Amend(text, monday); ok {
			t.Errorf("%q: got %+v", text, got)
		}
	}
}

func TestMeasure(t *testing.T) {
	commitment := func(due, completed string, status Status) Item {
		return Item{Kind: Commitment, Due: mustDate(due), Completed: mustDate(completed), Status: status}
	}
	onTime, late := commitment("2026-02-01", "2026-02-01", Completed), commitment("2026-02-01", "2026-02-02", Completed)
	overdue, open := commitment("2026-03-01", "", Pending), commitment("2026-03-04", "", Pending)
	for _, test := range []struct {
		items  []Item
		grade  string
		score  int
		atRisk int
	}{
		{nil, "–", 0, 0},
		{[]Item{open}, "–", 0, 1},
		{[]Item{commitment("2026-03-05", "", Pending), commitment("", "", Pending)}, "–", 0, 0},
		{[]Item{onTime}, "A", 100, 0},
		{[]Item{onTime, onTime, onTime, onTime, late}, "A", 90, 0},
		{[]Item{onTime, onTime, onTime, late, late}, "B", 80, 0},
		{[]Item{onTime, onTime, late, late, late}, "C", 70, 0},
		{[]Item{onTime, late, late, late, late}, "D", 60, 0},
		{[]Item{late, late, late, late, late}, "F", 50, 0},
		{[]Item{onTime, overdue}, "F", 50, 1},
		{[]Item{onTime, commitment("", "", Abandoned)}, "F", 50, 0},
		{[]Item{commitment("", "2026-02-02", Completed)}, "A", 100, 0},
	} {
		m := Measure(test.items, monday, 2)
		if m.Grade() != test.grade || m.Score != test.score || len(m.AtRisk) != test.atRisk {
			t.Errorf("%+v: grade %s, score %d, %d at risk", test.items, m.Grade(), m.Score, len(m.AtRisk))
		}
	}
	if m := Measure([]Item{open, overdue}, monday, 2); m.AtRisk[0] != overdue {
		t.Error("the nearest date is not the first")
	}
}

func FuzzParse(f *testing.F) {
	for _, seed := range []string{"I will call Anna by friday", "goal: x under y", "milestone: a by 31 feb", "by", "in 999 weeks", "title: x", "1 may 99999", "\xff friday"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if d, ok := Parse(text, monday); ok && (d.Title == "" || d.Kind == "") {
			t.Errorf("%q: %+v", text, d)
		}
		Draft{Kind: Commitment, Title: "x"}.Amend(text, monday)
		if d, _, ok := FindDate(text, monday); ok {
			if back, err := ParseDate(d.String()); err != nil || back != d {
				t.Errorf("%q: %s, %v", text, d, err)
			}
		}
	})
}
