"""Several replicas on one PostgreSQL, with faults on the way to it (R-1, R-3, R-4, R-6)."""

from __future__ import annotations

import json
import shutil
import statistics
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import psycopg
import pytest

from support.clock import assert_within
from support.pipe import ENVELOPE
from support.replica import Replica
from support.waiting import until

SHOP = Path(__file__).parents[2] / "examples" / "shop"


SECRET = "of-all-replicas-" * 4


def project_on(folder: Path, name: str, url: str) -> Path:
    made = folder / name
    shutil.copytree(SHOP, made)
    settings = made / "toolcrib.toml"
    text = settings.read_text()
    told = f'store = "{url}"\nproject = "shop"\n'
    text = text.replace("[guide]\n", f"[guide]\n{told}") if "[guide]" in text else text
    settings.write_text(text if told in text else f"{text}\n[guide]\n{told}")
    return made


@pytest.fixture
def replicas(tmp_path: Path, link: Any, clean: str):
    """One whose way to the database can be disturbed, and one with a way of its own."""
    env = {"TOOLCRIB_STATE": str(tmp_path / "state"), "TOOLCRIB_SECRET": SECRET}
    far = Replica(project_on(tmp_path, "far", link.url), env=env)
    near = Replica(project_on(tmp_path, "near", clean), env=env)
    with far, near:
        yield far, near
    link.heal()


def set_flag(replica: Replica, value: str) -> Any:
    return replica.call("guide_set_project_flag", {"name": "x", "value": value})


def flag(replica: Replica) -> Any:
    found = replica.call("guide_get_project_flag", {"name": "x"})
    assert not found["isError"], found
    return found["structuredContent"].get("value")


def test_a_write_that_was_refused_never_overwrites_a_newer_one(replicas, link):
    """R-3: the acknowledged write of another replica stands when the link heals."""
    far, near = replicas
    assert not set_flag(far, "first")["isError"]
    assert flag(near) == "first"
    link.hang()
    refused = set_flag(far, "old")
    assert refused["isError"] is True
    assert "may or may not" not in refused["content"][0]["text"]
    assert not set_flag(near, "new")["isError"]
    link.heal()
    assert flag(far) == "new"
    assert flag(near) == "new"


@pytest.mark.timing
def test_a_hanging_store_holds_up_only_those_who_need_it(replicas, link):
    """R-4: with 200 hanging store calls, calls without a store have no error and stay quick."""
    far, _ = replicas
    set_flag(far, "first")
    wanted = [
        ("guide_rules_for_path", {"path": "README.md"}),
        ("search-architecture", {"query": "orders"}),
    ]

    def spent(rounds: int) -> list[float]:
        found = []
        for _ in range(rounds):
            for tool, arguments in wanted:
                started = time.perf_counter()
                assert not far.call(tool, arguments)["isError"]
                found.append(time.perf_counter() - started)
        return found

    spent(5)
    quiet = spent(15)
    link.hang()
    with ThreadPoolExecutor(200) as clients:
        hanging = [clients.submit(set_flag, far, "old") for _ in range(200)]
        hung = spent(15)
        done = [each.result() for each in hanging]
    # The processor is shared with two hundred clients here: a ratio of medians, and no stall.
    assert statistics.median(hung) < max(10 * statistics.median(quiet), 0.5)
    assert_within(3, max(hung))
    kinds = [each["structuredContent"]["error_type"] for each in done]
    assert all(each["isError"] for each in done)
    assert 0 < kinds.count("busy") <= 120  # 16 run and 64 wait
    link.heal()
    healed = time.monotonic()
    until(lambda: not set_flag(far, "back")["isError"], 30)
    assert_within(10, time.monotonic() - healed)
    assert flag(far) == "back"


def test_documents_are_served_while_the_store_is_away(replicas, link):
    """R-4: content needs its categories: those that the store named last are used."""
    far, near = replicas
    added = near.call(
        "guide_category_add", {"name": "specs", "dir": "mcp/resources", "patterns": ["**/*.md"]}
    )
    assert not added["isError"], added
    # On a busy machine the store may count as away already: then the last names are used.
    until(lambda: not far.call("guide_get_content", {"expression": "specs"})["isError"], 30)
    before = far.call("guide_get_content", {"expression": "specs"})
    assert not before["isError"], (before, far.log)
    link.hang()
    after = far.call("guide_get_content", {"expression": "specs"})
    assert not after["isError"], after
    assert after["structuredContent"]["value"] == before["structuredContent"]["value"]


