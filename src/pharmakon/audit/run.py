"""The audit: plan → query → curate → check → report, each step a function over values (PG-5)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from pharmakon.audit.case import Case
from pharmakon.audit.checks import CHECKS
from pharmakon.audit.concentration import unlike_what_is_held
from pharmakon.audit.curate import Selection, select
from pharmakon.audit.explain import explain as chain
from pharmakon.audit.exposure import Exposure, ended, exposures, key_of
from pharmakon.audit.formulas import bsa_mosteller
from pharmakon.audit.patient.build import build_profile
from pharmakon.audit.patient.show import shown, straddles
from pharmakon.audit.phrases import Phrases
from pharmakon.audit.plan import plan
from pharmakon.audit.precedence import weighed, worth_asking
from pharmakon.audit.query import Bundle, Gatherer
from pharmakon.audit.report import checked, gaps, merge, split
from pharmakon.audit.totals import totals
from pharmakon.link.conditions import ConditionLinker
from pharmakon.link.drugs import DrugLinker
from pharmakon.link.names import Finder
from pharmakon.link.orders import Reading, understand
from pharmakon.model.concepts import Concept, ConceptId, kind_of
from pharmakon.model.dosing import Part, Understood
from pharmakon.model.finding import Finding, Gap, PatientFact, Report, Unresolved
from pharmakon.model.prescription import Amount, Prescription
from pharmakon.model.profile import Assumption, Interval, Profile
from pharmakon.model.statements import Statement
from pharmakon.model.vocabulary import factors
from pharmakon.ports.knowledge import KnowledgeBase


class Auditor:
    """Audits against one state of a knowledge base and keeps what it looked up; `version` says which state."""

    def __init__(self, knowledge: KnowledgeBase, *, select: Selection = select) -> None:
        self.knowledge = knowledge
        self._select = select
        self.version = knowledge.version()
        self._finder = Finder(knowledge)
        self._drugs = DrugLinker(self._finder)
        self._conditions = ConditionLinker(self._finder)
        self._concepts: dict[ConceptId, Concept] = {}
        self._parts: dict[ConceptId, tuple[Part, ...]] = {}
        self._names = Names(self._display)
        self._gatherer = Gatherer(knowledge, knowledge)

    def audit(self, prescription: Prescription, *, lang: str = "en", explain: bool = False) -> Report:
        """The report on `prescription`. Raises `BadInput` for units and frequencies that can't be read."""
        say = Phrases(lang)
        live = [o for o in prescription.orders if o.status != "entered_in_error"]
        self._finder.prepare(_texts(prescription))
        readings = [understand(o, self._drugs, self._conditions, self._ingredients, self._display) for o in live]
        profile, unknown = build_profile(prescription.patient, self._conditions, self.knowledge, prescription.as_of)
        profile = self._by_ingredient(profile)
        case = self._case([r.order for r in readings if r.order], profile, prescription)
        outcomes = [outcome for check in CHECKS for outcome in check.run(case, say)]
        breaches, waiting, looked = split(outcomes)
        breaches, waiting = weighed(breaches, case), worth_asking(waiting, case)
        findings = merge(breaches, case)
        missing = (*gaps(waiting, breaches, findings, case, say), *self._not_ordered(case, say))
        uncovered = sorted({e.name for e in case.exposures if _uncovered(e, case)})
        unresolved = (*(u for r in readings for u in r.unresolved), *unknown)
        return Report(
            as_of=prescription.as_of,
            verdict=verdict(findings, missing, unresolved, uncovered, case),
            findings=findings,
            gaps=missing,
            checked=checked(looked, uncovered),
            patient=patient_facts(profile),
            assumptions=_assumptions(readings, profile, prescription, case),
            unresolved=unresolved,
            knowledge_version=self.version,
            notices=notices(case, uncovered, live, say),
            explain=chain(plan(case.exposures), case) if explain else None,
            drugs=tuple((line, e.ingredient, e.name) for e in case.exposures for line in e.lines),
        )

    def _case(self, orders: Sequence[Understood], profile: Profile, prescription: Prescription) -> Case:
        keys = [key_of(o, p) for o in orders for p in o.parts]
        allergies = {a.concept for a in profile.allergies or ()}
        bundles = self._gatherer.bundles([*keys, *((a, a) for a in allergies)])
        named = {o.indication for o in orders if o.indication}
        is_a = {c: frozenset(chains) for c, chains in self.knowledge.ancestors(named).items()} if named else {}
        body = measures(profile)
        everyone = [e for o in orders for e in exposures(o, bundles, self._names, is_a, prescription.as_of, body)]
        current = [e for e in everyone if e.current]
        effects = {s.object for e in current for s, _ in e.rules("has_effect") if s.object}
        return Case(
            profile=profile,
            exposures=current,
            past=[e for e in everyone if not e.current],
            totals=totals(current),
            pairs=self._gatherer.pairs([*(e.bundle for e in everyone), *(bundles[a, a] for a in allergies)]),
            limits=self._gatherer.limits(effects),
            names=self._names,
            as_of=prescription.as_of,
            covered={key[1]: self._covered(*key, bundles[key]) for key in keys},
            allergens={a: frozenset(bundles[a, a].ancestors) for a in allergies},
            select=self._select,
        )

    def _not_ordered(self, case: Case, say: Phrases) -> list[Gap]:
        """One gap for the drugs that notes say are taken and no order holds: nothing was checked with them."""
        ordered = {e.ingredient for e in (*case.exposures, *case.past)} | {e.product for e in case.exposures}
        loose = [
            m
            for m in case.profile.taken
            if m.concept not in ordered and ordered.isdisjoint(p.ingredient for p in self._ingredients(m.concept))
        ]
        if not loose:
            return []
        names = [f"{self._display(m.concept)} (“{m.words}”)" for m in loose]
        because = say("gap_medication", drugs=say.listed(names))
        return [Gap("medication", because, drugs=tuple(sorted({self._display(m.concept) for m in loose})))]

    def _by_ingredient(self, profile: Profile) -> Profile:
        """An allergy to a product is one to each of its ingredients, until somebody knows which."""
        if not any(kind_of(a.concept) == "drug" for a in profile.allergies or ()):
            return profile
        split = [
            replace(a, concept=part)
            for a in profile.allergies or ()
            for part in ([p.ingredient for p in self._ingredients(a.concept)] or [a.concept])
            if kind_of(a.concept) == "drug"
        ]
        kept = [a for a in profile.allergies or () if kind_of(a.concept) != "drug"]
        return replace(profile, allergies=(*kept, *split))

    def _covered(self, named: ConceptId, ingredient: ConceptId, bundle: Bundle) -> str:
        """How far the knowledge of an ingredient reaches; rules on a product that was ordered count as its own.

        What nobody has written about by hand is covered by its label where one has been read.
        """
        product, part = self._concept(named), self._concept(ingredient)
        depth = "deep" if product and product.covered == "deep" else part.covered if part else ""
        if depth in ("", "thin") and _from_label(bundle, {named, ingredient}):
            return "label"
        return depth

    def _ingredients(self, product: ConceptId) -> tuple[Part, ...]:
        if product not in self._parts:
            statements = self.knowledge.about({product}, ("has_ingredient",))
            self._parts[product] = tuple(Part(s.object, _strength(s)) for s in statements if s.object)
        return self._parts[product]

    def _concept(self, concept: ConceptId) -> Concept | None:
        if concept not in self._concepts:
            self._concepts.update(self.knowledge.concepts({concept}))
        return self._concepts.get(concept)

    def _display(self, concept: ConceptId) -> str:
        found = self._concept(concept)
        return found.display if found else concept.partition(":")[2]


