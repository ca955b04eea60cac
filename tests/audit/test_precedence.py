"""Labels read by machine beside monographs: in full where nobody has written, as an info where somebody has."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.model.finding import Finding
from pharmakon.model.vocabulary import Tier

LABEL = """\
# drug: {drug}

## Contraindications
{drug} is contraindicated in patients with heart failure.

## Drug interactions
Avoid concomitant use of {drug} with warfarin.
"""


@pytest.fixture(scope="module")
def pharmakon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Pharmakon]:
    folder = tmp_path_factory.mktemp("labels")
    for drug in ("Zorfanib", "Levothyroxine"):
        (folder / f"{drug}.md").write_text(LABEL.format(drug=drug), "utf-8")
    with Pharmakon(tmp_path_factory.mktemp("home")) as opened:
        opened.ingest([Path(folder)])
        yield opened


def findings(pharmakon: Pharmakon, drug: str) -> dict[str, Finding]:
    patient = {"age": 70, "sex": "female", "conditions": ["heart failure"]}
    report = pharmakon.audit({"patient": patient, "medications": [{"drug": drug}, {"drug": "warfarin 5 mg"}]})
    return {f.type: f for f in report.findings if drug.lower() in f.drugs and "label" in {e.kind for e in f.evidence}}


def test_a_label_speaks_in_full_of_a_drug_that_nobody_has_written_about(pharmakon: Pharmakon) -> None:
    found = findings(pharmakon, "Zorfanib")
    assert found["CONTRAINDICATION_CONDITION"].tier == Tier.CRITICAL
    assert found["INTERACTION_DRUG_DRUG"].tier == Tier.WARNING


def test_beside_a_monograph_it_is_shown_as_an_info(pharmakon: Pharmakon) -> None:
    found = findings(pharmakon, "Levothyroxine")
    assert found["CONTRAINDICATION_CONDITION"].tier == Tier.INFO
    (quoted,) = [e for e in found["CONTRAINDICATION_CONDITION"].evidence if e.kind == "label"]
    assert quoted.quote == "Levothyroxine is contraindicated in patients with heart failure."


def test_what_a_label_covers_is_covered(pharmakon: Pharmakon) -> None:
    report = pharmakon.audit({"patient": {"age": 70}, "medications": [{"drug": "zorfanib"}]})
    assert "not_covered" not in str(report.checked)
    assert report.unresolved == ()


def test_what_a_machine_reads_closer_takes_the_place_of_nothing_that_a_person_wrote(tmp_path: Path) -> None:
    """The label repeats the monograph's class rule and then says less of one member."""
    text = (
        "# drug: Verapamil\n\n## Drug interactions\n"
        "Verapamil with beta-blockers can slow the heart; monitor closely.\n"
        "Verapamil increases the concentration of metoprolol.\n"
    )
    (tmp_path / "v.md").write_text(text, "utf-8")
    pair = {"patient": {"age": 70}, "medications": [{"drug": "verapamil 120 mg"}, {"drug": "metoprolol 50 mg"}]}
    with Pharmakon(tmp_path / "home") as opened:
        before = {f.id: f.tier for f in opened.audit(pair).findings}
        opened.ingest([tmp_path / "v.md"])
        after = {f.id: f.tier for f in opened.audit(pair).findings}
    assert {id: tier for id, tier in before.items() if after.get(id, 0) < tier} == {}


#: What a label says beside the monograph → a prescription that the monograph objects to.
BESIDE = {
    "a stricter limit": (
        "# drug: Simvastatin\n\n## Dosage\nThe maximum dose of simvastatin is 10 mg daily.\n",
        {"medications": [{"drug": "simvastatin 80 mg", "sig": "2 tablets daily"}]},
    ),
    "a wider limit": (
        "# drug: Simvastatin\n\n## Dosage\nThe maximum dose of simvastatin is 400 mg daily.\n",
        {"medications": [{"drug": "simvastatin 80 mg", "sig": "2 tablets daily"}]},
    ),
    "a threshold of the same effect": (
        "# drug: Haloperidol\n\n## Warnings\nUse with caution with drugs that prolong the QT interval.\n",
        {"medications": [{"drug": "haloperidol 2 mg"}, {"drug": "ondansetron 8 mg"}]},
    ),
}


@pytest.mark.parametrize("beside", BESIDE)
def test_what_a_machine_reads_beside_it_lowers_nothing(tmp_path: Path, beside: str) -> None:
    text, order = BESIDE[beside]
    (tmp_path / "l.md").write_text(text, "utf-8")
    prescription = {"patient": {"age": 70}, **order}
    with Pharmakon(tmp_path / "home") as opened:
        before = {(f.type, f.drugs): f.tier for f in opened.audit(prescription).findings}
        read = opened.ingest([tmp_path / "l.md"])
        after = {(f.type, f.drugs): f.tier for f in opened.audit(prescription).findings}
    assert read.statements, "the label was read for nothing: the test has lost its point"
    assert max(before.values()) >= Tier.WARNING
    assert {id: tier for id, tier in before.items() if after.get(id, Tier.INFO) < tier} == {}


@pytest.mark.parametrize(("daily", "tier"), [(8, None), (30, Tier.INFO), (200, Tier.WARNING), (900, Tier.WARNING)])
def test_of_two_labels_of_one_drug_the_wider_limit_warns_and_both_are_shown(
    tmp_path: Path, daily: int, tier: Tier | None
) -> None:
    """Doxepin for sleep and doxepin for depression: the labels are of other uses, and the order may be of either."""
    for name, limit in (("Slumbera", 10), ("Cheerova", 150)):
        dosage = f"The maximum recommended dose of zorfanib is {limit} mg once daily.\n"
        (tmp_path / f"{name}.md").write_text(f"# drug: Zorfanib\n\n## Dosage\n{dosage}", "utf-8")
    with Pharmakon(tmp_path / "home") as opened:
        opened.ingest([tmp_path / "Slumbera.md", tmp_path / "Cheerova.md"])
        order = {"patient": {"age": 50}, "medications": [{"drug": "zorfanib", "sig": f"{daily} mg once daily"}]}
        found = [f for f in opened.audit(order).findings if f.type == "DOSAGE_ERROR"]
    assert [f.tier for f in found] == ([] if tier is None else [tier])
    if tier is not None:
        assert len({e.document for e in found[0].evidence}) == 2


def test_a_limit_of_a_label_for_a_use_that_the_order_does_not_state_is_not_asked(tmp_path: Path) -> None:
    """Leucovorin at 1 mg for anaemia and at 60 mg for methotrexate rescue: the patient's anaemia settles nothing."""
    text = "# drug: Zorfanib\n\n## Dosage\nFor hypertension, the maximum recommended dose is 1 mg once daily.\n"
    (tmp_path / "z.md").write_text(text, "utf-8")
    patient = {"age": 50, "conditions": ["hypertension"]}
    order = {"drug": "zorfanib", "sig": "60 mg once daily"}
    with Pharmakon(tmp_path / "home") as opened:
        opened.ingest([tmp_path / "z.md"])
        unstated = opened.audit({"patient": patient, "medications": [order]})
        stated = opened.audit({"patient": patient, "medications": [order | {"indication": "hypertension"}]})
    assert "DOSAGE_ERROR" in {f.type for f in stated.findings}
    assert "DOSAGE_ERROR" not in {f.type for f in unstated.findings}
