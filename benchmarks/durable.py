"""What a stored run costs beside the least that any durable engine pays: `python -m benchmarks.durable [--write]`.

The least is a loop that commits one small record after the other to SQLite with the settings of `durability="full"`.
How long a disk takes for a commit changes from minute to minute, so both are measured in turns in one process, and the
figure is the median of the ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import platform
import sqlite3
import statistics
import struct
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.harness import kilobyte
from benchmarks.page import write
from wf_api import node_source
from wf_authoring import node
from wf_server import WorkflowServer, build_local_static_workflow_server

ROUNDS = 7
COMMITS = 200
STEPS_OF_A_RUN = 5
PAGE = 50
RECORD = '{"event":"resolve","call":17,"result":{"returned":{"outcome":"ok","output":{"result":17}}},"now":1700000000}'
NUMBER = {"type": "object", "properties": {"n": {"type": "integer"}}}
WAL_HEADER = 32
FRAME_HEADER = 24


@node
def count(n: int) -> int:
    """The step of the chains."""
    return n + 1


@node
async def count_async(n: int) -> int:
    """The same as a coroutine."""
    return n + 1


_lines = itertools.count()


@node
def line() -> str:
    """A kilobyte."""
    return kilobyte(next(_lines))


class Bare:
    """A file with a table of records, and nothing else."""

    def __init__(self, folder: Path) -> None:
        self._connection = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)
        self._connection.execute("PRAGMA journal_mode = WAL")
        self._connection.execute("PRAGMA synchronous = FULL")
        columns = "position INTEGER PRIMARY KEY, kind TEXT, body TEXT, checksum INTEGER"
        self._connection.execute(f"CREATE TABLE journal ({columns})")

    def seconds(self, body: str = RECORD) -> float:
        """How long one commit takes."""
        start = time.perf_counter()
        for _ in range(COMMITS):
            self._connection.execute("INSERT INTO journal (kind, body, checksum) VALUES ('resolve', ?, 1234)", (body,))
        return (time.perf_counter() - start) / COMMITS

    def close(self) -> None:
        """Leaves the file alone, without its log."""
        self._connection.close()


@asynccontextmanager
async def deployed(plan: dict[str, Any]) -> AsyncIterator[tuple[WorkflowServer, Path]]:
    """A server with one deployment, and its folder."""
    with TemporaryDirectory() as folder:
        source = node_source("work", [count, count_async, line])
        server = build_local_static_workflow_server(folder, extra_sources=[source])
        document = {"name": "bench", "input_schema": {"type": "object"}, **plan}
        await server.api.create_artifact_from_plan(
            artifact_id="bench", version=1, title="Bench", plan=document, outcomes=["ok"]
        )
        bindings = [{"logical_source": "work", "concrete_source": "work"}]
        deployment = {"id": "bench", "artifact_id": "bench", "artifact_version": 1, "bindings": bindings}
        await server.api.save_deployment(deployment)
        yield server, Path(folder)


async def run(server: WorkflowServer, given: dict[str, Any]) -> dict[str, Any]:
    """One run to its end."""
    done = await server.api.run_deployment(deployment_id="bench", workflow_input=given)
    assert done["status"] == "completed", done
    return done["output"]  # type: ignore[no-any-return]


def step(name: str, kind: str, source: str | None, target: str) -> dict[str, Any]:
    """A step of a plan."""
    bound = [] if source is None else [{"target": "n", "path": source}]
    output = [{"source": "result", "target": target}]
    return {"type": "node", "id": name, "node": f"work.{kind}", "input": bound, "output": output}


def row(n: int, kind: str) -> dict[str, Any]:
    """Steps in a row, each adding one."""
    names = [f"n{k}" for k in range(n)]
    return {
        "start": names[0],
        "input_schema": NUMBER,
        "state_schema": NUMBER,
        "output_schema": NUMBER,
        "nodes": [step(name, kind, "input.n" if name == "n0" else "state.n", "state.n") for name in names],
        "edges": [{"from": a, "outcome": "ok", "to": b} for a, b in itertools.pairwise([*names, "__end__"])],
    }


def growing(n: int) -> dict[str, Any]:
    """Steps in a row, each appending a kilobyte to a list in the state."""
    log = {"type": "array", "items": {"type": "string"}, "reducer": "wf.std.append", "default": []}
    plan = row(n, "line")
    for number, _ in enumerate(plan["nodes"]):
        plan["nodes"][number] = step(f"n{number}", "line", None, "state.log")
    nothing = {"type": "object"}
    return {**plan, "state_schema": {"type": "object", "properties": {"log": log}}, "output_schema": nothing}


def fan() -> dict[str, Any]:
    """A concurrent foreach over the items of the input."""
    numbers = {"type": "array", "items": {"type": "integer"}}
    each: dict[str, Any] = {"type": "foreach", "id": "each", "over": "input.items", "as": "item", "mode": "concurrent"}
    each["concurrent"] = {"max_active": 64, "max_outstanding": 64}
    return {
        "start": "each",
        "input_schema": {"type": "object", "properties": {"items": numbers}, "required": ["items"]},
        "state_schema": {"type": "object", "properties": {"done": {**numbers, "reducer": "wf.std.append"}}},
        "output_schema": {"type": "object", "properties": {"done": numbers}},
        "nodes": [each, step("work", "count_async", "context.item", "state.done")],
        "edges": [
            {"from": "each", "outcome": "loop", "to": "work"},
            {"from": "work", "outcome": "ok", "to": "__end__"},
            {"from": "each", "outcome": "done", "to": "__end__"},
        ],
    }


async def in_turns(title: str, units: int, work: Callable[[], Awaitable[object]], rounds: int = ROUNDS) -> list[str]:
    """Measures the bare loop and the work in turns; the cells of a row."""
    with TemporaryDirectory() as folder:
        bare = Bare(Path(folder))
        await work()
        bare.seconds()
        floors, figures = [], []
        for _ in range(rounds):
            before = bare.seconds()
            start = time.perf_counter()
            await work()
            figures.append((time.perf_counter() - start) / units)
            floors.append((before + bare.seconds()) / 2)
    ratio = statistics.median(figure / floor for figure, floor in zip(figures, floors, strict=True))
    micros = [f"{statistics.median(values) * 1e6:,.0f} us" for values in (floors, figures)]
    return [title, *micros, f"{ratio:.2f} x"]


async def chain(kind: str, title: str) -> list[str]:
    """Steps in a row."""
    async with deployed(row(200, kind)) as (server, _):
        return await in_turns(title, 200, lambda: run(server, {"n": 0}))


async def at_once(server: WorkflowServer, n: int) -> None:
    """Short runs at once."""
    await asyncio.gather(*(run(server, {"n": i}) for i in range(n)))


async def many(n: int) -> list[str]:
    """What a step of a short run costs beside many others."""
    async with deployed(row(STEPS_OF_A_RUN, "count_async")) as (server, _):
        title = f"{n:,} runs of {STEPS_OF_A_RUN} async steps at once, per step"
        return await in_turns(title, n * STEPS_OF_A_RUN, lambda: at_once(server, n), rounds=3)


async def sharing(n: int) -> list[str]:
    """How many steps share a commit; a reader keeps every commit in the log, to be counted."""
    async with deployed(row(STEPS_OF_A_RUN, "count_async")) as (server, folder):
        file = folder / "wf.sqlite3"
        with beside(file, "BEGIN", "SELECT count(*) FROM runs"):
            before = commits(file)
            await at_once(server, n)
            after = commits(file)
    return ["the same, steps per commit", "1", f"{n * STEPS_OF_A_RUN / (after - before):,.1f}", "-"]


OTHER_PROCESS = """
import sqlite3, sys
file = sqlite3.connect(sys.argv[1], isolation_level=None)
for statement in sys.argv[2:]:
    file.execute(statement).fetchall()
