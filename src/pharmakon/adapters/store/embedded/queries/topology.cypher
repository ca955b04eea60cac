// name: ancestors
// all shortest chains; the caller takes the one that the closure table would take. Ladybug follows up to 30 steps.
MATCH chain = (child:Concept)-[step:belongs_to|is_a* ALL SHORTEST 1..30 (s, n | WHERE NOT s.negative)]->(ancestor:Concept)
WHERE child.id IN $concepts
RETURN child.id, ancestor.id, properties(nodes(chain), 'id'), properties(rels(chain), 'statement');

// name: descendants
MATCH (child:Concept)-[step:belongs_to|is_a* SHORTEST 1..30 (s, n | WHERE NOT s.negative)]->(ancestor:Concept)
WHERE ancestor.id = $concept
RETURN DISTINCT child.id;

// name: links
MATCH (subject:Concept)-[edge]->(object:Concept)
WHERE subject.id IN $subjects AND object.id IN $objects AND label(edge) IN $relations
RETURN edge.statement;

// name: neighbours
MATCH (subject:Concept)-[edge]->(object:Concept)
WHERE subject.id = $concept AND NOT edge.negative
RETURN subject.id, label(edge), object.id, edge.statement
UNION
MATCH (subject:Concept)-[edge]->(object:Concept)
WHERE object.id = $concept AND NOT edge.negative
RETURN subject.id, label(edge), object.id, edge.statement;
