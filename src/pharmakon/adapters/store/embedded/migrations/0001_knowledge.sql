-- The knowledge base (DESIGN.md). A file here is never edited once released; the next change is 0002_*.sql.
-- Concepts are keyed by their id everywhere; statements, sections and evidence by a small number, for size.

CREATE TABLE change (
  no INTEGER PRIMARY KEY,
  at TEXT NOT NULL,
  actor TEXT NOT NULL,
  why TEXT NOT NULL,
  state TEXT NOT NULL              -- digest of the previous state and of what this change said
);

CREATE TABLE concept (
  id TEXT PRIMARY KEY,
  kind TEXT NOT NULL,
  covered TEXT NOT NULL,
  merged_into TEXT REFERENCES concept (id),
  created_in INTEGER NOT NULL REFERENCES change (no)
) WITHOUT ROWID;
CREATE INDEX concept_kind ON concept (kind);
CREATE INDEX concept_merged ON concept (merged_into) WHERE merged_into IS NOT NULL;

CREATE TABLE concept_name (
  no INTEGER PRIMARY KEY,          -- the order in which names were given
  concept TEXT NOT NULL REFERENCES concept (id),
  text TEXT NOT NULL,
  lang TEXT NOT NULL,
  kind TEXT NOT NULL,
  folded TEXT NOT NULL,
  UNIQUE (concept, text, lang, kind)
);
CREATE INDEX concept_name_folded ON concept_name (folded);

CREATE TABLE concept_code (
  no INTEGER PRIMARY KEY,
  concept TEXT NOT NULL REFERENCES concept (id),
  system TEXT NOT NULL,
  value TEXT NOT NULL,
  plain TEXT NOT NULL,             -- as compared: ICD codes without dots
  prefix INTEGER NOT NULL,
  UNIQUE (concept, system, value)
);
CREATE INDEX concept_code_plain ON concept_code (system, plain);

CREATE TABLE document (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL,
  version TEXT NOT NULL,
  kind TEXT NOT NULL,
  lang TEXT NOT NULL,
  title TEXT NOT NULL,
  hash TEXT NOT NULL,
  created_in INTEGER NOT NULL REFERENCES change (no),
  retired_in INTEGER REFERENCES change (no),
  UNIQUE (id, version, hash)
);
CREATE UNIQUE INDEX document_live ON document (id) WHERE retired_in IS NULL;

CREATE TABLE section (
  no INTEGER PRIMARY KEY,
  document INTEGER NOT NULL REFERENCES document (no),
  ord INTEGER NOT NULL,
  kind TEXT NOT NULL,
  heading TEXT NOT NULL,
  text TEXT NOT NULL,
  UNIQUE (document, ord)
);

CREATE TABLE statement (
  no INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE,
  subject TEXT NOT NULL REFERENCES concept (id),
  relation TEXT NOT NULL,
  object TEXT REFERENCES concept (id),
  negative INTEGER NOT NULL,
  risk TEXT NOT NULL,
  tier INTEGER NOT NULL,
  limit_value REAL,
  limit_unit TEXT,
  limit_per TEXT,
  strength TEXT NOT NULL,
  first_true INTEGER NOT NULL,
  mechanism TEXT NOT NULL,
  effect TEXT NOT NULL,
  management TEXT NOT NULL,
  created_in INTEGER NOT NULL REFERENCES change (no),
  retired_in INTEGER REFERENCES change (no)
);
CREATE INDEX statement_subject ON statement (subject, relation, object) WHERE retired_in IS NULL;
CREATE INDEX statement_object ON statement (object, relation, subject) WHERE retired_in IS NULL;

-- An OR of ANDs: one row per condition. `then_tier` marks the clause of a modifier; a clause without conditions, which
-- is always true, is one row with an empty factor.
CREATE TABLE condition (
  statement INTEGER NOT NULL REFERENCES statement (no),
  clause INTEGER NOT NULL,
  position INTEGER NOT NULL,
  factor TEXT NOT NULL,
  op TEXT NOT NULL,
  number REAL NOT NULL,
  vals TEXT NOT NULL,              -- JSON list of tokens
  of TEXT NOT NULL,
  negated INTEGER NOT NULL,
  text TEXT NOT NULL,
  then_tier INTEGER,
  management TEXT NOT NULL,
  PRIMARY KEY (statement, clause, position)
) WITHOUT ROWID;

CREATE TABLE exclusion (
  statement INTEGER NOT NULL REFERENCES statement (no),
  concept TEXT NOT NULL REFERENCES concept (id),
  PRIMARY KEY (statement, concept)
) WITHOUT ROWID;

CREATE TABLE citation (
  no INTEGER PRIMARY KEY,
  title TEXT NOT NULL,
  reference TEXT NOT NULL,
  section TEXT NOT NULL,
  locator TEXT NOT NULL,
  url TEXT NOT NULL,
  read INTEGER NOT NULL,
  UNIQUE (reference, section, locator, title, url, read)
);

CREATE TABLE evidence (
  no INTEGER PRIMARY KEY,
  statement INTEGER NOT NULL REFERENCES statement (no),
  section INTEGER NOT NULL REFERENCES section (no),
  start INTEGER NOT NULL,          -- code points of section.text, stop is exclusive
  stop INTEGER NOT NULL,
  quote TEXT NOT NULL,
  proposer TEXT NOT NULL,
  citation INTEGER REFERENCES citation (no),
  created_in INTEGER NOT NULL REFERENCES change (no),
  retired_in INTEGER REFERENCES change (no)
);
CREATE UNIQUE INDEX evidence_once ON evidence (statement, section, start, stop, proposer, ifnull(citation, 0));
CREATE INDEX evidence_section ON evidence (section);

-- Everything above everything by live, positive belongs_to and is_a; a shortest chain starts with `statement` to `parent`.
CREATE TABLE closure (
  descendant TEXT NOT NULL,
  ancestor TEXT NOT NULL,
  depth INTEGER NOT NULL,
  parent TEXT NOT NULL,
  statement INTEGER NOT NULL REFERENCES statement (no),
  PRIMARY KEY (descendant, ancestor)
) WITHOUT ROWID;
CREATE INDEX closure_ancestor ON closure (ancestor, descendant);
CREATE INDEX closure_statement ON closure (statement);

-- The last change that each index inside this file has seen.
CREATE TABLE seen (name TEXT PRIMARY KEY, change_no INTEGER NOT NULL) WITHOUT ROWID;
