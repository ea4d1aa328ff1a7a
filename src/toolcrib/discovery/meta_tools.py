"""Command-line tools as tools of the core, and the two meta-tools that find and call them."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Awaitable, Callable, Iterable, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from toolcrib.core.errors import (
    CallError,
    DeadlinePassed,
    ExecutionFailed,
    InvalidArguments,
    Refusal,
    ToolListed,
    ToolNotFound,
)
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.support.jsonable import unique
from toolcrib.core.support.suggest import did_you_mean
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON, READ_ONLY, Annotations, CallContext, Tool, ToolOutput
from toolcrib.discovery.answers import Building, search, summary, unbuilt
from toolcrib.discovery.index import ToolIndex

# What a start does not need is imported where it is used: a session begins with every start.
if TYPE_CHECKING:
    from toolcrib.running.program import ArgDef

Lookup = Callable[[str], Tool | None]
RefusalOf = Callable[[str], Refusal | None]
Prepare = Callable[[str], Awaitable[None] | None]
"""Prepares a tool before it is looked up; None where there is nothing to wait for."""
Missing = Callable[[str, Sequence[str]], ToolOutput | None]
"""What a caller of a tool that nobody has is told, with the nearest names."""
Listed = Callable[[str], bool]
"""Whether a tool is listed itself, beside the meta-tools."""
Remarks = Callable[[], Awaitable[JSON]]
"""What else there is to say of tools that are not found: pending, unavailable, held."""

_FILTERS = {"query", "category", "cli"}
_PATIENCE = 8.0
"""Seconds that a search waits for its index: less than its own deadline."""


class Withheld(NamedTuple):
    """What is not trusted yet: known tools, and files whose tools are unknown."""

    tools: int = 0
    files: int = 0


NOTHING_WITHHELD = Withheld()
_SEARCH_SCHEMA: JSON = {
    "type": "object",
    "properties": {
        "query": {
            "type": "string",
            "description": "What the tool should do, in words, or a part of its name",
        },
        "category": {"type": "string", "description": "Only tools of this category"},
        "cli": {"type": "string", "description": "Only tools of this program"},
        "limit": {
            "type": "integer",
            "minimum": 1,
            "default": 10,
            "description": "At most so many results",
        },
        "explain": {"type": "boolean", "description": "Say why each result matched"},
    },
    "additionalProperties": False,
}
_CALL_SCHEMA: JSON = {
    "type": "object",
    "properties": {
        "tool_name": {"type": "string", "description": "Name of the tool, from climax_search"},
        "args": {
            "type": ["object", "null"],
            "description": "Its arguments by name, as its input_schema says",
        },
    },
    "required": ["tool_name"],
    "additionalProperties": False,
}


def meta_tools(
    index: ToolIndex,
    lookup: Lookup,
    refusal: RefusalOf,
    executor: ToolExecutor,
    withheld: Withheld = NOTHING_WITHHELD,
    remarks: Remarks | None = None,
    missing: Missing = lambda name, near: None,
    prepare: Prepare | None = None,
    listed: Listed = lambda name: False,
) -> list[Tool]:
    """`climax_search` and `climax_call` over the tools of `index`."""
    call = _call_tool(index, lookup, refusal, executor, withheld, missing, prepare, listed)
    return [call, _search_tool(index, lookup, withheld, remarks, prepare)]


def _search_tool(
    index: ToolIndex,
    lookup: Lookup,
    withheld: Withheld,
    remarks: Remarks | None,
    prepare: Prepare | None,
) -> Tool:
    building = Building(index)

    async def answer(given: JSON) -> JSON:
        if not (given.keys() & _FILTERS):
            return await in_thread(summary, index, given.get("limit", 10))
        if index.ready:
            return search(index, **given)
        if not await building.wait(_PATIENCE):
            return unbuilt(index, **given)
        return await in_thread(partial(search, index, **given))  # the first one loads tables

    async def run(given: JSON, context: CallContext) -> ToolOutput:
        more = await remarks() if remarks is not None else {}
        found = {**await answer(given), **more}
        if hits := found.get("results"):
            await _expect(lookup, prepare, hits[0]["tool_name"])
        count = withheld.tools + more.get("withheld", 0)
        return ToolOutput.of_json({**found, "withheld": count} if count else found)

    return Tool(
        name="climax_search",
        title="Find a tool",
        description=(
            "Find tools by what they do, by name, category or program. Returns what climax_call "
            "needs to call them. Without a filter: the programs there are."
        ),
        input_schema=_SEARCH_SCHEMA,
        run=run,
        annotations=READ_ONLY,
        category="climax",
        origin=__name__,
        validate=_validated_search,
    )


async def _expect(lookup: Lookup, prepare: Prepare | None, name: str) -> None:
    """Prepare the best hit, since a search is usually followed by a call."""
    if prepare is not None and (preparing := prepare(name)) is not None:
        await preparing
    tool = lookup(name)
    if tool is not None and tool.expect is not None:
        tool.expect()


def _call_tool(
    index: ToolIndex,
    lookup: Lookup,
    refusal: RefusalOf,
    executor: ToolExecutor,
    withheld: Withheld,
    missing: Missing,
    prepare: Prepare | None,
    listed: Listed,
) -> Tool:
    async def run(given: JSON, context: CallContext) -> ToolOutput:
        name = given["tool_name"]
        if prepare is not None and (preparing := prepare(name)) is not None:
            await preparing
        tool = lookup(name)
        if tool is None and listed(name):
            direct = ToolListed(name)
            executor.note(name, given["args"], context, direct)
            return _refusal(direct)
        if tool is None:
            near = await in_thread(index.nearest, name)
            unknown = ToolNotFound(name, near, waiting=withheld.files)
            unknown.refuse(refusal(name))
            executor.note(name, given["args"], context, unknown)
            return missing(name, near) or _refusal(unknown)
        # That one tool fails, or takes too long, says nothing about this one.
        try:
            output = await executor.run(tool, given["args"], context)
        except (ExecutionFailed, DeadlinePassed) as error:
            return _refusal(error)
        if output.timed_out or output.broken:
            return dataclasses.replace(output, timed_out=False, broken=False)
        return output

    return Tool(
        name="climax_call",
        title="Call a tool",
        description="Call a tool that climax_search has found, by its exact name.",
        input_schema=_CALL_SCHEMA,
        run=run,
        annotations=Annotations(read_only=False, destructive=True, open_world=True),
        category="climax",
        keeps_time=True,
        origin=__name__,
        validate=_validated_call,
    )


def _refusal(error: CallError) -> ToolOutput:
    wire: JSON = {"code": error.rpc_code, "message": str(error)}
    if error.data:
        wire["data"] = error.data
    return ToolOutput.text(str(error), {"error": wire}, is_error=True)


def _validated_search(given: JSON) -> JSON:
    from toolcrib.running.arguments import validate_arguments
    from toolcrib.running.program import ArgDef

    known: JSON = _SEARCH_SCHEMA["properties"]
    args = [ArgDef(name, type=about["type"]) for name, about in known.items()]
    problems = _unknown(given, known)
    try:
        named = {key: value for key, value in given.items() if key in known}
        values: JSON = dict(validate_arguments(args, named, [_at_least_one]))
    except InvalidArguments as error:
        problems += error.problems
    if problems:
        raise InvalidArguments(problems)
    return {key: value for key, value in values.items() if not _is_blank(value)}


def _is_blank(value: object) -> bool:
    """Whether a filter names nothing: blanks alone, like an empty text, ask for nothing."""
    return isinstance(value, str) and not value.strip()


def _at_least_one(arg: ArgDef, value: Any) -> str | None:
    if arg.name == "limit" and value < 1:
        return f"Argument 'limit' must be at least 1, got {value}"
    return None


def _validated_call(given: JSON) -> JSON:
    name, args = given.get("tool_name"), given.get("args")
    if type(name) is str and type(args) is dict and len(given) == 2:
        return given  # as most are
    args = _read_object(args)
    from toolcrib.running.arguments import presented

    problems = _unknown(given, ["tool_name", "args"])
    if name is None:
        problems.append("Missing required argument 'tool_name'")
    elif not isinstance(name, str):
        problems.append(f"Argument 'tool_name' must be a string, got {presented(name)}")
    if args is not None and not isinstance(args, dict):
        problems.append(f"Argument 'args' must be an object, got {presented(args)}")
    if problems:
        raise InvalidArguments(problems)
    return {"tool_name": name, "args": args or {}}


def _read_object(args: Any) -> Any:
    """Arguments that were sent as JSON text, parsed; anything else unchanged."""
    if not isinstance(args, str):
        return args
    try:
        read = json.loads(args, object_pairs_hook=unique, parse_constant=_no_number)
    except (ValueError, RecursionError):
        return args
    return read if read is None or isinstance(read, dict) else args


def _no_number(text: str) -> Any:
    raise ValueError(f"{text} is no JSON number")


def _unknown(given: JSON, known: Iterable[str]) -> list[str]:
    names = list(known)
    return [
        f"Unknown argument {key!r}{did_you_mean(key, names) or '; known are: ' + ', '.join(names)}"
        for key in given
        if key not in names
    ]
