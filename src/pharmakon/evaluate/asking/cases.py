"""Questions of `ask-geriatric`, made from the knowledge base itself, each with the statements that answer it.

Three subsets as in FusionGraphRAG, section 4.1.2, and a fourth without an answer: a simple fact stands in one
statement; an inference goes over a class or from the other end of a relation; a high-risk conflict is a pair, or a drug
and a state, that a rule of tier warning or above speaks of. Deterministic by seed.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pharmakon.model.concepts import Concept, ConceptId, kind_of
from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Statement
from pharmakon.model.vocabulary import Tier
from pharmakon.ports.knowledge import KnowledgeBase

LANGUAGES = ("en", "nl", "zh")
SUBSETS = ("simple", "inference", "high_risk", "unanswerable")
#: Questions of one kind and language.
_EACH = 10
_AGE = 78
#: Classes that say how a drug is broken down, and not what kind of drug it is.
_METABOLIC = ("-substrate", "-inhibitor", "-inducer")

Place = tuple[str, int, int, int]
"""Document, section, start, end of a quotation."""


@dataclass(frozen=True, slots=True)
class AskCase:
    """`gold`: the places of the statements that answer it, any of them, or `quotes` of theirs; empty for no answer."""

    id: str
    subset: str
    kind: str
    lang: str
    text: str
    gold: frozenset[Place]
    quotes: frozenset[str] = frozenset()

    @property
    def answerable(self) -> bool:
        return bool(self.gold or self.quotes)


@dataclass(frozen=True, slots=True)
class _Row:
    """What fills the blanks of a wording, as concepts or plain text, and what answers it."""

    fill: Mapping[str, ConceptId | str]
    gold: tuple[Statement, ...]


def build(knowledge: KnowledgeBase, wordings: Mapping[str, Any], seed: int) -> list[AskCase]:
    """Up to `_EACH` questions of every kind in every language, of concepts that have a name in it.

    `wordings`: subset → kind → language → wordings, and `unheard`: language → names that nothing bears.
    """
    choose = random.Random(seed)
    world = _World(knowledge)
    cases: list[AskCase] = []
    for subset in SUBSETS:
        for kind, by_lang in wordings[subset].items():
            rows = (
                sorted(_KINDS[kind](world), key=lambda r: sorted(map(str, r.fill.values()))) if kind in _KINDS else []
            )
            for lang in LANGUAGES:
                cases += _of(subset, kind, lang, by_lang[lang], rows, world, choose, wordings["unheard"][lang])
    return cases


def _of(
    subset: str,
    kind: str,
    lang: str,
    wordings: Sequence[str],
    rows: Sequence[_Row],
    world: _World,
    choose: random.Random,
    unheard: Sequence[str],
) -> Iterator[AskCase]:
    if kind == "elsewhere":
        texts: list[tuple[str, tuple[Statement, ...]]] = [(text, ()) for text in wordings]
    elif kind == "unheard":
        texts = [(wordings[at % len(wordings)].format(x=x), ()) for at, x in enumerate(unheard)]
    else:
        named = [(r, names) for r in rows if (names := world.fill(r.fill, lang)) is not None]
        picked = choose.sample(named, min(_EACH, len(named)))
        texts = [(wordings[at % len(wordings)].format(**n), r.gold) for at, (r, n) in enumerate(picked)]
    for at, (text, gold) in enumerate(texts):
        yield AskCase(f"{kind}-{lang}-{at}", subset, kind, lang, text, frozenset(_places(gold)))


def _places(statements: Iterable[Statement]) -> Iterator[Place]:
    for statement in statements:
        for e in statement.evidence:
            yield e.document, e.ord, e.start, e.end


class _World:
    """The knowledge base as the builders look at it: deeply covered drugs and what is said of them."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        self.knowledge = knowledge
        ids = {c for _, c, _ in knowledge.names({"ingredient"})}
        self.deep = sorted(c for c, known in knowledge.concepts(ids).items() if known.covered == "deep")
        self.above = knowledge.ancestors(self.deep)
        self.said: dict[str, list[Statement]] = {}
        everything = {c for chains in self.above.values() for c in chains}
        for relation in (
            "treats", "belongs_to", "dose_limit", "interacts_with", "contraindicated_in", "requires_caution_with",
            "has_ingredient",
        ):  # fmt: skip
            self.said[relation] = [s for s in knowledge.about(everything, (relation,)) if not s.negative]
        diseases = {c for _, c, _ in knowledge.names({"disease"})}
        self.said["has_symptom"] = list(knowledge.about(diseases, ("has_symptom",)))
        self._concepts: dict[ConceptId, Concept] = {}

    def own(self, relation: str) -> list[Statement]:
        """Of the drugs themselves."""
        deep = set(self.deep)
        return [s for s in self.said[relation] if s.subject in deep]

    def members(self, group: ConceptId) -> list[ConceptId]:
        return [d for d in self.deep if group in self.above[d] and d != group]

    def fill(self, fill: Mapping[str, ConceptId | str], lang: str) -> dict[str, str] | None:
        """The names in a language; None where one has none."""
        found: dict[str, str] = {}
        for blank, value in fill.items():
            name = self._name(ConceptId(value), lang) if ":" in value else value
            if name is None:
                return None
            found[blank] = name
        return found

    def _name(self, concept: ConceptId, lang: str) -> str | None:
        if concept not in self._concepts:
            self._concepts |= self.knowledge.concepts({concept})
        return next((n.text for n in self._concepts[concept].names if n.lang == lang), None)


