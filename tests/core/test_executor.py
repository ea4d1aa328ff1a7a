"""`ToolExecutor` and what stands around a call: checks, clock, breaker, counts, log."""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections.abc import Callable
from typing import Any

import pytest
from pydantic import Field

from support.growth import assert_costs_at_most
from toolcrib.core import executor
from toolcrib.core.audit import FinishedCall
from toolcrib.core.declare.arguments import ToolArguments
from toolcrib.core.declare.functions import to_tool
from toolcrib.core.errors import (
    BreakerOpen,
    ConfigError,
    DeadlinePassed,
    DuplicateTool,
    ExecutionFailed,
    InvalidArguments,
    InvalidParams,
    InvalidToolSchema,
    ToolNotFound,
)
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.registry import ToolManager
from toolcrib.core.result import Result
from toolcrib.core.stats import percentile
from toolcrib.core.tool import JSON, CallContext, Tool
from toolcrib.core.workflow import SCHEMA, WorkflowStore

SCHEMA_OF_ECHO: JSON = {
    "type": "object",
    "properties": {
        "path": {"type": "string", "maxLength": 10},
        "mode": {"enum": ["fast", "slow"]},
        "count": {"type": "integer", "minimum": 1},
    },
    "required": ["path"],
    "additionalProperties": False,
}


def tool(
    run: Callable[..., Any], name: str = "echo", schema: JSON | None = None, **more: Any
) -> Tool:
    return Tool(name, "A tool", schema or {"type": "object"}, run, origin="here.py", **more)


async def echo(arguments: JSON, context: CallContext) -> Any:
    return arguments


async def crash(arguments: JSON, context: CallContext) -> Any:
    raise ValueError("token=abc123secret in /home/ann/app/config.py")


def run(executor: ToolExecutor, each: Tool, arguments: JSON | None = None) -> Any:
    return asyncio.run(executor.run(each, arguments))


def problems(arguments: JSON) -> list[str]:
    with pytest.raises(InvalidArguments) as caught:
        run(ToolExecutor(), tool(echo, schema=SCHEMA_OF_ECHO), arguments)
    return list(caught.value.problems)


def test_good_arguments_reach_the_tool() -> None:
    """K-17: arguments that fit the schema are passed on as they are."""
    output = run(ToolExecutor(), tool(echo, schema=SCHEMA_OF_ECHO), {"path": "a"})
    assert output.structured == {"path": "a"}


def test_the_names_of_the_design_document_work() -> None:
    """K-17: `execute` and `validate_arguments` beside `run`."""
    executor = ToolExecutor()
    echoing = tool(echo, schema=SCHEMA_OF_ECHO)
    assert executor.validate_arguments(echoing, {"path": "x"}) == {"path": "x"}
    output = asyncio.run(executor.execute(echoing, {"path": "x"}))
    assert output.structured == {"path": "x"}
    with pytest.raises(InvalidArguments):
        asyncio.run(executor.execute(echoing, {}))


def test_every_problem_names_the_field_the_expectation_and_the_nearest_name() -> None:
    """K-17, FAULTS: wrong type, extra argument, missing argument, all at once."""
    told = problems({"pth": "a", "mode": "fats", "count": "x"})
    assert "Missing required argument 'path': expected a string" in told
    assert "Unknown argument 'pth'; did you mean 'path'?" in told
    assert "Argument 'mode' must be one of: fast, slow; did you mean 'fast'?" in told
    assert "Argument 'count' must be an integer, got a string" in told


def test_a_limit_is_told_in_characters() -> None:
    """K-17: size limits apply, in characters."""
    assert problems({"path": "é" * 11}) == ["Argument 'path' must be at most 10 characters, got 11"]
    assert run(ToolExecutor(), tool(echo, schema=SCHEMA_OF_ECHO), {"path": "é" * 10})


def test_arguments_above_the_total_limit_are_refused() -> None:
    """K-17: what is too large in all is refused before anything runs."""
    with pytest.raises(InvalidArguments, match="exceed"):
        run(ToolExecutor(), tool(echo), {"list": ["x" * 100_000] * 30})


