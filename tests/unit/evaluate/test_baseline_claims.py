"""The baselines beside `extract-rules`: what a model says of patients and doses, counted as claims."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge
from pharmakon.app import evaluation
from pharmakon.evaluate.extraction.baselines.asking import ONE_SHOT, ZERO_SHOT, Account, Baselines
from pharmakon.evaluate.extraction.baselines.claims import one_shot, shape, zero_shot
from pharmakon.evaluate.extraction.rules import survey
from pharmakon.evaluate.extraction.rules_gold import read_rules
from pharmakon.evaluate.extraction.rules_score import Claim
from pharmakon.link.mentions import MentionScanner
from pharmakon.model.errors import BadInput
from pharmakon.ports.language_model import ModelError
from tests.unit.evaluate.scripted import Scripted, triple
from tests.unit.evaluate.world import tiny

TEXT = """ALFADOL (alfaprofen) tablet

4 CONTRAINDICATIONS

Alfadol is contraindicated in peptic
ulcer. Do not use in severe renal impairment.

2 DOSAGE

Never give more than 2 g a day. Below a clearance of 30 mL/min halve the dose.
"""
ULCER, DOSE, KIDNEY = (
    "Alfadol is contraindicated in peptic\nulcer.",
    "Never give more than 2 g a day.",
    "Below a clearance of 30 mL/min halve the dose.",
)


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedKnowledge]:
    opened = tiny(tmp_path_factory.mktemp("tiny"))
    yield opened
    opened.close()


@pytest.fixture(scope="module")
def scanner(knowledge: EmbeddedKnowledge) -> MentionScanner:
    return MentionScanner(knowledge)


def rule(quote: str, type_: str, when: list[dict[str, Any]], action: str, **more: Any) -> str:
    start = TEXT.index(quote)
    row = {"file": "a", "start": start, "end": start + len(quote), "type": type_, "when": when, "action": action}
    return json.dumps(row | {"certain": True} | more)


HAS_ULCER = {"factor": "has", "op": "is", "value": "disease:peptic-ulcer"}
GOLD = "\n".join([
    rule(ULCER, "contraindication", [HAS_ULCER], "contraindicated"),
    rule(DOSE, "dose", [], "limit", limit={"value": 2, "unit": "g", "per": "day"}),
    rule(KIDNEY, "renal", [{"factor": "crcl", "op": "<", "value": 30, "unit": "mL/min"}], "reduce"),
])  # fmt: skip


def row(quote: str, relation: str, object: str = "", **more: Any) -> dict[str, Any]:
    plain: dict[str, Any] = {"conditions": [], "limit": None, "limit_unit": "", "limit_per": "none"}
    return {"quote": quote, "relation": relation, "object": object} | plain | more


def condition(factor: str, op: str, value: str, unit: str = "") -> dict[str, str]:
    return {"factor": factor, "op": op, "value": value, "unit": unit}


ALL = [
    row(ULCER.replace("\n", " "), "contraindicated_in", "peptic ulcer"),
    row(DOSE, "dose_limit", limit=2000, limit_unit="mg", limit_per="day"),
    row(KIDNEY, "dose_adjustment", conditions=[condition("crcl", "<", "30", "mL/min")]),
]


def read(scanner: MentionScanner, *rows: Any) -> tuple[list[Claim], Account]:
    account = Account()
    return list(one_shot(TEXT, scanner, Scripted(one_shot_rules_v1=list(rows)), account)), account


def said(scanner: MentionScanner, *rows: Any) -> tuple[list[Claim], Account]:
    account = Account()
    return list(zero_shot(TEXT, scanner, Scripted(zero_shot_v1=list(rows)), account)), account


def figures(knowledge: EmbeddedKnowledge, folder: Path, **answers: Any) -> dict[str, Any]:
    (folder / "a.txt").write_text(TEXT, "utf-8")
    baselines = Baselines(Scripted(**answers))
    return dict(survey(read_rules(GOLD, "gold.jsonl"), folder, lambda _: [], knowledge, baselines).tables)


def test_one_shot_rows_are_counted_as_our_claims_are(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    found = figures(knowledge, tmp_path, one_shot_rules_v1=ALL)
    assert [found["baselines"][ONE_SHOT][k] for k in ("labels", "precision", "recall", "f1")] == [1, 1.0, 1.0, 1.0]
    assert found["baselines"]["ours"]["recall"] == 0.0
    assert found["baseline_answers"][ONE_SHOT]["failed"] == 0


def test_a_prohibition_among_the_triples_finds_its_rule(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    found = figures(knowledge, tmp_path, zero_shot_v1=[triple("Alfadol", "is contraindicated in", "peptic ulcer")])
    assert (found["baselines"][ZERO_SHOT]["precision"], found["baselines"][ZERO_SHOT]["recall"]) == (1.0, 1 / 3)
    assert found["baselines_prohibitions"][ZERO_SHOT]["recall"] == 1.0


def test_among_the_prohibitions_other_rules_are_neither_right_nor_wrong(
    knowledge: EmbeddedKnowledge, tmp_path: Path
) -> None:
    found = figures(knowledge, tmp_path, one_shot_rules_v1=ALL)
    assert found["baselines_prohibitions"][ONE_SHOT]["precision"] == 1.0


def test_a_model_that_fails_finds_nothing_and_is_counted(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    found = figures(knowledge, tmp_path, one_shot_rules_v1=ModelError("cut", "cut off"))
    assert found["baselines"][ONE_SHOT]["f1"] == 0.0
    assert found["baseline_answers"][ONE_SHOT]["failed: cut off"] == 1


def test_a_triple_of_another_verb_holds_no_rule(scanner: MentionScanner) -> None:
    claims, account = said(
        scanner, triple("Alfadol", "has the largest dose", "2 g"), triple("a", "causes", "arthritis")
    )
    assert (claims, account.other) == ([], 2)


def test_a_triple_may_name_the_patients_first_or_by_group(scanner: MentionScanner) -> None:
    claims, _ = said(
        scanner,
        triple("patients with arthritis", "should not take", "Alfadol"),
        triple("Alfadol", "must not be given in", "severe renal impairment"),
        triple("Alfadol", "should be avoided in", "pregnant women"),
    )
    assert [str(c) for c in claims] == [
        "contraindication: avoid where has disease:arthritis",
        "renal: contraindicated where crcl < 30",
        "contraindication: avoid where pregnant",
    ]


def test_a_prohibition_in_nobody_we_know_is_counted(scanner: MentionScanner) -> None:
    claims, account = said(scanner, triple("Alfadol", "should not be used in", "zorfanitis"))
    assert (claims, account.unlinked) == ([], 1)


def test_a_quotation_that_is_not_in_the_file_gives_a_claim_without_a_place(scanner: MentionScanner) -> None:
    (claim,), _ = read(scanner, row("Alfadol is bad in peptic ulcer.", "contraindicated_in", "peptic ulcer"))
    assert claim.end == 0


def test_a_flag_and_a_group_are_conditions(scanner: MentionScanner) -> None:
    claims, _ = read(
        scanner,
        row(ULCER, "contraindicated_in", conditions=[condition("pregnant", "is", "true")]),
        row(ULCER, "contraindicated_in", conditions=[condition("dialysis", "is", "false")]),
        row(ULCER, "contraindicated_in", "children under 6 years"),
    )
    assert [", ".join(map(str, c.tests)) for c in claims] == ["pregnant", "not dialysis", "age < 6"]


@pytest.mark.parametrize(
    "wrong",
    [
        row(DOSE, "dose_limit"),
        row(DOSE, "dose_limit", limit=2, limit_unit="spoons", limit_per="day"),
        row(DOSE, "dose_limit", limit=2, limit_unit="g", limit_per="none"),
        row(DOSE, "contraindicated_in"),
        row(DOSE, "contraindicated_in", conditions=[condition("crcl", "<", "low", "mL/min")]),
        row(DOSE, "contraindicated_in", conditions=[condition("luck", "<", "1")]),
        row(DOSE, "contraindicated_in", conditions=["pregnant"]),
        row(DOSE, "treats", "arthritis"),
        row(DOSE, "dose_limit", limit="2"),
        row(DOSE, "dose_limit", limit=True),
    ],
)
def test_a_row_that_can_not_be_read_is_counted(scanner: MentionScanner, wrong: Any) -> None:
    claims, account = read(scanner, wrong)
    assert (claims, account.unusable) == ([], 1)


def test_a_disease_that_our_linker_lacks_is_counted(scanner: MentionScanner) -> None:
    claims, account = read(scanner, row(ULCER, "contraindicated_in", "zorfanitis"))
    assert (claims, account.unlinked) == ([], 1)


def test_the_answer_is_asked_for_in_our_schema() -> None:
    factors = shape()["conditions"]["items"]["properties"]["factor"]["enum"]
    assert {"crcl", "age", "child_pugh", "pregnant"} <= set(factors)
    assert len(factors) == len(set(factors))


@pytest.fixture
def suite(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A suite `extract-rules` of our own gold, and the folder of its one label."""
    folder = tmp_path / "evals" / "extract-rules"
    folder.mkdir(parents=True)
    (folder / "gold.jsonl").write_text(GOLD, "utf-8")
    digest = hashlib.sha256(GOLD.encode()).hexdigest()
    (folder / "spec.yaml").write_text(
        f"name: extract-rules.v1\nquestion: Which?\nsource: {{survey: rules, cases: gold.jsonl, sha256: {digest}}}\n"
        "metrics: [precision, recall, f1]\nmatching: {recall: of places}\nseed: 0\n",
        "utf-8",
    )
    monkeypatch.setattr(evaluation, "_folder", lambda: tmp_path / "evals")
    for variable in ("PHARMAKON_LM_URL", "PHARMAKON_LM_MODEL"):
        monkeypatch.delenv(variable, raising=False)
    labels = tmp_path / "labels"
    labels.mkdir()
    (labels / "a.txt").write_text(TEXT, "utf-8")
    return labels


