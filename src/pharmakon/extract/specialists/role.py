"""What a label says its own drug is to others: inhibitor, inducer, substrate, and effects that add up (PG-2).

Whoever prescribes two drugs reads two labels: one says "avoid strong CYP3A4 inhibitors", the other "is a strong
inhibitor of CYP3A4". This specialist reads the second, from which the class rule of the first finds its members.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pharmakon.extract.claims import Claim, LabelContext, Mention, Read, Sentence
from pharmakon.extract.specialists.rules.statements import NOTHING
from pharmakon.extract.specialists.wording import any_of, cue, hints, pattern, without_references, words
from pharmakon.model.concepts import ConceptId, kind_of
from pharmakon.model.statements import Limit, Statement

#: Stands where the label's drug is named while a wording is looked for; no label holds it.
_OWN = "\ue000"
#: One or more of it; written so that a search can leap to the first (a pattern that begins with a repetition can't).
_OWN_NAME = f"{_OWN}{_OWN}*"
#: "propranolol and other beta-blockers" tells what propranolol is, and "other MAOIs such as linezolid" which are meant.
#: "Other SNRIs, SSRIs, …" at the beginning of a cell or an item heads a list of several classes.
_OTHER = re.compile(r"(?<!\band)(?<!\bor)(?<![,/:|•])\s+(?:any\s+)?other\s+$", re.IGNORECASE)
_SUCH_AS = re.compile(r"(?:['’]?s\b)?[\s,(]*(?:such as|including|like|e\.g|i\.e|for example)", re.IGNORECASE)
#: Those it shares an allergy with are no class of what it does.
_ALLERGY = re.compile(r"hypersensitiv|allerg|anaphyla|sensitivity", re.IGNORECASE)
#: What was given against a harm is other than what was given before, and not than the drug: "required other …".
_AGAINST = re.compile(r"\b(?:requir\w+|need(?:ed|ing)?|managed)\b[^.;]{0,30}\Z", re.IGNORECASE)
_NEAR = 80  #: characters before "other" in which a drug would be what the others are other than
_DRUGS = frozenset({"drug", "ingredient", "class"})
ROLES = ("inhibitor", "inducer", "substrate")


@dataclass(frozen=True, slots=True)
class Role:
    """Reads the own drug's roles; silent where a monograph was written by hand, whose business they are then."""

    name: str = "role"
    sections: frozenset[str] = frozenset(
        {
            "boxed_warning",
            "contraindications",
            "warnings",
            "interactions",
            "pharmacology",
            "dosage",
            "adverse_reactions",
        }
    )

    def read(self, sentences: Sequence[Sentence], label: LabelContext) -> Sequence[Read]:
        drugs = [s for s in label.subjects if s.startswith("ingredient:")]
        if len(drugs) != 1 or drugs[0] in label.written:
            return [NOTHING] * len(sentences)
        return [_sentence(s, drugs[0], label) for s in sentences]


def _sentence(sentence: Sentence, drug: ConceptId, label: LabelContext) -> Read:
    claims = tuple(_one_of_others(sentence, drug, label)) if "ther " in sentence.text else ()
    if "role.named" in hints(sentence.text):
        claims += tuple(_claims(sentence, drug, label))
    return Read(claims) if claims else NOTHING


def _claims(sentence: Sentence, drug: ConceptId, label: LabelContext) -> Iterator[Claim]:
    text = _own_marked(sentence, label)
    alone = _alone(sentence, label)
    for concept, *span in (*_roles(text, alone=alone), *_effects(text, alone=alone)):
        relation = "has_effect" if concept.startswith("effect:") else "belongs_to"
        yield _claim(Statement("", drug, relation, concept), concept, sentence, *span)
    for concept, *span in _together(text):
        limit = Limit(2, "drugs", "day")
        yield _claim(
            Statement("", concept, "burden_limit", risk="CUMULATIVE_BURDEN", limit=limit), concept, sentence, *span
        )


def _claim(statement: Statement, concept: ConceptId, sentence: Sentence, start: int, end: int) -> Claim:
    spoken = Mention(sentence.start + start, sentence.start + end, sentence.text[start:end], (concept,))
    return Claim(statement, sentence.start, sentence.end, (spoken,))


def _one_of_others(sentence: Sentence, drug: ConceptId, label: LabelContext) -> Iterator[Claim]:
    """ "… with other MAO inhibitors" says that the label's drug is one, unless another drug is named just before.

    "Other strong inhibitors of CYP3A4" are others than some drug of the lines around it, more often than not, and under
    "7.4 Other fibrates" they are others than the drug of 7.3.
    """
    if _ALLERGY.search(sentence.text) or "other " in sentence.heading.lower():
        return
    for mention in sentence.mentions:
        at = mention.start - sentence.start
        classes = [c for c in mention.concepts if kind_of(c) == "class"]
        if len(classes) != 1 or classes[0] in _of_enzymes() or not _OTHER.search(sentence.text[max(0, at - 24) : at]):
            continue
        if _SUCH_AS.match(sentence.text, mention.end - sentence.start) or _AGAINST.search(sentence.text[:at]):
            continue
        near = [m for m in sentence.mentions if at - _NEAR <= m.start - sentence.start < at]
        if all(set(m.concepts) & set(label.subjects) for m in near if any(kind_of(c) in _DRUGS for c in m.concepts)):
            yield Claim(Statement("", drug, "belongs_to", classes[0]), sentence.start, sentence.end)


