"""Command-line tools served by a real process: the seed's scenarios, in both modes and eras."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from support.clock import assert_within
from support.pipe import Pipe, toolcrib
from support.waiting import until

GIT = """
name: git-tools
description: Version control
command: git
category: vcs
tags: [git]
tools:
  - name: git_commit
    description: Record staged changes in the history
    command: commit
    args: [{name: message, required: true, flag: "--message="}]
  - {name: git_branch, description: List branches, command: branch}
  - {name: git_log, description: Show commits, command: log --oneline}
"""
DEMO = """
name: demo
command: sh -c
category: demo
tools:
  - {name: echo_hello, description: Says hello, command: "'echo hello'"}
  - {name: fails, description: Fails, command: "'echo out; echo err >&2; exit 2'"}
  - {name: sleeps, description: Sleeps, command: "'echo first; sleep 300'", timeout: 1}
  - {name: endless, description: Runs on, command: "'sleep 300; :'"}
  - name: typed
    description: Takes all kinds of arguments
    command: "'printf \\"[%s]\\" \\"$@\\"; cat' sh"
    args:
      - {name: count, type: integer, required: true, positional: true}
      - {name: format, enum: [json, text, csv], default: text}
      - {name: loud, type: boolean}
      - {name: input, stdin: true}
"""
TOOLS = ["echo_hello", "endless", "fails", "git_branch", "git_commit", "git_log", "sleeps", "typed"]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / ".git").mkdir()
    (tmp_path / "git.yaml").write_text(GIT)
    (tmp_path / "demo.yaml").write_text(DEMO)
    return tmp_path


@pytest.fixture(params=["legacy", "modern"])
def modern(request: pytest.FixtureRequest) -> bool:
    return bool(request.param == "modern")


@pytest.fixture
def serve(folder: Path, modern: bool) -> Iterator[Callable[..., Pipe]]:
    """Start `toolcrib climax run` and shake hands, if the era does that."""
    started: list[Pipe] = []

    def start(*words: str) -> Pipe:
        configs = [] if any(word.endswith(".yaml") for word in words) else ["git.yaml", "demo.yaml"]
        pipe = Pipe(toolcrib("climax", "run", *configs, *words), cwd=folder)
        started.append(pipe)
        if not modern:
            pipe.initialize()
        return pipe

    yield start
    for pipe in started:
        pipe.__exit__()


def listed(pipe: Pipe, modern: bool) -> list[str]:
    return [tool["name"] for tool in pipe.result("tools/list", {}, modern)["tools"]]


def found(pipe: Pipe, modern: bool, **filters: Any) -> Any:
    result = pipe.call("climax_search", filters, modern)
    assert not result["isError"]
    assert json.loads(result["content"][0]["text"]) == result["structuredContent"]
    return result["structuredContent"]


def names(answer: Any) -> list[str]:
    return [entry["tool_name"] for entry in answer["results"]]


@pytest.mark.parametrize("word", ["demo.yaml", "posix"])
def test_a_config_alone_is_served(folder: Path, word: str) -> None:
    """C-8, seed: `climax FILE` is `climax run FILE`."""
    with Pipe(toolcrib("climax", word), cwd=folder) as pipe:
        pipe.initialize()
        assert listed(pipe, False) == ["climax_call", "climax_search"]


def test_the_default_lists_exactly_two_tools(serve: Callable[..., Pipe], modern: bool) -> None:
    """S-3, seed US3.1, SC-002: two tools, however many are configured."""
    assert listed(serve(), modern) == ["climax_call", "climax_search"]


def test_all_tools_can_still_be_called(serve: Callable[..., Pipe], modern: bool) -> None:
    """Seed US3.2: found by search, called by climax_call."""
    pipe = serve()
    everything = names(found(pipe, modern, category="demo", limit=50))
    everything += names(found(pipe, modern, category="vcs", limit=50))
    assert sorted(everything) == TOOLS


def test_search_filters_and_summarises(serve: Callable[..., Pipe], modern: bool) -> None:
    """C-4, seed US1.1-6."""
    pipe = serve()
    assert names(found(pipe, modern, query="commit"))[0] == "git_commit"
    entry = found(pipe, modern, query="git_commit")["results"][0]
    assert set(entry) == {
        "tool_name", "description", "cli_name", "category", "tags", "args", "input_schema",
    }  # fmt: skip
    assert set(names(found(pipe, modern, category="vcs"))) == {
        "git_commit", "git_branch", "git_log",
    }  # fmt: skip
    assert set(names(found(pipe, modern, cli="git-tools"))) <= set(TOOLS)
    assert names(found(pipe, modern, query="branch", category="vcs"))[0] == "git_branch"
    assert len(names(found(pipe, modern, category="demo", limit=3))) == 3
    assert names(found(pipe, modern, query="xyzzy", cli="demo")) == []
    assert found(pipe, modern, limit=1) == {
        "mode": "summary",
        "summary": [
            {"name": "demo", "description": "", "tool_count": 5, "category": "demo", "tags": []}
        ],
    }


def test_a_call_answers_stdout_stderr_and_exit_code(
    serve: Callable[..., Pipe], modern: bool
) -> None:
    """C-6, seed US2.1-2."""
    pipe = serve()
    hello = pipe.call("climax_call", {"tool_name": "echo_hello"}, modern)
    assert hello["content"] == [{"type": "text", "text": "hello"}]
    assert hello["structuredContent"]["stdout"] == "hello\n"
    assert hello["structuredContent"]["exit_code"] == 0
    assert not hello["isError"]
    assert "toolcrib/sandbox" in hello["_meta"]
    arguments = {"count": "42", "loud": "true", "input": "piped"}
    typed = pipe.call("climax_call", {"tool_name": "typed", "args": arguments}, modern)
    assert typed["content"][0]["text"] == "[42][--format][text][--loud]piped"


def test_wrong_calls_are_results_that_help(serve: Callable[..., Pipe], modern: bool) -> None:
    """C-5, seed US2.3-5, SC-005: isError, with all that is needed to correct the call."""
    pipe = serve()
    wrong = pipe.call("climax_call", {"tool_name": "typed", "args": {"format": "xml"}}, modern)
    assert wrong["isError"]
    assert wrong["content"][0]["text"].splitlines() == [
        "Missing required argument 'count'",
        "Argument 'format' must be one of: json, text, csv",
    ]
    unknown = pipe.call("climax_call", {"tool_name": "git_comit"}, modern)
    assert unknown["isError"]
    assert "Unknown tool: git_comit; did you mean 'git_commit'" in unknown["content"][0]["text"]


def test_a_timeout_is_told(serve: Callable[..., Pipe], modern: bool) -> None:
    """C-6, seed US2.6."""
    result = serve().call("climax_call", {"tool_name": "sleeps"}, modern)
    assert result["isError"]
    assert result["content"][0]["text"] == (
        "first\n\n[stderr]\nCommand timed out after 1s\n\n[exit code: -1]"
    )


def test_a_tool_behind_the_counter_is_no_tool_of_the_server(
    serve: Callable[..., Pipe], modern: bool
) -> None:
    """C-14, seed, edge case: in default mode an individual name is unknown, and the way is told."""
    error = serve().error("tools/call", {"name": "echo_hello", "arguments": {}}, modern)
    assert error["code"] == (-32602 if modern else -32001)
    assert error["message"].startswith("Unknown tool: echo_hello; call it through climax_call")


def test_a_misspelt_tool_behind_the_two_is_told_its_name_and_its_way(
    folder: Path, serve: Callable[..., Pipe], modern: bool
) -> None:
    """C-5, FAULTS: unknown tool: the nearest name, also of tools that are not listed."""
    error = serve().error("tools/call", {"name": "git_comit", "arguments": {}}, modern)
    assert error["data"]["nearest"][0] == "git_commit"
    assert error["message"].startswith("Unknown tool: git_comit; did you mean 'git_commit'")
    assert "Call 'git_commit'" in error["message"]
    assert error["message"].endswith("through climax_call.")
    classic = serve("--classic").error("tools/call", {"name": "git_comit"}, modern)
    assert classic["data"]["nearest"][0] == "git_commit"
    assert "climax_call" not in classic["message"]


def test_a_misspelt_tool_of_the_guide_is_told_by_its_own_name(folder: Path, modern: bool) -> None:
    """C-5, G-8, FAULTS: those that the guide has behind the two are nearer than the listed ones."""
    (folder / "guide" / "lang").mkdir(parents=True)
    (folder / "guide" / "lang" / "python.md").write_text("# Python\n\nUse types.\n")
    (folder / "toolcrib.toml").write_text('[climax]\nconfigs = ["demo.yaml"]\n[guide]\n')
    with Pipe(toolcrib("serve"), cwd=folder) as pipe:
        if not modern:
            pipe.initialize()
        error = pipe.error("tools/call", {"name": "guide_category_ad"}, modern)
        assert error["data"]["nearest"][0] == "guide_category_add"
        assert "Call 'guide_category_add'" in error["message"]
        listed_one = pipe.error("tools/call", {"name": "guide_serch"}, modern)
        assert listed_one["data"]["nearest"][0] == "guide_search"
        assert "climax_call" not in listed_one["message"]


def test_no_argument_gets_lost(serve: Callable[..., Pipe], modern: bool) -> None:
    """C-5: extra keys are named, near ones refused, JSON text read, over a real pipe."""
    pipe = serve()
    extra = {"tool_name": "echo_hello", "args": {"shade": "blue"}}
    result = pipe.call("climax_call", extra, modern)
    assert result["content"][0]["text"].endswith("\n\n[ignored: shade]")
    assert result["structuredContent"]["ignored"] == ["shade"]
    near = pipe.call("climax_call", {"tool_name": "typed", "args": {"Count": 1}}, modern)
    assert near["isError"]
    assert "Unknown argument 'Count'; did you mean 'count'?" in near["content"][0]["text"]
    text = pipe.call("climax_call", {"tool_name": "echo_hello", "args": "{}"}, modern)
    assert not text["isError"]


def test_a_refused_call_names_the_keys_that_it_ignores(
    serve: Callable[..., Pipe], modern: bool
) -> None:
    """C-5: any other extra key is named, in the text's end and in `structuredContent.ignored`."""
    args = {"shade": "blue", "formt": "csv", "tone": None}
    refused = serve().call("climax_call", {"tool_name": "typed", "args": args}, modern)
    assert refused["isError"]
    assert refused["content"][0]["text"] == (
        "Unknown argument 'formt'; did you mean 'format'?\n"
        "Missing required argument 'count'\n\n[ignored: shade]"
    )
    assert refused["structuredContent"]["ignored"] == ["shade"]
    direct = serve("--classic").call("typed", args, modern)
    assert direct == refused
    plain = serve().call("climax_call", {"tool_name": "typed", "args": {}}, modern)
    assert "ignored" not in plain["structuredContent"]


