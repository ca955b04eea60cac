"""`pharmakon ask`: a question, its answer with numbered sources, and on request why it was answered so."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from rich.console import RenderableType
from rich.padding import Padding
from rich.text import Text

from pharmakon.app import api
from pharmakon.faces.cli.output import print_json, progress
from pharmakon.faces.cli.terminal import console_for, put
from pharmakon.faces.text import clean
from pharmakon.faces.words import Words
from pharmakon.model.answer import Answer, Said
from pharmakon.model.documents import Evidence
from pharmakon.model.errors import BadInput

_STDIN = "-"


@dataclass(frozen=True, slots=True)
class Options:
    """How the command was called."""

    question: str
    agent: str
    lang: str
    professional: bool
    model: bool
    explain_route: bool
    trace: bool
    trace_text: bool
    as_json: bool
    home: Path | None
    verbose: bool


def run_ask(options: Options) -> int:
    """Exit code 0, also where the sources do not say; each line of `-` is a turn of one conversation."""
    with api.Pharmakon(options.home, progress=progress(options.verbose)) as pharmakon:
        session = None
        for question in _questions(options.question):
            answered = pharmakon.ask(
                question, agent=options.agent, lang=options.lang, professional=options.professional,
                session=session, model=options.model, trace=options.trace, keep_text=options.trace_text,
            )  # fmt: skip
            session = answered.session
            if options.as_json:
                found = api.answer_as_dict(answered.answer)
                if options.explain_route:
                    found["explain_route"] = api.route_as_dict(answered.route)
                print_json(found, compact=options.question == _STDIN)
                continue
            console = console_for(sys.stdout)
            for part in _parts(answered, Words(answered.answer.lang), options.explain_route):
                put(console, part)
    return 0


def _questions(given: str) -> Iterator[str]:
    if given != _STDIN:
        yield given
        return
    if sys.stdin is None:
        raise BadInput("there is none", where="standard input", expected="questions, one a line")
    try:
        lines = sys.stdin.buffer.read(api.LONGEST_INPUT).decode("utf-8").splitlines()
    except UnicodeDecodeError:
        raise BadInput("it is no UTF-8", where="standard input", expected="questions, one a line") from None
    asked = [line for line in lines if line.strip()]
    if not asked:
        raise BadInput("there is no question", where="standard input", expected="questions, one a line")
    yield from asked


def _parts(answered: api.Answered, words: Words, explain: bool) -> Iterator[RenderableType]:
    answer = answered.answer
    places = _places(answer)
    for said in answer.sentences:
        yield _sentence(said, places)
    for note in answer.notes:
        yield Text(f"~ {clean(note)}", style="dim")
    if answer.trace_id:
        yield Text(f"~ {answer.trace_id}", style="dim")
    if places:
        yield Text()
        yield Text(words("sources"), style="bold")
        for key, number in places.items():
            yield from _source(number, key, answer, words)
    if explain:
        yield Text()
        yield from _route(answered)


_Key = tuple[str, str, int]
"""Document, version, section: what one number stands for."""


def _key(evidence: Evidence) -> _Key:
    return evidence.document, evidence.version, evidence.ord


def _places(answer: Answer) -> Mapping[_Key, int]:
    keys = dict.fromkeys(_key(e) for s in answer.sentences for e in s.evidence)
    return {key: number for number, key in enumerate(keys, 1)}


def _sentence(said: Said, places: Mapping[_Key, int]) -> RenderableType:
    numbers = sorted({places[_key(e)] for e in said.evidence})
    line = Text(clean(said.text), style="italic" if said.role == "frame" else "")
    if numbers:
        line.append(f" [{', '.join(map(str, numbers))}]", style="cyan")
    return line


def _source(number: int, key: _Key, answer: Answer, words: Words) -> Iterator[RenderableType]:
    of_key = [e for s in answer.sentences for e in s.evidence if _key(e) == key]
    first = of_key[0]
    yield Text.assemble(
        (f" [{number}] ", "cyan"), clean(f"{first.title or first.document}, {words.section(first.section)}")
    )
    cited = dict.fromkeys(e.citation for e in of_key if e.citation)
    for citation in cited:
        section = f"{words.section(citation.section)} {citation.locator}".strip()
        read = "" if citation.read else f" ({words('not_read')})"
        line = Text(clean(f"{citation.title}, {section}{read}"), style="dim")
        if citation.url:
            line.append(f"  {clean(citation.url)}", style="dim underline")
        yield Padding(line, (0, 0, 0, 5))


def _route(answered: api.Answered) -> Iterator[RenderableType]:
    """The sentinel's intent and the fuzzy controller's figures, rule by rule (FG-1, FG-2)."""
    why = answered.route
    yield Text(f"intent {why.route.intent} → {answered.answer.agent}", style="bold")
    yield Text(f"because {why.route.why}; features: {', '.join(why.judgement.features) or 'none'}")
    if why.measured is None:
        yield Text("the sentinel sent it to deep search at once: nothing was measured")
        return
    m, route = why.measured, why.route
    yield Text(f"V = {route.v:.3f}  (L = {m.length:.0f})")
    yield Text(f"D = {route.d:.3f}  (F_quest = {m.f_quest:.3f} of {m.inquiries}, F_key = {m.f_key:.3f})")
    for name, of in (("V", m.volume), ("D", m.density)):
        yield Text(f"  {name}: " + ", ".join(f"{x.term} {x.degree:.3f}" for x in of))
    for rule in m.rules[:4]:
        yield Text(f"  V {rule.volume}, D {rule.density} → z {rule.z:.2f}, strength {rule.strength:.3f}")
    yield Text(f"z = {route.z:.3f}; τ₁ = {why.thresholds.tau1:.2f}, τ₂ = {why.thresholds.tau2:.2f}")
