"""Question text → `Question`: its language, and the concepts its words name.

Names are found as in a label (`link.mentions`); a person also writes brands small and misspells: what is left over is
looked up word by word, then compared with the names that lie near, and a guess is marked as one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from pharmakon.link.brands import product
from pharmakon.link.forms import skin_form
from pharmakon.link.mentions import KINDS, MentionScanner, is_said_of_all
from pharmakon.link.names import Finder
from pharmakon.link.slips import HanSpeller, Speller, sound
from pharmakon.link.words import words_of
from pharmakon.model.concepts import ConceptId, fold, kind_of
from pharmakon.model.prescription import Allergy, Patient, Text
from pharmakon.model.question import Link, Question
from pharmakon.model.simplified import simplified
from pharmakon.model.tables import read_table
from pharmakon.model.vocabulary import factors
from pharmakon.ports.knowledge import KnowledgeBase
from pharmakon.retrieve.language import language_of
from pharmakon.retrieve.people import person, said
from pharmakon.retrieve.roles import asks, with_roles
from pharmakon.retrieve.unread import unread, unread_states

#: A word of Latin letters; in Chinese it stands against characters that are none of it.
_WORD = re.compile(r"[A-Za-z\u00c0-\u024f](?:[A-Za-z\u00c0-\u024f0-9'-])*")
_SHORTEST = 5  #: letters of a word that may be a misspelt name
_SHORTEST_STEM = 4  #: letters of a name that is a part of a compound
#: Letters of a name that may be misspelt: 6 unless said otherwise. Short ones lie near too much else (gegen: geven).
_SHORTEST_NAME = {"ingredient": 7, "drug": 7}
#: Dutch diminutives: their ending, and what it stands for.
_DIMINUTIVES = (("ientje", "ine"), ("lletje", "l"), ("mmetje", "m"), ("nnetje", "n"), ("ttetje", "t"), ("tje", ""),
                ("pje", ""), ("je", ""))  # fmt: skip
#: Dutch endings of a name that is written as the English one otherwise: "clarithromycine" is no official spelling.
_ENDINGS = (("ine", "in"), ("zol", "zole"))
_ALLERGENS = frozenset({"allergen"})
_ALLERGY = ConceptId("disease:hypersensitivity")  #: what "allergy" names
_ASIDE = frozenset({"stopped", "denied", "allergen"})
#: What a misspelt word may mean.
_SPELT = frozenset({"ingredient", "drug", "disease", "lifestyle"})
#: What a Dutch diminutive or compound may be made of.
_DIMINISHED = frozenset({*_SPELT, "symptom"})
_MADE_UP = frozenset({"ingredient", "drug", "class"})
_DRUGS = frozenset({"ingredient", "drug"})
_STATES = frozenset({"disease", "symptom", "effect", "process"})


class Reader:
    """Reads questions against one state of a knowledge base."""

    def __init__(self, knowledge: KnowledgeBase) -> None:
        self._knowledge = knowledge
        self.scanner = MentionScanner(knowledge)
        self._allergy_scanner = MentionScanner(knowledge, _ALLERGENS)
        self._speller = Speller(Finder(knowledge), _SPELT, by_sound=True)
        self._han_speller = HanSpeller(Finder(knowledge), _DRUGS, (*KINDS, *_ALLERGENS))

    def read(self, text: str, *, lang: str = "", carried: Sequence[Link] = ()) -> Question:
        """`lang` is worked out where it is empty. What is stopped, denied or an allergen stands aside.

        Traditional Chinese is read, and kept, as simplified; what was not read is as the person wrote it.
        """
        written, text = text, simplified(text)
        lang = lang or language_of(text)
        named = sorted((*self._links(text, lang), *self._allergens(text)), key=lambda link: link.start)
        links = with_roles(text, self._products(text, named))
        links = tuple(_with_form(text, k) for k in links)
        figures = said(text)
        measured = {fold(word) for words in figures.values() for word in words.split()}
        states = unread_states(text, lang, links, tuple(figures.values()))
        names = [word for word in unread(text, lang, links, self._rare) if fold(word) not in measured]
        names = [*(word for word in names if not any(word in s for s in states)), *states]
        left = _in_order(text, (*(k.words for k in links if k.part), *names))
        links = tuple(_taken_for(k) for k in links if not _no_subject(k, links, figures))
        aside = tuple(k for k in links if k.role in _ASIDE)
        about = tuple(k for k in links if k.role not in _ASIDE)
        if asks(text) and not about:  # "I stopped sertraline. How long do the effects last?"
            about = tuple(k for k in aside if k.role == "stopped")
            aside = tuple(k for k in aside if k not in about)
        patient = self._with_allergies(person(text), aside)
        left = tuple(written[(at := text.find(word)) : at + len(word)] for word in left)
        return Question(text, lang, about, tuple(carried), patient, aside, asks(text), left)

    def links_of(self, text: str) -> tuple[Link, ...]:
        """What any text names, without guesses."""
        return tuple(self._found(text))

    def _allergens(self, text: str) -> Iterator[Link]:
        """What no drug is named after: eggs, latex."""
        for hit in self._allergy_scanner.find(text):
            yield Link(hit.start, hit.end, hit.concepts, text[hit.start : hit.end])

    def _with_allergies(self, patient: Patient, aside: Iterable[Link]) -> Patient:
        found = dict.fromkeys(k.concepts[0] for k in aside if k.role == "allergen")
        if not found:
            return patient
        known = self._knowledge.concepts(set(found))
        return replace(patient, allergies=tuple(Allergy(Text(known[c].display), source="question") for c in found))

    def _products(self, text: str, links: Sequence[Link]) -> list[Link]:
        """`links`, the brands among them with what makes another product of one."""
        others = {k.start for k in links if kind_of(k.concepts[0]) not in _STATES}
        found: list[Link] = []
        for link in links:
            start, end = product(text, link.start, link.end, others)
            if (start, end) != (link.start, link.end) and kind_of(link.concepts[0]) in _DRUGS:
                start, end = product(text, link.start, link.end, others, brand=self._is_brand(link))
                if (start, end) != (link.start, link.end):
                    link = replace(link, start=start, end=end, words=text[start:end], part=True)
            found.append(link)
        return [k for k in found if k.part or not any(o.part and _overlap(o, k) for o in found)]

    def _is_brand(self, link: Link) -> bool:
        written = fold(link.words)
        names = [name for c, name in self._knowledge.by_name({written}).get(written, ()) if c in link.concepts]
        return any(n.kind == "brand" for n in names)

    def _links(self, text: str, lang: str) -> Iterator[Link]:
        found = [*_phrased(text, lang), *_called("wants", text), *_called("foods", text)]
        for links in (self._found(text), _called("medicines", text), _called("people", text)):
            found += [link for link in links if not any(_overlap(link, other) for other in found)]
        within = list(_called("others", text))  # "yellow fever" says nothing of a fever
        found = [k for k in found if not any(_overlap(k, o) and k.concepts == o.concepts for o in within)]
        yield from found
        taken = [(link.start, link.end) for link in found]
        words = [
            m
            for m in _WORD.finditer(text)
            if not is_said_of_all(m.group()) and not any(a < m.end() and m.start() < b for a, b in taken)
        ]
        shorter = {m.group(): _undiminished(fold(m.group())) for m in words}
        made = {m.group(): _stems(fold(m.group())) for m in words}
        named = self._knowledge.by_name(
            {fold(m.group()) for m in words} | {s for found in (*shorter.values(), *made.values()) for s in found}
        )
        counts = self._counts([m.group() for m in words])
        unknown = _rare(counts)
        for match in words:
            bearers = [c for c, _ in named.get(fold(match.group()), ()) if kind_of(c) in KINDS]
            small = [c for s in shorter[match.group()] for c, _ in named.get(s, ()) if kind_of(c) in _DIMINISHED]
            small = small or [c for s in made[match.group()] for c, _ in named.get(s, ()) if kind_of(c) in _MADE_UP]
            if small and not bearers:
                yield Link(match.start(), match.end(), tuple(dict.fromkeys(small)), match.group())
            elif fold(match.group()) in _everyday():
                continue
            elif bearers and len(match.group()) > 3 and match.group() in unknown:
                yield Link(match.start(), match.end(), tuple(dict.fromkeys(bearers)), match.group())
            elif (guess := self._guess(match.group(), counts[match.group()])) is not None:
                yield Link(match.start(), match.end(), (guess,), match.group(), guessed=True)
        for slip in self._han_speller.find(text, taken):
            yield Link(slip.start, slip.end, (slip.concept,), text[slip.start : slip.end], guessed=True)

    def _guess(self, word: str, count: int) -> ConceptId | None:
        """What a word that is no name may be a slip of; a short one is none of a short name.

        `count` is the number of passages that hold the word, or another of the same stem: "lisinoprill" is found where
        lisinopril stands, and as often.
        """
        written = fold(word)
        if len(written) < _SHORTEST or (count >= _COMMON and not self._speller.is_heard(written)):
            return None
        near = self._speller.meant(word)
        if near.concept is None or len(fold(near.name)) < _SHORTEST_NAME.get(kind_of(near.concept), 6):
            return None
        same_stem = kind_of(near.concept) in _DRUGS and sound(written) == sound(fold(near.name))
        if count >= _COMMON and not (same_stem and count == self._counts([near.name])[near.name]):
            return None
        return near.concept

    def _found(self, text: str) -> Iterable[Link]:
        return (Link(h.start, h.end, h.concepts, text[h.start : h.end]) for h in self.scanner.find(text))

    def _rare(self, words: Sequence[str]) -> frozenset[str]:
        return _rare(self._counts(words))

    def _counts(self, words: Sequence[str]) -> dict[str, int]:
        """Passages that hold each word. What is a word of the sources is no misspelt name, and none written small."""
        counts, _ = self._knowledge.document_frequency({w.casefold() for w in words})
        return {w: counts[w.casefold()] for w in words}


def _in_order(text: str, words: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(dict.fromkeys(words), key=text.find))


def _rare(counts: Mapping[str, int]) -> frozenset[str]:
    """Words that are none of the sources' own: only they can be misspelt names, or names written small."""
    return frozenset(word for word, count in counts.items() if count < _COMMON)


