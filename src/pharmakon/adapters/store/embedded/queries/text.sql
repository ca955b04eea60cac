-- name: documents
SELECT id, version, title FROM document WHERE retired_in IS NULL ORDER BY id;

-- name: document
SELECT no, id, version, kind, lang, title, hash FROM document WHERE id = :id AND retired_in IS NULL;

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

-- name: search
SELECT document.id, document.version, section.ord, section.kind, section.text, -bm25(words) AS score
FROM words JOIN section ON section.no = words.rowid JOIN document ON document.no = section.document
WHERE words MATCH :match ORDER BY bm25(words), document.id, section.ord LIMIT :limit;

-- name: live_sections
SELECT document.id, document.version, section.ord, section.kind, section.heading, section.text
FROM document JOIN section ON section.document = document.no
WHERE document.retired_in IS NULL ORDER BY document.id, section.ord;

-- name: words_seen
SELECT change_no FROM seen WHERE name = 'words';
