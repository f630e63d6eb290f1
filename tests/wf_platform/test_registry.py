"""`SourceRegistry`: ids, lookups, projections, changes."""

import threading
from typing import Any

import pytest

from tests.wf_platform.helpers import SAFE, echo, platform_source, qualified, source
from wf_platform import (
    CapabilityBuckets,
    CapabilitySource,
    SourceChange,
    SourceKind,
    SourceOverrides,
    SourcePermissions,
    SourceRegistry,
    SourceVisibility,
)
from wf_platform.errors import CapabilityRefusedError, PlatformRuleError, UnknownNameError


def test_a_registry_is_a_live_mapping_sorted_by_id() -> None:
    registry = SourceRegistry([source("c.x"), source("a.x")])
    view = registry
    registry.add(source("b.x"))
    assert list(view) == ["a.x", "b.x", "c.x"]
    assert len(view) == 3
    assert "b.x" in view
    assert "z" not in view
    assert 5 not in view
    assert view["b.x"] == source("b.x")
    assert view.get("z") is None
    assert [item.id for item in view.values()] == ["a.x", "b.x", "c.x"]
    assert dict(view.items())["a.x"].id == "a.x"


def test_an_unknown_source_is_a_key_error_with_the_nearest_names() -> None:
    registry = SourceRegistry([source("drive.personal")])
    with pytest.raises(KeyError, match=r"unknown source 'drive\.personel'") as caught:
        registry["drive.personel"]
    assert isinstance(caught.value, UnknownNameError)
    assert (caught.value.code, caught.value.hint) == ("source.unknown", "did you mean `drive.personal`?")
    with pytest.raises(KeyError):
        registry.inspect_source("nobody")


@pytest.mark.parametrize("reserved", ["wf", "wf.std", "wf.admin", "wf.new", "WF.x", "workflow"])
def test_d26_every_id_under_wf_is_reserved(reserved: str) -> None:
    with pytest.raises(ValueError, match="is reserved") as caught:
        SourceRegistry().add(source(reserved))
    assert caught.value.code == "source.reserved_id"  # type: ignore[attr-defined]


def test_the_platform_adds_its_own_sources() -> None:
    registry = SourceRegistry()
    registry.add_builtin(platform_source())
    assert registry["wf.std"].policy.platform
    with pytest.raises(PlatformRuleError, match=r"duplicate source id 'wf\.std'"):
        registry.add_builtin(platform_source())
    with pytest.raises(PlatformRuleError):
        registry.add_builtin(source("drive.personal"))


@pytest.mark.parametrize(("first", "second"), [("drive.a", "Drive.A"), ("db.l", "db.1"), ("a.o", "a.0")])
def test_ids_that_look_alike_are_refused(first: str, second: str) -> None:
    with pytest.raises(PlatformRuleError, match="too much like") as caught:
        SourceRegistry([source(first), source(second)])
    assert caught.value.code == "source.colliding_id"


def test_a_capability_must_be_named_under_its_source() -> None:
    foreign = CapabilitySource(
        id="a.b", kind="python", capabilities=CapabilityBuckets(node_specs={"c.echo": qualified("c")})
    )
    with pytest.raises(PlatformRuleError, match=r"does not belong to source 'a\.b'"):
        SourceRegistry([foreign])
    with pytest.raises(TypeError, match="CapabilitySource"):
        SourceRegistry([object()])  # type: ignore[list-item]


def test_d22_dots_in_capability_names_work() -> None:
    spec = echo.replace(name="ops.foo.bar")
    ops = source("ops", capabilities=CapabilityBuckets(node_specs={"ops.foo.bar": spec}))
    registry = SourceRegistry([ops])
    assert registry.owner("ops.foo.bar") == ("ops", "foo.bar")
    assert registry.find_node_spec("ops.foo.bar") is spec
    registry.add(source("ops.foo"))
    assert registry.owner("ops.foo.bar") == ("ops.foo", "bar")
    assert registry.shadowed("ops") == ["ops.foo.bar"]
    with pytest.raises(UnknownNameError, match=r"unknown qualified node 'ops\.foo\.bar'"):
        registry.find_node_spec("ops.foo.bar")


