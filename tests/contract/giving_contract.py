"""What every knowledge base promises of names, codes and doubts that documents bring, and of deleting them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pharmakon.model.changes import ChangeSet, Doubt, Learned
from pharmakon.model.concepts import Code, Concept, ConceptId, Name
from pharmakon.model.errors import BadInput
from pharmakon.ports.knowledge import KnowledgeBase
from tests.contract.examples import ASPIRIN, LABEL, NSAIDS, SENTENCES, WARFARIN, concept, document, quote, said

NEW = ConceptId("ingredient:newdrug")
BRAND = Name("Newbrand", "en", "brand")
NEW_DRUG = Concept(NEW, (Name("newdrug", "en", "preferred"), BRAND), (Code("unii", "NEW1"),))
DOUBT = Doubt("label:new", "newdrug", NEW, (ASPIRIN,), "its name is near")


def giving(id: str, *concepts: Concept, version: str = "1", doubts: tuple[Doubt, ...] = ()) -> ChangeSet:
    """A document that gives names and says of each concept that it is an NSAID."""
    text = document(id, version=version, sentences=[f"{id} says it is an NSAID."])
    claims = [said(c.id, "belongs_to", NSAIDS, evidence=[quote(text, f"{id} says it is an NSAID.")]) for c in concepts]
    learned = tuple(Learned(id, c) for c in concepts)
    return ChangeSet("test", id, documents=(text,), statements=tuple(claims), learned=learned, doubts=doubts)


class GivingContract:
    @pytest.fixture
    def world(self, knowledge: KnowledgeBase) -> KnowledgeBase:
        raise NotImplementedError

    def test_a_document_may_bring_a_concept(self, world: KnowledgeBase) -> None:
        world.apply(giving("label:new", NEW_DRUG))
        assert world.concepts([NEW])[NEW] == NEW_DRUG
        assert world.by_code([Code("unii", "NEW1")])[Code("unii", "NEW1")] == (NEW,)
        assert list(world.check()) == []

    def test_a_concept_goes_with_the_last_document_that_gives_it(self, world: KnowledgeBase) -> None:
        world.apply(giving("label:new", NEW_DRUG))
        world.apply(giving("label:second", concept(NEW, Name("newdrug", "en", "preferred"))))
        world.delete_document("label:new", "test", "gone")
        assert [n.text for n in world.concepts([NEW])[NEW].names] == ["newdrug"]
        world.delete_document("label:second", "test", "gone too")
        assert world.concepts([NEW]) == {}
        assert world.by_name(["newdrug", "newbrand"]) == {}
        assert list(world.check()) == []

    def test_a_name_that_is_held_by_hand_stays(self, world: KnowledgeBase) -> None:
        before = world.concepts([WARFARIN])[WARFARIN]
        world.apply(giving("label:new", replace(before, names=(*before.names, Name("Warfnew", "en", "brand")))))
        assert "warfnew" in world.by_name(["warfnew"])
        world.delete_document("label:new", "test", "gone")
        assert world.concepts([WARFARIN])[WARFARIN] == before

    def test_a_name_that_a_hand_writes_later_stays_too(self, world: KnowledgeBase) -> None:
        world.apply(giving("label:new", NEW_DRUG))
        world.apply(ChangeSet("test", "by hand", (concept(NEW, Name("newdrug", "en", "preferred")),)))
        world.delete_document("label:new", "test", "gone")
        assert [n.text for n in world.concepts([NEW])[NEW].names] == ["newdrug"]

    def test_renaming_by_hand_leaves_what_documents_give(self, world: KnowledgeBase) -> None:
        world.apply(giving("label:new", NEW_DRUG))
        again = concept(NEW, Name("new drug", "en", "preferred"))
        world.apply(ChangeSet("test", "by hand", (again,), renames=True))
        assert {n.text for n in world.concepts([NEW])[NEW].names} == {"newdrug", "Newbrand", "new drug"}
        world.apply(ChangeSet("test", "by hand", (concept(NEW, Name("nd", "en", "preferred")),), renames=True))
        assert {n.text for n in world.concepts([NEW])[NEW].names} == {"newdrug", "Newbrand", "nd"}

    def test_a_new_version_takes_back_what_it_does_not_give_again(self, world: KnowledgeBase) -> None:
        world.apply(giving("label:new", NEW_DRUG))
        world.apply(giving("label:new", concept(NEW, Name("newdrug", "en", "preferred")), version="2"))
        assert world.by_name(["newbrand"]) == {}
        assert world.by_code([Code("unii", "NEW1")]) == {}
        assert [n.text for n in world.concepts([NEW])[NEW].names] == ["newdrug"]

    def test_a_concept_that_documents_bring_needs_a_name(self, world: KnowledgeBase) -> None:
        with pytest.raises(BadInput, match="ingredient:newdrug has no name"):
            world.apply(giving("label:new", Concept(NEW, ())))
        assert world.document("label:new") is None

    def test_deleting_leaves_nothing_of_any_version(self, world: KnowledgeBase) -> None:
        before = dict(world.stats())
        world.apply(giving("label:new", NEW_DRUG, doubts=(DOUBT,)))
        world.apply(giving("label:new", replace(NEW_DRUG, codes=()), version="2", doubts=(DOUBT,)))
        assert world.traces("label:new")["versions"] == 2
        assert world.traces("label:new")["statements of no other document"] == 1
        world.delete_document("label:new", "test", "gone")
        assert set(world.traces("label:new").values()) == {0}
        assert {k: n for k, n in world.stats().items() if k != "changes"} == {
            k: n for k, n in before.items() if k != "changes"
        }
        assert world.section("label:new", "1", 0) is None
        assert list(world.check()) == []

    def test_deleting_keeps_what_another_document_says_too(self, world: KnowledgeBase) -> None:
        other = document("label:other", sentences=[SENTENCES[0]])
        claim = replace(said(ASPIRIN, "belongs_to", NSAIDS), evidence=(quote(other, SENTENCES[0]),))
        world.apply(ChangeSet("test", "one", documents=(other,), statements=(claim,)))
        world.apply(giving("label:new", concept(ASPIRIN, Name("aspirin", "en", "preferred"))))
        world.delete_document("label:new", "test", "gone")
        (kept,) = world.statements([claim.id])
        assert [e.document for e in kept.evidence] == ["label:other"]

    def test_an_old_version_alone_can_be_deleted_no_more_than_once(self, world: KnowledgeBase) -> None:
        world.apply(giving("label:new", NEW_DRUG))
        world.delete_document("label:new", "test", "gone")
        with pytest.raises(BadInput, match="label:new"):
            world.delete_document("label:new", "test", "again")

    def test_a_doubt_stands_until_somebody_decides(self, world: KnowledgeBase) -> None:
        world.apply(giving("label:new", NEW_DRUG, doubts=(DOUBT,)))
        world.apply(giving("label:new", NEW_DRUG, doubts=(DOUBT,), version="2"))
        (open_,) = world.doubts()
        assert open_.doubt == DOUBT
        world.decide(open_.no, "kept apart", "test", "they are different")
        assert list(world.doubts()) == []
        with pytest.raises(BadInput, match="no open doubt"):
            world.decide(open_.no, "kept apart", "test", "twice")
        world.apply(giving("label:new", NEW_DRUG, doubts=(DOUBT,), version="3"))
        assert list(world.doubts()) == []

    def test_merged_concepts_keep_who_gave_their_names(self, world: KnowledgeBase) -> None:
        both = Name("aspirin", "en", "synonym")
        world.apply(giving("label:new", replace(NEW_DRUG, names=(*NEW_DRUG.names, both))))
        world.apply(giving("label:second", concept(ASPIRIN, both)))
        world.merge_concepts(NEW, ASPIRIN, "test", "the same")
        assert world.by_name(["newbrand"])["newbrand"][0][0] == ASPIRIN
        world.delete_document("label:second", "test", "gone")
        assert both in world.concepts([ASPIRIN])[ASPIRIN].names
        world.delete_document("label:new", "test", "gone")
        assert both not in world.concepts([ASPIRIN])[ASPIRIN].names
        assert world.by_name(["newbrand"]) == {}
        assert LABEL.id in [id for id, _, _ in world.documents()]
        assert list(world.check()) == []

    def test_a_machine_does_not_reword_what_a_person_wrote(self, world: KnowledgeBase) -> None:
        by_hand = replace(said(ASPIRIN, "interacts_with", WARFARIN), management="Give a PPI.")
        world.apply(ChangeSet("test", "by hand", statements=(by_hand,)))
        text = document("label:new", sentences=["Aspirin adds to warfarin."])
        evidence = (quote(text, "Aspirin adds to warfarin.", proposer="pattern"),)
        read = replace(by_hand, management="Monitor as the label says.", evidence=evidence)
        world.apply(ChangeSet("test", "read", documents=(text,), statements=(read,)))
        (stored,) = world.statements([by_hand.id])
        assert stored.management == "Give a PPI."
        assert len(stored.evidence) == 2
