"""What calls of one tool take while another tool hangs: a real server over a real pipe.

    python benchmarks/hanging.py [--calls N] [--hanging N]

A project with two plain functions is served. One answers at once; the other waits for a file that
never comes. The first is called one after the other, alone and then beside hanging calls of the
second, more than there are threads. What has a limit is shown with it, and the exit code says
whether all are kept.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from report import Report

TOOLS = '''
import time
from pathlib import Path
from toolcrib import Result, ToolArguments

class Nothing(ToolArguments):
    pass

@ToolArguments.declare(deadline=30)
def hang(args: Nothing) -> Result[str]:
    """Wait for a file that never comes."""
    while not Path("go").exists():
        time.sleep(0.05)
    return Result.ok("done")

@ToolArguments.declare
def quick(args: Nothing) -> Result[str]:
    """Answer at once."""
    return Result.ok("quick")
'''
MOST_SLOWER = 3


class Server:
    """`toolcrib serve` on a pipe."""

    def __init__(self, project: Path) -> None:
        command = [sys.executable, "-m", "toolcrib", "serve"]
        state = {"TOOLCRIB_STATE": str(project / "state"), "TOOLCRIB_TRUST": "all"}
        self.process = subprocess.Popen(
            command, cwd=project, env={**os.environ, **state}, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        )  # fmt: skip
        self._number = 0

    def post(self, method: str, params: dict[str, Any] | None = None) -> int:
        """Send a request; return its id."""
        self._number += 1
        message = {"jsonrpc": "2.0", "id": self._number, "method": method, "params": params or {}}
        assert self.process.stdin is not None
        self.process.stdin.write(json.dumps(message) + "\n")
        self.process.stdin.flush()
        return self._number

    def answer(self, number: int) -> dict[str, Any]:
        """Read until the answer with that id has come."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message: dict[str, Any] = json.loads(line)
            if message.get("id") == number:
                return message
        raise RuntimeError("the server went away")

    def calls(self, count: int) -> list[float]:
        """How long each of so many calls of the quick tool takes, in milliseconds."""
        spent = []
        for _ in range(count):
            started = time.perf_counter()
            message = self.answer(self.post("tools/call", {"name": "quick", "arguments": {}}))
            spent.append((time.perf_counter() - started) * 1000)
            if message.get("result", {}).get("isError", True):
                raise RuntimeError(f"a quick call failed: {message}")
        return spent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--calls", type=int, default=2_000)
    parser.add_argument("--hanging", type=int, default=80)
    args = parser.parse_args()
    report = Report()
    with tempfile.TemporaryDirectory() as name:
        project = Path(name)
        (project / "own_tools.py").write_text(TOOLS)
        (project / "toolcrib.toml").write_text('[custom]\nmodules = ["own_tools.py"]\n')
        server = Server(project)
        hello = {"name": "benchmark", "version": "1"}
        server.answer(
            server.post(
                "initialize",
                {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": hello},
            )
        )
        server.calls(100)  # everything is loaded
        quiet = statistics.quantiles(server.calls(args.calls), n=100)
        for _ in range(args.hanging):
            server.post("tools/call", {"name": "hang", "arguments": {}})
        beside = statistics.quantiles(server.calls(args.calls), n=100)
        (project / "go").touch()
        server.process.kill()
        server.process.wait()
    report.add("a quick call alone, p50", quiet[49], "ms")
    report.add("a quick call alone, p99", quiet[98], "ms")
    report.add(f"beside {args.hanging} hanging calls, p50", beside[49], "ms")
    limit = MOST_SLOWER * quiet[98]
    report.add(f"beside {args.hanging} hanging calls, p99", beside[98], "ms", limit)
    return 0 if report.kept else 1


if __name__ == "__main__":
    sys.exit(main())
