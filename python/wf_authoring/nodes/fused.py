"""Handlers written as one function each.

A handler runs once per step, so it should cost little more than the author's function. Composed of closures it
costs three or four calls of its own; written out as one function, with every parameter taken by name, it costs
one. This is the way in which `dataclasses` writes `__init__`.

What the written function does not expect, such as a missing field or a result of another type, it leaves to two
general functions: `slow` for the payload, `finish` for the result.
"""

from collections.abc import Callable
from typing import Any

from wf_authoring.contracts.fields import REQUIRED
from wf_authoring.contracts.inputs import InputContract, ModelInput, ParametersInput
from wf_authoring.contracts.outputs import ModelOutput, NothingOutput, OutputContract, ResultOutput
from wf_authoring.contracts.plain import NotPlainError
from wf_authoring.nodes.calling import CallShape

Handler = Callable[[dict[str, Any], Any], Any]


class _Writer:
    """Collects the lines of a function and the objects that they name."""

    def __init__(self, head: str) -> None:
        self.lines = [head]
        self.names: dict[str, Any] = {"NotPlainError": NotPlainError}

    def add(self, depth: int, line: str) -> None:
        """Add a line."""
        self.lines.append("    " * depth + line)

    def keep(self, stem: str, value: Any) -> str:
        """Keep an object and return the name by which lines find it."""
        name = f"_{stem}{len(self.names)}"
        self.names[name] = value
        return name

    def made(self, file: str) -> Handler:
        """Return the function."""
        exec(compile("\n".join(self.lines), file, "exec"), self.names)  # noqa: S102 - our own text, see above
        handler: Handler = self.names["handler"]
        return handler


def fused_handler(
    name: str,
    fn: Callable[..., Any],
    shape: CallShape,
    payload: InputContract,
    output: OutputContract,
    *,
    default: str,
    slow: Handler,
    finish: Callable[[Any], dict[str, Any]],
    is_async: bool,
) -> Handler:
    """Return the handler of a node.

    Args:
        name: The node's name, for tracebacks.
        fn: The author's function.
        shape: How it takes payload and context.
        payload: The input contract.
        output: The contract of the default outcome.
        default: The default outcome.
        slow: The handler for payloads that are not exactly of the declared types.
        finish: Turns any result into an answer.
        is_async: Whether the result is awaited, also that of `slow`.
    """
    writer = _Writer(f"{'async ' if is_async else ''}def handler(payload, context):")
    writer.names.update(fn=fn, slow=slow, finish=finish, default=default)
    waiting = "await " if is_async else ""
    if isinstance(payload, ParametersInput):
        arguments = _write_fields(writer, payload, shape, waiting)
    else:
        arguments = _write_payload(writer, payload, shape, waiting)
    writer.add(1, f"result = {waiting}fn({', '.join(arguments)})")
    _write_answer(writer, output)
    writer.add(1, "return finish(result)")
    return writer.made(f"<node {name}>")


def _write_fields(writer: _Writer, payload: ParametersInput, shape: CallShape, waiting: str) -> list[str]:
    """Take every parameter from the payload; return the arguments of the call."""
    rows = payload.rows()
    if rows is None:  # pydantic takes them
        writer.names["decode"] = payload.decode
        writer.add(1, "values = decode(payload)")
        positional = [f"values.pop({name!r}, {writer.keep('default', value)})" for name, value in shape.positional]
        keywords = [] if shape.context_name is None else [f"{shape.context_name}=context"]
        return [*_with_context(positional, shape), *keywords, "**values"]
    places = {}
    if rows:
        writer.add(1, "try:")
    for number, (field, kind) in enumerate(rows):
        local = places[field.name] = f"value{number}"
        depth = 2
        if field.default is not REQUIRED:
            writer.add(2, f"{local} = {writer.keep('default', field.default)}")
            writer.add(2, f"if {field.name!r} in payload:")
            depth = 3
        writer.add(depth, f"{local} = payload[{field.name!r}]")
        take = writer.keep("take", kind.take)
        if kind.exact is None:
            writer.add(depth, f"{local} = {take}({local})")
        else:
            writer.add(depth, f"if type({local}) is not {writer.keep('type', kind.exact)}:")
            writer.add(depth + 1, f"{local} = {take}({local})")
    if rows:
        writer.add(1, "except (KeyError, NotPlainError):")
        writer.add(2, f"return {waiting}slow(payload, context)")
    first = [name for name, _ in shape.positional]
    keywords = [f"{name}={place}" for name, place in places.items() if name not in first]
    if shape.context_name is not None:
        keywords.append(f"{shape.context_name}=context")
    return _with_context([places[name] for name in first], shape) + keywords


def _with_context(positional: list[str], shape: CallShape) -> list[str]:
    if shape.context_position is None:
        return positional
    return [*positional[: shape.context_position], "context", *positional[shape.context_position :]]


def _write_payload(writer: _Writer, payload: InputContract, shape: CallShape, waiting: str) -> list[str]:
    """Make the payload's value; return the arguments of the call."""
    if isinstance(payload, ModelInput) and payload.validator is not None:
        writer.names["check"] = payload.validator.validate_python
        writer.add(1, "try:")
        writer.add(2, "value = check(payload)")
        writer.add(1, "except ValueError:")
        writer.add(2, f"return {waiting}slow(payload, context)")
    else:
        writer.names["decode"] = payload.decode
        writer.add(1, "value = decode(payload)")
    if shape.payload == "fields":
        keywords = [] if shape.context_name is None else [f"{shape.context_name}=context"]
        positional = [f"value.pop({name!r}, {writer.keep('default', value)})" for name, value in shape.positional]
        return [*_with_context(positional, shape), *keywords, "**value"]
    arguments = ["value"] if shape.payload_name is None else []
    if shape.context_position is not None:
        arguments.insert(shape.context_position, "context")
    if shape.payload_name is not None:
        arguments.append(f"{shape.payload_name}=value")
    if shape.context_name is not None:
        arguments.append(f"{shape.context_name}=context")
    return arguments


def _write_answer(writer: _Writer, output: OutputContract) -> None:
    """Answer a result of exactly the declared type at once."""
    if isinstance(output, NothingOutput):
        writer.add(1, "if result is None:")
        writer.add(2, 'return {"outcome": default, "output": {}}')
    elif isinstance(output, ResultOutput) and output.exact is not None:
        writer.add(1, f"if type(result) is {writer.keep('type', output.exact)}:")
        writer.add(2, 'return {"outcome": default, "output": {"result": result}}')
    elif isinstance(output, ModelOutput) and output.dump is not None:
        writer.names["dump"] = output.dump
        writer.add(1, f"if type(result) is {writer.keep('type', output.model)}:")
        writer.add(2, 'return {"outcome": default, "output": dump(result)}')
