"""Whether a sentence is supported by the evidence it cites: by code alone, one rule after the other.

What a language model writes is a draft. A sentence of it is said only where one quotation says the same: word for word,
or with the same figures, names, polarity and most of its words. Rules that can't be sure refuse: a faithful sentence
that is dropped costs a reader some fluency, an unfaithful one that passes may cost more.

Each part of a sentence is held against single sentences of the quotations, never against all of them together, so that
two true halves do not make a false whole.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.documents import Evidence
from pharmakon.model.question import Link
from pharmakon.retrieve.cues import Cue, data, groups
from pharmakon.retrieve.figures import Figure
from pharmakon.retrieve.language import language_of
from pharmakon.retrieve.reading import Item, Links, Reading, clause_breaks, clauses, read, sentences

#: A concept → itself and what it is a kind of or belongs to.
Above = Callable[[ConceptId], Collection[ConceptId]]

#: The least share of a sentence's items that must stand in the quotation, calibrated on tests/unit/retrieve/pairs.
COVERAGE = 0.6
COVERAGE_ACROSS = 0.6  #: where the languages differ
COVERAGE_OF_PART = 0.5  #: of each clause
#: A name of one of these kinds that the quotation lacks is refused; others count as words.
_KINDS = frozenset({"ingredient", "drug", "class", "lifestyle", "disease"})
#: What acts and is acted on.
_ACTORS = frozenset({"ingredient", "drug", "class", "lifestyle"})
#: Units of a dose, which is one drug's.
_DOSES = frozenset({"g", "mg", "ug", "mcg", "unit", "mL", "mmol", "mEq"})
RULES = ("verbatim", "figures", "concepts", "stance", "coverage")


@dataclass(frozen=True, slots=True)
class Verdict:
    """`rule`: which one decided (one of `RULES`, or "evidence" where nothing is cited); `missing`: what it lacked."""

    supported: bool
    rule: str
    missing: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.rule + (f": {', '.join(self.missing)}" if self.missing else "")


@dataclass(frozen=True, slots=True)
class _Unit:
    """One sentence of a quotation, and what its document is about."""

    reading: Reading
    about: frozenset[ConceptId]
    before: frozenset[ConceptId]  #: named earlier in the same quotation: "Avoid the pair."
    document: str

    def concepts(self) -> frozenset[ConceptId]:
        return self.reading.concepts | self.about | self.before


def check(sentence: str, evidence: Sequence[Evidence], links: Links, above: Above) -> Verdict:
    """The verdict on `sentence`. `links` reads names in any text, `above` is the hierarchy of the knowledge base."""
    if not evidence or not sentence.strip():
        return Verdict(False, "evidence")
    if verbatim(sentence, evidence):
        return Verdict(True, "verbatim")
    units = list(_units(evidence, links))
    whole = read(sentence, links)
    if not (whole.links or whole.figures) and all(u.reading.lang != whole.lang for u in units):
        return Verdict(False, "coverage", ("a name or a figure",))
    parts = [read(part, links, whole.lang) for part in clauses(sentence, whole.lang)]
    best = _best(whole, units, above)
    if best[0].supported and all(_covered_part(part, best[1]) for part in parts):
        return best[0]
    if len(parts) < 2:
        return best[0] if not best[0].supported else Verdict(False, "coverage", ("a part of it",))
    return _by_parts(parts, units, above)


def _by_parts(parts: Sequence[Reading], units: Sequence[_Unit], above: Above) -> Verdict:
    """Every part by a sentence of its own; parts of different documents must each name what they are about."""
    used: set[str] = set()
    for at, part in enumerate(parts):
        verdict, unit = _best(part, units, above)
        if not verdict.supported:
            return verdict
        names = part.concepts & frozenset(c for u in unit.about for c in above(u)) or part.concepts & unit.about
        if used and unit.document not in used and not names and unit.about:
            return Verdict(False, "concepts", ("what part %d is about" % (at + 1),))
        used.add(unit.document)
    return Verdict(True, "coverage")


def _best(reading: Reading, units: Sequence[_Unit], above: Above) -> tuple[Verdict, _Unit]:
    """The verdict by the unit that gets furthest."""
    verdicts = [(_judge(reading, unit, above), unit) for unit in units]
    for verdict, unit in verdicts:
        if verdict.rule == "stance" and _says_the_same(reading, unit) and _turned(reading, unit.reading):
            return verdict, unit  # it turns what one sentence says, whatever another one allows
    return max(verdicts, key=lambda v: (v[0].supported, RULES.index(v[0].rule), -len(v[0].missing)))


def _judge(reading: Reading, unit: _Unit, above: Above) -> Verdict:
    for rule, missing in (
        ("figures", lambda: figures_missing(reading, unit.reading)),
        ("concepts", lambda: concepts_missing(reading, unit.concepts(), unit.reading, above)),
        ("stance", lambda: stance_differs(reading, unit.reading)),
        ("stance", lambda: roles_swapped(reading, unit.reading, unit.about, above)),
        ("coverage", lambda: not_covered(reading, unit.reading, unit.about, above)),
    ):
        if found := missing():
            return Verdict(False, rule, tuple(found))
    return Verdict(True, "coverage")


def _says_the_same(reading: Reading, unit: _Unit) -> bool:
    """Whether nearly all of the words stand in this one sentence."""
    lacking = _lacking(reading, unit.reading, (), lambda c: (c,))
    return len(reading.items) > 2 and len(lacking) <= 0.2 * len(reading.items)


def _turned(reading: Reading, quotation: Reading) -> bool:
    """Whether one denies or forbids what the other does not, or says the opposite."""
    opposite = any(
        mine and theirs and mine.isdisjoint(theirs)
        for group in ("direction", "bearing", "change")
        for mine, theirs in [(reading.members(group), quotation.members(group))]
    )
    forbids = "against" in quotation.members("stance") and "against" not in reading.members("stance")
    return opposite or forbids or any(_denied_otherwise(reading, quotation))


def _units(evidence: Sequence[Evidence], links: Links) -> Iterator[_Unit]:
    for one in dict.fromkeys(evidence):
        title = frozenset(c for k in links(one.title) for c in k.concepts)
        before: frozenset[ConceptId] = frozenset()
        for sentence in sentences(one.quote):
            reading = read(sentence, links)
            yield _Unit(reading, title, before, one.document)
            before |= reading.concepts


# ── 1 ────────────────────────────────────────────────────────────────────────────────────────────────


def verbatim(sentence: str, evidence: Sequence[Evidence]) -> bool:
    """Whether the words stand in one quotation, or in two of one section that follow one another."""
    wanted = f" {fold(sentence)} "
    if not wanted.strip():
        return False
    ordered = sorted(set(evidence), key=lambda e: (e.document, e.version, e.ord, e.start))
    quotes = [fold(e.quote) for e in ordered]
    joined = [
        f"{x} {y}"
        for (a, b), (x, y) in zip(pairwise(ordered), pairwise(quotes), strict=True)
        if (a.document, a.version, a.ord) == (b.document, b.version, b.ord) and a.end <= b.start
    ]
    if wanted.isascii():
        return any(wanted in f" {quote} " for quote in (*quotes, *joined)) and not _bare(sentence, ordered)
    return any(wanted.strip() in quote for quote in (*quotes, *joined)) and not _bare(sentence, ordered)


def _bare(sentence: str, evidence: Sequence[Evidence]) -> bool:
    """Whether the words are a piece of a sentence that the rest of it turns: "… must not be used" without its "not"."""
    lang = language_of(sentence)
    for one in evidence:
        for whole in sentences(one.quote):
            inside, piece = fold(whole), fold(sentence)
            if piece in inside and piece != inside:
                mine, theirs = read(sentence, _nothing, lang), read(whole, _nothing, lang)
                return bool(stance_differs(mine, theirs))
    return False


def _nothing(_: str) -> Sequence[object]:
    return ()


# ── 2 ────────────────────────────────────────────────────────────────────────────────────────────────


def figures_missing(sentence: Reading, quotation: Reading) -> list[str]:
    """Figures of the sentence that the quotation does not hold with the same unit and bound, or holds of another."""
    missing = [str(f) for f in sentence.figures if not any(f.same_as(q) for q in quotation.figures)]
    return missing or [*_held_otherwise(sentence, quotation), *_bundled_otherwise(sentence, quotation)]


def _held_otherwise(sentence: Reading, quotation: Reading) -> Iterator[str]:
    """A dose of one drug that the quotation gives for another: "limit A to 40 mg with B"."""
    for figure in sentence.figures:
        mine = _holder(figure, sentence)
        theirs = [_holder(q, quotation) for q in quotation.figures if figure.same_as(q)]
        if mine & quotation.concepts and all(theirs) and not any(mine & t for t in theirs):
            yield f"{figure} of {', '.join(sorted(mine))}"


def _holder(figure: Figure, reading: Reading) -> frozenset[ConceptId]:
    """The drug that stands nearest to a dose."""
    if figure.unit.partition("/")[0] not in _DOSES:
        return frozenset()
    drugs = [k for k in reading.links if kind_of(k.concepts[0]) in ("ingredient", "drug", "class")]
    near = min(drugs, key=lambda k: max(k.start - figure.end, figure.start - k.end), default=None)
    return frozenset(near.concepts) if near else frozenset()


def _bundled_otherwise(sentence: Reading, quotation: Reading) -> Iterator[str]:
    """Of a list of figures one with what belongs to another: the dose of one disease, one rate, one bound."""
    theirs = list(_bundles(quotation))
    for figures, others in _bundles(sentence):
        for figure in figures:
            holding = [at for at, (known, _) in enumerate(theirs) if figure in known]
            unit = figure.partition(" ")[2]
            if sum(any(f.partition(" ")[2] == unit for f in known) for known, _ in theirs) < 2 or not holding:
                continue
            for other in (others | figures) - {figure}:
                at = [n for n, (known, more) in enumerate(theirs) if known and other in known | more]
                if at and not set(at) & set(holding):
                    yield f"{figure} with {other}"


def _bundles(reading: Reading) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
    """Of every part of a sentence its figures, and the diseases and rates beside them."""
    edges = [0, *(m.end() for m in clause_breaks(reading.text, reading.lang)), len(reading.text)]
    for start, end in pairwise(edges):
        figures = frozenset(str(f) for f in reading.figures if start <= f.start < end)
        diseases = {c for k in reading.links if start <= k.start < end for c in k.concepts if kind_of(c) == "disease"}
        rates = {c.member for c in reading.cues if c.group == "rate" and start <= c.start < end}
        yield figures, frozenset(diseases | rates)


# ── 3 ────────────────────────────────────────────────────────────────────────────────────────────────


def concepts_missing(sentence: Reading, known: frozenset[ConceptId], quotation: Reading, above: Above) -> list[str]:
    """Names in the sentence of nothing that the quotation names, or that belongs to what it names.

    A class of something that is named stands only beside it ("ibuprofen, an NSAID"): what holds for one drug does not
    hold for its class.
    """
    missing = []
    for link in sentence.links:
        if kind_of(link.concepts[0]) not in _KINDS or not known.isdisjoint(link.concepts):
            continue
        within = [frozenset(above(c)) & known for c in link.concepts]
        others = [k for k in sentence.links if k is not link and not known.isdisjoint(k.concepts)]
        if any(within):
            # of "an SSRI with an NSAID" ibuprofen may be the one, and not the other beside it
            taken = [k for k in others if any(not w.isdisjoint(k.concepts) for w in within)]
            if not taken or any(_apposed(sentence, link, k) for k in taken):
                continue
        elif any(not frozenset(above(c)).isdisjoint(link.concepts) for k in others for c in k.concepts):
            continue
        elif fold(link.words) in fold(quotation.text):
            continue
        missing.append(link.words)
    return missing


def _apposed(reading: Reading, a: Link, b: Link) -> bool:
    """Whether two names stand for one thing: "ibuprofen, an NSAID", "an NSAID such as ibuprofen"."""
    first, second = sorted((a, b), key=lambda k: k.start)
    between = reading.text[first.end : second.start].lower()
    return re.fullmatch(data("reading")["apposed"][reading.lang], between) is not None


# ── 4 ────────────────────────────────────────────────────────────────────────────────────────────────


def stance_differs(sentence: Reading, quotation: Reading) -> list[str]:
    """What the sentence says otherwise: allowed, forbidden, raised, lowered, always, for whom, by which route, not."""
    return [*_added(sentence, quotation), *_dropped(sentence, quotation), *_denied_otherwise(sentence, quotation)]


def _added(sentence: Reading, quotation: Reading) -> Iterator[str]:
    for name in groups():
        yield from sorted(f"{m} ({name})" for m in sentence.strong(name) - quotation.members(name))


def _dropped(sentence: Reading, quotation: Reading) -> Iterator[str]:
    keys = sentence.keys()
    for group in groups().values():
        said = sentence.members(group.name)
        for cue in quotation.cues:
            if cue.group != group.name or cue.member in said:
                continue
            always = any(m in group.dropped and m not in said for m in (cue.member, *group.implies.get(cue.member, ())))
            if always or (cue.member in group.near and any(not item.keys.isdisjoint(keys) for item in _beside(cue, quotation))):
                yield f"no {cue.member} ({group.name})"


def _beside(cue: Cue, reading: Reading) -> list[Item]:
    """The item that a cue stands before, beyond others of its group ("moderate to severe hepatic impairment")."""
    group = f"{cue.group}."
    return [
        item for item in reading.items if item.start >= cue.end and not any(k.startswith(group) for k in item.keys)
    ][:1]


def _denied_otherwise(sentence: Reading, quotation: Reading) -> Iterator[str]:
    """What one of the two denies and the other asserts."""
    if sentence.denials and not quotation.denials and not quotation.members("stance") & {"against"}:
        yield "a denial"
    for item in sentence.items:
        twins = [q for q in quotation.items if not q.keys.isdisjoint(item.keys)]
        if not twins:
            continue
        if _named(item):
            differs = all(q.next_to_denial != item.next_to_denial for q in twins)
        else:
            differs = all(q.denied != item.denied for q in twins)
        if differs:
            yield sentence.text[item.start : item.end] + (" denied" if item.denied else " not denied")


def _named(item: Item) -> bool:
    """Whether it is a name or a figure: what is denied of it is said by the words beside it."""
    return any(":" in key for key in item.keys)


def roles_swapped(
    sentence: Reading, quotation: Reading, about: Collection[ConceptId], above: Above
) -> list[str]:
    """Pairs of names that do not act on one another so in the quotation: "A raises B" for "B raises A".

    What a quotation advises ("Lower digoxin.") has nobody that acts; a document's subject acts where none is named.
    """
    theirs = list(_acts(quotation, frozenset(about)))
    present = quotation.concepts | frozenset(about)

    def known(concept: ConceptId) -> bool:
        return not frozenset(above(concept)).isdisjoint(present)

    def fits(act: _Act, other: _Act) -> bool:
        return (not act.agent or not other.agent or other.agent in above(ConceptId(act.agent))) and (
            not act.object or not other.object or other.object in above(ConceptId(act.object))
        )

    def holds(act: _Act) -> bool:
        same = [t for t in theirs if t.verb == act.verb]
        whole = [t for t in same if t.agent and t.object]
        if not (act.agent and act.object):
            return not same or any(fits(act, t) for t in whole or same)
        turned = [t for t in theirs if t.agent and t.object and t.verb != act.verb and fits(act, t)]
        turned = [t for t in turned if t.verb.partition(".")[0] == act.verb.partition(".")[0]]
        return any(fits(act, t) for t in whole or same) and (not turned or any(fits(act, t) for t in whole))

    return [
        f"{act.agent or '?'} → {act.object or '?'}" for act in sorted(set(_acts(sentence, frozenset())))
        if (act.agent and not known(ConceptId(act.agent))) or not holds(act)
    ]  # fmt: skip


class _Act(NamedTuple):
    """`agent` or `object` is "" where none is named."""

    agent: str
    verb: str
    object: str


def _acts(reading: Reading, about: frozenset[ConceptId]) -> Iterator[_Act]:
    """Who acts on whom, around every verb of a group with agents and every word such as 使."""
    compared = re.compile("|".join(data("reading")["comparatives"][reading.lang]))
    verbs = [
        c for c in reading.cues
        if (groups()[c.group].agent or groups()[c.group].advice) and not compared.fullmatch(reading.text[c.start : c.end].lower())
    ]  # fmt: skip
    breaks = [m.end() for m in clause_breaks(reading.text, reading.lang)]
    subject = about
    for at, verb in enumerate(verbs):
        begin = max((b for b in breaks if b <= verb.start), default=0) if at else 0
        stop = verbs[at + 1].start if at + 1 < len(verbs) else len(reading.text)
        stop = max((b for b in breaks if verb.end < b <= stop), default=stop) if at + 1 < len(verbs) else stop
        before = [k for k in reading.links if begin <= k.start and k.end <= verb.start]
        after = [k for k in reading.links if verb.end <= k.start and k.end <= stop]
        name = f"{verb.group}.{verb.member}"
        if groups()[verb.group].advice:
            yield from (_Act("", name, b) for b in _concepts(after[:1] or before[-1:]))
            continue
        agents, objects = _parts(reading, verb, before, after)
        subject = _concepts(agents) or subject
        yield from (_Act(a, name, b) for a in subject or {""} for b in _concepts(objects) or {""} if a != b)


def _parts(
    reading: Reading, verb: Cue, before: Sequence[Link], after: Sequence[Link]
) -> tuple[Sequence[Link], Sequence[Link]]:
    """Which of the names before and after a verb act, and which are acted on."""
    beside = [k for k in after if _marked(reading, k.start, "beside")]
    by = [k for k in (*before, *after) if _marked(reading, k.start, "passive")]
    if by:  # "is raised by"
        return by, [k for k in before if k not in by]
    if _rises(reading, verb):  # "the level of B rises with A"
        return beside, before
    made = _causative(reading, before) if not after else None
    if made is not None:  # "A 使 B 升高", "A kan B verhogen"
        return [k for k in before if k.end <= made], [k for k in before if k.start >= made]
    return before, [k for k in after if k not in beside]


def _rises(reading: Reading, verb: Cue) -> bool:
    words = data("reading")["intransitive"][reading.lang]
    return re.fullmatch("|".join(words), reading.text[verb.start : verb.end].lower()) is not None


def _concepts(links: Sequence[Link]) -> frozenset[ConceptId]:
    return frozenset(c for k in links for c in k.concepts if kind_of(c) in _ACTORS)


def _causative(reading: Reading, before: Sequence[Link]) -> int | None:
    """Where a word stands that makes the last name before a verb what is acted on."""
    if len(before) < 2:
        return None
    low = reading.text.lower()
    words = "|".join(data("reading")["causative"][reading.lang])
    match = re.search(words, low[before[0].end : before[-1].start]) if words else None
    return before[0].end + match.start() if match else None


def _marked(reading: Reading, at: int, how: str) -> bool:
    """Whether the name at `at` is led by a word such as "by" (passive) or "with" (beside)."""
    before = reading.text[:at].lower().rstrip()
    marks = data("reading")["agents"][how][reading.lang]
    if reading.lang == "zh":
        return before.endswith(tuple(marks))
    words = re.split(r"[^\w]+", before)
    tails = {words[-1], " ".join(words[-2:])}
    if words[-1] in ("a", "an", "the", "een", "de", "het"):
        tails |= {words[-2] if len(words) > 1 else "", " ".join(words[-3:-1])}
    return not tails.isdisjoint(marks)


# ── 5 ────────────────────────────────────────────────────────────────────────────────────────────────


def not_covered(
    sentence: Reading, quotation: Reading, about: Collection[ConceptId], above: Above
) -> list[str]:
    """The words that the quotation lacks, where they are too many: of all, or of those that are no names or figures."""
    least = COVERAGE if sentence.lang == quotation.lang else COVERAGE_ACROSS
    lacking = _lacking(sentence, quotation, about, above)
    claims = [item for item in sentence.items if _claims(item)]
    lacking_claims = [item for item in lacking if _claims(item)]
    allowed = (1.0 - least) * len(claims)
    if sentence.lang != quotation.lang and len(claims) > 1:
        allowed = max(allowed, 1)  # the words that two languages share here are few
    few = len(lacking) > (1.0 - least) * len(sentence.items) or len(lacking_claims) > allowed
    if not few and not claims and not sentence.figures:  # names with nothing said of them
        few = bool(lacking)
    return [sentence.text[i.start : i.end] for i in lacking] if few else []


def _claims(item: Item) -> bool:
    """Whether it is more than a name, a figure, or a word of any sentence about medicines."""
    if _named(item):
        return False
    terms = {k.removeprefix("term.") for k in item.keys if k.startswith("term.")}
    return not terms or not terms <= set(data("terms")["weak"])


def _covered_part(part: Reading, unit: _Unit) -> bool:
    lacking = _lacking(part, unit.reading, unit.about, lambda c: (c,))
    return len(lacking) <= (1.0 - COVERAGE_OF_PART) * len(part.items)


def _lacking(
    sentence: Reading, quotation: Reading, about: Collection[ConceptId], above: Above
) -> list[Item]:
    keys = quotation.keys() | frozenset(about)
    stems = [k for k in keys if k.startswith("word.")]

    def stands(item: Item) -> bool:
        if not item.keys.isdisjoint(keys):
            return True
        if any(not frozenset(above(ConceptId(k))).isdisjoint(keys) for k in item.keys if ":" in k and k.partition(":")[0] in _KINDS):
            return True
        return any(_kin(a, b) for a in item.keys if a.startswith("word.") for b in stems)

    return [item for item in sentence.items if not stands(item)]


def _kin(a: str, b: str) -> bool:
    """Two stems of one word: the longer begins with nearly all of the shorter."""
    shared = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return shared >= len("word.") + 5 and shared >= 0.75 * max(len(a), len(b))
