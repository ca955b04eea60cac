"""Bringing documents in: what is stored, passed over, refused, and what a later version takes away."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from pharmakon.adapters.store.embedded import EmbeddedKnowledge, open_embedded
from pharmakon.app.ingest import BATCH, ingest
from pharmakon.app.summary import Summary
from pharmakon.extract.claims import Claim, LabelContext, Mention, Read, Sentence
from pharmakon.extract.label import Sentences
from pharmakon.ingest.incoming import Incoming
from pharmakon.link.mentions import KINDS
from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Document, Section
from pharmakon.model.errors import BadInput
from pharmakon.model.products import Product, Substance
from pharmakon.model.statements import Statement
from pharmakon.ports.knowledge import KnowledgeBase, Names


def label(id: str, *lines: str, version: str = "1", drug: str = "zorfan") -> Incoming:
    text = "\n".join(lines)
    section = Section(0, "interactions", "7 Interactions", text)
    document = Document(f"label:{id}", version, "label", "en", drug, f"hash of {text}", (section,))
    return Incoming(document, (Product(drug.title(), substances=(Substance(drug, True),)),))


def splitter(lexicon: Names) -> Sentences:
    """A sentence a line; the words of a line that the lexicon knows are its mentions."""
    named: dict[str, list[ConceptId]] = {}
    for folded, concept, _ in lexicon.names(KINDS):
        named.setdefault(folded, []).append(concept)

    def sentences(section: Section) -> Iterator[Sentence]:
        at = 0
        for line in section.text.split("\n"):
            mentions, place = [], at
            for word in line.split(" "):
                concepts = tuple(dict.fromkeys(named.get(word.strip(".").lower(), ())))
                if concepts:
                    mentions.append(Mention(place, place + len(word.strip(".")), word, concepts))
                place += len(word) + 1
            yield Sentence(section.ord, section.kind, section.heading, at, at + len(line), line, tuple(mentions))
            at += len(line) + 1

    return lambda section: list(sentences(section))


@dataclass(frozen=True)
class Avoids:
    name: str = "avoids"
    sections: frozenset[str] = frozenset({"interactions"})

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        return [
            Read(
                tuple(
                    Claim(Statement("", label.subjects[0], "interacts_with", m.concepts[0]), s.start, s.end)
                    for m in s.mentions
                    if m.concepts[0] not in label.subjects
                )
            )
            for s in sentences
        ]


@pytest.fixture
def knowledge(tmp_path: Path) -> Iterator[EmbeddedKnowledge]:
    with closing(open_embedded(tmp_path / "kb")) as opened:
        yield opened


def bring(knowledge: KnowledgeBase, *incoming: Incoming | BadInput) -> Summary:
    def source() -> Iterable[Incoming | BadInput]:
        return iter(incoming)

    return ingest(knowledge, source, splitter, [Avoids()])


def pairs(knowledge: KnowledgeBase) -> set[tuple[str, str | None]]:
    drugs = {c for _, c, _ in knowledge.names({"ingredient"})}
    return {(s.subject, s.object) for s in knowledge.about(drugs, ("interacts_with",))}


KELPIN = label("k", "It is white.", drug="kelpin")


def test_a_label_may_name_a_drug_whose_own_label_comes_later(knowledge: EmbeddedKnowledge) -> None:
    summary = bring(knowledge, label("z", "Avoid kelpin."), KELPIN)
    assert (summary.stored, len(summary.concepts), summary.statements) == (2, 2, 1)
    assert pairs(knowledge) == {("ingredient:zorfan", "ingredient:kelpin")}
    assert list(knowledge.check()) == []


def test_the_same_again_changes_nothing(knowledge: EmbeddedKnowledge) -> None:
    bring(knowledge, label("z", "Avoid kelpin."), KELPIN)
    before = knowledge.change_no()
    summary = bring(knowledge, label("z", "Avoid kelpin."), KELPIN)
    assert (summary.stored, summary.unchanged) == (0, 2)
    assert knowledge.change_no() == before


def test_a_new_version_retires_what_only_the_old_one_said(knowledge: EmbeddedKnowledge) -> None:
    bring(knowledge, label("z", "Avoid kelpin."), KELPIN)
    summary = bring(knowledge, label("z", "It is blue.", version="2"))
    assert (summary.stored, summary.retired) == (1, 1)
    assert pairs(knowledge) == set()


def test_a_copy_of_a_text_is_one_source(knowledge: EmbeddedKnowledge) -> None:
    summary = bring(knowledge, label("z", "Avoid kelpin."), label("repackager", "Avoid kelpin."), KELPIN)
    assert summary.copies == [("label:repackager", "label:z")]
    again = bring(knowledge, label("another", "Avoid kelpin."))
    assert again.copies == [("label:another", "label:z")]


def test_a_label_that_comes_twice_in_one_run_is_stored_once(knowledge: EmbeddedKnowledge) -> None:
    summary = bring(knowledge, label("z", "Avoid kelpin."), KELPIN, label("z", "Avoid kelpin."))
    assert (summary.stored, summary.unchanged) == (2, 1)
    assert list(knowledge.check()) == []


def test_the_text_of_a_version_that_was_refused_is_copied_by_nobody(knowledge: EmbeddedKnowledge) -> None:
    bring(knowledge, KELPIN, label("z", "Nothing.", version="3"))
    summary = bring(knowledge, label("z", "Avoid kelpin.", version="2"), label("y", "Avoid kelpin."))
    assert [str(e) for e in summary.refused] == ["label:z: version 2 is older than 3, which is held"]
    assert summary.copies == []
    assert pairs(knowledge) == {("ingredient:zorfan", "ingredient:kelpin")}


def test_what_can_not_be_read_is_refused_and_the_others_come_in(knowledge: EmbeddedKnowledge) -> None:
    summary = bring(knowledge, BadInput("0 bytes", where="empty.xml", expected="a label"), label("z", "Avoid kelpin."))
    assert summary.stored == 1
    assert [str(e) for e in summary.refused] == ["empty.xml: 0 bytes; expected a label"]


def test_a_deleted_document_leaves_no_statement_behind(knowledge: EmbeddedKnowledge) -> None:
    bring(knowledge, label("z", "Avoid kelpin."), KELPIN)
    knowledge.delete_document("label:z", "test", "gone")
    assert pairs(knowledge) == set()
    assert list(knowledge.check()) == []


def test_an_interrupted_run_goes_on_where_it_stopped(
    knowledge: EmbeddedKnowledge, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pharmakon.app.gathering.KEPT", 0)  # so that everything is read a second time
    labels = [label(str(n), f"Text {n}.", drug=f"drug{n}") for n in range(BATCH + 5)]

    class Stops(Exception):
        pass

    rounds = []

    def source() -> Iterator[Incoming | BadInput]:
        rounds.append(1)
        for n, one in enumerate(labels):
            if len(rounds) == 2 and n == BATCH + 2:
                raise Stops
            yield one

    with pytest.raises(Stops):
        ingest(knowledge, source, splitter, [Avoids()])
    assert len(knowledge.documents()) == BATCH
    summary = bring(knowledge, *labels)
    assert (summary.unchanged, summary.stored) == (BATCH, 5)


def test_a_copy_keeps_its_own_brand_and_goes_with_it(knowledge: EmbeddedKnowledge) -> None:
    other = label("repackager", "Avoid kelpin.")
    branded = Incoming(other.document, (Product("Zorbrand", substances=(Substance("zorfan", True),)),))
    bring(knowledge, label("z", "Avoid kelpin."), branded, KELPIN)
    assert "zorbrand" in knowledge.by_name(["zorbrand"])
    again = bring(knowledge, branded)
    assert (again.stored, again.copies) == (0, [("label:repackager", "label:z")])
    knowledge.delete_document("label:repackager", "test", "gone")
    assert knowledge.by_name(["zorbrand"]) == {}
    assert list(knowledge.check()) == []


def test_a_copy_takes_over_when_the_original_is_gone_and_it_comes_again(knowledge: EmbeddedKnowledge) -> None:
    bring(knowledge, label("z", "Avoid kelpin."), label("repackager", "Avoid kelpin."), KELPIN)
    knowledge.delete_document("label:z", "test", "gone")
    assert pairs(knowledge) == set()
    bring(knowledge, label("repackager", "Avoid kelpin."))
    assert pairs(knowledge) == {("ingredient:zorfan", "ingredient:kelpin")}


def test_a_drug_that_another_label_speaks_of_outlives_its_own_label(knowledge: EmbeddedKnowledge) -> None:
    bring(knowledge, label("z", "Avoid kelpin."), KELPIN)
    knowledge.delete_document("label:k", "test", "gone")
    assert pairs(knowledge) == {("ingredient:zorfan", "ingredient:kelpin")}
    assert list(knowledge.check()) == []
    knowledge.delete_document("label:z", "test", "gone")
    assert list(knowledge.names({"ingredient"})) == []


def test_reading_again_takes_back_what_is_not_said_any_more(knowledge: EmbeddedKnowledge) -> None:
    bring(knowledge, label("z", "Avoid kelpin."), KELPIN)
    source = lambda: iter([label("z", "Avoid kelpin."), KELPIN])  # noqa: E731
    summary = ingest(knowledge, source, splitter, [], again=True)
    assert (summary.stored, summary.retired) == (2, 1)
    assert pairs(knowledge) == set()
    ingest(knowledge, source, splitter, [Avoids()], again=True)
    assert pairs(knowledge) == {("ingredient:zorfan", "ingredient:kelpin")}


def test_what_is_doubtful_is_kept_for_a_person(knowledge: EmbeddedKnowledge) -> None:
    bring(knowledge, label("z", "It is blue."))
    brand = Incoming(label("k", "It is white.", drug="kelpin").document,
                     (Product("Zorfan", substances=(Substance("kelpin", True),)),))  # fmt: skip
    summary = bring(knowledge, brand)
    assert [d.doubt.taken_as for d in knowledge.doubts()] == ["ingredient:kelpin"]
    assert {d.name for d in summary.doubts} == {"Zorfan"}


def test_versions_without_order_are_a_remark_and_the_one_read_last_is_kept(knowledge: EmbeddedKnowledge) -> None:
    bring(knowledge, label("z", "Avoid kelpin.", version="draft"), KELPIN)
    summary = bring(knowledge, label("z", "It is blue.", version="final"))
    assert [r for r in summary.remarks if "label:z: version final and draft have no order" in r]
    assert (summary.stored, [str(e) for e in summary.refused]) == (1, [])
    held = knowledge.document("label:z")
    assert held is not None
    assert held.version == "final"


def test_a_version_in_parts_is_older_where_its_number_is_lower(knowledge: EmbeddedKnowledge) -> None:
    bring(knowledge, label("z", "Avoid kelpin.", version="1.10"), KELPIN)
    summary = bring(knowledge, label("z", "It is blue.", version="1.9"))
    assert [str(e) for e in summary.refused] == ["label:z: version 1.9 is older than 1.10, which is held"]


def test_an_older_version_is_told_by_its_day_where_versions_are_ids(knowledge: EmbeddedKnowledge) -> None:
    new, old = label("z", "Avoid kelpin.", version="c0ffee"), label("z", "It is blue.", version="beef")
    summary = bring(knowledge, replace(new, effective="2026-03-01"), replace(old, effective="2025-03-01"), KELPIN)
    assert [e.what for e in summary.refused] == ["version beef is older than c0ffee, which is held"]


def test_an_article_is_stored_and_found_though_it_names_no_drug_of_its_own(knowledge: EmbeddedKnowledge) -> None:
    section = Section(0, "interactions", "What does it interact with?", "Zorfan and kelpin.")
    article = Document("encyclopaedia:gout", "1", "encyclopaedia", "en", "Gout", "hash", (section,))
    summary = bring(knowledge, label("z", "It is white."), KELPIN, Incoming(article))
    assert (summary.stored, summary.refused, dict(summary.remarks)) == (3, [], {})
    assert knowledge.document("encyclopaedia:gout") is not None
    assert pairs(knowledge) == set()
