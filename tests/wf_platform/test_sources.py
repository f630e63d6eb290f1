"""`CapabilitySource` and its parts."""

import copy
import json
import pickle

import pytest
from pydantic import BaseModel, TypeAdapter

from tests.wf_platform.helpers import EVERYWHERE, SAFE, platform_source, qualified, source
from wf_authoring import reducer
from wf_core import NodeDef
from wf_platform import (
    CapabilityBuckets,
    CapabilityRef,
    CapabilitySource,
    DocumentationPrompt,
    DocumentationResource,
    NodeSpecInventory,
    SourceInventory,
    SourcePermissions,
    SourcePolicy,
    SourcePolicySnapshot,
    SourceStatus,
    SourceVisibility,
    SourceVisibilitySnapshot,
    build_documentation_source,
)
from wf_platform.errors import PlatformRuleError


class Tool:
    title = "A tool"
    description = "Does things."


def test_visibility_permissions_and_policy_have_the_documented_defaults() -> None:
    assert SourceVisibility().model_dump() == {"planner": False, "client": False, "admin_dashboard": True}
    assert not any(SourcePermissions().model_dump().values())
    assert SourcePolicy().model_dump() == {"platform": False, "binding_required": True}


def test_parts_take_fields_by_position_as_dataclasses_did() -> None:
    assert SourceVisibility(True, True) == SourceVisibility(planner=True, client=True)
    assert SourcePolicy(True, False).platform is True
    with pytest.raises(TypeError, match="at most 3"):
        SourceVisibility(True, True, True, True)  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="two values"):
        SourceVisibility(True, planner=True)  # type: ignore[misc]


def test_mcp_client_is_an_older_name_of_client() -> None:
    assert SourceVisibility.model_validate({"mcp_client": True}).client is True
    with pytest.raises(ValueError, match="mutually exclusive"):
        SourceVisibility(client=True, mcp_client=True)  # type: ignore[call-arg]


@pytest.mark.parametrize("fields", [{"platform": True, "binding_required": True}, {"platform": True}])
def test_a_contradictory_policy_is_refused(fields: dict[str, bool]) -> None:
    with pytest.raises(ValueError, match="platform sources cannot require bindings"):
        SourcePolicy(**fields)


def test_snapshots_are_the_parts_themselves() -> None:
    assert SourcePolicySnapshot is SourcePolicy
    assert isinstance(source("a.b").as_status().visibility, SourceVisibilitySnapshot)


def test_a_source_shows_what_it_was_given() -> None:
    made = platform_source(description="Standard library.")
    assert (made.id, made.kind, made.enabled) == ("wf.std", "system", True)
    assert made.policy.platform is True
    assert made.policy.binding_required is False
    assert made.visibility == EVERYWHERE
    assert made.permissions == SAFE
    assert made.description == "Standard library."
    assert "wf.std.echo" in made.capabilities.node_specs
    assert made.capabilities.node_specs["wf.std.echo"] == qualified("wf.std")


def test_defaults_are_those_of_an_empty_source() -> None:
    bare = CapabilitySource("demo.personal", "connection")
    assert bare.capabilities == CapabilityBuckets()
    assert (bare.visibility, bare.permissions, bare.policy) == (
        SourceVisibility(),
        SourcePermissions(),
        SourcePolicy(),
    )
    assert bare.description is None


def test_buckets_are_filled_before_and_read_only_afterwards() -> None:
    buckets = CapabilityBuckets()
    buckets.node_specs["a.b.echo"] = qualified("a.b")
    made = CapabilitySource(id="a.b", kind="python", capabilities=buckets)
    buckets.node_specs.clear()
    assert list(made.capabilities.node_specs) == ["a.b.echo"]
    with pytest.raises(TypeError):
        made.capabilities.node_specs["a.b.other"] = qualified("a.b")


def test_a_source_is_immutable_and_replace_gives_a_changed_copy() -> None:
    made = source("a.b")
    with pytest.raises(AttributeError):
        made.enabled = False  # type: ignore[misc]
    off = made.replace(enabled=False, description="off")
    assert (made.enabled, off.enabled, off.description) == (True, False, "off")
    assert off.capabilities.node_specs == made.capabilities.node_specs
    assert off != made
    assert off.replace(enabled=True, description=None) == made
    with pytest.raises(TypeError, match="unhashable"):
        hash(made)


@pytest.mark.parametrize("bad", ["", "a..b", "-a", "a b", "dr\u0456ve.personal"])
def test_a_bad_id_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="source id must start with") as caught:
        CapabilitySource(id=bad, kind="python")
    assert isinstance(caught.value, PlatformRuleError)
    assert caught.value.code == "source.bad_id"


def test_an_unknown_kind_is_refused() -> None:
    with pytest.raises(ValueError, match="system, connection, python"):
        CapabilitySource(id="a.b", kind="plugin")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("buckets", "message"),
    [
        ({"node_specs": {"a.b.x": object()}}, "expected NodeSpec in node_specs"),
        ({"reducers": {"a.b.x": object()}}, "expected ReducerSpec"),
    ],
)
def test_what_is_no_capability_is_refused_by_name(buckets: dict[str, dict[str, object]], message: str) -> None:
    with pytest.raises(TypeError, match=message):
        CapabilitySource(id="a.b", kind="python", capabilities=CapabilityBuckets(**buckets))


def test_status_counts_and_previews_sorted_names() -> None:
    names = ["a.b.z", "a.b.y", "a.b.x", "a.b.w"]
    made = CapabilitySource(
        id="a.b",
        kind="connection",
        capabilities=CapabilityBuckets(tools={name: Tool() for name in names}, prompts={"a.b.guide": Tool()}),
    )
    status = made.as_status()
    assert isinstance(status, SourceStatus)
    assert (status.tool_count, status.prompt_count, status.node_spec_count) == (4, 1, 0)
    assert status.preview.tools == ("a.b.w", "a.b.x", "a.b.y")
    assert (status.has_more.tools, status.has_more.prompts) == (True, False)


