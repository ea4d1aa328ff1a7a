"""Serving over standard input and output: private streams, disconnects, orderly shutdown."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from support.pipe import Pipe, toolcrib
from support.serving import BENCH

PING = b'{"jsonrpc":"2.0","id":1,"method":"ping"}\n'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    (tmp_path / "AGENTS.md").write_text("# Rules\n")
    return tmp_path


def test_requests_in_a_file_are_answered_into_a_file(project: Path) -> None:
    """S-1: a script may use plain files instead of pipes."""
    source, sink = project / "in", project / "out"
    source.write_bytes(b"".join(PING.replace(b"1,", b"%d," % n) for n in range(100)))
    with source.open("rb") as given, sink.open("wb") as told:
        done = subprocess.run(
            toolcrib("serve"), stdin=given, stdout=told, stderr=subprocess.PIPE, cwd=project,
            timeout=60,
        )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answers = [json.loads(line) for line in sink.read_bytes().splitlines()]
    assert sorted(each["id"] for each in answers) == list(range(100))


def test_a_last_line_without_its_newline_is_answered(project: Path) -> None:
    """FAULTS: the client closes its end right behind the last byte."""
    done = subprocess.run(
        toolcrib("serve"), input=PING.rstrip(), capture_output=True, cwd=project, timeout=60
    )
    assert json.loads(done.stdout)["result"] == {} and done.returncode == 0


def test_without_standard_streams_one_line_says_so(project: Path) -> None:
    """FAULTS: started from nowhere: one clear line, no traceback."""
    words = " ".join(toolcrib("serve"))
    done = subprocess.run(
        ["sh", "-c", f"exec {words} <&- >&-"], stderr=subprocess.PIPE, text=True, cwd=project,
        timeout=60,
    )  # fmt: skip
    assert done.returncode == 1 and "Standard input or output is closed" in done.stderr
    assert "Traceback" not in done.stderr


def test_what_a_tool_or_its_child_prints_stays_off_the_wire(project: Path) -> None:
    """FAULTS: it goes to stderr, and a child cannot read the client's messages."""
    with Pipe([sys.executable, str(BENCH)], cwd=project) as pipe:
        pipe.initialize()
        answer = pipe.call("noisy")
        assert answer["content"][0]["text"] == "quiet on the wire"
        assert pipe.result("ping") == {}
        assert pipe.hang_up() == 0
    for word in (b"a stray print", b"a stray write", b"a stray child"):
        assert word in pipe.errors


def test_a_client_that_goes_in_mid_call_takes_the_call_along(project: Path) -> None:
    """FAULTS: stdin EOF: cancel, exit 0."""
    note = project / "note"
    with Pipe([sys.executable, str(BENCH)], cwd=project) as pipe:
        pipe.initialize()
        call = {"name": "wait", "arguments": {"note": str(note)}}
        pipe.post({"jsonrpc": "2.0", "id": 9, "method": "tools/call", "params": call})
        from support.waiting import until

        until(lambda: note.exists() and note.read_text() == "began")
        assert pipe.hang_up() == 0
    assert note.read_text() == "cancelled"
