"""Claims against rules, counted.

Each figure comes three times: over the rules that the project has words for (the knowledge base holds the disease, a
limit can say the unit), over all rules (`_all`), and leniently (`_lenient`, for looking at errors): type and a factor
are the same at the same place, whatever the value. Where the reader was not certain a claim is neither right nor wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pharmakon.evaluate.extraction.rules_gold import TYPES, Form, Rule, Test
from pharmakon.evaluate.metrics import harmonic, ratio
from pharmakon.evaluate.surveys.survey import Survey
from pharmakon.model.statements import Limit

RIGHT, WRONG, NEITHER = "right", "wrong", "neither"


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing claimed of one place of a file; offsets count code points of its text.

    `end` is 0 where the quotation does not stand in the file: such a claim is never right. `soft`: a caution in a
    disease, which is none of the types.
    """

    start: int
    end: int
    type: str
    tests: frozenset[Test]
    limit: Limit | None
    action: str
    soft: bool = False

    def __str__(self) -> str:
        return _line(self.type, self.action, self.limit, self.tests)


Matches = Mapping[tuple[str, Claim], frozenset[Rule]]
"""File and claim → the rules of the gold that say so, certain or not."""


def score(gold: Sequence[Rule], claims: Mapping[str, Sequence[Claim]], seconds: float = 0.0) -> Survey:
    """The figures of `claims`, by file, against `gold`; files the gold does not have count nowhere."""
    strict, lenient = _matches(gold, claims, _same), _matches(gold, claims, _alike)
    wanted = [rule for rule in gold if rule.certain]
    held = [rule for rule in wanted if rule.held]
    every, own, loose = _Figures.of(wanted, strict), _Figures.of(held, strict), _Figures.of(wanted, lenient)
    acted = {rule for (_, claim), met in strict.items() for rule in met if rule.action == claim.action}
    return Survey(
        n=len(wanted),
        seconds=seconds,
        metrics={
            **own.named(""),
            **every.named("_all"),
            **loose.named("_lenient"),
            "action": ratio(len(own.found & acted), len(own.found)),
        },
        tables={
            "by_type": {t: _by_type(t, held, wanted, strict, lenient) for t in TYPES},
            "by_label": {file: _by_label(file, wanted, strict) for file in sorted({rule.file for rule in gold})},
            "counts": {name: {"n": n} for name, n in _counts(gold, strict, every).items()},
        },
        failures=[*_missed(every, loose), *_wrong(every)],
    )


@dataclass(frozen=True, slots=True)
class _Figures:
    """What became of the claims, and which of the wanted rules were found."""

    rules: Sequence[Rule]
    found: frozenset[Rule]
    fate: Mapping[tuple[str, Claim], str]

    @classmethod
    def of(cls, rules: Sequence[Rule], matches: Matches) -> _Figures:
        wanted = frozenset(rules)
        fate = {
            key: RIGHT if met & wanted else NEITHER if met or key[1].soft else WRONG for key, met in matches.items()
        }
        return cls(rules, wanted & frozenset[Rule]().union(*matches.values()), fate)

    def claims(self, fate: str) -> int:
        return sum(f == fate for f in self.fate.values())

    @property
    def precision(self) -> float | None:
        return ratio(self.claims(RIGHT), self.claims(RIGHT) + self.claims(WRONG))

    @property
    def recall(self) -> float | None:
        return ratio(len(self.found), len(self.rules))

    def named(self, suffix: str) -> dict[str, float | None]:
        values = (self.precision, self.recall, harmonic(self.precision, self.recall))
        return {f"{name}{suffix}": value for name, value in zip(("precision", "recall", "f1"), values, strict=True)}


def _matches(
    gold: Sequence[Rule], claims: Mapping[str, Sequence[Claim]], same: Callable[[Rule, Claim], bool]
) -> Matches:
    return {
        (file, claim): frozenset(
            rule for rule in gold if rule.file == file and _overlap(rule, claim) and same(rule, claim)
        )
        for file in sorted({rule.file for rule in gold})
        for claim in claims.get(file, ())
    }


