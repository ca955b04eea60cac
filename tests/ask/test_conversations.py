"""What a reader is told at each turn of a conversation."""

from __future__ import annotations

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.ask.pipeline import Answered


def said(answered: Answered) -> str:
    return " ".join(sentence.text for sentence in answered.answer.sentences)


def talk(pharmakon: Pharmakon, *turns: str) -> Answered:
    """The answer to the last turn."""
    first, *rest = turns
    answered = pharmakon.ask(first)
    for turn in rest:
        answered = pharmakon.ask(turn, session=answered.session)
    return answered


@pytest.mark.parametrize(
    ("told", "found"),
    [
        ("I take spironolactone and lisinopril, my potassium is 5.9", "spironolactone must not be used"),
        ("I am pregnant and I take lithium", "lithium needs caution: pregnancy"),
        ("I take methotrexate and amoxicillin", "amoxicillin with methotrexate"),
        ("Ik slik warfarine en ibuprofen", "warfarine met ibuprofen"),
        ("我在吃华法林，还吃阿司匹林", "华法林与阿司匹林合用"),
    ],
)
def test_what_is_told_and_is_grave_together_is_said_though_nothing_was_asked(
    pharmakon: Pharmakon, told: str, found: str
) -> None:
    assert found in said(talk(pharmakon, told))


def test_what_is_told_one_by_one_is_held_together(pharmakon: Pharmakon) -> None:
    assert "Noted" in said(talk(pharmakon, "I take warfarin"))
    assert "warfarin with aspirin" in said(talk(pharmakon, "I take warfarin", "I also take aspirin"))


@pytest.mark.parametrize("told", ["I take warfarin", "I have asthma", "I take paracetamol and omeprazole"])
def test_what_is_told_and_is_not_grave_is_noted(pharmakon: Pharmakon, told: str) -> None:
    assert talk(pharmakon, told).answer.agent == "session"


@pytest.mark.parametrize(
    ("asked", "thanks"),
    [
        ("Can I take ibuprofen with warfarin?", "Thanks, that's all"),
        ("Mag ik ibuprofen met warfarine?", "bedankt"),
        ("华法林和阿司匹林能一起吃吗", "谢谢"),
    ],
)
def test_thanks_are_answered_without_the_warnings_again(pharmakon: Pharmakon, asked: str, thanks: str) -> None:
    assert len(talk(pharmakon, asked, thanks).answer.sentences) == 1


def test_what_else_there_is_asks_what_it_is_for_and_then_holds_it_against_the_person(pharmakon: Pharmakon) -> None:
    turns = ["Ramipril in pregnancy", "what could I use instead?", "high blood pressure"]
    assert "What is Ramipril taken for?" in said(talk(pharmakon, *turns[:2]))
    assert "named here for hypertension" in said(talk(pharmakon, *turns))


def test_one_of_two_replaced_is_asked_with_the_other_alone(pharmakon: Pharmakon) -> None:
    answer = said(talk(pharmakon, "Clarithromycin with colchicine?", "And azithromycin?"))
    assert "colchicine" in answer
    assert "clarithromycin" not in answer.casefold()


@pytest.mark.parametrize(
    ("turns", "found"),
    [
        # what is taken besides does not take the place of what was asked about
        (("Can I take tramadol?", "I also have epilepsy", "and I'm on fluoxetine, ok?"), "fluoxetine with tramadol"),
        # "that" is what was named for it
        (("I have gout.", "which medicine for it?", "is that ok with azathioprine?"), "azathioprine with allopurinol"),
        (("I take azathioprine.", "I have gout, which medicine?"), "azathioprine with allopurinol"),
        # a complaint of before is none about the drug that is named now
        (("I have asthma and a headache.", "Can I take aspirin?", "so ibuprofen then?"), "needs caution: asthma"),
        (("I have kidney failure and a headache", "and ibuprofen?"), "needs caution: end-stage renal disease"),
        # what may be stopped, or taken for it, is asked of what was named before
        (("I take lorazepam", "can I just stop?"), "must not be stopped abruptly"),
        (("Ik gebruik metformine", "moet ik stoppen?"), "voordat u met een geneesmiddel stopt"),
        (("I have gout", "which medicines are there?"), "For gout the sources here name"),
    ],
)
def test_nothing_that_was_said_is_lost_on_the_way(pharmakon: Pharmakon, turns: tuple[str, ...], found: str) -> None:
    assert found in said(talk(pharmakon, *turns))


