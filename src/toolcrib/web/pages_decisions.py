"""The page of decisions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from toolcrib.core.errors import ToolcribError
from toolcrib.core.support.workers import in_thread
from toolcrib.packs.architecture.pack import ArchitecturePack
from toolcrib.web.render import LONGEST_DOCUMENT, Renderer
from toolcrib.web.source import Source
from toolcrib.web.views import decisions as view

_PROPOSAL, _CONTEXT = 5000, 2000


class DecisionPages:
    """Decisions over time, one of them to read, and a proposal to check."""

    def __init__(self, source: Source, renderer: Renderer) -> None:
        self._source = source
        self._renderer = renderer

    def count(self) -> int:
        """How many decisions there are."""
        return len(self._graph().decisions) if self._library() is not None else 0

    async def get(self, id: str, query: Mapping[str, str]) -> Any:
        """The list, with one decision beside it where one is named."""
        if self._library() is None:
            return "decisions.html", self._values({}, None, query)
        return await in_thread(self._shown, id, query)

    async def check(self, form: Mapping[str, str]) -> Any:
        """Compare a proposal with every decision."""
        proposal = form.get("proposal", "")[:_PROPOSAL]
        given = {"decision_description": proposal}
        if form.get("context"):
            given["decision_context"] = form["context"][:_CONTEXT]
        shown = await in_thread(self._shown, "", {})
        _, values = shown
        values["proposal"], values["context"] = proposal, form.get("context", "")
        if not proposal.strip():
            values["problem"] = "Write down what you propose."
            values["json"] = {"problem": values["problem"]}
            return "decisions.html", values
        result, spent = await self._source.act("check-adr-alignment", given)
        answer = result.get("structuredContent") or {}
        related = sorted(
            answer.get("related_adrs", ()), key=lambda each: each["alignment"] != "conflicts"
        )
        values["alignment"] = {**answer, "related_adrs": related, "ms": round(spent, 1)}
        values["json"] = answer
        return "decisions.html", values

    def _shown(self, id: str, query: Mapping[str, str]) -> Any:
        graph = self._graph()
        titles = {record.uri: record for record in graph.decisions}
        chosen = next((each for each in graph.decisions if id and each.adr_id == id), None)
        if id and chosen is None:
            return [str(record.adr_id) for record in graph.decisions]
        values = self._values(view.listing(graph.decisions, graph.edges, query), chosen, query)
        if chosen is not None:
            values["decision"] = self._decision(chosen, view.links_of(chosen, graph.edges, titles))
        return "decisions.html", values

    def _decision(self, record: Any, links: list[dict[str, str]]) -> dict[str, Any]:
        try:
            text = self._library().text(record)
        except ToolcribError as error:
            text = f"This document cannot be read: {error}"
        cut = len(text) > LONGEST_DOCUMENT
        findings = [each for each in self._lint() if each.file == record.file]
        return {
            "record": record,
            "html": self._renderer.markdown(_without_front_matter(text)[:LONGEST_DOCUMENT]),
            "cut": cut,
            "links": links,
            "findings": findings,
        }

    def _values(
        self, listing: dict[str, Any], chosen: Any, query: Mapping[str, str]
    ) -> dict[str, Any]:
        rows = listing.get("rows", [])
        return {
            "heading": "Decisions",
            "list": listing or None,
            "chosen_id": chosen.adr_id if chosen is not None else None,
            "proposal": "",
            "context": "",
            "json": {"decisions": rows, "total": listing.get("total", 0)},
            "query": query,
        }

    def _library(self) -> Any:
        pack = self._source.pack(ArchitecturePack)
        return pack.library if pack is not None else None

    def _graph(self) -> Any:
        from toolcrib.packs.architecture.records.graph import decision_graph

        return decision_graph(self._library())

    def _lint(self) -> Any:
        from toolcrib.packs.architecture.records.lint import lint

        return lint(self._library())


def _without_front_matter(text: str) -> str:
    if text.startswith("---\n"):
        _, _, rest = text[4:].partition("\n---")
        return rest.partition("\n")[2] or text
    return text
