"""The tools for rules and skills that a repository already has.

Documented as ../README.md lays out.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field

from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.descriptions import Example
from toolcrib.core.result import Result
from toolcrib.core.tool import READ_ONLY, CallContext
from toolcrib.packs.guide.content import answers, listing
from toolcrib.packs.guide.session import attempt


class RulesForPath(ToolArguments):
    """Which file is going to be worked on."""

    path: str = Field(max_length=4096, description="File, relative to the project root")


class GetSkill(ToolArguments):
    """Which skill, and which of its files."""

    name: str | None = Field(None, description="A skill; none: list them")
    file: str = Field("SKILL.md", max_length=4096, description="File of the skill, in its folder")


# The template for these texts is ../README.md.
@ToolArguments.declare(
    title="Rules for a path",
    annotations=READ_ONLY,
    usage="Where two rules disagree, the earlier one wins. `on_request` names rules that apply "
    "only when their description fits the task; get_content delivers them.",
    examples=(
        Example(
            {"path": "src/api/users.py"},
            "AGENTS.md of src/api first, then rules whose patterns match, then the root's.",
        ),
    ),
)
def rules_for_path(args: RulesForPath, ctx: CallContext | None = None) -> Result[dict[str, Any]]:
    """Get the rules that apply to a file.

    Use it before editing: AGENTS.md, CLAUDE.md, Cursor and others, nearest first.
    """
    return attempt(lambda session: answers.rules(session.library, args.path))


@ToolArguments.declare(
    title="Get skill",
    annotations=READ_ONLY,
    examples=(
        Example({}, "All skills with what they are for."),
        Example({"name": "release"}, "The instructions of the skill release, and its files."),
        Example({"name": "release", "file": "scripts/tag.sh"}, "One of its files."),
    ),
)
def get_skill(args: GetSkill, ctx: CallContext | None = None) -> Result[dict[str, Any]]:
    """List the agent skills, or get one of them.

    Use it when a task may have a skill; follow what it says.
    """
    return attempt(lambda session: listing.skill(session.skills(), args.name, args.file))
