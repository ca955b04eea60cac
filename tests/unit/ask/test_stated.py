"""What a question states is put to every candidate; what nothing is held about is not assessed, and never clear."""

from __future__ import annotations

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.ask.pipeline import Answered


def said(answered: Answered, role: str = "") -> str:
    return "\n".join(s.text for s in answered.answer.sentences if not role or s.role == role)


def step(answered: Answered, name: str) -> dict[str, list[str]]:
    return {k: list(v or ()) for k, v in next(s.detail for s in answered.answer.steps if s.name == name).items()}


@pytest.mark.parametrize(
    "text",
    [
        "What can I give for nausea to a patient with long QT?",
        "Wat kan ik geven tegen misselijkheid bij een patiënt met een lang QT-interval?",
        "长QT患者恶心可以用什么药？",
    ],
)
def test_every_candidate_is_held_against_what_the_patient_has(pharmakon: Pharmakon, text: str) -> None:
    found = step(pharmakon.ask(text), "choice")
    assert {"ingredient:domperidone", "ingredient:droperidol", "ingredient:ondansetron"} <= set(found["against"])
    assert "ingredient:chlorpromazine" in found["milder"]  # its effect is the very condition
    assert "ingredient:metoclopramide" in found["not_assessed"]
    assert not found["clear"]


@pytest.mark.parametrize(
    ("text", "unread"),
    [
        ("What can I give for agitation to a patient with Brugada?", "Brugada"),
        ("Welke pijnstiller bij een patiënt met het zorbisyndroom?", "zorbisyndroom"),
        ("合并佐尔比综合征能吃什么止痛药？", "佐尔比综合征"),
    ],
)
def test_what_a_patient_has_and_nobody_knows_is_said_to_be_unread(pharmakon: Pharmakon, text: str, unread: str) -> None:
    assert unread in "".join(pharmakon.ask(text).question.unread)


@pytest.mark.parametrize(
    "text",
    [
        "Which painkiller for a patient with an eGFR of 20?",
        "What can I give to a woman with breast pain?",
        "Welke pijnstiller bij iemand met een eGFR van 20?",
    ],
)
def test_what_is_read_as_a_value_or_a_name_is_not_unread(pharmakon: Pharmakon, text: str) -> None:
    assert not pharmakon.ask(text).question.unread


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Is spironolactone safe in pregnancy?", "Not assessed for pregnancy"),
        ("Mag spironolacton in de zwangerschap?", "Niet beoordeeld voor zwangerschap"),
        ("孕妇能吃螺内酯吗？", "未针对怀孕评估"),
        ("amoxicillin while breastfeeding", "Not assessed for breastfeeding"),
        ("Can I take amoxicillin with asthma?", "Not assessed for asthma"),
    ],
)
def test_where_nothing_is_held_it_is_not_said_that_nothing_was_found(
    pharmakon: Pharmakon, text: str, words: str
) -> None:
    answer = said(pharmakon.ask(text))
    assert words in answer
    assert not any(clear in answer for clear in ("nothing was found", "niets gevonden", "未发现"))


@pytest.mark.parametrize(
    "text",
    [
        "Which blood pressure tablets are safe in pregnancy?",
        "Welke bloeddrukpillen zijn veilig in de zwangerschap?",
        "孕妇可以吃哪种降压药？",
    ],
)
def test_absence_of_a_rule_does_not_outrank_a_mild_one(pharmakon: Pharmakon, text: str) -> None:
    found = step(pharmakon.ask(text), "choice")
    assert not found["clear"]
    assert {"ingredient:spironolactone", "ingredient:eplerenone"} <= set(found["not_assessed"])
    assert {"ingredient:labetalol", "ingredient:nifedipine"} <= set(found["milder"])


def test_a_monograph_in_depth_answers_for_the_kidneys(pharmakon: Pharmakon) -> None:
    found = step(pharmakon.ask("What is the safest painkiller for someone with eGFR 20?"), "choice")
    assert "ingredient:acetaminophen" in found["clear"]
    assert not found["not_assessed"]


def test_a_rule_for_a_needle_is_none_for_a_tablet(pharmakon: Pharmakon) -> None:
    assert "intravenous" not in said(pharmakon.ask("Can I take paracetamol with eGFR 20?"))
    assert "intravenous" in said(pharmakon.ask("Is intravenous paracetamol possible with eGFR 20?"))
    found = step(pharmakon.ask("Which painkiller for someone with eGFR 20?"), "choice")
    assert "ingredient:fentanyl" in found["milder"]  # it is named for its needle and its patch


