"""One process for each client session."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from packs.gateway.conftest import Project, odd
from support.waiting import until_async
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import CallContext, ToolOutput
from toolcrib.packs.gateway.life.sessions import MOST
from toolcrib.wire.eras import LEGACY, MODERN


async def call(pack: Any, session: str, name: str = "odd__t0") -> ToolOutput:
    tool = pack.contribute().unlisted.get(name)
    return await ToolExecutor().run(tool, {}, CallContext(session=session))


def pid(output: ToolOutput) -> int:
    assert output.structured is not None and not output.is_error, output
    return int(output.structured["pid"])


def test_each_session_has_a_process_of_its_own(project: Project) -> None:
    """X-13: `session = "client"`; with `shared` there is one for all."""
    project.write(own=odd({"session": "client"}), shared=odd())

    async def work(pack: Any) -> list[list[int]]:
        sessions = ("a", "b", "a")
        return [
            [pid(await call(pack, each, f"{name}__t0")) for each in sessions]
            for name in ("own", "shared")
        ]

    (first, second, again), shared = project.run(work)
    assert first == again != second and len(set(shared)) == 1


def test_at_most_eight_and_the_longest_idle_goes_first(project: Project) -> None:
    """X-13: the ninth session takes the place of the one that has rested longest."""
    project.write(odd=odd({"session": "client"}))

    async def work(pack: Any) -> tuple[int, list[int], list[int]]:
        names = [str(number) for number in range(MOST)]
        first = [pid(await call(pack, name)) for name in names]
        await call(pack, "0")  # now "1" has rested longest
        await call(pack, "ninth")
        up = sum(server.up for server in pack.servers._sessions["odd"].every())
        return up, first, [pid(await call(pack, name)) for name in ("0", "1")]

    up, first, again = project.run(work)
    assert up == MOST and again[0] == first[0] and again[1] != first[1]


def test_where_all_are_busy_a_call_waits_for_a_place(project: Project) -> None:
    """X-13: all busy: the call waits, for its deadline at most."""
    project.write(odd=odd({"session": "client"}, call="wait"))

    async def work(pack: Any) -> tuple[bool, int]:
        await pack.servers.seen("odd")
        busy = [asyncio.create_task(call(pack, str(number))) for number in range(MOST)]
        sessions = pack.servers._sessions["odd"]
        await until_async(lambda: sum(bool(each.calls) for each in sessions.every()) == MOST)
        ninth = asyncio.create_task(sessions.of("ninth"))
        await asyncio.sleep(0)
        waited = not ninth.done()
        busy[0].cancel()
        server = await ninth
        for task in busy:
            task.cancel()
        return waited, server.calls

    assert project.run(work) == (True, 0)


@pytest.mark.parametrize("era", [LEGACY, MODERN])
def test_calls_of_many_sessions_at_once_have_eight_processes_between_them(
    project: Project, tmp_path: Path, era: Any
) -> None:
    """X-13: none is taken from a call that is about to begin, in whatever era its client is."""
    journal = tmp_path / "journal"
    project.write(odd=odd({"session": "client", "timeout": 2}, call="wait", journal=str(journal)))

    async def work(pack: Any) -> list[str]:
        await pack.servers.seen("odd")
        pack.servers.stop()
        journal.unlink()
        tool = pack.contribute().unlisted.get("odd__t0")
        contexts = [CallContext(session=str(number), era=era) for number in range(MOST + 4)]
        calls = [ToolExecutor().run(tool, {}, context) for context in contexts]
        outputs = await asyncio.gather(*calls)
        return [output.structured["error"]["data"]["reason"] for output in outputs]

    assert project.run(work) == ["deadline"] * (MOST + 4)
    assert journal.read_text().split().count("tools/call") <= MOST
