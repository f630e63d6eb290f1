"""Real processes that are killed in the middle of every call: nothing is lost, and nothing that was recorded runs again.

The short form kills a process in its first call and the next one in its second; with `WF_SOAK` as many processes as it
says are killed at random.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from tests.crashes.worker import KINDS, started

REPOSITORY = Path(__file__).resolve().parents[2]
CYCLES = int(os.environ.get("WF_SOAK", "0"))


def process(folder: Path, kind: str, calls: int | None) -> dict[str, Any] | None:
    """Run a process; `None` when it was killed."""
    command = [sys.executable, "-m", "tests.crashes.worker", str(folder), kind]
    if calls is not None:
        command.append(str(calls))
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60, check=False)
    if done.returncode < 0:
        return None
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout)
    return result


def undisturbed(folder: Path, kind: str) -> dict[str, Any]:
    """The same run, in this process and to its end."""
    folder.mkdir()
    return asyncio.run(started(folder, kind, None))


def until_done(folder: Path, kind: str, deaths: list[int]) -> tuple[dict[str, Any], int]:
    """Run processes until one survives; each dies in its call of that number. Gives the run and how many died."""
    folder.mkdir()
    for died, calls in enumerate([*deaths, None]):
        run = process(folder, kind, calls)
        if run is not None:
            return run, died
    raise AssertionError("the last process cannot be killed")


def calls_of(folder: Path) -> dict[str, set[str]]:
    """Which processes executed each call."""
    executed: dict[str, set[str]] = defaultdict(set)
    for line in (folder / "calls.txt").read_text(encoding="utf-8").splitlines():
        name, call_id, pid = line.rsplit(" ", 2)
        executed[f"{name} {call_id.rpartition(':')[2] if ':' in call_id else call_id}"].add(pid)
    return executed


def check(folder: Path, kind: str, deaths: list[int]) -> int:
    whole = undisturbed(folder / "undisturbed", kind)
    run, died = until_done(folder / "killed", kind, deaths)
    assert run["status"] == "completed", run
    for key in ("output", "outcome", "trace_count"):
        assert run[key] == whole[key]
    executed = calls_of(folder / "killed")
    assert set(executed) == set(calls_of(folder / "undisturbed")), "calls keep their ids"
    # Whatever runs again was in flight when a process died; a process has at most three calls in flight here.
    again = sum(len(pids) - 1 for pids in executed.values())
    assert again <= 3 * died
    if kind in {"chain", "loop", "serial", "retry"}:
        assert again == died, "one call was in flight, and only that one ran again"
    return died


@pytest.mark.parametrize("kind", KINDS)
def test_a_run_survives_a_kill_in_every_call(kind: str, tmp_path: Path) -> None:
    assert check(tmp_path, kind, [1, 2]) == 2


if CYCLES:

    @pytest.mark.timeout(0)
    @pytest.mark.parametrize("kind", KINDS)
    def test_a_run_survives_kills_at_random(kind: str, tmp_path: Path) -> None:
        chance = random.Random(7)  # noqa: S311 - the same kills each time
        died = rounds = 0
        while died < CYCLES / len(KINDS):
            folder = tmp_path / str(rounds)
            folder.mkdir()
            died += check(folder, kind, [chance.randint(1, 4) for _ in range(5)])
            rounds += 1


def test_processes_with_live_runs_end_in_order(tmp_path: Path) -> None:
    script = (
        "import asyncio, sys\n"
        "from pathlib import Path\n"
        "from tests.crashes.worker import deployed\n"
        "async def main():\n"
        "    server = await deployed(Path(sys.argv[1]), 'concurrent', None)\n"
        "    given = {'items': [1, 2, 3]}\n"
        "    run = await server.api.start_run(deployment_id='concurrent', workflow_input=given)\n"
        "    assert run['status'] == 'running', run\n"
        "asyncio.run(main())\n"
    )
    for _ in range(2 + CYCLES // 5):
        command = [sys.executable, "-c", script, str(tmp_path)]
        done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60, check=False)
        assert (done.returncode, done.stderr) == (0, "")
    run = process(tmp_path, "concurrent", None)
    assert run is not None
    assert (run["status"], run["output"]) == ("completed", {"numbers": [2, 4, 6]})
