"""What a registry of a thousand sources with a hundred capabilities each costs: `python -m benchmarks.sources`.

Listing a page, inspecting a source, looking a capability up, switching a source off and comparing two catalogs, each
beside the same on a registry of ten sources: what should not depend on the number of sources shows that it does not.
"""

from __future__ import annotations

import time
from collections.abc import Callable

from wf_authoring import node
from wf_platform import CapabilityBuckets, CapabilitySource, SourcePermissions, SourceRegistry, SourceVisibility

CAPABILITIES = 100
SIZES = (10, 1_000)


@node(name="echo")
def echo(text: str) -> str:
    """Say it back."""
    return text


def make_source(source_id: str, capabilities: int = CAPABILITIES) -> CapabilitySource:
    """Return a source with so many node specs, all of one contract."""
    names = [f"{source_id}.echo{index}" for index in range(capabilities)]
    return CapabilitySource(
        id=source_id,
        kind="connection",
        capabilities=CapabilityBuckets(node_specs=dict.fromkeys(names, echo)),
        visibility=SourceVisibility(planner=True, client=True),
        permissions=SourcePermissions(safe_for_workflow=True),
    )


def best_of(work: Callable[[], object], rounds: int = 30) -> float:
    """Return the shortest time of several rounds, in microseconds: the machine's noise only adds."""
    times = []
    for _ in range(rounds):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return min(times) * 1e6


def measure(size: int) -> dict[str, float]:
    """Return the time of each operation on a registry of this size."""
    registry = SourceRegistry([make_source(f"provider.s{index:04}") for index in range(size)])
    half = str(size // 2)
    middle = f"provider.s{size // 2:04}"
    changed = make_source(middle, CAPABILITIES - 1)
    original = registry[middle]

    def toggle() -> None:
        registry.disable(middle)
        registry.enable(middle)

    def compare() -> None:
        changes: list[object] = []
        subscription = registry.subscribe(lambda change: changes.append(change.catalog_diff()))
        registry.replace(changed)
        registry.replace(original)
        subscription.cancel()

    return {
        "page of 50, as JSON": best_of(lambda: registry.list_sources(cursor=half, limit=50).model_dump_json()),
        "inspect a source": best_of(lambda: registry.inspect_source(middle)),
        "planner lookup": best_of(lambda: registry.find_node_spec(f"{middle}.echo7"), rounds=300),
        "unknown capability, with hints": best_of(lambda: unknown(registry, f"{middle}.ehco7")),
        "disable and enable": best_of(toggle),
        "replace twice with catalog diff": best_of(compare),
        "planner catalog, all of it": best_of(registry.node_specs, rounds=3),
    }


def unknown(registry: SourceRegistry, name: str) -> None:
    """Look up what does not exist."""
    try:
        registry.find_node_spec(name)
    except KeyError:
        return
    raise AssertionError(name)


def main() -> None:
    """Print one line for each operation."""
    small, large = (measure(size) for size in SIZES)
    print(f"{'microseconds':34}" + "".join(f"{f'{size:,} sources':>16}" for size in SIZES))
    for operation, figure in small.items():
        print(f"{operation:34}{figure:16.1f}{large[operation]:16.1f}")


if __name__ == "__main__":
    main()
