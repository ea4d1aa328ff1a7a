"""How a server grows: documents and tools by the ten thousand; two starts, and one change.

    python benchmarks/growth.py [--documents 20000] [--tools 10000] [--json FILE]

Each start is a process of `toolcrib serve --http` until `/readyz` says 200; its processor time and
its memory are the process's own. With the same caches it is started again; then one document, or
one of the twenty config files, is changed.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from architecture import make_documents
from climax import write_configs
from projects import memory, spent
from replicas import META, MODERN, free_port
from report import Report

PATIENCE = 600.0
MOST_MEMORY = 700.0
WARM = 3.0


class Server:
    """A server over a project, and what it has taken so far."""

    def __init__(self, project: Path, home: Path, *packs: str) -> None:
        self.port = free_port()
        env = {"TOOLCRIB_STATE": str(home / "state"), "XDG_CACHE_HOME": str(home / "cache")}
        # `--warm`: the same work, but not at idle priority.
        command = [sys.executable, "-m", "toolcrib", "serve", *packs, "--warm"]
        self.process = subprocess.Popen(
            [*command, "--http", f"127.0.0.1:{self.port}"],
            cwd=project,
            env={**os.environ, **env, "TOOLCRIB_TRUST": "all"},
            stderr=subprocess.DEVNULL,
        )

    @property
    def cpu(self) -> float:
        """Seconds of processor time."""
        return spent(self.process.pid)

    @property
    def memory(self) -> float:
        """Megabytes, those of children included."""
        return memory(self.process.pid)

    def ready(self) -> bool:
        """Whether `/readyz` says 200."""
        try:
            return self._ask("GET", "/readyz")[0] == 200
        except OSError:
            return False

    def call(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        """The result of a tool, which must not be an error."""
        params = {"name": tool, "arguments": dict(arguments), "_meta": META}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {"Content-Type": "application/json", "MCP-Protocol-Version": MODERN}
        headers |= {"Accept": "application/json, text/event-stream"}
        headers |= {"Mcp-Method": "tools/call", "Mcp-Name": tool}
        status, body = self._ask("POST", "/mcp", json.dumps(message).encode(), headers)
        if body.startswith((b"event:", b"data:", b":")):
            body = next(line[5:] for line in body.splitlines() if line.startswith(b"data:"))
        result = json.loads(body).get("result", {})
        if status != 200 or result.get("isError", True):
            raise SystemExit(f"{tool}: {status} {body[:300]!r}")
        return result["structuredContent"]

    def stop(self) -> None:
        """End it as a service manager would."""
        self.process.terminate()
        self.process.wait(60)

    def _ask(
        self,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> tuple[int, bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        try:
            connection.request(method, path, body, dict(headers or {}))
            answer = connection.getresponse()
            return answer.status, answer.read()
        finally:
            connection.close()


def wait(
    condition: Callable[[], object], seconds: float = PATIENCE, *, pause: float = 0.1
) -> float:
    """How long it took until it held."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            raise SystemExit("it never happened")
        time.sleep(pause)
    return time.monotonic() - began


@contextmanager
def started(project: Path, home: Path, *packs: str) -> Any:
    """A server that is ready."""
    server = Server(project, home, *packs)
    try:
        wait(server.ready)
        yield server
    finally:
        server.stop()


def kept(home: Path) -> Callable[[], bool]:
    """Whether nothing in the caches has changed for a while: an index is written at leisure."""
    seen: dict[str, Any] = {"files": None, "since": time.monotonic()}

    def quiet() -> bool:
        files = [(f, f.stat().st_size) for f in sorted((home / "cache").rglob("*")) if f.is_file()]
        if files != seen["files"]:
            seen.update(files=files, since=time.monotonic())
        return bool(files) and time.monotonic() - seen["since"] > 2

    return quiet


def documents(report: Report, scratch: Path, count: int) -> None:
    """Documents of the architecture: both starts, a search while it starts, one change."""
    print(f"{count:,} documents")
    project, home = scratch / "documents", scratch / "home-documents"
    project.mkdir()
    make_documents(project, count)
    question = {"query": "zeppelin"}
    with started(project, home, "architecture") as server:
        first = server.cpu
        report.add("first start until /readyz", first, "s of CPU")
        server.call("search-architecture", question)
        report.add("memory after it", server.memory, "MB", MOST_MEMORY)
        wait(kept(home))
    with started(project, home, "architecture") as server:
        second = server.cpu
        report.add("second start until /readyz", second, "s of CPU", WARM)
        report.add("second start, of the first", second / first, "", 0.5)
        server.call("search-architecture", question)
        report.add("memory after it", server.memory, "MB", MOST_MEMORY)
        idle(server)
        before = server.cpu
        place = project / "mcp" / "resources" / "guidelines" / "new.md"
        place.write_text("# Zeppelin\n\nA zeppelin is an airship.\n")

        def found() -> bool:
            return bool(server.call("search-architecture", question)["results"])

        report.add("a new document is found after", wait(found, pause=0.5), "s", 2)
        report.add("which takes, searches included", server.cpu - before, "s of CPU")


def tools(report: Report, scratch: Path, count: int) -> None:
    """Tools in twenty config files: both starts, and one changed file."""
    print(f"{count:,} tools in 20 files")
    project, home = scratch / "tools", scratch / "home-tools"
    write_configs(project / "cli", 20, count)
    (project / "toolcrib.toml").write_text('[climax]\nconfigs = ["cli/*.yaml"]\n')
    question = {"query": "zeppelin"}
    with started(project, home, "climax") as server:
        first = server.cpu
        report.add("first start until /readyz", first, "s of CPU")
        server.call("climax_search", question)
        report.add("memory after it", server.memory, "MB", MOST_MEMORY)
        wait(kept(home))
    with started(project, home, "climax") as server:
        second = server.cpu
        report.add("second start until /readyz", second, "s of CPU", WARM)
        report.add("second start, of the first", second / first, "")
        server.call("climax_search", question)
        report.add("memory after it", server.memory, "MB", MOST_MEMORY)
        idle(server)
        before = server.cpu
        file = project / "cli" / "07.yaml"
        more = "  - {name: fly, description: Fly a zeppelin, command: fly}\n"
        new = file.read_text() + more
        scratch_file = project / "cli" / ".new"
        scratch_file.write_text(new)
        scratch_file.replace(file)

        def found() -> bool:
            return "Fly a zeppelin" in json.dumps(server.call("climax_search", question))

        report.add("a changed file is found after", wait(found, pause=0.5), "s", 2)
        idle(server)
        limit = 0.6 * max(1, count / 10_000)
        report.add("which takes, searches included", server.cpu - before, "s of CPU", limit)


def idle(server: Server) -> None:
    """Return when the server has nothing left to do."""
    while True:
        before = server.cpu
        time.sleep(1.5)
        if server.cpu - before < 0.05:
            return


def main() -> int:
    """Measure both; 1 when a limit was missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--documents", type=int, default=20_000)
    parser.add_argument("--tools", type=int, default=10_000)
    parser.add_argument("--json", type=Path, metavar="FILE")
    options = parser.parse_args()
    report = Report()
    scratch = Path(tempfile.mkdtemp(prefix="toolcrib-growth-"))
    try:
        if options.documents:
            documents(report, scratch, options.documents)
        if options.tools:
            tools(report, scratch, options.tools)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)
    if options.json:
        options.json.write_text(json.dumps(report.rows, indent=2))
    return 0 if report.kept else 1


if __name__ == "__main__":
    sys.exit(main())
