"""`pharmakon serve` as it is called: what can't be is one line, what can is stopped as asked."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time

import httpx
import pytest

from pharmakon.app.api import Pharmakon
from pharmakon.faces.cli.main import run


@pytest.mark.parametrize("host", ["0.0.0.0", "192.168.1.2", "example.org"])
def test_an_address_that_others_reach_is_refused(host: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["serve", "--host", host]) == 2
    assert "can be reached by others" in capsys.readouterr().err


def test_a_port_that_is_taken_is_said_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        assert run(["serve", "--port", str(taken.getsockname()[1])]) == 2
    assert "can't be listened to" in capsys.readouterr().err


@pytest.mark.slow
def test_it_serves_and_stops(pharmakon: Pharmakon) -> None:
    command = [
        sys.executable,
        "-m",
        "pharmakon",
        "serve",
        "--port",
        "0",
        "--processes",
        "1",
        "--home",
        str(pharmakon.home),
    ]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True, env=os.environ) as server:
        assert server.stderr is not None
        address = server.stderr.readline().split()[-1]
        for _ in range(200):
            try:
                assert httpx.get(address.replace("openapi.json", "ready"), timeout=5).status_code == 200
                break
            except httpx.ConnectError:
                time.sleep(0.1)
        server.send_signal(signal.SIGTERM)
        assert server.wait(30) in (0, -signal.SIGTERM, 143)
