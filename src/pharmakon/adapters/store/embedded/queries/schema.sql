-- name: entries
SELECT version, kind, key, body, proposal, decided_by, change_no, change.at
FROM schema_entry JOIN change ON change.no = change_no ORDER BY version;

-- name: proposals
SELECT no, kind, key, body, pattern, why, documents, proposer, status, decided_in, decided_by, reason
FROM schema_proposal ORDER BY documents DESC, no;

-- name: quotations
SELECT proposal, document, version, ord, start, stop, quote FROM schema_quotation
ORDER BY proposal, document, version, ord, start;

-- name: same_gap
SELECT no, status FROM schema_proposal WHERE kind = :kind AND pattern = :pattern;

-- name: propose
INSERT INTO schema_proposal (kind, pattern, key, body, why, proposer, documents, status, created_in)
VALUES (:kind, :pattern, :key, :body, :why, :proposer, :documents, 'open', :no);

-- name: propose_again
UPDATE schema_proposal SET documents = :documents WHERE no = :proposal;

-- name: drop_quotations
DELETE FROM schema_quotation WHERE proposal = :proposal;

-- name: quotation
INSERT INTO schema_quotation (proposal, document, version, ord, start, stop, quote) VALUES (?, ?, ?, ?, ?, ?, ?)
ON CONFLICT DO NOTHING;

-- name: waiting
SELECT kind, key, body FROM schema_proposal WHERE no = :proposal AND status IN ('open', 'revised');

-- name: revise
UPDATE schema_proposal SET key = :key, body = :body, kind = :kind, status = 'revised' WHERE no = :proposal;

-- name: close
UPDATE schema_proposal SET status = :status, decided_in = :no, decided_by = :actor, reason = :why WHERE no = :proposal;

-- name: entry
INSERT INTO schema_entry (version, kind, key, body, proposal, decided_by, change_no)
SELECT ifnull(max(version), 0) + 1, :kind, :key, :body, :proposal, :actor, :no FROM schema_entry;

-- name: forget_quotations
DELETE FROM schema_quotation WHERE document = :id;

-- name: misquoted
-- of documents that were only read beside the knowledge base there is nothing to hold a quotation against
SELECT proposal, document, start, stop FROM schema_quotation AS q
WHERE EXISTS (SELECT 1 FROM document WHERE id = q.document AND version = q.version)
  AND NOT EXISTS (
    SELECT 1 FROM document JOIN section ON section.document = document.no
    WHERE document.id = q.document AND document.version = q.version AND section.ord = q.ord
      AND substr(section.text, q.start + 1, q.stop - q.start) = q.quote)
ORDER BY 1, 2, 3;

-- name: subjects
-- whom the statements are about that a live document supports, the most frequent first
SELECT document.id, statement.subject, count(*)
FROM document JOIN section ON section.document = document.no
JOIN evidence ON evidence.section = section.no AND evidence.retired_in IS NULL
JOIN statement ON statement.no = evidence.statement
WHERE document.retired_in IS NULL AND document.kind = :kind
GROUP BY 1, 2 ORDER BY 1, 3 DESC, 2;

-- name: quoted
SELECT section.ord, evidence.start, evidence.stop
FROM document JOIN section ON section.document = document.no
JOIN evidence ON evidence.section = section.no AND evidence.retired_in IS NULL
WHERE document.retired_in IS NULL AND document.id = :id ORDER BY 1, 2, 3;
