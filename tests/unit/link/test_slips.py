"""Slips of the pen: what a misspelt name can only mean, and what it never does."""

from __future__ import annotations

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.link.names import Finder
from pharmakon.link.slips import HanSpeller, Speller, sound
from pharmakon.model.concepts import ConceptId, fold, is_han
from tests.unit.link.lexicon import Words, concept

KINDS = frozenset({"ingredient", "drug", "disease", "lifestyle"})
EVERY = KINDS | {"class", "symptom"}
#: Pairs that have been taken for each other with harm (ISMP's list of confused names among them).
CONFUSED = [
    ("hydralazine", "hydroxyzine"),
    ("clonidine", "clonazepam"),
    ("Marplan", "Marevan"),
    ("Ritalin", "Rifadin"),
    ("prednisone", "prednisolone"),
    ("Celebrex", "Celexa"),
    ("Lamictal", "Lamisil"),
    ("Losec", "Lasix"),
    ("chlorpromazine", "chlorpropamide"),
    ("quinidine", "quinine"),
    ("vinblastine", "vincristine"),
    ("tramadol", "trazodone"),
    ("Zyprexa", "Zyrtec"),
    ("metformin", "metronidazole"),
]


@pytest.fixture(scope="module")
def speller(pharmakon: Pharmakon) -> Speller:
    return Speller(Finder(pharmakon.knowledge), KINDS, by_sound=True)


@pytest.fixture(scope="module")
def han(pharmakon: Pharmakon) -> HanSpeller:
    return HanSpeller(Finder(pharmakon.knowledge), {"ingredient", "drug"}, EVERY)


@pytest.mark.parametrize(
    ("written", "ingredient"),
    [
        ("ibuprophen", "ibuprofen"),
        ("methformin", "metformin"),
        ("lisinoprill", "lisinopril"),
        ("clopidogrell", "clopidogrel"),
        ("asprin", "aspirin"),
        ("wafarin", "warfarin"),
        ("iboprufen", "ibuprofen"),
        ("amytriptiline", "amitriptyline"),
        ("sitalopram", "citalopram"),
        ("azythromicin", "azithromycin"),
    ],
)
def test_a_name_that_is_written_by_ear_is_found(speller: Speller, written: str, ingredient: str) -> None:
    assert speller.near(written).concept == f"ingredient:{ingredient}"


def test_what_sounds_the_same_is_no_reading_where_nothing_is_asked_by_ear(pharmakon: Pharmakon) -> None:
    assert Speller(Finder(pharmakon.knowledge), KINDS).near("sitalopram").concept is None


@pytest.mark.parametrize(("one", "other"), CONFUSED)
def test_names_that_are_confused_sound_different(one: str, other: str) -> None:
    assert sound(fold(one)) != sound(fold(other))


def _slips(name: str) -> set[str]:
    """Each letter left out, doubled, or taken for another vowel; each two swapped."""
    found: set[str] = set()
    for at, letter in enumerate(name):
        found |= {name[:at] + name[at + 1 :], name[:at] + letter + name[at:]}
        found.add(name[:at] + name[at : at + 2][::-1] + name[at + 2 :])
        if letter in "aeiou":
            found |= {name[:at] + other + name[at + 1 :] for other in "aeiou"}
    return found - {name}


@pytest.mark.parametrize(("one", "other"), CONFUSED)
def test_no_slip_of_a_name_is_read_as_the_one_it_is_confused_with(
    speller: Speller, pharmakon: Pharmakon, one: str, other: str
) -> None:
    bearers = pharmakon.knowledge.by_name({fold(one), fold(other)})
    for name, wrong in ((one, other), (other, one)):
        meant = {c for c, _ in bearers.get(fold(name), ())}
        others = {c for c, _ in bearers.get(fold(wrong), ())} - meant
        for written in _slips(fold(name)):
            assert speller.meant(written).concept not in others, written


@pytest.mark.slow
def test_no_slip_of_a_generic_name_is_read_as_another_drug(speller: Speller, pharmakon: Pharmakon) -> None:
    named = [(f, c, n) for f, c, n in pharmakon.knowledge.names({"ingredient"}) if n.kind != "brand" and f.isalpha()]
    wrong: list[tuple[str, str, ConceptId]] = []
    for folded, own, _ in [row for row in named if row[0].isascii() and len(row[0]) >= 7][::40]:
        for written in sorted(_slips(folded))[::3]:
            meant = {c for c, _ in pharmakon.knowledge.by_name({written}).get(written, ())}
            read = speller.meant(written).concept
            if not meant and read is not None and read != own:
                wrong.append((written, own, read))
    assert not wrong


# ── Chinese ────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "ingredient"),
    [
        ("布罗芬和酒", "ibuprofen"),
        ("我在吃二甲双瓜", "metformin"),
        ("阿莫西琳怎么吃", "amoxicillin"),
    ],
)
def test_one_wrong_character_of_a_chinese_name_is_seen_through(han: HanSpeller, text: str, ingredient: str) -> None:
    (slip,) = han.find(text)
    assert slip.concept == f"ingredient:{ingredient}"
    assert len(text[slip.start : slip.end]) == len(slip.name)


@pytest.mark.parametrize(
    "text",
    [
        "吃多巴胺",
        "去铁酮和铁剂",
        "阿扎胞苷",
        "洛美沙星",
        "阿罗洛尔",
        "金刚乙胺",
        "氨甲苯酸",
        "瑞波西利",
        "布舍瑞林",
        "甲硝锉",
    ],
)
def test_a_character_that_sounds_otherwise_makes_another_drug(han: HanSpeller, text: str) -> None:
    assert han.find(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "氯沙坦和缬沙坦能一起吃吗",
        "阿洛西林是什么",
        "地西泮和硝西泮有什么区别",
        "头孢克洛和头孢克肟",
        "奥沙西泮",
        "我每天早上吃药，可以喝牛奶吗",
        "高血压患者可以吃什么感冒药",
    ],
)
def test_another_name_or_plain_words_are_no_slip(han: HanSpeller, text: str) -> None:
    assert not han.find(text)


def test_a_slip_that_may_be_of_two_names_is_none() -> None:
    words = Words([concept("ingredient:a", "a", zh=["甲乙丙"]), concept("ingredient:b", "b", zh=["甲乙丁"])])
    assert not HanSpeller(Finder(words), {"ingredient"}, ()).find("甲乙戊")


def test_no_chinese_name_is_taken_for_a_slip_of_another(han: HanSpeller, pharmakon: Pharmakon) -> None:
    for folded, _, _ in pharmakon.knowledge.names(EVERY):
        if all(map(is_han, folded)):
            assert not [s for s in han.find(folded) if (s.start, s.end) == (0, len(folded))], folded
