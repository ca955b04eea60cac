-- name: ancestors
-- the closure of the asked and of everything above them, so that a chain can be followed step by step
SELECT descendant, ancestor, depth, parent, statement.id
FROM closure JOIN statement ON statement.no = closure.statement
WHERE descendant IN (
  SELECT value FROM json_each(:concepts)
  UNION SELECT ancestor FROM closure WHERE descendant IN (SELECT value FROM json_each(:concepts))
);

-- name: descendants
SELECT descendant FROM closure WHERE ancestor = :concept;

-- name: links
SELECT subject, object, id FROM statement
WHERE subject IN (SELECT value FROM json_each(:subjects)) AND relation IN (SELECT value FROM json_each(:relations))
  AND object IS NOT NULL AND retired_in IS NULL;

-- name: neighbours
SELECT subject, relation, object, id FROM statement
WHERE subject = :concept AND object IS NOT NULL AND NOT negative AND retired_in IS NULL
  AND relation IN (SELECT value FROM json_each(:relations))
UNION
SELECT subject, relation, object, id FROM statement
WHERE object = :concept AND NOT negative AND retired_in IS NULL
  AND relation IN (SELECT value FROM json_each(:relations))
ORDER BY 1, 2, 3, 4;
