"""Monograph → change set, through the gate.

Besides the quotation at its span, which the store proves again, a curated sentence must itself name what its fact
names: the subject, the object, and every figure of its limit and its conditions. So a sentence and the rule beside it
can't drift apart.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from pharmakon.extract.curated.expressions import read_clause, read_guard, read_limit
from pharmakon.ingest.formats.monograph import Entry, Monograph, compose
from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import ConceptId, concept_id, fold, is_han, kind_of
from pharmakon.model.documents import BY_HAND, Document, Evidence
from pharmakon.model.errors import BadInput, BadMonograph
from pharmakon.model.statements import Clause, Condition, Limit, Modifier, Statement, identified
from pharmakon.model.vocabulary import Relation, Tier, factors, relations, risk_types

_NUMBER = re.compile(r"\d[\d,]*(?:\.\d+)?|\.\d+")
_NUMBER_WORDS = {"once": 1, "twice": 2, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "half": 0.5}
_GIVEN_BY = "given_by"


@dataclass(frozen=True, slots=True)
class _Said:
    """One claim of an entry: an entry with three objects or two limits makes several."""

    object: ConceptId | None
    limit: Limit | None
    when: tuple[Clause, ...]


def change_set(monographs: Sequence[Monograph], *, actor: str, why: str) -> ChangeSet:
    """All of `monographs` as one change; raises `BadMonograph` for the first that breaks the rules."""
    names = _names(monographs)
    monographs = _merged(monographs)
    documents: list[Document] = []
    statements: dict[str, Statement] = {}
    for monograph in monographs:
        document, made = _statements(monograph, names)
        if document.sections:
            documents.append(document)
        for statement in made:
            known = statements.get(statement.id)
            statements[statement.id] = _joined(known, statement) if known else statement
    return ChangeSet(
        actor, why, tuple(m.concept for m in monographs), tuple(documents), tuple(statements.values())
    )  # fmt: skip


def _merged(monographs: Sequence[Monograph]) -> Sequence[Monograph]:
    """One monograph per concept: a class may be written about in several files, and a document has one id."""
    by: dict[ConceptId, Monograph] = {}
    for m in monographs:
        known = by.get(m.concept.id)
        if known is None:
            by[m.concept.id] = m
            continue
        names = tuple(dict.fromkeys(known.concept.names + m.concept.names))
        codes = tuple(dict.fromkeys(known.concept.codes + m.concept.codes))
        concept = replace(known.concept, names=names, codes=codes)
        silences = known.silences + m.silences
        by[m.concept.id] = replace(known, concept=concept, entries=known.entries + m.entries, silences=silences)
    return tuple(by.values())


def _joined(a: Statement, b: Statement) -> Statement:
    """The same claim made twice: the first wording, both pieces of evidence."""
    return replace(a, evidence=tuple(dict.fromkeys(a.evidence + b.evidence)))


def _names(monographs: Iterable[Monograph]) -> Mapping[ConceptId, frozenset[str]]:
    found: dict[ConceptId, set[str]] = {}
    for m in monographs:
        if m.concept.id in found and kind_of(m.concept.id) in ("ingredient", "drug"):
            raise BadMonograph(f"{m.concept.id} has a monograph already", where=m.place, expected="one per concept")
        found.setdefault(m.concept.id, set()).update(fold(n.text) for n in m.concept.names)
    return {cid: frozenset(names) for cid, names in found.items()}


def _statements(monograph: Monograph, names: Mapping[ConceptId, frozenset[str]]) -> tuple[Document, list[Statement]]:
    readers = [_EntryReader(entry, monograph.concept.id, names) for entry in monograph.entries]
    document, at = compose(monograph, {i: r.passage for i, r in enumerate(readers)})
    made: list[Statement] = []
    for i, reader in enumerate(readers):
        ord, start = at[i]
        evidence = tuple(
            Evidence(
                document.id, document.version, document.kind, document.sections[ord].kind, ord,
                start, start + len(reader.passage), reader.passage, BY_HAND, citation,
            )
            for citation in reader.entry.citations
        )  # fmt: skip
        made += reader.statements(evidence)
    return document, made


class _EntryReader:
    """One entry; every complaint carries its place."""

    def __init__(self, entry: Entry, subject: ConceptId, names: Mapping[ConceptId, frozenset[str]]) -> None:
        self.entry, self.subject, self.names = entry, subject, names
        self.relation: Relation = relations()[entry.relation]
        try:
            self.management = self._text("management")
            self.modifiers, self.first_true = self._modifiers()
            advice = dict.fromkeys([self.management, *(m.management for m in self.modifiers)])
            self.passage = " ".join([entry.says, *(a for a in advice if a)])
            self.guard = read_guard(entry.fields["when"]) if "when" in entry.fields else ()
            self.said = self._said()
            self.risks = [self._risk(said) for said in self.said]
            self.tier = Tier.parse(self._text("tier")) if "tier" in entry.fields else Tier.WARNING
            self.excluded = frozenset(concept_id(c) for c in self._texts("except"))
            self._check()
        except BadMonograph:
            raise
        except BadInput as error:
            raise BadMonograph(error.what, where=entry.place, expected=error.expected) from None

    def statements(self, evidence: tuple[Evidence, ...]) -> list[Statement]:
        return [
            identified(
                Statement(
                    "", self.subject, self.entry.relation, said.object,
                    negative=self._text("not") == "yes", risk=risk, tier=self.tier, limit=said.limit,
                    strength=self._text("strength"), when=said.when, modifiers=self.modifiers,
                    first_true=self.first_true, excluded=self.excluded, mechanism=self._text("mechanism"),
                    effect=self._text("effect"), management=self.management, evidence=evidence,
                )
            )
            for said, risk in zip(self.said, self.risks, strict=True)
        ]  # fmt: skip

    def _said(self) -> list[_Said]:
        limits: list[Limit | None] = [read_limit(text) for text in self._texts("limit") + self._texts("from")]
        if self.entry.relation in ("dose_limit", "burden_limit", "morphine_equivalent") and not limits:
            raise BadInput(f"{self.entry.relation} without a limit", expected="limit: NUMBER UNIT per day")
        when = self.guard
        objects: list[ConceptId | None]
        if self.entry.relation == _GIVEN_BY:
            route = read_clause(f"route in {', '.join(self.entry.objects)}")
            when = tuple((*route, *clause) for clause in when) or (route,)
            objects = [None]
        else:
            objects = [self._object(text) for text in self.entry.objects]
        guards = [when] if "risk" in self.entry.fields else self._by_risk(when)
        return [_Said(o, limit, guard) for o in objects for limit in limits or [None] for guard in guards]

    def _by_risk(self, when: tuple[Clause, ...]) -> list[tuple[Clause, ...]]:
        """An OR whose parts are about different risks (age and weight, or creatinine) is several claims."""
        groups: dict[str, list[Clause]] = {}
        for clause in when:
            said = _Said(None, None, (clause,))
            groups.setdefault(_risk_of(self.entry.relation, said, self.subject), []).append(clause)
        return [tuple(group) for group in groups.values()] or [()]

    def _object(self, text: str) -> ConceptId | None:
        if text == "any":
            if "" not in self.relation.range:
                raise BadInput(f"{self.relation.name} needs an object", expected=_kinds(self.relation.range))
            return None
        cid = concept_id(text)
        if kind_of(cid) not in self.relation.range:
            raise BadInput(f"{self.relation.name} {cid}", expected=f"any of kind {_kinds(self.relation.range)}")
        if kind_of(self.subject) not in self.relation.domain:
            raise BadInput(f"{self.subject} {self.relation.name}", expected=f"a {_kinds(self.relation.domain)}")
        return cid

    def _modifiers(self) -> tuple[tuple[Modifier, ...], bool]:
        keys = [k for k in ("raise", "first_true") if k in self.entry.fields]
        if len(keys) > 1:
            raise BadInput("raise and first_true together", expected="one of the two")
        if not keys:
            return (), False
        rows = self.entry.fields[keys[0]]
        if not isinstance(rows, list):
            raise BadInput(f"{keys[0]} is no list", expected="- {if: [...], tier: ...}")
        return tuple(_modifier(row) for row in rows), keys[0] == "first_true"

    def _risk(self, said: _Said) -> str:
        risk = self._text("risk") or _risk_of(self.entry.relation, said, self.subject)
        if risk and risk not in risk_types():
            raise BadInput(f"risk {risk!r}", expected=f"one of {', '.join(risk_types())}")
        return risk

    def _check(self) -> None:
        """The gate's second half: the sentence names what the fact names."""
        text = f" {fold(self.passage)} "
        concepts = [self.subject, *(s.object for s in self.said if s.object)]
        concepts += [
            ConceptId(v) for c in self._conditions() if factors()[c.factor].shape == "concept" for v in c.values
        ]
        for cid in concepts:
            if cid not in self.names:
                raise BadInput(f"{cid} has no monograph", expected="a concept that the formulary names")
            if not any(_stands(name, text) for name in self.names[cid]):
                raise BadInput(
                    f"the sentence does not name {cid}", expected=f"one of {', '.join(sorted(self.names[cid])[:6])}"
                )
        said = set(_figures(self.passage)) | {float(v) for w, v in _NUMBER_WORDS.items() if f" {w} " in text}
        rules = [*self._texts("limit"), *self._texts("from")]
        rules += [c.text for c in self._conditions() if c.op in ("<", "<=", ">", ">=")]
        for figure in (f for rule in rules for f in _figures(rule)):
            if figure not in said:
                raise BadInput(f"the sentence does not say {figure:g}", expected="every figure of limit and conditions")

    def _conditions(self) -> list[Condition]:
        clauses = [*self.guard, *(m.clause for m in self.modifiers)]
        return [c for clause in clauses for c in clause]

    def _text(self, key: str) -> str:
        value = self.entry.fields.get(key, "")
        if not isinstance(value, str):
            raise BadInput(f"{key} is no text", expected=f"{key}: text")
        return " ".join(value.split())

    def _texts(self, key: str) -> list[str]:
        value = self.entry.fields.get(key, [])
        return [value] if isinstance(value, str) else [str(v) for v in value] if isinstance(value, list) else []


