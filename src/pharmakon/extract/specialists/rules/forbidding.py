"""Where a text forbids: the stretches that list patients, with what explains them and other drugs left out."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence

from pharmakon.extract.specialists.wording import cue, pattern

#: Letters at most of the head of a list item that is explained behind a colon.
_HEAD = 90
_WHOLE = frozenset({"contraindications"})
#: An item of a list that is another drug.
_ANOTHER_DRUG = pattern(r"(?:[,;]|\bor\b)\s*(?:(?:or|and)\s+)?(?:with\s+)?(?:concomitant|concurrent|co-?administ)\w*")
#: A verb of a full sentence. List items have none, or one that tells of the patient ("who have had").
_FINITE = pattern(
    r"(?<!who )(?<!that )(?<!which )(?<!whom )(?<!also )\b(?:is|are|was|were|has|have|had|may|can|could|should|must|"
    r"will|might|include[sd]?|occur(?:s|red)?|cause[sd]?|does|do|did|increase[sd]?|contains?|range[sd]?|need)\b"
)
#: Where a sentence begins that a heading was run together with.
_USE_OF = re.compile(r"\b(?:The use|Use|Administration) of\b")
#: What gives a list item its reason, which may be a full sentence.
_BECAUSE = pattern(r"\b(?:because|since)\b")
#: What is allowed with care is not forbidden, whatever section lost its end.
_CAREFUL = pattern(r"\b(?:exercise|with|use) caution\b|\bcautious\w*")
#: The heading of a warning: what happens, and in whom.
_HAPPENS_IN = pattern(
    r"[A-Z][\w-]+(?: [\w-]+){0,2} in (?!patients|those|women|children)[\w ,/-]{3,60} (?:patients|individuals)"
)
#: The beginning of a line that says that there are none.
_NONE = pattern(r"\W*(?:none|nil)\b")
#: What is forbidden is a dose, not the drug.
_DOSES = pattern(r"\b(?:dos(?:es?|ages?)|\d+ mg(?: \w+){0,3})\s*$")


def forbids_in(text: str, kind: str) -> list[re.Match[str]]:
    """The words of `text` that forbid, without those that are denied."""
    denied = [m.span() for m in cue("cues", "contraindicated.not").finditer(text)]
    forbids = list(cue("cues", "contraindicated.words").finditer(text))
    forbids = [m for m in forbids if not any(a <= m.start() < b for a, b in denied)]
    if not forbids and kind in ("contraindications", "boxed_warning"):
        forbids = [m for m in cue("cues", "forbidden.words").finditer(text) if not _DOSES.search(text[: m.start()])]
    return forbids


def regions_of(
    text: str, kind: str, named: Callable[[int, int], bool], others: Sequence[re.Match[str]] = ()
) -> list[tuple[int, int]]:
    """The stretches of `text` that list patients; none where it forbids nothing.

    `others`: those of the words that forbid which forbid another drug; what they govern is left out.
    """
    forbids = forbids_in(text, kind)
    if not forbids:
        denied = cue("cues", "contraindicated.not").search(text) or _NONE.match(text)
        end = _item(text) if kind in _WHOLE and not denied else 0
        return [(0, min(end, reason(text, 0)))] if end else []
    found = []
    theirs = {m.start() for m in others}
    for i, match in enumerate(forbids):
        if match.start() in theirs:
            continue
        behind = forbids[i + 1].start() if i + 1 < len(forbids) else len(text)
        end = min(reason(text, match.end()), behind)
        start = forbids[i - 1].end() if i else 0
        # "Use in patients with asthma is contraindicated": in whom, stands before where nothing is named behind
        uses = [m.start() for m in _USE_OF.finditer(text, start, match.start())]
        before = (uses[-1] if uses else start, match.start())
        found.append((match.end(), end) if named(match.end(), end) else before)
    return found


def _item(text: str) -> int:
    """Where a list item ends, before what explains it ("Heart block: may worsen"); 0 where it is a full sentence."""
    if _CAREFUL.search(text) or _HAPPENS_IN.fullmatch(text):
        return 0
    cuts = [cue("cues", "reason.except").search(text), _BECAUSE.search(text)]
    end = min((m.start() for m in cuts if m), default=len(text))
    if end and not _FINITE.search(text[:end]):
        return end
    colon = text.find(":")
    return colon if 0 < colon < _HEAD and not _FINITE.search(text[:colon]) else 0


def beside(text: str, start: int, end: int, places: Sequence[tuple[int, int]]) -> int:
    """Where a list of patients ends before its last item, another drug: "anuria, or concomitant use of nitrates"."""
    item = _ANOTHER_DRUG.search(text, start, end)
    return item.start() if item and any(start <= a and b <= item.start() for a, b in places) else end


def brought(text: str, at: int) -> int:
    """Where it begins what a disease comes with."""
    found = text.find("associated with", at)
    return found if found >= 0 else len(text)


def next_item(text: str, at: int) -> int:
    """Where the next item of a list begins that was run together, behind a reference that was blanked."""
    found = text.find(";  ", at)
    return found if found >= 0 else len(text)


def reason(text: str, at: int) -> int:
    """Where an explanation begins."""
    found = cue("cues", "reason.words").search(text, at)
    return found.start() if found else len(text)
