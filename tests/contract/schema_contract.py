"""What every knowledge base promises about a schema that grows by data (PG-3)."""

from __future__ import annotations

import pytest

from pharmakon.model import vocabulary
from pharmakon.model.errors import BadInput
from pharmakon.model.refinement import Draft, Entry, Quotation, entry_of
from pharmakon.model.statements import Condition
from pharmakon.ports.knowledge import KnowledgeBase
from tests.contract.examples import (
    ASPIRIN,
    DOSE,
    IBUPROFEN,
    LABEL,
    METFORMIN,
    SENTENCES,
    STATEMENTS,
    WARFARIN,
    WORLD,
    change,
    quote,
    said,
)

PLATELETS = entry_of("factor", "platelets", {"shape": "number", "label": "platelets", "unit": "1/uL"})
REVERSED_BY = entry_of("relation", "reversed_by", {"domain": ["ingredient"], "range": ["ingredient"], "stratum": "G"})


def draft(entry: Entry, pattern: str = "", documents: int = 2, of: str = LABEL.id) -> Draft:
    place = quote(LABEL, SENTENCES[0])
    shown = Quotation(of, LABEL.version, 0, place.start, place.end, place.quote)
    return Draft(entry, pattern or entry.name, "no factor holds it", documents, (shown,))


