"""`make bench`: measures every peer that is installed in one run and writes the table of docs/performance.md.

python -m benchmarks [--rounds 5] [--only chain,loop] [--peers plain,engine] [--quick] [--dry]
"""

from __future__ import annotations

import argparse
import platform
import statistics
import sys
from collections import defaultdict
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version

from rich.console import Console

from benchmarks.harness import WORKLOADS, Measure, Workload, is_installed, measure
from benchmarks.page import PAGE, write

PEERS = ("plain", "engine", "burr", "pydantic_graph", "langgraph")
NAMES = {
    "plain": "plain Python",
    "engine": "lda-wf",
    "burr": "Burr",
    "pydantic_graph": "pydantic-graph",
    "langgraph": "LangGraph",
}
PACKAGES = {"burr": "apache-burr", "pydantic_graph": "pydantic-graph", "langgraph": "langgraph"}
QUICK = 1000
HUNDRED = 100

Figures = dict[tuple[str, int, str], list[Measure]]


def available() -> list[str]:
    """The peers whose library is there."""
    return [peer for peer in PEERS if is_installed(peer)]


def collect(workloads: list[Workload], peers: list[str], rounds: int, console: Console) -> Figures:
    """Measures in rounds over all peers, so that the noise of a shared machine spreads over all of them."""
    figures: Figures = defaultdict(list)
    failed: set[tuple[str, int, str]] = set()
    for number in range(rounds):
        for workload in workloads:
            for size in workload.sizes:
                for peer in peers:
                    key = (workload.name, size, peer)
                    if key in failed:
                        continue
                    try:
                        result = measure(peer, workload.name, size)
                    except RuntimeError as error:
                        console.print(f"[red]{error}")
                        failed.add(key)
                        continue
                    if result is not None:
                        figures[key].append(result)
                        console.print(
                            f"round {number + 1}: {workload.name} n={size} {peer}: {result.value:.3g} {workload.unit}"
                        )
    return figures


def number(value: float) -> str:
    """Three digits are all that a shared machine can promise."""
    return f"{value:,.0f}" if value >= HUNDRED else f"{value:.3g}"


def table(workloads: list[Workload], peers: list[str], figures: Figures) -> list[str]:
    """Medians, with the ratio to plain Python where that ratio says something."""
    lines = [
        "| work | n | unit | " + " | ".join(NAMES[peer] for peer in peers) + " |",
        "|---" * (3 + len(peers)) + "|",
    ]
    for workload in workloads:
        for size in workload.sizes:
            cells = []
            floor = figures.get((workload.name, size, "plain"))
            for peer in peers:
                found = figures.get((workload.name, size, peer))
                if not found:
                    cells.append("-")
                    continue
                value = statistics.median(m.value for m in found)
                cell = number(value)
                if peer != "plain" and floor and workload.name != "cold":
                    cell += f" ({number(value / statistics.median(m.value for m in floor))} x)"
                grown = [m.rss_mb for m in found if m.rss_mb is not None]
                if grown:
                    cell += f", {number(statistics.median(grown))} MB"
                cells.append(cell)
            lines.append(f"| {workload.title} | {size:,} | {workload.unit} | " + " | ".join(cells) + " |")
    return lines


def versions(peers: list[str]) -> str:
    """Which versions were measured."""
    found = [f"CPython {platform.python_version()}"]
    for peer in peers:
        if peer in PACKAGES:
            try:
                found.append(f"{NAMES[peer]} {version(PACKAGES[peer])}")
            except PackageNotFoundError:
                found.append(f"{NAMES[peer]} (version unknown)")
    return ", ".join(found)


def main() -> int:
    """Runs the benchmarks as the command line asks."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks")
    parser.add_argument("--rounds", type=int, default=5, help="repetitions of everything (default 5)")
    parser.add_argument("--only", default="", help="workloads, separated by commas")
    parser.add_argument("--peers", default="", help="peers, separated by commas (default: all that are installed)")
    parser.add_argument("--quick", action="store_true", help=f"one round, and no size above {QUICK}")
    parser.add_argument("--dry", action="store_true", help="print the table only, leave the page alone")
    arguments = parser.parse_args()

    chosen = [w for w in WORKLOADS if not arguments.only or w.name in arguments.only.split(",")]
    if arguments.quick:
        chosen = [
            Workload(w.name, w.title, w.unit, tuple(n for n in w.sizes if n <= QUICK) or w.sizes[:1]) for w in chosen
        ]
    peers = arguments.peers.split(",") if arguments.peers else available()
    rounds = 1 if arguments.quick else arguments.rounds

    console = Console(stderr=True)
    figures = collect(chosen, peers, rounds, console)
    header = (
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, {versions(peers)}. Medians of {rounds} rounds, each"
        " figure in a fresh process; in brackets the ratio to plain Python in the same run."
    )
    lines = [
        header,
        "",
        *table(chosen, peers, figures),
    ]
    print("\n".join(lines))
    if not arguments.dry:
        write(lines, "figures")
        console.print(f"written to {PAGE}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
