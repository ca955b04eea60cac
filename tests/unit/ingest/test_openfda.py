"""openFDA records as documents."""

from __future__ import annotations

import io
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ingest.formats.openfda import read_openfda
from pharmakon.ingest.formats.openfda.tables import place, read_tables
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.errors import BadInput
from tests.shared_data import shared
from tests.unit.ingest.openfda_records import BLOCK, SET_ID, TABLE, outline, read, read_one, record, sections

# ── files ──


@pytest.mark.parametrize(
    "data",
    [
        {"results": [record(warnings="One.")]},
        [record(warnings="One.")],
        record(warnings="One."),
        {"warnings": ["x" * 70_000], "results": [record(warnings="One.")]},
    ],
    ids=["bulk", "list", "single", "results after the head"],
)
def test_a_file_is_a_bulk_file_a_list_or_one_record(data: object) -> None:
    (found,) = read_openfda(io.BytesIO(json.dumps(data).encode()), "f.json")
    assert isinstance(found, Incoming)
    assert found.document.id == f"label:{SET_ID}"


def test_records_on_lines_of_their_own_are_read() -> None:
    lines = "\n".join(json.dumps(record(warnings=text)) for text in ("One.", "Two."))
    assert len(list(read_openfda(io.BytesIO(lines.encode()), "f.json"))) == 2


def test_a_byte_order_mark_is_passed_over() -> None:
    data = b"\xef\xbb\xbf" + json.dumps([record(warnings="One.")]).encode()
    assert all(isinstance(found, Incoming) for found in read_openfda(io.BytesIO(data), "f.json"))


def test_a_file_is_read_only_as_far_as_records_are_asked_for() -> None:
    class Counting(io.BytesIO):
        taken = 0

        def read(self, size: int | None = -1) -> bytes:
            chunk = super().read(size)
            Counting.taken += len(chunk)
            return chunk

    data = json.dumps({"results": [record(warnings="word " * 2_000) for _ in range(300)]}).encode()
    next(read_openfda(Counting(data), "f.json"))
    assert Counting.taken < len(data) / 5


def test_a_file_that_is_cut_off_gives_what_came_before_and_one_complaint() -> None:
    data = json.dumps({"results": [record(warnings="One."), record(warnings="Two.")]}).encode()
    first, second, complaint = read_openfda(io.BytesIO(data[:-2]), "part.json")
    assert isinstance(first, Incoming)
    assert isinstance(second, Incoming)
    assert isinstance(complaint, BadInput)
    assert str(complaint).startswith("part.json: the file is cut off after 2 records; expected openFDA")


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "the file is cut off"),
        (b"[]", "no records"),
        (b'{"results": []}', "no records"),
        (b"{'results': []}", "no valid JSON"),
        (b'[{"warnings": ["\xff\xfe"]}]', "the file is not UTF-8"),
        (b'[{"resourceType": "Patient"}]', "its records are no labels"),
        (b"[1, 2, 3, 4, 5, 6]", "its records are no labels"),
        (b'{"drug": "x", "text": "y"}', "its records are no labels"),
        (b'"a string"', "its records are no labels"),
        (b"\x89PNG\r\n", "no valid JSON"),
    ],
)
def test_what_is_no_openfda_file_is_one_line(data: bytes, what: str) -> None:
    (complaint,) = read_openfda(io.BytesIO(data), "f.json")
    assert isinstance(complaint, BadInput)
    assert complaint.what.startswith(what)
    assert "\n" not in str(complaint)


def test_a_record_that_is_no_label_is_refused_alone() -> None:
    first, stranger, last = read(record(warnings="One."), {"a": 1}, record(warnings="Two."))
    assert isinstance(first, Incoming)
    assert isinstance(last, Incoming)
    assert str(stranger).startswith("part.json, record 2: no openFDA drug label")


def test_a_label_without_text_is_refused() -> None:
    (complaint,) = read(record())
    assert str(complaint) == "part.json, record 1: the label has no text; expected sections with text"


