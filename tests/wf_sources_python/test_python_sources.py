"""Python sources from files: what is exported, how it fails, how it is imported again."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from wf_api.errors import ArgumentError
from wf_platform.errors import PlatformRuleError
from wf_server import build_local_static_workflow_server
from wf_sources_python import PythonSource, PythonSourceError, load_python_source

OPS = """
from wf_authoring import node, reducer
from .helpers import FACTOR

@node
def scale(n: int) -> int:
    return FACTOR * n

@reducer(name="total")
def total(current: int | None, incoming: int) -> int:
    return (current or 0) + incoming

def registry():
    return {"scale": scale, "total": total}
"""


@pytest.fixture(autouse=True)
def _same_path(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "path", list(sys.path))


def written(root: Path, factor: int = 2) -> Path:
    root.mkdir(exist_ok=True)
    (root / "ops.py").write_text(OPS)
    (root / "helpers.py").write_text(f"FACTOR = {factor}\n")
    return root


def test_nodes_and_reducers_of_a_file_become_a_source(tmp_path: Path) -> None:
    source = load_python_source(source_id="local.ops", module="ops", path=written(tmp_path))
    assert list(source.capabilities.node_specs) == ["local.ops.scale"]
    assert list(source.capabilities.reducers) == ["local.ops.total"]
    assert source.capabilities.reducers["local.ops.total"].spec.name == "local.ops.total"
    assert (source.kind, source.enabled, source.permissions.safe_for_workflow) == ("python", True, True)
    assert source.description == "Python source from ops:registry"


def test_two_sources_may_have_modules_of_one_name(tmp_path: Path) -> None:
    roots = [written(tmp_path / name, factor) for name, factor in (("a", 3), ("b", 5))]
    one, other = (load_python_source(source_id=f"local.{root.name}", module="ops", path=root) for root in roots)
    assert one.capabilities.node_specs["local.a.scale"].fn(7) == 21
    assert other.capabilities.node_specs["local.b.scale"].fn(7) == 35


@pytest.mark.parametrize(
    ("text", "line", "cause"),
    [
        ("registry = []\n1 / 0\n", 2, ZeroDivisionError),
        ("registry = [\n", 1, SyntaxError),
        ("import no_such_module_at_all\n", 1, ModuleNotFoundError),
    ],
)
def test_an_import_error_names_file_and_line(tmp_path: Path, text: str, line: int, cause: type[Exception]) -> None:
    (tmp_path / "ops.py").write_text(text)
    with pytest.raises(PythonSourceError) as failed:
        load_python_source(source_id="local.bad", module="ops", path=tmp_path)
    assert failed.value.code == "python_source.import_failed"
    assert (failed.value.file, failed.value.line) == (str(tmp_path / "ops.py"), line)
    assert f"ops.py:{line}" in str(failed.value)
    assert isinstance(failed.value.__cause__, cause)


@pytest.mark.parametrize(
    ("text", "kind", "code"),
    [
        ("", PythonSourceError, "python_source.missing_registry"),
        ("registry = [1]", ArgumentError, "python_source.not_a_node"),
        (
            "from wf_authoring import node\n@node\ndef a(n: int) -> int:\n    return n\nregistry = [a, a]",
            PlatformRuleError,
            "source.duplicate_capability",
        ),
    ],
)
def test_what_a_module_exports_is_checked(tmp_path: Path, text: str, kind: type[Exception], code: str) -> None:
    (tmp_path / "ops.py").write_text(text)
    with pytest.raises(kind) as failed:
        load_python_source(source_id="local.bad", module="ops", path=tmp_path)
    assert failed.value.code == code


def test_a_disabled_source_is_not_even_imported(tmp_path: Path) -> None:
    (tmp_path / "ops.py").write_text("raise AssertionError('imported')")
    source = load_python_source(source_id="local.off", module="ops", path=tmp_path, enabled=False)
    assert not source.enabled
    assert not source.capabilities.node_specs


async def test_a_server_imports_a_source_when_it_is_enabled_and_again_on_refresh(tmp_path: Path) -> None:
    root = written(tmp_path / "code")
    defined = PythonSource(id="local.ops", module="ops", path=root)
    server = build_local_static_workflow_server(tmp_path, extra_sources=[defined], durability="off")
    call = {"qualified_name": "local.ops.scale", "payload": {"n": 1}}
    assert (await server.api.call_capability(**call))["output"] == {"result": 2}

    written(root, factor=10)
    refreshed = await server.admin.refresh_source(source_id="local.ops")
    assert (refreshed["refreshed"], refreshed["node_count"]) == (True, 1)
    assert (await server.api.call_capability(**call))["output"] == {"result": 10}

    loaded = {name: module for name, module in sys.modules.items() if name.startswith("_wf_source_local_ops")}
    (root / "helpers.py").write_text("FACTOR = 11\n")
    (root / "ops.py").write_text("from .helpers import FACTOR\nhalf = 1\nraise RuntimeError('no')\n")
    failed = await server.admin.refresh_source(source_id="local.ops")
    assert (failed["refreshed"], failed["error_type"], failed["node_count"]) == (False, "PythonSourceError", 1)
    assert f"{root / 'ops.py'}:3" in failed["error"]
    assert {name: module for name, module in sys.modules.items() if name in loaded} == loaded, "nothing half loaded"
    assert (await server.api.call_capability(**call))["output"] == {"result": 10}
    assert "RuntimeError: no" in (await server.source_admin.diagnose_source(source_id="local.ops"))["message"]

    await server.admin.disable_source(source_id="local.ops")
    again = build_local_static_workflow_server(tmp_path, extra_sources=[defined], durability="off")
    assert not again.sources["local.ops"].capabilities.node_specs, "disabled: the broken module was not imported"
    written(root, factor=4)
    await again.admin.enable_source(source_id="local.ops")
    assert (await again.api.call_capability(**call))["output"] == {"result": 4}


def test_a_server_does_not_start_with_a_broken_enabled_source(tmp_path: Path) -> None:
    (tmp_path / "ops.py").write_text("1 / 0")
    defined = PythonSource(id="local.ops", module="ops", path=tmp_path)
    with pytest.raises(PythonSourceError):
        build_local_static_workflow_server(tmp_path / "store", extra_sources=[defined], durability="off")
