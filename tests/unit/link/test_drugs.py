"""Drug texts: what they name, what is assumed in the open, and what is said not to be known."""

from __future__ import annotations

import json

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.link.drugs import DrugLinker, DrugMatch, NoDrug, bare_name
from pharmakon.link.names import Finder
from pharmakon.model.concepts import Code
from pharmakon.model.prescription import Text
from tests.shared_data import shared
from tests.unit.link.lexicon import Words, concept, finder

LINKER = DrugLinker(finder())


def match(text: str, *codes: tuple[str, str]) -> DrugMatch:
    found = LINKER.resolve(Text(text, tuple(Code(system, value) for system, value in codes)))
    assert isinstance(found, DrugMatch), found
    return found


def names(text: str, *codes: tuple[str, str]) -> set[str]:
    return {c.partition(":")[2] for c in match(text, *codes).concepts}


@pytest.mark.parametrize(
    ("text", "ingredient"),
    [
        ("warfarin", "warfarin"),
        ("Coumadin 5 mg tab", "warfarin"),
        ("WARFARIN (COUMADIN)", "warfarin"),
        ("Coumadin (warfarin sodium)", "warfarin"),
        ("warfarin sodium 5 MG Oral Tablet [Jantoven]", "warfarin"),
        ("Jantoven® 5 mg", "warfarin"),
        ("metformin HCl ER 500 mg", "metformin"),
        ("METFORMIN,TAB", "metformin"),
        ("metformine 500 mg tablet", "metformin"),
        ("metoprololtartraat 50 mg", "metoprolol"),
        ("metoprololsuccinaat mga 100 mg", "metoprolol"),
        ("amoxicillin.", "amoxicillin"),
        ("amoxicillin trihydrate 500 mg", "amoxicillin"),
        ("paracetamol zetpil 500 mg", "acetaminophen"),
        ("kaliumchloride", "potassium-chloride"),
        ("华法林 5 mg", "warfarin"),
        ("华法林钠片", "warfarin"),
        ("二甲双胍缓释片 0.5g", "metformin"),
        ("对乙酰氨基酚片", "acetaminophen"),
    ],
)
def test_brands_salts_forms_and_languages_lead_to_the_ingredient(text: str, ingredient: str) -> None:
    assert names(text) == {ingredient}
    assert match(text).how == "exact"


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("amoxicillin 875 MG / clavulanate 125 MG Oral Tablet", {"amoxicillin", "clavulanate"}),
        ("amoxicillin+clavulanic acid", {"amoxicillin", "clavulanate"}),
        ("amoxicilline/clavulaanzuur 500/125", {"amoxicillin", "clavulanate"}),
        ("sulfamethoxazole-trimethoprim", {"sulfamethoxazole", "trimethoprim"}),
        ("paracetamol 500mg/codeine 30 mg", {"acetaminophen", "codeine"}),
        ("acetaminophen 325 MG / oxycodone hydrochloride 5 MG Oral Tablet", {"acetaminophen", "oxycodone"}),
        ("oxycodone-acetaminophen 5-325", {"oxycodone-acetaminophen"}),
        ("acetaminophen 325 MG / oxycodone 5 MG Oral Tablet [Percocet]", {"oxycodone-acetaminophen"}),
    ],
)
def test_a_combination_is_all_of_its_parts(text: str, parts: set[str]) -> None:
    assert names(text) == parts
    assert match(text).missing == ()


@pytest.mark.parametrize(
    ("text", "known", "missing"),
    [
        ("amoxicillin / foobarin 5 mg", {"amoxicillin"}, "foobarin"),
        ("trimethoprim and unknownol", {"trimethoprim"}, "unknownol"),
        ("Tylenol PM", {"acetaminophen"}, "tylenol pm"),
    ],
)
def test_an_unknown_part_of_a_combination_is_named(text: str, known: set[str], missing: str) -> None:
    assert names(text) == known
    assert match(text).missing == (missing,)


def test_words_that_were_not_used_are_said() -> None:
    assert match("AMOXICILLIN SANDOZ 500 mg").ignored == "sandoz"


