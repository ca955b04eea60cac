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
INSERT INTO concept_name (concept, text, lang, kind, folded, by_hand) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (concept, text, lang, kind) DO UPDATE SET by_hand = max(by_hand, excluded.by_hand);

-- name: code
INSERT INTO concept_code (concept, system, value, plain, prefix, by_hand) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT (concept, system, value) DO UPDATE
SET prefix = max(prefix, excluded.prefix), by_hand = max(by_hand, excluded.by_hand);

-- name: drop_names_by_hand
DELETE FROM concept_name WHERE concept = ? AND NOT EXISTS (SELECT 1 FROM name_given WHERE name = concept_name.no);

-- name: drop_codes_by_hand
DELETE FROM concept_code WHERE concept = ? AND NOT EXISTS (SELECT 1 FROM code_given WHERE code = concept_code.no);

-- name: unhand_names
UPDATE concept_name SET by_hand = 0 WHERE concept = ?;

-- name: unhand_codes
UPDATE concept_code SET by_hand = 0 WHERE concept = ?;

-- name: name_given
INSERT INTO name_given (name, document)
SELECT no, ?1 FROM concept_name WHERE concept = ?2 AND text = ?3 AND lang = ?4 AND kind = ?5 ON CONFLICT DO NOTHING;

-- name: code_given
INSERT INTO code_given (code, document)
SELECT no, ?1 FROM concept_code WHERE concept = ?2 AND system = ?3 AND value = ?4 ON CONFLICT DO NOTHING;

-- name: nameless
SELECT value FROM json_each(:ids)
WHERE NOT EXISTS (SELECT 1 FROM concept_name WHERE concept = value) ORDER BY value;

-- name: forget_given_names
DELETE FROM name_given WHERE document IN (SELECT value FROM json_each(:documents));

-- name: forget_given_codes
DELETE FROM code_given WHERE document IN (SELECT value FROM json_each(:documents));

-- name: unheld_concepts
SELECT concept FROM concept_name
WHERE by_hand = 0 AND NOT EXISTS (SELECT 1 FROM name_given WHERE name = concept_name.no)
UNION SELECT concept FROM concept_code
WHERE by_hand = 0 AND NOT EXISTS (SELECT 1 FROM code_given WHERE code = concept_code.no);

-- name: drop_unheld_names
DELETE FROM concept_name
WHERE by_hand = 0 AND NOT EXISTS (SELECT 1 FROM name_given WHERE name = concept_name.no);

-- name: drop_unheld_codes
DELETE FROM concept_code
WHERE by_hand = 0 AND NOT EXISTS (SELECT 1 FROM code_given WHERE code = concept_code.no);

-- name: drop_empty_concepts
-- of :ids, those without a name that nothing speaks of; a merged one stays as a redirect
DELETE FROM concept WHERE id IN (SELECT value FROM json_each(:ids)) AND merged_into IS NULL
  AND NOT EXISTS (SELECT 1 FROM concept_name WHERE concept = concept.id)
  AND NOT EXISTS (SELECT 1 FROM concept_code WHERE concept = concept.id)
  AND NOT EXISTS (SELECT 1 FROM concept AS old WHERE old.merged_into = concept.id)
  AND NOT EXISTS (SELECT 1 FROM statement WHERE subject = concept.id OR object = concept.id)
  AND NOT EXISTS (SELECT 1 FROM exclusion WHERE exclusion.concept = concept.id)
  AND NOT EXISTS (SELECT 1 FROM doubt WHERE taken_as = concept.id);

