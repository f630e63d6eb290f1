"""Drawings of workflows: Mermaid text for documents, SVG for notebooks."""

from wf_authoring.drawing.mermaid import to_mermaid
from wf_authoring.drawing.svg import to_svg

__all__ = ["to_mermaid", "to_svg"]
