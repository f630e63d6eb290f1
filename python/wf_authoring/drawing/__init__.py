"""Drawings of workflows and of their runs: Mermaid text for documents, SVG for notebooks."""

from wf_authoring.drawing.mermaid import to_mermaid
from wf_authoring.drawing.svg import to_svg
from wf_authoring.drawing.taken import DrawingError

__all__ = ["DrawingError", "to_mermaid", "to_svg"]
