"""The page that the figures are written into, between two marks."""

from __future__ import annotations

from pathlib import Path

PAGE = Path(__file__).resolve().parent.parent / "docs" / "performance.md"


def write(lines: list[str], part: str) -> None:
    """Replaces what stands between the marks of a part."""
    begin, end = f"<!-- {part}: begin (written by `make bench`) -->", f"<!-- {part}: end -->"
    text = PAGE.read_text(encoding="utf-8")
    head, mark, rest = text.partition(begin)
    _, other, tail = rest.partition(end)
    if not mark or not other:
        raise ValueError(f"{PAGE} lacks the marks of {part!r}")
    PAGE.write_text(f"{head}{begin}\n\n" + "\n".join(lines) + f"\n\n{end}{tail}", encoding="utf-8")
