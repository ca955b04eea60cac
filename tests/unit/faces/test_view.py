"""What a reader sees of a report."""

from __future__ import annotations

import io
from datetime import date
from typing import Any

from pharmakon.faces.cli.terminal import console_for, show
from pharmakon.faces.html import page
from pharmakon.faces.view import View, view_of
from pharmakon.faces.words import Words
from pharmakon.model.documents import Citation, Evidence
from pharmakon.model.finding import Checked, Finding, Gap, PatientFact, Report, Unresolved, WouldChange
from pharmakon.model.vocabulary import Tier

EN = Words("en")
READ = Citation("A label", "set-1", "contraindications", "4", "https://example.org/a", read=True)
UNREAD = Citation("A guideline", "doi-1", "guidance", "", "javascript:alert(1)", read=False)


def evidence(quote: str, citation: Citation | None = READ, start: int = 0) -> Evidence:
    return Evidence("doc", "1", "our statement", "warnings", 0, start, start + len(quote), quote, "curator", citation)


def finding(**fields: Any) -> Finding:
    given: dict[str, Any] = {
        "id": "f-1", "type": "RENAL_IMPAIRMENT", "tier": Tier.CRITICAL, "drugs": ("metformin",), "lines": (2,),
        "summary": "metformin must not be used", "management": "Stop it.", "would_change_if": (),
        "evidence": (evidence("It must not be used."),),
    }  # fmt: skip
    return Finding(**{**given, **fields})


def report(**fields: Any) -> Report:
    given: dict[str, Any] = {
        "as_of": date(2026, 3, 2), "verdict": "findings", "findings": (), "gaps": (), "checked": (), "patient": (),
        "assumptions": (), "unresolved": (), "knowledge_version": "1-abc",
    }  # fmt: skip
    return Report(**{**given, **fields})


def view(**fields: Any) -> View:
    return view_of(report(**fields), EN)


def printed(shown: View, *, everything: bool = False, width: int = 100) -> str:
    stream = io.StringIO()
    show(shown, EN, console_for(stream, width), everything=everything)
    return stream.getvalue()


def test_orders_are_counted_from_one() -> None:
    assert view(findings=(finding(lines=(0, 2)),)).tiers[0][1][0].orders == "orders 1, 3"


def test_nothing_found_is_said_apart_from_nothing_assessed() -> None:
    found = view(verdict="none_found", checked=(Checked("dose", ("warfarin",), "within"),))
    assert found.verdict == "Nothing found among what was checked"
    assert found.open == ""
    opened = view(verdict="not_assessable", unresolved=(Unresolved("xyz", 0, ("xyzal",)),))
    assert "not everything could be assessed" in opened.verdict
    assert opened.open == "could not be assessed: 1 name not recognised"
    assert opened.scope == "nothing could be checked"
    assert "did you mean xyzal?" in opened.unresolved[0].text


def test_a_drug_without_rules_is_counted_and_named() -> None:
    shown = view(checked=(Checked("knowledge", ("omeprazole",), "not_covered"),))
    assert "1 drug not covered" in shown.open
    assert shown.open_rows[0].text == "omeprazole"


def test_a_pair_with_a_drug_without_rules_does_not_count_as_clean() -> None:
    pairs = (("a", "b"), ("a", "c"), ("b", "c"))
    looked = [Checked("interaction", p, "within") for p in pairs]
    shown = view(checked=(Checked("knowledge", ("c",), "not_covered"), *looked))
    assert shown.clean[0].text.startswith("1 of 3 pairs; 2 pairs hold a drug that is not covered")


def test_all_is_said_only_where_all_were_within() -> None:
    three = [Checked("route", (d,), "within") for d in "abc"]
    assert view(checked=tuple(three)).clean[0].text == "all 3 drugs: a, b, c"
    assert view(checked=(*three, Checked("route", ("d",), "not_assessable"))).clean[0].text == "a, b, c"


def test_a_sentence_published_twice_is_quoted_once_with_both_places() -> None:
    both = (evidence("Same words."), evidence("Same words.", UNREAD))
    quotes = view(findings=(finding(evidence=both),)).tiers[0][1][0].quotations
    assert [q.texts for q in quotes] == [("Same words.",)]
    assert [s.read for s in quotes[0].sources] == [True, False]


def test_what_would_change_a_finding_is_shown_with_the_tier_it_would_have() -> None:
    changed = finding(tier=Tier.WARNING, would_change_if=(WouldChange("age", "age >= 65", Tier.CRITICAL),))
    assert "Would change" in printed(view(findings=(changed,)))
    assert "age >= 65 → CRITICAL" in printed(view(findings=(changed,)))


def test_a_gap_says_what_is_needed_why_and_what_it_touches() -> None:
    gap = Gap("egfr", "eGFR is not known", ("f-1",), ("metformin",))
    shown = printed(view(findings=(finding(),), gaps=(gap,)))
    assert "? eGFR" in shown
    assert "touches Kidney metformin" in shown


def test_a_condition_reads_as_words_with_what_it_came_from() -> None:
    facts = (
        PatientFact("condition", "atrial-fibrillation (active)", "", "atrial fibrillation"),
        PatientFact("condition", "diabetes (history)", "", "note: “had diabetes”"),
        PatientFact("age", "82", "year", "input"),
    )
    assert [(r.label, r.text) for r in view(patient=facts).patient] == [
        ("condition", "atrial fibrillation"),
        ("condition", "diabetes (history) (note: “had diabetes”)"),
        ("age", "82 years"),
    ]


