"""Drug names as people write them, against what a reader judged each to be.

A gold line is `{"text", "kind", "ingredients": [names]}`, where `kind` is drug, carrier, supply, none or unsure. Lines
that the reader was unsure of are not scored. A carrier (fluids, dialysis solutions) is right where it is resolved to
one. A name is resolved rightly where its ingredients are the gold's, all of them and no other; a part of a combination
that is reported as not recognised makes the whole not resolved, which is no error of precision: the report says so.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pharmakon.evaluate.surveys.survey import Survey, share
from pharmakon.link.drugs import DrugLinker, DrugMatch
from pharmakon.link.names import Finder
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Text
from pharmakon.ports.knowledge import KnowledgeBase

KINDS = ("drug", "carrier", "supply", "none", "unsure")
_WITH_INGREDIENTS = ("drug", "carrier")


@dataclass(frozen=True, slots=True)
class GoldName:
    text: str
    kind: str
    ingredients: frozenset[str]


def read_gold(text: str, name: str) -> list[GoldName]:
    """Every line of the gold; raises `BadInput` with the line."""
    found: list[GoldName] = []
    for number, line in enumerate(text.splitlines(), 1):
        place = f"{name}, line {number}"
        try:
            row = json.loads(line)
            gold = GoldName(row["text"], row["kind"], frozenset(row["ingredients"]))
        except (json.JSONDecodeError, KeyError, TypeError) as error:
            raise BadInput(f"no gold name ({error})", where=place, expected="text, kind and ingredients") from None
        if gold.kind not in KINDS or (gold.kind in _WITH_INGREDIENTS) != bool(gold.ingredients):
            raise BadInput(f"kind {gold.kind!r}", where=place, expected="a drug has ingredients, all else has none")
        found.append(gold)
    return found


def survey(gold: Sequence[GoldName], knowledge: KnowledgeBase) -> Survey:
    """Every gold name through the linker that audits use."""
    linker = DrugLinker(Finder(knowledge))
    parts = _Parts(knowledge)
    counts: Counter[str] = Counter()
    failures: list[Mapping[str, Any]] = []
    seconds = 0.0
    scored = [g for g in gold if g.kind != "unsure"]
    for one in scored:
        start = time.perf_counter()
        match = linker.resolve(Text(one.text))
        seconds += time.perf_counter() - start
        resolved = isinstance(match, DrugMatch) and not match.missing
        got = parts.names(match.concepts) if isinstance(match, DrugMatch) else frozenset()
        wanted = frozenset(parts.display(i) for i in one.ingredients)
        right = resolved and (got == wanted or (one.kind == "carrier" and parts.carriers(got)))
        held = one.kind == "drug" and all(parts.held(i) for i in one.ingredients)
        how = match.how if isinstance(match, DrugMatch) else ""
        counts.update(
            held=held, found=held and right, drugs=one.kind == "drug", resolved=resolved, right=right,
            exact=resolved and how != "assumed", exact_right=right and how != "assumed",
            none=one.kind in ("none", "supply"), silent=one.kind in ("none", "supply") and not resolved,
        )  # fmt: skip
        if (resolved and not right) or (held and not right):
            said = " + ".join(sorted(got)) or "nothing"
            fault = "wrong" if resolved else "missed"
            line = f"{fault}: wanted {' + '.join(sorted(one.ingredients)) or 'nothing'}, got {said}"
            failures.append(
                {"id": one.text, "fault": fault, "line": line, "wanted": sorted(wanted), "got": sorted(got)}
            )
    return Survey(
        n=len(scored),
        seconds=seconds,
        metrics={
            "precision": share(counts["right"], counts["resolved"]),
            "precision_exact": share(counts["exact_right"], counts["exact"]),
            "recall": share(counts["found"], counts["held"]),
            "held": share(counts["held"], counts["drugs"]),
            "silent_on_none": share(counts["silent"], counts["none"]),
        },
        tables={"counts": {k: {"n": v} for k, v in counts.items()}},
        failures=failures,
    )


class _Parts:
    """Ingredients by name, and what products are made of, as the knowledge base holds them."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        self._knowledge, self._finder = knowledge, Finder(knowledge)

    def names(self, concepts: Iterable[ConceptId]) -> frozenset[str]:
        found: set[ConceptId] = set()
        for concept in concepts:
            found |= self._ingredients(concept) if kind_of(concept) == "drug" else {concept}
        known = self._knowledge.concepts(found)
        return frozenset(known[c].display for c in found)

    def _ingredients(self, product: ConceptId) -> set[ConceptId]:
        return {s.object for s in self._knowledge.about({product}, ("has_ingredient",)) if s.object}

    def carriers(self, names: Iterable[str]) -> bool:
        found = [c for name in names for c, _ in self._finder.exact(name, {"ingredient"})]
        known = self._knowledge.concepts(set(found))
        return bool(found) and all(known[c].covered == "carrier" for c in found)

    def held(self, name: str) -> bool:
        return bool(self._finder.exact(name, {"ingredient"}))

    def display(self, name: str) -> str:
        """The knowledge base's own word for a gold ingredient: "aciclovir" is its acyclovir."""
        found = self._finder.exact(name, {"ingredient"})
        return self._knowledge.concepts({found[0][0]})[found[0][0]].display if found else name
