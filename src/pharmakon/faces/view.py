"""Report → what a reader sees, in the order in which a pharmacist needs it. Terminal and page show the same view.

Nothing is judged here: tiers, verdict and results are the report's. What is new is counting, grouping and wording.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pharmakon.faces.text import clean
from pharmakon.faces.words import Words
from pharmakon.model.documents import Citation, Evidence
from pharmakon.model.finding import Checked, Explanation, Finding, Gap, PatientFact, Report, WouldChange
from pharmakon.model.vocabulary import Tier, factors

_OURS = "our statement"
_LOOKED = ("within", "breach")
_EACH_DRUG = ("dose", "route", "contraindication", "allergy", "indication")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a fact is published: title, section with its number, address, and whether the author had it open."""

    title: str
    section: str
    url: str
    read: bool


@dataclass(frozen=True, slots=True)
class Quotation:
    """Sentences as they stand in one stored document, whose words they are, and where the facts are published."""

    texts: tuple[str, ...]
    owner: str
    ours: bool
    place: str
    sources: tuple[Source, ...]


@dataclass(frozen=True, slots=True)
class Item:
    id: str
    tier: str  #: critical, warning, info
    tier_word: str
    type: str
    drugs: str
    orders: str
    summary: str
    management: str
    used: tuple[str, ...]
    chain: str
    changes: tuple[str, ...]
    quotations: tuple[Quotation, ...]
    change: str = ""  #: against an earlier report: new, or the tier it had


@dataclass(frozen=True, slots=True)
class Missing:
    needs: str
    because: str
    touches: str
    quotations: tuple[Quotation, ...]


@dataclass(frozen=True, slots=True)
class Row:
    """A label and what belongs to it."""

    label: str
    text: str


@dataclass(frozen=True, slots=True)
class Comparison:
    title: str
    counts: str
    gone: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class View:
    name: str
    lang: str
    verdict: str
    tallies: tuple[tuple[str, str], ...]  #: tier, "1 critical"; empty tiers left out
    open: str  #: what could not be assessed, counted; empty when there is nothing
    unrecognised: str  #: the drugs that were not recognised, by name; empty where all were
    scope: str
    as_of: str
    knowledge: str
    notices: tuple[str, ...]
    tiers: tuple[tuple[str, tuple[Item, ...]], ...]  #: critical, warning, info
    gaps: tuple[Missing, ...]
    gaps_first: bool  #: no finding rests on the patient's data, so what is missing comes before the infos
    unresolved: tuple[Row, ...]
    patient: tuple[Row, ...]
    assumptions: tuple[Row, ...]
    clean: tuple[Row, ...]
    open_rows: tuple[Row, ...]  #: drugs without rules, then what could not be assessed and why
    comparison: Comparison | None
    explain: Explanation | None


def view_of(report: Report, words: Words, *, name: str = "", against: Mapping[str, Any] | None = None) -> View:
    """`against` is the comparison with an earlier report in the shape of the `audit` contract."""
    uncovered = tuple(d for c in report.checked if c.task == "knowledge" for d in c.drugs)
    items = [_item(f, words, against) for f in report.findings]
    return View(
        name=clean(name),
        lang=words.lang,
        verdict=_verdict(report, words),
        tallies=_tallies(report.findings, words),
        open=_open(report, uncovered, words),
        unrecognised=_unrecognised(report, words),
        scope=_scope(report, words),
        as_of=words("as_of", date=report.as_of.isoformat()),
        knowledge=words("knowledge", version=clean(report.knowledge_version)),
        notices=tuple(clean(n) for n in report.notices),
        tiers=tuple((str(t), tuple(i for i in items if i.tier == str(t))) for t in sorted(Tier, reverse=True)),
        gaps=tuple(_missing(g, report, words) for g in report.gaps),
        gaps_first=bool(report.gaps) and not any(_rests_on_the_patient(f) for f in report.findings),
        unresolved=tuple(
            Row(
                f"“{clean(u.text)}”",
                " · ".join((
                    words("orders", n=1, lines=u.line + 1) if u.line is not None else words("unresolved_other"),
                    words("suggestions", what=words.listed(u.suggestions)) if u.suggestions
                    else words("no_suggestion"),
                )),
            )
            for u in report.unresolved
        ),
        patient=tuple(
            _fact(p, words) for p in report.patient
        ),
        assumptions=tuple(Row(clean(a.text), clean(a.why)) for a in report.assumptions),
        clean=tuple(_clean_rows(report.checked, uncovered, words)),
        open_rows=tuple(_open_rows(report.checked, uncovered, words)),
        comparison=_comparison(against, words),
        explain=report.explain,
    )  # fmt: skip


