"""Any statement the vocabulary allows about the concepts of `examples`, for round trips."""

from __future__ import annotations

from hypothesis import strategies as st

from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.documents import Citation, Evidence
from pharmakon.model.statements import Clause, Condition, Limit, Modifier, Statement, identified
from pharmakon.model.vocabulary import Tier, factors, relations, risk_types
from tests.contract.examples import CONCEPTS, LABEL, SENTENCES, quote

#: hierarchies are left out: a drawn one may hold a cycle, which is refused
FREE = tuple(name for name, relation in sorted(relations().items()) if not relation.transitive)
IDS = tuple(c.id for c in CONCEPTS)

texts = st.text(st.characters(exclude_categories=["Cs"]), max_size=20)
numbers = st.floats(allow_nan=False, allow_infinity=False)


@st.composite
def conditions(draw: st.DrawFn) -> Condition:
    factor = factors()[draw(st.sampled_from(sorted(factors())))]
    tokens = st.sampled_from(IDS) if factor.shape == "concept" else texts
    return Condition(
        factor.name,
        draw(st.sampled_from(["<", "<=", ">", ">=", "is", "in", "not"])),
        draw(numbers),
        tuple(draw(st.lists(tokens, max_size=3))),
        draw(st.sampled_from(["subject", "object"])),
        draw(st.booleans()),
        draw(texts),
    )


clauses: st.SearchStrategy[Clause] = st.lists(conditions(), max_size=3).map(tuple)
modifiers = st.builds(Modifier, clauses, st.sampled_from(Tier), texts)
limits = st.builds(Limit, numbers, texts, texts)
citations = st.builds(Citation, texts, texts, texts, texts, texts, st.booleans())


@st.composite
def evidence(draw: st.DrawFn) -> Evidence:
    citation = draw(st.none() | citations)
    return quote(LABEL, draw(st.sampled_from(SENTENCES)), draw(st.sampled_from(["curator", "pattern"])), citation)


@st.composite
def statements(draw: st.DrawFn) -> Statement:
    """With at least one piece of evidence, all of it standing."""
    ends = [(relation, s, o) for relation in FREE for s in IDS for o in (*IDS, None) if _fits(relation, s, o)]
    relation, subject, object = draw(st.sampled_from(ends))
    statement = Statement(
        id="",
        subject=subject,
        relation=relation,
        object=object,
        negative=draw(st.booleans()),
        risk=draw(st.sampled_from(["", *sorted(risk_types())])),
        tier=draw(st.sampled_from(Tier)),
        limit=draw(st.none() | limits),
        strength=draw(st.sampled_from(["", "weak", "strong"])),
        when=tuple(draw(st.lists(clauses, max_size=3))),
        modifiers=tuple(draw(st.lists(modifiers, max_size=3))),
        first_true=draw(st.booleans()),
        excluded=frozenset(draw(st.lists(st.sampled_from(IDS), max_size=3))),
        mechanism=draw(texts),
        effect=draw(texts),
        management=draw(texts),
        evidence=tuple(draw(st.lists(evidence(), min_size=1, max_size=3, unique=True))),
    )
    return identified(statement)


def _fits(relation: str, subject: ConceptId, object: ConceptId | None) -> bool:
    allowed = relations()[relation]
    return kind_of(subject) in allowed.domain and ("" if object is None else kind_of(object)) in allowed.range
