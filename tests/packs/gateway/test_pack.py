"""The pack: files that change, whose servers they are, and what is told to whom."""

from __future__ import annotations

import asyncio
import json
import os
from pathlib import Path
from typing import Any

import pytest

from packs.gateway.conftest import Project, call, odd
from support.waiting import until_async
from toolcrib.core.errors import ConfigError
from toolcrib.packs.gateway.pack import GatewayPack
from toolcrib.packs.gateway.settings import DEPTH, GatewaySettings, user_file


async def pid(pack: Any, server: str) -> int:
    structured = (await call(pack, f"{server}__t0")).structured
    assert structured is not None
    return int(structured["pid"])


def test_an_entry_that_changes_stops_its_server_and_leaves_the_others_alone(
    project: Project,
) -> None:
    """X-30: after its running calls; the new one is served; one that goes takes its tools along."""
    project.write(kept=odd(), changed=odd(), gone=odd())

    async def work(pack: Any) -> Any:
        pids = [
            (await call(pack, f"{n}__t0")).structured["pid"] for n in ("kept", "changed", "gone")
        ]  # type: ignore[index]
        project.write(new=odd(), kept=odd(), changed=odd(tools=1))
        assert pack.refresh([]).behind
        names = [group.name for group in pack.contribute().unlisted.groups]
        await until_async(lambda: not os.path.exists(f"/proc/{pids[1]}"))
        await until_async(lambda: not os.path.exists(f"/proc/{pids[2]}"))
        again = await pid(pack, "kept")
        anew = await call(pack, "changed__t0")
        return pids[0] == again, names, anew.is_error, pack.contribute().unlisted.get("gone__t0")

    same, names, failed, gone = project.run(work)
    assert same and names == ["new", "kept", "changed"] and not failed and gone is None


def test_a_server_that_goes_is_stopped_although_nobody_calls(project: Project) -> None:
    """X-30: one that goes takes its process with it; a reload is enough."""
    project.write(kept=odd(), gone=odd())

    async def work(pack: Any) -> None:
        there = await pid(pack, "gone")
        project.write(kept=odd())
        pack.refresh([])
        pack.contribute()  # as a reload does
        await until_async(lambda: not os.path.exists(f"/proc/{there}"))

    project.run(work)


@pytest.mark.parametrize("seen", [False, True])
def test_a_call_that_waits_for_a_start_outlives_a_reload(project: Project, seen: bool) -> None:
    """X-30: the old server is stopped after its running calls, those that start it included."""
    project.write(odd=odd(slow=0.5))

    async def work(pack: Any) -> bool:
        if seen:
            await call(pack, "odd__t0")
            pack.servers.server("odd").stop()
        waiting = asyncio.create_task(call(pack, "odd__t0"))
        await until_async(lambda: pack.servers.server("odd").calls > 0)
        project.write(odd=odd(slow=0.4))
        pack.refresh([])
        pack.contribute()
        return (await waiting).is_error

    assert project.run(work) is False


def test_a_call_of_a_server_that_goes_at_first_sight_is_answered(project: Project) -> None:
    """X-18: not_found, whatever the file says by the time that its server has answered."""
    project.write(odd=odd(slow=0.5))

    async def work(pack: Any) -> Any:
        waiting = asyncio.create_task(call(pack, "odd__t0"))
        await until_async(lambda: pack.servers.server("odd").calls > 0)
        project.write()
        pack.refresh([])
        pack.contribute()
        return (await waiting).structured["error"]["data"]["reason"]  # type: ignore[index]

    assert project.run(work) == "not_found"


def test_a_file_that_becomes_broken_keeps_the_last_good_servers(project: Project) -> None:
    """X-1: on reload the last good one stays."""
    project.write(odd=odd())

    async def work(pack: Any) -> bool:
        assert list(pack.servers.entries) == ["odd"]
        (project.folder / "mcp/servers.json").write_text("{broken")
        pack.refresh([])
        return (await call(pack, "odd__t0")).is_error

    assert project.run(work) is False


def test_a_name_in_both_files_is_the_users_and_a_broken_file_is_told(project: Project) -> None:
    """X-1: over both by name: the user's; the other file is still served."""
    own = user_file()
    assert own is not None
    own.parent.mkdir(parents=True)
    project.write(odd=odd(), theirs=odd())
    own.write_text('{"mcpServers": {"odd": {"command": "mine"}}}')
    pack = GatewayPack(project.folder, GatewaySettings())
    assert {e.name: e.source for e in pack.read.entries} == {"odd": "user", "theirs": "repo"}
    own.write_text('{"mcpServers": {"odd": {"command": "mine"}, "odd": {}}}')
    again = GatewayPack(project.folder, GatewaySettings())
    assert [entry.source for entry in again.read.entries] == ["repo", "repo"]
    (problem,) = again.read.problems
    assert "twice" in str(problem) and ":1:" in str(problem.where)


def test_other_files_are_named_by_the_settings(project: Project) -> None:
    """X-1: `[gateway] configs` names other files instead of mcp/servers.json."""
    project.write(ignored=odd())
    (project.folder / ".mcp.json").write_text('{"mcpServers": {"odd": {"command": "x"}}}')
    pack = GatewayPack(project.folder, GatewaySettings(configs=(".mcp.json",)))
    assert [entry.name for entry in pack.read.entries] == ["odd"]