def test_classic_lists_every_tool_and_not_the_two(serve: Callable[..., Pipe], modern: bool) -> None:
    """S-3, seed US4.1-2."""
    assert listed(serve("--classic"), modern) == TOOLS


def test_both_modes_answer_the_same(serve: Callable[..., Pipe], modern: bool) -> None:
    """C-6, SC-004: identical output, also for failures and wrong arguments."""
    default, classic = serve(), serve("--classic")
    for name, arguments in (
        ("echo_hello", {}),
        ("fails", {}),
        ("typed", {"count": 1, "input": "x"}),
        ("typed", {"count": "x", "format": "y"}),
        ("typed", {"count": 1, "shade": "blue"}),
        ("typed", {"Count": 1}),
        ("sleeps", {}),
    ):
        one = default.call("climax_call", {"tool_name": name, "args": arguments}, modern)
        other = classic.call(name, arguments, modern)
        for result in (one, other):
            result["structuredContent"].pop("duration_ms", None)
        assert one == other


def test_progressive_reaches_the_tools_of_every_pack(folder: Path, modern: bool) -> None:
    """S-3: only the two are listed, and they reach every tool of every pack."""
    subprocess.run(toolcrib("directive", "init"), cwd=folder, check=True, capture_output=True)
    (folder / "toolcrib.toml").write_text('[climax]\nconfigs = ["demo.yaml"]\n[directive]\n')
    with Pipe(toolcrib("serve", "--progressive"), cwd=folder) as pipe:
        if not modern:
            pipe.initialize()
        assert listed(pipe, modern) == ["climax_call", "climax_search"]
        assert "directive/spec.template" in names(found(pipe, modern, query="spec template"))
        assert "echo_hello" in names(found(pipe, modern, query="says hello"))
        files = pipe.call("climax_call", {"tool_name": "directive/files.list"}, modern)
        assert "directive/agent_context.md" in files["structuredContent"]["files"]
        hello = pipe.call("climax_call", {"tool_name": "echo_hello"}, modern)
        assert hello["content"][0]["text"] == "hello"


