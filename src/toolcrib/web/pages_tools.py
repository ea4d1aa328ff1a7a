"""The page of tools: the list, the search, and a form for each of them."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from toolcrib.core.errors import InvalidArguments, ToolcribError
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON, Tool
from toolcrib.packs.climax.pack import ClimaxPack
from toolcrib.server.mcp.catalog import Catalog, Offer
from toolcrib.web.source import Source
from toolcrib.web.views import tools as view
from toolcrib.wire.messages import RpcError

_SHOWN = 200


class ToolPages:
    """What an agent sees, in each of the three ways of discovery."""

    def __init__(self, source: Source) -> None:
        self._source = source

    async def get(self, name: str, query: Mapping[str, str]) -> Any:
        """The list, with one tool beside it where one is named."""
        tool = self._source.tool(name) if name else None
        if name and tool is None:
            return [each.name for each in self._source.surface.catalog.every()]
        values = await self._listing(query)
        given = _object(query.get("arguments", ""))
        values |= {"heading": "Tools", "tool": self._detail(tool, given) if tool else None}
        if tool is not None:
            values["json"] = {**self._as_json(tool), "list": None}
        return "tools.html", values

    async def post(self, name: str, action: str, form: Mapping[str, str]) -> Any:
        """Check the arguments of a form, or call the tool with them."""
        tool = self._source.tool(name)
        if tool is None:
            return [each.name for each in self._source.surface.catalog.every()]
        arguments, problems = view.arguments_from(form, tool.input_schema)
        problems = problems or self._problems(tool, arguments)
        values = await self._listing({})
        values |= {"heading": "Tools", "status": 200}
        detail = self._detail(tool, arguments, problems)
        if action == "call":
            refusal = self._refusal(tool, form)
            if refusal is not None:
                values["status"] = 403
                problems = [refusal]
                detail["problems"] = problems
            elif not problems and not tool.annotations.read_only and form.get("really") != "yes":
                detail["really"] = arguments
            elif not problems:
                detail["result"] = await self._result(tool, arguments)
        values["tool"] = detail
        values["json"] = {
            "problems": problems, "fields": detail["at_fields"], "result": detail.get("result"),
            "command": detail["command"], "really": "really" in detail,
        }  # fmt: skip
        return "tools.html", values

    def _refusal(self, tool: Tool, form: Mapping[str, str]) -> str | None:
        if not self._source.allowed.calls:
            return "Calls are off: start with --allow-calls"
        return None

    async def _result(self, tool: Tool, arguments: JSON) -> JSON:
        try:
            result, spent = await self._source.act(tool.name, arguments)
        except RpcError as error:
            return {"outcome": "failed", "ms": 0.0, "text": error.message, "structured": None}
        except ToolcribError as error:
            return {"outcome": "failed", "ms": 0.0, "text": str(error), "structured": None}
        texts = [item.get("text", f"[{item.get('type')}]") for item in result.get("content", ())]
        return {
            "outcome": "failed" if result.get("isError") else "ok",
            "ms": round(spent, 1),
            "text": "\n".join(texts)[:200_000],
            "structured": result.get("structuredContent"),
        }

    def _problems(self, tool: Tool, arguments: JSON) -> list[str]:
        try:
            self._source.surface.executor.validate_arguments(tool, arguments)
        except InvalidArguments as error:
            return list(error.problems)
        except ToolcribError as error:
            return [str(error)]
        return []

    async def _listing(self, query: Mapping[str, str]) -> dict[str, Any]:
        way = query.get("discovery") or self._source.surface.options.mode
        way = way if way in view.WAYS else "default"
        listed = await in_thread(self._listed, way)
        packs = self._packs()
        cost = view.cost(listed, packs)
        words = query.get("q", "").strip()
        groups = await self._found(words) if words else await in_thread(self._groups, listed)
        entries = [entry for _, entries in groups for entry in entries]
        ways = {name: view.cost(self._listed(name), packs)["total"] for name in view.WAYS}
        return {
            "way": way,
            "ways": ways,
            "cost": cost,
            "groups": groups,
            "words": words,
            "count": len(listed),
            "shown": _SHOWN,
            "json": {
                "discovery": way,
                "tokens": {"total": cost["total"], "packs": cost["packs"], "ways": ways},
                "tools": [_plain(entry) for entry in entries],
            },
        }

    def _listed(self, way: str) -> list[Tool]:
        """What would be listed in one of the three ways."""
        surface = self._source.surface
        if way == surface.options.mode:
            return surface.catalog.listed()
        return self._catalog(way).listed()

    def _packs(self) -> dict[str, str]:
        """The pack that each tool comes from."""
        return {
            tool.name: pack.name
            for pack in self._source.surface.packs
            for tool in pack.contribute().tools
        }

    def _catalog(self, way: str) -> Catalog:
        """The same packs, seen through another mode of discovery; changes nothing."""
        surface = self._source.surface
        catalog = Catalog(surface.executor, mode=way)  # type: ignore[arg-type]
        catalog.load(
            [
                Offer(pack.name, pack.about, pack.contribute(), pack.trusted)
                for pack in surface.packs
            ]
        )
        return catalog

    def _groups(self, listed: list[Tool]) -> list[tuple[str, list[dict[str, Any]]]]:
        packs = self._packs()
        names = {tool.name for tool in listed}
        behind = [tool for tool in self._source.surface.catalog.every() if tool.name not in names]
        groups = [(view.LISTED, [view.entry(tool, view.LISTED, packs) for tool in listed])]
        if behind:
            groups.append((view.BEHIND, [view.entry(tool, view.BEHIND, packs) for tool in behind]))
        off = self._off()
        if off:
            groups.append((view.OFF, off))
        return groups

    def _off(self) -> list[dict[str, Any]]:
        """Tools that a policy turns off: their names and the deciding place, nothing else."""
        climax = self._source.pack(ClimaxPack)
        unlisted = climax.contribute().unlisted if climax is not None else None
        if climax is None or unlisted is None:
            return []
        found = []
        for config in climax.config_set.configs:
            for name in config.tools.lines:
                refusal = unlisted.refusal(name)
                if refusal is not None:
                    found.append(view.turned_off(name, refusal.place or ""))
        return found

    async def _found(self, words: str) -> list[tuple[str, list[dict[str, Any]]]]:
        """What climax_search answers where it reaches everything, with why."""
        surface = self._source.surface
        catalog = await in_thread(self._catalog, "progressive")
        finder = catalog.resolve("climax_search")
        given = {"query": words, "limit": 50, "explain": True}
        answer = (await self._source.run(finder, given)).structured or {}
        names = {tool.name for tool in surface.catalog.listed()}
        why = answer.get("explain", {})
        every = {tool.name: tool for tool in catalog.every()}
        found = []
        for each in answer.get("results", ()):
            tool = every.get(each["tool_name"])
            if tool is not None:
                group = view.LISTED if tool.name in names else view.BEHIND
                reasons = why.get(tool.name) or {}
                score = reasons.get("score")
                matched = {key: value for key, value in reasons.items() if key != "score"}
                found.append({**view.entry(tool, group, {}), "score": score, "matched": matched})
        return [(f"{len(found)} found for “{words}”, as climax_search ranks them", found)]

    def _detail(self, tool: Tool, given: JSON, problems: list[str] | None = None) -> dict[str, Any]:
        known = problems or []
        names = list(tool.input_schema.get("properties", {}))
        at_fields = view.by_field(known, names)
        stats = self._source.surface.executor.metrics()["tools"].get(tool.name)
        return {
            "tool": tool,
            "words": view.annotations_in_words(tool),
            "fields": view.fields(tool.input_schema, given, at_fields),
            "at_fields": at_fields,
            "problems": [each for each in known if each not in at_fields.values()],
            "checked": problems is not None,
            "given": json.dumps(given, ensure_ascii=False, indent=2),
            "command": view.command(tool.name, given),
            "stats": stats,
            "tokens": view.tokens_of(tool),
        }

    def _as_json(self, tool: Tool) -> dict[str, Any]:
        return {**tool.to_wire(), "origin": tool.origin, "tokens": view.tokens_of(tool)}


def _plain(entry: Mapping[str, Any]) -> dict[str, Any]:
    wanted = ("name", "group", "tokens", "place", "score", "matched")
    return {key: entry[key] for key in wanted if entry.get(key) is not None}


def _object(text: str) -> JSON:
    try:
        found = json.loads(text)
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}
