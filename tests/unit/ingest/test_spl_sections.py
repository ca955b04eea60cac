"""What the sections of a label are, what they are about, and what they say."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.model.documents import Section
from pharmakon.model.vocabulary import section_kinds
from tests.unit.ingest.spl_files import excerpt, only, p, read, section, sections

UNCLASSIFIED = "42229-5"
OTHER_WORDS = p("Alphadol is a tablet.")


def outline(found: list[Section]) -> list[tuple[int, str, str]]:
    return [(s.level, s.kind, s.heading) for s in found]


def test_a_section_that_only_holds_sections_is_kept_as_their_heading() -> None:
    found = sections(
        section("34070-3", "4 CONTRAINDICATIONS", None, section(UNCLASSIFIED, "4.1 Liver", p("Not in liver disease.")))
    )
    assert outline(found) == [(1, "contraindications", "4 CONTRAINDICATIONS"), (2, "contraindications", "4.1 Liver")]
    assert [s.text for s in found] == ["", "Not in liver disease."]


def test_nesting_of_five_levels_is_kept_and_every_section_holds_its_own_text_only() -> None:
    deep = section(UNCLASSIFIED, "Class Effect", p("Spasms may occur."))
    for title in ("Dystonia", "EPS", "CNS"):
        deep = section(UNCLASSIFIED, title, p(f"About {title}."), deep)
    found = sections(section("34084-4", "ADVERSE REACTIONS", None, deep))
    assert [(s.level, s.heading, s.text) for s in found] == [
        (1, "ADVERSE REACTIONS", ""),
        (2, "CNS", "About CNS."),
        (3, "EPS", "About EPS."),
        (4, "Dystonia", "About Dystonia."),
        (5, "Class Effect", "Spasms may occur."),
    ]
    assert {s.kind for s in found} == {"adverse_reactions"}
    assert [s.ord for s in found] == [0, 1, 2, 3, 4]


def test_the_same_code_inside_itself_gives_each_text_once() -> None:
    found = sections(section("34084-4", "6", p("Outer."), section("34084-4", "6.1", p("Inner."))))
    assert [(s.kind, s.text) for s in found] == [("adverse_reactions", "Outer."), ("adverse_reactions", "Inner.")]


def test_pregnancy_inside_contraindications_is_a_contraindication_and_elsewhere_it_is_not() -> None:
    found = sections(
        section("34070-3", "4", None, section("42228-7", "4.3 Pregnancy", p("Never."))),
        section("43684-0", "8", None, section("42228-7", "8.1 Pregnancy", p("Studies."))),
    )
    assert [s.kind for s in found if s.text] == ["contraindications", "pregnancy"]


def test_every_subsection_of_the_interactions_is_about_an_interaction() -> None:
    found = sections(section("34073-7", "7", None, section(UNCLASSIFIED, "7.3 Betacin", p("Avoid."))))
    assert outline(found)[1] == (2, "interactions", "7.3 Betacin")


def test_a_subsection_without_a_code_of_its_own_is_about_what_its_heading_names() -> None:
    found = sections(
        section("34068-7", "2", None, section(UNCLASSIFIED, "2.5 Renal Impairment", p("No adjustment is necessary.")))
    )
    assert (found[1].kind, found[1].text) == ("renal", "No adjustment is necessary.")


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("INDICATIONS AND USAGE", "indications"),
        ("Uses", "indications"),
        ("CONTRAINDICATIONS", "contraindications"),
        ("DOSAGE AND ADMINISTRATION", "dosage"),
        ("3 DOSAGE FORMS AND STRENGTHS", "dosage_forms"),
        ("OVERDOSAGE", "overdosage"),
        ("Pediatric Use", "pediatric"),
        ("Geriatric Use", "geriatric"),
        ("Keep out of reach of children", "supply"),
        ("Something else", "other"),
        (None, "other"),
    ],
)
def test_a_section_without_any_code_is_read_by_its_heading(heading: str | None, kind: str) -> None:
    assert only(section("", heading, p("Alphadol."))).kind == kind


@pytest.mark.parametrize(
    ("heading", "kind"),
    [
        ("5.1 Hepatotoxicity", "warnings"),
        ("5.2 Liver Injury", "hepatic"),
        ("5.3 Adrenal Insufficiency", "warnings"),
        ("5.4 Acute Renal Failure", "renal"),
        ("5.5 Breast Cancer", "warnings"),
        ("5.6 Breast-Feeding", "lactation"),
        ("5.7 Risks of Delivery by Pump", "warnings"),
        ("5.8 Use with CYP3A Inhibitors", "interactions"),
        ("5.9 Overdosage", "warnings"),
    ],
)
def test_a_heading_among_the_warnings_is_taken_by_whole_words(heading: str, kind: str) -> None:
    found = sections(section("43685-7", "5 WARNINGS", None, section(UNCLASSIFIED, heading, p("Take care."))))
    assert found[1].kind == kind


def test_a_box_around_a_dose_is_a_dose_and_said_so() -> None:
    incoming = read(
        section("34068-7", "DOSAGE", p("As needed."), section("34066-1", None, p("Moderate symptoms: 0.5 mg to 2 mg.")))
    )
    assert [s.kind for s in incoming.document.sections] == ["dosage", "dosage"]
    (remark,) = incoming.remarks
    assert remark.startswith("boxed: the box 'Moderate symptoms")


def test_a_box_that_says_how_a_seal_looks_is_no_boxed_warning() -> None:
    found = sections(section(UNCLASSIFIED, "More", OTHER_WORDS, section("34066-1", None, p("TAMPER-EVIDENT SEAL"))))
    assert found[1].kind == "other"


@pytest.mark.parametrize(
    ("title", "text"), [("WARNING: BLEEDING", p("It can be fatal.")), (None, p("WARNING", "It can be fatal."))]
)
def test_a_box_of_the_body_that_says_warning_is_the_boxed_warning(title: str | None, text: str) -> None:
    assert only(section("34066-1", title, text)).kind == "boxed_warning"


def test_a_box_of_the_body_that_does_not_say_warning_is_one_warning_among_others() -> None:
    incoming = read(section("34066-1", None, p("It can be fatal.")))
    assert incoming.document.sections[0].kind == "warnings"
    assert "does not say that it is a warning" in incoming.remarks[0]


def test_whatever_stands_inside_the_boxed_warning_belongs_to_it() -> None:
    found = sections(
        section("34066-1", "WARNING: BLEEDING", p("Fatal."), section(UNCLASSIFIED, "Interactions", p("With betacin.")))
    )
    assert {s.kind for s in found} == {"boxed_warning"}


def test_highlights_are_kept_apart_from_the_body_and_support_nothing() -> None:
    found = sections(
        section("34073-7", "7 INTERACTIONS", p("Avoid betacin."), extra=excerpt(p("Betacin: avoid (7)."))),
        section("43683-2", "RECENT MAJOR CHANGES", None, extra=excerpt(p("Interactions, 06/2024"))),
    )
    assert [(s.kind, s.heading, s.text) for s in found] == [
        ("highlights", "7 INTERACTIONS", "Betacin: avoid (7)."),
        ("highlights", "RECENT MAJOR CHANGES", "Interactions, 06/2024"),
        ("interactions", "7 INTERACTIONS", "Avoid betacin."),
    ]
    assert section_kinds()["highlights"].reader == "none"


@pytest.mark.parametrize("code", ["34076-0", "88436-1", "42230-3", "42231-1", "68498-5", "59845-8", "38056-8"])
def test_texts_for_patients_support_nothing_whatever_stands_in_them(code: str) -> None:
    found = sections(section(code, "Leaflet", p("Read this."), section("34070-3", "Do not take", p("If pregnant."))))
    assert {section_kinds()[s.kind].reader for s in found} == {"patient"}


def test_the_headings_of_an_otc_label_tell_contraindications_from_interactions() -> None:
    found = sections(
        section(
            "34071-1",
            "Warnings",
            None,
            section("50570-1", "Do not use", "<list><item>with a MAOI or for 2 weeks after</item></list>"),
            section("50569-3", "Ask a doctor before use if you have", p("glaucoma")),
            section("50568-5", "Ask a doctor or pharmacist before use if you are", p("taking sedatives")),
            section("53414-9", "If pregnant or breast-feeding,", p("ask a health professional.")),
        ),
        section("34068-7", "Directions", p("one tablet every 4 hours")),
        section("34067-9", "Uses", p("relieves cough")),
        section("51727-6", "Inactive ingredients", p("lactose")),
    )
    assert [s.kind for s in found] == [
        "warnings",
        "contraindications",
        "warnings",
        "interactions",
        "pregnancy",
        "dosage",
        "indications",
        "composition",
    ]


def test_a_label_in_the_old_format_has_warnings_and_precautions() -> None:
    found = sections(
        section("34071-1", "WARNINGS", p("Falls.")),
        section(
            "42232-9",
            "PRECAUTIONS",
            None,
            section("34072-9", "General", p("With care.")),
            section("34073-7", "Drug Interactions", p("Betacin.")),
            section("34080-2", "Nursing Mothers", p("Unknown.")),
            section("34082-8", "Geriatric Use", p("Lower doses.")),
        ),
    )
    assert [s.kind for s in found] == ["warnings", "warnings", "warnings", "interactions", "lactation", "geriatric"]


def test_headings_inside_old_precautions_part_them_as_sections_would() -> None:
    bold = '<content styleCode="bold">{}</content>'
    found = sections(
        section(
            "42232-9",
            "PRECAUTIONS",
            p("With care.", bold.format("Drug Interactions"), "Avoid betacin.", bold.format("Betacin:") + " It rises.")
            + p(bold.format("Pregnancy: Category C.") + " Rats.", "NURSING MOTHERS", "No data (see Geriatric Use)."),
            section("34082-8", "Geriatric Use", p("Lower doses.")),
        )
    )
    assert [(s.level, s.kind, s.heading, s.text) for s in found] == [
        (1, "warnings", "PRECAUTIONS", "With care."),
        (2, "interactions", "Drug Interactions", "Avoid betacin.\nBetacin: It rises."),
        (2, "pregnancy", "Pregnancy: Category C", "Rats."),
        (2, "lactation", "NURSING MOTHERS", "No data (see Geriatric Use)."),
        (2, "geriatric", "Geriatric Use", "Lower doses."),
    ]


def test_sentences_about_interactions_in_old_precautions_are_no_headings() -> None:
    found = only(section("42232-9", "PRECAUTIONS", p("Drug interactions may occur.", "See General and Pediatric Use.")))
    assert (found.kind, found.text) == ("warnings", "Drug interactions may occur.\nSee General and Pediatric Use.")


def test_a_title_that_is_all_a_section_holds_is_what_it_says() -> None:
    found = sections(section("34070-3", "4", None, section(UNCLASSIFIED, "4.1 Active liver disease")))
    assert (found[1].heading, found[1].text) == ("4.1", "Active liver disease")


def test_a_section_with_nothing_in_it_is_left_out() -> None:
    assert [s.text for s in sections(section("34089-3", "", ""), section("34067-9", "Uses", p("Pain.")))] == ["Pain."]


def test_a_picture_that_stands_for_text_is_reported() -> None:
    incoming = read(
        section("34089-3", "DESCRIPTION", p("The formula:") + '<renderMultiMedia referencedObject="M"/>'),
        section("51945-4", None, '<renderMultiMedia referencedObject="N"/>' * 2 + p("30 tablets")),
    )
    assert incoming.remarks == ("image: 1 not read in DESCRIPTION", "image: 2 not read in Package label")


def test_headings_lose_tabs_and_no_break_spaces_and_keep_their_marks() -> None:
    found = only(section("34067-9", "1\t\u00a0INDICATIONS  OF\n ALPHADOL<sup>®</sup>", p("Pain.")))
    assert found.heading == "1 INDICATIONS OF ALPHADOL®"


def test_comments_and_instructions_to_programs_are_no_text() -> None:
    assert only(section("34067-9", "Uses", "<!-- a --><paragraph>Pa<!-- b -->in<?c d?>.</paragraph>")).text == "Pain."


trees = st.recursive(
    st.builds(lambda has_text: ("", has_text, ()), st.booleans()),
    lambda inner: st.builds(
        lambda code, has_text, children: (code, has_text, tuple(children)),
        st.sampled_from(["", "34084-4", "34070-3", "42229-5", "34066-1", "42231-1"]),
        st.booleans(),
        st.lists(inner, max_size=3),
    ),
    max_leaves=12,
)


@given(st.lists(trees, min_size=1, max_size=4))
def test_every_text_stands_in_exactly_one_section_and_in_the_order_of_the_file(given_trees: list[object]) -> None:
    written: list[str] = []

    def build(tree: object) -> str:
        assert isinstance(tree, tuple)
        code, has_text, children = tree
        text = None
        if has_text:
            written.append(f"word{len(written)}")
            text = p(written[-1])
        return section(code, None, text, *[build(child) for child in children])

    built = [build(tree) for tree in given_trees]
    found = sections(*built, section("34067-9", "Uses", p("last")))
    assert [s.text for s in found if s.text] == [*written, "last"]
    assert [s.ord for s in found] == list(range(len(found)))
