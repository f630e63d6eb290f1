"""Paging, listing helpers, and hashes of schemas."""

import hashlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from wf_platform import Page, hash_contract_schema, hash_json_schema, page_items
from wf_platform.listing import matches_query, paged_list_payload


def test_a_page_says_where_the_next_one_starts() -> None:
    assert page_items(["a", "b", "c"], limit=2) == Page(items=("a", "b"), next_cursor="2", total=3)
    assert page_items(["a", "b", "c"], cursor="2", limit=2) == Page(items=("c",), next_cursor=None, total=3)
    assert page_items([], limit=2) == Page(items=(), next_cursor=None, total=0)
    assert page_items(["a"], cursor="99").items == ()


@pytest.mark.parametrize(
    ("cursor", "limit", "message"),
    [(None, 0, "limit must be >= 1"), ("-1", 1, "cursor must be >= 0"), ("abc", 1, "not one of ours"), ("", 1, "ours")],
)
def test_a_bad_page_is_a_value_error(cursor: str | None, limit: int, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        page_items(["a"], cursor=cursor, limit=limit)


@given(st.lists(st.integers(), max_size=60), st.integers(1, 20))
def test_following_the_cursors_visits_every_item_once(items: list[int], limit: int) -> None:
    seen: list[int] = []
    page = page_items(items, limit=limit)
    seen.extend(page.items)
    while page.next_cursor is not None:
        page = page_items(items, cursor=page.next_cursor, limit=limit)
        seen.extend(page.items)
    assert seen == items


def test_listing_helpers() -> None:
    assert paged_list_payload("rows", [1, 2, 3], cursor="1", limit=1) == {"rows": [2], "next_cursor": "2", "total": 3}
    assert matches_query("Drive.Personal", None, query="PERSON")
    assert matches_query("x", query=None)
    assert matches_query("x", query="  ")
    assert matches_query("Straße", query="STRASSE")
    assert not matches_query("x", None, query="y")


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@given(st.dictionaries(st.text(), json_values, max_size=5))
def test_the_hash_is_that_of_sorted_compact_json(schema: dict[str, Any]) -> None:
    text = json.dumps(schema, sort_keys=True, separators=(",", ":"))
    assert hash_json_schema(schema) == "sha256:" + hashlib.sha256(text.encode()).hexdigest()


def test_d23_a_docstring_is_no_drift() -> None:
    before = {"type": "object", "properties": {"title": {"type": "string"}}}
    after = {
        "title": "Payload",
        "description": "Says something else now.",
        "type": "object",
        "properties": {"title": {"type": "string", "title": "Title", "description": "The title."}},
    }
    assert hash_json_schema(before) != hash_json_schema(after)
    assert hash_contract_schema(before) == hash_contract_schema(after)
    assert hash_contract_schema(before) != hash_contract_schema({"type": "object", "properties": {}})
