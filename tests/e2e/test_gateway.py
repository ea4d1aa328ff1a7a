"""Other servers behind this one, all the way: real servers, a real client over a real pipe."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

from support.pipe import Pipe, toolcrib
from support.waiting import until

ODD = Path(__file__).parents[1] / "support" / "odd_server.py"
FASTMCP = """
from fastmcp import FastMCP
server = FastMCP("calc", instructions="Adds numbers. For tests.")
@server.tool
def add(a: int, b: int) -> int:
    "Add two whole numbers."
    return a + b
server.run(show_banner=False)
"""
SDK = """
from mcp.server import MCPServer
server = MCPServer("greeter")
@server.tool()
def greet(name: str) -> str:
    "Greet somebody by name."
    return f"Hello, {name}"
server.run()
"""


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    folder = tmp_path / "repo"
    (folder / "mcp").mkdir(parents=True)
    return folder


def written(repo: Path, **servers: dict[str, Any]) -> None:
    (repo / "mcp" / "servers.json").write_text(json.dumps({"mcpServers": servers}))


def python(*words: str, **more: Any) -> dict[str, Any]:
    return {"command": sys.executable, "args": list(words), "sandbox": "off", **more}


def environment(repo: Path) -> dict[str, str]:
    state = repo.parent
    return {
        "TOOLCRIB_STATE": str(state / "state"),
        "XDG_CACHE_HOME": str(state / "cache"),
        "XDG_CONFIG_HOME": str(state / "config"),
        "TOOLCRIB_TRUST": "all",
    }


def searched(pipe: Pipe, query: str) -> Any:
    """What a search finds once no server is pending."""
    end = time.monotonic() + 60
    while True:
        found = pipe.call("climax_search", {"query": query})["structuredContent"]
        if "pending" not in found or time.monotonic() > end:
            return found


@pytest.mark.parametrize("code", [FASTMCP, SDK], ids=["FastMCP", "SDK"])
def test_a_real_server_is_found_by_meaning_and_called(repo: Path, code: str) -> None:
    """X-6, X-9, X-10: behind climax_search and climax_call beside everything else."""
    written(repo, other=python("-c", code))
    with Pipe(toolcrib("serve"), cwd=repo, env=environment(repo)) as pipe:
        pipe.initialize()
        names = [tool["name"] for tool in pipe.result("tools/list")["tools"]]
        assert names == ["climax_call", "climax_search"]
        word, tool, args, expected = (
            ("sum of numbers", "other__add", {"a": 2, "b": 40}, "42")
            if code is FASTMCP
            else ("greet", "other__greet", {"name": "Ada"}, "Hello, Ada")
        )
        found = searched(pipe, word)
        entry = next(each for each in found["results"] if each["tool_name"] == tool)
        assert entry["cli_name"] == "other" and entry["category"] == "mcp"
        result = pipe.call("climax_call", {"tool_name": tool, "args": args})
        assert not result["isError"] and expected in result["content"][0]["text"]
        wrong = pipe.call("climax_call", {"tool_name": tool, "args": {key: [] for key in args}})
        assert wrong["isError"]
        assert pipe.hang_up() == 0


def test_a_server_that_hangs_holds_nobody_up(repo: Path) -> None:
    """X-10, FAULTS: everything else answers as if it were not there; it is named as pending."""
    written(
        repo,
        hanging=python(str(ODD), json.dumps({"hang": "start"}), startup_timeout=30),
        good=python(str(ODD), json.dumps({"names": ["water_plants"]})),
    )
    with Pipe(toolcrib("serve"), cwd=repo, env=environment(repo)) as pipe:
        pipe.initialize()
        assert pipe.result("tools/list")["tools"]
        result = pipe.call("climax_call", {"tool_name": "good__water_plants", "args": {}})
        assert not result["isError"]
        found = pipe.call("climax_search", {"query": "water plants"})["structuredContent"]
        assert found["results"][0]["tool_name"] == "good__water_plants"
        assert found["pending"] == ["hanging"]
        assert pipe.hang_up() == 0


def test_a_second_start_lists_and_searches_without_starting_anything(repo: Path) -> None:
    """X-9: answered from the catalogue on disk."""
    mark = repo.parent / "starts"
    code = f"import sys; open({str(mark)!r}, 'a').write('x'); sys.argv = ['odd', '{{}}']; " + (
        f"exec(open({str(ODD)!r}).read())"
    )
    written(repo, odd=python("-c", code))
    for _ in range(2):
        with Pipe(toolcrib("serve"), cwd=repo, env=environment(repo)) as pipe:
            pipe.initialize()
            assert searched(pipe, "t0")["results"][0]["tool_name"] == "odd__t0"
            pipe.hang_up()
    assert mark.read_text() == "x"


def test_a_server_is_gone_when_its_client_is_killed(repo: Path) -> None:
    """X-12, FAULTS: toolcrib killed with -9: no server survives."""
    written(repo, odd=python(str(ODD), "{}"))
    with Pipe(toolcrib("serve"), cwd=repo, env=environment(repo)) as pipe:
        pipe.initialize()
        result = pipe.call("climax_call", {"tool_name": "odd__t0", "args": {}})
        pid = result["structuredContent"]["pid"]
        pipe.process.kill()
        pipe.process.wait()
        end = time.monotonic() + 10
        while os.path.exists(f"/proc/{pid}") and time.monotonic() < end:
            time.sleep(0.05)  # no event: of a process that is not ours
        assert not os.path.exists(f"/proc/{pid}")


def test_the_whole_of_a_long_description_can_be_read(repo: Path) -> None:
    """X-22: at most 4,096 characters in a search answer, the whole in toolcrib://tools/NAME."""
    written(repo, odd=python(str(ODD), json.dumps({"extra": {"description": "water " * 2000}})))
    with Pipe(toolcrib("serve"), cwd=repo, env=environment(repo)) as pipe:
        pipe.initialize()
        entry = searched(pipe, "water")["results"][0]
        assert len(entry["description"]) == 4096
        read = pipe.result("resources/read", {"uri": f"toolcrib://tools/{entry['tool_name']}"})
        assert len(read["contents"][0]["text"]) == len("water " * 2000)
        assert pipe.error("resources/read", {"uri": "toolcrib://tools/odd__nope"})