print("done", flush=True)
sys.stdin.read()
"""


@contextmanager
def beside(file: Path, *statements: str) -> Iterator[None]:
    """Has another process execute statements and keep the file open.

    This one must not: when one of two SQLite libraries in a process closes a file, the other loses its locks.
    """
    command = [sys.executable, "-c", OTHER_PROCESS, str(file), *statements]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stdout.readline() == b"done\n"
        yield
        process.stdin.close()


def commits(file: Path) -> int:
    """How many commits the write-ahead log holds: frames of its present round that say how large the file is."""
    log = file.with_name(file.name + "-wal").read_bytes()
    page, salt = struct.unpack_from(">I", log, 8)[0], log[16:24]
    frames = range(WAL_HEADER, len(log) - FRAME_HEADER, FRAME_HEADER + page)
    return sum(log[at + 8 : at + 16] == salt and log[at + 4 : at + 8] != bytes(4) for at in frames)


async def fanout(n: int) -> list[str]:
    """A concurrent foreach over async items."""
    async with deployed(fan()) as (server, _):

        async def work() -> None:
            assert (await run(server, {"items": list(range(n))}))["done"] == list(range(1, n + 1))

        title = f"foreach over {n:,} async items, 64 at once, per item"
        return await in_turns(title, n, work, rounds=3)


async def growth(n: int) -> list[str]:
    """What a step costs when each appends a kilobyte."""
    async with deployed(growing(n)) as (server, _):
        title = f"{n:,} steps that each append 1 KB, per step"
        return await in_turns(title, n, lambda: run(server, {}), rounds=5)


async def size(n: int) -> list[str]:
    """The store after one such run."""
    async with deployed(growing(n)) as (server, folder):
        await run(server, {})
        with beside(folder / "wf.sqlite3", "PRAGMA wal_checkpoint(TRUNCATE)"):
            stored = megabytes(folder)
    with TemporaryDirectory() as empty:
        bare = Bare(Path(empty))
        for number in range(n // COMMITS):
            bare.seconds(kilobyte(number))
        bare.close()
        floor = megabytes(Path(empty))
    title = f"{n:,} steps that each append 1 KB, all files"
    return [title, f"{floor:.2f} MB", f"{stored:.2f} MB", f"{stored / floor:.2f} x"]


def megabytes(folder: Path) -> float:
    """The size of all files of a folder."""
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / 1e6


async def listing(n: int) -> list[str]:
    """The latest among n runs; all but one are copies of its row."""
    async with deployed(row(1, "count")) as (server, folder):
        await run(server, {"n": 0})
        with beside(folder / "wf.sqlite3", COPIES.format(copies=n - 1)):
            seconds = []
            for _ in range(20):
                start = time.perf_counter()
                page = await server.api.list_runs(limit=PAGE)
                seconds.append(time.perf_counter() - start)
                assert (page["total"], len(page["runs"])) == (n, PAGE)
    return [f"the latest {PAGE} of {n:,} runs", "-", f"{statistics.median(seconds) * 1e3:.2f} ms", "-"]


COPIES = """
WITH RECURSIVE copy (number) AS (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < {copies})
INSERT INTO runs (run_id, environment, deployment_id, artifact_id, artifact_version, plan_hash, status,
    resume_readiness, diagnostics, result, trace_count, created_at, updated_at)