-- name: doubt
INSERT INTO doubt (document, name, taken_as, candidates, why, created_in) VALUES (?, ?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING;

-- name: decide_doubt
UPDATE doubt SET decided_in = :no, decision = :decision WHERE no = :doubt AND decided_in IS NULL;

-- name: move_names
UPDATE OR IGNORE concept_name SET concept = :into WHERE concept = :old;

-- name: take_hands_of_names
UPDATE concept_name SET by_hand = 1 WHERE concept = :into AND EXISTS (
  SELECT 1 FROM concept_name AS old WHERE old.concept = :old AND old.by_hand
    AND (old.text, old.lang, old.kind) = (concept_name.text, concept_name.lang, concept_name.kind));

-- name: take_givers_of_names
INSERT INTO name_given (name, document)
SELECT kept.no, document FROM name_given JOIN concept_name AS old ON old.no = name AND old.concept = :old
JOIN concept_name AS kept
  ON kept.concept = :into AND (kept.text, kept.lang, kept.kind) = (old.text, old.lang, old.kind)
WHERE true ON CONFLICT DO NOTHING;

-- name: drop_givers_of_names
DELETE FROM name_given WHERE name IN (SELECT no FROM concept_name WHERE concept = :old);

-- name: drop_names
DELETE FROM concept_name WHERE concept = :old;

-- name: move_codes
UPDATE OR IGNORE concept_code SET concept = :into WHERE concept = :old;

-- name: take_hands_of_codes
UPDATE concept_code SET by_hand = 1 WHERE concept = :into AND EXISTS (
  SELECT 1 FROM concept_code AS old WHERE old.concept = :old AND old.by_hand
    AND (old.system, old.value) = (concept_code.system, concept_code.value));

-- name: take_givers_of_codes
INSERT INTO code_given (code, document)
SELECT kept.no, document FROM code_given JOIN concept_code AS old ON old.no = code AND old.concept = :old
JOIN concept_code AS kept ON kept.concept = :into AND (kept.system, kept.value) = (old.system, old.value)
WHERE true ON CONFLICT DO NOTHING;

-- name: drop_givers_of_codes
DELETE FROM code_given WHERE code IN (SELECT no FROM concept_code WHERE concept = :old);

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
INSERT INTO document (id, version, kind, lang, title, hash, dated, created_in)
VALUES (:id, :version, :kind, :lang, :title, :hash, :dated, :created_in);

-- name: section
INSERT INTO section (document, ord, kind, heading, text, level) VALUES (?, ?, ?, ?, ?, ?);

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

-- name: any_document
SELECT 1 FROM document WHERE id = :id UNION ALL SELECT 1 FROM schema_quotation WHERE document = :id LIMIT 1;

-- name: supported_ever
SELECT DISTINCT statement FROM evidence
WHERE section IN (SELECT section.no FROM section JOIN document ON document.no = section.document WHERE document.id = :id);

-- name: cited_by_document
SELECT DISTINCT citation FROM evidence WHERE citation IS NOT NULL
  AND section IN (SELECT section.no FROM section JOIN document ON document.no = section.document WHERE document.id = :id);

-- name: purge_evidence
DELETE FROM evidence
WHERE section IN (SELECT section.no FROM section JOIN document ON document.no = section.document WHERE document.id = :id);

-- name: purge_sections
DELETE FROM section WHERE document IN (SELECT no FROM document WHERE id = :id);

-- name: purge_document
DELETE FROM document WHERE id = :id;

-- name: purge_doubts
DELETE FROM doubt WHERE document = :id;

-- name: uncover
UPDATE concept SET covered = 'thin' WHERE covered = 'deep' AND 'monograph-' || replace(id, ':', '-') = :id;

-- name: unquoted
SELECT no FROM statement WHERE no IN (SELECT value FROM json_each(:nos))
  AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.statement = statement.no);

-- name: purge_conditions
DELETE FROM condition WHERE statement IN (SELECT value FROM json_each(:nos));

-- name: purge_exclusions
DELETE FROM exclusion WHERE statement IN (SELECT value FROM json_each(:nos));

-- name: purge_statements
DELETE FROM statement WHERE no IN (SELECT value FROM json_each(:nos));

-- name: purge_citations
DELETE FROM citation WHERE no IN (SELECT value FROM json_each(:nos))
  AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.citation = citation.no);
