"""One allergy as people write it: the substance and what happened, that there is none, or that one was ruled out."""

from __future__ import annotations

import re
from dataclasses import replace

from pharmakon.adapters.interop.codes import says_no_allergy, word_list
from pharmakon.model.concepts import fold
from pharmakon.model.prescription import Allergy

_DENIED = re.compile(
    r"\s*(?:no\b(?!\s*\.)|not\s+allergic|denies|without|never\s+(?:had|allergic)|geen\b|zonder\b|niet\s+allergisch|无|否认|没有)",
    re.IGNORECASE,
)
#: "no known allergies except penicillin" names one after all
_EXCEPT = re.compile(
    r".*?\b(?:except(?:\s+for)?|other\s+than|apart\s+from|aside\s+from|besides|but(?:\s+for)?|behalve|uitgezonderd)\b"
    r"\s*:?\s*(?:an?\s+allergy\s+to\s+|to\s+)?(?P<rest>\S.*)",
    re.IGNORECASE,
)
_PARTS = (
    re.compile(r"(?P<left>[^(（\[]*[^\s(（\[])\s*[(（\[](?P<right>[^()（）\[\]]+)[)）\]]\s*"),
    re.compile(r"(?P<left>[^:：]*[^\s:：])\s*[:：]\s*(?P<right>\S.*)"),
    re.compile(r"(?P<left>.*?\S)(?:\s+-+>?\s+|\s*[–—→]+\s*|\s*=>?\s*)(?P<right>\S.*)"),
)


def as_written(allergies: list[Allergy], where: str, remarks: list[str]) -> tuple[Allergy, ...] | None:
    """The allergies that count. Empty: known to have none. None: what was written leaves it open."""
    found: list[Allergy] = []
    none_known = False
    for i, given in enumerate(allergies):
        allergy = _split(given)
        if says_no_allergy(given.substance):
            none_known = True
        elif fold(given.substance.text) in word_list("not_recorded"):
            remarks.append(f"{where}[{i}]: {_quoted(given)} leaves open whether there is an allergy")
        elif allergy is None:
            remarks.append(f"{where}[{i}]: {_quoted(given)} says that there is no such allergy; it was not used")
        else:
            found.append(allergy)
    if found and none_known:
        remarks.append(f"{where}: it says both that there are none and that there is one; the allergies are audited")
    return tuple(found) if found or none_known or not allergies else None


def _quoted(allergy: Allergy) -> str:
    text = " ".join(allergy.substance.text.split())
    return f"“{text if len(text) <= 80 else text[:79] + '…'}”"


def _split(allergy: Allergy) -> Allergy | None:
    """The allergy with its reaction apart; None where the words deny it."""
    text = allergy.substance.text.strip()
    if allergy.substance.codes:
        return allergy
    if _DENIED.match(text):
        rest = _EXCEPT.fullmatch(text)
        return _split(replace(allergy, substance=replace(allergy.substance, text=rest["rest"]))) if rest else None
    if allergy.reaction:
        return allergy
    for brackets, match in ((pattern is _PARTS[0], pattern.fullmatch(text)) for pattern in _PARTS):
        if match is None:
            continue
        left, right = match["left"].strip(), match["right"].strip()
        if fold(right) in word_list("reaction", "denied"):
            return None
        if fold(left) in word_list("reaction", "labels"):
            return _split(replace(allergy, substance=replace(allergy.substance, text=right)))
        if _tells(right):
            return _of(allergy, left, right)
        if _tells(left):
            return _of(allergy, right, left)
        if not brackets:  # in brackets stands as often another name of the substance
            return _of(allergy, left, right)
    return allergy


def _of(allergy: Allergy, substance: str, reaction: str) -> Allergy:
    return replace(allergy, substance=replace(allergy.substance, text=substance), reaction=reaction)


def _tells(text: str) -> bool:
    folded = fold(text)
    return any(word in folded for word in word_list("reaction", "words"))
