-- Since when a version holds, as far as its publisher says.
ALTER TABLE document ADD COLUMN dated TEXT NOT NULL DEFAULT '';

-- Names and codes are held by hand (monographs), or given by documents and gone with the last that gives them.
ALTER TABLE concept_name ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 1;
ALTER TABLE concept_code ADD COLUMN by_hand INTEGER NOT NULL DEFAULT 1;
CREATE INDEX concept_name_not_by_hand ON concept_name (concept) WHERE by_hand = 0;
CREATE INDEX concept_code_not_by_hand ON concept_code (concept) WHERE by_hand = 0;
CREATE TABLE name_given (
  name INTEGER NOT NULL REFERENCES concept_name (no),
  document TEXT NOT NULL,          -- the id; every version counts as the same giver
  PRIMARY KEY (name, document)
) WITHOUT ROWID;
CREATE INDEX name_given_document ON name_given (document);
CREATE TABLE code_given (
  code INTEGER NOT NULL REFERENCES concept_code (no),
  document TEXT NOT NULL,
  PRIMARY KEY (code, document)
) WITHOUT ROWID;
CREATE INDEX code_given_document ON code_given (document);

-- What a person has to decide: is `name`, for now the name of `taken_as`, one of `candidates` (JSON list)?
CREATE TABLE doubt (
  no INTEGER PRIMARY KEY,
  document TEXT NOT NULL,
  name TEXT NOT NULL,
  taken_as TEXT NOT NULL REFERENCES concept (id),
  candidates TEXT NOT NULL,
  why TEXT NOT NULL,
  created_in INTEGER NOT NULL REFERENCES change (no),
  decided_in INTEGER REFERENCES change (no),
  decision TEXT NOT NULL DEFAULT '',
  UNIQUE (document, name, taken_as, candidates)
);
