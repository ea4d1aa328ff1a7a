"""`ToolExecutor`: runs every call of every tool: validation, breaker, deadline, statistics, log.

It checks the arguments and the breaker, enforces the deadline, catches crashes, and counts.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Sequence
from time import monotonic
from typing import TYPE_CHECKING, Any, Protocol

from toolcrib.core.audit import DENIED, Audit, FinishedCall, Outcome, new_id
from toolcrib.core.breaker import CircuitBreaker, State
from toolcrib.core.deadline import CURRENT, Expired, Quit, ending_in, is_cancellation, within
from toolcrib.core.errors import (
    BreakerOpen,
    Busy,
    CallError,
    DeadlinePassed,
    ExecutionFailed,
    InvalidArguments,
    InvalidParams,
    MethodFailed,
    TooLarge,
    ToolcribError,
    ToolNotFound,
)
from toolcrib.core.stats import ToolStats
from toolcrib.core.support.blocking import Blocked
from toolcrib.core.support.redact import presentable, sanitized
from toolcrib.core.support.workers import (
    STORE,
    TOOLS,
    WORKERS,
    Share,
    pack_share,
    tool_share,
)
from toolcrib.core.tool import (
    DEFAULT_DEADLINE,
    JSON,
    LONGEST_DEADLINE,
    CallContext,
    Tool,
    ToolOutput,
    with_link,
)
from toolcrib.core.workflow import ARGUMENT as WORKFLOW
from toolcrib.core.workflow import SCHEMA as WORKFLOW_SCHEMA
from toolcrib.core.workflow import WorkflowContext, WorkflowStore

if TYPE_CHECKING:
    from toolcrib.core.schema import ArgumentSchema

logger = logging.getLogger("toolcrib.calls")


class CallObserver(Protocol):
    """Told when a call begins, and when it is over."""

    def began(self) -> None:
        """A call begins."""

    def ended(self) -> None:
        """A call is over."""


Approve = Callable[[Tool, JSON, CallContext], Awaitable[ToolOutput | None] | None]
"""None where nobody is asked; else None where the call may run, or what its caller is told."""

LARGEST_ARGUMENTS = 2_000_000
_PLAIN = frozenset((int, float, bool, type(None)))
DEEPEST_ARGUMENTS = 64
_FEW, _SHORT, _LEVELS = 16, 200, 2
"""So many arguments with so many characters each, on so many more levels, are never too large."""
_SETTLING = 0.1
_WORKFLOW_SECONDS = 8.0  # the first call of a process loads the client of the database as well


class ToolExecutor:
    """Runs tools, each call independent of the others."""

    def __init__(
        self,
        *,
        workflows: WorkflowStore | None = None,
        audit: Audit | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.stats = ToolStats()
        self.workflows = workflows or WorkflowStore()
        self.audit = audit
        self.approve: Approve | None = None
        """Asks a person before a call runs; None where nobody is asked."""
        self.activity: CallObserver | None = None
        """Whoever wants to know whether calls run."""
        self.trusted: Callable[[], str] | None = None
        """The digest of what acts, for the record of calls."""
        self.page: Callable[[], str | None] | None = None
        """Where a person can look at what waits for trust; None where no page is open."""
        self.on_breaker: Callable[[str, State], None] | None = None
        self._clock = clock
        self._schemas: dict[str, tuple[JSON, ArgumentSchema]] = {}
        self._breakers: dict[str, CircuitBreaker] = {}
        self._running: dict[CallContext, int] = {}
        """How many calls run for each context: a call may make another one."""
        self._inner: dict[str, FinishedCall] = {}
        self._packs: dict[str, Share] = {}
        self._pack_of: dict[str, Share] = {}
        self._shares: dict[str, Share] = {}

    async def run(
        self, tool: Tool, arguments: JSON | None = None, context: CallContext | None = None
    ) -> ToolOutput:
        """Run one call to its end.

        Raises `InvalidArguments`, `InvalidParams`, `ExecutionFailed` or `DeadlinePassed`; a
        failure that the tool itself returned comes back as an output with `is_error`.
        """
        given = arguments or {}
        context = context or CallContext()
        context.tool_name = tool.name
        started = time.perf_counter()
        outer = context.call_id
        if self.audit is not None:
            context.call_id = new_id()
            if self.trusted is not None:
                context.notes["trust"] = self.trusted()
        outcome: Outcome = "failed"
        answer: ToolOutput | BaseException | None = None
        around = self._running.get(context, 0)
        self._running[context] = around + 1
        if self.activity is not None and not around:  # a call inside of one is no further one
            self.activity.began()
        try:
            answer = await self._attempt(tool, given, context)
            if answer.refused_by == "trust":
                answer = self._linked(answer, context)
            outcome = _outcome_of(answer)
            return answer
        except ToolcribError as error:
            outcome, answer = _outcome_of_error(error), error
            raise
        except asyncio.CancelledError as error:
            outcome, answer = "cancelled", error
            raise
        finally:
            left = self._running[context] - 1
            if left:
                self._running[context] = left
            else:
                del self._running[context]
                if self.activity is not None:
                    self.activity.ended()
            spent = (time.perf_counter() - started) * 1000
            if context.recorded:
                self.stats.record(tool.name, outcome, spent)
            if self.audit is not None and context.recorded:
                self._record(tool.name, given, context, outer, outcome, spent, answer)
            context.call_id = outer
            if logger.isEnabledFor(logging.INFO):
                logger.info("%s %s %.1f ms %s", tool.name, outcome, spent, sanitized(given))

    async def execute(
        self, tool: Tool, arguments: JSON | None = None, context: CallContext | None = None
    ) -> ToolOutput:
        """Run one call to its end; an alias of `run`."""
        return await self.run(tool, arguments, context)

    def note(
        self,
        name: str,
        given: JSON,
        context: CallContext,
        answer: Sequence[str] | BaseException,
        milliseconds: float = 0.0,
    ) -> None:
        """Record a request that is not a call of a known tool, with its texts or its error."""
        if self.audit is None or not context.recorded:
            return
        outer, context.call_id = context.call_id, new_id()
        outcome: Outcome = "ok"
        if isinstance(answer, BaseException):
            outcome = _outcome_of_error(answer)
        self._record(name, given, context, outer, outcome, milliseconds, answer)
        context.call_id = outer

    def validate_arguments(self, tool: Tool, arguments: JSON) -> JSON:
        """The arguments as the tool would get them; raises `InvalidArguments`."""
        return self._checked(tool, arguments)

    async def settled(self) -> None:
        """Wait until every call that runs now is over; those that begin meanwhile do not count."""
        running = set(self._running)
        # Rare and never in a hurry: an event would cost every call.
        while not running.isdisjoint(self._running):  # noqa: ASYNC110
            await asyncio.sleep(_SETTLING)

    def breaker(self, name: str) -> CircuitBreaker:
        """The breaker that guards the tool `name`."""
        found = self._breakers.get(name)
        if found is None:
            found = self._breakers[name] = CircuitBreaker(
                f"tool_{name}",
                clock=self._clock,
                on_change=lambda state: self._breaker_changed(name, state),
            )
        return found

    def assign(self, pack: str, tools: Iterable[Tool]) -> None:
        """Let these tools share the threads of one pack."""
        of_pack = self._packs.get(pack)
        if of_pack is None:
            of_pack = self._packs[pack] = pack_share(pack)
        for tool in tools:
            if not (tool.is_async and tool.keeps_time):  # commands, of which there may be many
                self._pack_of.setdefault(tool.name, of_pack)

    def _new_share(self, tool: Tool) -> Share:
        around = self._pack_of.get(tool.name, TOOLS)
        share = self._shares[tool.name] = tool_share(tool.name, around)
        return share

    def _breaker_changed(self, name: str, state: State) -> None:
        if self.on_breaker is not None:
            self.on_breaker(name, state)

    def metrics(self) -> dict[str, Any]:
        """The statistics, with the state of each breaker and the number of lost threads."""
        shown = self.stats.snapshot()
        shown["lost_threads"] = WORKERS.lost()
        for name, tool in shown["tools"].items():
            tool["breaker"] = self.breaker(name).state
        return shown

    def _linked(self, output: ToolOutput, context: CallContext) -> ToolOutput:
        """An answer about trust with a link, for a client that can open one."""
        if self.page is None:
            return output
        declared = context.capabilities.get("elicitation")
        address = self.page() if isinstance(declared, dict) and "url" in declared else None
        return with_link(output, address) if address is not None else output

    async def _attempt(self, tool: Tool, given: JSON, context: CallContext) -> ToolOutput:
        if WORKFLOW in given:
            given = await self._with_workflow(tool, given, context)
        arguments = self._checked(tool, given)
        if self.approve is not None:
            # Before the clock and the breaker: a person takes the time that a person takes.
            asked = self.approve(tool, arguments, context)
            if asked is not None and (waiting := await asked) is not None:
                return waiting
        breaker = self._breakers.get(tool.name) or self.breaker(tool.name)
        try:
            trial = breaker.admit()
        except BreakerOpen as error:
            if tool.resting is None:
                raise
            return tool.resting(error)
        try:
            output = await self._timed(tool, arguments, context)
        except (DeadlinePassed, ExecutionFailed) as error:
            # A refusal that the tool worded itself proves that it lives; only a crash counts.
            if isinstance(error.__cause__, ToolcribError):
                breaker.succeeded()
            else:
                # The next call would hold up everybody once more.
                breaker.failed(at_once=isinstance(error.__cause__, Blocked))
            raise
        except (asyncio.CancelledError, Busy):
            if trial:
                breaker.abandoned()
            raise
        except ToolcribError:
            breaker.succeeded()
            raise
        if output.timed_out or output.broken:
            breaker.failed()
        else:
            breaker.succeeded()
        if context.workflow is not None and not output.is_error:
            await self._remember(context.workflow, tool, output)
        return output

    async def _timed(self, tool: Tool, arguments: JSON, context: CallContext) -> ToolOutput:
        deadline = tool.deadline or DEFAULT_DEADLINE
        if deadline > LONGEST_DEADLINE:
            deadline = LONGEST_DEADLINE
        share = STORE if tool.share else self._shares.get(tool.name) or self._new_share(tool)
        context.share = share
        try:
            work = tool.execute(arguments, context)
            if not tool.keeps_time:
                return ToolOutput.of(await within(deadline, work, share=share))
            token = CURRENT.set((monotonic() + deadline, share))
            try:
                output = await work
            finally:
                CURRENT.reset(token)
            return output if type(output) is ToolOutput else ToolOutput.of(output)
        except (CallError, InvalidParams, MethodFailed):
            raise
        except ToolcribError as error:
            raise ExecutionFailed(str(error), data=getattr(error, "data", None)) from error
        except Expired:
            raise DeadlinePassed(
                f"Tool {tool.name} did not finish within {deadline:g} s{_fate(tool)}",
                data={"deadline_s": deadline},
            ) from None
        except Quit as error:
            raise self._crash(tool, GeneratorExit()) from error
        except BaseException as error:  # a tool may raise anything, sys.exit() included
            if isinstance(error, GeneratorExit) or is_cancellation(error):
                raise
            raise self._crash(tool, error) from error

    def _crash(self, tool: Tool, error: BaseException) -> ExecutionFailed:
        logger.debug("Tool %s crashed", tool.name, exc_info=error)
        return ExecutionFailed(f"Tool {tool.name} failed: {presentable(error)}")

    async def _with_workflow(self, tool: Tool, given: JSON, context: CallContext) -> JSON:
        """Fill in the arguments of the workflow's prompt, if the tool takes a handle."""
        handle = given.get(WORKFLOW)
        if not isinstance(handle, str):
            return given
        properties = tool.input_schema.get("properties", {})
        if not tool.takes_workflow and properties.get(WORKFLOW) != WORKFLOW_SCHEMA:
            return given
        if self.workflows.entries is None:
            context.workflow = self.workflows.get(handle, context.caller)
        else:
            with ending_in(_WORKFLOW_SECONDS):
                context.workflow = await WORKERS.run(
                    self.workflows.get, handle, context.caller, share=STORE
                )
        known = context.workflow.prompt_args
        return {**{name: known[name] for name in properties if name in known}, **given}

    async def _remember(self, workflow: WorkflowContext, tool: Tool, output: ToolOutput) -> None:
        if self.workflows.entries is None:
            self.workflows.remember(workflow, tool.name, output.structured)
            return
        try:
            with ending_in(_WORKFLOW_SECONDS):
                await WORKERS.run(
                    self.workflows.remember, workflow, tool.name, output.structured, share=STORE
                )
        except ToolcribError as error:  # the call itself has succeeded
            logger.warning("%s: its result was not kept for the workflow: %s", tool.name, error)

    def _checked(self, tool: Tool, given: JSON) -> JSON:
        _check_size(given)
        if tool.validate is not None:
            try:
                return tool.validate(given)
            except ToolcribError:
                raise
            except BaseException as error:  # a team's own validators are a part of its tool
                raise self._crash(tool, error) from error
        known = self._schemas.get(tool.name)
        if known is None or known[0] is not tool.input_schema:
            from toolcrib.core.schema import ArgumentSchema  # not for a start

            known = self._schemas[tool.name] = (
                tool.input_schema,
                ArgumentSchema(tool.input_schema),
            )
        known[1].check(given)
        return given

    def _record(
        self,
        name: str,
        given: JSON,
        context: CallContext,
        outer: str | None,
        outcome: Outcome,
        spent: float,
        answer: ToolOutput | Sequence[str] | BaseException | None,
    ) -> None:
        done = FinishedCall(
            context.call_id or new_id(), outer, name, sanitized(given), context, outcome, spent
        )
        if isinstance(answer, ToolOutput):
            done.answer = [item["text"] for item in answer.content if item.get("type") == "text"]
            done.error = _told(answer) if outcome != "ok" else None
            done.refused_by = answer.refused_by
        elif isinstance(answer, BaseException):
            done.error = _words(answer)
            done.answer = [done.error]
            done.refused_by = getattr(answer, "refused_by", None)
            done.place = getattr(answer, "place", None)
        elif answer is not None:
            done.answer = answer
        inner = self._inner.pop(done.id, None)
        if inner is not None:  # what came of the inner call is what came of this one
            done.outcome, done.error = inner.outcome, inner.error
            done.refused_by, done.place = inner.refused_by, inner.place
        if outer is not None:
            self._inner[outer] = done
        if self.audit is not None:
            self.audit(done)