def test_a_class_that_one_is_taken_of_is_held_against_each(pharmakon: Pharmakon) -> None:
    for text in (
        "What can I take for pain when I'm on a blood thinner?",
        "Ik slik een bloedverdunner, welke pijnstiller?",
    ):
        found = step(pharmakon.ask(text), "choice")
        assert {"ingredient:ibuprofen", "ingredient:naproxen"} <= set(found["against"]), text
        assert "ingredient:codeine" in found["not_assessed"], text


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Are benzodiazepines safe when breastfeeding?", "Lorazepam passes into milk"),
        ("Zijn statines veilig bij borstvoeding?", "should not breastfeed"),
        ("孕妇能吃沙坦类药吗", "stopped as soon as possible"),
    ],
)
def test_of_a_class_what_is_held_of_the_state_is_told_and_nothing_else(
    pharmakon: Pharmakon, text: str, words: str
) -> None:
    answer = said(pharmakon.ask(text))
    assert words in answer
    assert "From 65 years" not in answer


def test_of_two_drugs_each_is_held_against_who_takes_them(pharmakon: Pharmakon) -> None:
    answer = said(pharmakon.ask("Can I take amoxicillin and metoprolol in pregnancy?"))
    assert "Not assessed for pregnancy, since nothing is held here about that: amoxicillin and metoprolol" in answer


def test_a_class_that_one_is_wanted_of_is_not_taken(pharmakon: Pharmakon) -> None:
    found = said(pharmakon.ask("Which antibiotic for a UTI?"), "list")
    assert "nitrofurantoin" in found
    assert "phenazopyridine" not in found
    with_one = step(pharmakon.ask("What can I take for pain with an anticoagulant?"), "choice")
    assert "ingredient:naproxen" in with_one["against"]


# ── what stands in a list, and in which order ──────────────────────────────────────────────────────


def test_what_is_named_in_some_cases_alone_stands_by_itself_behind_the_others(pharmakon: Pharmakon) -> None:
    answer = said(pharmakon.ask("What can I take for a headache when I'm on warfarin?"), "list")
    assert "in some cases alone" in answer
    assert "amitriptyline" in answer


@pytest.mark.parametrize(
    "text", ["What can I take for a gout attack?", "Wat helpt bij een jichtaanval?", "痛风发作吃什么药？"]
)
def test_what_is_for_no_attack_is_not_listed_for_one(pharmakon: Pharmakon, text: str) -> None:
    items = next(s.text for s in pharmakon.ask(text).answer.sentences if s.role == "list")
    assert not any(name in items for name in ("allopurinol", "别嘌"))
    assert any(name in items for name in ("colchicine", "秋水仙碱"))


def test_the_class_that_is_named_chooses_among_the_candidates(pharmakon: Pharmakon) -> None:
    answer = said(pharmakon.ask("Which antibiotic for a UTI in a man with G6PD deficiency?"))
    assert not any(name in answer for name in ("phenazopyridine", "clavulanate or", "clavulanate,", "tazobactam"))
    for text in (
        "Which antidepressant is best after a heart attack?",
        "Welk antidepressivum is het beste na een hartinfarct?",
        "心梗后用什么抗抑郁药？",
    ):
        found = pharmakon.ask(text)
        every = [c for drugs in step(found, "choice").values() for c in drugs]
        assert "ingredient:citalopram" in every, text
        assert not {"ingredient:flecainide", "ingredient:rizatriptan"} & set(every), text


def test_what_is_wanted_is_found_beside_the_disease_that_it_is_for(pharmakon: Pharmakon) -> None:
    found = step(pharmakon.ask("高血压合并糖尿病蛋白尿首选什么降压药？"), "choice")
    assert "ingredient:lisinopril" in found["clear"]
    assert "ingredient:amlodipine" in found["not_assessed"]


# ── values and texts ───────────────────────────────────────────────────────────────────────────────


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("Is metformin safe with eGFR 50?", "lies outside the range"),
        ("Mag metformine bij een eGFR van 50?", "valt buiten het bereik"),
        ("eGFR 50能吃二甲双胍吗？", "不在此处所引规则的数值范围内"),
    ],
)
def test_a_value_outside_of_a_quoted_range_is_said_to_be(pharmakon: Pharmakon, text: str, words: str) -> None:
    assert words in said(pharmakon.ask(text))


@pytest.mark.parametrize(
    "text",
    ["Can I take ciprofloxacin with myasthenia gravis?", "甲硝唑哺乳期能吃吗", "Mag ik metronidazol bij borstvoeding?"],
)
def test_no_condition_without_a_value_is_named(pharmakon: Pharmakon, text: str) -> None:
    answer = said(pharmakon.ask(text), "finding")
    assert answer
    assert "route" not in answer


def test_a_rule_that_waits_says_for_what(pharmakon: Pharmakon) -> None:
    assert "creatinine clearance" in said(pharmakon.ask("Can I take gabapentin with kidney disease?"), "finding")
    assert "肌酐清除率" in said(pharmakon.ask("肾病能吃加巴喷丁吗"), "finding")
    assert "creatinineklaring" in said(pharmakon.ask("Mag ik gabapentine bij nierziekte?"), "finding")
