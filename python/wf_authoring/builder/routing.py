"""The methods of the builder that say what follows what."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from wf_authoring.builder.deprecation import warn_deprecated
from wf_authoring.builder.ids import slug_id
from wf_authoring.builder.origins import author_line
from wf_authoring.builder.parts import step_id
from wf_authoring.builder.results import (
    BranchRef,
    BranchResult,
    CaseTargets,
    DecisionResult,
    HandleResult,
    StepRef,
    case_key,
)
from wf_authoring.builder.steps import StepMethods, condition_base
from wf_authoring.dsl.bindings import input_expression, input_value
from wf_authoring.dsl.conditions import Expr, PathExpr, compile_condition, expr
from wf_authoring.dsl.paths import GraphPath
from wf_authoring.nodes.spec import NodeSpec
from wf_core import END
from wf_core.models.conditions import Condition

Cases = Mapping[Any, BranchRef] | Iterable[tuple[Any, BranchRef]]


class _NoDefault:
    """Stands for the default branch that fails the run."""

    def __repr__(self) -> str:
        return "runtime_error"


RUNTIME_ERROR: Any = _NoDefault()
"""The default of a decision that names none: the run fails with a message that names the decision."""


class RoutingMethods(StepMethods):
    """Connects steps."""

    def connect(self, from_: BranchRef, outcome: str, to: BranchRef) -> tuple[str, str]:
        """Let an outcome of a step lead to another step; a node becomes a fresh step.

        Returns:
            The ids of both steps.

        Raises:
            TypeError: One of them is no step.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> builder.connect(builder.join(id="a"), "done", builder.end())
            ('a', 'end_ok')
        """
        source = self._resolve(from_)
        target = self._resolve(to)
        self._add_edge(source, outcome, target)
        return source, target

    def branch(self, from_: BranchRef, branches: Mapping[str, BranchRef]) -> BranchResult:
        """Let each outcome of a step lead to a step of its own.

        Raises:
            ValueError: No branch is given.

        Example:
            >>> from wf_authoring import WorkflowBuilder, state
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> check = builder.condition(check=state("n") > 3)
            >>> builder.branch(check, {"true": builder.end(), "false": builder.end("low")})["false"]
            'end_low'
        """
        if not branches:
            raise ValueError("WorkflowBuilder.branch requires at least one branch")
        source = self._resolve(from_)
        targets: dict[str, str] = {}
        for outcome, target in branches.items():
            targets[outcome] = self._resolve(target)
            self._add_edge(source, outcome, targets[outcome])
        return BranchResult(source, targets)

    def handle(self, *branches: tuple[BranchRef, str], to: BranchRef) -> HandleResult:
        """Let several outcomes lead to one step.

        Raises:
            ValueError: No branch is given.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> one, two = builder.join(id="one"), builder.join(id="two")
            >>> builder.handle((one, "done"), (two, "done"), to=builder.end()).branches
            (('one', 'done'), ('two', 'done'))
        """
        if not branches:
            raise ValueError("WorkflowBuilder.handle requires at least one branch")
        target = self._resolve(to)
        found: list[tuple[str, str]] = []
        for source, outcome in branches:
            resolved = self._resolve(source)
            self._add_edge(resolved, outcome, target)
            found.append((resolved, outcome))
        return HandleResult(target, tuple(found))

    def match(
        self,
        value: PathExpr | GraphPath,
        cases: Cases,
        *,
        id: str | None = None,  # noqa: A002 - the spec's name
        default: BranchRef = RUNTIME_ERROR,
    ) -> DecisionResult:
        """Choose the step whose case equals a value, as JSON compares: `1`, `true` and `"1"` are three cases.

        Args:
            value: The path of the value.
            cases: The steps by case; pairs where a mapping would take two cases for one.
            id: The first condition's id. Default: the path.
            default: The step when no case matches. Default: the run fails.

        Raises:
            ValueError: No case is given, or two are equal.

        Example:
            >>> from wf_authoring import WorkflowBuilder, state
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> decision = builder.match(
            ...     state("kind"), {"a": builder.end(), "b": builder.end("b")}, default=builder.end("c")
            ... )
            >>> decision.conditions
            ('state_kind', 'state_kind_2')
            >>> decision["b"]
            'end_b'
        """
        subject = expr(value)
        pairs = list(cases.items() if isinstance(cases, Mapping) else cases)
        if not pairs:
            raise ValueError("WorkflowBuilder.match requires at least one case")
        _reject_equal([case for case, _ in pairs])
        base = id or slug_id(subject.path)
        clauses = [(subject.eq(case), base, target) for case, target in pairs]
        fallback = _Fallback(f"no case of {base!r} matches", {"value": subject})
        decision, targets, last = self._chain(clauses, default, fallback)
        found = CaseTargets(zip([case for case, _ in pairs], targets, strict=True), default=last)
        return DecisionResult(decision[0], decision, found)

    def when(
        self,
        condition: Condition | Expr,
        *,
        then: BranchRef,
        otherwise: BranchRef = RUNTIME_ERROR,
        id: str | None = None,  # noqa: A002 - the spec's name
    ) -> DecisionResult:
        """Choose between two steps by a condition.

        Args:
            condition: What decides.
            then: The step when it holds.
            otherwise: The step when it does not. Default: the run fails.
            id: The condition's id.

        Example:
            >>> from wf_authoring import WorkflowBuilder, exists, state
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> builder.when(exists(state("a")), then=builder.end(), otherwise=builder.end("none"))[False]
            'end_none'
        """
        step = self.condition(id=id, check=condition)
        yes = self._resolve(then)
        no = self._default(otherwise, _Fallback(f"condition {step.id!r} does not hold", {}))
        self._add_edge(step.id, "true", yes)
        self._add_edge(step.id, "false", no)
        return DecisionResult(step.id, (step.id,), {True: yes, False: no})

    def choose(
        self,
        *clauses: tuple[Condition | Expr, BranchRef],
        default: BranchRef = RUNTIME_ERROR,
        id: str | None = None,  # noqa: A002 - the spec's name
    ) -> DecisionResult:
        """Choose the step of the first condition that holds.

        Args:
            clauses: Conditions with their steps, in the order they are asked.
            default: The step when none holds. Default: the run fails.
            id: The first condition's id.

        Raises:
            ValueError: No clause is given.

        Example:
            >>> from wf_authoring import WorkflowBuilder, state
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> builder.choose(
            ...     (state("n") > 10, builder.end("many")), (state("n") > 0, builder.end("some")), default=builder.end()
            ... )[1]
            'end_some'
        """
        if not clauses:
            raise ValueError("WorkflowBuilder.choose requires at least one clause")
        base = id or condition_base(compile_condition(clauses[0][0]))
        chain = [(condition, base, target) for condition, target in clauses]
        decision, targets, last = self._chain(chain, default, _Fallback(f"no clause of {base!r} holds", {}), late=True)
        by_index: dict[Any, str] = dict(enumerate(targets))
        by_index["default"] = last
        return DecisionResult(decision[0], decision, by_index)

    def route(
        self,
        value: PathExpr | Expr,
        cases: Mapping[Any, BranchRef],
        *,
        id: str | None = None,  # noqa: A002 - the spec's name
        default: BranchRef = RUNTIME_ERROR,
    ) -> DecisionResult:
        """Deprecated: use `match` for a path, `when` for a condition.

        Raises:
            ValueError: No case is given, or a case of a condition is neither `True` nor `False`.

        Example:
            >>> import warnings
            >>> from wf_authoring import WorkflowBuilder, state
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> with warnings.catch_warnings():
            ...     warnings.simplefilter("ignore")
            ...     builder.route(state("n"), {1: builder.end()}, default=builder.end("other"))[1]
            'end_ok'
        """
        warn_deprecated("WorkflowBuilder.route is deprecated; use match(...) for values or when(...) for conditions")
        if not cases:
            raise ValueError("WorkflowBuilder.route requires at least one case")
        if isinstance(value, PathExpr):
            return self.match(value, cases, id=id, default=default)
        if any(not isinstance(case, bool) for case in cases):
            raise ValueError("condition route cases must be boolean True/False keys")
        return self.when(value, then=cases.get(True, default), otherwise=cases.get(False, default), id=id)

    def set_entry_point(self, step_or_id: BranchRef) -> None:
        """Say where the workflow starts.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> builder.set_entry_point(builder.end())
            >>> builder.start
            'end_ok'
        """
        self.start = self._resolve(step_or_id)
        self._origins.start = author_line()

    def _resolve(self, ref: BranchRef) -> str:
        if isinstance(ref, NodeSpec):
            return self.use(ref).id
        if ref is RUNTIME_ERROR:
            return self._default(ref, _Fallback("this branch must not be taken", {}))
        return step_id(ref)

    def _chain(
        self,
        clauses: Sequence[tuple[Any, str, BranchRef]],
        default: BranchRef,
        fallback: "_Fallback",
        *,
        late: bool = False,
    ) -> tuple[tuple[str, ...], list[str], str]:
        """Add one condition per clause, each asked when those before it do not hold."""
        last = None if late else self._default(default, fallback)
        conditions: list[str] = []
        targets: list[str] = []
        for check, base, target in clauses:
            step = self.condition(id=self._new_id(None, base), check=check)
            if conditions:
                self._add_edge(conditions[-1], "false", step.id)
            targets.append(self._resolve(target))
            self._add_edge(step.id, "true", targets[-1])
            conditions.append(step.id)
        if last is None:
            last = self._default(default, fallback)
        self._add_edge(conditions[-1], "false", last)
        return tuple(conditions), targets, last

    def _default(self, ref: BranchRef, fallback: "_Fallback") -> str:
        """Resolve a default branch; the one that fails the run is bound and closed, so that it validates."""
        from wf_authoring import ops

        if ref is not RUNTIME_ERROR and ref is not ops.runtime_error:
            return self._resolve(ref)
        step = self.use(
            ops.runtime_error,
            input=[input_value("message", fallback.message), input_expression("details", fallback.details)],
            output=[],
        )
        # The node always raises; its outcome still needs a way out.
        self._add_edge(step.id, "ok", END if "ok" in self.outcomes else self.end(self.outcomes[0]).id)
        return step.id


class _Fallback:
    """What the run says when it fails in a default branch."""

    def __init__(self, message: str, details: Mapping[str, Any]) -> None:
        self.message = message
        self.details = dict(details)


def _reject_equal(cases: Sequence[Any]) -> None:
    seen: dict[Any, Any] = {}
    for case in cases:
        key = case_key(case)
        if key in seen:
            raise ValueError(f"WorkflowBuilder.match has two equal cases: {seen[key]!r} and {case!r}")
        seen[key] = case


__all__ = ["RUNTIME_ERROR", "Cases", "RoutingMethods", "StepRef"]
