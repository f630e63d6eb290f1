"""`NodeSpec`: calling, aliasing, contracts and handlers."""

import asyncio
import contextvars
import copy
import dataclasses
import inspect
import pickle
import subprocess
import sys
import threading
import types
import uuid
from datetime import UTC, datetime
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import pytest
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, ValidationError, computed_field, model_validator
from pydantic.dataclasses import dataclass as model_dataclass

from wf_authoring import (
    NodeCatalog,
    NodeCatalogEntry,
    NodeReturn,
    NodeSpec,
    Nothing,
    build_async_registry,
    build_registry,
    node,
    outcome,
)
from wf_core import RuntimeContext

CTX = RuntimeContext(current_node_id="n")


class Text(BaseModel):
    """Some text."""

    text: str = Field(description="What is read.")


class Count(BaseModel):
    count: int


@node
def count(payload: Text) -> Count:
    """Count the letters."""
    return Count(count=len(payload.text))


@node
async def later(payload: Text, ctx: RuntimeContext) -> Count:
    await asyncio.sleep(0)
    return Count(count=len(payload.text + ctx.current_node_id))


# --- calling ---------------------------------------------------------------------------------------------------------


def test_the_decorated_function_is_still_the_function() -> None:
    @node
    def clip(text: str, limit: int = 2) -> str:
        """Cut."""
        return text[:limit]

    assert clip("abc") == "ab"
    assert clip("abc", limit=1) == "a"
    assert clip.__name__ == "clip"
    assert clip.__doc__ == "Cut."
    assert clip.__module__ == __name__
    assert str(inspect.signature(clip)) == "(text: str, limit: int = 2) -> str"
    with pytest.raises(TypeError, match="unexpected keyword argument 'size'"):
        clip("abc", size=1)  # type: ignore[call-arg]


def test_a_spec_is_called_with_a_model_and_a_context() -> None:
    sync_spec: NodeSpec[Any, Any] = count
    async_spec: NodeSpec[Any, Any] = later

    assert sync_spec(Text(text="ab")) == Count(count=2)
    assert sync_spec(Text(text="ab"), CTX) == Count(count=2)
    assert sync_spec(Text(text="ab"), ctx=CTX) == Count(count=2)
    assert asyncio.run(async_spec(Text(text="ab"), CTX)) == Count(count=3)
    with pytest.raises(TypeError, match="node 'later' requires RuntimeContext"):
        async_spec(Text(text="ab"))


def test_a_spec_made_by_hand_is_called_as_its_flags_say() -> None:
    spec: NodeSpec[Any, Any] = NodeSpec(
        name="demo.count",
        input_model=Text,
        output_model=Count,
        outcomes=("ok",),
        fn=lambda payload, ctx: Count(count=len(payload.text + ctx.current_node_id)),
    )

    assert spec.accepts_context
    assert spec(Text(text="a"), CTX) == Count(count=2)
    assert spec.to_registry_handler()({"text": "a"}, CTX) == {"outcome": "ok", "output": {"count": 2}}
    with pytest.raises(TypeError, match=r"node 'demo\.count' requires RuntimeContext"):
        spec(Text(text="a"))


def test_fields_stand_in_the_order_that_callers_know() -> None:
    names = [field.name for field in dataclasses.fields(NodeSpec)]

    assert names[:10] == [
        "name",
        "input_model",
        "output_model",
        "outcomes",
        "fn",
        "description",
        "is_async",
        "accepts_context",
        "input_schema_contract",
        "output_schema_contract",
    ]


def test_specs_are_copied_with_changes() -> None:
    @node
    def clip(text: str, limit: int = 2) -> str:
        return text[:limit]

    renamed = dataclasses.replace(clip, name="text.clip")
    shallow = copy.copy(clip)

    assert renamed.name == "text.clip"
    assert renamed("abc") == "ab"
    assert renamed.to_registry_handler()({"text": "abc"}, CTX)["output"] == {"result": "ab"}
    assert renamed.input_schema == clip.input_schema
    assert clip.replace(name="other").input_model is clip.input_model
    assert shallow == clip
    assert hash(shallow) == hash(clip)
    assert renamed != clip


def test_a_spec_is_mutable_and_its_handlers_follow() -> None:
    spec = node(count, name="mine")

    spec.input_model = Count
    spec.fn = lambda payload: payload

    assert spec.to_registry_handler()({"count": 3}, CTX)["output"] == {"count": 3}
    assert count.input_model is Text


def test_a_node_of_a_module_is_pickled_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    @node
    def local(text: str) -> str:
        return text

    module = types.ModuleType("nodes_of_a_test")
    module.later = later  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nodes_of_a_test", module)
    monkeypatch.setitem(later.__dict__, "__module__", "nodes_of_a_test")

    assert pickle.loads(pickle.dumps(later)) is later
    assert copy.deepcopy(later) is later
    with pytest.raises((TypeError, AttributeError, pickle.PicklingError)):
        pickle.dumps(local)


