"""Every error Pharmakon raises on purpose.

PharmakonError
├── BadInput            the caller's file, key, number or unit is wrong          exit 2, HTTP 4xx
│   └── BadMonograph    a monograph breaks the format; carries file and line
├── KnowledgeError      the knowledge base is missing, broken or too new         exit 3
│   └── KnowledgeBusy   another process is writing and did not finish in time
├── ProcessDied         a process that worked for this one was killed            exit 3
└── RefusedEvidence     a quotation does not stand where it says it stands; never stored (KB-3)
"""

from __future__ import annotations


class PharmakonError(Exception):
    """Base of all; `str()` is one line a person can act on."""


class BadInput(PharmakonError):
    """What was wrong, where, and what was expected: the three parts of every complaint to a caller."""

    def __init__(self, what: str, *, where: str = "", expected: str = "") -> None:
        self.what, self.where, self.expected = what, where, expected
        super().__init__(what, where, expected)

    def __str__(self) -> str:
        place = f"{self.where}: " if self.where else ""
        wanted = f"; expected {self.expected}" if self.expected else ""
        return f"{place}{self.what}{wanted}"

    def __reduce__(self) -> tuple[object, ...]:
        """By name, as it was made: a complaint travels between processes."""
        return _again, (type(self), self.what, self.where, self.expected)

    def within(self, place: str) -> BadInput:
        """The same complaint, one level further out (`orders.csv` + `line 3`)."""
        where = f"{place}, {self.where}" if self.where else place
        return type(self)(self.what, where=where, expected=self.expected)


def _again(kind: type[BadInput], what: str, where: str, expected: str) -> BadInput:
    return kind(what, where=where, expected=expected)


class BadMonograph(BadInput):
    """A monograph that can't be loaded; `where` is `file:line`."""


class KnowledgeError(PharmakonError):
    """The knowledge base can't be used as it is."""


class KnowledgeBusy(KnowledgeError):
    """Another process holds the write lock."""


class ProcessDied(PharmakonError):
    """A process that worked for this one ended before its time: killed from outside, or out of memory."""


class RefusedEvidence(PharmakonError):
    """A quotation that the gate turned away."""
