"""The pages of documents, patterns and rules."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.workers import in_thread
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.library.records import DocumentRecord
from toolcrib.packs.architecture.pack import ArchitecturePack
from toolcrib.packs.architecture.patterns.heuristics import derive_checks
from toolcrib.packs.architecture.patterns.languages import language_names
from toolcrib.packs.architecture.patterns.rules import read_rules
from toolcrib.web.exchange import Response
from toolcrib.web.lock import Visitor
from toolcrib.web.pages.documents import (
    leading,
    raw_address,
    read_document,
    shown_document,
    unreadable,
)
from toolcrib.web.pages.shown import Found, Missing, Shown
from toolcrib.web.render import Renderer
from toolcrib.web.source import PageSource
from toolcrib.web.views import library as view
from toolcrib.web.views.calls import page_number
from toolcrib.wire.messages import RpcError

PAGE = 200
_CODE = 50_000
_LONGEST_QUERY = 500
_PATTERN = "architecture://patterns/"


class LibraryPages:
    """Documents by kind, one of them to read, patterns with code to check, rules of a path."""

    def __init__(self, source: PageSource, renderer: Renderer) -> None:
        self._source = source
        self._renderer = renderer

    def count(self) -> int:
        """How many documents there are."""
        library = self._library()
        return len(library.records()) if library is not None else 0

    async def get(self, name: str, query: Mapping[str, str], visitor: Visitor) -> Found:
        """The list of documents, what a search finds, or one document."""
        words = query.get("q", "").strip()[:_LONGEST_QUERY]
        groups = await in_thread(self._groups)
        page = page_number(query)
        broken = await in_thread(unreadable, self._library())
        values: dict[str, Any] = {
            "heading": "Library", "groups": groups, "found": None, "document": None,
            "words": words, "kept": "", "unreadable": broken,
            "page": page, "shown": slice((page - 1) * PAGE, page * PAGE),
            "pages": max([1, *(-(-len(records) // PAGE) for _, records in groups)]),
        }  # fmt: skip
        if words and self._library() is not None:
            given = {"query": words, "max_results": 20}
            asked = await self._source.ask(
                "tools/call", name="search-architecture", arguments=given
            )
            answer = asked.get("structuredContent") or {}
            values["found"] = answer.get("results", [])
            values["kept"] = f"&{urlencode({'q': words})}"
            if not query.get("uri"):
                return Shown("library.html", values, answer)
        if query.get("uri"):
            return await self._read(query["uri"], query, values)
        return Shown("library.html", values, view.as_json(groups))

    async def rules(self, name: str, query: Mapping[str, str], visitor: Visitor) -> Found:
        """What holds for a path, nearest first."""
        path = query.get("path", "").strip()
        values: dict[str, Any] = {
            "heading": "Rules", "current": "library", "path": path, "rules": [], "later": [],
            "problem": None,
        }  # fmt: skip
        if not path:
            return Shown("rules.html", values, {"path": "", "rules": []})
        if self._source.tool("guide_rules_for_path") is None:
            values["problem"] = "The guide is not served here: no rules are known."
            return Shown("rules.html", values, {"path": path, "problem": values["problem"]})
        try:
            asked = await self._source.ask(
                "tools/call", name="guide_rules_for_path", arguments={"path": path}
            )
        except RpcError as error:
            values["problem"] = error.message
            return Shown("rules.html", values, {"path": path, "problem": error.message})
        answer = asked.get("structuredContent") or {}
        value = answer.get("value") or {}
        values |= {
            "rules": value.get("rules", []),
            "later": value.get("on_request", []),
            "problem": answer.get("error"),
        }
        return Shown("rules.html", values, answer)

    async def pattern(self, name: str, query: Mapping[str, str], visitor: Visitor) -> Found:
        """One pattern: its rules, and a place for code."""
        record = await in_thread(self._pattern, name)
        if record is None:
            return Missing(await in_thread(self._pattern_names))
        values = await in_thread(self._pattern_values, record)
        about = {"name": record.name, "title": record.title, "uri": record.uri}
        return Shown(
            "pattern.html", values, {**about, "mode": values["mode"], "rules": values["rules"]}
        )

    async def check(self, name: str, form: Mapping[str, str], visitor: Visitor) -> Found:
        """Check code against a pattern."""
        record = await in_thread(self._pattern, name)
        if record is None:
            return Missing(await in_thread(self._pattern_names))
        code, language = form.get("code", "").replace("\r\n", "\n"), form.get("language", "")
        values = await in_thread(self._pattern_values, record)
        values |= {"code": code, "language": language}
        given = {"code": code, "pattern_name": record.name}
        if language:
            given["language"] = language
        try:
            if len(code) > _CODE:
                raise RpcError(0, f"The code must have at most {_CODE:,} characters.")
            result, spent = await self._source.act("validate-against-pattern", given, visitor.name)
        except RpcError as error:
            values["problem"] = error.message
            return Shown("pattern.html", values, {"problem": error.message})
        answer = result.get("structuredContent") or {}
        values |= {"answer": answer, "ms": round(spent, 1), "lines": view.code_lines(code, answer)}
        return Shown("pattern.html", values, answer)

    async def _read(self, uri: str, query: Mapping[str, str], values: dict[str, Any]) -> Found:
        try:
            answer = await self._source.ask("resources/read", uri=uri)
        except (RpcError, ToolcribError) as error:
            known = [each.uri for _, records in values["groups"] for each in records]
            if uri not in known:
                return Missing(known)
            # It is in the list, but cannot be read: it alone is marked.
            values["document"] = {"uri": uri, "problem": str(error)}
            return Shown("library.html", values, {"uri": uri, "problem": str(error)})
        text = "\n".join(each.get("text", "") for each in answer["contents"])
        if query.get("raw"):
            return Response.text(text)
        library = self._library()
        record = library.get(uri) if library is not None else None
        lead = leading(library, record) if library is not None and record is not None else None
        values["document"] = {
            **await in_thread(shown_document, self._renderer, text, lead),
            "uri": uri,
            "problem": None,
            "raw": raw_address(uri),
            "pattern": uri.removeprefix(_PATTERN) if uri.startswith(_PATTERN) else None,
        }
        return Shown("library.html", values, {"uri": uri, "text": text})

    def _groups(self) -> list[tuple[str, list[DocumentRecord]]]:
        library = self._library()
        if library is None:
            return []
        found = [(title, list(library.records(kind))) for kind, title in view.KINDS]
        return [(title, records) for title, records in found if records]

    def _pattern(self, name: str) -> DocumentRecord | None:
        return next((each for each in self._patterns() if each.name == name), None)

    def _pattern_names(self) -> list[str]:
        return [each.name for each in self._patterns()]

    def _patterns(self) -> list[DocumentRecord]:
        library = self._library()
        return list(library.records("patterns")) if library is not None else []

    def _pattern_values(self, record: DocumentRecord) -> dict[str, Any]:
        library = self._library()
        found: dict[str, Any] = {"mode": "none", "rules": [], "wrong": []}
        text: dict[str, Any] = {}
        if library is not None:
            text = read_document(self._renderer, library, record)
            if not text["problem"]:
                document = library.document(record)
                found = view.demands(read_rules(document, record.file), derive_checks(document))
        return {
            "heading": "Pattern",
            "current": "library",
            "record": record,
            "languages": language_names(),
            "code": "",
            "language": "",
            "answer": None,
            **found,
            **text,
        }

    def _library(self) -> Library | None:
        pack = self._source.pack(ArchitecturePack)
        return pack.library if pack is not None else None
