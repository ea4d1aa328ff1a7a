"""The lists of a server: asked for behind its calls, and never for ever."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from packs.gateway.conftest import Project, call, odd
from support.waiting import until_async
from toolcrib.core.tool import ToolOutput
from toolcrib.packs.gateway.faults import ServerFault
from toolcrib.packs.gateway.life.listing import ServerListing


def test_lists_are_read_again_behind_the_first_call(project: Project, tmp_path: Path) -> None:
    """X-9: refreshed after each start, behind the first call and never before it."""
    journal = tmp_path / "journal"
    project.write(odd=odd(journal=str(journal)))
    project.call("odd__t0")
    journal.unlink()

    async def work(pack: Any) -> None:
        await call(pack, "odd__t0")
        await until_async(lambda: "tools/list" in journal.read_text())

    project.run(work)
    met = ["initialize", "notifications/initialized", "tools/call", "tools/list"]
    assert journal.read_text().split()[:4] == met


@pytest.mark.parametrize("how", ["hang", "fail"])
def test_lists_that_cannot_be_read_again_leave_what_is_known_and_are_told(
    project: Project, tmp_path: Path, how: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X-9, X-10: the catalogue stays, doctor warns, secrets are masked, it still goes when idle."""
    monkeypatch.setenv("A_TOKEN", "hush-hush-42")
    state = tmp_path / "state"
    env = {"ODD_STATE": str(state), "SECRET": "${A_TOKEN}"}
    entry = {"env": env, "startup_timeout": 1, "idle": 1}
    project.write(odd=odd(entry, **{how: "list again"}))
    assert not project.call("odd__t0").is_error
    state.write_text("")

    async def work(pack: Any) -> tuple[ToolOutput, Any, str]:
        output = await call(pack, "odd__t0")
        server = pack.servers.server("odd")
        await until_async(lambda: server.listing.fault is not None)
        await until_async(lambda: not server.up)
        with pytest.raises(ServerFault) as raised:
            await pack.servers.refresh("odd")
        told = [each.text for each in pack.health() if each.level == "warning"]
        return output, raised.value.reason, "\n".join(told)

    output, why, told = project.run(work)
    assert not output.is_error
    assert why == ("start_timeout" if how == "hang" else "start_failed")
    assert "gave no list of its tools" in told and "hush" not in told
    assert project.run(lambda pack: call(pack, "odd__t0")).is_error is False


def test_lists_are_asked_for_one_at_a_time_and_the_last_answer_is_the_newest() -> None:
    """X-9: what changes while a list is being read is read after it, never beside it."""
    events: list[str] = []

    async def work() -> None:
        answered = asyncio.Event()

        async def ask(session: Any) -> None:
            events.append("asked")
            await answered.wait()
            events.append("kept")

        listing = ServerListing(ask, lambda: 60.0, lambda error: ServerFault("a", "b", str(error)))
        listing.begin(object())  # type: ignore[arg-type]
        for _ in range(5):
            listing.now()
            await asyncio.sleep(0)
        answered.set()
        await listing.settled()
        assert not listing.busy

    asyncio.run(work())
    assert events == ["asked", "kept", "asked", "kept"]


def test_a_change_in_the_moment_in_which_a_list_is_done_is_not_missed() -> None:
    """X-9: what is told between the end of one reading and its tidying up is read as well."""
    asks = 0

    async def work() -> None:
        async def ask(session: Any) -> None:
            nonlocal asks
            asks += 1
            if asks == 1:  # runs after the reading has ended, before its end is known
                asyncio.get_running_loop().call_soon(listing.now)

        listing = ServerListing(ask, lambda: 60.0, lambda error: ServerFault("a", "b", str(error)))
        listing.begin(object())  # type: ignore[arg-type]
        listing.now()
        await asyncio.sleep(0)
        await until_async(lambda: not listing.busy)

    asyncio.run(work())
    assert asks == 2
