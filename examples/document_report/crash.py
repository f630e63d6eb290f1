"""`make demo-crash`: kills the demo in the middle of its work, and finishes its run in another process.

python -m examples.document_report.crash
"""

from __future__ import annotations

import asyncio
import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.console import Console

from examples.document_report.__main__ import REPOSITORY, show_report, show_trace
from examples.document_report.nodes import Facts, Report, examine
from examples.document_report.server import DEPLOYMENT, build_server, deploy, refs
from wf_authoring import NodeFunction, node
from wf_core import RuntimeContext

DIES_AT = 10
"""The document in whose examination the first process dies."""


def examining(log: Path, dies_at: int | None) -> NodeFunction[[str, str, RuntimeContext], Facts]:
    """`examine`, which notes each of its calls, and ends the process without a word in one of them."""

    @node(name="examine")
    def noted(name: str, text: str, ctx: RuntimeContext) -> Facts:
        with log.open("a", encoding="utf-8") as lines:
            lines.write(f"{ctx.call_id}\n")
        if len(calls_in(log)) == dies_at:
            os.kill(os.getpid(), signal.SIGKILL)
        return examine(name, text)

    return noted


def calls_in(log: Path) -> list[str]:
    """The calls that were noted."""
    return log.read_text(encoding="utf-8").splitlines()


async def first(store: Path, log: Path) -> None:
    """The process that dies."""
    server = build_server(store, REPOSITORY, examining(log, DIES_AT))
    await deploy(server)
    given = {"documents": refs(REPOSITORY), "max_chars": 4000}
    await server.api.run_deployment(deployment_id=DEPLOYMENT, workflow_input=given)


async def second(store: Path, log: Path, console: Console) -> int:
    """The process that goes on."""
    server = build_server(store, REPOSITORY, examining(log, None))
    recovered = await server.recover_runs()
    console.print(f"another process went on with {', '.join(recovered)}")
    run = await server.api.inspect_run(run_id=recovered[0])
    if run["status"] != "completed":
        console.print("[red]the run failed:", run["error"])
        return 1
    show_report(console, Report.model_validate(run["output"]["report"]))
    around = DIES_AT * 5 - 10
    trace = await server.api.read_run_trace(run_id=recovered[0], trace_range={"start": around, "limit": 20})
    show_trace(console, trace["trace"], trace["trace_count"], around)
    calls = calls_in(log)
    again = ", ".join(sorted({call for call in calls if calls.count(call) > 1}))
    told = f"{len(set(calls))} documents were examined in {len(calls)} calls; in flight was and ran again: {again}"
    console.print(told, soft_wrap=True)
    return 0


def main() -> int:
    """Plays both processes."""
    if sys.argv[1:2] == ["--first"]:
        asyncio.run(first(Path(sys.argv[2]), Path(sys.argv[3])))
        return 1
    console = Console()
    with tempfile.TemporaryDirectory() as folder:
        store, log = Path(folder) / "store", Path(folder) / "calls.txt"
        command = [sys.executable, "-m", __spec__.name, "--first", str(store), str(log)]
        died = subprocess.run(command, check=False)  # noqa: S603 - this very module
        console.print(f"a process was killed by signal {-died.returncode} while it examined document {DIES_AT}")
        return asyncio.run(second(store, log, console))


if __name__ == "__main__":
    sys.exit(main())
