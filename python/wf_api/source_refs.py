"""References to resources of a source: inert data that only an explicit read dereferences.

Example:
    >>> ref = SourceResourceRef(logical_source="drive", uri="gdrive://file/abc")
    >>> ref.model_dump(mode="json")["kind"]
    'source_resource_ref'
"""

from wf_platform.resources import SourceResourceRef

__all__ = ["SourceResourceRef"]
