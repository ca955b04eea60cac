"""Plain text labels as documents, and which drug a text is about."""

from __future__ import annotations

import hashlib
import re
from contextlib import suppress
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ingest.formats import about
from pharmakon.ingest.formats.encoding import decode
from pharmakon.ingest.formats.plaintext import has_sections, read_plaintext
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.errors import BadInput
from tests.shared_data import shared


def read(text: str, where: str = "example.txt") -> Incoming:
    return read_plaintext(text.encode(), where)


def outline(text: str) -> list[tuple[int, str, str, str]]:
    return [(s.level, s.kind, s.heading, s.text) for s in read(f"# drug: examplin\n\n{text}").document.sections]


def names(text: str) -> list[str]:
    return [s.name for p in read(text).products for s in p.substances]


# ── headings ──


def test_headings_in_capitals_are_sections() -> None:
    assert outline("CONTRAINDICATIONS\n\nGout.\n\nWARNINGS\n\nTake care.") == [
        (1, "contraindications", "CONTRAINDICATIONS", "Gout."),
        (1, "warnings", "WARNINGS", "Take care."),
    ]


def test_numbered_headings_nest() -> None:
    text = "5 WARNINGS AND PRECAUTIONS\n\n5.1 Falls\n\nPatients may fall.\n\n5.2 Renal Impairment\n\nGive less."
    assert outline(text) == [
        (1, "warnings", "5 WARNINGS AND PRECAUTIONS", ""),
        (2, "warnings", "5.1 Falls", "Patients may fall."),
        (2, "renal", "5.2 Renal Impairment", "Give less."),
    ]


def test_headings_in_small_letters_are_sections_of_a_text_without_capitals() -> None:
    text = "Contraindications\nGout.\n\nRenal impairment\nGive less.\n\nInteractions:\nDigoxin rises."
    assert [(level, kind) for level, kind, _, _ in outline(text)] == [
        (1, "contraindications"),
        (1, "renal"),
        (1, "interactions"),
    ]


def test_below_capitals_headings_in_small_letters_are_subsections() -> None:
    below = "General\n\nTake care.\n\nDrug Interactions\n\nDigoxin rises.\n\nNursing Mothers\n\nDo not nurse."
    text = f"PRECAUTIONS\n\n{below}"
    assert [(level, kind) for level, kind, _, _ in outline(text)] == [
        (1, "warnings"),
        (2, "warnings"),
        (2, "interactions"),
        (2, "lactation"),
    ]


def test_underlined_headings_are_sections() -> None:
    assert [kind for _, kind, _, _ in outline("Contraindications\n=====\nGout.\n\nDosage\n------\nOne.")] == [
        "contraindications",
        "dosage",
    ]


def test_a_line_that_stands_alone_heads_the_paragraph_below_it() -> None:
    text = "DRUG INTERACTIONS\n\nLithium\n\nExamplin raises the level of lithium in the blood."
    assert outline(text)[1] == (2, "interactions", "Lithium", "Examplin raises the level of lithium in the blood.")


def test_among_contraindications_a_line_that_stands_alone_is_one() -> None:
    text = "CONTRAINDICATIONS\n\nSevere gout\n\nPatients who are known to react to examplin must not take it."
    (only,) = outline(text)
    assert "Severe gout" in only[3].splitlines()


def test_a_heading_without_text_is_what_its_section_says() -> None:
    assert outline("CONTRAINDICATIONS\n\nNONE KNOWN\n\nWARNINGS\n\nTake care.")[0][3] == "NONE KNOWN"


def test_a_heading_that_warns_of_something_is_a_boxed_warning() -> None:
    assert outline("WARNING: FALLS\n\nPatients fall.")[0][1] == "boxed_warning"


def test_letters_that_stand_apart_are_read_together() -> None:
    assert outline("4 C O NTRAINDICATIONS\n\nGout.")[0][1] == "contraindications"


def test_a_numbered_step_is_no_heading() -> None:
    assert len(outline("DOSAGE\n\n1. Take one tablet\n2. Wait an hour")) == 1


