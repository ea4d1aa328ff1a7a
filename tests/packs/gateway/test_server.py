"""The life of a server, and what becomes of calls when it is odd."""

from __future__ import annotations

import asyncio
import json
import os
import time
from pathlib import Path
from typing import Any

import pytest

from packs.gateway.conftest import Project, call, odd
from support.pipe import Pipe, toolcrib
from support.waiting import until_async
from toolcrib.core.tool import ToolOutput
from toolcrib.packs.gateway.faults import ServerFault


def reason(output: ToolOutput) -> Any:
    assert output.is_error and output.structured is not None, output
    return output.structured["error"]["data"]["reason"]


def text(output: ToolOutput) -> str:
    return str(output.content[0]["text"])


def test_a_tool_is_called_and_its_answer_passed_on(project: Project) -> None:
    """X-6, X-18: SERVER__TOOL; content, structured content and arguments as they are."""
    project.write(odd=odd())
    output = project.call("odd__t0", {"x": [1, "é"]})
    assert not output.is_error and text(output) == '{"x": [1, "\\u00e9"]}'
    assert output.structured is not None and output.structured["pid"] > 0


def test_a_server_of_the_stateless_era_is_found_out_and_remembered(project: Project) -> None:
    """X-11: initialize first; -32601 leads to server/discover; the era is remembered."""
    project.write(odd=odd(modern=True))

    async def work(pack: Any) -> str | None:
        assert not (await call(pack, "odd__t0")).is_error
        return pack.servers.server("odd").era

    assert project.run(work) == "modern"


def test_fifty_calls_share_one_start(project: Project) -> None:
    """X-13: callers that come meanwhile share that start; calls run over one connection."""
    project.write(odd=odd())

    async def work(pack: Any) -> set[int]:
        outputs = await asyncio.gather(*(call(pack, "odd__t0") for _ in range(50)))
        return {output.structured["pid"] for output in outputs}

    assert len(project.run(work)) == 1


@pytest.mark.parametrize(("mode", "word"), [("die", "exit code 3"), ("kill", "SIGKILL")])
def test_a_death_ends_its_calls_and_the_next_one_starts_anew(
    project: Project, mode: str, word: str
) -> None:
    """X-14: died, with code or signal, and that it may have had an effect."""
    project.write(odd=odd(call=mode))

    async def work(pack: Any) -> list[ToolOutput]:
        return [await call(pack, "odd__t0") for _ in range(2)]

    for output in project.run(work):
        assert reason(output) == "died" and word in text(output)
        assert "may have had an effect" in text(output)


def test_a_read_only_call_is_repeated_once(project: Project, tmp_path: Path) -> None:
    """X-14: repeated once, and only if the tool says that it may be."""
    env = {"env": {"ODD_STATE": str(tmp_path / "died")}}
    project.write(odd=odd(env, call="die_once", read_only=True))
    assert not project.call("odd__t0").is_error


def test_closed_output_is_death_although_the_process_lives(project: Project) -> None:
    """FAULTS: EOF of stdout is death, whatever waitpid says; and the process goes."""
    project.write(odd=odd(call="close"))
    output = project.call("odd__t0")
    assert reason(output) == "died"


@pytest.mark.parametrize(
    ("switches", "expected"),
    [({"exit": 7, "stderr": "no licence"}, "exit code 7"), ({"hang": "start"}, "no answer")],
)
def test_a_start_that_fails_says_why_and_backs_off(
    project: Project, switches: dict[str, Any], expected: str
) -> None:
    """X-14: start_failed or start_timeout with the cause; the next call is told when."""
    project.write(odd=odd({"startup_timeout": 1}, **switches))

    async def work(pack: Any) -> list[ToolOutput]:
        return [await call(pack, "odd__t0"), await call(pack, "odd__t0")]

    first, second = project.run(work)
    assert reason(first) in ("start_failed", "start_timeout") and expected in text(first)
    if "stderr" in switches:
        assert "no licence" in text(first)
    assert reason(second) == "backing_off" and "tried again in" in text(second)


def test_a_hang_in_the_first_list_is_a_start_timeout(project: Project) -> None:
    """X-10, FAULTS: a hang in tools/list is start_timeout."""
    project.write(odd=odd({"startup_timeout": 1}, hang="list"))
    assert reason(project.call("odd__t0")) == "start_timeout"


