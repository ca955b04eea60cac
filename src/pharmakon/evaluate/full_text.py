"""The full-text ablation: drugs are recognised as ever, but no plan, rule or graph is asked; passages are read whole.

For each drug the passages that a word search finds for its name are kept, and a risk is reported where the patient's
or the order's words stand in one passage with it. This is what a careful reader of search results could say without
weighing conditions; PharmGraph-Auditor's "w/o CoV" (3.3) is its model.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pharmakon.link.conditions import INDICATIONS, ConditionLinker
from pharmakon.link.drugs import DrugLinker, NoDrug
from pharmakon.link.names import Finder
from pharmakon.link.routes import read_route
from pharmakon.model.concepts import ConceptId, fold
from pharmakon.model.finding import Finding, Report, Unresolved
from pharmakon.model.passages import Passage
from pharmakon.model.prescription import Order, Patient, Prescription, Text
from pharmakon.model.vocabulary import Tier
from pharmakon.ports.knowledge import KnowledgeBase

_PASSAGES = 40
_DOSE = re.compile(r"(\d[\d,]*(?:\.\d+)?) mg")
_HARM = frozenset({"contraindications", "warnings", "boxed_warning", "specific_populations", "pregnancy", "lactation"})
_SENTENCE = re.compile(r"(?<=[.;])\s+")


@dataclass(frozen=True, slots=True)
class _Named:
    line: int
    name: str
    words: tuple[str, ...]
    order: Order
    passages: tuple[Passage, ...]


class FullText:
    """A system under test; call it with a prescription."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        self.knowledge = knowledge
        finder = Finder(knowledge)
        self._drugs, self._conditions = DrugLinker(finder), ConditionLinker(finder)
        self._found: dict[str, tuple[Passage, ...]] = {}

    def __call__(self, prescription: Prescription) -> Report:
        named: list[_Named] = []
        unresolved: list[Unresolved] = []
        for order in prescription.orders:
            match = self._drugs.resolve(order.drug)
            if isinstance(match, NoDrug):
                unresolved += [] if match.supply else [Unresolved(order.drug.text, order.line)]
            else:
                named += [self._named(c, order) for c in match.concepts]
        findings = {(f.type, f.drugs): f for f in self._findings(named, prescription.patient)}
        return Report(
            as_of=prescription.as_of,
            verdict="findings" if findings else "none_found",
            findings=tuple(findings[k] for k in sorted(findings)),
            gaps=(),
            checked=(),
            patient=(),
            assumptions=(),
            unresolved=tuple(unresolved),
            knowledge_version=self.knowledge.version(),
        )

    def _named(self, concept: ConceptId, order: Order) -> _Named:
        known = self.knowledge.concepts({concept})
        names = tuple(n.text for n in known[concept].names) if concept in known else (order.drug.text,)
        display = known[concept].display if concept in known else order.drug.text
        if display not in self._found:
            self._found[display] = tuple(found.passage for found in self.knowledge.search(display, _PASSAGES))
        own = tuple(p for p in self._found[display] if _stands(names, p.text))
        return _Named(order.line, display, names, order, own)

    def _findings(self, named: Sequence[_Named], patient: Patient) -> Iterator[Finding]:
        words = list(self._patient_words(patient))
        for drug in named:
            yield from self._alone(drug, words)
            yield from _amounts(drug)
            for other in named:
                if other.line > drug.line and other.name != drug.name:
                    yield from _together(drug, other)
                elif other.line > drug.line:
                    yield _finding("DUPLICATE_THERAPY", (drug,), "ordered twice")

    def _alone(self, drug: _Named, words: Sequence[tuple[str, tuple[str, ...]]]) -> Iterator[Finding]:
        for passage in drug.passages:
            for sentence in _sentences(passage.text):
                for type_, said in words:
                    if passage.section in _HARM and _stands(said, sentence):
                        yield _finding(type_, (drug,), sentence)
        reasons = [p for p in drug.passages if p.section == "indications"]
        if reasons and drug.order.indication is not None:
            given = self._names_of(drug.order.indication.text)
            if not any(_stands(given, p.text) for p in reasons):
                yield _finding("INDICATION_MISMATCH", (drug,), drug.order.indication.text)
        route = read_route(drug.order.route) if drug.order.route else None
        dosage = [p for p in drug.passages if p.section in ("dosage", "dosage_forms")]
        if route and dosage and not any(route.partition("_")[0] in fold(p.text) for p in dosage):
            yield _finding("ROUTE_ERROR", (drug,), route)

    def _names_of(self, text: str) -> tuple[str, ...]:
        match = self._conditions.condition(Text(text), INDICATIONS)
        known = self.knowledge.concepts({match.concept}) if match else {}
        return (text, *(n.text for k in known.values() for n in k.names))

    def _patient_words(self, patient: Patient) -> Iterator[tuple[str, tuple[str, ...]]]:
        """What about the patient could stand in a passage, and the risk it would be."""
        for ailment in patient.conditions or ():
            yield "CONTRAINDICATION_CONDITION", self._names_of(ailment.name.text)
        for allergy in patient.allergies or ():
            yield "ALLERGY_CONFLICT", (allergy.substance.text,)
        if patient.age and patient.age[0] >= 65:
            yield "AGE_RESTRICTION", ("65 years", "older adults", "elderly")
        if patient.age and patient.age[1] < 18:
            yield "AGE_RESTRICTION", ("18 years", "children", "below the age", "years of age")
        if patient.pregnant:
            yield "PREGNANCY_LACTATION", ("pregnancy", "pregnant")
        if patient.lactating:
            yield "PREGNANCY_LACTATION", ("breastfeeding", "lactation")
        if patient.child_pugh:
            yield "HEPATIC_IMPAIRMENT", ("Child-Pugh", "hepatic impairment", "liver disease")
        creatinine = next((m for name, m in patient.labs if name == "creatinine"), None)
        if creatinine and creatinine.value > (1.3 if "mg" in creatinine.unit else 115):
            yield "RENAL_IMPAIRMENT", ("creatinine clearance", "eGFR", "renal impairment")


