"""The baselines beside `extract-ddi`: names that a model wrote, counted as pairs of our concepts."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge
from pharmakon.evaluate.extraction.baselines.asking import ONE_SHOT, ZERO_SHOT, Baselines
from pharmakon.evaluate.extraction.baselines.pairs import Outcome, run
from pharmakon.evaluate.extraction.ddi import survey
from pharmakon.evaluate.extraction.ddi_gold import held_out
from pharmakon.evaluate.extraction.ddi_labels import Corpus
from pharmakon.evaluate.extraction.ddi_pairs import Tally
from pharmakon.ports.language_model import ModelError
from tests.unit.evaluate.scripted import Pairs, Scripted, pair, triple, write_label
from tests.unit.evaluate.world import tiny

HEAD = "ALFADOL (alfaprofen) tablet"
SAID: dict[str, Pairs] = {
    "Alfadol raises the effect of anticoagulants.": [("Alfadol", "anticoagulants")],
    "Do not drink alcohol while being treated.": [("", "alcohol")],
}


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedKnowledge]:
    opened = tiny(tmp_path_factory.mktemp("tiny"))
    yield opened
    opened.close()


def asked(knowledge: EmbeddedKnowledge, folder: Path, model: Any, said: dict[str, Pairs] = SAID) -> dict[str, Outcome]:
    write_label(folder, "a", HEAD, said)
    return run(Corpus(folder, {"a": ["alfaprofen"]}, knowledge), ["a"], model, Baselines(model))


def zero_shot(knowledge: EmbeddedKnowledge, folder: Path, *rows: dict[str, str]) -> Outcome:
    return asked(knowledge, folder, Scripted(zero_shot_v1=list(rows)))[ZERO_SHOT]


def test_a_triple_about_an_interaction_finds_the_pair(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    found = zero_shot(knowledge, tmp_path, triple("Alfadol", "raises the effect of", "the anticoagulants"))
    assert found.own == Tally(right=1, found=1, met=1, gold=1)
    assert found.own_all == Tally(right=1, found=1, met=1, gold=2)


def test_a_triple_about_something_else_is_counted_apart(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    rows = triple("Alfadol", "does not affect", "anticoagulants"), triple("Alfadol", "is an", "NSAID")
    found = zero_shot(knowledge, tmp_path, *rows)
    assert (found.own, found.account.other) == (Tally(gold=1), 2)


def test_a_name_that_our_linker_lacks_is_counted_and_no_pair(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    found = zero_shot(knowledge, tmp_path, triple("Alfadol", "raises", "zorfan"), triple("it", "raises", "alcohol"))
    assert (found.own.found, found.account.unlinked) == (0, 2)


def test_a_pair_that_the_label_does_not_say_is_wrong(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    found = zero_shot(knowledge, tmp_path, triple("alcohol", "potentiates", "anticoagulants"))
    assert found.own == Tally(right=0, found=1, met=0, gold=1)


def test_a_pair_whose_half_is_unsaid_counts_in_the_figures_with_all(
    knowledge: EmbeddedKnowledge, tmp_path: Path
) -> None:
    found = zero_shot(knowledge, tmp_path, triple("alfaprofen", "should not be taken with", "alcohol"))
    assert found.own == Tally(right=0, found=0, met=0, gold=1)
    assert found.own_all == Tally(right=1, found=1, met=1, gold=2)


def test_several_names_in_a_phrase_are_several_pairs(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    found = zero_shot(knowledge, tmp_path, triple("Alfadol", "interacts with", "anticoagulants and alcohol"))
    assert found.own_all == Tally(right=2, found=2, met=2, gold=2)


def test_what_the_annotators_call_otherwise_is_found_by_its_place(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    said: dict[str, Pairs] = {
        "Alfadol adds to anticoagulants of the newest kind.": [("Alfadol", "anticoagulants of the newest kind")]
    }
    model = Scripted(one_shot_pairs_v1=[pair("anticoagulant", "alfaprofen")])
    assert asked(knowledge, tmp_path, model, said)[ONE_SHOT].own == Tally(right=1, found=1, met=1, gold=1)


def test_a_place_counts_in_the_text_that_the_model_was_shown(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    """The first chunk ends before the sentence: what is said of it can't be told from there."""
    long: dict[str, Pairs] = {" ".join(["Swallow the tablet whole."] * 100): []}
    said: dict[str, Pairs] = {
        "Alfadol adds to anticoagulants of the newest kind.": [("Alfadol", "anticoagulants of the newest kind")]
    }

    class First(Scripted):
        first = True

        def answer(self, prompt: Any, schema: Any) -> Any:
            first = "newest kind" not in prompt.user
            return {"rows": [triple("Alfadol", "adds risk to", "anticoagulants")] if first == self.first else []}

    model = First()
    for model.first, right in ((True, 0), (False, 1)):
        found = asked(knowledge, tmp_path, model, long | said)[ZERO_SHOT]
        assert (found.own.right, found.own.found) == (right, 1)


