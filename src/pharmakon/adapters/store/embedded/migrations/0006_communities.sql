-- Communities of the graph and what is said of each: a projection, which `seen` ('communities') says the change of.
CREATE TABLE community (
  id TEXT PRIMARY KEY,             -- follows from the members
  level INTEGER NOT NULL,          -- 0 is the coarsest
  parent TEXT NOT NULL,            -- '' on level 0
  digest TEXT NOT NULL             -- of the edges and names that its summaries say
) WITHOUT ROWID;

CREATE TABLE community_member (
  community TEXT NOT NULL REFERENCES community (id) ON DELETE CASCADE,
  concept TEXT NOT NULL,
  PRIMARY KEY (community, concept)
) WITHOUT ROWID;
CREATE INDEX community_member_concept ON community_member (concept);

CREATE TABLE community_summary (
  no INTEGER PRIMARY KEY,
  community TEXT NOT NULL REFERENCES community (id) ON DELETE CASCADE,
  lang TEXT NOT NULL,
  title TEXT NOT NULL,
  proposer TEXT NOT NULL,          -- template, or a model's name
  UNIQUE (community, lang)
);

CREATE TABLE community_sentence (
  summary INTEGER NOT NULL REFERENCES community_summary (no) ON DELETE CASCADE,
  position INTEGER NOT NULL,
  text TEXT NOT NULL,
  statements TEXT NOT NULL,        -- JSON list of ids: all that the sentence says
  PRIMARY KEY (summary, position)
) WITHOUT ROWID;

-- Some hundreds: they are compared one by one, without an index file.
CREATE TABLE community_vector (
  summary INTEGER NOT NULL REFERENCES community_summary (no) ON DELETE CASCADE,
  model INTEGER NOT NULL REFERENCES embedding_model (no),
  value BLOB NOT NULL,             -- float16, little-endian, of unit length
  PRIMARY KEY (summary, model)
) WITHOUT ROWID;

-- One row: the numbers that the communities were found with.
CREATE TABLE community_state (
  no INTEGER PRIMARY KEY CHECK (no = 1),
  recipe TEXT NOT NULL
);