def _fact(fact: PatientFact, words: Words) -> Row:
    """`eGFR: 22 mL/min/1.73m2 (note: …)`; conditions and allergies come as slugs, and with the words they came from."""
    named = fact.factor in ("condition", "allergy")
    shown = fact.value.removesuffix(" (active)").replace("-", " ") if named else fact.value
    value = clean(f"{shown} {words.unit(fact.unit)}")
    origin = clean(fact.source)
    told = origin in ("", "input") or origin.casefold() == value.partition(" (")[0].casefold()
    return Row(words.factor(fact.factor), value if told else f"{value} ({origin})")


def _verdict(report: Report, words: Words) -> str:
    if report.findings:
        return words("findings", n=len(report.findings))
    return words("verdict_none" if report.verdict == "none_found" else "verdict_open")


def _tallies(findings: Sequence[Finding], words: Words) -> tuple[tuple[str, str], ...]:
    counted = [(str(t), sum(f.tier == t for f in findings)) for t in sorted(Tier, reverse=True)]
    return tuple((tier, words(tier, n=n)) for tier, n in counted if n)


def _open(report: Report, uncovered: Sequence[str], words: Words) -> str:
    counts = {
        "open_gap": len(report.gaps),
        "open_unresolved": len(report.unresolved),
        "open_uncovered": len(uncovered),
        "open_check": sum(c.result == "not_assessable" for c in report.checked),
    }
    said = [words(key, n=n) for key, n in counts.items() if n]
    return words("open", what=words.listed(said)) if said else ""


def _scope(report: Report, words: Words) -> str:
    looked = [c for c in report.checked if c.result in _LOOKED]
    drugs = {d for c in looked for d in c.drugs}
    pairs = sum(c.task == "interaction" for c in looked)
    if not drugs:
        return words("scope_none")
    said = [words("scope_drugs", n=len(drugs))] + ([words("scope_pairs", n=pairs)] if pairs else [])
    tasks = [_done(t, report, words) for t in dict.fromkeys(c.task for c in looked)]
    return f"{words('scope', what=words.listed(said))} ({words.listed(tasks)})"


def _done(task: str, report: Report, words: Words) -> str:
    """The task; where it was not done for all that it is for, for how many: `dose 1 of 4`.

    What looks at every drug is for the drugs without rules and without a known name too; anything else is for what it
    has a row for.
    """
    rows = [c for c in report.checked if c.task == task]
    if task in _EACH_DRUG:
        done = {d for c in rows if c.result in _LOOKED for d in c.drugs}
        named = {d for c in report.checked for d in c.drugs}
        total = len(named) + sum(u.what == "drug" and u.line is not None for u in report.unresolved)
        count = len(done)
    else:
        count, total = sum(c.result in _LOOKED for c in rows), len(rows)
    return words.task(task) if count == total else words("scope_partly", n=count, task=words.task(task), total=total)


def _unrecognised(report: Report, words: Words) -> str:
    names = dict.fromkeys(f"“{u.text}”" for u in report.unresolved if u.what == "drug" and u.line is not None)
    return words("unrecognised", what=words.listed(names)) if names else ""


def _rests_on_the_patient(finding: Finding) -> bool:
    """Whether a value, a condition or an allergy of the record is behind it, not the orders alone."""
    return any(used.partition(":")[0] in _of_the_patient() for used in finding.inputs)


def _of_the_patient() -> frozenset[str]:
    labels = {factor.label for factor in factors().values() if factor.of == "patient"}
    return frozenset({*labels, "allergy"} - {factors()["with"].label})


def _item(finding: Finding, words: Words, against: Mapping[str, Any] | None) -> Item:
    tier = str(finding.tier)
    return Item(
        id=finding.id,
        tier=tier,
        tier_word=words.tier(tier),
        type=words.type(finding.type),
        drugs=" + ".join(clean(d) for d in finding.drugs),
        orders=_orders(finding.lines, words),
        summary=clean(finding.summary),
        management=clean(finding.management),
        used=tuple(clean(i) for i in finding.inputs),
        chain="; ".join(clean(c) for c in finding.chain),
        changes=tuple(
            words("change_to", text=_named(w, words), tier=words.tier(w.tier)) for w in finding.would_change_if
        ),
        quotations=quotations(finding.evidence, words),
        change=_change(finding, words, against),
    )


def _named(change: WouldChange, words: Words) -> str:
    """The condition with its factor in words: `daily dose >= 2000 mg/day`."""
    return clean(change.text.replace(change.needs, words.factor(change.needs), 1) if change.needs else change.text)


def _orders(lines: Sequence[int], words: Words) -> str:
    """Counted from 1, as people count."""
    return words("orders", n=len(lines), lines=words.listed(line + 1 for line in lines)) if lines else ""


