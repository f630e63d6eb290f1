"""Why a module did not become a source."""

from __future__ import annotations

import traceback
from typing import TYPE_CHECKING

from wf_core.errors import WfError

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["PythonSourceError"]


class PythonSourceError(WfError, ImportError):
    """A module that could not be imported, or that exports something else; the cause is kept.

    Attributes:
        file: The file in which it failed, if there is one.
        line: The line in it.
    """

    code = "python_source.failed"
    file: str | None = None
    line: int | None = None


def import_failure(source_id: str, module: str, root: Path | None, cause: BaseException) -> PythonSourceError:
    """Return the exception of a module that raised, with the innermost place below its root."""
    file, line = _place(root, cause)
    where = "" if file is None else f" at {file}:{line}"
    error = PythonSourceError(
        f"python source {source_id!r} cannot import module {module!r}{where}: {type(cause).__name__}: {cause}",
        code="python_source.import_failed",
        hint="mend the module and refresh the source",
    )
    error.file, error.line = file, line
    return error


def _place(root: Path | None, cause: BaseException) -> tuple[str | None, int | None]:
    if isinstance(cause, SyntaxError) and cause.filename is not None:
        return cause.filename, cause.lineno
    frames = [frame for frame in traceback.extract_tb(cause.__traceback__) if not frame.filename.startswith("<")]
    ours = [frame for frame in frames if root is not None and frame.filename.startswith(str(root))]
    if ours:
        return ours[-1].filename, ours[-1].lineno
    return None, None
