package store

import "github.com/webodar/webodar/examples/jdo/internal/plan"

// All is everything of the plan.
type All struct {
	Visions, Goals, Milestones, Commitments []plan.Item
	Inbox                                   []Note
}

// Of returns the items of a kind.
func (a All) Of(kind plan.Kind) []plan.Item {
	switch kind {
	case plan.Vision:
		return a.Visions
	case plan.Goal:
		return a.Goals
	case plan.Milestone:
		return a.Milestones
	}
	return a.Commitments
}

// Find returns an item.
func (a All) Find(kind plan.Kind, id int64) (plan.Item, bool) {
	for _, item := range a.Of(kind) {
		if item.ID == id {
			return item, true
		}
	}
	return plan.Item{}, false
}

// Load reads everything.
func (s *Store) Load() (all All, err error) {
	for _, part := range []struct {
		kind plan.Kind
		into *[]plan.Item
	}{{plan.Vision, &all.Visions}, {plan.Goal, &all.Goals}, {plan.Milestone, &all.Milestones}, {plan.Commitment, &all.Commitments}} {
		if *part.into, err = s.Items(part.kind); err != nil {
			return all, err
		}
	}
	all.Inbox, err = s.Inbox()
	return all, err
}
