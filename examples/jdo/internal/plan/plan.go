// Package plan is what jdo is about: visions, goals, milestones and commitments, what
// people say to make one, and how well they keep their word. It is pure: the time is
// given, and nothing is stored.
package plan

import (
	"fmt"
	"time"
)

// Kind is a level of the hierarchy, from the far to the near.
type Kind string

// The kinds; each belongs to one of the kind before it, or to none.
const (
	Vision     Kind = "vision"
	Goal       Kind = "goal"
	Milestone  Kind = "milestone"
	Commitment Kind = "commitment"
)

// Kinds are all kinds, from the top.
func Kinds() []Kind { return []Kind{Vision, Goal, Milestone, Commitment} }

// Above is the kind that one of this kind belongs to; "" for a vision.
func (k Kind) Above() Kind {
	switch k {
	case Goal:
		return Vision
	case Milestone:
		return Goal
	case Commitment:
		return Milestone
	}
	return ""
}

// Below is the kind that belongs to this one; "" for a commitment.
func (k Kind) Below() Kind {
	for _, below := range Kinds() {
		if below.Above() == k {
			return below
		}
	}
	return ""
}

// Status is how a commitment stands.
type Status string

// A commitment is pending until it is completed or abandoned.
const (
	Pending   Status = "pending"
	Completed Status = "completed"
	Abandoned Status = "abandoned"
)

// Item is one of any kind. Stakeholder, Status and Completed are a commitment's; Due
// is a commitment's and a milestone's.
type Item struct {
	ID          int64
	Kind        Kind
	Title       string
	Parent      int64 // id of the item above; 0 for none
	Stakeholder string
	Due         Date
	Status      Status
	Completed   Date
}

// Date is a day without a time zone; the zero Date is none.
type Date struct{ day time.Time }

// DateOf is the day of a moment, where that moment is.
func DateOf(t time.Time) Date {
	y, m, d := t.Date()
	return Date{time.Date(y, m, d, 0, 0, 0, 0, time.UTC)}
}

// ParseDate reads 2026-03-02, and "" as none.
func ParseDate(s string) (Date, error) {
	if s == "" {
		return Date{}, nil
	}
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		return Date{}, fmt.Errorf("%q is no date like 2026-03-02", s)
	}
	return Date{t}, nil
}

// IsZero reports whether there is no date.
func (d Date) IsZero() bool { return d.day.IsZero() }

// String is 2026-03-02, or "".
func (d Date) String() string {
	if d.IsZero() {
		return ""
	}
	return d.day.Format(time.DateOnly)
}

// Add is the date some days later.
func (d Date) Add(days int) Date { return Date{d.day.AddDate(0, 0, days)} }

// DaysSince is how many days d is after another date; negative before it.
func (d Date) DaysSince(other Date) int { return int(d.day.Sub(other.day).Hours() / 24) }

// Weekday is the day of the week.
func (d Date) Weekday() time.Weekday { return d.day.Weekday() }

// In says a date as seen from a day: "today", "Fri 6 Mar", "2 days ago".
func (d Date) In(today Date) string {
	if d.IsZero() {
		return "no date"
	}
	switch days := d.DaysSince(today); {
	case days == 0:
		return "today"
	case days == 1:
		return "tomorrow"
	case days == -1:
		return "yesterday"
	case days < 0 && days > -15:
		return fmt.Sprintf("%d days ago", -days)
	case d.day.Year() == today.day.Year():
		return d.day.Format("Mon 2 Jan")
	}
	return d.day.Format("2 Jan 2006")
}

// Long is "Monday 2 March 2026".
func (d Date) Long() string { return d.day.Format("Monday 2 January 2006") }
