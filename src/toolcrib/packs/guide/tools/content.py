"""`get_content`: the documents that an expression means.

Documented as ../README.md lays out.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.descriptions import Example
from toolcrib.core.result import Result
from toolcrib.core.tool import READ_ONLY, CallContext
from toolcrib.packs.guide.content import answers
from toolcrib.packs.guide.content.budget import LEAST, MOST
from toolcrib.packs.guide.content.expressions import LONGEST
from toolcrib.packs.guide.session import attempt


class GetContent(ToolArguments):
    """What to get, and how much of it."""

    expression: str = Field(
        max_length=LONGEST,
        description="category[/pattern[+pattern]] or collection; several with commas",
    )
    pattern: str | None = Field(
        None, max_length=LONGEST, description="Pattern, if the expression has none"
    )
    max_tokens: int | None = Field(None, ge=LEAST, le=MOST, description="Most tokens of the answer")
    cursor: str | None = Field(
        None, max_length=4000, description="From a truncated answer: go on there"
    )


# The template for this text is ../README.md.
@ToolArguments.declare(
    title="Get content",
    annotations=READ_ONLY,
    usage="A pattern matches with or without extension; * stays within a folder, ** does not. "
    "`missing` lists what matched nothing. When `truncated` is true, repeat the call with the "
    "`cursor` of the answer.",
    examples=(
        Example({"expression": "lang/python"}, "The document lang/python.md."),
        Example(
            {"expression": "lang", "pattern": "python"},
            "The same, with the pattern as an argument of its own.",
        ),
        Example(
            {"expression": "lang/python+sql,docs/api,runbooks"},
            "Two languages, one document of docs, and the whole category runbooks, in that order.",
        ),
        Example(
            {"expression": "docs/**", "max_tokens": 2000},
            "Everything below docs, at most 2,000 tokens of it; the answer has a cursor.",
        ),
    ),
)
def get_content(args: GetContent, ctx: CallContext | None = None) -> Result[dict[str, Any]]:
    """Get project guidance by category expression.

    Use it before working on something the project has documents for.

    Documents come sorted within each part of the expression and in the order of its parts,
    each once. Only when nothing matches at all is the answer a failure, with the nearest names.
    """
    result = attempt(
        lambda session: answers.content(
            session.library,
            args.expression,
            args.pattern,
            max_tokens=args.max_tokens,
            cursor=args.cursor,
        )
    )
    if result.value and result.value["truncated"]:
        rest = (
            f"{result.value['remaining']} document(s) are not shown in full: for the rest call "
            f"{answers.again(args.expression, args.pattern)}."
        )
        return Result.ok(result.value, result.message, rest)
    return result
