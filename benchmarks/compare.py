"""What the public peers do with the same questions, in one run on this machine.

Each peer is installed into a folder of its own below build/compare, started over stdio in the same
small repository, and asked the same things. The table says what each did in this run, and nothing
about what was not asked.

    python benchmarks/compare.py
    python benchmarks/compare.py --json
"""

from __future__ import annotations

import argparse
import json
import os
import queue
import shutil
import subprocess
import sys
import tempfile
import threading
import time
import venv
from pathlib import Path
from typing import Any

TOP = Path(__file__).parents[1]
FOLDER = TOP / "build" / "compare"
# What is installed for each peer, itself first: mcp-guide was written for the SDK's first line.
PEERS = {
    "CLImax": ["climax-mcp"],
    "mcp-guide": ["mcp-guide", "mcp<2"],
    "Directive": ["directive"],
    "FastMCP": ["fastmcp"],
}
# Speaks with a Content-Length before each message, and not by lines.
BY_LENGTH = {"Directive"}
FASTMCP = """
from fastmcp import FastMCP
server = FastMCP("peer")
@server.tool
def echo(text: str) -> str:
    "Say it again."
    return text
server.run(show_banner=False)
"""
# Has no release to install: it is built from its sources, where there is Go.
GO_SERVER = ("https://github.com/regul4rj0hn/architecture-mcp", "./cmd/mcp-server")
PATIENCE = 30.0
BUILDING = 600.0


class Pipe:
    """A server over stdio, asked line by line, or with the length of each message before it."""

    def __init__(self, words: list[str], folder: Path, *, by_length: bool = False) -> None:
        self._by_length = by_length
        environment = {**os.environ, "HOME": str(folder), "TOOLCRIB_TRUST": "all"}
        self._process = subprocess.Popen(
            words, cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, env=environment,
        )  # fmt: skip
        self._lines: queue.Queue[bytes] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self._process.stdout is not None
        while line := self._process.stdout.readline():
            if line.lower().startswith(b"content-length:"):
                while self._process.stdout.readline().strip():
                    pass
                line = self._process.stdout.read(int(line.split(b":")[1]))
            self._lines.put(line)

    def send(self, text: str) -> None:
        assert self._process.stdin is not None
        data = text.encode()
        head = b"Content-Length: %d\r\n\r\n" % len(data) if self._by_length else b""
        self._process.stdin.write(head + data + (b"" if head else b"\n"))
        self._process.stdin.flush()

    def ask(self, method: str, params: dict[str, Any], number: int) -> dict[str, Any] | None:
        """The answer, or None if there is none in time."""
        request = {"jsonrpc": "2.0", "id": number, "method": method, "params": params}
        try:
            self.send(json.dumps(request))
        except OSError:
            return None
        return self.answer(number)

    def answer(self, number: int | None, patience: float = PATIENCE) -> dict[str, Any] | None:
        end = time.monotonic() + patience
        while (left := end - time.monotonic()) > 0:
            try:
                message = json.loads(self._lines.get(timeout=left))
            except (queue.Empty, ValueError):
                continue
            if "method" not in message and message.get("id") == number:
                return dict(message)
        return None

    def close(self) -> None:
        self._process.kill()
        self._process.wait()


def installed(package: str, *further: str) -> tuple[Path, str] | None:
    """The programs of a peer and its version; None where it cannot be had."""
    folder = FOLDER / package
    if not folder.joinpath(".ready").exists():
        venv.create(folder, with_pip=True, clear=True)
        words = [str(folder / "bin/python"), "-m", "pip", "install", "--quiet", package, *further]
        if subprocess.run(words, capture_output=True).returncode:
            return None
        folder.joinpath(".ready").touch()
    code = f"import importlib.metadata; print(importlib.metadata.version({package!r}))"
    shown = subprocess.run([folder / "bin/python", "-c", code], capture_output=True, text=True)
    return folder / "bin", shown.stdout.strip()


def built() -> tuple[Path | None, str]:
    """The program of the Go server and its version; None with the reason where there is none."""
    missing = [name for name in ("git", "go") if shutil.which(name) is None]
    if missing:
        return None, f"not built: no {' and no '.join(missing)} here"
    folder = FOLDER / "go-server"
    source, program = folder / "source", folder / "server"
    if not program.exists():
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        address, package = GO_SERVER
        for words, where in (
            (["git", "clone", "--quiet", "--depth=1", address, str(source)], folder),
            (["go", "build", "-o", str(program), package], source),
        ):
            failed = failure(words, where)
            if failed is not None:
                return None, f"not built: {' '.join(words[:2])}: {failed}"
    words = ["git", "log", "-1", "--format=%h"]
    shown = subprocess.run(words, cwd=source, capture_output=True, text=True)
    return program, f"built from commit {shown.stdout.strip()}"


def failure(words: list[str], folder: Path) -> str | None:
    """Why a command failed, in its own last words; None if it did not."""
    environment = {**os.environ, "GIT_TERMINAL_PROMPT": "0"}
    try:
        done = subprocess.run(
            words, cwd=folder, env=environment, stdin=subprocess.DEVNULL, capture_output=True,
            text=True, errors="replace", timeout=BUILDING,
        )  # fmt: skip
    except (OSError, subprocess.TimeoutExpired) as error:
        return str(error)
    said = done.stderr.strip().splitlines() or [f"exit code {done.returncode}"]
    return said[-1] if done.returncode else None


