"""The methods of the builder that add steps."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, TypeAlias

from _wf._native.core import CapabilityRef
from wf_authoring.builder.deprecation import warn_deprecated
from wf_authoring.builder.ids import slug_id
from wf_authoring.builder.mapping import (
    InputBindingLike,
    OutputBindingLike,
    auto_input,
    auto_output,
    step_input,
    step_output,
)
from wf_authoring.builder.parts import WorkflowParts, step_id
from wf_authoring.builder.results import StepRef
from wf_authoring.dsl.conditions import Expr, compile_condition
from wf_authoring.dsl.path_inputs import PathInput, coerce_graph_path, coerce_state_path
from wf_authoring.nodes.annotations import underlying
from wf_authoring.nodes.spec import NodeSpec, retry_document
from wf_core import (
    ConditionNode,
    EndNode,
    ForeachConcurrentPolicy,
    ForeachItemErrorPolicy,
    ForeachNode,
    ForkNode,
    GatherNode,
    InterruptNode,
    JoinNode,
    NodeUse,
)
from wf_core.models.conditions import BinaryCondition, Condition, ExistsCondition, PathOperand
from wf_core.paths import GraphSourcePath

Retry: TypeAlias = int | Mapping[str, Any]
ErrorAction: TypeAlias = Literal["fail", "skip", "collect"]
ErrorPolicy: TypeAlias = ForeachItemErrorPolicy | ErrorAction | Mapping[str, Any]


class StepMethods(WorkflowParts):
    """Adds steps."""

    def use(
        self,
        spec: NodeSpec[Any, Any],
        *,
        id: str | None = None,  # noqa: A002 - the spec's name
        input: Iterable[InputBindingLike] | None = None,  # noqa: A002 - the spec's name
        output: Iterable[OutputBindingLike] | None = None,
        in_map: Mapping[Any, Any] | None = None,
        input_values: Mapping[Any, Any] | None = None,
        out_map: Mapping[Any, Any] | None = None,
        desc: str | None = None,
        retry: Retry | None = None,
        timeout_seconds: float | None = None,
    ) -> NodeUse:
        """Add a step that calls a node.

        What is not bound is bound by name: each field of the payload to the state field, else the input field, of
        its name; each field of the output to the state field of its name, where there is one.

        Args:
            spec: The node.
            id: The step's id. Default: the node's name.
            input: What fills the payload.
            output: Where the output goes.
            in_map: Deprecated form of `input`.
            input_values: Deprecated form of `input` for fixed values.
            out_map: Deprecated form of `output`.
            desc: A remark for readers. Default: the node's description.
            retry: Overrides the node's retry policy.
            timeout_seconds: Overrides the node's time limit.

        Returns:
            The step.

        Raises:
            TypeError: A binding is none, or both styles are mixed.
            ValueError: Another node of the same name is in use.

        Example:
            >>> from wf_authoring import WorkflowBuilder, input_from, node
            >>> @node
            ... def double(value: int) -> int:
            ...     return value * 2
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> builder.use(double, input=[input_from("input.n", "value")]).id
            'double'
        """
        if not isinstance(spec, NodeSpec):
            raise TypeError(f"use() takes a node, not {type(spec).__name__}: {spec!r}\nhint: decorate it with @node")
        bound_input = step_input(input, in_map, input_values)
        bound_output = step_output(output, out_map)
        if bound_input is None:
            bound_input = auto_input(spec.input_schema, self.state_schema, self.input_schema)
        if bound_output is None:
            bound_output = auto_output(spec.output_schema, self.state_schema)
        self._register(spec)
        return self._add(
            NodeUse(
                id=self._new_id(id, slug_id(spec.name)),
                node=spec.name,
                desc=desc or spec.description,
                input=bound_input,
                output=bound_output,
                retry=retry_document(retry),
                timeout_seconds=timeout_seconds,
            )
        )

    def _register(self, spec: NodeSpec[Any, Any]) -> None:
        known = self.node_specs.get(spec.name)
        if known is not None and known is not spec and _code(known) != _code(spec):
            raise ValueError(
                f"two nodes are called {spec.name!r} in workflow {self.name!r}\n"
                f'hint: give one of them another name, for example node({spec.name.split(".")[-1]}, name="...")'
            )
        self.node_specs[spec.name] = spec

    def use_ref(
        self,
        name: str | CapabilityRef,
        *,
        id: str | None = None,  # noqa: A002 - the spec's name
        input: Iterable[InputBindingLike] | None = None,  # noqa: A002 - the spec's name
        output: Iterable[OutputBindingLike] | None = None,
        in_map: Mapping[Any, Any] | None = None,
        input_values: Mapping[Any, Any] | None = None,
        out_map: Mapping[Any, Any] | None = None,
        desc: str | None = None,
        retry: Retry | None = None,
        timeout_seconds: float | None = None,
    ) -> NodeUse:
        """Add a step that calls a capability by name; its contract is found when the workflow is deployed.

        Args:
            name: The qualified name, such as `wf.std.length`.
            id: The step's id. Default: the name.
            input: What fills the payload.
            output: Where the output goes.
            in_map: Deprecated form of `input`.
            input_values: Deprecated form of `input` for fixed values.
            out_map: Deprecated form of `output`.
            desc: A remark for readers.
            retry: The retry policy.
            timeout_seconds: The time limit.

        Returns:
            The step.

        Raises:
            TypeError: A binding is none, or both styles are mixed.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> WorkflowBuilder("demo", {}, {}, {}).use_ref("wf.std.length").node
            'wf.std.length'
        """
        return self._add(
            NodeUse(
                id=self._new_id(id, slug_id(str(name))),
                node=str(name),
                desc=desc,
                input=step_input(input, in_map, input_values) or [],
                output=step_output(output, out_map) or [],
                retry=retry_document(retry),
                timeout_seconds=timeout_seconds,
            )
        )

    def end(self, outcome: str = "ok", *, id: str | None = None) -> EndNode:  # noqa: A002 - the spec's name
        """Add a step that ends the workflow with an outcome.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> WorkflowBuilder("demo", {}, {}, {}).end().id
            'end_ok'
        """
        return self._add(EndNode(id=self._new_id(id, f"end_{slug_id(outcome)}"), outcome=outcome))

    def join(self, *, id: str | None = None) -> JoinNode:  # noqa: A002 - the spec's name
        """Add a place where edges meet; its outcome is `done`.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> WorkflowBuilder("demo", {}, {}, {}).join().id
            'join'
        """
        return self._add(JoinNode(id=self._new_id(id, "join")))

    def condition(self, *, id: str | None = None, check: Condition | Expr) -> ConditionNode:  # noqa: A002 - the spec's name
        """Add a step that decides between the outcomes `true` and `false`.

        Example:
            >>> from wf_authoring import WorkflowBuilder, state
            >>> WorkflowBuilder("demo", {}, {}, {}).condition(check=state("count") > 3).id
            'state_count'
        """
        condition = compile_condition(check)
        return self._add(ConditionNode(id=self._new_id(id, condition_base(condition)), check=condition))

    def foreach(
        self,
        *,
        id: str | None = None,  # noqa: A002 - the spec's name
        over: PathInput,
        as_: str,
        mode: Literal["serial", "concurrent"] = "serial",
        item_error: ErrorPolicy | None = None,
        on_item_error: ErrorAction | None = None,
        concurrent: ForeachConcurrentPolicy | Mapping[str, Any] | None = None,
    ) -> ForeachNode:
        """Add a step that runs what its outcome `loop` leads to once per item of a list.

        Args:
            id: The step's id. Default: `foreach_` and the alias.
            over: The list: a path into the input or the state.
            as_: The context key that holds the item.
            mode: `serial` or `concurrent`.
            item_error: What a failing item does: `fail`, `skip`, or `collect` with a state list to collect into.
            on_item_error: Deprecated form of `item_error`.
            concurrent: The limits of concurrent mode.

        Returns:
            The step.

        Raises:
            TypeError: Both styles are mixed, or a path is none.
            ValueError: The policies do not fit each other.

        Example:
            >>> from wf_authoring import WorkflowBuilder, state_path
            >>> WorkflowBuilder("demo", {}, {}, {}).foreach(over=state_path("items"), as_="item").id
            'foreach_item'
        """
        if on_item_error is not None:
            if item_error is not None:
                raise TypeError("cannot mix item_error with deprecated on_item_error")
            warn_deprecated("on_item_error is deprecated; use item_error")
            item_error = on_item_error
        fields: dict[str, Any] = {
            "id": self._new_id(id, f"foreach_{slug_id(as_)}"),
            "over": coerce_graph_path(over),
            "as": as_,
            "mode": mode,
        }
        if item_error is not None:
            fields["item_error"] = error_policy(item_error, "foreach item_error.collect_to must be a state path")
        if concurrent is not None:
            fields["concurrent"] = dict(concurrent) if isinstance(concurrent, Mapping) else concurrent
        return self._add(ForeachNode(**fields))

    def fork(self, *branches: str, id: str | None = None) -> ForkNode:  # noqa: A002 - the spec's name
        """Add a step that starts one branch per outcome, side by side.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> WorkflowBuilder("demo", {}, {}, {}).fork("prices", "reviews").branches
            ['prices', 'reviews']
        """
        return self._add(ForkNode(id=self._new_id(id, "fork"), branches=list(branches)))

    def gather(
        self,
        of: StepRef,
        *,
        id: str | None = None,  # noqa: A002 - the spec's name
        wait: Literal["all", "any"] | int = "all",
        branch_error: ErrorPolicy | None = None,
    ) -> GatherNode:
        """Add the step where the branches of a fork meet.

        Args:
            of: The fork.
            id: The step's id. Default: `gather_` and the fork's id.
            wait: How many branches are waited for: `all`, `any` or a number.
            branch_error: What a failing branch does: `fail`, `skip`, or `collect` with a state list to collect into.

        Returns:
            The step; its outcomes are `done` and, unless branch errors fail, `completed_with_errors`.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> builder = WorkflowBuilder("demo", {}, {}, {})
            >>> builder.gather(builder.fork("a", "b"), wait="any").id
            'gather_fork'
        """
        fork = step_id(of)
        fields: dict[str, Any] = {"id": self._new_id(id, f"gather_{slug_id(fork)}"), "of": fork, "wait": wait}
        if branch_error is not None:
            fields["branch_error"] = error_policy(branch_error, "gather branch_error.collect_to must be a state path")
        return self._add(GatherNode(**fields))

    def interrupt(
        self,
        *,
        id: str | None = None,  # noqa: A002 - the spec's name
        kind: str,
        request: Iterable[InputBindingLike] | None = None,
        resume: Iterable[OutputBindingLike] | None = None,
        request_map: Mapping[Any, Any] | None = None,
        out_map: Mapping[Any, Any] | None = None,
        outcomes: Sequence[str] | None = None,
        request_schema: Any = None,
        resume_schema: Any = None,
    ) -> InterruptNode:
        """Add a step that pauses the run and asks somebody.

        Args:
            id: The step's id. Default: `interrupt_` and the kind.
            kind: What kind of answer is wanted, such as `approval`.
            request: What fills the request.
            resume: Where the answer goes.
            request_map: Deprecated form of `request`.
            out_map: Deprecated form of `resume`.
            outcomes: The outcomes an answer may choose. Default: `submitted`.
            request_schema: The schema of the request: a JSON Schema, a model or a type.
            resume_schema: The schema of the answer.

        Returns:
            The step.

        Raises:
            TypeError: Both styles are mixed, or a binding is none.

        Example:
            >>> from wf_authoring import WorkflowBuilder
            >>> WorkflowBuilder("demo", {}, {}, {}).interrupt(kind="approval", outcomes=["yes", "no"]).outcomes
            ['yes', 'no']
        """
        if request is not None and request_map is not None:
            raise TypeError("cannot mix canonical request with deprecated request_map")
        if resume is not None and out_map is not None:
            raise TypeError("cannot mix canonical resume with deprecated out_map")
        if request_map is not None:
            warn_deprecated("request_map is deprecated; use canonical request/resume binding lists")
            request = step_input([{"path": path, "target": target} for path, target in request_map.items()])
        if out_map is not None:
            warn_deprecated("out_map is deprecated; use canonical request/resume binding lists")
            resume = step_output([{"source": source, "target": target} for source, target in out_map.items()])
        fields: dict[str, Any] = {
            "id": self._new_id(id, f"interrupt_{slug_id(kind)}"),
            "kind": kind,
            "request": step_input(request) or [],
            "resume": step_output(resume) or [],
            "outcomes": list(outcomes or ["submitted"]),
        }
        for name, schema in (("request_schema", request_schema), ("resume_schema", resume_schema)):
            if schema is not None:
                fields[name] = interrupt_schema(schema)
        return self._add(InterruptNode(**fields))


def _code(spec: NodeSpec[Any, Any]) -> Any:
    """What a node executes; functions that one factory made twice are the same."""
    return getattr(underlying(spec.fn), "__code__", spec.fn)


def interrupt_schema(schema: Any) -> Any:
    """Return the schema of a request or an answer as a mapping."""
    if isinstance(schema, Mapping):
        return dict(schema)
    from wf_authoring.schemas import schema_ref_from

    return schema_ref_from(schema).model_dump(mode="json")


def condition_base(condition: Condition) -> str:
    """Return the id that a condition gets when its author gave none.

    Example:
        >>> from wf_authoring import exists, state
        >>> condition_base(exists(state("count")).condition)
        'state_count'
    """
    if isinstance(condition, ExistsCondition):
        return slug_id(str(condition.path))
    if isinstance(condition, BinaryCondition) and isinstance(condition.left, PathOperand):
        return slug_id(str(condition.left.path))
    return "condition"


def error_policy(policy: ErrorPolicy, not_a_state_path: str) -> ForeachItemErrorPolicy:
    """Return an error policy from any way to write one.

    Raises:
        ValueError: `collect_to` does not lead into the state, or does not fit the action.
    """
    if isinstance(policy, ForeachItemErrorPolicy):
        return policy
    if isinstance(policy, str):
        return ForeachItemErrorPolicy(action=policy)
    fields = dict(policy)
    target = fields.get("collect_to")
    if target is not None:
        source = getattr(target, "__wf_path__", target)
        if isinstance(source, GraphSourcePath) and (source.root != "state" or not source.parts):
            raise ValueError(f"{not_a_state_path}, got {str(source)!r}")
        try:
            fields["collect_to"] = coerce_state_path(target, allow_legacy_root=True)
        except (TypeError, ValueError) as error:
            raise ValueError(f"{not_a_state_path}: {error}") from error
    return ForeachItemErrorPolicy(**fields)