def test_lines_that_were_wrapped_are_one_and_items_are_not() -> None:
    text = "WARNINGS\n\nExamplin may raise the level of digoxin in the blood of\npatients who fast.\n- gout\n- asthma"
    assert outline(text)[0][3].splitlines() == [
        "Examplin may raise the level of digoxin in the blood of patients who fast.",
        "- gout",
        "- asthma",
    ]


def test_layout_tags_of_a_collection_are_no_words() -> None:
    text = "CONTRAINDICATIONS\n <list>\n <item>Gout\n <item>\n </list>"
    assert outline(text)[0][3] == "Gout"


_LINES = st.lists(
    st.sampled_from(
        [
            "",
            "WARNINGS",
            "5.1 Falls",
            "Drug Interactions",
            "Lithium",
            "Take care.",
            "- gout",
            "of the day",
            "===",
            "NDC 1",
        ]
    ),
    min_size=1,
    max_size=20,
)


@given(_LINES)
def test_no_word_of_a_text_is_lost(lines: list[str]) -> None:
    text = "\n".join(["# drug: examplin", "", "First words.", *lines])
    sections = read(text).document.sections
    kept = " ".join(f"{s.heading} {s.text}" for s in sections).split()
    wanted = " ".join(line for line in lines if line != "===").split()
    assert sorted(kept) == sorted(["First", "words.", *wanted])


@given(_LINES)
def test_levels_never_skip_one(lines: list[str]) -> None:
    levels = [0, *(s.level for s in read("\n".join(["# drug: x", "", "First words.", *lines])).document.sections)]
    assert all(after <= before + 1 for before, after in pairwise(levels))


# ── the drug ──


@pytest.mark.parametrize(
    ("first", "expected"),
    [
        ("# drug: examplin", ["examplin"]),
        ("Drug: Exampla (examplin sodium)", ["examplin sodium"]),
        ("# drug: examplin and otherin", ["examplin", "otherin"]),
        ("EXAMPLA (examplin sodium) tablet, film coated", ["examplin sodium"]),
        ("Label for drug brand Exampla, containing examplin and otherin.", ["examplin", "otherin"]),
        ("Examplin sodium tablets, USP", ["Examplin sodium"]),
    ],
)
def test_the_first_line_names_the_drug(first: str, expected: list[str]) -> None:
    assert names(f"{first}\n\nWARNINGS\n\nTake care.") == expected


def test_without_a_title_the_first_sentence_names_the_drug_and_that_is_said() -> None:
    found = read("INDICATIONS\n\nExampla (examplin) is indicated for pain.")
    assert [p.generic for p in found.products] == ["examplin"]
    assert any("first sentence" in remark for remark in found.remarks)


def test_a_text_that_names_no_drug_comes_in_with_a_remark() -> None:
    found = read("WARNINGS\n\nKeep away from children.")
    assert found.products == ()
    assert any("# drug: NAME" in remark for remark in found.remarks)


@pytest.mark.parametrize("line", ["Prescribing information", "What this leaflet is about", "10 mg", "Take with food."])
def test_a_line_that_names_no_drug_is_no_title(line: str) -> None:
    assert about.from_title(line) is None


@pytest.mark.parametrize("text", ["It is indicated for pain.", "This drug is a salt.", "Patients are indicated."])
def test_a_sentence_about_nobody_names_no_drug(text: str) -> None:
    assert about.from_sentence(text) is None


def test_stated_lines_give_identity_language_and_route() -> None:
    found = read("# drug: examplin\n# set id: A-1\n# version: 3\n# lang: nl\n# route: oral\n\nWARNINGS\n\nLet op.")
    document = found.document
    assert (document.id, document.version, document.lang) == ("label:a-1", "3", "nl")
    assert found.products[0].routes == ("oral",)
    assert "drug" not in document.sections[0].text


# ── identity and bytes ──


