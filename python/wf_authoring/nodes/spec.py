"""`NodeSpec`: the contract of a node together with the function that fulfils it."""

import dataclasses
import functools
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from wf_authoring.contracts import InputContract, OutputContract, UnionOutput, input_contract, output_contract
from wf_authoring.contracts.base import Contract
from wf_authoring.nodes.calling import CallShape
from wf_authoring.nodes.fused import fused_handler
from wf_authoring.nodes.handlers import (
    AsyncRegistryHandler,
    SyncRegistryHandler,
    async_handler,
    finisher,
    inline_handler,
    sync_handler,
    threaded_handler,
)
from wf_core import NodeDef, RuntimeContext, SchemaRef
from wf_core import blocking as mark_blocking

if TYPE_CHECKING:
    from typing import Self

InputModel = TypeVar("InputModel")
OutputModel = TypeVar("OutputModel")
_MISSING: Any = object()


class _ContractField:
    """A dataclass field that holds a class or the contract made of it, and shows the class."""

    def __set_name__(self, owner: type, name: str) -> None:
        self._name = name
        self._slot = f"_{name}"

    def __get__(self, instance: Any, owner: type | None = None) -> Any:
        if instance is None:
            raise AttributeError(self._name)
        held = instance.__dict__[self._slot]
        return cast("Any", held).model if isinstance(held, Contract) else held

    def __set__(self, instance: Any, value: Any) -> None:
        instance.__dict__[self._slot] = value
        instance.__dict__.pop(f"{self._slot}_contract", None)


