"""Type checkers accept the good programs and refuse every marked line of the bad ones."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
GOOD = sorted(path.relative_to(HERE).as_posix() for path in HERE.glob("good/*.py"))
BAD = sorted(path.relative_to(HERE).as_posix() for path in HERE.glob("bad/*.py"))

pytestmark = pytest.mark.timeout(300)

Errors = dict[str, dict[int, str]]


def marked(name: str) -> set[int]:
    """The lines of a program that are wrong."""
    lines = (HERE / name).read_text().splitlines()
    return {number for number, line in enumerate(lines, 1) if line.endswith("# wrong")}


@pytest.fixture(scope="module")
def mypy() -> Errors:
    """What mypy says, by program and line."""
    answer = subprocess.run(
        [sys.executable, "-m", "mypy", "--output=json", *(str(HERE / name) for name in GOOD + BAD)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert answer.returncode in {0, 1}, answer.stderr
    errors: Errors = {}
    for line in answer.stdout.splitlines():
        item = json.loads(line)
        if item["severity"] == "error":
            place = (ROOT / item["file"]).resolve().relative_to(HERE)
            errors.setdefault(place.as_posix(), {})[item["line"]] = item["message"]
    return errors


@pytest.fixture(scope="module")
def pyright() -> Errors:
    """What pyright says, by program and line."""
    answer = subprocess.run(
        [sys.executable, "-m", "pyright", "--outputjson", "--pythonpath", sys.executable, str(HERE)],
        cwd=HERE,
        capture_output=True,
        text=True,
        check=False,
    )
    errors: Errors = {}
    for item in json.loads(answer.stdout)["generalDiagnostics"]:
        if item["severity"] == "error":
            place = Path(item["file"]).resolve().relative_to(HERE)
            errors.setdefault(place.as_posix(), {})[item["range"]["start"]["line"] + 1] = item["message"]
    return errors


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
@pytest.mark.parametrize("name", GOOD)
def test_good_programs_are_accepted(name: str, checker: str, request: pytest.FixtureRequest) -> None:
    errors: Errors = request.getfixturevalue(checker)

    assert errors.get(name, {}) == {}


@pytest.mark.parametrize("checker", ["mypy", "pyright"])
@pytest.mark.parametrize("name", BAD)
def test_every_marked_line_of_a_bad_program_is_refused(name: str, checker: str, request: pytest.FixtureRequest) -> None:
    errors: Errors = request.getfixturevalue(checker)

    assert set(errors.get(name, {})) == marked(name)
    assert marked(name), "a bad program marks its wrong lines"
