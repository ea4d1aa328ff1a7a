"""One server on this machine: started by the first call that needs it, stopped when idle.

Callers that come while it starts share that start. The end of its standard output is its end.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import math
import time
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, Protocol

from toolcrib.client.connection import (
    BrokenAnswer,
    Connection,
    ConnectionLost,
    Progress,
    ServerRefused,
)
from toolcrib.client.pipes import LARGEST_MESSAGE, Pipes, Unread
from toolcrib.client.session import ServerSession
from toolcrib.core.tool import JSON
from toolcrib.packs.gateway.asking.questions import Questions
from toolcrib.packs.gateway.entries import ConfiguredServer
from toolcrib.packs.gateway.faults import NEVER_BACKS_OFF, ServerFault
from toolcrib.packs.gateway.launcher import Launcher
from toolcrib.packs.gateway.life.clock import Clock
from toolcrib.packs.gateway.life.ending import how_it_ended
from toolcrib.packs.gateway.life.error_log import ErrorLog, KeepLog
from toolcrib.packs.gateway.life.idle import IdleTimer
from toolcrib.packs.gateway.life.listing import LIST_CHANGED, Ask, ServerListing
from toolcrib.packs.gateway.life.planted import PlantedFiles, noted
from toolcrib.packs.gateway.life.running import Running
from toolcrib.packs.gateway.offers.following import Following
from toolcrib.packs.gateway.texts import without_controls
from toolcrib.running.service import Service
from toolcrib.wire.eras import MODERN, Era
from toolcrib.wire.messages import RpcError

logger = logging.getLogger("toolcrib.gateway")

FIRST_SIGHT: Final = 120.0
START: Final = 20.0
_LONGEST_REST = 60.0
_MOST_DOUBLINGS = 6
_ASKABLE = ("sampling", "elicitation")

Notified = Callable[[str, JSON], None]
Unusable = RpcError | BrokenAnswer | Unread | ServerRefused
"""What a request ends with instead of a result, while its server lives."""


class StateListener(Protocol):
    """Told whether the server runs, or why it does not."""

    def __call__(self, *, up: bool, fault: str | None = None, warning: str | None = None) -> None:
        """It runs, it was stopped, or it could not be started; a list that could not be read."""


def _not_noted(*, up: bool, fault: str | None = None, warning: str | None = None) -> None:
    """Nobody wants to know."""


class Server:
    """The life of one server; see the module."""

    private: tuple[str, ...] = ()
    """Hosts that may have private addresses, for a server at a URL."""

    def __init__(
        self,
        entry: ConfiguredServer,
        launcher: Launcher,
        *,
        ask: Ask,
        notified: Notified = lambda method, params: None,
        keep_log: KeepLog = lambda text: None,
        noted: StateListener = _not_noted,
        largest: int = LARGEST_MESSAGE,
    ) -> None:
        self.entry = entry
        self.era: str | None = None
        self.seen = False
        """Whether it has answered before: a first start may take longer."""
        self.fault: ServerFault | None = None
        self.calls = 0
        """How many calls are under way, those that wait for its start included."""
        self.callers = 0
        """How many have got hold of it for a call, which may not have begun yet."""
        self.alone: Callable[[], bool] = lambda: True
        """Whether there is one client alone."""
        self.rested: Callable[[], None] = lambda: None
        """Told whenever a call is over."""
        self.following = Following()
        """What of it is subscribed to; it stays up for that."""
        self.questions = Questions(launcher.project)
        """What it asks of whoever calls it."""
        self.listing = ServerListing(ask, self._start_limit, self._list_fault)
        """Its lists, asked for behind the calls."""
        self.listing.told = self._listed
        self._log = ErrorLog(keep_log, self._shown)
        self._mask: Callable[[str], str] = str
        self._noted = noted
        self._launcher = launcher
        self._notified = notified
        self._largest = largest
        self._running: Running | None = None
        self._starting: asyncio.Task[Running] | None = None
        self._failures = 0
        self._retry_at = 0.0
        self._idle = IdleTimer(self._stop_idle)
        self._stopping: list[Running] = []
        self._planted: PlantedFiles | None = None

    @property
    def up(self) -> bool:
        """Whether its process runs and can be asked."""
        return self._running is not None

    @property
    def leaving(self) -> bool:
        """Whether a process of it is still on its way out."""
        return any(not each.service.ended.done() for each in self._stopping)

    @property
    def errors(self) -> str:
        """The end of what it wrote to its standard error, without values that must not be shown."""
        return self._log.text

    async def session(self) -> ServerSession:
        """A session that can be used now, started if need be; raises `ServerFault`."""
        return (await self._ready()).session

    async def request(
        self,
        method: str,
        params: Mapping[str, Any],
        clock: Clock,
        *,
        repeatable: bool = False,
        progress: Progress | None = None,
    ) -> JSON:
        """One request with all that belongs to it: start, repetition, plain faults."""

        def heard(params: JSON) -> None:
            clock.heard()
            if progress is not None:
                progress(params)

        self.calls += 1
        running: Running | None = None
        again = False
        try:
            while True:
                running = self._running or await self._ready()
                if self._planted is not None:
                    self._planted.asked()
                clock.sent = True
                self.listing.behind()
                try:
                    result = await running.request(method, params, heard)
                except (RpcError, BrokenAnswer, Unread, ServerRefused) as error:
                    raise self._fault_of(error) from error
                except ConnectionLost as error:
                    how = await self._how_it_ended(running)
                    if again or (error.written and not repeatable):
                        raise self._death(how, repeatable) from error
                    again, running = True, None
                else:
                    notes = self._planted_notes() if self._planted is not None else ()
                    return noted(result, notes) if notes else result
        except ServerFault as fault:
            raise fault.noting(self._planted_notes()) from fault.__cause__
        except asyncio.CancelledError:
            if running is not None:
                self._cancelled(running, clock)
            self._answered()
            raise
        finally:
            self.calls -= 1
            self._rest()
            self.rested()

    def _death(self, how: str, repeatable: bool) -> ServerFault:
        text = f"Server {self.entry.name!r} died during the call ({how})"
        if not repeatable:
            text += "; the call may have had an effect"
        return ServerFault(self.entry.name, "died", text)

    def _cancelled(self, running: Running, clock: Clock) -> None:
        """Nobody waits for an answer any more: see to it that it gives signs of life."""
        if clock.expired and not self._reads(running):
            self._give_up(running, "does not read what it is sent")
        else:
            self._watch_silence(running, clock.seconds)

    async def refresh(self) -> ServerSession:
        """Start it, or use it as it runs, and wait until its lists were asked for."""
        session = await self.session()
        await self.listing.settled()
        return session

    def failed(self, fault: ServerFault) -> ServerFault:
        """It could not be started: the next try has to wait, longer each time."""
        self.fault = fault
        if fault.reason != "untrusted":  # that is told of its entry, for as long as it is so
            self._note(up=False, fault=str(fault))
        if fault.reason not in NEVER_BACKS_OFF:
            rest = min(2.0 ** min(self._failures, _MOST_DOUBLINGS), _LONGEST_REST)
            self._retry_at = time.monotonic() + rest
            self._failures += 1
        return fault

    async def fit(self, announced: Mapping[str, Any]) -> None:
        """Have it greeted anew where its client can be asked more than it was told at its start.

        That is so where it was looked at before anybody called. The stateless era tells each time.
        """
        if self._starting is not None:
            await asyncio.wait([self._starting])
        running = self._running
        if running is None or self.calls or running.session.era == MODERN:
            return
        if any(name in announced and name not in running.session.announced for name in _ASKABLE):
            self.stop()

    def stop_unused(self) -> None:
        """Stop it unless somebody calls it, or follows something of it."""
        self._stop_idle()

    def stop(self, *, at_once: bool = False) -> None:
        """Stop it; the next call starts it again."""
        self._idle.stop()
        if self._starting is not None:
            self._starting.cancel()
        running = self._running
        if running is not None:
            self.listing.stop()
            self._let_go(running, at_once=at_once)

    async def close(self) -> None:
        """Stop it and wait until it is gone."""
        self.stop(at_once=True)
        waiting = [each.service.ended for each in self._stopping if not each.service.ended.done()]
        if waiting:
            await asyncio.wait(waiting, timeout=1.6)
        for each in self._stopping:
            each.service.kill()

    async def settle(self) -> None:
        """Wait for the calls that run now, then stop."""
        running = self._running
        # Rare and never in a hurry: an event would cost every call.
        while self.calls or (running and running.session.connection.busy):  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        self.stop()

    def _answered(self) -> None:
        """It was asked something, and that is over: take away what it may not have made."""
        if self._planted is not None:
            self._planted.answered()

    def _planted_notes(self) -> Sequence[str]:
        if self._planted is None:
            return ()
        self._planted.answered()
        return self._planted.notes()

    def _fault_of(self, error: Unusable) -> ServerFault:
        """What its caller is told of an answer that is an error, or cannot be used."""
        name = self.entry.name
        if isinstance(error, RpcError):
            text = self._shown(error.message)
            return ServerFault(name, "server_error", text, server_code=error.code)
        if isinstance(error, Unread):
            text = f"Server {name!r} does not read what it is sent"
            return ServerFault(name, "protocol", text)
        if isinstance(error, ServerRefused):
            return ServerFault(name, error.reason, self._shown(str(error)))
        reason = "too_large" if error.too_large else "protocol"
        text = f"Server {name!r} gave an answer that cannot be used: {error}"
        return ServerFault(name, reason, text)

    def _shown(self, text: str) -> str:
        """A text of the server as it may be shown."""
        return self._mask(without_controls(text))

    async def _ready(self) -> Running:
        if self._running is not None:
            return self._running
        if self._starting is None:
            self._check_rest()
            task = asyncio.get_running_loop().create_task(self._start())
            task.add_done_callback(self._start_over)
            self._starting = task
        starting = self._starting
        await asyncio.wait([starting])
        if starting.cancelled():
            text = f"Server {self.entry.name!r} was stopped while it started"
            raise ServerFault(self.entry.name, "start_failed", text)
        return starting.result()

    def _start_over(self, task: asyncio.Task[Running]) -> None:
        self._starting = None
        if not task.cancelled():
            task.exception()  # whoever waited has heard of it

    def _check_rest(self) -> None:
        left = self._retry_at - time.monotonic()
        if left > 0 and self.fault is not None:
            raise ServerFault(
                self.entry.name,
                "backing_off",
                f"{str(self.fault).rstrip('.')}. It will be tried again in {math.ceil(left)} s.",
                cause=self.fault.reason,
                retry_in=round(left, 1),
            )

    def _start_limit(self) -> float:
        return self.entry.startup_timeout or (START if self.seen else FIRST_SIGHT)

    async def _start(self) -> Running:
        try:
            running = await self._begun(self._start_limit())
        except ServerFault as fault:
            raise self.failed(fault) from None
        if self.seen:  # at first sight a start is over when its lists are there
            self._failures = 0
        self.fault, self._retry_at = None, 0.0
        self.era = running.session.era
        self._running = running
        self._log.follow(running.pipes)
        self._answered()
        self._note(up=True)
        self.listing.begin(running.session)
        self.following.begin(running.session)
        self._rest()  # whoever wanted it may have gone
        await asyncio.sleep(0)  # what is followed is asked for before the call that started it
        return running

    async def _begun(self, limit: float) -> Running:
        resolved = await self._launcher.resolved(self.entry)
        self._mask = resolved.masked
        started = await self._launcher.start(self.entry, resolved)
        service = started.service
        self._planted = started.planted
        if self._planted is not None:
            self._planted.busy = lambda: self.calls > 0 or self.listing.busy
        pipes = Pipes(service, self._largest, self._log.wrote)
        hear = resolved.redacting(self._hear)
        connection = Connection(pipes, notified=hear, asked=self.questions.asked, warned=self._warn)
        pipes.open(connection)
        era: Era | None = MODERN if self.era == MODERN else None
        try:
            async with asyncio.timeout(limit):
                session = await ServerSession.open(
                    connection, era=era, capabilities=self._unasked()
                )
        except BaseException as error:
            fault = await self._start_fault(error, limit, service, pipes)
            self._log.save(pipes)
            pipes.close()
            service.terminate()
            started.when_ended()
            if fault is None:
                raise
            raise ServerFault(self.entry.name, fault[0], self._mask(fault[1])) from None
        running = Running(started, pipes, session, resolved.redacted)
        pipes.lost = partial(self._gone, running)
        service.ended.add_done_callback(lambda _: self._gone(running))
        return running

    async def _start_fault(
        self, error: BaseException, limit: float, service: Service, pipes: Pipes
    ) -> tuple[str, str] | None:
        """Reason and text of a start that failed; None for an error that is not the server's."""
        reason = "start_failed"
        if isinstance(error, TimeoutError):
            reason, why = "start_timeout", f"no answer within {limit:g} s"
        elif isinstance(error, ConnectionLost):
            why = await how_it_ended(service)
        elif isinstance(error, RpcError | BrokenAnswer):
            why = self._shown(str(error))[:300]
        else:
            return None
        pipes.drain_errors()
        words = pipes.errors.decode("utf-8", "replace").strip().splitlines()
        # Masked before it is cut: half of a secret would not be recognised.
        last = f": {self._shown(words[-1])[:300]}" if words else ""
        return reason, f"Server {self.entry.name!r} could not be started ({why}){last}"

    def _let_go(self, running: Running, *, at_once: bool = False) -> None:
        """From now on it is not up; what is left of its process is stopped."""
        self._running = None
        self.listing.lost()
        self._note(up=False)
        self._log.save(running.pipes)
        running.stop(at_once=at_once)
        self._stopping = [each for each in self._stopping if not each.service.ended.done()]
        self._stopping.append(running)

    def _gone(self, running: Running) -> None:
        """It has ended by itself, or closed its output, which is the same."""
        if self._running is running:
            self._let_go(running)

    async def _how_it_ended(self, running: Running) -> str:
        self._gone(running)
        return await how_it_ended(running.service)

    def _reads(self, running: Running) -> bool:
        """Whether it takes what it is sent."""
        return not running.pipes.unread

    def _give_up(self, running: Running, why: str) -> None:
        """Stop one that cannot be used any more."""
        if self._running is running:
            logger.warning("server %s %s: stopped", self.entry.name, why)
            self.stop()

    def _note(self, *, up: bool, fault: str | None = None) -> None:
        """Note how it is for other processes, with what is to be said of its lists."""
        listed = self.listing.fault
        self._noted(up=up, fault=fault, warning=None if listed is None else str(listed))

    def _listed(self) -> None:
        """Its lists were read, or could not be."""
        if self.listing.fault is None:
            self.seen, self._failures = True, 0
        else:
            logger.warning("%s", self.listing.fault)
        if self._running is not None:
            self._note(up=True)

    def _list_fault(self, error: Exception) -> ServerFault:
        """Why its lists could not be read, in words that may be shown."""
        name, reason = self.entry.name, "start_failed"
        if isinstance(error, TimeoutError):
            reason, why = "start_timeout", f" within {self._start_limit():g} s"
        elif isinstance(error, ConnectionLost):
            why = ": it ended while it was asked"
        else:
            why = f": {self._shown(str(error))[:300]}"
        return ServerFault(name, reason, f"Server {name!r} gave no list of its tools{why}")

    def _unasked(self) -> JSON:
        """What it is told where nobody calls: the same as by a call, so that it has the same."""
        return {"roots": {}} if self.alone() or self.entry.session == "client" else {}

    def _warn(self, text: str) -> None:
        logger.warning("server %s %s", self.entry.name, text)

    def _hear(self, method: str, params: JSON) -> None:
        if method not in LIST_CHANGED:
            self.questions.heard(method, params)
            self._notified(method, params)
        else:
            self.listing.changed()

    def _rest(self) -> None:
        """Begin to count the seconds without a call anew."""
        if self._running is not None:
            self._idle.begin(self.entry.idle)

    def _stop_idle(self) -> None:
        running = self._running
        if (
            self.calls
            or self.following
            or self.listing.busy
            or (running is not None and running.session.connection.busy)
        ):
            self._rest()
        else:
            self.stop()

    def _watch_silence(self, running: Running, seconds: float) -> None:
        """Stop a server that, asked for a sign of life, says nothing for as long as a call has."""
        if self._running is not running:
            return
        since, loop = time.monotonic(), asyncio.get_running_loop()
        asked = loop.create_task(_sign_of_life(running.session))

        def look() -> None:
            asked.cancel()
            if running.session.connection.heard < since:
                self._give_up(running, "is silent")

        loop.call_later(seconds, look)


async def _sign_of_life(session: ServerSession) -> None:
    """Ask something that every server answers, if only with an error."""
    with contextlib.suppress(RpcError, BrokenAnswer, ConnectionLost):
        await session.request("ping", {})
