"""Order → understood order: ingredients with strengths, dose, timing and route, each as stated or as taken to be."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from pharmakon.link.conditions import INDICATIONS, ConditionLinker
from pharmakon.link.dosing.amounts import agreed, exposure
from pharmakon.link.dosing.frequency import read_frequency
from pharmakon.link.dosing.sig import read_sig
from pharmakon.link.dosing.strength import Strength, read_form, read_strengths
from pharmakon.link.dosing.words import read_words
from pharmakon.link.drugs import DrugLinker, DrugMatch, NoDrug
from pharmakon.link.forms import acts_in_skin, is_patch, passes_through, route_implied
from pharmakon.link.routes import read_route
from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.dosing import Part, Sig, Understood
from pharmakon.model.errors import BadInput
from pharmakon.model.finding import Unresolved
from pharmakon.model.prescription import Amount, Order, Timing
from pharmakon.model.profile import Assumption
from pharmakon.model.units import convert, dimension, is_unit

_BOLUS = re.compile(r"(?P<no>\b(?:no|not|never|without|geen|niet|zonder)\b[^.;,]{0,20})?\bbolus\b", re.IGNORECASE)

#: "through its own line", "not mixed with gentamicin", "flush before and after"
_APART = re.compile(
    r"\b(?:own|separate|different|another|other|dedicated)\s+(?:iv\s+|intravenous\s+)?(?:line|lumen|access|site|syringe)\b"
    r"|\bgive[n]?\s+separately\b|\b(?:not|never|do not)\s+(?:be\s+)?mix(?:ed)?\b"
    r"|\bflush(?:ed|ing)?\b[^.;]{0,25}\b(?:between|before and after)\b"
    r"|\b(?:eigen|aparte|andere)\s+(?:lijn|lumen|infuuslijn|spuit)\b|\bniet\s+mengen\b|单独(?:通路|输注)|另一(?:条|个)?(?:静脉)?通路",
    re.IGNORECASE,
)
#: "warfarin STOP", "d/c lisinopril", "metformin (on hold)" in the name of the drug
_STOPPED = re.compile(
    r"\b(?:stop(?:ped)?|hold|held|withhold|withheld|d/c(?:'?d)?|dc'd|discontinued?|gestopt|gestaakt|staken|stoppen)\b"
    r"|停用|停药|暂停",
    re.IGNORECASE,
)
#: What keeps a catheter open acts in the catheter: "Heparin Flush (100 units/ml)", "Alteplase (Catheter Clearance)".
_LOCK = re.compile(r"\b(?:flush|heparin lock|heparineslot|catheter clearance|catheter lock)\b|封管", re.IGNORECASE)

Ingredients = Callable[[ConceptId], Sequence[Part]]
"""Product → its ingredients, with strengths where the knowledge base states them."""


@dataclass(frozen=True, slots=True)
class Reading:
    """An order as far as it could be understood. `order` is None where no drug was recognised."""

    order: Understood | None
    unresolved: tuple[Unresolved, ...] = ()
    assumptions: tuple[Assumption, ...] = ()


def understand(
    order: Order,
    drugs: DrugLinker,
    conditions: ConditionLinker,
    ingredients: Ingredients,
    display: Callable[[ConceptId], str],
) -> Reading:
    """What `order` means; everything that was assumed or not understood is in the reading."""
    match = drugs.resolve(order.drug)
    if isinstance(match, NoDrug) and match.supply:
        return Reading(None, (), (Assumption(f"“{order.drug.text}” is no drug", "it names a container or a device"),))
    if isinstance(match, NoDrug):
        return Reading(None, (Unresolved(order.drug.text, order.line, match.suggestions),))
    unresolved = [Unresolved(part, order.line) for part in match.missing]
    assumptions = _said_of_match(order, match, display)
    sig = _directions(order)
    assumptions += [Assumption(f"directions of “{order.drug.text}”", note, match.concepts[0]) for note in sig.notes]
    if sig.stop or _STOPPED.search(order.drug.text):
        why = "the order says not to take it; it is audited as if taken until the order is stopped"
        assumptions.append(Assumption(f"“{order.drug.text}” counts as current", why, match.concepts[0]))
    timing = _timing(order, sig)
    form = read_form(order.drug.text)
    parts = _parts(drugs.dosed_text(order.drug.text, match), match, ingredients, display)
    route, route_note = _route(order, sig, form.route, parts)
    assumptions += route_note
    indication = None
    if order.indication is not None:
        found = conditions.condition(order.indication, INDICATIONS)
        if found is None:
            unresolved.append(Unresolved(order.indication.text, order.line, what="indication"))
        else:
            indication = found.concept
    dosed = tuple(part for part in parts if not part.carries)
    if len(dosed) == 1 and sig.dose is not None and sig.restated is not None:
        agreed_dose, told = agreed(sig.dose, sig.restated, dosed[0])
        sig = replace(sig, dose=agreed_dose)
        assumptions += [Assumption(f"directions of “{order.drug.text}”", told, match.concepts[0])] if told else []
    written, timing, said = _the_higher(order, sig, timing, dosed)
    assumptions += said
    dose = _of_all_parts(written, dosed)
    if dose is None and order.dose is None and sig.dose is None and timing and sig.max_daily is None:
        dose, said = _one_piece(order, dosed)
        assumptions += said
    understood = Understood(
        order=order,
        concept=match.concepts[0],
        parts=parts,
        match=match.how,
        matched=match.matched,
        dose=dose,
        timing=timing,
        route=route,
        as_needed=order.as_needed if order.as_needed is not None else (sig.as_needed or None),
        duration_days=order.duration_days if order.duration_days is not None else _duration(order, sig),
        form=form.release,
        form_route=_form_route(order, route, form.route, parts),
        undiluted=_undiluted(order, sig),
        apart=_APART.search(order.sig or "") is not None,
        max_daily=sig.max_daily,
        indication=indication,
    )
    return Reading(understood, tuple(unresolved), tuple(assumptions))


def _directions(order: Order) -> Sig:
    """The directions; where there are none, what the frequency says beside its figures ("as needed")."""
    if order.sig:
        return read_sig(order.sig)
    return read_sig(order.frequency) if isinstance(order.frequency, str) else Sig()


def _said_of_match(order: Order, match: DrugMatch, display: Callable[[ConceptId], str]) -> list[Assumption]:
    names = " + ".join(display(c) for c in match.concepts)
    said: list[Assumption] = []
    if match.how == "assumed":
        others = [c for c in match.candidates if c != match.matched]
        why = f"closest known name{'; also near: ' + ', '.join(others) if others else ''}"
        said.append(Assumption(f"“{order.drug.text}” is taken as {names}", why, match.concepts[0]))
    if match.ignored:
        said.append(
            Assumption(
                f"“{order.drug.text}” is taken as {names}",
                f"these words were not used: {match.ignored}",
                match.concepts[0],
            )
        )
    if match.conflict:
        why = f"the code {match.matched} says so, the words name {match.conflict}"
        said.append(Assumption(f"“{order.drug.text}” is taken as {names}", why, match.concepts[0]))
    return said


def _timing(order: Order, sig: Sig) -> Timing | None:
    if isinstance(order.frequency, Timing):
        return order.frequency
    if order.frequency:
        try:
            return read_frequency(order.frequency)
        except BadInput as error:
            if sig.timing or sig.as_needed:  # "as needed" says when, not how often
                return sig.timing
            raise error.within(f"medications[{order.line}].frequency") from None
    return sig.timing


def _route(order: Order, sig: Sig, hinted: str | None, parts: Sequence[Part]) -> tuple[str | None, list[Assumption]]:
    """The route of the field, else of the directions, else the one that form and directions imply."""
    concepts = [part.ingredient for part in parts]
    if _LOCK.search(order.drug.text) and (not order.route or read_route(order.route) == "intravenous"):
        return "line_lock", []
    if order.route:
        route = read_route(order.route) or read_sig(order.route).route
        if route is None:
            return hinted or sig.route, [
                Assumption(
                    f"route “{order.route}” is not recognised; the drug is taken as systemic", f"line {order.line}"
                )
            ]
        if sig.route and route != sig.route and sig.route.startswith(route):
            return sig.route, []  # "iv" in the field, "IV push" in the directions
        if route == "topical" and is_patch(order.drug.text, order.sig or "") and passes_through(concepts):
            return "transdermal", []
        return _pushed(route, order), []
    if sig.route == "topical" and passes_through(concepts):
        return "transdermal", []  # "one patch to the skin" says where, not that it stays there
    if sig.route:
        return _pushed(sig.route, order), []
    dose = order.dose or sig.dose
    implied, why = route_implied(order.drug.text, hinted, order.sig or "", dose.unit if dose else "", concepts)
    said = [Assumption(f"“{order.drug.text}” is taken by mouth", why, *concepts[:1])] if why else []
    return implied, said


def _pushed(route: str, order: Order) -> str:
    """A bolus into a vein is a push, wherever "bolus" stands."""
    said = f"{order.route or ''} {order.sig or ''}"
    bolus = any(match["no"] is None for match in _BOLUS.finditer(said))
    return "intravenous_push" if route == "intravenous" and bolus else route


def _form_route(order: Order, route: str | None, hinted: str | None, parts: Sequence[Part]) -> str | None:
    """The route the form is made for; open where the drug decides whether it acts in the skin or passes through it."""
    concepts = [part.ingredient for part in parts]
    if acts_in_skin(hinted, concepts) or (hinted == "topical" and route == "transdermal" and not order.route):
        return None
    return hinted


def _duration(order: Order, sig: Sig) -> float | None:
    if sig.duration_days is not None:
        return sig.duration_days
    return float((order.end - order.start).days) if order.start and order.end and order.end > order.start else None


def _undiluted(order: Order, sig: Sig) -> bool | None:
    said = fold(" ".join(filter(None, (order.sig, order.route, order.drug.text))))
    beside = fold(" ".join(filter(None, (order.route, order.drug.text))))
    if sig.undiluted or any(word.tag == "h" for word in read_words(beside)):
        return True
    return (
        False
        if any(w in said for w in ("diluted", "dilute", "infusion", "infuus", "piggyback", "premix", "verdund"))
        else None
    )


def _parts(
    text: str, match: DrugMatch, ingredients: Ingredients, display: Callable[[ConceptId], str]
) -> tuple[Part, ...]:
    """The ingredients with the strengths that stand in `text`, then what carries them."""
    strengths = [s for s in read_strengths(text) if s.role == "strength"]
    given = [c for c in match.concepts if c not in match.carriers]
    parts: list[Part] = []
    for concept in given:
        parts += ingredients(concept) if kind_of(concept) == "drug" else [Part(concept)]
    if len(parts) > 1 and len(given) == 1:
        named = fold(display(given[0]))  # a combination's name lists its ingredients in the order of strengths
        parts.sort(key=lambda p: at if (at := named.find(fold(display(p.ingredient)).split()[0])) >= 0 else 999)
    carriers = tuple(Part(c, carries=True) for c in match.concepts if c in match.carriers)
    if len(parts) > 1 and len([s for s in strengths if s.per == "piece"]) != len(parts):
        figures = _listed_figures(text, len(parts))
        if figures:
            return (
                tuple(replace(p, strength=Amount(f, f, "mg")) for p, f in zip(parts, figures, strict=True)) + carriers
            )
    return tuple(_strong(part, i, len(parts), strengths) for i, part in enumerate(parts)) + carriers


def _listed_figures(text: str, parts: int) -> list[float] | None:
    """`875/125`, `5 mg/325 mg`, `12.5-20`: as many figures as a combination has parts are its strengths in mg."""
    figure = r"(\d+(?:[.,]\d+)?)\s*(?:mg)?"
    match = re.search(
        r"(?<![\d.,/-])" + r"\s*[/-]\s*".join([figure] * parts) + r"(?![\d.,/%]|\s*(?:mcg|ml|g\b))", text, re.I
    )
    return [float(g.replace(",", ".")) for g in match.groups()] if match else None


def _the_higher(
    order: Order, sig: Sig, timing: Timing | None, parts: Sequence[Part]
) -> tuple[Amount | None, Timing | None, list[Assumption]]:
    """Dose and timing where the fields and the directions both speak: where they disagree, the higher day counts.

    Where nobody says how often, the higher dose does.
    """
    fields = (order.dose or sig.dose, timing)
    directions = (sig.dose or order.dose, sig.timing or timing)
    if not parts or fields == directions:
        return *fields, []
    of_fields, of_sig = (exposure(d, t, parts[0]) for d, t in (fields, directions))
    a, b, per = of_fields.daily, of_sig.daily, "a day"
    if timing is None and sig.timing is None:
        a, b, per = of_fields.single, of_sig.single, "a dose"
    if a is None or b is None or a.unit != b.unit or abs(a.high - b.high) <= 0.01 * max(a.high, b.high):
        return *fields, []
    text = f"“{order.drug.text}” is taken as {max(a.high, b.high):g} {b.unit} {per}"
    why = f"its fields say {a.high:g} {a.unit} {per}, its directions {b.high:g}; the higher counts"
    return *(fields if a.high > b.high else directions), [Assumption(text, why, parts[0].ingredient)]


def _one_piece(order: Order, parts: Sequence[Part]) -> tuple[Amount | None, list[Assumption]]:
    """ "metformin 1000 mg, twice daily" means one of 1000 mg at a time; said, because it is not written."""
    if not parts or any(p.strength is None or p.per != "piece" for p in parts):
        return None, []
    strengths = " + ".join(f"{p.strength.high:g} {p.strength.unit}" for p in parts if p.strength)
    why = "no dose is given; one unit of the strength in the name at a time"
    return Amount(1, 1, "piece"), [Assumption(f"“{order.drug.text}” is taken as {strengths} a dose", why)]


def _of_all_parts(dose: Amount | None, parts: Sequence[Part]) -> Amount | None:
    """A dose of a combination in pieces: 625 mg, or 500 mg, of one that holds 500 and 125 mg is one piece.

    A mass that fits no number of pieces says nothing about the single ingredients, and is no dose of any of them.
    """
    if dose is None or len(parts) < 2 or not is_unit(dose.unit) or dimension(dose.unit) != "mass":
        return dose
    strengths = [p.strength for p in parts if p.strength and is_unit(p.strength.unit) and p.per == "piece"]
    if len(strengths) != len(parts) or any(dimension(s.unit) != "mass" for s in strengths):
        return None
    masses = [convert(s.high, s.unit, dose.unit) for s in strengths]
    for whole in (sum(masses), *masses):
        low, high = dose.low / whole, dose.high / whole
        if abs(low * 2 - round(low * 2)) < 0.02 and abs(high * 2 - round(high * 2)) < 0.02 and high >= 0.5:
            return Amount(round(low * 2) / 2, round(high * 2) / 2, "piece")
    return None


def _strong(part: Part, place: int, parts: int, strengths: Sequence[Strength]) -> Part:
    """The strength that belongs to the part at `place`: one strength for one part, or as many as there are parts."""
    if not strengths or (parts > 1 and len(strengths) != parts):
        return part
    found = strengths[place if parts > 1 else 0]
    return replace(part, strength=found.amount, per=found.per)