def _undiminished(written: str) -> tuple[str, ...]:
    """What a word with a Dutch ending may be a form of: "aspirientje" of aspirine, "clarithromycine"."""
    if written in _everyday():
        return ()
    endings = (*_DIMINUTIVES, *_ENDINGS)
    return tuple(written.removesuffix(ending) + whole for ending, whole in endings if written.endswith(ending))


@lru_cache(maxsize=4096)
def _stems(written: str) -> tuple[str, ...]:
    """What may be named before the noun that a Dutch word ends with: "metoprololtabletten"; the longest noun counts."""
    stem = next((written.removesuffix(noun) for noun in _compounds() if written.endswith(noun)), "").strip(" -")
    return (stem, stem.removesuffix("s"), *_undiminished(stem)) if len(stem) >= _SHORTEST_STEM else ()


@cache
def _compounds() -> tuple[str, ...]:
    return tuple(sorted(words_of("compounds", "nl"), key=len, reverse=True))


def _with_form(text: str, link: Link) -> Link:
    """A drug with the form for the skin that is said of it: a gel is another matter than a tablet."""
    if kind_of(link.concepts[0]) not in _DRUGS or link.role in _ASIDE:
        return link
    form = skin_form(text, link.end, link.start)
    if not form and (noun := next((n for n in _compounds() if fold(link.words).endswith(n)), "")):
        form = skin_form(noun, 0)
    return replace(link, form=form) if form else link


