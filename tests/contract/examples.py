"""A small world for the contract suites: a few drugs and diseases, one document, statements quoted from it."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import Code, Concept, ConceptId, Name
from pharmakon.model.documents import Citation, Document, Evidence, Section
from pharmakon.model.statements import Condition, Limit, Modifier, Statement, identified
from pharmakon.model.vocabulary import Tier

WARFARIN = ConceptId("ingredient:warfarin")
ASPIRIN = ConceptId("ingredient:aspirin")
IBUPROFEN = ConceptId("ingredient:ibuprofen")
METFORMIN = ConceptId("ingredient:metformin")
NSAIDS = ConceptId("class:nsaids")
SALICYLATES = ConceptId("class:salicylates")
ANTICOAGULANTS = ConceptId("class:anticoagulants")
ANALGESICS = ConceptId("class:analgesics")
ACIDS = ConceptId("class:acids")
FIBRILLATION = ConceptId("disease:atrial-fibrillation")
ARRHYTHMIA = ConceptId("disease:arrhythmia")
BLEEDING = ConceptId("outcome:bleeding")
NOBODY = ConceptId("ingredient:never-heard-of")


def concept(id: ConceptId, *names: Name, codes: Sequence[Code] = (), covered: str = "") -> Concept:
    english = Name(id.partition(":")[2].replace("-", " "), "en", "preferred")
    return Concept(id, (english, *names), tuple(codes), covered)


CONCEPTS = (
    concept(
        WARFARIN,
        Name("Coumadin", "en", "brand"),
        Name("华法林", "zh", "preferred"),
        codes=[Code("rxnorm", "11289"), Code("atc", "B01AA03")],
        covered="deep",
    ),
    concept(ASPIRIN, Name("acetylsalicylzuur", "nl", "preferred"), codes=[Code("rxnorm", "1191")], covered="thin"),
    concept(IBUPROFEN),
    concept(METFORMIN),
    concept(NSAIDS, codes=[Code("atc", "M01A", prefix=True)]),
    concept(SALICYLATES),
    concept(ANTICOAGULANTS, codes=[Code("atc", "B01", prefix=True)]),
    concept(ANALGESICS),
    concept(ACIDS),
    concept(FIBRILLATION, Name("心房颤动", "zh", "preferred"), codes=[Code("icd10", "I48", prefix=True)]),
    concept(ARRHYTHMIA, codes=[Code("icd10", "I4", prefix=True), Code("icd9", "427.9")]),
    concept(BLEEDING),
)

SENTENCES = (
    "Aspirin is a salicylate.",
    "Salicylates are NSAIDs.",
    "Ibuprofen is an NSAID.",
    "NSAIDs are analgesics.",
    "Warfarin is an anticoagulant.",
    "Anticoagulants interact with NSAIDs.",
    "Atrial fibrillation is an arrhythmia.",
    "Give at most 1,000 mg of metformin a day where clearance is below 45 mL/min.",
    "Paracetamol shows no relevant interaction with warfarin.",
    "Ibuprofen is an acid, and acids are analgesics.",
    "华法林与阿司匹林合用会增加出血风险。",
)


def document(
    id: str = "label:warfarin", version: str = "1", sentences: Sequence[str] = SENTENCES, kind: str = "label"
) -> Document:
    """One section with all sentences; each test quotes what it needs."""
    text = " ".join(sentences)
    section = Section(0, "interactions", "Interactions", text)
    digest = hashlib.sha256(text.encode()).hexdigest()
    return Document(id, version, kind, "en", f"About {id}", digest, (section,))


def quote(source: Document, sentence: str, proposer: str = "curator", citation: Citation | None = None) -> Evidence:
    section = source.sections[0]
    start = section.text.index(sentence)
    return Evidence(
        source.id, source.version, source.kind, section.kind, section.ord, start, start + len(sentence), sentence,
        proposer, citation, source.title, source.dated,
    )  # fmt: skip


LABEL = document()
PUBLISHED = Citation("Coumadin label", "set-id-1", "interactions", "7.2", "https://example.org/coumadin", True)


def said(
    subject: ConceptId,
    relation: str,
    object: ConceptId | None = None,
    *,
    evidence: Sequence[Evidence] = (quote(LABEL, SENTENCES[0]),),
    negative: bool = False,
    limit: Limit | None = None,
    when: tuple[tuple[Condition, ...], ...] = (),
    modifiers: tuple[Modifier, ...] = (),
    excluded: frozenset[ConceptId] = frozenset(),
    management: str = "",
) -> Statement:
    statement = Statement(
        id="",
        subject=subject,
        relation=relation,
        object=object,
        negative=negative,
        limit=limit,
        when=when,
        modifiers=modifiers,
        excluded=excluded,
        management=management,
        evidence=tuple(evidence),
    )
    return identified(statement)


ASPIRIN_IS_SALICYLATE = said(ASPIRIN, "belongs_to", SALICYLATES)
SALICYLATES_ARE_NSAIDS = said(SALICYLATES, "belongs_to", NSAIDS, evidence=[quote(LABEL, SENTENCES[1])])
IBUPROFEN_IS_NSAID = said(IBUPROFEN, "belongs_to", NSAIDS, evidence=[quote(LABEL, SENTENCES[2])])
IBUPROFEN_IS_ACID = said(IBUPROFEN, "belongs_to", ACIDS, evidence=[quote(LABEL, SENTENCES[9])])
ACIDS_ARE_ANALGESICS = said(ACIDS, "belongs_to", ANALGESICS, evidence=[quote(LABEL, SENTENCES[9])])
NSAIDS_ARE_ANALGESICS = said(NSAIDS, "belongs_to", ANALGESICS, evidence=[quote(LABEL, SENTENCES[3])])
WARFARIN_IS_ANTICOAGULANT = said(WARFARIN, "belongs_to", ANTICOAGULANTS, evidence=[quote(LABEL, SENTENCES[4])])
FIBRILLATION_IS_ARRHYTHMIA = said(FIBRILLATION, "is_a", ARRHYTHMIA, evidence=[quote(LABEL, SENTENCES[6])])
INTERACTION = said(
    ANTICOAGULANTS,
    "interacts_with",
    NSAIDS,
    evidence=[quote(LABEL, SENTENCES[5], citation=PUBLISHED)],
    modifiers=(Modifier((Condition("age", ">=", 65.0, text="aged 65 or more"),), Tier.CRITICAL, "Avoid."),),
    excluded=frozenset({METFORMIN}),
    management="Watch for bleeding.",
)
DOSE = said(
    METFORMIN,
    "dose_limit",
    limit=Limit(1000.0, "mg", "day"),
    when=((Condition("crcl", "<", 45.0),), (Condition("has", "in", values=(FIBRILLATION,)),)),
    evidence=[quote(LABEL, SENTENCES[7])],
)
NO_INTERACTION = said(
    METFORMIN, "interacts_with", WARFARIN, negative=True, evidence=[quote(LABEL, SENTENCES[8], proposer="pattern")]
)

STATEMENTS = (
    ASPIRIN_IS_SALICYLATE,
    SALICYLATES_ARE_NSAIDS,
    IBUPROFEN_IS_NSAID,
    IBUPROFEN_IS_ACID,
    ACIDS_ARE_ANALGESICS,
    NSAIDS_ARE_ANALGESICS,
    WARFARIN_IS_ANTICOAGULANT,
    FIBRILLATION_IS_ARRHYTHMIA,
    INTERACTION,
    DOSE,
    NO_INTERACTION,
)
WORLD = ChangeSet("test", "a small world", CONCEPTS, (LABEL,), STATEMENTS)


def change(
    *statements: Statement, concepts: Sequence[Concept] = (), documents: Sequence[Document] = (), why: str = "a test"
) -> ChangeSet:
    return ChangeSet("test", why, tuple(concepts), tuple(documents), statements)
