"""From a function's signature to the contract of a node.

Every refusal is a `TypeError` that names the function, the parameter and what to write instead.
"""

import inspect
import types
import typing
from collections.abc import Awaitable, Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from inspect import Parameter
from typing import Any, Union, get_args, get_origin

from wf_authoring.contracts import (
    Field,
    FieldSet,
    InputContract,
    OutputContract,
    UnionOutput,
    input_contract,
    models,
    output_contract,
)
from wf_authoring.contracts.fields import REQUIRED
from wf_authoring.contracts.inputs import ParametersInput, field_names
from wf_authoring.contracts.plain import plain_type
from wf_authoring.nodes.annotations import Annotated, Unresolved, annotated, underlying
from wf_authoring.nodes.calling import Binding, CallShape
from wf_authoring.nodes.docstrings import parameter_descriptions
from wf_authoring.nodes.results import NodeReturn
from wf_core import RuntimeContext

_VARIADIC = {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}
_STRUCTURED = "a pydantic BaseModel subclass, a dataclass, a TypedDict, or parameters of plain JSON types"


@dataclass(frozen=True, slots=True)
class Inferred:
    """What a function's signature says about its node.

    Attributes:
        input: The payload's contract.
        output: The output's contract.
        shape: How the function is called.
        is_async: Whether its result must be awaited.
    """

    input: InputContract
    output: OutputContract
    shape: CallShape
    is_async: bool


def infer(
    fn: Callable[..., Any],
    *,
    input_model: Any = None,
    output_model: Any = None,
    outcome_models: Mapping[str, Any] | None = None,
    binds: Binding = "",
) -> Inferred:
    """Infer the contract of a node from a function; models that are given win over the signature.

    Raises:
        TypeError: The signature does not say what the node takes and gives.
    """
    found = annotated(fn)
    name = display_name(fn)
    reject_generators(fn, name)
    reader = _Parameters(fn, name, found, binds)
    if input_model is not None:
        payload, shape = reader.explicit(input_model)
    else:
        payload, shape = reader.infer()
    returns, awaits = _awaited(found.returns)
    title = f"{_title(fn)}Output"
    by_outcome = [
        _checked(lambda model=model: output_contract(model, title, found.namespace), name, f"outcome {outcome!r}")
        for outcome, model in (outcome_models or {}).items()
    ]
    if output_model is not None:
        output = _checked(lambda: output_contract(output_model, title, found.namespace), name, "output_model")
    elif by_outcome:
        output = _one_or_union(by_outcome)
    else:
        output = _infer_output(returns, name, title, found.namespace)
    return Inferred(payload, output, shape, inspect.iscoroutinefunction(fn) or _async_call(fn) or awaits)


def display_name(fn: Callable[..., Any]) -> str:
    """Return the name of a callable for error messages."""
    base = underlying(fn)
    return str(getattr(base, "__qualname__", None) or getattr(fn, "__name__", None) or repr(fn)).replace("<locals>.", "")


def reject_generators(fn: Callable[..., Any], name: str) -> None:
    """Refuse generators: a node gives one result."""
    base = underlying(fn)
    if inspect.isgeneratorfunction(base) or inspect.isasyncgenfunction(base):
        raise TypeError(
            f"node function {name!r} is a generator; a node gives one result\n"
            "hint: collect the values and return them as a list"
        )


def _async_call(fn: Callable[..., Any]) -> bool:
    call = getattr(type(fn), "__call__", None)  # noqa: B004 - the method itself is wanted
    return not inspect.isfunction(fn) and inspect.iscoroutinefunction(call)


def _title(fn: Callable[..., Any]) -> str:
    name = getattr(fn, "__name__", None) or getattr(underlying(fn), "__name__", None) or "node"
    return "".join(part[:1].upper() + part[1:] for part in str(name).strip("<>").split("_") if part) or "Node"


