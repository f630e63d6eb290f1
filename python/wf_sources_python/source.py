"""Python sources: where they are defined, and what they export."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from os import PathLike
from pathlib import Path
from typing import Any

from wf_api.errors import ArgumentError
from wf_authoring import NodeSpec
from wf_authoring.reducers import AuthoredReducer
from wf_core import ReducerSpec
from wf_core.reducers import ReducerDefinition
from wf_platform.errors import PlatformRuleError
from wf_platform.sources import CapabilityBuckets, CapabilitySource, SourcePermissions, SourceVisibility
from wf_sources_python.errors import PythonSourceError
from wf_sources_python.modules import import_module

__all__ = ["PythonSource", "load_python_source"]

_AUTHORING = "authoring."


@dataclass(frozen=True, slots=True)
class PythonSource:
    """Where a Python source is defined; nothing is imported before `load`.

    A server that is given one imports the module only while the source is enabled, and imports it again when the
    source is refreshed.

    Attributes:
        id: The id of the source, such as `local.ops`.
        module: The module, such as `ops`.
        registry: The attribute that holds the nodes and reducers, or a function without arguments that gives them.
        path: The folder of the module; without it the module is imported by its name.
        enabled: Whether it takes part, unless an operator decided otherwise.
    """

    id: str
    module: str
    registry: str = "registry"
    path: str | PathLike[str] | None = None
    enabled: bool = True

    def unloaded(self) -> CapabilitySource:
        """Return the source as it is before its module is imported."""
        return self._source(CapabilityBuckets(), enabled=self.enabled)

    def load(self) -> CapabilitySource:
        """Import the module and return the source of what it exports.

        Raises:
            PythonSourceError: The module cannot be imported or does not have the registry (an `ImportError`).
            ArgumentError: The registry holds something that is no node and no reducer (a `TypeError`).
            PlatformRuleError: Two capabilities have one name (a `ValueError`).
        """
        module = import_module(self.id, self.module, None if self.path is None else Path(self.path))
        if not hasattr(module, self.registry):
            error = PythonSourceError(
                f"missing registry object {self.registry!r} in module {self.module!r}",
                code="python_source.missing_registry",
                hint=f"assign the list of its nodes to {self.registry!r}",
            )
            error.file = module.__file__
            raise error
        return self._source(self._buckets(_items(getattr(module, self.registry))), enabled=self.enabled)

    def _source(self, capabilities: CapabilityBuckets, *, enabled: bool) -> CapabilitySource:
        return CapabilitySource(
            id=self.id,
            kind="python",
            enabled=enabled,
            capabilities=capabilities,
            visibility=SourceVisibility(planner=True, client=True),
            permissions=SourcePermissions(safe_for_workflow=True),
            description=f"Python source from {self.module}:{self.registry}",
        )

    def _buckets(self, items: list[Any]) -> CapabilityBuckets:
        specs: dict[str, NodeSpec[Any, Any]] = {}
        reducers: dict[str, ReducerDefinition] = {}
        for item in items:
            definition = item.definition if isinstance(item, AuthoredReducer) else item
            if isinstance(definition, NodeSpec):
                name = self._qualified(definition.name)
                self._check_free(name, specs, "NodeSpec")
                specs[name] = definition.replace(name=name)
            elif isinstance(definition, ReducerDefinition):
                name = self._qualified(definition.spec.name)
                self._check_free(name, reducers, "reducer")
                fields = {**definition.spec.model_dump(), "name": name}
                reducers[name] = replace(definition, spec=ReducerSpec(**fields))
            else:
                raise ArgumentError(
                    f"expected NodeSpec in Python source registry, got {type(item).__name__}",
                    code="python_source.not_a_node",
                    path=self.registry,
                    hint="export functions that are decorated with @node or @reducer",
                )
        return CapabilityBuckets(
            node_specs=specs,
            reducers={name: definition.spec for name, definition in reducers.items()},
            reducer_definitions=reducers,
        )

    def _check_free(self, name: str, taken: Mapping[str, object], what: str) -> None:
        if name in taken:
            raise PlatformRuleError(
                f"duplicate {what} names in Python source {self.id!r}: {name}", code="source.duplicate_capability"
            )

    def _qualified(self, name: str) -> str:
        local = name.removeprefix(_AUTHORING)
        return local if local.startswith(f"{self.id}.") else f"{self.id}.{local}"


def load_python_source(
    *,
    source_id: str,
    module: str,
    registry: str = "registry",
    enabled: bool = True,
    path: str | PathLike[str] | None = None,
) -> CapabilitySource:
    """Import a module and return the source of what it exports; a disabled one is not imported.

    Raises:
        PythonSourceError: The module cannot be imported or does not have the registry (an `ImportError`).
        ArgumentError: The registry holds something that is no node and no reducer (a `TypeError`).
        PlatformRuleError: Two capabilities have one name, or the id is none (a `ValueError`).
    """
    defined = PythonSource(id=source_id, module=module, registry=registry, path=path, enabled=enabled)
    return defined.load() if enabled else defined.unloaded()


def _items(exported: Any) -> list[Any]:
    if callable(exported) and not isinstance(exported, NodeSpec | AuthoredReducer):
        exported = exported()
    if isinstance(exported, Mapping):
        return list(exported.values())
    if isinstance(exported, Sequence) and not isinstance(exported, str | bytes):
        return list(exported)
    return [exported]
