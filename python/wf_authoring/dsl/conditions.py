"""Conditions as Python expressions: `(state("count") >= 3) & exists(state("name"))`."""

from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from wf_authoring.dsl.path_inputs import GRAPH_ROOTS
from wf_authoring.dsl.paths import GraphPath, rooted
from wf_core.models.conditions import (
    BinaryCondition,
    Condition,
    ExistsCondition,
    LiteralOperand,
    NotCondition,
    PathOperand,
    VariadicCondition,
)
from wf_core.paths import GraphSourcePath

Comparison: TypeAlias = Literal["eq", "ne", "gt", "ge", "lt", "le"]

_CONDITIONS = (BinaryCondition, ExistsCondition, NotCondition, VariadicCondition)


@dataclass(frozen=True)
class Expr:
    """A condition that can be combined with `&`, `|` and `~`.

    Attributes:
        condition: The condition as a document.

    Example:
        >>> (exists(state("name")) & (state("count") > 3)).to_condition().op
        'and'
    """

    condition: Condition

    def to_condition(self) -> Condition:
        """Return the condition as a document."""
        return self.condition

    def __and__(self, other: "Expr") -> "Expr":
        if not isinstance(other, Expr):
            return NotImplemented
        return self._combined("and", other)

    def __or__(self, other: "Expr") -> "Expr":
        if not isinstance(other, Expr):
            return NotImplemented
        return self._combined("or", other)

    def __invert__(self) -> "Expr":
        return Expr(NotCondition(op="not", arg=self.condition))

    def _combined(self, op: Literal["and", "or"], other: "Expr") -> "Expr":
        return Expr(VariadicCondition(op=op, args=[self.condition, other.condition]))


@dataclass(frozen=True, eq=False)
class PathExpr:
    """A graph path that can be compared.

    Comparing never compares: `state("count") == 3` is a condition for the run to decide.

    Attributes:
        source: The path.

    Example:
        >>> state("count").path
        'state.count'
        >>> (state("count") == 3).to_condition().op
        'eq'
    """

    source: GraphSourcePath

    @property
    def path(self) -> str:
        """The path as text."""
        return str(self.source)

    @property
    def __wf_path__(self) -> GraphSourcePath:
        return self.source

    def eq(self, other: Any) -> Expr:
        """Return the condition that the value equals another."""
        return self._compared("eq", other)

    def ne(self, other: Any) -> Expr:
        """Return the condition that the value differs from another."""
        return self._compared("ne", other)

    def gt(self, other: Any) -> Expr:
        """Return the condition that the value is greater than another."""
        return self._compared("gt", other)

    def ge(self, other: Any) -> Expr:
        """Return the condition that the value is at least another."""
        return self._compared("ge", other)

    def lt(self, other: Any) -> Expr:
        """Return the condition that the value is less than another."""
        return self._compared("lt", other)

    def le(self, other: Any) -> Expr:
        """Return the condition that the value is at most another."""
        return self._compared("le", other)

    def exists(self) -> Expr:
        """Return the condition that there is a value, `null` included."""
        return exists(self)

    def _compared(self, op: Comparison, other: Any) -> Expr:
        return Expr(BinaryCondition(op=op, left=PathOperand(path=self.source), right=_operand(other)))

    def __eq__(self, other: object) -> Expr:  # type: ignore[override] # a condition, not an answer
        return self.eq(other)

    def __ne__(self, other: object) -> Expr:  # type: ignore[override] # a condition, not an answer
        return self.ne(other)

    def __gt__(self, other: Any) -> Expr:
        return self.gt(other)

    def __ge__(self, other: Any) -> Expr:
        return self.ge(other)

    def __lt__(self, other: Any) -> Expr:
        return self.lt(other)

    def __le__(self, other: Any) -> Expr:
        return self.le(other)

    def __hash__(self) -> int:
        return hash((PathExpr, self.source))

    def __str__(self) -> str:
        return self.path


def state(first: Any = None, *parts: str) -> PathExpr:
    """Return a comparable path into the state.

    Example:
        >>> state("person.name").path
        'state.person.name'
    """
    return PathExpr(rooted("state", first, parts))


def input(first: Any = None, *parts: str) -> PathExpr:  # noqa: A001 - the spec's name
    """Return a comparable path into the workflow's input.

    Example:
        >>> input("text").path
        'input.text'
    """
    return PathExpr(rooted("input", first, parts))


def context(first: Any = None, *parts: str) -> PathExpr:
    """Return a comparable path into the run's context.

    Example:
        >>> context("item").path
        'context.item'
    """
    return PathExpr(rooted("context", first, parts))


def expr(value: PathExpr | GraphPath) -> PathExpr:
    """Return a comparable path from a path.

    Raises:
        TypeError: The value is no path.

    Example:
        >>> from wf_authoring import state_path
        >>> expr(state_path("count")).path
        'state.count'
    """
    if isinstance(value, PathExpr):
        return value
    if isinstance(value, GraphPath):
        return PathExpr(value.path)
    raise TypeError(f"expected a PathExpr or GraphPath, not {type(value).__name__}\nhint: use {_rooted_names()}")


def exists(value: PathExpr | GraphPath) -> Expr:
    """Return the condition that there is a value at a path, `null` included.

    Example:
        >>> exists(state("name")).to_condition().op
        'exists'
    """
    return Expr(ExistsCondition(op="exists", path=expr(value).source))


def not_(value: Condition | Expr) -> Expr:
    """Return the condition that another does not hold.

    Example:
        >>> not_(exists(state("name"))).to_condition().op
        'not'
    """
    return Expr(NotCondition(op="not", arg=compile_condition(value)))


def compile_condition(value: Condition | Expr) -> Condition:
    """Return a condition as a document.

    Raises:
        TypeError: The value is no condition.
    """
    if isinstance(value, Expr):
        return value.condition
    if isinstance(value, _CONDITIONS):
        return value
    raise TypeError(
        f"expected a condition, not {type(value).__name__}\n"
        'hint: compare a path, for example state("count") >= 3, or use exists(...)'
    )


def _operand(value: Any) -> PathOperand | LiteralOperand:
    source = getattr(value, "__wf_path__", None)
    if isinstance(source, GraphSourcePath):
        return PathOperand(path=source)
    if isinstance(value, Expr):
        raise TypeError("a condition is no operand\nhint: combine conditions with & and |, each in parentheses")
    return LiteralOperand(value=value)


def _rooted_names() -> str:
    return ", ".join(f"{root}(...)" for root in GRAPH_ROOTS)
