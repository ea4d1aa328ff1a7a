"""The page of calls: the table, one call, the stream of new ones, the download."""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from typing import Any
from urllib.parse import urlencode

from toolcrib.core.support.workers import in_thread
from toolcrib.packs.climax.pack import ClimaxPack
from toolcrib.policy.explanation import explain
from toolcrib.web.call_log import Row
from toolcrib.web.calls import Line
from toolcrib.web.exchange import PageRequest, Response
from toolcrib.web.lock import Visitor
from toolcrib.web.pages.shown import Found, Missing, Shown
from toolcrib.web.source import PageSource
from toolcrib.web.stream import CallStream
from toolcrib.web.views import calls as view

_PIECE = 200


class CallPages:
    """What agents did here."""

    def __init__(self, source: PageSource) -> None:
        self._source = source
        self._stream = CallStream(source.log)

    async def get(self, id: str, query: Mapping[str, str], visitor: Visitor) -> Found:
        """The table, or one call."""
        log = self._source.log
        await in_thread(log.refresh)
        if id:
            row = log.get(id)
            if row is None or visitor.only not in ("", row.caller):
                rows = view.wanted_by({}, visitor.only).of(log.rows[-1000:])
                return Missing([each.id for each in rows[:-4:-1]])
            return await in_thread(self._one, row)
        rows, values = await in_thread(self._listing, query, visitor.only)
        values |= {
            "heading": "Calls",
            "link": lambda **more: address("/calls", query, more),
            "download": address("/calls.jsonl", {**query, "page": ""}, {}),
        }
        return Shown("calls.html", values, lambda: view.as_json(values, [r.line for r in rows]))

    def live(self, request: PageRequest, visitor: Visitor) -> Response:
        """Stream new calls until the browser disconnects."""
        last = request.header("last-event-id") or request.query.get("after")
        stream = self._stream.events(last, view.wanted_by(request.query, visitor.only))
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        return Response(b"", 200, "text/event-stream; charset=utf-8", headers, stream)

    async def download(self, request: PageRequest, visitor: Visitor) -> Response:
        """The filtered lines as they are."""
        log = self._source.log
        await in_thread(log.refresh)
        rows = (await in_thread(log.select, view.wanted_by(request.query, visitor.only))).rows
        headers = {"content-disposition": 'attachment; filename="calls.jsonl"'}
        kind = "application/x-ndjson; charset=utf-8"
        return Response(b"", 200, kind, headers, _pieces(list(rows)))

    def _listing(self, query: Mapping[str, str], caller: str) -> tuple[list[Row], dict[str, Any]]:
        log = self._source.log
        found = log.select(view.wanted_by(query, caller))
        rows, page, pages = view.page_of(found, query)
        return rows, {
            **view.listing(found, [(row, row.last_line) for row in rows], query),
            "last": log.rows[-1].id if log.rows else "",
            "page": page,
            "pages": pages,
            "unread": log.unread,
            "problem": log.problem,
            "recorded": bool(log.rows or log.events) or self._source.hooks.recording(),
            "clients": log.clients(caller),
            "tools": log.tools(caller),
        }

    def _one(self, row: Row) -> Shown:
        line = row.line
        inner = [each.line for each in row.inner]
        target = inner[-1] if inner else line
        values = {
            "heading": row.tool,
            "line": line,
            "row": row,
            "kind": view.kind_of(row.outcome),
            "inner": inner,
            "target": target,
            "place": target.get("place") or line.get("place"),
            "explained": self._explained(target),
            "form": view.form_address(target),
            "current": "calls",
        }
        return Shown("call.html", values, {**line, "inner": inner})

    def _explained(self, line: Line) -> list[dict[str, Any]]:
        """The steps of `policy explain` for a call that a policy turned away."""
        climax = self._source.pack(ClimaxPack)
        if climax is None or line.get("refused_by") != "policy":
            return []
        name, arguments = str(line.get("tool")), line.get("arguments")
        configs = climax.config_set
        tool = next((c.tools.named(name) for c in configs.configs if name in c.tools.lines), None)
        if tool is None:
            return []
        given = arguments if isinstance(arguments, dict) else {}
        steps = explain(configs.policy, tool, given)
        return [
            {"allows": s.allows, "rule": s.rule, "place": str(s.where or ""), "why": s.why or ""}
            for s in steps
        ]


async def _pieces(rows: list[Row]) -> AsyncIterator[bytes]:
    for first in range(0, len(rows), _PIECE):
        some = rows[first : first + _PIECE]
        yield await in_thread(lambda some=some: b"".join(row.raw + b"\n" for row in some))


def address(path: str, query: Mapping[str, str], more: Mapping[str, Any]) -> str:
    """An address with the filters of another, and some changed; what is empty is left out."""
    merged = {**query, **{key: str(value) for key, value in more.items()}}
    kept = {key: value for key, value in merged.items() if value}
    return f"{path}?{urlencode(kept)}" if kept else path
