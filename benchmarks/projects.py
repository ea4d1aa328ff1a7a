"""Many projects in one process: memory, the first call of each, and what idle ones cost.

    python benchmarks/projects.py [--count 50] [--idle 30]

Copies of the example shop are served by `toolcrib serve --http --projects FOLDER`; each is used
once in full (tools, resources, a search, a flag), then all are left alone.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import shutil
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from replicas import META, MODERN, SHOP, _answer, free_port, post

CALLS = [
    ("tools/list", {}),
    ("resources/list", {}),
    ("tools/call", {"name": "search-architecture", "arguments": {"query": "orders"}}),
    ("tools/call", {"name": "guide_get_content", "arguments": {"expression": "docs"}}),
    ("tools/call", {"name": "guide_list_project_flags", "arguments": {}}),
]
_TICKS = os.sysconf("SC_CLK_TCK")


def memory(pid: int) -> float:
    """Megabytes that a process and its children have in memory."""
    total = 0
    for each in (pid, *children(pid)):
        for line in Path(f"/proc/{each}/status").read_text().splitlines():
            if line.startswith("VmRSS:"):
                total += int(line.split()[1])
    return total / 1024


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    return list(map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split()))


def spent(pid: int) -> float:
    """Seconds of processor time that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / _TICKS


async def ask(port: int, project: str, method: str, params: dict[str, object]) -> None:
    """One stateless request, which must succeed."""
    headers = {"MCP-Protocol-Version": MODERN, "Mcp-Method": method}
    if "name" in params:
        headers["Mcp-Name"] = str(params["name"])
    given = {**params, "_meta": META}
    message = {"jsonrpc": "2.0", "id": 1, "method": method, "params": given}
    status, _, body = await post(port, message, headers, f"/{project}/mcp")
    if status != 200 or "result" not in _answer(body):
        raise SystemExit(f"{project} {method}: {status} {body[:200]!r}")


async def measure(options: argparse.Namespace, folder: Path) -> None:
    """Serve, use and leave alone; print what that took."""
    for number in range(options.count):
        shutil.copytree(SHOP, folder / "all" / f"p{number}")
    port = free_port()
    env = {**os.environ, "TOOLCRIB_STATE": str(folder / "state"), "TOOLCRIB_TRUST": "all"}
    command = [sys.executable, "-m", "toolcrib", "serve", "--http", f"127.0.0.1:{port}"]
    process = subprocess.Popen(
        [*command, "--projects", str(folder / "all")],
        cwd=folder,
        env=env,
        stderr=subprocess.DEVNULL,
    )
    try:
        while True:
            try:
                if (await post(port, None, {}, "/readyz", "GET"))[0] == 200:
                    break
            except OSError:
                await asyncio.sleep(0.05)
        await report(options, process.pid, port)
    finally:
        process.terminate()
        process.wait(20)


async def report(options: argparse.Namespace, pid: int, port: int) -> None:
    """Use all projects, one after the other, then watch them idle."""
    empty, first = memory(pid), []
    for number in range(options.count):
        started = time.monotonic()
        for method, params in CALLS:
            await ask(port, f"p{number}", method, params)
            if method == "tools/list":
                first.append(time.monotonic() - started)
    await asyncio.sleep(5)
    used = memory(pid)
    before, began = spent(pid), time.monotonic()
    await asyncio.sleep(options.idle)
    share = (spent(pid) - before) / (time.monotonic() - began)
    print(f"{options.count} projects, all used: {used:.0f} MB ({empty:.0f} MB with none)")
    print(f"one project: {(used - empty) / options.count:.2f} MB")
    print(f"first answer of a project: {sorted(first)[len(first) // 2] * 1000:.0f} ms (median)")
    print(f"one idle project: {share / options.count * 100:.3f} % of a core")


def main() -> int:
    """Make the folder and measure."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--idle", type=float, default=30.0, help="seconds to watch them idle")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="toolcrib-projects-") as folder:
        asyncio.run(measure(options, Path(folder)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
