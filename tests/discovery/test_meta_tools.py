"""Calling tools: through the two meta-tools and directly, with one and the same outcome."""

from __future__ import annotations

import asyncio
import dataclasses
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from toolcrib.core.errors import DeadlinePassed, InvalidArguments
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import JSON, CallContext, Tool, ToolOutput
from toolcrib.discovery.catalog import discovery_tools
from toolcrib.discovery.groups import PackTools
from toolcrib.packs.climax.pack import ClimaxPack
from toolcrib.packs.climax.settings import ClimaxSettings

CONFIG = """
    name: demo
    command: sh -c
    category: demo
    tools:
      - {name: hello, description: Says hello, command: "'echo hello'"}
      - {name: quiet, command: "':'"}
      - {name: both, command: "'echo out; echo err >&2; exit 3'"}
      - {name: indented, command: "'printf \\"  two\\\\n    four\\\\n\\\\n\\\\n\\"'"}
      - {name: slow, command: "'echo before; sleep 60'", timeout: 0.5}
      - name: shout
        command: "'printf \\"%s|\\" \\"$@\\"; cat; pwd' sh"
        args:
          - {name: n, type: integer, positional: true, required: true}
          - {name: format, enum: [json, text], default: text}
          - {name: verbose, type: boolean, flag: -v}
          - {name: input, stdin: true}
          - {name: where, cwd: true}
"""
SETTINGS: dict[str, Any] = {"configs": ("tools.yaml",)}


@pytest.fixture(autouse=True)
def _config(write: Callable[..., Path]) -> None:
    write(CONFIG)


def called(crib: Any, name: str, args: JSON | None = None) -> ToolOutput:
    """Call a tool both ways; the outcome has to be the same."""
    direct, indirect = crib.ask_all(
        [(name, args or {}), ("climax_call", {"tool_name": name, "args": args})], **SETTINGS
    )
    for output in (direct, indirect):
        output.structured["duration_ms"] = 0
    assert dataclasses.replace(direct, timed_out=False) == indirect
    return direct


def test_stdout_is_the_text_and_the_object_has_it_raw(crib: Any) -> None:
    """C-6, seed US2.1, SC-004: identical in both modes."""
    output = called(crib, "hello")
    assert output.content == [{"type": "text", "text": "hello"}]
    assert output.structured == {
        "stdout": "hello\n",
        "stderr": "",
        "exit_code": 0,
        "duration_ms": 0,
        "truncated": False,
    }
    assert not output.is_error


def test_nothing_is_said_to_be_nothing(crib: Any) -> None:
    """C-6: `(no output)`."""
    assert called(crib, "quiet").content[0]["text"] == "(no output)"


def test_a_non_zero_exit_is_an_error_with_everything_that_was_printed(crib: Any) -> None:
    """C-6: stdout, `[stderr]`, `[exit code: N]`; isError."""
    output = called(crib, "both")
    assert output.content[0]["text"] == "out\n\n[stderr]\nerr\n\n[exit code: 3]"
    assert output.is_error
    assert output.structured is not None
    assert output.structured["exit_code"] == 3


def test_leading_indentation_is_kept(crib: Any) -> None:
    """C-6: leading indentation kept; C-11: stripped of trailing blank lines."""
    assert called(crib, "indented").content[0]["text"] == "  two\n    four"


def test_a_timeout_is_told_with_what_was_printed_until_then(crib: Any) -> None:
    """C-6, seed US2.6: `Command timed out after Ns` on stderr, exit code -1."""
    output = called(crib, "slow")
    assert output.structured == {
        "stdout": "before\n",
        "stderr": "Command timed out after 0.5s",
        "exit_code": -1,
        "duration_ms": 0,
        "truncated": False,
    }
    assert output.is_error


def test_all_features_of_arguments_work(crib: Any, tmp_path: Path) -> None:
    """Seed FR-016: positionals, flags, booleans, stdin, cwd, defaults, enums; coercion."""
    (tmp_path / "sub").mkdir()
    args = {"n": "42", "verbose": "true", "input": "in\n", "where": "sub", "extra": "ignored"}
    output = called(crib, "shout", args)
    printed = f"42|--format|text|-v|in\n{(tmp_path / 'sub').resolve()}"
    assert output.content[0]["text"] == f"{printed}\n\n[ignored: extra]"
    assert output.structured["ignored"] == ["extra"]


