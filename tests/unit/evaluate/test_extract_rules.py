"""Rules read out of labels are counted against rules that a reader wrote down."""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.evaluate.extraction.baselines.asking import Baselines
from pharmakon.evaluate.extraction.places import locator
from pharmakon.evaluate.extraction.rules import claimed, survey
from pharmakon.evaluate.extraction.rules_gold import Rule, questions_of, read_rules, same_limit
from pharmakon.evaluate.extraction.rules_score import Claim, score
from pharmakon.evaluate.surveys.survey import Survey
from pharmakon.extract.claims import Claim as Proposed
from pharmakon.extract.claims import LabelContext, Mention, Read, Sentence
from pharmakon.extract.label import extract
from pharmakon.model.concepts import Code, Concept, ConceptId, Name
from pharmakon.model.documents import Document, Evidence, Section
from pharmakon.model.errors import BadInput
from pharmakon.model.statements import Condition, Limit, Modifier, Statement
from pharmakon.model.vocabulary import Tier
from tests.shared_data import shared

GOLD = Path(__file__).resolve().parents[3] / "evals" / "extract-rules" / "gold.jsonl"
DRUG = ConceptId("ingredient:alfaprofen")
GOUT = ConceptId("disease:gout")
TEXT = """CONTRAINDICATIONS

<list>
<item>Alfaprofen is contraindicated in gout.
</list>

DOSAGE

Never give more than 2 g a day. Below a clearance of 30 mL/min halve the dose.
"""


class _NoNames:
    """A lexicon that holds nothing."""

    def by_name(self, folded: Collection[str]) -> Mapping[str, Sequence[tuple[ConceptId, Name]]]:
        return {}

    def by_code(self, codes: Collection[Code]) -> Mapping[Code, Sequence[ConceptId]]:
        return {}

    def names(self, kinds: Collection[str]) -> Sequence[tuple[str, ConceptId, Name]]:
        return ()

    def concepts(self, ids: Collection[ConceptId]) -> Mapping[ConceptId, Concept]:
        return {}


NO_NAMES, NO_MODEL = _NoNames(), Baselines(None, why_not="a test")


def document(*texts: str) -> Document:
    sections = tuple(Section(i, "dosage", "", text) for i, text in enumerate(texts))
    return Document("d", "1", "label", "en", "", "", sections)


DOCUMENT = document(
    "Alfaprofen is contraindicated in gout.",
    "Never give more than 2 g a day. Below a clearance of 30 mL/min halve the dose.",
)


def quoted(quote: str, of: Document = DOCUMENT) -> tuple[Evidence, ...]:
    section = next(s for s in of.sections if quote in s.text)
    start = section.text.index(quote)
    place = (section.kind, section.ord, start, start + len(quote), quote)
    return (Evidence(of.id, of.version, of.kind, *place, "pattern"),)


def line(quote: str, type_: str, when: Sequence[dict[str, Any]] = (), **more: Any) -> dict[str, Any]:
    start = TEXT.index(quote)
    row = {"file": "alfa", "start": start, "end": start + len(quote), "type": type_, "when": list(when)}
    return row | {"limit": None, "action": "contraindicated", "certain": True} | more


def rules(*rows: dict[str, Any]) -> list[Rule]:
    return read_rules("\n".join(json.dumps(row) for row in rows), "gold.jsonl")


HAS_GOUT = {"factor": "has", "op": "is", "value": "disease:gout"}
CLEARANCE = {"factor": "crcl", "op": "<", "value": 30, "unit": "mL/min"}
GOUT_RULE = line("Alfaprofen is contraindicated in gout.", "contraindication", [HAS_GOUT])
DOSE_RULE = line(
    "Never give more than 2 g a day.", "dose", limit={"value": 2, "unit": "g", "per": "day"}, action="limit"
)
KIDNEY_RULE = line("Below a clearance of 30 mL/min halve the dose.", "renal", [CLEARANCE], action="reduce")

IN_GOUT = Statement(
    "1", DRUG, "contraindicated_in", GOUT, tier=Tier.CRITICAL, evidence=quoted("Alfaprofen is contraindicated in gout.")
)
AT_MOST = Statement(
    "2", DRUG, "dose_limit", limit=Limit(2000, "mg", "day"), evidence=quoted("Never give more than 2 g a day.")
)


