"""The tools for flags: of all projects (`feature`), and of this one (`project`).

Documented as ../README.md lays out.
"""

from __future__ import annotations

from typing import Any

from pydantic import Field, StrictBool, StrictStr

from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.descriptions import Example
from toolcrib.core.result import Result
from toolcrib.core.tool import READ_ONLY, CallContext
from toolcrib.packs.guide.session import GuideSession, attempt
from toolcrib.packs.guide.tools.categories import CHANGES

Value = StrictBool | StrictStr | list[StrictStr] | dict[StrictStr, StrictStr] | None


class SetFlag(ToolArguments):
    """Which flag, and its new value."""

    name: str = Field(description="Its name: letters, digits, . _ -")
    value: Value = Field(description="New value; null removes")


class GetFlag(ToolArguments):
    """Which flag."""

    name: str = Field(description="Its name, as the list has it")


class ListFlags(ToolArguments):
    """Nothing to choose."""


# The template for these texts is ../README.md.
@ToolArguments.declare(
    title="Set feature flag",
    share="store",
    annotations=CHANGES,
    usage="Names are up to 64 letters, digits, dots, underscores and dashes.",
    examples=(
        Example({"name": "terse", "value": True}, "Turns terse on in every project."),
        Example({"name": "terse", "value": None}, "Removes it."),
    ),
)
def set_feature_flag(args: SetFlag, ctx: CallContext | None = None) -> Result[Any]:
    """Set a global flag, for all projects.

    Use it when the user wants it everywhere.
    """

    def work(session: GuideSession) -> Any:
        session.feature_flags().set(args.name, args.value)
        return args.value

    return attempt(work, _saved(args, "all projects"))


@ToolArguments.declare(
    title="Get feature flag",
    share="store",
    annotations=READ_ONLY,
    examples=(Example({"name": "terse"}, "Its global value, or null."),),
)
def get_feature_flag(args: GetFlag, ctx: CallContext | None = None) -> Result[Any]:
    """Get a global flag; null if not set.

    Use it for what holds in all projects.
    """
    return attempt(lambda session: session.feature_flags().get(args.name))


@ToolArguments.declare(
    title="List feature flags",
    share="store",
    annotations=READ_ONLY,
    examples=(Example({}, "All global flags as a map of name to value."),),
)
def list_feature_flags(args: ListFlags, ctx: CallContext | None = None) -> Result[dict[str, Any]]:
    """List the global flags.

    Use it for what holds in all projects.
    """
    return attempt(lambda session: session.feature_flags().list())


@ToolArguments.declare(
    title="Set project flag",
    share="store",
    annotations=CHANGES,
    usage="A project flag beats a global one of the same name, also when it is false.",
    examples=(
        Example({"name": "terse", "value": False}, "Turns it off here, whatever holds elsewhere."),
        Example({"name": "reviewers", "value": ["ada", "bob"]}, "A list of strings."),
        Example({"name": "urls", "value": {"docs": "https://docs.test"}}, "A map of strings."),
    ),
)
def set_project_flag(args: SetFlag, ctx: CallContext | None = None) -> Result[Any]:
    """Set a flag of this project.

    Use it when the user wants it here.
    """

    def work(session: GuideSession) -> Any:
        session.flags.set_project(args.name, args.value)
        return args.value

    return attempt(work, _saved(args, "this project"))


@ToolArguments.declare(
    title="Get project flag",
    share="store",
    annotations=READ_ONLY,
    examples=(Example({"name": "terse"}, "The project's value, else the global one, else null."),),
)
def get_project_flag(args: GetFlag, ctx: CallContext | None = None) -> Result[Any]:
    """Get a flag as this project sees it.

    Use it before you act on one; null if not set.
    """
    found = attempt(lambda session: session.flags.get_project(args.name))
    if not found.success or found.value is None:
        return found
    value, source = found.value
    said = {"project": "set by this project", "global": "set globally", "none": "not set"}
    return Result.ok(value, message=f"{args.name} is {said[source]}")


@ToolArguments.declare(
    title="List project flags",
    share="store",
    annotations=READ_ONLY,
    examples=(Example({}, "All flags that hold here, the project's over the global ones."),),
)
def list_project_flags(args: ListFlags, ctx: CallContext | None = None) -> Result[dict[str, Any]]:
    """List the flags as this project sees them.

    Use it to learn what holds here.
    """
    return attempt(lambda session: session.flags.list_project())


def _saved(args: SetFlag, where: str) -> str:
    return f"{args.name} is {'removed' if args.value is None else 'set'} for {where}"
