CREATE TABLE IF NOT EXISTS visions (
	id         INTEGER PRIMARY KEY,
	title      TEXT NOT NULL,
	created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE IF NOT EXISTS goals (
	id         INTEGER PRIMARY KEY,
	title      TEXT NOT NULL,
	vision_id  INTEGER REFERENCES visions (id) ON DELETE SET NULL,
	created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE IF NOT EXISTS milestones (
	id          INTEGER PRIMARY KEY,
	title       TEXT NOT NULL,
	goal_id     INTEGER REFERENCES goals (id) ON DELETE SET NULL,
	target_date TEXT, -- 2026-03-02
	created_at  TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE IF NOT EXISTS commitments (
	id           INTEGER PRIMARY KEY,
	title        TEXT NOT NULL,
	stakeholder  TEXT NOT NULL DEFAULT '',
	due_date     TEXT, -- 2026-03-02
	status       TEXT NOT NULL DEFAULT 'pending' CHECK (status IN ('pending', 'completed', 'abandoned')),
	milestone_id INTEGER REFERENCES milestones (id) ON DELETE SET NULL,
	created_at   TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP,
	completed_at TEXT -- 2026-03-02
);
CREATE TABLE IF NOT EXISTS inbox (
	id         INTEGER PRIMARY KEY,
	text       TEXT NOT NULL,
	created_at TEXT NOT NULL DEFAULT CURRENT_TIMESTAMP
);
CREATE TABLE IF NOT EXISTS settings (
	key   TEXT PRIMARY KEY,
	value TEXT NOT NULL
);
