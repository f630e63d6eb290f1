"""Every Python block of the README and the docs runs; blocks of one page share a module and run in order.

A block fenced as `text title="prints"` holds what the Python block before it prints.
"""

from __future__ import annotations

import ast
import asyncio
import builtins
import contextlib
import inspect
import io
import re
import sys
import types
from dataclasses import dataclass
from pathlib import Path

import pytest

import wf_api.errors
from wf_authoring.testing import WorkflowHarness

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^(?P<fence>`{3,})(?P<info>[^\n`]*)\n(?P<body>.*?)^(?P=fence)[ ]*$", re.MULTILINE | re.DOTALL)
PRINTS = 'text title="prints"'


@dataclass
class Block:
    line: int
    info: str
    body: str


def blocks(page: Path) -> list[Block]:
    text = page.read_text(encoding="utf-8")
    return [
        Block(text.count("\n", 0, match.start("body")) + 1, match["info"].strip(), match["body"])
        for match in FENCE.finditer(text)
    ]


def run(page: Path, block: Block, module: types.ModuleType) -> str:
    """Executes a block (top-level `await` included) and gives what it printed; a traceback shows the page's line."""
    source = "\n" * (block.line - 1) + block.body
    code = compile(source, str(page), "exec", flags=ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        if code.co_flags & inspect.CO_COROUTINE:
            coroutine = types.FunctionType(code, module.__dict__)()
            asyncio.run(coroutine)
        else:
            exec(code, module.__dict__)  # noqa: S102 - running the page is the test
    return printed.getvalue()


@pytest.mark.parametrize("page", [p for p in PAGES if any(b.info == "python" for b in blocks(p))], ids=lambda p: p.name)
def test_every_python_block_of_the_page_runs(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    # A real module: annotations of classes and functions are looked up in it.
    module = types.ModuleType(f"page_{page.stem.replace('-', '_').lower()}")
    monkeypatch.setitem(sys.modules, module.__name__, module)
    printed = ""
    for block in blocks(page):
        if block.info == "python":
            printed = run(page, block, module)
        elif block.info == PRINTS:
            assert printed.rstrip() == block.body.rstrip(), f"{page.name}:{block.line}"
    # A page may show tests that take the harness.
    for name, function in vars(module).items():
        if name.startswith("test_"):
            asyncio.run(function(WorkflowHarness()))


def test_the_readme_has_an_example_of_about_twenty_lines() -> None:
    examples = [block for block in blocks(ROOT / "README.md") if block.info == "python"]
    assert examples
    assert len([line for line in examples[0].body.splitlines() if line.strip()]) <= 20


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_links_within_the_repository_lead_somewhere(page: Path) -> None:
    text = FENCE.sub("", page.read_text(encoding="utf-8"))
    targets = re.findall(r"\]\(([^)\s#]+)[^)]*\)", text)
    broken = [t for t in targets if "://" not in t and not (page.parent / t).exists()]
    assert broken == []


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(ROOT)))
def test_files_named_on_the_page_exist(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    named = re.findall(r"`((?:rust|python|tests|docs|examples|benchmarks|scripts)/[\w./*{}-]+)`", text)
    missing = [n for n in named if "{" not in n and not list(ROOT.glob(n.rstrip("/")))]
    assert missing == []


def test_cases_named_by_a_decision_exist() -> None:
    cases = {path.stem for path in (ROOT / "tests" / "cases").glob("*.json")}
    themes = {stem.partition("_")[0] for stem in cases}
    missing = [
        f"{page.name}: {name}"
        for page in sorted((ROOT / "docs" / "decisions").glob("d*.md"))
        for name in re.findall(r"`([a-z][a-z0-9_]+)`", page.read_text(encoding="utf-8").partition("**Shown by**")[2])
        if name not in cases and name.partition("_")[0] in themes
    ]
    assert missing == []


def test_the_guide_tells_the_errors_of_reads_as_they_are() -> None:
    text = (ROOT / "docs" / "source_provider_guide.md").read_text(encoding="utf-8")
    rows = re.findall(r"^\| .+? \| `(\w+)` \| `([\w.]+)` \| (.+?) \|$", text, re.MULTILINE)
    assert len(rows) >= 10
    for name, code, bases in rows:
        kind = getattr(wf_api.errors, name)
        assert kind.code == code, name
        for base in re.findall(r"`(\w+)`", bases):
            assert issubclass(kind, getattr(builtins, base)), (name, base)