def listens(url: str) -> bool:
    """Whether a connection for news stands: it has looked at the counters, and waits."""
    with psycopg.connect(url) as connection:
        found = connection.execute(
            "SELECT count(*) FROM pg_stat_activity WHERE application_name = 'toolcrib' "
            "AND query LIKE '%toolcrib_changes%' AND state = 'idle' AND pid <> pg_backend_pid()"
        )
        return bool(found.fetchone()[0])


@pytest.mark.timing
def test_a_category_added_through_one_replica_is_announced_by_every_other(replicas, clean):
    """R-6: within 2 s, in both eras."""
    far, near = replicas
    session = far.session()
    listed = {"jsonrpc": "2.0", "id": 2, "method": "resources/list", "params": {}}
    assert far.post(listed, {"Mcp-Session-Id": session})[0] == 200
    heard: list[str] = []
    told = threading.Event()
    with far.stream(session) as events:

        def listen() -> None:
            for event in events:
                heard.append(event.get("method", ""))
                if heard[-1] == "notifications/resources/list_changed":
                    told.set()
                    return

        threading.Thread(target=listen, daemon=True).start()
        until(lambda: listens(clean), 30)
        assert not told.is_set()
        near.call(
            "guide_category_add", {"name": "specs", "dir": "mcp/resources", "patterns": ["**/*.md"]}
        )
        added = time.monotonic()
        assert told.wait(30), heard
        assert_within(2, time.monotonic() - added)
    uris = [each["uri"] for each in far.modern("resources/list", {})["result"]["resources"]]
    assert any(uri.startswith("guide://specs/") for uri in uris)


def begun(replica: Replica) -> str:
    """The handle of a workflow that was begun there."""
    for prompt in replica.modern("prompts/list", {})["result"]["prompts"]:
        given = {each["name"]: "orders" for each in prompt.get("arguments", [])}
        got = replica.modern("prompts/get", {"name": prompt["name"], "arguments": given})
        if "wf_" in str(got):
            return "wf_" + str(got).split("wf_", 1)[1][:32]
    raise AssertionError("no prompt names a handle")


def test_a_workflow_and_a_session_outlive_a_replica_that_is_killed(replicas):
    """FAULTS: kill -9 of one of N: sessions and handles go on elsewhere."""
    far, near = replicas
    handle, session = begun(far), far.session()
    far.process.kill()
    far.process.wait()
    found = near.call("search-architecture", {"query": "orders", "workflow": handle})
    assert not found["isError"], found
    listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
    assert near.post(listed, {"Mcp-Session-Id": session})[0] == 200


def test_a_replica_with_another_secret_takes_over_nothing_that_was_sealed(
    replicas, clean, tmp_path
):
    """R-1, R-2: a session of another secret is an unknown one; a handle lives in the store."""
    far, near = replicas
    env = {"TOOLCRIB_STATE": str(tmp_path / "state"), "TOOLCRIB_SECRET": SECRET[::-1]}
    listed = {"jsonrpc": "2.0", "id": 2, "method": "tools/list", "params": {}}
    with Replica(project_on(tmp_path, "wrong", clean), env=env) as wrong:
        session = far.session()
        unknown = wrong.post(listed, {"Mcp-Session-Id": "A" * len(session)})
        assert wrong.post(listed, {"Mcp-Session-Id": session}) == unknown
        assert unknown[0] == 404
        assert near.post(listed, {"Mcp-Session-Id": session})[0] == 200
        arguments = {"query": "orders", "workflow": begun(far)}
        assert not wrong.call("search-architecture", arguments)["isError"]


def test_a_workflow_of_one_replica_is_known_to_the_other(replicas):
    """R-1, K-20: any replica carries on with it; an unknown handle is still an error."""
    far, near = replicas
    handle = begun(far)
    found = near.call("search-architecture", {"query": "orders", "workflow": handle})
    assert not found["isError"], found
    unknown = near.modern(
        "tools/call",
        {"name": "search-architecture", "arguments": {"query": "x", "workflow": "wf_" + "0" * 32}},
    )
    assert "Unknown or expired workflow" in str(unknown)


def test_a_prompt_is_answered_without_a_handle_while_the_store_is_away(replicas, link):
    """R-1: and says so."""
    far, _ = replicas
    set_flag(far, "first")
    link.hang()
    got = far.modern("prompts/list", {})["result"]["prompts"]
    texts = []
    for prompt in got:
        given = {each["name"]: "orders" for each in prompt.get("arguments", [])}
        texts.append(str(far.modern("prompts/get", {"name": prompt["name"], "arguments": given})))
    assert any("no handle: the store cannot be reached" in text for text in texts)
    assert not any("wf_" in text for text in texts)