def test_a_tool_that_is_too_slow_is_stopped_at_its_deadline() -> None:
    """K-17: a deadline, told as such."""

    async def slow(arguments: JSON, context: CallContext) -> Any:
        await asyncio.Event().wait()

    with pytest.raises(DeadlinePassed, match=r"within 0\.05 s"):
        run(ToolExecutor(), tool(slow, deadline=0.05))


@pytest.mark.parametrize("way", ["thread", "shield"])
def test_the_deadline_tells_the_truth_about_what_an_async_tool_began(way: str) -> None:
    """K-17: a deadline tells the truth: what goes on without the tool may have its effect."""
    late, effect = threading.Event(), threading.Event()

    def work() -> None:
        late.wait(10)
        effect.set()

    async def elsewhere() -> None:
        while not late.is_set():
            await asyncio.sleep(0.001)  # no event: a thread sets it
        effect.set()

    async def slow(arguments: JSON, context: CallContext) -> Any:
        await (asyncio.to_thread(work) if way == "thread" else asyncio.shield(elsewhere()))

    async def told() -> str:
        with pytest.raises(DeadlinePassed) as caught:
            await ToolExecutor().run(tool(slow, deadline=0.05))
        assert not effect.is_set()
        late.set()
        while not effect.is_set():
            await asyncio.sleep(0.001)  # no event: a thread sets it
        return str(caught.value)

    text = asyncio.run(asyncio.wait_for(told(), 10))
    assert "was stopped; threads and tasks that it began may still run and have an effect" in text


def test_no_tool_gets_more_than_thirty_seconds() -> None:
    """K-17: 10 s by default, at most 30 s."""
    seen: list[float | None] = []

    async def look(arguments: JSON, context: CallContext) -> Any:
        await asyncio.sleep(0)
        handles = asyncio.get_running_loop()._scheduled  # type: ignore[attr-defined]
        now = asyncio.get_running_loop().time()
        seen.append(min(handle.when() - now for handle in handles))
        return None

    executor = ToolExecutor()
    run(executor, tool(look))
    run(executor, tool(look, name="long", deadline=1000))
    assert seen[0] == pytest.approx(10, abs=0.5)
    assert seen[1] == pytest.approx(30, abs=0.5)


def test_a_crash_is_told_without_secret_path_or_traceback() -> None:
    """FAULTS: a tool raises, and the text is clean."""
    with pytest.raises(ExecutionFailed) as caught:
        run(ToolExecutor(), tool(crash))
    assert str(caught.value) == "Tool echo failed: ValueError: token=*** in config.py"


class Unspeakable(Exception):
    def __str__(self) -> str:
        raise TypeError("no words")


@pytest.mark.parametrize(
    "error",
    [SystemExit(3), KeyboardInterrupt(), asyncio.CancelledError(), BaseException(), Unspeakable()],
    ids=lambda error: type(error).__name__,
)
@pytest.mark.parametrize("in_thread", [False, True])
def test_whatever_a_tool_raises_only_its_own_call_fails(
    error: BaseException, in_thread: bool
) -> None:
    """FAULTS: a tool raises: a clean text, and the process survives; K-18: a crash counts."""

    async def ends(arguments: JSON, context: CallContext) -> Any:
        raise error

    def ends_in_thread(arguments: JSON, context: CallContext) -> Any:
        raise error

    executor = ToolExecutor()
    each = tool(ends_in_thread if in_thread else ends)
    for _ in range(5):
        with pytest.raises(ExecutionFailed, match=f"Tool echo failed: {type(error).__name__}"):
            run(executor, each)
    assert executor.breaker("echo").state == "open"


def test_a_tool_with_tasks_of_its_own_fails_in_words() -> None:
    """FAULTS: a tool raises: a clean text, also when one of its tasks did."""

    async def grouped(arguments: JSON, context: CallContext) -> Any:
        async with asyncio.TaskGroup() as group:
            group.create_task(crash(arguments, context))

    with pytest.raises(ExecutionFailed, match="Tool echo failed: ExceptionGroup"):
        run(ToolExecutor(), tool(grouped))


