"""Whose contraindication a sentence tells of, and whether it tells of one: other drugs, heads of lists that deny.

"NSAIDs must be avoided in renal impairment" stands in the labels of other drugs too, and "None of the following is a
contraindication:" heads a list as "Contraindicated in patients with:" does.
"""

from __future__ import annotations

import re
from dataclasses import replace

from pharmakon.extract.claims import Claim, LabelContext, Mention, Sentence
from pharmakon.extract.specialists.doses.routing import only_named, routed
from pharmakon.extract.specialists.wording import cue, pattern
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.statements import Clause

OF_ANOTHER = "what forbids another drug"
DENIED = "a list of what does not forbid the drug"
USAGE = "a way of use that no condition says"
_DRUGS = frozenset({"drug", "ingredient", "class"})
#: Where the clause begins whose verb is looked at.
_CLAUSE = pattern(
    r"[.;:|?!]\s|(?<!\w)[\"“]|,? ?\b(?:but|while|whereas|although|however|which|whom|that|where)\b"
    r"|, (?:and|then) (?=(?:the |an? )?[\w-]+ (?:is|are|should|must|may|can|do|does) )"
)
#: An apposition right before the verb: "X, an alternative to Y, is contraindicated".
_APPOSITION = pattern(
    r",[^,;:]{3,90},\s*(?:\w+ly\s+)?(?:(?:is|are|was|were|has been|have been|should|must|may|can)\s+)?"
    r"(?:also|therefore|thus|generally)?\s*$"
)
#: Before a drug that does not do what the verb says.
_OBJECT = pattern(
    r"\b(?:other|like|as|unlike|to|than|with|for|by|from|in|on|of|or|and|after|before|during|taking|receiving|using|"
    r"without|against|between|including|any|per|plus)\s+(?:(?:an?|the|other|any|all|certain|some)\s+)*$|[/+-]\s*$"
)
#: Before a drug whose use is what the verb is about.
_USE_OF = pattern(
    r"\b(?:use|administration|doses?|treatment|therapy|contraindications?|initiation|prescription|prescribing)"
    r" (?:of|with|to|for)\s+(?:(?:an?|the|concomitant)\s+)*$"
)
_OTHER = pattern(r"\W*(?:all |the |many |most |some )?other\s+$")
#: What stands for the label's own drug.
_IT = pattern(r"\b(?:it|this (?:drug|product|medicine|medication)|the drug|its use)\b|(?-i:\b[A-Z]{4,}\b)")
_BRACKETS = re.compile(r"\([^()]*\)")
#: "The X label says": whose label it is. "For X, asthma is a contraindication": whose contraindication.
_LABEL = pattern(r"(?:['’]s)?\s+(?:label(?:ing)?|package (?:insert|leaflet)|prescribing information|monograph|smpc)\b")
_AS_FOR, _COMMA = (
    pattern(r"\W*(?:for|as for|regarding|concerning|in the case of|of)\s+(?:the )?"),
    re.compile(r"s?\s*[,:]"),
)
_ANTECEDENT = re.compile(r"[\s,]*")
#: Advice with an object: "should not take X".
_TAKES = pattern(r"\b(?:use|using|give|administer|take|start|prescribe|initiate|avoid|receive)$")
_OBJECT_OF = pattern(r"\s+(?:(?:use of|using|taking|the|other|any|all)\s+)*")
#: Behind "contraindications to", up to whose they are.
_TO, _FAR = pattern(r"\bcontraindications?\s+(?:to|for|of)\s*$"), 70
_BEHIND_TO = pattern(r"\s+(?:to|for|of)\s+(?:the )?(?:(?:use|administration|treatment|therapy)\s+(?:of|with)\s+)?")
#: Sections in which a class without the drug's own name is the class of the drug.
_OWN_CLASS = frozenset({"contraindications", "boxed_warning"})
#: Heads of lists of what forbids nothing, or not here.
_ALLOWS = pattern(
    r"\b(?:none|neither|nothing)\b|\b(?:may|can|could)\b(?! not\b)[^:;]{0,40}"
    r"\b(?:used?|given|taken?|combined|administered|receive|tolerate|treated|continued?|started)\b"
    r"|\b(?:allowed|permitted|safe|acceptable|suitable|no longer|comparator|excluded|exclusion|formerly|removed|"
    r"safely|without harm|indicated (?:for|in)|caution|tolerated|studied|has been used|other than the following)\b"
    r"|\b(?:not|no)\b[^:;]{0,40}\bcontraindicat"
)
_FORBIDS = pattern(r"\b(?:not|never|avoid\w*|contraindicat\w*|no longer)\b")


