"""From annotations to contracts: JSON Schemas, and conversion between JSON objects and Python values.

A contract is what a node promises about one side of it. An input contract turns a JSON payload into what the
author's function takes; an output contract turns what the function returned into a JSON object. Plain JSON
types are handled here without pydantic; everything else goes through pydantic, which is imported only then.
"""

from wf_authoring.contracts.fields import Field, FieldSet
from wf_authoring.contracts.inputs import InputContract, input_contract
from wf_authoring.contracts.outputs import (
    NothingOutput,
    OutputContract,
    ResultOutput,
    UnionOutput,
    output_contract,
)

__all__ = [
    "Field",
    "FieldSet",
    "InputContract",
    "NothingOutput",
    "OutputContract",
    "ResultOutput",
    "UnionOutput",
    "input_contract",
    "output_contract",
]
