"""What came of bringing documents in: counted while it happens, shown at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from pharmakon.extract.label import UNREAD, Account
from pharmakon.model.changes import Doubt
from pharmakon.model.concepts import ConceptId
from pharmakon.model.errors import BadInput


@dataclass(slots=True)
class Summary:
    """What came in, what was refused and why."""

    stored: int = 0
    unchanged: int = 0
    copies: list[tuple[str, str]] = field(default_factory=list)  #: (id, the id of the text it repeats)
    refused: list[BadInput] = field(default_factory=list)  #: documents that could not be read
    remarks: Counter[str] = field(default_factory=Counter)
    concepts: set[ConceptId] = field(default_factory=set)  #: new ones
    statements: int = 0
    retired: int = 0
    doubts: set[Doubt] = field(default_factory=set)
    claims: Counter[tuple[str, str]] = field(
        default_factory=Counter
    )  #: (section kind, relation), before they are joined
    sentences: Counter[tuple[str, str]] = field(default_factory=Counter)  #: (section kind, what became of it)
    unread: Counter[str] = field(default_factory=Counter)  #: reasons
    claims_refused: Counter[str] = field(default_factory=Counter)

    def count(self, account: Account) -> None:
        self.sentences.update(account.sentences)
        self.unread.update(account.why)
        self.claims_refused.update(account.refused)

    @property
    def accounted(self) -> float | None:
        """The share of sentences for clinicians that gave facts or hold nothing to extract; None without any."""
        fates = Counter[str]()
        for (_, fate), n in self.sentences.items():
            fates[fate] += n
        read = fates["facts"] + fates["nothing to extract"] + fates[UNREAD]
        return 1 - fates[UNREAD] / read if read else None

    def as_dict(self) -> dict[str, Any]:
        """For programs: every count, and each refusal, copy and doubt by name."""
        kinds = Counter[str]()
        facts: dict[str, Counter[str]] = {}
        for (section, relation), n in self.claims.items():
            kinds[relation] += n
            facts.setdefault(section, Counter())[relation] += n
        sentences: dict[str, dict[str, int]] = {}
        for (section, fate), n in self.sentences.items():
            sentences.setdefault(section, {})[fate] = n
        return {
            "stored": self.stored,
            "unchanged": self.unchanged,
            "copies": [{"document": id, "copy_of": original} for id, original in self.copies],
            "refused": [{"what": e.what, "where": e.where, "expected": e.expected} for e in self.refused],
            "remarks": dict(self.remarks.most_common()),
            "new_concepts": len(self.concepts),
            "statements": {"new": self.statements, "retired": self.retired, "claims": dict(kinds.most_common())},
            "facts_by_section": {section: dict(counts.most_common()) for section, counts in sorted(facts.items())},
            "sentences_by_section": dict(sorted(sentences.items())),
            "sentences_accounted_for": self.accounted,
            "unread": dict(self.unread.most_common()),
            "claims_refused": dict(self.claims_refused.most_common()),
            "doubts": [
                {"document": d.document, "name": d.name, "taken_as": d.taken_as, "candidates": list(d.candidates),
                 "why": d.why}
                for d in sorted(self.doubts, key=lambda d: (d.document, d.name))
            ],
        }  # fmt: skip
