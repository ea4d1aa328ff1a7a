"""The tools of this pack: one module each, with a function `tool(library)`.

A new tool is a new module here and its test; nothing else has to know of it.
"""

from __future__ import annotations

import dataclasses
import importlib
import inspect
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING

from toolcrib.core.errors import InvalidArguments
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON, CallContext, Run, Tool, Validate
from toolcrib.core.workflow import ARGUMENT, SCHEMA

if TYPE_CHECKING:
    from toolcrib.packs.architecture.library.library import Library


def find_tools(library: Library) -> list[Tool]:
    """All tools over a library, sorted by name, each with the optional workflow handle."""
    files = (file for folder in __path__ for file in os.listdir(folder))  # noqa: PTH208 - no Paths
    modules = sorted(
        file.removesuffix(".py")
        for file in files
        if file.endswith(".py") and not file.startswith("_")
    )
    found = [importlib.import_module(f"{__name__}.{name}").tool(library) for name in modules]
    return sorted((finished(tool, library) for tool in found), key=lambda tool: tool.name)


def finished(tool: Tool, library: Library) -> Tool:
    """What all tools of this pack have in common, so that none can forget it."""
    properties = {**tool.input_schema["properties"], ARGUMENT: SCHEMA}
    schema = {**tool.input_schema, "properties": properties}
    return dataclasses.replace(
        tool,
        input_schema=schema,
        validate=_strict(schema, tool.validate),
        run=_patient(tool.run, library),
        failures="protocol",
        category=tool.category or "architecture",
    )


def _strict(schema: JSON, before: Validate | None) -> Validate:
    """Check as the schema says, and refuse what it does not know: a typo is no option."""
    compiled = None

    def validate(arguments: JSON) -> JSON:
        nonlocal compiled
        if compiled is None:
            from toolcrib.core.schema import ArgumentSchema  # compiled at the first call

            compiled = ArgumentSchema({**schema, "additionalProperties": False})
        arguments = before(arguments) if before is not None else arguments
        compiled.check(arguments)
        _refuse_blanks(arguments, schema["required"])
        return {name: _whole(value) for name, value in arguments.items()}

    return validate


def _refuse_blanks(arguments: JSON, required: Sequence[str]) -> None:
    """Text that must be there must say something: of nothing, nothing can be found or checked."""
    blank = [name for name in required if not str(arguments[name]).strip()]
    if blank:
        raise InvalidArguments([f"Argument {name!r} must not be empty" for name in blank], blank)


def _whole(value: object) -> object:
    """`2.0` is an integer to a schema, but not to a slice."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _patient(run: Run, library: Library) -> Run:
    """The first call reads the library, beside the event loop."""
    if not inspect.iscoroutinefunction(run):
        return run

    async def patient(arguments: JSON, context: CallContext) -> object:
        if not library.loaded:
            await in_thread(library.records)
        return await run(arguments, context)

    return patient