@dataclass(eq=False, repr=False)
class NodeSpec(Generic[InputModel, OutputModel]):
    """The contract of a node and the function that fulfils it.

    Attributes:
        name: The name under which workflows use it; may contain dots.
        input_model: The class of the payload. Of a node with plain parameters it is a generated model.
        output_model: The class of the output. Of a node with a plain result it is a generated model.
        outcomes: What it may answer; the first is the default.
        fn: The author's function.
        description: What it does.
        is_async: Whether the function's result must be awaited.
        accepts_context: Whether the function takes the runtime context.
        input_schema_contract: A JSON Schema that stands in the contract instead of the model's.
        output_schema_contract: The same for the output.
        retry: Its retry policy: a number of retries, or a policy as a mapping.
        timeout_seconds: Its time limit.
        blocking: Whether async runs call a sync function in a thread.
        call: How the function takes payload and context; left out, `(payload)` or `(payload, ctx)`.
        outcome_models: The output's class per outcome, where they differ.
        native: A handler that runs in the engine itself.

    Example:
        >>> from wf_authoring import node
        >>> @node
        ... def double(value: int) -> int:
        ...     return value * 2
        >>> double(value=4)
        8
        >>> double.outcomes
        ('ok',)
    """

    name: str
    if TYPE_CHECKING:
        input_model: Any
        output_model: Any
    else:
        input_model: Any = _ContractField()
        output_model: Any = _ContractField()
    outcomes: tuple[str, ...]
    fn: Callable[..., Any]
    description: str | None = None
    is_async: bool = False
    accepts_context: bool = True
    input_schema_contract: dict[str, Any] | None = None
    output_schema_contract: dict[str, Any] | None = None
    retry: int | Mapping[str, Any] | None = None
    timeout_seconds: float | None = None
    blocking: bool = False
    call: CallShape | None = None
    outcome_models: Mapping[str, Any] | None = None
    native: Any = None

    def __post_init__(self) -> None:
        """Hook for subclasses."""

    def __call__(self, payload: Any, ctx: RuntimeContext | None = None) -> Any:
        """Call the function with a payload as its model, not as JSON.

        Args:
            payload: An instance of the input model.
            ctx: The runtime context, when the function takes it.

        Returns:
            What the function returns; an awaitable when it is async.

        Raises:
            TypeError: The function takes a context and none is given.
        """
        if self.accepts_context and ctx is None:
            raise TypeError(f"node {self.name!r} requires RuntimeContext")
        if self.call is not None and self.call.payload == "fields":
            return self._shape.bind(self.fn)(_values(payload, self.call.fields), ctx)
        return self._shape.bind(self.fn)(payload, ctx)

    def __repr__(self) -> str:
        text = f"{type(self).__name__}(name={self.name!r}, outcomes={self.outcomes!r}"
        for flag in ("is_async", "accepts_context", "blocking"):
            text += f", {flag}=True" if getattr(self, flag) else ""
        return f"{text})"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, NodeSpec):
            return NotImplemented
        return self._key() == other._key()

    def __hash__(self) -> int:
        return hash((NodeSpec, id(self.fn)))

    def _key(self) -> tuple[Any, ...]:
        plain = tuple(
            getattr(self, item.name)
            for item in dataclasses.fields(NodeSpec)
            if item.name not in {"input_model", "output_model"}
        )
        return (self.input_contract.identity, self.output_contract.identity, *plain)

    def replace(self, **changes: Any) -> "Self":
        """Return a copy with some fields changed; models that nobody asked for stay unmade.

        Example:
            >>> from wf_authoring import ops
            >>> ops.length.replace(name="count").name
            'count'
        """
        values: dict[str, Any] = {item.name: getattr(self, item.name) for item in _other_fields()}
        values["input_model"] = self.__dict__["_input_model"]
        values["output_model"] = self.__dict__["_output_model"]
        values.update(changes)
        return type(self)(**values)

    def snapshot(self) -> tuple[Any, ...]:
        """Return what the node holds now, for those who keep something made of it; makes no models."""
        return (
            self.__dict__["_input_model"],
            self.__dict__["_output_model"],
            *(getattr(self, item.name) for item in _other_fields()),
        )

    @property
    def input_contract(self) -> InputContract:
        """How a payload becomes what the function takes."""
        known = self.__dict__.get("_input_model_contract")
        if known is None:
            held = self.__dict__["_input_model"]
            parameters = self.call.fields if self.call is not None and self.call.payload == "fields" else None
            known = held if isinstance(held, Contract) else input_contract(held, parameters=parameters)
            self.__dict__["_input_model_contract"] = known
        return cast("InputContract", known)

    @property
    def output_contract(self) -> OutputContract:
        """How what the function returned becomes an output."""
        known = self.__dict__.get("_output_model_contract")
        if known is None:
            held = self.__dict__["_output_model"]
            known = held if isinstance(held, Contract) else _contract_of(held, self.name)
            self.__dict__["_output_model_contract"] = known
        return cast("OutputContract", known)

    @property
    def input_schema(self) -> dict[str, Any]:
        """The JSON Schema of the payload, as it stands in the contract."""
        return self.input_contract.schema if self.input_schema_contract is None else self.input_schema_contract

    @property
    def output_schema(self) -> dict[str, Any]:
        """The JSON Schema of the output, as it stands in the contract."""
        return self.output_contract.schema if self.output_schema_contract is None else self.output_schema_contract

    def to_node_def(self) -> NodeDef:
        """Return the contract as a document.

        Raises:
            TypeError: A schema is not that of an object.
        """
        return NodeDef(
            name=self.name,
            input_schema=SchemaRef.model_validate(_object_schema(self, "input", self.input_schema)),
            output_schema=SchemaRef.model_validate(_object_schema(self, "output", self.output_schema)),
            outcomes=list(self.outcomes),
            retry=retry_document(self.retry),
            timeout_seconds=self.timeout_seconds,
        )

    def to_registry_handler(self) -> SyncRegistryHandler:
        """Return the handler for the blocking engine.

        Raises:
            TypeError: The function is async.
        """
        if self.native is not None:
            return cast("SyncRegistryHandler", self.native)
        if self.is_async:
            raise TypeError(
                f"node {self.name!r} is async and cannot be exported to the sync registry\n"
                "hint: use to_async_registry_handler() or build_async_registry(...)"
            )
        return cast("SyncRegistryHandler", self._fused())

    def to_async_registry_handler(self) -> AsyncRegistryHandler:
        """Return the handler for the asyncio engine; a blocking function runs in a thread."""
        if self.native is not None:
            return cast("AsyncRegistryHandler", self.native)
        if self.is_async:
            return cast("AsyncRegistryHandler", self._fused())
        handler = self.to_registry_handler()
        return threaded_handler(handler) if self.blocking else inline_handler(handler)

    def to_handler(self) -> Callable[[dict[str, Any], RuntimeContext], Any]:
        """Return the handler that either engine takes, in the form that costs it least.

        Both engines run coroutine handlers, and call sync ones without a coroutine around them; the asyncio engine
        calls a sync handler in a thread when it is marked as blocking.
        """
        if self.native is not None or self.is_async:
            return self.to_async_registry_handler()
        handler = self.to_registry_handler()
        return mark_blocking(handler) if self.blocking else handler

    @property
    def _shape(self) -> CallShape:
        shape = self.call
        if shape is None:
            return CallShape(context_position=1 if self.accepts_context else None)
        if shape.binds:
            raise TypeError(
                f"node {self.name!r} is a method and has no instance yet\n"
                "hint: take the node from an instance, for example `build_registry(service.method)`"
            )
        return shape

    def _fused(self) -> Callable[[dict[str, Any], Any], Any]:
        shape, payload = self._shape, self.input_contract
        by_outcome = {outcome: _contract_of(model, self.name) for outcome, model in (self.outcome_models or {}).items()}
        default = self.outcomes[0] if self.outcomes else "ok"
        output = by_outcome.get(default, self.output_contract)
        finish = finisher(self.name, default, self.output_contract, by_outcome)
        general = async_handler if self.is_async else sync_handler
        return fused_handler(
            self.name,
            self.fn,
            shape,
            payload,
            output,
            default=default,
            slow=general(payload, shape.bind(self.fn), finish),
            finish=finish,
            is_async=self.is_async,
        )


