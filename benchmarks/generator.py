"""Synthetic knowledge of any size that has the shape of the real thing: the same seed gives the same statements.

About forty statements an ingredient, each quoted from the ingredient's own document: membership in a tree of classes,
dose rules with conditions, interactions with ingredients and classes, contraindications in a tree of diseases,
 effects and harms. Names are numbers; nothing in it is medicine.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from pharmakon.model.changes import ChangeSet
from pharmakon.model.concepts import Code, Concept, ConceptId, Name
from pharmakon.model.documents import Citation, Document, Evidence, Section
from pharmakon.model.statements import Clause, Condition, Limit, Modifier, Statement, identified
from pharmakon.model.vocabulary import Tier

_PER_INGREDIENT = 40
_CHUNK = 20_000  #: statements a change set


@dataclass(frozen=True, slots=True)
class World:
    """The concepts that `n` statements are about; counts follow from `n`."""

    ingredients: tuple[ConceptId, ...]
    classes: tuple[ConceptId, ...]
    diseases: tuple[ConceptId, ...]
    effects: tuple[ConceptId, ...]
    outcomes: tuple[ConceptId, ...]


def world(n: int) -> World:
    ingredients = max(40, n // _PER_INGREDIENT)
    return World(
        _ids("ingredient", ingredients),
        _ids("class", max(15, ingredients // 5)),
        _ids("disease", max(20, ingredients // 3)),
        _ids("effect", 40),
        _ids("outcome", 60),
    )


def changes(n: int, seed: int = 1) -> Iterator[ChangeSet]:
    """At least `n` statements as change sets: first concepts with their hierarchies, then documents."""
    rng = random.Random(seed)
    about = world(n)
    first = _hierarchies(about, rng)
    yield first
    left = n - len(first.statements)
    documents: list[Document] = []
    statements: list[Statement] = []
    for number in range(len(about.ingredients) * 2):
        if left <= 0:
            break
        document, said = _label(about, about.ingredients[number % len(about.ingredients)], number, rng)
        documents.append(document)
        statements += said[:left]
        left -= len(said)
        if len(statements) >= _CHUNK or left <= 0:
            yield ChangeSet("benchmark", "labels", (), tuple(documents), tuple(statements))
            documents, statements = [], []


def _ids(kind: str, count: int) -> tuple[ConceptId, ...]:
    return tuple(ConceptId(f"{kind}:{kind}-{number}") for number in range(count))


def _concept(id: ConceptId, number: int) -> Concept:
    kind, _, slug = id.partition(":")
    name = slug.replace("-", " ")
    names = [Name(name, "en", "preferred"), Name(f"{name} merk", "nl", "brand"), Name(f"药{number}", "zh", "synonym")]
    code = Code("icd10", f"{chr(65 + number % 26)}{number:05d}", prefix=True) if kind == "disease" else None
    return Concept(id, tuple(names), (code,) if code else (), "deep" if kind == "ingredient" else "")


class _Writer:
    """A document in the making: each sentence is quoted by the statement made with it."""

    def __init__(self, id: str) -> None:
        self.id, self.parts, self.length = id, list[str](), 0
        self.statements: list[Statement] = []
        self.citation = Citation(f"Label {id}", f"set-{id}", "interactions", "7", f"https://example.org/{id}", True)

    def say(self, subject: ConceptId, relation: str, object: ConceptId | None = None, **rest: object) -> None:
        sentence = f"{subject} {relation} {object or 'nothing else'}, says sentence {len(self.parts)} of this label."
        start = self.length
        self.parts.append(sentence)
        self.length += len(sentence) + 1
        evidence = Evidence(
            self.id, "1", "label", "interactions", 0, start, start + len(sentence), sentence, "pattern", self.citation
        )
        statement = Statement("", subject, relation, object, evidence=(evidence,), **rest)  # type: ignore[arg-type]
        self.statements.append(identified(statement))

    def document(self) -> Document:
        section = Section(0, "interactions", "Interactions", " ".join(self.parts))
        return Document(self.id, "1", "label", "en", f"Label {self.id}", f"hash-{self.id}", (section,))


def _hierarchies(about: World, rng: random.Random) -> ChangeSet:
    writer = _Writer("hierarchy")
    for ids, relation in ((about.classes, "belongs_to"), (about.diseases, "is_a")):
        for number, child in enumerate(ids[1:], 1):
            writer.say(child, relation, ids[number // 8])  # a tree with eight branches at every node
    for number, left in enumerate(about.classes):
        right = rng.choice(about.classes)
        if right != left and number % 2:
            writer.say(
                left, "interacts_with", right, management="Watch.", excluded=frozenset(rng.sample(about.ingredients, 2))
            )
    everything = (*about.ingredients, *about.classes, *about.diseases, *about.effects, *about.outcomes)
    concepts = tuple(_concept(id, number) for number, id in enumerate(everything))
    return ChangeSet("benchmark", "hierarchies", concepts, (writer.document(),), tuple(writer.statements))


def _label(about: World, drug: ConceptId, number: int, rng: random.Random) -> tuple[Document, list[Statement]]:
    writer = _Writer(f"label-{number}")
    for parent in rng.sample(about.classes[len(about.classes) // 8 :], 2):
        writer.say(drug, "belongs_to", parent)
    for _ in range(10):
        limit = Limit(float(rng.randrange(10, 4000, 10)), "mg", "day")
        writer.say(drug, "dose_limit", limit=limit, when=(_guard(about, rng),), risk="DOSAGE_ERROR")
    for other in rng.sample(about.ingredients, 7):
        if other != drug:
            modifier = Modifier((Condition("age", ">=", 65.0),), Tier.CRITICAL, "Choose another.")
            writer.say(drug, "interacts_with", other, modifiers=(modifier,), mechanism="CYP", management="Watch.")
    for other in rng.sample(about.classes, 3):
        writer.say(drug, "interacts_with", other, management="Watch.")
    for disease in rng.sample(about.diseases, 6):
        relation = rng.choice(("contraindicated_in", "requires_caution_with"))
        writer.say(drug, relation, disease, when=(_guard(about, rng),) if rng.random() < 0.3 else ())
    for effect in rng.sample(about.effects, 2):
        writer.say(drug, "has_effect", effect, strength="moderate")
    for outcome in rng.sample(about.outcomes, 4):
        writer.say(drug, "causes", outcome)
    for disease in rng.sample(about.diseases, 3):
        writer.say(drug, "treats", disease)
    for route in ("oral", "intravenous"):
        writer.say(drug, "given_by", when=((Condition("route", "is", values=(route,)),),))
    writer.say(drug, "dose_adjustment", when=(_guard(about, rng),), management="Halve the dose.")
    return writer.document(), writer.statements


def _guard(about: World, rng: random.Random) -> Clause:
    chosen = rng.randrange(4)
    if chosen == 0:
        return (Condition("crcl", "<", float(rng.randrange(10, 90, 5))),)
    if chosen == 1:
        return Condition("age", ">=", float(rng.randrange(60, 90))), Condition("route", "is", values=("oral",))
    if chosen == 2:
        return (Condition("has", "in", values=(rng.choice(about.diseases),)),)
    return Condition("crcl", ">=", 30.0), Condition("crcl", "<", float(rng.randrange(35, 90, 5)))
