"""Each marked line is wrong, and both type checkers say so."""

from wf_authoring import NodeReturn, build_registry, node, outcome
from wf_core import RuntimeContext


@node
def headings(text: str, *, limit: int = 3) -> list[str]:
    return text.splitlines()[:limit]


@node
async def later(text: str, ctx: RuntimeContext) -> str:
    return text


headings(3)  # wrong
headings("a", limits=1)  # wrong
headings()  # wrong
number: int = headings("a")  # wrong
word: str = later("a", RuntimeContext(current_node_id="n"))  # wrong
node("headings")  # wrong
node(headings.fn, outcomes=3)  # wrong
node(headings.fn, retries=2)  # wrong
node(timeout_seconds="soon")  # wrong
build_registry(len)  # wrong
result: NodeReturn[int] = outcome("a", "b")  # wrong
