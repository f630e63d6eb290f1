"""Documents as Python classes."""

from __future__ import annotations

import copy
import importlib
import json
import pickle
import subprocess
import sys
from typing import Any

import pydantic
import pytest

import wf_core
from wf_core import (
    Edge,
    EndNode,
    ForeachNode,
    InputPathBinding,
    InputValueBinding,
    NodeDef,
    NodeResult,
    NodeUse,
    ReducerRef,
    RetryPolicy,
    SchemaRef,
    StateField,
    StateSchema,
    Workflow,
    WorkflowRef,
    workflow_ref_from,
)
from wf_core.errors import DocumentError, FrozenError
from wf_core.models import Condition, Document, OutputBinding, Step
from wf_core.models.conditions import BinaryCondition, ExistsCondition, VariadicCondition
from wf_core.models.input_bindings import InputExpression, ObjectExpression
from wf_core.paths import GraphSourcePath, LocalPath, StatePath

DOCUMENT: dict[str, Any] = {
    "name": "demo",
    "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": ["text"]},
    "state_schema": {
        "type": "object",
        "properties": {"seen": {"type": "array", "reducer": "wf.std.append"}},
        "required": [],
    },
    "output_schema": {"type": "object", "properties": {"seen": {"type": "array"}}, "required": []},
    "output": [{"target": "seen", "path": "state.seen"}],
    "node_defs": [
        {
            "name": "demo.echo",
            "input_schema": {"type": "object", "properties": {"text": {"type": "string"}}, "required": []},
            "output_schema": {"type": "object", "properties": {"echoed": {}}, "required": []},
            "outcomes": ["ok"],
            "retry": None,
            "timeout_seconds": None,
        }
    ],
    "outcomes": ["ok"],
    "start": "say",
    "nodes": [
        {
            "id": "say",
            "type": "node",
            "node": "demo.echo",
            "desc": None,
            "input": [{"target": "text", "path": "input.text"}],
            "output": [{"source": "echoed", "target": "state.seen"}],
            "retry": None,
            "timeout_seconds": None,
        },
        {
            "id": "each",
            "type": "foreach",
            "over": "state.seen",
            "as": "item",
            "mode": "serial",
            "item_error": {"action": "fail", "collect_to": None},
            "concurrent": None,
        },
    ],
    "edges": [{"from": "say", "outcome": "ok", "to": "__end__"}],
}


@pytest.fixture
def workflow() -> Workflow:
    return Workflow.model_validate(DOCUMENT)


def test_the_canonical_document_dumps_as_it_came(workflow: Workflow) -> None:
    dumped = workflow.model_dump(mode="json", by_alias=True)
    assert json.dumps(dumped) == json.dumps(DOCUMENT)
    assert json.loads(workflow.model_dump_json(by_alias=True)) == DOCUMENT
    assert workflow.model_dump_json(by_alias=True, indent=2) == json.dumps(DOCUMENT, indent=2)


def test_a_dump_without_aliases_names_attributes(workflow: Workflow) -> None:
    dumped = workflow.model_dump()
    assert dumped["edges"] == [{"from_": "say", "outcome": "ok", "to": "__end__"}]
    assert dumped["nodes"][1]["as_"] == "item"
    assert workflow.edges[0].model_dump() == {"from_": "say", "outcome": "ok", "to": "__end__"}


def test_dumps_can_select(workflow: Workflow) -> None:
    node = workflow.nodes[0]
    assert node.model_dump(include={"id", "node"}) == {"id": "say", "node": "demo.echo"}
    assert "desc" not in node.model_dump(exclude_none=True)
    assert "input" not in node.model_dump(exclude={"input"})


def test_attributes_are_typed(workflow: Workflow) -> None:
    node = workflow.nodes[0]
    assert isinstance(node, NodeUse)
    assert node.type == "node"
    binding = node.input[0]
    assert isinstance(binding, InputPathBinding)
    assert binding.target == LocalPath.parse("text")
    assert binding.path == GraphSourcePath.input("text")
    assert node.output == [OutputBinding(source="echoed", target="state.seen")]
    assert workflow.outcomes == ["ok"]
    assert workflow.state_schema.field_map()["seen"].reducer.name == "wf.std.append"


