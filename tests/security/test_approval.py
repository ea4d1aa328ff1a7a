"""Approval: a person is asked before something changes or is destroyed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from support.hostile import toolcrib
from support.pipe import ENVELOPE, Pipe
from support.pipe import toolcrib as command

CONFIG = """
name: own
command: sh -c
tools:
  - name: own_write
    description: Leave a mark
    command: "'echo ran >> {mark}; echo \\\"$1\\\"' x"
    args: [{{name: word, positional: true, default: hello}}]
"""


@pytest.fixture
def asking(alone: Path, mark: Path) -> Path:
    """A trusted repository that asks before every change."""
    repo = alone / "repo"
    (repo / "climax").mkdir(parents=True)
    (repo / ".git").mkdir()
    (repo / "climax" / "own.yaml").write_text(CONFIG.format(mark=repo / "ran"))
    (repo / "toolcrib.toml").write_text('[climax]\napprove = "changes"\n')
    assert toolcrib(repo, "trust", "--yes").returncode == 0
    return repo


def runs(repo: Path) -> int:
    mark = repo / "ran"
    return len(mark.read_text().splitlines()) if mark.exists() else 0


CALL = {"name": "climax_call", "arguments": {"tool_name": "own_write", "args": {}}}


class Asked(Pipe):
    """A client of an earlier era that answers questions."""

    def begin(self, elicitation: Any) -> None:
        capabilities = {} if elicitation is None else {"elicitation": elicitation}
        client = {"name": "pipe", "version": "1"}
        params = {
            "protocolVersion": "2025-11-25",
            "capabilities": capabilities,
            "clientInfo": client,
        }
        self.result("initialize", params)
        self.post({"jsonrpc": "2.0", "method": "notifications/initialized"})

    def answered(self, reply: Any, args: dict[str, Any] | None = None) -> tuple[Any, Any]:
        """Call the tool, answer the question if there is one, and return both."""
        call = {**CALL, "arguments": {**CALL["arguments"], "args": args or {}}}  # type: ignore[dict-item]
        self.post({"jsonrpc": "2.0", "id": "call", "method": "tools/call", "params": call})
        question = None
        while (message := self.receive()).get("id") != "call" or "method" in message:
            if message.get("method") == "elicitation/create":
                question = message
                self.post({"jsonrpc": "2.0", "id": message["id"], "result": reply})
        return question, message["result"]


def accept(decision: str) -> dict[str, Any]:
    return {"action": "accept", "content": {"decision": decision}}


def test_a_person_is_asked_with_the_command_as_it_will_run(asking: Path) -> None:
    """T-19: tool, argument list as JSON, folder, network; once, session, no."""
    with Asked(command("serve"), cwd=asking) as pipe:
        pipe.begin({})
        question, result = pipe.answered(accept("once"))
        assert not result["isError"] and runs(asking) == 1
        params = question["params"]
        assert "own_write" in params["message"] and "network: none" in params["message"]
        assert str(asking) in params["message"]
        assert json.dumps("x") in params["message"]
        decision = params["requestedSchema"]["properties"]["decision"]
        assert decision["enum"] == ["once", "session", "no"]
        assert params["requestedSchema"]["required"] == ["decision"]
        again, _ = pipe.answered(accept("session"))
        assert again is not None and runs(asking) == 2
        silent, result = pipe.answered(accept("no"))
        assert silent is None and runs(asking) == 3, "the session was approved"


@pytest.mark.parametrize(
    "reply", [accept("no"), {"action": "decline"}, {"action": "cancel"}, {"action": "accept"}, {}]
)
def test_anything_but_a_yes_starts_no_process(asking: Path, reply: dict[str, Any]) -> None:
    """T-19: `accept` without a decision is no."""
    with Asked(command("serve"), cwd=asking) as pipe:
        pipe.begin({"form": {}})
        _, result = pipe.answered(reply)
    assert result["isError"] and result["structuredContent"]["error_type"] == "approval"
    assert runs(asking) == 0


@pytest.mark.parametrize("declared", [None, {"url": {}}])
def test_who_cannot_be_asked_is_told_what_a_person_can_type(asking: Path, declared: Any) -> None:
    """T-19, T-20: `toolcrib approve ID`, and the same call then passes once."""
    with Asked(command("serve"), cwd=asking) as pipe:
        pipe.begin(declared)
        question, result = pipe.answered(None)
        number = result["structuredContent"]["id"]
        text = result["content"][0]["text"]
        assert question is None and f"toolcrib approve {number}" in text and runs(asking) == 0
        assert toolcrib(asking, "approve", number).returncode == 2
        assert toolcrib(asking, "approve", number, "--yes", env={"CLAUDECODE": "1"}).returncode == 3
        assert toolcrib(asking, "approve", "ffffffff", "--yes").returncode == 1
        shown = toolcrib(asking, "approve", number, "--yes")
        assert shown.returncode == 0 and "own_write" in shown.stdout
        _, other = pipe.answered(None, {"word": "another"})
        assert other["isError"] and runs(asking) == 0, "another call was not approved"
        _, passed = pipe.answered(None)
        assert not passed["isError"] and runs(asking) == 1
        _, spent = pipe.answered(None)
        assert spent["isError"] and runs(asking) == 1


def modern(pipe: Pipe, **more: Any) -> Any:
    meta = {**ENVELOPE, "io.modelcontextprotocol/clientCapabilities": {"elicitation": {"form": {}}}}
    return pipe.ask("tools/call", {**CALL, **more, "_meta": meta})


def test_the_stateless_era_asks_by_an_answer(asking: Path) -> None:
    """T-19, FAULTS: sealed, bound to tool and arguments, single-use."""
    with Pipe(command("serve"), cwd=asking) as pipe:
        asked = modern(pipe)["result"]
        assert asked["resultType"] == "input_required" and runs(asking) == 0
        (name,) = asked["inputRequests"]
        state = asked["requestState"]
        answer = {"inputResponses": {name: accept("once")}, "requestState": state}
        other = {"arguments": {"tool_name": "own_write", "args": {"word": "evil"}}}
        assert "error" in modern(pipe, **answer, **other), "with changed arguments"
        assert "error" in modern(pipe, **{**answer, "requestState": state[:-4] + "AAAA"})
        assert runs(asking) == 0
        done = modern(pipe, **answer)
        assert done["result"]["isError"] is False and runs(asking) == 1
        assert "error" in modern(pipe, **answer), "twice"
        assert runs(asking) == 1


def test_a_remembered_approval_fits_its_arguments_alone(asking: Path) -> None:
    """T-20: `*` does not match `/`; others absent or at their default; a changed tool ends it."""
    words = ("approve", "--always", "own_write", "word=feature-*")
    assert toolcrib(asking, *words).returncode == 2
    assert toolcrib(asking, *words, "--yes").returncode == 0
    assert "own_write" in toolcrib(asking, "approve", "--list").stdout
    with Asked(command("serve"), cwd=asking) as pipe:
        pipe.begin(None)
        assert not pipe.answered(None, {"word": "feature-1"})[1]["isError"]
        assert pipe.answered(None, {"word": "feature-1/x"})[1]["isError"]
        assert pipe.answered(None, {"word": "main"})[1]["isError"]
        assert pipe.answered(None)[1]["isError"], "a named argument has to be there"
    own = asking / "climax" / "own.yaml"
    own.write_text(own.read_text().replace("echo ran", "echo changed"))
    toolcrib(asking, "trust", "--yes")
    with Asked(command("serve"), cwd=asking) as pipe:
        pipe.begin(None)
        assert pipe.answered(None, {"word": "feature-1"})[1]["isError"]
    assert toolcrib(asking, "approve", "--revoke", "own_write").returncode == 0
    assert "own_write" not in toolcrib(asking, "approve", "--list").stdout


def test_never_asks_nobody_and_reading_is_never_asked_for(asking: Path) -> None:
    """T-19: `never` is the default; a tool with the tag `read-only` changes nothing."""
    own = asking / "climax" / "own.yaml"
    own.write_text("tags: [read-only]\n" + own.read_text().lstrip())
    toolcrib(asking, "trust", "--yes")
    with Asked(command("serve"), cwd=asking) as pipe:
        pipe.begin(None)
        assert not pipe.answered(None)[1]["isError"]
    own.write_text(own.read_text().replace("read-only", "other"))
    (asking / "toolcrib.toml").write_text("")
    toolcrib(asking, "trust", "--yes")
    with Asked(command("serve"), cwd=asking) as pipe:
        pipe.begin(None)
        assert not pipe.answered(None)[1]["isError"]


def test_the_persons_floor_holds(asking: Path) -> None:
    """T-5, T-19: the strictest word of person and repository."""
    (asking / "toolcrib.toml").write_text('[climax]\napprove = "never"\n')
    toolcrib(asking, "trust", "--yes")
    own = asking.parent / "config" / "toolcrib"
    own.mkdir()
    (own / "config.toml").write_text('[climax]\napprove = "always"\n')
    with Asked(command("serve"), cwd=asking) as pipe:
        pipe.begin(None)
        assert pipe.answered(None)[1]["structuredContent"]["error_type"] == "approval"
