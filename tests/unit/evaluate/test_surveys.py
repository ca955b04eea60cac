"""Surveys count what they say: names, pairs, stays."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pharmakon.adapters.interop.plain import read_plain
from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge
from pharmakon.evaluate.surveys import names, pairs, wards
from pharmakon.evaluate.systems import audit
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Order, Patient, Prescription, Text
from tests.unit.evaluate.world import tiny

DAY = date(2026, 3, 2)


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedKnowledge]:
    opened = tiny(tmp_path_factory.mktemp("tiny"))
    yield opened
    opened.close()


def read(plain: Mapping[str, Any]) -> Prescription:
    return read_plain(plain, name="prescription", today=DAY)


def gold(text: str, *ingredients: str, kind: str = "drug") -> names.GoldName:
    return names.GoldName(text, kind, frozenset(ingredients))


def test_a_name_counts_as_right_with_all_its_ingredients_and_no_other(knowledge: EmbeddedKnowledge) -> None:
    found = names.survey(
        [gold("Alfadol 400 mg", "alfaprofen"), gold("alfaprofen", "alfaprofen", "betaprofen")], knowledge
    )
    assert found.metrics["precision"] == 0.5
    assert [f["fault"] for f in found.failures] == ["wrong"]


def test_a_drug_that_is_not_held_costs_no_recall(knowledge: EmbeddedKnowledge) -> None:
    found = names.survey([gold("alfaprofen", "alfaprofen"), gold("omegamab", "omegamab")], knowledge)
    assert (found.metrics["recall"], found.metrics["held"], found.metrics["precision"]) == (1.0, 0.5, 1.0)


def test_a_text_that_names_no_drug_is_to_stay_unresolved(knowledge: EmbeddedKnowledge) -> None:
    found = names.survey([gold("private label", kind="none"), gold("gammarol", kind="none")], knowledge)
    assert found.metrics["silent_on_none"] == 0.5


@pytest.mark.parametrize("line", ["{", '{"text": "a"}', '{"text": "a", "kind": "none", "ingredients": ["b"]}'])
def test_a_bad_gold_line_is_named(line: str) -> None:
    with pytest.raises(BadInput, match="line 1"):
        names.read_gold(line, "cases.jsonl")


def test_pairs_are_read_once_whichever_way_round() -> None:
    assert pairs.read_pairs("# remark\na\tb\nb\ta\n", "pairs.tsv") == [("a", "b")]
    with pytest.raises(BadInput, match="line 2"):
        pairs.read_pairs("a\tb\nc\n", "pairs.tsv")


def test_a_pair_needs_a_warning_on_both_and_an_unknown_one_is_listed(knowledge: EmbeddedKnowledge) -> None:
    asked = pairs.Pairs([("gammarol", "alfaprofen"), ("gammarol", "deltacillin"), ("gammarol", "omegamab")], [])
    found = pairs.survey(asked, knowledge, audit(knowledge), read)
    assert (found.metrics["recall"], found.metrics["covered"]) == (0.5, 2 / 3)
    assert [f["id"] for f in found.failures] == ["gammarol + deltacillin"]
    assert found.tables["not_held"] == {"omegamab": {"pairs": 1}}


def test_low_priority_classes_are_held_to_silence_member_by_member(knowledge: EmbeddedKnowledge) -> None:
    asked = pairs.Pairs([], [(ConceptId("class:anticoagulant"), ConceptId("class:nsaid"))])
    found = pairs.survey(asked, knowledge, audit(knowledge), read)
    assert found.n >= 1
    assert found.metrics["quiet"] == 1.0


def _order(line: int, drug: str, start: int, end: int) -> Order:
    return Order(line, Text(drug), start=date(2026, 3, start), end=date(2026, 3, end), source=f"line {line}")


STAY = Prescription(Patient(), (_order(0, "gammarol", 1, 3), _order(1, "alfaprofen", 3, 4)), DAY, ())


def test_a_stay_is_one_prescription_for_each_day_that_an_order_runs() -> None:
    days = list(wards.day_by_day(STAY))
    assert [(d.as_of.day, len(d.orders)) for d in days] == [(1, 1), (2, 1), (3, 2), (4, 2)]


def test_a_finding_counts_once_for_a_stay_and_a_listed_problem_is_found_by_type_and_drugs(
    knowledge: EmbeddedKnowledge,
) -> None:
    interaction = frozenset({"INTERACTION_DRUG_DRUG"})
    listed = [
        wards.Problem("7", "warning", frozenset({"gammarol", "alfaprofen"}), interaction, "bleeding"),
        wards.Problem("7", "note", frozenset({"deltacillin"}), interaction, "nothing of the kind"),
    ]
    found = wards.survey([("7", STAY)], listed, audit(knowledge), knowledge)
    assert found.n == 2
    assert (found.metrics["problems_found"], found.metrics["notes_found"]) == (1.0, 0.0)
    assert found.metrics["resolved"] == 1.0
    assert sum(found.tables["by_type"]["INTERACTION_DRUG_DRUG"].values()) == 1


def test_a_bad_problem_is_named_with_its_line() -> None:
    with pytest.raises(BadInput, match="line 1"):
        wards.read_problems(
            '{"stay": "1", "weight": "note", "drugs": [], "types": ["LUCK"], "why": ""}', "problems.jsonl"
        )


def test_files_of_others_are_asked_for_before_anything_is_measured(tmp_path: Path) -> None:
    from pharmakon.app.evaluation import run_suite

    for suite in ("onc-pairs", "extract-rules"):
        with pytest.raises(BadInput, match="--data"):
            run_suite(suite, home=tmp_path / "home")