def test_a_label_of_a_drug_for_animals_is_refused() -> None:
    (complaint,) = read(record({**BLOCK, "product_type": ["OTC ANIMAL DRUG"]}, warnings="One."))
    assert isinstance(complaint, BadInput)
    assert "animals" in complaint.what


_KEYS = st.sampled_from(["results", "openfda", "warnings", "set_id", "version", "warnings_table", "unii", "x"])
_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(_KEYS, inner, max_size=5),
    max_leaves=12,
)


@given(_JSON)
def test_no_json_stops_the_reader(data: object) -> None:
    for found in read_openfda(io.BytesIO(json.dumps(data).encode()), "f.json"):
        assert isinstance(found, (Incoming, BadInput))


# ── identity ──


def test_the_version_is_the_publishers_number() -> None:
    found = read_one(record(warnings="One.") | {"version": "7", "effective_time": "20160126"})
    assert (found.document.version, found.effective) == ("7", "2016-01-26")


def test_without_a_number_the_labels_own_id_is_the_version() -> None:
    assert read_one(record(warnings="One.")).document.version == "label-1"


def test_without_any_id_a_label_is_known_by_its_text() -> None:
    bare = {key: value for key, value in record({}, warnings="One.").items() if key not in ("id", "set_id")}
    found = read_one(bare)
    assert found.document.id == f"label:{found.document.hash}"
    assert found.document.version == found.document.hash
    assert any(remark.startswith("identity:") for remark in found.remarks)


def test_the_same_label_read_twice_is_the_same_document() -> None:
    one = record(warnings="One.", drug_interactions="Two.")
    assert read_one(one) == read_one(dict(reversed(one.items())))


# ── sections ──


def test_fields_become_sections_in_the_order_of_print() -> None:
    found = sections(
        drug_interactions="Many.", boxed_warning="WARNING: FALLS Patients fall.", contraindications="None."
    )
    assert [s.kind for s in found] == ["boxed_warning", "contraindications", "interactions"]


def test_the_heading_leaves_the_text() -> None:
    (found,) = sections(contraindications="4 CONTRAINDICATIONS Examplin is contraindicated in gout.")
    assert (found.heading, found.text) == ("4 CONTRAINDICATIONS", "Examplin is contraindicated in gout.")


def test_a_sentence_that_begins_with_the_fields_name_keeps_it() -> None:
    (found,) = sections(contraindications="Contraindications include gout.")
    assert (found.heading, found.text) == ("", "Contraindications include gout.")


def test_a_section_that_is_its_heading_alone_says_its_heading() -> None:
    (found,) = sections(do_not_use="Do not use")
    assert (found.heading, found.text) == ("", "Do not use")


def test_the_route_of_a_record_is_a_section_and_no_route() -> None:
    found = read_one(record({**BLOCK, "route": ["TOPICAL"]}, route="By mouth, with water."))
    assert [s.text for s in found.document.sections] == ["By mouth, with water."]
    assert found.products[0].routes == ("topical",)


def test_numbers_in_the_text_part_it_into_subsections() -> None:
    found = sections(warnings_and_cautions="5 WARNINGS AND PRECAUTIONS Take care. 5.1 Falls Patients may fall. "
                     "5.2 Renal Impairment Patients need less.")  # fmt: skip
    assert outline(found) == [
        (1, "warnings", "5 WARNINGS AND PRECAUTIONS", "Take care."),
        (2, "warnings", "5.1 Falls", "Patients may fall."),
        (2, "renal", "5.2 Renal Impairment", "Patients need less."),
    ]


def test_inside_contraindications_everything_is_a_contraindication() -> None:
    found = sections(contraindications="4 CONTRAINDICATIONS 4.1 Pregnancy Patients who are pregnant. 4.2 Gout Gout.")
    assert {s.kind for s in found} == {"contraindications"}


def test_a_subsection_with_a_field_of_its_own_is_counted_once() -> None:
    pregnancy = "8.1 Pregnancy Examplin crosses the placenta."
    whole = f"8 USE IN SPECIFIC POPULATIONS {pregnancy} 8.5 Geriatric Use Older patients need less."
    found = sections(use_in_specific_populations=whole, pregnancy=pregnancy)
    assert outline(found) == [
        (1, "specific_populations", "8 USE IN SPECIFIC POPULATIONS", ""),
        (2, "pregnancy", "8.1 Pregnancy", "Examplin crosses the placenta."),
        (2, "geriatric", "8.5 Geriatric Use", "Older patients need less."),
    ]


