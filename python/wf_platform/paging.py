"""Paging by offset cursors."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Generic, TypeVar

from _wf._native.platform import page_range

__all__ = ["Page", "page_items"]

Item = TypeVar("Item")


@dataclass(frozen=True)
class Page(Generic[Item]):
    """One page of a list.

    Attributes:
        items: The items of this page.
        next_cursor: Where the next page starts; `None` on the last page.
        total: How many items the whole list has.
    """

    items: tuple[Item, ...]
    next_cursor: str | None
    total: int


def page_items(items: Iterable[Item], *, cursor: str | None = None, limit: int = 50) -> Page[Item]:
    """Return one page of a list.

    Args:
        items: The whole list, in order.
        cursor: The `next_cursor` of the page before; `None` for the first page.
        limit: How many items a page holds.

    Returns:
        The page; an empty one when the cursor is past the end.

    Raises:
        PlatformRuleError: The limit is below 1, or the cursor is not one of ours.

    Example:
        >>> page_items(["a", "b", "c"], cursor="1", limit=1)
        Page(items=('b',), next_cursor='2', total=3)
    """
    everything = tuple(items)
    start, end, next_cursor = page_range(len(everything), cursor=cursor, limit=limit)
    return Page(everything[start:end], next_cursor, len(everything))