class _Parameters:
    """Reads the parameters of one function."""

    def __init__(self, fn: Callable[..., Any], name: str, found: Annotated, binds: Binding) -> None:
        self.fn = fn
        self.name = name
        self.found = found
        parameters = list(found.signature.parameters.values())
        self.binds: Binding = binds or ("instance" if _is_unbound_method(fn, parameters) else "")
        if self.binds:
            parameters = parameters[1:]
        fixed = getattr(fn, "keywords", {}) if hasattr(fn, "func") else {}
        self.parameters = [item for item in parameters if item.name not in fixed]
        self.context = self._context()

    def _context(self) -> Parameter | None:
        matches = [item for item in self.parameters if is_context(self.found.parameters[item.name])]
        if len(matches) > 1:
            names = ", ".join(repr(item.name) for item in matches)
            raise TypeError(f"node function {self.name!r} takes the runtime context twice: {names}\nhint: keep one of them")
        if matches and matches[0].kind in _VARIADIC:
            raise TypeError(
                f"node context parameter must be positional: {matches[0]} of {self.name!r} is variadic\n"
                "hint: write `ctx: RuntimeContext`"
            )
        return matches[0] if matches else None

    @property
    def inputs(self) -> list[Parameter]:
        """The parameters besides the context."""
        return [item for item in self.parameters if item is not self.context]

    def infer(self) -> tuple[InputContract, CallShape]:
        """Infer the payload from the annotations."""
        inputs = self.inputs
        for item in inputs:
            self._check(item)
        if len(inputs) == 1 and models.is_structured(self.found.parameters[inputs[0].name]):
            annotation = self.found.parameters[inputs[0].name]
            contract = _checked(
                lambda: input_contract(annotation, self.found.namespace), self.name, f"parameter {inputs[0].name!r}"
            )
            return contract, self._single(inputs[0])
        return self._from_parameters(inputs), self._fields(inputs)

    def explicit(self, model: Any) -> tuple[InputContract, CallShape]:
        """Use the given model; the signature only says how the function wants its fields."""
        contract = _checked(lambda: input_contract(model, self.found.namespace), self.name, "input_model")
        inputs = [item for item in self.inputs if item.kind not in _VARIADIC]
        required = [item for item in inputs if item.default is Parameter.empty]
        if not inputs and self.inputs:
            return contract, CallShape(binds=self.binds)
        names = field_names(model)
        spread = bool(inputs) and all(item.name in names for item in required)
        if len(inputs) == 1 and plain_type(self.found.parameters[inputs[0].name]) is None:
            spread = False
        if spread and (len(inputs) > 1 or len(required) == 1):
            used = [item for item in inputs if item.name in names]
            spread_contract = input_contract(model, self.found.namespace, parameters=[item.name for item in used])
            return spread_contract, self._fields(used)
        if len(required) == 1 or (len(inputs) == 1 and not required):
            return contract, self._single((required or inputs)[0])
        if len(inputs) == 2 and self.context is None:  # noqa: PLR2004 - payload and context
            return contract, CallShape(context_position=1, binds=self.binds)
        if len(required) == 2 and self.context is None:  # noqa: PLR2004 - payload and context
            return contract, CallShape(context_position=1, binds=self.binds)
        raise TypeError(
            f"node function must accept (payload) or (payload, ctx): {self.name!r} takes "
            f"{_listed([item.name for item in self.parameters]) or 'nothing'}\n"
            f"hint: take the payload as one parameter, or name the parameters after the fields of "
            f"{models.type_name(model)} ({_listed(names)})"
        )

    def _check(self, item: Parameter) -> None:
        annotation = self.found.parameters[item.name]
        if item.kind in _VARIADIC:
            raise TypeError(
                f"node payload parameter must be positional: {item} of {self.name!r} is variadic\n"
                "hint: name each input field as a parameter of its own"
            )
        if item.name in {"ctx", "context"} and not _plain_context_name(item, annotation):
            raise TypeError(
                f"node context annotation must be wf_core.RuntimeContext: parameter {item.name!r} of {self.name!r} "
                f"{_written(annotation)}\nhint: write `{item.name}: RuntimeContext`, or rename the parameter"
            )
        if annotation is Parameter.empty:
            raise TypeError(
                f"node payload annotation must be {_STRUCTURED}: parameter {item.name!r} of {self.name!r} "
                f"has no annotation\nhint: annotate it, for example `{item.name}: str`, or pass input_model=..."
            )
        if isinstance(annotation, Unresolved):
            raise TypeError(
                f"node payload annotation must be {_STRUCTURED}: parameter {item.name!r} of {self.name!r} is annotated "
                f"with {annotation.text}, which cannot be resolved ({annotation.reason})\n"
                "hint: define or import that name before the node (not under TYPE_CHECKING), or pass input_model=..."
            )

    def _from_parameters(self, inputs: Sequence[Parameter]) -> InputContract:
        words = parameter_descriptions(inspect.getdoc(underlying(self.fn)) or "")
        fields = [
            Field(
                item.name,
                self.found.parameters[item.name],
                REQUIRED if item.default is Parameter.empty else item.default,
                words.get(item.name),
            )
            for item in inputs
        ]
        module = getattr(underlying(self.fn), "__module__", None) or __name__
        result = FieldSet(f"{_title(self.fn)}Input", fields, module=module)
        if not result.is_plain:
            for one in fields:
                if not one.has_field_info and plain_type(one.annotation) is None:
                    _checked(lambda one=one: models.adapter(one.annotation), self.name, f"parameter {one.name!r}")
            _checked(lambda: result.model, self.name, "parameters")
        return ParametersInput(result)

    def _single(self, item: Parameter) -> CallShape:
        payload_name = item.name if item.kind is Parameter.KEYWORD_ONLY else None
        if self.context is None:
            return CallShape(payload_name=payload_name, binds=self.binds)
        if self.context.kind is Parameter.KEYWORD_ONLY:
            return CallShape(payload_name=payload_name, context_name=self.context.name, binds=self.binds)
        first = self.parameters.index(self.context) == 0
        position = 0 if first or payload_name is not None else 1
        return CallShape(payload_name=payload_name, context_position=position, binds=self.binds)

    def _fields(self, inputs: Sequence[Parameter]) -> CallShape:
        positional = tuple(
            (item.name, item.default) for item in inputs if item.kind is Parameter.POSITIONAL_ONLY
        )
        context_name = context_position = None
        if self.context is not None:
            if self.context.kind is Parameter.POSITIONAL_ONLY:
                context_position = self.parameters.index(self.context)
            else:
                context_name = self.context.name
        return CallShape(
            "fields",
            fields=tuple(item.name for item in inputs),
            context_name=context_name,
            context_position=context_position,
            positional=positional,
            binds=self.binds,
        )


