"""Whatever can be written for a path, and the errors for what cannot."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wf_authoring import GraphPath, PathExpr, context_path, graph_path, input_path, state, state_path
from wf_authoring.dsl.path_inputs import coerce_graph_path, coerce_local_path, coerce_state_path
from wf_core.paths import GraphSourcePath, LocalPath, PathResolutionError, StatePath

segments = st.lists(
    st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=5).filter(lambda text: text.strip()),
    min_size=1,
    max_size=4,
)


# --- laws ------------------------------------------------------------------------------------------------------------


@given(parts=segments)
def test_literal_segments_are_kept_as_they_are(parts: list[str]) -> None:
    first, *rest = parts

    assert coerce_graph_path(parts, root="state").parts == tuple(parts)
    assert coerce_state_path(iter(parts)).parts == tuple(parts)
    assert coerce_local_path(tuple(parts)).parts == tuple(parts)
    if rest:
        assert coerce_graph_path(first, *rest, root="input").parts == tuple(parts)
        assert coerce_state_path(first, *rest).parts == tuple(parts)
        assert coerce_local_path(first, *rest).parts == tuple(parts)


@given(parts=segments)
def test_the_text_of_a_path_means_that_path(parts: list[str]) -> None:
    graph = coerce_graph_path(parts, root="state")

    assert coerce_graph_path(str(graph)) == graph
    assert coerce_state_path(str(graph), allow_legacy_root=True) == StatePath(tuple(parts))
    local = coerce_local_path(parts)
    assert coerce_local_path(str(local)) == local


@given(parts=segments)
def test_structural_mappings_and_objects_mean_the_same(parts: list[str]) -> None:
    graph = GraphSourcePath("state", tuple(parts))

    assert coerce_graph_path({"root": "state", "parts": parts}) == graph
    assert coerce_graph_path(StatePath(tuple(parts))) == graph
    assert coerce_graph_path(graph) is graph
    assert coerce_state_path(graph) == StatePath(tuple(parts))
    assert coerce_state_path({"root": "state", "parts": parts}) == StatePath(tuple(parts))
    assert coerce_local_path({"root": "local", "parts": parts}) == LocalPath(tuple(parts))
    assert coerce_graph_path(GraphPath(graph)) == coerce_graph_path(PathExpr(graph)) == graph


@given(text=st.text(max_size=8))
def test_any_text_is_a_path_or_a_value_error(text: str) -> None:
    for coerce in (coerce_graph_path, coerce_state_path, coerce_local_path):
        try:
            coerce(text)
        except ValueError:
            continue


# --- examples --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("person.name", ("person", "name")),
        ('"person.name"', ("person.name",)),
        ('person."three and four"', ("person", "three and four")),
        ("0", ("0",)),
        (" a . b ", ("a", "b")),
    ],
)
def test_a_single_string_is_a_dotted_key(text: str, parts: tuple[str, ...]) -> None:
    assert state_path(text).path == GraphSourcePath("state", parts)
    assert coerce_state_path(text).parts == parts
    assert coerce_local_path(text).parts == parts


def test_no_argument_is_the_bare_root() -> None:
    assert (input_path().value, state_path().value, context_path().value) == ("input", "state", "context")
    assert coerce_local_path(".").parts == ()


def test_graph_path_names_its_root() -> None:
    assert str(graph_path("input.text")) == "input.text"
    assert graph_path(state_path("a")).value == "state.a"


def test_roots_must_agree() -> None:
    with pytest.raises(ValueError, match="expected 'input' graph path, got 'state'"):
        input_path(GraphSourcePath("state", ("a",)))
    with pytest.raises(ValueError, match="expected 'input' graph path, got 'state'"):
        input_path({"root": "state", "parts": ["a"]})


@pytest.mark.parametrize(
    ("make", "error", "message"),
    [
        (lambda: coerce_graph_path("a", "b"), TypeError, "graph path varargs require an explicit root"),
        (lambda: coerce_graph_path(["a"]), TypeError, "expected graph path string or structural object"),
        (lambda: coerce_graph_path(LocalPath(("a",))), TypeError, "expected graph path string or structural object"),
        (lambda: coerce_graph_path(3), TypeError, "expected graph path string or structural object"),
        (
            lambda: coerce_graph_path({"root": "output", "parts": []}),
            ValueError,
            "expected structural graph source path",
        ),
        (lambda: coerce_graph_path("a[0]", root="state"), PathResolutionError, "invalid TOML path"),
        (lambda: coerce_graph_path("a=true} #", root="state"), PathResolutionError, "invalid TOML path"),
        (lambda: coerce_graph_path("output.a"), ValueError, "unknown path root"),
        (lambda: coerce_graph_path({"root": "state", "parts": [1]}), ValueError, "structural path parts to be strings"),
        (
            lambda: coerce_graph_path({"root": "state", "parts": "ab"}),
            ValueError,
            "structural path parts to be strings",
        ),
        (lambda: coerce_graph_path(StatePath(("a",)), "b", root="state"), TypeError, "cannot append path segments to"),
        (
            lambda: coerce_state_path({"root": "state", "parts": ["a"]}, "b"),
            TypeError,
            "cannot append path segments to",
        ),
        (lambda: coerce_state_path({"root": "input", "parts": ["a"]}), ValueError, "expected structural state path"),
        (lambda: coerce_state_path({"root": "state"}), ValueError, "expected at least one path segment"),
        (lambda: coerce_state_path(GraphSourcePath("input", ("a",))), ValueError, "expected state graph path"),
        (lambda: coerce_state_path(GraphSourcePath("state", ())), ValueError, "expected state graph path"),
        (lambda: coerce_state_path([]), ValueError, "expected at least one path segment"),
        (lambda: coerce_state_path(["a", 1]), TypeError, "expected a string, string iterable, or string varargs path"),
        (
            lambda: coerce_state_path(["a"], "b"),
            TypeError,
            "expected a string, string iterable, or string varargs path",
        ),
        (lambda: coerce_local_path(b"a"), TypeError, "expected a string, string iterable, or string varargs path"),
        (lambda: coerce_local_path({"root": "state", "parts": ["a"]}), ValueError, "expected structural local path"),
        (lambda: coerce_local_path(StatePath(("a",))), TypeError, "expected a path inside the node's payload"),
    ],
)
def test_what_is_no_path_is_refused(make: Any, error: type[Exception], message: str) -> None:
    with pytest.raises(error, match=message):
        make()


@pytest.mark.parametrize("target", ["input.b", "state", "context", "input", '"state"', "context.item.x"])
def test_a_root_never_passes_for_a_state_field(target: str) -> None:
    with pytest.raises(PathResolutionError, match=r"(?s)expected state graph path, got .*hint: write 'state\."):
        coerce_state_path(target, allow_legacy_root=True)


def test_a_field_called_like_a_root_is_reached_through_the_state() -> None:
    assert coerce_state_path("state.input.b", allow_legacy_root=True).parts == ("input", "b")
    assert state("input").path == "state.input"
