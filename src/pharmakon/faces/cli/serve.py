"""`pharmakon serve`: the HTTP face on the embedded knowledge base, in one command."""

from __future__ import annotations

import ipaddress
from dataclasses import dataclass
from pathlib import Path

from pharmakon.faces.cli.output import progress, warn
from pharmakon.model.errors import BadInput


@dataclass(frozen=True, slots=True)
class Options:
    """How the command was called."""

    host: str
    port: int
    processes: int
    home: Path | None
    verbose: bool


def run_serve(options: Options) -> int:
    """Exit code 0 once it was stopped. Raises `BadInput` for an address that others reach, as nobody has to log in."""
    try:
        import uvicorn

        from pharmakon.faces.api.server import create
    except ModuleNotFoundError as error:
        raise BadInput(f"{error.name} is not installed", expected="pip install 'pharmakon[web]'") from None
    from pharmakon.app.service import Service

    if not _is_loopback(options.host):
        raise BadInput(
            f"{options.host} can be reached by others, and nobody has to log in here", where="--host",
            expected="127.0.0.1 or ::1",
        )  # fmt: skip
    with Service(options.home, options.processes, progress(True)) as service:
        warn(f"http://{options.host}:{options.port}/openapi.json")
        # uvicorn's log of requests would hold what people ask for
        uvicorn.run(create(service), host=options.host, port=options.port, access_log=False, log_level="warning")
    return 0


def _is_loopback(host: str) -> bool:
    try:
        return host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
