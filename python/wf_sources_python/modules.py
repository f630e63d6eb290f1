"""Importing a module of a source under a name of its own, wholly or not at all."""

from __future__ import annotations

import hashlib
import importlib
import importlib.util
import re
import sys
import types
from pathlib import Path
from threading import RLock

from wf_sources_python.errors import import_failure

__all__ = ["import_module"]

# One import at a time: a failed one puts the modules back as they were.
_IMPORTING = RLock()


def import_module(source_id: str, module: str, path: Path | None) -> types.ModuleType:
    """Import a module afresh.

    A file below `path` gets a name that no other source has, so that two sources may both have an `ops.py`. When the
    import fails, the modules that were there before are there again.

    Raises:
        PythonSourceError: The module cannot be found, or raised; the file and the line are named.
    """
    root = None if path is None else path.resolve()
    with _IMPORTING:
        prefix, file = _located(source_id, module, root)
        name = module if prefix is None else f"{prefix}.{module}"
        before = {known: loaded for known, loaded in sys.modules.items() if _belongs(known, prefix or module)}
        for known in before:
            del sys.modules[known]
        importlib.invalidate_caches()
        try:
            return importlib.import_module(name) if file is None else _execute(name, file, root)
        except Exception as cause:
            for known in [known for known in sys.modules if _belongs(known, prefix or module)]:
                del sys.modules[known]
            sys.modules.update(before)
            raise import_failure(source_id, module, root, cause) from cause


def _belongs(name: str, parent: str) -> bool:
    return name == parent or name.startswith(f"{parent}.")


def _located(source_id: str, module: str, root: Path | None) -> tuple[str | None, Path | None]:
    if root is None:
        return None, None
    # Helpers beside the module are imported as if it ran there, also long after.
    if str(root) not in sys.path:
        sys.path.insert(0, str(root))
    below = root.joinpath(*module.split("."))
    for file in (below.with_name(f"{below.name}.py"), below / "__init__.py"):
        if file.is_file():
            digest = hashlib.sha256(f"{source_id}\0{root}".encode()).hexdigest()[:16]
            return f"_wf_source_{re.sub('[.-]', '_', source_id)}_{digest}", file
    return None, None


def _execute(name: str, file: Path, root: Path | None) -> types.ModuleType:
    _make_parents(name, root)
    packages = [str(file.parent)] if file.name == "__init__.py" else None
    spec = importlib.util.spec_from_file_location(name, file, submodule_search_locations=packages)
    if spec is None or spec.loader is None:
        raise ImportError(f"no loader for {file}", name=name, path=str(file))
    made = importlib.util.module_from_spec(spec)
    sys.modules[name] = made
    spec.loader.exec_module(made)
    return sys.modules[name]


def _make_parents(name: str, root: Path | None) -> None:
    """Make the packages above a module, so that its relative imports work."""
    parts = name.split(".")
    for depth in range(1, len(parts)):
        parent = ".".join(parts[:depth])
        if parent not in sys.modules:
            package = types.ModuleType(parent)
            package.__path__ = [] if root is None else [str(root.joinpath(*parts[1:depth]))]
            sys.modules[parent] = package