def _figures(text: str) -> list[float]:
    """The figures in a text; the body surface in "mL/min/1.73 m²" is part of a unit, not a figure."""
    return [float(n.replace(",", "")) for n in _NUMBER.findall(re.sub(r"/\s*1[.,]73\s*m[2²]", "", text))]


def _modifier(row: object) -> Modifier:
    if not isinstance(row, dict) or not {"if", "tier"} <= row.keys() <= {"if", "tier", "management"}:
        raise BadInput(f"modifier {row!r}", expected="{if: [...], tier: ..., management: ...}")
    return Modifier(
        read_clause(row["if"]), Tier.parse(str(row["tier"])), " ".join(str(row.get("management", "")).split())
    )


def _stands(name: str, text: str) -> bool:
    """Whether a folded name stands in folded text as whole words, a plural s allowed; Chinese has no word bounds."""
    if not name.isascii() and any(is_han(c) for c in name):
        return name in text
    return any(f" {name}{ending} " in text for ending in ("", "s", "es"))


def _kinds(kinds: frozenset[str]) -> str:
    return " or ".join(sorted(k or "any" for k in kinds))


_BY_RELATION = {
    "treats": "INDICATION_MISMATCH",
    "given_by": "ROUTE_ERROR",
    "dose_adjustment": "DOSE_ADJUSTMENT_MISSED",
    "incompatible_with": "INCOMPATIBILITY",
    "cross_reacts_with": "ALLERGY_CONFLICT",
    "burden_limit": "CUMULATIVE_BURDEN",
}
_BY_FACTOR = (
    (("pregnant", "trimester", "lactating"), "PREGNANCY_LACTATION"),
    (("crcl", "egfr", "creatinine", "dialysis"), "RENAL_IMPAIRMENT"),
    (("child_pugh",), "HEPATIC_IMPAIRMENT"),
    (("with",), "DOSE_ADJUSTMENT_MISSED"),
    (("age",), "AGE_RESTRICTION"),
)


