"""What the peers share: the workloads, their sizes, and how one measurement is taken in a fresh process.

A peer is a module of this package with a function per workload; a missing function (or a None) means that the peer
has no such thing. Each imports its library inside the functions, so that only the cold start pays for the import.
"""

from __future__ import annotations

import importlib
import importlib.util
import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

PASSING_STEPS = 100
KILOBYTE = "x" * 1000


@dataclass(frozen=True)
class Measure:
    """One figure of one run.

    Attributes:
        value: In the unit of the workload.
        rss_mb: How far the memory of the process grew, where that is of interest.
    """

    value: float
    rss_mb: float | None = None


@dataclass(frozen=True)
class Workload:
    """A piece of work that every peer does in its own way.

    Attributes:
        name: The function of a peer's module.
        title: What is done.
        unit: The unit of its figure.
        sizes: How often, each a row of its own.
    """

    name: str
    title: str
    unit: str
    sizes: tuple[int, ...]


WORKLOADS = (
    Workload(
        "chain", "chain of n sync nodes, each reads `i` and writes `i + 1`", "us per step", (10, 100, 1000, 10_000)
    ),
    Workload("loop", "one node and a condition, until `i` is n", "us per iteration", (10_000,)),
    Workload("chain_async", "chain of n async nodes", "us per step", (10, 100, 1000)),
    Workload(
        "fanout", "async node over n items, 64 at once, gathered in order", "us per item", (1000, 10_000, 100_000)
    ),
    Workload("sleepers", "n items that each sleep 10 ms, 100 at once (ideal 100 ms)", "ms", (1000,)),
    Workload("growth", "n steps that each append 1 KB to a list in the state", "ms", (250, 500, 1000)),
    Workload("passing", "100 steps beside n bytes of other state", "us per step", (10, 1_000_000)),
    Workload("cold", "import, build and run 3 nodes in a fresh process", "ms", (3,)),
)


def fresh_state() -> dict[str, Any]:
    """The small state that chains and loops carry."""
    return {"i": 0, "name": "order-17", "flag": True, "score": 0.5, "tags": ["a", "b"]}


def kilobyte(i: int) -> str:
    """A distinct string of 1 KB."""
    return f"{i:08d}" + KILOBYTE[:992]


def timed(run: Callable[[], object], *, least: float = 0.3, fewest: int = 3, most: int = 200) -> float:
    """Median seconds of one call, after one call to warm up."""
    run()
    seconds: list[float] = []
    begin = time.perf_counter()
    while len(seconds) < fewest or (time.perf_counter() - begin < least and len(seconds) < most):
        start = time.perf_counter()
        run()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


async def timed_async(run: Callable[[], Awaitable[object]], *, least: float = 0.3, fewest: int = 3) -> float:
    """Median seconds of one awaited call, after one to warm up."""
    await run()
    seconds: list[float] = []
    begin = time.perf_counter()
    while len(seconds) < fewest or time.perf_counter() - begin < least:
        start = time.perf_counter()
        await run()
        seconds.append(time.perf_counter() - start)
    return statistics.median(seconds)


def rss_mb(field: str = "VmRSS") -> float:
    """Memory of this process in MB (`VmHWM`: at its highest); 0 where the system does not tell."""
    status = Path("/proc/self/status")
    if status.exists():
        for line in status.read_text(encoding="ascii").splitlines():
            if line.startswith(field):
                return int(line.split()[1]) / 1024
    return 0.0


def measure(
    peer: str, workload: str, size: int, *, python: str = sys.executable, limit: float = 300.0
) -> Measure | None:
    """Runs one workload of one peer in a fresh process; None when the peer has no such workload.

    Raises:
        RuntimeError: The process failed or took longer than `limit` seconds; the text holds the end of its output.
    """
    command = [python, "-m", "benchmarks.harness", peer, workload, str(size)]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=limit, check=False)
    except subprocess.TimeoutExpired:
        raise RuntimeError(f"{peer} {workload} n={size}: over {limit:.0f} s") from None
    if done.returncode != 0:
        raise RuntimeError(f"{peer} {workload} n={size} failed:\n{done.stderr[-1500:]}")
    answer = json.loads(done.stdout.splitlines()[-1])
    return None if answer is None else Measure(**answer)


def is_installed(peer: str) -> bool:
    """Whether a peer's module is there, and the library that it names as `LIBRARY`."""
    if importlib.util.find_spec(f"benchmarks.{peer}") is None:
        return False
    module = importlib.import_module(f"benchmarks.{peer}")
    library = getattr(module, "LIBRARY", None)
    return library is None or importlib.util.find_spec(library) is not None


def child(peer: str, workload: str, size: int) -> None:
    """The fresh process: runs one workload and prints its figure as one line of JSON."""
    function = getattr(importlib.import_module(f"benchmarks.{peer}"), workload, None)
    result = None if function is None else function(size)
    print(json.dumps(None if result is None else {"value": result.value, "rss_mb": result.rss_mb}))
    sys.stdout.flush()
    os._exit(0)  # The work is done when the result is there: no peer's shutdown hooks.


if __name__ == "__main__":
    child(sys.argv[1], sys.argv[2], int(sys.argv[3]))