@pytest.mark.parametrize(
    ("text", "ingredient"),
    [
        ("warfarn 5 mg", "warfarin"),
        ("wafarin", "warfarin"),
        ("metfromin", "metformin"),
        ("furosemid 40 mg", "furosemide"),
        ("hydralzine 25 mg", "hydralazine"),
        ("hydroxizine 25mg", "hydroxyzine"),
        ("amoxicilin", "amoxicillin"),
    ],
)
def test_a_spelling_slip_is_an_assumption_with_its_candidates(text: str, ingredient: str) -> None:
    assert names(text) == {ingredient}
    assert match(text).how == "assumed"
    assert match(text).candidates


@pytest.mark.parametrize("text", ["Marplan 10 mg", "Ritalin 10 mg", "Koumadin 5 mg", "Coumidon 5 mg", "metoprul"])
def test_two_wrong_letters_in_a_short_name_or_a_brand_stand_for_nothing(text: str) -> None:
    words = Words(
        (
            concept("ingredient:warfarin", "warfarin", brands=["Coumadin", "Marevan"]),
            concept("ingredient:rifampin", "rifampin", brands=["Rifadin"]),
            concept("ingredient:metolazone", "metolazone"),
        )
    )
    assert isinstance(DrugLinker(Finder(words)).resolve(Text(text)), NoDrug)


@pytest.mark.parametrize(
    ("text", "ingredient"),
    [
        ("simvastatn", "simvastatin"),
        ("simvastitan", "simvastatin"),
        ("Coumdain", "warfarin"),
        ("Marevn", "warfarin"),
        ("metformine", "metformin"),
    ],
)
def test_one_edit_in_a_brand_and_two_in_a_long_name_are_still_slips(text: str, ingredient: str) -> None:
    words = Words(
        (
            concept("ingredient:warfarin", "warfarin", brands=["Coumadin", "Marevan"]),
            concept("ingredient:simvastatin", "simvastatin"),
            concept("ingredient:metformin", "metformin"),
        )
    )
    found = DrugLinker(Finder(words)).resolve(Text(text))
    assert isinstance(found, DrugMatch)
    assert found.concepts == (f"ingredient:{ingredient}",)


@pytest.mark.parametrize("text", ["hydroxalazine", "hydrazine", "chlorpropamine", "chlorpromide"])
def test_between_look_alikes_nothing_is_chosen(text: str) -> None:
    found = LINKER.resolve(Text(text))
    assert isinstance(found, NoDrug)
    assert len(found.suggestions) >= 2


def test_hydralazine_and_hydroxyzine_stay_themselves() -> None:
    assert names("hydralazine 25 mg") == {"hydralazine"}
    assert names("hydroxyzine 25 mg") == {"hydroxyzine"}


@pytest.mark.parametrize(
    "text",
    [
        "prednisolone 5 mg",
        "enalapril",
        "clonidine",
        "qwertzuin",
        "",
        "5 mg",
        "tablet",
        "mets",
        "ultra brite toothpaste",
    ],
)
def test_another_drug_or_none_is_never_taken_for_one_we_know(text: str) -> None:
    assert isinstance(LINKER.resolve(Text(text)), NoDrug)


def test_a_code_is_enough_and_beats_words_that_name_nothing() -> None:
    assert match("tab as before", ("rxnorm", "11289")).how == "code"
    assert names("tab as before", ("rxnorm", "11289")) == {"warfarin"}


def test_a_code_against_the_words_is_a_conflict_that_is_said() -> None:
    found = match("Metformin 500 mg", ("rxnorm", "11289"))
    assert (found.how, found.conflict) == ("code", "Metformin") or found.conflict == "metformin"


def test_of_several_codes_the_one_the_words_agree_with_counts() -> None:
    assert match("oxycodone 5 mg", ("rxnorm", "161"), ("rxnorm", "7804")).conflict == ""
    assert names("oxycodone 5 mg", ("rxnorm", "161"), ("rxnorm", "7804")) == {"oxycodone"}


def test_an_ingredients_code_on_a_combination_does_not_hide_the_other_ingredient() -> None:
    assert names("amoxicillin / clavulanate", ("rxnorm", "723")) == {"amoxicillin", "clavulanate"}
    assert names("Percocet 5-325", ("rxnorm", "161")) == {"oxycodone-acetaminophen"}


def test_an_unknown_code_leaves_the_words() -> None:
    assert match("warfarin", ("rxnorm", "0")).how == "exact"


def test_strengths_and_forms_are_no_part_of_the_name() -> None:
    assert bare_name("Coumadin 5 mg tab") == "Coumadin"


@pytest.fixture(scope="module")
def shipped(pharmakon: Pharmakon) -> DrugLinker:
    return DrugLinker(Finder(pharmakon.knowledge))


