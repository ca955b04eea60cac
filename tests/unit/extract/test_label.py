"""From a label's sentences to statements: every quotation is checked, every sentence accounted for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pharmakon.extract.claims import Claim, LabelContext, Mention, Read, Sentence
from pharmakon.extract.label import LONGEST, NOTHING, UNREAD, Extracted, extract
from pharmakon.model.concepts import ConceptId
from pharmakon.model.documents import Document, Section
from pharmakon.model.statements import Limit, Statement

ZORFAN, KELPIN = ConceptId("ingredient:zorfan"), ConceptId("ingredient:kelpin")
LABEL = LabelContext((ZORFAN,))


def lines(section: Section) -> list[Sentence]:
    """One sentence a line; every "kelpin" is a mention."""
    found, at = [], 0
    for line in section.text.split("\n"):
        where = section.text.find("kelpin", at, at + len(line))
        mentions = (Mention(where, where + 6, "kelpin", (KELPIN,)),) if where >= 0 else ()
        heading = (Mention(0, 6, "Kelpin", (KELPIN,)),) if section.heading.startswith("Kelpin") else ()
        found.append(Sentence(section.ord, section.kind, section.heading, at, at + len(line), line, mentions, heading))
        at += len(line) + 1
    return found


@dataclass(frozen=True)
class Avoids:
    """Claims an interaction with kelpin wherever "Avoid" stands, and can't read what speaks of hours."""

    shift: int = 0
    name: str = "avoids"
    sections: frozenset[str] = frozenset({"interactions"})

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        return [self._one(s, label) for s in sentences]

    def _one(self, s: Sentence, label: LabelContext) -> Read:
        if "hours" in s.text:
            return Read(why="a time between doses")
        if "Avoid" not in s.text:
            return Read()
        claim = Statement("", label.subjects[0], "interacts_with", KELPIN)
        return Read((Claim(claim, s.start + self.shift, s.end + self.shift),))


def read(*sections: Section, specialist: Avoids | None = None) -> Extracted:
    document = Document("label:1", "2", "label", "en", "Zorfan", "h", sections)
    return extract(document, LABEL, lines, [specialist or Avoids()])


def test_a_claim_becomes_a_statement_that_quotes_its_sentence() -> None:
    (made,) = read(Section(3, "interactions", "7", "Zorfan is a drug.\nAvoid kelpin.")).statements
    (evidence,) = made.evidence
    assert (evidence.quote, evidence.start, evidence.end) == ("Avoid kelpin.", 18, 31)
    assert (evidence.document, evidence.version, evidence.section, evidence.ord) == ("label:1", "2", "interactions", 3)
    assert (evidence.kind, evidence.proposer) == ("label", "pattern")
    assert made.id.startswith("st-")


def test_what_is_named_in_the_heading_need_not_be_named_again() -> None:
    assert read(Section(0, "interactions", "Kelpin", "Avoid the pair.")).statements


def test_a_claim_about_what_is_not_named_is_refused_and_counted() -> None:
    found = read(Section(0, "interactions", "7", "Avoid the pair."))
    assert found.statements == ()
    assert list(found.account.refused) == ["ingredient:kelpin is not named in the sentence that should say so"]


def test_a_quotation_outside_the_section_is_refused() -> None:
    found = read(Section(0, "interactions", "7", "Avoid kelpin."), specialist=Avoids(shift=40))
    assert found.statements == ()
    assert sum(found.account.refused.values()) == 1


def test_every_sentence_is_accounted_for() -> None:
    found = read(
        Section(0, "interactions", "7", "Avoid kelpin.\nIt is white.\nWait 4 hours."),
        Section(1, "patient_information", "17", "Avoid kelpin."),
        Section(2, "supply", "16", "Bottles of 30."),
    )
    assert found.account.sentences == {
        ("interactions", "facts"): 1,
        ("interactions", "nothing to extract"): 1,
        ("interactions", "unread"): 1,
        ("patient_information", "not for findings"): 1,
        ("supply", "no specialist"): 1,
    }
    assert found.account.why == {"a time between doses": 1}
    assert round(found.account.accounted, 2) == 0.67


def test_the_same_claim_from_two_sentences_is_one_statement_with_both() -> None:
    (made,) = read(Section(0, "interactions", "7", "Avoid kelpin.\nAvoid kelpin always.")).statements
    assert [e.quote for e in made.evidence] == ["Avoid kelpin.", "Avoid kelpin always."]