def in_kidneys(op: str, number: float, relation: str = "dose_adjustment") -> Statement:
    evidence = quoted("Below a clearance of 30 mL/min halve the dose.")
    return Statement("3", DRUG, relation, when=((Condition("crcl", op, number),),), evidence=evidence)


def scored(gold: Sequence[Rule], *statements: Statement) -> Survey:
    return score(gold, {"alfa": list(claimed(TEXT, DOCUMENT, statements))})


def test_a_statement_that_says_a_rule_at_its_place_is_right() -> None:
    found = scored(rules(GOUT_RULE, DOSE_RULE, KIDNEY_RULE), IN_GOUT, AT_MOST, in_kidneys("<", 30))
    assert (found.metrics["precision"], found.metrics["recall"], found.metrics["f1"]) == (1.0, 1.0, 1.0)
    assert found.metrics["action"] == 1.0
    assert not found.failures


def test_what_is_missing_lowers_recall_and_what_is_false_lowers_precision() -> None:
    found = scored(rules(GOUT_RULE, DOSE_RULE, KIDNEY_RULE), IN_GOUT, in_kidneys("<", 60))
    assert (found.metrics["precision"], found.metrics["recall"]) == (1 / 2, 1 / 3)
    assert found.tables["by_type"]["renal"]["precision"] == 0.0
    assert [f["fault"] for f in found.failures] == ["missed", "missed", "wrong"]
    lines = [f["line"] for f in found.failures]
    assert lines[1] == "missed: renal: reduce where crcl < 30, something near it was claimed"
    assert lines[2] == "wrong: renal: reduce where crcl < 60"


def test_leniently_the_value_does_not_matter_but_the_factor_does() -> None:
    found = scored(rules(KIDNEY_RULE), in_kidneys(">", 60))
    assert (found.metrics["recall"], found.metrics["recall_lenient"]) == (0.0, 1.0)
    other = Statement("4", DRUG, "dose_adjustment", when=((Condition("child_pugh", "in", values=("C",)),),),
                      evidence=quoted("Below a clearance of 30 mL/min halve the dose."))  # fmt: skip
    assert scored(rules(KIDNEY_RULE), other).metrics["recall_lenient"] == 0.0


def test_the_same_rule_at_another_place_is_wrong() -> None:
    elsewhere = Statement("5", DRUG, "contraindicated_in", GOUT, evidence=quoted("Never give more than 2 g a day."))
    found = scored(rules(GOUT_RULE), elsewhere)
    assert (found.metrics["precision"], found.metrics["recall"]) == (0.0, 0.0)


def test_a_condition_more_or_less_is_another_rule() -> None:
    both = Statement("6", DRUG, "contraindicated_in", GOUT, when=((Condition("age", "<", 18),),),
                     evidence=quoted("Alfaprofen is contraindicated in gout."))  # fmt: skip
    assert scored(rules(GOUT_RULE), both).metrics["recall"] == 0.0
    optional = GOUT_RULE | {
        "when": [HAS_GOUT, {"factor": "age", "op": "<", "value": 18, "unit": "year", "optional": True}]
    }
    assert scored(rules(optional), both).metrics["recall"] == 1.0
    assert scored(rules(optional), IN_GOUT).metrics["recall"] == 1.0
    about = GOUT_RULE | {"when": [HAS_GOUT, {"factor": "age", "optional": True}]}
    assert scored(rules(about), both).metrics["recall"] == 1.0


def test_another_way_to_say_it_may_be_accepted() -> None:
    accepted = KIDNEY_RULE | {"accept": [{"when": [CLEARANCE | {"op": "<", "value": 25}]}]}
    assert scored(rules(accepted), in_kidneys("<", 25)).metrics["recall"] == 1.0
    assert scored(rules(accepted), in_kidneys("<", 20)).metrics["recall"] == 0.0


def test_each_disease_of_a_list_and_each_clause_is_a_claim_of_its_own() -> None:
    listed = Statement("7", DRUG, "contraindicated_in", evidence=quoted("Alfaprofen is contraindicated in gout."),
                       when=((Condition("has", "in", values=("disease:gout", "disease:asthma")),),
                             (Condition("pregnant", "is", values=("true",)),)))  # fmt: skip
    found = scored(rules(GOUT_RULE), listed)
    assert (found.metrics["recall"], found.metrics["precision"]) == (1.0, 1 / 3)


