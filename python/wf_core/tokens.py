"""The two step ids with a meaning of their own."""

from typing import Final

__all__ = ["END", "START"]

START: Final = "__start__"
"""Reserved: no step may have this id."""

END: Final = "__end__"
"""Where an edge leads that finishes the workflow."""
