"""Sentences of a note and the standing of what they mention: active, history, uncertain, refuted or family.

The cues and their reach are ConText's (`notes.toml`), refined where ward notes need it: phrases that look like a
cue and are none ("82 years old", "no worsening of"), cues that reach to the next comma only ("post", "s/p"), and
headers ("FH:", "Allergies:") whose lists run on over semicolons and bulleted lines.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Any

from pharmakon.link.names import pieces
from pharmakon.model.concepts import ConceptId, fold
from pharmakon.model.tables import read_table

_BREAK = re.compile(
    r"(?<!\.[A-Za-z])(?<!\be\.g)(?<!\bDr)(?<!\bMr)(?<!\bMrs)(?<!\bDhr)(?<!\bMw)(?<!\bMevr)(?<!\bca)(?<!\bvs)(?<!\bevt)"
    r"(?<!\bSt)(?<!\b[kKcC]reat)(?<!\b[gG]ew)[.;!?](?=\s|$)"
)
#: a question and its answer are one statement: "Allergic to aspirin? Denied."
_ANSWER = re.compile(r"[\s:–—-]+(?P<said>[^\s.,;!?]+(?: [^\s.,;!?]+){0,2})\s*(?=[.,;!]|$)")
_STOP = re.compile(r"[.;!?](?=\s|$)")
_LIST = re.compile(r"(?:^|[:\s])1[.)]\s+\D")
_ITEM = re.compile(r"(?:(?<=\s)|^)\d{1,2}[.)]\s+(?=\D)")
_BULLET = re.compile(r"^\s*[-*•–]\s*")
_DOUBT = re.compile(r"(?:(?<=^)|(?<=[\s,(:/]))\?\s*(?=\w)")
_DOUBTED = "\ue000"
#: boxes of a form: ticked ones say nothing more than the words beside them, open ones deny these
_BOX = re.compile(r"(?P<open>\[[ _]?\]|\( \)|☐|□)|\[[xXvV✓✔√]\]|\([xX]\)|☑|☒|✓|✔")
_OPEN = "\ue001"
_MINUS = re.compile(r"\(\s*[-–−]\s*\)")
_TURN = re.compile(r"(?:,|\band\b|\ben\b)\s+(?=(?:has|have|had|heeft|known|bekend|wel)\b)", re.IGNORECASE)
_COMMA = re.compile(r"(?<!\d),|,(?!\d)")
_COMPOUND = re.compile(r"\b(\w{4,})(allergie)\b", re.IGNORECASE)
_YEAR = re.compile(r"(?:19|20)\d\d")
_WRAP = 60  #: a line this long that ends in mid-sentence goes on in the next

Spots = tuple[tuple[int, int], ...]


@dataclass(frozen=True, slots=True)
class Sentence:
    """`text` is what is matched against, `shown` the note's own words; `commas` are word numbers a comma precedes."""

    text: str
    shown: str
    words: tuple[str, ...]
    commas: frozenset[int]
    question: bool = False
    header: str = ""  #: family, history, allergies, or ""

    def word_at(self, offset: int) -> int:
        """The number of the word that begins at or after `offset` of `text`."""
        return len(pieces(fold(self.text[:offset])))


def sentences(note: str) -> Iterator[Sentence]:
    """The sentences of a note, in order; everything that is not white space belongs to one of them."""
    header = ""
    for line in _lines(note):
        if not line.strip():
            header = ""
            continue
        bulleted = _BULLET.match(line)
        body = line[bulleted.end() :] if bulleted else line
        named, listed = _header(body)
        if named is not None:
            header = named
        yield from _of_line(body, header if named is not None or header else "")
        if named is not None and listed:
            header = ""  # a list on the header's own line ends with it


def _lines(note: str) -> Iterator[str]:
    """Lines, with those joined that were wrapped in mid-sentence."""
    held = ""
    for line in re.split(r"[\n\r]+(?=[^\n\r])|•", note.replace("\r\n", "\n")):
        if line[:1].islower() and _runs_on(held):
            held = f"{held} {line}"
            continue
        if held:
            yield held
        held = line
    yield held


def _runs_on(line: str) -> bool:
    """Whether a line was wrapped: long and without an end, or broken after a word that nothing ends with."""
    if re.search(r"[.;:!?]\s*$", line):
        return False
    last = tuple(pieces(fold(line))[-1:])
    return len(line) >= _WRAP or last in cues("runs", "on")


def _header(line: str) -> tuple[str | None, bool]:
    """The header a line begins with ("" for one that means nothing to us), and whether something follows it."""
    head, colon, rest = line.partition(":")
    if not colon:
        return None, False
    folded = " ".join(pieces(fold(head)))
    for kind, names in data()["headers"].items():
        if folded in names:
            return ("" if kind == "other" else kind), bool(rest.strip())
    return None, False


