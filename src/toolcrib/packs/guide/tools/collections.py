"""The tools for collections: named lists of expressions.

Documented as ../README.md lays out.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.descriptions import Example
from toolcrib.core.result import Result
from toolcrib.core.tool import READ_ONLY, CallContext
from toolcrib.packs.guide.content import listing
from toolcrib.packs.guide.session import attempt
from toolcrib.packs.guide.tools.categories import ADDS, CHANGES, REMOVES


class CollectionList(ToolArguments):
    """Nothing to choose."""


class CollectionAdd(ToolArguments):
    """A new collection."""

    name: str = Field(description="Its name: letters, digits, . _ -")
    expressions: list[str] = Field(min_length=1, description="What it holds, as for get_content")
    description: str | None = Field(None, description="What it is for")


class CollectionChange(ToolArguments):
    """What to change about a collection."""

    name: str = Field(description="Its name, as collection_list has it")
    new_name: str | None = Field(None, description="New name; references follow")
    expressions: list[str] | None = Field(
        None, min_length=1, description="New list, as for get_content"
    )
    description: str | None = Field(None, description="New description; empty removes")


class CollectionRemove(ToolArguments):
    """Which collection to remove."""

    name: str = Field(description="Its name, as collection_list has it")
    confirm: Literal["REMOVE_COLLECTION"] = Field(description="The list is lost; documents stay")


class CollectionListFiles(ToolArguments):
    """Which collection's files, from where on."""

    name: str = Field(description="Its name, as collection_list has it")
    start: int = Field(0, ge=0, description="Skip so many: the last `next`")


# The template for these texts is ../README.md.
@ToolArguments.declare(
    title="List collections",
    share="store",
    annotations=READ_ONLY,
    examples=(Example({}, "All collections with their expressions."),),
)
def collection_list(
    args: CollectionList, ctx: CallContext | None = None
) -> Result[list[dict[str, Any]]]:
    """List the collections.

    Use it to find a ready-made set of documents for get_content.
    """
    return attempt(lambda session: listing.collections(session.library))


@ToolArguments.declare(
    title="Add collection",
    share="store",
    annotations=ADDS,
    usage="Everything it refers to must exist; a collection may hold others, but not itself.",
    examples=(
        Example(
            {"name": "onboarding", "expressions": ["lang/python", "docs/api"]},
            "get_content(expression='onboarding') then delivers both.",
        ),
    ),
)
def collection_add(args: CollectionAdd, ctx: CallContext | None = None) -> Result[dict[str, Any]]:
    """Add a collection: a named list of expressions.

    Use it for documents that are needed together again and again.
    """
    value = args.model_dump(exclude={"name"}, exclude_none=True)
    return attempt(lambda session: listing.shown(session.editor.add_collection(args.name, value)))


@ToolArguments.declare(
    title="Change collection",
    share="store",
    annotations=CHANGES,
    usage="What is left out stays as it is.",
    examples=(
        Example(
            {"name": "onboarding", "expressions": ["lang", "docs/api"]},
            "Replaces the list of expressions.",
        ),
    ),
)
def collection_change(
    args: CollectionChange, ctx: CallContext | None = None
) -> Result[dict[str, Any]]:
    """Change or rename a collection.

    Use it for one that collection_add made.
    """
    given = args.model_dump(include={"expressions", "description"}, exclude_none=True)
    return attempt(
        lambda session: listing.shown(
            session.editor.change_collection(args.name, given, args.new_name)
        )
    )


@ToolArguments.declare(
    title="Remove collection",
    share="store",
    annotations=REMOVES,
    usage="Refused while another collection refers to it.",
    examples=(
        Example(
            {"name": "onboarding", "confirm": "REMOVE_COLLECTION"},
            "Forgets the collection; its documents stay.",
        ),
    ),
)
def collection_remove(
    args: CollectionRemove, ctx: CallContext | None = None
) -> Result[dict[str, Any]]:
    """Remove a collection."""
    return attempt(lambda session: listing.shown(session.editor.remove_collection(args.name)))


@ToolArguments.declare(
    title="List collection files",
    share="store",
    annotations=READ_ONLY,
    usage="At most 500 names at once; `next` is the `start` of the following ones.",
    examples=(Example({"name": "onboarding"}, "The documents that the collection means."),),
)
def collection_list_files(
    args: CollectionListFiles, ctx: CallContext | None = None
) -> Result[dict[str, Any]]:
    """List the documents of a collection.

    Use it to see what it would deliver.
    """
    return attempt(lambda session: listing.collection_files(session.library, args.name, args.start))
