"""The record of calls: what its lines hold, how it is rotated, and what it survives."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from support.pipe import Pipe, toolcrib
from toolcrib.core.audit import FinishedCall, new_id
from toolcrib.core.errors import ConfigError
from toolcrib.core.tool import CallContext
from toolcrib.server.record import CallRecord, size_of

TOOLS = """
name: shop
description: The shop
command: echo
tools:
  - name: shop_say
    description: Says a word
    args: [{name: word, positional: true, required: true}]
  - name: shop_hide
    description: Not for agents
"""
POLICY = """
default: disabled
tools:
  shop_say:
    args:
      word: {pattern: "[a-z]+"}
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / "climax").mkdir(parents=True)
    (folder / "climax" / "shop.yaml").write_text(TOOLS)
    (folder / "climax" / "policy.yaml").write_text(POLICY.lstrip())
    return folder


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    source = Path(__file__).parents[2] / "examples" / "shop"
    return Path(shutil.copytree(source, tmp_path / "shop"))


def lines_of(file: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def recorded(repo: Path, *calls: tuple[str, dict[str, Any]]) -> list[dict[str, Any]]:
    """The lines that these calls over a real pipe leave."""
    log = repo / "audit.jsonl"
    with Pipe(toolcrib("serve", "--audit", str(log)), cwd=repo) as pipe:
        pipe.initialize()
        for name, arguments in calls:
            pipe.ask("tools/call", {"name": name, "arguments": arguments})
        pipe.hang_up()
    return lines_of(log)


def finished(**more: Any) -> FinishedCall:
    given: dict[str, Any] = {"arguments": {}, "context": CallContext(), "outcome": "ok"}
    return FinishedCall(
        **{"id": new_id(), "parent": None, "name": "t", "milliseconds": 1.0, **given, **more}
    )


def test_a_call_through_climax_call_is_two_lines_tied_by_parent(repo: Path) -> None:
    """W-3: the outer line has the outcome of the inner one; both name client and session."""
    call = {"tool_name": "shop_say", "args": {"word": "hello"}}
    start, *calls, stop = recorded(repo, ("climax_call", call))
    outer = next(line for line in calls if line["parent"] is None)
    inner = next(line for line in calls if line["parent"] is not None)
    assert inner["parent"] == outer["id"]
    assert (outer["tool"], inner["tool"]) == ("climax_call", "shop_say")
    assert outer["outcome"] == inner["outcome"] == "ok"
    assert outer["v"] == 2 and outer["method"] == "tools/call" and outer["error"] is None
    assert outer["client"] == start["client"] and outer["client"]["name"]
    assert outer["session"] == start["session"] == stop["session"] and outer["caller"] == "stdio"
    assert inner["answer_chars"] == len("hello") and inner["answer_tokens"] >= 1
    assert start["event"] == "start" and start["transport"] == "stdio" and start["started"]


def test_what_a_policy_turns_away_is_denied_with_its_place(repo: Path) -> None:
    """W-3: denied, refused_by policy, and the file:line:column of the rule; never a typo."""
    lines = recorded(
        repo,
        ("climax_call", {"tool_name": "shop_hide"}),
        ("climax_call", {"tool_name": "shop_say", "args": {"word": "NO"}}),
        ("climax_call", {"tool_name": "shop_sya", "args": {"word": "no"}}),
    )
    hidden, pattern, typo = (
        line for line in lines if line.get("parent") is None and "event" not in line
    )
    assert (hidden["outcome"], hidden["refused_by"]) == ("denied", "policy")
    assert hidden["place"].startswith("climax/policy.yaml:1:")
    assert hidden["error"].startswith("Unknown tool: shop_hide")
    assert (pattern["outcome"], pattern["refused_by"]) == ("denied", "policy")
    assert pattern["place"] == "climax/policy.yaml:5:7"  # the rule of the argument
    assert (typo["outcome"], typo["refused_by"], typo["place"]) == ("invalid", None, None)
    inner = {line["tool"]: line for line in lines if line.get("parent")}
    assert inner["shop_hide"]["outcome"] == "denied" and inner["shop_sya"]["outcome"] == "invalid"


def test_reads_prompts_and_unknown_names_leave_a_line(shop: Path) -> None:
    """W-3: resources/read, prompts/get and calls of unknown tools are recorded, too."""
    log = shop / "audit.jsonl"
    with Pipe(toolcrib("serve", "--audit", str(log)), cwd=shop) as pipe:
        pipe.initialize()
        uri = pipe.result("resources/list", {})["resources"][0]["uri"]
        pipe.result("resources/read", {"uri": uri})
        pipe.ask("resources/read", {"uri": "architecture://adr/none"})
        pipe.ask("tools/call", {"name": "no_such_tool", "arguments": {}})
        pipe.hang_up()
    read, missing, unknown = (line for line in lines_of(log) if "event" not in line)
    assert (read["method"], read["tool"], read["outcome"]) == ("resources/read", uri, "ok")
    assert read["answer_chars"] > 0
    assert (missing["outcome"], missing["tool"]) == ("invalid", "architecture://adr/none")
    assert (unknown["outcome"], unknown["tool"]) == ("invalid", "no_such_tool")


def test_rotation_by_eight_processes_loses_and_doubles_nothing(tmp_path: Path) -> None:
    """W-5: whoever passes the limit rotates; every line is in exactly one file."""
    file = tmp_path / "record.jsonl"
    code = (
        "import sys; from pathlib import Path\n"
        "from toolcrib.core.audit import FinishedCall, new_id\n"
        "from toolcrib.core.tool import CallContext\n"
        "from toolcrib.server.record import CallRecord\n"
        "record = CallRecord(Path(sys.argv[1]), rotate=16384, keep=1000)\n"
        "for n in range(200):\n"
        "    name = f'{sys.argv[2]}-{n}'\n"
        "    record(FinishedCall(new_id(), None, name, {}, CallContext(), 'ok', 1.0))\n"
    )
    argv = [sys.executable, "-c", code, str(file)]
    writers = [subprocess.Popen([*argv, str(number)]) for number in range(8)]
    assert [writer.wait() for writer in writers] == [0] * 8
    files = [file, *tmp_path.glob("record.jsonl.*")]
    names = [line["tool"] for each in files for line in lines_of(each)]
    assert len(files) > 5
    assert sorted(names) == sorted(f"{number}-{n}" for number in range(8) for n in range(200))


def test_only_as_many_old_files_stay_as_were_asked_for(tmp_path: Path) -> None:
    """W-5: four old files are kept."""
    record = CallRecord(tmp_path / "r", rotate=2048, keep=4)
    for _ in range(100):
        record(finished())
    assert sorted(each.name for each in tmp_path.iterdir()) == ["r", "r.1", "r.2", "r.3", "r.4"]


def test_a_removed_file_is_made_again_and_a_renamed_one_is_left(tmp_path: Path) -> None:
    """W-5: the next line goes to the file at the path, whatever became of the last one."""
    file = tmp_path / "r"
    record = CallRecord(file)
    record(finished(name="one"))
    file.rename(tmp_path / "old")
    record(finished(name="two"))
    file.unlink()
    record(finished(name="three"))
    assert [line["tool"] for line in lines_of(file)] == ["three"]
    assert [line["tool"] for line in lines_of(tmp_path / "old")] == ["one"]
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_moved_folder_is_noticed_within_the_next_second(tmp_path: Path) -> None:
    """W-5: path and inode part, also where the folder around the file was moved."""
    file = tmp_path / "kept" / "record.jsonl"
    file.parent.mkdir()
    record = CallRecord(file)
    record(finished())
    file.parent.rename(tmp_path / "moved")
    file.parent.mkdir()
    written, end = 1, time.monotonic() + 20
    while not file.exists() and time.monotonic() < end:
        record(finished())
        written += 1
    record.stop()
    moved = lines_of(tmp_path / "moved" / "record.jsonl")
    assert lines_of(file) and len(moved) + len(lines_of(file)) == written


def test_a_line_stays_within_its_bound_and_says_what_it_left_out(tmp_path: Path) -> None:
    """W-5: a line has at most 64 kB; arguments that would pass that are a number and a size."""
    record = CallRecord(tmp_path / "r")
    record(finished(arguments={f"k{n}": "x" * 90 for n in range(2000)}))
    (line,) = lines_of(tmp_path / "r")
    assert line["arguments"]["arguments"] == 2000 and line["arguments"]["characters"] > 64_000


def test_errors_are_one_clean_line(tmp_path: Path) -> None:
    """W-3: at most 300 characters, no secrets, control and bidi characters as blanks."""
    record = CallRecord(tmp_path / "r")
    record(finished(outcome="failed", error="a\x1b[31m\u202eb password=hunter2 " + "x" * 500))
    (line,) = lines_of(tmp_path / "r")
    assert len(line["error"]) == 300 and "hunter2" not in line["error"]
    assert line["error"].startswith("a [31m b password=***")


def test_a_broken_size_is_told() -> None:
    """W-5: a number with KiB, MiB or GiB."""
    assert size_of("16MiB") == 16 * 2**20
    for wrong in ("16", "0MiB", "much", "-1KiB"):
        with pytest.raises(ConfigError, match="16MiB"):
            size_of(wrong)


def test_recording_begins_while_serving(repo: Path) -> None:
    """W-10: `toolcrib calls --on` is noticed by a running server, without a restart."""
    state = repo.parent / "state"
    env = {**os.environ, "TOOLCRIB_STATE": str(state)}
    with Pipe(toolcrib("serve"), cwd=repo, env=env) as pipe:
        pipe.initialize()
        pipe.call("climax_search", {"query": "say"})
        subprocess.run(toolcrib("calls", "--on"), cwd=repo, env=env, check=True)

        def recorded() -> bool:  # the file is there a moment before calls are written to it
            return any('"climax_search"' in each.read_text() for each in state.glob("audit/*"))

        patience = time.monotonic() + 20
        while not recorded() and time.monotonic() < patience:
            pipe.call("climax_search", {"query": "say"})
        pipe.hang_up()
    (file,) = state.glob("audit/*.jsonl")
    assert file.parent.stat().st_mode & 0o777 == 0o700
    assert any(line.get("tool") == "climax_search" for line in lines_of(file))
