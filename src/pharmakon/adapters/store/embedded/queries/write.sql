-- name: next_change
SELECT ifnull(max(no), 0) + 1, (SELECT state FROM change ORDER BY no DESC LIMIT 1) FROM change;

-- name: change
INSERT INTO change (no, at, actor, why, state) VALUES (:no, :at, :actor, :why, '');

-- name: change_state
UPDATE change SET state = :state WHERE no = :no;

-- name: known_concepts
SELECT id FROM concept WHERE id IN (SELECT value FROM json_each(:ids));

-- name: concept
INSERT INTO concept (id, kind, covered, created_in) VALUES (?, ?, ?, ?) ON CONFLICT (id) DO NOTHING;

-- name: covered
UPDATE concept SET covered = :covered WHERE id = :id;

-- name: name
INSERT INTO concept_name (concept, text, lang, kind, folded) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (concept, text, lang, kind) DO NOTHING;

-- name: drop_names_of
DELETE FROM concept_name WHERE concept = ?;

-- name: drop_codes_of
DELETE FROM concept_code WHERE concept = ?;

-- name: code
INSERT INTO concept_code (concept, system, value, plain, prefix) VALUES (?, ?, ?, ?, ?)
ON CONFLICT (concept, system, value) DO UPDATE SET prefix = max(prefix, excluded.prefix);

-- name: move_names
UPDATE OR IGNORE concept_name SET concept = :into WHERE concept = :old;

-- name: drop_names
DELETE FROM concept_name WHERE concept = :old;

-- name: move_codes
UPDATE OR IGNORE concept_code SET concept = :into WHERE concept = :old;

-- name: drop_codes
DELETE FROM concept_code WHERE concept = :old;

-- name: merge
UPDATE concept SET merged_into = :into WHERE id = :old;

-- name: live_document
SELECT no, version, hash FROM document WHERE id = :id AND retired_in IS NULL;

-- name: same_document
SELECT no FROM document WHERE id = :id AND version = :version AND hash = :hash;

-- name: retire_document
UPDATE document SET retired_in = :no WHERE no = :document;

-- name: revive_document
UPDATE document SET retired_in = NULL WHERE no = :document;

-- name: document
INSERT INTO document (id, version, kind, lang, title, hash, created_in)
VALUES (:id, :version, :kind, :lang, :title, :hash, :created_in);

-- name: section
INSERT INTO section (document, ord, kind, heading, text, level) VALUES (?, ?, ?, ?, ?, ?);

-- name: section_words
SELECT no, heading || char(10) || text FROM section WHERE document = :document;

-- name: retire_evidence_of_document
UPDATE evidence SET retired_in = :no
WHERE section IN (SELECT no FROM section WHERE document = :document) AND retired_in IS NULL;

-- name: supported_by_document
SELECT DISTINCT statement FROM evidence WHERE section IN (SELECT no FROM section WHERE document = :document);

-- name: quotable
-- :documents is a list of [id, version]; only what is live may be quoted
SELECT document.id, document.version, section.no, section.ord, section.text
FROM json_each(:documents) AS asked
CROSS JOIN document ON document.id = json_extract(asked.value, '$[0]')
  AND document.version = json_extract(asked.value, '$[1]') AND document.retired_in IS NULL
JOIN section ON section.document = document.no;

-- name: next_statement
SELECT ifnull(max(no), 0) + 1 FROM statement;

-- name: statement
INSERT INTO statement (no, id, subject, relation, object, negative, risk, tier, limit_value, limit_unit, limit_per, strength,
                       first_true, mechanism, effect, management, created_in)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: wording
UPDATE statement SET mechanism = :mechanism, effect = :effect, management = :management WHERE no = :no;

-- name: drop_conditions
DELETE FROM condition WHERE statement = :no;

-- name: condition
INSERT INTO condition (statement, clause, position, factor, op, number, vals, of, negated, text, then_tier, management)
VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?);

-- name: exclusion
INSERT INTO exclusion (statement, concept) VALUES (?, ?);

-- name: citation
INSERT INTO citation (title, reference, section, locator, url, read) VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT DO NOTHING;

-- name: citation_no
SELECT no FROM citation WHERE title = ? AND reference = ? AND section = ? AND locator = ? AND url = ? AND read = ?;

-- name: evidence
INSERT INTO evidence (statement, section, start, stop, quote, proposer, citation, created_in) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
ON CONFLICT (statement, section, start, stop, proposer, ifnull(citation, 0)) DO UPDATE SET retired_in = NULL;

-- name: revive_statements
UPDATE statement SET retired_in = NULL WHERE no IN (SELECT value FROM json_each(:nos));

-- name: unsupported
SELECT no, subject, relation FROM statement
WHERE no IN (SELECT value FROM json_each(:nos)) AND retired_in IS NULL
  AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.statement = statement.no AND evidence.retired_in IS NULL);

-- name: retire_statements
UPDATE statement SET retired_in = :no WHERE no IN (SELECT value FROM json_each(:nos));

-- name: retire_evidence_of_statements
UPDATE evidence SET retired_in = :no WHERE statement IN (SELECT value FROM json_each(:nos)) AND retired_in IS NULL;

-- name: below
SELECT descendant FROM closure WHERE ancestor IN (SELECT value FROM json_each(:concepts));

-- name: edges_of
SELECT subject, object, id, no FROM statement
WHERE subject IN (SELECT value FROM json_each(:concepts)) AND relation IN (SELECT value FROM json_each(:relations))
  AND NOT negative AND object IS NOT NULL AND retired_in IS NULL;

-- name: all_edges
SELECT subject, object, id, no FROM statement
WHERE relation IN (SELECT value FROM json_each(:relations))
  AND NOT negative AND object IS NOT NULL AND retired_in IS NULL;

-- name: depths_of
SELECT descendant, ancestor, depth FROM closure WHERE descendant IN (SELECT value FROM json_each(:concepts));

-- name: drop_closure_of
DELETE FROM closure WHERE descendant IN (SELECT value FROM json_each(:concepts));

-- name: drop_closure
DELETE FROM closure;

-- name: closure
INSERT INTO closure (descendant, ancestor, depth, parent, statement) VALUES (?, ?, ?, ?, ?);