def test_a_missing_program_and_an_unset_variable_are_named(project: Project) -> None:
    """X-5, X-18: start_failed; unset_reference that names the variable and never backs off."""
    project.write(
        none={"command": "no-such-program-here"},
        unset={"command": "true", "env": {"A": "${NOT_SET_ANYWHERE}"}},
    )
    missing = project.call("none__x")
    assert reason(missing) == "start_failed" and "no-such-program-here" in text(missing)
    unset = project.call("unset__x")
    assert reason(unset) == "unset_reference" and "NOT_SET_ANYWHERE" in text(unset)


def test_a_deadline_cancels_at_the_server(project: Project, tmp_path: Path) -> None:
    """X-15: the server is told, the caller gets the deadline."""
    log = tmp_path / "log"
    project.write(odd=odd({"timeout": 1}, call="hang", log=str(log)))

    async def work(pack: Any) -> ToolOutput:
        await pack.servers.seen("odd")  # the clock of the call does not hold its start
        output = await call(pack, "odd__t0")
        # Not the file alone: it is there a moment before its text, and the end comes with a signal.
        await until_async(lambda: log.exists() and "cancelled" in log.read_text())
        return output

    output = project.run(work)
    assert reason(output) == "deadline" and output.timed_out
    assert output.structured is not None and output.structured["error"]["code"] == -32003
    assert "notifications/cancelled" in log.read_text()


def test_errors_and_broken_answers_have_their_own_reasons(project: Project) -> None:
    """X-18: server_error with its code; protocol; too_large; the connection is kept."""
    project.write(
        error=odd(call="error"),
        none=odd(call="no_content"),
        broken=odd(call="broken"),
        huge=odd(call="huge", size=200_000),
        twice=odd(call="twice"),
    )

    async def work(pack: Any) -> dict[str, ToolOutput]:
        names = ("error", "none", "broken", "huge", "twice")
        return {name: await call(pack, f"{name}__t0") for name in names}

    outputs = project.run(work, max_message=100_000)
    assert reason(outputs["error"]) == "server_error" and text(outputs["error"]) == "no such luck"
    assert outputs["error"].structured["error"]["data"]["server_code"] == -32050  # type: ignore[index]
    assert reason(outputs["none"]) == "protocol" and reason(outputs["broken"]) == "protocol"
    assert reason(outputs["huge"]) == "too_large" and text(outputs["twice"]) == "first"


def test_a_banner_and_a_flood_on_stderr_do_no_harm(project: Project) -> None:
    """FAULTS: noise on stdout is skipped; stderr is drained and bounded."""
    project.write(odd=odd(banner=True, call="stderr"))

    async def work(pack: Any) -> tuple[int, int]:
        for _ in range(5):
            assert not (await call(pack, "odd__t0")).is_error
        server = pack.servers.server("odd")
        return (await server.session()).connection.noise, len(server.errors)

    noise, kept = project.run(work)
    assert noise == 1 and 0 < kept <= 64 * 1024


def test_an_idle_server_is_stopped_and_started_by_the_next_call(project: Project) -> None:
    """X-13: after `idle` seconds it is gone; nothing is lost but its process."""
    project.write(odd=odd({"idle": 0.2}))

    async def work(pack: Any) -> tuple[int, int]:
        first = (await call(pack, "odd__t0")).structured["pid"]  # type: ignore[index]
        end = time.monotonic() + 10
        while pack.servers.server("odd").up and time.monotonic() < end:
            await asyncio.sleep(0.05)  # no event: the server comes back by itself
        second = (await call(pack, "odd__t0")).structured["pid"]  # type: ignore[index]
        return first, second

    first, second = project.run(work)
    assert first != second and not os.path.exists(f"/proc/{first}")


def test_nothing_is_left_when_the_pack_is_closed(project: Project) -> None:
    """X-12: gone with all that it started when toolcrib ends."""
    project.write(odd=odd(), hanging=odd(call="hang"))

    async def work(pack: Any) -> list[int]:
        return [(await call(pack, "odd__t0")).structured["pid"]]  # type: ignore[index]

    (pid,) = project.run(work)
    assert not os.path.exists(f"/proc/{pid}")