class Names(dict[ConceptId, str]):
    """Display names, looked up when they are first needed."""

    def __init__(self, look_up: Callable[[ConceptId], str]) -> None:
        super().__init__()
        self._look_up = look_up

    def __missing__(self, concept: ConceptId) -> str:
        name = self[concept] = self._look_up(concept)
        return name


def _from_label(bundle: Bundle, concepts: Collection[ConceptId]) -> bool:
    """Whether a label says something of one of `concepts` itself."""
    return any(
        s.subject in concepts and any(e.kind == "label" for e in s.evidence)
        for rules in bundle.rules.values()
        for s, _ in rules
    )


def _uncovered(exposure: Exposure, case: Case) -> bool:
    return case.covered.get(exposure.ingredient, "") in ("", "thin") or bool(unlike_what_is_held(exposure))


def _strength(statement: Statement) -> Amount | None:
    """`strength: 325 mg` on a product's composition."""
    number, _, unit = statement.strength.partition(" ")
    return Amount(float(number.replace(",", "")), float(number.replace(",", "")), unit) if unit else None


def _texts(prescription: Prescription) -> list[str]:
    patient = prescription.patient
    texts = [o.drug.text for o in prescription.orders] + [
        o.indication.text for o in prescription.orders if o.indication
    ]
    texts += [a.name.text for a in patient.conditions or ()] + [a.substance.text for a in patient.allergies or ()]
    return texts + list(patient.notes)


