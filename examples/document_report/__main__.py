"""`make demo`: reports on this repository's own documentation and shows the run.

python -m examples.document_report [--documents FOLDER] [--store FOLDER] [--max-chars N]
"""

from __future__ import annotations

import argparse
import asyncio
import sys
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from examples.document_report.nodes import Report
from examples.document_report.server import DEPLOYMENT, build_server, deploy, refs

REPOSITORY = Path(__file__).resolve().parents[2]
LONGEST_TRACE = 25


def show_report(console: Console, report: Report) -> None:
    """The report as a table; documents that were cut are marked."""
    table = Table(title="Document report", title_justify="left")
    table.add_column("document")
    table.add_column("title")
    for name in ("headings", "links", "words"):
        table.add_column(name, justify="right")
    table.add_column("")
    for facts in [*report.documents, *report.cut]:
        cut = "[yellow]cut" if facts in report.cut else ""
        table.add_row(facts.name, facts.title, str(len(facts.headings)), str(len(facts.links)), str(facts.words), cut)
    console.print(table)
    console.print(
        f"{len(report.documents)} documents whole, {len(report.cut)} cut at the bound, {len(report.unread)} unread;"
        f" {report.words} words, {report.headings} headings, {report.links} different links"
    )
    for line in report.unread:
        console.print(f"[red]{line}")


def show_trace(console: Console, entries: list[dict[str, Any]], count: int, start: int = 0) -> None:
    """The trace as a table: which step ran in which frame, how it ended, what it changed."""
    shown = f"steps {start + 1} to {start + len(entries)} of {count}"
    table = Table(title=f"Trace ({shown})", title_justify="left")
    for name in ("frame", "step", "type", "outcome", "next", "changed"):
        table.add_column(name)
    for entry in entries:
        changed = ", ".join(entry["state_changes"])
        table.add_row(
            entry["frame_id"], entry["node_id"], entry["step_type"], entry["outcome"], entry["next_node_id"], changed
        )
    console.print(table)


async def main(arguments: list[str] | None = None, console: Console | None = None) -> int:
    """Deploys, runs, and prints the report, the trace, and where the run is kept."""
    parser = argparse.ArgumentParser(prog="python -m examples.document_report", description=main.__doc__)
    parser.add_argument("--documents", type=Path, default=REPOSITORY, help="the folder with README.md and docs/")
    parser.add_argument(
        "--store", type=Path, default=REPOSITORY / ".wf" / "document_report", help="where runs are kept"
    )
    parser.add_argument("--max-chars", type=int, default=4000, help="how much of a document is read, at most 20000")
    options = parser.parse_args(arguments)
    console = console or Console()

    server = build_server(options.store, options.documents)
    validation = await deploy(server)
    if validation["status"] != "runnable":
        console.print("[red]the deployment cannot run:", validation["diagnostics"])
        return 1

    run = await server.api.run_deployment(
        deployment_id=DEPLOYMENT,
        workflow_input={"documents": refs(options.documents), "max_chars": options.max_chars},
        trace_range=server.trace_range(start=0, limit=LONGEST_TRACE),
    )
    if run["status"] != "completed":
        console.print("[red]the run failed:", run["error"])
        return 1
    show_report(console, Report.model_validate(run["output"]["report"]))
    show_trace(console, run["trace"], run["trace_count"])
    console.print(f"run [bold]{run['run_id']}[/bold] is kept in {options.store}", soft_wrap=True)
    return 0


if __name__ == "__main__":
    sys.exit(asyncio.run(main()))
