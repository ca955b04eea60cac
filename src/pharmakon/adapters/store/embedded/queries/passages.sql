-- name: of_document
-- what the word index holds of one document
SELECT passage.no, document.title, section.heading, substr(section.text, passage.start + 1, passage.stop - passage.start)
FROM document JOIN section ON section.document = document.no JOIN passage ON passage.section = section.no
WHERE document.no = :document;

-- name: everything
SELECT passage.no, document.title, section.heading, substr(section.text, passage.start + 1, passage.stop - passage.start)
FROM passage JOIN section ON section.no = passage.section JOIN document ON document.no = section.document;

-- name: sections_of
SELECT section.no, document.title, section.heading, section.text
FROM section JOIN document ON document.no = section.document WHERE document.no = :document;

-- name: live_sections
SELECT section.no, document.title, section.heading, section.text
FROM section JOIN document ON document.no = section.document WHERE document.retired_in IS NULL ORDER BY section.no;

-- name: any_live
SELECT 1 FROM section JOIN document ON document.no = section.document
WHERE document.retired_in IS NULL AND trim(section.text, char(10) || ' ') <> '' LIMIT 1;

-- name: put
INSERT INTO passage (section, start, stop, hash) VALUES (?, ?, ?, ?);

-- name: drop_of
DELETE FROM passage WHERE section IN (SELECT no FROM section WHERE document = :document);

-- name: drop_all
DELETE FROM passage;

-- name: count
SELECT count(*) FROM passage;

-- name: found
SELECT passage.no, document.id, document.version, document.kind, document.lang, document.title, section.ord,
       section.kind, section.heading, passage.start, passage.stop,
       substr(section.text, passage.start + 1, passage.stop - passage.start), hit.value ->> 1
FROM json_each(:hits) AS hit JOIN passage ON passage.no = hit.value ->> 0
JOIN section ON section.no = passage.section JOIN document ON document.no = section.document
ORDER BY hit.value ->> 1 DESC, passage.no;

-- name: matching
-- the plus keeps the numbers from being looked up one by one; `rank` would score what they leave out
WITH few AS MATERIALIZED (SELECT rowid AS no FROM words WHERE words MATCH :scored)
SELECT rowid, -bm25(words) AS score FROM words WHERE words MATCH :match AND +rowid IN (SELECT no FROM few)
ORDER BY score DESC, rowid LIMIT :limit;

-- name: of_documents
SELECT passage.no, document.id, document.version, document.kind, document.lang, document.title, section.ord,
       section.kind, section.heading, passage.start, passage.stop,
       substr(section.text, passage.start + 1, passage.stop - passage.start)
FROM json_each(:documents) AS wanted JOIN document ON document.id = wanted.value AND document.retired_in IS NULL
JOIN section ON section.document = document.no JOIN passage ON passage.section = section.no
ORDER BY document.id, section.ord, passage.start;

-- name: live_texts
SELECT passage.no, document.title || char(10) || section.heading || char(10)
       || substr(section.text, passage.start + 1, passage.stop - passage.start)
FROM passage JOIN section ON section.no = passage.section JOIN document ON document.no = section.document;

-- name: misplaced
-- sections that are live and have a text no passage covers, and passages of what is not live
SELECT 'section ' || section.no || ' is live and not cut into passages'
FROM section JOIN document ON document.no = section.document
WHERE document.retired_in IS NULL AND trim(section.text, char(10) || ' ') <> ''
  AND NOT EXISTS (SELECT 1 FROM passage WHERE passage.section = section.no)
UNION ALL
SELECT 'passage ' || passage.no || ' is of a retired document'
FROM passage JOIN section ON section.no = passage.section JOIN document ON document.no = section.document
WHERE document.retired_in IS NOT NULL;
