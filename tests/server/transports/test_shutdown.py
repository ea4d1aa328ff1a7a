"""Shutdown of a serving process: running calls may end, and the time for it is bounded."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys

import pytest

from toolcrib.server.transports.shutdown import run, watch_the_loop

SERVING = """
import asyncio, sys, time
from toolcrib.server.transports.shutdown import on_signals, run
async def main():
    over = asyncio.Event()
    reopen = (lambda: print("reopened", flush=True)) if "reopen" in sys.argv else None
    on_signals(over.set, within=0.5, reopen=reopen)
    print("ready", flush=True)
    if "block" in sys.argv:
        time.sleep(3600)
    await over.wait()
    print("left", flush=True)
run(main())
"""


def started(*words: str) -> subprocess.Popen[str]:
    process = subprocess.Popen(
        [sys.executable, "-c", SERVING, *words], stdout=subprocess.PIPE, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_ends_the_process_in_order(number: int) -> None:
    """FAULTS: SIGTERM, SIGINT; SIGHUP over stdio: graceful, exit 0."""
    with started() as process:
        process.send_signal(number)
        assert process.communicate(timeout=20)[0] == "left\n" and process.returncode == 0


def test_a_blocked_loop_does_not_keep_the_process_alive() -> None:
    """FAULTS: whatever a tool does, the process is gone within its time."""
    with started("block") as process:
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0


def test_hanging_up_reopens_where_there_is_something_to_reopen() -> None:
    """R-13: over HTTP SIGHUP does not end the server."""
    with started("reopen") as process:
        assert process.stdout is not None
        process.send_signal(signal.SIGHUP)
        assert process.stdout.readline() == "reopened\n"
        process.send_signal(signal.SIGTERM)
        assert process.communicate(timeout=20)[0] == "left\n"


@pytest.mark.parametrize("error", [SystemExit, KeyboardInterrupt])
def test_a_tool_that_tries_to_exit_ends_itself_alone(error: type[BaseException]) -> None:
    """FAULTS: the server goes on."""
    found: list[str] = []

    async def leave() -> None:
        raise error

    async def main() -> None:
        task = asyncio.create_task(leave())
        await asyncio.wait([task])
        found.append("went on")

    run(main())
    assert found == ["went on"]


def test_the_watchdog_ends_with_its_loop() -> None:
    """FAULTS: a loop that was closed in order is no loop that hangs."""
    loop = asyncio.new_event_loop()
    loop.close()
    watch_the_loop(loop)
