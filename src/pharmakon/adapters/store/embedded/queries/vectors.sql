-- name: model
SELECT no, dimension, revision FROM embedding_model WHERE name = :name;

-- name: new_model
INSERT INTO embedding_model (name, dimension) VALUES (:name, :dimension);

-- name: models
SELECT name, dimension, (SELECT count(*) FROM vector WHERE vector.model = embedding_model.no) FROM embedding_model ORDER BY no;

-- name: pending
SELECT passage.hash, document.title, section.heading,
       substr(section.text, passage.start + 1, passage.stop - passage.start)
FROM passage JOIN section ON section.no = passage.section JOIN document ON document.no = section.document
WHERE passage.no IN (
  SELECT min(no) FROM passage
  WHERE NOT EXISTS (SELECT 1 FROM vector WHERE vector.model = :model AND vector.hash = passage.hash) GROUP BY hash)
ORDER BY passage.no LIMIT :limit;

-- name: how_many
SELECT count(DISTINCT passage.hash),
       count(DISTINCT CASE WHEN vector.no IS NOT NULL THEN passage.hash END)
FROM passage LEFT JOIN vector ON vector.model = :model AND vector.hash = passage.hash;

-- name: put
INSERT INTO vector (model, hash, value) VALUES (?, ?, ?) ON CONFLICT (model, hash) DO NOTHING;

-- name: state
-- the last number, and how many there are after :upto
SELECT coalesce(max(no), 0), coalesce(sum(no > :upto), 0) FROM vector WHERE model = :model;

-- name: changed
UPDATE embedding_model SET revision = revision + 1 WHERE :model IN (0, no);

-- name: values
SELECT no, value FROM vector WHERE model = :model AND no > :after ORDER BY no;

-- name: passages_of
SELECT passage.no, hit.value ->> 1
FROM json_each(:hits) AS hit JOIN vector ON vector.no = hit.value ->> 0 JOIN passage ON passage.hash = vector.hash;

-- name: drop_unused
DELETE FROM vector WHERE NOT EXISTS (SELECT 1 FROM passage WHERE passage.hash = vector.hash);