def test_repeats_in_repeats_are_counted_once() -> None:
    inner = "Teratogenic Effects Rats had small young."
    middle = f"Pregnancy Nothing is known of people. {inner}"
    outer = f"PRECAUTIONS Take care. {middle}"
    found = sections(precautions=outer, pregnancy=middle, teratogenic_effects=inner)
    assert [(s.level, s.kind) for s in found] == [(1, "warnings"), (2, "pregnancy"), (3, "pregnancy")]
    assert sum(s.text.count("Rats") for s in found) == 1


def test_an_unclassified_part_is_about_what_its_parent_is_about() -> None:
    part = "1.1 High Pressure Examplin lowers pressure."
    found = sections(
        indications_and_usage=f"1 INDICATIONS AND USAGE {part}", spl_unclassified_section=[part, "Rx only"]
    )
    assert [(s.kind, s.heading) for s in found] == [
        ("indications", "1 INDICATIONS AND USAGE"),
        ("indications", "1.1 High Pressure"),
        ("other", ""),
    ]


def test_a_repetition_on_the_package_takes_nothing_from_the_section() -> None:
    text = "Do not use with examplin of any other maker"
    found = sections(do_not_use=text, package_label_principal_display_panel=f"EXAMPLA 10 tablets {text} Made somewhere")
    assert {(s.kind, text in s.text) for s in found} == {("contraindications", True), ("packaging", True)}


def test_one_text_under_two_topics_is_kept_under_both() -> None:
    found = sections(
        indications_and_usage="For pain, one tablet a day.", dosage_and_administration="For pain, one tablet a day."
    )
    assert [s.kind for s in found] == ["indications", "dosage"]


def test_a_box_around_doses_is_no_boxed_warning() -> None:
    box = "Mild disease - one tablet a day"
    found = sections(
        boxed_warning=box, dosage_and_administration=f"DOSAGE AND ADMINISTRATION Start low. {box} Then stop."
    )
    assert {s.kind for s in found} == {"dosage"}


def test_the_headings_of_old_precautions_part_them() -> None:
    found = sections(
        precautions="PRECAUTIONS General Take care. Drug Interactions: Digoxin rises. Nursing Mothers: Do not nurse."
    )
    assert [(s.kind, s.heading) for s in found] == [
        ("warnings", "PRECAUTIONS"),
        ("warnings", "General"),
        ("interactions", "Drug Interactions"),
        ("lactation", "Nursing Mothers"),
    ]


def test_a_subsection_that_stands_twice_is_read_once() -> None:
    part = "5.1 Falls Patients may fall. 5.2 Rash Rash was common."
    found = sections(warnings_and_cautions=f"5 WARNINGS AND PRECAUTIONS {part} {part}")
    assert sum(s.text.count("Patients may fall") for s in found) == 1


def test_items_stand_on_lines_of_their_own() -> None:
    (found,) = sections(contraindications="CONTRAINDICATIONS Contraindicated in: • gout • asthma")
    assert found.text.splitlines() == ["Contraindicated in:", "• gout", "• asthma"]


_WORDS = st.lists(
    st.sampled_from(
        [
            "Examplin",
            "may",
            "raise",
            "levels",
            "of",
            "digoxin.",
            "5.1",
            "5.2",
            "(5.1)",
            "Falls",
            "the",
            "•",
            "Pregnancy",
        ]
    ),
    min_size=1,
    max_size=25,
).map(" ".join)


@given(_WORDS, _WORDS, _WORDS)
def test_no_word_of_a_text_is_lost(warnings: str, precautions: str, pregnancy: str) -> None:
    found = sections(
        warnings_and_cautions=warnings, precautions=precautions, use_in_specific_populations=f"{pregnancy} end.",
        pregnancy=pregnancy,
    )  # fmt: skip
    kept = {word for s in found for word in f"{s.heading} {s.text}".split()}
    bare = {word.strip(":-–—.") for word in kept} | kept
    assert {word.strip(".") for text in (warnings, precautions, pregnancy) for word in text.split()} <= bare | {""}


