"""Names in questions: as people write them."""

from __future__ import annotations

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.retrieve.language import language_of
from pharmakon.retrieve.questions import Reader


@pytest.fixture(scope="module")
def reader(pharmakon: Pharmakon) -> Reader:
    return Reader(pharmakon.knowledge)


@pytest.mark.parametrize(
    ("text", "concepts"),
    [
        ("can i take advil with coumadin", ["ingredient:ibuprofen", "ingredient:warfarin"]),
        ("华法林和丹参能一起吃吗？", ["ingredient:warfarin", "ingredient:danshen"]),
        ("吃了Nucynta再吃Palexia会太多吗？", ["ingredient:tapentadol"]),
        ("mag ik simvastatine bij hoge bloeddruk", ["ingredient:simvastatin", "disease:hypertension"]),
        ("how do I hot-wire a car", []),
    ],
)
def test_a_question_names_what_it_names(reader: Reader, text: str, concepts: list[str]) -> None:
    assert list(reader.read(text).named()) == concepts


@pytest.mark.parametrize(
    ("text", "concept"), [("ibuprofin", "ingredient:ibuprofen"), ("paracetmol", "ingredient:acetaminophen")]
)
def test_a_misspelt_name_is_a_guess(reader: Reader, text: str, concept: str) -> None:
    (link,) = reader.read(f"can I take {text}").links
    assert (link.concepts, link.guessed, link.words) == ((concept,), True, text)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("mag ik clarithromycine", "ingredient:clarithromycin"),
        ("isotretinoïne en alcohol", "ingredient:isotretinoin"),
        ("nitro spray with viagra", "ingredient:nitroglycerin"),
        ("钙片和左甲状腺素", "ingredient:calcium"),
        ("mag ik drop eten", "ingredient:gancao"),
        ("vitamine K en warfarine", "ingredient:phytonadione"),
        ("维生素K和华法林", "ingredient:phytonadione"),
        ("sint-janskruid + anticonceptiepil", "class:hormonal-contraceptive"),
        ("圣约翰草和避孕药", "class:hormonal-contraceptive"),
        ("my kidneys don’t work well, can I take ibuprofen", "disease:chronic-kidney-disease"),
        ("mijn nieren werken niet goed, mag ik ibuprofen", "disease:chronic-kidney-disease"),
        ("肾功能不好能吃布洛芬吗", "disease:chronic-kidney-disease"),
        ("soy milk and levothyroxine", "lifestyle:food"),
    ],
)
def test_a_thing_is_known_by_what_people_call_it(reader: Reader, text: str, concept: str) -> None:
    question = reader.read(text)
    assert concept in question.named()
    assert not any(link.guessed for link in question.links)


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("my kidneys are good, can I take ibuprofen", "disease:chronic-kidney-disease"),
        ("my kidneys are not bad, can I take ibuprofen", "disease:chronic-kidney-disease"),
        ("mijn nieren zijn goed, mag ik ibuprofen", "disease:chronic-kidney-disease"),
        ("eye drops and warfarin", "ingredient:gancao"),
        ("what is the antidote for warfarin", "class:antidote"),
        ("is er een antidotum voor warfarine", "class:antidote"),
        ("vitamine K en warfarine", "class:vitamin"),
        ("atorvastatin calcium tablets and warfarin", "ingredient:calcium"),
        ("can I take the pill with milk, it is metronidazole", "class:hormonal-contraceptive"),
        ("can I take the pill for migraine with ibuprofen", "class:hormonal-contraceptive"),
        ("soy milk and levothyroxine", "lifestyle:dairy"),
    ],
)
def test_a_thing_is_not_read_into_words_that_say_another(reader: Reader, text: str, concept: str) -> None:
    assert concept not in reader.read(text).named()


@pytest.mark.parametrize(
    "text",
    [
        "I'm on the pill and take rifampin",
        "ik slik de pil, mag ik rifampicine",
        "can I take the pill if I smoke",
        "I get migraines with aura, can I take the pill",
        "mag ik de pil als ik rook",
    ],
)
def test_the_pill_is_a_contraceptive_and_the_reader_is_told_so(reader: Reader, text: str) -> None:
    (pill,) = [link for link in reader.read(text).links if link.guessed]
    assert pill.concepts == ("class:hormonal-contraceptive",)


def test_links_stand_where_their_words_do(reader: Reader) -> None:
    text = "Mag ik pompelmoes eten bij simvastatine?"
    for link in reader.read(text).links:
        assert text[link.start : link.end] == link.words


@pytest.mark.parametrize(
    "text",
    [
        "people take it every morning",
        "I take these together with meals",
        "waarom slikken mensen dit",
        "de belasting betalen",
    ],
)
def test_everyday_words_are_no_misspelt_names(reader: Reader, text: str) -> None:
    assert not [link for link in reader.read(text).links if link.guessed]


@pytest.mark.parametrize(
    ("text", "lang"),
    [
        ("What is it for?", "en"),
        ("Waar is het voor?", "nl"),
        ("warfarin 能和 aspirin 一起吃吗", "zh"),
        ("warfarin", "en"),
        ("", "en"),
    ],
)
def test_the_language_is_that_of_the_small_words(text: str, lang: str) -> None:
    assert language_of(text) == lang


