"""Places for the boxes of a drawing: layers from top to bottom, with few crossings."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from wf_authoring.drawing.graph import Arrow, Drawing

ROUNDS = 8


@dataclass(frozen=True)
class Slot:
    """The place of a box.

    Attributes:
        layer: Its layer, from the top.
        position: Its place in the layer, from the left.
    """

    layer: int
    position: int


def layers_of(drawing: Drawing) -> list[list[str]]:
    """Return the keys of the boxes layer by layer, each ordered so that arrows cross little."""
    forward, _ = split_arrows(drawing)
    depth = _depths([box.key for box in drawing.boxes], forward)
    layers: list[list[str]] = [[] for _ in range(max(depth.values(), default=-1) + 1)]
    for box in drawing.boxes:
        layers[depth[box.key]].append(box.key)
    for number in range(ROUNDS):
        _reorder(layers, forward, downwards=number % 2 == 0)
    return layers


def split_arrows(drawing: Drawing) -> tuple[list[Arrow], list[Arrow]]:
    """Return the arrows that lead on, and those that lead back to where a walk already is."""
    leaving: dict[str, list[Arrow]] = {box.key: [] for box in drawing.boxes}
    for arrow in drawing.arrows:
        leaving[arrow.source].append(arrow)
    back: set[int] = set()
    done: set[str] = set()
    for box in drawing.boxes:
        _walk(box.key, leaving, done, back)
    forward = [arrow for arrow in drawing.arrows if id(arrow) not in back]
    return forward, [arrow for arrow in drawing.arrows if id(arrow) in back]


def _walk(root: str, leaving: Mapping[str, Sequence[Arrow]], done: set[str], back: set[int]) -> None:
    """Walk depth first without recursion, since workflows may be long."""
    if root in done:
        return
    open_keys = {root}
    stack = [(root, iter(leaving[root]))]
    while stack:
        key, arrows = stack[-1]
        arrow = next(arrows, None)
        if arrow is None:
            stack.pop()
            open_keys.discard(key)
            done.add(key)
        elif arrow.target in open_keys:
            back.add(id(arrow))
        elif arrow.target not in done:
            open_keys.add(arrow.target)
            stack.append((arrow.target, iter(leaving[arrow.target])))


def _depths(keys: Sequence[str], forward: Sequence[Arrow]) -> dict[str, int]:
    """Return the layer of each key: one below the lowest that leads to it."""
    waiting = dict.fromkeys(keys, 0)
    targets: dict[str, list[str]] = {key: [] for key in keys}
    for arrow in forward:
        waiting[arrow.target] += 1
        targets[arrow.source].append(arrow.target)
    depth = dict.fromkeys(keys, 0)
    ready = deque(key for key in keys if waiting[key] == 0)
    while ready:
        key = ready.popleft()
        for target in targets[key]:
            depth[target] = max(depth[target], depth[key] + 1)
            waiting[target] -= 1
            if waiting[target] == 0:
                ready.append(target)
    return depth


def _reorder(layers: list[list[str]], forward: Sequence[Arrow], *, downwards: bool) -> None:
    """Order each layer by the middle of its neighbours in the layer before."""
    neighbours: dict[str, list[str]] = {}
    for arrow in forward:
        ends = (arrow.target, arrow.source) if downwards else (arrow.source, arrow.target)
        neighbours.setdefault(ends[0], []).append(ends[1])
    places: dict[str, float] = {}
    for layer in layers if downwards else reversed(layers):
        width = max(len(layer) - 1, 1)
        wanted: dict[str, float] = {}
        for position, key in enumerate(layer):
            known = [places[other] for other in neighbours.get(key, ()) if other in places]
            wanted[key] = sum(known) / len(known) if known else position / width
        layer.sort(key=wanted.__getitem__)
        places.update({key: position / width for position, key in enumerate(layer)})
