"""Names that belong together → a prescription as if somebody had ordered it all, for the audit to judge."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from pharmakon.model.concepts import ConceptId, fold
from pharmakon.model.prescription import Ailment, Allergy, Order, Patient, Prescription, Text
from pharmakon.verify.names import Named
from pharmakon.verify.track import Context

_TRIMESTERS = (1, 2, 3)
_FLAGS = ("pregnant", "lactating", "dialysis")


@dataclass(frozen=True, slots=True)
class Scene:
    """What one audit looks at: `drugs` line by line, `doses` the words by which each is told to be taken."""

    drugs: tuple[Named, ...]
    others: tuple[Named, ...]  #: conditions, people, allergens and foods
    doses: tuple[str, ...]
    context: Context
    notes: tuple[str, ...] = ()

    def prescriptions(self, display: Callable[[ConceptId], str]) -> tuple[Prescription, ...]:
        """One, or one for each trimester where a pregnancy is of no certain one."""
        orders = tuple(
            Order(line, Text(named.words if named.brand else display(named.concept)), sig=dose or None)
            for line, (named, dose) in enumerate(zip(self.drugs, self.doses, strict=True))
        )
        patient = self._patient(display)
        unsure = patient.pregnant is True and patient.trimester is None
        patients = [replace(patient, trimester=t) for t in _TRIMESTERS] if unsure else [patient]
        return tuple(Prescription(p, orders, self.context.as_of) for p in patients)

    def _patient(self, display: Callable[[ConceptId], str]) -> Patient:
        """The context's patient, with what the names add where it says nothing."""
        patient = self.context.patient
        states = dict(n.state for n in reversed(self.others) if n.state is not None)
        changes: dict[str, object] = {f: True for f in _FLAGS if f in states and getattr(patient, f) is None}
        if "trimester" in states and patient.trimester is None:
            changes |= {"pregnant": True, "trimester": states["trimester"]}
        if "age" in states and patient.age is None:
            changes["age"] = (float(states["age"]), float(states["age"]))
        conditions = [Ailment(Text(display(n.concept))) for n in self.others if n.kind == "condition"]
        # what is claimed without an exception is claimed of somebody who has nothing else
        changes["conditions"] = (*(patient.conditions or ()), *dict.fromkeys(conditions))
        allergies = [Allergy(Text(n.words), "allergy") for n in self.others if n.kind == "allergen"]
        if allergies:
            changes["allergies"] = (*(patient.allergies or ()), *dict.fromkeys(allergies))
        changes["notes"] = (*patient.notes, *self.notes)
        return replace(patient, **changes)  # type: ignore[arg-type]


def one_each(named: Iterable[Named], apart: Iterable[Sequence[Named]]) -> tuple[Named, ...]:
    """`named` with each drug once; two names of one are two packets where both are brands, or one breath names both.

    `apart` are the names of each clause, and of the question.
    """
    found: list[Named] = []
    together = [{n.key: n for n in names} for names in apart]
    for name in named:
        twin = next((f for f in found if f.concept == name.concept), None)
        if twin is None or (all(f.key != name.key for f in found) and _two_packets(twin, name, together)):
            found.append(name)
    return tuple(found)


def _two_packets(a: Named, b: Named, together: Sequence[dict[tuple[ConceptId, str], Named]]) -> bool:
    shared = [(names[a.key], names[b.key]) for names in together if a.key in names and b.key in names]
    if any(x.option and x.option == y.option for x, y in shared):
        return False
    return bool(shared) or (a.brand and b.brand and not _part(a.words, b.words))


def _part(a: str, b: str) -> bool:
    """Whether one name is the other with a word more: "Ingrezza", "Ingrezza Sprinkle"."""
    return fold(a) in fold(b) or fold(b) in fold(a)