def _grouped(statements: Iterable[Statement], key: str) -> dict[ConceptId, list[Statement]]:
    found: dict[ConceptId, list[Statement]] = {}
    for s in statements:
        found.setdefault(getattr(s, key), []).append(s)
    return found


def _use(world: _World) -> Iterator[_Row]:
    for s in world.own("treats"):
        if s.object is not None and kind_of(s.object) == "disease":
            same = [o for o in world.own("treats") if (o.subject, o.object) == (s.subject, s.object)]
            yield _Row({"a": s.subject, "d": s.object}, tuple(same))


def _uses(world: _World) -> Iterator[_Row]:
    for drug, rows in _grouped(world.own("treats"), "subject").items():
        yield _Row({"a": drug}, tuple(rows))


def _symptoms(world: _World) -> Iterator[_Row]:
    for disease, rows in _grouped(world.said["has_symptom"], "subject").items():
        yield _Row({"d": disease}, tuple(rows))


def _most(world: _World) -> Iterator[_Row]:
    daily = [s for s in world.own("dose_limit") if s.limit is not None and s.limit.per == "day"]
    for drug, rows in _grouped((s for s in daily if s.limit and s.limit.unit != "times"), "subject").items():
        yield _Row({"a": drug}, tuple(rows))


def _kind(world: _World) -> Iterator[_Row]:
    said = [s for s in world.own("belongs_to") if s.object is not None and not s.object.endswith(_METABOLIC)]
    for drug, rows in _grouped(said, "subject").items():
        yield _Row({"a": drug}, tuple(rows))


def _which(world: _World) -> Iterator[_Row]:
    for disease, rows in _grouped(world.own("treats"), "object").items():
        if kind_of(disease) == "disease" and len(rows) > 1:
            yield _Row({"d": disease}, tuple(rows))


def _food(world: _World) -> Iterator[_Row]:
    """Of the drug's class, so that a step over the hierarchy is needed."""
    for s in world.said["interacts_with"]:
        if s.object is not None and kind_of(s.object) == "lifestyle" and kind_of(s.subject) == "class":
            for drug in world.members(s.subject):
                yield _Row({"a": drug, "f": s.object}, (s, *_direct(world, drug, s.object)))


def _direct(world: _World, drug: ConceptId, other: ConceptId) -> list[Statement]:
    pairs = ("interacts_with", "requires_caution_with", "contraindicated_in")
    return [
        s for relation in pairs for s in world.said[relation] if s.subject in world.above[drug] and s.object == other
    ]


def _caution(world: _World) -> Iterator[_Row]:
    for s in world.said["requires_caution_with"]:
        if s.object is not None and kind_of(s.object) == "disease" and kind_of(s.subject) == "class" and not s.when:
            for drug in world.members(s.subject):
                if s.excluded.isdisjoint(world.above[drug]):
                    yield _Row({"a": drug, "d": s.object}, tuple(_direct(world, drug, s.object)))


def _pairs(world: _World, least: Tier, *, both_classes: bool) -> Iterator[_Row]:
    for s in world.said["interacts_with"]:
        other = s.object
        if other is None or kind_of(other) == "lifestyle" or s.tier < least or s.when:
            continue
        classes = kind_of(s.subject) == "class" and kind_of(other) == "class"
        if classes != both_classes:
            continue
        left = world.members(s.subject) or [s.subject]
        right = world.members(other) or [other]
        for a in left[:4]:
            for b in right[:4]:
                known = a in world.above and b in world.above and a != b
                if known and s.excluded.isdisjoint({*world.above[a], *world.above[b]}):
                    yield _Row({"a": a, "b": b}, tuple(_between(world, a, b)))


def _between(world: _World, a: ConceptId, b: ConceptId) -> Iterator[Statement]:
    x, y = world.above[a], world.above[b]
    for s in world.said["interacts_with"]:
        if (s.subject in x and s.object in y) or (s.subject in y and s.object in x):
            yield s


def _levels(world: _World) -> Iterator[_Row]:
    return _pairs(world, Tier.INFO, both_classes=True)


def _pair(world: _World) -> Iterator[_Row]:
    return _pairs(world, Tier.WARNING, both_classes=False)


