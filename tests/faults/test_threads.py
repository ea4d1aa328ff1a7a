"""K-17, R-4: a tool that hangs hurts itself alone. A real server over a real pipe."""

from __future__ import annotations

import json
import os
import shutil
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from support.clock import assert_within
from support.pipe import Pipe
from support.waiting import until

SHOP = Path(__file__).parents[2] / "examples" / "shop"
TOOLS = '''
import asyncio, time
from pathlib import Path
from pydantic import Field
from toolcrib import Result, ToolArguments

class Where(ToolArguments):
    folder: str = Field(description="Where to wait, and to leave a note")

class Nothing(ToolArguments):
    pass

@ToolArguments.declare(deadline={deadline})
def hang(args: Where) -> Result[str]:
    """Wait until a file appears, then have an effect."""
    while not Path(args.folder, "go").exists():
        time.sleep(0.05)
    Path(args.folder, "effect").write_text("late")
    return Result.ok("done")

@ToolArguments.declare(deadline={deadline})
async def hang_async(args: Where) -> Result[str]:
    """Wait until a file appears, then have an effect."""
    while not Path(args.folder, "go").exists():
        await asyncio.sleep(0.05)
    Path(args.folder, "effect").write_text("late")
    return Result.ok("done")

@ToolArguments.declare
async def block(args: Where) -> Result[str]:
    """Hold up whoever runs it, whatever is raised."""
    while not Path(args.folder, "go").exists():
        try:
            time.sleep(60)
        except Exception:
            pass
    return Result.ok("done")

@ToolArguments.declare
def quick(args: Nothing) -> Result[str]:
    """Answer at once."""
    return Result.ok("quick")

def another(name):
    def waiting(args: Where) -> Result[str]:
        while not Path(args.folder, "go").exists():
            time.sleep(0.05)
        return Result.ok("done")
    waiting.__name__ = waiting.__qualname__ = name
    waiting.__doc__ = "Wait until a file appears."
    waiting.__annotations__ = {{"args": Where, "return": Result[str]}}
    return ToolArguments.declare(deadline={deadline})(waiting)

for number in range(12):
    another(f"wait{{number}}")

@ToolArguments.declare(deadline={deadline})
async def hang_beside(args: Where) -> Result[str]:
    """Wait in a thread until a file appears."""
    def work():
        while not Path(args.folder, "go").exists():
            time.sleep(0.05)
    await asyncio.to_thread(work)
    return Result.ok("done")

@ToolArguments.declare(deadline={deadline})
async def quick_beside(args: Nothing) -> Result[str]:
    """Answer from a thread."""
    return Result.ok(await asyncio.to_thread(str, "quick"))
'''


@pytest.fixture
def project(tmp_path: Path) -> Path:
    made = tmp_path / "shop"
    shutil.copytree(SHOP, made)
    return made


def environment(project: Path) -> dict[str, str]:
    return {"TOOLCRIB_STATE": str(project.parent / "state"), "TOOLCRIB_TRUST": "all"}


def served(project: Path, deadline: float) -> Pipe:
    (project / "own_tools.py").write_text(TOOLS.format(deadline=deadline))
    settings = project / "toolcrib.toml"
    known = settings.read_text() if settings.exists() else ""
    if "[custom]" in known:
        head, _, rest = known.partition("[custom]")
        rest = rest.partition("\n[")[2]
        known = head + (f"[{rest}" if rest else "")
    settings.write_text(f'{known}\n[custom]\nmodules = ["own_tools.py"]\n')
    command = [sys.executable, "-m", "toolcrib", "serve"]
    pipe = Pipe(command, cwd=project, env=environment(project))
    pipe.initialize()
    return pipe