def _of_line(line: str, header: str) -> Iterator[Sentence]:
    if not line.isascii() or "(" in line or "[" in line:
        line = _boxes(_MINUS.sub("(neg)", line))
    line = _DOUBT.sub(_DOUBTED, line) if "?" in line else line
    if "1" in line and _LIST.search(line):
        line = _ITEM.sub("; ", line)
    start, running = 0, header
    breaks = [b for b in _BREAK.finditer(line) if not _answered(line, b)] if _STOP.search(line) else []
    for match in [*breaks, None]:
        part = line[start : match.start() if match else len(line)]
        ending = match[0] if match else ""
        if part.strip(" \t\ue000\ue001"):
            yield _sentence(part.strip(), running, question=ending == "?")
        if ending in (".", "!", "?") and part.strip():
            running = ""
        start = match.end() if match else len(line)


def _answered(line: str, mark: re.Match[str]) -> bool:
    """Whether a question mark is followed by nothing but a no."""
    answer = _ANSWER.match(line, mark.end()) if mark[0] == "?" else None
    return answer is not None and tuple(pieces(fold(answer["said"]))) in cues("answers", "no")


def _boxes(line: str) -> str:
    """The items of a form as sentences of their own; an open box stays as a mark, before or after its item."""
    boxes = list(_BOX.finditer(line))
    if not boxes:
        return line
    after = bool(line[: boxes[0].start()].strip(" :-")) and not line[boxes[-1].end() :].strip()
    ends = ("", "; ") if after else ("; ", "")
    return _BOX.sub(lambda box: (_OPEN if box["open"] else "").join(ends), line)


@lru_cache(maxsize=4096)
def _sentence(shown: str, header: str, *, question: bool) -> Sentence:
    text = _COMPOUND.sub(r"\1 \2", _TURN.sub(" but ", shown)).replace(_DOUBTED, " questionable ")
    text = text.replace(_OPEN, " unticked ")
    words: list[str] = []
    commas: set[int] = set()
    for part in _COMMA.split(text):
        commas.add(len(words))
        words += pieces(fold(part))
    own = " ".join(shown.replace(_DOUBTED, "?").replace(_OPEN, "[ ] ").split())
    return Sentence(text, own, tuple(words), frozenset(commas - {0}), question, header)


def status(sentence: Sentence, start: int, end: int) -> str:
    """active, history, uncertain, refuted or family for the mention at words `start` to `end`."""
    if is_relatives(sentence, start, end):
        return "family"
    if _touched(sentence, "negated", start, end) or _answered_no(sentence, end):
        return "refuted"
    if _touched(sentence, "uncertain", start, end) or _beside(sentence, end):
        return "uncertain"
    if sentence.question and end >= len(sentence.words) - 1:
        return "uncertain"
    past = sentence.header == "history" or _touched(sentence, "history", start, end) or _recalled(sentence, end)
    return "history" if past else "active"


def is_relatives(sentence: Sentence, start: int, end: int) -> bool:
    """Whether what the words mention is a relative's."""
    return sentence.header == "family" or _family(sentence, start, end)


def _touched(sentence: Sentence, category: str, start: int, end: int) -> bool:
    ends = _ends(sentence.words, causal=category != "uncertain")
    return _reaches(sentence, category, start, ends) or _follows(sentence, category, end, ends)


def _reaches(sentence: Sentence, category: str, start: int, ends: Spots) -> bool:
    words = sentence.words
    for at, after in spots(words, category, "before"):
        if after > start or stands(ends, after, start) or at in _masked(words, start):
            continue
        if words[at:after] in _near() and any(after <= c <= start for c in sentence.commas):
            continue
        return True
    return False


def _masked(words: tuple[str, ...], start: int) -> Collection[int]:
    """Words of phrases that look like cues, as far as they end before the mention."""
    return {i for at, after in spots(words, "pseudo", "phrases") if after <= start for i in range(at, after)}


def is_over(sentence: Sentence, end: int) -> bool:
    """Whether the words after a mention say that it has passed ("resolved", "in childhood")."""
    recalled = {at for at, _ in spots(sentence.words, "history", "recalled")}  # "in the past medical history"
    ends = _ends(sentence.words)
    return not any(end <= at <= end + 6 for at in recalled) and _follows(sentence, "history", end, ends)


def _recalled(sentence: Sentence, end: int) -> bool:
    """Whether a mention is followed by "in the past history" or by the year it happened in."""
    if _follows(sentence, "history", end, _ends(sentence.words), "recalled"):
        return True
    after = sentence.words[end : end + 2]
    year = after[-1:] if after[:1] in (("in",), ("anno",)) else after[:1]
    dated = bool(year) and _YEAR.fullmatch(year[0]) is not None and end not in sentence.commas
    return dated and not stands(spots(sentence.words, "history", "found"), 0, end)


