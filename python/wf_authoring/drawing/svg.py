"""Workflows as SVG, for notebooks and pages; no other program is needed."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any

from wf_authoring.drawing.graph import Arrow, Box, drawing_of
from wf_authoring.drawing.layout import layers_of, split_arrows

if TYPE_CHECKING:
    from wf_core import RunState

_HEIGHT = 44
_GAP_X = 36
_GAP_Y = 56
_MARGIN = 24
_LETTER = 7.2
_LONGEST = 34

_COLOURS = {
    "start": "#334155",
    "stop": "#334155",
    "end": "#475569",
    "node": "#2563eb",
    "condition": "#b45309",
    "foreach": "#0f766e",
    "subgraph": "#6d28d9",
    "interrupt": "#be185d",
    "fork": "#0e7490",
    "gather": "#0e7490",
    "join": "#64748b",
    "unknown": "#dc2626",
}

# The fill and the outline of a box that a run marked; `None` is the colour of its kind.
_MARKS: dict[str, tuple[str, str | None]] = {
    "plain": ("#f8fafc", None),
    "taken": ("#eff6ff", None),
    "untouched": ("#ffffff", "#cbd5e1"),
    "failed": ("#fee2e2", "#dc2626"),
    "waiting": ("#fef3c7", "#d97706"),
}
_FADED = "#94a3b8"


@dataclass(frozen=True)
class _Place:
    """The middle of a box and its width."""

    x: float
    y: float
    width: float


def to_svg(workflow: Any, run: "RunState | None" = None) -> str:
    """Return a workflow as an SVG drawing.

    Args:
        workflow: A workflow document or a builder.
        run: A run of it: shows what it did, how often, and where it failed or waits.

    Raises:
        DrawingError: The run is not of this workflow.

    Example:
        >>> from wf_authoring import WorkflowBuilder
        >>> builder = WorkflowBuilder("demo", {}, {}, {})
        >>> builder.set_entry_point(builder.end())
        >>> to_svg(builder).startswith("<svg ")
        True
    """
    drawing = drawing_of(workflow, run)
    boxes = {box.key: box for box in drawing.boxes}
    layers = layers_of(drawing)
    places = _places(layers, boxes)
    _, back = split_arrows(drawing)
    returning = {id(arrow) for arrow in back}
    lane = max((place.x + place.width / 2 for place in places.values()), default=0.0)
    lanes = {id(arrow): lane + 18 + 14 * number for number, arrow in enumerate(back)}
    labels = max((len(_short(arrow.label)) for arrow in back), default=0) * _LETTER
    right = max([lane, *lanes.values()], default=0) + _MARGIN + labels
    bottom = max((place.y for place in places.values()), default=0) + _HEIGHT / 2 + _MARGIN
    leaving = Counter(arrow.source for arrow in drawing.arrows if id(arrow) not in returning)
    parts = [
        _curve_back(arrow, places, lanes[id(arrow)])
        if id(arrow) in returning
        else _curve(arrow, places, spread=leaving[arrow.source] > 1)
        for arrow in drawing.arrows
    ]
    parts += [_shape(box, places[box.key]) for box in drawing.boxes]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {right:.0f} {bottom:.0f}" '
        f'width="{right:.0f}" height="{bottom:.0f}" font-family="ui-sans-serif, system-ui, sans-serif" font-size="12" '
        f'role="img" aria-label="{escape(drawing.name, quote=True)}">'
        f"<title>{escape(drawing.name)}</title>"
        '<defs><marker id="wf-tip" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" '
        'orient="auto-start-reverse"><path d="M0 0 8 4 0 8z" fill="#64748b"/></marker></defs>'
        f'<rect width="100%" height="100%" fill="#ffffff"/>{"".join(parts)}</svg>'
    )


def _places(layers: Sequence[Sequence[str]], boxes: dict[str, Box]) -> dict[str, _Place]:
    widths = {key: _width(box) for key, box in boxes.items()}
    spans = [sum(widths[key] for key in layer) + _GAP_X * (len(layer) - 1) for layer in layers]
    widest = max(spans, default=0)
    places: dict[str, _Place] = {}
    for number, layer in enumerate(layers):
        x = _MARGIN + (widest - spans[number]) / 2
        y = _MARGIN + _HEIGHT / 2 + number * (_HEIGHT + _GAP_Y)
        for key in layer:
            places[key] = _Place(x + widths[key] / 2, y, widths[key])
            x += widths[key] + _GAP_X
    return places


def _width(box: Box) -> float:
    if box.kind in {"start", "stop"}:
        return float(_HEIGHT)
    letters = max(len(_short(box.title)), len(_short(box.detail)), 2 * len(box.count))
    return max(72.0, letters * _LETTER + 28)


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


def _shape(box: Box, place: _Place) -> str:
    fill, marked = _MARKS[box.mark]
    colour = marked or _COLOURS.get(box.kind, _COLOURS["node"])
    left, top = place.x - place.width / 2, place.y - _HEIGHT / 2
    if box.kind in {"start", "stop"}:
        outline = f'<circle cx="{place.x:.1f}" cy="{place.y:.1f}" r="{_HEIGHT / 2:.1f}" fill="{colour}"/>'
        text = _text(place.x, place.y + 4, box.title, "#ffffff")
        return f"<g>{outline}{text}</g>"
    corner = _HEIGHT / 2 if box.kind in {"end", "join"} else 6
    tooltip = escape(f"{box.kind}: {box.title}" + (f" ({box.detail})" if box.detail else ""))
    outline = (
        f'<rect x="{left:.1f}" y="{top:.1f}" width="{place.width:.1f}" height="{_HEIGHT}" rx="{corner}" '
        f'fill="{fill}" stroke="{colour}" stroke-width="{3 if box.mark in {"failed", "waiting"} else 1.6}"'
        + (' stroke-dasharray="5 3"' if box.kind in {"interrupt", "unknown"} else "")
        + "/>"
    )
    bar = f'<rect x="{left:.1f}" y="{top + 8:.1f}" width="4" height="{_HEIGHT - 16}" rx="2" fill="{colour}"/>'
    if box.kind in {"end", "join"}:
        bar = ""
    faded = box.mark == "untouched"
    lines = _text(place.x, place.y + (-3 if box.detail else 4), box.title, _FADED if faded else "#0f172a", bold=True)
    if box.detail:
        lines += _text(place.x, place.y + 13, box.detail, _FADED if faded else "#475569")
    if box.count:
        lines += (
            f'<text x="{place.x + 10:.1f}" y="{top - 5:.1f}" text-anchor="start" font-size="10" '
            f'fill="{colour}">{escape(box.count)}</text>'
        )
    return f"<g><title>{tooltip}</title>{outline}{bar}{lines}</g>"


def _text(x: float, y: float, text: str, colour: str, *, bold: bool = False) -> str:
    weight = ' font-weight="600"' if bold else ""
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="middle" fill="{colour}"{weight}>{escape(_short(text))}</text>'


def _curve(arrow: Arrow, places: dict[str, _Place], *, spread: bool) -> str:
    start, end = places[arrow.source], places[arrow.target]
    y1, y2 = start.y + _HEIGHT / 2, end.y - _HEIGHT / 2 - 2
    bend = max((y2 - y1) / 2, 16)
    path = f"M{start.x:.1f} {y1:.1f}C{start.x:.1f} {y1 + bend:.1f} {end.x:.1f} {y2 - bend:.1f} {end.x:.1f} {y2:.1f}"
    # A label stands where its arrow lies apart from others: near the target when several leave one box.
    part = 0.66 if spread else 0.34
    x = _on_curve(part, start.x, start.x, end.x, end.x)
    y = _on_curve(part, y1, y1 + bend, y2 - bend, y2)
    return _drawn(path, arrow, x, y + 4)


def _on_curve(part: float, *points: float) -> float:
    """Return one coordinate of a point of a cubic curve."""
    rest = 1 - part
    first, second, third, last = points
    return rest**3 * first + 3 * rest**2 * part * second + 3 * rest * part**2 * third + part**3 * last


def _curve_back(arrow: Arrow, places: dict[str, _Place], lane: float) -> str:
    start, end = places[arrow.source], places[arrow.target]
    x1, x2 = start.x + start.width / 2, end.x + end.width / 2 + 2
    y1, y2 = start.y, end.y if start is not end else end.y - 10
    path = (
        f"M{x1:.1f} {y1:.1f}C{lane + 10:.1f} {y1:.1f} {lane:.1f} {y1:.1f} {lane:.1f} {(y1 + y2) / 2:.1f}"
        f"S{lane + 10:.1f} {y2:.1f} {x2:.1f} {y2:.1f}"
    )
    return _drawn(path, arrow, lane + 8, (y1 + y2) / 2 + 4, anchor="start")


def _drawn(path: str, arrow: Arrow, x: float, y: float, *, anchor: str = "middle") -> str:
    faded = arrow.mark == "untouched"
    stroke, width = ("#cbd5e1", "1") if faded else ("#64748b", "1.6" if arrow.mark == "taken" else "1.3")
    dashes = ' stroke-dasharray="3 3"' if faded else ""
    line = f'<path d="{path}" fill="none" stroke="{stroke}" stroke-width="{width}"{dashes} marker-end="url(#wf-tip)"/>'
    if not arrow.label:
        return line
    text = escape(_short(arrow.label))
    halo = 'stroke="#ffffff" stroke-width="4" paint-order="stroke" stroke-linejoin="round"'
    colour = _FADED if faded else "#334155"
    return f'{line}<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{colour}" {halo}>{text}</text>'
