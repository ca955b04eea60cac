"""How clauses, stances and names are read."""

from __future__ import annotations

import re

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pharmakon.model.question import Question
from pharmakon.verify.claims import Claim, ClaimReader
from pharmakon.verify.clauses import clauses
from pharmakon.verify.cues import data
from pharmakon.verify.names import Namer
from pharmakon.verify.stance import Stance, asks_about_harm, stance


def claims(namer: Namer, draft: str, question: str = "") -> list[Claim]:
    return list(ClaimReader(namer).read(draft, Question(question, "en")).said)


# ── stances ───────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    "clause",
    [
        "They can be taken together", "There is no interaction", "You need not worry", "It is not dangerous",
        "A low dose is usually fine", "Dat mag gerust", "Er is geen wisselwerking", "可以一起服用", "不会增加出血风险",
    ],
)  # fmt: skip
def test_leave_and_denied_warnings_give_leave(clause: str) -> None:
    assert stance(clause) is Stance.ALLOWS


@pytest.mark.parametrize(
    "clause",
    [
        "You should not take them together",
        "It is not safe",
        "That is not a good idea",
        "It is recommended to avoid it",
        "I don't think that it is safe",
        "Talking to your doctor is a good idea",
        "Dat mag niet",
        "Dat is niet veilig",
        "U mag het niet gebruiken",
        "不宜同用",
        "并不安全",
        "建议避免",
    ],
)
def test_warnings_and_denied_leave_warn(clause: str) -> None:
    assert stance(clause) is Stance.WARNS


@pytest.mark.parametrize(
    "clause", ["Nobody knows whether it is safe", "It is not known if it is safe", "尚不清楚是否安全"]
)
def test_what_is_left_open_gives_no_leave(clause: str) -> None:
    assert stance(clause) is not Stance.ALLOWS


def test_no_negator_reaches_across_a_comma() -> None:
    assert stance("Not to worry you, it is safe") is Stance.ALLOWS


@pytest.mark.parametrize(
    ("question", "harm"),
    [
        ("Can I take both?", False), ("Is it safe?", False), ("Is it dangerous?", True), ("Do they interact?", True),
        ("Should I avoid it?", True), ("Can't I take both?", False), ("能不能一起吃？", False), ("会有冲突吗？", True),
        ("Is het gevaarlijk?", True), ("Mag dat samen?", False),
    ],
)  # fmt: skip
def test_a_yes_to_a_question_about_harm_warns(question: str, harm: bool) -> None:
    assert asks_about_harm(question) is harm


def test_no_cue_is_listed_for_two_stances() -> None:
    listed = {kind: {c for cues in data()[kind].values() for c in cues} for kind in ("allows", "warns", "nothing")}
    assert listed["allows"].isdisjoint(listed["warns"])
    assert listed["nothing"].isdisjoint(listed["allows"] | listed["warns"])


# ── clauses ───────────────────────────────────────────────────────────────────────────────────────


def test_a_clause_ends_where_the_stance_turns() -> None:
    text = "Ibuprofen must be avoided with warfarin, but paracetamol is fine, e.g. 500 mg. Ask St. John if unsure."
    assert [c.text for c in clauses(text)] == [
        "Ibuprofen must be avoided with warfarin", "but paracetamol is fine, e.g. 500 mg", "Ask St. John if unsure",
    ]  # fmt: skip


def test_a_list_stays_one_clause() -> None:
    assert len(clauses("Warfarin, aspirin, and ibuprofen can be taken together")) == 1


@given(st.text(alphabet=st.sampled_from("abYesNo, .;:!?—-但，。可以\n()'1x "), max_size=60))
def test_every_letter_of_a_draft_is_in_a_clause(text: str) -> None:
    letters = re.sub(r"[\W\d_]", "", text)
    assert re.sub(r"[\W\d_]", "", "".join(c.text for c in clauses(text))) == letters


@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.text(max_size=80), st.text(max_size=40))
def test_any_text_can_be_read(namer: Namer, draft: str, question: str) -> None:
    for claim in claims(namer, draft, question):
        assert set(claim.own) <= set(claim.about) or claim.own == ()


