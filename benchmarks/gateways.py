"""What gateways do with servers that are broken, in one run on this machine.

Each gateway is installed into a folder of its own below build/compare and started over stdio with
two servers: a good one, and one with a fault. The table says what each did in this run. Those that
cannot be had, or do not speak over stdio, are named and not asked.

    python benchmarks/gateways.py
    python benchmarks/gateways.py --json
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from compare import FOLDER, Pipe

FAULTY = Path(__file__).parent / "servers" / "faulty.py"
PATIENCE = 20.0
HIDDEN = re.compile("[\u200b\u202e\U000e0041]")
PROXY = """
import json, sys
from fastmcp.server import create_proxy
create_proxy(json.load(open(sys.argv[1]))).run(show_banner=False)
"""
NOT_ASKED = {
    "mcp-hub (npm)": "serves HTTP alone",
    "mcp-proxy (PyPI, npm), supergateway (npm)": "bridge one server to another transport",
    "mcpo (PyPI)": "serves OpenAPI, not MCP",
    "@1mcp/agent, @metamcp/mcp-server-metamcp (npm)": "not to be had from the registry",
}
HELLO = {
    "protocolVersion": "2025-11-25",
    "capabilities": {},
    "clientInfo": {"name": "compare", "version": "1"},
}


@dataclass
class Gateway:
    """How a gateway is started with a file of servers, and how a tool of one is called."""

    start: Callable[[Path], list[str]]
    call: Callable[[str, str], tuple[str, Callable[[dict[str, Any]], dict[str, Any]]]]
    config: Callable[[dict[str, Any]], dict[str, Any]] = lambda servers: {"mcpServers": servers}
    version: str = ""


def plain(between: str) -> Any:
    return lambda server, tool: (f"{server}{between}{tool}", lambda given: given)


def compressed(server: str, tool: str) -> Any:
    return f"{server}_invoke_tool", lambda given: {"tool_name": tool, "tool_input": given}


def environment(package: str, *more: str) -> Path | None:
    """The programs of a package; None where it cannot be installed."""
    folder = FOLDER / package
    ready = folder / ".ready-gateway"
    if not ready.exists():
        venv.create(folder, with_pip=True, clear=True)
        words = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", package, *more]
        if subprocess.run(words, capture_output=True).returncode:
            return None
        ready.touch()
    return folder / "bin"


def version(programs: Path, package: str) -> str:
    code = f"import importlib.metadata; print(importlib.metadata.version({package!r}))"
    shown = subprocess.run([programs / "python", "-c", code], capture_output=True, text=True)
    return shown.stdout.strip()


def gateways() -> dict[str, Gateway]:
    """Those that are here."""
    own = str(Path(sys.executable).parent / "toolcrib")
    found = {
        "toolcrib": Gateway(
            lambda file: [own, "serve", "gateway", "--classic", "--project", str(file.parent)],
            plain("__"),
            version="this checkout",
        )
    }
    fast = environment("fastmcp")
    if fast is not None:
        start = [str(fast / "python"), "-c", PROXY]
        found["FastMCP's proxy"] = Gateway(
            lambda file: [*start, str(file)], plain("_"), version=version(fast, "fastmcp")
        )
    small = environment("mcp-compressor")
    if small is not None:
        program = str(small / "mcp-compressor")
        found["mcp-compressor"] = Gateway(
            lambda file: [program, "--config", str(file)],
            compressed,
            version=version(small, "mcp-compressor"),
        )
    lasso = environment("mcp-gateway", "mcp<2")  # with today's SDK it does not start
    if lasso is not None:
        gate = str(lasso / "mcp-gateway")
        found["mcp-gateway"] = Gateway(
            lambda file: [gate, "--mcp-json-path", str(file)],
            plain("_"),
            lambda servers: {"mcpServers": {"mcp-gateway": {"command": "x", "servers": servers}}},
            version(lasso, "mcp-gateway"),
        )
    return found


class Session:
    """One gateway with the good server and a faulty one."""

    def __init__(self, gateway: Gateway, fault: str, folder: Path) -> None:
        self.gateway = gateway
        self._number = 100
        servers = {
            name: {"command": sys.executable, "args": [str(FAULTY), each, str(folder)]}
            for name, each in (("good", "none"), ("odd", fault))
        }
        file = folder / "mcp" / "servers.json"
        file.parent.mkdir(exist_ok=True)
        file.write_text(json.dumps({"mcpServers": servers}))
        other = folder / "gateway.json"
        other.write_text(json.dumps(gateway.config(servers)))
        self.pipe = Pipe(gateway.start(other), folder)
        self.began = time.monotonic()
        self.greeted = self._ask("initialize", HELLO) is not None
        with contextlib.suppress(OSError):
            self.pipe.send('{"jsonrpc": "2.0", "method": "notifications/initialized"}')

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self.pipe.close()

    def _ask(self, method: str, params: dict[str, Any], patience: float = PATIENCE) -> Any:
        self._number += 1
        request = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params}
        try:
            self.pipe.send(json.dumps(request))
        except OSError:
            return None
        return self.pipe.answer(self._number, patience)

    def listed(self) -> list[dict[str, Any]]:
        answer = self._ask("tools/list", {}) or {}
        return list(answer.get("result", {}).get("tools", ()))

    def call(self, server: str, tool: str, text: str = "hi") -> tuple[str, float]:
        """What came of a call, in a word, and after how many seconds."""
        name, given = self.gateway.call(server, tool)
        began = time.monotonic()
        answer = self._ask("tools/call", {"name": name, "arguments": given({"text": text})})
        spent = time.monotonic() - began
        if answer is None:
            return "no answer", spent
        result = answer.get("result", {})
        if "error" in answer or result.get("isError"):
            return "error", spent
        return ("answered" if text in json.dumps(result) else "another answer"), spent

    def until_good(self) -> str:
        """How long it takes from the start until the good server answers."""
        while time.monotonic() - self.began < PATIENCE:
            word, _ = self.call("good", "echo")
            if word == "answered":
                return f"after {time.monotonic() - self.began:.1f} s"
            if word == "no answer":
                break
            time.sleep(0.2)  # it may not know its tools yet
        return f"not within {PATIENCE:.0f} s"


def beside(gateway: Gateway, fault: str, folder: Path) -> str:
    with Session(gateway, fault, folder) as session:
        return session.until_good() if session.greeted else f"not within {PATIENCE:.0f} s"


def noise(gateway: Gateway, folder: Path) -> str:
    with Session(gateway, "noise", folder) as session:
        session.until_good()
        return session.call("odd", "echo")[0]


def death(gateway: Gateway, folder: Path) -> str:
    with Session(gateway, "die", folder) as session:
        session.until_good()
        session.call("odd", "echo")
        word, spent = session.call("odd", "fail")
        after, _ = session.call("odd", "echo")
        return f"{word} after {spent:.1f} s; the next call: {after}"


def large(gateway: Gateway, folder: Path) -> str:
    with Session(gateway, "large", folder) as session:
        session.until_good()
        session.call("odd", "echo")
        before = peak(session.pipe)
        word, _ = session.call("odd", "fail", "x")
        return f"{word}; {peak(session.pipe) - before:.0f} MB more"


def peak(pipe: Pipe) -> float:
    """The most memory that a gateway has had, in MB; 0 where it is gone."""
    text = Path(f"/proc/{pipe._process.pid}/status").read_text()
    return sum(int(number) for number in re.findall(r"VmHWM:\s+(\d+)", text)) / 1000


def hidden(gateway: Gateway, folder: Path) -> str:
    with Session(gateway, "hidden", folder) as session:
        session.until_good()
        session.call("odd", "echo")
        told = json.dumps(session.listed(), ensure_ascii=False)
        if "quietly" not in told:
            return "not shown"
        return "passed on" if HIDDEN.search(told) else "removed"


def changed(gateway: Gateway, folder: Path) -> str:
    for _ in range(2):
        with Session(gateway, "changed", folder) as session:
            session.until_good()
            session.call("odd", "echo")
            time.sleep(2)  # a gateway may read lists again behind a call
            told = json.dumps(session.listed())
            word, _ = session.call("odd", "echo")
        (folder / "later").touch()
    if "private keys" in told:
        return "passed on"
    return "held" if word == "error" else "the earlier one is shown"


def killed(gateway: Gateway, folder: Path) -> str:
    with Session(gateway, "none", folder) as session:
        session.until_good()
        session.call("odd", "echo")
        session.pipe.close()
        time.sleep(2)
        left = running(folder)
    for pid in left:
        os.kill(pid, 9)
    return f"{len(left)} servers left after 2 s" if left else "no server left after 2 s"


def running(folder: Path) -> list[int]:
    """Servers of ours that still run."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            words = path.read_bytes().split(b"\0")
        except OSError:
            continue
        if str(FAULTY).encode() in words and str(folder).encode() in words:
            found.append(int(path.parent.name))
    return found


