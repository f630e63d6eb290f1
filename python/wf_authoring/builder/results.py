"""What the routing methods of a builder return."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

StepRef = Any
"""A step, or its id."""

BranchRef = Any
"""A step, its id, or a `NodeSpec`, which becomes a fresh step."""


@dataclass(frozen=True)
class BranchResult:
    """The steps that the outcomes of one step lead to.

    Attributes:
        source: The id of the step that branches.
        targets: The id of the next step by outcome.
    """

    source: str
    targets: Mapping[str, str]

    def __getitem__(self, outcome: str) -> str:
        return self.targets[outcome]


@dataclass(frozen=True)
class HandleResult:
    """The step that several outcomes lead to.

    Attributes:
        target: The id of that step.
        branches: The steps and outcomes that lead there.
    """

    target: str
    branches: tuple[tuple[str, str], ...]


class CaseTargets(Mapping[Any, str]):
    """Ids of steps by JSON value; `1`, `True` and `"1"` are three cases, `1` and `1.0` are one.

    Example:
        >>> targets = CaseTargets([(1, "one"), (True, "yes")], default="other")
        >>> targets[True], targets[1.0], targets["default"]
        ('yes', 'one', 'other')
    """

    def __init__(self, cases: Iterable[tuple[Any, str]], *, default: str) -> None:
        self._targets = {case_key(case): (case, target) for case, target in cases}
        self.default = default

    def __getitem__(self, case: Any) -> str:
        found = self._targets.get(case_key(case))
        if found is not None:
            return found[1]
        if case == "default":
            return self.default
        raise KeyError(case)

    def __iter__(self) -> Iterator[Any]:
        for case, _ in self._targets.values():
            yield case
        if case_key("default") not in self._targets:
            yield "default"

    def __len__(self) -> int:
        return len(self._targets) + (case_key("default") not in self._targets)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Mapping) or len(other) != len(self):
            return NotImplemented
        return list(self.items()) == list(other.items()) or dict(self.items()) == dict(other.items())

    __hash__ = None  # type: ignore[assignment] # compared by content

    def __repr__(self) -> str:
        return repr(list(self.items()))


def case_key(value: Any) -> tuple[str, Any]:
    """Return a key that two values share exactly when JSON calls them equal.

    Example:
        >>> case_key(1) == case_key(1.0), case_key(1) == case_key(True)
        (True, False)
    """
    if value is None or isinstance(value, bool):
        return ("constant", repr(value))
    if isinstance(value, int | float):
        return ("number", value)
    if isinstance(value, str):
        return ("string", value)
    if isinstance(value, Mapping):
        return ("object", frozenset((key, case_key(item)) for key, item in value.items()))
    if isinstance(value, Sequence):
        return ("array", tuple(case_key(item) for item in value))
    return (type(value).__name__, id(value))


@dataclass(frozen=True)
class DecisionResult:
    """The conditions that a decision became, and where they lead.

    Attributes:
        entry: The id of the first condition.
        conditions: The ids of all of them, in order.
        targets: The id of the next step by case.
    """

    entry: str
    conditions: tuple[str, ...]
    targets: Mapping[Any, str]

    def __getitem__(self, case: Any) -> str:
        return self.targets[case]
