"""Allergies: whose a patient may not have, because this drug may provoke it too.

An allergy to the drug itself needs no statement: the audit holds recorded allergies against ingredients. What a label
adds are other drugs, classes and substances ("sulfonamides", "peanut"), as `cross_reacts_with`.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache

from pharmakon.extract.claims import Claim, LabelContext, Mention, Read, Sentence
from pharmakon.extract.specialists.rules.assertion import taken_away
from pharmakon.extract.specialists.rules.statements import NOTHING, about, before, distinct
from pharmakon.extract.specialists.wording import cue, hints, pattern, without_references, words
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.vocabulary import Tier, relations

_KINDS = relations()["cross_reacts_with"].range
_WHOLE = frozenset({"contraindications", "boxed_warning"})
#: A cross-reaction that is only held possible.
_POSSIBLE = pattern(
    r"\b(?:may|might|can|could) (?:be|also|have|contraindicate)\b|possib|\bnot known\b|\bunknown\b|\bcaution\b"
)
#: A cross-reaction that is held not to be.
_UNLIKELY = pattern(
    r"cross[\s-]?\w*(?:sensitiv|react|allerg)\w*[^.;]{0,60}"
    r"\b(?:unlikely|not (?:\w+ )?(?:expected|likely|occur|seen|observed|shown|found|reported)|absent|rare(?:ly)?)\b"
    r"|\b(?:no|without|little|lack of|absence of) (?:\w+ )?(?:evidence of |risk of )?cross\b"
)
#: "Aspirin-free".
_FREE = pattern(r"(?:s\b)?[\s-]*free\b")
#: Behind a class, of which a part is taken out: "NSAIDs other than aspirin".
_OTHER_THAN = pattern(r"s?,?\s+(?:other than|except|excluding|apart from|but not|with the exception)\b")
#: What parts two statements.
_PARTED = pattern(r";|\.\s|,? \b(?:but|however|whereas|although|while)\b")
_FORBIDS = pattern(r"\b(?:not|never|avoid\w*|contraindicat\w*)\b")
#: A name behind a comma with a verb of its own: "hypersensitivity to X, Y is contraindicated".
_NEW_CLAUSE = pattern(r"[,:]\s*(?:and |then |while )?(?:the (?:use of )?)?$")
_VERB = pattern(r"\b(?:is|are|was|were|should|must|may|can|has|have)\b")
_VERB_BEHIND = pattern(r"s?\s+(?:is|are|was|were|should|must|may|can)\b")
#: Letters between the word for an allergy and the last of what it is against.
_FAR = 160
#: Behind a class, what makes it part of one: "local anaesthetics of the amide type".
_TYPE = pattern(
    r"s?\s+(?:containing|that contains?)\b|s?\s+(?:\w+\s+)?of the [\w-]+[\s-](?:type|class|group|structure)"
)
#: Before a class, words that say which other one it belongs to: "the cephalosporin group of antibiotics".
_MEMBERS = pattern(r"\b(?:group|class|family|type)s? of\s+(?:\w+\s+)?$")
RISK = "ALLERGY_CONFLICT"


class Allergy:
    """Reads `cross_reacts_with`."""

    name = "allergy"
    sections = frozenset({"contraindications", "boxed_warning", "warnings"})

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        return [self._sentence(s, label) for s in sentences]

    def _sentence(self, sentence: Sentence, label: LabelContext) -> Read:
        if not label.subjects or "allergy.said" not in hints(sentence.text):
            return NOTHING
        text = without_references(sentence.text)
        if sentence.kind not in _WHOLE and not _forbids().search(text):
            return NOTHING
        if cue("cues", "contraindicated.not").search(text) or _told().search(text) or _UNLIKELY.search(text):
            return NOTHING
        found = distinct(_claims(sentence, text, label))
        if found or not _to_something().search(text):
            return Read(found)
        named = any(not set(m.concepts).isdisjoint(label.subjects) for m in sentence.mentions)
        if named or cue("cues", "allergy.own").search(text):
            return NOTHING
        return Read(why="an allergy to what no concept names") if sentence.kind == "contraindications" else NOTHING


def _claims(sentence: Sentence, text: str, label: LabelContext) -> Iterator[Claim]:
    forbids = sentence.kind in _WHOLE or "contraindication.said" in hints(text)
    tier = Tier.CRITICAL if forbids and not _POSSIBLE.search(text) else Tier.WARNING
    names = [(m.start - sentence.start, m.end - sentence.start) for m in sentence.mentions]
    found = [
        concept
        for mention in sentence.mentions
        if (concept := _substance(mention, label))
        and _against(text, mention.start - sentence.start)
        and not _part(text, mention.start - sentence.start, mention.end - sentence.start, concept, names)
        and not _spared(text, mention.start - sentence.start, mention.end - sentence.start)
    ]
    # "the cephalosporin class of antibacterials": an allergy to the one is none to the other
    wider = {above for concept in found for above in label.ancestors.get(concept, ())}
    for concept in found:
        if concept not in wider:
            yield about(sentence, label, "cross_reacts_with", object=concept, tier=tier, risk=RISK)


def _spared(text: str, start: int, end: int) -> bool:
    """Whether an allergy to what stands there is an exception or no obstacle, or what stands there begins a clause."""
    if _FREE.match(text, end) or _OTHER_THAN.match(text, end) or taken_away(text, start):
        return True
    part, at = _around(text, start)
    allowed = cue("cues", "allergy.allowed").search(part)
    if allowed and not _FORBIDS.search(part[allowed.end() :] if allowed.start() < at else part[: allowed.start()]):
        return True
    verb = _VERB_BEHIND.match(text, end)
    return verb is not None and _NEW_CLAUSE.search(text[:start]) is not None and _VERB.search(part[:at]) is not None


def _around(text: str, at: int) -> tuple[str, int]:
    """The part of the sentence that holds a place, and the place in it."""
    start = max((m.end() for m in _PARTED.finditer(text, 0, at)), default=0)
    stop = _PARTED.search(text, at)
    return text[start : stop.start() if stop else len(text)], at - start


def _substance(mention: Mention, label: LabelContext) -> ConceptId | None:
    """What else than the label's own drug a mention names as something to be allergic to."""
    if len(mention.concepts) != 1 or kind_of(mention.concepts[0]) not in _KINDS:
        return None
    if mention.concepts[0] in label.subjects or cue("qualifiers", "class.everyday").fullmatch(mention.text):
        return None
    return mention.concepts[0]