def _together(a: _Named, b: _Named) -> Iterator[Finding]:
    for passage in (*a.passages, *b.passages):
        for sentence in _sentences(passage.text):
            if passage.section in ("interactions", "contraindications", "warnings", "boxed_warning") and (
                _stands(a.words, sentence) and _stands(b.words, sentence)
            ):
                mixing = any(w in sentence.casefold() for w in ("mix", "line", "precipit", "incompatib"))
                yield _finding("INCOMPATIBILITY" if mixing else "INTERACTION_DRUG_DRUG", (a, b), sentence)


def _amounts(drug: _Named) -> Iterator[Finding]:
    """A dose above every figure that the dosage passages mention."""
    dose = drug.order.dose
    figures = [float(n.replace(",", "")) for p in drug.passages if p.section == "dosage" for n in _DOSE.findall(p.text)]
    if dose is not None and dose.unit == "mg" and figures and dose.high > max(figures):
        yield _finding("DOSAGE_ERROR", (drug,), f"{dose.high:g} mg")


def _stands(words: Sequence[str], text: str) -> bool:
    folded = _padded(text)
    return any(w in folded or f"{w[:-1]}s " in folded for w in map(_padded, words) if w.strip())


@lru_cache(maxsize=100_000)
def _padded(text: str) -> str:
    """Folded, with a blank at both ends, so that whole words are found by looking for a substring."""
    return f" {fold(text)} "


@lru_cache(maxsize=20_000)
def _sentences(text: str) -> tuple[str, ...]:
    return tuple(_SENTENCE.split(text))


def _finding(type_: str, drugs: Sequence[_Named], why: str) -> Finding:
    return Finding(
        id=f"{type_}/{'+'.join(sorted(d.name for d in drugs))}",
        type=type_,
        tier=Tier.WARNING,
        drugs=tuple(sorted(d.name for d in drugs)),
        lines=tuple(sorted({d.line for d in drugs})),
        summary=why[:200],
        management="",
        would_change_if=(),
        evidence=(),
    )
