"""The stream of new calls: every line, and on from where a reader stopped."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

from support.waiting import until
from toolcrib.web.call_log import CallFilter, CallLog
from toolcrib.web.stream import CallStream


def line(id: str, **more: Any) -> str:
    given = {"tool": "x", "id": id, "parent": None, "v": 2, "outcome": "ok", "duration_ms": 1.0}
    return json.dumps({**given, **more}) + "\n"


async def told(stream: CallStream, last: str, wanted: CallFilter, until: str) -> list[str]:
    """The ids of all calls that a reader is told of, up to one of them."""
    found: list[str] = []
    async for piece in stream.events(last, wanted):
        for each in piece.decode().splitlines():
            if each.startswith("id: "):
                found.append(each.removeprefix("id: "))
        if until in found:
            break
    return found


def test_a_reader_goes_on_where_it_stopped(tmp_path: Path) -> None:
    """W-6: `Last-Event-ID` resumes: nothing twice, nothing missing, in order."""
    file = tmp_path / "r"
    file.write_text("".join(line(f"n{number}") for number in range(1200)))

    async def run() -> list[str]:
        async with asyncio.timeout(30):
            return await told(CallStream(CallLog(file)), "n99", CallFilter(), "n1199")

    assert asyncio.run(run()) == [f"n{number}" for number in range(100, 1200)]


def test_the_first_call_of_all_is_told_to_a_page_that_showed_none(tmp_path: Path) -> None:
    """W-10: a new line is in the table, also one that came before the page began to listen."""
    file = tmp_path / "r"
    file.write_text(line("n0") + line("n1"))

    async def run() -> list[str]:
        async with asyncio.timeout(30):
            return await told(CallStream(CallLog(file)), "", CallFilter(), "n1")

    assert asyncio.run(run()) == ["n0", "n1"]


def test_a_reader_that_was_told_a_question_last_misses_nothing_before_its_answer(
    tmp_path: Path,
) -> None:
    """W-3, W-6: what follows takes the asked one's place; `Last-Event-ID` of either resumes."""
    file = tmp_path / "r"
    asked = line("asked", outcome="asked")
    file.write_text(asked + line("between") + line("answer", parent="asked") + line("after"))

    async def run(last: str) -> list[str]:
        async with asyncio.timeout(30):
            return await told(CallStream(CallLog(file)), last, CallFilter(), "after")

    assert asyncio.run(run("asked")) == ["between", "answer", "after"]
    assert asyncio.run(run("answer")) == ["after"]


def test_fifty_readers_get_every_line(tmp_path: Path) -> None:
    """W-17: 50 open streams: each gets every line."""
    file = tmp_path / "r"
    file.write_text(line("first"))
    expected = [f"n{number}" for number in range(300)]

    async def run() -> list[list[str]]:
        stream = CallStream(CallLog(file))
        async with asyncio.timeout(60):
            readers = [
                asyncio.ensure_future(told(stream, "first", CallFilter(), "n299"))
                for _ in range(50)
            ]
            for number in range(0, 300, 10):
                with file.open("a") as end:
                    end.write("".join(line(f"n{number + at}") for at in range(10)))
                await asyncio.sleep(0)
            return list(await asyncio.gather(*readers))

    assert all(each == expected for each in asyncio.run(run()))


def test_whoever_sees_their_own_calls_alone_is_told_of_nothing_else(tmp_path: Path) -> None:
    """W-8: another valid token sees its own calls only, and no events of others."""
    file = tmp_path / "r"
    file.write_text(line("first", caller="anna"))
    session = {"v": 2, "event": "session", "pid": 1, "caller": "ben", "state": "opened"}

    async def run() -> bytes:
        found = b""
        stream = CallStream(CallLog(file))
        async with asyncio.timeout(30):
            async for piece in stream.events("first", CallFilter(caller="anna")):
                if not found:
                    with file.open("a") as end:
                        end.write(line("his", caller="ben") + json.dumps(session) + "\n")
                        end.write(line("hers", caller="anna"))
                found += piece
                if b"id: hers" in found:
                    break
        return found

    found = asyncio.run(run())
    assert b"his" not in found and b"ben" not in found


IMPATIENT = """
from toolcrib.cli import main
from toolcrib.server.transports import http_connection
from toolcrib.web import exchange
exchange._PATIENCE = http_connection.IDLE = 0.3
main()
"""


def test_a_reader_that_stalls_is_dropped_and_costs_the_others_nothing(tmp_path: Path) -> None:
    """W-17: over real sockets: its connection is closed, and whoever reads gets every line."""
    record = tmp_path / "calls.jsonl"
    record.write_text(line("first"))
    (tmp_path / "toolcrib.toml").write_text(
        f'[server]\npacks = ["directive"]\naudit = "{record}"\n'
    )
    words = [sys.executable, "-c", IMPATIENT, "dashboard", "--no-open", "--json", "--port", "0"]
    process = subprocess.Popen(words, cwd=tmp_path, stdout=subprocess.PIPE)
    try:
        assert process.stdout is not None
        started = json.loads(process.stdout.readline())
        reader, stalled = _listening(started), _listening(started, 4096)
        both = _sockets(process.pid)
        numbers = iter(range(10_000_000))
        wide = "x" * 4000

        def dropped() -> bool:
            with record.open("a") as end:
                names = [f"n{next(numbers)}" for _ in range(500)]
                end.write("".join(line(name, tool=wide) for name in names))
            last, found = f"id: {names[-1]}\n".encode(), b""
            while last not in found:
                found = found[-len(last) :] + _received(reader, 1 << 20)
            return _sockets(process.pid) < both

        until(dropped, 60)
        with reader, stalled:
            pass
    finally:
        process.terminate()
        process.wait()


def _received(connection: socket.socket, most: int) -> bytes:
    """What comes next; an end is none."""
    piece = connection.recv(most)
    assert piece, "the stream ended"
    return piece


def _sockets(pid: int) -> int:
    """How many sockets a process has open."""
    found = 0
    for descriptor in Path(f"/proc/{pid}/fd").iterdir():
        with contextlib.suppress(OSError):  # closed meanwhile
            found += str(descriptor.readlink()).startswith("socket:")
    return found


def _listening(started: dict[str, Any], buffer: int = 0) -> socket.socket:
    """A connection with the stream on its way, and perhaps a small buffer."""
    connection = socket.socket()
    if buffer:
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, buffer)
    connection.connect(("127.0.0.1", started["port"]))
    token = started["url"].partition("token=")[2]
    head = [
        "GET /calls/stream HTTP/1.1",
        f"Host: 127.0.0.1:{started['port']}",
        f"Authorization: Bearer {token}",
    ]
    connection.sendall("\r\n".join([*head, "", ""]).encode())
    connection.settimeout(10)  # less than between two signs of life
    answer = b""
    while b"retry:" not in answer:  # from then on every line is told
        answer += _received(connection, 16)
    assert answer.startswith(b"HTTP/1.1 200")
    return connection