def _risk_of(relation: str, said: _Said, subject: ConceptId) -> str:
    """The risk a statement is about, where its author did not say: by its relation, else by what it depends on."""
    if relation in _BY_RELATION:
        return _BY_RELATION[relation]
    if relation == "interacts_with":
        if said.object and kind_of(said.object) == "lifestyle":
            return "INTERACTION_FOOD"
        return "DUPLICATE_THERAPY" if said.object == subject else "INTERACTION_DRUG_DRUG"
    if relation not in ("dose_limit", "contraindicated_in", "requires_caution_with"):
        return ""
    asked = {c.factor for clause in said.when for c in clause if not c.negated}
    for names, risk in _BY_FACTOR:
        if asked.intersection(names):
            return risk
    if said.object and relation != "dose_limit":
        return _ORGANS.get(said.object, "CONTRAINDICATION_CONDITION")
    if relation == "dose_limit":
        return "FREQUENCY_ERROR" if said.limit and said.limit.unit == "times" else "DOSAGE_ERROR"
    return "ROUTE_ERROR" if "route" in asked else "CONTRAINDICATION_CONDITION"


_ORGANS = {
    ConceptId(f"disease:{slug}"): risk
    for risk, slugs in (
        ("HEPATIC_IMPAIRMENT", ("liver-disease", "active-liver-disease", "cirrhosis", "hepatic-encephalopathy")),
        ("RENAL_IMPAIRMENT", ("chronic-kidney-disease", "end-stage-renal-disease", "acute-kidney-injury", "anuria")),
    )
    for slug in slugs
}
