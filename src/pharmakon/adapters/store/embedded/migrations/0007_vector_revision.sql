-- Says that vectors were put in or dropped, so that a reader need not count them to know.
ALTER TABLE embedding_model ADD COLUMN revision INTEGER NOT NULL DEFAULT 0;
