"""References to resources: inert data that names a logical source and a URI.

Bindings move a ref like any other JSON. Only an explicit read resolves and fetches it, see `wf_api.source_helpers`.

Example:
    >>> SourceResourceRef(logical_source="drive", uri="gdrive://file/abc").kind
    'source_resource_ref'
"""

from wf_platform.resources import SourceResourceRef

__all__ = ["SourceResourceRef"]
