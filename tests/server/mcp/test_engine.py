"""The loop of one connection: who is served by which task, and what one leaves to the next."""

from __future__ import annotations

import asyncio
import gc
import json
import time
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any

import pytest

from toolcrib.core.pack import Contributions, Pack
from toolcrib.core.tool import JSON, CallContext, Tool
from toolcrib.server.mcp.engine import Engine
from toolcrib.server.surface import Surface

MARK: ContextVar[str] = ContextVar("MARK", default="clean")


class Tools(Pack):
    """Tools that a test can look into."""

    name = "tools"
    live = False

    def __init__(self) -> None:
        self.gate = asyncio.Event()
        self.tasks: list[asyncio.Task[Any] | None] = []

    def contribute(self) -> Contributions:
        runs = {
            "quick": self.quick,
            "wait": self.wait,
            "mark": self.mark,
            "late": self.late,
            "busy": self.busy,
            "cancels itself": self.cancels_itself,
            "cancels itself and waits": self.cancels_itself_and_waits,
            "quits": self.quits,
        }
        schema = {"type": "object"}
        return Contributions(tools=[Tool(name, name, schema, run) for name, run in runs.items()])

    async def quick(self, arguments: JSON, context: CallContext) -> str:
        return "quick"

    async def wait(self, arguments: JSON, context: CallContext) -> str:
        self.tasks.append(asyncio.current_task())
        await self.gate.wait()
        self.tasks.append(asyncio.current_task())
        return "waited"

    async def mark(self, arguments: JSON, context: CallContext) -> str:
        before = MARK.get()
        MARK.set("dirty")
        return before

    async def late(self, arguments: JSON, context: CallContext) -> str:
        async with asyncio.timeout(0.01):
            await self.gate.wait()
        return "never"

    async def busy(self, arguments: JSON, context: CallContext) -> str:
        until = time.monotonic() + 0.002
        while time.monotonic() < until:
            pass
        return "busy"

    async def cancels_itself(self, arguments: JSON, context: CallContext) -> str:
        task = asyncio.current_task()
        assert task is not None
        task.cancel()
        return "cancelled"

    async def cancels_itself_and_waits(self, arguments: JSON, context: CallContext) -> str:
        await self.cancels_itself(arguments, context)
        await self.gate.wait()
        return "never"

    async def quits(self, arguments: JSON, context: CallContext) -> str:
        async def leave() -> None:
            raise GeneratorExit

        await asyncio.create_task(leave())
        return "never"


class Line:
    """One client whose messages are taken in one go."""

    def __init__(self) -> None:
        self.tools = Tools()
        self.answers: list[JSON] = []
        self.engine = Engine(
            Surface([self.tools]), lambda text: self.answers.append(json.loads(text))
        )
        self.engine.session.initialized = True

    def call(self, *named: tuple[int, str]) -> None:
        self.engine.receive([frame("tools/call", {"name": name}, id) for id, name in named])

    def say(self, method: str, params: JSON, id: int | None = None) -> None:
        self.engine.receive([frame(method, params, id)])

    async def until(self, count: int) -> list[int]:
        async with asyncio.timeout(5):
            while len(self.answers) < count:
                await asyncio.sleep(0)
        return [answer["id"] for answer in self.answers]

    def text(self, id: int) -> str:
        (answer,) = (each for each in self.answers if each["id"] == id)
        return str(answer["result"]["content"][0]["text"])


def frame(method: str, params: JSON, id: int | None) -> bytes:
    message = {"jsonrpc": "2.0", "method": method, "params": params}
    return json.dumps(message | ({} if id is None else {"id": id})).encode()


def on_a_line(story: Callable[[Line], Any]) -> None:
    async def run() -> None:
        line = Line()
        await story(line)
        await line.engine.finish(0)

    asyncio.run(run())