def readiness(replica: Replica) -> tuple[int, str, Any]:
    """Status, the word, and what is said of the store."""
    status, _, body = replica.request("GET", "/readyz", None, {})
    told = json.loads(body)
    return status, told["status"], told["checks"].get("store")


@pytest.mark.timing
def test_a_store_that_falls_silent_is_told_by_the_health_route(replicas, link):
    """R-7: degraded within 10 s, and still 200; ready again once it answers."""
    far, near = replicas
    until(lambda: readiness(far)[1] == "ready" and readiness(near)[1] == "ready", 60)
    link.hang()
    hung = time.monotonic()
    until(lambda: readiness(far)[1] == "degraded", 60)
    assert_within(10, time.monotonic() - hung)
    status, _, store = readiness(far)
    assert (status, store["ok"]) == (200, False) and store["why"]
    assert readiness(near)[1] == "ready"
    link.heal()
    until(lambda: readiness(far)[1] == "ready", 60)


def test_where_the_store_is_needed_its_silence_is_no_readiness(link, clean, tmp_path):
    """R-7: [http] ready_needs_store = true: 503 until it answers."""
    env = {"TOOLCRIB_STATE": str(tmp_path / "s"), "TOOLCRIB_HTTP_READY_NEEDS_STORE": "true"}
    with Replica(project_on(tmp_path, "strict", link.url), env=env) as strict:
        until(lambda: readiness(strict)[0] == 200, 60)
        link.hang()
        until(lambda: readiness(strict)[0] == 503, 60)
        link.heal()
        until(lambda: readiness(strict)[0] == 200, 60)


def test_what_replicas_would_have_to_share_is_told_once_at_the_start(clean, tmp_path):
    """R-1: a PostgreSQL store without a secret, and without a name of the project."""
    project = project_on(tmp_path, "alone", clean)
    settings = project / "toolcrib.toml"
    settings.write_text(settings.read_text().replace('project = "shop"\n', ""))
    with Replica(project, env={"TOOLCRIB_STATE": str(tmp_path / "s")}) as alone:
        said = [line for line in alone.log if "TOOLCRIB_SECRET" in line]
        named = [line for line in alone.log if "[guide] project" in line]
    assert (len(said), len(named)) == (1, 1)
    with Replica(
        project_on(tmp_path, "whole", clean),
        env={"TOOLCRIB_STATE": str(tmp_path / "s"), "TOOLCRIB_SECRET": SECRET},
    ) as whole:
        assert not [line for line in whole.log if "TOOLCRIB_SECRET" in line or "[guide]" in line]


CLEARS = """
name: stock
command: touch
tools:
  - name: clear
    description: Clear the stock
    command: cleared
    annotations: {destructiveHint: true}
"""
FORMS = {**ENVELOPE, "io.modelcontextprotocol/clientCapabilities": {"elicitation": {}}}


def asks_first(folder: Path, name: str, url: str) -> Path:
    """A project with a tool that a person has to approve."""
    made = folder / name
    made.mkdir()
    (made / "stock.yaml").write_text(CLEARS)
    (made / "toolcrib.toml").write_text(
        f'[guide]\nstore = "{url}"\nproject = "shop"\n'
        '[climax]\nconfigs = ["stock.yaml"]\napprove = "always"\n'
    )
    return made


def cleared(replica: Replica, **more: Any) -> Any:
    """The answer to a call of that tool."""
    params = {"name": "climax_call", "arguments": {"tool_name": "clear", "args": {}}}
    message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    message["params"] = {**params, **more, "_meta": FORMS}
    headers = {"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call"}
    return json.loads(replica.post(message, {**headers, "Mcp-Name": "climax_call"})[1])


def test_what_one_replica_asked_a_person_is_answered_at_another_once(clean, tmp_path):
    """R-1, T-19: an approval is good at every replica, and its nonce is spent in the store."""
    env = {"TOOLCRIB_STATE": str(tmp_path / "state"), "TOOLCRIB_SECRET": SECRET}
    with (
        Replica(asks_first(tmp_path, "one", clean), env=env) as one,
        Replica(asks_first(tmp_path, "two", clean), env=env) as two,
    ):
        asked = cleared(one)["result"]
        assert asked["resultType"] == "input_required", asked
        (name,) = asked["inputRequests"]
        yes = {name: {"action": "accept", "content": {"decision": "once"}}}
        answer = {"requestState": asked["requestState"], "inputResponses": yes}
        done = cleared(two, **answer)["result"]
        assert not done.get("isError"), done
        assert (tmp_path / "two" / "cleared").exists()
        assert not (tmp_path / "one" / "cleared").exists()
        for replica in (one, two):
            assert cleared(replica, **answer)["error"]["code"] == -32602
        assert not (tmp_path / "one" / "cleared").exists()
