"""The standard nodes of the engine, as node specs."""

from collections.abc import Callable, Mapping
from functools import cache, cached_property
from typing import Any

from _wf._native import api
from wf_authoring.contracts.base import Contract
from wf_authoring.contracts.fields import validate
from wf_authoring.contracts.outputs import ModelOutput
from wf_authoring.nodes.calling import CallShape
from wf_authoring.nodes.spec import NodeSpec

PREFIX = "authoring."
"""The source name of the standard nodes inside authoring; servers publish them as `wf.std`."""

_SHARED = {"default_if_none": "coalesce"}


class _OpContract(Contract):
    """One side of a standard node: the engine's own schema; its pydantic class only when somebody asks."""

    accepts_anything = False

    def __init__(self, schema: dict[str, Any]) -> None:
        self.schema = schema
        self.identity = ("op", schema.get("title"))

    @cached_property
    def model(self) -> Any:
        """The pydantic class of that title."""
        from wf_authoring.ops import models

        return getattr(models, str(self.schema["title"]))

    @cached_property
    def decode(self) -> Callable[[Mapping[str, Any]], Any]:
        """Validate a payload by the class."""
        return lambda payload: validate(self.model, payload)

    @cached_property
    def encode(self) -> Callable[[Any], dict[str, Any]]:
        """Dump an output of the class."""
        return ModelOutput(self.model).encode


class NativeFunction:
    """A standard node as a Python function: it takes and gives models, and the engine does the work."""

    def __init__(self, name: str, output_contract: _OpContract) -> None:
        self.__name__ = self.__qualname__ = name
        self._output = output_contract

    def __call__(self, input: Any) -> Any:  # noqa: A002 - the spec's name
        """Run the node on a payload.

        Raises:
            RuntimeError: What the node reports, which only `runtime_error` does.
        """
        handler = api.std_handler(self.__name__)
        answer = handler(input.model_dump(mode="json", by_alias=True), None)
        output = self._output.model.model_validate(answer["output"])
        if len(_contracts()[self.__name__]["outcomes"]) == 1:
            return output
        from wf_authoring.nodes.results import NodeReturn

        return NodeReturn(answer["outcome"], output)


@cache
def _contracts() -> dict[str, dict[str, Any]]:
    return {contract["name"]: contract for contract in api.std_contracts()}


@cache
def op(name: str) -> NodeSpec[Any, Any]:
    """Return a standard node by its short name."""
    contract = _contracts()[name]
    payload, output = _OpContract(contract["input_schema"]), _OpContract(contract["output_schema"])
    shared = _SHARED.get(name)
    fn = op(shared).fn if shared is not None else NativeFunction(name, output)
    return NodeSpec(
        name=f"{PREFIX}{name}",
        input_model=payload,
        output_model=output,
        outcomes=tuple(contract["outcomes"]),
        fn=fn,
        description=contract["description"],
        accepts_context=False,
        call=CallShape(),
        native=api.std_handler(name),
    )
