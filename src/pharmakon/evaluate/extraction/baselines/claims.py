"""The two baselines on `extract-rules`: what a model says of patients and doses, as claims about places of a file.

A one-shot row is a statement of our schema; it stands where its quotation does, and one whose quotation is not in the
file is wrong, as it is for our extractor. An open triple holds neither a limit nor the sentence it comes from: only
prohibitions ("is contraindicated in", "should not be used in") can be taken from one, and one stands for its chunk.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pharmakon.evaluate.extraction.baselines.asking import (
    ONE_SHOT,
    ZERO_SHOT,
    Account,
    Baselines,
    rows,
    title,
    triples,
)
from pharmakon.evaluate.extraction.baselines.verbs import prohibits
from pharmakon.evaluate.extraction.places import finder
from pharmakon.evaluate.extraction.rules_claims import claims_of
from pharmakon.evaluate.extraction.rules_score import Claim
from pharmakon.extract.claims import Mention
from pharmakon.extract.curated.expressions import read_condition, read_limit
from pharmakon.extract.specialists.patients.populations import groups
from pharmakon.extract.specialists.wording import words
from pharmakon.link.mentions import MentionScanner
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Clause, Statement
from pharmakon.model.vocabulary import Tier, factors
from pharmakon.ports.language_model import LanguageModel, load_prompt

RELATIONS = ("contraindicated_in", "requires_caution_with", "dose_adjustment", "dose_limit")
#: The specialists whose slices of the schema a rule comes from.
_SLICES = ("dosage", "adjustment", "contraindication")
_PERS = ("dose", "day", "week", "hour", "course", "none")
_PACKAGE = "pharmakon.evaluate.extraction.baselines"
#: Whose label it is makes no difference to the count.
_SUBJECT = ConceptId("ingredient:own")

Who = tuple[ConceptId | None, Clause]
"""Patients: those who have a disease, or those of a clause."""


@dataclass(slots=True)
class Outcome:
    """One baseline: what became of its questions, and its claims by file."""

    account: Account = field(default_factory=Account)
    claims: dict[str, list[Claim]] = field(default_factory=dict)


def run(
    files: Sequence[str], folder: Path, scanner: MentionScanner, model: LanguageModel, baselines: Baselines
) -> dict[str, Outcome]:
    """Both baselines over `folder/<file>.txt`."""
    outcomes = {ZERO_SHOT: Outcome(), ONE_SHOT: Outcome()}
    for n, file in enumerate(files, 1):
        baselines.progress(f"baselines: label {n} of {len(files)}")
        text = (folder / f"{file}.txt").read_text("utf-8")
        for system, ask in ((ZERO_SHOT, zero_shot), (ONE_SHOT, one_shot)):
            found = set(ask(text, scanner, model, outcomes[system].account))
            outcomes[system].claims[file] = sorted(found, key=lambda c: (c.start, c.end, str(c)))
    return outcomes


def zero_shot(text: str, scanner: MentionScanner, model: LanguageModel, account: Account) -> Iterator[Claim]:
    """Prohibitions among the open triples of a label."""
    for triple in triples(model, title(text), text, account):
        action = prohibits(triple.verb)
        if not action:
            account.other += 1
            continue
        meant = [*patients(triple.subject, scanner), *patients(triple.object, scanner)]
        account.unlinked += not meant
        tier = Tier.CRITICAL if action == "contraindicated" else Tier.WARNING
        for concept, clause in meant:
            statement = _statement("contraindicated_in", concept, clause, tier=tier)
            yield from claims_of(statement, [(triple.start, triple.end)])


def one_shot(text: str, scanner: MentionScanner, model: LanguageModel, account: Account) -> Iterator[Claim]:
    """The rows of a label's one answer as claims."""
    place = finder(text)
    values = {"title": title(text), "text": text, "factors": ", ".join(_factors())}
    for row in rows(model, load_prompt(_PACKAGE, "one_shot_rules.v1", values), shape(), account):
        try:
            statements = list(_read(row, scanner))
        except BadInput:
            account.unusable += 1
            continue
        account.unlinked += not statements
        for statement in statements:
            yield from claims_of(statement, [place(row["quote"]) or (0, 0)])


def patients(phrase: str, scanner: MentionScanner) -> list[Who]:
    """Whom a phrase names, by our linker and our words for groups: "pregnant women", severe renal impairment, gout."""
    hits = scanner.find(phrase)
    mentions = [Mention(h.start, h.end, phrase[h.start : h.end], h.concepts) for h in hits]
    named = [g for g in groups(phrase, mentions) if g.known]
    found: list[Who] = [(None, g.clause) if g.clause else (g.concept, ()) for g in named]
    for m in mentions:
        inside = any(g.start < m.end and m.start < g.end for g in named)
        if not inside and len(m.concepts) == 1 and kind_of(m.concepts[0]) in ("disease", "symptom"):
            found.append((m.concepts[0], ()))
    return list(dict.fromkeys(found))


def shape() -> dict[str, Any]:
    """The properties of a row of the one-shot answer."""
    condition = {
        "factor": {"enum": _factors()},
        "op": {"enum": ["<", "<=", ">", ">=", "is"]},
        "value": {"type": "string"},
        "unit": {"type": "string"},
    }
    items = {"type": "object", "properties": condition, "required": list(condition), "additionalProperties": False}
    return {
        "quote": {"type": "string"},
        "relation": {"enum": list(RELATIONS)},
        "object": {"type": "string"},
        "conditions": {"type": "array", "items": items},
        "limit": {"type": ["number", "null"]},
        "limit_unit": {"type": "string"},
        "limit_per": {"enum": list(_PERS)},
    }


def _read(row: Mapping[str, Any], scanner: MentionScanner) -> Iterator[Statement]:
    """One statement for each disease or group that the object names; none where our linker knows none of it.

    Raises `BadInput` for a condition or a limit that can't be read, and for a row that asks and limits nothing.
    """
    asked = tuple(map(_condition, row["conditions"]))
    limit = None
    if row["relation"] == "dose_limit":
        if row["limit"] is None:
            raise BadInput("a dose limit without a figure")
        limit = read_limit(f"{row['limit']:g} {row['limit_unit']} per {row['limit_per']}")
    if not row["object"].strip():
        if not asked and limit is None:
            raise BadInput("a rule about nobody")
        yield _statement(row["relation"], None, asked, limit=limit)
        return
    for concept, clause in patients(row["object"], scanner):
        both = tuple(dict.fromkeys((*clause, *asked)))
        yield _statement(row["relation"], concept, both, limit=limit)


def _condition(given: object) -> Any:
    if not isinstance(given, dict) or given.get("factor") not in _factors():
        raise BadInput("a condition on no factor of the schema")
    op, value, unit = (str(given.get(k, "")).strip() for k in ("op", "value", "unit"))
    if factors()[given["factor"]].shape == "flag":
        return read_condition(f"not {given['factor']}" if value.casefold() in ("false", "no") else given["factor"])
    return read_condition(f"{given['factor']} {op} {value} {unit}".strip())


def _factors() -> list[str]:
    slices = words("slices")
    return list(dict.fromkeys(factor for name in _SLICES for factor in slices[name]["factors"]))


def _statement(
    relation: str, concept: ConceptId | None, clause: Clause, *, tier: Tier = Tier.CRITICAL, limit: Any = None
) -> Statement:
    return Statement("", _SUBJECT, relation, concept, tier=tier, limit=limit, when=(clause,) if clause else ())
