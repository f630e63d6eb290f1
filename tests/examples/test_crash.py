"""`make demo-crash` as a user sees it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parents[2]


def test_a_killed_demo_is_finished_by_another_process() -> None:
    command = [sys.executable, "-m", "examples.document_report.crash"]
    done = subprocess.run(command, cwd=REPOSITORY, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert "a process was killed by signal 9 while it examined document 10" in done.stdout
    assert "another process went on with run_" in done.stdout
    documents, calls = (int(word) for word in done.stdout.rsplit("\n", 2)[-2].split() if word.isdigit())
    assert calls == documents + 1
