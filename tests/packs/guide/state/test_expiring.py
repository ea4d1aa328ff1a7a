"""Entries that live for a while: in memory and in PostgreSQL alike (K-20, R-1)."""

from __future__ import annotations

import asyncio
import threading
import time

import pytest

from toolcrib.core.errors import InvalidParams
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.expiring import MemoryEntries
from toolcrib.core.tool import CallContext, Tool
from toolcrib.core.workflow import SCHEMA, WorkflowStore
from toolcrib.packs.guide.state.postgres import PostgresStore


@pytest.fixture(params=["memory", "postgres"])
def entries(request):
    if request.param == "memory":
        return MemoryEntries()
    return PostgresStore(request.getfixturevalue("clean")).expiring("p")


def add(entries, name, value, owner="ada", seconds=60.0, most=10, kind="approval"):
    entries.add(kind, name, value, owner=owner, seconds=seconds, most=most)


def test_an_entry_belongs_to_its_owner_and_kind(entries):
    """R-1: of another caller it is as good as unknown."""
    add(entries, "x", {"n": [1, "é"]})
    assert entries.get("approval", "x", "ada") == {"n": [1, "é"]}
    assert entries.get("approval", "x", "bob") is None
    assert entries.get("workflow", "x", "ada") is None
    assert entries.change("approval", "x", "bob", lambda value: 1) is False
    assert entries.change("approval", "x", "ada", lambda value: {"n": len(value["n"])}) is True
    assert entries.get("approval", "x", "ada") == {"n": 2}
    assert entries.drop("approval", "x") is True
    assert entries.drop("approval", "x") is False


def test_the_oldest_go_and_the_expired_are_gone(entries):
    """K-20: bounded in number and age."""
    for n in range(4):
        add(entries, f"n{n}", n, most=3, owner="ada" if n % 2 else "bob")
    assert entries.all("approval") == {"n1": 1, "n2": 2, "n3": 3}
    assert entries.all("approval", "ada") == {"n1": 1, "n3": 3}
    add(entries, "brief", 1, seconds=0.05)
    end = time.monotonic() + 10
    while entries.get("approval", "brief", "ada") is not None:
        assert time.monotonic() < end
    assert "brief" not in entries.all("approval")


def test_a_nonce_is_spent_once_whoever_comes(entries):
    """R-1: an approval's nonce is good once, at one replica."""
    won = []

    def spend():
        if entries.spend("nonce", "n1", 60):
            won.append(threading.get_ident())

    threads = [threading.Thread(target=spend) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(won) == 1
    assert entries.spend("nonce", "n2", 60) is True


def test_projects_share_nothing(clean):
    """R-1: bound to the project."""
    one, two = (PostgresStore(clean).expiring(name) for name in ("a", "b"))
    add(one, "x", 1)
    assert two.get("approval", "x", "ada") is None
    assert two.spend("approval", "x", 60) is True


async def echo(arguments, context):
    return {"code": arguments["code"], "before": sorted(context.workflow.tool_results)}


def test_a_workflow_begun_at_one_replica_is_carried_on_at_another(clean):
    """R-1, K-20: handles live in the store, and are bound to their caller."""
    replicas = []
    for _ in range(2):
        workflows = WorkflowStore()
        workflows.entries = PostgresStore(clean).expiring("shop")
        replicas.append(ToolExecutor(workflows=workflows))
    schema = {
        "type": "object",
        "properties": {"code": {"type": "string"}, "workflow": SCHEMA},
        "required": ["code"],
    }
    one, two = (Tool(name, "x", schema, echo) for name in ("one", "two"))
    handle = replicas[0].workflows.mint("guided", {"code": "x = 1"}, "ada").session_id

    def call(replica, tool, caller):
        context = CallContext(caller=caller)
        return asyncio.run(replica.run(tool, {"workflow": handle}, context)).structured

    assert call(replicas[1], one, "ada") == {"code": "x = 1", "before": []}
    assert call(replicas[0], two, "ada") == {"code": "x = 1", "before": ["one"]}
    assert call(replicas[1], one, "ada") == {"code": "x = 1", "before": ["one", "two"]}
    with pytest.raises(InvalidParams, match="Unknown or expired workflow"):
        call(replicas[0], one, "bob")


def test_workflows_of_a_project_stay_bounded_in_the_store(clean):
    """K-20: the bounds are those of the memory."""
    store = WorkflowStore(most=3, largest=1000)
    store.entries = PostgresStore(clean).expiring("shop")
    made = [store.mint("p", {"n": n}) for n in range(5)]
    with pytest.raises(InvalidParams, match="in the store"):
        store.get(made[1].session_id)
    for n in range(10):
        store.remember(made[4], f"t{n}", "x" * 300)
    kept = store.get(made[4].session_id)
    assert "t9" in kept.tool_results
    assert len(kept.tool_results) < 5
    assert kept.prompt_args == {"n": 4}
