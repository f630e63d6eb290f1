"""What a function's parameters say about the payload of its node."""

import inspect
import types
import typing
from collections.abc import Callable, Sequence
from functools import partial
from inspect import Parameter
from typing import Any, Union, get_args, get_origin

from wf_authoring.contracts import Field, FieldSet, InputContract, input_contract, models
from wf_authoring.contracts.fields import REQUIRED
from wf_authoring.contracts.inputs import ParametersInput, field_names
from wf_authoring.contracts.plain import plain_type
from wf_authoring.nodes.annotations import Annotated, Unresolved, underlying
from wf_authoring.nodes.calling import Binding, CallShape
from wf_authoring.nodes.docstrings import parameter_descriptions
from wf_authoring.nodes.wording import STRUCTURED, checked, generated_title, listed, written
from wf_core import RuntimeContext

_VARIADIC = {Parameter.VAR_POSITIONAL, Parameter.VAR_KEYWORD}


class ParameterReader:
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
            raise TypeError(
                f"node function {self.name!r} takes the runtime context twice: {names}\nhint: keep one of them"
            )
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
            contract = checked(
                lambda: input_contract(annotation, self.found.namespace), self.name, f"parameter {inputs[0].name!r}"
            )
            return contract, self._single(inputs[0])
        return self._from_parameters(inputs), self._fields(inputs)

    def explicit(self, model: Any) -> tuple[InputContract, CallShape]:
        """Use the given model; the signature only says how the function wants its fields."""
        contract = checked(lambda: input_contract(model, self.found.namespace), self.name, "input_model")
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
            f"{listed([item.name for item in self.parameters]) or 'nothing'}\n"
            f"hint: take the payload as one parameter, or name the parameters after the fields of "
            f"{models.type_name(model)} ({listed(names)})"
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
                f"{written(annotation)}\nhint: write `{item.name}: RuntimeContext`, or rename the parameter"
            )
        if annotation is Parameter.empty:
            raise TypeError(
                f"node payload annotation must be {STRUCTURED}: parameter {item.name!r} of {self.name!r} "
                f"has no annotation\nhint: annotate it, for example `{item.name}: str`, or pass input_model=..."
            )
        if isinstance(annotation, Unresolved):
            raise TypeError(
                f"node payload annotation must be {STRUCTURED}: parameter {item.name!r} of {self.name!r} is annotated "
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
        result = FieldSet(f"{generated_title(self.fn)}Input", fields, module=module)
        if not result.is_plain:
            for one in fields:
                if plain_type(one.annotation) is None:
                    checked(partial(models.check_field, one.name, one.annotation), self.name, f"parameter {one.name!r}")
            checked(lambda: result.model, self.name, "parameters")
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
        positional = tuple((item.name, item.default) for item in inputs if item.kind is Parameter.POSITIONAL_ONLY)
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
    if _is_union(annotation):
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
    return (
        bool(scope)
        and not scope.endswith("<locals>")
        and first.name in {"self", "cls"}
        and (first.annotation is Parameter.empty)
    )


def _is_union(annotation: Any) -> bool:
    return get_origin(annotation) in {Union, types.UnionType}
