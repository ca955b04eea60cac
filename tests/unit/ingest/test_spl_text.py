"""The narrative of a label as lines: paragraphs, lists, tables, footnotes, and what is raised or lowered."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pharmakon.model.errors import BadInput
from tests.unit.ingest.spl_files import lines, p, read, section


def row(*cells: str, tag: str = "td") -> str:
    return f"<tr>{''.join(cell if cell.startswith('<t') else f'<{tag}>{cell}</{tag}>' for cell in cells)}</tr>"


def table(*rows: str, head: str = "", foot: str = "", caption: str = "") -> str:
    top = f"<caption>{caption}</caption>" if caption else ""
    top += f"<thead>{head}</thead>" if head else ""
    bottom = f"<tfoot>{foot}</tfoot>" if foot else ""
    return f"<table>{top}<tbody>{''.join(rows)}</tbody>{bottom}</table>"


# ── lines ─────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_a_paragraph_is_one_line_whatever_the_layout_of_the_file() -> None:
    assert lines(p("Take one\n      tablet,\t e.g. 2.5\u00a0mg/day,   vs. none.")) == [
        "Take one tablet, e.g. 2.5 mg/day, vs. none."
    ]


def test_a_break_ends_a_line() -> None:
    assert lines(p("Adults:<br/>5 mg")) == ["Adults:", "5 mg"]


def test_items_of_a_list_are_lines_with_their_bullets_and_inner_lists_follow() -> None:
    text = (
        "<list><caption>Do not use</caption><item><caption>•</caption>with betacin</item>"
        "<item>in children<list><item>under 4</item></list>or older</item></list>"
    )
    assert lines(text) == ["Do not use", "• with betacin", "in children", "under 4", "or older"]


def test_text_outside_of_paragraphs_is_kept() -> None:
    assert lines("Before <content>the</content> list<list><item>one</item></list>and after") == [
        "Before the list",
        "one",
        "and after",
    ]


def test_styles_and_marks_of_changes_leave_the_words_as_they_are() -> None:
    text = p('<content styleCode="xmChange">Avoid <content styleCode="bold">beta</content>cin</content>.')
    assert lines(text) == ["Avoid betacin."]


def test_a_reference_to_another_section_stays_in_its_sentence() -> None:
    text = p('Avoid betacin [<content>see Warnings (<linkHtml href="#S5.1">5.1</linkHtml>)</content>\n   ].')
    assert lines(text) == ["Avoid betacin [see Warnings (5.1)]."]


def test_a_sentence_with_its_dose_stays_on_one_line() -> None:
    text = p("When the dose of ALPHADOL<sup>®</sup> exceeds 20\u00a0mg,\n use the lowest dose.")
    assert lines(text) == ["When the dose of ALPHADOL® exceeds 20 mg, use the lowest dose."]


def test_invisible_characters_do_not_part_a_name() -> None:
    assert lines(p("alpha\u00addol \ufeffbeta\u200bcin")) == ["alphadol betacin"]


@pytest.mark.parametrize(
    ("text", "read_as"),
    [
        ("C<sub>max</sub> and AUC<sub>0–24</sub>", "Cmax and AUC0–24"),
        ("1.73 m<sup>2</sup>", "1.73 m2"),
        ("the 25<sup>th</sup> week", "the 25th week"),
        ("2 x 10<sup>9</sup>/L", "2 x 10^9/L"),
        ("10<sup>-3</sup>", "10^-3"),
        ("warfarin<sup>a</sup>", "warfarin^a"),
        ("ALPHADOL<sup>®</sup>", "ALPHADOL®"),
        ("<sup>a</sup> in mg", "a in mg"),
        ("C\n      <sub>max</sub> of 10\n      <sup>9</sup>", "Cmax of 10^9"),
        ("in adults <sup>†</sup>", "in adults †"),
    ],
)
def test_what_is_raised_never_becomes_another_number_or_word(text: str, read_as: str) -> None:
    assert lines(p(text)) == [read_as]


# ── footnotes ─────────────────────────────────────────────────────────────────────────────────────────────────────


def test_footnotes_of_a_text_stand_below_it_under_their_marks() -> None:
    text = p('Alpha<footnote ID="F1">In adults.</footnote> and beta<footnote>In\n children.</footnote>.')
    assert lines(text) == ["Alpha* and beta†.", "* In adults.", "† In children."]


def test_footnotes_of_a_table_stand_below_the_table_and_are_referred_to_again() -> None:
    text = table(
        row('betacin<footnote ID="F1">In renal impairment only.</footnote>', "avoid"),
        row('gammacin<footnoteRef IDREF="F1"/>', "halve"),
        head=row("Drug", "Advice"),
    )
    assert lines(text + p("After."))[:4] == [
        "Drug: betacin* | Advice: avoid",
        "Drug: gammacin* | Advice: halve",
        "* In renal impairment only.",
        "After.",
    ]


def test_a_mark_that_leads_to_no_footnote_is_reported() -> None:
    incoming = read(section("34067-9", "Uses", p('Pain<footnoteRef IDREF="gone"/>.')))
    assert incoming.document.sections[0].text == "Pain."
    assert incoming.remarks == ("footnote: 1 marks lead to none in Uses",)


def test_after_the_last_mark_they_double() -> None:
    text = p("".join(f"w{i}<footnote>n{i}</footnote> " for i in range(8)))
    assert lines(text)[0] == "w0* w1† w2‡ w3§ w4¶ w5# w6** w7††"


# ── tables ────────────────────────────────────────────────────────────────────────────────────────────────────────


def test_each_row_of_a_table_can_be_read_alone() -> None:
    text = table(
        row("betacin", "Avoid."), row("gammacin", "At most 20 mg."), head=row("Agent", "Advice"), caption="Table 1"
    )
    assert lines(text) == ["Table 1", "Agent: betacin | Advice: Avoid.", "Agent: gammacin | Advice: At most 20 mg."]


def test_headings_that_span_columns_stand_before_those_below_them() -> None:
    text = table(
        row("betacin", "5 mg", "30%"),
        head=row('<td rowspan="2">Drug</td>', '<td colspan="2">Alphadol</td>') + row("Dose", "Change"),
    )
    assert lines(text) == ["Drug: betacin | Alphadol, Dose: 5 mg | Alphadol, Change: 30%"]


def test_a_cell_that_spans_rows_stands_in_each_of_them() -> None:
    text = table(
        row('<td rowspan="2">below 30 mL/min</td>', "adults", "5 mg"),
        row("elderly", "2.5 mg"),
        head=row("CrCl", "Who", "Dose"),
    )
    assert lines(text) == [
        "CrCl: below 30 mL/min | Who: adults | Dose: 5 mg",
        "CrCl: below 30 mL/min | Who: elderly | Dose: 2.5 mg",
    ]


def test_a_cell_that_spans_columns_stands_once_under_all_their_headings() -> None:
    text = table(row("betacin", '<td colspan="2">contraindicated</td>'), head=row("Drug", "Adults", "Children"))
    assert lines(text) == ["Drug: betacin | Adults, Children: contraindicated"]


def test_a_row_with_one_cell_is_a_line_of_its_own() -> None:
    text = table(row('<td colspan="2">Antibiotics</td>'), row("betacin", "avoid"), head=row("Drug", "Advice"))
    assert lines(text) == ["Antibiotics", "Drug: betacin | Advice: avoid"]


@pytest.mark.parametrize(
    "heading",
    [
        row("Interacting agent", "Recommendation", tag="th"),
        row(*(f'<td><content styleCode="bold">{t}</content></td>' for t in ("Interacting agent", "Recommendation"))),
        row(*(f'<td styleCode="Toprule bold">{t}</td>' for t in ("Interacting agent", "Recommendation"))),
        row("Interacting agent", "Recommendation"),
    ],
)
def test_a_table_without_a_head_takes_it_from_its_first_row_where_that_is_one(heading: str) -> None:
    assert lines(table(heading, row("betacin", "avoid"), row("gammacin", "halve"))) == [
        "Interacting agent: betacin | Recommendation: avoid",
        "Interacting agent: gammacin | Recommendation: halve",
    ]


def test_headings_in_two_rows_without_a_head_are_both_taken() -> None:
    first = row('<th rowspan="2">Drug</th>', '<th colspan="2">Alphadol</th>')
    assert lines(table(first, row("Dose", "Change", tag="th"), row("betacin", "5 mg", "30%"))) == [
        "Drug: betacin | Alphadol, Dose: 5 mg | Alphadol, Change: 30%"
    ]


def test_doses_below_a_heading_that_spans_them_are_no_heading() -> None:
    text = table(
        row("<th>Age</th>", '<th colspan="2">Dose</th>'), row("4 to 6", "5 mL", "10 mL"), row("7", "8 mL", "-")
    )
    assert lines(text) == ["Age: 4 to 6 | Dose: 5 mL | Dose: 10 mL", "Age: 7 | Dose: 8 mL | Dose: -"]


def test_a_second_row_completes_headings_that_left_it_the_first_column() -> None:
    first = row(
        "", *(f'<td colspan="2"><content styleCode="bold">{arm}</content></td>' for arm in ("Alphadol", "None"))
    )
    below = row("Response", "Start", "24 weeks", "Start", "24 weeks")
    assert lines(table(first, below, row("Pain", "7", "2", "7", "6"))) == [
        "Response: Pain | Alphadol, Start: 7 | Alphadol, 24 weeks: 2 | None, Start: 7 | None, 24 weeks: 6"
    ]


def test_a_second_row_with_doses_never_does() -> None:
    first = row("", '<td colspan="2"><content styleCode="bold">Maximum per day</content></td>')
    found = lines(table(first, row("with betacin", "5 mg", "10 mg"), row("with gammacin", "avoid", "20 mg")))
    assert found[0] == "with betacin | Maximum per day: 5 mg | Maximum per day: 10 mg"
    assert found[1] == "with gammacin | Maximum per day: avoid | Maximum per day: 20 mg"


def test_a_first_row_of_data_is_never_taken_for_a_heading() -> None:
    text = table(row("under 4 years", "do not use"), row("4 to 6 years", "5 mL"))
    assert lines(text) == ["under 4 years | do not use", "4 to 6 years | 5 mL"]


def test_a_bold_instruction_in_the_first_row_heads_nothing() -> None:
    bold = [f'<td><content styleCode="bold">{t}</content></td>' for t in ("children", "do not use")]
    assert lines(table(row(*bold), row("adults", "5 mL"))) == ["children | do not use", "adults | 5 mL"]


def test_a_table_of_nothing_but_a_head_keeps_its_words() -> None:
    assert lines(f"<table><thead>{row('Drug', 'Dose')}</thead></table>{p('After.')}") == ["Drug | Dose", "After."]


def test_rows_outside_of_a_body_and_the_foot_of_a_table_are_read() -> None:
    assert lines(f"<table>{row('a', 'b')}</table>") == ["a | b"]
    text = table(row("betacin", "avoid"), head=row("Drug", "Advice"), foot=row('<td colspan="2">QD: once daily</td>'))
    assert lines(text)[-1] == "QD: once daily"


def test_lists_and_breaks_inside_a_cell_stay_in_its_row() -> None:
    text = table(row("<list><item>betacin</item><item>gammacin</item></list>", "avoid<br/>both"))
    assert lines(text) == ["betacin gammacin | avoid both"]


def test_an_empty_cell_leaves_no_trace_and_keeps_its_place() -> None:
    text = table(row("betacin", "", "5 mg"), head=row("Drug", "Adults", "Children"))
    assert lines(text) == ["Drug: betacin | Children: 5 mg"]


def test_absurd_spans_do_no_harm() -> None:
    text = table(row('<td colspan="99999" rowspan="99999">a</td>', "b"), row("c"), row('<td colspan="x">d</td>'))
    assert {word for line in lines(text) for word in line.split(" | ")} == {"a", "b", "c", "d"}


def test_a_page_of_text_set_as_the_head_of_a_table_is_read_once() -> None:
    text = table(row("betacin"), row("gammacin"), head=row("word " * 500))
    assert lines(text) == ["word " * 499 + "word", "betacin", "gammacin"]


@pytest.mark.parametrize(
    "rows",
    [
        [row(f'<td rowspan="99999">{"word " * 200}</td>'), *([row("x")] * 20_000)],
        [row(*(['<td rowspan="99999">a</td>'] * 200)), *(["<tr/>"] * 10_000)],
    ],
)
def test_a_table_that_its_spans_make_huge_is_refused(rows: list[str]) -> None:
    with pytest.raises(BadInput, match=r"a\.xml: a table"):
        lines(table(*rows))


def test_many_tables_that_their_spans_make_huge_together_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pharmakon.ingest.formats.spl.sections.MOST_TEXT", 50_000)
    large = table(row(f'<td rowspan="99">{"word " * 50}</td>'), *([row("x")] * 90))
    assert len("\n".join(lines(large))) < 50_000
    with pytest.raises(BadInput, match=r"a\.xml: its tables repeat"):
        lines(large * 3)


def test_many_footnotes_are_numbered_in_the_end() -> None:
    text = p("".join(f"w{i}<footnote>n{i}</footnote> " for i in range(500)))
    assert lines(text)[-1] == "[500] n499"


def test_long_runs_of_white_space_are_one_space() -> None:
    assert lines(p("a" + " \n\t" * 50_000 + "b")) == ["a b"]


cells = st.lists(
    st.lists(st.tuples(st.integers(1, 3), st.integers(1, 3)), min_size=1, max_size=4), min_size=1, max_size=5
)


@given(head=cells, body=cells, headed=st.booleans())
def test_no_cell_of_a_table_is_lost_whatever_it_spans(
    head: list[list[tuple[int, int]]], body: list[list[tuple[int, int]]], headed: bool
) -> None:
    names: list[str] = []

    def rows(spans: list[list[tuple[int, int]]]) -> str:
        built = ""
        for given_row in spans:
            made = []
            for columns, down in given_row:
                names.append(f"cell{len(names)}x")
                made.append(f'<td colspan="{columns}" rowspan="{down}">{names[-1]}</td>')
            built += row(*made)
        return built

    body_xml = rows(body)
    in_body = len(names)
    text = "\n".join(lines(table(body_xml, head=rows(head) if headed else "")))
    for name in names[:in_body]:
        assert name in text


@given(st.lists(st.text(st.characters(codec="utf-8", categories=("L", "N", "P", "Zs")), max_size=20), max_size=8))
def test_every_word_of_paragraphs_and_lists_is_read_in_order(written: list[str]) -> None:
    def escaped(text: str) -> str:
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")

    text = "".join(p(escaped(t)) if i % 2 else f"<list><item>{escaped(t)}</item></list>" for i, t in enumerate(written))
    found = lines(text + p("end"))
    assert " ".join(found).split() == [word for t in [*written, "end"] for word in t.split()]
