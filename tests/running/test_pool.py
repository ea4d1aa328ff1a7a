"""Sandboxes that are kept: how many, how long, and what happens when one dies."""

from __future__ import annotations

import asyncio
import os
import socket
from pathlib import Path

import pytest

from support.rungs import Rung, sandbox_on, tool
from toolcrib.running import pool
from toolcrib.running.pool import answered, framed
from toolcrib.running.runtime import Runtime
from toolcrib.running.sandbox.profile import NOTHING, Access


@pytest.fixture(params=["bubblewrap", "landlock"])
def rung(request: pytest.FixtureRequest, tmp_path: Path) -> Rung:
    return Rung(sandbox_on(request.param, tmp_path), tmp_path)


def test_commands_with_the_same_grants_share_a_sandbox(rung: Rung) -> None:
    """T-15: started once and used by one command after the other."""

    async def body(runtime: Runtime) -> set[int]:
        found: set[int] = set()
        for _ in range(4):
            await runtime.run(tool("true"), {})
            found |= set(runtime._runner.pool.first_processes())
        return found

    assert len(rung.session(body, NOTHING)) == 1


def test_at_most_eight_are_kept(rung: Rung) -> None:
    """T-15: kept sandboxes: at most 8; the one that rests longest goes first."""
    accesses = [Access(env=(f"V{number}",)) for number in range(10)]

    async def body(runtime: Runtime) -> tuple[int, int]:
        for access in accesses:
            runtime._grants = lambda config, name, access=access: access  # type: ignore[misc]
            outcome = await runtime.run(tool("echo hi"), {})
            assert outcome.stdout == "hi\n"
        kept = runtime._runner.pool
        return len(kept), len(kept.first_processes())

    assert rung.session(body, NOTHING) == (8, 8)


def test_one_that_rests_is_closed(rung: Rung, monkeypatch: pytest.MonkeyPatch) -> None:
    """T-15: closed after a minute of rest; a busy one never."""
    assert pool.REST == 60
    monkeypatch.setattr(pool, "REST", 0.3)

    async def body(runtime: Runtime) -> str:
        kept = runtime._runner.pool
        long = asyncio.create_task(runtime.run(tool("sleep 1.2; echo done"), {}))
        await asyncio.sleep(0.9)  # no event: longer than the rest, and nothing may end
        assert len(kept) == 1
        told = (await long).stdout
        async with asyncio.timeout(10):
            while len(kept) or kept.first_processes():
                await asyncio.sleep(0.05)  # no event: until it is gone
        return told

    assert rung.session(body, NOTHING) == "done\n"


def test_a_sandbox_that_was_killed_is_replaced(rung: Rung) -> None:
    """FAULTS: the call in it fails in words, the next one starts a fresh one."""

    async def body(runtime: Runtime) -> tuple[str, str]:
        call = asyncio.create_task(runtime.run(tool("sleep 60"), {}))
        await asyncio.sleep(0.7)  # no event: longer than the rest
        for pid in runtime._runner.pool.first_processes():
            os.kill(pid, 9)
        first = await asyncio.wait_for(call, 10)
        return first.stderr, (await runtime.run(tool("echo again"), {})).stdout

    stderr, again = rung.session(body, NOTHING)
    assert "supervises commands was killed" in stderr
    assert again == "again\n"


def test_the_sandbox_of_a_tool_that_was_found_is_ready_before_its_call(rung: Rung) -> None:
    """T-15: prepared for what is likely: the call finds a supervisor that waits."""

    async def body(runtime: Runtime) -> tuple[list[int], list[int], str]:
        runtime.expect(tool("true"))
        assert runtime._preparing is not None
        await runtime._preparing
        kept = runtime._runner.pool
        before = kept.first_processes()
        said = (await runtime.run(tool("echo hi"), {})).stdout
        runtime.expect(tool("true"))  # there is one: nothing more is started
        await runtime._preparing
        return before, kept.first_processes(), said

    before, after, said = rung.session(body, NOTHING)
    assert len(before) == 1 and before == after and said == "hi\n"


def test_a_supervisor_starts_without_what_it_does_not_need() -> None:
    """T-15: a new profile within 60 ms: `typing` alone is a quarter of its start."""
    import subprocess
    import sys

    code = "import sys, toolcrib.running.supervisor.main; print('typing' in sys.modules)"
    home = str(Path(pool.__file__).parents[2])
    words = [sys.executable, "-I", "-S", "-c", f"import sys; sys.path.append({home!r}); {code}"]
    assert subprocess.check_output(words, text=True) == "False\n"


def test_an_answer_is_told_once_it_is_whole_and_an_end_without_any_is_empty() -> None:
    """C-10: what a supervisor says may come in any pieces."""
    ours, theirs = socket.socketpair()
    with ours, theirs:
        ours.setblocking(False)
        received = bytearray()
        assert answered(ours, received) is None
        message = framed({"exit": 0})
        for at in range(len(message) - 1):
            theirs.send(message[at : at + 1])
            assert answered(ours, received) is None
        theirs.send(message[-1:])
        assert answered(ours, received) == {"exit": 0}
        theirs.close()
        assert answered(ours, bytearray()) == {}
