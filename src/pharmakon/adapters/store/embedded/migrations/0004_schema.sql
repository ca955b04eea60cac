-- The schema grows by data (PG-3). Version 0 is the vocabulary of the release; an entry is a step on top of it.
CREATE TABLE schema_proposal (
  no INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,              -- factor or relation
  pattern TEXT NOT NULL,           -- the words that the same gap is known by again
  key TEXT NOT NULL,
  body TEXT NOT NULL,              -- JSON, a row of the vocabulary's files
  why TEXT NOT NULL,
  proposer TEXT NOT NULL,
  documents INTEGER NOT NULL,      -- how many show the gap
  status TEXT NOT NULL,            -- open, revised, accepted, rejected
  created_in INTEGER NOT NULL REFERENCES change (no),
  decided_in INTEGER REFERENCES change (no),
  decided_by TEXT NOT NULL DEFAULT '',
  reason TEXT NOT NULL DEFAULT '',
  UNIQUE (kind, pattern)
);

-- By the document's id, not its row: it may be one that was read and not stored.
CREATE TABLE schema_quotation (
  proposal INTEGER NOT NULL REFERENCES schema_proposal (no),
  document TEXT NOT NULL,
  version TEXT NOT NULL,
  ord INTEGER NOT NULL,
  start INTEGER NOT NULL,          -- code points of the section's text, stop is exclusive
  stop INTEGER NOT NULL,
  quote TEXT NOT NULL,
  PRIMARY KEY (proposal, document, version, ord, start, stop)
) WITHOUT ROWID;
CREATE INDEX schema_quotation_document ON schema_quotation (document);

CREATE TABLE schema_entry (
  version INTEGER PRIMARY KEY,
  kind TEXT NOT NULL,
  key TEXT NOT NULL UNIQUE,
  body TEXT NOT NULL,
  proposal INTEGER NOT NULL REFERENCES schema_proposal (no),
  decided_by TEXT NOT NULL,
  change_no INTEGER NOT NULL REFERENCES change (no)
);
