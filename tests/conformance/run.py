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
        [sys.executable, str(HERE / script), "0"],
        stdout=subprocess.DEVNULL,  # else it would keep the pipe of whoever waits for this program
        stderr=subprocess.PIPE,
        text=True,
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
    """Run one revision's scored scenarios, or one scenario, and say how many pass."""
    command = ["npx", "-y", "-p", "node@22", "-p", SUITE, "conformance", "server", "--url", url]
    if scenario:
        command += ["--scenario", scenario, "--spec-version", revision]
    else:
        command += ["--requirements", revision]
    environment = {**os.environ, "npm_config_loglevel": "error"}
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=600)
    passed, wanted = one(done.stdout) if scenario else scored(done.stdout, revision)
    what = f"checks of {scenario}" if scenario else "scored scenarios"
    print(f"{revision}: {passed} of {wanted} {what} pass")
    if passed == wanted > 0 and not done.returncode:
        return 0
    print(done.stdout[-6000:], done.stderr[-2000:], sep="\n")
    return 1


def scored(output: str, revision: str) -> tuple[int, int]:
    rows = re.findall(r"^([✓✗]) ([\w-]+): \d+ passed", output, re.MULTILINE)
    listed = output.partition("Not scored")[2]
    unscored = set(re.findall(r"^  [✓✗] ([\w-]+) \(", listed, re.MULTILINE))
    return sum(mark == "✓" and name not in unscored for mark, name in rows), SCORED[revision]


def one(output: str) -> tuple[int, int]:
    match = re.search(r"^Passed: (\d+)/(\d+)", output, re.MULTILINE)
    return (int(match.group(1)), int(match.group(2))) if match else (0, 0)


if __name__ == "__main__":
    sys.exit(main())
