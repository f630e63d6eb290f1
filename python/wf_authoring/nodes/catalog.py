"""A catalog of nodes for those who choose among them, such as a planner."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from wf_authoring.nodes.spec import NodeSpec


@dataclass(frozen=True)
class NodeCatalogEntry:
    """What a planner is told about a node.

    Attributes:
        name: The node's name.
        display_name: A friendlier name, if somebody gave it one.
        description: What it does.
        outcomes: What it may answer.
        input_schema: The payload's JSON Schema, as the model gives it.
        output_schema: The output's JSON Schema, as the model gives it.
    """

    name: str
    display_name: str | None
    description: str | None
    outcomes: tuple[str, ...]
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]

    @classmethod
    def from_spec(cls, spec: NodeSpec[Any, Any]) -> "NodeCatalogEntry":
        """Return the entry of a node."""
        return cls(
            name=spec.name,
            display_name=None,
            description=spec.description,
            outcomes=spec.outcomes,
            input_schema=spec.input_schema,
            output_schema=spec.output_schema,
        )


@dataclass(frozen=True)
class NodeCatalog:
    """Nodes by name, in the order they were given.

    Example:
        >>> from wf_authoring import node
        >>> @node
        ... def double(value: int) -> int:
        ...     return value * 2
        >>> [entry.name for entry in NodeCatalog.from_specs(double).entries()]
        ['double']
    """

    specs: Iterable[NodeSpec[Any, Any]] | dict[str, NodeSpec[Any, Any]]

    @classmethod
    def from_specs(cls, *specs: NodeSpec[Any, Any]) -> "NodeCatalog":
        """Return the catalog of some nodes; of two with one name the last counts."""
        return cls({spec.name: spec for spec in specs})

    def entries(self) -> list[NodeCatalogEntry]:
        """Return the entries in the order the nodes were given."""
        specs = self.specs.values() if isinstance(self.specs, dict) else self.specs
        return [NodeCatalogEntry.from_spec(spec) for spec in specs]

    def as_mcp_payload(self) -> dict[str, Any]:
        """Return the catalog as JSON."""
        return {
            "nodes": [
                {
                    "name": entry.name,
                    "display_name": entry.display_name,
                    "description": entry.description,
                    "outcomes": list(entry.outcomes),
                    "input_schema": entry.input_schema,
                    "output_schema": entry.output_schema,
                }
                for entry in self.entries()
            ]
        }