def test_every_problem_is_listed_with_its_place() -> None:
    with pytest.raises(DocumentError) as caught:
        Workflow.model_validate({"name": 1, "nodes": [{"type": "nod"}]})
    paths = [problem.path for problem in caught.value.problems]
    assert paths == ["name", "input_schema", "state_schema", "output_schema", "start", "nodes[0].type", "edges"]
    assert caught.value.problems[5].hint == "did you mean 'node'?"
    assert caught.value.document == "Workflow"
    assert caught.value.errors()[0]["type"] == "document.type"
    assert isinstance(caught.value, ValueError)


def test_a_python_value_that_is_no_json_is_a_problem_of_the_document() -> None:
    with pytest.raises(DocumentError) as caught:
        NodeDef(name="n", input_schema={"default": {1}}, output_schema={}, outcomes=["ok"])
    assert caught.value.path == "input_schema.default"
    assert caught.value.code == "value.not_json"


def test_json_text_that_is_none_says_so() -> None:
    with pytest.raises(DocumentError, match="Workflow"):
        Workflow.model_validate_json('{"name": ')
    assert Edge.model_validate_json(b'{"from": "a", "outcome": "ok", "to": "b"}').from_ == "a"


def test_constructors_take_keywords_documents_and_short_forms() -> None:
    node = NodeUse(
        id="a",
        node="n",
        input=[InputPathBinding(target="x", path=GraphSourcePath.state("y")), {"target": "z", "value": None}],
        retry=RetryPolicy(retries=2),
    )
    assert node.model_dump(mode="json")["input"] == [{"target": "x", "path": "state.y"}, {"target": "z", "value": None}]
    assert node.model_dump(mode="json")["retry"] == 2
    assert NodeDef(name="n", input_schema={}, output_schema={}, outcomes=("ok", "no")).outcomes == ["ok", "no"]
    assert ReducerRef(name="wf.std.add") == ReducerRef.model_validate("wf.std.add")


def test_a_literal_stays_strict_where_lists_take_tuples() -> None:
    with pytest.raises(DocumentError, match="value must be a finite JSON value"):
        InputValueBinding(target="x", value=(1, 2))
    with pytest.raises(DocumentError, match="value must be a finite JSON value"):
        NodeUse(id="a", node="n", input=[{"target": "x", "value": {"deep": (1,)}}])


def test_legacy_shapes_are_read_and_dumped_in_the_canonical_form() -> None:
    node = NodeUse(id="a", node="n", in_map={"state.x": "y"}, input_values={"k": 1}, out_map={"o": "state.z"})
    assert node.model_dump(mode="json")["input"] == [{"target": "k", "value": 1}, {"target": "y", "path": "state.x"}]
    each = ForeachNode(id="e", over="state.x", as_="item", mode="parallel", parallel={"max_active": 2})
    assert each.mode == "concurrent"
    schema = StateSchema.from_field_map({"a.b": StateField(type="integer", reducer="wf.std.add", default=0)})
    assert schema.field_map()["a.b"].default == 0
    assert schema.root_fields() == {"a"}


def test_d3_documents_are_immutable(workflow: Workflow) -> None:
    with pytest.raises(FrozenError, match=r"`Workflow` is immutable; cannot set `name`") as caught:
        workflow.name = "other"  # type: ignore[misc]
    assert isinstance(caught.value, AttributeError)
    with pytest.raises(FrozenError):
        del workflow.name  # type: ignore[misc]
    workflow.nodes.clear()
    workflow.input_schema.properties["text"] = {}
    assert workflow == Workflow.model_validate(DOCUMENT)


def test_d3_a_copy_with_changes_is_checked(workflow: Workflow) -> None:
    changed = workflow.model_copy(
        update={"name": "other", "nodes": [workflow.nodes[0].model_copy(update={"desc": "d"})]}
    )
    assert (changed.name, workflow.name) == ("other", "demo")
    assert changed.nodes[0].desc == "d"  # type: ignore[union-attr]
    assert Edge.model_validate(DOCUMENT["edges"][0]).model_copy(update={"from_": "b"}).from_ == "b"
    with pytest.raises(DocumentError):
        workflow.model_copy(update={"outcomes": []})
    assert workflow.model_copy(deep=True) is workflow


