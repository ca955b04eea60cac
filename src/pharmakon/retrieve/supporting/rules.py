"""The rules of the support check, each between what a sentence says and what one sentence of a quotation says.

Every rule gives what is missing or said otherwise; nothing where the sentence stands.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from itertools import pairwise

from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.question import Link
from pharmakon.retrieve.supporting.cues import Cue, data, groups
from pharmakon.retrieve.supporting.figures import Figure
from pharmakon.retrieve.supporting.reading import Above, Item, Reading, clause_breaks

#: The least share of a sentence's items, and of those that are no names, that must stand in the quotation (calibrated
#: on tests/unit/retrieve/support_tuned.yaml).
COVERAGE = 0.6
#: A name of one of these kinds that the quotation lacks is refused; others count as words.
_KINDS = frozenset({"ingredient", "drug", "class", "lifestyle", "disease"})
#: Groups of cues that say how and not what.
_LITTLE = frozenset({"certainty", "frequency", "use"})
#: Units of a dose, which is one drug's.
_DOSES = frozenset({"g", "mg", "ug", "mcg", "unit", "mL", "mmol", "mEq"})


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
        else:
            members = any(not frozenset(above(c)).isdisjoint(link.concepts) for k in others for c in k.concepts)
            if members or fold(link.words) in fold(quotation.text):
                continue
        missing.append(link.words)
    return missing


def substituted(sentence: Reading, quotation: Reading, about: Collection[ConceptId], above: Above) -> list[str]:
    """Drugs that this sentence of the quotation does not name, in place of one that it does name."""
    own = quotation.concepts | frozenset(about)

    def drugs(links: Iterable[Link]) -> list[Link]:
        return [k for k in links if kind_of(k.concepts[0]) in ("ingredient", "drug")]

    fits = {c for k in sentence.links for c in k.concepts} | {a for c in sentence.concepts for a in above(c)}
    left_out = [
        k for k in drugs(quotation.links) if fits.isdisjoint(k.concepts) and not frozenset(about) & set(k.concepts)
    ]
    foreign = [k.words for k in drugs(sentence.links) if all(own.isdisjoint(above(c)) for c in k.concepts)]
    return foreign if left_out else []


def _apposed(reading: Reading, a: Link, b: Link) -> bool:
    """Whether two names stand for one thing: "ibuprofen, an NSAID", "an NSAID such as ibuprofen"."""
    first, second = sorted((a, b), key=lambda k: k.start)
    between = reading.text[first.end : second.start].lower()
    return re.fullmatch(data("reading")["apposed"][reading.lang], between) is not None


def stance_differs(sentence: Reading, quotation: Reading) -> list[str]:
    """What the sentence says otherwise: allowed, forbidden, raised, lowered, always, for whom, by which route, not."""
    return [
        *_added(sentence, quotation),
        *_dropped(sentence, quotation),
        *denied_otherwise(sentence, quotation),
        *_fewer_denials(sentence, quotation),
    ]


def _fewer_denials(sentence: Reading, quotation: Reading) -> Iterator[str]:
    """Of a sentence that says all of the quotation: "must be used, or where it must not" has lost one of two."""
    whole = sentence.lang == quotation.lang and len(sentence.items) + 1 >= 0.8 * len(quotation.items)
    if whole and _denials(sentence) != _denials(quotation):
        yield "as many denials"


def _denials(reading: Reading) -> int:
    return reading.denials + sum(c.group == "stance" and c.member in ("against", "forbidden") for c in reading.cues)


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
            also = (cue.member, *group.implies.get(cue.member, ()))
            always = any(m in group.dropped and m not in said for m in also)
            near = cue.member in group.near and any(not i.keys.isdisjoint(keys) for i in _beside(cue, quotation))
            if always or near:
                yield f"no {cue.member} ({group.name})"


def _beside(cue: Cue, reading: Reading) -> list[Item]:
    """The item that a cue stands before, beyond others of its group ("moderate to severe hepatic impairment")."""
    group = f"{cue.group}."
    return [
        item for item in reading.items if item.start >= cue.end and not any(k.startswith(group) for k in item.keys)
    ][:1]


def denied_otherwise(sentence: Reading, quotation: Reading) -> Iterator[str]:
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


def not_covered(sentence: Reading, quotation: Reading, about: Collection[ConceptId], above: Above) -> list[str]:
    """The words that the quotation lacks, where they are too many: of all, or of those that are no names or figures."""
    absent = lacking(sentence, quotation, about, above)
    claims = [item for item in sentence.items if _claims(item)]
    allowed = (1.0 - COVERAGE) * len(claims)
    if sentence.lang != quotation.lang and len(claims) > 1:
        allowed = max(allowed, 1)  # the words that two languages share here are few
    few = len(absent) > (1.0 - COVERAGE) * len(sentence.items) or sum(map(_claims, absent)) > allowed
    if not claims and not sentence.figures:
        return ["anything said of what it names"]
    return [sentence.text[i.start : i.end] for i in absent] if few else []


def smuggled(part: Reading, quotation: Reading, about: Collection[ConceptId]) -> bool:
    """Whether more than half of a part of a sentence is not in what supports the whole."""
    absent = lacking(part, quotation, about, lambda concept: (concept,))
    claims = [item for item in part.items if _claims(item)]
    return 2 * sum(map(_claims, absent)) > len(claims)


def only_names(part: Reading) -> bool:
    """Whether a part of a sentence names and says nothing: "if you breastfeed, …"."""
    return not part.figures and not any(map(_claims, part.items))


def _claims(item: Item) -> bool:
    """Whether it is more than a name, a figure, or a word of any sentence about medicines."""
    if _named(item):
        return False
    said = {key.partition(".")[0] for key in item.keys} & groups().keys()
    if said:
        return not said <= _LITTLE
    terms = {k.removeprefix("term.") for k in item.keys if k.startswith("term.")}
    return not terms or not terms <= set(data("terms")["weak"])


def lacking(sentence: Reading, quotation: Reading, about: Collection[ConceptId], above: Above) -> list[Item]:
    keys = quotation.keys() | frozenset(about)
    stems = [k for k in keys if k.startswith("word.")]

    def stands(item: Item) -> bool:
        if not item.keys.isdisjoint(keys):
            return True
        named = [ConceptId(k) for k in item.keys if k.partition(":")[0] in _KINDS]
        if any(not frozenset(above(c)).isdisjoint(keys) for c in named):
            return True
        return any(_kin(a, b) for a in item.keys if a.startswith("word.") for b in stems)

    return [item for item in sentence.items if not stands(item)]


def _kin(a: str, b: str) -> bool:
    """Two stems of one word: the longer begins with nearly all of the shorter."""
    shared = next((n for n, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))
    return shared >= len("word.") + 5 and shared >= 0.75 * max(len(a), len(b))