def repository(folder: Path) -> None:
    """A small repository with something for everybody."""
    subprocess.run(["git", "init", "-q", str(folder)], check=True)
    for name, text in {
        "README.md": "# A project\n",
        "AGENTS.md": "# Rules\n\nWrite tests first.\n",
        "docs/adr/0001-use-a-queue.md": "# 1. Use a queue\n\n## Status\n\nAccepted\n",
        "climax/demo.yaml": "command: echo\ntools: [{name: say, description: Says it}]\n",
        "peer.py": FASTMCP,
    }.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


def commands(bins: dict[str, Path]) -> dict[str, list[str]]:
    """How each server is started."""
    found = {"toolcrib": [str(Path(sys.executable).parent / "toolcrib"), "serve"]}
    if "CLImax" in bins:
        found["CLImax"] = [str(bins["CLImax"] / "climax"), "git"]
    if "mcp-guide" in bins:
        found["mcp-guide"] = [str(bins["mcp-guide"] / "mcp-guide")]
    if "Directive" in bins:
        found["Directive"] = [str(bins["Directive"] / "directive"), "mcp", "serve"]
    if "FastMCP" in bins:
        found["FastMCP"] = [str(bins["FastMCP"] / "python"), "peer.py"]
    if "Go server" in bins:
        found["Go server"] = [str(bins["Go server"])]
    return found


def asked(words: list[str], folder: Path, by_length: bool) -> dict[str, str]:
    """What one server does with each question."""
    did: dict[str, str] = {}
    started = time.perf_counter()
    pipe = Pipe(words, folder, by_length=by_length)
    try:
        hello = {
            "protocolVersion": "2025-11-25", "capabilities": {},
            "clientInfo": {"name": "compare", "version": "1"},
        }  # fmt: skip
        first = pipe.ask("initialize", hello, 1)
        if first is None or "result" not in first:
            return {"first answer": "none"}
        did["first answer"] = f"{(time.perf_counter() - started) * 1000:.0f} ms"
        did["version of 2025-11-25 accepted"] = str(first["result"].get("protocolVersion"))
        pipe.send('{"jsonrpc": "2.0", "method": "notifications/initialized"}')
        for number, (what, method) in enumerate(
            (("tools", "tools/list"), ("resources", "resources/list"), ("prompts", "prompts/list")),
            2,
        ):
            answer = pipe.ask(method, {}, number) or {}
            listed = answer.get("result", {}).get(what)
            did[f"{what} listed"] = "none offered" if listed is None else str(len(listed))
            if what == "tools" and listed is not None:
                did["size of tools/list"] = f"{len(json.dumps(listed)):,} characters"
        unknown = pipe.ask("tools/call", {"name": "climax_serch", "arguments": {}}, 9) or {}
        told = json.dumps(unknown)
        did["an unknown tool"] = (
            "nearest name suggested"
            if "climax_search" in told
            else "refused"
            if unknown
            else "no answer"
        )
        pipe.send("{broken")
        broken = pipe.answer(None, 3.0)
        did["a line that is not JSON"] = (
            f"answered {broken['error']['code']}" if broken and "error" in broken else "no answer"
        )
        again = pipe.ask("tools/list", {}, 10)
        did["continues after it"] = "yes" if again and "result" in again else "no"
    finally:
        pipe.close()
    fresh = Pipe(words, folder, by_length=by_length)
    try:
        meta = {
            "io.modelcontextprotocol/protocolVersion": "2026-07-28",
            "io.modelcontextprotocol/clientInfo": {"name": "compare", "version": "1"},
            "io.modelcontextprotocol/clientCapabilities": {},
        }
        modern = fresh.ask("server/discover", {"_meta": meta}, 1)
        did["2026-07-28 without a handshake"] = "yes" if modern and "result" in modern else "no"
    finally:
        fresh.close()
    return did


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--json", action="store_true")
    args = parser.parse_args()
    bins, versions = {}, {"toolcrib": "this checkout"}
    for name, packages in PEERS.items():
        found = installed(*packages)
        if found is None:
            versions[name] = "could not be installed"
        else:
            bins[name], versions[name] = found
    program, versions["Go server"] = built()
    if program is not None:
        bins["Go server"] = program
    results: dict[str, dict[str, str]] = {}
    for name, words in commands(bins).items():
        with tempfile.TemporaryDirectory() as folder:
            repository(Path(folder))
            if name == "Directive":
                subprocess.run([words[0], "init"], cwd=folder, capture_output=True)
            results[name] = asked(words, Path(folder), name in BY_LENGTH)
    if args.json:
        print(json.dumps({"versions": versions, "results": results}, indent=2))
        return 0
    for name, version in versions.items():
        print(f"{name}: {version}")
    print()
    questions = dict.fromkeys(what for did in results.values() for what in did)
    print("| question | " + " | ".join(results) + " |")
    print("|---" * (len(results) + 1) + "|")
    for question in questions:
        cells = [did.get(question, "not asked") for did in results.values()]
        print(f"| {question} | " + " | ".join(cells) + " |")
    return 0 if results["toolcrib"].get("continues after it") == "yes" else 1


if __name__ == "__main__":
    sys.exit(main())
