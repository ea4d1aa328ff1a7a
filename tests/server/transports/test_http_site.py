"""One project over HTTP: its surface, its endpoint, and what runs beside them."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from toolcrib.core.pack import Changes, Contributions, Pack
from toolcrib.core.tool import JSON, CallContext, Tool
from toolcrib.server.surface import Surface
from toolcrib.server.transports.http_guard import HttpGuard
from toolcrib.server.transports.http_limits import RequestLimits
from toolcrib.server.transports.http_origin import Origins
from toolcrib.server.transports.http_site import OneSite, Site
from toolcrib.settings import load


class Filed(Pack):
    """A tool for each file of a folder."""

    name = "filed"
    live = True

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def watched(self) -> list[Path]:
        return [self.folder]

    def contribute(self) -> Contributions:
        async def run(arguments: JSON, context: CallContext) -> str:
            return "ran"

        names = sorted(path.stem for path in self.folder.glob("*.txt"))
        return Contributions(tools=[Tool(name, name, {"type": "object"}, run) for name in names])

    def refresh(self, changed: object) -> Changes:
        return Changes(tools=True)


@asynccontextmanager
async def serving(folder: Path) -> AsyncIterator[Site]:
    site = Site(
        Surface([Filed(folder)]), load(folder), RequestLimits(4, None), Origins((), None), "shop"
    )
    site.begin()
    try:
        yield site
    finally:
        await site.close()


def tools(site: Site) -> float:
    return site.measured().gauges["tools"]


def test_what_changed_while_nobody_asked_is_served_with_the_next_answer(tmp_path: Path) -> None:
    """R-10: a site that rests watches nothing, and misses nothing."""

    async def story() -> list[float]:
        async with serving(tmp_path) as site:
            found = [tools(site)]
            await site.rest()
            assert not site.awake
            (tmp_path / "new.txt").touch()
            await asyncio.gather(*(site.rouse() for _ in range(5)))
            assert site.awake
            return [*found, tools(site)]

    assert asyncio.run(story()) == [0, 1]


def test_a_site_tells_its_figures_under_the_name_of_its_project(tmp_path: Path) -> None:
    """R-12: metrics carry the label `project` where several are served."""

    async def story() -> None:
        async with serving(tmp_path) as site:
            measured = site.measured()
            assert measured.labels == {"project": "shop"}
            assert measured.gauges["sessions"] == measured.gauges["calls_in_flight"] == 0
            assert not site.busy

    asyncio.run(story())


def test_one_project_is_served_at_its_path_alone(tmp_path: Path) -> None:
    """S-6: every other path is none of its business."""

    async def story() -> None:
        guard = HttpGuard(hosts=(), origins=(), verifier=None)
        one = OneSite(Surface([Filed(tmp_path)]), load(tmp_path), guard)
        entered = await one.enter("/mcp", {})
        assert entered is not None and entered[1] == "http" and not one.guarded
        assert await one.enter("/other/mcp", {}) is None
        one.warm()
        assert all(check.ok for check in one.checks().values())

    asyncio.run(story())