@functools.cache
def _other_fields() -> tuple["dataclasses.Field[Any]", ...]:
    return tuple(item for item in dataclasses.fields(NodeSpec) if item.name not in {"input_model", "output_model"})


def _values(payload: Any, names: tuple[str, ...]) -> dict[str, Any]:
    """Return the fields of a payload that is a model, a dataclass or a mapping."""
    if isinstance(payload, Mapping):
        return {name: payload[name] for name in names if name in payload}
    known = getattr(type(payload), "__wf_fields__", None)
    if known is not None:
        return cast("dict[str, Any]", known.values_of(payload))
    return {name: getattr(payload, name) for name in names if hasattr(payload, name)}


def _contract_of(model: Any, name: str) -> OutputContract:
    from typing import get_args

    from wf_authoring.nodes.returns import is_union

    title = "".join(part.capitalize() for part in name.replace(".", "_").split("_")) + "Output"
    if is_union(model):
        return UnionOutput([output_contract(item, title) for item in get_args(model)])
    return output_contract(model, title)


def _object_schema(spec: NodeSpec[Any, Any], side: str, schema: Mapping[str, Any]) -> Mapping[str, Any]:
    kind = schema.get("type")
    if kind is None or kind == "object":
        return schema
    raise TypeError(
        f"node {spec.name!r}: its {side} must be a JSON object, but its schema describes {kind!r}\n"
        "hint: put the value into a field of a model"
    )


def retry_document(retry: int | Mapping[str, Any] | None) -> int | dict[str, Any] | None:
    """Return a retry policy as it stands in a document; exception classes become their names.

    Example:
        >>> retry_document({"retries": 2, "errors": [ConnectionError]})
        {'retries': 2, 'errors': ['ConnectionError']}
    """
    if retry is None or isinstance(retry, int):
        return retry
    policy = dict(retry)
    if "errors" in policy:
        policy["errors"] = [item.__name__ if isinstance(item, type) else item for item in policy["errors"]]
    return policy
