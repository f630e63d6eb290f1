"""The control plane of a server: what operators decide is kept, told as events, and lost by nobody."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from wf_api import node_source
from wf_api.errors import ArgumentError, OperationError
from wf_authoring import node
from wf_core.errors import DocumentError
from wf_platform.errors import CapabilityRefusedError, PlatformRuleError, UnknownNameError
from wf_platform.sources import CapabilitySource
from wf_server import WorkflowServer, build_local_static_workflow_server


@node
def double(n: int) -> int:
    return 2 * n


def server(root: Path) -> WorkflowServer:
    return build_local_static_workflow_server(root, extra_sources=[node_source("numbers", [double])], durability="off")


async def test_a_disabled_source_stays_disabled_after_a_restart_and_is_not_executed(tmp_path: Path) -> None:
    first = server(tmp_path)
    call = {"qualified_name": "numbers.double", "payload": {"n": 2}}
    assert (await first.api.call_capability(**call))["output"] == {"result": 4}
    done = await first.admin.disable_source(source_id="numbers")
    assert done == {"source_id": "numbers", "enabled": False, "changed": True}

    again = server(tmp_path)
    assert not again.sources["numbers"].enabled
    with pytest.raises(CapabilityRefusedError) as refused:
        await again.api.call_capability(**call)
    assert refused.value.code == "capability.disabled"
    assert (await again.admin.enable_source(source_id="numbers"))["changed"]
    assert (await server(tmp_path).api.call_capability(**call))["output"] == {"result": 4}


async def test_everything_that_is_decided_survives_and_a_source_that_is_away_keeps_its_policy(tmp_path: Path) -> None:
    decided = {
        "enabled": None,
        "visibility": {"planner": True, "client": False, "admin_dashboard": True},
        "allow": ["do*"],
        "deny": ["double"],
        "notes": "only until spring",
    }
    await server(tmp_path).admin.set_source_policy(source_id="numbers", overrides=decided)
    away = build_local_static_workflow_server(tmp_path, durability="off")
    assert "numbers" not in away.sources
    assert (await away.admin.get_config())["policies"] == [{"source_id": "numbers", "overrides": decided}]
    back = server(tmp_path)
    assert await back.admin.get_source_policy(source_id="numbers") == {"source_id": "numbers", "overrides": decided}
    with pytest.raises(CapabilityRefusedError):
        await back.api.call_capability(qualified_name="numbers.double", payload={"n": 1})


async def test_every_change_is_an_event_with_time_actor_before_and_after(tmp_path: Path) -> None:
    made = server(tmp_path)
    await made.admin.run("disable_source", {"source_id": "numbers"}, actor="ada")
    await made.admin.disable_source(source_id="numbers")  # nothing changes, nothing is told
    await made.admin.enable_source(source_id="numbers")
    page = await made.admin.list_events(limit=1)
    (event,) = page["events"]
    assert (event["kind"], event["payload"]["actor"], page["total"]) == ("source_disabled", "ada", 2)
    assert event["payload"]["before"]["enabled"] is None
    assert event["payload"]["after"]["enabled"] is False
    assert event["timestamp_epoch_ms"] > 1_600_000_000_000
    rest = await made.admin.list_events(cursor=page["next_cursor"])
    assert [event["kind"] for event in rest["events"]] == ["source_enabled"]
    assert rest["next_cursor"] is None


SWITCH = """
import asyncio, sys
from wf_platform.sources import CapabilitySource
from wf_server import build_local_static_workflow_server
root, *ids = sys.argv[1:]
sources = [CapabilitySource(id=f"local.s{n}", kind="python") for n in range(20)]
sources.append(CapabilitySource(id="local.noted", kind="python"))
async def main():
    server = build_local_static_workflow_server(root, extra_sources=sources, durability="off")
    print("ready", flush=True)
    sys.stdin.readline()
    await asyncio.gather(*(server.admin.disable_source(source_id=id) for id in ids))
    for id in ids:
        await server.admin.set_source_policy(source_id="local.noted", overrides={"notes": id})