def test_a_request_that_waits_holds_up_none_of_those_behind_it() -> None:
    """K-17: concurrent calls are independent, also when they come in one go."""

    async def story(line: Line) -> None:
        line.call((1, "quick"), (2, "wait"), (3, "quick"), (4, "wait"), (5, "quick"))
        assert await line.until(3) == [1, 3, 5]
        assert line.engine.in_flight == 2
        line.call((6, "quick"))
        assert await line.until(4) == [1, 3, 5, 6]
        line.tools.gate.set()
        assert await line.until(6) == [1, 3, 5, 6, 2, 4]
        first, second, *same = line.tools.tasks
        assert first is not second and same == [first, second]

    on_a_line(story)


def test_requests_that_all_wait_begin_in_one_turn_of_the_loop() -> None:
    """X-13: what fifty calls write to their server leaves together, not in fifty turns."""

    async def story(line: Line) -> None:
        line.call(*((id, "wait") for id in range(50)))
        await asyncio.sleep(0)
        assert len(line.tools.tasks) == 1
        await asyncio.sleep(0)
        assert len(set(line.tools.tasks)) == 50
        line.tools.gate.set()
        assert await line.until(50) == list(range(50))

    on_a_line(story)


def test_a_flood_of_requests_leaves_turns_to_everybody_else() -> None:
    """FAULTS: the loop is not held up for as long as all of them take to begin."""

    async def story(line: Line) -> None:
        line.call(*((id, "wait") for id in range(500)))
        turns = 0
        while len(line.tools.tasks) < 500:
            begun = len(line.tools.tasks)
            await asyncio.sleep(0)
            assert len(line.tools.tasks) - begun <= 64
            turns += 1
        assert 8 <= turns < 20
        line.tools.gate.set()
        assert len(await line.until(500)) == 500

    on_a_line(story)


def test_what_one_call_leaves_in_the_context_is_not_there_for_the_next() -> None:
    """K-17: concurrent calls are independent."""

    async def story(line: Line) -> None:
        line.call((1, "mark"), (2, "mark"), (3, "quick"), (4, "mark"))
        assert await line.until(4) == [1, 2, 3, 4]
        assert [line.text(id) for id in (1, 2, 4)] == ["clean"] * 3

    on_a_line(story)


def outside(step: Callable[[], None]) -> None:
    """Run something as a reader of a pipe is run: outside of any task."""
    asyncio.get_running_loop().call_soon(step)


def test_whoever_is_free_begins_while_the_request_is_taken() -> None:
    """X-31: a request costs no further iteration of the loop, and no task of its own."""

    async def story(line: Line) -> None:
        line.call((1, "wait"))
        line.tools.gate.set()
        await line.until(1)
        begun: list[int] = []

        def take() -> None:
            line.call((2, "mark"), (3, "mark"), (4, "wait"))
            begun.extend(answer["id"] for answer in line.answers)

        outside(take)
        await line.until(4)
        assert begun[:3] == [1, 2, 3]
        assert line.text(2) == line.text(3) == "clean"
        assert len(set(line.tools.tasks)) == 1

    on_a_line(story)


def test_a_cancelled_task_serves_nobody_else() -> None:
    """FAULTS: who was cancelled is not handed the next request."""

    async def story(line: Line) -> None:
        line.call((1, "wait"))
        await asyncio.sleep(0)
        line.say("notifications/cancelled", {"requestId": 1})
        await asyncio.sleep(0)
        line.tools.gate.set()
        outside(lambda: line.call((2, "wait")))
        await line.until(1)
        cancelled, other, *_ = line.tools.tasks
        assert cancelled is not other and other is not None and not other.cancelling()

    on_a_line(story)


def test_a_call_that_cancels_itself_cancels_no_other() -> None:
    """K-17: the request behind it in the queue, or on its task, is answered."""

    async def story(line: Line) -> None:
        line.call((1, "cancels itself"), (2, "wait"), (3, "quick"))
        assert await line.until(2) == [1, 3]
        line.tools.gate.set()
        assert await line.until(3) == [1, 3, 2]
        outside(lambda: line.call((4, "cancels itself")))
        await line.until(4)
        outside(lambda: line.call((5, "wait")))
        assert await line.until(5) == [1, 3, 2, 4, 5]
        assert [line.text(id) for id in (1, 2, 4, 5)] == ["cancelled", "waited"] * 2

    on_a_line(story)


