"""The tool that searches everything a repository has to say.

Documented as ../README.md lays out.
"""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StringConstraints

from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.descriptions import Example
from toolcrib.core.pack import KnowledgeKind
from toolcrib.core.result import Result
from toolcrib.core.tool import READ_ONLY, CallContext
from toolcrib.packs.guide.session import attempt


class Search(ToolArguments):
    """What is looked for."""

    query: Annotated[str, StringConstraints(strip_whitespace=True)] = Field(
        min_length=1, max_length=500, description="What it is about, in words"
    )
    kinds: list[KnowledgeKind] = Field([], description="Only these kinds; none for all")
    limit: int = Field(10, ge=1, le=20, description="At most so many results")


# The template for these texts is ../README.md.
@ToolArguments.declare(
    title="Search knowledge",
    annotations=READ_ONLY,
    usage="Each result has a `uri` that resources/read delivers; `total_matches` counts what "
    "matched before the cut.",
    examples=(
        Example({"query": "how do we handle errors"}, "Whatever speaks of it, best first."),
        Example(
            {"query": "review frontend code", "kinds": ["skill"]}, "Only skills that fit the task."
        ),
        Example(
            {"query": "database", "kinds": ["decision", "pattern"], "limit": 3},
            "The three decisions or patterns that speak most of it.",
        ),
    ),
)
def search(args: Search, ctx: CallContext | None = None) -> Result[dict[str, Any]]:
    """Search documents, decisions, rules and skills.

    Use it before a task, to find what the project says about it.
    """
    return attempt(lambda session: session.search(args.query, args.kinds, args.limit))
