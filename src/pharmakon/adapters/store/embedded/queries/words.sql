-- name: create
-- without a copy of the text, which stands in `section`; what is taken out is named by its text
CREATE VIRTUAL TABLE words USING fts5 (text, content = '', tokenize = "porter unicode61 remove_diacritics 2");

-- name: drop
DROP TABLE IF EXISTS words;

-- name: put_in
INSERT INTO words (rowid, text) VALUES (?, ?);

-- name: take_out
INSERT INTO words (words, rowid, text) VALUES ('delete', ?, ?);

-- name: merge_all
INSERT INTO words (words) VALUES ('optimize');

-- name: live
SELECT section.no, section.heading || char(10) || section.text
FROM section JOIN document ON document.no = section.document WHERE document.retired_in IS NULL;

-- name: saw
INSERT INTO seen (name, change_no) VALUES ('words', :change_no)
ON CONFLICT (name) DO UPDATE SET change_no = excluded.change_no;

-- name: indexed
SELECT id FROM words_docsize ORDER BY id;
