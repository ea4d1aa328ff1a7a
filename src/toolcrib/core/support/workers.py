"""Blocking functions in daemon threads beside the event loop.

`asyncio.to_thread` has a handful of workers that the interpreter joins at exit: one tool that
never returns would block the others and then the shutdown. These workers are daemons, and each
tool has its own share of them, so a tool that hangs blocks only itself.

There are never more than 64, with those that were lost: Python cannot stop a thread, so a lost one
costs memory until it returns. Two rules keep as many tools as possible at work within that number.
A tool that has a thread gets one more only while more are free than it has, so several tools that
hang cannot take everything between them. The last free threads of a pack (8) and of all tools (16)
go to tools that have none. A tool gets at most one of those, and loses at most that one: whatever a
few tools lose, others are served. Only when as many tools hang as there are such threads is a tool
that has lost none told that the server is busy; resources and prompts have 16 more, which no tool
gets.
"""

from __future__ import annotations

import asyncio
import contextlib
import math
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextvars import copy_context
from time import monotonic
from typing import TYPE_CHECKING, Any, TypeVar

from toolcrib.core.deadline import remaining
from toolcrib.core.errors import Busy
from toolcrib.core.support.gc_pause import lasting

if TYPE_CHECKING:
    from queue import SimpleQueue

T = TypeVar("T")

_MOST = 64
_MOST_TOOLS = 48  # the rest is for resources, prompts and reloading, whatever tools do
_MOST_PACK = 32
_MOST_TOOL = 16
_SPARE_TOOLS = 16
_SPARE_PACK = 8
_MOST_WAITING = 64
_AT_THE_DEADLINE = 0.05
_TOO_LATE = 0.25
_TURN = 0.0005
"""Seconds that a thread goes on while another one waits; Python's own are ten times as many."""
_SOON = 1
_LATER = 30


class Share:
    """Room for `most` jobs that run and `waiting` that wait (None: any number), inside of another.

    If a caller gives up, the thread of its job is lost until the job returns, and still takes a
    place; only a share that `replaces` lost threads gets new ones. The last `spare` places go to
    shares inside of it that have no thread.
    """

    __slots__ = (
        "inside",
        "lost",
        "most",
        "name",
        "queue",
        "replaces",
        "running",
        "spare",
        "waiting",
    )

    def __init__(
        self,
        name: str,
        most: int,
        *,
        waiting: int | None = None,
        inside: Share | None = None,
        spare: int = 0,
        replaces: bool = False,
    ) -> None:
        self.name = name
        self.most = most
        self.waiting = waiting
        self.inside = inside
        self.spare = spare
        self.replaces = replaces
        self.running = 0
        self.lost = 0
        self.queue: deque[ThreadJob] = deque()

    def has_room(self) -> bool:
        """Whether one more job may run now."""
        held = self.running + self.lost
        if held >= self.most:
            return False
        share = self.inside
        while share is not None:
            free = share.most - share.running
            if not share.replaces:
                free -= share.lost
            if free <= (held and max(held, share.spare)):
                return False
            share = share.inside
        return True

    def has_lost_too_many(self) -> bool:
        """Whether lost threads alone leave no room for one more job."""
        if self.lost >= self.most:
            return True
        share = self.inside
        while share is not None:
            if share.lost and not share.replaces:
                needed = self.lost and max(self.lost, share.spare)
                if share.most - share.lost <= needed:
                    return True
            share = share.inside
        return False

    def begin(self) -> None:
        """Count one more job that runs."""
        share: Share | None = self
        while share is not None:
            share.running += 1
            share = share.inside

    def end(self) -> None:
        """Count one job less that runs."""
        share: Share | None = self
        while share is not None:
            share.running -= 1
            share = share.inside

    def lose(self, change: int) -> None:
        """Count one more lost thread, or one less."""
        share: Share | None = self
        while share is not None:
            share.lost += change
            share = share.inside


class ThreadJob:
    """A function on its way through a thread."""

    __slots__ = ("lost", "run", "share", "started", "until")

    def __init__(self, share: Share, run: Callable[[], None], until: float = math.inf) -> None:
        self.share = share
        self.run = run
        self.until = until
        self.started = False
        self.lost = False