def test_enabling_and_disabling_take_effect_at_once_and_outlive_the_source() -> None:
    registry = SourceRegistry([source("a.b")])
    registry.disable("a.b")
    assert registry["a.b"].enabled is False
    assert registry.node_specs() == {}
    with pytest.raises(CapabilityRefusedError, match="disabled") as caught:
        registry.find_node_spec("a.b.echo")
    assert isinstance(caught.value, PermissionError)
    assert (caught.value.code, caught.value.hint) == ("capability.disabled", "enable source `a.b`")
    registry.replace(source("a.b", description="again"))
    registry.remove("a.b")
    registry.add(source("a.b"))
    assert registry["a.b"].enabled is False
    registry.enable("a.b")
    assert list(registry.node_specs()) == ["a.b.echo"]


def test_d28_overrides_are_documents_that_can_be_kept() -> None:
    registry = SourceRegistry([source("a.b", permissions=SourcePermissions())])
    with pytest.raises(CapabilityRefusedError) as caught:
        registry.find_node_spec("a.b.echo")
    assert caught.value.code == "capability.not_safe"
    registry.set_overrides("a.b", {"allow": ["ec*"], "notes": "asked Ann"})
    kept = registry.overrides("a.b").model_dump_json()
    again = SourceRegistry()
    again.set_overrides("a.b", SourceOverrides.model_validate_json(kept))
    again.add(source("a.b", permissions=SourcePermissions()))
    assert again.find_node_spec("a.b.echo") is not None
    again.set_overrides("a.b", SourceOverrides(allow=["*"], deny=["echo"]))
    with pytest.raises(CapabilityRefusedError) as caught:
        again.find_node_spec("a.b.echo")
    assert caught.value.code == "capability.denied"


def test_d25_hidden_sources_are_neither_listed_nor_called() -> None:
    registry = SourceRegistry([source("a.b", visibility=SourceVisibility())])
    assert registry.node_specs() == {}
    with pytest.raises(CapabilityRefusedError, match="not visible to the planner"):
        registry.find_node_spec("a.b.echo")
    assert list(registry.node_specs("admin")) == ["a.b.echo"]
    with pytest.raises(ValueError, match="planner, client, admin"):
        registry.node_specs("everybody")  # type: ignore[arg-type]


def test_d26_operators_tools_are_shown_with_admin_exposure_only() -> None:
    def tools(source_id: str, permissions: SourcePermissions, kind: SourceKind = "connection") -> CapabilitySource:
        return CapabilitySource(
            id=source_id,
            kind=kind,
            capabilities=CapabilityBuckets(tools={f"{source_id}.run": {"description": "Runs."}}),
            visibility=SourceVisibility(client=source_id != "wf.admin"),
            permissions=permissions,
        )

    registry = SourceRegistry([tools("a.b", SAFE), tools("danger.x", SourcePermissions(mutates_auth=True))])
    registry.add_builtin(tools("wf.admin", SourcePermissions(mutates_config=True), kind="system"))
    assert list(registry.tools()) == ["a.b.run"]
    assert list(registry.tools(admin_exposure=True)) == ["a.b.run", "danger.x.run", "wf.admin.run"]
    with pytest.raises(CapabilityRefusedError) as caught:
        registry.find_tool("wf.admin.run")
    assert caught.value.code == "capability.admin_only"
    assert registry.find_tool("wf.admin.run", admin_exposure=True) == {"description": "Runs."}
    with pytest.raises(PlatformRuleError, match="cannot be disabled"):
        registry.disable("wf.admin")


