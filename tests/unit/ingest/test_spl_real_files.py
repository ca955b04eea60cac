"""Real labels, where they are present: current format, old format, over the counter, kits, repackaged, no label."""

from __future__ import annotations

import re
from functools import cache

import pytest
from lxml import etree

from pharmakon.ingest import archive
from pharmakon.ingest.formats.spl import read_spl
from pharmakon.ingest.incoming import Incoming
from pharmakon.model.concepts import Code
from pharmakon.model.errors import BadInput
from pharmakon.model.vocabulary import section_kinds
from tests.shared_data import shared
from tests.unit.ingest.spl_files import TODAY

BRAND, REPACKAGED = "lipitor-2014.xml", "lipitor-repackager-2012.xml"
KITS, OTC, OLD = "humira-kits.xml", "otc-cough-combination.xml", "haloperidol-old-format-no-title.xml"


@cache
def incoming(name: str) -> Incoming:
    return read_spl(shared("spl-labels", name).read_bytes(), name, TODAY)


@pytest.mark.parametrize(
    ("name", "title", "version", "day", "products", "sections"),
    [
        (BRAND, "LIPITOR® (atorvastatin calcium) Tablets for oral administration", "11", "2014-01-13", 4, 117),
        (REPACKAGED, "LIPITOR® (atorvastatin calcium) Tablets for oral administration", "8", "2012-02-29", 1, 100),
        (KITS, "HUMIRA (adalimumab) injection, for subcutaneous use", "1560", "2013-09-30", 8, 80),
        (OLD, "Haloperidol", "1", "2010-07-28", 1, 43),
    ],
)
def test_a_label_is_read_whole(name: str, title: str, version: str, day: str, products: int, sections: int) -> None:
    read = incoming(name)
    assert (read.document.title, read.document.version, read.effective) == (title, version, day)
    assert (len(read.products), len(read.document.sections)) == (products, sections)


@pytest.mark.parametrize("name", [BRAND, REPACKAGED, KITS, OTC, OLD])
def test_no_word_of_a_label_is_lost(name: str) -> None:
    read = "\n".join(f"{s.heading}\n{s.text}" for s in incoming(name).document.sections).casefold()
    root = etree.fromstring(shared("spl-labels", name).read_bytes())
    texts = [*root.iterfind(".//{*}section/{*}text"), *root.iterfind(".//{*}highlight/{*}text")]
    pieces = [str(t) for text in texts for t in text.itertext()]
    words = {word for piece in pieces for word in re.findall(r"[a-z0-9]{3,}", piece.casefold())}
    assert len(words) > 100
    assert {word for word in words if word not in read} == set()


def test_pregnancy_stands_under_contraindications_and_among_the_populations() -> None:
    kinds = {s.heading: s.kind for s in incoming(BRAND).document.sections if s.kind != "highlights"}
    assert (kinds["4.3 Pregnancy"], kinds["8.1 Pregnancy"]) == ("contraindications", "pregnancy")
    assert (kinds["2.5 Dosage in Patients With Renal Impairment"], kinds["8.6 Hepatic Impairment"]) == (
        "renal",
        "hepatic",
    )
    assert {k for h, k in kinds.items() if h.startswith("7.")} == {"interactions"}


def test_the_table_of_interacting_agents_is_read_by_rows() -> None:
    section = next(s for s in incoming(BRAND).document.sections if s.heading == "5.1 Skeletal Muscle")
    rows = [line for line in section.text.split("\n") if line.startswith("Interacting Agents: ")]
    assert len(rows) == 4
    assert all(" | Prescribing Recommendations: " in row for row in rows)
    assert "Clarithromycin" in rows[2]
    assert "20 mg" in rows[2]


def test_headings_over_several_columns_reach_every_row() -> None:
    lines = [line for s in incoming(BRAND).document.sections if s.kind == "pharmacology" for line in s.text.split("\n")]
    rows = [line for line in lines if line.startswith("Co-administered drug and dosing regimen: ")]
    assert len(rows) > 20
    assert all(" | Atorvastatin, Dose (mg): " in row and " | Atorvastatin, Change in AUC" in row for row in rows)


