"""From a function's signature to the contract of a node.

Every refusal is a `TypeError` that names the function, the parameter and what to write instead.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from wf_authoring.contracts import InputContract, OutputContract, output_contract
from wf_authoring.nodes.annotations import annotated, underlying
from wf_authoring.nodes.calling import Binding, CallShape
from wf_authoring.nodes.parameters import ParameterReader
from wf_authoring.nodes.returns import awaited, infer_output, one_or_union
from wf_authoring.nodes.wording import checked, display_name, generated_title


@dataclass(frozen=True, slots=True)
class Inferred:
    """What a function's signature says about its node.

    Attributes:
        input: The payload's contract.
        output: The output's contract.
        shape: How the function is called.
        is_async: Whether its result must be awaited.
    """

    input: InputContract
    output: OutputContract
    shape: CallShape
    is_async: bool


def infer(
    fn: Callable[..., Any],
    *,
    input_model: Any = None,
    output_model: Any = None,
    outcome_models: Mapping[str, Any] | None = None,
    binds: Binding = "",
) -> Inferred:
    """Infer the contract of a node from a function; models that are given win over the signature.

    Raises:
        TypeError: The signature does not say what the node takes and gives.
    """
    found = annotated(fn)
    name = display_name(fn)
    reject_generators(fn, name)
    reader = ParameterReader(fn, name, found, binds)
    if input_model is not None:
        payload, shape = reader.explicit(input_model)
    else:
        payload, shape = reader.infer()
    returns, awaits = awaited(found.returns)
    title = f"{generated_title(fn)}Output"
    by_outcome = [
        checked(partial(output_contract, model, title, found.namespace), name, f"outcome {outcome!r}")
        for outcome, model in (outcome_models or {}).items()
    ]
    if output_model is not None:
        output = checked(lambda: output_contract(output_model, title, found.namespace), name, "output_model")
    elif by_outcome:
        output = one_or_union(by_outcome)
    else:
        output = infer_output(returns, name, title, found.namespace)
    return Inferred(payload, output, shape, inspect.iscoroutinefunction(fn) or _async_call(fn) or awaits)


def reject_generators(fn: Callable[..., Any], name: str) -> None:
    """Refuse generators: a node gives one result."""
    base = underlying(fn)
    if inspect.isgeneratorfunction(base) or inspect.isasyncgenfunction(base):
        raise TypeError(
            f"node function {name!r} is a generator; a node gives one result\n"
            "hint: collect the values and return them as a list"
        )


def _async_call(fn: Callable[..., Any]) -> bool:
    call = getattr(type(fn), "__call__", None)  # noqa: B004 - the method itself is wanted
    return not inspect.isfunction(fn) and inspect.iscoroutinefunction(call)
