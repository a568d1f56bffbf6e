package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
)

// schema holds three tables. Times are Unix nanoseconds.
//
// A group row exists as long as its group has messages. Its free is the time from which the group may be received: the
// end of its last time-out while messages are in flight, else the time since which it has waited. So one index both finds
// the groups that may be received and serves the one that waited longest first.
//
// A message's seq is its place in the order and is never used twice, so a receipt (seq and number of the delivery) never
// names another message. origin is the seq that a dead letter had in its first queue.
const schema = `
CREATE TABLE IF NOT EXISTS queue_groups (
	id    INTEGER PRIMARY KEY,
	queue TEXT NOT NULL,
	name  TEXT NOT NULL,
	free  INTEGER NOT NULL,
	UNIQUE (queue, name)
);
CREATE INDEX IF NOT EXISTS queue_groups_free ON queue_groups (queue, free);
CREATE TABLE IF NOT EXISTS queue_messages (
	seq      INTEGER PRIMARY KEY AUTOINCREMENT,
	gid      INTEGER NOT NULL,
	origin   INTEGER,
	sent     INTEGER NOT NULL,
	visible  INTEGER NOT NULL DEFAULT 0,
	receives INTEGER NOT NULL DEFAULT 0,
	dedup    TEXT NOT NULL,
	attrs    TEXT NOT NULL,
	body     TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS queue_messages_group ON queue_messages (gid);
CREATE INDEX IF NOT EXISTS queue_messages_origin ON queue_messages (origin) WHERE origin IS NOT NULL;
CREATE TABLE IF NOT EXISTS queue_dedup (
	queue TEXT NOT NULL,
	id    TEXT NOT NULL,
	until INTEGER NOT NULL,
	PRIMARY KEY (queue, id)
) WITHOUT ROWID;
CREATE INDEX IF NOT EXISTS queue_dedup_until ON queue_dedup (until);
`

// Statements of Send.
const (
	// sqlRemember changes no row when the id is remembered and its window is open.
	sqlRemember = `INSERT INTO queue_dedup (queue, id, until) VALUES (?1, ?2, ?3)
		ON CONFLICT (queue, id) DO UPDATE SET until = ?3 WHERE until <= ?4`
	sqlForget = `DELETE FROM queue_dedup WHERE (queue, id) IN
		(SELECT queue, id FROM queue_dedup WHERE until <= ?1 ORDER BY until LIMIT ?2)`
	sqlGroup   = `INSERT INTO queue_groups (queue, name, free) VALUES (?1, ?2, ?3) ON CONFLICT (queue, name) DO NOTHING`
	sqlMessage = `INSERT INTO queue_messages (gid, origin, sent, dedup, attrs, body)
		SELECT id, ?3, ?4, ?5, ?6, ?7 FROM queue_groups WHERE queue = ?1 AND name = ?2`
)

// Statements of Receive. The ids of what was taken go in as one JSON array.
const (
	sqlReady = `SELECT m.seq, g.id, g.name, m.origin, m.sent, m.receives, m.dedup, m.attrs, m.body
		FROM queue_groups g JOIN queue_messages m ON m.gid = g.id
		WHERE g.queue = ?1 AND g.free <= ?2 ORDER BY g.free, g.id, m.seq LIMIT ?3`
	sqlTake  = `UPDATE queue_messages SET visible = ?1, receives = receives + 1 WHERE seq IN (SELECT value FROM json_each(?2))`
	sqlBlock = `UPDATE queue_groups SET free = ?1 WHERE id IN (SELECT value FROM json_each(?2))`
	sqlCount = `SELECT COUNT(*) FROM queue_messages m JOIN queue_groups g ON m.gid = g.id WHERE g.queue = ?1 AND m.visible <= ?2`
	sqlPurge = `DELETE FROM queue_messages WHERE seq = ?1`
	sqlNext  = `SELECT MIN(free) FROM queue_groups WHERE queue = ?1`
)

// Statements of Delete and Hide. A handle is good while its delivery is the last one and its time-out has not ended.
const (
	sqlDelete = `DELETE FROM queue_messages WHERE seq = ?1 AND receives = ?2 AND visible > ?3
		AND gid IN (SELECT id FROM queue_groups WHERE queue = ?4) RETURNING gid`
	sqlHide = `UPDATE queue_messages SET visible = ?5 WHERE seq = ?1 AND receives = ?2 AND visible > ?3
		AND gid IN (SELECT id FROM queue_groups WHERE queue = ?4) RETURNING gid`
	sqlKnown = `SELECT EXISTS (SELECT 1 FROM queue_messages WHERE seq = ?1)
		OR EXISTS (SELECT 1 FROM queue_messages WHERE origin = ?1)`
	// sqlGroupState looks at the first ten only: one Receive takes no more, and while a message is in flight its group
	// gives no others.
	sqlGroupState = `SELECT COUNT(*), COALESCE(MAX(visible), 0) FROM
		(SELECT visible FROM queue_messages WHERE gid = ?1 ORDER BY seq LIMIT 10)`
	sqlFree = `UPDATE queue_groups SET free = ?2 WHERE id = ?1`
	sqlDrop = `DELETE FROM queue_groups WHERE id = ?1`
)

// statements are the prepared statements, by the names of their texts.
type statements struct {
	remember, forget, group, message *sql.Stmt
	ready, take, block, purge, next  *sql.Stmt
	remove, hide, known              *sql.Stmt
	state, free, drop, count         *sql.Stmt
}

// prepare makes the tables and the statements.
func prepare(ctx context.Context, db *sql.DB) (s statements, err error) {
	if _, err := db.ExecContext(ctx, schema); err != nil {
		return s, fmt.Errorf("create queue tables: %w", err)
	}
	for _, p := range []struct {
		into **sql.Stmt
		text string
	}{
		{&s.remember, sqlRemember}, {&s.forget, sqlForget}, {&s.group, sqlGroup}, {&s.message, sqlMessage},
		{&s.ready, sqlReady}, {&s.take, sqlTake}, {&s.block, sqlBlock}, {&s.purge, sqlPurge}, {&s.next, sqlNext},
		{&s.remove, sqlDelete}, {&s.hide, sqlHide}, {&s.known, sqlKnown},
		{&s.state, sqlGroupState}, {&s.free, sqlFree}, {&s.drop, sqlDrop}, {&s.count, sqlCount},
	} {
		if *p.into, err = db.PrepareContext(ctx, p.text); err != nil {
			return s, errors.Join(fmt.Errorf("prepare queue statement: %w", err), s.close())
		}
	}
	return s, nil
}

// close releases the statements; the first error wins.
func (s statements) close() (first error) {
	for _, stmt := range []*sql.Stmt{s.remember, s.forget, s.group, s.message, s.ready, s.take, s.block, s.purge, s.next,
		s.remove, s.hide, s.known, s.state, s.free, s.drop, s.count} {
		if stmt == nil {
			continue
		}
		if err := stmt.Close(); err != nil && first == nil {
			first = err
		}
	}
	return first
}
