-- name: vertices
SELECT concept.id, concept.kind,
  (SELECT text FROM concept_name WHERE concept_name.concept = concept.id
   ORDER BY NOT (concept_name.kind = 'preferred' AND lang = 'en'), no LIMIT 1)
FROM concept WHERE merged_into IS NULL ORDER BY concept.id;

-- name: edges
SELECT relation, subject, object, id, negative FROM statement
WHERE relation IN (SELECT value FROM json_each(:relations)) AND object IS NOT NULL AND retired_in IS NULL;
