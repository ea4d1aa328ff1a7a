"""U-3: troubleshooting by exact error text: each heading is an error that really occurs so."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import shlex
import shutil
import socket
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

from support.pages import DOCS, ROOT, matches
from toolcrib.cli import main
from toolcrib.core.errors import ToolcribError
from toolcrib.core.executor import ToolExecutor
from toolcrib.core.tool import Tool
from toolcrib.server.assembly import assemble
from toolcrib.server.transports.http import HttpApplication
from toolcrib.settings import load

PAGE = DOCS / "troubleshooting.md"
HEADINGS = re.findall(r"^### (.*)$", PAGE.read_text(), re.MULTILINE)
# What a client shows in its own words, of which there are too many to quote.
ELSEWHERE = 'The client says nothing, or "server disconnected"'


@dataclass
class Bench:
    """A copy of the shop in which things can go wrong."""

    shop: Path
    home: Path
    capsys: pytest.CaptureFixture[str]
    monkeypatch: pytest.MonkeyPatch

    def type(self, line: str) -> str:
        """Type a command, and return all that it prints."""
        with contextlib.suppress(SystemExit):
            main(shlex.split(line)[1:])
        return "".join(self.capsys.readouterr())

    def write(self, path: str, text: str) -> None:
        file = self.shop / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def change(self, path: str, old: str, new: str) -> None:
        text = (self.shop / path).read_text()
        assert old in text
        self.write(path, text.replace(old, new))


@pytest.fixture
def bench(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Bench:
    shop, home = tmp_path / "shop", tmp_path / "home"
    ignored = shutil.ignore_patterns("__pycache__", "var")
    shutil.copytree(ROOT / "examples" / "shop", shop, ignore=ignored)
    (shop / ".git").mkdir()
    (home / "bin").mkdir(parents=True)
    (home / "bin" / "python3").symlink_to(sys.executable)
    for name in [name for name in os.environ if name.startswith(("XDG_CONFIG", "CLAUDE_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("PATH", f"{home}/bin:/usr/local/bin:/usr/bin:/bin")
    monkeypatch.chdir(shop)
    return Bench(shop, home, capsys, monkeypatch)


SCENARIOS: dict[str, Callable[[Bench], str]] = {}


def shows(heading: str) -> Callable[[Callable[[Bench], str]], Callable[[Bench], str]]:
    """Mark a function that makes the error of a heading occur, and returns what was printed."""

    def add(scenario: Callable[[Bench], str]) -> Callable[[Bench], str]:
        SCENARIOS[heading] = scenario
        return scenario

    return add


def typed(heading: str, line: str) -> None:
    """An error that a single command makes occur."""
    SCENARIOS[heading] = lambda bench: bench.type(line)


typed("Unknown command: serv; did you mean 'serve' or 'servers' or 'search'?", "toolcrib serv")
typed("The arguments are not JSON: …", "toolcrib call shop_orders_list {status:paid}")
typed(
    "Unknown tool: shop_orders_lst; did you mean 'shop_orders_list' …",
    "toolcrib call shop_orders_lst",
)
typed(
    "Argument 'status' must be one of: placed, paid, shipped, cancelled",
    "toolcrib call shop_orders_list --arg status=lost",
)
typed("toolcrib.toml is there already", "toolcrib init")
typed(
    "No such file: directive/agent_contxt.md",
    "toolcrib call directive/file.get --arg path=directive/agent_contxt.md",
)
typed(
    "Argument 'pattern_name': unknown pattern 'repositry'; did you mean 'repository-pattern'?",
    "toolcrib call validate-against-pattern --arg code=x --arg pattern_name=repositry",
)
typed(
    "Unknown or expired workflow: wf_gone",
    "toolcrib call validate-against-pattern --arg workflow=wf_gone",
)
typed("Nothing matches 'lang/pyton'", "toolcrib call guide_get_content --arg expression=lang/pyton")
typed(
    "A pattern is missing at character 13 of the expression:",
    "toolcrib content get lang/python+,docs",
)
typed("No bundled config is named 'gti'; did you mean 'git'?", "toolcrib climax list gti")
typed(
    "Argument 'number': cannot convert 'last' to integer",
    "toolcrib call shop_orders_show --arg number=last",
)
typed(
    "Argument 'sku': a positional argument must not begin with '-', "
    "it could be taken for an option: '--help'",
    "toolcrib call shop_stock_count --arg sku=--help --arg pieces=1",
)
typed(
    "Argument 'pieces' must be at most 500, got 900",
    "toolcrib call shop_stock_count --arg sku=mug-ink --arg pieces=900",
)
typed("Refusing to serve 0.0.0.0 without authentication", "toolcrib serve --http 0.0.0.0:0")
typed("No client was found on this machine", "toolcrib install --all")


@shows("nothing here to serve for any of: directive, architecture, guide, climax, gateway, custom")
def _nothing(bench: Bench) -> str:
    (bench.home / ".git").mkdir()
    return bench.type(f"toolcrib doctor --project {bench.home}")


@shows("Unknown key 'prot' in [http]; did you mean 'port'?")
def _key(bench: Bench) -> str:
    bench.write("toolcrib.toml", "[http]\nprot = 8080\n")
    return bench.type("toolcrib list")


@shows("Unknown section [sever]; did you mean 'server'?")
def _section(bench: Bench) -> str:
    bench.write("toolcrib.toml", "[sever]\n")
    return bench.type("toolcrib list")


@shows("[server] names must be one of: exact, safe; did you mean 'safe'?")
def _value(bench: Bench) -> str:
    bench.monkeypatch.setenv("TOOLCRIB_SERVER_NAMES", "saef")
    return bench.type("toolcrib list")


@shows("Claude Desktop already has a server 'toolcrib', for …")
def _other_project(bench: Bench) -> str:
    bench.type(f"toolcrib install claude-desktop --project {bench.home}")
    return bench.type("toolcrib install claude-desktop")


@shows("This is not JSON")
def _broken_client(bench: Bench) -> str:
    bench.write(".cursor/mcp.json", "{")
    return bench.type("toolcrib install cursor")


@shows("Missing template: directive/templates/spec_template.md")
def _template(bench: Bench) -> str:
    (bench.shop / "directive/templates/spec_template.md").unlink()
    return bench.type("toolcrib call directive/spec.template")


@shows("The folder directive/ is unavailable")
def _folder(bench: Bench) -> str:
    shutil.rmtree(bench.shop / "directive")
    return bench.type("toolcrib directive bundle spec")


@shows("{{tool:serach-architecture}} names no tool that is served")
def _reference(bench: Bench) -> str:
    bench.change("mcp/prompts/plan-a-change.json", "check-adr-alignment", "serach-architecture")
    return bench.type("toolcrib validate")


@shows("Two tools are named 'shop_orders_list': one in …")
def _doubled(bench: Bench) -> str:
    shutil.copy(bench.shop / "tools/shop.yaml", bench.shop / "tools/again.yaml")
    return bench.type("toolcrib climax validate tools/shop.yaml tools/again.yaml")


@shows(
    "The policy names the tool 'shop_order_list', which no config has; "
    "did you mean 'shop_orders_list' …"
)
def _in_vain(bench: Bench) -> str:
    bench.change("tools/policy.yaml", "shop_orders_list", "shop_order_list")
    return bench.type("toolcrib validate")


@shows("The pattern is not valid: …")
def _pattern(bench: Bench) -> str:
    bench.change("tools/policy.yaml", "[a-z]+(-[a-z]+)*", "(?=a)")
    return bench.type("toolcrib validate")


@shows("The program 'no-such-program' is not installed")
def _program(bench: Bench) -> str:
    bench.write("tools/x.yaml", "command: no-such-program\ntools: [{name: x, description: x}]\n")
    return bench.type("toolcrib climax validate tools/x.yaml")


@shows("Command timed out after 1s")
def _timeout(bench: Bench) -> str:
    bench.write(
        "tools/x.yaml",
        "command: sleep 60\ntools: [{name: nap, description: Sleep, timeout: 1}]\n",
    )
    bench.write("toolcrib.toml", '[climax]\nconfigs = ["tools/x.yaml"]\npolicy = ""\n')
    return bench.type("toolcrib call nap")


@shows('sandbox = "required", but bubblewrap cannot be used here')
def _sandbox(bench: Bench) -> str:
    bench.monkeypatch.setenv("PATH", str(bench.home))
    bench.monkeypatch.setenv("TOOLCRIB_CLIMAX_SANDBOX", "required")
    return bench.type("toolcrib doctor")


def _failing(name: str, **more: float) -> Tool:
    async def run(arguments: object, context: object) -> object:
        if name == "slow":
            await asyncio.sleep(60)  # work: of the tool
        return 1 / 0

    return Tool(name=name, description="", input_schema={"type": "object"}, run=run, **more)


def _said(tool: Tool, times: int = 1) -> str:
    async def calls() -> str:
        executor = ToolExecutor()
        for _ in range(times):
            try:
                await executor.run(tool)
            except ToolcribError as error:
                last = error
        return str(last)

    return asyncio.run(calls())


@shows("Tool broken failed: ZeroDivisionError: division by zero")
def _crash(bench: Bench) -> str:
    return _said(_failing("broken"))


@shows(
    "Tool slow did not finish within 0.1 s and was stopped; threads and tasks that it began may"
    " still run and have an effect"
)
def _slow(bench: Bench) -> str:
    return _said(_failing("slow", deadline=0.1))


@shows("Tool slow did not finish within 0.1 s; it may still be running and may yet have an effect")
def _slow_thread(bench: Bench) -> str:
    import time

    def run(arguments: object, context: object) -> None:
        time.sleep(0.5)  # work: of the tool

    return _said(Tool("slow", "x", {"type": "object"}, run, deadline=0.1))


@shows("slow is busy: 16 calls run and 64 wait")
def _busy(bench: Bench) -> str:
    import threading

    go = threading.Event()
    tool = Tool("slow", "x", {"type": "object"}, lambda arguments, context: go.wait(10))

    async def calls() -> str:
        executor = ToolExecutor()
        tasks = [asyncio.create_task(executor.run(tool)) for _ in range(80)]
        await asyncio.sleep(0)
        try:
            await executor.run(tool)
        except ToolcribError as error:
            return str(error)
        finally:
            go.set()
            await asyncio.gather(*tasks)
        return ""

    return asyncio.run(calls())


@shows("Circuit breaker tool_broken is open after 5 failures in a row; it will try again in 30 s")
def _breaker(bench: Bench) -> str:
    return _said(_failing("broken"), times=6)


@shows("Cannot listen on 127.0.0.1:…: Address already in use")
def _port(bench: Bench) -> str:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return bench.type(f"toolcrib serve --http 127.0.0.1:{taken.getsockname()[1]}")


@shows("[http] tokens holds SHA-256 hashes, not tokens")
def _hashes(bench: Bench) -> str:
    bench.write("toolcrib.toml", '[http]\ntokens = ["open sesame"]\n')
    return bench.type("toolcrib serve --http 127.0.0.1:0")


def _answered(bench: Bench, **headers: str) -> str:
    """What the HTTP application answers to a POST with these headers."""
    bench.write("toolcrib.toml", '[http]\ntoken_file = "tokens.txt"\n')
    bench.write("tokens.txt", "open-sesame\n")
    (bench.shop / "tokens.txt").chmod(0o600)
    settings = load(bench.shop)
    sent: list[bytes] = []

    async def ask() -> None:
        application = HttpApplication(assemble(settings), settings)
        given = {"host": "localhost", "authorization": "Bearer open-sesame", **headers}
        pairs = [(name.replace("_", "-").encode(), text.encode()) for name, text in given.items()]
        scope = {"type": "http", "method": "POST", "path": "/mcp", "headers": pairs}

        async def receive() -> dict[str, object]:
            return {"type": "http.request", "body": b"{}"}

        async def send(event: dict[str, object]) -> None:
            sent.append(event.get("body", b""))

        await application(scope, receive, send)

    asyncio.run(ask())
    return b"".join(sent).decode()


@shows("A valid bearer token is required")
def _token(bench: Bench) -> str:
    return _answered(bench, authorization="Bearer guess")


@shows("Host not served here; add it to [http] allowed_hosts")
def _host(bench: Bench) -> str:
    return _answered(bench, host="tools.example.com")


@shows("Origin not allowed; add it to [http] allowed_origins")
def _origin(bench: Bench) -> str:
    return _answered(bench, origin="https://evil.example.com")


@shows("Content-Type must be application/json")
def _kind(bench: Bench) -> str:
    return _answered(bench, content_type="text/plain")


@shows("Unsupported protocol version: 2030-01-01")
def _version(bench: Bench) -> str:
    meta = (
        '{"io.modelcontextprotocol/protocolVersion": "2030-01-01", '
        '"io.modelcontextprotocol/clientCapabilities": {}}'
    )
    line = f'{{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {{"_meta": {meta}}}}}\n'
    return _served(line)


@shows("Standard input or output is closed")
def _closed(bench: Bench) -> str:
    words = ["sh", "-c", 'exec "$0" -m toolcrib serve <&-', sys.executable]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    return done.stdout + done.stderr


def _served(line: str) -> str:
    words = [sys.executable, "-m", "toolcrib", "serve", "directive"]
    return subprocess.run(words, input=line, capture_output=True, text=True, timeout=60).stdout


@pytest.mark.parametrize("heading", [each for each in HEADINGS if each != ELSEWHERE])
def test_a_heading_is_what_is_printed(heading: str, bench: Bench) -> None:
    """U-3: the error is made to occur, and its text is the heading."""
    printed = SCENARIOS[heading](bench)
    assert matches(f"…{heading}…", printed), printed


def test_every_error_that_is_tried_here_is_on_the_page() -> None:
    """U-3: no scenario without a heading."""
    assert set(SCENARIOS) == set(HEADINGS) - {ELSEWHERE}