@pytest.mark.parametrize(
    ("text", "simple"),
    [
        ("我在吃華法林，能用布洛芬嗎？", "我在吃华法林，能用布洛芬吗？"),
        ("我懷孕了，可以吃對乙醯氨基酚嗎？", "我怀孕了，可以吃对乙酰氨基酚吗？"),
        ("我對青黴素過敏，可以吃阿莫西林嗎？", "我对青霉素过敏，可以吃阿莫西林吗？"),
        ("腎臟不好能吃二甲雙胍嗎", "肾脏不好能吃二甲双胍吗"),
        ("我在洗腎，能吃維他命K嗎", "我在透析，能吃维生素K吗"),
    ],
)
def test_traditional_characters_are_read_as_simplified_ones(reader: Reader, text: str, simple: str) -> None:
    assert reader.read(text) == reader.read(simple)


def test_what_was_not_read_is_told_as_it_was_written(reader: Reader) -> None:
    assert reader.read("華法林和佐瓦利新膠囊能一起吃嗎？").unread == ("佐瓦利新膠囊",)


@pytest.mark.parametrize(
    ("text", "product"),
    [
        ("Is Brufen Forte safe with tramadol?", "Brufen Forte"),
        ("can i take advil cold while pregnant", "advil cold"),
        ("Is Nurofen Cold & Flu ok with warfarin?", "Nurofen Cold & Flu"),
        ("is voltaren plus safe with tramadol", "voltaren plus"),
        ("复方布洛芬可以和华法林一起吃吗", "复方布洛芬"),
    ],
)
def test_a_brand_with_another_word_is_another_product(reader: Reader, text: str, product: str) -> None:
    question = reader.read(text)
    assert [k.words for k in question.links if k.part] == [product]
    assert question.unread == (product,)


@pytest.mark.parametrize(
    "text",
    [
        "Is Tylenol Extra Strength ok with alcohol?",
        "Is Voltaren plus warfarin ok?",
        "I take Advil day and night, is that ok?",
        "warfarin plus my other pills, is ibuprofen ok?",
        "Is Claritin-D ok with high blood pressure?",
        "Can I take Tylenol PM with alcohol?",
        "Can I take vitamin D with warfarin?",
    ],
)
def test_a_brand_alone_and_a_known_product_are_what_they_are(reader: Reader, text: str) -> None:
    question = reader.read(text)
    assert not any(link.part for link in question.links)
    assert question.unread == ()


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("Can I have a live shingles vaccine?", "class:live-vaccine"),
        ("live, attenuated influenza vaccine", "class:live-vaccine"),
        ("mag ik een levend griepvaccin", "class:live-vaccine"),
        ("能打带状疱疹活疫苗吗", "class:live-vaccine"),
        ("能打灭活疫苗吗", "class:inactivated-vaccine"),
        ("is a non-live vaccine ok", "class:inactivated-vaccine"),
        ("I live alone, is a flu vaccine ok?", "ingredient:influenza-vaccine"),
        ("Is the MMR vaccine ok?", "ingredient:measles-mumps-rubella-vaccine"),
    ],
)
def test_whether_a_vaccine_lives_is_read(reader: Reader, text: str, concept: str) -> None:
    assert list(reader.read(text).named()) == [concept]


@pytest.mark.parametrize(
    ("text", "reads"),
    [
        ("Ik slik sint-janskruid, werkt mijn pil dan nog?", True),
        ("is mijn pil dan nog betrouwbaar", True),
        ("does my pill still work", True),
        ("will the pill still protect me", True),
        ("does my pill for blood pressure still work", False),
        ("werkt mijn pil tegen hoge bloeddruk nog", False),
    ],
)
def test_a_pill_that_works_or_protects_is_the_contraceptive(reader: Reader, text: str, reads: bool) -> None:
    assert ("class:hormonal-contraceptive" in reader.read(text).named()) == reads


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("mag ik nitroglycerinespray bij viagra", "ingredient:nitroglycerin"),
        ("ik gebruik metoprololtabletten", "ingredient:metoprolol"),
        ("mag ik hydrocortisonzalf gebruiken", "ingredient:hydrocortisone"),
        ("mag ik miconazolcrème gebruiken", "ingredient:miconazole"),
        ("mag ik kaliumtabletten slikken", "ingredient:potassium"),
        ("mag ik een antibioticakuur", "class:antibacterial"),
        ("ik heb een hoestje", "symptom:cough"),
    ],
)
def test_dutch_writes_a_drug_and_its_form_as_one_word(reader: Reader, text: str, concept: str) -> None:
    assert concept in reader.read(text).named()
    assert reader.read(text).unread == ()


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("mag ik ibuprofengel gebruiken", "gel"),
        ("Can I use Voltaren gel?", "gel"),
        ("Can I use diclofenac gel?", "gel"),
        ("mag ik Voltaren Emulgel gebruiken", "Emulgel"),
        ("能用双氯芬酸凝胶吗", "凝胶"),
        ("can I use fentanyl patches", "patches"),
        ("Can I take diclofenac?", ""),
        ("Can I use miconazole oral gel?", ""),
        ("Can I use a vaginal clindamycin cream?", ""),
        ("mag ik ibuprofentabletten", ""),
    ],
)
def test_a_form_for_the_skin_is_read(reader: Reader, text: str, form: str) -> None:
    (link,) = reader.read(text).links
    assert link.form == form