def _condition(world: _World) -> Iterator[_Row]:
    for s in world.own("contraindicated_in"):
        if s.object is not None and kind_of(s.object) == "disease" and not s.when:
            yield _Row({"a": s.subject, "d": s.object}, tuple(_direct(world, s.subject, s.object)))


def _asking(world: _World, *factors: str) -> Iterator[tuple[ConceptId, Statement]]:
    """(drug, statement) of contraindications and cautions that a factor decides, by the drug or its class."""
    for relation in ("contraindicated_in", "requires_caution_with"):
        for s in world.said[relation]:
            asked = {c.factor for clause in s.when for c in clause}
            if asked and asked <= set(factors) and s.tier >= Tier.WARNING and s.object is None:
                for drug in [s.subject] if s.subject in world.above else world.members(s.subject):
                    if s.excluded.isdisjoint(world.above[drug]):
                        yield drug, s


def _pregnancy(world: _World) -> Iterator[_Row]:
    for drug, rows in _by_drug(_asking(world, "pregnant", "trimester")).items():
        yield _Row({"a": drug}, tuple(rows))


def _age(world: _World) -> Iterator[_Row]:
    for drug, rows in _by_drug(_asking(world, "age")).items():
        older = [s for s in rows if any(c.op in (">", ">=") and c.number <= _AGE for clause in s.when for c in clause)]
        if older:
            yield _Row({"a": drug, "n": str(_AGE)}, tuple(older))


def _kidney(world: _World) -> Iterator[_Row]:
    for drug, rows in _by_drug(_asking(world, "egfr")).items():
        lowest = min(c.number for s in rows for clause in s.when for c in clause)
        yield _Row({"a": drug, "n": f"{max(5, lowest - 5):g}"}, tuple(rows))


def _by_drug(rows: Iterable[tuple[ConceptId, Statement]]) -> dict[ConceptId, list[Statement]]:
    found: dict[ConceptId, list[Statement]] = {}
    for drug, statement in rows:
        found.setdefault(drug, []).append(statement)
    return found


def _brands(world: _World) -> Iterator[_Row]:
    """Two brands of one ingredient: nothing in the names says that they are the same."""
    known = world.knowledge.concepts(set(world.deep))
    for drug in world.deep:
        brands = [n.text for n in known[drug].names if n.kind == "brand" and " " not in n.text]
        if len(brands) > 1:
            own = [s for rows in world.said.values() for s in rows if s.subject == drug]
            yield _Row({"a": brands[0], "b": brands[1]}, tuple(own))


def _price(world: _World) -> Iterator[_Row]:
    for drug in world.deep:
        yield _Row({"a": drug}, ())


_KINDS = {
    "use": _use, "uses": _uses, "symptoms": _symptoms, "most": _most, "kind": _kind, "which": _which, "food": _food,
    "caution": _caution, "levels": _levels, "pair": _pair, "condition": _condition, "pregnancy": _pregnancy,
    "age": _age, "kidney": _kidney, "brands": _brands, "price": _price,
}  # fmt: skip


# ── as a file ──────────────────────────────────────────────────────────────────────────────────────


def write_asked(cases: Iterable[AskCase]) -> str:
    """One case a line, as `read_asked` reads them."""
    return "".join(json.dumps(_row_of(case), ensure_ascii=False) + "\n" for case in cases)


def _row_of(case: AskCase) -> dict[str, Any]:
    shaped: dict[str, Any] = {
        "id": case.id, "subset": case.subset, "kind": case.kind, "lang": case.lang, "text": case.text,
        "gold": [list(place) for place in sorted(case.gold)],
    }  # fmt: skip
    return shaped | ({"quotes": sorted(case.quotes)} if case.quotes else {})


def read_asked(text: str, name: str) -> list[AskCase]:
    """Cases of others: `gold` as places of quotations, or `quotes` as sentences that must be cited; neither where the
    question has no answer. Raises `BadInput` with the line and what was wrong.
    """
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip():
            found.append(_case_of(line, f"{name}, line {number}"))
    return found


def _case_of(line: str, place: str) -> AskCase:
    try:
        row = json.loads(line)
        gold = frozenset((str(d), int(o), int(s), int(e)) for d, o, s, e in row.get("gold") or ())
        quotes = frozenset(str(q) for q in row.get("quotes") or ())
        case = AskCase(
            str(row["id"]), str(row["subset"]), str(row.get("kind") or row["subset"]), str(row["lang"]),
            str(row["text"]), gold, quotes,
        )  # fmt: skip
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        expected = "id, subset, lang, text, and gold or quotes"
        raise BadInput(f"this is no case ({error})", where=place, expected=expected) from None
    if case.subset not in SUBSETS:
        raise BadInput(f"subset {case.subset!r}", where=place, expected=" or ".join(SUBSETS))
    return case
