"""The end comes in time and the process survives, whatever a team's own tool does."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.pipe import Pipe, toolcrib

TOOLS = '''
import asyncio, sys, time
from pathlib import Path
from toolcrib import Result, ToolArguments

@ToolArguments.declare
async def stubborn(args: ToolArguments) -> Result[str]:
    """Ignore every cancellation."""
    Path("began").touch()
    while True:
        try:
            await asyncio.sleep(3600)
        except asyncio.CancelledError:
            pass

@ToolArguments.declare
async def hog(args: ToolArguments) -> Result[str]:
    """Hold up the event loop."""
    Path("began").touch()
    time.sleep(3600)
    return Result.ok("never")

@ToolArguments.declare
async def leave(args: ToolArguments) -> Result[str]:
    """Try to end the process."""
    sys.exit(3)

@ToolArguments.declare
def leave_from_a_thread(args: ToolArguments) -> Result[str]:
    """Try to end the process."""
    raise KeyboardInterrupt
'''


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    (tmp_path / "own.py").write_text(TOOLS)
    (tmp_path / "toolcrib.toml").write_text('[custom]\nmodules = ["own.py"]\n')
    with Pipe(toolcrib("serve"), cwd=tmp_path) as opened:
        opened.initialize()
        yield opened


def begin(pipe: Pipe, tool: str, project: Path) -> None:
    call = {"name": tool, "arguments": {}}
    pipe.post({"jsonrpc": "2.0", "id": "slow", "method": "tools/call", "params": call})
    until = time.monotonic() + 10
    while not (project / "began").exists():
        assert time.monotonic() < until
        time.sleep(0.01)


@pytest.mark.parametrize("tool", ["stubborn", "hog"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_no_tool_can_hold_up_the_end(pipe: Pipe, tmp_path: Path, tool: str, name: str) -> None:
    """FAULTS: SIGTERM, SIGINT, SIGHUP: graceful within 2 s."""
    begin(pipe, tool, tmp_path)
    started = time.monotonic()
    pipe.process.send_signal(getattr(signal, name))
    assert pipe.process.wait(10) == 0
    assert time.monotonic() - started < 2.5
    assert b"Traceback" not in pipe.errors


def test_no_tool_can_keep_a_server_whose_client_is_gone(pipe: Pipe, tmp_path: Path) -> None:
    """FAULTS: client gone: exit 0 within 2 s, no traceback."""
    begin(pipe, "stubborn", tmp_path)
    started = time.monotonic()
    assert pipe.hang_up() == 0
    assert time.monotonic() - started < 2.5
    assert b"Traceback" not in pipe.errors


@pytest.mark.parametrize("tool", ["leave", "leave_from_a_thread"])
def test_no_tool_can_end_the_server(pipe: Pipe, tool: str) -> None:
    """FAULTS: the process survives; a tool raises: a clean text."""
    result = pipe.call(tool)
    assert result["isError"] and f"Tool {tool} failed" in json.dumps(result)
    assert pipe.result("ping") == {}
    assert pipe.process.poll() is None
