"""Warnings for the older ways to write things, reported at the author's line."""

import warnings

from wf_authoring.builder.origins import author_frame


def warn_deprecated(message: str) -> None:
    """Warn at the author's line, however deep in this package the old form was noticed."""
    frame = author_frame()
    if frame is None:
        warnings.warn(message, DeprecationWarning, stacklevel=2)
        return
    names = frame.f_globals
    warnings.warn_explicit(
        message,
        DeprecationWarning,
        frame.f_code.co_filename,
        frame.f_lineno,
        module=names.get("__name__"),
        registry=names.setdefault("__warningregistry__", {}),
    )
