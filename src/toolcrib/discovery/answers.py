"""The answers of `climax_search`, within a token budget."""

from __future__ import annotations

import asyncio

from toolcrib.core.support.suggest import did_you_mean, nearest
from toolcrib.core.support.workers import in_thread
from toolcrib.core.tool import JSON
from toolcrib.discovery.index import ToolIndex

# Clients refuse an answer of 25,000 tokens or cut it off; one that an agent reads whole is smaller.
_BUDGET = 20_000


def summary(index: ToolIndex, limit: int = 10) -> JSON:
    """The answer of `climax_search` without a filter: all programs; needs no index."""
    return {"mode": "summary", "summary": [each.as_dict() for each in index.summary(limit)]}


def search(
    index: ToolIndex,
    query: str | None = None,
    category: str | None = None,
    cli: str | None = None,
    limit: int = 10,
    explain: bool = False,
) -> JSON:
    """The answer of `climax_search`: the best results within the token budget."""
    from toolcrib.discovery.answer_budget import fit

    if not any(each and each.strip() for each in (query, category, cli)):
        return summary(index, limit)
    found = index.find(query, category, cli, limit, explain)
    results = fit([entry.as_dict() for entry in found.entries], _BUDGET).results
    answer: JSON = {"mode": "search", "results": results}
    if found.total > len(results):
        answer["total_matches"] = found.total
    if explain:
        shown = (each["tool_name"] for each in results)
        answer["explain"] = {name: found.why[name] for name in shown if name in found.why}
    if not found.entries:
        answer |= _advice(index, query, category, cli)
    return answer


def _advice(index: ToolIndex, query: str | None, category: str | None, cli: str | None) -> JSON:
    """Suggestions if nothing was found."""
    for what, value, known in (
        ("program", cli, index.programs),
        ("category", category, index.categories),
    ):
        names = known() if value else set()
        if value and value.casefold() not in map(str.casefold, names):
            hint = did_you_mean(value, names)
            note = f"There is no {what} {value!r}{hint}"
            return {"note": note, "nearest": nearest(value, sorted(names))}
    near = index.nearest(query) if query else []
    return {"nearest": near} if near else {}


def unbuilt(
    index: ToolIndex,
    query: str | None = None,
    category: str | None = None,
    cli: str | None = None,
    **_: object,
) -> JSON:
    """The answer while the index is being built: a tool with that exact name, and the progress."""
    results = []
    if query and query in index:
        entry = index.entry(query)
        of = (entry.category, entry.cli_name)
        if all(not wanted or wanted == it for wanted, it in zip((category, cli), of, strict=True)):
            results = [entry.as_dict()]
    note = f"The index is being built, {index.progress} %; ask again in a moment"
    return {"mode": "search", "results": results, "note": note}


class Building:
    """Builds an index once, in the background, for any number of waiting callers."""

    def __init__(self, index: ToolIndex) -> None:
        self._index = index
        self._task: asyncio.Task[object] | None = None

    async def wait(self, seconds: float) -> bool:
        """Wait for a limited time; return whether the index is ready."""
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(in_thread(self._index.prepare))
        done, _ = await asyncio.wait([self._task], timeout=seconds)
        if done:
            self._task.result()  # what went wrong is told to whoever asked
        return bool(done)
