// Package store keeps jdo's data in an SQLite file.
package store

import (
	"database/sql"
	_ "embed"
	"fmt"
	"net/url"
	"os"
	"path/filepath"

	_ "modernc.org/sqlite" // the driver

	"github.com/webodar/webodar/examples/jdo/internal/plan"
)

//go:embed schema.sql
var schema string

// Store is an open database. Its calls take well under a millisecond, so that the
// user interface makes them directly.
type Store struct{ db *sql.DB }

// Open opens a file and makes what is missing: the file, its directory, the tables.
func Open(file string) (*Store, error) {
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return nil, err
	}
	source := url.URL{Scheme: "file", Path: filepath.ToSlash(file), RawQuery: "_pragma=foreign_keys(1)&_pragma=busy_timeout(5000)&_pragma=journal_mode(wal)&_pragma=synchronous(1)"}
	db, err := sql.Open("sqlite", source.String())
	if err != nil {
		return nil, err
	}
	if _, err := db.Exec(schema); err != nil {
		db.Close()
		return nil, fmt.Errorf("opening %s: %w", file, err)
	}
	return &Store{db}, nil
}

// Close closes the file.
func (s *Store) Close() error { return s.db.Close() }

// DB is the database itself.
func (s *Store) DB() *sql.DB { return s.db }

// tables has, for each kind, its table, the column of the item above, and that of the
// date.
var tables = map[plan.Kind]struct{ name, parent, due string }{
	plan.Vision:     {"visions", "NULL", "NULL"},
	plan.Goal:       {"goals", "vision_id", "NULL"},
	plan.Milestone:  {"milestones", "goal_id", "target_date"},
	plan.Commitment: {"commitments", "milestone_id", "due_date"},
}

// Items returns all of a kind: commitments by date, those without one last, the
// others as they were made.
func (s *Store) Items(kind plan.Kind) ([]plan.Item, error) {
	t := tables[kind]
	columns, order := "'', '', NULL", "id"
	if kind == plan.Commitment {
		columns, order = "stakeholder, status, completed_at", "due_date IS NULL OR due_date = '', due_date, id"
	}
	rows, err := s.db.Query(fmt.Sprintf("SELECT id, title, coalesce(%s, 0), coalesce(%s, ''), %s FROM %s ORDER BY %s", t.parent, t.due, columns, t.name, order))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var items []plan.Item
	for rows.Next() {
		item := plan.Item{Kind: kind}
		var due string
		var completed sql.NullString
		if err := rows.Scan(&item.ID, &item.Title, &item.Parent, &due, &item.Stakeholder, &item.Status, &completed); err != nil {
			return nil, err
		}
		if item.Due, err = plan.ParseDate(day(due)); err != nil {
			return nil, fmt.Errorf("%s %d: %w", kind, item.ID, err)
		}
		if item.Completed, err = plan.ParseDate(day(completed.String)); err != nil {
			return nil, fmt.Errorf("%s %d: %w", kind, item.ID, err)
		}
		items = append(items, item)
	}
	return items, rows.Err()
}

// day cuts the time of the day off.
func day(s string) string {
	if len(s) > 10 {
		return s[:10]
	}
	return s
}

// Add stores a new item and returns its id. New commitments are pending.
func (s *Store) Add(item plan.Item) (int64, error) {
	parent := sql.NullInt64{Int64: item.Parent, Valid: item.Parent != 0}
	due := sql.NullString{String: item.Due.String(), Valid: !item.Due.IsZero()}
	var result sql.Result
	var err error
	switch item.Kind {
	case plan.Vision:
		result, err = s.db.Exec("INSERT INTO visions (title) VALUES (?)", item.Title)
	case plan.Goal:
		result, err = s.db.Exec("INSERT INTO goals (title, vision_id) VALUES (?, ?)", item.Title, parent)
	case plan.Milestone:
		result, err = s.db.Exec("INSERT INTO milestones (title, goal_id, target_date) VALUES (?, ?, ?)", item.Title, parent, due)
	default:
		result, err = s.db.Exec("INSERT INTO commitments (title, milestone_id, due_date, stakeholder) VALUES (?, ?, ?, ?)",
			item.Title, parent, due, item.Stakeholder)
	}
	if err != nil {
		return 0, err
	}
	return result.LastInsertId()
}

// SetStatus completes, abandons or reopens a commitment.
func (s *Store) SetStatus(id int64, status plan.Status, today plan.Date) error {
	completed := sql.NullString{String: today.String(), Valid: status == plan.Completed}
	_, err := s.db.Exec("UPDATE commitments SET status = ?, completed_at = ? WHERE id = ?", status, completed, id)
	return err
}

// SetDue moves a commitment to another date, or to none.
func (s *Store) SetDue(id int64, due plan.Date) error {
	_, err := s.db.Exec("UPDATE commitments SET due_date = ? WHERE id = ?", sql.NullString{String: due.String(), Valid: !due.IsZero()}, id)
	return err
}

// Note is something that was thrown into the inbox, to be sorted later.
type Note struct {
	ID   int64
	Text string
}

// Inbox returns the notes, oldest first.
func (s *Store) Inbox() ([]Note, error) {
	rows, err := s.db.Query("SELECT id, text FROM inbox ORDER BY id")
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var notes []Note
	for rows.Next() {
		var n Note
		if err := rows.Scan(&n.ID, &n.Text); err != nil {
			return nil, err
		}
		notes = append(notes, n)
	}
	return notes, rows.Err()
}

// Capture puts a note into the inbox.
func (s *Store) Capture(text string) error {
	_, err := s.db.Exec("INSERT INTO inbox (text) VALUES (?)", text)
	return err
}

// Discard deletes a note.
func (s *Store) Discard(id int64) error {
	_, err := s.db.Exec("DELETE FROM inbox WHERE id = ?", id)
	return err
}

// Setting returns a setting, or the fallback where it was never set.
func (s *Store) Setting(key, fallback string) (string, error) {
	var value string
	err := s.db.QueryRow("SELECT value FROM settings WHERE key = ?", key).Scan(&value)
	if err == sql.ErrNoRows {
		return fallback, nil
	}
	return value, err
}

// SetSetting stores a setting.
func (s *Store) SetSetting(key, value string) error {
	_, err := s.db.Exec("INSERT INTO settings (key, value) VALUES (?, ?) ON CONFLICT (key) DO UPDATE SET value = excluded.value", key, value)
	return err
}
