"""Formats the case files so that a reader sees a document, not a column: what fits on a line stays on one.

python scripts/format_cases.py [--check] FILE...
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

WIDTH = 120


def render(value: Any, indent: int = 0, used: int = 0) -> str:
    """JSON text of a value whose first line starts at column `used`."""
    flat = json.dumps(value, ensure_ascii=False)
    if not isinstance(value, dict | list) or not value or (indent > 0 and used + len(flat) + 1 <= WIDTH):
        return flat
    inner = " " * (indent + 2)
    if isinstance(value, dict):
        heads = [(inner + json.dumps(key, ensure_ascii=False) + ": ", item) for key, item in value.items()]
    else:
        heads = [(inner, item) for item in value]
    lines = [head + render(item, indent + 2, len(head)) for head, item in heads]
    opening, closing = "{}" if isinstance(value, dict) else "[]"
    return opening + "\n" + ",\n".join(lines) + "\n" + " " * indent + closing


def main(arguments: list[str]) -> int:
    """Formats the files, or with `--check` names those that are not formatted."""
    check = "--check" in arguments
    wrong = 0
    for path in map(Path, (name for name in arguments if name != "--check")):
        text = path.read_text(encoding="utf-8")
        formatted = render(json.loads(text)) + "\n"
        if formatted == text:
            continue
        wrong += 1
        if check:
            print(f"unformatted: {path}")
        else:
            path.write_text(formatted, encoding="utf-8")
    return 1 if check and wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
