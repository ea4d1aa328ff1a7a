"""The guide's tools as they are listed, before the models behind them are loaded.

Loading pydantic and building a model per tool takes longer than all the rest of a start. What
the models say is therefore kept in `listed.json`, written by `make reference` and compared with
them by a test; they are loaded in the background, or by the first call if it comes earlier.
"""

from __future__ import annotations

import inspect
import json
from collections.abc import Callable
from dataclasses import replace
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from toolcrib.core.declare.prefix import prefixed
from toolcrib.core.tool import JSON, Annotations, CallContext, Tool
from toolcrib.packs.guide.environment import include_example_tools
from toolcrib.packs.guide.session import GuideSession

FILE = Path(__file__).with_name("listed.json")

Style = Literal["concise", "full"]


class Toolset:
    """The tools of one session, under one prefix; `tools` is what a server lists."""

    def __init__(self, session: GuideSession, prefix: str, descriptions: Style) -> None:
        self._session = session
        self._prefix = prefix
        self._descriptions: Style = descriptions
        self._loaded: dict[str, Tool] = {}

    @cached_property
    def tools(self) -> list[Tool]:
        """All tools, sorted by name; the examples, which are in no file, come with the models."""
        if include_example_tools():
            return list(self.load().values())
        return [self._written(entry) for entry in json.loads(FILE.read_bytes())]

    def load(self) -> dict[str, Tool]:
        """The tools as the models make them, by their names on the wire."""
        if not self._loaded:  # twice at the same time does no harm
            made = declared(self._prefix, self._descriptions)
            self._loaded = {each.name: _bound(each, self._session) for each in made}
        return self._loaded

    def _written(self, entry: JSON) -> Tool:
        """A tool of the file, which asks the model when it is called."""
        name = prefixed(entry["name"], self._prefix)

        def run(arguments: JSON, context: CallContext) -> Any:
            return self.load()[name].run(arguments, context)

        def validate(arguments: JSON) -> JSON:
            # The event loop must not wait for the models: `run` checks as well, in its thread.
            known = self._loaded.get(name)
            return known.validate(arguments) if known and known.validate else arguments

        return Tool(
            name=name,
            title=entry["title"],
            description=entry[self._descriptions],
            input_schema=entry["input_schema"],
            run=run,
            annotations=Annotations(**entry["annotations"]),
            origin=entry["origin"],
            validate=validate,
            failures=entry["failures"],
            share=entry["share"],
            full_description=entry["full"],
        )


def declared(prefix: str, descriptions: Style) -> list[Tool]:
    """The tools as their models and docstrings describe them, sorted by name."""
    from toolcrib.core.declare.decorator import ExtMcpToolDecorator
    from toolcrib.packs.guide.tools.declared import declared_tools

    collector = _Collector()
    decorator = ExtMcpToolDecorator(collector, prefix, descriptions=descriptions)
    for _, func in sorted(declared_tools().items()):
        decorator.tool()(func)
    return collector.tools


def written() -> str:
    """What `listed.json` has to hold: all that is listed of the tools, whatever the settings."""
    entries = [
        {
            "name": tool.name,
            "title": tool.title,
            "concise": tool.description,
            "full": tool.full_description,
            "input_schema": tool.input_schema,
            "annotations": {
                "read_only": tool.annotations.read_only,
                "destructive": tool.annotations.destructive,
                "idempotent": tool.annotations.idempotent,
                "open_world": tool.annotations.open_world,
            },
            "origin": tool.origin.partition(" (")[0],  # lines move with every change
            "failures": tool.failures,
            "share": tool.share,
        }
        for tool in declared("", "concise")
    ]
    return json.dumps(entries, indent=1, ensure_ascii=False) + "\n"


class _Collector:
    """A registrar that keeps what it is given."""

    def __init__(self) -> None:
        self.tools: list[Tool] = []

    def register_tool(self, tool: Tool) -> None:
        """Keep it."""
        self.tools.append(tool)


def _bound(tool: Tool, session: GuideSession) -> Tool:
    """The same tool, working on this project."""
    run: Callable[[JSON, CallContext], Any] = tool.run
    if inspect.iscoroutinefunction(run):

        async def run_async(arguments: JSON, context: CallContext) -> Any:
            with session.active():
                return await run(arguments, context)

        return replace(tool, run=run_async)

    def run_sync(arguments: JSON, context: CallContext) -> Any:
        with session.active():
            return run(arguments, context)

    return replace(tool, run=run_sync)
