-- name: documents
SELECT id, version, title FROM document WHERE retired_in IS NULL ORDER BY id;

-- name: document
SELECT no, id, version, kind, lang, title, hash, dated FROM document WHERE id = :id AND retired_in IS NULL;

-- name: same_text
SELECT id FROM document WHERE hash = :hash AND retired_in IS NULL ORDER BY no LIMIT 1;

-- name: sections
SELECT ord, kind, heading, text, level FROM section WHERE document = :document ORDER BY ord;

-- name: section
-- of the live text of this version if there is one, else of the one retired last
SELECT section.ord, section.kind, section.heading, section.text, section.level
FROM document JOIN section ON section.document = document.no
WHERE document.id = :document AND document.version = :version AND section.ord = :ord
ORDER BY document.retired_in IS NOT NULL, document.retired_in DESC LIMIT 1;

-- name: words_seen
SELECT change_no FROM seen WHERE name = 'words';

-- name: traces
WITH mine (no) AS (SELECT section.no FROM section JOIN document ON document.no = section.document WHERE document.id = :id),
     said (no) AS (SELECT DISTINCT statement FROM evidence WHERE section IN (SELECT no FROM mine))
SELECT 'versions', count(*) FROM document WHERE id = :id
UNION ALL SELECT 'sections', count(*) FROM mine
UNION ALL SELECT 'quotations', count(*) FROM evidence WHERE section IN (SELECT no FROM mine)
UNION ALL SELECT 'statements', count(*) FROM said
UNION ALL SELECT 'statements of no other document', count(*) FROM said WHERE NOT EXISTS (
  SELECT 1 FROM evidence WHERE evidence.statement = said.no AND evidence.section NOT IN (SELECT no FROM mine))
UNION ALL SELECT 'names', count(*) FROM name_given WHERE document = :id
UNION ALL SELECT 'codes', count(*) FROM code_given WHERE document = :id
UNION ALL SELECT 'doubts', count(*) FROM doubt WHERE document = :id
UNION ALL SELECT 'quotations in proposals', count(*) FROM schema_quotation WHERE document = :id;

-- name: doubts
SELECT no, document, name, taken_as, candidates, why FROM doubt WHERE decided_in IS NULL ORDER BY no;
