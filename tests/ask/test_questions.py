"""Golden questions: what must be cited, what must be said, and what must be left unanswered."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import pytest
import yaml

from pharmakon.app.api import Pharmakon
from pharmakon.app.tracing import trace_of
from pharmakon.ask.pipeline import Answered
from pharmakon.model.documents import check_quote
from pharmakon.model.errors import BadInput

ROWS: list[dict[str, Any]] = yaml.safe_load(Path(__file__).with_name("questions.yaml").read_text("utf-8"))


@pytest.fixture(scope="module")
def answer_of(pharmakon: Pharmakon) -> Callable[[str], Answered]:
    """Each question is asked once, whatever is looked at."""
    return cache(pharmakon.ask)


def said(answered: Answered) -> str:
    return " ".join(s.text for s in answered.answer.sentences)


def cited(answered: Answered) -> str:
    return "\n".join(e.quote for s in answered.answer.sentences for e in s.evidence)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"])
def test_a_question_is_answered_from_the_right_sentence(
    answer_of: Callable[[str], Answered], row: dict[str, Any]
) -> None:
    found = answer_of(row["text"])
    assert found.answer.lang == row["lang"]
    assert found.answer.abstained == row.get("abstains", False), said(found)
    if "agent" in row:
        assert found.answer.agent == row["agent"], said(found)
    for quote in row.get("quotes", ()):
        assert quote in cited(found)
    for words in row.get("says", ()):
        assert words in said(found)
    for words in row.get("notes", ()):
        assert any(words in note for note in found.answer.notes)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"])
def test_every_claim_has_evidence_that_stands_where_it_says(
    pharmakon: Pharmakon, answer_of: Callable[[str], Answered], row: dict[str, Any]
) -> None:
    answer = answer_of(row["text"]).answer
    for sentence in answer.sentences:
        assert bool(sentence.evidence) == (sentence.role != "frame"), sentence.text
        for e in sentence.evidence:
            check_quote(pharmakon.knowledge.section(e.document, e.version, e.ord), e)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row["text"])
def test_no_answer_calls_anything_safe(answer_of: Callable[[str], Answered], row: dict[str, Any]) -> None:
    text = said(answer_of(row["text"])).lower()
    assert not {"safe", "veilig"} & set(text.replace(".", " ").split())
    assert "安全" not in text


@pytest.mark.parametrize("text", ["\u200b", "?!", "💊"])
def test_a_question_without_a_word_is_refused(pharmakon: Pharmakon, text: str) -> None:
    with pytest.raises(BadInput, match="no word"):
        pharmakon.ask(text)


def test_a_product_is_not_called_clear_of_what_its_ingredient_was_found_with(pharmakon: Pharmakon) -> None:
    answer = said(pharmakon.ask("methotrexate with co-trimoxazole?"))
    assert "fatal pancytopenia" in answer
    assert "nothing was found" not in answer


def test_what_is_not_assessed_is_not_said_to_be_without_interaction(pharmakon: Pharmakon) -> None:
    answer = said(pharmakon.ask("银杏叶片能和阿司匹林一起吃吗"))
    assert "未评估" in answer
    assert "未发现" not in answer


@pytest.mark.parametrize("text", ["Double my metoprolol tonight?", "How much paracetamol can I give my 4 year old?"])
def test_a_dose_for_a_person_is_referred_without_a_figure(pharmakon: Pharmakon, text: str) -> None:
    assert "personal dose" in said(pharmakon.ask(text))
    assert "mg" not in said(pharmakon.ask(text))


# ── turns of one conversation ──────────────────────────────────────────────────────────────────────


def test_a_turn_leans_on_the_one_before_and_says_so(pharmakon: Pharmakon) -> None:
    first = pharmakon.ask("Can I take ibuprofen?")
    second = pharmakon.ask("and with kidney failure?", session=first.session)
    assert "advanced renal disease" in cited(second)
    assert any("ibuprofen" in note for note in second.answer.notes)


def test_a_question_that_stands_by_itself_takes_nothing_over(pharmakon: Pharmakon) -> None:
    first = pharmakon.ask("Can I take ibuprofen with warfarin?")
    second = pharmakon.ask("What are the signs of hypothyroidism?", session=first.session)
    assert not second.question.carried
    assert "warfarin" not in said(second).lower()


def test_what_was_said_of_the_person_holds_on(pharmakon: Pharmakon) -> None:
    first = pharmakon.ask("I am pregnant. Can I take ibuprofen?")
    second = pharmakon.ask("and warfarin?", session=first.session)
    assert "must not be used in pregnancy" in cited(second)


def test_what_was_answered_before_is_not_answered_again(pharmakon: Pharmakon) -> None:
    first = pharmakon.ask("Can I take digoxin with furosemide?")
    second = pharmakon.ask("and ibuprofen?", session=first.session)
    assert "digoxin toxicity" in cited(first)
    assert "hypokalaemia and so digoxin toxicity" not in cited(second)


@pytest.mark.parametrize(
    ("turns", "quote"),
    [
        (("I'm allergic to penicillin.", "Is amoxicillin ok?"), "penicillin antibiotic"),
        (("I'm pregnant", "can I take warfarin?"), "must not be used in pregnancy"),
        (("I have asthma", "can I take propranolol"), "must not be used in asthma"),
        (("ik gebruik warfarine", "mag ik aspirine?"), "raises the risk of bleeding"),
        (("我在吃华法林", "能吃阿司匹林吗", "换成布洛芬呢"), "Warfarin with an NSAID"),
        (("能吃二甲双胍吗", "eGFR 25能吃吗"), "Metformin must not be used where eGFR is below 30"),
        (("Can I take ibuprofen?", "I take warfarin"), "Warfarin with an NSAID"),
    ],
)
def test_what_somebody_takes_and_has_holds_for_every_later_turn(
    pharmakon: Pharmakon, turns: tuple[str, ...], quote: str
) -> None:
    session = None
    for text in turns:
        found = pharmakon.ask(text, session=session)
        session = found.session
    assert quote in cited(found)
    assert found.answer.notes


def test_what_is_held_is_nothing_to_a_question_about_something_else(pharmakon: Pharmakon) -> None:
    first = pharmakon.ask("I take warfarin.")
    second = pharmakon.ask("What is gout?", session=first.session)
    third = pharmakon.ask("Can I take aspirin?", session=second.session)
    assert "warfarin" not in said(second).lower()
    assert "raises the risk of bleeding" in cited(third)


def test_somebody_else_begins_anew(pharmakon: Pharmakon) -> None:
    first = pharmakon.ask("I take warfarin.")
    second = pharmakon.ask("My neighbour wants ibuprofen. Is that ok for him?", session=first.session)
    assert not second.question.carried


# ── what comes first ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("I have crushing pain in my chest and take warfarin", "112"),
        ("mijn vader is bewusteloos na zijn insuline", "112"),
        ("我妈妈突然喘不上气", "120"),
    ],
)
def test_an_emergency_begins_with_the_number_to_call(pharmakon: Pharmakon, text: str, number: str) -> None:
    answer = pharmakon.ask(text).answer
    assert number in answer.sentences[0].text


@pytest.mark.parametrize(
    "text", ["I took 30 paracetamol tablets", "Ik heb een hele strip oxazepam geslikt", "我吃了50片安眠药"]
)
def test_an_overdose_is_answered_by_nothing_else(pharmakon: Pharmakon, text: str) -> None:
    answer = pharmakon.ask(text).answer
    assert answer.agent == "safety"
    assert not any(s.evidence for s in answer.sentences)


def test_a_question_about_a_red_flag_is_no_emergency(pharmakon: Pharmakon) -> None:
    assert "112" not in said(pharmakon.ask("what causes chest pain"))


def test_a_personal_dose_is_referred_and_a_professional_is_not(pharmakon: Pharmakon) -> None:
    text = "how many paracetamol can I take a day"
    assert "not given here" in said(pharmakon.ask(text))
    assert "not given here" not in said(pharmakon.ask(text, professional=True))


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("Since methotrexate is taken every day for arthritis, can I take it with breakfast?", "once a WEEK"),
        ("Is it ok that I take methotrexate daily for my arthritis?", "once a WEEK"),
        ("I take my methotrexate every day, can I drink alcohol?", "once a WEEK"),
        ("Is methotrexate taken with food every morning?", "once a WEEK"),
        ("Is het waar dat je met methotrexaat elke dag een tabletje moet nemen?", "één keer per WEEK"),
        ("Methotrexaat: dagelijks of wekelijks?", "één keer per WEEK"),
        ("甲氨蝶呤每天吃一片对吗？", "每周只服一次"),
        ("甲氨蝶呤每天吃还是每周吃", "每周只服一次"),
    ],
)
def test_a_weekly_drug_said_to_be_daily_is_set_right_first(pharmakon: Pharmakon, text: str, first: str) -> None:
    found = pharmakon.ask(text)
    assert first in found.answer.sentences[0].text
    assert any(number in said(found) for number in ("112", "120"))
    assert "never daily" in cited(found)


@pytest.mark.parametrize(
    "text",
    [
        "I take methotrexate once a week and folic acid every day, can I drink wine?",
        "Do I need to take folic acid daily with methotrexate?",
        "Can I drink coffee every day with methotrexate?",
        "I take metformin every day, can I drink alcohol?",
        "我每周吃一次甲氨蝶呤，每天吃叶酸，可以吗",
    ],
)
def test_what_is_daily_beside_a_weekly_drug_is_not(pharmakon: Pharmakon, text: str) -> None:
    assert pharmakon.ask(text).answer.agent != "safety"


@pytest.mark.parametrize(
    ("text", "whom"),
    [
        ("My cat ate my paracetamol, what do I do?", "vet"),
        ("My dog swallowed 10 ibuprofen tablets", "vet"),
        ("Mag ik de hond een halve ibuprofen geven?", "dierenarts"),
        ("我的狗能吃布洛芬吗", "兽医"),
    ],
)
def test_an_animal_is_a_matter_for_a_vet(pharmakon: Pharmakon, text: str, whom: str) -> None:
    (only,) = pharmakon.ask(text).answer.sentences
    assert whom in only.text


@pytest.mark.parametrize("text", ["Can I take a cat's claw supplement?", "My dog ate grass. Can I take loratadine?"])
def test_who_keeps_an_animal_asks_for_himself(pharmakon: Pharmakon, text: str) -> None:
    assert "vet" not in said(pharmakon.ask(text)).split()


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("Can I crush diltiazem extended release capsules?", "must not be crushed"),
        ("Can Concerta be chewed?", "must not be crushed"),
        ("kan ik metoprolol retard fijnmaken", "mag niet worden fijngemaakt"),
        ("硝苯地平控释片能嚼碎吗", "不得掰碎"),
        ("I missed my pill two days in a row and had unprotected sex, what now?", "emergency contraception"),
        ("kurkuma met apixaban", "Vraag uw apotheker of arts voordat"),
        ("泰诺宁和连花清瘟", "请先咨询药师或医生"),
        ("dizzy since I started zorbifexol", "Ask your pharmacist or doctor before"),
        ("Both ankles are swollen since I started amlodipine", "Ask your pharmacist or doctor before"),
    ],
)
def test_where_nothing_is_known_it_is_said_whom_to_ask(pharmakon: Pharmakon, text: str, says: str) -> None:
    assert says in said(pharmakon.ask(text))


def test_a_vaccine_against_a_fever_is_asked_as_a_vaccine(pharmakon: Pharmakon) -> None:
    found = pharmakon.ask("Can I have the yellow fever vaccine on methotrexate?")
    assert "live vaccine is not recommended" in cited(found)
    assert "112" not in said(found)


@pytest.mark.parametrize("lang", ["de", "EN", "xx"])
def test_a_language_that_is_none_of_ours_is_refused(pharmakon: Pharmakon, lang: str) -> None:
    with pytest.raises(BadInput, match="expected en or nl or zh"):
        pharmakon.ask("Can I take warfarin?", lang=lang)


@pytest.mark.parametrize("question", [None, 5, b"warfarin", ["warfarin"]])
def test_what_is_no_text_is_no_question(pharmakon: Pharmakon, question: Any) -> None:
    with pytest.raises(BadInput, match="no text"):
        pharmakon.ask(question)


def test_a_trace_without_the_question_keeps_no_word_that_was_not_read(pharmakon: Pharmakon) -> None:
    answered = pharmakon.ask("Can I take ibuprofen with johnsmithson?")
    assert "johnsmithson" in str(trace_of(answered, with_question=True))
    assert "johnsmithson" not in str(trace_of(answered, with_question=False))