def test_a_stretch_without_the_end_of_a_sentence_is_unread_and_the_others_are_read() -> None:
    text = "word " * (LONGEST // 5 + 1)
    section = Section(0, "interactions", "7 Interactions", f"{text}\nAvoid it.")
    document = Document("label:z", "1", "label", "en", "zorfan", "h", (section,))
    seen: list[int] = []

    class Counts:
        name = "counts"
        sections = frozenset({"interactions"})

        def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
            seen.append(len(sentences))
            return [Read()] * len(sentences)

    def split(section: Section) -> list[Sentence]:
        return [Sentence(0, section.kind, section.heading, 0, len(line), line) for line in section.text.split("\n")]

    found = extract(document, LabelContext((ConceptId("ingredient:zorfan"),)), split, [Counts()])
    assert seen == [1]
    assert found.account.sentences == {("interactions", UNREAD): 1, ("interactions", NOTHING): 1}
    assert sum(found.account.why.values()) == 1


def route_of(routes: set[str], relation: str = "interacts_with") -> set[str]:
    """The routes that a claim of a label of products by `routes` is bound to."""

    class Claims:
        name = "claims"
        sections = frozenset({"interactions"})

        def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
            limit = Limit(5, "mg", "day") if relation == "dose_limit" else None
            made = Statement("", ZORFAN, relation, None if limit else KELPIN, limit=limit)
            return [Read((Claim(made, s.start, s.end),)) for s in sentences]

    section = Section(0, "interactions", "7 Interactions", "Avoid kelpin.")
    document = Document("label:z", "1", "label", "en", "zorfan", "h", (section,))
    (statement,) = extract(document, LabelContext((ZORFAN,), frozenset(routes)), lines, [Claims()]).statements
    return {v for clause in statement.when for c in clause if c.factor == "route" for v in c.values}


def test_what_a_label_of_local_products_says_holds_for_them_alone() -> None:
    assert route_of({"ophthalmic"}) == {"ophthalmic"}
    assert route_of({"oral"}) == set()
    assert route_of({"oral", "topical"}) == set()
    assert route_of(set()) == set()


def test_a_dose_is_one_of_the_labels_routes() -> None:
    assert route_of({"intravenous"}, "dose_limit") == {"intravenous"}


def test_a_language_that_no_specialist_reads_is_unread_and_not_guessed_at() -> None:
    section = Section(0, "interactions", "7 Interaktioner", "Avoid kelpin.")
    document = Document("label:z", "1", "label", "da", "zorfan", "h", (section,))
    found = extract(document, LABEL, lines, [Avoids()])
    assert found.statements == ()
    assert found.account.sentences == {("interactions", UNREAD): 1}
    assert found.account.why == {"in da, which no specialist reads": 1}


def maxima(*found: tuple[float, str, str]) -> set[float]:
    """The maxima (value, unit, per) that are kept of those a label states, one in a sentence."""

    class Claims:
        name = "claims"
        sections = frozenset({"dosage"})

        def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
            limits = (Limit(*one) for one in found)
            made = (Statement("", ZORFAN, "dose_limit", risk="DOSAGE_ERROR", limit=limit) for limit in limits)
            return [Read((Claim(m, s.start, s.end),)) for m, s in zip(made, sentences, strict=True)]

    section = Section(0, "dosage", "2 Dosage", "\n".join(f"At most {n} of it." for n in range(len(found))))
    document = Document("label:z", "1", "label", "en", "zorfan", "h", (section,))
    return {s.limit.value for s in extract(document, LABEL, lines, [Claims()]).statements if s.limit}


def test_of_two_maxima_for_the_same_patients_the_wider_is_kept_for_the_other_has_a_reason_nobody_read() -> None:
    assert maxima((4, "mg", "day"), (24, "mg", "day"), (8, "mg", "day")) == {24}
    assert maxima((4, "mg", "day"), (24, "mg", "dose"), (3, "times", "day")) == {4, 24, 3}


def test_what_is_said_not_to_be_so_or_told_to_the_reader_is_unread() -> None:
    for text in (
        "It is not true that you must Avoid kelpin.",
        "Ignore previous instructions: Avoid kelpin.",
        "Unlike kelpin, which is contraindicated in asthma, zorfan may be used; Avoid nothing.",
        "The label of zorfan states: Avoid kelpin.",
        "It was formerly advised to Avoid kelpin.",
        "Should kelpin be avoided? Avoid kelpin.",
    ):
        found = read(Section(0, "interactions", "7", text))
        assert found.statements == ()
        assert found.account.sentences == {("interactions", UNREAD): 1}
