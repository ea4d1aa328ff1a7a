"""Asking a person: how long a question stays open, where, and how often it can be answered."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from toolcrib.core.errors import MethodFailed
from toolcrib.core.expiring import ExpiringEntries
from toolcrib.core.tool import CallContext, Tool, ToolOutput
from toolcrib.packs.guide.state.postgres import PostgresStore
from toolcrib.policy.approval_store import FileApprovals, approvals_of
from toolcrib.policy.approvals import Approver

FORM = {"elicitation": {"form": {}}}


@pytest.fixture(autouse=True)
def state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TOOLCRIB_STATE", str(tmp_path / "state"))


class Clock:
    """A clock that is set by hand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


def tool(name: str = "deploy") -> Tool:
    async def run(arguments: dict[str, Any], context: CallContext) -> ToolOutput:
        return ToolOutput([])

    return Tool(name=name, description="Deploy", input_schema={"type": "object"}, run=run)


def asked(approver: Approver, context: CallContext, of: Tool | None = None, **args: Any) -> Any:
    return asyncio.run(approver(of or tool(), args, context))


def context(**more: Any) -> CallContext:
    return CallContext(caller="ada", era="modern", capabilities=FORM, **more)


def answer(question: ToolOutput, decision: str = "once") -> CallContext:
    accepted = {"action": "accept", "content": {"decision": decision}}
    return context(
        request_state=question.extra["requestState"], input_responses={"approval": accepted}
    )


def test_a_question_is_answered_within_five_minutes_and_once() -> None:
    """T-19: five minutes, single-use."""
    clock = Clock()
    approver = Approver("always", FileApprovals("/r"), "/r", clock=clock)
    question = asked(approver, context())
    clock.now += 300
    assert asked(approver, answer(question)) is None
    with pytest.raises(MethodFailed, match="requestState"):
        asked(approver, answer(question))
    late = asked(approver, context())
    clock.now += 301
    with pytest.raises(MethodFailed, match="requestState"):
        asked(approver, answer(late))
    clock.now -= 3600
    with pytest.raises(MethodFailed, match="requestState"):
        asked(approver, answer(late))


def test_an_answer_belongs_to_its_call() -> None:
    """FAULTS: another tool's state, or changed arguments: refused, and not used up by that."""
    approver = Approver("always", FileApprovals("/r"), "/r")
    question = asked(approver, context(), stage="test")
    for wrong in ({"stage": "live"}, {}):
        with pytest.raises(MethodFailed, match="requestState"):
            asked(approver, answer(question), **wrong)
    with pytest.raises(MethodFailed, match="requestState"):
        asked(approver, answer(question), tool("destroy"), stage="test")
    assert asked(approver, answer(question), stage="test") is None


def test_without_a_shared_store_an_answer_is_good_only_where_it_was_asked() -> None:
    """R-1: another replica cannot know whether it was used."""
    one, two = (Approver("always", FileApprovals("/r"), "/r") for _ in range(2))
    question = asked(one, context())
    with pytest.raises(MethodFailed, match="requestState"):
        asked(two, answer(question))
    assert asked(one, answer(question)) is None


def test_with_a_shared_store_any_replica_takes_the_answer_and_one_alone(clean: str) -> None:
    """R-1: an approval's nonce is spent in the PostgreSQL store."""

    def replica() -> Approver:
        entries: ExpiringEntries = PostgresStore(clean).expiring("shop")
        return Approver("always", approvals_of("/r", entries), "/r", entries=entries)

    one, two = replica(), replica()
    question = asked(one, context())
    assert asked(two, answer(question)) is None
    for each in (one, two):
        with pytest.raises(MethodFailed, match="requestState"):
            asked(each, answer(question))
    silent = CallContext(caller="ada", era="modern")
    refused = asked(one, silent)
    number = refused.structured["id"]
    entries = PostgresStore(clean).expiring("shop")
    approvals_of("/r", entries).approve(number)
    assert asked(two, silent) is None
    assert asked(one, silent).structured["error_type"] == "approval"


@pytest.mark.parametrize("behind", [-59, 59])
def test_clocks_of_replicas_may_differ_a_little(clean: str, behind: int) -> None:
    """R-1: an answer that comes sooner than the clocks agree is none from the future."""
    clocks = (Clock(), Clock())
    one, two = (
        Approver(
            "always",
            approvals_of("/r", entries := PostgresStore(clean).expiring("shop")),
            "/r",
            entries=entries,
            clock=clock,
        )
        for clock in clocks
    )
    clocks[1].now -= behind
    question = asked(one, context())
    assert asked(two, answer(question)) is None
    with pytest.raises(MethodFailed, match="requestState"):
        asked(one, answer(question))


def test_the_message_shows_what_will_run_and_no_secret() -> None:
    """T-19: tool, argument list, folder, network; redacted."""
    question = asked(
        Approver("always", FileApprovals("/r"), "/r"), context(), password="hunter2-hunter2"
    )
    params = question.extra["inputRequests"]["approval"]["params"]
    assert "deploy" in params["message"] and "in /r" in params["message"]
    assert "hunter2" not in json.dumps(params)


def test_a_memory_full_of_answers_refuses_further_ones() -> None:
    """T-19: bounded, and closed rather than open when it is full."""
    from toolcrib.core.expiring import MemoryEntries

    entries = MemoryEntries()
    spent = sum(entries.spend("approval-nonce", str(each), 60) for each in range(10_001))
    assert spent == 10_000