# ── what stays open ────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("alarm", "later", "number"),
    [
        ("I can't stay awake and breathe slowly", "ok thanks, can I have a glass of wine?", "112"),
        ("ik krijg geen lucht", "bedankt", "112"),
        ("我喘不过气", "能喝酒吗", "120"),
    ],
)
def test_an_emergency_is_called_to_mind_until_it_is_seen_to(
    pharmakon: Pharmakon, alarm: str, later: str, number: str
) -> None:
    assert number in talk(pharmakon, alarm, later).answer.sentences[0].text
    assert number in talk(pharmakon, alarm, later, later).answer.sentences[0].text


@pytest.mark.parametrize(
    "seen_to", ["I called an ambulance. Can I drink water?", "False alarm. Can I have wine with warfarin?"]
)
def test_what_is_seen_to_is_not_called_to_mind(pharmakon: Pharmakon, seen_to: str) -> None:
    assert "112" not in said(talk(pharmakon, "I can't breathe", seen_to))


def test_what_is_taken_makes_a_sign_that_is_told_next_a_reaction(pharmakon: Pharmakon) -> None:
    assert "today" in said(talk(pharmakon, "I take terbinafine", "My eyes are yellow"))


# ── fluid that is lost ─────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("turns", "named", "held"),
    [
        (
            ("I've been vomiting for two days, can I keep taking metformin, Jardiance and lisinopril?",),
            "metformin, Jardiance and lisinopril",
            "lisinopril needs caution",
        ),
        (("I'm vomiting, can I keep taking metformin?",), "metformin", ""),
        (("I have diarrhoea and take lithium, is that ok?",), "lithium", "lithium needs caution"),
        (("I take lithium", "I've been throwing up since yesterday"), "lithium", "lithium needs caution"),
        (("should I stop my ramipril, I have gastroenteritis",), "ramipril", "ramipril needs caution"),
        (("ik moet overgeven, mag ik mijn lisinopril blijven slikken",), "lisinopril", "vraagt voorzichtigheid"),
        (("我一直拉肚子，还能吃卡托普利吗",), "卡托普利", "慎用"),
    ],
)
def test_who_loses_fluid_is_told_to_ask_today_and_never_that_nothing_was_found(
    pharmakon: Pharmakon, turns: tuple[str, ...], named: str, held: str
) -> None:
    answered = talk(pharmakon, *turns)
    assert named in answered.answer.sentences[0].text
    assert any(word in answered.answer.sentences[0].text for word in ("today", "vandaag", "今天"))
    assert held in said(answered)
    assert not any(words in said(answered) for words in ("nothing was found", "is niets gevonden", "未发现"))
    assert any("“" in note for note in answered.answer.notes)


def test_what_is_supposed_is_said_wherever_it_matters(pharmakon: Pharmakon) -> None:
    answered = talk(pharmakon, "Ik heb diarree, mag ik loperamide?")
    assert "dehydratie" in said(answered)
    assert any("“diarree”" in note for note in answered.answer.notes)


@pytest.mark.parametrize(
    "text",
    [
        "Does metformin cause diarrhoea?",
        "Can I take loperamide for diarrhoea?",
        "Can I take ibuprofen for fever with lisinopril?",
        "I have no diarrhoea, can I take metformin?",
        "I have diarrhoea, can I take paracetamol?",
    ],
)
def test_what_a_drug_causes_or_is_for_is_no_loss_of_fluid_with_it(pharmakon: Pharmakon, text: str) -> None:
    assert "paused" not in said(talk(pharmakon, text))
