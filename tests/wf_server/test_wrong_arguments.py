"""Every argument of every operation: the wrong type is refused by name, with a code, before anything happens."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import pytest

from wf_api.errors import ArgumentError, OperationError
from wf_core.errors import WfError
from wf_server import build_local_static_workflow_server

if TYPE_CHECKING:
    from pathlib import Path

    from wf_server import WorkflowServer

GOOD: dict[str, Any] = {
    "artifact": {},
    "artifact_id": "a",
    "deployment": {},
    "deployment_id": "d",
    "outcomes": ["ok"],
    "payload": {},
    "plan": {},
    "qualified_name": "wf.std.length",
    "run_id": "run_1",
    "source_id": "wf.std",
    "title": "A",
    "version": 1,
}
BAD: list[Any] = [
    None,
    True,
    -1,
    2**70,
    1.5,
    "x",
    "\ud800",
    b"x",
    [1],
    {1: 2},
    {"start": "a"},
    {"start": 2**70},
    object(),
]


@pytest.fixture
def server(tmp_path: Path) -> WorkflowServer:
    return build_local_static_workflow_server(tmp_path, durability="off")


def operations(server: WorkflowServer) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for owner in (server.api, server.source_admin):
        for name in dir(owner):
            operation = getattr(owner, name)
            if not name.startswith("_") and inspect.iscoroutinefunction(operation):
                found[name] = operation
    return found


async def test_no_wrong_argument_ends_in_an_error_without_a_code(server: WorkflowServer) -> None:
    tried = 0
    for name, operation in operations(server).items():
        parameters = inspect.signature(operation).parameters
        needed = {key: GOOD[key] for key, parameter in parameters.items() if parameter.default is parameter.empty}
        for key in parameters:
            for value in BAD:
                tried += 1
                try:
                    await operation(**{**needed, key: value})
                except WfError:
                    continue
                except Exception as error:  # noqa: BLE001 - told with what brought it about
                    pytest.fail(f"{name}({key}={value!r}) raised {type(error).__name__}: {error}")
    assert tried > 500


async def test_the_refusal_names_the_argument(server: WorkflowServer) -> None:
    with pytest.raises(ArgumentError, match="run_id must be a str, got NoneType") as caught:
        await server.api.inspect_run(run_id=None)  # type: ignore[arg-type]
    assert caught.value.code == "operation.argument_invalid"
    assert caught.value.path == "run_id"
    assert isinstance(caught.value, TypeError)


async def test_a_version_out_of_range_is_told(server: WorkflowServer) -> None:
    with pytest.raises(OperationError, match="version must be between 1 and 4294967295, got -1") as caught:
        await server.api.inspect_artifact(artifact_id="a", version=-1)
    assert caught.value.code == "artifact.version_out_of_range"


async def test_a_range_that_is_none_is_told_with_its_place(server: WorkflowServer) -> None:
    with pytest.raises(ArgumentError, match="valid integer") as caught:
        await server.api.read_run_trace(run_id="run_1", trace_range={"start": "a"})
    assert caught.value.path == "trace_range.start"