def is_context(annotation: Any) -> bool:
    """Whether an annotation is the runtime context, also when its name is known to the type checker only."""
    if annotation is RuntimeContext:
        return True
    if isinstance(annotation, Unresolved):
        return annotation.text.strip("'\" ").rpartition(".")[2] == "RuntimeContext"
    if get_origin(annotation) is typing.Annotated:
        return is_context(get_args(annotation)[0])
    if is_union(annotation):
        members = [item for item in get_args(annotation) if item is not types.NoneType]
        return len(members) == 1 and is_context(members[0])
    return False


def _plain_context_name(item: Parameter, annotation: Any) -> bool:
    """Whether a parameter called `context` is an input field after all, which its plain type shows."""
    return item.name == "context" and annotation is not Parameter.empty and not isinstance(annotation, Unresolved)


def _is_unbound_method(fn: Callable[..., Any], parameters: Sequence[Parameter]) -> bool:
    if not inspect.isfunction(fn) or not parameters:
        return False
    scope = fn.__qualname__.rpartition(".")[0]
    first = parameters[0]
    return bool(scope) and not scope.endswith("<locals>") and first.name in {"self", "cls"} and (
        first.annotation is Parameter.empty
    )


def _awaited(returns: Any) -> tuple[Any, bool]:
    """Look into `Awaitable[X]` and `Coroutine[..., X]`."""
    origin, args = get_origin(returns), get_args(returns)
    if origin is Awaitable and len(args) == 1:
        return args[0], True
    if origin is Coroutine and len(args) == 3:  # noqa: PLR2004 - yields, takes, returns
        return args[2], True
    return returns, False


