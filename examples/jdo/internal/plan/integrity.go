package plan

import (
	"cmp"
	"math"
	"slices"
)

// Integrity is how well commitments are kept.
type Integrity struct {
	OnTime, Late, Overdue, Abandoned int // completed by the date, after it; pending past it; given up
	Open                             int // pending, overdue ones included
	Score                            int // 0 to 100; meaningless without Graded
	Graded                           bool
	AtRisk                           []Item // by date
}

// DefaultRiskDays is how near a date is at risk.
const DefaultRiskDays = 2

// Measure judges commitments as of a day. What was completed in time, or has no date,
// counts full; what was completed late, half; what is overdue or was abandoned,
// nothing. The score is the share in per cent. Pending ones that are not overdue say
// nothing yet. At risk is what is overdue or due within riskDays.
func Measure(commitments []Item, today Date, riskDays int) Integrity {
	var m Integrity
	for _, c := range commitments {
		switch {
		case c.Status == Completed && (c.Due.IsZero() || c.Completed.DaysSince(c.Due) <= 0):
			m.OnTime++
		case c.Status == Completed:
			m.Late++
		case c.Status == Abandoned:
			m.Abandoned++
		default:
			m.Open++
			if !c.Due.IsZero() && c.Due.DaysSince(today) < 0 {
				m.Overdue++
			}
			if IsAtRisk(c, today, riskDays) {
				m.AtRisk = append(m.AtRisk, c)
			}
		}
	}
	slices.SortStableFunc(m.AtRisk, func(a, b Item) int { return cmp.Compare(a.Due.DaysSince(today), b.Due.DaysSince(today)) })
	if judged := m.OnTime + m.Late + m.Overdue + m.Abandoned; judged > 0 {
		m.Graded = true
		m.Score = int(math.Round(100 * (float64(m.OnTime) + float64(m.Late)/2) / float64(judged)))
	}
	return m
}

// IsAtRisk reports whether a commitment is overdue or due within so many days.
func IsAtRisk(c Item, today Date, riskDays int) bool {
	return c.Status == Pending && !c.Due.IsZero() && c.Due.DaysSince(today) <= riskDays
}

// Grade is A from 90, B from 80, C from 70, D from 60, F below, and – while nothing
// can be graded.
func (m Integrity) Grade() string {
	switch {
	case !m.Graded:
		return "–"
	case m.Score >= 90:
		return "A"
	case m.Score >= 80:
		return "B"
	case m.Score >= 70:
		return "C"
	case m.Score >= 60:
		return "D"
	}
	return "F"
}
