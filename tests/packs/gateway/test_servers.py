"""All servers of a project, and what of them is held."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path
from typing import Any

from packs.gateway.conftest import Project, call, odd
from toolcrib.core.pack import Changes
from toolcrib.packs.gateway.catalogue import Catalogue
from toolcrib.packs.gateway.pack import GatewayPack
from toolcrib.packs.gateway.settings import GatewaySettings


def test_what_is_held_belongs_to_one_catalogue_alone(project: Project) -> None:
    """X-8: a catalogue is never judged by what was found of another, however short-lived."""
    project.write(odd=odd())

    def says(text: str) -> Catalogue:
        return Catalogue(tools=[{"name": "t0", "description": text}])

    async def work(pack: Any) -> set[tuple[str, ...]]:
        servers, entry = pack.servers, pack.servers.entries["odd"]
        servers.pins.put(servers.catalogues.key(entry), says("Counts days."))
        pinned = says("Counts days.")
        lay = id(pinned)
        assert not servers.held(entry, pinned).names
        del pinned  # the next one may lie where it lay
        others = [says(f"Counts {number} weeks.") for number in range(100)]
        others.sort(key=lambda other: id(other) != lay)
        return {tuple(servers.held(entry, other).names) for other in others}

    assert project.run(work) == {("tool t0",)}


def test_what_was_just_told_is_what_is_known(project: Project) -> None:
    """X-9: two catalogues of one size, written within one tick of the clock, stay apart."""
    project.write(odd=odd())

    async def work(pack: Any) -> list[str]:
        await call(pack, "odd__t0")
        kept, entry = pack.servers.catalogues, pack.servers.entries["odd"]
        found = []
        for number in range(100):
            kept.put(entry, Catalogue(instructions=f"{number:03}", time=1.0))
            found.append(kept.get(entry).instructions)
        return found

    assert project.run(work) == [f"{number:03}" for number in range(100)]


def test_a_catalogue_that_comes_is_known_at_once(project: Project) -> None:
    """X-10: a call that waited for first sight is called, never "no such tool"."""
    project.write(odd=odd())

    async def work(pack: Any) -> list[str]:
        servers, entry = pack.servers, pack.servers.entries["odd"]
        assert servers.state("odd").catalogue is None
        servers.catalogues.put(entry, Catalogue(tools=[{"name": "t0"}]))
        return [tool["name"] for tool in servers.state("odd").catalogue.tools]

    assert project.run(work) == ["t0"]


def test_everybody_who_waited_is_told_why_a_first_look_failed(project: Project) -> None:
    """X-10: start_timeout for each call of a server that hangs in tools/list, never not_found."""
    project.write(slow=odd({"startup_timeout": 1}, hang="list"))

    async def work(pack: Any) -> list[Any]:
        pack.servers.look()
        outputs = await asyncio.gather(*(call(pack, "slow__t0") for _ in range(3)))
        return [each.structured["error"]["data"]["reason"] for each in outputs]

    assert project.run(work) == ["start_timeout"] * 3


def test_what_thousands_of_tools_take_to_be_pinned_is_done_beside_the_loop(
    project: Project,
) -> None:
    """X-10: no server delays another one; the loop has less to do than everybody beside it."""
    project.write(odd=odd(tools=3000))

    async def work(pack: Any) -> tuple[float, float]:
        await pack._ready()
        await pack.servers.server("odd").session()
        loop, whole = time.thread_time(), time.process_time()
        await pack.servers.refresh("odd")
        loop, whole = time.thread_time() - loop, time.process_time() - whole
        return loop, whole - loop

    on_the_loop, beside = project.run(work)
    assert 2 * on_the_loop < beside


def test_what_another_process_was_told_is_news_here_once(project: Project, tmp_path: Path) -> None:
    """X-16: told to the clients of each process, whoever of them has asked the server."""
    state = tmp_path / "suffix"
    project.write(odd=odd({"env": {"ODD_STATE": str(state)}, "changes": "allow"}))

    async def work(pack: Any) -> list[Any]:
        other = GatewayPack(project.folder, GatewaySettings())
        told: list[Changes] = []
        pack.announce = told.append
        await pack.servers.refresh("odd")
        seen = [len(told), pack.look_around()]
        state.write_text(" anew")
        await other.servers.refresh("odd")
        await other.close()
        seen += [pack.look_around(), pack.look_around()]
        await pack.servers.refresh("odd")
        return [*seen, len(told)]

    assert project.run(work) == [1, Changes(), Changes(behind=True), Changes(), 1]


def test_what_another_process_has_kept_is_still_told_to_ones_own_clients(
    project: Project, tmp_path: Path
) -> None:
    """X-16: a list that differs from what clients know is told, although it is kept already."""
    state = tmp_path / "suffix"
    project.write(odd=odd({"env": {"ODD_STATE": str(state)}, "changes": "allow"}))

    async def work(pack: Any) -> int:
        other = GatewayPack(project.folder, GatewaySettings())
        told: list[Changes] = []
        pack.announce = told.append
        await pack.servers.refresh("odd")
        state.write_text(" anew")
        await other.servers.refresh("odd")
        await other.close()
        await pack.servers.refresh("odd")
        return len(told)

    assert project.run(work) == 2
