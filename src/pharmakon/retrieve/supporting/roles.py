"""Who acts on whom: "A raises B" is not "B raises A", and "Lower B." says nothing of what lowers it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.question import Link
from pharmakon.retrieve.supporting.cues import Cue, data, groups
from pharmakon.retrieve.supporting.reading import Above, Reading, clause_breaks

#: Letters of an article before a name.
_ARTICLE = 5
#: What acts and is acted on.
_ACTORS = frozenset({"ingredient", "drug", "class", "lifestyle"})


def roles_swapped(sentence: Reading, quotation: Reading, about: Collection[ConceptId], above: Above) -> list[str]:
    """Pairs of names that do not act on one another so in the quotation: "A raises B" for "B raises A".

    What a quotation advises ("Lower digoxin.") has nobody that acts; a document's subject acts where none is named.
    """
    pair = len(_concepts(sentence.links)) > 1
    theirs = [*_acts(quotation, frozenset(about)), *_advised(quotation, beside=pair)]
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

    mine = {*_acts(sentence, frozenset()), *_advised(sentence, beside=False)}
    return [
        f"{act.agent or '?'} → {act.object or '?'}"
        for act in sorted(mine)
        if (act.agent and not known(ConceptId(act.agent))) or not holds(act)
    ]


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
        if (groups()[c.group].agent or groups()[c.group].advice)
        and not compared.fullmatch(reading.text[c.start : c.end].lower())
    ]  # fmt: skip
    breaks = [m.end() for m in clause_breaks(reading.text, reading.lang)]
    subject = about
    for at, verb in enumerate(verbs):
        begin = max((b for b in breaks if b <= verb.start), default=0) if at else 0
        stop = verbs[at + 1].start if at + 1 < len(verbs) else len(reading.text)
        stop = max((b for b in breaks if verb.end < b <= stop), default=stop) if at + 1 < len(verbs) else stop
        # a list goes on where a name follows a break at once: "raises A, B and C", not "raises A, most where B"
        ends = (
            b for b in breaks if verb.end < b < stop and not any(b <= k.start <= b + _ARTICLE for k in reading.links)
        )
        stop = next(ends, stop)
        before = [k for k in reading.links if begin <= k.start and k.end <= verb.start]
        after = [k for k in reading.links if verb.end <= k.start and k.end <= stop]
        name = f"{verb.group}.{verb.member}"
        if groups()[verb.group].advice:
            yield from (_Act("", name, b) for b in _concepts(after or before[-1:]))
            continue
        agents, objects = _parts(reading, verb, before, after)
        subject = _concepts(agents) or subject
        yield from (_Act(a, name, b) for a in subject or {""} for b in _concepts(objects) or {""} if a != b)


def _advised(reading: Reading, *, beside: bool) -> Iterator[_Act]:
    """What is to be avoided, or allowed: "Avoid A." says nothing of B. `beside`: what stands after a "with" as well."""
    breaks = [0, *(m.end() for m in clause_breaks(reading.text, reading.lang)), len(reading.text)]
    for cue in reading.cues:
        if cue.group != "stance":
            continue
        begin = max(b for b in breaks if b <= cue.start)
        before = [k for k in reading.links if begin <= k.start and k.end <= cue.start]
        after = [k for k in reading.links if k.start >= cue.end]
        named = [k for k in (*before, *after) if beside or not _marked(reading, k.start, "beside")]
        yield from (_Act("", f"{cue.group}.{cue.member}", c) for c in _concepts(named))


def _parts(
    reading: Reading, verb: Cue, before: Sequence[Link], after: Sequence[Link]
) -> tuple[Sequence[Link], Sequence[Link]]:
    """Which of the names before and after a verb act, and which are acted on."""
    beside = [k for k in after if _marked(reading, k.start, "beside")]
    by = [k for k in (*before, *after) if _marked(reading, k.start, "passive")]
    if by:  # "is raised by"
        return by, [k for k in before if k not in by]
    if _rises(reading, verb):  # "the level of B rises with A", but "A makes blood pressure fall"
        last = before[-1].end if before else 0
        if any(c.group == "measured" and last <= c.start < verb.start for c in reading.cues):
            return [*before, *beside], []
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
