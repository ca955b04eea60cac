"""The red-team generator on a tiny knowledge base, and one run from cases to result."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from pharmakon.adapters.interop.plain import read_plain
from pharmakon.adapters.store.embedded.knowledge import EmbeddedKnowledge, open_embedded
from pharmakon.evaluate.cases import EvalCase, read_cases, write_cases
from pharmakon.evaluate.redteam.generate import Generated, coverage, generate
from pharmakon.evaluate.redteam.world import World, read_world
from pharmakon.evaluate.report import as_markdown
from pharmakon.evaluate.runner import run
from pharmakon.evaluate.suites import evaluate
from pharmakon.evaluate.systems import ablations, audit, every_true
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Prescription
from tests.unit.evaluate.world import tiny

EVALS = Path(__file__).resolve().parents[3] / "evals"


def read(plain: Mapping[str, Any]) -> Prescription:
    return read_plain(plain, name="case", today=date(2026, 3, 2))


def silent(_: str) -> None:
    """No progress is shown."""


@pytest.fixture(scope="module")
def knowledge(tmp_path_factory: pytest.TempPathFactory) -> Iterator[EmbeddedKnowledge]:
    found = tiny(tmp_path_factory.mktemp("tiny"))
    yield found
    found.close()


@pytest.fixture(scope="module")
def world(knowledge: EmbeddedKnowledge) -> World:
    return read_world(knowledge)


@pytest.fixture(scope="module")
def made(world: World) -> Generated:
    return generate(world, 17)


def test_the_same_seed_makes_the_same_cases(world: World, made: Generated) -> None:
    assert write_cases(generate(world, 17).cases) == write_cases(made.cases)


def test_another_seed_makes_other_cases_of_the_same_rules(world: World, made: Generated) -> None:
    other = generate(world, 18)
    assert write_cases(other.cases) != write_cases(made.cases)
    assert {c.statement for c in other.cases} == {c.statement for c in made.cases}


def test_every_violation_has_a_twin_of_its_own(made: Generated) -> None:
    violations = {c.id for c in made.cases if c.kind == "violation"}
    twins = [c.pair for c in made.cases if c.kind == "near_miss" and not c.subset]
    assert sorted(v for v in twins if v) == sorted(violations)


def test_a_twin_is_written_as_its_violation_is(made: Generated) -> None:
    cases = {c.id: c for c in made.cases}
    twin = next(c for c in made.cases if c.pair and c.type == "RENAL_IMPAIRMENT")
    first = cases[twin.pair or ""].prescription["medications"][0]
    assert twin.prescription["medications"][0]["drug"].split()[0] == first["drug"].split()[0]
    assert twin.prescription["medications"][0]["route"] == first["route"]


def test_every_case_names_its_rule_and_the_sentence_behind_it(made: Generated) -> None:
    assert all(c.statement and c.evidence["quote"] == c.why for c in made.cases)


def test_every_rule_is_tested_or_said_to_be_left_out(world: World, made: Generated) -> None:
    rules = {
        s.id for rows in world.statements.values() for s in rows if s.risk and s.relation not in ("treats", "given_by")
    }
    assert rules <= {c.statement for c in made.cases} | {s.statement.id for s in made.skipped}


def test_the_table_of_coverage_counts_all_cases(world: World, made: Generated) -> None:
    rows = coverage(made, world).values()
    assert sum(r["violations"] + r["controls"] for r in rows) == len(made.cases)


def test_cases_survive_being_written_and_read(made: Generated) -> None:
    again = list(read_cases(write_cases(made.cases), "cases.jsonl"))
    assert write_cases(again) == write_cases(made.cases)


def test_every_prescription_can_be_read(made: Generated) -> None:
    assert all(read(c.prescription).orders for c in made.cases)


def test_the_audit_finds_every_violation_and_spares_every_twin(knowledge: EmbeddedKnowledge, made: Generated) -> None:
    outcomes = run(made.cases, audit(knowledge), read).outcomes
    assert [o.case.id for o in outcomes if o.score.found < o.score.expected] == []
    assert [o.case.id for o in outcomes if o.score.near_miss_quiet < o.score.near_miss] == []


def test_without_selection_a_dose_that_a_special_rule_allows_is_a_false_alarm(
    knowledge: EmbeddedKnowledge, made: Generated
) -> None:
    spared = [c for c in made.cases if c.subset == "spared"]
    assert spared
    assert all(o.score.near_miss_quiet for o in run(spared, audit(knowledge), read).outcomes)
    others = ablations(knowledge, knowledge)
    assert not any(o.score.near_miss_quiet for o in run(spared, others["no_pest"], read).outcomes)


def test_without_knowledge_nothing_is_found(knowledge: EmbeddedKnowledge, made: Generated, tmp_path: Path) -> None:
    empty = open_embedded(tmp_path)
    try:
        outcomes = run(made.cases, ablations(knowledge, empty)["no_knowledge"], read).outcomes
    finally:
        empty.close()
    assert sum(o.score.found for o in outcomes) == 0


def test_a_case_that_cannot_be_read_is_a_failure_and_not_left_out(knowledge: EmbeddedKnowledge) -> None:
    case = EvalCase("bad", "violation", "DOSAGE_ERROR", {"medications": [{"drug": "alfaprofen", "dose": {"value": 1}}]})
    (outcome,) = run([case], audit(knowledge), read).outcomes
    assert "unit is missing" in outcome.error


def test_every_true_rule_is_kept_where_nothing_is_selected() -> None:
    assert every_true([]) == []


def test_a_suite_runs_on_foreign_cases_by_its_own_rules(
    knowledge: EmbeddedKnowledge, made: Generated, tmp_path: Path
) -> None:
    (tmp_path / "cases.jsonl").write_text(write_cases(made.cases[:6]), "utf-8")
    found = evaluate(
        "audit-redteam", EVALS / "audit-redteam", knowledge, knowledge, read, data=tmp_path, progress=silent
    )
    assert found.result["n"] == 6
    assert set(found.result) == {
        "suite", "version", "seed", "n", "seconds", "metrics", "tables", "failures", "knowledge_version",
    }  # fmt: skip
    assert json.loads(json.dumps(found.result)) == found.result
    assert as_markdown(found.result, found.spec).startswith("# audit-redteam v1")


def test_an_unknown_suite_is_refused_with_the_known_ones(knowledge: EmbeddedKnowledge) -> None:
    with pytest.raises(BadInput, match="audit-labels"):
        evaluate("audit-luck", EVALS, knowledge, knowledge, read, progress=silent)


def test_a_folder_that_is_not_there_is_named(knowledge: EmbeddedKnowledge) -> None:
    with pytest.raises(BadInput, match="no such folder"):
        evaluate(
            "audit-labels", EVALS / "audit-labels", knowledge, knowledge, read, data=Path("nowhere"), progress=silent
        )
