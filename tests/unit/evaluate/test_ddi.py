"""The corpus of `extract-ddi` is read without its answers, split by families, and counted by pairs of labels."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.evaluate.extraction.ddi import figures
from pharmakon.evaluate.extraction.ddi_gold import families, held_out, read_gold, title_names
from pharmakon.evaluate.extraction.ddi_labels import blocks, overlap
from pharmakon.evaluate.extraction.ddi_pairs import Tally
from pharmakon.model.errors import BadInput
from tests.shared_data import ROOT, shared

GOLD = b"""<document setID="x"><labelDrug name="Zorfan"/>
<sentence id="s.1" text="Avoid kelpin or other dulbins with Zorfan." type="regular">
  <entity id="e.1" charOffset="6:12" text="kelpin" type="Drug"><Normalization><RxNorm RxCui="7"/></Normalization>
  </entity>
  <entity id="e.2" charOffset="16:21|22:29" text="other dulbins" type="Drug_Class"/>
  <entity id="e.3" charOffset="35:41" text="Zorfan" type="Drug"/>
  <entity id="e.4" charOffset="0:5" text="Avoid" type="Caution_Interaction"/>
  <pair ddi="true" e1="e.1" e2="e.3"/><pair ddi="true" e1="labelDrug" e2="e.2"/>
  <pair ddi="false" e1="e.1" e2="e.2"/><pair ddi="true" e1="e.1" e2="gone"/>
</sentence></document>"""


def test_only_texts_offsets_codes_and_pairs_are_read() -> None:
    (sentence,) = read_gold(GOLD, "x.xml")
    assert [(e.id, e.place, e.rxcui) for e in sentence.entities] == [
        ("e.1", (6, 12), "7"),
        ("e.2", (22, 29), ""),
        ("e.3", (35, 41), ""),
    ]
    assert sentence.pairs == {frozenset({"e.1", "e.3"}), frozenset({"e.2"})}


def test_a_file_that_is_no_xml_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match=r"y\.xml"):
        read_gold(b"<document", "y.xml")


@pytest.mark.parametrize(
    ("title", "names"),
    [
        ("EXAMPLON (zorfan sodium) tablet, film coated", ("EXAMPLON", "zorfan sodium")),
        ("Drug Label for drug brand Examplon, containing ZORFAN.", ("Examplon", "ZORFAN")),
        ("CONTRAINDICATIONS", ()),
    ],
)
def test_the_first_line_names_the_product(title: str, names: tuple[str, ...]) -> None:
    assert title_names(title) == names


SAME = "Patients who take {} should be watched for a fall of their blood pressure.\n"


def test_labels_that_share_an_ingredient_or_sentences_are_one_family() -> None:
    texts = {"a": SAME.format("zorfan"), "b": SAME.format("kelpin"), "c": "Another text altogether.", "d": "Short."}
    ingredients = {"a": ["zorfan"], "b": ["kelpin"], "c": ["dulbin"], "d": ["dulbin"]}
    assert families(texts, ingredients) == [["a", "b"], ["c", "d"]]


@given(st.sets(st.text("abcdef0123", min_size=1, max_size=6), max_size=12))
def test_a_family_is_held_out_whole_or_not_at_all(names: set[str]) -> None:
    texts = dict.fromkeys(names, "")
    ingredients = {name: [name[0]] for name in names}
    out = set(held_out(texts, ingredients))
    for family in families(texts, ingredients):
        assert set(family) <= out or not set(family) & out


def test_the_rule_still_holds_out_what_the_split_says() -> None:
    folder = shared("fda-cv-ddi-labels")
    split = yaml.safe_load((ROOT / "evals" / "extract-ddi" / "split.yaml").read_text("utf-8"))
    texts = {name: (Path(folder) / f"{name}.txt").read_text("utf-8", errors="replace") for name in split["labels"]}
    assert sorted(held_out(texts, split["labels"])) == sorted(split["held_out"])


def test_sections_of_a_plain_text_follow_its_headings() -> None:
    text = "Title (x) tablet\n\n5 WARNINGS\n\nWatch out.\n\n7 DRUG INTERACTIONS\n\nSome.\n\n7.1 Kelpin\n\nAvoid it.\n"
    found = [(s.kind, s.heading, s.text.strip(), text[at : at + len(s.text)] == s.text) for at, s in blocks(text)]
    assert found == [
        ("warnings", "WARNINGS", "Watch out.", True),
        ("interactions", "DRUG INTERACTIONS", "Some.", True),
        ("interactions", "Kelpin", "Avoid it.", True),
    ]


@given(st.lists(st.text("aB1.: \n", max_size=30), max_size=8))
def test_sections_stand_in_the_text_where_they_say_and_do_not_overlap(lines: list[str]) -> None:
    text = "\n".join(lines)
    end = 0
    for at, section in blocks(text):
        assert at >= end
        assert text[at : at + len(section.text)] == section.text
        end = at + len(section.text)


def test_precision_counts_what_was_found_and_recall_what_is_gold() -> None:
    tally = Tally(right=3, found=4, met=3, gold=6) + Tally(right=0, found=0, met=0, gold=0)
    assert (tally.precision, tally.recall) == (0.75, 0.5)
    assert tally.f1 == pytest.approx(0.6)
    assert Tally().f1 is None
    assert Tally(0, 2, 0, 2).f1 == 0.0


def test_without_labels_there_are_no_figures() -> None:
    assert set(figures([]).values()) == {None}


@given(*[st.integers(0, 9)] * 4)
def test_two_stretches_overlap_both_ways_round(a: int, b: int, c: int, d: int) -> None:
    left, right = (min(a, b), max(a, b) + 1), (min(c, d), max(c, d) + 1)
    assert overlap(left, right) == overlap(right, left) == bool(set(range(*left)) & set(range(*right)))
