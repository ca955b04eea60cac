"""`pharmakon doc delete` of what others rest on, and a knowledge base that is begun without drugs."""

from __future__ import annotations

from pathlib import Path

import pytest

from pharmakon.app.formulary import MANIFEST
from tests.e2e.conftest import Cli
from tests.e2e.test_ingest_command import Write, counts, spl, stored_labels

MONOGRAPH = "monograph-ingredient-warfarin"
TEXT = "Avoid concomitant use of warfarin and ibuprofen."


def test_the_list_of_the_formulary_is_not_deleted(cli: Cli, own: Path) -> None:
    before = counts(cli, own)
    for call in (("doc", "delete", MANIFEST), ("doc", "delete", MANIFEST, "--anyway")):
        done = cli(*call, "--home", own)
        assert done.code == 2
        assert done.err.count("\n") == 1
        assert "the list of the formulary" in done.err
    assert counts(cli, own) == before


def test_a_monograph_is_deleted_on_a_second_word_only(cli: Cli, own: Path) -> None:
    before = counts(cli, own)
    refused = cli("doc", "delete", MONOGRAPH, "--home", own)
    assert refused.code == 2
    assert refused.err.count("\n") == 1
    assert "a monograph of the formulary" in refused.err
    assert "--anyway" in refused.err
    assert counts(cli, own) == before
    assert cli("doc", "delete", MONOGRAPH, "--anyway", "--home", own).code == 0
    assert cli("doc", "traces", MONOGRAPH, "--home", own).code == 0
    assert cli("kb", "check", "--home", own).code == 0


def test_a_drug_whose_monograph_is_deleted_is_covered_in_depth_no_more(cli: Cli, own: Path, write: Write) -> None:
    deep = cli("kb", "stats", "--json", "--home", own).json["coverage"]["deep"]
    assert cli("doc", "delete", MONOGRAPH, "--anyway", "--home", own).code == 0
    assert cli("kb", "stats", "--json", "--home", own).json["coverage"]["deep"] == deep - 1
    order = write("o.json", {"patient": {"age": 70}, "medications": [{"drug": "warfarin 5 mg"}]})
    assert "Known, but no rules are held for: warfarin" in cli("audit", order, "--home", own).out


def test_a_label_whose_text_another_repeats_is_deleted_on_a_second_word_only(
    cli: Cli, own: Path, tmp_path: Path
) -> None:
    (tmp_path / "in").mkdir()
    for number in (1, 2):
        (tmp_path / "in" / f"{number}.xml").write_bytes(spl(number, "warfarin", TEXT))
    assert cli("ingest", tmp_path / "in", "--home", own).code == 0
    original, copy = stored_labels(own)
    refused = cli("doc", "delete", original, "--home", own)
    assert refused.code == 2
    assert f"{copy} repeats its text" in refused.err
    assert stored_labels(own) == [original, copy]
    assert cli("doc", "delete", original, "--anyway", "--home", own).code == 0
    assert stored_labels(own) == [copy]
    again = cli("ingest", tmp_path / "in" / "2.xml", "--json", "--home", own).json
    assert again["stored"] == 1, "what was a copy is the only text now"


def test_a_copy_and_a_label_of_its_own_are_deleted_without_asking(cli: Cli, own: Path, tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    for number in (1, 2):
        (tmp_path / "in" / f"{number}.xml").write_bytes(spl(number, "warfarin", TEXT))
    assert cli("ingest", tmp_path / "in", "--home", own).code == 0
    for id in reversed(stored_labels(own)):
        assert cli("doc", "delete", id, "--home", own).code == 0
    assert stored_labels(own) == []


def test_a_document_that_is_not_there_is_named_with_those_that_are_near(cli: Cli) -> None:
    done = cli("doc", "delete", "monograph-ingredient-warfarine")
    assert done.code == 2
    assert MONOGRAPH in done.err


def test_a_knowledge_base_without_the_formulary_knows_the_drugs_of_its_labels_and_no_others(
    cli: Cli, tmp_path: Path, write: Write
) -> None:
    home = tmp_path / "own labels"
    begun = cli("kb", "begin", "--home", home)
    assert begun.code == 0
    assert "no drug" in begun.out
    order = write("o.json", {"patient": {"age": 70}, "medications": [{"drug": "warfarin"}, {"drug": "ibuprofen"}]})

    def unknown() -> list[str]:
        return [item["text"] for item in cli("audit", order, "--json", "--home", home).json["unresolved"]]

    assert unknown() == ["warfarin", "ibuprofen"]
    assert cli("ingest", write("w.xml", spl(1, "warfarin", TEXT)), "--home", home).code == 0
    assert unknown() == ["ibuprofen"]


@pytest.mark.parametrize("name", ["NSAIDs", "asthma", "daily", "tablets", "25", "400 mg", "none"])
def test_a_label_of_what_is_no_drug_is_refused_and_takes_no_name(cli: Cli, own: Path, write: Write, name: str) -> None:
    text = f"# drug: {name}\n\n## Contraindications\nIt is contraindicated in gout.\n"
    done = cli("ingest", write("n.md", text.encode()), "--home", own)
    assert done.code == 2
    assert name in done.err
    assert "expected the name of a drug" in done.err
    order = write("o.json", {"patient": {"age": 70, "conditions": ["gout"], "allergies": ["NSAIDs"]},
                             "medications": [{"drug": "ibuprofen 400 mg tablets daily"}]})  # fmt: skip
    found = cli("audit", order, "--json", "--home", own).json["findings"]
    assert {f["drugs"][0] for f in found} == {"ibuprofen"}
    assert "ALLERGY_CONFLICT" in {f["type"] for f in found}


def test_a_doubt_is_decided_for_what_it_is_about_and_for_nothing_else(cli: Cli, own: Path, write: Write) -> None:
    text = "# drug: Zorfanol (Coumadin)\n\n## Contraindications\nIt is contraindicated in gout.\n"
    product = {"openfda": {"brand_name": ["Coumadin"], "generic_name": ["zorfanol"]}}
    record = {"id": "1", "set_id": "1", "version": "1", **product, "contraindications": [text]}
    assert cli("ingest", write("l.json", {"results": [record]}), "--home", own).code == 0
    (doubt,) = cli("kb", "doubts", "--json", "--home", own).json
    said = cli("kb", "doubts", "--home", own).out
    assert f"pharmakon kb decide {doubt['number']} --into ingredient:warfarin" in said
    for into in ("ingredient:metformin", doubt["taken_as"]):
        done = cli("kb", "decide", str(doubt["number"]), "--into", into, "--home", own)
        assert done.code == 2
        assert "ingredient:warfarin" in done.err
    assert cli("kb", "decide", str(doubt["number"]), "--into", "ingredient:warfarin", "--home", own).code == 0
