"""Command-line tools, made when they are first asked for."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from toolcrib.packs.climax.pack import ClimaxPack
from toolcrib.packs.climax.settings import ClimaxSettings
from toolcrib.packs.climax.tools import CommandTools

ONE = "command: echo\ntools: [{name: one, args: [{name: word}]}]\n"
WATCHED = """
import asyncio, json, sys, threading
from pathlib import Path
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import CallContext
from toolcrib.discovery.catalog import discovery_tools
from toolcrib.packs.climax.pack import ClimaxPack
from toolcrib.packs.climax.settings import ClimaxSettings

class Watch:
    found = []
    def find_spec(self, name, path=None, target=None):
        if threading.current_thread() is threading.main_thread():
            self.found.append(name)

async def main():
    pack = ClimaxPack(Path(sys.argv[1]), ClimaxSettings(configs=("one.yaml",)))
    executor = ToolExecutor()
    meta = {tool.name: tool for tool in discovery_tools([pack.contribute().unlisted], [], executor)}
    call, given = meta["climax_call"], {"tool_name": "one", "args": {"word": "heard"}}
    call.validate(given)  # as at any start: what it needs is not of the command
    sys.meta_path.insert(0, Watch())
    output = await executor.run(call, given, CallContext())
    await pack.close()
    assert "heard" in output.content[0]["text"], output
    print(json.dumps(Watch.found))

asyncio.run(main())
"""


def test_the_first_command_imports_nothing_on_the_loop(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """R-15, R-8: while a first call is being prepared, others are answered, or refused in time."""
    write(ONE, "one.yaml")
    done = subprocess.run(
        [sys.executable, "-c", WATCHED, str(tmp_path)], stdout=subprocess.PIPE, check=True
    )
    assert [name for name in json.loads(done.stdout) if name.startswith("toolcrib")] == []


@pytest.fixture
def shelf(write: Callable[..., Path], tmp_path: Path) -> CommandTools:
    write(ONE, "one.yaml")
    found = ClimaxPack(tmp_path, ClimaxSettings(configs=("one.yaml",))).contribute().unlisted
    assert isinstance(found, CommandTools)
    return found


def test_what_is_prepared_is_not_waited_for_again(shelf: CommandTools) -> None:
    """R-15: a thread is asked for what the loop would stand still for, and for nothing else."""

    async def prepared(name: str) -> bool:
        due = shelf.prepare(name)
        if due is not None:
            await due
        return due is not None

    async def session() -> list[bool]:
        names = ("server__tool", "server__tool", "one", "one", "no_such_tool")
        return [await prepared(name) for name in names]

    assert asyncio.run(session()) == [True, False, True, False, False]


def test_calls_that_come_together_share_one_runtime(
    write: Callable[..., Path], tmp_path: Path
) -> None:
    """R-15: it counts the commands that run at once; a second one would count anew."""
    write(ONE, "one.yaml")
    pack = ClimaxPack(tmp_path, ClimaxSettings(configs=("one.yaml",)))

    async def session() -> set[int]:
        made = await asyncio.gather(*(asyncio.to_thread(pack.runtime) for _ in range(8)))
        return {id(each) for each in made}

    assert len(asyncio.run(session())) == 1