asyncio.run(main())
"""


def test_two_processes_at_once_lose_nothing(tmp_path: Path) -> None:
    shares = [[f"local.s{n}" for n in range(start, 20, 2)] for start in (0, 1)]
    workers = [
        subprocess.Popen([sys.executable, "-c", SWITCH, str(tmp_path), *ids], stdin=-1, stdout=-1, text=True)
        for ids in shares
    ]
    for worker in workers:
        assert worker.stdout
        assert worker.stdout.readline() == "ready\n"
    for worker in workers:
        worker.communicate("go\n", timeout=30)
        assert worker.returncode == 0
    sources = [CapabilitySource(id=f"local.s{n}", kind="python") for n in range(20)]
    after = build_local_static_workflow_server(tmp_path, extra_sources=sources, durability="off")
    assert [source.id for source in after.sources.values() if source.id.startswith("local.s") and source.enabled] == []
    events = after.events.list_events()
    assert sum(event["kind"] == "source_disabled" for event in events) == 20
    told = [event["payload"] for event in events if event["payload"]["source_id"] == "local.noted"]
    assert [one["after"] for one in told[:-1]] == [one["before"] for one in told[1:]], "every change saw the one before"


async def test_threads_at_once_lose_nothing_and_store_and_registry_agree(tmp_path: Path) -> None:
    made = server(tmp_path)
    switches = [made.admin.disable_source, made.admin.enable_source] * 20
    await asyncio.gather(*(switch(source_id="numbers") for switch in switches))
    stored = (await made.admin.get_config())["policies"][0]["overrides"]["enabled"]
    assert made.sources["numbers"].enabled is stored
    told = [event["payload"] for event in made.events.list_events()]
    assert [one["after"] for one in told[:-1]] == [one["before"] for one in told[1:]]


async def test_another_process_is_heard_at_the_next_operation(tmp_path: Path) -> None:
    one, other = server(tmp_path), server(tmp_path)
    await one.admin.disable_source(source_id="numbers")
    assert other.sources["numbers"].enabled
    await other.admin.reload_config()
    assert not other.sources["numbers"].enabled


SECRET = {"command": "serve", "env": {"TOKEN": "hidden-value"}}


async def test_a_connection_is_a_source_that_says_it_was_never_reached(tmp_path: Path) -> None:
    first = server(tmp_path)
    added = await first.admin.add_connection(
        connection_id="github.work", server="github", account="work", metadata=SECRET
    )
    assert added == {"action": "add_connection", "connection_id": "github.work", "ok": True, "requires_reload": False}
    again = server(tmp_path)
    listed = await again.admin.list_sources()
    (source,) = [one for one in listed["sources"] if one["id"] == "github.work"]
    assert source["kind"] == "connection"
    assert "never reached" in source["description"]
    page = await again.admin.list_connections()
    assert page["connections"][0]["state"] == "never_connected"
    shown = [page, await again.admin.get_config(), await again.admin.list_events()]
    assert "hidden-value" not in str(shown)
    assert "TOKEN" in str(shown)

    await again.admin.update_connection(connection_id="github.work", enabled=False)
    assert not again.sources["github.work"].enabled
    assert (await again.admin.list_connections())["connections"][0]["state"] == "disabled"
    refreshed = await again.admin.refresh_source(source_id="github.work")
    assert (refreshed["refreshed"], refreshed["error_type"]) == (False, "disabled")
    await again.admin.remove_connection(connection_id="github.work")
    assert "github.work" not in again.sources
    assert (await again.admin.reload_config())["connection_count"] == 0


def connection(connection_id: str) -> dict[str, Any]:
    return {"connection_id": connection_id, "server": "a", "account": "b"}


@pytest.mark.parametrize(
    ("name", "arguments", "kind", "code"),
    [
        ("disable_sources", {}, OperationError, "admin.unknown_operation"),
        ("get_config", {"x": 1}, OperationError, "admin.no_arguments"),
        ("disable_source", {"source_id": "numbrs"}, UnknownNameError, "source.unknown"),
        ("disable_source", {"source_id": "wf.admin"}, PlatformRuleError, "source.cannot_disable"),
        ("list_sources", {"cursor": "abc"}, PlatformRuleError, "page.foreign_cursor"),
        ("list_events", {"cursor": "abc"}, PlatformRuleError, "page.foreign_cursor"),
        ("add_connection", connection("wf.mine"), PlatformRuleError, "source.reserved_id"),
        ("add_connection", connection("plain"), OperationError, "connection.id_invalid"),
        ("add_connection", connection("Taken.One"), PlatformRuleError, "source.colliding_id"),
        ("update_connection", {"connection_id": "a.b"}, OperationError, "connection.unknown"),
        ("remove_connection", {"connection_id": "a.b"}, OperationError, "connection.unknown"),
    ],
)
async def test_bad_input_has_its_own_code_and_changes_nothing(
    tmp_path: Path, name: str, arguments: dict[str, Any], kind: type[Exception], code: str
) -> None:
    made = build_local_static_workflow_server(
        tmp_path,
        extra_sources=[node_source("numbers", [double]), CapabilitySource(id="taken.one", kind="connection")],
        durability="off",
    )
    with pytest.raises(kind) as refused:
        await made.admin.run(name, arguments)
    assert refused.value.code == code
    assert made.events.list_events() == []


async def test_arguments_are_read_by_the_schema_of_the_operation(tmp_path: Path) -> None:
    admin = server(tmp_path).admin
    with pytest.raises(DocumentError):
        await admin.list_sources(limit=101)
    with pytest.raises(DocumentError):
        await admin.add_connection(connection_id="a.b", server="", account="c", colour="red")
    with pytest.raises(ArgumentError):
        await admin.disable_source("numbers")
    with pytest.raises(AttributeError):
        admin.disable_sources  # noqa: B018 - looking is the test


async def test_wf_admin_lists_exactly_the_operations_and_is_hidden(tmp_path: Path) -> None:
    made = server(tmp_path)
    table = made.admin.operations()
    inventory = await made.admin.inspect_source(source_id="wf.admin")
    assert inventory["capabilities"]["tools"] == sorted(f"wf.admin.{row['name']}" for row in table)
    assert inventory["permissions"]["mutates_config"]
    visible = await made.admin.list_client_tools(limit=100)
    assert not [tool for tool in visible["tools"] if tool["source_id"] == "wf.admin"]
    for row in table:
        assert callable(getattr(made.admin, row["name"]))
        assert row["description"]
        assert row["input_schema"]["type"] == "object"
