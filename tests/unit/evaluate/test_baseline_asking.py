"""What is asked of the baselines' model, and that nothing it does goes uncounted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.evaluate.extraction.baselines.asking import (
    CHUNK,
    Account,
    Baselines,
    chunks,
    figures_row,
    title,
    triples,
)
from pharmakon.evaluate.extraction.baselines.verbs import interacts, prohibits
from pharmakon.ports.language_model import ModelError
from tests.shared_data import ROOT, shared
from tests.unit.evaluate.scripted import Scripted, triple

PROMPTS = ROOT / "src" / "pharmakon" / "evaluate" / "extraction" / "baselines" / "prompts"


@given(st.text("ab \n", max_size=3 * CHUNK))
def test_chunks_hold_the_whole_text_in_order(text: str) -> None:
    end = 0
    for start, stop in chunks(text):
        assert start <= end < stop <= start + CHUNK
        end = stop
    assert not text[end:].strip()


def test_a_text_without_a_gap_is_cut_all_the_same() -> None:
    assert [stop - start for start, stop in chunks("a" * 2 * CHUNK)][:1] == [CHUNK]


def test_the_zero_shot_prompt_shows_each_chunk_and_no_schema() -> None:
    model = Scripted()
    text = "Title (x)\n" + "word " * CHUNK
    assert list(triples(model, title(text), text, Account())) == []
    assert [p.user.partition("\n\n")[2].strip() for p in model.asked] == [text[a:b].strip() for a, b in chunks(text)]
    assert all("Document: Title (x)" in p.user for p in model.asked)
    assert not any(word in model.asked[0].system for word in ("interact", "contraindic", "drug", "relation_"))


@pytest.mark.parametrize(
    ("answer", "failed"),
    [
        (ModelError("took 120 s", "timeout"), {"timeout": 1}),
        (ModelError("cut", "cut off"), {"cut off": 1}),
        ({"rows": "many"}, {"another shape": 1}),
        ({}, {"another shape": 1}),
    ],
)
def test_a_question_without_a_usable_answer_is_counted_by_its_reason(answer: Any, failed: dict[str, int]) -> None:
    account = Account()
    assert list(triples(Scripted(zero_shot_v1=answer), "", "A text.", account)) == []
    row = account.table()
    assert (row["questions"], row["failed"]) == (1, 1)
    assert {why.removeprefix("failed: "): n for why, n in row.items() if why.startswith("failed: ")} == failed


def test_rows_of_another_shape_are_counted_and_repeated_ones_are_one() -> None:
    account = Account()
    one = triple("a", "raises", "b")
    rows = [one, one, {"subject": "a"}, "a raises b", one | {"object": None}]
    found = list(triples(Scripted(zero_shot_v1=rows), "", "A text.", account))
    assert [(t.subject, t.start, t.end) for t in found] == [("a", 0, 7)]
    assert (account.rows, account.unusable) == (4, 3)


def test_a_share_is_the_first_labels_by_name() -> None:
    assert Baselines(Scripted(), labels=2).share(["c", "a", "b"]) == ["a", "b"]
    assert Baselines(Scripted()).share(["c", "a", "b"]) == ["a", "b", "c"]


def test_nothing_found_is_an_f1_of_zero() -> None:
    assert figures_row(1, (None, 0.0), (0.5, 0.5)) == {
        "labels": 1, "precision": None, "recall": 0.0, "f1": 0.0, "f1_all": 0.5,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("verb", "is_one"),
    [
        ("increases the plasma concentration of", True),
        ("INTERACTS_WITH", True),
        ("should not be used with", True),
        ("is not recommended with", True),
        ("may be potentiated by", True),
        ("is contraindicated with", True),
        ("does not increase", False),
        ("had no effect on the clearance of", False),
        ("is not contraindicated with", False),
        ("is a", False),
        ("treats", False),
    ],
)
def test_the_verb_says_whether_a_triple_is_an_interaction(verb: str, is_one: bool) -> None:
    assert interacts(verb) is is_one


@pytest.mark.parametrize(
    ("verb", "action"),
    [
        ("is contraindicated in", "contraindicated"),
        ("must not be given to", "contraindicated"),
        ("should not be used in", "avoid"),
        ("should be avoided in", "avoid"),
        ("is not recommended for", "avoid"),
        ("is not contraindicated in", ""),
        ("should be used in", ""),
        ("is used in", ""),
        ("causes", ""),
    ],
)
def test_the_verb_says_whether_a_triple_is_a_prohibition(verb: str, action: str) -> None:
    assert prohibits(verb) == action


def test_the_example_in_the_prompts_is_in_no_label_of_the_corpus() -> None:
    texts = [p.read_text("utf-8", errors="replace").casefold() for p in shared("fda-cv-ddi-labels").glob("*.txt")]
    for prompt in PROMPTS.glob("one_shot_*.md"):
        example = prompt.read_text("utf-8").partition("Example label:\n")[2].partition("Example answer:")[0]
        lines = [line for line in example.splitlines() if len(line.split()) > 2]
        assert lines
        assert all(line.casefold() not in text for line in lines for text in texts)
    names = ("veltrazin", "velotrazine", "morbalan", "orvidone", "sendorvidone", "quastin")
    assert texts
    assert not any(name in text for name in names for text in texts)
