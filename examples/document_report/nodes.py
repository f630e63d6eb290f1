"""What the report is made of: three functions with types. Each can be called and tested as it is."""

from __future__ import annotations

import re

from pydantic import BaseModel

from wf_authoring import node

HEADING = re.compile(r"^#{1,6} +(?P<text>.+?) *#*$", re.MULTILINE)
LINK = re.compile(r"(?<!!)\[[^\]\n]+\]\((?P<target>[^)\s]+)[^)\n]*\)")
FENCED = re.compile(r"^(?P<fence>`{3,}).*?(?:^(?P=fence)|\Z)", re.MULTILINE | re.DOTALL)


class Facts(BaseModel):
    """What is known of one document.

    Attributes:
        name: How the document is called.
        title: Its first heading, or its name when it has none.
        headings: All its headings, in order.
        links: Where it links to, each target once, in order.
        words: How many words it has.
    """

    name: str
    title: str
    headings: list[str]
    links: list[str]
    words: int


class Failure(BaseModel):
    """A document that could not be read: the record that a foreach collects for a failed item.

    Attributes:
        index: Its place in the list.
        error_type: The type of the error.
        message: What the error said.
    """

    index: int
    error_type: str
    message: str


class Report(BaseModel):
    """The whole report.

    Attributes:
        documents: One entry for each document that was read whole.
        cut: One entry for each document that was longer than the bound: its figures only count what was read.
        unread: One line for each document that could not be read.
        words: All words that were read.
        headings: All headings that were read.
        links: All different link targets.
    """

    documents: list[Facts]
    cut: list[Facts]
    unread: list[str]
    words: int
    headings: int
    links: int


@node
def examine(name: str, text: str) -> Facts:
    """Finds the headings and links of a Markdown text and counts its words; code blocks are left out."""
    prose = FENCED.sub("", text)
    headings = [match["text"] for match in HEADING.finditer(prose)]
    return Facts(
        name=name,
        title=headings[0] if headings else name,
        headings=headings,
        links=list(dict.fromkeys(match["target"] for match in LINK.finditer(prose))),
        words=len(prose.split()),
    )


@node
def summarize(whole: list[Facts], cut: list[Facts], failures: list[Failure]) -> Report:
    """Puts the facts of all documents together."""
    read = [*whole, *cut]
    return Report(
        documents=sorted(whole, key=lambda facts: facts.name),
        cut=sorted(cut, key=lambda facts: facts.name),
        unread=[f"document {failure.index + 1}: {failure.message}" for failure in failures],
        words=sum(facts.words for facts in read),
        headings=sum(len(facts.headings) for facts in read),
        links=len({target for facts in read for target in facts.links}),
    )