def _outcome_of(output: ToolOutput) -> Outcome:
    if output.refused_by is not None:
        return "denied" if output.refused_by in DENIED else "refused"
    if output.timed_out:
        return "timeout"
    if output.is_error:
        return "failed"
    asked = output.extra and output.extra.get("resultType") == "input_required"
    return "asked" if asked else "ok"


def _outcome_of_error(error: BaseException) -> Outcome:
    refused_by = getattr(error, "refused_by", None)
    if refused_by is not None:
        return "denied" if refused_by in DENIED else "refused"
    if isinstance(error, DeadlinePassed):
        return "timeout"
    if isinstance(error, (InvalidArguments, InvalidParams, ToolNotFound)):
        return "invalid"
    return "cancelled" if isinstance(error, asyncio.CancelledError) else "failed"


def _told(output: ToolOutput) -> str:
    """The error text that the caller got: the error of a `Result`, else the text."""
    error = (output.structured or {}).get("error")
    if isinstance(error, str):
        return error
    texts = (item["text"] for item in output.content if item.get("type") == "text")
    return next(texts, "the answer was a question" if not output.is_error else "failed")


def _words(error: BaseException) -> str:
    if isinstance(error, asyncio.CancelledError):
        return "cancelled by the client"
    return str(error) or type(error).__name__


