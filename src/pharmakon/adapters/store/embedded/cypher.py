"""Cypher over the graph file: the topology port once more, and whatever a user asks, as long as it only reads."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from pharmakon.adapters.store.embedded.graph import Graph
from pharmakon.adapters.store.embedded.sql import queries
from pharmakon.adapters.store.embedded.topology import graph_relations, symmetric_relations
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import BadInput
from pharmakon.ports.knowledge import Step

_SQL = "topology.cypher"
_Chain = list[tuple[ConceptId, str]]
"""(parent, statement id) of every step."""


@dataclass(frozen=True, slots=True)
class CypherTopology:
    """`ports.knowledge.TopologyStore` by Cypher, of the change that the graph was built for."""

    graph: Graph
    redirects: Mapping[ConceptId, ConceptId]

    def ancestors(self, concepts: Collection[ConceptId]) -> Mapping[ConceptId, Mapping[ConceptId, Sequence[Step]]]:
        targets = {concept: self._target(concept) for concept in concepts}
        best: dict[ConceptId, dict[ConceptId, _Chain]] = {target: {} for target in targets.values()}
        if targets:
            rows = self.graph.rows(queries(_SQL)["ancestors"], {"concepts": sorted(best)})
            for child, ancestor, nodes, statements in rows:
                chain = list(zip(nodes[1:], statements, strict=True))
                known = best[child].get(ancestor)
                if known is None or chain < known:
                    best[child][ancestor] = chain
        return {concept: {target: (), **_steps(target, best[target])} for concept, target in targets.items()}

    def descendants(self, concept: ConceptId) -> frozenset[ConceptId]:
        target = self._target(concept)
        return frozenset(r[0] for r in self.graph.rows(queries(_SQL)["descendants"], {"concept": target})) | {target}

    def links(
        self, subjects: Collection[ConceptId], objects: Collection[ConceptId], relations: Collection[str]
    ) -> Sequence[str]:
        asked = graph_relations().intersection(relations)
        found = self._linked(subjects, objects, asked)
        return sorted(found | self._linked(objects, subjects, asked & symmetric_relations()))

    def neighbours(self, concept: ConceptId) -> Sequence[tuple[ConceptId, str, ConceptId, str]]:
        rows = self.graph.rows(queries(_SQL)["neighbours"], {"concept": self._target(concept)})
        return sorted((subject, relation, object, id) for subject, relation, object, id in rows)

    def _target(self, concept: ConceptId) -> ConceptId:
        return self.redirects.get(concept, concept)

    def _linked(
        self, subjects: Collection[ConceptId], objects: Collection[ConceptId], relations: Collection[str]
    ) -> set[str]:
        if not (subjects and objects and relations):
            return set()
        parameters = {
            "subjects": sorted({self._target(c) for c in subjects}),
            "objects": sorted({self._target(c) for c in objects}),
            "relations": sorted(relations),
        }
        return {row[0] for row in self.graph.rows(queries(_SQL)["links"], parameters)}


def _steps(child: ConceptId, chains: Mapping[ConceptId, _Chain]) -> dict[ConceptId, tuple[Step, ...]]:
    found: dict[ConceptId, tuple[Step, ...]] = {}
    for ancestor in sorted(chains):
        children = [child, *(parent for parent, _ in chains[ancestor])]
        found[ancestor] = tuple(
            Step(below, parent, statement)
            for below, (parent, statement) in zip(children, chains[ancestor], strict=False)
        )
    return found


# ── what a user may ask ────────────────────────────────────────────────────────────────────────────

_QUOTED = re.compile(r"""'(?:\\.|[^'\\])*'|"(?:\\.|[^"\\])*"|`[^`]*`|//[^\n\r]*|/\*.*?\*/""", re.DOTALL)
_WORD = re.compile(r"(?<![.:\w$])[A-Za-z_]\w*")
_READS = frozenset({"match", "optional", "unwind", "with", "return", "call", "explain", "profile"})
# A read-only Ladybug still copies to files, reads any file, and downloads extensions. None of these is a question.
_REFUSED = frozenset(
    {
        *("alter", "attach", "begin", "checkpoint", "comment", "commit", "copy", "create", "delete", "detach", "drop"),
        *("export", "import", "insert", "install", "load", "macro", "merge", "remove", "rollback", "set", "uninstall"),
        *("update", "use"),
    }
)
_LOADS = re.compile(r"load\s+(?:from|with|extension)\b", re.IGNORECASE)  # wherever it stands, also after a dot
_CALLS = re.compile(r"\bcall\s+(?!(?:show_tables|table_info|show_functions)\b)(\w+)", re.IGNORECASE)


def only_reads(text: str) -> str:
    """`text` if it is one reading query. Raises `BadInput` that names the word which makes it something else."""
    bare = _QUOTED.sub(" ", text).strip().rstrip(";").strip()
    words = [word.lower() for word in _WORD.findall(bare)]
    if not words or words[0] not in _READS:
        raise BadInput(f"{text.strip()[:60]!r} is no query", where="Cypher", expected="MATCH … RETURN …")
    if ";" in bare:
        raise BadInput("more than one query", where="Cypher", expected="one query at a time")
    if refused := next((word for word in words if word in _REFUSED), "load" if _LOADS.search(bare) else None):
        raise BadInput(
            f"{refused.upper()} is refused, the graph is only read", where="Cypher", expected="MATCH … RETURN …"
        )
    if call := _CALLS.search(bare):
        raise BadInput(
            f"CALL {call[1]} is refused",
            where="Cypher",
            expected="CALL show_tables(), table_info() or show_functions()",
        )
    return text
