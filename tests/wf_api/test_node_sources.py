"""A source of nodes that were written in Python."""

from __future__ import annotations

import pytest

from wf_api import node_source
from wf_authoring import node
from wf_platform.errors import PlatformRuleError


@node
def double(n: int) -> int:
    return 2 * n


def test_its_nodes_stand_under_its_id_and_workflows_may_use_them() -> None:
    source = node_source("numbers", [double], description="Arithmetic.")
    assert list(source.capabilities.node_specs) == ["numbers.double"]
    assert source.capabilities.node_specs["numbers.double"].name == "numbers.double"
    assert source.visibility.planner
    assert source.permissions.safe_for_workflow
    assert source.description == "Arithmetic."


def test_two_nodes_of_one_name_are_refused() -> None:
    with pytest.raises(PlatformRuleError, match="source 'numbers' has two nodes named 'double'") as caught:
        node_source("numbers", [double, double])
    assert caught.value.code == "source.duplicate_capability"