def test_only_whoever_cancels_gets_no_answer() -> None:
    """FAULTS: a request that was cancelled by nobody but itself is answered, with an error."""

    async def story(line: Line) -> None:
        line.call((1, "cancels itself and waits"), (2, "quick"))
        assert await line.until(2) == [2, 1]
        assert line.answers[1]["error"]["code"] == -32603
        assert line.engine.in_flight == 0

    on_a_line(story)


def test_a_call_that_quits_is_answered_and_leaves_no_error_behind() -> None:
    """FAULTS: a tool raises; the log has no traceback of it."""
    unseen: list[Any] = []

    async def story(line: Line) -> None:
        loop = asyncio.get_running_loop()
        loop.set_exception_handler(lambda loop, what: unseen.append(what["message"]))
        line.call((1, "quits"), (2, "quick"))
        assert await line.until(2) == [2, 1]
        line.call((3, "quick"))
        assert await line.until(3) == [2, 1, 3]

    on_a_line(story)
    gc.collect()
    assert unseen == []


def test_quick_requests_in_one_go_leave_turns_to_everybody_else() -> None:
    """FAULTS: a signal, a cancellation and whoever waits are not held up until all are answered."""

    async def story(line: Line) -> None:
        line.call((0, "late"), *((id, "busy") for id in range(1, 201)))
        most, before = 0, 0
        while len(line.answers) < 200:
            await asyncio.sleep(0)
            most, before = max(most, len(line.answers) - before), len(line.answers)
            if before >= 50:
                line.say("notifications/cancelled", {"requestId": 200})
        ids = await line.until(200)
        assert most < 50, "a turn is 10 ms, and each of them takes 2"
        assert ids.index(0) < 150 and set(ids) == set(range(200))
        await asyncio.sleep(0)
        assert line.engine.in_flight == 0 and len(line.answers) == 200

    on_a_line(story)


def test_a_cancellation_reaches_its_own_request_and_no_other() -> None:
    """FAULTS: a cancelled request gets no reply; the others do."""

    async def story(line: Line) -> None:
        line.call((1, "wait"), (2, "wait"), (3, "quick"))
        line.say("notifications/cancelled", {"requestId": 3})  # in the same breath: not begun yet
        line.call((4, "quick"))
        assert await line.until(1) == [4]
        line.say("notifications/cancelled", {"requestId": 1})
        await asyncio.sleep(0)
        line.call((1, "quick"))  # its number is free again
        assert await line.until(2) == [4, 1]
        line.tools.gate.set()
        assert await line.until(3) == [4, 1, 2]
        assert line.text(1) == "quick" and line.engine.in_flight == 0

    on_a_line(story)


def test_a_tool_may_use_its_task_as_its_own() -> None:
    """K-17: a timeout of a tool's own ends that call alone."""

    async def story(line: Line) -> None:
        line.call((1, "quick"), (2, "late"), (3, "wait"), (4, "quick"))
        ids = await line.until(3)
        assert ids == [1, 4, 2]
        line.tools.gate.set()
        assert (await line.until(4))[-1] == 3

    on_a_line(story)


@pytest.mark.parametrize("grace", [0.0, 0.05])
def test_leaving_ends_what_still_waits(grace: float) -> None:
    """FAULTS, client gone: what runs is cancelled, nothing is left behind."""

    async def story(line: Line) -> None:
        line.call(*((id, "wait") for id in range(20)))
        await asyncio.sleep(0)
        line.call((99, "wait"))
        await line.engine.finish(grace)
        assert line.engine.in_flight == 0 and not line.answers

    on_a_line(story)
