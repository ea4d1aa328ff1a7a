"""The pages of documents, patterns and rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import quote

from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.workers import in_thread
from toolcrib.packs.architecture.pack import ArchitecturePack
from toolcrib.web.exchange import Response
from toolcrib.web.render import LONGEST_DOCUMENT, Renderer
from toolcrib.web.source import Source
from toolcrib.wire.messages import RpcError

_CODE = 50_000
_KINDS = (("guidelines", "Guidelines"), ("patterns", "Patterns"), ("adr", "Decisions"))


class LibraryPages:
    """Documents by kind, one of them to read, patterns with code to check, rules of a path."""

    def __init__(self, source: Source, renderer: Renderer) -> None:
        self._source = source
        self._renderer = renderer

    def count(self) -> int:
        """How many documents there are."""
        library = self._library()
        return len(library.records()) if library is not None else 0

    async def get(self, name: str, query: Mapping[str, str]) -> Any:
        """The list of documents, what a search finds, or one document."""
        uri = query.get("uri")
        values: dict[str, Any] = {
            "heading": "Library", "groups": await in_thread(self._groups), "found": None,
            "document": None, "words": query.get("q", ""),
        }  # fmt: skip
        values["json"] = {
            "documents": [
                {"uri": each.uri, "title": each.title, "kind": kind}
                for kind, records in values["groups"]
                for each in records
            ]
        }
        if uri:
            return await self._read(uri, query, values)
        if values["words"] and self._library() is not None:
            given = {"query": values["words"][:500], "max_results": 20}
            answer = await self._source.ask(
                "tools/call", name="search-architecture", arguments=given
            )
            values["found"] = (answer.get("structuredContent") or {}).get("results", [])
            values["json"] = answer.get("structuredContent")
        return "library.html", values

    async def rules(self, name: str, query: Mapping[str, str]) -> Any:
        """What holds for a path, nearest first."""
        path = query.get("path", "")
        values: dict[str, Any] = {"heading": "Rules", "path": path, "text": "", "rules": []}
        values |= {"current": "library", "json": {"path": path}}
        tool = next((each for each in ("guide_rules_for_path", "rules_for_path")
                     if self._source.tool(each)), None)  # fmt: skip
        if path and tool is not None:
            answer = await self._source.ask("tools/call", name=tool, arguments={"path": path})
            result = answer.get("structuredContent") or {}
            values["json"] = result
            value = result.get("value")
            values["rules"] = _rules(value)
            values["problem"] = result.get("error")
        return "rules.html", values

    async def pattern(self, name: str, query: Mapping[str, str]) -> Any:
        """One pattern: its rules, and a place for code."""
        record = await in_thread(self._pattern, name)
        if record is None:
            return await in_thread(self._pattern_names)
        return "pattern.html", await in_thread(self._pattern_values, record)

    async def check(self, name: str, form: Mapping[str, str]) -> Any:
        """Check code against a pattern."""
        record = await in_thread(self._pattern, name)
        if record is None:
            return await in_thread(self._pattern_names)
        values: dict[str, Any] = await in_thread(self._pattern_values, record)
        code = form.get("code", "")[:_CODE].replace("\r\n", "\n")
        given = {"code": code, "pattern_name": record.name}
        if form.get("language"):
            given["language"] = form["language"]
        values["code"], values["language"] = code, form.get("language", "")
        try:
            result, spent = await self._source.act("validate-against-pattern", given)
        except RpcError as error:
            values["problem"] = error.message
            values["json"] = {"problem": error.message}
            return "pattern.html", values
        values["answer"] = result.get("structuredContent") or {}
        values["ms"] = round(spent, 1)
        values["json"] = values["answer"]
        return "pattern.html", values

    async def _read(self, uri: str, query: Mapping[str, str], values: dict[str, Any]) -> Any:
        try:
            answer = await self._source.ask("resources/read", uri=uri)
        except (RpcError, ToolcribError):
            return [each.uri for _, records in values["groups"] for each in records]
        text = "\n".join(each.get("text", "") for each in answer["contents"])
        if query.get("raw"):
            return Response.text(text)
        values["document"] = {
            "uri": uri,
            "html": self._renderer.markdown(text[:LONGEST_DOCUMENT]),
            "cut": len(text) > LONGEST_DOCUMENT,
            "raw": f"/library?uri={quote(uri, safe='')}&raw=1",
            "pattern": uri.removeprefix("architecture://patterns/")
            if uri.startswith("architecture://patterns/")
            else None,
        }
        values["json"] = {"uri": uri, "text": text}
        return "library.html", values

    def _groups(self) -> list[tuple[str, Any]]:
        library = self._library()
        if library is None:
            return []
        found = [(title, list(library.records(kind))) for kind, title in _KINDS]
        return [(title, records) for title, records in found if records]

    def _pattern(self, name: str) -> Any:
        library = self._library()
        records = library.records("patterns") if library is not None else ()
        return next((each for each in records if each.name == name), None)

    def _pattern_names(self) -> list[str]:
        library = self._library()
        return [each.name for each in library.records("patterns")] if library is not None else []

    def _pattern_values(self, record: Any) -> dict[str, Any]:
        text = self._library().text(record)
        return {
            "heading": "Pattern", "record": record, "current": "library", "code": "",
            "language": "", "answer": None,
            "html": self._renderer.markdown(text[:LONGEST_DOCUMENT]),
            "json": {"name": record.name, "title": record.title, "uri": record.uri},
        }  # fmt: skip

    def _library(self) -> Any:
        pack = self._source.pack(ArchitecturePack)
        return pack.library if pack is not None else None


def _rules(value: Any) -> list[dict[str, Any]]:
    items = value.get("rules", value) if isinstance(value, dict) else value
    if isinstance(items, list):
        return [each if isinstance(each, dict) else {"title": str(each)} for each in items]
    return [{"title": "", "text": str(items)}] if items else []
