"""A server on this machine, over the starter knowledge base of the test run, and a client that talks to it."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import httpx
import pytest
import uvicorn

from pharmakon.app.api import Pharmakon
from pharmakon.app.service import Service
from pharmakon.faces.api.server import create


@pytest.fixture(scope="session")
def service(pharmakon: Pharmakon) -> Iterator[Service]:
    with Service(pharmakon.home, processes=1) as opened:
        yield opened


@pytest.fixture(scope="session")
def client(service: Service) -> Iterator[httpx.Client]:
    server = uvicorn.Server(uvicorn.Config(create(service), port=0, log_level="warning", access_log=False))
    thread = threading.Thread(target=server.run)
    thread.start()
    while not server.started:
        time.sleep(0.01)
    port = server.servers[0].sockets[0].getsockname()[1]
    with httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60) as opened:
        yield opened
    server.should_exit = True
    thread.join()