def of_another(sentence: Sentence, text: str, start: int, end: int, label: LabelContext) -> bool:
    """Whether the words at `start` to `end` that forbid or advise forbid another drug than the label's."""
    if _TO.search(text[:end]) and (said := _first(sentence, end, label)) is not None:
        return said
    behind_it = [m for m in _drugs(sentence) if _OBJECT_OF.fullmatch(text, end, max(end, m.start - sentence.start))]
    if behind_it and _TAKES.search(text[start:end]):
        first = behind_it[0]
        if not (any(is_own(m, label) for m in behind_it) or _its_class(sentence, first, label)):
            return True
    disease = text[start:end].lower().startswith("a ")  # "Heart failure is a contraindication to X"
    if disease and (behind := _BEHIND_TO.match(text, end)) is not None:
        return bool(_first(sentence, behind.end(), label))
    plain = _BRACKETS.sub(lambda m: m[0] if m.start() <= start < m.end() else " " * len(m[0]), text)
    begin = max((m.end() for m in _CLAUSE.finditer(plain, 0, start)), default=0)
    head = plain[begin:start]
    aside = _APPOSITION.search(head)
    stop = begin + (aside.start() if aside else len(head))
    drugs = [
        m for m in _drugs(sentence) if begin <= (at := m.start - sentence.start) < stop and plain[at : at + 1].strip()
    ]
    if any(_LABEL.match(text, m.end - sentence.start) and not is_own(m, label) for m in drugs):
        return True
    if (
        drugs
        and not any(is_own(m, label) for m in drugs)
        and _AS_FOR.fullmatch(text[begin : drugs[0].start - sentence.start])
    ):
        return _COMMA.match(text, drugs[0].end - sentence.start) is not None
    if not drugs and text[:begin].rstrip().endswith("which"):
        return _of_antecedent(sentence, text, text.rindex("which", 0, begin), label)
    for mention in () if disease else reversed(drugs):
        at, following = mention.start - sentence.start, text[mention.end - sentence.start : stop]
        before = text[begin:at]
        if _OTHER.fullmatch(before):
            return True
        if _USE_OF.search(before) is None and _OBJECT.search(before):
            continue
        return not (is_own(mention, label) or _IT.search(following) or _its_class(sentence, mention, label))
    return False


def _its_class(sentence: Sentence, mention: Mention, label: LabelContext) -> bool:
    """Whether a class stands for the label's own drug, as it does where its contraindications are listed."""
    classes = all(kind_of(c) == "class" for c in mention.concepts)
    own = any(is_own(m, label) for m in sentence.mentions)
    return classes and not own and sentence.kind in _OWN_CLASS


def is_own(mention: Mention, label: LabelContext) -> bool:
    """Whether a mention names the label's drug, a class of it or a combination that holds it."""
    own = set(label.subjects).union(*(label.ancestors.get(s, frozenset()) for s in label.subjects))
    # a biosimilar's label speaks of the ingredient without its suffix, and of combinations that hold it
    slugs = [s.partition(":")[2] for s in label.subjects]
    said = [c.partition(":")[2] for c in mention.concepts]
    return not own.isdisjoint(mention.concepts) or any(s.startswith(f"{c}-") or s in c for s in slugs for c in said)


def _drugs(sentence: Sentence) -> list[Mention]:
    return [m for m in sentence.mentions if any(kind_of(c) in _DRUGS for c in m.concepts)]


def _first(sentence: Sentence, at: int, label: LabelContext) -> bool | None:
    """Whether the drug named right behind `at` is another one; None where none is."""
    near = [m for m in _drugs(sentence) if 0 <= m.start - sentence.start - at <= _FAR]
    return (
        not is_own(near[0], label) if near and ":" not in sentence.text[at : near[0].start - sentence.start] else None
    )


def _of_antecedent(sentence: Sentence, text: str, at: int, label: LabelContext) -> bool:
    before = [m for m in _drugs(sentence) if m.end - sentence.start <= at]
    return bool(before) and _ANTECEDENT.fullmatch(text, before[-1].end - sentence.start, at) is not None and not is_own(
        before[-1], label
    )  # fmt: skip


def denies(sentence: Sentence, text: str, label: LabelContext) -> bool:
    """Whether a line with a colon at its end heads a list of patients to whom this drug is not forbidden."""
    forbids = [
        m
        for said in ("contraindicated.words", "forbidden.words")
        for m in cue("cues", said).finditer(text)
        if not any(a <= m.start() < b for a, b in denied(text))
    ]
    if any(not of_another(sentence, text, m.start(), m.end(), label) for m in forbids):
        return False
    if forbids or _ALLOWS.search(text):
        return True
    said = _drugs(sentence)
    return bool(said) and not any(is_own(m, label) for m in said) and "contraindication" in text.lower()