def test_one_shot_shows_the_whole_label_once(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    model = Scripted(one_shot_pairs_v1=[pair("Alfadol", "alcohol"), pair("alfaprofen", "anticoagulants")])
    found = asked(knowledge, tmp_path, model)[ONE_SHOT]
    assert found.own_all == Tally(right=2, found=2, met=2, gold=2)
    (prompt,) = (p for p in model.asked if p.name.startswith("one_shot"))
    assert all(sentence in prompt.user for sentence in SAID)


def split(folder: Path, names: str = "abcdefgh") -> dict[str, Any]:
    """Labels of one's own ingredient each, so that each is a family of its own."""
    ingredients = {name: [f"{name}{name}idine"] for name in names}
    for name in names:
        write_label(folder, name, f"{name.upper()}DOL ({name}{name}idine) tablet", SAID)
    texts = {name: f"{name}" for name in names}
    return {"labels": ingredients, "held_out": held_out(texts, ingredients)}


def test_both_baselines_stand_beside_ours_on_the_same_labels(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    parts = split(tmp_path)
    model = Scripted(
        zero_shot_v1=[triple("Alfadol", "raises", "anticoagulants")],
        one_shot_pairs_v1=ModelError("4,096 tokens are the window", "refused"),
    )
    found = survey(parts, tmp_path, knowledge, Baselines(model, labels=1))
    table, answers = found.tables["baselines"], found.tables["baseline_answers"]
    assert list(table) == ["ours", ZERO_SHOT, ONE_SHOT]
    assert {row["labels"] for row in table.values()} == {1}
    assert table[ZERO_SHOT]["recall"] == 1.0
    assert (table[ONE_SHOT]["precision"], table[ONE_SHOT]["f1"]) == (None, 0.0)
    assert (answers[ONE_SHOT]["questions"], answers[ONE_SHOT]["failed: refused"]) == (1, 1)
    assert sorted(parts["held_out"])[0].upper() + "DOL" in model.asked[0].user


def test_without_a_model_the_result_says_why_there_are_no_baselines(
    knowledge: EmbeddedKnowledge, tmp_path: Path
) -> None:
    found = survey(split(tmp_path), tmp_path, knowledge, Baselines(None, why_not="no language model is set up"))
    assert found.tables["baselines"] == {"zero_shot, one_shot": "not run: no language model is set up"}
    assert "baseline_answers" not in found.tables


def test_development_leaves_the_held_out_part_closed(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    parts = split(tmp_path)
    assert 0 < len(parts["held_out"]) < len(parts["labels"])
    model = Scripted()
    found = survey(parts, tmp_path, knowledge, Baselines(model), development=True)
    assert set(found.metrics.values()) == {None}
    assert not set(parts["held_out"]) & set(found.tables["per_label_f1"])
    assert "held_out" not in found.tables["parts"]
    titles = {p.user.split("\n")[0].partition(": ")[2].split("DOL")[0].lower() for p in model.asked}
    assert titles == set(parts["labels"]) - set(parts["held_out"])
