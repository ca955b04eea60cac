"""Articles for the public: MedQuAD, MedlinePlus, and Markdown that says it is one."""

from __future__ import annotations

from pathlib import Path
from xml.sax.saxutils import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.ingest.formats.encyclopaedia import KIND, read_answers, read_topics
from pharmakon.ingest.formats.markdown import read_markdown
from pharmakon.ingest.incoming import Incoming
from pharmakon.ingest.read import read_path
from pharmakon.model.errors import BadInput
from pharmakon.model.vocabulary import section_kinds
from tests.shared_data import shared

_TOPIC = (
    '<health-topic title="Exampleitis" url="https://example.org/e.html" id="7" language="{lang}">{inner}</health-topic>'
)
_DOCTYPE = '<!DOCTYPE health-topics PUBLIC "-//NLM//DTD health-topics //EN" "https://example.org/topics.dtd">'


def answers(*pairs: tuple[str, str, str]) -> str:
    inner = "".join(
        f'<QAPair><Question qid="1-{i}" qtype="{kind}">{question}</Question><Answer>{answer}</Answer></QAPair>'
        for i, (kind, question, answer) in enumerate(pairs)
    )
    body = f"<Focus>Exampleitis</Focus><QAPairs>{inner}</QAPairs>"
    return f'<?xml version="1.0"?><Document id="1" source="ABC">{body}</Document>'


def topic(inner: str, lang: str = "English") -> str:
    return f'<health-topics total="1">{_TOPIC.format(lang=lang, inner=inner)}</health-topics>'


def one(text: str) -> Incoming:
    (found,) = read_topics(text.encode(), "topics.xml")
    assert isinstance(found, Incoming)
    return found


def outline(incoming: Incoming) -> list[tuple[str, str, str]]:
    return [(s.kind, s.heading, s.text) for s in incoming.document.sections]


def test_each_question_is_a_heading_and_its_answer_the_section_below() -> None:
    found = read_answers(
        answers(
            ("symptoms", "What are the symptoms of Exampleitis ?", "Pain\n   and heat.\n\n   \nRarely fever."),
            ("exams and tests", "How to diagnose Exampleitis ?", "By a test."),
        ).encode(),
        "1.xml",
    )
    assert (found.document.id, found.document.kind, found.document.title) == (
        "encyclopaedia:abc-1", KIND, "Exampleitis",
    )  # fmt: skip
    assert outline(found) == [
        ("symptoms", "What are the symptoms of Exampleitis?", "Pain and heat.\nRarely fever."),
        ("diagnosis", "How to diagnose Exampleitis?", "By a test."),
    ]
    assert found.products == ()


def test_a_type_of_question_nobody_knows_is_told_by_its_words() -> None:
    found = read_answers(answers(("novel", "How is Exampleitis treated ?", "With rest.")).encode(), "1.xml")
    assert outline(found)[0][0] == "treatment"


def test_questions_without_answers_are_counted_and_a_file_of_nothing_else_is_refused() -> None:
    some = read_answers(answers(("causes", "Why ?", ""), ("causes", "Why ?", "Chance.")).encode(), "1.xml")
    assert some.remarks == ("questions without an answer: 1",)
    with pytest.raises(BadInput, match=r"^1\.xml: the article has no text"):
        read_answers(answers(("causes", "Why ?", "  ")).encode(), "1.xml")


def test_the_headings_of_a_topic_are_its_sections() -> None:
    summary = escape("<p>It hurts.</p><h3>What causes it?</h3><ul><li>Age</li><li>Heat &amp; cold</li></ul>")
    found = one(topic(f"<also-called>Exampla</also-called><full-summary>{summary}</full-summary>"))
    assert outline(found) == [
        ("overview", "", "It hurts."),
        ("causes", "What causes it?", "Age\nHeat & cold"),
        ("overview", "Also called", "Exampla"),
    ]
    assert (found.document.id, found.document.lang) == ("encyclopaedia:medlineplus-7", "en")


def test_a_summary_may_be_written_as_elements_and_in_another_language() -> None:
    found = one(topic("<full-summary>Duele <p>mucho <em>siempre</em></p></full-summary>", "Spanish"))
    assert outline(found) == [("overview", "", "Duele\nmucho siempre")]
    assert found.document.lang == "es"


def test_a_topic_without_a_summary_is_refused_and_the_next_one_read() -> None:
    two = _TOPIC.format(lang="English", inner="") + _TOPIC.format(
        lang="English", inner="<full-summary>Text.</full-summary>"
    )
    first, second = read_topics(f"<health-topics>{two}</health-topics>".encode(), "t.xml")
    assert isinstance(first, BadInput)
    assert "Exampleitis" in str(first)
    assert isinstance(second, Incoming)


def test_the_document_type_that_medlineplus_names_is_let_pass_and_one_with_entities_is_not() -> None:
    text = topic("<full-summary>Text.</full-summary>")
    assert outline(one(_DOCTYPE + text)) == [("overview", "", "Text.")]
    bomb = '<!DOCTYPE health-topics [<!ENTITY a "b">]>'
    with pytest.raises(BadInput, match="document type"):
        list(read_topics((bomb + text).encode(), "t.xml"))


@pytest.mark.parametrize("text", ["<health-topics/>", "<Document><QAPairs/></Document>", "<a", ""])
def test_what_holds_no_article_is_one_clear_line(text: str) -> None:
    for read in (read_answers, lambda data, where: list(read_topics(data, where))):
        with pytest.raises(BadInput, match=r"^x\.xml") as caught:
            read(text.encode(), "x.xml")
        assert "\n" not in str(caught.value)


@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), max_size=60))
def test_no_answer_makes_the_reader_lose_a_word(answer: str) -> None:
    found = read_answers(answers(("causes", "Why ?", f"Start {escape(answer)}")).encode(), "1.xml")
    assert outline(found)[0][2].split() == ["Start", *answer.split()]


def test_files_are_told_by_what_they_hold(tmp_path: Path) -> None:
    (tmp_path / "a.xml").write_text(answers(("causes", "Why ?", "Chance.")))
    (tmp_path / "b.xml").write_text(_DOCTYPE + topic("<full-summary>Text.</full-summary>"))
    found = [i for i in read_path(tmp_path) if isinstance(i, Incoming)]
    assert [i.document.kind for i in found] == [KIND, KIND]


def test_markdown_that_says_so_is_an_article_with_the_kinds_of_its_headings() -> None:
    text = "---\nkind: encyclopaedia\ntitle: Jicht\nlang: nl\n---\nEen ziekte.\n\n# Klachten\nPijn.\n## Voeten\nRood.\n"
    found = read_markdown(text.encode(), "jicht.md")
    assert (found.document.id, found.document.kind, found.document.lang) == ("encyclopaedia:jicht", KIND, "nl")
    assert [(s.kind, s.level) for s in found.document.sections] == [("overview", 1), ("symptoms", 1), ("symptoms", 2)]
    assert found.guess is None


def test_another_kind_in_front_matter_is_refused_by_name() -> None:
    with pytest.raises(BadInput, match="kind 'novel'"):
        read_markdown(b"---\nkind: novel\n---\nText.", "x.md")


def test_all_articles_of_medquad_come_in_with_kinds_of_the_vocabulary() -> None:
    found = [i for i in read_path(shared("medquad", "8_NHLBI_QA_XML")) if isinstance(i, Incoming)]
    assert len(found) > 80
    assert {s.kind for i in found for s in i.document.sections} <= section_kinds().keys()
    assert sum(s.kind == "other" for i in found for s in i.document.sections) < 5
