"""What `pharmakon route …` prints."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path

from pharmakon.app import api
from pharmakon.faces.cli.output import print_json
from pharmakon.model.errors import BadInput

_WIDEST = 40  #: of a bar


def calibrate(file: Path, home: Path | None, as_json: bool) -> int:
    questions = _lines(file)
    with api.Pharmakon(home) as pharmakon:
        found = pharmakon.calibrate(questions)
    if as_json:
        print_json(asdict(found))
        return 0
    print(f"{found.questions} questions, {found.early} of them sent to deep search by the sentinel")
    print("intents: " + ", ".join(f"{intent} {count}" for intent, count in found.intents))
    if found.histogram:
        most = max(bin.count for bin in found.histogram)
        for bin in found.histogram:
            print(f"  z {bin.start:.2f}-{bin.end:.2f}  {bin.count:5d}  {'█' * round(_WIDEST * bin.count / most)}")
        print("quantiles: " + ", ".join(f"{percent} % {z:.3f}" for percent, z in found.quantiles))
    print(f"in force: τ₁ = {found.current.tau1:.2f}, τ₂ = {found.current.tau2:.2f}: {_counted(found.agents)}")
    if found.proposed is not None:
        proposed = found.proposed
        print(f"proposed: τ₁ = {proposed.tau1:.2f}, τ₂ = {proposed.tau2:.2f}: {_counted(found.agents_proposed)}")
    print(found.why)
    return 0


def _counted(agents: tuple[tuple[str, int], ...]) -> str:
    return ", ".join(f"{agent} {count}" for agent, count in agents) or "none measured"


def _lines(file: Path) -> list[str]:
    try:
        found = [line for line in file.read_text("utf-8").splitlines() if line.strip()]
    except OSError as error:
        raise BadInput(
            f"it can't be read ({error.strerror})", where=str(file), expected="questions, one a line"
        ) from None
    except UnicodeDecodeError:
        raise BadInput("it is no UTF-8", where=str(file), expected="questions, one a line") from None
    if not found:
        raise BadInput("it holds no question", where=str(file), expected="questions, one a line")
    return found
