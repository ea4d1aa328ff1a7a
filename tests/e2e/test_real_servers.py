"""Servers that other people wrote, behind toolcrib, called with clients that other people wrote."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from mcp import Client, StdioServerParameters, stdio_client

HERE = Path(__file__).parent
BUILD = HERE.parents[1] / "build" / "servers"
NODE = (
    "@modelcontextprotocol/server-everything@2026",
    "@modelcontextprotocol/server-filesystem@2026",
    "@modelcontextprotocol/server-memory@2026",
    "@modelcontextprotocol/sdk@1",
)
PYTHON = ("mcp-server-fetch", "mcp-server-git", "mcp-server-time")
EARLIER = ("mcp<2",)
INSPECTOR = "@modelcontextprotocol/inspector@2.12.0"
FASTMCP = """
from fastmcp import FastMCP
server = FastMCP("calc")
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
EARLIER_SDK = SDK.replace("mcp.server ", "mcp.server.fastmcp ").replace("MCPServer", "FastMCP")
Call = tuple[str, dict[str, Any]]
Caller = Callable[[Path, Sequence[Call]], list[dict[str, Any]]]

pytestmark = pytest.mark.skipif(shutil.which("npm") is None, reason="npm is missing")


def run(*command: str, **more: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(command, capture_output=True, text=True, timeout=400, **more)


def installed(folder: Path, *commands: Sequence[str]) -> Path:
    """A folder that commands have filled, once for all workers; skips where they cannot."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "whole").exists():
            for command in commands:
                done = run(*command)
                if done.returncode:
                    pytest.skip(f"the servers cannot be had: {done.stderr[-200:]}")
            (folder / "whole").touch()
    return folder


def environment(name: str, *packages: str) -> Path:
    folder = BUILD / name
    made = (sys.executable, "-m", "venv", str(folder))
    pip = (str(folder / "bin/python"), "-m", "pip", "install", "-q", "--disable-pip-version-check")
    return installed(folder, made, (*pip, *packages))


@pytest.fixture(scope="session")
def node() -> Path:
    """The servers and the client of npm."""
    folder = BUILD / "node"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "package.json").write_text('{"private": true}\n')
    quiet = ("--no-audit", "--no-fund", "--prefix", str(folder))
    return installed(folder, ("npm", "install", *quiet, *NODE))


@pytest.fixture(scope="module")
def repo(tmp_path_factory: pytest.TempPathFactory, node: Path) -> Path:
    """A repository whose servers are real; all of them have been seen."""
    folder = tmp_path_factory.mktemp("real")
    repo, inner = folder / "repo", folder / "inner"
    (repo / "mcp").mkdir(parents=True)
    inner.mkdir()
    (repo / "hello.txt").write_text("hello from a file")
    run("git", "init", "-q", ".", cwd=repo)
    run("git", "-c", "user.email=a@b.c", "-c", "user.name=n", "commit", "-q", "--allow-empty",
        "-m", "the first one", cwd=repo)  # fmt: skip
    run(sys.executable, "-m", "toolcrib", "directive", "init", cwd=inner)
    modules = node / "node_modules" / "@modelcontextprotocol"
    programs = environment("python", *PYTHON) / "bin"
    earlier = environment("earlier", *EARLIER) / "bin" / "python"
    inside = f"exec {sys.executable} -m toolcrib serve directive"

    def of_npm(name: str, *args: str, **more: Any) -> dict[str, Any]:
        words = [str(modules / f"server-{name}" / "dist" / "index.js"), *args]
        return {"command": "node", "args": words, "sandbox": "off", **more}

    def program(command: str | Path, *args: str, **more: Any) -> dict[str, Any]:
        return {"command": str(command), "args": list(args), "sandbox": "off", **more}

    memory = {"env": {"MEMORY_FILE_PATH": str(folder / "memory.json")}}
    servers = {
        "everything": of_npm("everything"),
        "filesystem": of_npm("filesystem", str(repo)),
        "memory": of_npm("memory", **memory),
        "fetch": program(programs / "mcp-server-fetch"),
        "git": program(programs / "mcp-server-git"),
        "time": program(programs / "mcp-server-time"),
        "calc": program(sys.executable, "-c", FASTMCP),
        "greeter": program(sys.executable, "-c", SDK),
        "earlier": program(earlier, "-c", EARLIER_SDK),
        "inner": program("sh", "-c", inside, cwd=str(inner)),
    }
    (repo / "mcp" / "servers.json").write_text(json.dumps({"mcpServers": servers}))
    done = run(
        sys.executable, "-m", "toolcrib", "servers", "refresh",
        cwd=repo, env={**os.environ, **variables(repo)},
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return repo


def variables(repo: Path) -> dict[str, str]:
    """One set of folders for all tests of this module: what was seen once stays known."""
    names = ("XDG_STATE_HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME")
    return {**{name: str(repo.parent / name) for name in names}, "TOOLCRIB_TRUST": "all"}


@pytest.fixture(autouse=True)
def own_folders(repo: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TOOLCRIB_STATE", raising=False)
    for name, value in variables(repo).items():
        monkeypatch.setenv(name, value)


def calls(repo: Path) -> list[tuple[str, dict[str, Any], str]]:
    """One tool of each server, with something that its answer has."""
    return [
        ("everything__echo", {"message": "hi there"}, "hi there"),
        ("filesystem__read_text_file", {"path": str(repo / "hello.txt")}, "hello from a file"),
        ("memory__read_graph", {}, "entities"),
        ("fetch__fetch", {"url": "http://127.0.0.1:9/"}, "127.0.0.1"),  # refused: it is private
        ("git__git_log", {"repo_path": str(repo)}, "the first one"),
        ("time__get_current_time", {"timezone": "Asia/Tokyo"}, "Asia/Tokyo"),
        ("calc__add", {"a": 2, "b": 40}, "42"),
        ("greeter__greet", {"name": "Ada"}, "Hello, Ada"),
        ("earlier__greet", {"name": "Grace"}, "Hello, Grace"),
        ("inner__directive/files.list", {}, "spec_template.md"),
    ]


def test_every_real_server_is_asked_and_nothing_is_held_after_it(repo: Path) -> None:
    """X-9, X-21: asked once more, all are known, and none of them has changed."""
    done = run(sys.executable, "-m", "toolcrib", "servers", "refresh", "--json", cwd=repo)
    assert done.returncode == 0, done.stdout + done.stderr
    rows = json.loads(done.stdout)["servers"]
    assert len(rows) == 10 and all(row["tools"] for row in rows)
    assert {row["state"] for row in rows} == {"asleep"}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("echo a message", "everything__echo"),
        ("current time in a timezone", "time__get_current_time"),
        ("create entities in a knowledge graph", "memory__create_entities"),
        ("fetch a web page", "fetch__fetch"),
        ("history of commits", "git__git_log"),
        ("greet somebody", "greeter__greet"),
    ],
)
def test_real_tools_are_found_by_meaning(repo: Path, query: str, expected: str) -> None:
    """X-6: ranked with everything else; an answer of at most 2,500 tokens."""
    done = run(sys.executable, "-m", "toolcrib", "search", query, "--json", cwd=repo)
    found = json.loads(done.stdout)
    assert expected in [each["tool_name"] for each in found["results"]][:3]


def by_python(repo: Path, wanted: Sequence[Call]) -> list[dict[str, Any]]:
    """Call with the Python SDK's client."""
    command = StdioServerParameters(
        command=sys.executable, args=["-m", "toolcrib", "serve"], cwd=repo, env=dict(os.environ)
    )

    async def session() -> list[dict[str, Any]]:
        async with Client(stdio_client(command)) as client:
            listed = await client.list_tools()
            assert {"climax_call", "climax_search"} <= {tool.name for tool in listed.tools}
            found = []
            for name, given in wanted:
                result = await client.call_tool(name, given)
                found.append(result.model_dump(mode="json", by_alias=True))
            return found

    return asyncio.run(session())


def by_typescript(repo: Path, wanted: Sequence[Call]) -> list[dict[str, Any]]:
    """Call with the TypeScript SDK's client."""
    script, modules = HERE / "typescript" / "gateway.mjs", BUILD / "node"
    done = run(
        "node", str(script), str(modules), json.dumps(wanted),
        sys.executable, "-m", "toolcrib", "serve", cwd=repo,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    answer = json.loads(done.stdout)
    assert {"climax_call", "climax_search"} <= set(answer["tools"])
    results: list[dict[str, Any]] = answer["results"]
    return results


def by_inspector(repo: Path, wanted: Sequence[Call]) -> list[dict[str, Any]]:
    """Call with the Inspector, which starts toolcrib for each call."""
    found = []
    for name, given in wanted:
        words = ["npx", "-y", INSPECTOR, "--cli", sys.executable, "-m", "toolcrib", "serve"]
        for variable, value in variables(repo).items():
            words += ["-e", f"{variable}={value}"]
        words += ["--method", "tools/call", "--tool-name", name, "-q", "--format", "json"]
        for key, value in given.items():
            text = value if isinstance(value, str) else json.dumps(value)
            words += ["--tool-arg", f"{key}={text}"]
        done = run(*words, cwd=repo)
        if done.returncode and "npm" in done.stderr and "404" in done.stderr:
            pytest.skip("the Inspector cannot be had")
        assert done.stdout, done.stderr
        answer = json.loads(done.stdout)
        found.append(answer.get("result", answer))
    return found


@pytest.mark.parametrize(
    ("caller", "most"), [(by_python, 10), (by_typescript, 10), (by_inspector, 2)]
)
def test_tools_of_real_servers_answer_to_real_clients(
    repo: Path, caller: Caller, most: int
) -> None:
    """X-6, X-11, X-18: found and called through the two tools, whoever wrote client and server."""
    wanted = calls(repo)[:most]
    through: list[Call] = [("climax_search", {"query": "echo a message"})]
    through += [("climax_call", {"tool_name": name, "args": given}) for name, given, _ in wanted]
    search, *results = caller(repo, through)
    assert "everything__echo" in json.dumps(search["content"])
    for (name, _, expected), result in zip(wanted, results, strict=True):
        assert expected in result["content"][0]["text"], (name, result)
        assert bool(result.get("isError")) is (name == "fetch__fetch")