def test_a_modifier_is_a_claim_with_its_own_tier() -> None:
    stronger = Statement("8", DRUG, "requires_caution_with", GOUT,
                         modifiers=(Modifier((Condition("crcl", "<", 30),), Tier.CRITICAL),),
                         evidence=quoted("Below a clearance of 30 mL/min halve the dose."))  # fmt: skip
    gold = rules(KIDNEY_RULE | {"when": [HAS_GOUT, CLEARANCE]})
    assert scored(gold, stronger).metrics["recall"] == 1.0


def test_a_warning_of_a_contraindication_says_avoid() -> None:
    milder = Statement("9", DRUG, "contraindicated_in", GOUT, evidence=IN_GOUT.evidence)
    assert scored(rules(GOUT_RULE), milder).metrics["action"] == 0.0
    assert scored(rules(GOUT_RULE | {"action": "avoid"}), milder).metrics["action"] == 1.0


def test_a_caution_in_a_disease_can_be_right_but_not_wrong() -> None:
    caution = Statement("10", DRUG, "requires_caution_with", GOUT, evidence=IN_GOUT.evidence)
    assert scored(rules(GOUT_RULE), caution).metrics["recall"] == 1.0
    assert scored(rules(DOSE_RULE), caution).metrics["precision"] is None
    kidneys = in_kidneys("<", 60, "requires_caution_with")
    assert scored(rules(DOSE_RULE), kidneys).metrics["precision"] == 0.0


def test_pairs_of_drugs_silence_and_routes_are_not_counted() -> None:
    evidence = IN_GOUT.evidence
    pair = Statement("11", DRUG, "interacts_with", ConceptId("ingredient:betaprofen"), evidence=evidence)
    paired = Statement("12", DRUG, "dose_limit", limit=Limit(1, "g", "day"), evidence=evidence,
                       when=((Condition("with", "in", values=("ingredient:betaprofen",)),),))  # fmt: skip
    nothing = Statement("13", DRUG, "contraindicated_in", GOUT, negative=True, evidence=evidence)
    assert scored(rules(GOUT_RULE), pair, paired, nothing).metrics["precision"] is None
    by_mouth = Statement("14", DRUG, "contraindicated_in", GOUT, evidence=evidence,
                         when=((Condition("route", "in", values=("oral",)),),))  # fmt: skip
    assert scored(rules(GOUT_RULE), by_mouth).metrics["recall"] == 1.0


def test_where_the_reader_was_not_certain_nothing_is_asked_and_nothing_wrong() -> None:
    found = scored(rules(GOUT_RULE | {"certain": False}, DOSE_RULE), IN_GOUT, AT_MOST)
    assert (found.n, found.metrics["precision"], found.metrics["recall"]) == (1, 1.0, 1.0)


def test_a_rule_without_words_for_it_counts_over_all_rules_alone() -> None:
    rare = GOUT_RULE | {"when": [{"factor": "has", "op": "is", "value": "a rare disease"}], "concept": None}
    found = scored(rules(rare, DOSE_RULE), AT_MOST)
    assert (found.metrics["recall"], found.metrics["recall_all"]) == (1.0, 0.5)
    assert found.tables["by_type"]["contraindication"]["held"] == 0


def test_a_quotation_that_is_not_in_the_file_is_never_right() -> None:
    invented = Document("d", "1", "label", "en", "", "", (Section(0, "dosage", "", "Gout forbids alfaprofen."),))
    statement = Statement("15", DRUG, "contraindicated_in", GOUT, evidence=quoted("Gout forbids alfaprofen.", invented))
    found = score(rules(GOUT_RULE), {"alfa": list(claimed(TEXT, invented, [statement]))})
    assert found.metrics["precision"] == 0.0
    assert found.tables["counts"]["claims whose quotation does not stand in the file"] == {"n": 1}


def test_claims_about_labels_outside_the_gold_count_nowhere() -> None:
    other = Claim(0, 5, "dose", frozenset(), Limit(1, "g", "day"), "limit")
    assert score(rules(GOUT_RULE), {"beta": [other]}).metrics["precision"] is None