def _part(text: str, start: int, end: int, concept: ConceptId, names: Collection[tuple[int, int]]) -> bool:
    """Whether words at the name of a class make it a smaller one: "phenanthrene opioids", "amide-type anaesthetics"."""
    if kind_of(concept) != "class":
        return False
    if _MEMBERS.search(text[:start]) or _TYPE.match(text, end):
        return True
    if any(stop <= start and text[stop:start].strip(" -") == "" for _, stop in names):
        return True  # "penicillin antibacterial": an allergy to the one is none to the other
    last = _WORD_BEFORE.search(text[:start])
    return last is not None and last[1].lower() not in words("qualifiers")["class"]["open"]


def _against(text: str, start: int) -> bool:
    """Whether what stands at `start` is what an allergy in the same list is against."""
    chunk = before(text, start, _breaks())
    found = list(cue("cues", "allergy.words").finditer(chunk))
    rest = chunk[found[-1].end() :] if found else ""
    if found and len(rest) < _FAR and re.search(r"\b(?:to|with|of|from)\b|\(", rest):
        return True
    behind = list(cue("cues", "allergy.after").finditer(chunk))
    reacts = behind and _REACTION.search(chunk[: behind[-1].start()])
    return bool(reacts) or re.match(r"[^\s]*[- ](?:allergic|sensitive|hypersensitive)\b", text[start:]) is not None


#: The word right before a name, in small letters: a capital begins another item of a list that was run together.
_WORD_BEFORE = re.compile(r"(?:^|(?<=[\s(]))([a-zβ][\w'’-]*)[\s-]+$")
_REACTION = pattern(r"asthma|urticaria|allerg|angioedema|anaphyla|bronchospasm|rhinitis|sensitiv")


@cache
def _breaks() -> re.Pattern[str]:
    """What ends a list of substances."""
    return pattern(
        r"\bpatients\b|\bwho\b(?! (?:are|have|is|has))|\b(?:or|and) with\b|\breceiving\b|\bconcomitant\w*"
        r"|\bco-?administ\w*|\btaking\b(?<!after taking)"
        r"|\beffects of\b|\bin combination\b|\bask a doctor\b|\bif you\b|\bavoid\b|\bbefore use\b|\bdo not\b"
    )


@cache
def _forbids() -> re.Pattern[str]:
    return pattern(rf"contraindicat|{cue('cues', 'forbidden.words').pattern}")


@cache
def _told() -> re.Pattern[str]:
    """A report of reactions, and no rule."""
    return pattern(
        r"(?:reactions?|anaphylaxis|angioedema|hypersensitivity|cross-?sensitivity)\b[^.;]{0,80}"
        r"\b(?:has|have) (?:been|occurred|included|ranged)|\bhave (?:been reported|occurred)\b"
        r"|(?:may|can|could) (?:occur|include|cause|exhibit|develop)|reactions (?:may|have) "
    )


@cache
def _to_something() -> re.Pattern[str]:
    return pattern(r"(?:hyper|\b)sensitiv\w+ (?:reactions? )?to\b|allerg\w+ (?:reactions? )?to\b|intoleran\w+ to\b")
