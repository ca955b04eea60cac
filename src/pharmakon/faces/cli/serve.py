"""`pharmakon serve`: the HTTP face on the embedded knowledge base, in one command."""

from __future__ import annotations

import socket
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

        from pharmakon.faces.api.server import HOSTS, create
    except ModuleNotFoundError as error:
        raise BadInput(f"{error.name} is not installed", expected="pip install 'pharmakon[web]'") from None
    from pharmakon.app.service import Service

    if options.host not in HOSTS:
        raise BadInput(
            f"{options.host} can be reached by others, and nobody has to log in here", where="--host",
            expected=" or ".join(HOSTS),
        )  # fmt: skip
    listening = _listening(options.host, options.port)
    with Service(options.home, options.processes, progress(verbose=True)) as service:
        warn(f"http://{options.host}:{listening.getsockname()[1]}/openapi.json")
        # uvicorn's log of requests would hold what people ask for
        config = uvicorn.Config(create(service), access_log=False, log_level="warning")
        uvicorn.Server(config).run(sockets=[listening])
    return 0


def _listening(host: str, port: int) -> socket.socket:
    """Bound before anything is built, so that a port that is taken is said at once."""
    found = socket.socket()
    found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        found.bind((host, port))
    except OSError as error:
        found.close()
        raise BadInput(f"{host}:{port} can't be listened to ({error.strerror})", expected="--port N") from None
    return found
