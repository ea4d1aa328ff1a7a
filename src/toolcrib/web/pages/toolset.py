"""All tools as each way of discovery shows them, worked out once for each state of the packs."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from toolcrib.core.tool import Tool
from toolcrib.packs.climax.pack import ClimaxPack
from toolcrib.server.mcp.catalog import Catalog, Mode, Offer
from toolcrib.web.source import PageSource
from toolcrib.web.views import tools as view

Group = tuple[str, list[dict[str, Any]]]


class PageTools:
    """The tools of a source; asked anew for them only after they have changed."""

    def __init__(self, source: PageSource) -> None:
        self._source = source
        self._current: CurrentTools | None = None
        self._lock = threading.Lock()

    def current(self) -> CurrentTools:
        """What there is now."""
        with self._lock:
            generation = self._source.surface.generation
            if self._current is None or self._current.generation != generation:
                self._current = CurrentTools(self._source, generation)
            return self._current

    def names(self) -> list[str]:
        """The names of all tools."""
        return list(self.current().entries)


class CurrentTools:
    """What the packs offer at one moment, listed in the three ways."""

    def __init__(self, source: PageSource, generation: int) -> None:
        self.generation = generation
        self._source = source
        surface = source.surface
        given = [(pack, pack.contribute()) for pack in surface.packs]
        self._packs = {
            tool.name: pack.name
            for pack, offer in given
            for tool in (*offer.tools, *(offer.unlisted or ()))
        }
        offers = [Offer(pack.name, pack.about, offer, pack.trusted) for pack, offer in given]
        self._catalogs = {surface.options.mode: surface.catalog}
        for way in view.WAYS:
            if way not in self._catalogs:
                catalog = Catalog(surface.executor, mode=way)
                catalog.load(offers)
                self._catalogs[way] = catalog
        # Each tool is looked at once, however many ways list it.
        served = surface.options.mode
        self.entries = {
            tool.name: view.entry(tool, group, self._packs.get(tool.name) or tool.category or "")
            for group, tool in self._every(served)
        }
        self.costs = {way: self._cost(way) for way in view.WAYS}

    @property
    def finder(self) -> Tool:
        """climax_search over everything."""
        return self._catalogs["progressive"].resolve("climax_search")

    def groups(self, way: Mode) -> list[Group]:
        """The list: what an agent sees, what it can find, what a policy turned off."""
        found: dict[str, list[dict[str, Any]]] = {}
        for group, tool in self._every(way):
            entry = self.entries.get(tool.name) or view.entry(tool, group, tool.category or "")
            found.setdefault(group, []).append({**entry, "group": group})
        found[view.OFF] = self._off
        return [(name, found[name]) for name in view.GROUPS if found.get(name)]

    def _every(self, way: Mode) -> Iterator[tuple[str, Tool]]:
        catalog = self._catalogs[way]
        listed = catalog.listed()
        names = {tool.name for tool in listed}
        yield from ((view.LISTED, tool) for tool in listed)
        for tool in catalog.every():
            if tool.name not in names:
                yield view.BEHIND, tool

    def _cost(self, way: Mode) -> dict[str, Any]:
        listed = self._catalogs[way].listed()
        known = [
            self.entries.get(tool.name) or view.entry(tool, view.LISTED, tool.category or "")
            for tool in listed
        ]
        return view.cost(known)

    @cached_property
    def _off(self) -> list[dict[str, Any]]:
        """Tools that a policy turns off: their names and the deciding place, nothing else."""
        climax = self._source.pack(ClimaxPack)
        unlisted = climax.contribute().unlisted if climax is not None else None
        if climax is None or unlisted is None:
            return []
        return [
            view.turned_off(name, refusal.place or "")
            for config in climax.config_set.configs
            for name in config.tools.lines
            if (refusal := unlisted.refusal(name)) is not None
        ]
