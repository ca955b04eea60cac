"""The guard: every draft passes it before a user sees it (FG-6, FG-7; docs/decisions/0019-the-guard.md)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from pharmakon.audit.run import Auditor
from pharmakon.link.mentions import MentionScanner
from pharmakon.model.answer import Conflict, Draft, Said, Verification
from pharmakon.model.concepts import fold
from pharmakon.model.documents import Evidence
from pharmakon.model.errors import BadInput
from pharmakon.model.prescription import Patient
from pharmakon.model.question import Question
from pharmakon.model.tables import read_table
from pharmakon.model.vocabulary import Tier
from pharmakon.verify.claims import Claim, ClaimReader, Claims
from pharmakon.verify.conflicts import AuditTrack
from pharmakon.verify.names import Named, Namer
from pharmakon.verify.stance import Stance
from pharmakon.verify.track import Context, Track

#: Conflicts that a risk answer tells in full; a draft may have many more, and one is enough to discard it.
_TOLD = 4
#: Characters of a draft. A clause of thousands of names takes seconds.
_LONGEST = 20_000
#: Sections of a source that name conditions as what a drug is for; "guidance" holds uses beyond the label.
_USES = frozenset({"indications", "guidance"})


class Guard:
    """Compares what drafts claim with what is known, by every track it is given."""

    def __init__(self, reader: ClaimReader, tracks: Sequence[Track]) -> None:
        self._reader, self._tracks = reader, tuple(tracks)

    def check(self, draft: Draft, question: Question, context: Context) -> Verification:
        """Whether `draft` may be said as the answer to `question`.

        `not_required` where no drug meets another thing; `intercepted` with every conflict, the gravest first. Raises
        `BadInput` for a draft that is too long to be checked: what is not checked is not said.
        """
        text = "\n".join(said.text for said in draft.sentences)
        if len(text) > _LONGEST:
            raise BadInput(f"a draft of {len(text)} characters", expected=f"at most {_LONGEST}")
        claims = self._reader.read(text, question, also=draft.concepts, taken=context.drugs)
        claims = replace(claims, said=_as_said(claims, draft))
        if not _meets(claims, context):
            return Verification("not_required")
        found = (c for track in self._tracks for c in track.conflicts(claims, context, question.lang))
        conflicts = sorted(dict.fromkeys(found), key=lambda c: (-c.tier, c.type, c.drugs))
        return Verification("intercepted" if conflicts else "passed", tuple(conflicts))


def _as_said(claims: Claims, draft: Draft) -> tuple[Claim, ...]:
    """What is known of the sentences of our own beyond their words; of a model's nothing is.

    What a source says of a use is no advice of ours: quotations in a row recommend none of them with another. But leave
    that a quotation gives in so many words of what it names stays leave, whoever gives it: it is judged by itself, with
    what is asked and taken. What a list names are choices, and a finding is a risk that is told.
    """
    if draft.by_model:
        return claims.said
    quoted = [(fold(s.text), s.evidence) for s in draft.sentences if any(s.text in e.quote for e in s.evidence)]
    lists = [fold(s.text) for s in draft.sentences if s.role == "list"]
    told = [fold(s.text) for s in draft.sentences if s.role in ("finding", "frame")]
    found: list[Claim] = []
    for claim in claims.said:
        text = fold(claim.text)
        evidence = next((evidence for one, evidence in quoted if text in one), None)
        if any(text in one for one in told):
            claim = replace(claim, stance=Stance.WARNS)
        elif any(text in one for one in lists):
            claim = replace(claim, stance=Stance.NEUTRAL, own=(), about=())
        elif evidence is not None:
            leaves = claim.stance is Stance.ALLOWS
            # a fact brings nothing into what another gives leave for
            own = _named_in(claim, evidence) if leaves else ()
            claim = replace(claim, stance=Stance.ALLOWS if leaves else Stance.NEUTRAL, own=own, about=own, apart=True)
        found.append(claim)
    return tuple(found)


def _named_in(claim: Claim, evidence: Sequence[Evidence]) -> tuple[Named, ...]:
    """The names of a quotation. Of a use by where it stands in the source: the drug that it begins with.

    What a drug is for is nothing that somebody has, and what it is given after or beside is not what is asked about.
    """
    if not all(e.section in _USES for e in evidence):
        return claim.own
    return tuple(n for n in claim.own if n.kind != "condition")[:1]


def symbolic_guard(auditor: Auditor, scanner: MentionScanner) -> Guard:
    """The guard with the symbolic track alone; both arguments are of the same state of the knowledge base."""
    return Guard(ClaimReader(Namer(auditor.knowledge, scanner)), (AuditTrack(auditor),))


def risk_answer(verification: Verification, lang: str) -> Draft:
    """What is said in place of an intercepted draft: what conflicts, by which way, what to do, and whom to ask.

    Raises `BadInput` where nothing was intercepted, or for a language that has no template.
    """
    if verification.status != "intercepted":
        raise BadInput(f"a verification that {verification.status}", expected="an intercepted one")
    if lang not in _templates():
        raise BadInput(f"language {lang!r}", expected=", ".join(_templates()))
    say = _templates()[lang]
    gravest = max(c.tier for c in verification.conflicts)
    sentences = [Said(say["lead_critical" if gravest is Tier.CRITICAL else "lead_warning"], role="frame")]
    for conflict in verification.conflicts[:_TOLD]:
        sentences += _told(conflict, say)
    return Draft((*sentences, Said(say["ask"], role="frame")))


def _told(conflict: Conflict, say: dict[str, str]) -> list[Said]:
    told = [
        Said(say["conflict"].format(summary=conflict.summary.rstrip(".。")), conflict.evidence, role="finding"),
        Said(say["path"].format(path=_drawn(conflict.path, say)), conflict.evidence, role="finding"),
    ]
    if conflict.management:
        both = next((e.quote for e in conflict.evidence if conflict.management in e.quote), "")
        if danger := both.partition(conflict.management)[0].strip():
            told.append(Said(say["danger"].format(says=danger), conflict.evidence, role="finding"))
        told.append(Said(say["instead"].format(management=conflict.management), conflict.evidence, role="finding"))
    return told


def _drawn(path: Sequence[str], say: dict[str, str]) -> str:
    """`Advil –(ingredient)– ibuprofen –(group)– NSAID –(interaction)– warfarin`."""
    return "".join(f" –({say.get(part, part)})– " if i % 2 else part for i, part in enumerate(path))


def _meets(claims: Claims, context: Context) -> bool:
    """Whether a drug is named, and besides it another thing, a patient or a dose."""
    named = {n.key: n for n in (*claims.asked, *(n for c in claims.said for n in c.about))}
    drugs = [n for n in named.values() if n.kind in ("drug", "class")]
    known = bool(claims.known) or context.patient != Patient()
    return bool(drugs) and (len(named) > 1 or known or any(claims.dose_of(n) for n in drugs))


@cache
def _templates() -> dict[str, dict[str, str]]:
    return read_table("pharmakon.verify", "answers.toml")
