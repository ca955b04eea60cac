-- name: create
-- without a copy of the text, which stands in `section`; what is taken out is named by its text
CREATE VIRTUAL TABLE words USING fts5 (title, heading, text, content = '', tokenize = "porter unicode61 remove_diacritics 2");

-- name: drop
DROP TABLE IF EXISTS words;

-- name: put_in
INSERT INTO words (rowid, title, heading, text) VALUES (?, ?, ?, ?);

-- name: take_out
INSERT INTO words (words, rowid, title, heading, text) VALUES ('delete', ?, ?, ?, ?);

-- name: merge_all
INSERT INTO words (words) VALUES ('optimize');

-- name: saw
INSERT INTO seen (name, change_no) VALUES ('words', :change_no)
ON CONFLICT (name) DO UPDATE SET change_no = excluded.change_no;

-- name: indexed
SELECT id FROM words_docsize ORDER BY id;

-- name: probe
CREATE VIRTUAL TABLE probe USING fts5 (text, tokenize = "porter unicode61 remove_diacritics 2");

-- name: probe_terms
CREATE VIRTUAL TABLE probe_terms USING fts5vocab (probe, instance);

-- name: create_terms
CREATE VIRTUAL TABLE words_terms USING fts5vocab (words, row);

-- name: drop_terms
DROP TABLE IF EXISTS words_terms;

-- name: terms
SELECT term, doc FROM words_terms;