@pytest.mark.parametrize(
    ("a", "b", "same"),
    [
        (Limit(2, "g", "day"), Limit(2000, "mg", "day"), True),
        (Limit(2, "g", "day"), Limit(2000, "mg", "dose"), False),
        (Limit(0.4, "mcg/kg", "min"), Limit(24, "mcg/kg", "hour"), True),
        (Limit(48, "hours", "course"), Limit(2, "days", "course"), True),
        (Limit(4, "mg/kg", "day"), Limit(4, "mg", "day"), False),
        (Limit(3, "spray", "15min"), Limit(3, "breath", "15min"), False),
        (Limit(3, "spray", "15min"), Limit(3, "spray", "15min"), True),
        (Limit(3, "times", "day"), Limit(4, "times", "day"), False),
    ],
)
def test_limits_compare_by_what_they_allow(a: Limit, b: Limit, same: bool) -> None:
    assert same_limit(a, b) is same
    assert same_limit(b, a) is same
    assert not same_limit(a, None)


def test_figures_of_conditions_are_converted_and_whole_numbers_meet() -> None:
    at_most = KIDNEY_RULE | {"when": [CLEARANCE | {"op": "<=", "value": 29}]}
    assert scored(rules(at_most), in_kidneys("<", 30)).metrics["recall"] == 1.0
    creatinine = KIDNEY_RULE | {"when": [{"factor": "creatinine", "op": ">", "value": 2, "unit": "mg/dL"}]}
    fractions = Statement("16", DRUG, "dose_adjustment", when=((Condition("creatinine", ">=", 3),),),
                          evidence=in_kidneys("<", 30).evidence)  # fmt: skip
    assert scored(rules(creatinine), fractions).metrics["recall"] == 0.0


def test_lacking_two_diseases_is_two_questions_and_having_one_of_two_is_one() -> None:
    lacks = questions_of(Condition("has", "in", values=("disease:a", "disease:b"), negated=True))
    assert [len(q) for q in lacks] == [1, 1]
    assert [len(q) for q in questions_of(Condition("had", "in", values=("disease:a", "disease:b")))] == [2]


def test_history_and_presence_of_a_disease_are_one_question() -> None:
    had = GOUT_RULE | {"when": [HAS_GOUT | {"factor": "had"}]}
    assert scored(rules(had), IN_GOUT).metrics["recall"] == 1.0


@pytest.mark.parametrize(
    "change",
    [
        {"type": "luck"},
        {"start": 9, "end": 9},
        {"when": [], "limit": None},
        {"when": [{"factor": "luck", "op": "is", "value": 1}]},
        {"when": [HAS_GOUT | {"colour": "red"}]},
        {"when": [CLEARANCE | {"unit": "mg"}]},
        {"when": [CLEARANCE | {"op": "is"}]},
        {"when": [{"factor": "child_pugh", "op": "in", "value": ["D"]}]},
        {"colour": "red"},
    ],
)
def test_a_bad_line_of_the_gold_is_named(change: dict[str, Any]) -> None:
    with pytest.raises(BadInput, match=r"gold\.jsonl, line 2"):
        rules(GOUT_RULE, GOUT_RULE | change)


def test_a_repeated_bullet_has_the_place_of_its_own_section() -> None:
    text = "HIGHLIGHTS\n• Avoid in gout.\n\nWARNINGS\n• Avoid  in\ngout.\n"
    read = document("Avoid in gout.", "Avoid in gout.")
    second = Evidence("d", "1", "label", "dosage", 1, 0, 14, "Avoid in gout.", "pattern")
    start, end = locator(text, read)(second) or (0, 0)
    assert text[start:end] == "Avoid  in\ngout."


def test_a_section_that_a_reader_changed_still_has_places_for_its_quotations() -> None:
    read = document("Changed. Never give more than 2 g a day.")
    start, end = locator(TEXT, read)(quoted("Never give more than 2 g a day.", read)[0]) or (0, 0)
    assert TEXT[start:end] == "Never give more than 2 g a day."


_WORDS = st.lists(st.sampled_from(["dose", "gout", "avoid", "30", "mL/min", "(5.1)", "<30", "no"]), min_size=1)