def test_search_then_commit_in_exactly_two_calls(tmp_path: Path) -> None:
    """SC-001: `toolcrib climax run git` in a real repo."""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for key in ("user.name", "user.email"):
        subprocess.run(["git", "-C", tmp_path, "config", key, "me@example.org"], check=True)
    (tmp_path / "new.txt").write_text("new\n")
    subprocess.run(["git", "-C", tmp_path, "add", "new.txt"], check=True)
    with Pipe(toolcrib("climax", "run", "git"), cwd=tmp_path) as pipe:
        pipe.initialize()
        results = found(pipe, False, query="commit what is staged")["results"]
        entry = next(each for each in results if each["tool_name"] == "git_commit")
        assert "message" in entry["input_schema"]["required"]
        done = pipe.call("climax_call", {"tool_name": "git_commit", "args": {"message": "-dash"}})
        assert not done["isError"], done
    log = subprocess.run(
        ["git", "-C", tmp_path, "log", "--format=%s"], check=True, capture_output=True, text=True
    )
    assert log.stdout == "-dash\n"


def alive(marker: str) -> list[str]:
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                words = (entry / "cmdline").read_bytes().split(b"\0")
                cwd = os.readlink(entry / "cwd")
            except OSError:
                continue
            if words[:2] == [b"sleep", b"300"] and cwd == marker:
                found.append(entry.name)
    return found