def test_a_file_named_by_a_set_id_is_that_label() -> None:
    set_id = "0A0B0C0D-0000-4000-8000-00000000abcd"
    assert read("# drug: x\n\nWARNINGS\n\nCare.", f"labels/{set_id}.txt").document.id == f"label:{set_id.lower()}"


def test_files_of_one_name_about_two_drugs_are_two_documents() -> None:
    ids = {read(f"# drug: {drug}\n\nWARNINGS\n\nCare.", "label.txt").document.id for drug in ("examplin", "otherin")}
    assert ids == {"label:label-examplin", "label:label-otherin"}


def test_without_a_version_the_text_is_its_own_version() -> None:
    document = read("# drug: x\n\nWARNINGS\n\nCare.").document
    assert document.version == document.hash


def test_a_chinese_text_is_known_as_one() -> None:
    assert read("# drug: examplin\n\n本品可能引起跌倒。老年患者慎用。").document.lang == "zh"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1252"])
def test_encodings_of_western_texts_are_read(encoding: str) -> None:
    found = read_plaintext("# drug: examplin\r\n\r\nWARNINGS\r\n\r\nGefäß, 5 µg each day.".encode(encoding), "x.txt")
    assert found.document.sections[0].text == "Gefäß, 5 µg each day."
    assert any("Windows-1252" in remark for remark in found.remarks) == (encoding == "cp1252")


@pytest.mark.parametrize(
    "data", [b"", b" \n\0", b"ab\0cd", "药物相互作用".encode("gb18030"), b"\xff\xfea", bytes(range(1, 256))]
)
def test_what_is_no_text_is_one_line(data: bytes) -> None:
    with pytest.raises(BadInput, match=r"^x\.txt: .*; expected .*text"):
        read_plaintext(data, "x.txt")


def test_a_text_without_drug_and_section_is_no_label() -> None:
    with pytest.raises(BadInput, match="neither a drug nor a section"):
        read("Permission is hereby granted to anybody, without charge.")


@given(st.binary(max_size=60))
def test_bytes_are_text_or_a_complaint(data: bytes) -> None:
    with suppress(BadInput):
        text, _ = decode(data, "x")
        assert "\r" not in text


def test_a_licence_has_no_sections_of_a_label() -> None:
    assert not has_sections("MIT License\n\nThe software is provided as is, without warranty.")
    assert has_sections("Examplin\n\nContraindications\n\nGout.")


# ── real files ──


def test_real_texts_name_their_drugs_and_have_typed_sections() -> None:
    held_in = [
        path
        for path in sorted(shared("fda-cv-ddi-labels").glob("*.txt"))
        if int(hashlib.sha256(path.stem.encode()).hexdigest(), 16) % 3 != 0
    ]
    found = [read_plaintext(path.read_bytes(), str(path)) for path in held_in]
    assert all(any(s.active for p in one.products for s in p.substances) for one in found)
    kinds = [s.kind for one in found for s in one.document.sections]
    assert kinds.count("other") < 0.05 * len(kinds)
    assert not any(re.search(r"</?(?:item|list|main)>", s.text) for one in found for s in one.document.sections)


# ── lists without bullets ──


def test_lines_that_end_where_the_next_word_had_room_are_items() -> None:
    text = "\n".join(
        (
            "CONTRAINDICATIONS",
            "",
            "Sinus bradycardia, sick sinus syndrome or second or third degree AV block without a functioning pacemaker",
            "Congenital or acquired long QT syndromes, QT interval >450 ms",
            "Cardiogenic shock, uncontrolled heart failure",
            "Creatinine clearance <40 mL/min",
        )
    )
    assert len(outline(text)[0][3].split("\n")) == 4


def test_a_heading_in_capitals_may_follow_a_sentence_without_a_blank_line() -> None:
    assert [kind for _, kind, _, _ in outline("DESCRIPTION\n\nIt is a diuretic.\nCONTRAINDICATIONS\n\nAnuria.")] == [
        "description",
        "contraindications",
    ]