def test_sources_are_listed_in_pages() -> None:
    registry = SourceRegistry([source(f"s{name}.x") for name in "abc"])
    registry.disable("sb.x")
    page = registry.list_sources(limit=2)
    assert [row.id for row in page.sources] == ["sa.x", "sb.x"]
    assert (page.next_cursor, page.total) == ("2", 3)
    assert page.sources[1].enabled is False
    assert [row.id for row in registry.list_sources(cursor="2").sources] == ["sc.x"]
    for cursor, limit, message in [
        (None, 0, "limit must be >= 1"),
        ("-1", 5, "cursor must be >= 0"),
        ("x", 5, "not one"),
    ]:
        with pytest.raises(ValueError, match=message):
            registry.list_sources(cursor=cursor, limit=limit)


def test_a_snapshot_never_changes() -> None:
    registry = SourceRegistry([source("a.b")])
    before = registry.snapshot()
    registry.disable("a.b")
    registry.add(source("c.d"))
    assert (before["a.b"].enabled, len(before)) == (True, 1)
    assert registry.revision == before.revision + 2


def test_states_say_how_a_source_is_doing() -> None:
    registry = SourceRegistry([source("a.b")])
    assert registry.state("a.b", now=0) == {"state": "ok"}
    registry.note_snapshot("a.b", fetched_at=1_000, max_age=500)
    assert registry.state("a.b", now=1_500) == {"state": "ok"}
    assert registry.state("a.b", now=2_000) == {"state": "stale", "age_ms": 1_000}
    registry.note_failure("a.b", "connection refused", at=3_000, fetched_at=1_000)
    assert registry.state("a.b", now=3_000) == {"state": "failed", "error": "connection refused", "age_ms": 2_000}
    registry.note_never_connected("a.b")
    assert registry.state("a.b", now=0) == {"state": "never_connected"}
    registry.note_ok("a.b")
    registry.disable("a.b")
    assert registry.state("a.b", now=0) == {"state": "disabled"}


def test_subscribers_hear_of_every_change() -> None:
    registry = SourceRegistry()
    heard: list[SourceChange] = []
    subscription = registry.subscribe(heard.append)
    registry.add(source("a.b"))
    registry.disable("a.b")
    registry.replace(CapabilitySource(id="a.b", kind="python"))
    registry.remove("a.b")
    assert subscription.cancel() is True
    assert subscription.cancel() is False
    registry.add(source("c.d"))
    assert [(change.source_id, change.kind) for change in heard] == [
        ("a.b", "added"),
        ("a.b", "disabled"),
        ("a.b", "replaced"),
        ("a.b", "removed"),
    ]
    assert heard[0].catalog_diff() == {"node_specs": {"added": ["a.b.echo"], "removed": [], "changed": []}}
    assert heard[2].catalog_diff()["node_specs"]["removed"] == ["a.b.echo"]
    assert "a.b" in heard[3].before
    assert "a.b" not in heard[3].after
    assert [change.revision for change in heard] == [1, 2, 3, 4]


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_a_subscriber_that_raises_keeps_nobody_from_hearing() -> None:
    registry = SourceRegistry()
    heard: list[str] = []

    def broken(change: SourceChange) -> None:
        raise RuntimeError(change.kind)

    registry.subscribe(broken)
    registry.subscribe(lambda change: heard.append(change.kind))
    registry.add(source("a.b"))
    assert heard == ["added"]


def test_threads_lose_nothing() -> None:
    registry = SourceRegistry([source(f"s{index}.x") for index in range(4)])
    heard: list[int] = []
    registry.subscribe(lambda change: heard.append(change.revision))
    start = registry.revision

    def toggle(index: int) -> None:
        for _ in range(100):
            registry.disable(f"s{index}.x")
            registry.enable(f"s{index}.x")

    threads = [threading.Thread(target=toggle, args=(index,)) for index in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert registry.revision == start + 800
    assert heard == list(range(start + 1, start + 801))
    assert all(item.enabled for item in registry.values())


def test_a_registry_of_any_objects_is_refused() -> None:
    nothing: Any = None
    with pytest.raises(TypeError):
        SourceRegistry([nothing])
