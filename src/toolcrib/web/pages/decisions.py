"""The page of decisions."""

from __future__ import annotations

import posixpath
from collections.abc import Mapping
from typing import Any

from toolcrib.core.support.workers import in_thread
from toolcrib.packs.architecture.library.library import Library
from toolcrib.packs.architecture.library.records import DocumentRecord
from toolcrib.packs.architecture.pack import ArchitecturePack
from toolcrib.packs.architecture.records.graph import Graph, decision_graph
from toolcrib.packs.architecture.records.lint import LintFinding, lint
from toolcrib.web.lock import Visitor
from toolcrib.web.pages.documents import read_document, unreadable
from toolcrib.web.pages.shown import Found, Missing, Shown, kept
from toolcrib.web.render import Renderer
from toolcrib.web.source import PageSource
from toolcrib.web.views import decisions as view
from toolcrib.wire.messages import RpcError

_PROPOSAL, _CONTEXT = 5000, 2000
_NO_GRAPH = Graph((), ())


class DecisionPages:
    """Decisions over time, one of them to read, and a proposal to check."""

    def __init__(self, source: PageSource, renderer: Renderer) -> None:
        self._source = source
        self._renderer = renderer

    def count(self) -> int:
        """How many decisions there are."""
        library = self._library()
        if library is None:
            return 0
        return sum(record.is_decision for record in library.records("adr"))

    async def get(self, id: str, query: Mapping[str, str], visitor: Visitor) -> Found:
        """The list, with one decision beside it where one is named."""
        return await in_thread(self._found, id, query)

    async def check(self, form: Mapping[str, str], visitor: Visitor) -> Found:
        """Compare a proposal with every decision."""
        proposal = form.get("proposal", "").replace("\r\n", "\n")
        context = form.get("context", "").replace("\r\n", "\n")
        values = await in_thread(self._listing, {})
        values |= {"proposal": proposal, "context": context}
        problem = _problem(proposal, context)
        if problem is None:
            given = {"decision_description": proposal}
            if context.strip():
                given["decision_context"] = context
            try:
                result, spent = await self._source.act("check-adr-alignment", given, visitor.name)
            except RpcError as error:
                problem = error.message
            else:
                answer = result.get("structuredContent") or {}
                values["alignment"] = view.alignment(answer, spent)
                return Shown("decisions.html", values, answer)
        return Shown("decisions.html", {**values, "problem": problem}, {"problem": problem})

    def _found(self, id: str, query: Mapping[str, str]) -> Found:
        graph = self._graph()
        values = self._listing(query)
        if not id:
            return Shown("decisions.html", values, view.as_json(values["list"]))
        chosen = next((each for each in graph.decisions if each.adr_id == id), None)
        if chosen is None:
            return Missing([str(record.adr_id) for record in graph.decisions])
        decision = self._decision(chosen, graph)
        values |= {"decision": decision, "chosen_id": chosen.adr_id}
        return Shown("decisions.html", values, view.decision_as_json(chosen, decision))

    def _decision(self, record: DocumentRecord, graph: Graph) -> dict[str, Any]:
        titles = {each.uri: each for each in graph.decisions}
        library = self._library()
        text = read_document(self._renderer, library, record) if library is not None else {}
        return {
            **text,
            "record": record,
            "links": view.links_of(record, graph.edges, titles),
            "findings": [each for each in self._lint() if each.file == record.file],
        }

    def _listing(self, query: Mapping[str, str]) -> dict[str, Any]:
        graph = self._graph()
        wrong = {each.file for each in self._lint()} if graph.decisions else set()
        folders = {posixpath.dirname(each.file) for each in graph.decisions}
        return {
            "unreadable": unreadable(self._library(), folders),
            "heading": "Decisions",
            "list": view.listing(graph.decisions, graph.edges, query, wrong),
            "decision": None,
            "chosen_id": None,
            "alignment": None,
            "proposal": "",
            "context": "",
            "problem": None,
            "query": query,
            "kept": kept(query, "q", "status"),
        }

    def _library(self) -> Library | None:
        pack = self._source.pack(ArchitecturePack)
        return pack.library if pack is not None else None

    def _graph(self) -> Graph:
        library = self._library()
        return decision_graph(library) if library is not None else _NO_GRAPH

    def _lint(self) -> list[LintFinding]:
        library = self._library()
        return list(lint(library)) if library is not None else []


def _problem(proposal: str, context: str) -> str | None:
    if not proposal.strip():
        return "Write down what you propose."
    if len(proposal) > _PROPOSAL:
        return f"The proposal must have at most {_PROPOSAL:,} characters."
    if len(context) > _CONTEXT:
        return f"The context must have at most {_CONTEXT:,} characters."
    return None