# ── names ─────────────────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("advil", "ingredient:ibuprofen"),
        ("Tylenol", "ingredient:acetaminophen"),
        ("ibuprofin", "ingredient:ibuprofen"),
        ("naproxin", "ingredient:naproxen"),
        ("warfarine", "ingredient:warfarin"),
        ("华法林", "ingredient:warfarin"),
        ("weak kidneys", "disease:chronic-kidney-disease"),
        ("肾衰竭", "disease:end-stage-renal-disease"),
        ("a glass of wine", "lifestyle:alcohol"),
        ("西柚汁", "lifestyle:grapefruit"),
    ],
)
def test_a_name_is_found_however_it_is_written(namer: Namer, text: str, concept: str) -> None:
    assert [n.concept for n in namer.find(f"Take {text} today")] == [concept]


@pytest.mark.parametrize(
    ("text", "state"),
    [
        ("She is 85", ("age", 85)),
        ("my 5-year-old", ("age", 5)),
        ("een moeder van 86", ("age", 86)),
        ("82岁", ("age", 82)),
        ("the elderly", ("age", 80)),
        ("in the third trimester", ("trimester", 3)),
        ("zwanger", ("pregnant", 1)),
        ("哺乳期", ("lactating", 1)),
    ],
)
def test_people_are_read_as_states_of_a_patient(namer: Namer, text: str, state: tuple[str, int]) -> None:
    assert [n.state for n in namer.find(text)] == [state]


def test_everyday_words_are_no_brands(namer: Namer) -> None:
    assert namer.find("The routine benefit of a precise program is the ability to convert it.") == ()


def test_an_allergen_is_not_taken(namer: Namer) -> None:
    kinds = {n.words: n.kind for n in namer.find("I am allergic to penicillin and take amoxicillin")}
    assert kinds == {"penicillin": "allergen", "amoxicillin": "drug"}


# ── what a claim is about ─────────────────────────────────────────────────────────────────────────


def test_a_bare_answer_is_about_the_question(namer: Namer) -> None:
    (yes,) = claims(namer, "Yes.", "Can I take ibuprofen with warfarin?")
    assert yes.stance is Stance.ALLOWS
    assert [n.words for n in yes.about] == ["ibuprofen", "warfarin"]


def test_a_pronoun_takes_up_what_was_named_before(namer: Namer) -> None:
    *_, last = claims(namer, "Simvastatin lowers cholesterol. It goes well with clarithromycin.")
    assert {n.words for n in last.about} == {"Simvastatin", "clarithromycin"}


def test_leave_for_something_else_does_not_take_up_a_warning(namer: Namer) -> None:
    *_, last = claims(namer, "Do not combine ibuprofen and warfarin. Heat packs are fine.")
    assert last.about == ()


def test_what_something_is_taken_in_place_of_is_warned_of(namer: Namer) -> None:
    warned, leave = claims(namer, "You can take paracetamol instead of ibuprofen.")
    assert (warned.stance, [n.words for n in warned.own]) == (Stance.WARNS, ["ibuprofen"])
    assert (leave.stance, [n.words for n in leave.own]) == (Stance.ALLOWS, ["paracetamol"])


def test_a_claim_that_is_taken_back_warns(namer: Namer) -> None:
    (claim,) = claims(namer, "They say ibuprofen is fine with warfarin. That is wrong.")
    assert claim.stance is Stance.WARNS


def test_items_of_a_list_have_the_stance_of_what_leads_them(namer: Namer) -> None:
    read = claims(namer, "Do not take:\n- warfarin\n- ibuprofen\n")
    assert [c.stance for c in read] == [Stance.WARNS] * 3


def test_plain_facts_take_no_stance(namer: Namer) -> None:
    read = claims(namer, "Warfarin is a vitamin K antagonist. Tylenol contains paracetamol.")
    assert [c.stance for c in read] == [Stance.NEUTRAL] * 2
