"""Rules for the repository itself that no other tool checks."""

from __future__ import annotations

import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
VERBS = ["help", "setup", "build", "demo", "test", "lint", "fmt", "bench", "docs"]
LONGEST_FILE = 500


@cache
def tracked() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return [path for name in listed.split("\0") if name and (path := ROOT / name).is_file()]


def sources() -> list[Path]:
    """What ships: Rust and Python outside the tests."""
    return [
        path
        for path in tracked()
        if path.suffix in {".rs", ".py", ".pyi"}
        and "tests" not in path.relative_to(ROOT).parts
        and path.stem != "tests"
    ]


def test_make_help_lists_every_verb() -> None:
    printed = subprocess.run(["make", "help"], cwd=ROOT, check=True, capture_output=True, text=True).stdout
    listed = re.findall(r"^\s*make (\S+)", printed, re.MULTILINE)
    assert [verb for verb in VERBS if verb not in listed] == []


def test_ci_runs_what_the_readme_says() -> None:
    assert "make lint test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert "make demo" in readme
    assert "make test" in readme


def test_no_source_file_is_longer_than_a_reader_can_hold() -> None:
    long = {
        str(path.relative_to(ROOT)): count
        for path in sources()
        if (count := path.read_text(encoding="utf-8").count("\n")) > LONGEST_FILE and path.suffix != ".pyi"
    }
    assert long == {}


def test_every_source_file_says_what_it_is_for() -> None:
    def says(path: Path) -> bool:
        text = path.read_text(encoding="utf-8").lstrip()
        return not text or text.startswith("//!" if path.suffix == ".rs" else ('"""', 'r"""'))

    assert [str(path.relative_to(ROOT)) for path in sources() if not says(path)] == []


def test_nothing_is_left_for_later() -> None:
    words = re.compile(
        r"\b(TODO|FIXME|XXX)\b|todo!\(|unimplemented!\(|raise NotImplementedError|#\[ignore|mark\.(skip|xfail)"
    )
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked()
        if path.suffix in {".rs", ".py", ".pyi"} and path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if words.search(line)
    ]
    assert found == []


def test_lint_exceptions_carry_their_reason() -> None:
    """`noqa` and `type: ignore` name their rule; `#[expect]` and `#[allow]` are Clippy's to check."""
    bare = re.compile(r"#\s*noqa(?!:)|#\s*type:\s*ignore(?!\[)")
    found = [
        f"{path.relative_to(ROOT)}:{number}"
        for path in tracked()
        if path.suffix in {".py", ".pyi"} and path != Path(__file__)
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1)
        if bare.search(line)
    ]
    assert found == []


@pytest.mark.parametrize("file", ["LICENSE-MIT", "LICENSE-APACHE", "CHANGELOG.md", "CONTRIBUTING.md"])
def test_the_usual_files_are_there(file: str) -> None:
    assert (ROOT / file).stat().st_size > 0


def test_crates_and_wheel_have_one_version_and_licence() -> None:
    cargo = tomllib.loads((ROOT / "Cargo.toml").read_text(encoding="utf-8"))["workspace"]["package"]
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert (project["version"], project["license"]) == (cargo["version"], cargo["license"])
