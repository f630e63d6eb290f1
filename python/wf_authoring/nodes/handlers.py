"""From an author's function to a handler of the engine: `(payload, context) -> {"outcome", "output"}`.

What does not depend on the payload is decided once, when the handler is made.
"""

import inspect
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from wf_authoring.contracts import OutputContract
from wf_authoring.contracts.inputs import InputContract
from wf_authoring.contracts.outputs import UnsupportedOutputError
from wf_authoring.nodes.calling import Call
from wf_authoring.nodes.results import NodeReturn
from wf_core import RuntimeContext

SyncRegistryHandler = Callable[[dict[str, Any], RuntimeContext], dict[str, Any]]
"""What `execute_workflow` calls for a node."""

AsyncRegistryHandler = Callable[[dict[str, Any], RuntimeContext], Awaitable[dict[str, Any]]]
"""What `execute_workflow_async` awaits for a node."""

Finish = Callable[[Any], dict[str, Any]]


def sync_handler(payload: InputContract, call: Call, finish: Finish) -> SyncRegistryHandler:
    """Return the general handler of a function that gives its result at once."""
    decode = payload.decode

    def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        return finish(call(decode(payload), ctx))

    return handler


def async_handler(payload: InputContract, call: Call, finish: Finish) -> AsyncRegistryHandler:
    """Return the general handler of a function whose result is awaited."""
    decode = payload.decode

    async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        return finish(await call(decode(payload), ctx))

    return handler


def inline_handler(handler: SyncRegistryHandler) -> AsyncRegistryHandler:
    """Return an async handler that runs a sync one on the event loop."""

    async def run(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        return handler(payload, ctx)

    return run


def threaded_handler(handler: SyncRegistryHandler) -> AsyncRegistryHandler:
    """Return an async handler that runs a blocking one in a thread, with the caller's context variables."""

    async def run(payload: dict[str, Any], ctx: RuntimeContext) -> dict[str, Any]:
        # With it comes asyncio, which takes longer to import than all of this package.
        from wf_core.runtime.threads import in_thread

        return await in_thread(handler, payload, ctx)

    return run


def finisher(
    name: str,
    default: str,
    output: OutputContract,
    by_outcome: Mapping[str, OutputContract],
) -> Finish:
    """Return what turns a function's result into the handler's answer.

    Args:
        name: The node's name, for errors.
        default: Its default outcome.
        output: Its output contract.
        by_outcome: The contracts of outcomes that have types of their own.
    """
    encode = output.encode
    encoders = {outcome: contract.encode for outcome, contract in by_outcome.items()}
    default_encode = encoders.get(default, encode)

    def finish(result: Any) -> dict[str, Any]:
        if type(result) is NodeReturn or isinstance(result, NodeReturn):
            try:
                return {"outcome": result.outcome, "output": encoders.get(result.outcome, encode)(result.output)}
            except UnsupportedOutputError as error:
                raise TypeError(_unsupported(name, result.output, error, in_return=True)) from error.__cause__
        try:
            return {"outcome": default, "output": default_encode(result)}
        except UnsupportedOutputError as error:
            message = _unsupported(name, result, error, in_return=False)
            if inspect.iscoroutine(result):
                result.close()
            raise TypeError(message) from error.__cause__

    if output.accepts_anything:
        return _refusing_awaitables(name, finish)
    return finish


def _refusing_awaitables(name: str, finish: Finish) -> Finish:
    """Refuse a forgotten `await` where the output type would take any value."""

    def checked(result: Any) -> dict[str, Any]:
        if inspect.isawaitable(result):
            message = _unsupported(name, result, None, in_return=False)
            if inspect.iscoroutine(result):
                result.close()
            raise TypeError(message)
        return finish(result)

    return checked


def _unsupported(name: str, value: Any, error: Exception | None, *, in_return: bool) -> str:
    kind = type(value).__qualname__
    what = "NodeReturn with unsupported output" if in_return else "unsupported value"
    message = f"node {name!r} returned {what} {kind!r}"
    if inspect.isawaitable(value):
        return f"{message}\nhint: its result was not awaited; write `async def`, or pass is_async=True"
    if error is not None and error.__cause__ is not None:
        return f"{message}: {error.__cause__}"
    return message