@pytest.mark.parametrize("depth", ["1", "2", "7"])
def test_a_toolcrib_below_a_toolcrib_serves_its_servers_and_one_below_that_does_not(
    repo: Path, depth: str
) -> None:
    """X-3: at depth 2 `serve gateway` exits 1 and says depth; `serve` goes on without the pack."""
    written(repo, odd=python(str(ODD), json.dumps({"names": ["water_plants"]})))
    given = {**environment(repo), "TOOLCRIB_GATEWAY_DEPTH": depth}
    with Pipe(toolcrib("serve"), cwd=repo, env=given) as pipe:
        pipe.initialize()
        names = [tool["name"] for tool in pipe.result("tools/list")["tools"]]
        assert ("climax_call" in names) is (depth == "1")
        if depth == "1":
            result = pipe.call("climax_call", {"tool_name": "odd__water_plants", "args": {}})
            assert not result["isError"]
        assert pipe.hang_up() == 0
    if depth != "1":
        done = subprocess.run(
            toolcrib("serve", "gateway"), cwd=repo, env={**os.environ, **given},
            capture_output=True, text=True, timeout=60,
        )  # fmt: skip
        assert done.returncode == 1 and "depth" in done.stderr.replace("DEPTH", "")


def test_trust_that_is_given_and_taken_elsewhere_is_seen_each_time(repo: Path) -> None:
    """X-16, X-20: also where there was a record when the session began."""
    env = {**environment(repo), "TOOLCRIB_TRUST": ""}

    def trust(word: str) -> None:
        subprocess.run(
            toolcrib("trust", word), cwd=repo, env={**os.environ, **env}, check=True,
            capture_output=True,
        )  # fmt: skip

    written(repo, odd=python(str(ODD), "{}"))
    trust("--yes")
    with Pipe(toolcrib("serve"), cwd=repo, env=env) as pipe:
        pipe.initialize()

        def works() -> bool:
            return not pipe.call("climax_call", {"tool_name": "odd__t0"})["isError"]

        assert works()
        written(repo, odd=python(str(ODD), '{"tools": 1}'))
        until(lambda: not works())
        for word in ("--yes", "--revoke", "--yes"):
            trust(word)
            until(lambda word=word: works() is (word == "--yes"))


def test_a_client_is_told_of_a_list_that_another_toolcrib_has_read(
    repo: Path, tmp_path: Path
) -> None:
    """X-16, X-21: the lists of two processes are the same, and what changed is held by both."""
    suffix = tmp_path / "suffix"
    written(repo, odd=python(str(ODD), env={"ODD_STATE": str(suffix)}))
    env = environment(repo)
    refresh = [*toolcrib("servers", "refresh")]
    subprocess.run(refresh, cwd=repo, env={**os.environ, **env}, check=True)
    with Pipe(toolcrib("serve", "--classic"), cwd=repo, env=env) as pipe:
        pipe.initialize()
        assert len(pipe.result("tools/list")["tools"]) == 2
        suffix.write_text(" anew")
        subprocess.run(refresh, cwd=repo, env={**os.environ, **env}, check=True)
        until(lambda: pipe.result("tools/list")["tools"] == [])
        told = [message["method"] for message in pipe.notifications]
        assert "notifications/tools/list_changed" in told