# ── tables ──


def test_the_words_of_a_table_make_way_for_its_rows() -> None:
    text = "7 DRUG INTERACTIONS See below. Drug Advice digoxin halve the dose lithium avoid Nothing else is known."
    (found,) = sections(drug_interactions=text, drug_interactions_table=TABLE)
    assert found.text.splitlines() == [
        "See below.",
        "Drug: digoxin | Advice: halve the dose",
        "Drug: lithium | Advice: avoid",
        "Nothing else is known.",
    ]


def test_a_table_stands_in_the_subsection_that_holds_its_words() -> None:
    table = "Drug Advice digoxin halve the dose lithium avoid"
    text = f"7 DRUG INTERACTIONS 7.1 Cardiac Drugs Avoid these. {table} 7.2 Foods None."
    found = sections(drug_interactions=text, drug_interactions_table=TABLE)
    assert [(s.heading, "digoxin" in s.text) for s in found][1:] == [("7.1 Cardiac Drugs", True), ("7.2", False)]


def test_a_table_whose_words_stand_nowhere_goes_to_the_end_of_its_section() -> None:
    found = read_one(record(drug_interactions="7 DRUG INTERACTIONS Some.", drug_interactions_table=TABLE))
    assert found.document.sections[0].text.splitlines()[1:] == [
        "Drug: digoxin | Advice: halve the dose",
        "Drug: lithium | Advice: avoid",
    ]
    assert any(remark.startswith("table:") for remark in found.remarks)


def test_a_table_of_a_nested_field_is_written_once() -> None:
    inner = "7.1 Cardiac Drugs Avoid these. Drug Advice digoxin halve the dose lithium avoid"
    found = sections(
        drug_interactions=f"7 DRUG INTERACTIONS {inner}",
        drug_interactions_table=TABLE,
        spl_unclassified_section=inner,
        spl_unclassified_section_table=TABLE,
    )
    assert sum(s.text.count("lithium") for s in found) == 1


def test_broken_markup_is_read_as_far_as_it_goes() -> None:
    (table,) = read_tables(["<table><tr><td>digoxin<td>avoid</tr>"], "drug_interactions")
    assert "digoxin" in table.words


@given(st.text(alphabet="ab \n", max_size=30), st.text(alphabet="ab", min_size=1, max_size=4))
def test_a_table_is_placed_where_its_words_are(text: str, words: str) -> None:
    (table,) = read_tables([f"<table><tr><td>{words}</td></tr></table>"], "x")
    placed = place(text, {table.words: table})
    assert bool(placed) == (words in "".join(text.split()))
    assert all("".join(text[p.start : p.end].split()) == words for p in placed)


# ── products ──


# ── real files ──


def _real(path: Path) -> list[Incoming | BadInput]:
    with path.open("rb") as stream:
        return list(read_openfda(stream, path.name))


def test_real_labels_are_read_with_their_products_and_subsections() -> None:
    found = _real(shared("openfda-labels", "drug-label-0001-of-0004.json"))
    labels = [one for one in found if isinstance(one, Incoming)]
    assert (len(found), len(labels)) == (171, 170)
    assert all(any(s.active for p in one.products for s in p.substances) for one in labels)
    assert sum(len(one.document.sections) for one in labels) > 10 * len(labels)
    lines = [line for one in labels for s in one.document.sections for line in s.text.splitlines()]
    assert sum(" | " in line for line in lines) > 500
    assert not any(remark.startswith("table:") for one in labels for remark in one.remarks)


def test_real_records_whose_block_is_another_labels_do_not_become_that_drug() -> None:
    labels = [one for one in _real(shared("openfda-json", "raw-label-records.json")) if isinstance(one, Incoming)]
    foreign = [one for one in labels if any("another label" in remark for remark in one.remarks)]
    assert len(foreign) == 2
    assert not any("acetaminophen" in s.name.lower() for one in foreign for p in one.products for s in p.substances)