def post_call(pipe: Pipe, id: str, tool: str, arguments: Any) -> None:
    params = {"name": tool, "arguments": arguments}
    pipe.post({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": params})


def others(pipe: Pipe) -> list[tuple[str, dict[str, Any]]]:
    """Requests of every other kind: each pack's tools, resources and prompts."""
    tools = {tool["name"] for tool in pipe.result("tools/list")["tools"]}
    uri = pipe.result("resources/list")["resources"][0]["uri"]
    wanted: list[tuple[str, dict[str, Any]]] = [
        ("tools/call", {"name": "quick", "arguments": {}}),
        ("resources/read", {"uri": uri}),
        ("resources/list", {}),
        ("prompts/list", {}),
    ]
    calls = {
        "guide_rules_for_path": {"path": "README.md"},
        "guide_list_feature_flags": {},
        "search-architecture": {"query": "orders"},
        "list_directive_files": {},
    }
    return wanted + [
        ("tools/call", {"name": name, "arguments": given})
        for name, given in calls.items()
        if name in tools
    ]


def worst(pipe: Pipe, requests: list[tuple[str, dict[str, Any]]], rounds: int) -> float:
    """The longest that any of these requests took; every one must succeed."""
    spent = []
    for _ in range(rounds):
        for method, params in requests:
            started = time.perf_counter()
            result = pipe.result(method, params)
            spent.append(time.perf_counter() - started)
            assert not result.get("isError"), (params, result)
    return max(statistics.quantiles(spent, n=20))


@pytest.mark.timing
def test_eighty_hanging_calls_of_one_tool_delay_nothing_else(project, tmp_path):
    """K-17: 80 hanging calls of one tool delay no other tool by more than 3 s, nor resources."""
    with served(project, deadline=30) as pipe:
        requests = others(pipe)
        assert len(requests) >= 7
        worst(pipe, requests, 2)  # everything is loaded
        quiet = worst(pipe, requests, 3)
        for n in range(80):
            post_call(pipe, f"h{n}", "hang", {"folder": str(tmp_path)})
        hung = worst(pipe, requests, 3)
        # Only a stalled server makes it a hundred times slower, and never by three seconds.
        assert hung < max(100 * quiet, 1.0)
        assert_within(3, hung)
        post_call(pipe, "more", "hang", {"folder": str(tmp_path)})
        refused = pipe.answer("more")["result"]
        assert refused["isError"] is True
        assert refused["structuredContent"] == {
            "success": False,
            "error_type": "busy",
            "retry_after_s": 1,
        }
        (tmp_path / "go").touch()
        kept = {message["id"]: message for message in pipe.notifications if "id" in message}
        for n in range(80):
            answer = kept.get(f"h{n}") or pipe.answer(f"h{n}")
            kept |= {message["id"]: message for message in pipe.notifications if "id" in message}
            assert answer["result"]["structuredContent"]["value"] == "done"


def p99(pipe: Pipe, count: int) -> float:
    """The time that all but one of a hundred calls of a quick tool take at most."""
    spent = []
    for _ in range(count):
        started = time.perf_counter()
        assert pipe.call("quick")["structuredContent"]["value"] == "quick"
        spent.append(time.perf_counter() - started)
    return statistics.quantiles(spent, n=100)[98]


@pytest.mark.timing
def test_calls_beside_eighty_hanging_ones_take_at_most_three_times_as_long(project, tmp_path):
    """R-4: no errors, and a p99 of at most 3 x the quiet one."""
    with served(project, deadline=30) as pipe:
        p99(pipe, 50)  # everything is loaded
        quiet = p99(pipe, 400)
        for n in range(80):
            post_call(pipe, f"h{n}", "hang", {"folder": str(tmp_path)})
        assert_within(3 * quiet, p99(pipe, 400))
        (tmp_path / "go").touch()


def test_the_deadline_tells_the_truth_about_a_plain_function(project, tmp_path):
    """K-17: a plain function cannot be stopped, and its answer says so; its effect comes later."""
    with served(project, deadline=0.5) as pipe:
        answer = pipe.call("hang", {"folder": str(tmp_path)})
        text = answer["content"][0]["text"]
        assert answer["isError"] is True
        assert "did not finish within 0.5 s; it may still be running" in text
        assert "may yet have an effect" in text
        assert not (tmp_path / "effect").exists()
        (tmp_path / "go").touch()
        until((tmp_path / "effect").exists)


def test_an_async_tool_is_stopped_at_its_deadline(project, tmp_path):
    """K-17: an async tool is stopped: it has no effect later."""
    with served(project, deadline=0.5) as pipe:
        text = pipe.call("hang_async", {"folder": str(tmp_path)})["content"][0]["text"]
        assert "did not finish within 0.5 s and was stopped" in text
        (tmp_path / "go").touch()
        for _ in range(20):
            pipe.call("quick")
        time.sleep(0.3)  # no event: six times as long as the tool sleeps between two looks
        assert not (tmp_path / "effect").exists()


def test_an_async_tool_that_blocks_is_stopped_and_delays_nothing_else_for_long(project, tmp_path):
    """K-17: 80 hanging calls of one tool delay no other tool by more than 3 s, also async ones."""
    with served(project, deadline=30) as pipe:
        requests = others(pipe)
        worst(pipe, requests, 1)
        for n in range(80):
            post_call(pipe, f"b{n}", "block", {"folder": str(tmp_path)})
        started = time.perf_counter()
        worst(pipe, requests, 1)
        assert_within(3, time.perf_counter() - started)
        kept = {message["id"]: message for message in pipe.notifications if "id" in message}
        told = [(kept.get(f"b{n}") or pipe.answer(f"b{n}"))["result"] for n in range(80)]
        assert all(each["isError"] for each in told)
        texts = [each["content"][0]["text"] for each in told]
        assert sum("without giving way and was stopped" in text for text in texts) == 1
        assert sum("Circuit breaker tool_block is open after 1 failure;" in text for text in texts)


def doctor(project: Path) -> list[dict[str, Any]]:
    """What `toolcrib doctor` finds wrong with servers."""
    done = subprocess.run(
        [sys.executable, "-m", "toolcrib", "doctor", "--json"],
        cwd=project,
        env={**os.environ, **environment(project)},
        capture_output=True,
        text=True,
    )
    found = json.loads(done.stdout)["findings"]
    return [each for each in found if each["group"] == "servers" and each["level"] != "ok"]


@pytest.mark.timing
def test_threads_that_never_return_are_lost_to_their_own_tool_alone(project, tmp_path):
    """K-17: after the deadline the threads are replaced; the tool rests, the others go on."""
    with served(project, deadline=3) as pipe:
        requests = others(pipe)
        for n in range(80):
            post_call(pipe, f"h{n}", "hang", {"folder": str(tmp_path)})
        texts = []
        kept: dict[str, Any] = {}
        for n in range(80):
            answer = kept.pop(f"h{n}", None) or pipe.answer(f"h{n}")
            kept |= {each["id"]: each for each in pipe.notifications if "id" in each}
            assert answer["result"]["isError"] is True
            texts.append(answer["result"]["content"][0]["text"])
        assert sum("may still be running" in text for text in texts) == 16
        assert sum("nothing was run" in text for text in texts) == 64
        assert_within(3, worst(pipe, requests, 2))
        told = doctor(project)
        assert [each["level"] for each in told] == ["warning"]
        assert (
            f"Tool hang hangs in the server with process id {pipe.process.pid}" in told[0]["text"]
        )
        assert "16 of its threads" in told[0]["text"]
        again = pipe.call("hang", {"folder": str(tmp_path)})
        assert again["isError"] is True  # busy, or its breaker is open
        (tmp_path / "go").touch()
        until(lambda: not doctor(project), 60)


def answered(pipe: Pipe, ids: list[str]) -> list[str]:
    """The texts of the answers to these calls, whatever order they come in."""
    kept: dict[str, Any] = {}
    texts = []
    for id in ids:
        answer = kept.pop(id, None) or pipe.answer(id)
        kept |= {each["id"]: each for each in pipe.notifications if "id" in each}
        texts.append(answer["result"]["content"][0]["text"])
    return texts


def threads_of(pipe: Pipe) -> int:
    return len(os.listdir(f"/proc/{pipe.process.pid}/task"))


def test_two_tools_that_hang_hold_up_no_other_tool_of_their_pack(project, tmp_path):
    """K-17, R-4: every other tool of the pack answers while two of it have all they can get."""
    with served(project, deadline=30) as pipe:
        requests = others(pipe)
        worst(pipe, requests, 1)
        ids = [f"{tool}-{n}" for n in range(40) for tool in ("hang", "wait0")]
        for id in ids:
            post_call(pipe, id, id.partition("-")[0], {"folder": str(tmp_path)})
        for _ in range(3):
            for method, params in requests:
                result = pipe.result(method, params)
                assert not result.get("isError"), (params, result)
        assert not {each.get("id") for each in pipe.notifications} & set(ids), "they still hang"
        (tmp_path / "go").touch()
        assert all("done" in text for text in answered(pipe, ids))


def test_no_more_than_sixty_four_threads_are_lost_by_any_number_of_tools(project, tmp_path):
    """K-17: 64 in all, then busy; a tool that has lost none goes on, and resources do."""
    with served(project, deadline=0.4) as pipe:
        requests = others(pipe)
        worst(pipe, requests, 1)
        quiet = threads_of(pipe)
        texts: list[str] = []
        for tool in (f"wait{n}" for n in range(12)):
            ids = [f"{tool}-{n}" for n in range(16)]
            for id in ids:
                post_call(pipe, id, tool, {"folder": str(tmp_path)})
            texts += answered(pipe, ids)
        late = sum("may still be running" in text for text in texts)
        busy = sum("is busy" in text for text in texts)
        assert 16 < late <= 48 and late + busy == len(texts)
        assert threads_of(pipe) <= quiet + 64
        for method, params in requests:
            result = pipe.result(method, params)
            assert not result.get("isError"), (params, result)
        (tmp_path / "go").touch()
        until(
            lambda: "done" in pipe.call("wait11", {"folder": str(tmp_path)})["content"][0]["text"]
        )


def test_an_async_tool_whose_threads_hang_loses_its_own_alone(project, tmp_path):
    """K-17: `asyncio.to_thread` of other tools goes on; the lost threads are counted and named."""
    with served(project, deadline=3) as pipe:
        pipe.call("quick_beside")
        ids = [f"b{n}" for n in range(80)]
        for id in ids:
            post_call(pipe, id, "hang_beside", {"folder": str(tmp_path)})
        during = pipe.call("quick_beside")
        assert during["structuredContent"]["value"] == "quick"
        assert all("did not finish within 3 s" in text for text in answered(pipe, ids))
        assert pipe.call("quick_beside")["structuredContent"]["value"] == "quick"
        told = doctor(project)
        assert "Tool hang_beside hangs in the server" in told[0]["text"]
        assert "16 of its threads" in told[0]["text"]
        (tmp_path / "go").touch()
        until(lambda: not doctor(project), 60)
