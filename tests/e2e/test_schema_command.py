"""`pharmakon schema …` on a knowledge base of its own, from the first proposal to the version it leaves."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import open_embedded
from pharmakon.model.refinement import Draft, Quotation, entry_of
from pharmakon.model.statements import Condition
from tests.contract.examples import WARFARIN, change, document, quote, said
from tests.e2e.conftest import Cli

RENAL = {"shape": "number", "label": "renal adjustment", "unit": "%"}


@pytest.fixture
def own(home: Path, tmp_path: Path, seed_only: None) -> Path:
    """A copy of the starter knowledge base in which two proposals wait."""
    folder = tmp_path / "own"
    shutil.copytree(home, folder)
    knowledge = open_embedded(folder / "knowledge")
    rate = entry_of(
        "factor", "infusion_rate", {"shape": "number", "label": "infusion rate", "unit": "mg/min", "of": "order"}
    )
    shown = Quotation("label:z", "1", 0, 0, 9, "25 mg/min")
    knowledge.propose([Draft(rate, "infusion_rate", "a boundary", 9, (shown,))], "test", "a run")
    knowledge.propose([Draft(entry_of("factor", "renal_adjustment", RENAL), "renal", "why", 3, ())], "test", "a run")
    knowledge.close()
    return folder


def test_proposals_are_listed_and_one_is_shown_with_its_quotations(cli: Cli, own: Path) -> None:
    listed = cli("schema", "review", "--home", own).out.splitlines()
    assert listed[0] == "1\t9 labels\tfactor infusion_rate [number, mg/min] of the order"
    assert listed[1].endswith("fragments: a condition on a statement says it: use crcl or egfr or dialysis")
    assert "label:z 1, section 0, 0-9: 25 mg/min" in cli("schema", "review", "1", "--home", own).out
    shown = cli("schema", "review", "1", "--json", "--home", own).json
    assert shown[0]["body"] == {"shape": "number", "label": "infusion rate", "unit": "mg/min", "of": "order"}


def test_an_accepted_factor_is_in_the_history_and_in_the_audit_of_its_home(cli: Cli, own: Path) -> None:
    assert cli("schema", "history", "--home", own).out.splitlines()[0] == "schema version 0"
    assert cli("schema", "accept", "1", "--why", "needed", "--home", own).code == 0
    history = cli("schema", "history", "--json", "--home", own).json
    assert (history["schema_version"], history["steps"][0]["key"]) == (1, "infusion_rate")
    assert cli("kb", "check", "--home", own).code == 0
    assert cli("schema", "review", "--all", "--home", own).out.splitlines()[0].endswith("accepted: needed")


def test_a_fragment_needs_a_word_more_and_a_rejection_a_reason(cli: Cli, own: Path) -> None:
    refused = cli("schema", "accept", "2", "--home", own)
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert "use crcl or egfr or dialysis" in refused.err
    assert cli("schema", "reject", "2", "--home", own).code == 2
    assert cli("schema", "reject", "2", "--why", "a condition says it", "--home", own).code == 0
    assert cli("schema", "accept", "2", "--anyway", "--home", own).code == 2


def test_a_proposal_is_revised_field_by_field(cli: Cli, own: Path) -> None:
    revised = cli(
        "schema", "revise", "1", "--key", "route_rate", "--shape", "choice", "--levels", "slow, fast", "--home", own
    )
    assert revised.out.strip() == "1\t9 labels\tfactor route_rate [choice, slow/fast] of the order\trevised"
    assert cli("schema", "revise", "1", "--home", own).code == 2
    assert "unit 'furlong'" in cli("schema", "revise", "1", "--shape", "number", "--unit", "furlong", "--home", own).err


def test_without_labels_there_is_nothing_to_propose(cli: Cli, own: Path) -> None:
    done = cli("schema", "propose", "--home", own)
    assert (done.code, done.out) == (2, "")
    assert "no label of the five areas" in done.err
    assert "no such file" in cli("schema", "propose", own / "absent.json", "--home", own).err


def test_the_audit_asks_for_an_accepted_factor_and_uses_it_where_it_is_given(
    cli: Cli, own: Path, write: Callable[[str, object], Path]
) -> None:
    platelets = entry_of("factor", "platelets", {"shape": "number", "label": "platelet count", "unit": "1/uL"})
    knowledge = open_embedded(own / "knowledge")
    knowledge.propose([Draft(platelets, "platelets", "a boundary", 5, ())], "test", "a run")
    number = next(p.no for p in knowledge.proposals() if p.draft.entry == platelets)
    knowledge.accept(number, "expert", "needed")
    rule = "Warfarin must not be used where platelets are below 50,000/uL."
    label = document("label:warfarin", sentences=[rule])
    low = ((Condition("platelets", "<", 50_000.0, text="platelets below 50,000/uL"),),)
    claim = said(WARFARIN, "contraindicated_in", when=low, evidence=[quote(label, rule)])
    knowledge.apply(change(claim, documents=[label]))
    knowledge.close()

    def audited(**labs: object) -> str:
        file = write("p.json", {"patient": {"age": 60, "labs": labs}, "medications": [{"drug": "warfarin 5 mg"}]})
        return cli("audit", file, "--all", "--home", own).out

    assert "platelet count" in audited()
    assert rule in audited(platelets={"value": 30, "unit": "10*9/L"})
    assert rule not in audited(platelets={"value": 250, "unit": "10*9/L"})
