"""Nodes keep the types of the functions they are made of."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Literal, TypedDict, assert_type

from pydantic import BaseModel

from wf_authoring import (
    NodeFunction,
    NodeReturn,
    NodeSpec,
    NoOutput,
    Nothing,
    build_async_registry,
    build_registry,
    node,
    outcome,
)
from wf_core import RuntimeContext


class Question(BaseModel):
    text: str


class Answer(BaseModel):
    words: list[str]


@dataclass
class Point:
    x: int


class Options(TypedDict):
    name: str


@node
def headings(text: str, *, limit: int = 3) -> list[str]:
    return text.splitlines()[:limit]


@node(name="demo.answer", outcomes=("ok", "empty"), retry=2, timeout_seconds=1.5, description="Answers.")
def answer(question: Question, ctx: RuntimeContext) -> NodeReturn[Answer]:
    return outcome("empty", Answer(words=[])) if ctx.retry_count else NodeReturn("ok", Answer(words=[question.text]))


@node(blocking=True)
def move(point: Point) -> Point:
    return Point(point.x + 1)


@node
async def later(options: Options) -> Options:
    return options


@node
def silent(text: str) -> None:
    assert text


@node(outcomes={"found": Answer, "missing": None})
def find(text: str) -> NodeReturn[Answer] | NodeReturn[Nothing]:
    return outcome("found", Answer(words=[text])) if text else outcome("missing")


@node
def done(mode: Literal["a", "b"]) -> NoOutput:
    return outcome(mode)


class Service:
    @node
    def greet(self, text: str) -> str:
        return text


assert_type(headings("# A"), list[str])
assert_type(headings("# A", limit=1), list[str])
assert_type(move(Point(1)), Point)
assert_type(silent("a"), None)
assert_type(outcome("a", 1), NodeReturn[int])
assert_type(outcome("a"), NodeReturn[Nothing])
plain: Callable[..., list[str]] = headings
alias: NodeFunction[..., list[str]] = node(headings, name="demo.headings")
spec: NodeSpec[Any, Any] = answer
handlers = build_registry(headings, answer, move, silent)
async_handlers = build_async_registry(later, headings)


async def use() -> None:
    assert_type(await later({"name": "a"}), Options)
    context = RuntimeContext(current_node_id="n")
    assert_type(handlers["headings"]({"text": "a"}, context), dict[str, Any])
    waiting: Awaitable[dict[str, Any]] = async_handlers["later"]({"name": "a"}, context)
    assert_type(await waiting, dict[str, Any])
