"""Names that a sentence permits, sets beside the drug, or names for what is measured of them: no second drug.

"Avoid clarithromycin; azithromycin is an alternative" speaks against one of the two, "nitrates are not contraindicated"
against none, and "contraindicated at potassium above 5.5" means no tablets. The wordings are data (`interaction.toml`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache

from pharmakon.extract.claims import Sentence
from pharmakon.extract.specialists.interaction.sketch import CLASS, DRUG, FOOD, Named
from pharmakon.extract.specialists.interaction.wording import STRICT, Tone, tone_of, wordings

#: What ends a clause: nothing beyond it is said of a name within.
_END = re.compile(r"[;|]|\.\s|:\s|\Z")
_NEXT = re.compile(r";|\.\s(?=[A-Z])")
#: Between two members of a list: the last two, and others.
_AND = re.compile(r"\s*,?\s*(?:\b(?:and|or)\s+|/\s*)(?:with\s+|the\s+|other\s+|oral\s+)*", re.IGNORECASE)
_COMMA = re.compile(r"\s*,\s*(?:(?:and|or)\s+)?", re.IGNORECASE)
#: Between a name and what is said of it: its dose, its form, a bracket.
_FURTHER = (
    r"(?:s\b)?(?:\s*\([^()]*\))?,?(?:\s(?!and\b|or\b(?! (?:less|more|lower|below|under)\b)|but\b|if\b|when\b|"
    r"because\b|should\b|must\b|with\b|is\b|are\b)[^\s;:|.,()]+){0,8}?,?\s*"
)
#: What two drugs do is compared with what one of them does.
_ALONE = re.compile(r"s?\s(?:alone|monotherapy|by itself)\b", re.IGNORECASE)
_ONE = re.compile(r"\s*(?:is|does|has)\b", re.IGNORECASE)
#: Members of a list that stand between the words before it and a later member.
_LISTED = r"(?:[\w-]+(?:\s(?:and|or)\s|/)){0,3}\Z"
_REACH = 160
_OTHERS = (DRUG, CLASS, FOOD)

#: Words by which advice on a drug is advice for those who take the label's own.
_BESIDE_IT = re.compile(
    r"\b(?:concomitant|co-?admin|concurren|simultaneous|taking|receiving|interact|together|combin|during|while|treatment|"
    r"therapy|this|with (?:other|drugs|agents|medic)|added|also)",
    re.IGNORECASE,
)

Place = tuple[int, int, int]
"""Start, end, and which thing it is of."""


def set_aside(text: str, things: Sequence[Named], tone: Tone, *, of_two: bool = True) -> set[int]:
    """The things that the sentence, whose tone is `tone`, does not accuse, as numbers of `things`.

    `of_two`: two drugs of which it speaks without the label's own are none of the label's.
    """
    places = sorted((start, end, n) for n, thing in enumerate(things) if thing.role in _OTHERS
                    for start, end in thing.places)  # fmt: skip
    free = _permitted(text, places, tone)
    free |= {place for place in places if _beside(text, place)}
    free |= _of_two_others(text, places, things) if of_two else set()
    once = {n for start, _, n in places if _ends(text, start, "once")}
    return once | {n for *_, n in places if all(p in free for p in places if p[2] == n)}


def of_another(sentence: Sentence, tone: Tone, things: Sequence[Named]) -> bool:
    """Whether a warning that names one other drug, and no word for taking two, is advice on that drug itself."""
    alone = len(things) == 1 and things[0].role in (DRUG, CLASS) and sentence.kind in ("warnings", "boxed_warning")
    return alone and tone.name in STRICT and not sentence.heading_mentions and not _BESIDE_IT.search(sentence.text)


def spoken_tone(text: str, thing: Named, things: Sequence[Named], tone: Tone) -> Tone:
    """The tone of the clauses that name `thing`, where the stricter one speaks of something else that it names.

    "Monitor with antihypertensives; do not use with clonidine": the first are to be monitored. A clause without a tone
    of its own, and one without names, goes with the rest.
    """
    clauses = _clauses(text)
    if tone.name not in STRICT or len(clauses) == 1:
        return tone
    mine = [c for c in clauses if _names(c, thing)]
    tones = [tone_of(text[a:b], "") for a, b in mine]
    stricter = [c for c in clauses if c not in mine and tone_of(text[c[0] : c[1]], "").name == tone.name]
    others = [t for t in things if t is not thing and t.role in _OTHERS]
    if not all(t.name for t in tones) or tone in tones or not stricter:
        return tone
    if not all(any(_names(c, other) for other in others) for c in stricter):
        return tone
    return max(tones, key=lambda t: (t.tier, t.name in STRICT))


def exceptions(text: str, thing: Named, names: Sequence[tuple[int, int]]) -> list[int] | None:
    """Which of `names` (start, end) are left out of a class; None where the sentence does not name what is."""
    left_out: list[int] = []
    for _, end in thing.places:
        until = _END.search(text, end)
        for word in _pattern("except").finditer(text, end, until.start() if until else len(text)):
            found = _list_at(text, names, word.end())
            if not found and word[0] != "but" and _BEHIND.fullmatch(text, end, word.start()):
                return None
            left_out += found
    return left_out


#: Between a class and its exception: nothing but a bracket or a comma.
_BEHIND = re.compile(r"(?:s\b)?(?:\s*\([^()]*\))?\s*[,(]?\s*")
_FIRST = re.compile(
    r"[\s(]*(?:(?:for|of|the|low[ -]dose|topical|oral|possibly|with|drugs?|agents?|such|as|like|including)\s+){0,4}",
    re.IGNORECASE,
)


def _list_at(text: str, names: Sequence[tuple[int, int]], at: int) -> list[int]:
    """The names of a list that begins at `at`, within a few words, as numbers of `names`."""
    found: list[int] = []
    for n, (start, end) in enumerate(names):
        links = (_COMMA, _AND) if found else (_FIRST,)
        if start >= at and any(link.fullmatch(text, at, start) for link in links):
            found.append(n)
            at = end
    return found


def _permitted(text: str, places: Sequence[Place], tone: Tone) -> set[Place]:
    """Names that the sentence permits where they stand.

    What "may be used" is spared beside stricter words alone: by itself that may be advice on how to use it.
    """
    found = set[Place]()
    for kind in ("denied", "may") if tone.name in STRICT else ("denied",) if not tone.name else ():
        said = _pattern(kind, lead=_FURTHER)
        for k, place in enumerate(places):
            match = said.match(text, place[1])
            if match is None or any(place[1] < start < match.end() for start, *_ in places):
                continue
            found.add(place)
            for n in range(k - 1 if not _ONE.match(text, place[1]) else -1, -1, -1):
                link = _AND if n == k - 1 else _COMMA
                if not link.fullmatch(text, places[n][1], places[n + 1][0]):
                    break
                found.add(places[n])
        for word in _pattern(f"{kind}_before").finditer(text):
            found |= {places[n] for n in _list_at(text, [p[:2] for p in places], word.end())}
    return found


def _beside(text: str, place: Place) -> bool:
    """Whether a name stands where no second drug does: without it, unlike it, instead of it, a level of it."""
    start, end, _ = place
    return (
        (_ends(text, start, "beside") and not _ALONE.match(text, end))
        or _pattern("instead").match(text, end) is not None
        or _pattern("level").match(text, end) is not None
        or _pattern("electrolyte").match(text, start) is not None
    )


def _of_two_others(text: str, places: Sequence[Place], things: Sequence[Named]) -> set[Place]:
    """Two drugs that a clause without the label's own speaks of alone: "kelpin should not be used with zorfan"."""
    found = set[Place]()
    for clause in _clauses(text):
        if any(_names(clause, thing) for thing in things if thing.role not in _OTHERS):
            continue
        inside = [p for p in places if clause[0] <= p[0] < clause[1]]
        for a, b in ((a, b) for a in inside for b in inside if a[1] < b[0] and a[2] != b[2]):
            plainly = _pattern("pair").fullmatch(text, a[1], b[0])
            if plainly or (_pattern("with").fullmatch(text, a[1], b[0]) and _ends(text, a[0], "pair_before")):
                found |= {a, b}
    return found


def _clauses(text: str) -> list[tuple[int, int]]:
    ends = [m.end() for m in _NEXT.finditer(text)]
    return list(zip([0, *ends], [*ends, len(text)], strict=True))


def _names(clause: tuple[int, int], thing: Named) -> bool:
    return any(clause[0] <= at < clause[1] for at, _ in thing.places)


def _ends(text: str, at: int, key: str) -> bool:
    """Whether the words of `key` stand right before `at`, or before a list that goes on there."""
    return _pattern(key, tail=_LISTED).search(text[max(0, at - _REACH) : at]) is not None


@cache
def _pattern(key: str, *, lead: str = "", tail: str = "") -> re.Pattern[str]:
    """The wordings of `key` in the table `allowed`, as one pattern."""
    return re.compile(lead + "(?:" + "|".join(wordings()["allowed"][key]) + ")" + tail, re.IGNORECASE)
