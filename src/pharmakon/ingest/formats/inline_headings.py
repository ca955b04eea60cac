"""Headings that stand inside running text, as openFDA leaves them: "... ( 5.2 ) . 5.1 Hepatotoxicity Severe liver ...".

A cut is made only where it is certain. A number is a heading where it takes its place in the section's own numbering,
outside brackets; the words after it are its heading where a known opening of a sentence, a repetition or the drug's own
name shows where they end. Where it does not show, the words stay in the text, so that none is ever lost.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pharmakon.model.tables import read_table

#: How far back an open bracket is looked for; a cross-reference is shorter.
_BRACKET = 200
#: Headings are no longer than this, in words.
_LONGEST = 22
#: What a number in its order is worth at the end of a sentence and in the middle of one, and what each number left out
#: costs: two weak ones in order, or a strong one after three left out, are still believed.
_STRONG, _WEAK, _GAP = 1.0, 0.4, 0.3
_ENDS = frozenset('.!?:;)]}”"’*†‡§|')
_ITEMS = frozenset("•●○▪■◦·∙‣")
_WORD = re.compile(r"\S+")
_EDGES = "“”\"'‘’®™©*†‡§,;:.()[]"


@dataclass(frozen=True, slots=True)
class Cut:
    """A subsection: its number or heading stands at `start`, its own text begins at `text`."""

    start: int
    text: int
    heading: str
    title: str = ""  #: the heading without its number; "" where its end is not certain
    code: str = ""  #: LOINC, where the heading alone tells it


@dataclass(frozen=True, slots=True)
class _Candidate:
    start: int
    end: int
    k: int
    strong: bool


def numbered(
    text: str,
    number: str,
    names: Sequence[str] = (),
    taken: Sequence[tuple[int, int]] = (),
    without: Sequence[tuple[int, int]] = (),
) -> list[Cut]:
    """Subsections `number`.1, `number`.2, ... of a section, in order.

    `names` are those of the label's own drug. `taken` are stretches that belong to something else (a table, a
    subsection known by its field), in order; one that begins with a number keeps its place in the numbering. `without`
    are stretches that count for nothing.

    >>> section = "Liver ( 5.1 ). 5.1 Hepatotoxicity Cases of injury occurred. 5.2 Falls Patients may fall."
    >>> [(cut.heading, section[cut.text:][:9]) for cut in numbered(section, "5")]
    [('5.1 Hepatotoxicity', 'Cases of '), ('5.2 Falls', 'Patients ')]
    """
    chain = _chain([c for c in _candidates(text, number, taken) if not _inside(c.start, without)])
    starts = {start for start, _ in taken}
    return [_cut(text, c, f"{number}.{c.k}", names) for c in chain if c.start not in starts]


def repeated(text: str, number: str, taken: Sequence[tuple[int, int]] = ()) -> list[tuple[int, int]]:
    """Stretches of numbered subsections that stood word for word before in the same text."""
    found: list[tuple[int, int]] = []
    first: dict[int, int] = {}
    candidates = _candidates(text, number, taken)
    for i, c in enumerate(candidates):
        before = first.setdefault(c.k, c.start)
        if not c.strong:
            continue
        end = next((later.start for later in candidates[i + 1 :] if later.strong), len(text))
        piece = text[c.start : end].rstrip()
        if before < c.start and before + len(piece) <= c.start and text.startswith(piece, before):
            found.append((c.start, end))
    return found


def named(text: str, taken: Sequence[tuple[int, int]] = ()) -> list[Cut]:
    """Subsections of the precautions of a label in the old format, by the headings these always have.

    >>> text = "Use with care. Drug Interactions: Warfarin (see Drug Interactions). Pregnancy Category C Rats."
    >>> [(cut.heading, text[cut.text:][:4]) for cut in named(text)]
    [('Drug Interactions', 'Warf'), ('Pregnancy Category C', 'Rats')]
    """
    found: list[Cut] = []
    for match in _precautions().finditer(text):
        after = text[match.end() : match.end() + 1]
        marked = match["mark"] != "" or after.isupper() or after in _ITEMS
        if marked and not _inside(match.start(), taken) and not _open_bracket(text, match.start()):
            code = next(row["loinc"] for key, row in _data()["precautions"].items() if match[key])
            found.append(Cut(match.start(), match.end(), match["heading"], match["heading"], code))
    return found


def precaution_code(heading: str) -> str:
    """The LOINC code of a heading that stands inside the precautions of a label in the old format, in any case; "".

    >>> precaution_code("Nursing Mothers:"), precaution_code("Hypotension")
    ('34080-2', '')
    """
    rows = _data()["precautions"].values()
    bare = heading.strip(" :.")
    return next((row["loinc"] for row in rows if re.fullmatch(row["heading"], bare, re.IGNORECASE)), "")


def heading_end(text: str, names: Sequence[str] = ()) -> int:
    """Where the heading at the beginning of `text` ends and its first sentence begins; 0 where that is not certain.

    >>> text = "Interstitial Lung Disease Interstitial lung disease can be fatal."
    >>> text[:heading_end(text)], heading_end("Severe Reactions Stevens-Johnson Syndrome and toxic necrolysis")
    ('Interstitial Lung Disease ', 0)
    """
    words = [(m.start(), m[0]) for m in _WORD.finditer(text[: _LONGEST * 16])][: _LONGEST + 8]
    plain = [word.strip(_EDGES).casefold() for _, word in words]
    # few headings have brackets, and to follow them is half the work
    bracketed = _bracketed(words) if any(b in text[: _LONGEST * 16] for b in "([") else [False] * len(words)
    own = frozenset(word.casefold() for name in names for word in name.split() if word[0].isalpha())
    capitals = 0
    for i in range(1, min(len(words) - 1, _LONGEST)):
        at, word = words[i]
        before = words[i - 1][1]
        if _unbalanced(text[:at]):
            continue
        if word in _ITEMS:
            return at
        if before[-1] in ".?!" and len(before) > 2:
            return at if _title(words[:i]) else 0
        if before[-1] == ":":
            return at
        if not _capital(word):
            if capitals and word[0].islower() and plain[i] not in _listed("joining"):
                return 0  # a title has run on into a sentence, and nothing showed where
            continue
        if before[-1] in ",/-–—" or plain[i - 1] in _listed("joining"):
            capitals += 1
        elif _begins(words, plain, bracketed, i, own):
            return at
        elif i == 1 and plain[2] in _listed("finite"):
            return at  # "Falls Antipsychotics may cause": two capitals and a verb can be parted in one way only
        else:
            capitals += 1
    return 0


def _standard_end(text: str) -> int:
    """Where a heading ends that all labels have, if the text begins with one and a new sentence after it."""
    for heading in _data()["standard"]:
        if text.startswith(f"{heading} ") and text[len(heading) + 1 :][:1].isupper():
            return len(heading) + 1
    return 0


def _begins(
    words: Sequence[tuple[int, str]], plain: Sequence[str], bracketed: Sequence[bool], i: int, own: frozenset[str]
) -> bool:
    """Whether the capital word `i` begins a sentence: by itself, by what follows it, or as it repeats the heading."""
    word = plain[i]
    if word in _listed("opening") or word.rstrip("s") == plain[0].rstrip("s"):
        return True
    after = [n for n in range(i + 1, len(words)) if plain[n] and not bracketed[n]]
    # "Adult Patients For adult ...": a small word in capitals begins the next sentence, so this word ends no heading
    following = next((n for n in after if plain[n] not in _listed("joining") or _capital(words[n][1])), 0)
    lower = bool(following) and not _capital(words[following][1])
    lower = lower or (bool(following) and plain[following] in own and word not in _listed("noun"))
    if word in own:
        beyond = next((plain[n] for n in after if plain[n] not in own), "")
        return lower and (beyond in _listed("finite") or beyond not in _listed("joining"))
    if word in _listed("opening_before_lowercase"):
        return lower
    return lower and following == i + 1 and word.rstrip("s") in {p.rstrip("s") for p in plain[:i]}


def _bracketed(words: Sequence[tuple[int, str]]) -> list[bool]:
    """For each word whether it stands in brackets, those that open and close them included."""
    found: list[bool] = []
    depth = 0
    for _, word in words:
        opened = word.count("(") + word.count("[")
        found.append(depth > 0 or word[0] in "([")
        depth = max(0, depth + opened - word.count(")") - word.count("]"))
    return found


def _unbalanced(text: str) -> bool:
    return text.count("(") > text.count(")") or text.count("[") > text.count("]")


def _title(words: Sequence[tuple[int, str]]) -> bool:
    """Whether the words are written as a title, and so are no sentence."""
    return all(_capital(w) or w.strip(_EDGES).casefold() in _listed("joining") or not w[0].isalpha() for _, w in words)


def _capital(word: str) -> bool:
    return word.lstrip("“\"'‘(")[:1].isupper()


def _cut(text: str, candidate: _Candidate, number: str, names: Sequence[str]) -> Cut:
    rest = text[candidate.end : candidate.end + _LONGEST * 16]
    end = heading_end(rest, names) or _standard_end(rest)
    title = rest[:end].strip().rstrip(":.").rstrip()
    return Cut(candidate.start, candidate.end + end, f"{number} {title}".strip(), title)


def _candidates(text: str, number: str, taken: Sequence[tuple[int, int]]) -> list[_Candidate]:
    found = []
    ends = {end for _, end in taken}
    starts = {start for start, _ in taken}
    for match in _number(number).finditer(text):
        at = match.start()
        first = text[match.end() : match.end() + 1]
        if not (first.isupper() or first in '(“"'):
            continue
        if at not in starts and (_inside(at, taken) or _open_bracket(text, at)):
            continue
        before = text[max(0, at - 3) : at].rstrip()
        strong = not before or before[-1] in _ENDS or at in ends or at - 1 in ends or at in starts
        found.append(_Candidate(at, match.end(), int(match[1]), strong))
    return found


def _chain(candidates: Sequence[_Candidate]) -> list[_Candidate]:
    """The numbers that run on best: each in order counts, each left out costs; none where that is worth less than 1."""
    best: dict[int, tuple[float, list[_Candidate]]] = {}
    for c in candidates:
        worth = _STRONG if c.strong else _WEAK
        score, before = -_GAP * (c.k - 1), []
        for k, (reached, chain) in best.items():
            if k < c.k and reached - _GAP * (c.k - k - 1) > score:
                score, before = reached - _GAP * (c.k - k - 1), chain
        if c.k not in best or score + worth > best[c.k][0]:
            best[c.k] = (score + worth, [*before, c])
    score, chain = max(best.values(), key=lambda found: found[0], default=(0.0, []))
    return chain if score >= _STRONG else []


def _inside(at: int, taken: Sequence[tuple[int, int]]) -> bool:
    return any(start <= at < end for start, end in taken)


def _open_bracket(text: str, at: int) -> bool:
    before = text[max(0, at - _BRACKET) : at]
    return max(before.rfind("("), before.rfind("[")) > max(before.rfind(")"), before.rfind("]"))


@cache
def _number(number: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(number)}\.([1-9]\d?)\.? +")


@cache
def _data() -> dict[str, Any]:
    return read_table("pharmakon.ingest.formats", "inline_headings.toml")


@cache
def _listed(name: str) -> frozenset[str]:
    return frozenset(_data()[name])


@cache
def _precautions() -> re.Pattern[str]:
    headings = "|".join(f"(?P<{key}>{row['heading']})" for key, row in _data()["precautions"].items())
    return re.compile(
        rf"(?:^|(?<=[.!?)\]:] )|(?<=PRECAUTIONS )|(?<=\n))(?P<heading>{headings})(?P<mark> ?[:.–—-]?)\s*(?=\S)"
    )
