"""Labels in Markdown, and sections as rows of JSON."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ingest.formats.label_sections import read_label_sections
from pharmakon.ingest.formats.markdown import plain, read_markdown
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.errors import BadInput
from tests.shared_data import shared

FRONT = "---\ndrug: Exampla (examplin)\nroute: by mouth\nset_id: A-1\nversion: 1.10\nlang: nl\n---\n"


def read(text: str) -> Incoming:
    return read_markdown(text.encode(), "example.md")


def outline(text: str) -> list[tuple[int, str, str, str]]:
    return [(s.level, s.kind, s.heading, s.text) for s in read(f"---\ndrug: x\n---\n{text}").document.sections]


def test_front_matter_names_the_drug_and_the_document() -> None:
    found = read(f"{FRONT}# Contraindications\n\nGout.")
    (product,) = found.products
    assert (product.name, [s.name for s in product.substances], product.routes) == ("Exampla", ["examplin"], ("oral",))
    assert (found.document.id, found.document.version, found.document.lang) == ("label:a-1", "1.10", "nl")


def test_a_list_of_drugs_is_a_combination() -> None:
    found = read("---\ndrug: [examplin, otherin]\n---\n# Warnings\n\nCare.")
    assert [s.name for p in found.products for s in p.substances] == ["examplin", "otherin"]


def test_a_key_that_is_unknown_is_a_remark() -> None:
    assert any("'colour'" in remark for remark in read("---\ndrug: x\ncolour: red\n---\n# Warnings\n\nCare.").remarks)


@pytest.mark.parametrize("front", ["drug: [a, b", "- a\n- b", "drug: a: b"])
def test_front_matter_that_can_not_be_read_is_one_line(front: str) -> None:
    with pytest.raises(BadInput, match=r"^example\.md") as caught:
        read(f"---\n{front}\n---\n# Warnings\n\nCare.")
    assert "\n" not in str(caught.value)


def test_without_front_matter_the_title_names_the_drug() -> None:
    found = read("# Exampla (examplin)\n\n## Contraindications\n\nGout.\n")
    assert [p.generic for p in found.products] == ["examplin"]
    assert [(s.level, s.kind) for s in found.document.sections] == [(1, "contraindications")]


def test_headings_nest_as_they_are_marked() -> None:
    assert outline("# Interactions\nMany.\n## Lithium ##\nRises.\n# Dosage\nOne.") == [
        (1, "interactions", "Interactions", "Many."),
        (2, "interactions", "Lithium", "Rises."),
        (1, "dosage", "Dosage", "One."),
    ]


def test_underlined_headings_are_headings() -> None:
    found = outline("Contraindications\n===\nGout.\n\nLithium\n---\nOne.")
    assert [(level, kind) for level, kind, _, _ in found] == [(1, "contraindications"), (2, "contraindications")]


def test_paragraphs_are_lines_and_items_are_lines() -> None:
    assert outline("# Warnings\nTake\ncare.\n\n- gout\n- asthma\n  of old\n1. falls")[0][3].splitlines() == [
        "Take care.",
        "gout",
        "asthma of old",
        "falls",
    ]


def test_a_pipe_table_is_a_line_for_each_row() -> None:
    table = "| Drug | Advice |\n|:-----|-------:|\n| digoxin \\| digitoxin | **halve** |\n| lithium | avoid |"
    assert outline(f"# Interactions\n\n{table}\n\nEnd.")[0][3].splitlines() == [
        "Drug: digoxin | digitoxin | Advice: halve",
        "Drug: lithium | Advice: avoid",
        "End.",
    ]


def test_a_line_with_a_bar_is_no_table() -> None:
    assert outline("# Warnings\na | b\n\nc")[0][3].splitlines() == ["a | b", "c"]


def test_code_and_comments_are_handled_as_text_and_nothing() -> None:
    text = "# Warnings\n<!-- not\nsaid -->\n```\n# no heading\n```\n![picture](x.png)"
    assert outline(text)[0][3].splitlines() == ["# no heading", "picture"]


@pytest.mark.parametrize(
    ("marked", "bare"),
    [
        ("snake_case_name 2 * 3 * 4", "snake_case_name 2 * 3 * 4"),
        ("***very*** _low_ `x`", "very low x"),
        ("[see 5.1](#falls) and \\*", "see 5.1 and *"),
        ("CL<sub>cr</sub> < 30 mL/min", "CL<sub>cr</sub> < 30 mL/min"),
    ],
)
def test_marks_leave_their_words(marked: str, bare: str) -> None:
    assert plain(marked) == bare


_LINES = st.lists(
    st.sampled_from(
        ["", "# Warnings", "## Falls", "Take care.", "- gout", "a | b", "---", "| c | d |", "|---|---|", "***", "```"]
    ),
    max_size=15,
)


@given(_LINES)
def test_no_word_is_lost(lines: list[str]) -> None:
    text = "\n".join(["---", "drug: x", "---", "First words.", *lines])
    sections = read(text).document.sections
    kept = set(" ".join(f"{s.heading} {s.text}" for s in sections).replace(":", " ").split())
    assert {word for line in lines for word in line.split() if word.isalpha()} <= kept


# ── sections as rows ──


def rows(*found: object) -> list[Incoming | BadInput]:
    return list(read_label_sections(json.dumps(found).encode(), "sections.json"))


def test_rows_of_one_drug_are_one_document() -> None:
    first, second = rows(
        {"drug": "examplin", "section": "Contraindications", "text": "Gout."},
        {"drug": "otherin", "section": "Drug Interactions", "text": "Many."},
        {"drug": "Examplin", "section": "Dosage and Administration", "text": "One."},
    )
    assert isinstance(first, Incoming)
    assert isinstance(second, Incoming)
    assert [s.kind for s in first.document.sections] == ["contraindications", "dosage"]
    assert (first.document.id, second.document.id) == ("label:sections-examplin", "label:sections-otherin")


def test_a_row_that_is_none_is_refused_alone() -> None:
    bad, good = rows(
        {"drug": "x", "section": "Warnings", "text": 3}, {"drug": "x", "section": "Warnings", "text": "Care."}
    )
    assert str(bad) == "sections.json, row 1: no section of a label; expected drug, section, text"
    assert isinstance(good, Incoming)


@pytest.mark.parametrize("data", [b"[", b"{}", b"\xff", b"[" * 100_000])
def test_what_is_no_list_of_rows_is_one_line(data: bytes) -> None:
    (complaint,) = read_label_sections(data, "sections.json")
    assert isinstance(complaint, BadInput)
    assert "\n" not in str(complaint)


def test_real_rows_are_twenty_labels() -> None:
    path = shared("fda-label-sections", "sections.json")
    found = [one for one in read_label_sections(path.read_bytes(), str(path)) if isinstance(one, Incoming)]
    assert len(found) == 20
    assert {s.kind for one in found for s in one.document.sections} == {
        "indications",
        "dosage",
        "contraindications",
        "warnings",
        "adverse_reactions",
        "interactions",
    }


def test_headings_of_one_rank_stand_side_by_side_whatever_the_rank() -> None:
    text = "## Contraindications\n\nGout.\n\n## Drug interactions\n\nAvoid otherin.\n\n### With food\n\nNone.\n"
    assert [(level, kind, heading) for level, kind, heading, _ in outline(text)] == [
        (1, "contraindications", "Contraindications"),
        (1, "interactions", "Drug interactions"),
        (2, "interactions", "With food"),
    ]


def test_the_line_that_names_the_drug_in_plain_text_does_so_here() -> None:
    found = read("# drug: Examplin\n\n## Contraindications\n\nGout.\n")
    assert [p.name for p in found.products] == ["Examplin"]
    assert found.document.title == "Examplin"
    assert not any("first sentence" in remark for remark in found.remarks)
