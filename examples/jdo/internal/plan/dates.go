package plan

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

const (
	weekdayNames = `monday|tuesday|wednesday|thursday|friday|saturday|sunday`
	monthNames   = `january|february|march|april|may|june|july|august|september|october|november|december|jan|feb|mar|apr|jun|jul|aug|sept|sep|oct|nov|dec`
)

// datePhrases are what a date can look like, and what it means on a day.
var datePhrases = []struct {
	pattern string
	date    func(m []string, today Date) (Date, bool)
}{
	{`(\d{4}-\d{2}-\d{2})`, func(m []string, _ Date) (Date, bool) { d, err := ParseDate(m[1]); return d, err == nil }},
	{`(?:the )?day after tomorrow`, func(_ []string, t Date) (Date, bool) { return t.Add(2), true }},
	{`today|tonight`, func(_ []string, t Date) (Date, bool) { return t, true }},
	{`tomorrow`, func(_ []string, t Date) (Date, bool) { return t.Add(1), true }},
	{`in (\d{1,3}|an?|one|two|three|four|five|six) (days?|weeks?)`, inDays},
	{`(?:the )?end of (?:the |this )?week`, func(_ []string, t Date) (Date, bool) { return onWeekday(t.Add(-1), time.Friday), true }},
	{`(?:the )?end of (?:the |this )?month`, func(_ []string, t Date) (Date, bool) {
		y, m, _ := t.day.Date()
		return Date{time.Date(y, m+1, 0, 0, 0, 0, 0, time.UTC)}, true
	}},
	{`next week`, func(_ []string, t Date) (Date, bool) { return onWeekday(t, time.Monday), true }},
	{`(next |this )?(` + weekdayNames + `)`, weekday},
	{`(\d{1,2})(?:st|nd|rd|th|\.)? (?:of )?(` + monthNames + `)(?: (\d{4}))?`, func(m []string, t Date) (Date, bool) { return dayOfMonth(m[1], m[2], m[3], t) }},
	{`(` + monthNames + `) (\d{1,2})(?:st|nd|rd|th)?(?:,? (\d{4}))?`, func(m []string, t Date) (Date, bool) { return dayOfMonth(m[2], m[1], m[3], t) }},
}

type dateRule struct {
	*regexp.Regexp
	date func(m []string, today Date) (Date, bool)
}

var dateRules = func() []dateRule {
	rules := make([]dateRule, len(datePhrases))
	for i, p := range datePhrases {
		rules[i] = dateRule{regexp.MustCompile(`(?i)(?:^|\s)(?:(?:due )?(?:by|on|before|until|till|due) )?(?:` + p.pattern + `)(?:$|[\s.,;!?])`), p.date}
	}
	return rules
}()

// FindDate finds the date that a text speaks of, and returns the text without it. A
// weekday is the next one after today.
func FindDate(text string, today Date) (Date, string, bool) {
	for _, rule := range dateRules {
		at := rule.FindStringSubmatchIndex(text)
		if at == nil {
			continue
		}
		m := make([]string, len(at)/2)
		for i := range m {
			if at[2*i] >= 0 {
				m[i] = strings.ToLower(text[at[2*i]:at[2*i+1]])
			}
		}
		if date, ok := rule.date(m, today); ok {
			return date, tidy(text[:at[0]] + " " + text[at[1]:]), true
		}
	}
	return Date{}, text, false
}

func inDays(m []string, today Date) (Date, bool) {
	n, err := strconv.Atoi(m[1])
	if err != nil {
		n = map[string]int{"a": 1, "an": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}[m[1]]
	}
	if strings.HasPrefix(m[2], "week") {
		n *= 7
	}
	return today.Add(n), true
}

func weekday(m []string, today Date) (Date, bool) {
	var day time.Weekday
	for ; day < time.Saturday && !strings.EqualFold(day.String(), m[2]); day++ {
	}
	if strings.TrimSpace(m[1]) == "next" {
		return onWeekday(onWeekday(today, time.Monday).Add(-1), day), true
	}
	return onWeekday(today, day), true
}

// onWeekday is the first such day after a date.
func onWeekday(after Date, day time.Weekday) Date {
	return after.Add((int(day)-int(after.Weekday())+6)%7 + 1)
}

func dayOfMonth(day, month, year string, today Date) (Date, bool) {
	d, err := strconv.Atoi(day)
	if err != nil {
		return Date{}, false
	}
	m := time.January
	for ; m < time.December && !strings.HasPrefix(strings.ToLower(m.String()), month[:3]); m++ {
	}
	y := today.day.Year()
	if year != "" {
		if y, err = strconv.Atoi(year); err != nil {
			return Date{}, false
		}
	}
	date := Date{time.Date(y, m, d, 0, 0, 0, 0, time.UTC)}
	if date.day.Day() != d {
		return Date{}, false // the 31st of a shorter month
	}
	if year == "" && date.DaysSince(today) < 0 {
		date = Date{date.day.AddDate(1, 0, 0)}
	}
	return date, true
}