class SchemaContract:
    @pytest.fixture
    def knowledge(self) -> KnowledgeBase:
        raise NotImplementedError

    @pytest.fixture
    def world(self, seed_only: None, knowledge: KnowledgeBase) -> KnowledgeBase:
        knowledge.apply(WORLD)
        return knowledge

    def test_a_proposal_waits_with_its_quotations(self, world: KnowledgeBase) -> None:
        world.propose([draft(PLATELETS)], "test", "a run")
        (found,) = world.proposals()
        assert found.waits
        assert found.draft == draft(PLATELETS)
        assert "platelets" not in vocabulary.factors()

    def test_the_same_gap_again_takes_the_new_count_and_stays_one(self, world: KnowledgeBase) -> None:
        world.propose([draft(PLATELETS)], "test", "a run")
        world.propose([draft(PLATELETS, documents=7)], "test", "another run")
        assert [p.draft.documents for p in world.proposals()] == [7]

    def test_what_is_accepted_is_part_of_the_schema_with_a_version_and_a_change(self, world: KnowledgeBase) -> None:
        world.propose([draft(PLATELETS), draft(REVERSED_BY)], "test", "a run")
        for proposal in world.proposals():
            applied = world.accept(proposal.no, "expert", "needed")
        assert [(a.version, a.decided_by) for a in world.accepted()] == [(1, "expert"), (2, "expert")]
        assert world.accepted()[1].change_no == applied.change_no == world.change_no()
        assert vocabulary.factors()["platelets"] == PLATELETS
        assert vocabulary.relations()["reversed_by"] == REVERSED_BY
        assert {p.status for p in world.proposals()} == {"accepted"}

    def test_statements_use_what_was_accepted_and_the_old_ones_stay_as_they_were(self, world: KnowledgeBase) -> None:
        before = world.statements([s.id for s in STATEMENTS])
        world.propose([draft(PLATELETS), draft(REVERSED_BY)], "test", "a run")
        for proposal in world.proposals():
            world.accept(proposal.no, "expert", "needed")
        guarded = said(IBUPROFEN, "contraindicated_in", when=((Condition("platelets", "<", 50_000.0),),))
        linked = said(WARFARIN, "reversed_by", ASPIRIN)
        world.apply(change(guarded, linked))
        assert [(s.id, s.when) for s in world.about([IBUPROFEN], ["contraindicated_in"])] == [
            (guarded.id, guarded.when)
        ]
        assert list(world.links([WARFARIN], [ASPIRIN], ["reversed_by"])) == [linked.id]
        assert (WARFARIN, "reversed_by", ASPIRIN, linked.id) in world.neighbours(WARFARIN)
        assert world.statements([s.id for s in STATEMENTS]) == before
        assert list(world.check()) == []

    def test_what_was_not_accepted_is_refused_as_before(self, world: KnowledgeBase) -> None:
        world.propose([draft(REVERSED_BY)], "test", "a run")
        with pytest.raises(BadInput, match="unknown relation"):
            world.apply(change(said(WARFARIN, "reversed_by", ASPIRIN)))

    def test_a_new_relation_has_its_domain_and_range(self, world: KnowledgeBase) -> None:
        world.propose([draft(REVERSED_BY)], "test", "a run")
        world.accept(1, "expert", "needed")
        with pytest.raises(BadInput, match="can't start at a class"):
            world.apply(change(said(DOSE.subject, "reversed_by", METFORMIN), said(WORLD.concepts[4].id, "reversed_by")))

    def test_a_rejected_gap_is_not_proposed_again(self, world: KnowledgeBase) -> None:
        world.propose([draft(PLATELETS)], "test", "a run")
        world.reject(1, "expert", "of no use here")
        world.propose([draft(PLATELETS, documents=50)], "test", "another run")
        (found,) = world.proposals()
        assert (found.status, found.reason, found.draft.documents) == ("rejected", "of no use here", 2)

    def test_a_revised_proposal_is_what_gets_accepted_and_keeps_its_pattern(self, world: KnowledgeBase) -> None:
        world.propose([draft(PLATELETS, pattern="plt count")], "test", "a run")
        revised = entry_of("factor", "thrombocytes", {"shape": "number", "label": "thrombocytes", "unit": "10*9/L"})
        world.revise(1, revised, "expert")
        assert [(p.status, p.draft.pattern) for p in world.proposals()] == [("revised", "plt count")]
        world.accept(1, "expert", "needed")
        assert [a.entry for a in world.accepted()] == [revised]

    def test_a_decision_is_taken_once_and_a_refused_one_changes_nothing(self, world: KnowledgeBase) -> None:
        world.propose([draft(PLATELETS)], "test", "a run")
        world.accept(1, "expert", "needed")
        number = world.change_no()
        with pytest.raises(BadInput, match="no proposal 1 waits"):
            world.reject(1, "expert", "second thoughts")
        with pytest.raises(BadInput, match="no proposal 9 waits"):
            world.accept(9, "expert", "")
        assert world.change_no() == number

    def test_a_name_the_schema_has_already_is_not_accepted_a_second_time(self, world: KnowledgeBase) -> None:
        crcl = entry_of("factor", "crcl", {"shape": "number", "label": "creatinine clearance", "unit": "L/min"})
        world.propose([draft(crcl)], "test", "a run")
        with pytest.raises(BadInput, match="crcl is in the schema already"):
            world.accept(1, "expert", "")
        assert [p.status for p in world.proposals()] == ["open"]

    def test_deleting_a_document_takes_its_quotations_out_of_proposals(self, world: KnowledgeBase) -> None:
        world.propose([draft(PLATELETS), draft(REVERSED_BY, of="label:never-stored")], "test", "a run")
        world.delete_document(LABEL.id, "test", "withdrawn")
        assert [len(p.draft.quotations) for p in world.proposals()] == [0, 1]
        assert not any(world.traces(LABEL.id).values())
        world.delete_document("label:never-stored", "test", "withdrawn")
        assert not any(p.draft.quotations for p in world.proposals())
        assert list(world.check()) == []

    def test_it_says_what_quotations_a_document_supports_and_whom_it_is_about(self, world: KnowledgeBase) -> None:
        spans = {(e.ord, e.start, e.end) for s in STATEMENTS for e in s.evidence if e.document == LABEL.id}
        assert set(world.quoted(LABEL.id)) == spans
        assert set(world.label_subjects()) == {LABEL.id}
        assert WARFARIN in world.label_subjects()[LABEL.id]
