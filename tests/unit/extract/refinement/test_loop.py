"""Gathering over documents: ranks, quotations, the stop rule; and the sample they come from."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from pharmakon.extract.claims import Sentence
from pharmakon.extract.refinement.areas import area_of, areas, sample
from pharmakon.extract.refinement.found import Found, Gap
from pharmakon.extract.refinement.loop import QUOTED, Gathered, Refined, refine
from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Document, Section
from pharmakon.model.refinement import entry_of


@dataclass(frozen=True)
class ByWord:
    """Every word of a sentence that ends in `!` is a gap of that name."""

    def read(self, sentences: Sequence[Sentence]) -> Found:
        return Found(
            tuple(
                Gap(entry_of("factor", w[:-1], {"shape": "flag", "label": w[:-1]}), w[:-1], "why", s)
                for s in sentences
                for w in s.text.split()
                if w.endswith("!")
            ),
            tuple(s.text for s in sentences if s.text.startswith("?")),
        )


def label(number: int, *lines: str) -> Gathered:
    section = Section(0, "warnings", "Warnings", "\n".join(lines))
    document = Document(f"label:{number}", "1", "label", "en", "Zorfan", str(number), (section,))
    found, at = [], 0
    for line in lines:
        found.append(Sentence(0, "warnings", "Warnings", at, at + len(line), line))
        at += len(line) + 1
    return document, found


def run(*documents: Gathered, settled: Collection[tuple[str, str]] = (), n_stable: int = 0, least: int = 2) -> Refined:
    return refine(documents, [ByWord()], settled, n_stable=n_stable, least=least)


def test_gaps_are_ranked_by_the_documents_that_show_them_not_by_sentences() -> None:
    found = run(label(1, "often!", "rare! rare! often!", "rare!"), label(2, "often!"), label(3, "often! rare!"))
    assert [(d.pattern, d.documents) for d in found.drafts] == [("often", 3), ("rare", 2)]


def test_what_one_document_alone_shows_is_not_proposed() -> None:
    assert run(label(1, "odd!")).drafts == ()
    assert [d.pattern for d in run(label(1, "odd!"), least=1).drafts] == ["odd"]


def test_quotations_are_of_different_documents_and_stand_in_them() -> None:
    documents = [label(n, "nothing", f"gap! {n}", "gap!") for n in range(9)]
    (draft,) = run(*documents).drafts
    assert draft.documents == 9
    assert len({q.document for q in draft.quotations}) == len(draft.quotations) == QUOTED
    texts = {document.id: document.sections[0].text for document, _ in documents}
    assert all(texts[q.document][q.start : q.end] == q.quote for q in draft.quotations)


def test_the_schema_is_stable_after_so_many_documents_in_a_row_without_a_new_gap() -> None:
    found = run(label(1, "a!"), label(2, "a!"), label(3, "b!"), *(label(n, "a! b!") for n in range(4, 30)), n_stable=5)
    assert (found.stable, found.read, found.quiet) == (True, 8, 5)


def test_documents_that_end_before_are_no_proof_of_stability() -> None:
    found = run(label(1, "a!"), label(2), label(3), n_stable=5)
    assert (found.stable, found.read, found.quiet) == (False, 3, 2)


def test_what_is_decided_and_what_fragments_keeps_nobody_from_being_stable() -> None:
    documents = [label(n, "refused! renal_dose!") for n in range(9)]
    found = run(*documents, settled={("factor", "refused")}, n_stable=3)
    assert (found.stable, found.read) == (True, 3)
    assert [d.pattern for d in found.drafts] == ["renal_dose"]
    assert found.overlaps["renal_dose"].existing == ("crcl", "egfr", "dialysis")


def test_drafts_that_were_refused_are_counted() -> None:
    assert run(label(1, "? bad"), label(2, "? bad")).refused == {"? bad": 2}


# ── the sample ─────────────────────────────────────────────────────────────────────────────────────


def test_an_atc_code_decides_the_area_and_classes_where_there_is_none() -> None:
    opioid = [ConceptId("class:opioid")]
    assert area_of(["L01XA01"], opioid, []) == "antineoplastic"
    assert area_of([], opioid, []) == "nervous-system"
    assert area_of([], [], [ConceptId("disease:asthma")]) == "respiratory"
    assert area_of(["A10BA02"], opioid, []) == ""
    assert area_of([], [], []) == ""


DOCUMENTS = st.dictionaries(st.text("abcdef", min_size=1, max_size=5), st.sampled_from([*areas(), ""]), max_size=40)


@given(DOCUMENTS, st.integers(1, 4), st.integers())
def test_a_sample_takes_at_most_so_many_of_each_area_and_of_no_other(
    held: dict[str, str], most: int, seed: int
) -> None:
    drawn = sample(held, most, seed)
    assert len(set(drawn)) == len(drawn)
    for area in areas():
        assert sum(held[d] == area for d in drawn) == min(most, sum(a == area for a in held.values()))
    assert all(held[d] for d in drawn)


@given(DOCUMENTS, st.integers(1, 4), st.integers())
def test_a_seed_draws_the_same_whatever_the_order(held: dict[str, str], most: int, seed: int) -> None:
    assert sample(dict(reversed(list(held.items()))), most, seed) == sample(held, most, seed)


def test_the_areas_take_turns() -> None:
    held = {f"{area}{n}": area for area in areas() for n in range(3)}
    assert [held[d] for d in sample(held, 2, 7)] == [*areas(), *areas()]
