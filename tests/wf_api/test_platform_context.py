"""Bindings, platform sources, and what a platform context is."""

from __future__ import annotations

import dataclasses
import pickle
from typing import Any

import pytest

from wf_api.errors import UnboundSourceError
from wf_api.platform_context import SourceBindingPlatformContext, WorkflowPlatformContext


def test_a_bound_logical_source_means_its_binding() -> None:
    context = SourceBindingPlatformContext(source_bindings={"drive": "drive.personal"}, read_resource_handler=None)
    assert context.resolve_source("drive") == "drive.personal"


def test_a_platform_source_means_itself_whatever_is_bound() -> None:
    context = SourceBindingPlatformContext(
        source_bindings={"wf.source": "other"}, platform_sources={"wf.source"}, read_resource_handler=None
    )
    assert context.resolve_source("wf.source") == "wf.source"


def test_an_unbound_logical_source_is_a_key_error_with_a_plain_text() -> None:
    context = SourceBindingPlatformContext(source_bindings={}, read_resource_handler=None)
    with pytest.raises(KeyError, match="unbound logical source") as caught:
        context.resolve_source("drive")
    assert str(caught.value).splitlines()[0] == "unbound logical source 'drive'"
    assert isinstance(pickle.loads(pickle.dumps(caught.value)), UnboundSourceError)


def test_a_context_is_an_immutable_value() -> None:
    context = SourceBindingPlatformContext({"drive": "d"}, None)
    assert context == SourceBindingPlatformContext({"drive": "d"}, None, frozenset())
    assert context != SourceBindingPlatformContext({"drive": "e"}, None)
    with pytest.raises(dataclasses.FrozenInstanceError):
        context.source_bindings = {}  # type: ignore[misc]


def test_any_object_with_both_methods_is_a_platform_context() -> None:
    class Own:
        def resolve_source(self, logical_source: str) -> str:
            return logical_source

        async def read_resource(self, *, source_id: str, uri: str, max_chars: int) -> dict[str, Any]:
            return {"contents": []}

    assert isinstance(Own(), WorkflowPlatformContext)
    assert isinstance(SourceBindingPlatformContext({}, None), WorkflowPlatformContext)
    assert not isinstance(object(), WorkflowPlatformContext)