@given(st.lists(_WORDS, min_size=1), st.sampled_from(["\n\n", "\n<item>", " \n• ", "\n</list>\n<list>\n"]), st.data())
def test_every_quotation_is_found_in_its_own_section(texts: list[list[str]], gap: str, data: st.DataObject) -> None:
    lines = [" ".join(words) for words in texts]
    text = gap.join(line.replace(" ", data.draw(st.sampled_from([" ", "  ", "\n"]))) for line in lines)
    read = document(*lines)
    section = data.draw(st.sampled_from(read.sections))
    words = section.text.split()
    first = data.draw(st.integers(0, len(words) - 1))
    quote = " ".join(words[first:])
    start = len(section.text) - len(quote)
    evidence = Evidence("d", "1", "label", "dosage", section.ord, start, len(section.text), quote, "pattern")
    found = locator(text, read)(evidence)
    assert found is not None
    assert text[found[0] : found[1]].split() == quote.split()


class _Gout:
    """A specialist that knows one disease."""

    name = "gout"
    sections = frozenset({"dosage"})

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        return [Read(tuple(self._claims(s, label))) for s in sentences]

    def _claims(self, sentence: Sentence, label: LabelContext) -> Iterable[Proposed]:
        if any(GOUT in m.concepts for m in sentence.mentions):
            said = Statement("", label.subjects[0], "contraindicated_in", GOUT, tier=Tier.CRITICAL)
            yield Proposed(said, sentence.start, sentence.end)


def _sentences(section: Section) -> Sequence[Sentence]:
    mentions = tuple(Mention(m.start(), m.end(), m[0], (GOUT,)) for m in re.finditer("gout", section.text))
    whole = Sentence(section.ord, section.kind, section.heading, 0, len(section.text), section.text, mentions)
    return [whole]


def _looked_at(_: Path) -> Iterable[tuple[Document, Sequence[Statement]]]:
    return [(DOCUMENT, extract(DOCUMENT, LabelContext((DRUG,)), _sentences, [_Gout()]).statements)]


def test_what_is_extracted_of_a_file_is_counted(tmp_path: Path) -> None:
    (tmp_path / "alfa.txt").write_text(TEXT, "utf-8")
    found = survey(rules(GOUT_RULE, DOSE_RULE), tmp_path, _looked_at, NO_NAMES, NO_MODEL)
    assert (found.metrics["precision"], found.metrics["recall"]) == (1.0, 0.5)
    with pytest.raises(BadInput, match=r"alfa\.txt can't be read"):
        survey(rules(GOUT_RULE), tmp_path / "elsewhere", _looked_at, NO_NAMES, NO_MODEL)


def test_the_gold_is_read_and_has_every_type() -> None:
    gold = read_rules(GOLD.read_text("utf-8"), "gold.jsonl")
    assert {rule.type for rule in gold if rule.certain and rule.held} == {
        "dose", "renal", "hepatic", "age", "contraindication",
    }  # fmt: skip
    keys = [(r.file, r.start, r.end, r.forms[0]) for r in gold]
    assert len(keys) == len(set(keys))


def test_every_span_of_the_gold_is_a_whole_sentence_or_bullet_of_its_file() -> None:
    folder = shared("fda-cv-ddi-labels")
    for rule in read_rules(GOLD.read_text("utf-8"), "gold.jsonl"):
        text = (folder / f"{rule.file}.txt").read_text("utf-8")
        span = text[rule.start : rule.end]
        assert span == span.strip()
        assert "\n" not in span
        assert "<item>" not in span
        assert rule.start == 0 or not text[rule.start - 1].isalnum()
        assert rule.end == len(text) or not text[rule.end].isalnum()
        assert span[0].isupper()


def test_every_span_of_the_gold_is_found_again_by_its_words() -> None:
    folder = shared("fda-cv-ddi-labels")
    for rule in read_rules(GOLD.read_text("utf-8"), "gold.jsonl"):
        text = (folder / f"{rule.file}.txt").read_text("utf-8")
        parts = [re.sub(r"<\w+>", "", part) for part in re.split(r"\n\n+", text)]
        read = document(*(" ".join(part.split()) for part in parts if part.strip()))
        quote = " ".join(text[rule.start : rule.end].split())
        spans = [
            locator(text, read)(Evidence("d", "1", "label", "dosage", s.ord, m.start(), m.end(), m[0], "pattern"))
            for s in read.sections
            for m in re.finditer(re.escape(quote), s.text)
        ]
        assert (rule.start, rule.end) in spans
