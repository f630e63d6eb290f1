"""Documentation as a source: manuals as resources, guides as prompts.

Example:
    >>> manual = DocumentationResource(
    ...     name="wf.docs.start",
    ...     uri="wf://docs/start",
    ...     title="Start",
    ...     description="The first steps.",
    ...     mime_type="text/markdown",
    ...     text="# Start",
    ... )
    >>> build_documentation_source([manual]).as_status().resource_count
    1
"""

from _wf._native.platform import DocumentationPrompt, DocumentationResource, build_documentation_source

__all__ = ["DocumentationPrompt", "DocumentationResource", "build_documentation_source"]
