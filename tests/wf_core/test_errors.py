"""The exceptions."""

from __future__ import annotations

import pickle

import pytest

from wf_core import errors
from wf_core.errors import (
    DocumentError,
    FrozenError,
    JsonValueError,
    LocalPathError,
    NodeResultError,
    NodeTimeoutError,
    PathResolutionError,
    PayloadError,
    RefError,
    RunDeadlineError,
    RunEventError,
    SnapshotError,
    WfError,
    WorkflowExecutionError,
    WorkflowValidationError,
)
from wf_core.local_paths import get_local_value, has_overlapping_paths, set_local_value, split_local_path
from wf_core.paths import (
    GraphSourcePath,
    LocalPath,
    StatePath,
    is_valid_source_path,
    path_exists,
    resolve_graph_path,
    set_nested_value,
)

NATURAL = {
    DocumentError: ValueError,
    FrozenError: AttributeError,
    JsonValueError: ValueError,
    LocalPathError: ValueError,
    NodeResultError: TypeError,
    NodeTimeoutError: TimeoutError,
    PathResolutionError: ValueError,
    PayloadError: TypeError,
    RefError: ValueError,
    RunDeadlineError: TimeoutError,
    RunEventError: RuntimeError,
    SnapshotError: ValueError,
    WorkflowExecutionError: RuntimeError,
    WorkflowValidationError: ValueError,
}


def test_every_class_is_listed() -> None:
    classes = {value for value in vars(errors).values() if isinstance(value, type) and issubclass(value, WfError)}
    assert classes - {WfError} == set(NATURAL)


@pytest.mark.parametrize("kind", NATURAL, ids=lambda kind: kind.__name__)
def test_every_exception_derives_from_the_natural_builtin_and_pickles(kind: type[WfError]) -> None:
    error = kind("message", code="some.code", path="a.b", hint="do this", context={"k": 1})
    assert isinstance(error, NATURAL[kind])
    assert isinstance(error, WfError)
    assert str(error) == "message\nhint: do this"
    assert (error.message, error.code, error.path, error.hint) == ("message", "some.code", "a.b", "do this")
    twin = pickle.loads(pickle.dumps(error))
    assert (type(twin), str(twin), twin.code, twin.context) == (kind, str(error), "some.code", {"k": 1})
    assert "." in kind("plain").code


def test_the_text_is_the_message_also_for_a_key_error() -> None:
    class MissingError(WfError, KeyError):
        pass

    assert str(MissingError("no such thing")) == "no such thing"


@pytest.mark.parametrize(
    ("make", "phrase"),
    [
        (lambda: GraphSourcePath.parse("output.x"), "unknown path root 'output'"),
        (lambda: StatePath.parse("state"), "expected state path such as state.foo"),
        (lambda: LocalPath.parse("a b"), "invalid TOML path 'a b'; quote path segments"),
        (lambda: LocalPath.parse("a=true} #"), "invalid TOML path"),
        (lambda: LocalPath(("",)), "invalid local segment ''"),
        (lambda: LocalPath(("\x01",)), "control characters are not allowed"),
        (lambda: resolve_graph_path("state.x", state={}, workflow_input={}, context={}), "path 'state.x' could not be"),
        (lambda: set_nested_value({"a": 1}, ("a", "b"), 2), "cannot descend into non-object state field 'a'"),
        (lambda: set_nested_value({}, (), 2), "cannot set value with empty path"),
    ],
)
def test_what_is_no_path_says_why(make: object, phrase: str) -> None:
    with pytest.raises(PathResolutionError) as caught:
        make()  # type: ignore[operator]
    assert phrase in str(caught.value)


def test_paths_of_python_mappings() -> None:
    state = {"a": {"b": None}}
    scope = {"state": state, "workflow_input": {}, "context": {}}
    assert path_exists("state.a.b", **scope)  # type: ignore[arg-type]
    assert not path_exists("state.a.c", **scope)  # type: ignore[arg-type]
    assert resolve_graph_path("state", **scope) is state  # type: ignore[arg-type]
    assert is_valid_source_path("state.a.z", ["a"], [])
    assert not is_valid_source_path("input.a", ["a"], [])
    assert is_valid_source_path("context.x", [], [], allow_context=True)
    payload: dict[str, object] = {}
    set_local_value(payload, "x.y", 1)
    assert (payload, get_local_value(payload, "x.y")) == ({"x": {"y": 1}}, 1)
    assert has_overlapping_paths(["a.b", "c", "a"])
    assert not has_overlapping_paths(["a.b", "a.c"])
    with pytest.raises(LocalPathError, match="could not be resolved"):
        get_local_value(payload, "x.z")
    with pytest.raises(LocalPathError, match="overlaps an existing value"):
        set_local_value(payload, "x.y.z", 1)
    with pytest.raises(LocalPathError, match="invalid TOML path"):
        split_local_path("a[0]")
