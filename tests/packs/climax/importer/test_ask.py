"""What a program printed, and which part of it is the help (C-13)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from toolcrib.packs.climax.importer.ask import PATIENCE, Printed, asking
from toolcrib.running.outcome import Outcome
from toolcrib.running.runner import Job, Runner

LISTENS_FIRST = """#!/usr/bin/env python3
import socket, tempfile
with tempfile.TemporaryDirectory() as folder, socket.socket(socket.AF_UNIX) as own:
    own.bind(f"{folder}/kiln.sock")
    own.listen()
    try:
        socket.socket(socket.AF_UNIX).connect(f"{folder}/kiln.sock")
    except PermissionError:
        print("usage: kiln [--glaze]")
"""

WORKS_WHEN_IT_MAY_LISTEN = """#!/usr/bin/env python3
import signal, socket
socket.socket(socket.AF_UNIX)
signal.pause()
"""


def waits_of(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """How long each question may take, and how long it took, one after the other."""
    waited: list[float] = []
    outright = Runner.run_command

    async def noted(self: Runner, job: Job) -> Outcome:
        waited.append(job.timeout)
        done = await outright(self, job)
        waited.append(done.duration_ms / 1000)
        return done

    monkeypatch.setattr(Runner, "run_command", noted)
    return waited


def test_a_version_on_stdout_does_not_hide_the_usage_on_stderr():
    """C-13: some programs print who they are here and what they take there."""
    both = Printed(
        stdout="Kiln version 2.6\n", stderr="Usage : kiln [-f FILE]\n  -f FILE  read it\n"
    )
    assert both.text == both.stderr


def test_help_on_stdout_is_the_help():
    """C-13: a complaint on stderr does not matter where the help is on stdout."""
    both = Printed(stdout="Usage: kiln [-x]\n", stderr="warning: usage: of colours\n")
    assert both.text == both.stdout


def test_a_list_beside_the_usage_is_read_with_it() -> None:
    """C-9: the usage on stderr, and on stdout what it may be called with."""
    listed = "Tasks are available:\n\n" + "".join(f"task{n}   does it\n" for n in range(6))
    usage = "Usage: kiln [<task>]\n"
    assert Printed(listed, usage).text == f"{usage}\n{listed}"
    assert Printed("kiln 4.2\n", usage).text == usage


def test_a_program_that_listens_before_it_speaks_is_heard(tmp_path: Path) -> None:
    """C-13, T-13: it gets a socket of its own for that, and reaches nobody by it."""
    kiln = tmp_path / "kiln"
    kiln.write_text(LISTENS_FIRST)
    kiln.chmod(0o755)

    async def asked() -> tuple[Printed, bool]:
        async with asking() as (ask, held_back):
            return await ask((str(kiln), "--help")), held_back

    printed, held_back = asyncio.run(asked())
    # Where nothing is held back, it has met itself and has nothing to tell.
    assert printed.stdout == ("usage: kiln [--glaze]\n" if held_back else "")


def test_a_program_that_works_once_it_may_listen_is_not_waited_for_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-13: it was quick to say that it may not, so it would be quick to say what it takes."""
    kiln = tmp_path / "kiln"
    kiln.write_text(WORKS_WHEN_IT_MAY_LISTEN)
    kiln.chmod(0o755)
    waited = waits_of(monkeypatch)

    async def asked() -> bool:
        async with asking() as (ask, held_back):
            waited.clear()
            # Where nothing is held back it would be waited for, and rightly.
            if held_back:
                await ask((str(kiln), "work"))
            return held_back

    if asyncio.run(asked()):
        first, took, second, _ = waited
        assert first == PATIENCE
        assert second <= max(2.0, 5 * took)


def test_a_program_that_was_quick_to_answer_is_not_waited_for_as_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-13: what takes longer than its help by far is its work."""
    kiln = tmp_path / "kiln"
    kiln.write_text("#!/bin/sh\necho usage: kiln\n")
    kiln.chmod(0o755)
    waited = waits_of(monkeypatch)

    async def asked() -> None:
        async with asking() as (ask, _):
            waited.clear()
            await ask((str(kiln), "--help"))
            await ask((str(kiln), "work"))

    asyncio.run(asked())
    first, took, second, _ = waited
    assert first == PATIENCE
    assert second == min(PATIENCE, max(10.0, 20 * took))
