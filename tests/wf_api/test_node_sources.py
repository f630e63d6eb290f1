"""A source of nodes that were written in Python."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from wf_api import file_source, node_source
from wf_api.errors import ArgumentError
from wf_authoring import node
from wf_platform.errors import PlatformRuleError
from wf_server import build_local_static_workflow_server

if TYPE_CHECKING:
    from pathlib import Path


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


def test_what_is_no_node_is_refused_by_name() -> None:
    with pytest.raises(ArgumentError, match="nodes must hold nodes, got function; make a function one by @node"):
        node_source("numbers", [lambda: 3])  # type: ignore[list-item]


def test_a_server_takes_sources_only_and_known_settings(tmp_path: Path) -> None:
    with pytest.raises(ArgumentError, match="extra_sources must hold sources, got NoneType"):
        build_local_static_workflow_server(tmp_path, extra_sources=[None])  # type: ignore[list-item]
    with pytest.raises(ArgumentError, match="durability must be one of"):
        build_local_static_workflow_server(tmp_path, durability="zzz")  # type: ignore[arg-type]
    with pytest.raises(PlatformRuleError, match="reserved"):
        build_local_static_workflow_server(tmp_path, extra_sources=[node_source("wf.mine", [])])
    with pytest.raises(OSError, match="empty path"):
        file_source("docs", "")
