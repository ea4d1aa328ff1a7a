"""FAULTS, "Servers behind the gateway": one test for each line that is about pipes.

Names of tools, progress, a raced start, a banner, kill -9 and damaged catalogues are shown in
tests/packs/gateway and tests/e2e/test_gateway.py.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from packs.gateway.conftest import Project, call, odd
from support.pipe import toolcrib
from support.waiting import until_async
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import CallContext, ToolOutput
from toolcrib.packs.gateway.catalogue import CatalogueStore
from toolcrib.packs.gateway.pack import GatewayPack
from toolcrib.packs.gateway.settings import GatewaySettings
from toolcrib.running.supervisor.processes import children
from toolcrib.server.mcp.catalog import Catalog, Offer


def reason(output: ToolOutput) -> Any:
    assert output.is_error and output.structured is not None, output
    return output.structured["error"]["data"]["reason"]


def alive(pid: int | str) -> bool:
    return Path(f"/proc/{pid}").exists()


def zombies() -> list[int]:
    """The processes that this one started, that have ended, and that nobody has asked for."""
    return [pid for pid in children(os.getpid()) if state_of(pid) == "Z"]


def state_of(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return ""


@pytest.mark.parametrize("where", ["start", "handshake", "list"])
def test_one_that_hangs_is_killed_and_holds_nobody_up(
    project: Project, tmp_path: Path, where: str
) -> None:
    """FAULTS: hangs before or in the handshake, or in tools/list: start_timeout, and gone."""
    file = tmp_path / "pid"
    project.write(slow=odd({"startup_timeout": 1}, hang=where, pid=str(file)), good=odd())

    async def work(pack: Any) -> tuple[ToolOutput, ToolOutput]:
        slow = asyncio.create_task(call(pack, "slow__t0"))
        good = await call(pack, "good__t0")
        assert not slow.done()  # it has not even had its second
        output = await slow
        await until_async(lambda: not file.exists() or not alive(file.read_text()))
        return good, output

    good, slow = project.run(work)
    assert not good.is_error and reason(slow) == "start_timeout"


def test_a_program_that_cannot_run_and_a_folder_that_is_gone_say_so(
    project: Project, tmp_path: Path
) -> None:
    """FAULTS: not executable; cwd gone: start_failed with the reason."""
    plain = tmp_path / "plain"
    plain.write_text("")
    project.write(
        plain={"command": str(plain), "sandbox": "off"}, gone=odd({"cwd": str(tmp_path / "gone")})
    )

    async def work(pack: Any) -> list[ToolOutput]:
        return [await call(pack, f"{name}__x") for name in ("plain", "gone")]

    first, second = project.run(work)
    assert reason(first) == reason(second) == "start_failed"
    assert "gone" in second.content[0]["text"]


def test_deaths_between_calls_leave_nothing_behind(project: Project) -> None:
    """FAULTS: the next call starts it; no zombie, files constant; a dead one is no failure."""
    project.write(odd=odd())
    others = set(children(os.getpid()))  # of tests that ran before in this process

    async def work(pack: Any) -> tuple[int, int, list[int]]:
        pids: list[int] = []
        counts: list[int] = []
        for _ in range(12):
            output = await call(pack, "odd__t0")
            assert output.structured is not None and not output.is_error, output
            pids.append(output.structured["pid"])
            os.kill(pids[-1], 9)
            await until_async(lambda: not pack.servers.server("odd").up)
            await until_async(lambda pid=pids[-1]: not alive(pid))  # type: ignore[misc]
            counts.append(len(os.listdir("/proc/self/fd")))
        await until_async(lambda: set(zombies()) <= others)
        return counts[2], max(counts[2:]), pids

    before, after, pids = project.run(work)
    assert after <= before + 1 and len(set(pids)) == len(pids)


def test_noise_and_notifications_by_the_thousand_are_skipped_and_counted(
    project: Project, caplog: pytest.LogCaptureFixture
) -> None:
    """FAULTS: noise skipped and counted, one warning; above 1,000/s dropped but for answers."""
    project.write(odd=odd(call="noise"))

    async def work(pack: Any) -> tuple[bool, int, int]:
        output = await call(pack, "odd__t0")
        connection = (await pack.servers.server("odd").session()).connection
        return output.is_error, connection.noise, connection.dropped

    failed, noise, dropped = project.run(work)
    assert not failed and noise == 5000 and dropped > 0
    told = [record.getMessage() for record in caplog.records if record.levelname == "WARNING"]
    assert sorted(text.split()[2] for text in told) == ["notifies", "writes"]


def test_one_that_does_not_read_is_refused_at_once_and_then_stopped(project: Project) -> None:
    """FAULTS: a bounded queue of 4 MiB; further calls `protocol` at once."""
    project.write(odd=odd({"timeout": 30}, deaf="tools/list"))

    async def work(pack: Any) -> list[Any]:
        await pack.servers.seen("odd")
        filling = [
            asyncio.create_task(call(pack, "odd__t0", {"x": "y" * 1_500_000})) for _ in range(4)
        ]
        await until_async(lambda: any(task.done() for task in filling))
        refused = [reason(task.result()) for task in filling if task.done()]
        await until_async(lambda: not pack.servers.server("odd").up, seconds=20)
        for task in filling:
            task.cancel()
        return refused

    assert "protocol" in project.run(work)


def test_one_that_has_not_read_a_call_by_its_deadline_is_stopped(project: Project) -> None:
    """X-18: one that does not read is stopped at the first deadline."""
    project.write(odd=odd({"timeout": 1}, deaf="tools/list"))

    async def work(pack: Any) -> tuple[Any, bool]:
        await pack.servers.seen("odd")
        output = await call(pack, "odd__t0", {"x": "y" * 200_000})
        return reason(output), pack.servers.server("odd").up

    assert project.run(work) == ("deadline", False)


def test_deaths_and_broken_answers_open_the_breaker_and_worded_errors_do_not(
    project: Project,
) -> None:
    """X-14: the breaker is per tool; death and broken protocol count, worded errors do not."""
    project.write(dies=odd(call="die"), breaks=odd(call="no_content"), words=odd(call="error"))
    names = ("dies__t0", "breaks__t0", "words__t0", "dies__t1")

    async def work(pack: Any) -> list[str]:
        executor, unlisted = ToolExecutor(), pack.contribute().unlisted
        for name in names[:3]:
            for _ in range(5):
                await executor.run(unlisted.get(name), {}, CallContext())
        return [executor.breaker(name).state for name in names]

    assert project.run(work) == ["open", "open", "closed", "closed"]


@pytest.mark.parametrize(
    ("switches", "cause"), [({"call": "die"}, "died"), ({"call": "wait"}, "deadline")]
)
@pytest.mark.parametrize("mode", ["default", "classic"])
def test_an_open_breaker_refuses_in_the_shape_of_every_refusal(
    project: Project, switches: dict[str, Any], cause: str, mode: Any
) -> None:
    """X-18, X-14: `backing_off` with what opened it and the time, in classic as well."""
    project.write(odd=odd({"timeout": 1}, **switches))

    async def work(pack: Any) -> ToolOutput:
        await pack.servers.seen("odd")
        executor = ToolExecutor()
        catalog = Catalog(executor, mode=mode)
        catalog.load([Offer(pack.name, pack.about, pack.contribute(), pack.trusted)])
        tool = catalog.resolve("odd__t0" if mode == "classic" else "climax_call")
        given = {} if mode == "classic" else {"tool_name": "odd__t0"}
        calls = [executor.run(tool, given, CallContext()) for _ in range(5)]
        assert [reason(output) for output in await asyncio.gather(*calls)] == [cause] * 5
        return await executor.run(tool, given, CallContext())

    output = project.run(work)
    assert reason(output) == "backing_off" and output.refused_by == "breaker"
    error = output.structured["error"]  # type: ignore[index]
    assert error["code"] == -32002 and error["message"] == output.content[0]["text"]
    assert error["data"]["server"] == "odd" and error["data"]["cause"] == cause
    assert 0 < error["data"]["retry_in"] <= 30


def test_a_request_that_was_not_written_whole_is_sent_again_whatever_the_tool_says(
    project: Project, tmp_path: Path
) -> None:
    """X-14: it died with half of a request: that call had no effect, and is repeated."""
    died = tmp_path / "died"
    project.write(odd=odd({"env": {"ODD_STATE": str(died)}}, gulp="initialize"))
    died.touch()
    assert not project.call("odd__t0").is_error  # seen
    died.unlink()
    output = project.call("odd__t0", {"x": "y" * 300_000})
    assert not output.is_error and len(output.content[0]["text"]) > 80_000


def test_output_that_closes_between_calls_ends_the_process_too(project: Project) -> None:
    """FAULTS: EOF of stdout is death, whatever waitpid says; nothing has to be called for it."""
    project.write(odd=odd(close_after="tools/list"))

    async def work(pack: Any) -> bool:
        await pack.servers.seen("odd")
        server = pack.servers.server("odd")
        await until_async(lambda: not server.up and not server.leaving)
        return True

    assert project.run(work)


@pytest.mark.parametrize(
    ("mode", "expected"),
    [
        ("long", "too_large"),
        ("last", "too_large"),
        ("deep", "protocol"),
        ("latin", "protocol"),
        ("both", "server_error"),
    ],
)
def test_an_answer_that_cannot_be_used_ends_its_call_alone(
    project: Project, mode: str, expected: str
) -> None:
    """FAULTS: a line of 40 MB, nesting of 100,000, invalid UTF-8, both: the connection is kept."""
    project.write(odd=odd(call=mode, size=40_000_000))

    async def work(pack: Any) -> list[Any]:
        outputs = [await call(pack, "odd__t0") for _ in range(2)]
        server = pack.servers.server("odd")
        return [*map(reason, outputs), server.up]

    assert project.run(work) == [expected, expected, True]


@pytest.mark.parametrize("mode", ["doubled", "surrogate", "ids"])
def test_odd_answers_never_take_the_connection_down(project: Project, mode: str) -> None:
    """FAULTS: duplicate keys, lone surrogates, unknown ids and ids of another type."""
    project.write(odd=odd(call=mode))

    async def work(pack: Any) -> tuple[ToolOutput, bool]:
        output = await call(pack, "odd__t0")
        return output, pack.servers.server("odd").up

    output, up = project.run(work)
    assert up
    if mode == "ids":
        assert not output.is_error
    elif output.is_error:
        assert reason(output) == "protocol"
    json.dumps(output.content).encode()


@pytest.mark.parametrize(
    ("switches", "tools", "warned"),
    [
        ({"tools": 5000}, 5000, False),
        ({"tools": 60, "pages": True}, 60, False),
        ({"tools": 3, "pages": "endless"}, 2, True),
        ({"tools": 3, "pages": "growing"}, 3, True),
    ],
)
def test_lists_end(project: Project, switches: dict[str, Any], tools: int, warned: bool) -> None:
    """FAULTS: 5,000 tools; pages; a cursor that repeats; a page that never ends."""
    project.write(odd=odd(**switches))

    async def work(pack: Any) -> Any:
        await pack.servers.seen("odd")
        return pack.servers.state("odd").catalogue

    found = project.run(work)
    assert len(found.names) == tools or (warned and len(found.names) >= 1)
    assert bool(found.warnings) is warned


def test_one_that_changes_its_list_all_the_time_is_asked_rarely(
    project: Project, tmp_path: Path
) -> None:
    """FAULTS: at most one re-list in 2 s."""
    lists = tmp_path / "lists"
    project.write(odd=odd(call="relist", times=50, lists=str(lists)))

    async def work(pack: Any) -> int:
        await pack.servers.seen("odd")
        first = len(lists.read_text())
        for _ in range(3):
            await call(pack, "odd__t0")
        await pack.servers.server("odd").refresh()
        return len(lists.read_text()) - first

    assert project.run(work) <= 1


def test_what_nobody_answers_for_is_refused_at_once(project: Project) -> None:
    """FAULTS: unknown methods are answered with -32601; ping is answered."""
    project.write(odd=odd(call="asks", methods=["ping", "no/such/method"]))
    assert project.call("odd__t0").content[0]["text"] == '["answered", -32601]'


def test_a_caller_who_goes_is_forgotten_and_the_server_told(
    project: Project, tmp_path: Path
) -> None:
    """FAULTS: client cancels in mid-call: server told, call forgotten."""
    log = tmp_path / "log"
    project.write(odd=odd(call="hang", log=str(log)))

    async def work(pack: Any) -> int:
        await pack.servers.seen("odd")
        task = asyncio.create_task(call(pack, "odd__t0"))
        server = pack.servers.server("odd")
        session = await server.session()
        await until_async(lambda: session.connection.busy)
        task.cancel()
        await until_async(lambda: log.exists() and "notifications/cancelled" in log.read_text())
        return int(server.calls)

    assert project.run(work) == 0


def test_large_results_and_a_thousand_images_are_passed_on(project: Project) -> None:
    """FAULTS: 10 MB result: X-19; 1,000 images: passed on."""
    project.write(huge=odd(call="huge", size=10_000_000), images=odd(call="images"))

    async def work(pack: Any) -> list[ToolOutput]:
        return [await call(pack, f"{name}__t0") for name in ("huge", "images")]

    huge, images = project.run(work)
    assert "characters left out" in huge.content[0]["text"] and not huge.is_error
    assert len(huge.content[0]["text"]) < 100_000 and len(images.content) == 1000


WORDY = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    told = {"protocolVersion": "2025-11-25", "capabilities": {}, "tools": [{"name": "t0"}]}
    answer = {"jsonrpc": "2.0", "id": asked["id"], "result": told}
    if asked["method"] == sys.argv[1]:
        answer = {"jsonrpc": "2.0", "id": asked["id"]}
        answer["error"] = {"code": -1, "message": "no" * 4_000_000}
    print(json.dumps(answer), flush=True)
"""