def _fate(tool: Tool) -> str:
    """What became of a tool that was late: a thread, unlike a coroutine, cannot be stopped.

    Nor can anybody tell which threads and shielded tasks a coroutine has begun.
    """
    if tool.is_async:
        return " and was stopped; threads and tasks that it began may still run and have an effect"
    return "; it may still be running and may yet have an effect"


def _check_size(arguments: JSON) -> None:
    """Raise if the arguments are too large or nested too deeply."""
    if _are_few(arguments, _LEVELS):
        return  # as most of them are
    size = sum(map(len, arguments))
    level: Collection[Any] = arguments.values()
    for _ in range(DEEPEST_ARGUMENTS - 1):
        inner: list[Any] = []
        for value in level:
            if isinstance(value, str):
                size += len(value)
            elif isinstance(value, dict):
                size += sum(map(len, value))
                inner += value.values()
            elif isinstance(value, list):
                inner += value
            else:
                size += 8
        if size > LARGEST_ARGUMENTS:
            raise TooLarge([f"Arguments exceed {LARGEST_ARGUMENTS} characters in all"])
        if not inner:
            return
        level = inner
    raise TooLarge([f"Arguments are nested deeper than {DEEPEST_ARGUMENTS} levels"])


def _are_few(arguments: JSON, levels: int) -> bool:
    """Whether there are only a few short values, at most so many levels below each other."""
    if len(arguments) > _FEW:
        return False
    for name, value in arguments.items():
        if len(name) > _SHORT:
            return False
        if type(value) is str:
            if len(value) > _SHORT:
                return False
        elif type(value) is dict:
            if not levels or not _are_few(value, levels - 1):
                return False
        elif type(value) not in _PLAIN:
            return False
    return True