def test_a_name_near_an_argument_is_refused_and_nothing_runs(crib: Any, tmp_path: Path) -> None:
    """C-5: the same in both modes."""
    for name, arguments in (
        ("shout", {"n": 1, "formt": "json"}),
        ("climax_call", {"tool_name": "shout", "args": {"n": 1, "formt": "json"}}),
    ):
        with pytest.raises(InvalidArguments, match="'formt'; did you mean 'format'"):
            crib.ask(name, arguments, **SETTINGS)


def test_arguments_sent_as_json_text_are_read(crib: Any) -> None:
    """C-5: `args` as JSON text is read as its object; what is no object is refused."""
    output = crib.ask("climax_call", {"tool_name": "shout", "args": '{"n": 7}'}, **SETTINGS)
    assert output.content[0]["text"].startswith("7|")
    for text in ("[1]", "7", '{"n": 1, "n": 2}', "{", '{"n": NaN}'):
        with pytest.raises(InvalidArguments, match="Argument 'args' must be an object"):
            crib.ask("climax_call", {"tool_name": "shout", "args": text}, **SETTINGS)


def test_every_problem_is_told_at_once_in_both_modes(crib: Any) -> None:
    """C-5, seed US2.3-4, SC-005: the same validation in classic mode."""
    for name, arguments in (
        ("shout", {"n": "x", "format": "xml"}),
        ("climax_call", {"tool_name": "shout", "args": {"n": "x", "format": "xml"}}),
    ):
        with pytest.raises(InvalidArguments) as caught:
            crib.ask(name, arguments, **SETTINGS)
        assert caught.value.problems == (
            "Argument 'n': cannot convert 'x' to integer",
            "Argument 'format' must be one of: json, text",
        )
    with pytest.raises(InvalidArguments, match="Missing required argument 'n'"):
        crib.ask("climax_call", {"tool_name": "shout"}, **SETTINGS)


def test_an_unknown_tool_is_an_error_that_names_it_and_the_nearest(crib: Any) -> None:
    """C-5, seed US2.5: isError, the name, the nearest."""
    output = crib.ask("climax_call", {"tool_name": "helo"}, **SETTINGS)
    assert output.is_error
    assert output.content[0]["text"] == "Unknown tool: helo; did you mean 'hello'?"


def test_the_meta_tools_do_not_call_themselves(crib: Any) -> None:
    """C-5: they are no tools of the index."""
    output = crib.ask("climax_call", {"tool_name": "climax_call", "args": {}}, **SETTINGS)
    assert output.is_error
    assert "Unknown tool: climax_call" in output.content[0]["text"]


@pytest.mark.parametrize(
    ("given", "problem"),
    [
        ({}, "Missing required argument 'tool_name'"),
        ({"tool_name": 5}, "Argument 'tool_name' must be a string, got 5"),
        ({"tool_name": "hello", "args": "x"}, "Argument 'args' must be an object, got 'x'"),
        (
            {"tool_name": "hello", "arguments": {}},
            "Unknown argument 'arguments'; did you mean 'args'?",
        ),
    ],
)
def test_a_wrong_call_says_what_would_be_right(crib: Any, given: JSON, problem: str) -> None:
    """C-5: `tool_name`, `args` (object or null)."""
    with pytest.raises(InvalidArguments) as caught:
        crib.ask("climax_call", given, **SETTINGS)
    assert caught.value.problems == (problem,)


def test_args_may_be_null(crib: Any) -> None:
    """C-5, edge case: null where nothing is required."""
    assert not crib.ask("climax_call", {"tool_name": "hello", "args": None}, **SETTINGS).is_error


def test_the_sandbox_stands_in_the_metadata(crib: Any) -> None:
    """C-10, T-16: what held is shown in the result's metadata."""
    output = crib.ask("hello", **SETTINGS)
    report = {"level": "off", "network": "full", "reads": "open", "sockets": "open"}
    assert output.extra == {"_meta": {"toolcrib/sandbox": report}}


def test_a_tool_that_fails_says_nothing_about_the_others(tmp_path: Path) -> None:
    """C-10: the breaker is per CLI tool, not one for all that goes through climax_call."""

    async def broken(arguments: JSON, context: CallContext) -> Any:
        raise RuntimeError("no")

    async def session() -> list[ToolOutput]:
        executor = ToolExecutor()
        tools = [Tool("broken", "", {"type": "object"}, broken)]
        call, _ = discovery_tools([], [PackTools("mine", "", tools)], executor)
        outputs = [await executor.run(call, {"tool_name": "broken"}) for _ in range(6)]
        assert executor.breaker("broken").state == "open"
        assert executor.breaker("climax_call").state == "closed"
        return outputs

    outputs = asyncio.run(session())
    assert all(output.is_error for output in outputs)
    assert "failed" in outputs[0].content[0]["text"]