@pytest.mark.timing
@pytest.mark.parametrize("end", ["cancel", "hang up", "SIGTERM", "SIGKILL"])
def test_whatever_ends_a_call_ends_its_children(folder: Path, end: str) -> None:
    """C-10: cancellation, a client that is gone, a server that has to go."""
    marker = str(folder.resolve())
    with Pipe(toolcrib("climax", "run", "demo.yaml", "--sandbox", "off"), cwd=folder) as pipe:
        pipe.initialize()
        params = {"name": "climax_call", "arguments": {"tool_name": "endless"}}
        pipe.post({"jsonrpc": "2.0", "id": 77, "method": "tools/call", "params": params})
        until(lambda: bool(alive(marker)))
        started = time.monotonic()
        if end == "cancel":
            pipe.post(
                {
                    "jsonrpc": "2.0",
                    "method": "notifications/cancelled",
                    "params": {"requestId": 77},
                }
            )
            assert pipe.call("climax_call", {"tool_name": "echo_hello"})["structuredContent"]
        elif end == "hang up":
            assert pipe.hang_up() == 0
        else:
            pipe.process.send_signal(getattr(signal, end))
            pipe.process.wait(10)
        until(lambda: not alive(marker), 5)
        assert_within(4, time.monotonic() - started)


def test_a_long_call_reports_its_progress(folder: Path) -> None:
    """S-8: progress notifications for calls above a second."""
    (folder / "demo.yaml").write_text(DEMO.replace("timeout: 1}", "timeout: 50}"))
    with Pipe(toolcrib("climax", "run", "demo.yaml"), cwd=folder) as pipe:
        pipe.initialize()
        arguments = {"tool_name": "sleeps"}
        params = {
            "name": "climax_call", "arguments": arguments, "_meta": {"progressToken": "p"},
        }  # fmt: skip
        pipe.post({"jsonrpc": "2.0", "id": "long", "method": "tools/call", "params": params})
        # Until the command itself has told of it, the server only says that it runs.
        while "total" not in (note := pipe.receive())["params"]:
            assert note["params"]["message"].startswith("running for")
        assert note["method"] == "notifications/progress"
        assert (note["params"]["progressToken"], note["params"]["total"]) == ("p", 50)
        assert note["params"]["message"].startswith("sleeps: running for")