# --- aliases ---------------------------------------------------------------------------------------------------------


def test_an_alias_shares_the_function_and_the_contracts() -> None:
    original = node(outcomes=("a", "b"), description="original")(count.fn)
    alias = node(original, name="demo.alias", description="alias")

    assert alias.fn is original.fn
    assert alias.outcomes == ("a", "b")
    assert alias.input_model is original.input_model
    assert (alias.name, alias.description, original.name) == ("demo.alias", "alias", "count")
    assert node(name="b")(original).name == "b"


def test_an_alias_may_have_other_outcomes_also_the_default_ones() -> None:
    original = node(count.fn, outcomes=("a", "b"))

    assert node(original, outcomes=("c",)).outcomes == ("c",)
    assert node(original, outcomes=("ok",)).outcomes == ("ok",)
    assert node(original).outcomes == ("a", "b")


def test_an_alias_may_have_other_models_and_options() -> None:
    class Longer(Text):
        more: str = ""

    alias = node(count, input_model=Longer, retry=2, timeout_seconds=1.5, is_async=False, blocking=True)

    assert alias.input_model is Longer
    definition = alias.to_node_def()
    assert definition.timeout_seconds == 1.5
    assert alias.retry == 2
    assert alias.blocking


# --- contracts -------------------------------------------------------------------------------------------------------


def test_the_node_def_holds_the_contract() -> None:
    definition = count.to_node_def()

    assert definition.name == "count"
    assert list(definition.outcomes) == ["ok"]
    assert definition.input_schema.model_dump(mode="json") == {
        "title": "Text",
        "type": "object",
        "properties": {"text": {"description": "What is read.", "title": "Text", "type": "string"}},
        "required": ["text"],
        "description": "Some text.",
    }


def test_retry_and_timeout_stand_in_the_node_def() -> None:
    spec = node(
        count.fn, retry={"retries": 3, "backoff_seconds": 0.5, "errors": [ConnectionError, "Busy"]}, timeout_seconds=2
    )

    dumped = spec.to_node_def().model_dump(mode="json")

    assert dumped["timeout_seconds"] == 2
    assert dumped["retry"]["retries"] == 3
    assert dumped["retry"]["errors"] == ["ConnectionError", "Busy"]
    assert node(count.fn, retry=2).to_node_def().model_dump(mode="json")["retry"] == 2


def test_a_schema_contract_replaces_the_models_schema_only() -> None:
    spec = dataclasses.replace(count, input_schema_contract={"type": "object", "properties": {"text": {}}})

    assert spec.to_node_def().input_schema.properties == {"text": {}}
    with pytest.raises(ValidationError):
        spec.to_registry_handler()({}, CTX)


def test_a_model_that_is_no_object_is_refused() -> None:
    from pydantic import RootModel

    @node
    def listed(payload: Text) -> RootModel[list[int]]:
        return RootModel[list[int]]([1])

    with pytest.raises(
        TypeError, match="node 'listed': its output must be a JSON object, but its schema describes 'array'"
    ):
        listed.to_node_def()


def test_a_recursive_model_shows_its_fields_at_the_root() -> None:
    @node
    def walk(payload: Tree) -> Tree:
        return payload

    definition = walk.to_node_def()

    assert list(definition.input_schema.properties) == ["value", "children"]
    answer = walk.to_registry_handler()({"value": 1, "children": [{"value": 2}]}, CTX)
    assert answer["output"] == {"value": 1, "children": [{"value": 2, "children": []}]}


class Tree(BaseModel):
    value: int
    children: list["Tree"] = []


# --- handlers --------------------------------------------------------------------------------------------------------


def test_a_payload_is_validated_lax() -> None:
    @node
    def twice(payload: Count) -> Count:
        return Count(count=payload.count * 2)

    handler = twice.to_registry_handler()

    assert handler({"count": "3"}, CTX)["output"] == {"count": 6}
    with pytest.raises(ValidationError, match="count"):
        handler({}, CTX)


def test_plain_parameters_are_converted_as_models_are() -> None:
    @node
    def add(value: int, by: float) -> float:
        assert type(value) is int
        assert type(by) is float
        return value + by

    handler = add.to_registry_handler()

    assert handler({"value": 1.0, "by": 2}, CTX)["output"] == {"result": 3.0}
    assert handler({"value": "1", "by": "2"}, CTX)["output"] == {"result": 3.0}
    with pytest.raises(ValidationError, match="value"):
        handler({"by": 1}, CTX)
    with pytest.raises(ValidationError, match="value"):
        handler({"value": 1.5, "by": 1}, CTX)


