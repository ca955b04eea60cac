-- name: table
CREATE TABLE IF NOT EXISTS trace (
  id TEXT PRIMARY KEY,
  at TEXT NOT NULL,
  question TEXT NOT NULL,          -- empty unless it was asked to be kept
  lang TEXT NOT NULL,
  agent TEXT NOT NULL,
  knowledge_version TEXT NOT NULL,
  steps TEXT NOT NULL,             -- JSON
  answer TEXT NOT NULL             -- JSON, the `ask` shape
) WITHOUT ROWID;

-- name: keep
INSERT INTO trace (id, at, question, lang, agent, knowledge_version, steps, answer) VALUES (?, ?, ?, ?, ?, ?, ?, ?);

-- name: kept
SELECT id, at, question, lang, agent, knowledge_version, steps, answer FROM trace ORDER BY at DESC, id LIMIT :limit;

-- name: one
SELECT id, at, question, lang, agent, knowledge_version, steps, answer FROM trace WHERE id = :id;

-- name: begins
SELECT id FROM trace WHERE id LIKE :beginning || '%' LIMIT 3;
