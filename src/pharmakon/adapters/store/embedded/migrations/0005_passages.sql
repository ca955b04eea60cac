-- Passages: the pieces of live sections that are searched. They follow from the sections and can be cut anew at any time.
CREATE TABLE passage (
  no INTEGER PRIMARY KEY,
  section INTEGER NOT NULL REFERENCES section (no),
  start INTEGER NOT NULL,          -- code points of the section's text, stop is exclusive
  stop INTEGER NOT NULL,
  hash BLOB NOT NULL               -- of the text that is embedded: equal ones are embedded once
);
CREATE INDEX passage_section ON passage (section);
CREATE INDEX passage_hash ON passage (hash);

CREATE TABLE embedding_model (
  no INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  dimension INTEGER NOT NULL
);

-- Vectors follow from texts: they have no change number, and none is ever changed.
CREATE TABLE vector (
  no INTEGER PRIMARY KEY AUTOINCREMENT,  -- never used again: an index file that holds a number holds that vector
  model INTEGER NOT NULL REFERENCES embedding_model (no),
  hash BLOB NOT NULL,
  value BLOB NOT NULL,             -- float16, little-endian, of unit length
  UNIQUE (model, hash)
);

-- The word index is over passages from now on.
DROP TABLE IF EXISTS words;
DELETE FROM seen WHERE name = 'words';
