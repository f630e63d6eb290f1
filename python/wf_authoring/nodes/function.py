"""`NodeFunction`: a node that is still called as the function it was made of."""

import dataclasses
import functools
import inspect
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Concatenate, Generic, ParamSpec, TypeVar, cast, overload

from wf_authoring.nodes.spec import NodeSpec

if TYPE_CHECKING:
    from typing import Self

P = ParamSpec("P")
P2 = ParamSpec("P2")
R = TypeVar("R")
R2 = TypeVar("R2")
S = TypeVar("S")


class NodeFunction(NodeSpec[Any, Any], Generic[P, R]):
    """What `@node` makes of a function: a node that is still called as the function was.

    Example:
        >>> from wf_authoring import node
        >>> @node
        ... def greet(name: str) -> str:
        ...     return f"hello {name}"
        >>> greet("Ada")
        'hello Ada'
    """

    if TYPE_CHECKING:
        __name__: str
        __qualname__: str
        __wrapped__: Callable[P, R]

        @overload
        def __get__(self, instance: None, owner: type | None = None) -> "Self": ...

        @overload
        def __get__(
            self: "NodeFunction[Concatenate[S, P2], R2]", instance: S, owner: type | None = None
        ) -> "NodeFunction[P2, R2]": ...

        @overload
        def __get__(self, instance: object, owner: type | None = None) -> "Self": ...

        def __get__(self, instance: Any, owner: type | None = None) -> Any: ...

    else:

        def __get__(self, instance: Any, owner: type | None = None) -> Any:
            """Bind a node that was made of a method to the instance it is read from."""
            if self.call is None or not self.call.binds:
                return self
            target = owner if self.call.binds == "class" else instance
            if target is None:
                return self
            bound = self.fn.__get__(target)
            return self.replace(fn=bound, call=dataclasses.replace(self.call, binds=""))

    def __post_init__(self) -> None:
        functools.update_wrapper(cast("Callable[..., Any]", self), self.fn, updated=())
        if self.is_async and sys.version_info >= (3, 12):
            inspect.markcoroutinefunction(self)

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle by name, as a function is."""
        found: Any = sys.modules.get(self.__module__)
        for part in self.__qualname__.split("."):
            found = getattr(found, part, None)
        return self.__qualname__ if found is self else super().__reduce__()

    def __call__(self, *args: P.args, **kwargs: P.kwargs) -> R:  # type: ignore[override] # called as itself
        """Call the function itself.

        A single payload may also be followed by a context that the function does not take, as for any `NodeSpec`.

        Raises:
            TypeError: The arguments do not fit, or the context is missing.
        """
        shape = self.call
        if shape is None or shape.payload == "fields" or shape.binds:
            return cast("R", self.fn(*args, **kwargs))
        given = len(args) + len(kwargs)
        if self.accepts_context:
            if given == 1 or ("ctx" in kwargs and kwargs["ctx"] is None):
                raise TypeError(f"node {self.name!r} requires RuntimeContext")
            return cast("R", self.fn(*args, **kwargs))
        if given == 2 and (len(args) == 2 or "ctx" in kwargs):  # noqa: PLR2004 - payload and an unwanted context
            kwargs.pop("ctx", None)
            return cast("R", self.fn(*args[:1], **kwargs))
        return cast("R", self.fn(*args, **kwargs))
