package main

import (
	"context"
	"path/filepath"
	"strings"
	"time"

	"github.com/webodar/webodar/examples/jdo/internal/store"
	"github.com/webodar/webodar/examples/jdo/internal/tui"
	"github.com/webodar/webodar/uat"
	"github.com/webodar/webodar/uat/teaui"
)

// Today is the day in every scenario: Monday, 2 March 2026, nine o'clock.
var Today = time.Date(2026, time.March, 2, 9, 0, 0, 0, time.UTC)

// Open is jdo for scenarios: on an empty database in dir, on Today.
func Open(_ context.Context, dir string) (*uat.Instance, error) {
	s, err := store.Open(filepath.Join(dir, "jdo.db"))
	if err != nil {
		return nil, err
	}
	return &uat.Instance{
		Start: func(ctx context.Context) (uat.Surface, error) {
			return teaui.Start(ctx, tui.New(s, func() time.Time { return Today }), nil)
		},
		Database: onToday{uat.SQL(s.DB())},
		Close:    s.Close,
	}, nil
}

// onToday lets a scenario's SQL live on the same day as the app: date('now', '+1 day')
// is the day after Today.
type onToday struct{ uat.Database }

var sqlNow = strings.NewReplacer("'now'", Today.Format("'2006-01-02 15:04:05'"))

func (d onToday) Exec(ctx context.Context, statements string) error {
	return d.Database.Exec(ctx, sqlNow.Replace(statements))
}

func (d onToday) Query(ctx context.Context, query string) ([][]any, error) {
	return d.Database.Query(ctx, sqlNow.Replace(query))
}