def test_a_strict_model_takes_what_json_can_say() -> None:
    class Strict(BaseModel):
        model_config = ConfigDict(strict=True)
        when: datetime
        pair: tuple[int, int]

    @node
    def year(payload: Strict) -> int:
        return payload.when.year + payload.pair[1]

    handler = year.to_registry_handler()

    assert handler({"when": "2024-01-01T00:00:00Z", "pair": [1, 2]}, CTX)["output"] == {"result": 2026}
    with pytest.raises(ValidationError, match="pair"):
        handler({"when": "2024-01-01T00:00:00Z", "pair": ["1", 2]}, CTX)


def test_d4_results_are_dumped_in_json_mode_by_alias() -> None:
    class Kind(Enum):
        GOOD = "good"

    class Report(BaseModel):
        total: Decimal = Field(alias="totalAmount")
        when: datetime
        ident: uuid.UUID
        kind: Kind
        tags: set[str]

    @node
    def report(text: str) -> Report:
        return Report(
            totalAmount=Decimal("1.50"),
            when=datetime(2024, 1, 2, tzinfo=UTC),
            ident=uuid.UUID(int=1),
            kind=Kind.GOOD,
            tags={text},
        )

    assert report.to_registry_handler()({"text": "a"}, CTX)["output"] == {
        "totalAmount": "1.50",
        "when": "2024-01-02T00:00:00Z",
        "ident": "00000000-0000-0000-0000-000000000001",
        "kind": "good",
        "tags": ["a"],
    }
    properties = report.output_schema["properties"]
    assert list(properties) == ["totalAmount", "when", "ident", "kind", "tags"]
    assert properties["totalAmount"]["type"] == "string"


def test_d4_output_schemas_are_the_serialization_ones() -> None:
    class Priced(BaseModel):
        price: Decimal

        @computed_field  # type: ignore[prop-decorator] # as pydantic documents it
        @property
        def twice(self) -> Decimal:
            return self.price * 2

    @node
    def price(payload: Priced) -> Priced:
        return payload

    assert list(price.input_schema["properties"]) == ["price"]
    assert {name: item["type"] for name, item in price.output_schema["properties"].items()} == {
        "price": "string",
        "twice": "string",
    }
    assert price.output_schema["required"] == ["price", "twice"]
    assert price.to_registry_handler()({"price": 1.5}, CTX)["output"] == {"price": "1.5", "twice": "3.0"}


def test_a_payload_comes_by_its_validation_alias() -> None:
    class Aliased(BaseModel):
        name: str = Field(validation_alias=AliasChoices("fullName", "name"), serialization_alias="shownName")

    @node
    def show(payload: Aliased) -> Aliased:
        return payload

    assert show.to_registry_handler()({"fullName": "a"}, CTX)["output"] == {"shownName": "a"}
    assert list(show.output_schema["properties"]) == ["shownName"]


def test_a_models_own_dump_and_validate_are_used() -> None:
    class Odd(BaseModel):
        value: int

        @model_validator(mode="before")
        @classmethod
        def _unpack(cls, data: Any) -> Any:
            return {"value": data["v"]}

        def model_dump(self, **options: Any) -> dict[str, Any]:
            return {**super().model_dump(**options), "odd": True}

    @node
    def same(payload: Odd) -> Odd:
        return payload

    assert same.to_registry_handler()({"v": 1}, CTX)["output"] == {"value": 1, "odd": True}


def test_a_pydantic_dataclass_is_validated_by_pydantic() -> None:
    @model_dataclass
    class Size:
        width: int = Field(ge=1)

    @node
    def grow(size: Size) -> Size:
        return Size(size.width + 1)

    assert grow.to_registry_handler()({"width": "2"}, CTX)["output"] == {"width": 3}
    with pytest.raises(ValidationError, match="greater than or equal to 1"):
        grow.to_registry_handler()({"width": 0}, CTX)


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"count": 1}, "node 'give' returned unsupported value 'dict'"),
        (None, "node 'give' returned unsupported value 'NoneType'"),
        (NodeReturn("ok", {"count": 1}), "node 'give' returned NodeReturn with unsupported output 'dict'"),
    ],
)
def test_a_result_of_another_type_is_refused(value: Any, message: str) -> None:
    @node
    def give(text: str) -> Count:
        return value  # type: ignore[no-any-return]

    with pytest.raises(TypeError, match=message):
        give.to_registry_handler()({"text": "a"}, CTX)


def test_a_plain_result_of_another_type_is_converted_or_refused() -> None:
    @node
    def give(kind: str) -> list[int]:
        return (1, 2) if kind == "tuple" else "no"  # type: ignore[return-value]

    handler = give.to_registry_handler()

    assert handler({"kind": "tuple"}, CTX)["output"] == {"result": [1, 2]}
    with pytest.raises(TypeError, match="node 'give' returned unsupported value 'str': 1 validation error"):
        handler({"kind": "text"}, CTX)


