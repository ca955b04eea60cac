"""European product information: sections by number and language, parts for their readers, products as stated."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pharmakon.ingest.formats.blocks import BOLD, ITALIC, UNDERLINED, Block
from pharmakon.ingest.formats.pdf import read_pdf
from pharmakon.ingest.formats.smpc import Source, arrange
from pharmakon.ingest.formats.smpc_languages import detect, languages
from pharmakon.ingest.incoming import Incoming
from pharmakon.ingest.topics import by_number
from pharmakon.model.documents import Section
from pharmakon.model.errors import BadInput
from pharmakon.model.vocabulary import section_kinds
from tests.shared_data import shared

LOOKS = {"#": BOLD, "_": UNDERLINED, "/": ITALIC}


def blocks(*texts: str) -> list[Block]:
    """ "# " bold, "_ " underlined, "/ " italic, "- " an item; "_ Lithium: | avoid" has an underlined beginning."""
    made: list[Block] = []
    for text in texts:
        mark, _, rest = text.partition(" ")
        if mark == "-":
            made.append(Block(rest, item=True))
        elif mark in LOOKS and " | " in rest:
            lead = rest.index(" | ")
            made.append(Block(rest.replace(" | ", " "), look=LOOKS[mark], lead=lead))
        else:
            made.append(Block(rest, look=LOOKS[mark]) if mark in LOOKS else Block(text))
    return made


def read(*texts: str, lang: str = "", title: str = "") -> Incoming:
    return arrange(blocks(*texts), Source("x.pdf", title, lang))


def kinds(*texts: str) -> list[tuple[str, str]]:
    return [(s.kind, s.heading) for s in read(*texts).document.sections]


def summary(name: str = "Alphadol 5 mg tablets", strength: str = "5 mg") -> list[str]:
    return [
        "# 1. NAME OF THE MEDICINAL PRODUCT",
        f"{name}.",
        "# 2. QUALITATIVE AND QUANTITATIVE COMPOSITION",
        f"Each tablet contains {strength} of alphadol.",
        "Excipient with known effect: each tablet contains 20 mg of lactose.",
        "# 3. PHARMACEUTICAL FORM",
        "Tablet.",
        "# 4. CLINICAL PARTICULARS",
        "# 4.2 Posology and method of administration",
        "_ Posology",
        "Twice a day.",
        "/ Renal impairment",
        "Once a day.",
        "_ Method of administration",
        "Oral use.",
        "# 4.3 Contraindications",
        "Gout.",
    ]


class TestSections:
    def test_numbers_tell_the_topic_and_the_level(self) -> None:
        found = [(s.kind, s.level) for s in read(*summary()).document.sections]
        assert found == [
            ("description", 1),
            ("composition", 1),
            ("dosage_forms", 1),
            ("other", 1),
            ("dosage", 2),
            ("dosage", 3),
            ("renal", 4),
            ("dosage", 3),
            ("contraindications", 2),
        ]

    def test_a_beginning_in_other_type_heads_its_paragraph_and_those_after_it(self) -> None:
        found = read(
            "# 4.5 Interaction with other medicinal products and other forms of interaction",
            "_ Lithium: | avoid it.",
            "Its level rises.",
            "_ Warfarin: | take care.",
        ).document.sections
        assert [(s.kind, s.heading, s.text) for s in found[1:]] == [
            ("interactions", "Lithium", "avoid it.\nIts level rises."),
            ("interactions", "Warfarin", "take care."),
        ]

    def test_only_dosage_warnings_and_pregnancy_have_subsections_of_other_topics(self) -> None:
        found = kinds(
            "# 4.4 Special warnings and precautions for use",
            "_ Hepatic impairment",
            "a",
            "# 4.6 Fertility, pregnancy and lactation",
            "_ Breast-feeding",
            "b",
            "# 4.8 Undesirable effects",
            "_ Renal and urinary disorders",
            "c",
        )
        assert [kind for kind, _ in found] == [
            "warnings",
            "hepatic",
            "pregnancy",
            "lactation",
            *["adverse_reactions"] * 2,
        ]

    def test_a_reference_to_a_section_is_no_heading(self) -> None:
        assert kinds("# 4.3 Contraindications", "Gout, see", "4.4 and 5.1.") == [
            ("contraindications", "4.3 Contraindications")
        ]

    def test_a_number_out_of_order_under_other_words_is_no_section(self) -> None:
        found = kinds("# 5.1 Pharmacodynamic properties", "a", "# 4.1 mg once a day", "b")
        assert [kind for kind, _ in found] == ["pharmacology", "pharmacology"]

    def test_a_caption_and_a_sentence_in_bold_are_text(self) -> None:
        found = read("# 4.3 Contraindications", "# Table 1: Doses", "# Never in gout.").document.sections
        assert [s.text for s in found] == ["Table 1: Doses\nNever in gout."]

    def test_every_number_of_the_template_has_a_topic(self) -> None:
        for language in languages().values():
            for number in language.numbered:
                assert by_number(number) in section_kinds() or number == "4"


class TestLanguages:
    @pytest.mark.parametrize("code", ["en", "da", "nl", "es"])
    def test_headings_of_each_language_are_known_by_their_words_alone(self, code: str) -> None:
        own = languages()[code]
        texts = [t for number, (heading, *_) in own.numbered.items() for t in (f"{number} {heading}", f"x{number}.")]
        found = read(*texts).document
        assert found.lang == code
        assert [s.heading.split()[0] for s in found.sections] == list(own.numbered)

    def test_words_for_renal_impairment_are_known_in_each(self) -> None:
        for number, heading, sub in (
            ("da", "4.2 Dosering og administration", "Nedsat nyrefunktion"),
            ("nl", "4.2 Dosering en wijze van toediening", "Nierfunctiestoornis"),
            ("es", "4.2 Posología y forma de administración", "Insuficiencia renal"),
        ):
            found = read(heading, f"_ {sub}", "x").document
            assert (found.lang, found.sections[-1].kind) == (number, "renal")

    def test_another_language_is_read_by_its_numbers_and_remarked(self) -> None:
        found = read(
            "# 4.1 Anwendungsgebiete",
            "Gicht.",
            "# 4.3 Gegenanzeigen",
            "Fieber.",
            "# 4.9 Überdosierung",
            "x",
            lang="de-DE",
        )
        assert [s.kind for s in found.document.sections] == ["indications", "contraindications", "overdosage"]
        assert found.document.lang == "de"
        assert "headings in de are not known; sections are told by their numbers" in found.remarks

    def test_frequent_words_tell_the_language_of_a_page_without_known_headings(self) -> None:
        assert (
            detect(blocks("El paciente con gota y los demás que toman una dosis del fármaco, las veces con agua"))
            == "es"
        )
        assert detect(blocks("xyzzy"), "nl-BE") == "nl"
        assert detect(blocks("xyzzy")) == "und"


class TestParts:
    WHOLE = (
        "# ANNEX I",
        "# SUMMARY OF PRODUCT CHARACTERISTICS",
        *summary(),
        "# ANNEX II",
        "# A. MANUFACTURER",
        "Alpha Ltd.",
        "# ANNEX III",
        "# LABELLING AND PACKAGE LEAFLET",
        "# A. LABELLING",
        "# PARTICULARS TO APPEAR ON THE OUTER PACKAGING",
        "# 1. NAME OF THE MEDICINAL PRODUCT",
        "Alphadol",
        "# B. PACKAGE LEAFLET",
        "# Package leaflet: Information for the user",
        "# Alphadol 5 mg tablets",
        "Read this.",
        "# 2. What you need to know before you take Alphadol",
        "# Do not take Alphadol",
        "- in gout",
    )

    def test_labelling_and_leaflet_support_no_finding(self) -> None:
        readers: dict[str, list[str]] = {}
        for section in read(*self.WHOLE).document.sections:
            readers.setdefault(section_kinds()[section.kind].reader, []).append(section.text)
        assert "Gout." in readers[""]
        assert "Alphadol" in readers["none"]
        assert "in gout" in readers["patient"]
        assert not {"Alphadol", "Read this.", "in gout"} & set(readers[""])

    def test_the_document_is_a_label_with_the_products_of_its_summary(self) -> None:
        found = read(*self.WHOLE)
        assert found.document.kind == "label"
        assert [p.name for p in found.products] == ["Alphadol 5 mg tablets"]

    def test_a_leaflet_by_itself_is_a_leaflet(self) -> None:
        found = read(
            "# 1. What Alphadol is and what it is used for",
            "For gout.",
            "# 3. How to take Alphadol",
            "Twice.",
            "# 4. Possible side effects",
            "Rash.",
        )
        assert found.document.kind == "leaflet"
        assert {s.kind for s in found.document.sections} == {"patient_information"}

    def test_contents_of_a_leaflet_are_no_headings(self) -> None:
        found = read(
            "# Package leaflet: Information for the user",
            "# In this leaflet",
            "4. Possible side effects",
            "# 4. Possible side effects",
            "Rash.",
        ).document.sections
        assert [s.text for s in found] == ["", "4. Possible side effects", "Rash."]


class TestSeveralSummaries:
    def test_a_section_that_says_the_same_stands_once_and_one_that_differs_twice(self) -> None:
        found = read(*summary(), *summary("Alphadol 10 mg tablets", "10 mg"))
        texts = [s.text for s in found.document.sections]
        assert texts.count("Gout.") == texts.count("Once a day.") == 1
        assert any("5 mg of alphadol" in t for t in texts)
        assert any("10 mg of alphadol" in t for t in texts)
        assert [p.name for p in found.products] == ["Alphadol 5 mg tablets", "Alphadol 10 mg tablets"]
        assert "sections that repeat an earlier one word for word are kept once" in found.remarks

    def test_a_sign_is_a_difference(self) -> None:
        one = ["# 1. NAME OF THE MEDICINAL PRODUCT", "# 4.3 Contraindications"]
        texts = [s.text for s in read(*one, "Clearance < 30 ml/min.", *one, "Clearance > 30 ml/min.").document.sections]
        assert {"Clearance < 30 ml/min.", "Clearance > 30 ml/min."} <= set(texts)

    def test_a_section_kept_below_another_keeps_its_place(self) -> None:
        second = [t.replace("Once a day.", "Never.") for t in summary()]
        found: tuple[Section, ...] = read(*summary(), *second).document.sections
        at = next(i for i, s in enumerate(found) if s.text == "Never.")
        assert [(s.level, s.text) for s in found[at - 3 : at]] == [(1, ""), (2, ""), (3, "")]


class TestProducts:
    def test_name_strength_form_and_route_are_read(self) -> None:
        (product,) = read(*summary()).products
        assert (product.name, product.generic, product.form, product.routes) == (
            "Alphadol 5 mg tablets",
            "alphadol",
            "Tablet",
            ("oral",),
        )
        assert [(s.name, s.strength) for s in product.substances] == [("alphadol", "5 mg/tablet")]

    @pytest.mark.parametrize(
        ("says", "name", "moiety", "strength"),
        [
            ("Each tablet contains 5 mg alphadol (as besilate).", "alphadol besilate", "alphadol", "5 mg/tablet"),
            (
                "Each tablet contains alphadol sodium equivalent to 5 mg alphadol.",
                "alphadol sodium",
                "alphadol",
                "5 mg/tablet",
            ),
            (
                "Each vial contains 1 g of alphadol sodium corresponding to 0.9 g alphadol.",
                "alphadol sodium",
                "alphadol",
                "0.9 g/vial",
            ),
            ("One ml contains 100 units of alphadol*.", "alphadol", "", "100 units/ml"),
        ],
    )
    def test_salts_and_moieties_are_told_apart(self, says: str, name: str, moiety: str, strength: str) -> None:
        texts = [says if t.startswith("Each tablet") else t for t in summary()]
        (substance,) = read(*texts).products[0].substances
        assert (substance.name, substance.moiety, substance.strength) == (name, moiety, strength)

    def test_a_combination_has_both_substances(self) -> None:
        texts = [t.replace("of alphadol.", "of alphadol and 2.5 mg of betadol.") for t in summary()]
        assert [s.name for s in read(*texts).products[0].substances] == ["alphadol", "betadol"]

    def test_what_is_not_stated_plainly_is_remarked(self) -> None:
        texts = ["See below." if t.startswith("Each tablet") else t for t in summary()]
        found = read(*texts)
        assert found.products[0].substances == ()
        assert "the composition is not stated plainly; products have no active substance" in found.remarks

    def test_the_number_of_the_authorisation_names_the_document(self) -> None:
        assert (
            read(*summary(), "# 8. MARKETING AUTHORISATION NUMBER(S)", "EU/1/23/456/001").document.id
            == "label:eu-1-23-456-en"
        )


def test_no_text_is_refused() -> None:
    with pytest.raises(BadInput, match=r"x\.pdf: there is no text"):
        read()


WORDS = st.text("abcd .:", min_size=1, max_size=30).filter(lambda t: t.strip() == t and any(c.isalpha() for c in t))


@settings(deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["", "# ", "_ ", "- ", "# 4.2 ", "# 4.4 "]), WORDS), min_size=1, max_size=15))
def test_no_line_is_lost_and_levels_go_up_by_one(lines: list[tuple[str, str]]) -> None:
    found = read(*(mark + text for mark, text in lines)).document.sections
    said = {line for s in found for line in (*s.text.splitlines(), s.heading)}
    for _, text in lines:
        assert any(text.rstrip(" :") in line for line in said)
    before = 0
    for section in found:
        assert 1 <= section.level <= before + 1
        before = section.level


@pytest.mark.slow
@pytest.mark.parametrize("lang", ["en", "da"])
def test_a_summary_of_the_agency_has_its_clinical_sections_whole(lang: str) -> None:
    pytest.importorskip("pdfplumber")
    found = read_pdf(shared("eu-labels", f"karvea-epar-product-information_{lang}.pdf"))
    by_kind: dict[str, str] = {}
    for section in found.document.sections:
        by_kind[section.kind] = by_kind.get(section.kind, "") + f"\n{section.heading}\n{section.text}"
    assert found.document.lang == lang
    assert "aliskiren" in by_kind["contraindications"]
    assert "60" in by_kind["contraindications"]
    assert by_kind["renal"].casefold().count("karvea") >= 1
    assert "150 mg" in by_kind["dosage"]
    for drug in ("aliskiren", "ithium", "epaglinid", "hydrochlorthiazid" if lang == "da" else "hydrochlorothiazide"):
        assert drug in by_kind["interactions"]
    assert [s.strength.split("/")[0] for p in found.products for s in p.substances] == ["75 mg", "150 mg", "300 mg"] * 2
