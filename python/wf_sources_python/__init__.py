"""Sources from Python files: a trusted module that exports nodes and reducers becomes a source.

Example:
    >>> import tempfile
    >>> from pathlib import Path
    >>> root = Path(tempfile.mkdtemp())
    >>> _ = (root / "ops.py").write_text('''
    ... from wf_authoring import node
    ...
    ... @node
    ... def double(n: int) -> int:
    ...     return 2 * n
    ...
    ... registry = [double]
    ... ''')
    >>> source = load_python_source(source_id="local.ops", module="ops", path=root)
    >>> list(source.capabilities.node_specs)
    ['local.ops.double']
"""

from wf_sources_python.errors import PythonSourceError
from wf_sources_python.source import PythonSource, load_python_source

__all__ = ["PythonSource", "PythonSourceError", "load_python_source"]