def _overlap(rule: Rule, claim: Claim) -> bool:
    return rule.start < claim.end and claim.start < rule.end


def _same(rule: Rule, claim: Claim) -> bool:
    return any(form.says(claim.tests, claim.limit) for form in rule.forms)


def _alike(rule: Rule, claim: Claim) -> bool:
    """Lenient: the same, or the same type about the same factor, or two limits of a dose."""
    if _same(rule, claim):
        return True
    factors = {test.factor for form in rule.forms for test in form.required}
    shared = factors & {test.factor for test in claim.tests}
    return rule.type == claim.type and bool(shared or (rule.type == "dose" and claim.limit))


def _by_type(type_: str, held: Sequence[Rule], wanted: Sequence[Rule], strict: Matches, lenient: Matches) -> Any:
    """A found rule counts under its own type, whatever the claim was taken for; a wrong claim under the claim's."""
    own = _Figures.of([rule for rule in held if rule.type == type_], _of_type(type_, strict))
    every = _Figures.of([rule for rule in wanted if rule.type == type_], _of_type(type_, strict))
    loose = _Figures.of([rule for rule in wanted if rule.type == type_], _of_type(type_, lenient))
    row: dict[str, Any] = {"rules": len(every.rules), "held": len(own.rules)}
    return row | own.named("") | {"recall_all": every.recall, "f1_lenient": loose.named("")["f1"]}


def _of_type(type_: str, matches: Matches) -> Matches:
    return {
        (file, claim): met
        for (file, claim), met in matches.items()
        if (any(rule.type == type_ for rule in met) if met else claim.type == type_)
    }


def _by_label(file: str, wanted: Sequence[Rule], strict: Matches) -> Mapping[str, int]:
    rules = [rule for rule in wanted if rule.file == file]
    figures = _Figures.of(rules, {key: met for key, met in strict.items() if key[0] == file})
    return {"rules": len(rules), "found": len(figures.found), "wrong": figures.claims(WRONG)}


def _counts(gold: Sequence[Rule], strict: Matches, every: _Figures) -> Mapping[str, int]:
    return {
        "rules": len(every.rules),
        "rules without words for them": sum(not rule.held for rule in every.rules),
        "places where the reader was not certain": len(gold) - len(every.rules),
        "claims": len(strict),
        "claims right": every.claims(RIGHT),
        "claims wrong": every.claims(WRONG),
        "claims neither right nor wrong": every.claims(NEITHER),
        "claims whose quotation does not stand in the file": sum(not claim.end for _, claim in strict),
    }


def _missed(every: _Figures, loose: _Figures) -> Iterable[Mapping[str, Any]]:
    for rule in every.rules:
        if rule not in every.found:
            near = ", something near it was claimed" if rule in loose.found else ""
            words = "" if rule.held else " (no words for it)"
            line = f"missed: {_rule_line(rule)}{words}{near}"
            yield {"id": f"{rule.file} {rule.start}-{rule.end}", "fault": "missed", "line": line}


def _wrong(every: _Figures) -> Iterable[Mapping[str, Any]]:
    for (file, claim), fate in every.fate.items():
        if fate == WRONG:
            place = f"{file} {claim.start}-{claim.end}" if claim.end else f"{file}, no place"
            yield {"id": place, "fault": "wrong", "line": f"wrong: {claim}"}


def _rule_line(rule: Rule) -> str:
    own: Form = rule.forms[0]
    return _line(rule.type, rule.action, own.limit, own.required)


def _line(type_: str, action: str, limit: Limit | None, tests: Iterable[Test]) -> str:
    """For people; never a word of the label."""
    asked = ", ".join(sorted(map(str, tests))) or "always"
    return f"{type_}: {action}{f' {limit}' if limit else ''} where {asked}"
