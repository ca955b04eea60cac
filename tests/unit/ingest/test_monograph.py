"""Reading monographs: every kind of bad file is refused with its line and a reason."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ingest.formats.monograph import compose, read_monographs
from pharmakon.model.errors import BadMonograph

GOOD = """concept: ingredient:alphadol
depth: deep
names: {en: [alphadol, alphadole], nl: [alfadol], zh: [阿法]}
salts: [alphadol sodium]
brands: [Alphix]
lay: {en: [the alpha pill]}
codes: {rxnorm: ["1", "2"]}
prefixes: {atc: [A01]}
sources:
  label: {title: Alphadol label, set_id: abc, read: yes}
  guide: {title: A guide, doi: 10.1/x, read: no}
facts:
  - says: Alphadol is a betan.
    belongs_to: class:betan
    cite: label description
  - says: Alphadol treats ague.
    treats: disease:ague
    cite: [label indications 1.1, guide guidance]
"""


def refused(text: str | bytes) -> BadMonograph:
    with pytest.raises(BadMonograph) as caught:
        list(read_monographs(text if isinstance(text, bytes) else text.encode(), "bad.yaml"))
    return caught.value


def test_a_good_monograph_is_read_whole() -> None:
    (m,) = read_monographs(GOOD.encode(), "good.yaml")
    assert m.concept.id == "ingredient:alphadol"
    assert m.concept.display == "alphadol"
    assert m.concept.covered == "deep"
    assert {(n.text, n.lang, n.kind) for n in m.concept.names} >= {
        ("alphadole", "en", "synonym"),
        ("alfadol", "nl", "preferred"),
        ("阿法", "zh", "preferred"),
        ("Alphix", "en", "brand"),
        ("alphadol sodium", "en", "salt"),
        ("the alpha pill", "en", "lay"),
    }
    assert [(c.system, c.value, c.prefix) for c in m.concept.codes] == [
        ("rxnorm", "1", False),
        ("rxnorm", "2", False),
        ("atc", "A01", True),
    ]
    assert [e.place for e in m.entries] == ["good.yaml:13", "good.yaml:16"]
    first, second = m.entries[1].citations
    assert (first.section, first.locator, first.read) == ("indications", "1.1", True)
    assert (second.reference, second.read, second.url) == ("10.1/x", False, "https://doi.org/10.1/x")


def test_several_monographs_may_share_a_file() -> None:
    assert len(list(read_monographs(f"{GOOD}---\n{GOOD}".encode(), "two.yaml"))) == 2
    assert list(read_monographs(b"", "empty.yaml")) == []


@pytest.mark.parametrize(
    ("old", "new", "line", "reason"),
    [
        ("concept: ingredient:alphadol\n", "", 1, "no concept"),
        ("ingredient:alphadol", "Alphadol", 1, "is no concept id"),
        ("ingredient:alphadol", "gizmo:alphadol", 1, "is no concept id"),
        ("depth: deep", "depth: profound", 2, "depth 'profound'"),
        ("depth: deep", "colour: blue", 2, "unknown key 'colour'"),
        ("depth: deep", "depth: deep\ndepth: thin", 3, "stands here twice"),
        ("names: {en: [alphadol, alphadole], nl: [alfadol], zh: [阿法]}\n", "", 1, "has no names"),
        ("{en: [alphadol, alphadole], nl: [alfadol], zh: [阿法]}", "{nl: [alfadol]}", 3, "no English name"),
        ("nl: [alfadol]", "fr: [alphadol]", 3, "unknown key 'fr'"),
        ("names: {en: [alphadol, alphadole], nl: [alfadol], zh: [阿法]}", "names: alphadol", 3, "not a mapping"),
        ("[alphadol, alphadole]", "[alphadol, '']", 3, "not a text"),
        ("rxnorm:", "rxcui:", 7, "unknown key 'rxcui'"),
        (
            "label: {title: Alphadol label, set_id: abc, read: yes}",
            "label: {title: Alphadol label, set_id: abc}",
            10,
            "incomplete",
        ),
        ("set_id: abc, read: yes", "set_id: abc, read: maybe", 10, "incomplete"),
        ("set_id: abc, read: yes", "read: yes", 10, "can't be found"),
        ("set_id: abc", "isbn: abc", 10, "unknown key 'isbn'"),
        ("    belongs_to: class:betan\n", "", 13, "0 relations"),
        ("    belongs_to: class:betan\n", "    belongs_to: class:betan\n    treats: disease:ague\n", 13, "2 relations"),
        ("  - says: Alphadol is a betan.\n    belongs_to", "  - belongs_to", 13, "without 'says'"),
        ("    cite: label description\n", "", 13, "without 'cite'"),
        ("Alphadol is a betan.", "Alphadol is a betan", 13, "no full sentence"),
        ("cite: label description", "cite: leaflet description", 15, "source 'leaflet' is not declared"),
        ("cite: label description", "cite: label preamble", 15, "'preamble' is no section"),
        ("cite: label description", "cite: label", 15, "'' is no section"),
        ("    cite: label description", "    because: so\n    cite: label description", 15, "unknown key 'because'"),
        ("facts:\n", "facts: none\nfoo:\n", 12, "unknown key"),
        ("depth: deep", "depth: [deep", 3, "expected"),
        ("depth: deep", "depth: d\x1feep", 2, "can't stand in YAML"),
        ("depth: deep", "depth: deep: x", 2, "mapping values are not allowed"),
    ],
)
def test_a_bad_monograph_is_refused_with_its_line_and_the_reason(old: str, new: str, line: int, reason: str) -> None:
    assert old in GOOD
    error = refused(GOOD.replace(old, new, 1))
    assert reason in str(error)
    place, _, at = error.where.partition(":")
    assert place == "bad.yaml"
    assert abs(int(at) - line) <= 1, error


def test_bytes_that_are_no_text_are_refused() -> None:
    assert "not UTF-8" in str(refused(b"concept: \xff"))


@given(st.text(max_size=80))
def test_whatever_is_no_monograph_is_refused_and_nothing_else_happens(text: str) -> None:
    with suppress(BadMonograph):
        list(read_monographs(text.encode("utf-8", "surrogatepass"), "any.yaml"))


def test_every_passage_stands_at_its_place_in_the_document() -> None:
    (m,) = read_monographs(GOOD.encode(), "good.yaml")
    passages = {i: e.says for i, e in enumerate(m.entries)}
    document, at = compose(m, passages)
    assert [s.kind for s in document.sections] == ["indications", "description"]
    for i, (ord, start) in at.items():
        assert document.sections[ord].text[start : start + len(passages[i])] == passages[i]


def test_the_same_text_is_the_same_version_and_another_is_not() -> None:
    (m,) = read_monographs(GOOD.encode(), "good.yaml")
    one, _ = compose(m, {0: "A.", 1: "B."})
    again, _ = compose(m, {0: "A.", 1: "B."})
    other, _ = compose(m, {0: "A.", 1: "C."})
    assert one == again
    assert one.version != other.version
    assert one.id == other.id


def test_a_changed_fact_is_a_new_version_even_where_its_sentence_stays() -> None:
    (before,) = read_monographs(GOOD.encode(), "good.yaml")
    passages = {i: entry.says for i, entry in enumerate(before.entries)}
    softer = replace(before.entries[0], fields={**before.entries[0].fields, "tier": "info"})
    after = replace(before, entries=(softer, *before.entries[1:]))
    assert compose(after, passages)[0].version != compose(before, passages)[0].version


def test_a_silence_of_the_source_is_a_sentence_of_the_document() -> None:
    silent = GOOD.replace("facts:", "states_none: {renal: label dosage 2}\nfacts:", 1)
    (m,) = read_monographs(silent.encode(), "good.yaml")
    document, _ = compose(m, {i: entry.says for i, entry in enumerate(m.entries)})
    assert any("states no rule for impaired kidneys" in section.text for section in document.sections)


def test_a_silence_of_a_source_that_was_not_read_is_refused() -> None:
    silent = GOOD.replace("facts:", "states_none: {renal: beers guidance}\nfacts:", 1)
    silent = silent.replace("sources:", "sources:\n  beers: {title: AGS Beers, doi: 10.1111/jgs.18372, read: no}", 1)
    with pytest.raises(BadMonograph, match="not read"):
        list(read_monographs(silent.encode(), "bad.yaml"))