def _infer_output(returns: Any, name: str, title: str, namespace: Mapping[str, Any]) -> OutputContract:
    if returns is inspect.Signature.empty:
        raise TypeError(
            f"node function must declare a return annotation: {name!r} declares none\n"
            "hint: write `-> None` when it gives no output, else its type"
        )
    if isinstance(returns, Unresolved):
        raise TypeError(
            f"node return annotation must be a BaseModel subclass or NodeReturn[BaseModel], a dataclass, a TypedDict or "
            f"a plain JSON type: {name!r} returns {returns.text}, which cannot be resolved ({returns.reason})\n"
            "hint: define or import that name before the node (not under TYPE_CHECKING), or pass output_model=..."
        )
    wrapped = _node_returns(returns)
    if wrapped is not None:
        return _one_or_union([_wrapped_output(item, name, title, namespace) for item in wrapped])
    if is_union(returns):
        raise TypeError(_union_message(returns, name))
    return _checked(lambda: output_contract(returns, title, namespace), name, "its result")


def _node_returns(returns: Any) -> list[Any] | None:
    """Return what `NodeReturn` wraps, for one or for a union of them; `None` for any other type."""
    if returns is NodeReturn:
        return [None]
    if get_origin(returns) is NodeReturn:
        return [get_args(returns)[0]]
    if is_union(returns):
        members = [_node_returns(item) for item in get_args(returns)]
        if all(item is not None for item in members):
            return [wrapped for item in members if item is not None for wrapped in item]
    return None


def _wrapped_output(wrapped: Any, name: str, title: str, namespace: Mapping[str, Any]) -> OutputContract:
    if isinstance(wrapped, typing.TypeVar | Unresolved):
        raise TypeError(
            f"NodeReturn return annotation must wrap a BaseModel subclass, a dataclass, a TypedDict or a plain JSON type: "
            f"{name!r} wraps {wrapped}\nhint: write for example `NodeReturn[str]`"
        )
    return _checked(
        lambda: output_contract(wrapped, title, namespace),
        name,
        "NodeReturn return annotation must wrap a BaseModel subclass or another type with a JSON form: its result",
    )


def _one_or_union(members: Sequence[OutputContract]) -> OutputContract:
    unique: list[OutputContract] = []
    for member in members:
        if all(other.identity != member.identity for other in unique):
            unique.append(member)
    return unique[0] if len(unique) == 1 else UnionOutput(unique)


def is_union(annotation: Any) -> bool:
    """Whether an annotation is a union, written either way."""
    return get_origin(annotation) in {Union, types.UnionType}


def _union_message(returns: Any, name: str) -> str:
    members = [item for item in get_args(returns) if item is not types.NoneType]
    names = [models.type_name(item) for item in members]
    optional = len(members) < len(get_args(returns))
    written = " | ".join([*names, *(["None"] if optional else [])])
    if optional and len(names) == 1:
        hint = (
            f'declare two outcomes, annotate `-> NodeReturn[{names[0]}] | NodeReturn[Nothing]`, and return '
            f'outcome("found", value) or outcome("missing"); or return a model with an optional field'
        )
    else:
        wrapped = " | ".join(f"NodeReturn[{item}]" for item in [*names, *(["Nothing"] if optional else [])])
        hint = f"declare one outcome per case and annotate `-> {wrapped}`; or return one model that has all the fields"
    return (
        f"node return annotation must be a BaseModel subclass or NodeReturn[BaseModel], a dataclass, a TypedDict or "
        f"a plain JSON type: {name!r} returns {written}\nhint: {hint}"
    )


T = typing.TypeVar("T")


def _checked(make: Callable[[], T], name: str, what: str) -> T:
    """Run a step of the inference; a refused type is reported with the function and the place."""
    try:
        return make()
    except (TypeError, NameError) as error:
        raise TypeError(
            f"{what} of node function {name!r}: {error}\n"
            "hint: use a pydantic model, a dataclass, a TypedDict or a type with a JSON form"
        ) from error


def _written(annotation: Any) -> str:
    if annotation is Parameter.empty:
        return "has no annotation"
    if isinstance(annotation, Unresolved):
        return f"is annotated with {annotation.text}"
    return f"is annotated with {models.type_name(annotation)}"


def _listed(names: Sequence[str]) -> str:
    return ", ".join(repr(name) for name in names)