def test_each_strength_of_the_brand_is_a_product_with_the_salt_and_its_moiety() -> None:
    products = incoming(BRAND).products
    assert [p.substances[0].strength for p in products] == [f"{n} mg/1 tablet" for n in (10, 20, 40, 80)]
    for product in products:
        (active,) = (s for s in product.substances if s.active)
        assert active.codes == (Code("unii", "48A5M73Z4Q"),)
        assert (active.moiety, active.moiety_codes) == ("ATORVASTATIN", (Code("unii", "A0JWA85V8F"),))
        assert {"LACTOSE MONOHYDRATE"} <= {s.name for s in product.substances if not s.active}
        assert product.routes == ("oral",)


def test_a_repackager_names_the_product_it_took() -> None:
    assert "repackaged: Lipitor comes from ndc 0071-0156" in incoming(REPACKAGED).remarks
    assert incoming(REPACKAGED).document.id != incoming(BRAND).document.id


def test_kits_hold_nothing_themselves_and_the_swab_is_no_injection() -> None:
    products = incoming(KITS).products
    kits = [p for p in products if p.form == "KIT"]
    assert len(kits) == 3
    assert all(not kit.substances and not kit.routes and kit.codes for kit in kits)
    injections = [p for p in products if any(s.active for s in p.substances)]
    assert {p.routes for p in injections} == {("subcutaneous",)}
    assert {p.substances[0].strength for p in injections} == {"40 mg/0.8 mL", "20 mg/0.4 mL"}
    (swab,) = (p for p in products if p.form == "SWAB")
    assert swab.routes == ("topical",)


def test_nested_adverse_reactions_are_given_once_each() -> None:
    found = [s for s in incoming(KITS).document.sections if s.kind == "adverse_reactions"]
    assert len({s.text for s in found}) == len(found)


def test_a_label_over_the_counter_is_told_by_its_own_headings() -> None:
    read = incoming(OTC)
    kinds = {s.heading: s.kind for s in read.document.sections}
    assert kinds["Do not use"] == "contraindications"
    assert kinds["Ask a doctor or pharmacist before use if the child is"] == "interactions"
    (product,) = read.products
    assert [(s.name, s.strength) for s in product.substances if s.active] == [
        ("DIPHENHYDRAMINE HYDROCHLORIDE", "6.25 mg/5 mL"),
        ("PHENYLEPHRINE HYDROCHLORIDE", "2.5 mg/5 mL"),
    ]
    assert not any(s.kind == "boxed_warning" for s in read.document.sections)


def test_the_old_format_has_one_boxed_warning_and_its_boxes_of_doses_are_doses() -> None:
    read = incoming(OLD)
    assert [s.ord for s in read.document.sections if s.kind == "boxed_warning"] == [0]
    assert sum(remark.startswith("boxed: ") for remark in read.remarks) == 3
    deepest = next(s for s in read.document.sections if s.heading == "Class Effect")
    assert (deepest.level, deepest.kind) == (5, "adverse_reactions")


def test_texts_for_patients_and_packaging_support_no_finding() -> None:
    for name in (BRAND, KITS):
        silent = {s.kind for s in incoming(name).document.sections if section_kinds()[s.kind].reader}
        assert silent == {"highlights", "patient_information", "packaging"}


def test_an_indexing_file_is_refused_by_what_it_is() -> None:
    data = shared("spl-labels", "indexing-not-a-label.xml").read_bytes()
    with pytest.raises(BadInput, match="this is an index of pharmacologic classes"):
        read_spl(data, "indexing-not-a-label.xml", TODAY)


def test_a_zip_of_dailymed_is_read_from_the_zip() -> None:
    (member,) = (
        read_spl(member.read(10**8), member.name, TODAY)
        for member in archive.members(shared("spl-labels", "dailymed-zip-otc.zip"), (".xml",))
        if isinstance(member, archive.Member)
    )
    (product,) = member.products
    assert (product.generic, product.routes, product.form) == ("Minoxidil", ("topical",), "AEROSOL, FOAM")
    assert {"contraindications", "dosage", "pregnancy"} <= {s.kind for s in member.document.sections}
