"""Descriptions of parameters from a Google-style docstring."""

import re

_SECTION = re.compile(r"^(Args|Arguments|Parameters):\s*$", re.MULTILINE)
_ENTRY = re.compile(r"^(\s+)(\w+)(?:\s*\([^)]*\))?:\s*(.*)$")


def parameter_descriptions(doc: str) -> dict[str, str]:
    r"""Return what the `Args:` section of a docstring says about each parameter.

    Example:
        >>> parameter_descriptions("Count.\n\nArgs:\n    text: What is read,\n        as it is.\n    n: How often.")
        {'text': 'What is read, as it is.', 'n': 'How often.'}
    """
    section = _SECTION.search(doc)
    if section is None:
        return {}
    found: dict[str, str] = {}
    indent: int | None = None
    current: str | None = None
    for line in doc[section.end() :].splitlines():
        if not line.strip():
            continue
        depth = len(line) - len(line.lstrip())
        if depth == 0:
            break
        entry = _ENTRY.match(line)
        if entry is not None and (indent is None or depth == indent):
            indent, current = depth, entry.group(2)
            found[current] = entry.group(3).strip()
        elif current is not None and indent is not None and depth > indent:
            found[current] = f"{found[current]} {line.strip()}".strip()
    return found