def test_a_cancelled_call_is_neither_a_failure_nor_a_verdict() -> None:
    """K-18, FAULTS: cancel of a running call; only deadline and crash count."""
    executor = ToolExecutor()

    async def cancelled_call() -> None:
        begun = asyncio.Event()

        async def slow(arguments: JSON, context: CallContext) -> Any:
            begun.set()
            await asyncio.Event().wait()

        call = asyncio.create_task(executor.run(tool(slow)))
        await begun.wait()
        call.cancel()
        with pytest.raises(asyncio.CancelledError):
            await call

    for _ in range(6):
        asyncio.run(cancelled_call())
    assert executor.breaker("echo").state == "closed"
    assert executor.metrics()["failed_invocations"] == 0


def test_arguments_nested_too_deeply_are_refused_in_words() -> None:
    """K-17: size limits apply to depth, too, and the log bears what was sent."""
    deep: Any = 1
    for _ in range(900):
        deep = [deep]
    heard: list[Any] = []
    executor = ToolExecutor(audit=heard.append)
    with pytest.raises(InvalidArguments, match="nested deeper than 64 levels"):
        run(executor, tool(echo), {"deep": deep})
    assert (heard[0].outcome, heard[0].refused_by) == ("refused", "limit")


def test_a_hostile_argument_costs_the_log_no_time() -> None:
    """FAULTS: an answer comes within a second, also where every call is written down."""
    executor = ToolExecutor(audit=lambda done: None)
    started = time.process_time()
    for text in ("a-" * 500_000, "password" * 100_000, "a." * 500_000, "'/" * 500_000):
        run(executor, tool(echo), {"text": text})
        with pytest.raises(ExecutionFailed):
            run(executor, tool(_raiser(text), name=text[:8].replace("'", "")))
    assert_costs_at_most(time.process_time() - started, 100)


def _raiser(text: str) -> Callable[..., Any]:
    async def raises(arguments: JSON, context: CallContext) -> Any:
        raise KeyError(text)

    return raises


def test_a_plain_function_never_blocks_the_others() -> None:
    """K-10: a sync tool runs beside the event loop."""
    entered, leave = threading.Event(), threading.Event()

    def blocking(arguments: JSON, context: CallContext) -> Any:
        entered.set()
        assert leave.wait(5)
        return "done"

    async def both() -> tuple[Any, Any]:
        executor = ToolExecutor()
        first = asyncio.create_task(executor.run(tool(blocking, name="blocking")))
        while not entered.is_set():
            await asyncio.sleep(0)
        second = await executor.run(tool(echo), {"a": 1})
        leave.set()
        return await first, second

    first, second = asyncio.run(both())
    assert first.content[0]["text"] == "done"
    assert second.structured == {"a": 1}


def test_calls_at_once_have_a_context_each() -> None:
    """K-17: one context per call, concurrent calls independent."""

    async def remember(arguments: JSON, context: CallContext) -> Any:
        await asyncio.sleep(0)
        return {"tool": context.tool_name, "n": arguments["n"]}

    async def many() -> list[Any]:
        executor = ToolExecutor()
        each = [executor.run(tool(remember, name=f"t{n}"), {"n": n}) for n in range(50)]
        return await asyncio.gather(*each)

    outputs = asyncio.run(many())
    assert [o.structured for o in outputs] == [{"tool": f"t{n}", "n": n} for n in range(50)]


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


def test_five_crashes_open_the_breaker_and_a_trial_closes_it() -> None:
    """K-18: open after 5 failures in a row, half-open after 30 s with one trial."""
    clock = Clock()
    executor = ToolExecutor(clock=clock)
    for _ in range(5):
        with pytest.raises(ExecutionFailed, match="failed"):
            run(executor, tool(crash))
    with pytest.raises(BreakerOpen, match=r"tool_echo is open .* try again in 30 s"):
        run(executor, tool(echo))
    clock.now = 31
    assert executor.breaker("echo").state == "half-open"
    assert run(executor, tool(echo), {"ok": 1}).structured == {"ok": 1}
    assert executor.breaker("echo").state == "closed"