QUESTIONS: dict[str, Callable[[Gateway, Path], str]] = {
    "both are fine: the good one answers": lambda gate, folder: beside(gate, "none", folder),
    "one is silent at start-up: the good one answers": lambda gate, folder: beside(
        gate, "hang", folder
    ),
    "one exits at start-up: the good one answers": lambda gate, folder: beside(
        gate, "exit", folder
    ),
    "one writes lines that are not messages: its call": noise,
    "one crashes during a call": death,
    "one answers with 20 MB": large,
    "invisible characters in a description": hidden,
    "another description at the next start": changed,
    "the gateway is killed with -9": killed,
}


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    here = gateways()
    results: dict[str, dict[str, str]] = {question: {} for question in QUESTIONS}
    for question, ask in QUESTIONS.items():
        for name, gateway in here.items():
            with tempfile.TemporaryDirectory() as folder:
                results[question][name] = ask(gateway, Path(folder))
                print(f"{question} | {name}: {results[question][name]}", file=sys.stderr)
                for pid in running(Path(folder)):
                    os.kill(pid, 9)
    versions = {name: gateway.version for name, gateway in here.items()}
    if args.json:
        print(json.dumps({"versions": versions, "not asked": NOT_ASKED, "results": results}))
        return 0
    for name, text in {**versions, **NOT_ASKED}.items():
        print(f"{name}: {text}")
    print("\n| fault | " + " | ".join(here) + " |")
    print("|---" * (len(here) + 1) + "|")
    for question, did in results.items():
        print(f"| {question} | " + " | ".join(did[name] for name in here) + " |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
