"""Helpers of every listing: search, and pages as payloads."""

from collections.abc import Iterable
from typing import Any

from _wf._native.platform import matches_query
from wf_platform.paging import page_items

__all__ = ["matches_query", "paged_list_payload"]


def paged_list_payload(key: str, items: Iterable[Any], *, cursor: str | None, limit: int) -> dict[str, Any]:
    """Return a page of rows as a payload.

    Args:
        key: The name of the rows in the payload.
        items: All rows, in order.
        cursor: The `next_cursor` of the page before; `None` for the first page.
        limit: How many rows a page holds.

    Returns:
        The rows under `key`, and `next_cursor` and `total`.

    Example:
        >>> paged_list_payload("runs", ["a", "b"], cursor=None, limit=1)
        {'runs': ['a'], 'next_cursor': '1', 'total': 2}
    """
    page = page_items(items, cursor=cursor, limit=limit)
    return {key: list(page.items), "next_cursor": page.next_cursor, "total": page.total}
