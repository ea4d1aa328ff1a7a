"""The architecture pack served alone, by a real process over a real pipe, in both eras."""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import re
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from mcp import Client as SdkClient

from support.clock import assert_within
from support.pipe import ENVELOPE, Pipe, toolcrib
from support.waiting import until

FILES = {
    "adr/0001-use-a-cache.md": "# 1. Use a cache\n\n## Status\n\nAccepted\n\n"
    "## Context\n\nReads are slow.\n",
    "adr/0002-a.md": "# 2. A\n\n## Status\n\nAccepted\n",
    "adr/0002-b.md": "# 2. B\n\n## Status\n\nAccepted\n",
    "patterns/repository-pattern.md": "# Repository pattern\n\nKeep SQL in one place.\n",
    "guidelines/http.md": "# HTTP\n\nUse a cache header.\n",
}


class Client:
    """A client of one era."""

    def __init__(self, pipe: Pipe, modern: bool) -> None:
        self.pipe = pipe
        self.modern = modern

    def result(self, method: str, **params: Any) -> Any:
        return self.pipe.result(method, params, self.modern)

    def error(self, method: str, **params: Any) -> Any:
        return self.pipe.error(method, params, self.modern)

    def call(self, name: str, **arguments: Any) -> Any:
        return self.result("tools/call", name=name, arguments=arguments)

    def listen(self, *uris: str) -> None:
        """Ask for every notification, and for those of some resources."""
        if not self.modern:
            for uri in uris:
                self.result("resources/subscribe", uri=uri)
            return
        wanted = {"resourcesListChanged": True, "promptsListChanged": True}
        params = {
            "notifications": {**wanted, "resourceSubscriptions": list(uris)},
            "_meta": ENVELOPE,
        }
        self.pipe.post(
            {"jsonrpc": "2.0", "id": "watch", "method": "subscriptions/listen", "params": params}
        )
        assert self.pipe.receive()["method"] == "notifications/subscriptions/acknowledged"

    def notified(self, method: str, within: float = 10.0) -> dict[str, Any]:
        """The next notification of that kind."""
        end = time.monotonic() + within
        while time.monotonic() < end:
            message = self.pipe.receive(end - time.monotonic())
            if message.get("method") == f"notifications/{method}":
                return message.get("params", {})  # type: ignore[no-any-return]
        raise queue.Empty

    def wait_for_the_watch(self, file: Path) -> None:
        """It begins in the background: write until somebody notices."""
        for number in range(40):
            file.write_text(f"# HTTP\n\nTry {number}.\n")
            try:
                self.notified("resources/updated", within=0.5)
            except queue.Empty:
                continue
            return
        raise AssertionError("nobody watches")


def furnish(project: Path) -> Path:
    for name, text in FILES.items():
        path = project / "mcp" / "resources" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return project


def serve(project: Path, modern: bool) -> Iterator[Client]:
    with Pipe(toolcrib("serve", "architecture"), cwd=project) as pipe:
        if not modern:
            pipe.initialize()
        yield Client(pipe, modern)


@pytest.fixture
def project(tmp_path: Path) -> Path:
    return furnish(tmp_path)