def test_documents_compare_hash_copy_and_pickle_by_value(workflow: Workflow) -> None:
    twin = Workflow.model_validate(json.loads(json.dumps(DOCUMENT)))
    assert workflow == twin
    assert hash(workflow) == hash(twin)
    assert workflow != EndNode(id="demo")
    assert workflow != DOCUMENT
    assert copy.copy(workflow) == copy.deepcopy(workflow) == workflow
    assert pickle.loads(pickle.dumps(workflow)) == workflow
    assert hash(SchemaRef(const=1)) == hash(SchemaRef(const=1.0))
    assert SchemaRef(const=1) == SchemaRef(const=1.0)


def test_reprs_name_the_class_and_its_fields() -> None:
    assert repr(EndNode(id="end")) == "EndNode(type='end', id='end', outcome='ok')"
    assert repr(StatePath.parse("state.a")) == "StatePath(parts=('a',))"


def test_extra_keys_are_attributes_where_they_are_kept() -> None:
    assert SchemaRef(type="object", additionalProperties=False).additionalProperties is False
    assert NodeResult(outcome="ok", note="n").note == "n"
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = SchemaRef().nothing


@pytest.mark.parametrize(
    ("text", "shown"),
    [("child", {"name": "child"}), ("workflow.a.b.v2", {"artifact_id": "a.b", "version": 2})],
)
def test_workflow_refs(text: str, shown: dict[str, Any]) -> None:
    ref = workflow_ref_from(text)
    assert ref.model_dump(mode="json") == shown
    assert ref.display == text
    assert workflow_ref_from(shown) == ref == WorkflowRef(**shown)


class Holder(pydantic.BaseModel):
    workflow: Workflow
    step: Step
    path: StatePath
    condition: Condition | None = None
    expression: InputExpression | None = None


def test_documents_are_field_types_of_pydantic_models(workflow: Workflow) -> None:
    holder = Holder.model_validate(
        {
            "workflow": DOCUMENT,
            "step": DOCUMENT["nodes"][1],
            "path": "state.a",
            "condition": {"op": "and", "args": [{"op": "exists", "path": "state.x"}]},
            "expression": {"kind": "object", "fields": {"a": {"kind": "literal", "value": 1}}},
        }
    )
    assert holder.workflow == workflow
    assert isinstance(holder.step, ForeachNode)
    assert isinstance(holder.condition, VariadicCondition)
    assert isinstance(holder.condition.args[0], ExistsCondition)
    assert isinstance(holder.expression, ObjectExpression)
    assert holder.model_dump(mode="json", by_alias=True)["workflow"] == DOCUMENT
    assert holder.model_dump(mode="json")["path"] == "state.a"
    assert Holder.model_validate_json(holder.model_dump_json(by_alias=True)) == holder
    with pytest.raises(pydantic.ValidationError, match="missing required field 'name'"):
        Holder.model_validate({"workflow": {}, "step": {}, "path": "state"})


def test_json_schemas_join_those_of_pydantic() -> None:
    schema = Holder.model_json_schema()
    assert {"Workflow", "NodeUse", "Condition", "InputPathBinding"} <= set(schema["$defs"])
    text = json.dumps(schema)
    refs = {part.split('"')[0] for part in text.split('"#/$defs/')[1:]}
    assert refs <= set(schema["$defs"])
    assert BinaryCondition.model_json_schema()["title"] == "BinaryCondition"


def test_an_unknown_json_schema_mode_is_refused() -> None:
    with pytest.raises(ValueError, match="mode"):
        Edge.model_json_schema(mode="other")
    with pytest.raises(ValueError, match="mode"):
        EndNode(id="e").model_dump(mode="yaml")


def test_all_classes_are_found_under_the_module_they_name() -> None:
    for name in wf_core.__all__:
        value = getattr(wf_core, name)
        if isinstance(value, type) and issubclass(value, Document):
            module = importlib.import_module(value.__module__)
            assert getattr(module, name) is value


def test_importing_and_running_never_imports_pydantic() -> None:
    code = (
        "import sys, wf_core; w = wf_core.Workflow.model_validate({'name': 'j', 'input_schema': {}, 'state_schema': {},"
        "'output_schema': {}, 'start': 'a', 'nodes': [{'id': 'a', 'type': 'join'}],"
        "'edges': [{'from': 'a', 'outcome': 'done', 'to': '__end__'}]});"
        "assert wf_core.execute_workflow(w, {}, {}).outcome == 'ok';"
        "assert not {'pydantic', 'pydantic_core', 'asyncio', 'typing_extensions'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)
