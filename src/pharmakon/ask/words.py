"""Our own words in an answer, in three languages, as data."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from pharmakon.audit.phrases import LANGUAGES
from pharmakon.audit.phrases import Phrases as ReportPhrases
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Patient
from pharmakon.model.tables import read_table
from pharmakon.model.vocabulary import factors


class Words:
    """Templates of one language; a missing value fails where it is used, not in front of a reader."""

    def __init__(self, lang: str) -> None:
        if lang not in LANGUAGES:
            raise BadInput(f"language {lang!r}", expected=", ".join(LANGUAGES))
        self.lang = lang
        self._report = ReportPhrases(lang)

    def __call__(self, key: str, **values: object) -> str:
        text: str = _all()[self.lang][key]
        return text.format(**values)

    def language(self, lang: str) -> str:
        """The name of a language in this one."""
        names = _all()["language"][self.lang]
        found: str = names.get(lang, names["other"])
        return found

    def factor(self, name: str) -> str:
        """A patient factor as the reader calls it, else as the vocabulary labels it."""
        named: dict[str, str] = _all()["factor"][self.lang]
        known = factors().get(name)
        return named.get(name) or (known.label if known else name.replace("_", " "))

    def person(self, patient: Patient) -> list[str]:
        """What is said of the person, as the reader calls it: "age 82", "breastfeeding"."""
        names: dict[str, str] = _all()["person"][self.lang]
        states = ("pregnant", "lactating", "dialysis")
        said = [names[state] for state in states if getattr(patient, state)]
        if patient.age is not None:
            low, high = patient.age
            said.append(names["age" if low == high else "elderly" if low else "child"].format(age=f"{low:g}"))
        measured = (
            f"{self.factor(name)} {lab.value:g} {lab.unit if lab.unit != '1' else ''}" for name, lab in patient.labs
        )
        return [*said, *(text.strip() for text in measured)]

    def condition(self, verb: str, name: str) -> str:
        """What a rule asks of the person: had, has or with something."""
        text: str = _all()["condition"][self.lang][verb]
        return text.format(name=name)

    @property
    def emergency_number(self) -> str:
        found: str = _all()["emergency_number"][self.lang]
        return found

    def list_of(self, relation: str, head: str, items: Sequence[str]) -> str:
        """A sentence with everything that has `relation` to `head`."""
        forms: dict[str, str] = _all()["list"][self.lang]
        return forms.get(relation, forms["other"]).format(head=head, items=self.either(items))

    def either(self, items: Sequence[str]) -> str:
        """`a, b or c`: what a list names is not meant to be taken together."""
        comma = "、" if self.lang == "zh" else ", "
        *first, last = items
        return f"{comma.join(first)}{_all()['either'][self.lang]}{last}" if first else last

    def listed(self, items: Sequence[str]) -> str:
        """`a, b and c`."""
        return self._report.listed(list(items))


def said_otherwise(lang: str) -> tuple[dict[str, str], dict[str, str]]:
    """Labels of measured factors, and other labels and small words of the audit's sentences → how `lang` says them.

    A measured factor stands before its value; elsewhere its label may be a part of a name: "calcium supplement".
    """
    words = Words(lang)
    named = {name: factor for name, factor in factors().items() if name in _all()["factor"][lang]}
    measured = {f.label: words.factor(name) for name, f in named.items() if f.shape == "number"}
    others = {f.label: words.factor(name) for name, f in named.items() if f.shape != "number"}
    return measured, others | _all()["said"][lang]


@cache
def _all() -> dict[str, Any]:
    return read_table("pharmakon.ask", "phrases.toml")