def measures(profile: Profile) -> Mapping[str, float]:
    """Body weight in kg and body surface in m², where they are known."""
    weight, height = (profile.factors.get(name) for name in ("weight", "height"))
    if weight is None or not isinstance(weight.value, Interval):
        return {}
    if height is None or not isinstance(height.value, Interval):
        return {"kg": weight.value.high}
    return {"kg": weight.value.high, "m2": bsa_mosteller(height.value.high, weight.value.high)}


def verdict(
    findings: Sequence[Finding],
    missing: Sequence[Gap],
    unresolved: Sequence[Unresolved],
    uncovered: Sequence[str],
    case: Case,
) -> str:
    """The settled rule: any finding; else anything that could not be assessed; else none found."""
    if findings:
        return "findings"
    return "not_assessable" if missing or unresolved or uncovered or not case.exposures else "none_found"


def patient_facts(profile: Profile) -> tuple[PatientFact, ...]:
    found = []
    for name, known in profile.factors.items():
        stale = " (stale)" if known.stale else ""
        value = shown(known).removesuffix(f" {known.unit}")
        found.append(PatientFact(name, value, known.unit, known.source + stale))
    found += [
        PatientFact("condition", f"{h.concept.partition(':')[2]} ({h.status})", "", h.source)
        for h in profile.conditions or ()
    ]
    found += [PatientFact("allergy", a.concept.partition(":")[2], "", a.source) for a in profile.allergies or ()]
    return tuple(found)


def notices(case: Case, uncovered: Sequence[str], live: Sequence[object], say: Phrases) -> tuple[str, ...]:
    """What a reader must know before anything else."""
    said: list[str] = []
    age = case.profile.factors.get("age")
    if age and isinstance(age.value, Interval) and age.value.low < 18:
        said.append(say("children"))
    if live and not case.exposures and not case.past:
        said.append(say("no_drug"))
    if uncovered:
        said.append(say("not_covered", drugs=say.listed(list(uncovered))))
    held = sorted({e.name for e in case.exposures if e.status == "on_hold"})
    if held:
        said.append(say("on_hold", drugs=say.listed(held)))
    return tuple(said)


def _assumptions(
    readings: Sequence[Reading], profile: Profile, prescription: Prescription, case: Case
) -> tuple[Assumption, ...]:
    said = [a for r in readings for a in r.assumptions]
    said += profile.assumptions
    said += [Assumption(text, "said by the input") for text in prescription.remarks]
    said += [
        Assumption(f"“{o.drug.text}” counts as completed", f"it ended on {o.end}, before {prescription.as_of}")
        for o in prescription.orders
        if ended(o, prescription.as_of)
    ]
    said += _renal_borders(case)
    return tuple(dict.fromkeys(said))


def _renal_borders(case: Case) -> list[Assumption]:
    """Cut-offs of these drugs' rules at which the two renal formulas disagree."""
    found: dict[tuple[str, float], list[str]] = {}
    for exposure in case.exposures:
        for factor, limit in exposure.bundle.renal:
            if straddles(case.profile.factors, limit, factor):
                found.setdefault((factor, limit), []).append(exposure.name)
    said = []
    for (factor, limit), drugs in sorted(found.items()):
        note = straddles(case.profile.factors, limit, factor)
        label = factors()[factor].label
        names = ", ".join(sorted(set(drugs)))
        said.append(Assumption(f"{names}: the {label} decides, as the source names it", str(note)))
    return said
