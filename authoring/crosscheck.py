"""Each statement's key terms, looked for in the section it cites.

Key terms are what the fact turns on: the other drug, class or disease (by any of its names; for a class or a disease
also by a member's or kind's), and every figure of its limit and conditions. A statement is found where all of them
stand in the sections it cites. Where the label is not in the data, or the data lack the section, nothing can be looked
up; that is counted apart. What a label says in other words than ours is in `words.toml`.
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from authoring.labels import Label
from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.documents import Citation
from pharmakon.model.statements import Condition, Statement
from pharmakon.model.vocabulary import factors

_FIGURE = re.compile(r"\d+(?:[.,]\d+)*")
#: A label that speaks of the elderly means people of 65 years and more.
_AGES = {
    ("age", 65.0): ("elderly", "geriatric", "older"),
    ("age", 18.0): ("pediatric", "paediatric", "children", "adults"),
}
#: Arrangement of concepts rather than what a label says in so many words.
OWN = frozenset({"belongs_to", "is_a", "has_effect", "has_ingredient", "given_by", "used_for"})


@dataclass(frozen=True, slots=True)
class Looked:
    """`missing` is empty where everything was found; `elsewhere` says that the label holds it in another section."""

    statement: Statement
    missing: tuple[str, ...]
    elsewhere: bool
    cited: str


@dataclass(frozen=True, slots=True)
class Result:
    looked: tuple[Looked, ...]
    counts: Counter[str]

    @property
    def share(self) -> float:
        return sum(not one.missing for one in self.looked) / len(self.looked)


def crosscheck(change: ChangeSet, labels: Mapping[str, Label]) -> Result:
    """Every statement that cites a label of `labels` as read."""
    terms = _Terms(change)
    counts: Counter[str] = Counter()
    looked: list[Looked] = []
    for statement in change.statements:
        cited = [e.citation for e in statement.evidence if e.citation and e.citation.read]
        held = [(c, labels[ref]) for c in cited if (ref := reference(c)) in labels]
        if not held:
            counts["cites no label in the data"] += 1
            continue
        if statement.relation in OWN:
            counts["arrangement"] += 1
            continue
        sections = [(c, label.get(c.section) or label.get("")) for c, label in held]
        texts = [fold(text) for _, text in sections if text]
        if not texts:
            counts["section not in the data"] += 1
            continue
        wanted = list(terms.of(statement))
        missing = min(([w for w in wanted if not _stands(w, text)] for text in texts), key=len)
        together = " ".join(texts)
        missing = [w for w in missing if not _stands(w, together)]
        whole = fold(" ".join(" ".join(label.values()) for _, label in held))
        place = f"{held[0][0].title}, {', '.join(c.section for c, _ in held)}"
        looked.append(Looked(statement, tuple(w[0] for w in missing), all(_stands(w, whole) for w in missing), place))
    return Result(tuple(looked), counts)


def reference(citation: Citation) -> str:
    match = re.search(r"query=([^&]+)$", citation.url or "")
    return f"query={match[1].lower()}" if match and match[0] in citation.reference else citation.reference


def _stands(term: tuple[str, ...], text: str) -> bool:
    """Whether one of the forms of a term stands in folded text as whole words."""
    return any(re.search(rf"(?<![a-z0-9]){re.escape(form)}(?![0-9])", text) for form in term)


class _Terms:
    """The forms in which a label may name what a statement is about."""

    def __init__(self, change: ChangeSet) -> None:
        self._names = {
            c.id: tuple(dict.fromkeys(fold(n.text) for n in c.names if n.text.isascii())) for c in change.concepts
        }
        self._below: dict[ConceptId, set[ConceptId]] = {}
        for s in change.statements:
            if s.relation in ("belongs_to", "is_a") and s.object:
                self._below.setdefault(s.object, set()).add(s.subject)

    def of(self, statement: Statement) -> Iterator[tuple[str, ...]]:
        arranged = (
            statement.object and kind_of(statement.object) == "process"
        )  # our own word for what a label describes
        if statement.object and statement.object != statement.subject and not arranged:
            yield self.forms(statement.object)
        conditions = [c for clause in statement.when for c in clause]
        yield from self._figures(statement, conditions)
        for condition in conditions:
            if (
                factors()[condition.factor].shape == "concept"
                and condition.factor != "indication"
                and not condition.negated
            ):
                yield tuple(form for v in condition.values for form in self.forms(ConceptId(v)))

    @cache  # noqa: B019  one run of a tool
    def forms(self, concept: ConceptId) -> tuple[str, ...]:
        """Names of a concept, and of everything below it; of a name with several words also its head words."""
        found: list[str] = []
        for one in self._line(concept):
            found += self._names.get(one, ())
        return tuple(dict.fromkeys(form for name in found for form in _loose(name)))

    def _line(self, concept: ConceptId) -> list[ConceptId]:
        seen = [concept]
        for one in seen:
            seen += [c for c in self._below.get(one, ()) if c not in seen]
        return seen

    def _figures(self, statement: Statement, conditions: Iterable[Condition]) -> Iterator[tuple[str, ...]]:
        if statement.limit is not None and statement.limit.unit not in ("times",):
            yield _written(statement.limit.value)
        for condition in conditions:
            if condition.op in ("<", "<=", ">", ">=") and condition.factor not in ("dose_single", "dose_daily"):
                yield (
                    _written(condition.number) + _AGES.get((condition.factor, condition.number), ()) + _young(condition)
                )


_WORDLIST = tomllib.loads((Path(__file__).parent / "words.toml").read_text("utf-8"))
#: Head words that say nothing by themselves.
_GENERAL = frozenset(_WORDLIST["general"])


def _loose(name: str) -> Iterator[str]:
    """A name, its singular, and the words of it that can stand for it."""
    yield name
    yield name.replace("ae", "e").replace("oe", "e")
    yield from _WORDLIST["also"].get(name, ())
    if name.endswith("s"):
        yield name[:-1]
    words = name.split()
    if len(words) > 1:
        yield from (w.rstrip("s") for w in (words[0], words[-1]) if len(w) > 5 and w not in _GENERAL)
        if len(words) > 2:
            yield " ".join(words[1:])


_WORDS = {
    1: "one",
    2: "two",
    3: "three",
    4: "four",
    5: "five",
    6: "six",
    7: "seven",
    8: "eight",
    10: "ten",
    14: "two weeks",
}


def _young(condition: Condition) -> tuple[str, ...]:
    """An age below two years as months or days; other factors have no such forms."""
    if condition.factor != "age" or condition.number >= 2:
        return ()
    return tuple(
        f"{n} {unit}" for n, unit in ((round(condition.number * 12), "month"), (round(condition.number * 365), "day"))
    )


def _written(value: float) -> tuple[str, ...]:
    """A figure as labels print it: with and without thousands, in grams, in words, a day before or after a bound."""
    plain = f"{value:g}"
    forms = [plain, f"{value:,.0f}".replace(",", " ") if value >= 1000 else plain, f"{value:,.0f}"]
    if value >= 500:
        forms += [f"{value / 1000:g} g", f"{value / 1000:g}"]
    if value == int(value):
        forms += [_WORDS[int(value)]] if int(value) in _WORDS else []
        forms += [f"{int(value) - 1}", f"{int(value) + 1}"] if value > 10 else []
    if value and value % 7 == 0:
        forms.append(f"{value / 7:g} week")
    for share in (2, 3, 4):  # a day's amount is often given as so many doses
        if value % share == 0 or (value * 10) % share == 0:
            forms.append(f"{value / share:g} mg")
    return tuple(dict.fromkeys(fold(f) for f in forms))