@cache
def _of_enzymes() -> frozenset[str]:
    """Classes by what a drug does to an enzyme, as labels state it in full; those of MAO are classes of medicines."""
    rows = words("role")["enzymes"]
    return frozenset(c for enzyme, row in rows.items() if enzyme != "mao" for k, c in row.items() if k != "named")


def _alone(sentence: Sentence, label: LabelContext) -> bool:
    """Whether the sentence names no drug but the label's own."""
    drugs = [m for m in sentence.mentions if any(kind_of(c) in _DRUGS for c in m.concepts)]
    return all(set(m.concepts) & set(label.subjects) for m in drugs)


def _own_marked(sentence: Sentence, label: LabelContext) -> str:
    """The sentence with every name of its own drug replaced, letter by letter, so that places stay what they are."""
    text = without_references(sentence.text)
    for mention in sentence.mentions:
        if set(mention.concepts) & set(label.subjects):
            at, to = mention.start - sentence.start, mention.end - sentence.start
            text = text[:at] + _OWN * (to - at) + text[to:]
    return text


def _roles(text: str, *, alone: bool) -> Iterator[tuple[ConceptId, int, int]]:
    """Class and the place where it is spoken of; the most particular class that the words allow."""
    if _OWN not in text:
        return  # every wording names the drug
    hinted = hints(text)
    said = [role for role in ROLES if f"role.{role}" in hinted]
    if not said:
        return
    for enzyme, (named, wordings) in _role_patterns().items():
        if not named.search(text):
            continue
        classes = words("role")["enzymes"][enzyme]
        for role in said:
            wording = wordings[role]
            for match in wording.finditer(text):
                if alone and cue("role", "some.cues").search(match[0]):
                    continue
                strength = _strength(match[0])
                concept = classes.get(f"{strength}_{role}") or classes.get(role)
                if concept and not (strength == "weak" and role == "inhibitor") and not _denied(text, match.span()):
                    yield ConceptId(concept), *match.span()


def _effects(text: str, *, alone: bool) -> Iterator[tuple[ConceptId, int, int]]:
    for effect, (named, says, reported, _, _) in _effect_patterns().items():
        spoken = named.search(text)
        said = spoken and (says.search(text) or (reported.search(text) if alone else None))
        if spoken and said and not _denied(text, (min(spoken.start(), said.start()), max(spoken.end(), said.end()))):
            yield ConceptId(words("role")["effects"][effect]["concept"]), *spoken.span()


def _together(text: str) -> Iterator[tuple[ConceptId, int, int]]:
    """Effects of which the sentence advises not to have two."""
    for effect, (_, _, _, others, advice) in _effect_patterns().items():
        spoken = others.search(text)
        if spoken and advice.search(text):
            yield ConceptId(words("role")["effects"][effect]["concept"]), *spoken.span()


def _denied(text: str, span: tuple[int, int]) -> bool:
    """Whether the clause that holds `span` denies it, or speaks of something else than patients."""
    clause = max(text.rfind(";", 0, span[0]), text.rfind(". ", 0, span[0]), 0)
    return bool(cue("role", "not.cues").search(text, clause, span[1]))


def _strength(text: str) -> str:
    return next((s for s in ("weak", "moderate", "strong") if cue("role", f"wordings.{s}").search(text)), "")


@cache
def _role_patterns() -> Mapping[str, tuple[re.Pattern[str], Mapping[str, re.Pattern[str]]]]:
    """Enzyme → its names, and role → wordings. "CYP2C19, CYP2C9 and CYP3A4": the enzyme may stand behind others."""
    data = words("role")
    strengths = "|".join(w for s in ("strong", "moderate", "weak") for w in data["wordings"][s])
    others = r"(?:[\w/-]+(?:\s*,\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+)){0,4}?(?:to a lesser extent,?\s+)?"

    def compiled(wordings: Sequence[str], enzyme: str) -> re.Pattern[str]:
        joined = "|".join(f"(?:{w})" for w in wordings).replace("{own}", _OWN_NAME)
        joined = joined.replace("{strength}?", f"(?:(?:{strengths}) )?").replace(" ", r"\s+")
        return pattern(joined.replace("{enzyme}", rf"{others}{enzyme}(?!\w)"))

    return {
        key: (
            pattern(any_of(row["named"])),
            {role: compiled(data["wordings"][role], any_of(row["named"])) for role in ROLES},
        )
        for key, row in data["enzymes"].items()
    }


@cache
def _effect_patterns() -> Mapping[str, tuple[re.Pattern[str], ...]]:
    """Effect → how it is named, said to be the drug's, reported, had by others, and advised against."""

    def compiled(wordings: Sequence[str]) -> re.Pattern[str]:
        return pattern("|".join(f"(?:{w})" for w in wordings).replace("{own}", _OWN_NAME).replace(" ", r"\s+"))

    keys = ("named", "says", "reported", "others", "advice")
    return {key: tuple(compiled(row[k]) for k in keys) for key, row in words("role")["effects"].items()}