def test_the_environment_is_an_allowlist_with_what_the_entry_names(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X-4: no secrets of ours, no pager settings, what `env` says, and the depth."""
    monkeypatch.setenv("MY_SECRET_TOKEN", "hunter2hunter2")
    monkeypatch.setenv("WANTED", "this-one-please")
    project.write(odd=odd({"env": {"GIVEN": "${WANTED}"}}, call="env"))
    shown = text(project.call("odd__t0"))
    assert "hunter2" not in shown and '"GIVEN": "this-one-please"' in shown
    assert "GIT_PAGER" not in shown and '"TOOLCRIB_GATEWAY_DEPTH": "1"' in shown


def test_a_server_of_an_untrusted_repository_is_not_started_and_says_so(
    project: Project, tmp_path: Path
) -> None:
    """X-20: not started, not asked, not shown; the reason is `untrusted`; a change waits again."""
    mark = tmp_path / "started"
    project.write(odd={"command": "touch", "args": [str(mark)]})
    env = {"TOOLCRIB_TRUST": "", "TOOLCRIB_STATE": str(tmp_path / "state")}
    with Pipe(toolcrib("serve"), cwd=project.folder, env=env) as pipe:
        pipe.initialize()
        result = pipe.call("climax_call", {"tool_name": "odd__x", "args": {}})
        assert result["isError"]
        assert result["structuredContent"]["error_type"] == "untrusted"
        assert "toolcrib trust" in result["content"][0]["text"]
        pipe.hang_up()
    assert not mark.exists()


def test_a_start_that_waited_for_trust_is_not_remembered_as_a_fault(project: Project) -> None:
    """X-20, X-29: what is trusted again is asleep, not unavailable."""
    project.write(odd=odd())

    async def work(pack: Any) -> tuple[Any, Any]:
        server = pack.servers.server("odd")
        await pack.servers.seen("odd")
        server.stop()
        server._launcher._withheld = lambda entry: "its script has changed"
        output = await call(pack, "odd__t0")
        return reason(output), pack.servers.catalogues.noted(server.entry).fault

    assert project.run(work) == ("untrusted", None)


def test_a_start_that_nobody_waits_for_any_more_is_stopped_when_idle(
    project: Project, tmp_path: Path
) -> None:
    """X-13, X-14: the start goes on when its caller's time is over, and idle counts from then."""
    pid = tmp_path / "pid"
    project.write(odd=odd({"timeout": 1, "idle": 1}, pid=str(pid), slow=1.5))

    async def work(pack: Any) -> tuple[Any, bool]:
        output = await call(pack, "odd__t0")
        server = pack.servers.server("odd")
        await until_async(lambda: server.up)
        await until_async(lambda: not server.up)
        return reason(output), pid.exists()

    assert project.run(work) == ("deadline", True)


def test_the_last_line_of_standard_error_is_masked_before_it_is_cut(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X-5: resolved values never appear, also not their first half."""
    monkeypatch.setenv("A_TOKEN", "s3cr3t-0123456789")
    env = {"env": {"A": "${A_TOKEN}"}}
    project.write(odd=odd(env, exit=1, stderr="x" * 295 + "s3cr3t-0123456789"))
    output = project.call("odd__t0")
    assert reason(output) == "start_failed" and "s3cr" not in text(output)


def test_a_secret_that_a_server_tells_does_not_leave_the_call(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    """X-5, T-18: in results it is ***NAME***; values that are no secrets are passed on."""
    monkeypatch.setenv("A_TOKEN", "s3cr3t-0123456789")
    monkeypatch.setenv("REGION", "somewhere-in-europe")
    project.write(odd=odd({"env": {"A": "${A_TOKEN}", "B": "${REGION}"}}, call="env"))
    told = json.loads(text(project.call("odd__t0")))
    assert (told["A"], told["B"]) == ("***A_TOKEN***", "somewhere-in-europe")


def test_back_off_has_an_upper_bound_however_often_it_failed(project: Project) -> None:
    """X-14: 1, 2, 4 … 60 s."""
    project.write(odd=odd())

    async def work(pack: Any) -> list[float]:
        server = pack.servers.server("odd")
        rests = []
        for _ in range(1100):
            server.failed(ServerFault("odd", "start_failed", "no"))
            rests.append(round(server._retry_at - time.monotonic()))
        return rests

    rests = project.run(work)
    assert rests[:7] == [1, 2, 4, 8, 16, 32, 60] and rests[-1] == 60


def test_a_server_is_told_the_same_by_first_sight_and_by_a_call(project: Project) -> None:
    """X-17, X-21: one that has more tools for a client with roots has nothing new at the call."""
    project.write(odd=odd(roots_tool=True))

    async def work(pack: Any) -> tuple[Any, Any, int]:
        await pack.servers.refresh("odd")
        pack.servers.server("odd").stop()
        first = await asyncio.create_task(call(pack, "odd__roots"))  # as each request
        await pack.servers.server("odd").refresh()
        pack.one_client = False  # over HTTP it is told of nothing
        pack.servers.server("odd").stop()
        await pack.servers.refresh("odd")
        known = pack.servers.state("odd").catalogue.names
        return first.is_error, len(pack.servers.state("odd").held), len(known)

    assert project.run(work) == (False, 0, 2)