@pytest.mark.parametrize("returns", [Count, Any, "list[datetime]", "NodeReturn[Any]"])
def test_a_forgotten_await_is_named(returns: Any) -> None:
    async def inner() -> Count:
        return Count(count=1)

    def outer(text: str) -> Any:
        return inner()

    outer.__annotations__["return"] = returns

    with pytest.raises(
        TypeError, match=r"(?s)returned unsupported value 'coroutine'\nhint: its result was not awaited"
    ):
        node(outer).to_registry_handler()({"text": "a"}, CTX)


def test_the_outcome_is_passed_on_for_the_engine_to_check() -> None:
    @node
    def odd(text: str) -> NodeReturn[Nothing]:
        return outcome("undeclared")

    assert odd.to_registry_handler()({"text": "a"}, CTX) == {"outcome": "undeclared", "output": {}}


def test_an_async_node_has_no_sync_handler() -> None:
    with pytest.raises(TypeError, match="node 'later' is async and cannot be exported to the sync registry"):
        later.to_registry_handler()
    with pytest.raises(TypeError, match="is async"):
        build_registry(count, later)


async def test_async_registries_take_sync_and_async_nodes() -> None:
    registry = build_async_registry(count, later)

    assert await registry["count"]({"text": "ab"}, CTX) == {"outcome": "ok", "output": {"count": 2}}
    assert await registry["later"]({"text": "ab"}, CTX) == {"outcome": "ok", "output": {"count": 3}}


async def test_a_sync_node_runs_on_the_loop_unless_it_blocks() -> None:
    shade: contextvars.ContextVar[str] = contextvars.ContextVar("shade")
    shade.set("dark")

    def where(text: str) -> str:
        return f"{threading.current_thread() is threading.main_thread()} {shade.get()}"

    inline = node(where).to_async_registry_handler()
    threaded = node(where, blocking=True).to_async_registry_handler()

    assert (await inline({"text": "a"}, CTX))["output"] == {"result": "True dark"}
    assert (await threaded({"text": "a"}, CTX))["output"] == {"result": "False dark"}


async def test_blocking_nodes_overlap() -> None:
    barrier = threading.Barrier(3, timeout=5)

    @node(blocking=True)
    def meet(number: int) -> int:
        barrier.wait()
        return number

    handler = meet.to_async_registry_handler()

    answers = await asyncio.gather(*(handler({"number": number}, CTX) for number in range(3)))

    assert [answer["output"]["result"] for answer in answers] == [0, 1, 2]


def test_of_two_specs_with_one_name_the_last_counts() -> None:
    other = node(lambda payload: Count(count=99), name="count", input_model=Text, output_model=Count)

    assert build_registry(count, other)["count"]({"text": "a"}, CTX)["output"] == {"count": 99}


# --- catalog ---------------------------------------------------------------------------------------------------------


def test_a_catalog_lists_contracts_in_order() -> None:
    catalog = NodeCatalog.from_specs(later, count)

    assert [entry.name for entry in catalog.entries()] == ["later", "count"]
    assert NodeCatalogEntry.from_spec(count) == NodeCatalogEntry(
        name="count",
        display_name=None,
        description="Count the letters.",
        outcomes=("ok",),
        input_schema=Text.model_json_schema(),
        output_schema=Count.model_json_schema(mode="serialization"),
    )
    (first, _) = catalog.as_mcp_payload()["nodes"]
    assert sorted(first) == ["description", "display_name", "input_schema", "name", "outcomes", "output_schema"]
    assert first["input_schema"]["properties"]["text"]["description"] == "What is read."


# --- imports ---------------------------------------------------------------------------------------------------------


def test_plain_nodes_never_import_pydantic(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(
        """
import sys
from dataclasses import dataclass
from typing import TypedDict
from wf_authoring import build_registry, node
from wf_core import RuntimeContext

@dataclass
class Point:
    x: int

class Words(TypedDict):
    words: list[str]

@node
def split(text: str, limit: int = 3) -> Words:
    return {"words": text.split()[:limit]}

@node
def move(point: Point, ctx: RuntimeContext) -> Point:
    return Point(point.x + 1)

@node
def drop(text: str) -> None: ...

registry = build_registry(split, move, drop)
context = RuntimeContext(current_node_id="n")
assert registry["split"]({"text": "a b"}, context)["output"] == {"words": ["a", "b"]}
assert registry["move"]({"x": 1}, context)["output"] == {"x": 2}
assert registry["drop"]({"text": "a"}, context)["output"] == {}
split.to_node_def()
assert "pydantic" not in sys.modules, "pydantic was imported"
assert split.input_model.__mro__[1].__name__ == "BaseModel"
assert "pydantic" in sys.modules
"""
    )
    subprocess.run([sys.executable, str(program)], check=True)
