// name: concepts
CREATE NODE TABLE Concept (id STRING PRIMARY KEY, kind STRING, name STRING);

// name: state
CREATE NODE TABLE State (change_no INT64 PRIMARY KEY);

// name: seen
CREATE (:State {change_no: $change_no});

// name: change_no
MATCH (state:State) RETURN state.change_no;

// name: vertices
MATCH (concept:Concept) RETURN concept.id, concept.kind;

// name: edges
MATCH (subject:Concept)-[edge]->(object:Concept)
RETURN subject.id, label(edge), object.id, edge.statement, edge.negative;
