-- Labels nest their sections: the level of each, with its order, gives back the tree.
ALTER TABLE section ADD COLUMN level INTEGER NOT NULL DEFAULT 1;
