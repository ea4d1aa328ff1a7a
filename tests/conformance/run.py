"""Run the official conformance suite against toolcrib's own stack.

    python tests/conformance/run.py [--stdio] [--scenario NAME] [REVISION …]

The fixtures are served over HTTP, or with `--stdio` over a pipe behind a small HTTP bridge.
Exits 0 when every scored scenario of every revision passes; 3 when Node cannot be had.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path

HERE = Path(__file__).parent
SUITE = "@modelcontextprotocol/conformance@0.2.0-alpha.12"
SCORED = {"2025-11-25": 30, "2026-07-28": 37}
NO_NODE = 3


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revisions", nargs="*", default=list(SCORED))
    parser.add_argument("--stdio", action="store_true")
    parser.add_argument("--scenario", help="one scenario only")
    args = parser.parse_args()
    if shutil.which("npx") is None:
        print("conformance: Node (npx) is missing", file=sys.stderr)
        return NO_NODE
    script = "bridge.py" if args.stdio else "serve.py"
    server = subprocess.Popen(
        [sys.executable, str(HERE / script), "0"], stderr=subprocess.PIPE, text=True
    )
    try:
        url = address(server)
        return max(run(url, revision, args.scenario) for revision in args.revisions)
    finally:
        server.terminate()
        server.wait(10)


def address(server: subprocess.Popen[str]) -> str:
    """The address that the server prints, once it answers there."""
    assert server.stderr is not None
    for line in server.stderr:
        match = re.search(r"http://127\.0\.0\.1:\d+/mcp", line)
        if match:
            wait_for(match.group().replace("/mcp", "/healthz"))
            return match.group()
    raise SystemExit("the server did not start")


def wait_for(url: str) -> None:
    deadline = time.monotonic() + 20
    while True:
        try:
            urllib.request.urlopen(url, timeout=2).close()
            return
        except urllib.error.URLError:
            if time.monotonic() > deadline:
                raise


def run(url: str, revision: str, scenario: str | None) -> int:
    command = ["npx", "-y", "-p", "node@22", "-p", SUITE, "conformance", "server", "--url", url]
    command += (
        ["--scenario", scenario, "--spec-version", revision]
        if scenario
        else ["--requirements", revision]
    )
    environment = {**os.environ, "npm_config_loglevel": "error"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    rows = re.findall(r"^([✓✗]) ([\w-]+): (\d+) passed, (\d+) failed", done.stdout, re.MULTILINE)
    listed = done.stdout.partition("Not scored")[2]
    unscored = set(re.findall(r"^  [✓✗] ([\w-]+) \(", listed, re.MULTILINE))
    scored = [row for row in rows if row[1] not in unscored]
    failed = [row[1] for row in scored if row[0] == "✗"]
    wanted = 1 if scenario else SCORED[revision]
    print(f"{revision}: {len(scored) - len(failed)} of {wanted} scored scenarios pass")
    if failed or len(scored) < wanted or done.returncode:
        print(done.stdout[-6000:], done.stderr[-2000:], sep="\n")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
