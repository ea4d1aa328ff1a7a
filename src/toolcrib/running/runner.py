"""Running commands within limits of number, time and resources."""

from __future__ import annotations

import asyncio
import contextlib
import errno
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from toolcrib.core.support.known_secrets import KNOWN
from toolcrib.running.child import Child
from toolcrib.running.limits import Limits
from toolcrib.running.outcome import (
    Ending,
    Hosts,
    Outcome,
    ending,
    never_began,
    not_started,
    outcome,
    timed_out,
)
from toolcrib.running.output import readable
from toolcrib.running.pool import SandboxPool
from toolcrib.running.sandbox.ladder import Confinement

if TYPE_CHECKING:
    from toolcrib.running.network.proxy import Traffic

GRACE = 2.0
"""Seconds between SIGTERM and SIGKILL after a deadline or a cancellation."""
LAST_GRACE = 1.0
"""The same when the server itself has to go."""
# A little before the server would say something more general on its own.
_TICK = 0.9

MARK = "TOOLCRIB_SANDBOX"
"""Set for every command in a sandbox: programs can tell that they are in one."""

Progress = Callable[[float, float], Awaitable[None]]
"""Told now and then how many seconds of how many have passed."""


@dataclass(frozen=True, slots=True)
class Job:
    """One command, ready to be run."""

    tool: str
    confinement: Confinement
    env: Mapping[str, str]
    cwd: str
    timeout: float
    stdin: str | None = None
    secrets: Mapping[str, str] = field(default_factory=dict)
    """Values in its environment that must not be in what it prints, by name."""
    began: float | None = None
    """When the call began: what its sandbox takes to start counts as well."""


class Runner:
    """Runs commands as child processes, and ends all of their descendants."""

    def __init__(self, limits: Limits | None = None) -> None:
        self._limits = limits or Limits()
        self.pool = SandboxPool(self._limits.of_child())
        self._all = asyncio.Semaphore(_affordable(self._limits.concurrency))
        self._each: dict[str, asyncio.Semaphore] = defaultdict(
            lambda: asyncio.Semaphore(self._limits.per_tool)
        )
        self._children: set[Child] = set()

    async def run_command(self, job: Job, progress: Progress | None = None) -> Outcome:
        """Run one command to its end, its deadline or its cancellation.

        Waiting time counts. A cancelled call returns at once; its processes get SIGTERM and, if
        they do not end, SIGKILL.
        """
        started = time.perf_counter() if job.began is None else job.began
        try:
            async with asyncio.timeout(job.timeout):
                release = await self._admitted(job.tool)
        except TimeoutError:
            return never_began(job.timeout)
        kept = self.pool.sandbox(job.confinement.spec)
        kept.busy += 1
        redactor = KNOWN.redactor(job.secrets)
        child = Child(kept, self.pool.null, self._limits.output, redactor.slack)
        self._children.add(child)

        def ended(_: object) -> None:
            kept.busy -= 1
            self._children.discard(child)
            release()

        child.ended.add_done_callback(ended)
        order, proxy, traffic = _order(job), None, None
        try:
            proxy = await kept.proxy()
            if proxy is not None:
                traffic = proxy.begin()
                order["env"] |= proxy.variables(traffic)
            await child.start(order, job.stdin)
        except OSError as error:
            child.drop()
            return _no_means(error)
        except BaseException:
            child.drop()
            raise
        try:
            await self._ended(child, job.timeout, started, progress)
        finally:
            if proxy is not None and traffic is not None:
                proxy.end(traffic)
        return self._told(job, child, time.perf_counter() - started, traffic)

    async def close(self) -> None:
        """Stop all commands and wait for their end."""
        children = [child for child in self._children if not child.ended.done()]
        for child in children:
            child.stop(LAST_GRACE)
        if children:
            await asyncio.wait([child.ended for child in children], timeout=LAST_GRACE + 0.5)
        self.pool.close()

    async def _admitted(self, tool: str) -> Callable[[], None]:
        """Wait for a slot; returns a function that releases it."""
        each = self._each[tool]
        await each.acquire()
        try:
            await self._all.acquire()
        except BaseException:
            each.release()
            raise

        def release() -> None:
            each.release()
            self._all.release()

        return release

    async def _ended(
        self, child: Child, seconds: float, started: float, progress: Progress | None
    ) -> None:
        """Wait for the end, and stop the command at its deadline."""
        left = seconds - (time.perf_counter() - started)
        alarm = asyncio.get_running_loop().call_later(max(0.0, left), child.stop, GRACE)
        try:
            while not child.ended.done():
                gone = (time.perf_counter() - started) % _TICK
                await asyncio.wait([child.ended], timeout=_TICK - gone if progress else None)
                if progress and not child.ended.done():
                    await progress(time.perf_counter() - started, seconds)
        except asyncio.CancelledError:
            child.stop(GRACE)
            raise
        finally:
            alarm.cancel()

    def _told(self, job: Job, child: Child, duration: float, traffic: Traffic | None) -> Outcome:
        answer = child.ended.result()
        late = child.stopped and "failed" not in answer
        redactor = KNOWN.redactor(job.secrets)
        stdout = readable(child.stdout, "stdout", redactor)
        stderr = readable(child.stderr, "stderr", redactor)
        end: Ending
        if late:
            end = timed_out(job.timeout, answer, GRACE)
        else:
            program = job.confinement.argv[0]
            end = ending(answer, self._bounds(job), stdout.text, stderr.text, program)
        spec = job.confinement.spec
        told = outcome(stdout, stderr, end, duration, spec.report, late)
        if traffic is None:
            return told
        hosts = Hosts(str(spec.network), tuple(traffic.reached), tuple(traffic.refused))
        return replace(told, hosts=hosts)

    def _bounds(self, job: Job) -> dict[str, int]:
        if job.confinement.level in ("off", "docker"):
            return {}
        return self._limits.of_child()


@contextlib.asynccontextmanager
async def running(limits: Limits | None = None) -> AsyncIterator[Runner]:
    """A runner that is closed at the end."""
    runner = Runner(limits)
    try:
        yield runner
    finally:
        await runner.close()


def _order(job: Job) -> dict[str, Any]:
    how = job.confinement
    marked = {} if how.level in ("off", "docker") else {MARK: how.level}
    return {
        "argv": how.argv,
        "program": how.program,
        "env": {**dict(how.env), **job.env, **marked},
        "cwd": job.cwd,
        "cleanup": how.cleanup,
    }


def _affordable(wanted: int) -> int:
    """How many commands at once the limit of open files allows: each needs four, briefly nine."""
    import resource

    soft, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY:
        return wanted
    return max(1, min(wanted, (soft - 40) // 9))


def _no_means(error: OSError) -> Outcome:
    if error.errno in (errno.EMFILE, errno.ENFILE):
        return not_started("No process could be started: too many open files. Try again later.")
    return not_started(f"No process could be started: {error.strerror}.")