def test_dirty_names_are_never_taken_for_another_drug(shipped: DrugLinker) -> None:
    lines = shared("dirty-drug-names", "names.txt").read_text("utf-8").splitlines()
    found = {line.strip(): shipped.resolve(Text(line.strip())) for line in lines if line.strip()}
    recognised = [m for m in found.values() if isinstance(m, DrugMatch)]
    assert len(recognised) >= 120
    for line, m in found.items():
        if isinstance(m, DrugMatch) and m.how == "assumed":  # a slip keeps most of what was written
            assert m.matched.casefold()[:3] == line.casefold()[:3], (line, m)
    prednisolone = found["PREDNISOLONE"]  # no slip of prednisone
    assert isinstance(prednisolone, DrugMatch)
    assert prednisolone.concepts == ("ingredient:prednisolone",)


def test_the_drugs_of_real_bundles_resolve_or_are_named_as_unknown(shipped: DrugLinker) -> None:
    folder = shared("synthea-fhir-r4")
    texts: set[str] = set()
    for file in sorted(folder.glob("*.json")):
        for entry in json.loads(file.read_text("utf-8"))["entry"]:
            resource = entry["resource"]
            if resource["resourceType"] == "MedicationRequest" and "medicationCodeableConcept" in resource:
                texts.add(resource["medicationCodeableConcept"]["text"])
    assert texts
    assumed = {t for t in texts if isinstance(m := shipped.resolve(Text(t)), DrugMatch) and m.how == "assumed"}
    assert assumed <= {"Simvistatin 10 MG"}
    combined = shipped.resolve(Text("Acetaminophen 325 MG / Oxycodone Hydrochloride 5 MG Oral Tablet"))
    assert isinstance(combined, DrugMatch)
    assert not combined.missing


@pytest.mark.parametrize(
    "text", ["Vial", "Syringe (IV Room)", "Insulin pen needles", "Alcohol prep pads", "Test strips"]
)
def test_a_supply_is_known_to_be_no_drug(shipped: DrugLinker, text: str) -> None:
    found = shipped.resolve(Text(text))
    assert isinstance(found, NoDrug)
    assert found.supply


@pytest.mark.parametrize("text", ["insulin syringe 1 mL", "insulin pen needle 31G 5 mm", "Insulin pump"])
def test_a_supply_with_a_size_is_one_too(shipped: DrugLinker, text: str) -> None:
    found = shipped.resolve(Text(text))
    assert isinstance(found, NoDrug)
    assert found.supply


@pytest.mark.parametrize(
    "text",
    [
        "heparin-free dialysis",
        "no aspirin",
        "geen ibuprofen",
        "non-aspirin pain reliever",
        "vitamin K antagonist",
        "digoxin immune fab",
        "vancomycin level",
        "复方木尼孜其颗粒",
    ],
)
def test_a_name_that_is_denied_or_only_part_of_another_thing_is_not_that_drug(shipped: DrugLinker, text: str) -> None:
    assert isinstance(shipped.resolve(Text(text)), NoDrug)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("复方甘草片", "drug:compound-liquorice-tablets"),
        ("维C银翘片", "drug:vc-yinqiao-tablets"),
        ("消渴丸", "drug:xiaoke-pills"),
        ("xiao yao wan", "drug:xiaoyao-pills"),
        ("制川乌 3 g", "ingredient:zhichuanwu"),
        ("丹參", "ingredient:danshen"),
        ("Salviae Miltiorrhizae Radix et Rhizoma", "ingredient:danshen"),
    ],
)
def test_chinese_medicines_are_known_by_simplified_traditional_pinyin_and_latin_names(
    shipped: DrugLinker, text: str, concept: str
) -> None:
    found = shipped.resolve(Text(text))
    assert isinstance(found, DrugMatch)
    assert found.concepts == (concept,)


@pytest.mark.parametrize(
    ("text", "concepts", "missing"),
    [
        ("simvastatn/zorblaxin", ("simvastatin",), ("zorblaxin",)),
        ("simvastatn 20 mg/ezetimibe 10 mg", ("simvastatin", "ezetimibe"), ()),
        ("zorblaxin + lisinoprill", ("lisinopril",), ("zorblaxin",)),
    ],
)
def test_a_slip_in_one_part_of_a_combination_loses_no_other_part(
    shipped: DrugLinker, text: str, concepts: tuple[str, ...], missing: tuple[str, ...]
) -> None:
    found = shipped.resolve(Text(text))
    assert isinstance(found, DrugMatch)
    assert found.how == "assumed"
    assert found.concepts == tuple(f"ingredient:{c}" for c in concepts)
    assert found.missing == missing