def test_without_an_endpoint_a_run_names_the_baselines_and_why_they_did_not_run(suite: Path, tmp_path: Path) -> None:
    result = evaluation.run_suite("extract-rules", home=tmp_path / "home", data=suite, out=tmp_path / "r.json")
    (line,) = result["tables"]["baselines"].values()
    assert line == "not run: no language model is set up; expected PHARMAKON_LM_URL and PHARMAKON_LM_MODEL"
    assert line in (tmp_path / "r.md").read_text("utf-8")


def test_with_an_endpoint_a_run_holds_both_beside_ours(
    suite: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = Scripted(one_shot_rules_v1=ALL)
    monkeypatch.setattr(evaluation, "language_model", lambda: model)
    seen: list[str] = []
    result = evaluation.run_suite("extract-rules", home=tmp_path / "home", data=suite, progress=seen.append)
    assert list(result["tables"]["baselines"]) == ["ours", ZERO_SHOT, ONE_SHOT]
    assert result["tables"]["baselines"]["ours"]["recall"] == result["metrics"]["recall"]
    assert "baselines: label 1 of 1" in seen
    model.asked.clear()
    result = evaluation.run_suite("extract-rules", home=tmp_path / "home", data=suite, baselines=0)
    assert result["tables"]["baselines"] == {"zero_shot, one_shot": "not run: no label was asked for"}
    assert model.asked == []


@pytest.mark.parametrize(
    ("name", "more", "says"),
    [
        ("onc-pairs", {"baselines": 3}, "extract-rules or extract-ddi"),
        ("extract-rules", {"baselines": -1}, "0 or more"),
        ("extract-rules", {"development": True}, "no part of development"),
    ],
)
def test_a_suite_without_that_is_refused_before_anything_is_built(
    tmp_path: Path, name: str, more: dict[str, Any], says: str
) -> None:
    with pytest.raises(BadInput, match=says):
        evaluation.run_suite(name, home=tmp_path / "home", **more)
    assert not (tmp_path / "home").exists()
