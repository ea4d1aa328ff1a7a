"""The pipes of a server: what leaves together, and what a server that does not read is spared."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
from collections.abc import Iterator
from typing import cast

import pytest

from toolcrib.client.connection import Connection, ConnectionLost
from toolcrib.client.pipes import MOST_UNSENT, Pipes, Unread
from toolcrib.running.service import Service


class Ends:
    """The ends of three pipes: ours as a service has them, theirs for the test."""

    def __init__(self) -> None:
        self.their_input, self.stdin = os.pipe()
        self.stdout, self.their_output = os.pipe()
        self.stderr, self.their_errors = os.pipe()
        os.set_blocking(self.their_input, False)

    def read(self) -> list[str]:
        """What the server would read now, line by line."""
        with contextlib.suppress(BlockingIOError):
            return os.read(self.their_input, 1 << 20).decode().splitlines()
        return []


@contextlib.contextmanager
def opened() -> Iterator[tuple[Ends, Pipes]]:
    """Pipes to a server that is played by the test."""
    ends = Ends()
    pipes = Pipes(cast("Service", ends))
    pipes.open(Connection(pipes))
    try:
        yield ends, pipes
    finally:
        pipes.close()
        for descriptor in (ends.their_input, ends.their_output, ends.their_errors):
            with contextlib.suppress(OSError):
                os.close(descriptor)


def test_the_first_message_leaves_at_once_and_those_of_the_same_turn_together() -> None:
    """X-13: fifty calls that came together wake a server twice, not fifty times."""

    async def run() -> tuple[list[str], list[str]]:
        with opened() as (ends, pipes):
            connection = pipes.connection
            assert connection is not None
            asked = [asyncio.create_task(connection.request(f"m{n}", {})) for n in range(50)]
            reads: list[list[str]] = []
            asyncio.get_running_loop().call_soon(lambda: reads.append(ends.read()))
            await asyncio.sleep(0)  # all fifty are asked in this turn, and what came is read
            await asyncio.sleep(0)
            together = ends.read()
            for each in asked:
                each.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
            return reads[0], together

    first, rest = asyncio.run(run())
    assert [json.loads(line)["method"] for line in first] == ["m0"]
    assert [json.loads(line)["method"] for line in rest] == [f"m{n}" for n in range(1, 50)]


def test_a_server_that_has_other_work_is_woken_once_for_each_turn() -> None:
    """X-13: while it works at another call, what comes in one turn leaves at its end."""

    async def run() -> tuple[list[str], list[str]]:
        with opened() as (ends, pipes):
            connection = pipes.connection
            assert connection is not None
            asked = [asyncio.create_task(connection.request("first", {}))]
            await asyncio.sleep(0)
            ends.read()
            await asyncio.sleep(0)
            asked += [asyncio.create_task(connection.request("later", {})) for _ in range(3)]
            asked[0].get_loop().call_soon(lambda: began.append(ends.read()))
            began: list[list[str]] = []
            while not (rest := ends.read()):
                await asyncio.sleep(0)
            for each in asked:
                each.cancel()
            await asyncio.gather(*asked, return_exceptions=True)
            return began[0], rest

    began, rest = asyncio.run(run())
    assert began == [] and len(rest) == 3


def test_what_was_written_before_a_stop_is_sent_before_it() -> None:
    """X-15: the cancellation of a call reaches its server, also right before that is stopped."""

    async def run() -> list[str]:
        with opened() as (ends, pipes):
            pipes.write("call", 1)
            pipes.write("cancelled")
            pipes.close()
            return ends.read()

    assert asyncio.run(run()) == ["call", "cancelled"]


def test_a_large_message_behind_another_is_no_sign_of_a_server_that_does_not_read() -> None:
    """X-14: only what a server leaves unread counts against it."""
    half = "x" * (MOST_UNSENT // 2 + 1)

    async def run() -> int:
        with opened() as (ends, pipes):
            connection = pipes.connection
            assert connection is not None
            asked: list[asyncio.Task[object]] = []
            unread: list[int] = []
            lines = 0
            for _ in range(3):
                for text in ("small", half):
                    params = {"text": text}
                    asked.append(asyncio.create_task(connection.request("m", params)))
                    asked[-1].get_loop().call_soon(lambda: unread.append(pipes.unread))
                while lines < len(asked):
                    await asyncio.sleep(0)
                    with contextlib.suppress(BlockingIOError):
                        lines += os.read(ends.their_input, 1 << 20).count(b"\n")
            assert unread == [0] * 6
            for each in asked:
                each.cancel()
            told = await asyncio.gather(*asked, return_exceptions=True)
            return sum(isinstance(each, asyncio.CancelledError) for each in told)

    assert asyncio.run(run()) == 6


def test_a_server_that_does_not_read_is_told_from_one_that_is_busy() -> None:
    """X-14: beyond 4 MiB that it left unread, further requests are refused at once."""

    async def run() -> None:
        with opened() as (_, pipes):
            pipes.write("x" * (MOST_UNSENT - 1000), 1)
            assert pipes.unread
            pipes.write("a", 2)
            with pytest.raises(Unread) as refused:
                pipes.write("x" * 200_000, 3)
            assert not refused.value.written

    asyncio.run(run())


def test_a_request_that_waits_in_its_turn_was_not_written_when_the_server_goes() -> None:
    """X-14: it is sent again to the next process, which no other may be."""

    async def run() -> list[bool]:
        with opened() as (ends, pipes):
            connection = pipes.connection
            assert connection is not None
            asked = [asyncio.ensure_future(connection.request("m", {})) for _ in range(2)]
            ended = asyncio.get_running_loop().create_future()
            pipes.lost = lambda: ended.set_result(None)
            await asyncio.sleep(0)  # both are asked in this turn; the second waits for its end
            os.close(ends.their_input)
            await ended
            told = await asyncio.gather(*asked, return_exceptions=True)
            return [each.written for each in told if isinstance(each, ConnectionLost)]

    assert asyncio.run(run()) == [True, False]


def test_what_was_left_when_the_pipes_were_closed_goes_nowhere_else() -> None:
    """X-13: the number of a closed pipe may belong to any other file by the next turn."""

    async def run() -> bytes:
        with opened() as (ends, pipes):
            pipes.write("first", 1)
            pipes.write("x" * 1_000_000, 2)  # more than a pipe takes
            reader, writer = os.pipe()
            for descriptor in (reader, writer):
                os.set_blocking(descriptor, False)
            pipes.close()
            os.dup2(writer, ends.stdin)  # the next file that is opened has the number
            try:
                await asyncio.sleep(0)
                with contextlib.suppress(BlockingIOError):
                    return os.read(reader, 100)
                return b""
            finally:
                for descriptor in (reader, writer, ends.stdin):
                    with contextlib.suppress(OSError):
                        os.close(descriptor)

    assert asyncio.run(run()) == b""


@pytest.mark.parametrize("behind", [False, True])
def test_what_a_server_tells_of_a_call_is_passed_on_before_its_answer(behind: bool) -> None:
    """X-11: progress that came together with the answer is told of a call that still runs.

    What a server sends behind its answer is told to nobody: the call is over.
    """

    async def run() -> list[str]:
        seen: list[str] = []
        loop = asyncio.get_running_loop()
        with opened() as (ends, pipes):
            connection = pipes.connection
            assert connection is not None

            async def ask() -> None:
                def told(params: object) -> None:
                    loop.call_soon(seen.append, "progress")  # as a task that tells a client

                await connection.request("m", {}, told)
                seen.append("answer")

            asked = asyncio.create_task(ask())
            await asyncio.sleep(0)
            (line,) = ends.read()
            number = json.loads(line)["id"]
            progress = {"progressToken": number, "progress": 1}
            told = {"jsonrpc": "2.0", "method": "notifications/progress", "params": progress}
            answer = {"jsonrpc": "2.0", "id": number, "result": {}}
            both = [json.dumps(told) + "\n", json.dumps(answer) + "\n"]
            os.write(ends.their_output, "".join(reversed(both) if behind else both).encode())
            await asked
            await asyncio.sleep(0)  # whatever was to be told is told by now
        return seen

    assert asyncio.run(run()) == (["answer"] if behind else ["progress", "answer"])
