"""The way through the graph that a conflict takes: DrugA → has_ingredient → X ← has_ingredient ← DrugB (FG-7)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache

from pharmakon.audit.report import finding_id
from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.finding import Finding
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.verify.names import Named

_LINK = " → "
#: Risk type → the relation that says it, where it is not a contraindication or a caution.
_RELATION = {
    "INTERACTION_DRUG_DRUG": "interacts_with",
    "INTERACTION_FOOD": "interacts_with",
    "DUPLICATE_THERAPY": "interacts_with",
    "INCOMPATIBILITY": "incompatible_with",
    "ALLERGY_CONFLICT": "cross_reacts_with",
    "DOSAGE_ERROR": "dose_limit",
    "FREQUENCY_ERROR": "dose_limit",
    "DOSE_ADJUSTMENT_MISSED": "dose_adjustment",
    "CUMULATIVE_BURDEN": "has_effect",
}


class PathFinder:
    """Writes paths with the names of one knowledge base."""

    def __init__(self, knowledge: KnowledgeBase, display: Callable[[ConceptId], str]) -> None:
        self._knowledge, self._display = knowledge, display
        self._ingredients = lru_cache(4096)(self._ingredients_of)

    def path(self, finding: Finding, names: Sequence[Named], others: Sequence[Named]) -> tuple[str, ...]:
        """Names and relations in turn; `names` are what was said, `others` what the patient has."""
        drugs = [n for n in names if n.kind == "drug"]
        sides = [self._side(n, finding) for n in drugs]
        if len(finding.drugs) == 1 and len(sides) > 1:  # one ingredient, in two packets
            return _meeting(sides[0], sides[1])
        relation = _RELATION.get(finding.type, "contraindicated_in")
        if len(sides) > 1:
            return (*sides[0], relation, *reversed(sides[1]))
        end = next((self._display(n.concept) for n in names if n.kind == "food"), "")
        return (*sides[0], relation, end or self._end(finding, others))

    def _side(self, named: Named, finding: Finding) -> tuple[str, ...]:
        """From the name that was written through its ingredient up the classes that the finding went through."""
        if named.member_of:
            return _up(self._display(named.member_of), finding)
        at = next((i for i in self._ingredients(named.concept) if i in finding.drugs), self._display(named.concept))
        written = () if fold(named.words) == fold(at) or not named.words else (named.words, "has_ingredient")
        return (*written, *_up(at, finding))

    def _ingredients_of(self, drug: ConceptId) -> list[str]:
        if kind_of(drug) == "ingredient":
            return [self._display(drug)]
        return [self._display(s.object) for s in self._knowledge.about({drug}, ("has_ingredient",)) if s.object]

    def _end(self, finding: Finding, others: Sequence[Named]) -> str:
        """What the drug runs into: the condition whose rule this is, else what was said of the patient."""
        conditions = [n.concept for n in others if n.kind == "condition"]
        for above in self._knowledge.ancestors(set(conditions)).values():
            for concept in above:
                if finding_id(finding.type, finding.drugs, concept) == finding.id:
                    return self._display(concept)
        said = [n.words for n in others if n.kind in ("person", "condition", "allergen")]
        return said[0] if said else finding.summary


def _up(name: str, finding: Finding) -> tuple[str, ...]:
    """`name` and the classes above it by which the finding reached it."""
    steps = dict(line.split(_LINK, 1) for line in finding.chain if _LINK in line)
    way = [name]
    while way[-1] in steps and steps[way[-1]] not in way:
        way += ["belongs_to", steps[way[-1]]]
    return tuple(way)


def _meeting(left: tuple[str, ...], right: tuple[str, ...]) -> tuple[str, ...]:
    """Two ways that end at one name, as one."""
    return (*left, *reversed(right[:-1])) if left[-1] == right[-1] else (*left, "interacts_with", *reversed(right))
