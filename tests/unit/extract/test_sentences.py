"""Where sentences of labels begin and end, and which names stand in them."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.extract.sentences import mentioned, sentences, sentences_of
from pharmakon.link.mentions import MentionScanner
from pharmakon.model.documents import Section
from tests.shared_data import shared
from tests.unit.link.lexicon import DISEASES, DRUGS, Words

LEXICON = Words((*DISEASES, *DRUGS))
SCANNER = MentionScanner(LEXICON)


def split(text: str) -> list[str]:
    return [s.text for s in sentences(Section(0, "interactions", "", text))]


@pytest.mark.parametrize(
    "whole",
    [
        "Give strong inhibitors (e.g. Ketoconazole) with care.",
        "In study A vs. Placebo the rate was 2.5 mg.",
        "It is approved in the U.S. Virgin Islands.",
        "It contains FD&C Yellow No. 6 and Red No. 40.",
        "Clearance was 1.5 L/h (0.3 to 2.1).",
        "Infections with S. aureus and St. John's wort are rare.",
        "1. Take it with water.",
        "Table 2. Drugs that matter.",
        "It is meant for: (1) Patients who bleed (2) Women",
        "The dose follows section (7.2) Kelpin with food",
        "Placebo 184 (2.3) Kelpin 182 (1.9)",
        "It was given for up to (7) Days and weeks",
    ],
)
def test_a_full_stop_that_ends_no_sentence_is_passed_over(whole: str) -> None:
    assert split(whole) == [whole]


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("Do not exceed 40 mg/day. Reduce the dose.", ["Do not exceed 40 mg/day.", "Reduce the dose."]),
        ("Avoid it [see Warnings (5.1)]. Monitor.", ["Avoid it [see Warnings (5.1)].", "Monitor."]),
        ("Avoid the infusion.Patients may bleed.", ["Avoid the infusion.", "Patients may bleed."]),
        ("It is sold in the U.S. The dose is 5.", ["It is sold in the U.S.", "The dose is 5."]),
        ("Contraindicated with: • kelpin • zorfan", ["Contraindicated with:", "kelpin", "zorfan"]),
        ("Avoid with\n- kelpin\n- zorfan", ["Avoid with", "kelpin", "zorfan"]),
        ("Drug: a. | Advice: Avoid. Monitor.\nNext.", ["Drug: a. | Advice: Avoid. Monitor.", "Next."]),
        ("Stop it. 2. Start anew.", ["Stop it.", "2. Start anew."]),
        ("Lithium: Monitor. ( 7.4 ) Digoxin: Reduce.", ["Lithium: Monitor. ( 7.4 )", "Digoxin: Reduce."]),
        ("Watch kelpin (5.1, 7.2) Zorfan: Avoid.", ["Watch kelpin (5.1, 7.2)", "Zorfan: Avoid."]),
        ("Avoid kelpin ( 7 ) Zorfan: Avoid.", ["Avoid kelpin ( 7 )", "Zorfan: Avoid."]),
        ("禁用于孕妇。慎用于老人。", ["禁用于孕妇。", "慎用于老人。"]),
    ],
)
def test_a_section_is_split_where_its_sentences_items_and_rows_end(text: str, parts: list[str]) -> None:
    assert split(text) == parts


def test_a_whole_number_that_is_the_sections_own_closes_an_item() -> None:
    text = "Kelpin: Levels fall. (7) Zorfan: Levels rise (7) Use care. (8) Go on."
    assert [s.text for s in sentences(Section(0, "interactions", "7 DRUG INTERACTIONS", text))] == [
        "Kelpin: Levels fall. (7)",
        "Zorfan: Levels rise (7)",
        "Use care.",
        "(8) Go on.",
    ]


def test_mentions_carry_offsets_of_the_section() -> None:
    text = "It is white. Avoid warfarin sodium in asthma."
    _, second = mentioned(Section(3, "interactions", "7.2 Ibuprofen", text), SCANNER)
    assert [(text[m.start : m.end], m.text) for m in second.mentions] == [
        ("warfarin sodium", "warfarin sodium"),
        ("asthma", "asthma"),
    ]
    assert [m.concepts for m in second.heading_mentions] == [("ingredient:ibuprofen",)]
    assert (second.ord, second.kind, text[second.start : second.end]) == (3, "interactions", second.text)


def test_what_a_reference_to_another_section_names_is_not_mentioned() -> None:
    text = "Avoid warfarin [see Warnings, Asthma (5.1)] in gout (see Stroke (2) and Fever)."
    (sentence,) = mentioned(Section(0, "warnings", "", text), SCANNER)
    assert [m.text for m in sentence.mentions] == ["warfarin", "gout"]
    assert sentence.text == text


def test_texts_that_support_no_finding_are_split_and_not_searched() -> None:
    of = sentences_of(LEXICON)
    (leaflet,) = of(Section(0, "patient_information", "", "Ask about warfarin."))
    (label,) = of(Section(0, "interactions", "", "Ask about warfarin."))
    assert not leaflet.mentions
    assert label.mentions


@given(st.text(st.sampled_from("aB1 .;!?•|-()[]\n\r\u2028\u00a0e.g 。；No"), max_size=80))
def test_nothing_is_lost_and_everything_stands_where_it_says(text: str) -> None:
    found = sentences(Section(0, "other", "", text))
    end = 0
    for s in found:
        assert s.start >= end
        assert text[s.start : s.end] == s.text
        assert not s.text[0].isspace()
        assert not s.text[-1].isspace()
        assert not set(text[end : s.start]) - set(" \n\r\u2028\u00a0•-")
        end = s.end
    assert not set(text[end:]) - set(" \n\r\u2028\u00a0•-")


def test_real_labels_give_sentences_of_ordinary_length() -> None:
    part = min(shared("openfda-labels").glob("*.json"))
    records = json.loads(part.read_text("utf-8"))["results"][:40]
    lengths = [len(s) for r in records for text in r.get("drug_interactions", ()) for s in split(text)]
    assert 60 < sorted(lengths)[len(lengths) // 2] < 220