def test_status_has_the_documented_json() -> None:
    status = platform_source(description="...").as_status()
    assert json.dumps(status.model_dump(mode="json"), separators=(",", ":")) == (
        '{"id":"wf.std","kind":"system","enabled":true,'
        '"visibility":{"planner":true,"client":true,"admin_dashboard":true},'
        '"permissions":{"safe_for_workflow":true,"calls_upstream":false,"mutates_config":false,"mutates_auth":false},'
        '"policy":{"platform":true,"binding_required":false},"description":"...",'
        '"tool_count":0,"node_spec_count":1,"reducer_count":0,"prompt_count":0,"resource_count":0,'
        '"preview":{"tools":[],"node_specs":["wf.std.echo"],"reducers":[],"prompts":[],"resources":[]},'
        '"has_more":{"tools":false,"node_specs":false,"reducers":false,"prompts":false,"resources":false}}'
    )


def test_inventory_shows_contracts_and_never_an_object() -> None:
    @reducer(name="a.b.longest", description="Keeps the longest.")
    def longest(current: str | None, incoming: str) -> str:
        return max(current or "", incoming, key=len)

    made = source(
        "a.b",
        capabilities=CapabilityBuckets(
            node_specs={"a.b.echo": qualified("a.b")},
            reducers={"a.b.longest": longest},
            tools={"a.b.tool": Tool()},
        ),
    )
    inventory = made.as_inventory()
    assert isinstance(inventory, SourceInventory)
    (spec,) = inventory.capabilities.node_spec_details
    assert isinstance(spec, NodeSpecInventory)
    assert spec.outcomes == ("ok",)
    assert spec.input_schema.properties["text"]["type"] == "string"
    dumped = inventory.model_dump(mode="json")
    assert dumped["capabilities"]["reducer_details"] == [
        {
            "name": "a.b.longest",
            "ref": {"source": "a.b", "capability_key": "longest"},
            "description": "Keeps the longest.",
            "config_schema": {"type": "object", "properties": {}, "additionalProperties": False},
        }
    ]
    assert list(dumped["capabilities"]["node_spec_details"][0]) == [
        "name",
        "description",
        "outcomes",
        "input_schema",
        "output_schema",
        "is_async",
        "accepts_context",
    ]
    assert inventory.capabilities.reducer_details[0].ref == CapabilityRef.parse("a.b.longest")
    assert "object at" not in json.dumps(dumped)
    assert SourceInventory.model_validate(dumped) == inventory
    assert pickle.loads(pickle.dumps(inventory)) == inventory
    assert copy.deepcopy(inventory) is inventory


def test_a_reducer_without_a_dot_does_not_break_the_inventory() -> None:
    @reducer(name="plain")
    def plain(current: int | None, incoming: int) -> int:
        return (current or 0) + incoming

    made = CapabilitySource(id="a.b", kind="python", capabilities=CapabilityBuckets(reducers={"plain": plain}))
    (detail,) = made.as_inventory().capabilities.reducer_details
    assert str(detail.ref) == "a.b.plain"


def test_reducer_definitions_stand_behind_their_contracts() -> None:
    @reducer(name="a.b.total")
    def total(current: int | None, incoming: int) -> int:
        return (current or 0) + incoming

    buckets = CapabilityBuckets(
        reducers={"a.b.total": total.definition.spec}, reducer_definitions={"a.b.total": total.definition}
    )
    made = CapabilitySource(id="a.b", kind="python", capabilities=buckets)
    assert made.capabilities.reducers["a.b.total"] is total.definition
    assert made.as_status().reducer_count == 1


def test_parts_are_fields_of_pydantic_models() -> None:
    class Config(BaseModel):
        visibility: SourceVisibility = SourceVisibility()
        policy: SourcePolicy

    config = Config.model_validate({"policy": {"platform": True, "binding_required": False}})
    assert config.model_dump(mode="json")["policy"] == {"platform": True, "binding_required": False}
    assert "planner" in json.dumps(Config.model_json_schema())
    with pytest.raises(ValueError, match="cannot require bindings"):
        Config.model_validate({"policy": {"platform": True}})
    assert TypeAdapter(SourceStatus).validate_python(source("a.b").as_status().model_dump()).id == "a.b"


def test_the_documentation_source_owns_manuals_and_guides() -> None:
    manual = DocumentationResource(
        "wf.docs.operator_manual", "wf://docs/operator-manual", "Operator manual", "How to.", "text/markdown", "# Hi"
    )
    guide = DocumentationPrompt("wf.docs.operator_guide", "Guide", "Start here.", "Read the manual.")
    docs = build_documentation_source([manual], prompts=[guide])
    assert (docs.id, docs.kind) == ("wf.docs", "system")
    assert docs.visibility == SourceVisibility(planner=False, client=True, admin_dashboard=True)
    assert (docs.permissions, docs.policy) == (SourcePermissions(), SourcePolicy())
    assert docs.capabilities.resources["wf.docs.operator_manual"] is manual
    assert docs.capabilities.prompts["wf.docs.operator_guide"].text == "Read the manual."
    assert build_documentation_source([]).as_status().resource_count == 0


def test_a_node_spec_keeps_its_contract_under_its_qualified_name() -> None:
    spec = qualified("a.b")
    definition = spec.to_node_def()
    assert isinstance(definition, NodeDef)
    (detail,) = source("a.b").as_inventory().capabilities.node_spec_details
    assert detail.name == "a.b.echo"
    assert detail.input_schema == definition.input_schema
