"""The tools for categories: folders of documents.

Documented as ../README.md lays out.
"""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.descriptions import Example
from toolcrib.core.result import Result
from toolcrib.core.tool import READ_ONLY, Annotations, CallContext
from toolcrib.packs.guide.content import listing
from toolcrib.packs.guide.session import attempt

ADDS = Annotations(read_only=False, destructive=False, idempotent=False, open_world=False)
CHANGES = Annotations(read_only=False, destructive=False, idempotent=True, open_world=False)
REMOVES = Annotations(read_only=False, destructive=True, idempotent=True, open_world=False)


class CategoryList(ToolArguments):
    """Nothing to choose."""


class CategoryAdd(ToolArguments):
    """A new category."""

    name: str = Field(description="Its name: letters, digits, . _ -")
    dir: str = Field(description="Folder, relative to the project root")
    description: str | None = Field(None, description="What it holds")
    patterns: list[str] | None = Field(None, description="Globs of its files; default: texts")


class CategoryChange(ToolArguments):
    """What to change about a category."""

    name: str = Field(description="Its name, as category_list has it")
    new_name: str | None = Field(None, description="New name; collections follow")
    dir: str | None = Field(None, description="New folder, from the project root")
    description: str | None = Field(None, description="New description; empty removes")
    patterns: list[str] | None = Field(None, description="New globs, such as **/*.md")


class CategoryRemove(ToolArguments):
    """Which category to remove."""

    name: str = Field(description="Its name, as category_list has it")
    confirm: Literal["REMOVE_CATEGORY"] = Field(description="The definition is lost; files stay")


class CategoryListFiles(ToolArguments):
    """Which category's files, from where on."""

    name: str = Field(description="Its name, as category_list has it")
    pattern: str | None = Field(None, description="Glob: only files that match")
    start: int = Field(0, ge=0, description="Skip so many: the last `next`")


# The template for these texts is ../README.md.
@ToolArguments.declare(
    title="List categories",
    share="store",
    annotations=READ_ONLY,
    examples=(Example({}, "All categories with their folders and the number of documents."),),
)
def category_list(
    args: CategoryList, ctx: CallContext | None = None
) -> Result[list[dict[str, Any]]]:
    """List the categories of content.

    Use it to see what get_content can deliver.
    """
    return attempt(lambda session: listing.categories(session.library))


@ToolArguments.declare(
    title="Add category",
    share="store",
    annotations=ADDS,
    usage="Categories added here are yours alone; for the whole team, make a folder in guide/ "
    "or write it into guide/guide.toml.",
    examples=(
        Example(
            {"name": "api", "dir": "docs/api", "description": "HTTP interface"},
            "All text documents below docs/api as the category api.",
        ),
        Example(
            {"name": "sql", "dir": "db", "patterns": ["**/*.sql"]},
            "The SQL files below db as the category sql.",
        ),
    ),
)
def category_add(args: CategoryAdd, ctx: CallContext | None = None) -> Result[dict[str, Any]]:
    """Add a category: a folder of documents.

    Use it when documents lie outside the guide folder.
    """
    value = args.model_dump(exclude={"name"}, exclude_none=True)
    return attempt(lambda session: listing.shown(session.editor.add_category(args.name, value)))


@ToolArguments.declare(
    title="Change category",
    share="store",
    annotations=CHANGES,
    usage="What is left out stays as it is.",
    examples=(
        Example(
            {"name": "api", "new_name": "http"},
            "Renames api to http, also in the collections that refer to it.",
        ),
        Example({"name": "api", "patterns": ["v2/**"]}, "Narrows api to the folder v2."),
    ),
)
def category_change(args: CategoryChange, ctx: CallContext | None = None) -> Result[dict[str, Any]]:
    """Change or rename a category.

    Use it for one that category_add made.
    """
    given = args.model_dump(include={"dir", "description", "patterns"}, exclude_none=True)
    return attempt(
        lambda session: listing.shown(
            session.editor.change_category(args.name, given, args.new_name)
        )
    )


@ToolArguments.declare(
    title="Remove category",
    share="store",
    annotations=REMOVES,
    usage="Refused while a collection refers to it.",
    examples=(
        Example(
            {"name": "api", "confirm": "REMOVE_CATEGORY"},
            "Forgets the category api; the documents in its folder stay.",
        ),
    ),
)
def category_remove(args: CategoryRemove, ctx: CallContext | None = None) -> Result[dict[str, Any]]:
    """Remove a category."""
    return attempt(lambda session: listing.shown(session.editor.remove_category(args.name)))


@ToolArguments.declare(
    title="List category files",
    share="store",
    annotations=READ_ONLY,
    usage="At most 500 names at once; `next` is the `start` of the following ones.",
    examples=(
        Example({"name": "docs"}, "The names and sizes of all documents of docs."),
        Example({"name": "docs", "pattern": "**/api*"}, "Only those whose names begin with api."),
    ),
)
def category_list_files(
    args: CategoryListFiles, ctx: CallContext | None = None
) -> Result[dict[str, Any]]:
    """List the documents of a category.

    Use it to see what can be read, and how large it is.
    """
    return attempt(
        lambda session: listing.category_files(session.library, args.name, args.pattern, args.start)
    )
