-- name: about
SELECT no, id, subject, relation, object, negative, risk, tier, limit_value, limit_unit, limit_per, strength, first_true,
       mechanism, effect, management, retired_in
FROM statement
WHERE subject IN (SELECT value FROM json_each(:subjects)) AND relation IN (SELECT value FROM json_each(:relations))
  AND retired_in IS NULL;

-- name: by_id
SELECT no, id, subject, relation, object, negative, risk, tier, limit_value, limit_unit, limit_per, strength, first_true,
       mechanism, effect, management, retired_in
FROM statement WHERE id IN (SELECT value FROM json_each(:ids));

-- name: conditions
SELECT statement, clause, position, factor, op, number, vals, of, negated, text, then_tier, management
FROM condition WHERE statement IN (SELECT value FROM json_each(:nos)) ORDER BY statement, clause, position;

-- name: exclusions
SELECT statement, concept FROM exclusion WHERE statement IN (SELECT value FROM json_each(:nos));

-- name: evidence
SELECT evidence.statement, document.id, document.version, document.kind, section.kind, section.ord, evidence.start,
       evidence.stop, evidence.quote, evidence.proposer, document.title, document.dated, citation.no, citation.title, citation.reference,
       citation.section, citation.locator, citation.url, citation.read
FROM evidence
CROSS JOIN section ON section.no = evidence.section
CROSS JOIN document ON document.no = section.document
LEFT JOIN citation ON citation.no = evidence.citation
WHERE evidence.statement IN (SELECT value FROM json_each(:nos)) AND evidence.retired_in IS NULL
ORDER BY evidence.statement, evidence.no;

-- name: mentioning
-- live statements that speak of a concept anywhere
SELECT statement.id FROM statement WHERE subject = :concept AND retired_in IS NULL
UNION SELECT statement.id FROM statement WHERE object = :concept AND retired_in IS NULL
UNION SELECT statement.id FROM statement JOIN exclusion ON exclusion.statement = statement.no
  WHERE exclusion.concept = :concept AND retired_in IS NULL
UNION SELECT statement.id FROM statement JOIN condition ON condition.statement = statement.no
  WHERE retired_in IS NULL AND EXISTS (SELECT 1 FROM json_each(condition.vals) AS token WHERE token.value = :concept)
ORDER BY 1;
