-- name: state
SELECT state FROM change WHERE no = :no;

-- name: stats
SELECT 'concepts', count(*) FROM concept WHERE merged_into IS NULL
UNION ALL SELECT 'names', count(*) FROM concept_name
UNION ALL SELECT 'codes', count(*) FROM concept_code
UNION ALL SELECT 'documents', count(*) FROM document WHERE retired_in IS NULL
UNION ALL SELECT 'sections', count(*) FROM section JOIN document ON document.no = section.document WHERE retired_in IS NULL
UNION ALL SELECT 'statements', count(*) FROM statement WHERE retired_in IS NULL
UNION ALL SELECT 'evidence', count(*) FROM evidence WHERE retired_in IS NULL
UNION ALL SELECT 'retired_statements', count(*) FROM statement WHERE retired_in IS NOT NULL
UNION ALL SELECT 'changes', count(*) FROM change;

-- name: quotations
SELECT evidence.no, section.no, document.id, document.version, document.kind, section.kind, section.ord, evidence.start,
       evidence.stop, evidence.quote, evidence.proposer, section.text
FROM section
CROSS JOIN document ON document.no = section.document
CROSS JOIN evidence ON evidence.section = section.no
WHERE evidence.retired_in IS NULL;

-- name: unsupported
SELECT id FROM statement WHERE retired_in IS NULL
  AND NOT EXISTS (SELECT 1 FROM evidence WHERE evidence.statement = statement.no AND evidence.retired_in IS NULL);

-- name: stale
SELECT DISTINCT statement.id FROM document
CROSS JOIN section ON section.document = document.no
CROSS JOIN evidence ON evidence.section = section.no
CROSS JOIN statement ON statement.no = evidence.statement
WHERE document.retired_in IS NOT NULL AND evidence.retired_in IS NULL;

-- name: of_merged
SELECT statement.id FROM statement JOIN concept ON concept.id IN (statement.subject, statement.object)
WHERE statement.retired_in IS NULL AND concept.merged_into IS NOT NULL;

-- name: of_nameless
SELECT statement.id FROM statement JOIN concept ON concept.id IN (statement.subject, statement.object)
WHERE statement.retired_in IS NULL AND NOT EXISTS (SELECT 1 FROM concept_name WHERE concept_name.concept = concept.id);

-- name: closure
SELECT descendant, ancestor, depth, parent, statement FROM closure;

-- name: passages
SELECT no FROM passage;
