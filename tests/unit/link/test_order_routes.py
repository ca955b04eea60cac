"""The route of an order: as said, or as its form and directions imply."""

from __future__ import annotations

import pytest

from pharmakon.link.conditions import ConditionLinker
from pharmakon.link.drugs import DrugLinker
from pharmakon.link.names import Finder
from pharmakon.link.orders import Reading, understand
from pharmakon.model.dosing import Part, Understood
from pharmakon.model.prescription import Order, Text
from tests.unit.link.lexicon import Words, concept

NAMES = ("levothyroxine", "fentanyl", "lidocaine", "capsaicin", "estradiol", "nicotine", "testosterone", "miconazole",
         "metronidazole", "levodopa", "nitroglycerin", "rivastigmine", "buprenorphine", "insulin")  # fmt: skip
FINDER = Finder(
    Words(
        (
            *(concept(f"ingredient:{name}", name) for name in NAMES),
            concept("ingredient:diclofenac", "diclofenac", brands=["Voltaren", "Pennsaid"]),
            concept("ingredient:potassium-chloride", "potassium chloride"),
        )
    )
)


def read(drug: str, sig: str = "", route: str | None = None) -> Reading:
    order = Order(0, Text(drug), sig=sig or None, route=route)
    return understand(order, DrugLinker(FINDER), ConditionLinker(FINDER), lambda c: [Part(c)], str)


def understood(drug: str, sig: str = "", route: str | None = None) -> Understood:
    found = read(drug, sig, route).order
    assert found is not None
    return found


@pytest.mark.parametrize(
    "sig", ["1 tablet daily", "2 caps bid", "1 pill daily", "1 pil per dag", "每日1片", "1 capsule 1x per dag"]
)
def test_a_dose_counted_in_tablets_is_swallowed_and_that_is_said(sig: str) -> None:
    reading = read("levothyroxine 100 mg", sig)
    assert reading.order is not None
    assert reading.order.route == "oral"
    assert any("taken by mouth" in said.text for said in reading.assumptions)


@pytest.mark.parametrize(
    ("drug", "sig", "route"),
    [
        ("nitroglycerin 0.4 mg", "1 tablet sublingual prn", "sublingual"),
        ("nitroglycerin 0.4 mg", "1 tablet under the tongue", "sublingual"),
        ("estradiol 10 mcg", "insert 1 tablet vaginally daily", "vaginal"),
        ("estradiol 10 mcg", "insert 1 tablet daily", None),
        ("levothyroxine 100 mcg", "100 mcg daily", None),
        ("levothyroxine injection 100 mcg", "1 tablet daily", None),
    ],
)
def test_a_tablet_that_goes_elsewhere_is_not_swallowed(drug: str, sig: str, route: str | None) -> None:
    assert understood(drug, sig).route == route


@pytest.mark.parametrize(
    ("drug", "sig"),
    [
        ("Voltaren gel", "apply 2 g to knee"),
        ("Voltaren gel", ""),
        ("Voltaren Emulgel", "2 dd"),
        ("diclofenac 1% cream", "twice daily"),
        ("diclofenac foam", ""),
        ("diclofenac patch", "1 patch twice daily"),
        ("diclofenac 140 mg medicated plaster", ""),
        ("diclofenac pleister", ""),
        ("lidocaine 5% patch", "apply 1 patch to the back for 12 hours"),
        ("capsaicin 8%", "1 patch to the foot"),
        ("Pennsaid", "apply 40 drops to the knee"),
        ("diclofenac", "smeer dun op de knie"),
        ("diclofenac", "涂于膝盖"),
    ],
)
def test_what_is_spread_on_the_skin_or_stuck_to_it_acts_there(drug: str, sig: str) -> None:
    assert understood(drug, sig).route == "topical"


@pytest.mark.parametrize(
    "name", ["fentanyl", "nicotine", "rivastigmine", "buprenorphine", "estradiol", "nitroglycerin"]
)
@pytest.mark.parametrize(
    ("form", "sig", "route"),
    [
        ("patch", "apply 1 patch to the skin daily", None),
        ("", "1 patch to the upper arm every 72 hours", None),
        ("pleister", "", None),
        ("patch", "apply 1 patch to the back", "topical"),
    ],
)
def test_a_patch_that_works_through_the_skin_is_systemic(name: str, form: str, sig: str, route: str | None) -> None:
    assert understood(f"{name} {form}", sig, route).route == "transdermal"


