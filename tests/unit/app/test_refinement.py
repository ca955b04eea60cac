"""The whole round: labels are sampled, gaps proposed, decided by a person, and gone from the next run."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from pharmakon.adapters.store.embedded import EmbeddedKnowledge, open_embedded
from pharmakon.app import refinement
from pharmakon.app.refinement import Proposed, Sampling
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import BadInput
from pharmakon.model.refinement import Draft, entry_of
from pharmakon.model.vocabulary import factors
from tests.contract.examples import change, concept, document, quote, said

BETA, ZORFAN = ConceptId("class:beta-blocker"), ConceptId("ingredient:zorfan")
OWN = "Zorfan is a beta blocker."
PLATELETS = "Stop it where platelets are below 50,000/mm3."
RATE = "The infusion rate must not exceed 25 mg/min."
PLAIN = "Reduce the dose where creatinine clearance is below 30 mL/min."


def labels(*texts: tuple[str, ...]) -> Any:
    documents = [document(f"label:z{n}", sentences=[OWN, *text]) for n, text in enumerate(texts)]
    claim = said(ZORFAN, "belongs_to", BETA, evidence=[quote(d, OWN) for d in documents])
    return change(claim, concepts=[concept(ZORFAN), concept(BETA)], documents=documents)


@pytest.fixture
def knowledge(tmp_path: Path, seed_only: None) -> Iterator[EmbeddedKnowledge]:
    found = open_embedded(tmp_path / "kb")
    found.apply(labels((PLATELETS, RATE), (PLATELETS, PLAIN), (PLATELETS, RATE), (PLAIN,)))
    yield found
    found.close()


def propose(knowledge: EmbeddedKnowledge, **given: Any) -> Proposed:
    return refinement.propose(knowledge, Sampling(), actor="test", **given)


def waits(knowledge: EmbeddedKnowledge) -> list[str]:
    return [w.proposal.draft.entry.name for w in refinement.waiting(knowledge)]


def test_gaps_of_stored_labels_wait_as_proposals_the_most_frequent_first(knowledge: EmbeddedKnowledge) -> None:
    found = propose(knowledge)
    assert (found.drawn["cardiovascular"], found.refined.read) == (4, 4)
    assert [(d.entry.name, d.documents) for d in found.refined.drafts] == [("platelets", 3), ("infusion_rate", 2)]
    assert waits(knowledge) == ["platelets", "infusion_rate"]


def test_every_quotation_stands_in_the_stored_section(knowledge: EmbeddedKnowledge) -> None:
    propose(knowledge)
    for proposal in knowledge.proposals():
        for q in proposal.draft.quotations:
            section = knowledge.section(q.document, q.version, q.ord)
            assert section is not None
            assert section.text[q.start : q.end] == q.quote


def test_what_is_accepted_or_rejected_is_not_found_again_and_the_schema_gets_stable(
    knowledge: EmbeddedKnowledge,
) -> None:
    assert not propose(knowledge, n_stable=4).refined.stable
    decided = refinement.accept(knowledge, 1, actor="expert", why="boundary")
    assert (decided.accepted.version, decided.accepted.entry.name) == (1, "platelets")
    assert decided.graph == f"the graph is built at change {knowledge.change_no()}"
    refinement.reject(knowledge, 2, actor="expert", why="the pump sees to it")
    again = propose(knowledge, n_stable=4)
    assert (again.refined.drafts, again.refined.stable, again.refined.read) == ((), True, 4)
    assert waits(knowledge) == []


def test_a_sentence_that_a_fact_quotes_is_no_gap(knowledge: EmbeddedKnowledge) -> None:
    for n in (0, 2):
        stored = knowledge.document(f"label:z{n}")
        assert stored is not None
        knowledge.apply(change(said(ZORFAN, "requires_caution_with", evidence=[quote(stored, RATE)])))
    assert [d.entry.name for d in propose(knowledge).refined.drafts] == ["platelets"]


def test_a_fragment_is_accepted_only_by_somebody_who_says_so(knowledge: EmbeddedKnowledge) -> None:
    renal = entry_of("factor", "renal_adjustment", {"shape": "number", "label": "renal adjustment", "unit": "%"})
    knowledge.propose([Draft(renal, "renal adjustment", "a model thought so", 4, ())], "test", "a run")
    (waiting,) = refinement.waiting(knowledge)
    assert waiting.overlap is not None
    with pytest.raises(BadInput, match=r"would fragment the schema: .* use crcl or egfr or dialysis"):
        refinement.accept(knowledge, 1, actor="expert", why="")
    assert knowledge.accepted() == []
    refinement.accept(knowledge, 1, actor="expert", why="", anyway=True)
    assert "renal_adjustment" in factors()


def test_an_expert_makes_a_proposal_more_general_before_accepting_it(knowledge: EmbeddedKnowledge) -> None:
    propose(knowledge)
    fields = {"unit": "10*9/L", "label": "thrombocytes"}
    revised = refinement.revise(knowledge, 1, key="thrombocytes", kind="", fields=fields, actor="expert")
    assert (revised.proposal.status, revised.proposal.draft.pattern) == ("revised", "platelets")
    refinement.accept(knowledge, 1, actor="expert", why="")
    assert factors()["thrombocytes"].unit == "10*9/L"
    assert [d.entry.name for d in propose(knowledge).refined.drafts] == ["infusion_rate"]


def test_a_number_revised_to_a_flag_loses_its_unit(knowledge: EmbeddedKnowledge) -> None:
    propose(knowledge)
    revised = refinement.revise(knowledge, 1, key="", kind="", fields={"shape": "flag"}, actor="expert")
    assert revised.proposal.draft.entry == entry_of(
        "factor", "platelets", {"shape": "flag", "label": "platelet count", "of": "patient"}
    )


def test_a_proposal_revised_to_nonsense_stays_as_it_was(knowledge: EmbeddedKnowledge) -> None:
    propose(knowledge)
    with pytest.raises(BadInput, match="unit 'furlong'"):
        refinement.revise(knowledge, 1, key="", kind="", fields={"unit": "furlong"}, actor="expert")
    with pytest.raises(BadInput, match="crcl is in the schema already"):
        refinement.revise(knowledge, 1, key="crcl", kind="", fields={}, actor="expert")
    assert waits(knowledge) == ["platelets", "infusion_rate"]


def test_a_decision_on_what_does_not_wait_is_refused(knowledge: EmbeddedKnowledge) -> None:
    with pytest.raises(BadInput, match="no proposal 7 waits"):
        refinement.accept(knowledge, 7, actor="expert", why="")


def test_labels_of_no_area_are_told_apart_from_none(tmp_path: Path, seed_only: None) -> None:
    empty = open_embedded(tmp_path / "kb")
    with pytest.raises(BadInput, match="no label of the five areas"):
        refinement.propose(empty, Sampling(), actor="test")
    empty.close()


def record(number: int, text: str) -> dict[str, Any]:
    return {
        "id": f"v{number}", "set_id": f"s{number}", "version": "1", "warnings": [f"{number} WARNINGS {text}"],
        "openfda": {"generic_name": ["ZORFAN"], "substance_name": ["ZORFAN"], "route": ["ORAL"]},
    }  # fmt: skip


def test_files_are_read_beside_the_knowledge_base_and_not_stored(knowledge: EmbeddedKnowledge, tmp_path: Path) -> None:
    file = tmp_path / "labels.json"
    file.write_text(json.dumps({"meta": {}, "results": [record(n, PLATELETS) for n in range(3)]}), "utf-8")
    before = knowledge.documents()
    found = refinement.propose(knowledge, Sampling((file,)), actor="test")
    assert [(d.entry.name, d.documents) for d in found.refined.drafts] == [("platelets", 3)]
    assert knowledge.documents() == before
    (proposal,) = knowledge.proposals()
    quoted = proposal.draft.quotations[0].document
    knowledge.delete_document(quoted, "test", "not ours to keep")
    assert len(knowledge.proposals()[0].draft.quotations) == len(proposal.draft.quotations) - 1
