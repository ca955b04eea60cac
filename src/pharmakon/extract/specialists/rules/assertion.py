"""How a condition stands in a sentence that forbids: had before, narrowed, taken away, treated, part of an allergy."""

from __future__ import annotations

import re
from functools import cache

from pharmakon.extract.specialists.patients.group import Group
from pharmakon.extract.specialists.rules.statements import before
from pharmakon.extract.specialists.wording import cue, pattern
from pharmakon.model.vocabulary import Tier

#: What follows narrows the group: "children following tonsillectomy", "fibrillation and an accessory tract".
_FURTHER = pattern(
    r"[\s)\]]*(?:following|undergoing|after|when|during|in an?|in the (?:setting|absence|presence)|for the|and an?|"
    r"associated with|related to|due to|secondary to|complicated by|accompanied by|caused by|resulting from)\b"
)

#: Before a name: what is missing, with at most two words between ("in the absence of a working artificial pacemaker").
_LACKING = pattern(r"\b(?:absence of|without|lack of)\s+(?:an?\s+|any\s+|the\s+)?(?:\w+\s+){0,2}$")
#: A bracket that says for whom alone: "body weight < 50 kg (children only)".
_ONLY = re.compile(r"\s*\([^()]* only\)")
#: Before a name: what they lack besides, "without a pacemaker who have sick sinus syndrome".
_WITHOUT_AND = pattern(
    r"\b(?:without|lacking|not (?:on|using|having|receiving))\s[^.;,:]{3,60}\b"
    r"(?:who|and|that)\s(?:also )?(?:have|has|with)\s(?:an?\s)?(?:\w+\s)?$"
)
#: A bracket that tells of others: "severe impairment (mild and moderate impairment: see 4.4)".
_OF_OTHERS = pattern(
    r"[^()]*:\s*(?:see|no\b|may|can|use|caution)|[^()]*\b(?:allowed|permitted|may be (?:used|given|treated)|can be"
    r"|no contraindication|not contraindicated|with caution|not affected)\b|\s*(?:but )?not\b"
)
#: What forbids only together with what is named before it.
_AT_ONCE = pattern(
    r"\b(?:if|when|who|and|that|also) (?:they |these |he |she |the patients? )?(?:also|both) "
    r"(?:have|has|suffer|had|are|is|with)\b"
    r"|\b(?:have|has|having|with) both\b|\b(?:is|are) also present\b|\bat the same time\b"
)
_WITH = re.compile(r"\s+with\s+(?:an?\s+)?", re.IGNORECASE)
#: Where the next item of a list begins.
_NEXT_ITEM = re.compile(r";|\(\d+\)|\.\s+[A-Z]")
#: Letters in which the signs of a reaction are listed.
_SIGNS = 160


def past(text: str, at: int) -> bool:
    """Whether what stands at `at` counts even when it is over."""
    return cue("cues", "past.words").search(before(text, at, cue("cues", "chunk.words"))) is not None


def tier_of(text: str, group: Group, tier: Tier) -> Tier:
    """A warning at most, where only some of those with the condition are meant, or an exception is made."""
    narrowed = _narrowing().search(text[max(0, group.start - 60) : group.start]) or lacking(text, group.start)
    return Tier.WARNING if narrowed or limited(text, group.end) else tier


def lacking(text: str, at: int) -> bool:
    """Whether those named at `at` must lack something besides."""
    return _WITHOUT_AND.search(text, max(0, at - 120), at) is not None


def at_once(text: str, start: int, end: int) -> bool:
    """Whether what is named from `start` to `end` forbids only together: "over 65 if they also have asthma"."""
    return _AT_ONCE.search(text, start, end) is not None


def comes_with(text: str, end: int, start: int) -> bool:
    """Whether what begins at `start` narrows the disease that ends at `end`: "hypertension with potassium below 3"."""
    return _WITH.fullmatch(text, end, start) is not None


def limited(text: str, at: int) -> bool:
    """Whether what follows a name that ends at `at` narrows it, or makes an exception of it."""
    if _FURTHER.match(text, at) or _ONLY.match(text, at):
        return True
    item = _NEXT_ITEM.search(text, at)
    found = cue("cues", "reason.except", "reason.only").search(text, at, item.start() if item else len(text))
    if found is None:
        return False
    between = text[at : found.start()]
    bracket = between.rfind("(")
    # in brackets an exception is that of the last item alone: "gout, asthma (except in children)"
    return bracket <= between.rfind(")") or "," not in between[:bracket]


@cache
def _narrowing() -> re.Pattern[str]:
    words = cue("cues", "narrow.words").pattern
    return pattern(rf"{words}[\s-]+(?:or\s+\w+\s+)?(?:\w+\s+)?$")


def taken_away(text: str, at: int) -> bool:
    """Whether the words before `at` say the opposite, or it stands in an exception."""
    head = text[:at]
    if re.search(
        rf"{cue('cues', 'negated.words').pattern}\s+(?:an?\s+|any\s+|the\s+)?(?:\w+\s+)?$", head, re.IGNORECASE
    ):
        return True
    if _LACKING.search(head):
        return True
    opened = head.rfind("(")
    if opened > head.rfind(")") and _OF_OTHERS.match(text, opened + 1):
        return True
    return excepted(text, at)


def excepted(text: str, at: int) -> bool:
    """Whether what stands at `at` stands in an exception."""
    found = [m.end() for m in cue("cues", "reason.except").finditer(text[:at])]
    return bool(found) and not re.search(r"[;,)]", text[found[-1] : at])


def purpose(text: str, at: int) -> bool:
    """Whether what stands at `at` is what somebody is treated for, or what a treatment may bring about."""
    chunk = before(text, at, cue("cues", "chunk.words"))
    found = list(cue("cues", "purpose.words").finditer(chunk))
    return bool(found) and "," not in chunk[found[-1].end() :]


def harmed(text: str, at: int) -> bool:
    """Whether what stands at `at` is a sign of a harm that is named before it: "reactions such as fever"."""
    head = text[max(0, at - _SIGNS) : at]
    found = list(cue("qualifiers", "harm.words").finditer(head))
    rest = head[found[-1].end() :] if found else ""
    return bool(found) and not re.search(r"[;.)]|\bpatients\b|\bwith\b(?! or without)", rest)


def allergic(text: str, start: int, end: int) -> bool:
    """Whether what stands at `start` to `end` belongs to an allergy: its reaction, or what it is against."""
    chunk = before(text, start, cue("cues", "chunk.words"))
    for word in cue("cues", "allergy.words").finditer(chunk):
        rest = chunk[word.end() :]
        if rest.count("(") > rest.count(")") or cue("cues", "allergy.such").search(rest):
            return True
        if re.fullmatch(r"\s*(?:reactions?)?\s*(?:to\s+[^,;]*)?", rest):
            return True
    behind = cue("cues", "allergy.after").search(text, end)
    if behind is None or re.search(r"[;.]|\bwith\b|\bpatients\b", text[end : behind.start()]):
        return False
    return cue("cues", "allergy.apart").search(text, end, behind.end()) is None
