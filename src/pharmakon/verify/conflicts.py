"""The symbolic track: what a draft gives leave for, judged by the audit's own checks (FG-6, FG-7)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from pharmakon.audit.report import finding_id
from pharmakon.audit.run import Auditor
from pharmakon.model.answer import Conflict
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.finding import Finding
from pharmakon.model.vocabulary import Tier
from pharmakon.verify.case import Scene, one_each
from pharmakon.verify.claims import Claim, Claims
from pharmakon.verify.names import Named
from pharmakon.verify.path import PathFinder
from pharmakon.verify.stance import Stance
from pharmakon.verify.track import Context

#: A class is judged by so many of its members that are known in depth: what it is said of holds for each of them.
_MEMBERS = 4
_FOOD = "INTERACTION_FOOD"
_DRUGS = ("drug", "class")
#: Meals are a matter of timing; what is eaten besides is not in a prescription, so that the audit only informs of it.
_MEALS = ConceptId("lifestyle:food")


@dataclass(frozen=True, slots=True)
class _Found:
    """A finding, and which of the names that were audited it is about, a food included."""

    finding: Finding
    names: tuple[Named, ...]
    scene: Scene

    @property
    def concepts(self) -> frozenset[ConceptId]:
        return _concepts(self.names)


class AuditTrack:
    """Asks the audit about everything that a draft leaves standing together."""

    def __init__(self, auditor: Auditor) -> None:
        self._auditor = auditor
        self._display = lru_cache(8192)(self._look_up)
        self._paths = PathFinder(auditor.knowledge, self._display)
        self._alone = lru_cache(4096)(self._findings_alone)
        self._members = lru_cache(512)(self._members_of)

    def conflicts(self, claims: Claims, context: Context, lang: str) -> tuple[Conflict, ...]:
        """What the draft gives leave for and the audit warns of, the gravest first."""
        leaving = [c for c in claims.said if c.leaves]
        if not any(c.drugs for c in leaving):
            return ()
        allowed = _concepts(n for c in leaving for n in c.about)
        touched: list[_Found] = []
        for together in _units(leaving):
            everything = [n for c in together for n in c.about]
            named = _concepts(everything)
            everything += [*claims.asked, *claims.known]
            everything += [
                n for c in claims.said for n in c.own if c.stance is Stance.NEUTRAL or n.kind == "allergen"
            ]  # an allergy is one in a warning too
            if together[0].apart:
                everything = self._without_kin(everything, claims)
            whole = self._found(self._scene(everything, claims, context, notes=claims.question), lang)
            touched += (f for f in whole if named & f.concepts)
        found = {f.finding.id: f for f in touched if not _warned(f, claims.said, allowed)}
        for claim in leaving:
            # what one clause gives leave for by itself no warning beside it takes back
            if (
                claim.stance is Stance.ALLOWS
                and len(claim.about) > 1
                and (len(found) < len(touched) or _of_others(claim))
            ):
                scene = self._scene(claim.about, claims, Context(as_of=context.as_of))
                found |= {f.finding.id: f for f in self._found(scene, lang)}
        ordered = sorted(found.values(), key=lambda f: (-f.finding.tier, f.finding.type, f.finding.drugs))
        return tuple(self._conflict(f) for f in ordered)

    def _without_kin(self, named: Sequence[Named], claims: Claims) -> list[Named]:
        """`named` without classes of what is asked about or taken: of dabigatran "the anticoagulant" is dabigatran."""
        drugs = {n.concept for n in (*claims.asked, *claims.known) if n.kind == "drug"}
        above = {up for chain in self._auditor.knowledge.ancestors(drugs).values() for up in chain} if drugs else set()
        return [n for n in named if n.kind != "class" or n.concept not in above]

    def _scene(self, named: Iterable[Named], claims: Claims, context: Context, notes: str = "") -> Scene:
        named = list(named)
        drugs = one_each(self._drugs(named, claims), [*(c.own for c in claims.said), claims.asked])
        others = tuple(dict.fromkeys(n for n in named if n.kind not in ("drug", "class")))
        doses = tuple(claims.dose_of(n) for n in drugs)
        return Scene(drugs, others, doses, context, (notes,) if notes else ())

    def _drugs(self, named: Sequence[Named], claims: Claims) -> Iterator[Named]:
        """The drugs, and for a class some of its members, unless one is named beside it: "NSAIDs such as ibuprofen"."""
        yield from (n for n in named if n.kind == "drug")
        classes = {n.concept: n for n in named if n.kind == "class"}
        if not classes:
            return
        for unit in (*(c.own for c in claims.said), claims.asked):
            drugs = {n.concept for n in unit if n.kind == "drug"}
            for above in self._auditor.knowledge.ancestors(drugs).values() if drugs else ():
                for concept in {n.concept for n in unit if n.kind == "class"} & above.keys():
                    classes.pop(concept, None)
        for concept, name in classes.items():
            yield from (replace(name, kind="drug", concept=c, member_of=concept) for c in self._members(concept))

    def _members_of(self, concept: ConceptId) -> tuple[ConceptId, ...]:
        below = {c for c in self._auditor.knowledge.descendants(concept) if kind_of(c) == "ingredient"}
        known = self._auditor.knowledge.concepts(below)
        return tuple(sorted(c for c in below if c in known and known[c].covered == "deep")[:_MEMBERS])

    def _found(self, scene: Scene, lang: str) -> list[_Found]:
        """What the audit finds in `scene` that it does not find in each of its drugs alone."""
        if not scene.drugs:
            return []
        by_id: dict[str, Finding] = {}
        for prescription in scene.prescriptions(self._display):
            for finding in self._auditor.audit(prescription, lang=lang).findings:
                known = by_id.get(finding.id)
                if known is None or known.tier < finding.tier:
                    by_id[finding.id] = finding
        alone = {i for n in scene.drugs for i in self._alone(n.concept)}
        found = [self._placed(f, scene) for f in by_id.values() if f.type == _FOOD or f.id not in alone]
        return _of_whole_classes([f for f in found if f is not None])

    def _findings_alone(self, drug: ConceptId) -> frozenset[str]:
        """The findings that a drug has by itself, for a patient of whom nothing is known."""
        scene = Scene((Named(0, 0, "drug", drug, ""),), (), ("",), Context())
        (prescription,) = scene.prescriptions(self._display)
        return frozenset(f.id for f in self._auditor.audit(prescription).findings)

    def _placed(self, finding: Finding, scene: Scene) -> _Found | None:
        """`finding` with the names it is about; None where it speaks against nothing that was said."""
        names = tuple(scene.drugs[line] for line in finding.lines if line < len(scene.drugs))
        if finding.type == _FOOD:
            foods = [n for n in scene.others if n.kind == "food" and n.concept != _MEALS]
            food = next((n for n in foods if finding_id(_FOOD, finding.drugs, n.concept) == finding.id), None)
            return _Found(finding, (*names, food), scene) if food and names else None
        if finding.tier < Tier.WARNING or not names:
            return None
        options = {n.option or n.member_of or 0 for n in names}
        if len(finding.lines) > 1 and len(options) == 1 and options != {0}:
            return None  # one or the other, or two members of one class
        return _Found(finding, names, scene)

    def _conflict(self, found: _Found) -> Conflict:
        finding = found.finding
        return Conflict(
            type=finding.type,
            tier=max(finding.tier, Tier.WARNING),
            drugs=finding.drugs,
            path=self._paths.path(finding, found.names, found.scene.others),
            summary=finding.summary,
            management=finding.management,
            evidence=finding.evidence,
        )

    def _look_up(self, concept: ConceptId) -> str:
        known = self._auditor.knowledge.concepts({concept}).get(concept)
        return known.display if known else concept.partition(":")[2].replace("-", " ")


def _units(leaving: Sequence[Claim]) -> Iterator[list[Claim]]:
    """What is left standing together: all that somebody says in one breath, and each quotation by itself."""
    own = [c for c in leaving if not c.apart]
    if own:
        yield own
    yield from ([c] for c in leaving if c.apart)


def _of_whole_classes(found: Sequence[_Found]) -> list[_Found]:
    """`found`; of a class that was named, one finding where each member that was looked at has the same."""
    kept: dict[object, _Found] = {}
    for f in found:
        classes = {n.member_of for n in f.names if n.member_of}
        alike = [g for g in found if (g.finding.type, g.concepts) == (f.finding.type, f.concepts)] if classes else []
        if all(_members(f.scene.drugs, c) <= {m for g in alike for m in _members(g.names, c)} for c in classes):
            kept.setdefault((f.finding.type, f.concepts) if classes else f.finding.id, f)
    return list(kept.values())


def _members(named: Iterable[Named], concept: ConceptId) -> set[ConceptId]:
    return {n.concept for n in named if n.member_of == concept}


def _concepts(named: Iterable[Named]) -> frozenset[ConceptId]:
    """What was named, whatever it was called; the class for its members. People and states are none."""
    return frozenset(n.member_of or n.concept for n in named if n.concept)


def _of_others(claim: Claim) -> bool:
    """Whether a claim is about people, who may be others than the reader."""
    return any(n.kind == "person" for n in claim.about)


def _warned(found: _Found, claims: Sequence[Claim], allowed: frozenset[ConceptId]) -> bool:
    """Whether the draft itself warns of `found`: it forbids a drug of it and leaves it nowhere, or warns of the whole.

    A warning of one drug alone counts for no more than that drug: "it may upset the stomach" says nothing of kidneys.
    One that names nothing ("I understand your concern.") takes back no leave that is given after it for all by name.
    """
    warning = [
        c for at, c in enumerate(claims) if c.stance is Stance.WARNS and not _passed_over(c, claims[at + 1 :], found)
    ]
    if any(found.concepts & _concepts(c.about) - allowed for c in warning):
        return True
    alone = len(found.names) == 1
    return any(
        found.concepts <= _concepts(c.about)
        and (not alone or any(n.kind in ("condition", "person", "allergen") for n in c.about))
        for c in warning
    )


def _passed_over(warning: Claim, after: Sequence[Claim], found: _Found) -> bool:
    drugs = {n.concept for n in found.names if n.kind in _DRUGS}
    left = {n.concept for c in after if c.leaves for n in c.own}
    return bool(drugs) and drugs <= left and not found.concepts & _concepts(warning.own)
