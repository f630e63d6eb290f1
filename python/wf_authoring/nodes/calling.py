"""How a node's function is called: where its payload and its context go."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal

Call = Callable[[Any, Any], Any]
Binding = Literal["", "instance", "class"]


@dataclass(frozen=True, slots=True)
class CallShape:
    """Which arguments a node function takes, and how.

    Attributes:
        payload: `single` when the function takes the whole payload as one value, `fields` when each field is a
            parameter of its own.
        payload_name: The parameter of a single payload; `None` passes it by position.
        context_name: The parameter that takes the context; `None` when there is none or it goes by position.
        context_position: The position of the context among positional arguments, or `None`.
        fields: The parameters that take fields.
        positional: The fields that can only be passed by position, in order, with their defaults.
        binds: What a method that is not bound yet is bound to; empty for everything else.
    """

    payload: Literal["single", "fields"] = "single"
    payload_name: str | None = None
    context_name: str | None = None
    context_position: int | None = None
    fields: tuple[str, ...] = ()
    positional: tuple[tuple[str, Any], ...] = ()
    binds: Binding = ""

    @property
    def accepts_context(self) -> bool:
        """Whether the function takes the runtime context."""
        return self.context_name is not None or self.context_position is not None

    def bind(self, fn: Callable[..., Any]) -> Call:
        """Return a callable of `(decoded payload, context)` that calls the function."""
        if self.payload == "fields":
            return self._bind_fields(fn)
        return self._bind_single(fn)

    def _bind_single(self, fn: Callable[..., Any]) -> Call:
        def call(payload: Any, context: Any) -> Any:
            arguments = [payload] if self.payload_name is None else []
            if self.context_position is not None:
                arguments.insert(self.context_position, context)
            keywords = {} if self.payload_name is None else {self.payload_name: payload}
            if self.context_name is not None:
                keywords[self.context_name] = context
            return fn(*arguments, **keywords)

        return call

    def _bind_fields(self, fn: Callable[..., Any]) -> Call:
        context_name, context_position = self.context_name, self.context_position
        if not self.positional and context_position is None:
            if context_name is None:
                return lambda values, _context: fn(**values)

            def call_with_context(values: dict[str, Any], context: Any) -> Any:
                values[context_name] = context
                return fn(**values)

            return call_with_context
        positional = self.positional

        def call(values: dict[str, Any], context: Any) -> Any:
            rest = dict(values)
            arguments = [rest.pop(name, default) for name, default in positional]
            if context_position is not None:
                arguments.insert(context_position, context)
            elif context_name is not None:
                rest[context_name] = context
            return fn(*arguments, **rest)

        return call
