-- name: redirects
WITH RECURSIVE target (id, into_id) AS (
  SELECT id, merged_into FROM concept WHERE merged_into IS NOT NULL
  UNION ALL
  SELECT target.id, concept.merged_into FROM target JOIN concept ON concept.id = target.into_id
  WHERE concept.merged_into IS NOT NULL
)
SELECT target.id, target.into_id FROM target JOIN concept ON concept.id = target.into_id
WHERE concept.merged_into IS NULL;

-- name: by_name
SELECT folded, concept, text, lang, kind FROM concept_name
WHERE folded IN (SELECT value FROM json_each(:folded)) ORDER BY folded, concept, no;

-- name: by_code
-- :codes is a list of [system, plain]
SELECT DISTINCT concept_code.system, concept_code.plain, concept_code.prefix, concept_code.concept
FROM json_each(:codes) AS asked
CROSS JOIN concept_code ON concept_code.system = json_extract(asked.value, '$[0]') AND concept_code.plain = json_extract(asked.value, '$[1]')
ORDER BY concept_code.concept;

-- name: names
SELECT folded, concept, text, lang, concept_name.kind FROM concept_name JOIN concept ON concept.id = concept_name.concept
WHERE concept.kind IN (SELECT value FROM json_each(:kinds)) ORDER BY folded, concept, no;

-- name: concepts
SELECT id, covered FROM concept WHERE merged_into IS NULL AND id IN (SELECT value FROM json_each(:ids));

-- name: names_of
SELECT concept, text, lang, kind FROM concept_name WHERE concept IN (SELECT value FROM json_each(:ids)) ORDER BY no;

-- name: codes_of
SELECT concept, system, value, prefix FROM concept_code WHERE concept IN (SELECT value FROM json_each(:ids)) ORDER BY no;
