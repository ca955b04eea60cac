-- Labels nest their sections: the level of each, with its order, gives back the tree.
ALTER TABLE section ADD COLUMN level INTEGER NOT NULL DEFAULT 1;
-- Copies of one text are found by its hash.
CREATE INDEX document_hash ON document (hash) WHERE retired_in IS NULL;