def _called(part: str, text: str) -> Iterator[Link]:
    """Words of `lay.toml`: medicines by what they are for or how they are called, foods by their kinds, people by what
    they have; and names of others that hold a word for something else."""
    for match in _words(part).finditer(text):
        for concept in _lay()[part][fold(match[1])]:
            yield Link(match.start(), match.end(), (concept,), match.group(), wanted=part == "wants")


def _phrased(text: str, lang: str) -> Iterator[Link]:
    """What the phrases of `lay.toml` say in words that name nothing by themselves; of overlapping ones the first."""
    found: list[Link] = []
    told = text.replace("’", "'")
    for concept, pattern in _phrases(lang):
        for match in pattern.finditer(told):
            group = next((g for g in ("name", "taken") if g in pattern.groupindex), 0)
            start, end = match.span(group)
            link = Link(start, end, (concept,), text[start:end], guessed=group == "taken")
            if not any(_overlap(link, other) for other in found):
                found.append(link)
    yield from found


def _taken_for(link: Link) -> Link:
    """ "My blood pressure pill" wants nothing: it says what somebody has."""
    return replace(link, wanted=False) if link.role == "had" else link


def _no_subject(link: Link, links: Sequence[Link], figures: Mapping[str, str]) -> bool:
    """Whether a link says nothing that the person's allergies and values do not: "allergy to", "potassium 5.8"."""
    if kind_of(link.concepts[0]) in _ALLERGENS:
        return link.role != "allergen"
    if link.concepts[0] == _ALLERGY:
        return any(k.role == "allergen" for k in links)
    measured = (words.casefold() for factor, words in figures.items() if factor in factors())
    return any(words.startswith(link.words.casefold()) and words[-1].isdigit() for words in measured)


def _overlap(one: Link, other: Link) -> bool:
    return one.start < other.end and other.start < one.end


@cache
def _lay() -> dict[str, dict[str, list[ConceptId]]]:
    """Part of `lay.toml` → folded word → its concepts."""
    data = read_table("pharmakon.retrieve", "lay.toml")
    found: dict[str, dict[str, list[ConceptId]]] = {}
    for part in ("wants", "foods", "medicines", "people", "others"):
        row = data[part]
        for concept, words in row.items():
            for word in words:
                found.setdefault(part, {}).setdefault(fold(word), []).append(ConceptId(concept))
    return found


@cache
def _phrases(lang: str) -> tuple[tuple[ConceptId, re.Pattern[str]], ...]:
    """(concept, what says it) of one language."""
    rows = read_table("pharmakon.retrieve", "lay.toml")["phrases"].get(lang, {})
    edges = ("", "") if lang == "zh" else (r"(?<!\w)", r"(?!\w)")
    return tuple(
        (ConceptId(concept), re.compile(rf"{edges[0]}(?:{pattern}){edges[1]}", re.IGNORECASE))
        for concept, patterns in rows.items()
        for pattern in patterns
    )


@cache
def _words(part: str) -> re.Pattern[str]:
    words = sorted(_lay()[part], key=len, reverse=True)
    latin = "|".join(re.escape(w).replace(r"\ ", "[ -]") for w in words if w.isascii())
    han = "|".join(re.escape(w) for w in words if not w.isascii())
    return re.compile(rf"((?<!\w)(?:{latin})(?=(?:s|n|en)?(?!\w))|{han})", re.IGNORECASE)


@cache
def _everyday() -> frozenset[str]:
    data = read_table("pharmakon.retrieve", "everyday.toml")
    return frozenset(fold(word) for words in data["words"].values() for word in words)


_COMMON = 3  #: passages that hold a word which is one of the language and no slip
