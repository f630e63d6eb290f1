"""The walls between the rooms (docs/architecture.md): imports only go down, and the engine stays pure."""

from __future__ import annotations

import ast
import json
import subprocess
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent

# From the top down: a crate may use every crate below it and none beside or above it.
CRATES = ["wf-python", "wf-server", "wf-mcp", "wf-api", "wf-platform", "wf-core"]

# From the top down: a package may import every package below it.
PACKAGES = [
    "wf_cli",
    "wf_transport_rpc_http",
    "wf_server",
    "wf_mcp",
    "wf_sources_python",
    "wf_api",
    "wf_artifacts",
    "wf_platform",
    "wf_authoring",
    "wf_core",
    "_wf",
]

# Crates that need a clock, a socket, a disk, threads or Python: none may be reachable from a pure crate.
IMPURE = {"axum", "hyper", "mio", "pyo3", "reqwest", "rmcp", "rusqlite", "socket2", "tokio"}


@cache
def metadata() -> dict[str, Any]:
    command = ["cargo", "metadata", "--locked", "--format-version", "1", "--all-features"]
    answer: dict[str, Any] = json.loads(
        subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    )
    return answer


@cache
def normal_dependencies() -> dict[str, set[str]]:
    """Package name to the names it needs when built; what only its tests need does not count."""
    data = metadata()
    names = {package["id"]: package["name"] for package in data["packages"]}
    return {
        names[node["id"]]: {
            names[dependency["pkg"]]
            for dependency in node["deps"]
            if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])
        }
        for node in data["resolve"]["nodes"]
    }


def reachable(crate: str) -> set[str]:
    seen: set[str] = set()
    ahead = [crate]
    while ahead:
        for name in normal_dependencies()[ahead.pop()] - seen:
            seen.add(name)
            ahead.append(name)
    return seen


def members() -> list[str]:
    ids = set(metadata()["workspace_members"])
    return [package["name"] for package in metadata()["packages"] if package["id"] in ids]


def python_files(package: str) -> list[Path]:
    """The modules of a package; stubs are left out, since they may name types of the package that shows them."""
    return sorted((ROOT / "python" / package).rglob("*.py"))


def packages() -> list[str]:
    return sorted(path.name for path in (ROOT / "python").iterdir() if python_files(path.name))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and top package of every absolute import, also of those inside functions and type-checking blocks."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name.partition(".")[0]) for alias in names)
            case ast.ImportFrom(module=str(module), level=0):
                yield node.lineno, module.partition(".")[0]


def test_every_crate_has_its_place_in_the_order() -> None:
    assert sorted(set(members()) - set(CRATES)) == []
    assert {"wf-core", "wf-platform", "wf-api", "wf-python"} <= set(members())


@pytest.mark.parametrize("crate", CRATES)
def test_a_crate_only_uses_crates_below_it(crate: str) -> None:
    if crate not in members():
        assert not (ROOT / "rust" / crate.removeprefix("wf-")).exists(), "a crate's folder outside the workspace"
        return
    below = set(CRATES[CRATES.index(crate) + 1 :])
    assert sorted(normal_dependencies()[crate] & set(CRATES) - below) == []


@pytest.mark.parametrize("crate", ["wf-core", "wf-platform"])
def test_a_pure_crate_reaches_no_runtime_no_io_and_no_python(crate: str) -> None:
    assert sorted(reachable(crate) & IMPURE) == []
    assert "serde" in reachable(crate), "the dependency tree was not read"


def test_only_the_binding_knows_python() -> None:
    knowing = [crate for crate in members() if "pyo3" in reachable(crate)]
    assert knowing == ["wf-python"]


@pytest.mark.parametrize("crate", ["core", "platform"])
def test_a_pure_crate_disallows_clocks_files_environment_threads_and_random_order(crate: str) -> None:
    walls = tomllib.loads((ROOT / "rust" / crate / "clippy.toml").read_text(encoding="utf-8"))
    listed = {
        entry["path"]: entry["reason"] for key in ("disallowed-methods", "disallowed-types") for entry in walls[key]
    }
    for path in (
        "std::time::Instant::now",
        "std::time::SystemTime::now",
        "std::fs::read",
        "std::fs::File",
        "std::env::var",
        "std::thread::spawn",
        "std::collections::HashMap",
        "std::collections::HashSet",
    ):
        assert listed.get(path), f"`{path}` is not disallowed with a reason"


def test_every_python_package_has_its_place_in_the_order() -> None:
    assert sorted(set(packages()) - set(PACKAGES)) == []
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    in_the_wheel = set(project["tool"]["maturin"]["python-packages"])
    assert sorted(set(packages()) - in_the_wheel) == []


@pytest.mark.parametrize("package", PACKAGES)
def test_a_python_package_only_imports_packages_below_it(package: str) -> None:
    above = set(PACKAGES[: PACKAGES.index(package)])
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in python_files(package)
        # A stub names the classes that the native module hands out; some are written in Python, above it.
        if path.suffix != ".pyi"
        for line, name in imports(path)
        if name in above
    ]
    assert wrong == []


def test_no_package_imports_tests_examples_benchmarks_or_outside_its_plugin_pytest() -> None:
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for package in packages()
        for path in python_files(package)
        for line, name in imports(path)
        if name in {"tests", "examples", "benchmarks"} or (name == "pytest" and path.stem != "plugin")
    ]
    assert wrong == []