def test_a_failed_trial_opens_the_breaker_again() -> None:
    """K-18: the trial's outcome decides."""
    clock = Clock()
    executor = ToolExecutor(clock=clock)
    for _ in range(5):
        with pytest.raises(ExecutionFailed):
            run(executor, tool(crash))
    clock.now = 31
    with pytest.raises(ExecutionFailed, match="ValueError"):
        run(executor, tool(crash))
    with pytest.raises(BreakerOpen):
        run(executor, tool(crash))


def test_only_one_trial_is_let_through() -> None:
    """K-18: half-open means one trial, not a stampede."""
    clock = Clock()
    executor = ToolExecutor(clock=clock)
    breaker = executor.breaker("echo")
    for _ in range(5):
        breaker.failed()
    clock.now = 31
    assert breaker.admit()
    with pytest.raises(BreakerOpen, match="running trial"):
        breaker.admit()
    breaker.abandoned()
    assert breaker.admit()


def test_a_call_from_before_says_nothing_about_the_trial() -> None:
    """K-18: one trial, also when a call that was let in earlier is cancelled meanwhile."""
    clock = Clock()
    executor = ToolExecutor(clock=clock)
    begun = asyncio.Event()

    async def slow(arguments: JSON, context: CallContext) -> Any:
        begun.set()
        await asyncio.Event().wait()

    async def main() -> None:
        early = asyncio.create_task(executor.run(tool(slow)))
        await begun.wait()
        for _ in range(5):
            executor.breaker("echo").failed()
        clock.now = 31
        assert executor.breaker("echo").admit()
        early.cancel()
        await asyncio.wait([early])
        with pytest.raises(BreakerOpen, match="running trial"):
            await executor.run(tool(echo))

    asyncio.run(main())


def test_what_the_caller_did_wrong_never_opens_the_breaker() -> None:
    """K-18: bad arguments and returned failures do not count; deadline and crash do."""

    async def refuse(arguments: JSON, context: CallContext) -> Any:
        raise ConfigError("not configured")

    async def failed(arguments: JSON, context: CallContext) -> Any:
        return Result.failure("no")

    executor = ToolExecutor()
    for _ in range(7):
        with pytest.raises(InvalidArguments):
            run(executor, tool(echo, name="a", schema=SCHEMA_OF_ECHO), {})
        with pytest.raises(ExecutionFailed, match="not configured"):
            run(executor, tool(refuse, name="b"))
        assert run(executor, tool(failed, name="c")).is_error
    assert [executor.breaker(name).state for name in "abc"] == ["closed"] * 3


def test_statistics_count_by_tool_and_by_outcome() -> None:
    """K-19: invocations, failures (returned ones too), timeouts, refusals, percentiles, breaker."""

    async def slow(arguments: JSON, context: CallContext) -> Any:
        await asyncio.Event().wait()

    async def failed(arguments: JSON, context: CallContext) -> Any:
        return Result.failure("no")

    executor = ToolExecutor()
    run(executor, tool(echo))
    run(executor, tool(failed, name="failing"))
    with pytest.raises(DeadlinePassed):
        run(executor, tool(slow, name="slow", deadline=0.01))
    for _ in range(5):
        executor.breaker("resting").failed()
    with pytest.raises(BreakerOpen):
        run(executor, tool(echo, name="resting"))
    seen = executor.metrics()
    assert seen["total_invocations"] == 4
    assert seen["failed_invocations"] == 2
    assert (seen["timeout_count"], seen["refused_count"]) == (1, 1)
    assert seen["tools"]["failing"]["failures"] == 1
    assert seen["tools"]["slow"]["p50_ms"] >= 10
    assert seen["tools"]["resting"]["breaker"] == "open"
    assert seen["tools"]["resting"]["p99_ms"] == 0


def test_a_percentile_is_a_value_that_was_measured() -> None:
    """K-19: p50, p95, p99 by nearest rank."""
    hundred = list(range(1, 101))
    assert [percentile(hundred, share) for share in (0.5, 0.95, 0.99)] == [50, 95, 99]
    assert percentile([1, 2], 0.5) == 1
    assert percentile([7], 0.99) == 7