def beside_name(sentence: Sentence, text: str, mention: Mention, advised: bool = False) -> bool:
    """Whether a drug is one that another is given with: "X with Y is contraindicated in", "not recommended with Y in".

    `advised`: only where the words of the advice stand right before it.
    """
    start, end = mention.start - sentence.start, mention.end - sentence.start
    led = (_ADVISED_WITH if advised else _WITH).search(text[:start])
    return led is not None and _GOES_ON.match(text, end) is not None


_WITH = pattern(
    r"(?:(?<!patients )(?<!those )(?<!as )(?<!treated )(?<!ly )\bwith|\b(?:patients|those|who are|also|already) on)\s+"
    r"(?:(?:an?|the|other|any|oral)\s+)?$"
)
_ADVISED_WITH = pattern(r"\b(?:recommended|advised|avoided|contraindicated) with\s+(?:(?:an?|the|other|any|oral)\s+)?$")
_GOES_ON = pattern(r"(?:s|es)?(?=\s*$|[.,;]|\s+(?:is|are|in|for|should|must|or|and|when|if|at)\b)")


#: Letters that are figures as well, what makes a way one of giving, and where those begin whom it is given to.
_SHORT_ROUTE, _TO_WHOM = re.compile(r"\b(?:IV|IM|SC|PO)\b", re.IGNORECASE), pattern(r"\b(?:in|for|to|who|with)\b")
_GIVEN = pattern(
    r"\b(?:use|administration|injections?|infusions?|routes?|therapy|treatment|dos\w+|given|administered)\b"
)


def by_route(sentence: Sentence, text: str, at: int, label: LabelContext) -> Clause:
    """The one way of giving the drug that alone is forbidden at `at`: "Intramuscular use is contraindicated in"."""
    begin = max((m.end() for m in _CLAUSE.finditer(text, 0, at)), default=0)
    head = _SHORT_ROUTE.sub(" ", _TO_WHOM.split(text[begin:at], maxsplit=1)[0])
    own = any(begin <= m.start - sentence.start < at and is_own(m, label) for m in sentence.mentions)
    named = text[at : at + 2].lower() != "a " and (own or _GIVEN.search(head))  # the other is a disease's
    name = only_named(head) if named else ""
    return routed({name}, label) if name else ()


def with_route(claim: Claim, more: Clause) -> Claim:
    """A claim that holds for one way of giving the drug alone."""
    statement = claim.statement
    return replace(claim, statement=replace(statement, when=tuple((*c, *more) for c in statement.when or ((),))))


def denied(text: str) -> list[tuple[int, int]]:
    """The stretches that say that something is no contraindication."""
    return [m.span() for m in cue("cues", "contraindicated.not").finditer(text)]


def spared(sentence: Sentence, text: str) -> set[ConceptId]:
    """The diseases of which a sentence says beside a prohibition that some form of them forbids nothing."""
    parts = [(max(text.rfind(mark, 0, a) for mark in (";", ". ", ":")) + 1, _end(text, b)) for a, b in denied(text)]
    return {
        c for m in sentence.mentions for c in m.concepts if any(a <= m.start - sentence.start < b for a, b in parts)
    }


def _end(text: str, at: int) -> int:
    stop = re.search(r"[;.]\s", text[at:])
    return at + stop.start() if stop else len(text)


def usage(text: str, at: int) -> bool:
    """Whether what is forbidden at `at` is a way to use the drug, or a dose of it: "as monotherapy", "40 mg is"."""
    begin = max((m.end() for m in re.finditer(r"[.;]\s", text[:at])), default=0)
    part = text[begin : _end(text, at)]
    return cue("qualifiers", "usage.words").search(part) is not None or _DOSE_IS.search(text[begin:at]) is not None


#: "X 40 mg is contraindicated in": less of it is not. A strength behind a comma or before "tablets" is the product.
_DOSE_IS = pattern(
    r"^\W*(?:the )?(?:[\w-]+ )?(?:doses? (?:of )?)?(?:[\w-]+ )?(?<![>≥] )\d[\d.,]*\s*(?:mg|mcg|g|mL|units?)(?:/\w+)?"
    r"(?:\s+(?:once|twice|a|per|daily|day|doses?))*\s+(?:is|are)\s+$"
)