def test_an_unknown_part_in_chinese_is_named(shipped: DrugLinker) -> None:
    found = shipped.resolve(Text("氨氯地平/未知药"))
    assert isinstance(found, DrugMatch)
    assert found.missing == ("未知药",)


@pytest.mark.parametrize(
    ("text", "drug", "carrier", "dosed"),
    [
        ("vancomycin 1000 mg in 250 mL NaCl 0.9%", "vancomycin", "sodium-chloride", "vancomycin 1000 mg"),
        (
            "dextrose 50% 25 g + insulin regular 10 units",
            "insulin-regular",
            "dextrose-solution",
            "insulin regular 10 units",
        ),
        ("ceftriaxone 2 g/50 mL dextrose 5%", "ceftriaxone", "dextrose-solution", "ceftriaxone 2 g/50 mL dextrose"),
    ],
)
def test_the_strengths_are_those_of_the_drug_and_not_of_the_fluid_it_is_given_in(
    shipped: DrugLinker, text: str, drug: str, carrier: str, dosed: str
) -> None:
    found = shipped.resolve(Text(text))
    assert isinstance(found, DrugMatch)
    assert found.concepts == (f"ingredient:{drug}", f"ingredient:{carrier}")
    assert found.carriers == {f"ingredient:{carrier}"}
    assert shipped.dosed_text(text, found).strip() == dosed


@pytest.mark.parametrize("text", ["Insulin pen", "Heparin vial", "Sterile water bag"])
def test_a_drug_in_a_container_is_a_drug(shipped: DrugLinker, text: str) -> None:
    assert isinstance(shipped.resolve(Text(text)), DrugMatch)


@pytest.mark.parametrize(
    ("text", "ingredients"),
    [
        ("EXFORGE HCT", {"amlodipine", "valsartan", "hydrochlorothiazide"}),
        ("Diovan hydrochlorothiazide", {"valsartan", "hydrochlorothiazide"}),
        ("Claritin-D 24", {"loratadine", "pseudoephedrine"}),
        ("Advil PM", {"ibuprofen", "diphenhydramine"}),
        ("Potassium Chl 20 mEq / 1000 mL D5 1/2 NS", {"potassium chloride", "dextrose and sodium chloride"}),
        ("LEVEMIR INSULIN", {"insulin detemir"}),
        ("trastuzumab-anns 150 MG Injection", {"trastuzumab"}),
        ("1 ML epoetin alfa-epbx 10000 UNT/ML Injection", {"epoetin alfa"}),
    ],
)
def test_a_combination_is_all_of_its_ingredients(
    pharmakon: Pharmakon, shipped: DrugLinker, text: str, ingredients: set[str]
) -> None:
    found = shipped.resolve(Text(text))
    assert isinstance(found, DrugMatch)
    assert not found.missing
    held = set(found.concepts)
    for product in [c for c in held if c.startswith("drug:")]:
        held |= {s.object for s in pharmakon.knowledge.about({product}, ("has_ingredient",)) if s.object}
        held.discard(product)
    assert {c.display for c in pharmakon.knowledge.concepts(held).values()} == ingredients


def test_a_part_that_is_not_known_stands_beside_a_product_too(shipped: DrugLinker) -> None:
    found = shipped.resolve(Text("unknownavir/emtricitabine/tenofovir"))
    assert isinstance(found, DrugMatch)
    assert found.missing == ("unknownavir",)


def test_a_maker_after_a_comma_is_no_part_of_a_combination(shipped: DrugLinker) -> None:
    found = shipped.resolve(Text("IRINOTECAN, 125 MG/M2, PFIZER"))
    assert isinstance(found, DrugMatch)
    assert (found.missing, found.ignored) == ((), "pfizer")


@pytest.mark.parametrize("text", ["ESSURE", "SELARO", "VITAMINE C"])
def test_a_short_brand_is_held_to_the_letter(shipped: DrugLinker, text: str) -> None:
    found = shipped.resolve(Text(text))
    assert isinstance(found, NoDrug) or found.concepts == ("ingredient:ascorbic-acid",)
