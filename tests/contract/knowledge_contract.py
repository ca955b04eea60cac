"""What every knowledge base promises. A backend subclasses it and gives an empty one as `knowledge`."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from pharmakon.model.concepts import Code, ConceptId, Name, fold
from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Limit, Statement
from pharmakon.ports.knowledge import KnowledgeBase, Step
from tests.contract.examples import (
    ACIDS,
    ANALGESICS,
    ANTICOAGULANTS,
    ARRHYTHMIA,
    ASPIRIN,
    ASPIRIN_IS_SALICYLATE,
    BLEEDING,
    CONCEPTS,
    DOSE,
    FIBRILLATION,
    IBUPROFEN,
    INTERACTION,
    LABEL,
    METFORMIN,
    NO_INTERACTION,
    NOBODY,
    NSAIDS,
    NSAIDS_ARE_ANALGESICS,
    PUBLISHED,
    SALICYLATES,
    SALICYLATES_ARE_NSAIDS,
    SENTENCES,
    STATEMENTS,
    WARFARIN,
    WORLD,
    change,
    concept,
    document,
    quote,
    said,
)
from tests.contract.giving_contract import GivingContract
from tests.contract.strategies import statements

#: one fixture serves all examples of a draw, and every backend's class runs the same property
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.differing_executors]
WITHDRAWN = change(documents=[document(version="0", sentences=["Nothing."])], why="so that nothing is left of a draw")
ALL_RELATIONS = ("belongs_to", "is_a", "interacts_with", "dose_limit", "causes")


class KnowledgeContract(GivingContract):
    @pytest.fixture
    def knowledge(self) -> KnowledgeBase:
        raise NotImplementedError

    @pytest.fixture
    def world(self, knowledge: KnowledgeBase) -> KnowledgeBase:
        knowledge.apply(WORLD)
        return knowledge

    # ── empty ──────────────────────────────────────────────────────────────────────────────────────

    def test_an_empty_one_knows_nothing_and_says_so(self, knowledge: KnowledgeBase) -> None:
        assert knowledge.change_no() == 0
        assert list(knowledge.check()) == []
        assert list(knowledge.documents()) == []
        assert list(knowledge.about([WARFARIN], ALL_RELATIONS)) == []
        assert list(knowledge.search("warfarin")) == []
        assert knowledge.stats()["statements"] == 0

    # ── names and codes ────────────────────────────────────────────────────────────────────────────

    @pytest.mark.parametrize("written", ["COUMADIN", "coumadin", "Warfarin", "华法林"])
    def test_a_name_is_found_however_it_is_written(self, world: KnowledgeBase, written: str) -> None:
        found = world.by_name([fold(written)])
        assert [id for id, _ in found[fold(written)]] == [WARFARIN]

    def test_a_name_comes_with_its_language_and_kind(self, world: KnowledgeBase) -> None:
        assert list(world.by_name(["acetylsalicylzuur"])["acetylsalicylzuur"]) == [
            (ASPIRIN, Name("acetylsalicylzuur", "nl", "preferred"))
        ]

    def test_a_name_that_nobody_bears_is_absent(self, world: KnowledgeBase) -> None:
        assert world.by_name(["nothing of the kind"]) == {}

    def test_two_concepts_may_bear_one_name(self, world: KnowledgeBase) -> None:
        world.apply(change(concepts=[concept(IBUPROFEN, Name("Coumadin", "en", "brand"))]))
        assert {id for id, _ in world.by_name(["coumadin"])["coumadin"]} == {WARFARIN, IBUPROFEN}

    @pytest.mark.parametrize(
        ("code", "expected"),
        [
            (Code("rxnorm", "11289"), [WARFARIN]),
            (Code("icd10", "I48.91"), [FIBRILLATION]),
            (Code("icd10", "I4891"), [FIBRILLATION]),
            (Code("icd10", "I48"), [FIBRILLATION]),
            (Code("icd10", "I49.9"), [ARRHYTHMIA]),
            (Code("icd9", "4279"), [ARRHYTHMIA]),
            (Code("atc", "B01AA03"), [WARFARIN]),
            (Code("atc", "B01AB01"), [ANTICOAGULANTS]),
        ],
    )
    def test_a_code_is_found_exactly_or_by_the_longest_prefix(
        self, world: KnowledgeBase, code: Code, expected: list[ConceptId]
    ) -> None:
        assert {c: list(ids) for c, ids in world.by_code([code]).items()} == {code: expected}

    @pytest.mark.parametrize("code", [Code("icd9", "427.91"), Code("icd10", "J45"), Code("snomed", "11289")])
    def test_a_code_that_nothing_stands_for_is_absent(self, world: KnowledgeBase, code: Code) -> None:
        assert world.by_code([code]) == {}

    def test_names_come_in_order_for_the_kinds_asked(self, world: KnowledgeBase) -> None:
        found = world.names(["class"])
        assert [(folded, id) for folded, id, _ in found] == [
            ("acids", ACIDS),
            ("analgesics", ANALGESICS),
            ("anticoagulants", ANTICOAGULANTS),
            ("nsaids", NSAIDS),
            ("salicylates", SALICYLATES),
        ]

    def test_a_concept_comes_back_as_it_was_given(self, world: KnowledgeBase) -> None:
        given = {c.id: c for c in CONCEPTS}
        assert world.concepts([WARFARIN, ARRHYTHMIA, NOBODY]) == {
            WARFARIN: given[WARFARIN],
            ARRHYTHMIA: given[ARRHYTHMIA],
        }

    def test_names_and_codes_of_one_concept_add_up(self, world: KnowledgeBase) -> None:
        world.apply(
            change(concepts=[concept(ASPIRIN, Name("ASA", "en", "synonym"), codes=[Code("unii", "R16CO5Y76E")])])
        )
        aspirin = world.concepts([ASPIRIN])[ASPIRIN]
        assert [n.text for n in aspirin.names] == ["aspirin", "acetylsalicylzuur", "ASA"]
        assert aspirin.codes == (Code("rxnorm", "1191"), Code("unii", "R16CO5Y76E"))

    @pytest.mark.parametrize(("then", "expected"), [("deep", "deep"), ("carrier", "thin"), ("", "thin")])
    def test_coverage_only_grows(self, world: KnowledgeBase, then: str, expected: str) -> None:
        world.apply(change(concepts=[concept(ASPIRIN, covered=then)]))
        assert world.concepts([ASPIRIN])[ASPIRIN].covered == expected

    # ── statements ─────────────────────────────────────────────────────────────────────────────────

    def test_statements_come_back_whole_and_in_id_order(self, world: KnowledgeBase) -> None:
        everything = [c.id for c in CONCEPTS]
        assert list(world.about(everything, ALL_RELATIONS)) == sorted(STATEMENTS, key=lambda s: s.id)

    @settings(max_examples=30, deadline=None, suppress_health_check=SHARED)
    @given(statement=statements())
    def test_any_statement_comes_back_equal(self, world: KnowledgeBase, statement: Statement) -> None:
        applied = world.apply(change(statement))
        assert applied.refused == ()
        assert list(world.statements([statement.id])) == [statement]
        assert statement in list(world.about([statement.subject], [statement.relation]))
        world.apply(WITHDRAWN)
        world.apply(change(documents=[LABEL]))

    def test_only_the_subjects_and_relations_asked_for_answer(self, world: KnowledgeBase) -> None:
        assert list(world.about([METFORMIN], ["dose_limit"])) == [DOSE]
        assert list(world.about([METFORMIN, NOBODY], ["dose_limit", "causes"])) == [DOSE]
        assert list(world.about([NSAIDS], ["interacts_with"])) == []
        assert list(world.about([METFORMIN], [])) == []

    def test_asking_twice_answers_the_same(self, world: KnowledgeBase) -> None:
        assert list(world.about([METFORMIN], ALL_RELATIONS)) == list(world.about([METFORMIN], ALL_RELATIONS))

    def test_statements_are_found_by_id_and_unknown_ids_are_absent(self, world: KnowledgeBase) -> None:
        assert list(world.statements([INTERACTION.id, "st-nothing"])) == [INTERACTION]

    def test_exclusions_modifiers_and_citations_come_back(self, world: KnowledgeBase) -> None:
        (found,) = world.statements([INTERACTION.id])
        assert found.excluded == {METFORMIN}
        assert found.modifiers[0].management == "Avoid."
        assert found.evidence[0].citation == PUBLISHED

    def test_a_negative_statement_stays_negative(self, world: KnowledgeBase) -> None:
        (found,) = world.statements([NO_INTERACTION.id])
        assert found.negative

    def test_adding_twice_changes_nothing(self, world: KnowledgeBase) -> None:
        before = world.stats()
        again = world.apply(WORLD)
        assert (again.statements, again.retired, again.refused) == (0, 0, ())
        assert {k: v for k, v in world.stats().items() if k != "changes"} == {
            k: v for k, v in before.items() if k != "changes"
        }
        assert list(world.statements([s.id for s in STATEMENTS])) == sorted(STATEMENTS, key=lambda s: s.id)

    def test_two_sources_of_one_claim_meet_in_one_statement(self, world: KnowledgeBase) -> None:
        other = document("label:other", sentences=["Anticoagulants interact with NSAIDs."])
        second = replace(INTERACTION, evidence=(quote(other, "Anticoagulants interact with NSAIDs."),))
        assert world.apply(change(second, documents=[other])).statements == 0
        (found,) = world.statements([INTERACTION.id])
        assert found.evidence == INTERACTION.evidence + second.evidence

    def test_the_same_claim_twice_in_one_change_is_one_statement(self, world: KnowledgeBase) -> None:
        first = said(ASPIRIN, "causes", BLEEDING, evidence=[quote(LABEL, SENTENCES[0])])
        second = replace(first, evidence=(quote(LABEL, SENTENCES[10]),))
        assert world.apply(change(first, second)).statements == 1
        assert world.statements([first.id])[0].evidence == first.evidence + second.evidence

    def test_the_latest_wording_of_a_claim_is_kept(self, world: KnowledgeBase) -> None:
        reworded = replace(
            INTERACTION,
            management="Add a proton pump inhibitor.",
            modifiers=(replace(INTERACTION.modifiers[0], management="Choose another."),),
        )
        world.apply(change(reworded))
        assert list(world.statements([INTERACTION.id])) == [reworded]

    def test_one_id_can_not_say_two_things(self, world: KnowledgeBase) -> None:
        other = replace(DOSE, limit=Limit(2000.0, "mg", "day"))
        with pytest.raises(BadInput, match="says something else"):
            world.apply(change(other))
        with pytest.raises(BadInput, match="says something else"):
            world.apply(change(replace(DOSE, id="st-mine"), replace(other, id="st-mine")))

    def test_a_statement_without_an_id_gets_the_one_its_content_gives(self, world: KnowledgeBase) -> None:
        world.apply(change(replace(said(ASPIRIN, "causes", BLEEDING), id="")))
        assert list(world.about([ASPIRIN], ["causes"])) == [said(ASPIRIN, "causes", BLEEDING)]

    def test_a_source_that_says_less_takes_no_words_away(self, world: KnowledgeBase) -> None:
        world.apply(change(replace(INTERACTION, management="")))
        assert list(world.statements([INTERACTION.id])) == [INTERACTION]

    # ── the vocabulary ─────────────────────────────────────────────────────────────────────────────

    def test_an_unknown_concept_is_refused_by_name_and_nothing_is_stored(self, world: KnowledgeBase) -> None:
        before = world.version()
        with pytest.raises(BadInput, match=NOBODY):
            world.apply(change(said(WARFARIN, "interacts_with", NOBODY), concepts=[concept(ConceptId("effect:new"))]))
        assert world.version() == before
        assert world.concepts([ConceptId("effect:new")]) == {}

    def test_a_condition_on_an_unknown_concept_is_refused(self, world: KnowledgeBase) -> None:
        never_true = replace(DOSE.when[1][0], values=(NOBODY,))
        with pytest.raises(BadInput, match=NOBODY):
            world.apply(change(said(METFORMIN, "dose_limit", limit=DOSE.limit, when=((never_true,),))))

    @pytest.mark.parametrize(
        "statement",
        [
            said(BLEEDING, "interacts_with", WARFARIN),
            said(WARFARIN, "belongs_to", FIBRILLATION),
            said(WARFARIN, "treats"),
            said(WARFARIN, "given_by", NSAIDS),
            said(WARFARIN, "no_such_relation", NSAIDS),
        ],
        ids=lambda s: f"{s.subject} {s.relation} {s.object}",
    )
    def test_what_the_vocabulary_does_not_allow_is_refused(self, world: KnowledgeBase, statement: object) -> None:
        with pytest.raises(BadInput):
            world.apply(change(statement))  # type: ignore[arg-type]

    # ── evidence ───────────────────────────────────────────────────────────────────────────────────

    @pytest.mark.parametrize(
        "broken",
        [
            {"start": 1},
            {"quote": "Aspirin is harmless."},
            {"quote": "", "start": 0, "end": 0},
            {"ord": 7},
            {"version": "2"},
            {"document": "label:unknown"},
        ],
        ids=str,
    )
    def test_evidence_that_does_not_stand_is_refused_and_counted(
        self, world: KnowledgeBase, broken: dict[str, object]
    ) -> None:
        evidence = replace(quote(LABEL, SENTENCES[0]), **broken)  # type: ignore[arg-type]
        statement = said(ASPIRIN, "causes", BLEEDING, evidence=[evidence])
        applied = world.apply(change(statement))
        assert applied.statements == 0
        assert len(applied.refused) == 1
        assert list(world.statements([statement.id])) == []

    def test_what_stands_is_kept_beside_what_is_refused(self, world: KnowledgeBase) -> None:
        good = quote(LABEL, SENTENCES[10])
        statement = said(ASPIRIN, "causes", BLEEDING, evidence=[replace(good, start=0), good])
        applied = world.apply(change(statement))
        assert (applied.statements, len(applied.refused)) == (1, 1)
        assert world.statements([statement.id])[0].evidence == (good,)

    def test_a_statement_without_evidence_is_not_stored(self, world: KnowledgeBase) -> None:
        statement = said(ASPIRIN, "causes", BLEEDING, evidence=[])
        applied = world.apply(change(statement))
        assert (applied.statements, len(applied.refused)) == (0, 1)

    def test_a_copy_of_a_text_is_found_by_its_hash(self, world: KnowledgeBase) -> None:
        original = world.document("label:warfarin")
        assert original is not None
        assert world.same_text(original.hash) == "label:warfarin"
        assert world.same_text("no such text") is None
        world.delete_document("label:warfarin", "test", "gone")
        assert world.same_text(original.hash) is None

    # ── versions of documents ──────────────────────────────────────────────────────────────────────

    def test_a_new_version_retires_what_only_the_old_one_said(self, world: KnowledgeBase) -> None:
        new = document(version="2", sentences=[SENTENCES[0], "Something new."])
        kept = replace(ASPIRIN_IS_SALICYLATE, evidence=(quote(new, SENTENCES[0]),))
        applied = world.apply(change(kept, documents=[new]))
        assert (applied.statements, applied.retired) == (0, len(STATEMENTS) - 1)
        assert list(world.about([c.id for c in CONCEPTS], ALL_RELATIONS)) == [kept]
        assert list(world.documents()) == [("label:warfarin", "2", "About label:warfarin")]
        assert world.document("label:warfarin") == new
        assert set(world.ancestors([ASPIRIN])[ASPIRIN]) == {ASPIRIN, SALICYLATES}
        assert list(world.links([ANTICOAGULANTS], [NSAIDS], ["interacts_with"])) == []
        assert list(world.check()) == []

    def test_a_new_version_keeps_what_others_support(self, world: KnowledgeBase) -> None:
        other = document("label:other", sentences=[SENTENCES[5]])
        second = quote(other, SENTENCES[5])
        world.apply(change(replace(INTERACTION, evidence=(second,)), documents=[other]))
        world.apply(change(documents=[document(version="2", sentences=["Nothing."])]))
        assert list(world.statements([INTERACTION.id])) == [replace(INTERACTION, evidence=(second,))]

    def test_a_retired_version_can_still_be_read_but_not_quoted(self, world: KnowledgeBase) -> None:
        world.apply(change(documents=[document(version="2", sentences=["Nothing."])]))
        assert world.section("label:warfarin", "1", 0) == LABEL.sections[0]
        assert len(world.apply(change(ASPIRIN_IS_SALICYLATE)).refused) == 1

    def test_what_is_said_again_comes_back(self, world: KnowledgeBase) -> None:
        world.apply(change(documents=[document(version="2", sentences=["Nothing."])]))
        back = world.apply(WORLD)
        assert back.statements == len(STATEMENTS)
        assert list(world.statements([s.id for s in STATEMENTS])) == sorted(STATEMENTS, key=lambda s: s.id)
        assert list(world.check()) == []

    def test_another_text_under_the_same_version_takes_its_place(self, world: KnowledgeBase) -> None:
        silent = document(version="1", sentences=["The publisher changed the text and not the number."])
        assert world.apply(change(documents=[silent])).retired == len(STATEMENTS)
        assert world.section("label:warfarin", "1", 0) == silent.sections[0]

    def test_a_deleted_document_takes_its_statements_along(self, world: KnowledgeBase) -> None:
        assert world.delete_document("label:warfarin", "test", "withdrawn").retired == len(STATEMENTS)
        assert list(world.documents()) == []
        assert world.document("label:warfarin") is None
        assert list(world.search("warfarin")) == []
        assert list(world.check()) == []

    def test_deleting_what_is_not_there_is_an_error(self, world: KnowledgeBase) -> None:
        with pytest.raises(BadInput, match="label:unknown"):
            world.delete_document("label:unknown", "test", "a slip")

    # ── hierarchy ──────────────────────────────────────────────────────────────────────────────────

    def test_chains_are_the_shortest(self, world: KnowledgeBase) -> None:
        short = said(ASPIRIN, "belongs_to", NSAIDS)
        world.apply(change(short))
        chains = world.ancestors([ASPIRIN])[ASPIRIN]
        assert tuple(chains[NSAIDS]) == (Step(ASPIRIN, NSAIDS, short.id),)
        assert [s.statement for s in chains[ANALGESICS]] == [short.id, NSAIDS_ARE_ANALGESICS.id]

    def test_a_cycle_is_refused_by_name(self, world: KnowledgeBase) -> None:
        with pytest.raises(BadInput) as caught:
            world.apply(change(said(ANALGESICS, "belongs_to", SALICYLATES)))
        for member in (SALICYLATES, NSAIDS, ANALGESICS):
            assert member in str(caught.value)
        assert set(world.ancestors([ANALGESICS])[ANALGESICS]) == {ANALGESICS}

    def test_nothing_belongs_to_itself(self, world: KnowledgeBase) -> None:
        with pytest.raises(BadInput, match=NSAIDS):
            world.apply(change(said(NSAIDS, "belongs_to", NSAIDS)))

    def test_a_denied_membership_is_no_membership(self, world: KnowledgeBase) -> None:
        world.apply(change(said(METFORMIN, "belongs_to", NSAIDS, negative=True)))
        assert set(world.ancestors([METFORMIN])[METFORMIN]) == {METFORMIN}

    def test_a_class_hung_in_later_is_above_everything_below(self, world: KnowledgeBase) -> None:
        top = ConceptId("class:medicines")
        world.apply(change(said(ANALGESICS, "belongs_to", top), concepts=[concept(top)]))
        assert len(world.ancestors([ASPIRIN])[ASPIRIN][top]) == 4
        assert world.descendants(top) == {top, ANALGESICS, ACIDS, NSAIDS, SALICYLATES, ASPIRIN, IBUPROFEN}
        assert list(world.check()) == []

    # ── text ───────────────────────────────────────────────────────────────────────────────────────

    def test_a_document_comes_back_as_it_was_given(self, world: KnowledgeBase) -> None:
        assert world.document(LABEL.id) == LABEL
        assert world.section(LABEL.id, "1", 0) == LABEL.sections[0]
        assert world.section(LABEL.id, "1", 5) is None
        assert world.document("label:unknown") is None

    def test_the_best_passage_comes_first(self, world: KnowledgeBase) -> None:
        world.apply(
            change(
                documents=[
                    document("a", sentences=["Digoxin, and many other words that say nothing of the matter at hand."]),
                    document("b", sentences=["Digoxin toxicity. Digoxin levels."]),
                    document("c", sentences=["Nothing about it."]),
                ]
            )
        )
        assert [f.passage.document for f in world.search("digoxin toxicity?")] == ["b", "a"]
        assert [f.passage.document for f in world.search("digoxin toxicity?", limit=1)] == ["b"]

    @pytest.mark.parametrize("words", ["出血", "阿司匹林 出血", "华法林"])
    def test_chinese_words_are_found_inside_a_sentence(self, world: KnowledgeBase, words: str) -> None:
        assert [f.passage.document for f in world.search(words)] == [LABEL.id]

    @pytest.mark.parametrize("words", ["", "   ", '"', "NEAR(", "unheard NOT", "*", "unheard", "heading:x"])
    def test_no_query_is_an_error(self, world: KnowledgeBase, words: str) -> None:
        assert list(world.search(words)) == []

    # ── changes ────────────────────────────────────────────────────────────────────────────────────

    def test_changes_are_numbered_and_every_state_has_its_word(self, knowledge: KnowledgeBase) -> None:
        words = [knowledge.version()]
        for number, each in enumerate([WORLD, change(documents=[document("more")]), change(why="nothing")], 1):
            assert knowledge.apply(each).change_no == number == knowledge.change_no()
            words.append(knowledge.version())
        assert len(set(words)) == 4

    def test_a_merged_concept_answers_as_its_target(self, world: KnowledgeBase) -> None:
        double = ConceptId("ingredient:acetylsalicylic-acid")
        its_own = said(double, "causes", BLEEDING, evidence=[quote(LABEL, SENTENCES[10])])
        guarded = said(METFORMIN, "interacts_with", IBUPROFEN, excluded=frozenset({double}))
        world.apply(change(its_own, guarded, concepts=[concept(double, Name("aspro", "en", "brand"))]))
        world.merge_concepts(double, ASPIRIN, "test", "the same substance")
        moved = said(ASPIRIN, "causes", BLEEDING, evidence=its_own.evidence)
        assert list(world.about([double], ["causes"])) == [moved]
        assert list(world.about([ASPIRIN], ["causes"])) == [moved]
        (still_guarded,) = (s for s in world.about([METFORMIN], ["interacts_with"]) if s.object == IBUPROFEN)
        assert still_guarded.excluded == {ASPIRIN}
        assert world.concepts([double])[double].id == ASPIRIN
        assert "aspro" in {n.text for n in world.concepts([ASPIRIN])[ASPIRIN].names}
        assert {id for id, _ in world.by_name(["aspro"])["aspro"]} == {ASPIRIN}
        assert set(world.ancestors([double])[double]) == {ASPIRIN, SALICYLATES, NSAIDS, ANALGESICS}
        assert list(world.check()) == []

    def test_what_is_said_of_a_merged_concept_is_said_of_its_target(self, world: KnowledgeBase) -> None:
        double = ConceptId("ingredient:acetylsalicylic-acid")
        world.apply(change(concepts=[concept(double)]))
        world.merge_concepts(double, ASPIRIN, "test", "the same substance")
        world.apply(change(said(double, "causes", BLEEDING), concepts=[concept(double, Name("later", "en", "brand"))]))
        assert [s.subject for s in world.about([double], ["causes"])] == [ASPIRIN]
        assert "later" in {n.text for n in world.concepts([ASPIRIN])[ASPIRIN].names}
        assert SALICYLATES_ARE_NSAIDS in list(world.statements([SALICYLATES_ARE_NSAIDS.id]))