def test_a_changed_config_is_served_without_a_restart(folder: Path) -> None:
    """S-5: within 2 s, with a notification."""
    with Pipe(toolcrib("climax", "run", "demo.yaml", "--classic"), cwd=folder) as pipe:
        pipe.initialize()
        assert "fresh" not in listed(pipe, False)
        (folder / "demo.yaml").write_text(DEMO + "  - {name: fresh, command: ':'}\n")
        message = pipe.receive(10)
        assert message["method"] == "notifications/tools/list_changed"
        assert "fresh" in listed(pipe, False)


@pytest.mark.parametrize(
    ("words", "code", "what"),
    [
        (["nope.yaml"], 1, "No such file"),
        (["broken.yaml"], 1, "broken.yaml:2:1"),
        (["demo.yaml", "copy.yaml"], 1, "Two tools are named"),
        (["demo.yaml", "--policy", "nope.yaml"], 1, "No such file"),
        (["gti"], 1, "did you mean 'git'"),
        (["demo.yaml", "--nonsense"], 2, "--nonsense"),
    ],
)
def test_what_cannot_be_served_is_told_at_once(
    folder: Path, words: list[str], code: int, what: str
) -> None:
    """C-8, C-11: exit 1 for something invalid, 2 for wrong usage, and one clear word."""
    (folder / "broken.yaml").write_text("command: [\n")
    (folder / "copy.yaml").write_text(DEMO)
    done = subprocess.run(
        toolcrib("climax", "run", *words), cwd=folder, input=b"", capture_output=True, check=False
    )
    assert done.returncode == code
    assert what in done.stderr.decode()
    assert done.stdout == b""


def test_a_policy_holds_over_the_wire(folder: Path) -> None:
    """C-7: what the policy does not name is neither found nor called."""
    (folder / "policy.yaml").write_text("tools: {typed: {args: {count: {max: 5}}}, echo_hello: }\n")
    words = toolcrib("climax", "run", "demo.yaml", "--policy", "policy.yaml")
    with Pipe(words, cwd=folder) as pipe:
        pipe.initialize()
        assert set(names(found(pipe, False, category="demo"))) == {"typed", "echo_hello"}
        assert pipe.call("climax_call", {"tool_name": "fails"})["isError"]
        refused = pipe.call("climax_call", {"tool_name": "typed", "args": {"count": 6}})
        assert refused["content"][0]["text"] == "Argument 'count' must be at most 5, got 6"


def test_without_configs_those_of_the_repo_are_served_under_their_policy(folder: Path) -> None:
    """C-7, C-8: a policy that lies beside the configs is not left behind."""
    (folder / "climax").mkdir()
    (folder / "demo.yaml").rename(folder / "climax" / "demo.yaml")
    (folder / "climax" / "policy.yaml").write_text("tools: {echo_hello: }\n")
    with Pipe(toolcrib("climax", "run"), cwd=folder) as pipe:
        pipe.initialize()
        assert names(found(pipe, False, category="demo")) == ["echo_hello"]
    with Pipe(toolcrib("serve"), cwd=folder) as pipe:
        pipe.initialize()
        assert names(found(pipe, False, category="demo")) == ["echo_hello"]