@pytest.mark.parametrize(
    ("method", "why"), [("tools/call", "server_error"), ("initialize", "start_failed")]
)
def test_an_error_of_millions_of_characters_is_cut(project: Project, method: str, why: str) -> None:
    """X-19: text above the limit is cut; an error's words are text, wherever they are shown."""
    entry = {"command": sys.executable, "args": ["-c", WORDY, method], "sandbox": "off"}
    project.write(wordy=entry)

    async def work(pack: Any) -> tuple[ToolOutput, str]:
        output = await call(pack, "wordy__t0")
        return output, json.dumps(await pack.contribute().unlisted.remarks())

    output, remarks = project.run(work)
    assert reason(output) == why
    assert len(json.dumps(output.structured)) < 100_000 and len(remarks) < 10_000
    assert ("characters left out" in output.content[0]["text"]) == (why == "server_error")


def test_two_that_refresh_one_catalogue_leave_one_whole_version(project: Project) -> None:
    """FAULTS: either whole version."""
    project.write(odd=odd(tools=300))

    async def work(pack: Any) -> Any:
        other = GatewayPack(project.folder, GatewaySettings())
        try:
            await asyncio.gather(*(p.servers.refresh("odd") for p in (pack, other)))
        finally:
            await other.close()
        entry = pack.servers.entries["odd"]
        fresh = CatalogueStore(pack.servers.catalogues._root)
        return fresh.get(entry)

    found = project.run(work)
    assert found is not None and len(found.tools) == 300


def test_pins_that_cannot_be_read_hold_everything(project: Project) -> None:
    """FAULTS: pins unreadable: everything held (fail closed)."""
    project.write(odd=odd())

    async def work(pack: Any) -> Any:
        await pack.servers.seen("odd")
        key = pack.servers.catalogues.key(pack.servers.entries["odd"])
        pack.servers.pins._path(key).write_text("{broken")
        pack.servers.pinned()
        return await call(pack, "odd__t0")

    assert reason(project.run(work)) == "changed"


@pytest.mark.parametrize("text", ["[]", '{"mcpServers": []}', '"x"'])
def test_a_file_that_is_none_of_servers_is_told_and_left_as_it_is(
    project: Project, text: str
) -> None:
    """X-29: `add` and `remove` answer with one clear line that names the file."""
    file = project.folder / "mcp" / "servers.json"
    file.write_text(text)
    for words in (["add", "--project", "n", "--yes", "--", "true"], ["remove", "n", "--yes"]):
        done = subprocess.run(
            toolcrib("servers", *words), cwd=project.folder, capture_output=True, text=True
        )
        assert done.returncode == 1 and "servers.json" in done.stderr, done.stderr
        assert "Traceback" not in done.stderr and file.read_text() == text
