"""The end comes in time and the process survives, whatever a team's own tool does."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.clock import assert_within
from support.pipe import ENVELOPE, Pipe, toolcrib
from support.waiting import until

CLI = "name: s\ncommand: sleep\ntools:\n- {name: rest, description: Rest, command: '3599.25'}\n"
TOOLS = '''
import asyncio, sys, time
from pathlib import Path
from pydantic import Field, field_validator
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

@ToolArguments.declare
async def leave_by_a_task(args: ToolArguments) -> Result[str]:
    """Try to end the process, out of a task of its own."""
    async def bad():
        sys.exit(3)
    await asyncio.create_task(bad())
    return Result.ok("never")

@ToolArguments.declare
async def close_everything(args: ToolArguments) -> Result[str]:
    """Raise what closes a coroutine, out of a task of its own."""
    async def bad():
        raise GeneratorExit
    await asyncio.create_task(bad())
    return Result.ok("never")

class Odd(ToolArguments):
    way: str = Field(description="What to raise")
    late: bool = Field(default=False, description="Whether to wait a moment before")

def odd(way):
    raise {
        "exit": SystemExit, "interrupt": KeyboardInterrupt, "generator": GeneratorExit,
        "cancelled": asyncio.CancelledError, "stop": StopIteration,
        "async stop": StopAsyncIteration, "base": BaseException, "timeout": TimeoutError,
    }[way]("on purpose")

@ToolArguments.declare
async def odd_async(args: Odd) -> Result[str]:
    """Raise what no tool should."""
    if args.late:
        await asyncio.sleep(0.01)
    odd(args.way)

@ToolArguments.declare
def odd_thread(args: Odd) -> Result[str]:
    """Raise what no tool should."""
    odd(args.way)

class Picky(ToolArguments):
    way: str = Field(description="What to raise")

    @field_validator("way")
    @classmethod
    def check(cls, way: str) -> str:
        odd(way)

@ToolArguments.declare
def picky(args: Picky) -> Result[str]:
    """Raise while the arguments are checked."""
    return Result.ok("never")
'''
HOG = (
    json.dumps(
        {
            "jsonrpc": "2.0",
            "id": 1,
            "method": "tools/call",
            "params": {"name": "hog", "arguments": {}, "_meta": ENVELOPE},
        }
    ).encode()
    + b"\n"
)
WAYS = [
    *("exit", "interrupt", "generator", "cancelled", "stop", "async stop", "base"),
    "timeout",
]


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    (tmp_path / "own.py").write_text(TOOLS)
    (tmp_path / "cli.yaml").write_text(CLI)
    settings = '[custom]\nmodules = ["own.py"]\n[climax]\nconfigs = ["cli.yaml"]\n'
    (tmp_path / "toolcrib.toml").write_text(settings)
    with Pipe(toolcrib("serve"), cwd=tmp_path) as opened:
        opened.initialize()
        yield opened


def begin(pipe: Pipe, tool: str, project: Path) -> None:
    call = {"name": tool, "arguments": {}}
    pipe.post({"jsonrpc": "2.0", "id": tool, "method": "tools/call", "params": call})
    until(lambda: (project / "began").exists())


def begin_child(pipe: Pipe) -> set[Path]:
    """Start a program that would sleep for an hour; returns its processes."""
    before = children()
    call = {"name": "climax_call", "arguments": {"tool_name": "rest"}}
    pipe.post({"jsonrpc": "2.0", "id": "rest", "method": "tools/call", "params": call})
    until(lambda: bool(children() - before))
    return children() - before


def children() -> set[Path]:
    found = set()
    for process in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):
            if b"sleep\x003599.25\x00" in (process / "cmdline").read_bytes():
                found.add(process)
    return found


@pytest.mark.timing
@pytest.mark.parametrize("tool", ["stubborn", "hog"])
@pytest.mark.parametrize("name", ["SIGTERM", "SIGINT", "SIGHUP"])
def test_no_tool_can_hold_up_the_end(pipe: Pipe, tmp_path: Path, tool: str, name: str) -> None:
    """FAULTS: SIGTERM, SIGINT, SIGHUP: graceful within 2 s."""
    begin(pipe, tool, tmp_path)
    started = time.monotonic()
    pipe.process.send_signal(getattr(signal, name))
    assert pipe.process.wait(10) == 0
    assert_within(2.5, time.monotonic() - started)
    assert b"Traceback" not in pipe.errors


@pytest.mark.timing
@pytest.mark.parametrize("tool", ["stubborn", "hog"])
def test_no_tool_can_keep_a_server_whose_client_is_gone(
    pipe: Pipe, tmp_path: Path, tool: str
) -> None:
    """FAULTS: client gone: kill children, exit 0 within 2 s, no traceback."""
    started_children = begin_child(pipe)
    begin(pipe, tool, tmp_path)
    started = time.monotonic()
    assert pipe.hang_up() == 0
    assert_within(2.5, time.monotonic() - started)
    assert b"Traceback" not in pipe.errors
    until(lambda: not started_children & children(), 2)


def test_no_tool_can_keep_a_server_whose_answers_nobody_takes(pipe: Pipe, tmp_path: Path) -> None:
    """FAULTS: client gone: stdout closed: exit 0 within 2 s."""
    source, sink = os.pipe()
    server = subprocess.Popen(
        toolcrib("serve"),
        stdin=subprocess.PIPE,
        stdout=sink,
        stderr=subprocess.DEVNULL,
        cwd=tmp_path,
    )
    os.close(sink)
    assert server.stdin is not None
    server.stdin.write(HOG)
    server.stdin.flush()
    until(lambda: (tmp_path / "began").exists())
    os.close(source)
    assert server.wait(2.5) == 0
    server.stdin.close()


@pytest.mark.timing
def test_a_file_that_ends_is_a_client_that_is_gone(pipe: Pipe, tmp_path: Path) -> None:
    """FAULTS: stdin EOF in mid-call: exit 0 within 2 s, where stdin is a file, too."""
    (tmp_path / "script").write_bytes(HOG)
    with (tmp_path / "script").open() as script:
        started = time.monotonic()
        done = subprocess.run(
            toolcrib("serve"), stdin=script, cwd=tmp_path, capture_output=True, timeout=20
        )
    assert (done.returncode, done.stdout) == (0, b"")
    assert_within(6, time.monotonic() - started)


@pytest.mark.parametrize("tool", ["leave", "leave_from_a_thread", "leave_by_a_task"])
def test_no_tool_can_end_the_server(pipe: Pipe, tool: str) -> None:
    """FAULTS: the process survives; a tool raises: a clean text."""
    result = pipe.call(tool)
    assert result["isError"] and f"Tool {tool} failed" in json.dumps(result)
    assert pipe.result("ping") == {}
    assert pipe.process.poll() is None


def test_a_tool_that_closes_its_caller_is_answered_all_the_same(pipe: Pipe) -> None:
    """FAULTS: an answer comes within a second, whatever happens behind it."""
    assert pipe.error("tools/call", {"name": "close_everything"}) == {
        "code": -32603,
        "message": "Internal error",
    }
    assert pipe.result("ping") == {}


@pytest.mark.parametrize("tool", ["odd_async", "odd_late", "odd_thread", "picky"])
def test_whatever_a_tool_raises_is_answered(pipe: Pipe, tool: str) -> None:
    """FAULTS: a tool raises: a clean text; no traceback, and the server goes on."""
    late = {"late": True} if tool == "odd_late" else {}
    tool = "odd_async" if late else tool
    for way in WAYS:
        result = pipe.call(tool, {"way": way, **late})
        assert result["isError"], way
        # Five crashes in a row open the breaker, which is an answer as well.
        assert f"Tool {tool} failed" in json.dumps(result) or "breaker" in json.dumps(result)
    assert pipe.result("ping") == {}
    assert b"Traceback" not in pipe.errors
