"""What `pharmakon trace …` prints."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from pathlib import Path

from rich.text import Text

from pharmakon.app import api
from pharmakon.faces.cli.output import print_json, print_line
from pharmakon.faces.cli.terminal import console_for, put
from pharmakon.faces.text import clean
from pharmakon.model.errors import BadInput


def list_traces(limit: int, home: Path | None, as_json: bool) -> int:
    found = api.traces(home).latest(limit)
    if as_json:
        print_json([{k: v for k, v in asdict(t).items() if k not in ("steps", "answer")} for t in found])
        return 0
    for one in found:
        print(clean(f"{one.id}\t{one.at}\t{one.agent}\t{one.question or '(question not kept)'}"))
    return 0


def show_trace(id: str, home: Path | None, as_json: bool) -> int:
    one = api.traces(home).one(id)
    if as_json:
        print_json(asdict(one))
        return 0
    console = console_for(sys.stdout)
    put(console, Text(clean(f"{one.id} · {one.at} · knowledge {one.knowledge_version}"), style="dim"))
    put(console, Text(clean(one.question or "(question not kept)"), style="bold"))
    for step in one.steps:
        put(console, Text(clean(f"{step['milliseconds']:8.1f} ms  {step['name']}"), style="bold"))
        for key, value in step["detail"].items():
            shown = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
            put(console, Text(clean(f"              {key}: {shown}"), style="dim"))
    for sentence in one.answer["sentences"]:
        numbers = ", ".join(str(n + 1) for n in sentence["citations"])
        put(console, Text(clean(sentence["text"] + (f" [{numbers}]" if numbers else ""))))
    return 0


def export_trace(id: str, form: str, home: Path | None) -> int:
    print_line(api.exported(api.traces(home).one(id), form).rstrip("\n"))
    return 0


def replay_trace(id: str, home: Path | None, as_json: bool) -> int:
    """Exit code 1 where what is answered now differs; both are shown."""
    one = api.traces(home).one(id)
    if not one.question:
        raise BadInput("the trace does not hold its question", where=one.id, expected="one kept by `ask --trace-text`")
    with api.Pharmakon(home) as pharmakon:
        now = api.answer_as_dict(pharmakon.ask(one.question, lang=one.lang).answer)
    same = now["sentences"] == one.answer["sentences"] and now["citations"] == one.answer["citations"]
    if as_json:
        print_json({"same": same, "then": one.answer, "now": now})
    else:
        print(clean(f"then: {one.answer['answer']}"))
        print("now: the same" if same else clean(f"now: {now['answer']}"))
    return 0 if same else 1