@pytest.mark.parametrize(
    ("drug", "sig", "field", "route"),
    [
        ("miconazole gel", "apply to the gums", "oral", "oral"),
        ("miconazole oral gel", "apply 4 times a day", None, "oral"),
        ("metronidazole vaginal 0.75% gel", "", None, "vaginal"),
        ("metronidazole gel", "5 g vaginally at night", None, "vaginal"),
        ("testosterone 1% gel", "apply 5 g to the shoulders", None, "transdermal"),
        ("nitroglycerin ointment", "apply 1 inch to the chest", None, "transdermal"),
        ("levodopa intestinal gel", "", None, None),
        ("diclofenac gel", "take 5 mL by mouth", None, "oral"),
        ("diclofenac 50 mg tablet", "", None, "oral"),
        ("diclofenac 50 mg", "twice daily", None, None),
        ("diclofenac 50 mg softgel", "", None, "oral"),
    ],
)
def test_a_gel_goes_where_it_is_said_to_go(drug: str, sig: str, field: str | None, route: str | None) -> None:
    assert understood(drug, sig, field).route == route


@pytest.mark.parametrize(
    "words",
    [
        "rapid bolus intravenously, neat",
        "direct IV injection",
        "quick bolus",
        "directly into the vein, undiluted",
        "IV bolus",
        "into the vein as a bolus",
        "by rapid intravenous injection",
        "IV push",
        "bolus, IV",
    ],
)
@pytest.mark.parametrize("place", ["sig", "route"])
def test_a_push_into_a_vein_is_one_however_it_is_put(words: str, place: str) -> None:
    sig, route = (f"20 mEq {words}", None) if place == "sig" else ("20 mEq once", words)
    assert understood("potassium chloride", sig, route).route == "intravenous_push"


@pytest.mark.parametrize("words", ["neat", "undiluted", "not diluted", "without dilution", "onverdund", "niet verdund"])
def test_what_is_given_neat_is_undiluted(words: str) -> None:
    assert understood("potassium chloride", f"20 mEq IV, {words}").undiluted is True


def test_a_bolus_of_insulin_is_no_push() -> None:
    assert understood("insulin", "bolus 4 units subcutaneously with meals").route == "subcutaneous"
    assert understood("insulin", "bolus 4 units with meals").route is None


@pytest.mark.parametrize(
    ("sig", "route"),
    [
        ("inject 4 units in the abdomen, do not rub the area", None),
        ("4 units daily; do not massage the skin", None),
        ("take 1 tablet, apply ice to the knee", "oral"),
        ("10 mg daily, apply as has been told", None),
        ("4 units subcutaneously, apply pressure to the site", "subcutaneous"),
    ],
)
def test_a_verb_of_spreading_beside_other_ways_of_giving_makes_nothing_local(sig: str, route: str | None) -> None:
    assert understood("insulin", sig).route == route


@pytest.mark.parametrize("form", ["liqui gel", "Liqui-Gels", "liquid gels", "gel caps", "gel capsules", "soft gel"])
def test_a_gel_in_a_capsule_is_swallowed(form: str) -> None:
    assert understood(f"diclofenac 50 mg {form}", "1 three times a day").route == "oral"


def test_a_gel_that_is_counted_in_capsules_is_not_taken_for_a_salve() -> None:
    assert understood("diclofenac gel 50 mg", "2 capsules daily").route is None


@pytest.mark.parametrize(
    "sig",
    [
        "20 mEq IV over 2 hours, no bolus",
        "20 mEq IV over 2 hours, do not bolus",
        "20 mEq IV over 2 hours, not as a bolus",
        "20 mEq IV over 2 hours, never IV push",
        "20 mEq IV over 2 hours, not undiluted",
    ],
)
def test_a_push_that_is_forbidden_is_none(sig: str) -> None:
    order = understood("potassium chloride", sig)
    assert order.route == "intravenous"
    assert order.undiluted is not True
