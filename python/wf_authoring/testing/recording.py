"""Handlers that remember their calls, and answer from a script where the test says so."""

import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from wf_authoring.nodes.spec import NodeSpec
from wf_authoring.testing.replies import Later


@dataclass
class NodeCall:
    """One call of a node.

    Attributes:
        node: The node's name.
        payload: What it was given.
        context: The runtime context.
        answer: What it answered; `None` while it runs or when it failed.
        error: What it raised.
    """

    node: str
    payload: dict[str, Any]
    context: Any
    answer: Any = None
    error: BaseException | None = None


@dataclass
class _Script:
    """The replies of one node; the last one repeats."""

    replies: list[Any] = field(default_factory=list)

    def next(self) -> Any:
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]


class RecordingRegistry(Mapping[str, Any]):
    """A registry that records every call.

    Attributes:
        calls: The calls in the order in which they began.

    Example:
        >>> registry = RecordingRegistry()
        >>> registry.reply("demo.fetch", {"text": "hello"})
        >>> registry["demo.fetch"]({"url": "a"}, None)
        {'text': 'hello'}
        >>> registry.payloads("demo.fetch")
        [{'url': 'a'}]
    """

    def __init__(
        self,
        handlers: Mapping[str, Any] | Iterable[NodeSpec[Any, Any]] = (),
        *,
        calls: list[NodeCall] | None = None,
        scripts: dict[str, _Script] | None = None,
    ) -> None:
        if not isinstance(handlers, Mapping):
            handlers = {spec.name: spec.to_handler() for spec in handlers}
        self._handlers = dict(handlers)
        self._scripts = {} if scripts is None else scripts
        self.calls: list[NodeCall] = [] if calls is None else calls

    def over(self, handlers: Mapping[str, Any]) -> "RecordingRegistry":
        """Return a registry over other handlers that shares this one's script and calls."""
        return RecordingRegistry({**self._handlers, **handlers}, calls=self.calls, scripts=self._scripts)

    def reply(self, node: str, *replies: Any) -> None:
        """Let a node answer from a script: each call takes the next reply, and the last one repeats.

        Args:
            node: The node's name.
            replies: An output, a `NodeResult`-like mapping with `outcome` and `output`, an exception to raise, or one
                of these `after` some virtual time.

        Raises:
            TypeError: No reply is given.
        """
        if not replies:
            raise TypeError(f"a script for {node!r} needs at least one reply")
        self._scripts[node] = _Script(list(replies))

    def payloads(self, node: str) -> list[dict[str, Any]]:
        """Return what a node was given, call by call."""
        return [call.payload for call in self.calls if call.node == node]

    def __getitem__(self, name: str) -> Any:
        if name not in self._handlers and name not in self._scripts:
            raise KeyError(name)
        return self._recorded(name)

    def __iter__(self) -> Iterator[str]:
        return iter({**self._handlers, **self._scripts})

    def __len__(self) -> int:
        return len({**self._handlers, **self._scripts})

    def _recorded(self, name: str) -> Any:
        handler = self._handlers.get(name)

        def record(payload: dict[str, Any], context: Any) -> Any:
            call = NodeCall(name, payload, context)
            self.calls.append(call)
            try:
                answer = self._answer(name, handler, payload, context)
            except BaseException as error:
                call.error = error
                raise
            if inspect.isawaitable(answer):
                return _awaited(call, answer)
            call.answer = answer.reply if isinstance(answer, Later) else answer
            return answer

        if getattr(handler, "__wf_blocking__", False):
            record.__wf_blocking__ = True  # type: ignore[attr-defined] # as wf_core.blocking marks it
        return record

    def _answer(self, name: str, handler: Any, payload: dict[str, Any], context: Any) -> Any:
        script = self._scripts.get(name)
        if script is None:
            return handler(payload, context)
        reply = script.next()
        if isinstance(reply, BaseException):
            raise reply
        if isinstance(reply, type) and issubclass(reply, BaseException):
            raise reply
        return reply


async def _awaited(call: NodeCall, answer: Any) -> Any:
    try:
        call.answer = await answer
    except BaseException as error:
        call.error = error
        raise
    return call.answer