def _change(finding: Finding, words: Words, against: Mapping[str, Any] | None) -> str:
    if against is None:
        return ""
    if finding.id in against["new"]:
        return words("new")
    if finding.id in against["tier_changed"]:
        return words("was", tier=words.tier(against["details"][finding.id]["tier_before"]))
    return ""


def quotations(evidence: Sequence[Evidence], words: Words) -> tuple[Quotation, ...]:
    """Each sentence once; our sentences that are published in the same places stand together, places named once.

    Sentences quoted from others stay with their document.
    """
    spans: dict[tuple[str, str, int, int, int], list[Evidence]] = {}
    for e in evidence:
        spans.setdefault((e.document, e.version, e.ord, e.start, e.end), []).append(e)
    merged: dict[tuple[str, str, frozenset[Source]], list[str]] = {}
    listed: dict[tuple[str, str, frozenset[Source]], tuple[Source, ...]] = {}
    for group in spans.values():
        sources = tuple(dict.fromkeys(_source(e.citation, words) for e in group if e.citation))
        place = clean(_place(group[0], words))
        key = (group[0].kind, "" if group[0].kind == _OURS else place, frozenset(sources))
        listed.setdefault(key, sources)
        texts = merged.setdefault(key, [])
        texts += [quote] if (quote := clean(group[0].quote)) not in texts else []
    return tuple(
        Quotation(
            texts=tuple(texts),
            owner=words("quote_ours") if kind == _OURS else words("quote_other", kind=clean(kind)),
            ours=kind == _OURS,
            place=place,
            sources=listed[kind, place, sources],
        )
        for (kind, place, sources), texts in merged.items()
    )


def _place(e: Evidence, words: Words) -> str:
    """Document with version and date, and the section; a title first where the document is not ours."""
    named = [e.title] if e.title and e.kind != _OURS else []
    return ", ".join([*named, f"{e.document} {e.version}", *([e.dated] if e.dated else []), words.section(e.section)])


def _source(citation: Citation, words: Words) -> Source:
    section = f"{words.section(citation.section)} {citation.locator}".strip()
    return Source(clean(citation.title), clean(section), clean(citation.url), citation.read)


def _missing(gap: Gap, report: Report, words: Words) -> Missing:
    named = {f.id: f for f in report.findings}
    touched = [f"{words.type(named[i].type)} {' + '.join(named[i].drugs)}" for i in gap.findings if i in named]
    touches = words("gap_touches", what=words.listed(touched)) if touched else ""
    return Missing(words.factor(gap.needs), clean(gap.because), touches, quotations(gap.evidence, words))


def _clean_rows(checked: Sequence[Checked], uncovered: Sequence[str], words: Words) -> list[Row]:
    """One row per task: drugs by name, pairs by number."""
    rows = []
    for task in dict.fromkeys(c.task for c in checked):
        looked = [c for c in checked if c.task == task]
        within = [c for c in looked if c.result == "within"]
        if not within:
            continue
        if task == "interaction":
            partly = sum(any(d in uncovered for d in c.drugs) for c in within)
            text = words("clean_pairs", n=len(looked), within=len(within) - partly)
            text += f"; {words('clean_pairs_partly', n=partly)}" if partly else ""
        elif task == "burden":
            text = words.listed(c.why or " + ".join(c.drugs) for c in within)
        elif len(within) == len(looked) > 2 and all(len(c.drugs) == 1 for c in within):
            text = f"{words('clean_all', n=len(within))}: {words.listed(c.drugs[0] for c in within)}"
        else:
            text = words.listed(dict.fromkeys(" + ".join(c.drugs) for c in within))
        rows.append(Row(words.task(task), text))
    return rows


def _open_rows(checked: Sequence[Checked], uncovered: Sequence[str], words: Words) -> list[Row]:
    """The drugs without rules, then one row per task and reason."""
    named = [Row(words("uncovered"), words.listed(uncovered))] if uncovered else []
    grouped: dict[tuple[str, str], list[str]] = {}
    for c in checked:
        if c.result == "not_assessable":
            grouped.setdefault((c.task, c.why), []).append(" + ".join(c.drugs))
    return named + [
        Row(words.task(task), words.listed(dict.fromkeys(drugs)) + (f": {clean(why)}" if why else ""))
        for (task, why), drugs in grouped.items()
    ]


def _comparison(against: Mapping[str, Any] | None, words: Words) -> Comparison | None:
    if against is None:
        return None
    earlier = against["earlier"]
    named = {key: len(against[key]) for key in ("new", "gone", "unchanged")}
    gone = tuple(
        clean(f"{words.tier(against['details'][i]['tier'])} {against['details'][i]['summary']}")
        for i in against["gone"]
    )
    return Comparison(
        words("against", date=clean(earlier["as_of"]), version=clean(earlier["knowledge_version"])),
        words("against_counts", changed=len(against["tier_changed"]), **named),
        gone,
    )