def test_timeouts_open_the_breaker_of_that_tool_alone(tmp_path: Path) -> None:
    """K-18, C-10: a deadline counts as a failure, of the tool and not of climax_call."""

    async def late(arguments: JSON, context: CallContext) -> ToolOutput:
        return dataclasses.replace(ToolOutput.text("late", is_error=True), timed_out=True)

    async def session() -> ToolOutput:
        executor = ToolExecutor()
        tools = [Tool("late", "", {"type": "object"}, late)]
        call, _ = discovery_tools([], [PackTools("mine", "", tools)], executor)
        for _ in range(5):
            await executor.run(call, {"tool_name": "late"})
        assert executor.breaker("late").state == "open"
        assert executor.breaker("climax_call").state == "closed"
        assert executor.metrics()["tools"]["late"]["timeouts"] == 5
        return await executor.run(call, {"tool_name": "late"})

    refused = asyncio.run(session())
    assert refused.is_error
    assert "late" in refused.content[0]["text"]


def test_a_deadline_of_another_packs_tool_is_told_as_a_result(tmp_path: Path) -> None:
    """S-3: in progressive mode failures of native tools are read by the model."""

    async def late(arguments: JSON, context: CallContext) -> ToolOutput:
        raise DeadlinePassed("too late")

    tools = [Tool("x", "", {"type": "object"}, late)]
    call, _ = discovery_tools([], [PackTools("mine", "", tools)], ToolExecutor())
    output: ToolOutput = asyncio.run(call.run({"tool_name": "x", "args": {}}, CallContext()))
    assert output.is_error
    assert output.structured == {"error": {"code": -32003, "message": "too late"}}


class Listener:
    """A client that asked for progress."""

    def __init__(self) -> None:
        self.heard: list[tuple[float, float | None, str | None]] = []

    async def progress(self, done: float, total: float | None, message: str | None) -> None:
        self.heard.append((done, total, message))

    async def log(self, level: str, data: Any, logger: str | None) -> None: ...

    async def request(self, method: str, params: JSON) -> JSON:
        raise NotImplementedError


def test_a_call_above_a_second_tells_its_progress(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """C-10, S-8: progress notifications while a long command runs."""
    monkeypatch.setattr("toolcrib.running.runner._TICK", 0.1)
    listener = Listener()

    async def session() -> None:
        pack = ClimaxPack(tmp_path, ClimaxSettings(**SETTINGS, sandbox="off"))
        shelf = pack.contribute().unlisted
        assert shelf is not None
        slow = shelf.get("slow")
        assert slow is not None
        await ToolExecutor().run(slow, {}, CallContext(client=listener))
        await pack.close()

    asyncio.run(session())
    assert len(listener.heard) >= 2
    done, total, message = listener.heard[0]
    assert 0 < done < 1
    assert total == 0.5
    assert message == "slow: running for 0 s, at most 0.5 s"


def test_tools_are_described_truthfully(crib: Any, tmp_path: Path) -> None:
    """K-12, C-10: title, annotations by tags, deadline and origin."""
    pack = ClimaxPack(tmp_path, ClimaxSettings(**SETTINGS))
    shelf = pack.contribute().unlisted
    assert shelf is not None
    hello = shelf.get("hello")
    assert hello is not None
    assert (hello.title, hello.category, hello.deadline) == ("Hello", "demo", 30.0)
    assert hello.origin == "tools.yaml:6"
    assert hello.annotations.read_only is None


def test_a_read_only_program_is_marked_so(write: Callable[..., Path], tmp_path: Path) -> None:
    """C-10: marked by tags, or by what the bundled config's own sidecar says."""
    write("command: ls\ntags: [read-only]\ntools: [{name: ls}]\n", "ls.yaml")
    pack = ClimaxPack(tmp_path, ClimaxSettings(configs=("ls.yaml", "git")))
    shelf = pack.contribute().unlisted
    assert shelf is not None
    hints = {
        name: shelf.get(name).annotations.read_only for name in ("ls", "git_log", "git_commit")
    }  # type: ignore[union-attr]
    assert hints == {"ls": True, "git_log": True, "git_commit": False}
