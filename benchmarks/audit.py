"""Audit latency against the size of the knowledge base, batch throughput, start-up and memory.

    python -m benchmarks.audit [--sizes 10000 100000 1000000] [--batch 2000]

The knowledge base holds the starter formulary and, around it, synthetic statements up to the size; the prescription
stays the same, so a growth of the times is the cost of size alone. Times in ms.
"""

from __future__ import annotations

import argparse
import io
import json
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from datetime import date
from pathlib import Path

from benchmarks.generator import changes
from benchmarks.prescriptions import EIGHT_DRUGS, mixed
from pharmakon.app.api import Pharmakon
from pharmakon.app.build import open_knowledge
from pharmakon.app.settings import settings

_TODAY = date(2026, 3, 2)


def spread(times: Sequence[float]) -> str:
    """Median and 95th percentile, in ms."""
    ordered = sorted(times)
    return f"{statistics.median(ordered) * 1000:8.2f} {ordered[int(0.95 * len(ordered))] * 1000:8.2f}"


def timed(work: Callable[[], object], repeat: int) -> list[float]:
    times = []
    for _ in range(repeat):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return times


def build(home: Path, size: int) -> None:
    knowledge = open_knowledge(settings(home))
    left = size - knowledge.stats()["statements"]
    for change in changes(max(left, 0)) if left > 0 else ():
        knowledge.apply(change)
    knowledge.close()


def latency(size: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        build(home, size)
        opened = timed(lambda: Pharmakon(home).close(), 15)
        data = json.dumps(EIGHT_DRUGS).encode()
        with Pharmakon(home) as pharmakon:
            first = timed(lambda: pharmakon.audit(data, today=_TODAY), 1)
            warm = timed(lambda: pharmakon.audit(data, today=_TODAY), 300)
            held = pharmakon.knowledge.stats()["statements"]
        print(f"{held:>10,} {spread(opened)} {first[0] * 1000:9.1f} {spread(warm)} {pace()}", flush=True)


_OPEN: dict[str, Pharmakon] = {}


def _share(home: str, lines: bytes) -> int:
    """Audit `lines` in this process, which keeps its knowledge base open as a service would."""
    if home not in _OPEN:
        _OPEN[home] = Pharmakon(home)
    return sum(1 for _ in _OPEN[home].audit_batch(io.BytesIO(lines), today=_TODAY))


def throughput(count: int) -> None:
    """Prescriptions a second in processes that have seen a few hundred others before."""
    with tempfile.TemporaryDirectory() as folder:
        build(Path(folder), 0)
        lines, before = list(mixed(count)), b"".join(mixed(400, seed=2))
        halves = [b"".join(lines[::2]), b"".join(lines[1::2])]
        rates = []
        for shares in ([b"".join(lines)], halves):
            with ProcessPoolExecutor(len(shares)) as pool:
                list(pool.map(_share, [folder] * len(shares), [before] * len(shares)))
                start = time.perf_counter()
                list(pool.map(_share, [folder] * len(shares), shares))
                rates.append(count / (time.perf_counter() - start))
    print(f"batch of {count:,}: {rates[0]:.0f} prescriptions/s in one process, {rates[1]:.0f} in two {pace()}")


def pace() -> str:
    """How fast this machine is just now: ten million turns of an empty loop. Laptops and virtual machines vary."""
    start = time.perf_counter()
    for _ in range(10_000_000):
        pass
    return f"(pace: {time.perf_counter() - start:.2f} s for ten million turns)"


def start_up() -> None:
    command = [sys.executable, "-m", "pharmakon.faces.cli", "--help"]
    times = timed(lambda: subprocess.run(command, check=True, capture_output=True), 15)
    print(f"pharmakon --help {spread(times)} {pace()}")


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sizes", type=int, nargs="+", default=[10_000, 100_000])
    parser.add_argument("--batch", type=int, default=2000)
    chosen = parser.parse_args(arguments)
    start_up()
    throughput(chosen.batch)
    print("statements     open      p95     first     warm      p95   (ms)")
    for size in chosen.sizes:
        latency(size)
    print(f"peak memory {resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:.0f} MB")


if __name__ == "__main__":
    main(sys.argv[1:])