def _follows(sentence: Sentence, category: str, end: int, ends: Spots, place: str = "after") -> bool:
    words = sentence.words
    for at, after in spots(words, category, place):
        if not end <= at <= end + 6 or stands(ends, end, at) or _crossed(sentence, end, at):
            continue
        if category == "negated" and at in _masked(words, len(words)):
            continue
        if words[at:after] in cues(category, "before") and not _closes(sentence, after):
            continue  # "asthma with possible pneumonia" says nothing about the asthma
        return True
    return False


def _crossed(sentence: Sentence, end: int, at: int) -> bool:
    """Whether a comma stands between a mention and a cue after it; figures between them do not matter."""
    if all(w.isdigit() or w in ("about", "ca", "several", "some", "was", "in") for w in sentence.words[end:at]):
        return False
    return any(end <= c <= at for c in sentence.commas)


def _closes(sentence: Sentence, at: int) -> bool:
    rest = sentence.words[at:]
    if not rest or at in sentence.commas or rest[0] in ("and", "or", "en", "of"):
        return True
    return any(start == at for start, _ in _ends(sentence.words, causal=True))


def _answered_no(sentence: Sentence, end: int) -> bool:
    """`Diabetes: no` and other forms that are filled in."""
    return end not in sentence.commas and any(
        at == end and (after == len(sentence.words) or after in sentence.commas)
        for at, after in spots(sentence.words, "answers", "no")
    )


def _beside(sentence: Sentence, end: int) -> bool:
    """`stroke prevention` and `bleeding risk` are neither stroke nor bleeding."""
    return any(at == end for at, _ in spots(sentence.words, "uncertain", "adjacent"))


def _family(sentence: Sentence, start: int, end: int) -> bool:
    words = sentence.words
    ends = _ends(words)
    for at, after in spots(words, "family", "before"):
        if after > start or stands(ends, after, start) or at in _masked(words, start):
            continue
        if not _informs(words, at, after) and not _patient_again(words[after:start]):
            return True
    return _follows(sentence, "family", end, ends)


def _informs(words: Sequence[str], at: int, after: int) -> bool:
    """Whether the relative only lives with the patient, or tells us about them."""
    rules = data()["family"]
    before = words[at - 1] if at and words[at - 1] not in rules["determiners"] else words[at - 2] if at > 1 else ""
    return before in rules["company"] or (after < len(words) and words[after] in rules["tells"])


def _patient_again(between: Sequence[str]) -> bool:
    """Whether the sentence has turned from the relative back to the patient."""
    for i, word in enumerate(between):
        if word in data()["family"]["patient"]:
            earlier = [w for w in between[max(0, i - 2) : i] if w in ("of", "van")]
            if not earlier:
                return True
    return False


@lru_cache(maxsize=16_384)
def spots(words: tuple[str, ...], category: str, place: str) -> Spots:
    """Where cues of a list stand in `words`: (start, end), in the order of the words."""
    by_first = _by_first(category, place)
    if by_first.keys().isdisjoint(words):
        return ()
    return tuple(
        (at, at + len(cue))
        for at, word in enumerate(words)
        for cue in by_first.get(word, ())
        if words[at : at + len(cue)] == cue
    )


@cache
def _by_first(category: str, place: str) -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for cue in dict.fromkeys(cues(category, place)):
        found.setdefault(cue[0], []).append(cue)
    return found


def stands(found: Spots, start: int, end: int) -> bool:
    """Whether one of the spots lies within words `start` to `end`."""
    return any(start <= at and after <= end for at, after in found)


def _ends(words: tuple[str, ...], *, causal: bool = False) -> Spots:
    found = spots(words, "ends", "words")
    return found + spots(words, "ends", "causal") if causal else found


@cache
def _near() -> frozenset[tuple[str, ...]]:
    return frozenset(cues("near", "words"))


@cache
def data() -> dict[str, Any]:
    return read_table("pharmakon.link", "notes.toml")


@cache
def cues(category: str, place: str) -> tuple[tuple[str, ...], ...]:
    """The cues of one list as folded words."""
    return tuple(tuple(pieces(fold(cue))) for cue in data()[category][place])


@cache
def habit_conditions() -> Mapping[ConceptId, ConceptId]:
    """Habits → what they are as a condition: who smokes is a smoker."""
    return {ConceptId(habit): ConceptId(is_a) for habit, is_a in data()["lifestyle"]["conditions"].items()}


@cache
def lasting() -> frozenset[ConceptId]:
    """Diseases of which "history of" says that they are still there."""
    return frozenset(ConceptId(c) for c in data()["lasting"]["concepts"])


def only_side_effects(reaction: str) -> bool:
    """Whether the reaction recorded with an allergy is a side effect and nothing more ("nausea", "cough")."""
    words = tuple(pieces(fold(reaction)))
    named = [words[start:end] for start, end in spots(words, "allergies", "reactions")]
    return bool(named) and all(r in cues("allergies", "side_effects") for r in named)
