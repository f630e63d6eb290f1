"""Where in the author's files a step was added."""

import sys
from pathlib import Path
from types import FrameType
from typing import NamedTuple

_PACKAGE = str(Path(__file__).parent.parent)


class Origin(NamedTuple):
    """A line of the author's code.

    Attributes:
        file: The file.
        line: The line number.
    """

    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.file}:{self.line}"


def author_frame() -> FrameType | None:
    """Return the innermost frame on the stack that is not this package's."""
    frame: FrameType | None = sys._getframe(1)  # noqa: SLF001 - the documented way to a frame without its source
    while frame is not None and frame.f_code.co_filename.startswith(_PACKAGE):
        frame = frame.f_back
    return frame


def author_line() -> Origin | None:
    """Return the innermost line on the stack that is not this package's."""
    frame = author_frame()
    return None if frame is None else Origin(frame.f_code.co_filename, frame.f_lineno)