class Workers:
    """A pool of threads that grows with the number of jobs, up to a limit."""

    def __init__(self, most: int) -> None:
        self.all = Share("all", most)
        self._jobs: SimpleQueue[ThreadJob] | None = None
        self._lock = threading.Lock()
        self._idle = 0
        self._pending: dict[Share, None] = {}
        self._losses: Counter[str] = Counter()
        self.on_loss: Callable[[], None] = lambda: None
        """Called, from any thread, when a thread was lost or has come back; it must not wait."""

    async def run(self, func: Callable[..., T], *arguments: Any, share: Share | None = None) -> T:
        """Run `func` in a worker and await it; if the caller gives up, the job continues.

        Raises `Busy` if the share is full and stays full until the deadline.
        """
        loop = asyncio.get_running_loop()
        future: asyncio.Future[T] = loop.create_future()
        until = monotonic() + remaining(math.inf)
        job = ThreadJob(share or self.all, _settling(func, arguments, loop, future), until)
        self.submit(job)
        try:
            return await future
        except asyncio.CancelledError:
            if not self.give_up(job) and remaining(1.0) <= _AT_THE_DEADLINE:
                raise _busy(job.share, "no thread became free in time; nothing was run") from None
            raise

    def lost(self) -> dict[str, int]:
        """The number of threads whose caller gave up, by the name of their share."""
        with self._lock:
            return dict(+self._losses)

    def waiting(self) -> int:
        """How many jobs wait for a thread."""
        with self._lock:
            return sum(len(share.queue) for share in self._pending)

    def submit(self, job: ThreadJob, *, any_number: bool = False) -> None:
        """Run a job as soon as its share has room; raises `Busy` where it never would.

        With `any_number`, the share's limit of waiting jobs does not count.
        """
        share = job.share
        with self._lock:
            if not share.queue and share.has_room():
                self._start(job)
                return
            if share.has_lost_too_many():
                raise _busy(share, f"{_lost_by(share)} calls that were given up still run", _LATER)
            most = None if any_number else share.waiting
            if most is not None and len(share.queue) >= most:
                raise _busy(share, f"{share.running} calls run and {share.waiting} wait")
            share.queue.append(job)
            self._pending[share] = None

    def _start(self, job: ThreadJob) -> None:
        job.started = True
        job.share.begin()
        if self._jobs is None:
            from queue import SimpleQueue  # not for a start, which has no jobs

            self._jobs = SimpleQueue()
        self._jobs.put(job)
        if self._idle > 0:
            self._idle -= 1
        else:
            threading.Thread(
                target=self._work, args=(self._jobs,), name="toolcrib-worker", daemon=True
            ).start()

    def give_up(self, job: ThreadJob) -> bool:
        """Give up a job; return whether it had started."""
        with self._lock:
            if not job.started:
                with contextlib.suppress(ValueError):
                    job.share.queue.remove(job)
                return False
            if not job.lost:
                job.lost = True
                job.share.end()
                job.share.lose(+1)
                self._losses[job.share.name] += 1
                self._start_waiting()
        self.on_loss()
        return True

    def _work(self, jobs: SimpleQueue[ThreadJob]) -> None:
        while True:
            job = jobs.get()
            job.run()
            with self._lock:
                self._idle += 1
                returned = self._end(job)
            if returned:
                self.on_loss()

    def _end(self, job: ThreadJob) -> bool:
        """End a job; return whether it had been lost."""
        returned = job.lost
        if returned:
            job.share.lose(-1)
            self._losses[job.share.name] -= 1
        else:
            job.lost = True  # whoever gives up from now on has lost nothing
            job.share.end()
        self._start_waiting()
        return returned

    def _start_waiting(self) -> None:
        """Start waiting jobs, one of each share in turn, except those past their deadline."""
        if not self._pending:
            return
        latest = monotonic() + _TOO_LATE
        for share in list(self._pending):
            while share.queue and share.queue[0].until < latest:
                share.queue.popleft()
            started = bool(share.queue) and share.has_room()
            if started:
                self._start(share.queue.popleft())
            if started or not share.queue:  # whoever was served goes behind those that were not
                del self._pending[share]
                if share.queue:
                    self._pending[share] = None


def _settling(
    func: Callable[..., T],
    arguments: tuple[Any, ...],
    loop: asyncio.AbstractEventLoop,
    future: asyncio.Future[T],
) -> Callable[[], None]:
    """The function as a job that sets its future in the loop's thread."""
    context = copy_context()

    def settle(value: T | None, error: BaseException | None) -> None:
        if future.done():
            return
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(value)  # type: ignore[arg-type]  # T may itself be None

    def job() -> None:
        value: T | None = None
        error: BaseException | None = None
        try:
            value = context.run(func, *arguments)
        except (StopIteration, GeneratorExit) as stop:  # a future cannot carry them
            error = RuntimeError(f"{type(stop).__name__}: {stop}")
        except BaseException as caught:  # noqa: BLE001 - it belongs to the caller, not to the worker
            error = caught
        with contextlib.suppress(RuntimeError):  # the loop is gone, and with it whoever asked
            loop.call_soon_threadsafe(settle, value, error)

    return job


def _lost_by(share: Share) -> int:
    """How many lost threads are in the way: its own, or those of all."""
    if share.lost:
        return share.lost
    while share.inside is not None:
        share = share.inside
    return share.lost


def _busy(share: Share, why: str, seconds: int = _SOON) -> Busy:
    return Busy(f"{share.name} is busy: {why}", retry_after=seconds)


WORKERS = Workers(_MOST)
"""The threads that everything shares."""
TOOLS = Share("tools", _MOST_TOOLS, inside=WORKERS.all, spare=_SPARE_TOOLS)
"""What all tool calls together may take of them."""
STORE = Share("store", _MOST_TOOL, waiting=_MOST_WAITING, inside=TOOLS)
"""What calls that need the shared store may take, whichever tool makes them."""
in_thread = WORKERS.run
"""Run a function in one of the threads that everything shares."""


class _ShortTurns:
    """Shortens the interpreter's switch interval while any thread is inside."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._inside = 0
        self._usual = 0.0

    def __enter__(self) -> None:
        with self._lock:
            self._inside += 1
            if self._inside == 1:
                self._usual = sys.getswitchinterval()
                sys.setswitchinterval(min(self._usual, _TURN))

    def __exit__(self, *exc: object) -> None:
        with self._lock:
            self._inside -= 1
            if not self._inside:
                sys.setswitchinterval(self._usual)


_SHORT_TURNS = _ShortTurns()


@contextlib.contextmanager
def beside_the_loop() -> Iterator[None]:
    """For a thread that imports many modules: give the event loop priority.

    Otherwise the loop would wait 5 ms at each event. The garbage collector is paused, because
    modules stay loaded and a collection would block all threads longer than any import.
    """
    with _SHORT_TURNS, lasting():
        yield


def pack_share(name: str) -> Share:
    """The share of all tools of one pack."""
    return Share(name, _MOST_PACK, inside=TOOLS, spare=_SPARE_PACK, replaces=True)


def tool_share(name: str, pack: Share) -> Share:
    """The share of one tool."""
    return Share(name, _MOST_TOOL, waiting=_MOST_WAITING, inside=pack)