def test_a_toolcrib_below_two_others_refuses(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X-3: the word depth is in the line."""
    monkeypatch.setenv(DEPTH, "2")
    with pytest.raises(ConfigError, match="depth"):
        GatewayPack(project.folder, GatewaySettings())


def test_an_entry_that_would_start_ourselves_or_belongs_elsewhere_is_left_out(
    project: Project, tmp_path: Path
) -> None:
    """X-3, X-2: own serve is skipped; `disabled`; `root` is another repository's."""
    project.write(
        own={"command": "uvx", "args": ["toolcrib", "serve"]},
        off=odd({"disabled": True}),
        other=odd({"root": str(tmp_path)}),
        here=odd({"root": str(project.folder)}),
    )
    assert list(GatewayPack(project.folder, GatewaySettings()).servers.entries) == ["here"]


def test_what_a_person_approves_elsewhere_is_seen(project: Project, tmp_path: Path) -> None:
    """X-16, X-21: pins are watched; a refresh after an approval tells that tools changed."""
    state = tmp_path / "suffix"
    project.write(odd=odd({"env": {"ODD_STATE": str(state)}}))

    async def work(pack: Any) -> list[Any]:
        await pack.servers.refresh("odd")
        state.write_text(" anew")
        await pack.servers.refresh("odd")
        held = len(pack.servers.state("odd").held)
        pack.contribute()
        quiet = pack.refresh([]).behind
        entry = pack.servers.entries["odd"]
        servers = GatewayPack(project.folder, GatewaySettings()).servers  # as in another process
        catalogue = servers.catalogues.get(entry)
        servers.pins.put(servers.catalogues.key(entry), catalogue)
        told = pack.refresh([]).behind
        watched = any("pins" in str(path) for path in pack.watched())
        return [held, quiet, told, watched, len(pack.servers.state("odd").held)]

    assert project.run(work) == [2, False, True, True, 0]


def test_a_broken_file_keeps_its_own_servers_and_touches_no_other(
    project: Project, tmp_path: Path
) -> None:
    """X-1: the other file is still served, and on reload the last good one stays, file by file."""
    own = tmp_path / "XDG_CONFIG_HOME" / "toolcrib" / "servers.json"
    own.parent.mkdir(parents=True)
    own.write_text(json.dumps({"mcpServers": {"mine": odd()}}))
    project.write(theirs=odd())

    async def work(pack: Any) -> list[list[str]]:
        seen = [sorted(pack.servers.entries)]
        for broken in (project.folder / "mcp" / "servers.json", own):
            broken.write_text("{broken")
            pack.refresh([broken])
            seen.append(sorted(pack.servers.entries))
        assert len(pack.read.problems) == 2
        own.unlink()
        pack.refresh([own])
        return [*seen, sorted(pack.servers.entries)]

    both = ["mine", "theirs"]
    assert project.run(work) == [both, both, both, ["theirs"]]


def test_a_config_outside_of_the_repository_is_named_as_it_is_written(
    project: Project, tmp_path: Path
) -> None:
    """X-1: `configs` names other files instead; what a repo names is the repo's."""
    other = tmp_path / "other.json"
    other.write_text(json.dumps({"mcpServers": {"far": odd()}}))

    async def work(pack: Any) -> Any:
        return pack.servers.entries["far"]

    for name in (str(other), "../other.json"):
        found = project.run(work, configs=(name,))
        assert found.source == "repo" and found.file == name


def test_what_a_link_in_place_of_ones_own_file_leads_to_is_watched(
    project: Project, tmp_path: Path
) -> None:
    """X-1, X-30: a change is made where the file is kept."""
    own, kept = tmp_path / "XDG_CONFIG_HOME" / "toolcrib" / "servers.json", tmp_path / "kept.json"
    own.parent.mkdir(parents=True)
    kept.write_text(json.dumps({"mcpServers": {"mine": odd()}}))
    own.symlink_to(kept)

    async def work(pack: Any) -> tuple[list[str], list[Path]]:
        return sorted(pack.servers.entries), list(pack.watched())

    names, watched = project.run(work)
    assert names == ["mine"] and {own, kept} <= set(watched)


def _with_no_file_left() -> None:
    raise OSError("too many open files")


def test_a_first_look_that_failed_is_taken_again_by_the_next_use(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X-9: what could not be read once is no reason to serve nothing for good."""
    project.write(odd=odd())

    async def work(pack: Any) -> list[str]:
        with monkeypatch.context() as patch:
            patch.setattr(pack, "_look_ahead", _with_no_file_left)
            with pytest.raises(OSError, match="too many"):
                await pack.contribute().unlisted.remarks()
        await pack.contribute().unlisted.remarks()
        return [tool.name for tool in pack.contribute().unlisted]

    assert project.run(work) == ["odd__t0", "odd__t1"]


def test_a_first_look_behind_everything_that_fails_is_one_line_of_the_log(
    project: Project, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """X-9, FAULTS: the log says what and why, without a traceback; nothing else is touched."""
    project.write(odd=odd())

    async def work(pack: Any) -> list[str]:
        with monkeypatch.context() as patch:
            patch.setattr(pack, "_look_ahead", _with_no_file_left)
            pack.begin()
            await pack._beginning
        await pack.contribute().unlisted.remarks()
        return [tool.name for tool in pack.contribute().unlisted]

    assert project.run(work) == ["odd__t0", "odd__t1"]
    (line,) = [each for each in caplog.records if each.name == "toolcrib.gateway"]
    assert line.levelname == "WARNING" and "too many open files" in line.getMessage()
    assert line.exc_info is None
