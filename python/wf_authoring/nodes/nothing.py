"""The model of a node without output, in a module of its own since it needs pydantic."""

from typing import ClassVar

from pydantic import BaseModel


class Nothing(BaseModel):
    """No output at all.

    Example:
        >>> Nothing().model_dump()
        {}
    """

    __wf_nothing__: ClassVar[bool] = True