SELECT printf('run_%032x', number), environment, deployment_id, artifact_id, artifact_version, plan_hash, status,
    resume_readiness, diagnostics, result, trace_count, created_at, updated_at + number
FROM copy, (SELECT * FROM runs LIMIT 1)
"""


WORK: tuple[Callable[[], Awaitable[list[str]]], ...] = (
    lambda: chain("count", "chain of 200 sync steps, per step"),
    lambda: chain("count_async", "chain of 200 async steps, per step"),
    lambda: many(1_000),
    lambda: sharing(1_000),
    lambda: fanout(10_000),
    lambda: growth(250),
    lambda: growth(1_000),
    lambda: size(1_000),
    lambda: listing(100),
    lambda: listing(100_000),
)


def main() -> int:
    """Prints the table, and writes it into the page when asked to."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.durable")
    parser.add_argument("--write", action="store_true", help="write the table into docs/performance.md")
    arguments = parser.parse_args()
    header = (
        f"{datetime.now(UTC):%Y-%m-%d}, {platform.machine()}, CPython {platform.python_version()}, SQLite WAL with"
        " `synchronous = FULL`. Medians; the ratio is the median of the ratios of neighbours in time."
    )
    lines = [
        header,
        "",
        "| work | bare SQLite commit | lda-wf | ratio |",
        "|---|---|---|---|",
    ]
    for work in WORK:
        lines.append("| " + " | ".join(asyncio.run(work())) + " |")  # type: ignore[arg-type]
        print(lines[-1], file=sys.stderr)
    print("\n".join(lines))
    if arguments.write:
        write(lines, "durable figures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
