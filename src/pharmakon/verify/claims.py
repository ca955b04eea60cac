"""Draft → claims: what each clause says may be done or must not, and of what (FG-6; paper section 3.4.2).

A claim is read with what stands around it: pronouns and bare answers ("Yes, that is fine") speak of what was named
before, in the draft or in the question, so that an answer without any name still makes its claim.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from pharmakon.model.concepts import ConceptId
from pharmakon.model.question import Question
from pharmakon.verify.clauses import Clause, clauses
from pharmakon.verify.cues import contains, is_answer, says, spots, words_of
from pharmakon.verify.names import Named, Namer
from pharmakon.verify.options import grouped, had, set_aside
from pharmakon.verify.stance import NAME, Stance, asks_about_harm, masked, stance, turned

#: Words between what a drug does and the drug it does it to.
_NEAR = 3
#: Letters of the shortest verb that is told from an auxiliary by its length.
_VERB = 4
#: Words of the longest directions; what is longer tells of studies.
_DIRECTIONS = 16
_FIGURE = re.compile(r"\d")
#: The option of all names that answer a general question: "Which drugs treat gout?" is answered by one or the other.
_ANY = -1


@dataclass(frozen=True, slots=True)
class Claim:
    """`own` are the names of the clause itself, `about` those with what it refers to."""

    text: str
    stance: Stance
    own: tuple[Named, ...] = ()
    about: tuple[Named, ...] = ()
    apart: bool = False  #: a quotation: it goes with what is asked and taken, and with no other sentence of the draft

    @property
    def leaves(self) -> bool:
        """Whether it gives leave, or tells how to use something."""
        return self.stance in (Stance.ALLOWS, Stance.ADVISES)

    @property
    def drugs(self) -> tuple[Named, ...]:
        return tuple(n for n in self.about if n.kind in ("drug", "class"))


@dataclass(frozen=True, slots=True)
class Claims:
    """What a draft claims, what the question it answers names, and the drugs that are known to be taken besides."""

    said: tuple[Claim, ...]
    asked: tuple[Named, ...] = ()
    known: tuple[Named, ...] = ()
    question: str = ""

    def dose_of(self, drug: Named) -> str:
        """The words that tell how to take `drug`, to the next drug; "" where the draft gives no leave and no figure."""
        told: list[str] = []
        for claim in self.said:
            named = [n for n in claim.own if n.kind == "drug"]
            at = next((i for i, n in enumerate(named) if n.key == drug.key), None)
            if told and named and at is None:
                break
            if claim.leaves and (at is not None or (told and not named)):
                start = named[at].start if at else 0
                end = named[at + 1].start if at is not None and at + 1 < len(named) else None
                told.append(claim.text[start:end])
        words = ", ".join(told)
        return words if _FIGURE.search(words) and len(words.split()) <= _DIRECTIONS else ""


class ClaimReader:
    """Reads drafts with one namer."""

    def __init__(self, namer: Namer) -> None:
        self._namer = namer

    def read(
        self, draft: str, question: Question, *, also: Iterable[ConceptId] = (), taken: Iterable[str] = ()
    ) -> Claims:
        """The claims of `draft` in order, as an answer to `question`.

        `also` are concepts that the draft is about beyond its words, `taken` the drugs of a record, as written there.
        """
        asked = grouped(question.text, self._namer.find(question.text))
        linked = [n for link in (*question.links, *question.carried) for n in self._namer.of(link.concepts, link.words)]
        linked += self._namer.of(also)
        found = {n.concept for n in asked}
        asked = (*asked, *(n for n in linked if n.concept not in found))
        known = tuple(n for text in taken for n in self._namer.find(text) if n.kind == "drug")
        said = _Reading(asked, question.text).all(draft, self._namer)
        return Claims(tuple(said), asked, known, question.text)


class _Reading:
    """What has been read of one draft: the thread that pronouns and list items take up."""

    def __init__(self, asked: tuple[Named, ...], question: str) -> None:
        self.asked = asked
        drugs = [(n.start, n.end) for n in asked if n.end and n.kind in ("drug", "class")]
        self.harm = asks_about_harm(masked(question, drugs))
        words = words_of(question)
        personal = says("personal", words) or bool(drugs)
        self.seeks = bool(question) and (personal or bool(_states_of(asked))) and not says("informs", words)
        self.general = bool(question) and not self.seeks  #: "Which drugs treat gout?"
        self.claims: list[Claim] = []
        self.lead: Stance | None = None  # of "You can take:", for the items that follow
        self.option = max((n.option for n in asked), default=0)

    def all(self, draft: str, namer: Namer) -> list[Claim]:
        for clause in clauses(draft):
            named = grouped(clause.text, had(clause.text, namer.find(clause.text)), self.option)
            self.option = max((n.option for n in named), default=self.option)
            self._read(clause, named)
        return self.claims

    def _read(self, clause: Clause, named: tuple[Named, ...]) -> None:
        words = words_of(clause.text)
        back = not named and says("takes_back", words)
        no = is_answer("no", clause.text) or (not named and _refuses(clause.text, words))
        no = no or (back and all(c.stance is Stance.NEUTRAL for c in self.claims))  # "That is a myth."
        if no or is_answer("yes", clause.text):
            leave = no is self.harm
            self.claims.append(Claim(clause.text, Stance.ALLOWS if leave else Stance.WARNS, (), self.asked))
            return
        if back:
            if self.claims[-1].own:  # a bare answer is repeated, not taken back: "No, that is a myth"
                self.claims[-1] = replace(self.claims[-1], stance=turned(self.claims[-1].stance))
            return
        taken = self._stance(clause, named)
        kept, dropped = (named, ()) if taken is Stance.WARNS else set_aside(clause.text, named)
        if dropped:
            self.claims.append(
                Claim(clause.text, Stance.WARNS, dropped, self._about(clause.text, dropped, Stance.WARNS))
            )
        if kept or not dropped:
            kept = self._as_alternatives(clause, kept, taken)
            if self.general and taken is Stance.ADVISES and not says("together", words):
                kept = tuple(replace(n, option=n.option or _ANY) for n in kept)
            self.claims.append(Claim(clause.text, taken, kept, self._about(clause.text, kept, taken)))
        if clause.ending in (":", "："):
            self.lead = taken
        elif taken is not Stance.NEUTRAL and clause.ending and not named:
            self.lead = None

    def _stance(self, clause: Clause, named: Sequence[Named]) -> Stance:
        drugs = [n for n in named if n.kind in ("drug", "class")]
        # a disease may hold a negator in its name: 心律不齐
        odd = [n for n in named if n.kind == "condition" and says("negators", words_of(n.words))]
        bare = masked(clause.text, [(n.start, n.end) for n in (*drugs, *odd)])
        if clause.ending in ("?", "？"):
            return Stance.ALLOWS if says("rhetoric", words_of(bare)) else Stance.NEUTRAL
        taken = stance(bare)
        if taken is Stance.WARNS and not named and contains("conditional", words_of(bare)[:1]):
            return Stance.NEUTRAL  # "if it still hurts"
        if taken is not Stance.NEUTRAL:
            return taken
        if drugs and self.lead not in (None, Stance.NEUTRAL):
            return self.lead or taken
        if _acts_on_another(words_of(bare)):
            return Stance.WARNS
        return Stance.NEUTRAL if self._states(words_of(bare), named, drugs) else Stance.ADVISES

    def _states(self, words: tuple[str, ...], named: Sequence[Named], drugs: Sequence[Named]) -> bool:
        """Whether a clause without a cue says what something is, or leaves it open, and so gives no leave.

        All else that names a drug does, and to somebody who asks what to do even what names none.
        """
        if any(says(category, words) for category in ("leaves_open", "states", "courtesy")):
            return True
        if not drugs:
            before = next((c.stance for c in reversed(self.claims) if c.drugs), None)
            refers = says("refers", words) or says("amounts", words)
            return not self.seeks or not refers or before is Stance.WARNS
        told = (says("does", words) or _tells(words)) and not says("at_once", words)
        if told and (says("kinds", words) or any(n.kind == "class" for n in drugs)):
            return True
        return (
            told and not self.seeks and words.count(NAME) == 1 and not any(n.kind in ("person", "food") for n in named)
        )

    def _about(self, text: str, own: tuple[Named, ...], taken: Stance) -> tuple[Named, ...]:
        """The names of a clause with those it refers to."""
        words = words_of(text)
        has_drug = any(n.kind in ("drug", "class") for n in own)
        before = next((c for c in reversed(self.claims) if c.drugs), None)
        if has_drug and not says("refers", words):
            return own
        if before is None:
            return _together(own, self.asked)
        turns = before.stance is Stance.WARNS and taken is not Stance.WARNS
        refers = says("refers", words) or says("amounts", words) or contains("contrasts", words[:1])
        if turns and (has_drug or not refers):
            return own  # "Do not combine them. A heat pack is fine."
        return _together(own, before.about)

    def _as_alternatives(self, clause: Clause, named: tuple[Named, ...], taken: Stance) -> tuple[Named, ...]:
        """Names that are offered in place of those before them, as options of one choice."""
        before = next((c for c in reversed(self.claims) if c.leaves and c.own), None)
        if taken is Stance.WARNS or before is None or not says("offers_another", words_of(clause.text)):
            return named
        option = next((n.option for n in (*before.own, *named) if n.option), 0)
        if not option:
            self.option += 1
            option = self.option
        at = max(i for i, c in enumerate(self.claims) if c is before)
        joined = tuple(replace(n, option=option) if n.kind == "drug" and not n.option else n for n in before.own)
        self.claims[at] = replace(before, own=joined, about=_together(joined, before.about))
        return tuple(replace(n, option=option) if n.kind == "drug" else n for n in named)


def _states_of(named: Iterable[Named]) -> list[Named]:
    return [n for n in named if n.kind in ("person", "allergen")]


def _acts_on_another(words: tuple[str, ...]) -> bool:
    """Whether one drug is said to do something to another: "rifampin lowers the level of digoxin"."""
    names = [i for i, word in enumerate(words) if word == NAME]
    return any(
        any(n < start for n in names) and any(end <= n <= end + _NEAR for n in names)
        for start, end, _, _ in spots(("acts_on",), words)
    )


def _tells(words: tuple[str, ...]) -> bool:
    """Whether a clause begins as a fact does, in English and Dutch: a name, and a verb in the third person."""
    return len(words) > 2 and words[0] == NAME and len(words[1]) > _VERB and words[1].endswith(("s", "t"))


def _refuses(text: str, words: tuple[str, ...]) -> bool:
    """Whether a clause without a name and a stance begins with a no: "not in any meaningful way"."""
    return stance(text) is Stance.NEUTRAL and any(at == 0 for at, _, _, _ in spots(("negators",), words))


def _together(own: Sequence[Named], others: Sequence[Named]) -> tuple[Named, ...]:
    keys = {(n.key, n.state) for n in own}
    return (*own, *(n for n in others if (n.key, n.state) not in keys))
