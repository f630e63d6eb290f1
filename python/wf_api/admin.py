"""What operators do: the operations of the control plane, as the engine room defines them."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any

from _wf._native.api import Control
from wf_api._arguments import operation, refusal
from wf_api._waiting import Json, off_loop

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Mapping

    from wf_api.operation_context import WorkflowOperationContext

__all__ = ["WorkflowAdminApi"]


class WorkflowAdminApi:
    """Every operation of `wf.admin`, each as a coroutine of its name with keyword arguments.

    What is decided here is kept in the store with an event that says when, who, and how it was before and after; it
    holds at once and after a restart. A change made by another process holds here after the next operation.

    Attributes:
        actor: Who acts, for the events.

    Example:
        >>> import asyncio, tempfile
        >>> from wf_server import build_local_static_workflow_server
        >>> server = build_local_static_workflow_server(tempfile.mkdtemp())
        >>> asyncio.run(server.admin.disable_source(source_id="wf.recipes"))
        {'source_id': 'wf.recipes', 'enabled': False, 'changed': True}
    """

    def __init__(self, context: WorkflowOperationContext, *, actor: str = "local") -> None:
        """Stands on a context, and acts on behalf of `actor`."""
        self._control = Control(context.application)
        self.actor = actor
        self._names = frozenset(row["name"] for row in self.operations())

    @staticmethod
    def operations() -> list[Json]:
        """Return the table: name, title, description, permission, and the schemas of arguments and result."""
        return Control.operations()

    @operation
    async def run(self, name: str, arguments: Mapping[str, Any] | None = None, *, actor: str | None = None) -> Json:
        """Execute an operation by its name.

        Args:
            name: The operation, as in `operations()`.
            arguments: Its arguments.
            actor: Who acts; `self.actor` unless given.

        Raises:
            OperationError: There is no such operation, or it refuses (a `ValueError`); the hint says what to do.
            DocumentError: The arguments do not have the form of its schema; each problem has a path.
            UnknownNameError: There is no such source (a `KeyError`); the hint names those that come close.
            PlatformRuleError: A rule of the platform refuses it (a `ValueError`).
        """
        return await off_loop(self._control.run, name, {} if arguments is None else arguments, actor or self.actor)

    def __getattr__(self, name: str) -> Callable[..., Awaitable[Json]]:
        """Return the operation of a name as a coroutine function."""
        if name.startswith("_") or name not in self._names:
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        return partial(self._call, name)

    def __dir__(self) -> list[str]:
        return sorted({*super().__dir__(), *self._names})

    async def _call(self, name: str, /, *positional: object, **arguments: Any) -> Json:
        if positional:
            raise refusal(name, "takes keyword arguments only")
        return await self.run(name, arguments)