def test_the_log_has_sanitised_arguments_tool_duration_and_outcome(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """K-17: long strings cut with their length, values of secret-looking keys masked."""
    given = {
        "text": "x" * 150,
        "api_key": "hunter2",
        "nested": {"password": "p"},
        "passwordAgain": "hunter2",
        "note": "password=hunter2 " * 10,
    }
    with caplog.at_level(logging.INFO, "toolcrib.calls"):
        run(ToolExecutor(), tool(echo), given)
    line = caplog.messages[-1]
    assert line.startswith("echo ok ")
    assert "x" * 100 + "... [150 chars]" in line and "x" * 101 not in line
    assert "hunter2" not in line and "'password': '***'" in line


def test_an_audit_hears_of_every_call() -> None:
    """S-9: who, what, outcome, duration."""
    heard: list[FinishedCall] = []
    executor = ToolExecutor(audit=heard.append)
    run(executor, tool(echo), {"token": "t"})
    (done,) = heard
    assert (done.context.caller, done.name, done.outcome) == ("local", "echo", "ok")
    assert done.arguments == {"token": "***"} and done.milliseconds > 0 and done.parent is None


def test_a_workflow_fills_in_what_its_prompt_was_told_and_keeps_the_results() -> None:
    """K-20: a call with a handle may leave out what the prompt's arguments already gave."""
    executor = ToolExecutor()
    flow = executor.workflows.mint("guided", {"code": "x = 1"})
    schema = {
        "type": "object",
        "properties": {"code": {"type": "string"}, "workflow": SCHEMA},
        "required": ["code"],
    }
    output = run(executor, tool(echo, schema=schema), {"workflow": flow.session_id})
    assert output.structured["code"] == "x = 1"
    kept = executor.workflows.get(flow.session_id).tool_results["echo"]
    assert kept["code"] == "x = 1"
    with pytest.raises(InvalidParams, match="Unknown or expired workflow: wf_gone"):
        run(executor, tool(echo, schema=schema), {"workflow": "wf_gone"})
    with pytest.raises(InvalidArguments, match="code"):
        run(executor, tool(echo, schema=schema), {})


def test_another_meaning_of_workflow_is_left_to_the_tool() -> None:
    """K-20: any tool that declares it accepts a handle; a file name is none."""
    schema = {"type": "object", "properties": {"workflow": {"type": "string"}}}
    output = run(ToolExecutor(), tool(echo, schema=schema), {"workflow": "ci.yml"})
    assert output.structured["workflow"] == "ci.yml"


class Next(ToolArguments):
    workflow: str | None = Field(default=None, description="Handle")
    topic: str = Field(description="What it is about")


def test_a_tool_of_a_team_s_own_reads_earlier_results() -> None:
    """K-20: any tool that declares it; earlier results are readable."""

    def step(args: Next, ctx: CallContext) -> dict[str, object]:
        return {"topic": args.topic, "before": list(ctx.workflow.tool_results)}

    executor = ToolExecutor()
    flow = executor.workflows.mint("guided", {"topic": "money", "other": 1})
    executor.workflows.remember(flow, "search", {"hits": 3})
    seen = flow.tool_results
    output = run(executor, to_tool(step), {"workflow": flow.session_id})
    assert output.structured == {"topic": "money", "before": ["search"]}
    assert list(seen) == ["search"], "what is being read never changes under the reader"
    assert list(flow.tool_results) == ["search", "step"]


def test_workflows_are_bounded_in_number_size_and_age() -> None:
    """K-20: kept in memory, bounded; an expired handle is a clear error."""
    clock = Clock()
    store = WorkflowStore(most=2, largest=1000, clock=clock)
    first, second, third = (store.mint("p", {"n": n}) for n in range(3))
    with pytest.raises(InvalidParams):
        store.get(first.session_id)
    store.remember(second, "big", "x" * 5000)
    assert second.tool_results["big"] == "(too large to keep)"
    for n in range(20):
        store.remember(third, f"t{n}", "x" * 200)
    assert 0 < len(third.tool_results) < 6 and "t19" in third.tool_results
    clock.now = 3601
    with pytest.raises(InvalidParams, match="60 minutes"):
        store.get(third.session_id)
    store.mint("p", {})
    assert len(store._contexts) == 1


def test_the_catalog_is_sorted_and_names_the_nearest() -> None:
    """K-16: deterministic lists; an unknown name brings the nearest."""
    manager = ToolManager()
    for name in ("zebra", "apple", "mango"):
        manager.register_tool(tool(echo, name=name))
    assert [each.name for each in manager.list_tools()] == ["apple", "mango", "zebra"]
    assert asyncio.run(manager.execute_tool("apple", {"a": 1})).structured == {"a": 1}
    assert manager.get_performance_metrics()["total_invocations"] == 1
    with pytest.raises(ToolNotFound, match="did you mean 'apple'"):
        manager.get_tool("aple")


def test_two_tools_of_one_name_are_an_error_that_names_both() -> None:
    """K-16: duplicate names are an error that names both origins."""
    manager = ToolManager()
    manager.register_tool(tool(echo))
    with pytest.raises(DuplicateTool, match=r"one from here\.py, one from there\.py"):
        manager.register_tool(Tool("echo", "", {"type": "object"}, echo, origin="there.py"))


def test_a_registry_read_while_it_is_written_is_always_whole() -> None:
    """K-16: safe under concurrency."""
    manager = ToolManager()
    threads = [
        threading.Thread(target=manager.register_tool, args=(tool(echo, name=f"t{n}"),))
        for n in range(40)
    ]
    for thread in threads:
        thread.start()
        manager.list_tools()
    for thread in threads:
        thread.join()
    assert len(manager) == 40


@pytest.mark.parametrize(
    ("name", "schema", "reason"),
    [
        ("has space", {"type": "object"}, "is not 1 to 128"),
        ("", {"type": "object"}, "is not 1 to 128"),
        ("ok", {"type": "array"}, "type 'object' at its root"),
        ("ok", {"type": "object", "properties": {"a": {"type": "strin"}}}, "not valid JSON Schema"),
        ("ok", {"type": "object", "properties": {"a": {"$ref": "http://x.example/y"}}}, "outside"),
        ("ok", {"type": "object", "properties": {"a": {"pattern": "("}}}, "not valid JSON Schema"),
    ],
)
def test_a_definition_that_cannot_be_served_is_refused(
    name: str, schema: JSON, reason: str
) -> None:
    """K-15: checked at registration; -32004."""
    with pytest.raises(InvalidToolSchema, match=reason) as caught:
        ToolManager().register_tool(tool(echo, name=name, schema=schema))
    assert caught.value.rpc_code == -32004


def test_one_bad_definition_never_costs_the_others() -> None:
    """K-15: the others are still served, and it is said which was refused."""
    manager = ToolManager()
    bad = tool(echo, name="bad", schema={"type": "array"})
    refused = manager.replace([(tool(echo, name="good"), False), (bad, False)])
    assert [each.name for each in manager.list_tools()] == ["good"]
    assert "'bad'" in str(refused[0])


def test_a_hostile_pattern_in_a_schema_takes_no_time() -> None:
    """FAULTS: a pattern with catastrophic backtracking runs in linear time."""
    schema = {"type": "object", "properties": {"a": {"type": "string", "pattern": "^(a+)+$"}}}
    started = time.process_time()
    with pytest.raises(InvalidArguments):
        run(ToolExecutor(), tool(echo, schema=schema), {"a": "a" * 5000 + "!"})
    assert_costs_at_most(time.process_time() - started, 100)


def _most(levels: int) -> dict[str, Any]:
    """As many arguments as count for few, each as long as it may be."""
    names = [f"{number:0{executor._SHORT}}" for number in range(executor._FEW)]
    return {name: _most(levels - 1) if levels else "x" * executor._SHORT for name in names}


def test_what_counts_for_few_arguments_is_never_too_large() -> None:
    """K-17: the short way past the measuring lets nothing through that would be refused."""
    most = _most(executor._LEVELS)
    assert executor._are_few(most, executor._LEVELS)
    assert len(json.dumps(most)) < executor.LARGEST_ARGUMENTS
    assert not executor._are_few({"a": {"b": {"c": {"d": 1}}}}, executor._LEVELS)
    assert not executor._are_few({"a": [1]}, executor._LEVELS)
