"""Words that documents choose from."""

from enum import StrEnum

__all__ = ["SiblingWritePolicy"]


class SiblingWritePolicy(StrEnum):
    """Whether siblings (items of a foreach, branches of a fork) may write the same field."""

    EXCLUSIVE = "exclusive"
    """At most one of them may."""
    MERGEABLE = "mergeable"
    """Their writes are merged in order."""
