"""Handlers that answer what a case file says, for the blocking and for the asyncio driver."""

from __future__ import annotations

import asyncio
import builtins
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from wf_core import ReducerSpec, RuntimeContext
from wf_core.reducers import ReducerDefinition

Reply = dict[str, Any]
Handler = Callable[[dict[str, Any], RuntimeContext], Any]

NEVER = 3600.0
TURNS = 5


@dataclass
class Script:
    """The replies of a case, consumed in call order; the last one repeats, and a step wins over its contract.

    Attributes:
        replies: Step id or contract name to replies.
        newest_first: Of several calls in flight the newest answers first (asyncio only).
        calls: How many calls there were.
    """

    replies: dict[str, list[Reply]]
    newest_first: bool = False
    calls: int = 0
    _taken: Counter[str] = field(default_factory=Counter)
    _waiting: list[asyncio.Future[None]] = field(default_factory=list)
    _releasing: bool = False

    def take(self, name: str, ctx: RuntimeContext) -> Reply:
        """The reply to the next call of a contract by a step."""
        self.calls += 1
        key = ctx.current_node_id if ctx.current_node_id in self.replies else name
        replies = self.replies[key]
        reply = replies[min(self._taken[key], len(replies) - 1)]
        self._taken[key] += 1
        return reply

    def blocking(self, name: str) -> Handler:
        """A handler for the blocking driver; one that must time out is a coroutine there too."""
        if any(reply.get("timeout") for replies in self.replies.values() for reply in replies):
            return self.overlapping(name)

        def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
            return answer(self.take(name, ctx), payload, ctx)

        return handler

    def overlapping(self, name: str) -> Handler:
        """A handler for the asyncio driver."""

        async def handler(payload: dict[str, Any], ctx: RuntimeContext) -> Any:
            reply = self.take(name, ctx)
            if reply.get("timeout"):
                await asyncio.sleep(NEVER)
            if self.newest_first:
                await self._turn()
            return answer(reply, payload, ctx)

        return handler

    async def _turn(self) -> None:
        loop = asyncio.get_running_loop()
        mine: asyncio.Future[None] = loop.create_future()
        self._waiting.append(mine)
        if not self._releasing:
            self._releasing = True
            loop.call_soon(self._release, len(self._waiting), 0)
        await mine

    def _release(self, seen: int, quiet: int) -> None:
        """Lets the newest call go once no further call has come for some turns of the loop."""
        loop = asyncio.get_running_loop()
        if len(self._waiting) != seen:
            loop.call_soon(self._release, len(self._waiting), 0)
        elif quiet < TURNS:
            loop.call_soon(self._release, seen, quiet + 1)
        else:
            newest = self._waiting.pop()
            if not newest.done():
                newest.set_result(None)
            self._releasing = bool(self._waiting)
            if self._releasing:
                loop.call_soon(self._release, len(self._waiting), 0)


def answer(reply: Reply, payload: dict[str, Any], ctx: RuntimeContext) -> Any:
    """What the handler returns, or raises."""
    if "error" in reply:
        kind = getattr(builtins, reply["error"]["type"])
        raise kind(reply["error"]["message"])
    if "raw" in reply:
        return reply["raw"]
    return {"outcome": reply["outcome"], "output": filled(reply.get("output", {}), payload, ctx)}


def filled(template: Any, payload: dict[str, Any], ctx: RuntimeContext) -> Any:
    """The output with what it copies from the payload and from the context."""
    match template:
        case {"$input": str(path)}:
            found: Any = payload
            for key in path.split("."):
                found = found[key]
            return found
        case {"$attempt": True}:
            return ctx.retry_count
        case dict():
            return {key: filled(value, payload, ctx) for key, value in template.items()}
        case list():
            return [filled(value, payload, ctx) for value in template]
        case _:
            return template


def _sum_mod(current: Any, incoming: Any, config: dict[str, Any]) -> Any:
    return ((current or 0) + incoming) % config.get("mod", 10)


def _join(current: Any, incoming: Any, _: dict[str, Any]) -> Any:
    return f"{current},{incoming}" if isinstance(current, str) and isinstance(incoming, str) else incoming


def _raise(_current: Any, _incoming: Any, _config: dict[str, Any]) -> Any:
    raise ValueError("reducer failed")


DOES = {"sum_mod": _sum_mod, "join": _join, "raise": _raise}


def reducers(scripted: dict[str, Any]) -> dict[str, ReducerDefinition]:
    """The custom reducers of a case; `tests/cases/README.md` says what each word of `does` means."""
    return {
        name: ReducerDefinition(
            ReducerSpec.model_validate({"name": name, **reducer["spec"]}), DOES[reducer["does"]], accepts_config=True
        )
        for name, reducer in scripted.items()
    }
