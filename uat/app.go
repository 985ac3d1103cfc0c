package uat

import (
	"context"
	"database/sql"
	"fmt"
)

// App opens a fresh instance of the app for one run, apart from all others. The
// directory is the instance's own: empty, and removed after the run.
type App func(ctx context.Context, dir string) (*Instance, error)

// Instance is one app set up and not started yet, so that preconditions can lay out
// its data first.
type Instance struct {
	// Start starts the program and returns when it has settled. Required.
	Start func(ctx context.Context) (Surface, error)

	// Database is what SQL preconditions and probes speak to; nil where the app has
	// none.
	Database Database

	// Probes are facts of the app's data that scenarios can ask for by name. They
	// return what JSON can hold.
	Probes map[string]func(ctx context.Context) (any, error)

	// Close releases what opening took, after the surface has been closed. May be
	// nil.
	Close func() error
}

// Surface is a running program. The driver makes one call at a time; a call that
// outlives its context is left to itself, and only Close follows it.
type Surface interface {
	// Observe takes the state.
	Observe(ctx context.Context) (State, error)

	// Perform does a press, click, type or wait, and returns when the program has
	// settled. An error is about the action (no such key, no such widget) and can be
	// the agent's mistake, unless it is a *CrashError.
	Perform(ctx context.Context, action Action) error

	// Close ends the program. It does not wait for calls that were left.
	Close() error
}

// Database is an app's data as scenarios see it.
type Database interface {
	// Exec runs statements.
	Exec(ctx context.Context, statements string) error

	// Query returns the rows of one query.
	Query(ctx context.Context, query string) ([][]any, error)
}

// SQL makes a Database of a *sql.DB.
func SQL(db *sql.DB) Database { return sqlDatabase{db} }

type sqlDatabase struct{ db *sql.DB }

func (d sqlDatabase) Exec(ctx context.Context, statements string) error {
	_, err := d.db.ExecContext(ctx, statements)
	return err
}

func (d sqlDatabase) Query(ctx context.Context, query string) (_ [][]any, err error) {
	rows, err := d.db.QueryContext(ctx, query)
	if err != nil {
		return nil, err
	}
	defer func() {
		if closing := rows.Close(); err == nil {
			err = closing
		}
	}()
	columns, err := rows.Columns()
	if err != nil {
		return nil, err
	}
	if len(columns) == 0 {
		return nil, fmt.Errorf("the statement returns no rows; a probe is a query")
	}
	var all [][]any
	for rows.Next() {
		row, targets := make([]any, len(columns)), make([]any, len(columns))
		for i := range row {
			targets[i] = &row[i]
		}
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, rows.Err()
}
