"""The survey of retrieval: what is asked of which documents, what counts, and what is never told."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import ExitStack, closing
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from pharmakon.adapters.store.embedded import open_embedded
from pharmakon.evaluate.asking.medquad import Corpus, Wordings, mistyped, read_corpus, read_wordings, title_of
from pharmakon.evaluate.asking.retrieval import Ranks, Searching, survey
from pharmakon.evaluate.paired import bootstrap, mcnemar
from pharmakon.evaluate.surveys.survey import MEASURES
from pharmakon.model.changes import ChangeSet
from pharmakon.model.documents import Document
from pharmakon.model.errors import BadInput
from pharmakon.ports.knowledge import KnowledgeBase
from tests.shared_data import ROOT, shared

OWN = ROOT / "evals" / "ask-retrieval" / "wordings.yaml"
PAIRS = {
    "zorfitis": {
        "information": "Zorfitis is a type of swelling of the zorf.",
        "symptoms": "The symptoms of zorfitis include pain and fever.",
        "causes": "Zorfitis is caused by damp air.",
    },
    "kelpia": {
        "information": "Kelpia is a disorder of the kelp gland.",
        "symptoms": "The symptoms of kelpia include cough.",
        "causes": "The exact cause of kelpia is unknown.",
    },
}


@pytest.fixture
def wordings() -> Wordings:
    return read_wordings(OWN.read_text("utf-8"), str(OWN))


@pytest.fixture
def folder(tmp_path: Path, wordings: Wordings) -> Path:
    for name, pairs in PAIRS.items():
        inner = "".join(
            f'<QAPair><Question qtype="{kind}">{wordings.templates[kind].format(name.title())}</Question>'
            f"<Answer>{text}</Answer></QAPair>"
            for kind, text in pairs.items()
        )
        address = f"https://example.org/topics/{name}/Pages/facts.aspx"
        text = f'<Document url="{address}"><Focus>SECRET</Focus><QAPairs>{inner}</QAPairs></Document>'
        (tmp_path / f"{name}.xml").write_text(text)
    return tmp_path


@pytest.fixture
def corpus(folder: Path, wordings: Wordings) -> Corpus:
    return read_corpus(folder, wordings)


def test_neither_question_nor_type_nor_topic_field_comes_into_a_document(corpus: Corpus) -> None:
    for document in (*corpus.documents, *corpus.titled()):
        assert {(s.kind, s.heading) for s in document.sections} == {("other", "")}
        assert "SECRET" not in document.title
        assert not any("?" in s.text for s in document.sections)
    assert {d.title for d in corpus.titled()} == {"zorfitis", "kelpia"}


def test_what_a_question_is_about_stands_in_the_place_of_its_template(corpus: Corpus) -> None:
    assert {q.subject for q in corpus.questions} == {"Zorfitis", "Kelpia"}


def test_a_page_whose_address_abbreviates_is_titled_by_its_first_sentence() -> None:
    said = ["Español", "Varia exampla (VAR-ia) are swollen examples."]
    assert title_of("https://example.org/topics/ve", ["\n".join(said)], {"topics"}) == "Varia exampla"
    assert title_of("https://example.org/topics/ve", ["It is so."], {"topics"}) == "ve"


def test_a_slip_changes_one_or_two_longer_words_and_is_always_the_same() -> None:
    question = "What are the symptoms of exampleitis ?"
    changed = [a != b for a, b in zip(question.split(), mistyped(question, 3).split(), strict=True)]
    assert sum(changed) in (1, 2)
    assert mistyped(question, 3) == mistyped(question, 3)


def test_wordings_without_a_place_for_the_subject_are_refused() -> None:
    text = OWN.read_text("utf-8").replace('"who gets {}"', '"who gets it"')
    with pytest.raises(BadInput, match="who gets it"):
        read_wordings(text, "w.yaml")


def test_no_paraphrase_shares_a_telling_word_with_its_template(wordings: Wordings) -> None:
    small = {"what", "are", "the", "of", "is", "for", "to", "how", "who", "in", "i", "do", "does", "with", "and", "on"}
    for kind, listed in wordings.paraphrases.items():
        told = set(wordings.templates[kind].casefold().translate(str.maketrans("?()", "   ")).split()) - small
        for wording in listed:
            assert not (set(wording.casefold().split()) - small - {"{}"}) & told, wording


def test_a_folder_without_answers_is_refused(tmp_path: Path, wordings: Wordings) -> None:
    with pytest.raises(BadInput, match="no questions"):
        read_corpus(tmp_path, wordings)


def test_ranks_beyond_what_is_looked_at_are_no_hits() -> None:
    figures = Ranks((1, 6, 0, 10)).figures()
    assert figures == {"hit_at_5": 0.25, "hit_at_10": 0.75, "mrr": pytest.approx((1 + 1 / 6 + 1 / 10) / 4)}


def test_paired_tests_tell_a_difference_from_none() -> None:
    better, worse = [True] * 20, [True] * 8 + [False] * 12
    assert mcnemar(better, worse) < 0.001
    assert mcnemar(worse, worse) == 1.0
    low, high = bootstrap([1.0] * 20, [float(x) for x in worse], seed=1)
    assert 0 < low <= 0.6 <= high
    assert bootstrap([1.0, 0.0], [1.0, 0.0], seed=1) == (0.0, 0.0)


class Letters:
    name, dimension = "letters", 26

    def query(self, text: str) -> NDArray[np.float32]:
        counts = np.array([text.casefold().count(chr(97 + i)) for i in range(26)], np.float32) + 0.01
        return counts / np.float32(np.linalg.norm(counts))

    def passages(self, texts: Sequence[str]) -> NDArray[np.float32]:
        return np.array([self.query(text) for text in texts])


def test_every_metric_of_the_spec_is_measured_and_every_part_of_the_score_left_out_once(
    folder: Path, wordings: Wordings, tmp_path: Path
) -> None:
    letters = Letters()
    with ExitStack() as opened:

        def stored(name: str, documents: Sequence[Document]) -> KnowledgeBase:
            knowledge = opened.enter_context(closing(open_embedded(tmp_path / name)))
            knowledge.apply(ChangeSet("test", name, documents=tuple(documents)))
            waiting = knowledge.unembedded(letters.name, 100)
            knowledge.put_vectors(letters.name, 26, {hash: letters.query(text) for hash, text in waiting})
            return knowledge

        found = survey(wordings, folder, Searching(letters, stored), seed=0)
    assert found.n == 6
    assert found.metrics.keys() >= MEASURES["retrieval"].keys()
    assert found.metrics["mrr"] == 1.0
    assert {"without aspect", "without document", "without cosine"} <= found.tables["steps"].keys()
    assert found.metrics["abstained_other_subjects"] == 1.0


def test_all_of_medquad_s_questions_have_an_answer_among_its_documents(wordings: Wordings) -> None:
    corpus = read_corpus(shared("medquad"), wordings)
    texts = "\n".join(s.text for d in corpus.documents for s in d.sections)
    assert (len(corpus.documents), len(corpus.questions)) == (239, 1392)
    assert sum(q.development for q in corpus.questions) == 276
    assert all(answer in texts for q in corpus.questions[::50] for answer in q.answers)
    assert sum(not q.subject for q in corpus.questions) < 5
