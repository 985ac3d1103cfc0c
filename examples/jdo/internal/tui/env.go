package tui

import (
	"strconv"
	"time"

	"github.com/webodar/webodar/examples/jdo/internal/plan"
	"github.com/webodar/webodar/examples/jdo/internal/store"
)

// env is what all screens share.
type env struct {
	store    *store.Store
	now      func() time.Time
	all      store.All // as of the last reload
	name     string    // the user's
	riskDays int
	theme    string // auto, dark or light
	style    styles
	current  map[plan.Kind]int64 // what was made or chosen last
	dark     bool                // what the terminal says of its background
}

func (e *env) today() plan.Date { return plan.DateOf(e.now()) }

// reload reads the plan and the settings anew.
func (e *env) reload() error {
	all, err := e.store.Load()
	if err != nil {
		return err
	}
	e.all = all
	if e.name, err = e.store.Setting("name", ""); err != nil {
		return err
	}
	if e.theme, err = e.store.Setting("theme", "auto"); err != nil {
		return err
	}
	days, err := e.store.Setting("risk_days", strconv.Itoa(plan.DefaultRiskDays))
	if err != nil {
		return err
	}
	if e.riskDays, err = strconv.Atoi(days); err != nil {
		e.riskDays = plan.DefaultRiskDays
	}
	e.style = newStyles(e.theme == "dark" || e.theme == "auto" && e.dark)
	return nil
}

func (e *env) integrity() plan.Integrity {
	return plan.Measure(e.all.Commitments, e.today(), e.riskDays)
}

// pending are the commitments that are not over.
func (e *env) pending() []plan.Item {
	var list []plan.Item
	for _, c := range e.all.Commitments {
		if c.Status == plan.Pending {
			list = append(list, c)
		}
	}
	return list
}
