"""The page of tools: the list, the search, and a form for each of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toolcrib.core.errors import InvalidArguments, ToolcribError
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON, Tool
from toolcrib.web import processes
from toolcrib.web.exchange import PageRequest
from toolcrib.web.lock import Visitor
from toolcrib.web.pages.shown import Found, Missing, Shown, kept
from toolcrib.web.pages.toolset import PageTools
from toolcrib.web.source import PageSource
from toolcrib.web.views import results
from toolcrib.web.views import tools as view
from toolcrib.web.views.calls import page_number
from toolcrib.web.views.health import open_breakers
from toolcrib.wire.messages import RpcError

PAGE = 200
_LONGEST_QUERY = 500
_MOST_FOUND = 50
OFF = "Calls are off: start with --allow-calls"


class ToolPages:
    """What an agent sees, in each of the three ways of discovery."""

    def __init__(self, source: PageSource) -> None:
        self._source = source
        self._toolset = PageTools(source)

    def warm(self) -> None:
        """Work out what the first look would have to wait for."""
        self._toolset.current()

    async def get(self, name: str, query: Mapping[str, str], visitor: Visitor) -> Found:
        """The list, with one tool beside it where one is named."""
        tool = self._source.tool(name) if name else None
        if name and tool is None:
            return Missing(await in_thread(self._toolset.names))
        values = await self._listing(query)
        if tool is None:
            return Shown("tools.html", values, self._as_json(values, query))
        detail = await in_thread(self._detail, tool, _object(query.get("arguments", "")), visitor)
        wire = {**tool.to_wire(), "origin": tool.origin, "tokens": view.tokens_of(tool)}
        return Shown("tools.html", {**values, "tool": detail}, wire)

    async def post(
        self,
        name: str,
        action: str,
        form: Mapping[str, str],
        visitor: Visitor,
        request: PageRequest,
    ) -> Found:
        """Check the arguments of a form, or call the tool with them."""
        tool = self._source.tool(name)
        if tool is None:
            return Missing(await in_thread(self._toolset.names))
        arguments, problems = view.arguments_from(form, tool.input_schema)
        problems = problems or self._problems(tool, arguments)
        status, result, really = 200, None, False
        if action == "call":
            if not self._source.allowed.calls:
                status, problems = 403, [OFF]
            elif not problems:
                # A script that shows the token itself cannot be asked once more.
                asks = visitor.by_cookie and not tool.annotations.read_only
                # A form with one field for each argument may have one that is called `really`.
                agreed = form.get("really") == "yes" and view.is_whole(form, tool.input_schema)
                really = asks and not agreed
                if not really:
                    result = await request.while_connected(
                        self._result(tool, arguments, visitor.name)
                    )
        detail = await in_thread(self._detail, tool, arguments, visitor, problems)
        detail |= {"result": result, "really": arguments if really else None}
        values = {**await self._listing({}), "tool": detail}
        answer = {
            "problems": problems, "fields": detail["at_fields"], "result": result,
            "command": detail["command"], "really": really,
        }  # fmt: skip
        return Shown("tools.html", values, answer, status)

    async def _result(self, tool: Tool, arguments: JSON, caller: str) -> JSON:
        try:
            result, spent = await self._source.act(tool.name, arguments, caller)
        except RpcError as error:
            return results.refused(error.message)
        except ToolcribError as error:
            return results.refused(str(error))
        return results.shown(result, spent)

    def _problems(self, tool: Tool, arguments: JSON) -> list[str]:
        try:
            self._source.surface.executor.validate_arguments(tool, arguments)
        except InvalidArguments as error:
            return list(error.problems)
        except ToolcribError as error:
            return [str(error)]
        return []

    def _breaker(self, name: str) -> str:
        """The state of a tool's breaker in a server that runs; closed where none says more."""
        log = self._source.log
        ended = log.starts.keys() - processes.running(log.starts, log.heard).keys()
        known = open_breakers(log.breakers, ended)
        return next((each["state"] for each in known if each["tool"] == name), "closed")

    async def _listing(self, query: Mapping[str, str]) -> dict[str, Any]:
        current = await in_thread(self._toolset.current)
        way = query.get("discovery") or self._source.surface.options.mode
        way = way if way in view.WAYS else "default"
        words = query.get("q", "").strip()[:_LONGEST_QUERY]
        groups = await in_thread(current.groups, way)
        if words:
            groups = [(view.FOUND, await self._found(words))]
        page = page_number(query)
        return {
            "heading": "Tools",
            "way": way,
            "costs": current.costs,
            "cost": current.costs[way],
            "groups": groups,
            "pages": max([1, *(-(-len(entries) // PAGE) for _, entries in groups)]),
            "page": page,
            "shown": slice((page - 1) * PAGE, page * PAGE),
            "words": words,
            "chosen_way": query.get("discovery") == way,
            "kept": kept(query, "q", "discovery"),
            "tool": None,
        }

    def _as_json(self, values: Mapping[str, Any], query: Mapping[str, str]) -> JSON:
        entries = [
            entry
            for name, entries in values["groups"]
            for entry in entries
            if query.get("group") in (None, name)
        ]
        if "from" in query:  # a window of a long list
            first = page_number({"page": query["from"]}) - 1 if query["from"] != "0" else 0
            return {"total": len(entries), "tools": entries[first : first + PAGE]}
        costs = values["costs"]
        return {
            "discovery": values["way"],
            "tokens": {
                "total": values["cost"]["total"],
                "packs": values["cost"]["packs"],
                "ways": {way: costs[way]["total"] for way in view.WAYS},
            },
            "tools": entries,
        }

    async def _found(self, words: str) -> list[JSON]:
        """What climax_search answers where it reaches everything, with why."""
        current = await in_thread(self._toolset.current)
        given = {"query": words, "limit": _MOST_FOUND, "explain": True}
        answer = (await self._source.run(current.finder, given)).structured or {}
        why = answer.get("explain", {})
        found = []
        for each in answer.get("results", ()):
            entry = current.entries.get(each["tool_name"])
            if entry is not None:
                found.append({**entry, **view.reasons(why.get(entry["name"], {}))})
        return view.with_bars(found)

    def _detail(
        self, tool: Tool, given: JSON, visitor: Visitor, problems: list[str] | None = None
    ) -> dict[str, Any]:
        known = problems or []
        names = list(tool.input_schema.get("properties", {}))
        at_fields = view.by_field(known, names)
        current = self._toolset.current()
        entry = current.entries.get(tool.name, {})
        return {
            "tool": tool,
            "words": view.annotations_in_words(tool),
            "group": entry.get("group", ""),
            "fields": view.fields(tool.input_schema, given, at_fields),
            "at_fields": at_fields,
            "problems": [each for each in known if each not in at_fields.values()],
            "checked": problems is not None,
            "given": json.dumps(given, ensure_ascii=False, indent=2),
            "command": view.command(tool.name, given),
            "uses": view.uses(self._source.log.calls_of(tool.name, visitor.only)),
            "breaker": self._breaker(tool.name),
            "tokens": view.tokens_of(tool),
        }


def _object(text: str) -> JSON:
    try:
        found = json.loads(text) if text else {}
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}