@pytest.fixture(scope="module", params=[False, True], ids=["legacy", "modern"])
def client(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[Client]:
    """One server for all who only ask."""
    yield from serve(furnish(tmp_path_factory.mktemp("project")), request.param)


@pytest.fixture(params=[False, True], ids=["legacy", "modern"])
def fresh(request: pytest.FixtureRequest, project: Path) -> Iterator[Client]:
    """A server of its own, for who changes files."""
    yield from serve(project, request.param)


def test_exactly_the_three_tools_are_listed(client: Client) -> None:
    """S-2: exactly the surface of the seed."""
    tools = client.result("tools/list")["tools"]
    assert [tool["name"] for tool in tools] == [
        "check-adr-alignment",
        "search-architecture",
        "validate-against-pattern",
    ]
    for tool in tools:
        assert tool["annotations"]["readOnlyHint"] is True
        assert tool["outputSchema"]["type"] == "object"


def test_search_answers_on_the_wire(client: Client) -> None:
    """A-5: one text item with the JSON, and the same object."""
    answer = client.call("search-architecture", query="caching", resource_type="guideline")
    (found,) = answer["structuredContent"]["results"]
    assert found["uri"] == "architecture://guidelines/http"
    assert "cache header" in found["excerpt"]
    assert not answer.get("isError")


def test_bad_arguments_are_a_protocol_error_with_details(client: Client) -> None:
    """A-8: invalid arguments: -32602 with the details in `data`, in both eras."""
    error = client.error("tools/call", name="search-architecture", arguments={"qery": "x"})
    assert error["code"] == -32602
    assert "query" in error["data"]["fields"]
    assert any("did you mean 'query'" in each for each in error["data"]["errors"])


def test_an_unknown_pattern_names_the_nearest(client: Client) -> None:
    """A-6: unknown pattern: -32602 with the nearest names."""
    error = client.error(
        "tools/call",
        name="validate-against-pattern",
        arguments={"code": "x = 1", "pattern_name": "repositry-pattern"},
    )
    assert error["code"] == -32602
    assert "repository-pattern" in error["message"]


def test_an_unknown_tool_has_the_code_of_its_era(client: Client) -> None:
    """A-8: -32001, and -32602 in the era that forbids it."""
    error = client.error("tools/call", name="search-architectur", arguments={})
    assert error["code"] == (-32602 if client.modern else -32001)
    assert "search-architecture" in error["message"]


def test_resources_are_listed_read_and_completed(client: Client) -> None:
    """A-2: listed, templates, read, completed."""
    listed = client.result("resources/list")["resources"]
    assert [each["uri"] for each in listed] == [
        "architecture://adr/0001",
        "architecture://adr/0002-a",
        "architecture://adr/0002-b",
        "architecture://guidelines/http",
        "architecture://patterns/repository-pattern",
    ]
    templates = client.result("resources/templates/list")["resourceTemplates"]
    assert [each["uriTemplate"] for each in templates] == [
        "architecture://adr/{adr_id}",
        "architecture://guidelines/{path}",
        "architecture://patterns/{path}",
    ]
    (piece,) = client.result("resources/read", uri="architecture://adr/1")["contents"]
    assert piece["text"] == FILES["adr/0001-use-a-cache.md"]
    completed = client.result(
        "completion/complete",
        ref={"type": "ref/resource", "uri": "architecture://patterns/{path}"},
        argument={"name": "path", "value": "rep"},
    )
    assert completed["completion"]["values"] == ["repository-pattern"]


def test_an_unknown_and_an_ambiguous_uri_are_invalid_params(client: Client) -> None:
    """A-2: -32602 with the uri and the nearest, or with the candidates."""
    error = client.error("resources/read", uri="architecture://patterns/repository-patern")
    assert error["code"] == -32602
    assert error["data"]["uri"] == "architecture://patterns/repository-patern"
    assert error["data"]["nearest"] == ["architecture://patterns/repository-pattern"]
    error = client.error("resources/read", uri="architecture://adr/2")
    assert error["code"] == -32602
    assert error["data"]["candidates"] == ["architecture://adr/0002-a", "architecture://adr/0002-b"]


def test_a_workflow_goes_on_by_its_handle(client: Client) -> None:
    """K-20: minted by the prompt, accepted by the tools, an unknown one is a clear error."""
    code = "class OrderRepository: ..."
    rendered = client.result(
        "prompts/get",
        name="guided-pattern-validation",
        arguments={"code": code, "pattern_name": "repository-pattern"},
    )
    text = rendered["messages"][0]["content"]["text"]
    assert "  - code (required): Code to validate (max 50000 chars)\n" in text
    handle = text.split("Workflow: ")[1].split()[0]
    answer = client.call("validate-against-pattern", workflow=handle)
    assert answer["structuredContent"]["pattern"] == "repository-pattern"
    error = client.error(
        "tools/call", name="search-architecture", arguments={"query": "x", "workflow": "wf_no"}
    )
    assert error["code"] == -32602
    assert "Unknown or expired workflow: wf_no" in error["message"]


def test_a_second_client_carries_on_with_the_handle(project: Path) -> None:
    """K-20: without protocol sessions, and over HTTP with more than one client."""
    command = toolcrib("serve", "architecture", "--http", "127.0.0.1:0")
    server = subprocess.Popen(command, cwd=project, stderr=subprocess.PIPE, text=True)
    assert server.stderr is not None
    try:
        lines = iter(server.stderr.readline, "")
        address = next(found[0] for line in lines if (found := re.search(r"http://\S+", line)))
        answer = asyncio.run(_two_clients(address))
    finally:
        server.terminate()
        server.wait(10)
    assert answer["pattern"] == "repository-pattern"


async def _two_clients(address: str) -> dict[str, Any]:
    arguments = {"code": "class A: ...", "pattern_name": "repository-pattern"}
    async with SdkClient(address, mode="legacy") as first:
        prompt = await first.get_prompt("guided-pattern-validation", arguments)
    handle = prompt.messages[0].content.text.split("Workflow: ")[1].split()[0]  # type: ignore[union-attr]
    async with SdkClient(address, mode="auto") as second:
        result = await second.call_tool("validate-against-pattern", {"workflow": handle})
    return result.structured_content  # type: ignore[return-value]


def test_a_prompt_above_its_limit_names_the_limit(fresh: Client, project: Path) -> None:
    """A-3: -32602 that names the limit."""
    for number in range(51):
        (project / f"mcp/resources/guidelines/g{number:02}.md").write_text("# G\n")
    prompts = project / "mcp" / "prompts"
    prompts.mkdir()
    (prompts / "all.json").write_text(
        '{"name": "all", "messages": [{"role": "user", "content": '
        '{"type": "text", "text": "{{resource:architecture://guidelines/*}}"}}]}'
    )
    error = fresh.error("prompts/get", name="all", arguments={})
    assert error["code"] == -32602
    assert error["data"]["limit"] == 50


@pytest.mark.timing
def test_changes_are_served_and_told_within_two_seconds(fresh: Client, project: Path) -> None:
    """S-5: changed, added and removed, with the right notification, without a restart."""
    uri = "architecture://adr/0001"
    fresh.listen(uri, "architecture://guidelines/http")
    assert len(fresh.result("resources/list")["resources"]) == 5
    fresh.wait_for_the_watch(project / "mcp/resources/guidelines/http.md")

    file = project / "mcp/resources/adr/0001-use-a-cache.md"
    file.write_text(file.read_text() + "\nZebras.\n")
    while fresh.notified("resources/updated")["uri"] != uri:
        pass
    assert "Zebras." in fresh.result("resources/read", uri=uri)["contents"][0]["text"]
    found = fresh.call("search-architecture", query="zebras")["structuredContent"]
    assert [each["uri"] for each in found["results"]] == [uri]

    began = time.monotonic()
    (project / "mcp/resources/adr/0003-new.md").write_text("# 3. New\n")
    fresh.notified("resources/list_changed")
    assert_within(2, time.monotonic() - began)
    assert fresh.result("resources/read", uri="architecture://adr/3")["contents"]

    os.unlink(project / "mcp/resources/adr/0003-new.md")
    fresh.notified("resources/list_changed")
    assert fresh.error("resources/read", uri="architecture://adr/3")["code"] == -32602

    prompts = project / "mcp" / "prompts"
    prompts.mkdir()
    (prompts / "mine.json").write_text(
        '{"name": "mine", "messages": [{"role": "user", "content": {"type": "text", "text": "x"}}]}'
    )
    fresh.notified("prompts/list_changed")
    assert "mine" in [each["name"] for each in fresh.result("prompts/list")["prompts"]]


@pytest.mark.parametrize("modern", [False, True], ids=["legacy", "modern"])
def test_a_burst_of_changes_is_told_and_loses_nothing(project: Path, modern: bool) -> None:
    """S-5: a branch switch is many changes at once, and each of them is served."""
    folder = project / "mcp/resources/guidelines"

    def write(word: str) -> None:
        for number in range(400):
            (folder / f"page-{number}.md").write_text(f"# Page {number}\n\n{word}\n")

    def count(client: Client, word: str) -> int:
        answer = client.call("search-architecture", query=word, resource_type="guidelines")
        return int(answer["structuredContent"]["total_matches"])

    write("ancient")
    with contextlib.contextmanager(serve)(project, modern) as client:
        client.listen("architecture://guidelines/http")
        assert count(client, "ancient") == 400
        client.wait_for_the_watch(folder / "http.md")
        write("modern")
        (folder / "http.md").unlink()
        client.notified("resources/list_changed")
        # What was written while the first round was told comes with the next.
        until(lambda: (count(client, "modern"), count(client, "ancient")) == (400, 0))


def test_bad_references_are_warned_of_at_start(project: Path) -> None:
    """A-3: warned of at start, with file and place."""
    prompts = project / "mcp" / "prompts"
    prompts.mkdir()
    (prompts / "mine.json").write_text(
        '{"name": "mine", "messages": [{"role": "user",\n'
        ' "content": {"type": "text", "text": "{{tool:serch-architecture}}"}}]}'
    )
    with Pipe(toolcrib("serve", "architecture"), cwd=project) as pipe:
        pipe.initialize()
        until(lambda: pipe.result("tools/list") and b"mine.json:2:39" in pipe.errors)
        told = pipe.errors.decode()
    assert "{{tool:serch-architecture}} names no tool that is served" in told
    assert "did you mean 'search-architecture'" in told


@pytest.mark.parametrize("attempt", range(3))
def test_a_change_right_after_the_acknowledgement_is_told(
    fresh: Client, project: Path, attempt: int
) -> None:
    """S-5: the watch stands before the acknowledgement goes out, also on a fresh server."""
    uri = "architecture://guidelines/http"
    fresh.listen(uri)
    (project / "mcp/resources/guidelines/http.md").write_text("# HTTP\n\nChanged at once.\n")
    assert fresh.notified("resources/updated")["uri"] == uri
    text = fresh.result("resources/read", uri=uri)["contents"][0]["text"]
    assert "Changed at once" in text


def test_a_document_right_after_the_acknowledgement_is_told(fresh: Client, project: Path) -> None:
    """S-5: a new one changes the list."""
    fresh.listen("architecture://guidelines/http")
    (project / "mcp/resources/guidelines/new.md").write_text("# New\n")
    fresh.notified("resources/list_changed")
