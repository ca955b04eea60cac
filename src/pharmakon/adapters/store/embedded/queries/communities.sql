-- name: edges
-- conditional: true where a clause of its own must hold, not only where a modifier's does
SELECT id, subject, relation, object, tier,
       EXISTS (SELECT 1 FROM condition WHERE condition.statement = statement.no AND then_tier IS NULL)
FROM statement
WHERE relation IN (SELECT value FROM json_each(:relations)) AND object IS NOT NULL AND NOT negative
  AND retired_in IS NULL
ORDER BY id;

-- name: labels
-- for each concept and language the preferred name, else the first
SELECT concept, lang, text FROM concept_name
WHERE concept IN (SELECT id FROM concept WHERE merged_into IS NULL)
ORDER BY concept, lang, kind <> 'preferred', no;

-- name: seen
SELECT change_no FROM seen WHERE name = 'communities';

-- name: saw
INSERT INTO seen (name, change_no) VALUES ('communities', :change_no)
ON CONFLICT (name) DO UPDATE SET change_no = excluded.change_no;

-- name: state
SELECT recipe FROM community_state;

-- name: set_state
INSERT INTO community_state (no, recipe) VALUES (1, :recipe)
ON CONFLICT (no) DO UPDATE SET recipe = excluded.recipe;

-- name: communities
SELECT id, level, parent, digest FROM community ORDER BY level, id;

-- name: members
SELECT community, concept FROM community_member ORDER BY community, concept;

-- name: drop
DELETE FROM community WHERE id IN (SELECT value FROM json_each(:ids));

-- name: put
-- one that stays may have come under another
INSERT INTO community (id, level, parent, digest) VALUES (?, ?, ?, ?)
ON CONFLICT (id) DO UPDATE SET level = excluded.level, parent = excluded.parent;

-- name: put_member
INSERT INTO community_member (community, concept) VALUES (?, ?);

-- name: drop_summary
DELETE FROM community_summary WHERE community = :community AND lang = :lang;

-- name: put_summary
INSERT INTO community_summary (community, lang, title, proposer) VALUES (:community, :lang, :title, :proposer);

-- name: put_sentence
INSERT INTO community_sentence (summary, position, text, statements) VALUES (?, ?, ?, ?);

-- name: summaries
-- of sentences those that every statement of is live: a summary may lag, what it says may not
SELECT community_summary.no, community, lang, title, proposer, community_sentence.text, community_sentence.statements
FROM community_summary LEFT JOIN community_sentence
  ON community_sentence.summary = community_summary.no AND NOT EXISTS (
    SELECT 1 FROM json_each(community_sentence.statements) AS said
    LEFT JOIN statement ON statement.id = said.value AND statement.retired_in IS NULL
    WHERE statement.no IS NULL)
WHERE community_summary.no IN (SELECT value FROM json_each(:nos))
ORDER BY community_summary.no, community_sentence.position;

-- name: numbers
-- of summaries, by language and community
SELECT no FROM community_summary
WHERE lang IN (SELECT value FROM json_each(:langs))
  AND (:every OR community IN (SELECT value FROM json_each(:ids)))
ORDER BY community, lang;

-- name: pending
SELECT no FROM community_summary
WHERE NOT EXISTS (SELECT 1 FROM community_vector WHERE summary = no AND model = :model) ORDER BY no LIMIT :limit;

-- name: put_vector
INSERT INTO community_vector (summary, model, value) VALUES (?, ?, ?) ON CONFLICT (summary, model) DO NOTHING;

-- name: vectors
SELECT community, lang, value FROM community_vector JOIN community_summary ON no = summary
WHERE model = :model ORDER BY no;

-- name: homes
SELECT concept, community FROM community_member JOIN community ON id = community
WHERE concept IN (SELECT value FROM json_each(:concepts)) ORDER BY concept, level;