def test_an_unread_source_says_so_in_terminal_and_page() -> None:
    shown = view(findings=(finding(tier=Tier.WARNING, evidence=(evidence("Words.", UNREAD),)),))
    assert "not read by the author" in " ".join(printed(shown).split())
    assert "not read by the author" in page(shown, EN)


def test_only_web_addresses_become_links() -> None:
    shown = page(view(findings=(finding(evidence=(evidence("A."), evidence("B.", UNREAD, 9))),)), EN)
    assert 'href="https://example.org/a"' in shown
    assert 'href="javascript' not in shown


def test_markup_and_escapes_in_a_report_stay_text() -> None:
    nasty = finding(summary="<b>x</b> [bold]y[/bold] \x1b[31mz", drugs=("<i>d</i>",))
    shown = view(findings=(nasty,))
    assert "[bold]y[/bold]" in printed(shown)
    assert "\x1b" not in printed(shown)
    assert "&lt;b&gt;x&lt;/b&gt;" in page(shown, EN)
    assert "<i>d</i>" not in page(shown, EN)


def test_a_narrow_terminal_loses_no_word() -> None:
    words = "metformin must not be used"
    narrow = printed(view(findings=(finding(),)), width=40)
    assert words in " ".join(narrow.split())
    assert "https://example.org/a" in "".join(narrow.split())
    assert max(map(len, narrow.splitlines())) <= 40


def test_infos_are_one_line_each_until_all_is_asked_for() -> None:
    shown = view(findings=(finding(tier=Tier.INFO),))
    assert "It must not be used." not in printed(shown)
    assert "It must not be used." in printed(shown, everything=True)


def test_the_first_lines_name_the_drugs_that_were_not_recognised_beside_those_not_covered() -> None:
    shown = view(
        unresolved=(Unresolved("xqz", 0), Unresolved("a rare syndrome", None, what="condition")),
        notices=("Known but not covered, so not checked: omeprazole.",),
    )
    head = printed(shown).splitlines()[:6]
    at = head.index("! Not recognised, so not checked: “xqz”.")
    assert head[at + 1].startswith("! Known but not covered")
    assert "Not recognised, so not checked: “xqz”." in page(shown, EN).partition("<main>")[0]
    assert view(unresolved=(Unresolved("a rare syndrome", None, what="condition"),)).unrecognised == ""


def test_a_check_done_for_some_drugs_says_for_how_many() -> None:
    doses = (Checked("dose", ("a",), "within"), Checked("dose", ("b",), "not_assessable", "no dose is given"))
    routes = tuple(Checked("route", (d,), "within") for d in "ab")
    assert "(dose 1 of 2, route)" in view(checked=(*doses, *routes)).scope
    beyond = view(
        checked=(*doses, *routes, Checked("knowledge", ("c",), "not_covered")), unresolved=(Unresolved("xqz", 3),)
    )
    assert "(dose 1 of 4, route 2 of 4)" in beyond.scope


def test_a_check_that_is_for_some_drugs_only_counts_those() -> None:
    rows = (Checked("adjustment", ("a",), "breach"), *(Checked("route", (d,), "within") for d in "ab"))
    assert "(dose adjustment, route)" in view(checked=rows).scope


def test_sentences_that_share_their_places_name_them_once() -> None:
    other = Evidence("doc-2", "1", "our statement", "dose", 0, 0, 6, "Third.", "curator", READ)
    shared = view(findings=(finding(evidence=(evidence("First."), evidence("Second.", start=9), other)),))
    quotes = shared.tiers[0][1][0].quotations
    assert [q.texts for q in quotes] == [("First.", "Second.", "Third.")]
    assert printed(shared).count("https://example.org/a") == 1
    assert page(shared, EN).count("A label") == 1


def test_the_order_of_the_places_does_not_keep_sentences_apart() -> None:
    rows = (
        evidence("First."), evidence("First.", UNREAD), evidence("Second.", UNREAD, 9), evidence("Second.", READ, 9),
    )  # fmt: skip
    quotes = view(findings=(finding(evidence=rows),)).tiers[0][1][0].quotations
    assert [q.texts for q in quotes] == [("First.", "Second.")]


def test_a_sentence_of_another_document_stays_with_its_document() -> None:
    theirs = tuple(Evidence(d, "1", "label", "dose", 0, 0, 6, f"From {d}.", "reader", READ) for d in ("one", "two"))
    quotes = view(findings=(finding(evidence=theirs),)).tiers[0][1][0].quotations
    assert [q.place.split()[0] for q in quotes] == ["one", "two"]


def test_what_is_missing_comes_before_the_infos_where_nothing_rests_on_the_patient() -> None:
    gap = Gap("egfr", "eGFR is not known")
    alone = view(findings=(finding(tier=Tier.INFO, inputs=("a, daily dose: 5 mg/day",)),), gaps=(gap,))
    assert printed(alone).index("Missing information") < printed(alone).index("INFO ·")
    assert page(alone, EN).index('id="gaps"') < page(alone, EN).index('id="tier-info"')
    known = view(findings=(finding(tier=Tier.INFO, inputs=("age: 82 (input)",)),), gaps=(gap,))
    assert printed(known).index("Missing information") > printed(known).index("INFO ·")
    assert page(known, EN).index('id="gaps"') > page(known, EN).index('id="tier-info"')
    assert page(known, EN).count('id="gaps"') == page(alone, EN).count('id="gaps"') == 1
